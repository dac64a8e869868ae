//! Results for people: tables, one value per line, Markdown.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::Result;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::output::ResultWriter;

/// So many rows, or so much text, are looked at before the widths of columns are fixed.
const ROWS_FOR_WIDTHS: usize = 1000;
const BYTES_FOR_WIDTHS: usize = 4 << 20;

/// Where a long cell is cut on a terminal.
const NARROW_COLUMNS: usize = 80;
const NARROW_LINES: usize = 12;

type Row = Vec<String>;

/// The values of a batch as text, one row after the other.
fn rows(batch: &RecordBatch, narrow: bool) -> Result<Vec<Row>> {
    let options = FormatOptions::new().with_null("NULL");
    let formatters: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
        .collect::<Result<_, _>>()?;
    let cell = |formatter: &ArrayFormatter, row: usize| {
        let text = printable(&formatter.value(row).to_string());
        if narrow { cut(&text) } else { text }
    };
    Ok((0..batch.num_rows())
        .map(|row| formatters.iter().map(|f| cell(f, row)).collect())
        .collect())
}

fn names(schema: &Schema) -> Row {
    schema
        .fields()
        .iter()
        .map(|f| printable(f.name()))
        .collect()
}

/// Control characters could move the cursor or worse.
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

/// A cell that fits a terminal; what is missing is marked.
fn cut(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().take(NARROW_LINES).map(cut_line).collect();
    if text.lines().nth(NARROW_LINES).is_some() {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

fn cut_line(line: &str) -> String {
    let mut width = 0;
    for (at, c) in line.char_indices() {
        width += c.width().unwrap_or(0);
        if width > NARROW_COLUMNS {
            return format!("{}…", &line[..at]);
        }
    }
    line.to_owned()
}

/// Columns side by side. Later rows that are wider than the first ones stick out.
pub struct TableWriter {
    narrow: bool,
    waiting: Vec<Row>,
    waiting_bytes: usize,
    widths: Option<Vec<usize>>,
}

impl TableWriter {
    pub fn new(narrow: bool) -> Self {
        Self {
            narrow,
            waiting: Vec::new(),
            waiting_bytes: 0,
            widths: None,
        }
    }

    /// Fixes the widths and writes what has waited for them, the header first.
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
        for row in rows(batch, self.narrow)? {
            if let Some(widths) = &self.widths {
                write_row(&row, widths, out)?;
                continue;
            }
            self.waiting_bytes += row.iter().map(String::len).sum::<usize>();
            self.waiting.push(row);
            if self.waiting.len() > ROWS_FOR_WIDTHS || self.waiting_bytes > BYTES_FOR_WIDTHS {
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

fn write_border(widths: &[usize], out: &mut dyn Write) -> Result<()> {
    for width in widths {
        write!(out, "+{}", "-".repeat(width + 2))?;
    }
    Ok(writeln!(out, "+")?)
}

/// A cell with several lines makes a row of several lines.
fn write_row(row: &[String], widths: &[usize], out: &mut dyn Write) -> Result<()> {
    let height = row.iter().map(|cell| cell.lines().count()).max();
    for line in 0..height.unwrap_or(0).max(1) {
        for (cell, width) in row.iter().zip(widths) {
            let text = cell.lines().nth(line).unwrap_or("");
            let padding = width.saturating_sub(text.width());
            write!(out, "| {text}{:padding$} ", "")?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

/// One line per value, a heading per row.
pub struct VerticalWriter {
    narrow: bool,
    names: Row,
    row: usize,
}

impl VerticalWriter {
    pub fn new(narrow: bool) -> Self {
        Self {
            narrow,
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
        let width = self
            .names
            .iter()
            .map(|name| name.width())
            .max()
            .unwrap_or(0);
        for row in rows(batch, self.narrow)? {
            self.row += 1;
            writeln!(out, "-[ row {} ]-", self.row)?;
            for (name, value) in self.names.iter().zip(&row) {
                let padding = width.saturating_sub(name.width());
                let mut lines = value.lines();
                let first = lines.next().unwrap_or("");
                writeln!(out, "{name}{:padding$} | {first}", "")?;
                for line in lines {
                    writeln!(out, "{:width$} | {line}", "")?;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

pub struct MarkdownWriter;

impl MarkdownWriter {
    fn line(cells: &[String], out: &mut dyn Write) -> Result<()> {
        for cell in cells {
            let cell = cell.replace('|', "\\|").replace('\n', "<br>");
            write!(out, "| {cell} ")?;
        }
        Ok(writeln!(out, "|")?)
    }
}

impl ResultWriter for MarkdownWriter {
    fn begin(&mut self, schema: &Schema, out: &mut dyn Write) -> Result<()> {
        let names = names(schema);
        Self::line(&names, out)?;
        Self::line(&vec!["---".to_owned(); names.len()], out)
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        rows(batch, false)?
            .iter()
            .try_for_each(|row| Self::line(row, out))
    }

    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Int64Array, StringArray};
    use std::sync::Arc;

    fn written(mut writer: impl ResultWriter) -> String {
        let batch = RecordBatch::try_from_iter_with_nullable([
            (
                "n",
                Arc::new(Int64Array::from(vec![Some(1), None])) as ArrayRef,
                true,
            ),
            (
                "text",
                Arc::new(StringArray::from(vec!["日本", "a|b\nc\u{1b}[2J"])) as ArrayRef,
                true,
            ),
        ])
        .unwrap();
        let mut out = Vec::new();
        writer.begin(&batch.schema(), &mut out).unwrap();
        writer.batch(&batch, &mut out).unwrap();
        writer.end(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn wide_characters_and_several_lines_are_aligned() {
        assert_eq!(
            written(TableWriter::new(false)),
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
    fn markdown_escapes_its_own_signs() {
        assert_eq!(
            written(MarkdownWriter),
            "| n | text |\n| --- | --- |\n| 1 | 日本 |\n| NULL | a\\|b<br>c\u{fffd}[2J |\n"
        );
    }

    #[test]
    fn vertical_names_every_value() {
        assert_eq!(
            written(VerticalWriter::new(true)),
            "-[ row 1 ]-\nn    | 1\ntext | 日本\n-[ row 2 ]-\nn    | NULL\ntext | a|b\n     | c\u{fffd}[2J\n"
        );
    }

    #[test]
    fn long_cells_are_cut_with_a_mark() {
        let cell = cut(&"語".repeat(100));
        assert_eq!(cell.width(), NARROW_COLUMNS + 1);
        assert!(cell.ends_with('…'));
        assert_eq!(cut(&"x\n".repeat(50)).lines().count(), NARROW_LINES + 1);
    }
}
