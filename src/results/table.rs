//! Results as a table with complete values, for files, pipes and `EXPLAIN`.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use unicode_width::UnicodeWidthStr;

use super::ResultWriter;
use super::cells::{Detail, Row, names, rows};

/// Column widths are measured in the first rows, up to these limits.
const MAX_MEASURED_ROWS: usize = 1000;
const MAX_MEASURED_BYTES: usize = 4 << 20;

/// Writes columns side by side. Later rows that are wider than the measured ones are misaligned.
#[derive(Default)]
pub struct TableWriter {
    waiting: Vec<Row>,
    waiting_bytes: usize,
    widths: Option<Vec<usize>>,
}

impl TableWriter {
    /// Fixes the widths and writes the header and the measured rows.
    fn write_waiting(&mut self, out: &mut dyn Write) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let columns = waiting.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let lines = waiting.iter().flat_map(|row| row[column].lines());
                lines.map(UnicodeWidthStr::width).max().unwrap_or(0)
            })
            .collect();
        write_border(&widths, out)?;
        for (index, row) in waiting.iter().enumerate() {
            write_row(row, &widths, out)?;
            if index == 0 {
                write_border(&widths, out)?;
            }
        }
        self.widths = Some(widths);
        Ok(())
    }
}

impl ResultWriter for TableWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        self.waiting.push(names(schema));
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        for row in rows(batch, Detail::Whole)? {
            if let Some(widths) = &self.widths {
                write_row(&row, widths, out)?;
                continue;
            }
            self.waiting_bytes += row.iter().map(String::len).sum::<usize>();
            self.waiting.push(row);
            if self.waiting.len() > MAX_MEASURED_ROWS || self.waiting_bytes > MAX_MEASURED_BYTES {
                self.write_waiting(out)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.widths.is_none() {
            self.write_waiting(out)?;
        }
        write_border(self.widths.as_deref().unwrap_or_default(), out)
    }
}

/// Writes a horizontal line.
pub fn write_border(widths: &[usize], out: &mut dyn Write) -> Result<()> {
    for width in widths {
        write!(out, "+{}", "-".repeat(width + 2))?;
    }
    Ok(writeln!(out, "+")?)
}

/// Writes one row, with the lines of its tallest cell.
fn write_row(row: &[String], widths: &[usize], out: &mut dyn Write) -> Result<()> {
    let height = row.iter().map(|cell| cell.lines().count()).max();
    for line in 0..height.unwrap_or(0).max(1) {
        for (cell, width) in row.iter().zip(widths) {
            let text = cell.lines().nth(line).unwrap_or("");
            // A width in a format is at most 65,535.
            let padding = " ".repeat(width.saturating_sub(text.width()));
            write!(out, "| {text}{padding} ")?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{sample, written};
    use super::*;

    #[test]
    fn wide_characters_and_several_lines_are_aligned() {
        assert_eq!(
            written(TableWriter::default(), &[sample()]),
            "+------+-------+\n\
             | n    | text  |\n\
             +------+-------+\n\
             | 1    | 日本  |\n\
             | NULL | a|b   |\n\
             |      | c\u{fffd}[2J |\n\
             +------+-------+\n"
        );
    }

    #[test]
    fn cells_of_any_width_are_aligned() {
        let widths = [70_000];
        let (mut border, mut row) = (Vec::new(), Vec::new());
        write_border(&widths, &mut border).unwrap();
        write_row(&["a".to_owned()], &widths, &mut row).unwrap();
        assert_eq!(row.len(), border.len());
    }
}
