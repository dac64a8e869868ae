//! Results as a table that fits a terminal.

use std::collections::VecDeque;
use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use indicatif::HumanCount;
use unicode_width::UnicodeWidthStr;

use super::cells::{Detail, Formatters, Row, names, one_line};
use super::fit::{FOLD_WIDTH, Fit, fit};
use super::table::write_border;
use super::vertical::write_values;
use super::{Expand, Hints, ResultWriter, Screen};
use crate::sql::types::short_type_name as type_name;

/// Results with more columns are shown with one line per value.
pub const MAX_TABLE_COLUMNS: usize = 30;

/// Keeps the first and the last rows of a result, and writes them at its end.
pub struct TerminalWriter {
    screen: Screen,
    names: Row,
    types: Row,
    /// Whether the column contains numbers, which are right-aligned.
    numeric: Vec<bool>,
    first: Vec<Row>,
    last: VecDeque<Row>,
    rows: u64,
}

impl TerminalWriter {
    pub fn new(screen: Screen) -> Self {
        Self {
            screen,
            names: Vec::new(),
            types: Vec::new(),
            numeric: Vec::new(),
            first: Vec::new(),
            last: VecDeque::new(),
            rows: 0,
        }
    }

    fn max_first(&self) -> usize {
        self.screen.max_rows.div_ceil(2)
    }

    fn max_last(&self) -> usize {
        self.screen.max_rows / 2
    }

    fn omitted_rows(&self) -> u64 {
        self.rows - (self.first.len() + self.last.len()) as u64
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let natural = self.natural_widths();
        let fit = fit(&natural, self.screen.width);
        let is_vertical = match self.screen.expand {
            Expand::Never => false,
            Expand::Wide => self.names.len() > MAX_TABLE_COLUMNS,
            Expand::Auto => fit.is_folded(self.names.len()),
            Expand::Always => true,
        };
        if is_vertical {
            self.write_vertical(out)?;
        } else {
            self.write_table(&fit, out)?;
        }
        self.write_notes((!is_vertical).then_some(&fit), out)
    }

    /// The widths that the columns need.
    fn natural_widths(&self) -> Vec<usize> {
        let width = |text: &String| one_line(text, self.screen.width).width();
        let rows = || self.first.iter().chain(&self.last);
        let columns = 0..self.names.len();
        columns
            .map(|column| {
                let cells = rows().map(|row| width(&row[column])).max().unwrap_or(0);
                let header = width(&self.names[column]).max(width(&self.types[column]));
                cells.max(header)
            })
            .collect()
    }

    fn write_table(&self, fit: &Fit, out: &mut dyn Write) -> Result<()> {
        let mut widths = fit.widths.clone();
        if fit.is_folded(self.names.len()) {
            widths.insert(fit.left, FOLD_WIDTH);
        }
        write_border(&widths, out)?;
        self.write_row(&self.names, "…", fit, &widths, out)?;
        self.write_row(&self.types, "", fit, &widths, out)?;
        write_border(&widths, out)?;
        for row in &self.first {
            self.write_row(row, "…", fit, &widths, out)?;
        }
        if self.omitted_rows() > 0 {
            let gap = vec!["⋮".to_owned(); self.names.len()];
            self.write_row(&gap, "⋮", fit, &widths, out)?;
        }
        for row in &self.last {
            self.write_row(row, "…", fit, &widths, out)?;
        }
        write_border(&widths, out)
    }

    /// Writes the shown cells of a row, and `fold` instead of the others.
    fn write_row(
        &self,
        row: &[String],
        fold: &str,
        fit: &Fit,
        widths: &[usize],
        out: &mut dyn Write,
    ) -> Result<()> {
        let right = row.len() - fit.right;
        let mut cells: Vec<(&str, bool)> = (0..fit.left)
            .chain(right..row.len())
            .map(|column| (row[column].as_str(), self.numeric[column]))
            .collect();
        if fit.is_folded(row.len()) {
            cells.insert(fit.left, (fold, false));
        }
        for ((text, is_number), width) in cells.into_iter().zip(widths) {
            let text = one_line(text, *width);
            let padding = width.saturating_sub(text.width());
            if is_number {
                write!(out, "| {:padding$}{text} ", "")?;
            } else {
                write!(out, "| {text}{:padding$} ", "")?;
            }
        }
        Ok(writeln!(out, "|")?)
    }

    fn write_vertical(&self, out: &mut dyn Write) -> Result<()> {
        let mut write =
            |number, row: &Row| write_values(number, &self.names, row, Detail::Short, out);
        for (number, row) in (1..).zip(&self.first) {
            write(number, row)?;
        }
        let last = self.rows - self.last.len() as u64;
        for (number, row) in (last + 1..).zip(&self.last) {
            write(number, row)?;
        }
        Ok(())
    }

    /// Writes what is not shown, and how to see it.
    fn write_notes(&self, fit: Option<&Fit>, out: &mut dyn Write) -> Result<()> {
        let columns = self.names.len();
        if let Some(fit) = fit.filter(|fit| fit.is_folded(columns)) {
            let shown = fit.left + fit.right;
            let hint = match self.screen.hints {
                Hints::Commands => "\\x on shows all",
                Hints::Arguments => "--format vertical shows all",
                Hints::Python => "show(width=…) shows more",
            };
            writeln!(out, "{shown} of {columns} columns shown; {hint}")?;
        }
        if self.omitted_rows() > 0 {
            let shown = self.first.len() + self.last.len();
            let all = HumanCount(self.rows);
            let hint = match self.screen.hints {
                Hints::Commands => "\\rows N shows N of them",
                Hints::Arguments => "a pipe or -o FILE gets everything",
                Hints::Python => "show(max_rows=…) shows more",
            };
            writeln!(out, "{shown} of {all} rows shown; {hint}")?;
        }
        Ok(())
    }
}

impl ResultWriter for TerminalWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        let types = || schema.fields().iter().map(|field| field.data_type());
        self.names = names(schema);
        self.types = types().map(type_name).collect();
        self.numeric = types().map(|kind| kind.is_numeric()).collect();
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, _out: &mut dyn Write) -> Result<()> {
        let formatters = Formatters::new(batch, Detail::Short)?;
        let rows = batch.num_rows();
        for row in 0..rows {
            if self.first.len() < self.max_first() {
                self.first.push(formatters.row(row));
            } else if rows - row <= self.max_last() {
                self.last.push_back(formatters.row(row));
            }
        }
        let excess = self.last.len().saturating_sub(self.max_last());
        self.last.drain(..excess);
        self.rows += rows as u64;
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        self.write(out)
    }

    fn waits_for_end(&self) -> bool {
        true
    }

    fn interrupt(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{sample, written};
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Int64Array, LargeStringArray};
    use std::sync::Arc;

    const SCREEN: Screen = Screen {
        width: 60,
        max_rows: 4,
        expand: Expand::Wide,
        hints: Hints::Arguments,
    };

    fn numbers(from: i64, to: i64) -> RecordBatch {
        let numbers: ArrayRef = Arc::new((from..to).map(Some).collect::<Int64Array>());
        RecordBatch::try_from_iter([("n", numbers)]).unwrap()
    }

    fn columns(count: usize) -> RecordBatch {
        let text: ArrayRef = Arc::new(LargeStringArray::from(vec!["long ".repeat(50)]));
        RecordBatch::try_from_iter((0..count).map(|n| (format!("c{n}"), Arc::clone(&text))))
            .unwrap()
    }

    #[test]
    fn types_are_under_names_and_rows_are_one_line() {
        assert_eq!(
            written(TerminalWriter::new(SCREEN), &[sample()]),
            "+--------+------------+\n\
             |      n | text       |\n\
             | bigint | text       |\n\
             +--------+------------+\n\
             |      1 | 日本       |\n\
             |   NULL | a|b\\nc\u{fffd}[2J |\n\
             +--------+------------+\n"
        );
    }

    #[test]
    fn long_results_show_both_ends() {
        for batches in [
            vec![numbers(0, 1000)],
            (0..1000).map(|n| numbers(n, n + 1)).collect(),
            vec![numbers(0, 1), numbers(1, 998), numbers(998, 1000)],
        ] {
            let text = written(TerminalWriter::new(SCREEN), &batches);
            let cells: Vec<&str> = text
                .lines()
                .filter_map(|line| Some(line.strip_prefix('|')?.trim_matches([' ', '|'])))
                .skip(2)
                .collect();
            assert_eq!(cells, ["0", "1", "⋮", "998", "999"]);
            assert!(text.ends_with("4 of 1,000 rows shown; a pipe or -o FILE gets everything\n"));
        }
        let all = written(TerminalWriter::new(SCREEN), &[numbers(0, 3), numbers(3, 4)]);
        assert!(!all.contains('⋮') && all.ends_with("+\n"), "{all}");
    }

    #[test]
    fn wide_results_are_folded_then_vertical() {
        let folded = written(TerminalWriter::new(SCREEN), &[columns(20)]);
        assert!(folded.lines().all(|line| line.width() <= SCREEN.width));
        assert!(folded.contains("c0") && folded.contains("c19") && !folded.contains("c10"));
        assert!(folded.contains("of 20 columns shown"), "{folded}");

        let vertical = written(
            TerminalWriter::new(SCREEN),
            &[columns(MAX_TABLE_COLUMNS + 1)],
        );
        assert!(
            vertical.starts_with("-[ row 1 ]-\nc0  | long"),
            "{vertical}"
        );
        let auto = Screen {
            expand: Expand::Auto,
            ..SCREEN
        };
        assert!(written(TerminalWriter::new(auto), &[columns(20)]).contains("c10"));
        assert!(written(TerminalWriter::new(auto), &[columns(2)]).starts_with('+'));
    }

    #[test]
    fn an_interrupted_result_shows_its_rows() {
        let mut out = Vec::new();
        let mut writer = TerminalWriter::new(SCREEN);
        let batch = numbers(0, 9);
        writer.begin(&batch.schema(), &mut out).unwrap();
        writer.interrupt(&mut out).unwrap();
        assert!(out.is_empty());
        writer.batch(&batch, &mut out).unwrap();
        writer.interrupt(&mut out).unwrap();
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("4 of 9 rows shown")
        );
    }
}
