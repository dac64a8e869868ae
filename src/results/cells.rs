//! Formats values for people.

use std::fmt::{self, Write};

use corpus_udfs::duckdb::value_text;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, LargeStringArray, RecordBatch, make_array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{
    ArrayFormatter, ArrayFormatterFactory, DisplayIndex, FormatOptions, FormatResult,
};
use datafusion::error::Result;
use indicatif::HumanCount;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The texts of a row's values.
pub type Row = Vec<String>;

/// The amount of detail shown for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Everything, so that nothing is lost in files and pipes.
    Whole,
    /// The beginning of long values, and the length of bytes that are not text.
    Short,
}

/// The maximum length of the shown part of a long value.
pub const MAX_SHORT_BYTES: usize = 4096;

/// The number of bytes that decide whether a binary value is text. It is small, because the header
/// of an HTTP response is text whatever its body is.
const SNIFFED_BYTES: usize = 16;

/// Formats the values of a batch, row by row.
pub fn rows(batch: &RecordBatch, detail: Detail) -> Result<Vec<Row>> {
    let formatters = Formatters::new(batch, detail)?;
    Ok((0..batch.num_rows())
        .map(|row| formatters.row(row))
        .collect())
}

/// Formats single rows of a batch.
pub struct Formatters<'a> {
    columns: Vec<ArrayFormatter<'a>>,
    detail: Detail,
}

impl<'a> Formatters<'a> {
    pub fn new(batch: &'a RecordBatch, detail: Detail) -> Result<Self> {
        let factory: &'static dyn ArrayFormatterFactory = match detail {
            Detail::Whole => &CellFactory(Detail::Whole),
            Detail::Short => &CellFactory(Detail::Short),
        };
        let options = FormatOptions::new()
            .with_null("NULL")
            .with_formatter_factory(Some(factory));
        let formatter =
            |column: &'a ArrayRef| match factory.create_array_formatter(column, &options, None)? {
                Some(formatter) => Ok(formatter),
                None => ArrayFormatter::try_new(column, &options),
            };
        let columns = batch
            .columns()
            .iter()
            .map(formatter)
            .collect::<Result<_, ArrowError>>()?;
        Ok(Self { columns, detail })
    }

    pub fn row(&self, row: usize) -> Row {
        let cells = self.columns.iter();
        cells.map(|formatter| self.cell(formatter, row)).collect()
    }

    fn cell(&self, formatter: &ArrayFormatter, row: usize) -> String {
        let mut text = match self.detail {
            Detail::Whole => Bounded::new(usize::MAX),
            Detail::Short => Bounded::new(MAX_SHORT_BYTES),
        };
        // Writing fails only when the buffer is full; the text then ends with a mark.
        let _ = write!(text, "{}", formatter.value(row));
        printable(&text.text)
    }
}

/// The names of the columns.
pub fn names(schema: &Schema) -> Row {
    let fields = schema.fields().iter();
    fields.map(|field| printable(field.name())).collect()
}

/// Replaces control characters, which could affect the terminal.
fn printable(text: &str) -> String {
    if !text.contains(|c: char| c.is_control() && c != '\n') {
        return text.to_owned();
    }
    text.chars()
        .map(|c| match c {
            '\n' => c,
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Text on one line, at most `width` wide.
pub fn one_line(text: &str, width: usize) -> String {
    let line = text.replace('\n', "\\n");
    if line.width() <= width {
        return line;
    }
    let room = width.saturating_sub(1);
    // Keep the end of a path or URL, which distinguishes it from others.
    let is_path = line.contains('/') && !line.contains(char::is_whitespace);
    let end = if is_path { room - room / 3 } else { 0 };
    let end = within(line.chars().rev(), end);
    let end: String = end.chars().rev().collect();
    let mark = if width == 0 { "" } else { "…" };
    format!(
        "{}{mark}{end}",
        within(line.chars(), room.saturating_sub(end.width()))
    )
}

/// The first characters, at most `width` wide.
fn within(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    characters.take_while(fits).collect()
}

/// A text that stops growing at a limit, so that long values are not formatted completely.
struct Bounded {
    text: String,
    max_bytes: usize,
}

impl Bounded {
    fn new(max_bytes: usize) -> Self {
        Self {
            text: String::new(),
            max_bytes,
        }
    }
}

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = self.max_bytes.saturating_sub(self.text.len());
        if more.len() <= room {
            self.text.push_str(more);
            return Ok(());
        }
        let end = more.floor_char_boundary(room);
        self.text.push_str(&more[..end]);
        self.text.push('…');
        Err(fmt::Error)
    }
}

/// Shows bytes as text if they are text, and intervals as casts do, including inside lists and
/// structs.
#[derive(Debug)]
struct CellFactory(Detail);

impl ArrayFormatterFactory for CellFactory {
    fn create_array_formatter<'f>(
        &self,
        array: &'f dyn Array,
        options: &FormatOptions<'f>,
        _field: Option<&'f Field>,
    ) -> Result<Option<ArrayFormatter<'f>>, ArrowError> {
        let null = options.null();
        let display: Box<dyn DisplayIndex> = match array.data_type() {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
                Box::new(BinaryDisplay {
                    array,
                    null,
                    detail: self.0,
                })
            }
            DataType::Interval(_) | DataType::Duration(_) => {
                let values = make_array(array.to_data());
                let texts = value_text::texts(&values)?.as_string().clone();
                Box::new(TextDisplay { texts, null })
            }
            _ => return Ok(None),
        };
        Ok(Some(ArrayFormatter::new(display, options.safe())))
    }
}

struct TextDisplay<'a> {
    texts: LargeStringArray,
    null: &'a str,
}

impl DisplayIndex for TextDisplay<'_> {
    fn write(&self, row: usize, out: &mut dyn Write) -> FormatResult {
        let is_null = self.texts.is_null(row);
        out.write_str(if is_null {
            self.null
        } else {
            self.texts.value(row)
        })?;
        Ok(())
    }
}

struct BinaryDisplay<'a> {
    array: &'a dyn Array,
    null: &'a str,
    detail: Detail,
}

impl DisplayIndex for BinaryDisplay<'_> {
    fn write(&self, row: usize, out: &mut dyn Write) -> FormatResult {
        if self.array.is_null(row) {
            out.write_str(self.null)?;
            return Ok(());
        }
        let bytes = match self.array.data_type() {
            DataType::Binary => self.array.as_binary::<i32>().value(row),
            DataType::LargeBinary => self.array.as_binary::<i64>().value(row),
            _ => self.array.as_binary_view().value(row),
        };
        write_bytes(bytes, self.detail, out)?;
        Ok(())
    }
}

/// Writes text as `b'…'` with escapes, other bytes as their length or in hexadecimal.
fn write_bytes(bytes: &[u8], detail: Detail, out: &mut dyn Write) -> fmt::Result {
    if starts_as_text(bytes) {
        out.write_str("b'")?;
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\n' => out.write_str("\\n")?,
                    '\r' => out.write_str("\\r")?,
                    '\t' => out.write_str("\\t")?,
                    '\\' | '\'' => write!(out, "\\{c}")?,
                    c if c.is_ascii_control() => write!(out, "\\x{:02x}", u32::from(c))?,
                    c => out.write_char(c)?,
                }
            }
            for byte in chunk.invalid() {
                write!(out, "\\x{byte:02x}")?;
            }
        }
        return out.write_char('\'');
    }
    match detail {
        Detail::Short => write!(out, "<{} bytes>", HumanCount(bytes.len() as u64)),
        Detail::Whole => bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}")),
    }
}

/// Whether the first bytes are UTF-8 without control characters that do not occur in text.
fn starts_as_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The sniffed bytes may end inside a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let is_cut_character = text.len() < start.len() && bytes.len() <= SNIFFED_BYTES;
    !is_cut_character && !text.contains(|c: char| c.is_control() && !"\n\r\t".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{BinaryArray, StructArray};
    use std::sync::Arc;

    fn bytes(value: &[u8], detail: Detail) -> String {
        let mut text = String::new();
        write_bytes(value, detail, &mut text).unwrap();
        text
    }

    #[test]
    fn bytes_are_text_where_they_are() {
        for (value, short, whole) in [
            (&b"a\r\n'b'"[..], "b'a\\r\\n\\'b\\''", "b'a\\r\\n\\'b\\''"),
            ("日本".as_bytes(), "b'日本'", "b'日本'"),
            (b"", "b''", "b''"),
            (b"\x89PNG\r\n", "<6 bytes>", "89504e470d0a"),
            (b"a\0b", "<3 bytes>", "610062"),
            (b"caf\xe9", "<4 bytes>", "636166e9"),
            (b"caf\xc3", "<4 bytes>", "636166c3"),
        ] {
            assert_eq!(bytes(value, Detail::Short), short);
            assert_eq!(bytes(value, Detail::Whole), whole);
        }
        // The start decides. The rest is escaped.
        let mut page = "日".repeat(10).into_bytes();
        page.extend(b"\xff\0");
        assert!(bytes(&page, Detail::Whole).ends_with("日\\xff\\x00'"));
    }

    #[test]
    fn bytes_in_structs_and_long_text_are_short() {
        let body: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xff\xd8"[..]]));
        let text: ArrayRef = Arc::new(LargeStringArray::from(vec!["語".repeat(1 << 20)]));
        let fields =
            |name, array: &ArrayRef| Arc::new(Field::new(name, array.data_type().clone(), true));
        let http = StructArray::from(vec![(fields("body", &body), body)]);
        let batch =
            RecordBatch::try_from_iter([("http", Arc::new(http) as ArrayRef), ("text", text)])
                .unwrap();
        let short = &rows(&batch, Detail::Short).unwrap()[0];
        assert_eq!(short[0], "{body: <2 bytes>}");
        assert!(short[1].len() < MAX_SHORT_BYTES + 4 && short[1].ends_with('…'));
        let whole = &rows(&batch, Detail::Whole).unwrap()[0];
        assert_eq!(whole[0], "{body: ffd8}");
        assert_eq!(whole[1].len(), 3 << 20);
    }

    #[test]
    fn lines_fit_their_width() {
        assert_eq!(one_line("a\nb", 10), "a\\nb");
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(
            one_line("/scans/book/page-0001.html", 18),
            "/scan…ge-0001.html"
        );
        for width in 0..12 {
            for text in ["日本語\nのテキスト", "http://例え.example/日本語"] {
                let line = one_line(text, width);
                assert!(line.width() <= width, "{line} is wider than {width}");
                assert!(width == 0 || line.contains('…'));
            }
        }
    }
}
