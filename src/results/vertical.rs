//! Results with one line per value.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use unicode_width::UnicodeWidthStr;

use super::ResultWriter;
use super::cells::{Detail, Row, names, one_line, rows};

/// The limits of a value on a terminal. Longer values are truncated.
const MAX_VALUE_WIDTH: usize = 80;
const MAX_VALUE_LINES: usize = 12;

/// The maximum width of names to which values are aligned.
const MAX_NAME_WIDTH: usize = 40;

/// Writes a heading per row and a line per value.
pub struct VerticalWriter {
    detail: Detail,
    names: Row,
    row: u64,
}

impl VerticalWriter {
    pub fn new(detail: Detail) -> Self {
        Self {
            detail,
            names: Vec::new(),
            row: 0,
        }
    }
}

impl ResultWriter for VerticalWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        self.names = names(schema);
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        for row in rows(batch, self.detail)? {
            self.row += 1;
            write_values(self.row, &self.names, &row, self.detail, out)?;
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

/// Writes one row, under a heading with its number.
pub fn write_values(
    number: u64,
    names: &[String],
    values: &[String],
    detail: Detail,
    out: &mut dyn Write,
) -> Result<()> {
    let widths = names.iter().map(|name| name.width());
    let width = widths.max().unwrap_or(0).min(MAX_NAME_WIDTH);
    writeln!(out, "-[ row {number} ]-")?;
    for (name, value) in names.iter().zip(values) {
        let value = match detail {
            Detail::Whole => value.clone(),
            Detail::Short => cut(value),
        };
        let padding = width.saturating_sub(name.width());
        let mut lines = value.lines();
        let first = lines.next().unwrap_or("");
        writeln!(out, "{name}{:padding$} | {first}", "")?;
        for line in lines {
            writeln!(out, "{:width$} | {line}", "")?;
        }
    }
    Ok(())
}

/// Returns the first lines of a value, each truncated to a readable width.
fn cut(text: &str) -> String {
    let lines = text.lines().take(MAX_VALUE_LINES);
    let mut lines: Vec<String> = lines.map(|line| one_line(line, MAX_VALUE_WIDTH)).collect();
    if text.lines().nth(MAX_VALUE_LINES).is_some() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{sample, written};
    use super::*;

    #[test]
    fn every_value_is_named() {
        assert_eq!(
            written(VerticalWriter::new(Detail::Short), &[sample()]),
            "-[ row 1 ]-\nn    | 1\ntext | 日本\n-[ row 2 ]-\nn    | NULL\ntext | a|b\n     | c\u{fffd}[2J\n"
        );
    }

    #[test]
    fn long_values_are_cut_with_a_mark() {
        let value = cut(&"語".repeat(100));
        assert!(value.width() <= MAX_VALUE_WIDTH && value.ends_with('…'));
        assert_eq!(cut(&"x\n".repeat(50)).lines().count(), MAX_VALUE_LINES + 1);
    }
}
