#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! cell   values and their styles
//! text   texts within the limits of Excel
//! parts  all parts of the file but the rows
//! ```

mod cell;
mod parts;
mod text;

use std::io::{self, Write};

use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

pub use cell::Cell;

/// The maximum number of rows below the header.
pub const MAX_ROWS: u32 = (1 << 20) - 1;

/// The maximum number of columns.
pub const MAX_COLUMNS: usize = 1 << 14;

/// The maximum length of a text in UTF-16 code units.
pub const MAX_TEXT_UNITS: usize = 32_767;

/// An Excel file with one sheet that is being written.
pub struct Workbook<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    /// The rows written below the header.
    rows: u32,
    /// The number of truncated texts in each column.
    cut: Vec<u64>,
    /// The XML of one row.
    line: String,
}

impl<W: Write> Workbook<W> {
    /// Begins a file: writes everything before the first row. A column is a name and the width at
    /// which it is displayed, in characters.
    pub fn new(out: W, columns: &[(&str, usize)]) -> io::Result<Self> {
        if columns.len() > MAX_COLUMNS {
            let number = columns.len();
            return Err(io::Error::other(format!(
                "an Excel sheet holds {MAX_COLUMNS} columns, and the table has {number}"
            )));
        }
        let mut workbook = Self {
            zip: ZipWriter::new_stream(out),
            rows: 0,
            cut: vec![0; columns.len()],
            line: String::new(),
        };
        for (name, xml) in parts::FIXED {
            workbook.zip.start_file(*name, options())?;
            workbook.zip.write_all(xml.as_bytes())?;
        }
        workbook.zip.start_file(parts::SHEET, options())?;
        let widths = columns.iter().map(|(_, width)| *width);
        let start = parts::sheet_start(widths);
        workbook.zip.write_all(start.as_bytes())?;
        let names = columns.iter().map(|(name, _)| Cell::Heading(name));
        workbook.write_row(1, names)?;
        Ok(workbook)
    }

    /// Writes a row below the earlier ones.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> io::Result<()> {
        if self.rows == MAX_ROWS {
            return Err(io::Error::other(format!(
                "an Excel sheet holds {MAX_ROWS} rows below its header, and the table has more"
            )));
        }
        self.rows += 1;
        self.write_row(self.rows + 1, cells)
    }

    fn write_row<'a>(
        &mut self,
        number: u32,
        cells: impl IntoIterator<Item = Cell<'a>>,
    ) -> io::Result<()> {
        self.line.clear();
        self.line.push_str(&format!("<row r=\"{number}\">"));
        let mut cells = cells.into_iter();
        for cut in &mut self.cut {
            let Some(cell) = cells.next() else {
                break;
            };
            let is_cut = cell.write(&mut self.line);
            *cut += u64::from(is_cut);
        }
        self.line.push_str("</row>");
        self.zip.write_all(self.line.as_bytes())
    }

    /// Ends the file. Returns the writer, and the number of truncated texts in each column.
    pub fn finish(mut self) -> io::Result<(W, Vec<u64>)> {
        self.zip.write_all(parts::SHEET_END.as_bytes())?;
        let out = self.zip.finish()?.into_inner();
        Ok((out, self.cut))
    }
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use zip::ZipArchive;

    use super::*;

    /// The XML of the sheet.
    fn sheet(file: Vec<u8>) -> String {
        let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
        assert_eq!(archive.len(), parts::FIXED.len() + 1);
        let mut xml = String::new();
        let mut sheet = archive.by_name(parts::SHEET).unwrap();
        sheet.read_to_string(&mut xml).unwrap();
        xml
    }

    #[test]
    fn rows_are_below_a_header() {
        let mut workbook = Workbook::new(Vec::new(), &[("a&b", 10), ("n", 12)]).unwrap();
        workbook
            .row([Cell::Text("=1<2"), Cell::Integer(7)])
            .unwrap();
        workbook.row([Cell::Empty, Cell::Number(-0.5)]).unwrap();
        let (file, cut) = workbook.finish().unwrap();
        assert_eq!(cut, [0, 0]);
        let xml = sheet(file);
        let (_, rows) = xml.split_once("<sheetData>").unwrap();
        let expected = "<row r=\"1\">\
            <c t=\"inlineStr\" s=\"1\"><is><t xml:space=\"preserve\">a&amp;b</t></is></c>\
            <c t=\"inlineStr\" s=\"1\"><is><t xml:space=\"preserve\">n</t></is></c></row>\
            <row r=\"2\">\
            <c t=\"inlineStr\" s=\"4\"><is><t xml:space=\"preserve\">=1&lt;2</t></is></c>\
            <c><v>7</v></c></row>\
            <row r=\"3\"><c/><c><v>-0.5</v></c></row>\
            </sheetData></worksheet>";
        assert_eq!(rows, expected);
        assert!(xml.contains("<col min=\"2\" max=\"2\" width=\"12\" customWidth=\"1\"/>"));
    }

    #[test]
    fn long_texts_are_cut_and_counted() {
        let mut workbook = Workbook::new(Vec::new(), &[("a", 10), ("b", 10)]).unwrap();
        let fits = "x".repeat(MAX_TEXT_UNITS);
        // Each takes two UTF-16 units.
        let wide = "𠮷".repeat(MAX_TEXT_UNITS / 2 + 1);
        workbook
            .row([Cell::Text(&fits), Cell::Text(&wide)])
            .unwrap();
        let (file, cut) = workbook.finish().unwrap();
        assert_eq!(cut, [0, 1]);
        let xml = sheet(file);
        assert!(xml.contains(&format!(">{fits}<")));
        let kept = (MAX_TEXT_UNITS - 1) / 2;
        assert!(xml.contains(&format!(">{}…<", "𠮷".repeat(kept))));
    }

    #[test]
    fn what_a_sheet_does_not_hold_is_an_error() {
        let names = vec![("c", 10); MAX_COLUMNS + 1];
        let error = Workbook::new(Vec::new(), &names).err().unwrap();
        assert!(error.to_string().contains("16385"), "{error}");
        let mut workbook = Workbook::new(io::sink(), &[("n", 10)]).unwrap();
        for row in 0..MAX_ROWS {
            workbook.row([Cell::Integer(row.into())]).unwrap();
        }
        let error = workbook.row([Cell::Integer(0)]).unwrap_err();
        assert!(error.to_string().contains("1048575 rows"), "{error}");
    }

    #[test]
    fn errors_of_the_writer_are_returned() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self
                    .0
                    .checked_sub(bytes.len())
                    .ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for room in [0, 100, 2000, 100_000] {
            let written = Workbook::new(Full(room), &[("n", 10)]).and_then(|mut workbook| {
                for row in 0..500_000_u32 {
                    workbook.row([Cell::Integer(i64::from(row) * 7919 % 65_521)])?;
                }
                workbook.finish()
            });
            let error = written.err().unwrap();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}: {error}");
        }
    }
}
