//! Results as a table that fits a terminal.

use std::collections::VecDeque;
use std::io::Write;

use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use indicatif::HumanCount;
use unicode_width::UnicodeWidthStr;

use super::cells::{Detail, Formatters, Row, names, one_line};
use super::fit::{FOLD_WIDTH, Fit, fit};
use super::folding::{self, ShownRow};
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
    comparable: Vec<bool>,
    first: Vec<ShownRow>,
    last: VecDeque<ShownRow>,
    rows: u64,
}

/// The drawn columns of a result, and the folders that are left out of their paths.
struct VisibleColumns<'a> {
    kept: Vec<usize>,
    folders: &'a [&'a str],
}

impl VisibleColumns<'_> {
    fn cell<'r>(&self, row: &'r ShownRow, column: usize) -> &'r str {
        let cell = &row.cells[column];
        let folder = self.folders.get(column).copied().unwrap_or_default();
        cell.strip_prefix(folder).unwrap_or(cell)
    }
}

impl TerminalWriter {
    pub fn new(screen: Screen) -> Self {
        Self {
            screen,
            names: Vec::new(),
            types: Vec::new(),
            numeric: Vec::new(),
            comparable: Vec::new(),
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

    fn shown_rows(&self) -> impl Iterator<Item = &ShownRow> + Clone {
        self.first.iter().chain(&self.last)
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let folders = if self.screen.folds {
            folding::common_folders(&self.names, self.shown_rows())
        } else {
            Vec::new()
        };
        let drawn = self.folded(&folders);
        let fit = fit(&self.natural_widths(&drawn), self.screen.width);
        let columns = drawn.kept.len();
        let is_vertical = match self.screen.expand {
            Expand::Never => false,
            Expand::Wide => columns > MAX_TABLE_COLUMNS,
            Expand::Auto => fit.is_folded(columns),
            Expand::Always => true,
        };
        if is_vertical {
            self.write_vertical(out)?;
        } else {
            self.write_table(&drawn, &fit, out)?;
            self.write_folded(&drawn, out)?;
            self.write_omitted_columns(&fit, columns, out)?;
        }
        self.write_omitted_rows(out)
    }

    /// Leaves out columns with one value if others would be truncated: first those that are NULL,
    /// then all of them. At least one column is kept.
    fn folded<'a>(&self, folders: &'a [&'a str]) -> VisibleColumns<'a> {
        let all = 0..self.names.len();
        let mut drawn = VisibleColumns {
            kept: all.clone().collect(),
            folders,
        };
        if !self.screen.folds || self.rows == 0 {
            return drawn;
        }
        let is_null = |column: &usize| folding::is_null(self.shown_rows(), *column);
        let is_constant = |column: &usize| {
            self.comparable[*column] && folding::is_constant(self.shown_rows(), *column)
        };
        let without_nulls: Vec<usize> = all.filter(|column| !is_null(column)).collect();
        let constants = without_nulls.iter().copied();
        let without_constants: Vec<usize> = constants.filter(|c| !is_constant(c)).collect();
        for kept in [without_nulls, without_constants] {
            let natural = self.natural_widths(&drawn);
            if kept.is_empty() || fit(&natural, self.screen.width).widths == natural {
                break;
            }
            drawn.kept = kept;
        }
        drawn
    }

    /// Returns the widths that the columns need.
    fn natural_widths(&self, drawn: &VisibleColumns<'_>) -> Vec<usize> {
        let width = |text: &str| one_line(text, self.screen.width).width();
        let columns = drawn.kept.iter().map(|column| {
            let cells = self.shown_rows().map(|row| width(drawn.cell(row, *column)));
            let header = width(&self.names[*column]).max(width(&self.types[*column]));
            cells.max().unwrap_or(0).max(header)
        });
        columns.collect()
    }

    fn write_table(
        &self,
        drawn: &VisibleColumns<'_>,
        fit: &Fit,
        out: &mut dyn Write,
    ) -> Result<()> {
        let mut widths = fit.widths.clone();
        if fit.is_folded(drawn.kept.len()) {
            widths.insert(fit.left, FOLD_WIDTH);
        }
        let header = |texts: &'_ Row, fold: &'static str, out: &mut dyn Write| {
            self.write_row(|column| &texts[column], fold, drawn, fit, &widths, out)
        };
        let row = |row: &'_ ShownRow, out: &mut dyn Write| {
            self.write_row(
                |column| drawn.cell(row, column),
                "…",
                drawn,
                fit,
                &widths,
                out,
            )
        };
        write_border(&widths, out)?;
        header(&self.names, "…", out)?;
        header(&self.types, "", out)?;
        write_border(&widths, out)?;
        for shown in &self.first {
            row(shown, out)?;
        }
        if self.omitted_rows() > 0 {
            self.write_row(|_| "⋮", "⋮", drawn, fit, &widths, out)?;
        }
        for shown in &self.last {
            row(shown, out)?;
        }
        write_border(&widths, out)
    }

    /// Writes the shown cells of a row, and `fold` instead of the others.
    fn write_row<'c>(
        &self,
        cell: impl Fn(usize) -> &'c str,
        fold: &'c str,
        drawn: &VisibleColumns<'_>,
        fit: &Fit,
        widths: &[usize],
        out: &mut dyn Write,
    ) -> Result<()> {
        let kept = &drawn.kept;
        let right = kept.len() - fit.right;
        let shown = kept[..fit.left].iter().chain(&kept[right..]);
        let mut cells: Vec<(&str, bool)> = shown
            .map(|column| (cell(*column), self.numeric[*column]))
            .collect();
        if fit.is_folded(kept.len()) {
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
        let mut write = |number, row: &ShownRow| {
            write_values(number, &self.names, &row.cells, Detail::Short, out)
        };
        for (number, row) in (1..).zip(&self.first) {
            write(number, row)?;
        }
        let last = self.rows - self.last.len() as u64;
        for (number, row) in (last + 1..).zip(&self.last) {
            write(number, row)?;
        }
        Ok(())
    }

    /// Writes the columns that were left out, and the folders of paths.
    fn write_folded(&self, drawn: &VisibleColumns<'_>, out: &mut dyn Write) -> Result<()> {
        let is_left_out = |column: &usize| !drawn.kept.contains(column);
        let left_out = (0..self.names.len()).filter(is_left_out);
        let folded: Vec<(&str, &str)> = left_out
            .filter_map(|column| {
                let row = self.shown_rows().next()?;
                Some((self.names[column].as_str(), row.cells[column].as_str()))
            })
            .collect();
        if !folded.is_empty() {
            let is_partial = self.omitted_rows() > 0;
            writeln!(
                out,
                "{}",
                folding::note(&folded, is_partial, self.screen.width)
            )?;
        }
        for column in &drawn.kept {
            let folder = drawn.folders.get(*column).copied().unwrap_or_default();
            if !folder.is_empty() {
                writeln!(out, "{} is shown without {folder}", self.names[*column])?;
            }
        }
        Ok(())
    }

    fn write_omitted_columns(&self, fit: &Fit, columns: usize, out: &mut dyn Write) -> Result<()> {
        if fit.is_folded(columns) {
            let shown = fit.left + fit.right;
            let hint = match self.screen.hints {
                Hints::Commands => "\\x on shows all",
                Hints::Arguments => "--format vertical shows all",
                Hints::Python => "show(width=…) shows more",
            };
            writeln!(out, "{shown} of {columns} columns shown; {hint}")?;
        }
        Ok(())
    }

    fn write_omitted_rows(&self, out: &mut dyn Write) -> Result<()> {
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
        self.comparable = types().map(folding::is_comparable).collect();
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, _out: &mut dyn Write) -> Result<()> {
        let formatters = Formatters::new(batch, Detail::Short)?;
        let columns = batch.columns().iter();
        let nulls: Vec<_> = columns.map(|column| column.logical_nulls()).collect();
        let shown = |row: usize| ShownRow {
            cells: formatters.row(row),
            is_null: nulls
                .iter()
                .map(|nulls| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)))
                .collect(),
        };
        let rows = batch.num_rows();
        for row in 0..rows {
            if self.first.len() < self.max_first() {
                self.first.push(shown(row));
            } else if rows - row <= self.max_last() {
                self.last.push_back(shown(row));
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
        folds: false,
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

    fn texts(columns: &[(&str, &[Option<&str>])]) -> RecordBatch {
        let columns = columns.iter().map(|(name, values)| {
            let values: ArrayRef = Arc::new(LargeStringArray::from(values.to_vec()));
            (*name, values, true)
        });
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    }

    fn folded(columns: &[(&str, &[Option<&str>])]) -> String {
        let screen = Screen {
            folds: true,
            ..SCREEN
        };
        written(TerminalWriter::new(screen), &[texts(columns)])
    }

    #[test]
    fn columns_with_one_value_are_left_out_before_others_are_cut() {
        let long = "long ".repeat(9);
        let (error, kind) = (("error", &[None, None][..]), ("type", &[Some("a"); 2][..]));
        let fits = ("n", &[Some("1"), Some("2")][..]);
        let whole = folded(&[error, kind, fits]);
        assert!(
            whole.contains("error") && !whole.contains("in all rows"),
            "{whole}"
        );

        let text = ("text", &[Some(long.as_str()), Some("b")][..]);
        let without_null = folded(&[error, kind, text]);
        assert!(
            without_null.ends_with("in all rows: error = NULL\n"),
            "{without_null}"
        );
        assert!(without_null.contains("| type |"), "{without_null}");

        let longer = (
            "text",
            &[
                Some("longer longer longer longer longer longer longer longer"),
                None,
            ][..],
        );
        let without_both = folded(&[error, kind, longer]);
        let note = "in all rows: error = NULL; type = a\n";
        assert!(without_both.ends_with(note), "{without_both}");
        // A table has at least one column.
        assert!(folded(&[("a", &[None]), ("b", &[None])]).contains("NULL"));
    }

    #[test]
    fn paths_are_shown_without_their_folder() {
        let paths = [Some("/home/ada/a.pdf"), Some("/home/ada/b/c.pdf")];
        let shown = folded(&[("source_file", &paths)]);
        assert!(
            shown.contains("| a.pdf       |\n| b/c.pdf     |"),
            "{shown}"
        );
        assert!(
            shown.ends_with("source_file is shown without /home/ada/\n"),
            "{shown}"
        );
    }
}
