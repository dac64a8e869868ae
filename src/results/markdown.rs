//! Results as a Markdown table.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;

use super::ResultWriter;
use super::cells::{Detail, names, rows};

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
        rows(batch, Detail::Whole)?
            .iter()
            .try_for_each(|row| Self::line(row, out))
    }

    fn end(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{sample, written};
    use super::*;

    #[test]
    fn markup_in_values_is_escaped() {
        assert_eq!(
            written(MarkdownWriter, &[sample()]),
            "| n | text |\n| --- | --- |\n| 1 | 日本 |\n| NULL | a\\|b<br>c\u{fffd}[2J |\n"
        );
    }
}
