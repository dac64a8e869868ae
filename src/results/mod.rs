//! Result formats: tables for people; others for programs.
//!
//! ```text
//! cells      values as text
//! terminal   tables that fit a terminal
//! fit        the widths of columns
//! folding    columns and folders that a table can leave out
//! table      complete tables, for files and pipes
//! vertical   one line per value
//! plan       plans of EXPLAIN
//! markdown   Markdown
//! delimited  CSV, TSV and JSON
//! columnar   Parquet and Arrow
//! excel      Excel
//! ```

pub mod cells;
mod columnar;
mod delimited;
mod excel;
mod fit;
mod folding;
mod markdown;
mod plan;
mod table;
mod terminal;
#[cfg(test)]
mod testing;
mod vertical;

use std::io::{self, Write};

use clap::ValueEnum;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::config::ConfigOptions;
use datafusion::error::Result;
use terminal_size::{Width, terminal_size_of};

use cells::Detail;
use columnar::{ArrowFileWriter, ParquetWriter};
use delimited::DelimitedWriter;
use excel::ExcelWriter;
use markdown::MarkdownWriter;
use plan::PlanWriter;
use table::TableWriter;
use terminal::TerminalWriter;
use vertical::VerticalWriter;

/// The format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: columns side by side
    Table,
    /// For people: one line per value
    Vertical,
    Markdown,
    Csv,
    Tsv,
    /// One array of objects
    Json,
    /// One object per line
    Ndjson,
    Parquet,
    /// A file of Arrow's IPC format, also called Feather
    Arrow,
    /// For Excel and other spreadsheets
    Xlsx,
}

/// When a table on a terminal changes to one line per value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expand {
    Never,
    /// With more columns than a table shows well.
    #[default]
    Wide,
    /// Whenever some columns do not fit.
    Auto,
    Always,
}

/// The kind of instructions in hints about hidden data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hints {
    /// The arguments of the program.
    #[default]
    Arguments,
    /// The commands of the interactive session.
    Commands,
    /// The arguments of `show()` in Python.
    Python,
}

/// The terminal that results must fit.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// The width in character cells.
    pub width: usize,
    /// If a result has more rows, only the first and last ones are shown.
    pub max_rows: usize,
    pub expand: Expand,
    /// Whether columns with one value are left out of tables that do not fit, and the common folder
    /// out of paths.
    pub folds: bool,
    pub hints: Hints,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            width: 80,
            max_rows: 40,
            expand: Expand::default(),
            folds: false,
            hints: Hints::default(),
        }
    }
}

impl Screen {
    /// Returns the screen with the current width of the terminal, if it is known.
    pub fn measured(self) -> Self {
        match terminal_size_of(io::stdout()) {
            Some((Width(width), _)) if width > 0 => Self {
                width: usize::from(width),
                ..self
            },
            _ => self,
        }
    }
}

/// Writes one result, batch by batch.
pub trait ResultWriter {
    fn begin(&mut self, schema: &Schema, out: &mut dyn Write) -> Result<()>;
    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()>;
    fn end(&mut self, out: &mut dyn Write) -> Result<()>;

    /// Whether nothing is written before the end of the result.
    fn waits_for_end(&self) -> bool {
        false
    }

    /// Writes the buffered rows of a result that was interrupted.
    fn interrupt(&mut self, _out: &mut dyn Write) -> Result<()> {
        Ok(())
    }
}

impl Format {
    /// The name in the arguments.
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether an output in this format is not text, and holds one result.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Xlsx)
    }

    /// Creates a writer. With a `screen`, results for people are truncated to fit it.
    pub fn writer(self, screen: Option<Screen>, settings: &ConfigOptions) -> Box<dyn ResultWriter> {
        match (self, screen) {
            (Self::Table, screen) => table_writer(screen),
            (Self::Vertical, Some(_)) => Box::new(VerticalWriter::new(Detail::Short)),
            (Self::Vertical, None) => Box::new(VerticalWriter::new(Detail::Whole)),
            (Self::Markdown, _) => Box::new(MarkdownWriter),
            (Self::Csv, _) => Box::new(DelimitedWriter::csv()),
            (Self::Tsv, _) => Box::new(DelimitedWriter::tsv()),
            (Self::Json, _) => Box::new(DelimitedWriter::json_array()),
            (Self::Ndjson, _) => Box::new(DelimitedWriter::json_lines()),
            (Self::Parquet, _) => Box::new(ParquetWriter::new(settings)),
            (Self::Arrow, _) => Box::new(ArrowFileWriter::default()),
            (Self::Xlsx, _) => Box::new(ExcelWriter::default()),
        }
    }
}

/// Creates a writer of plans for a terminal.
pub fn plan_writer(screen: Screen) -> Box<dyn ResultWriter> {
    Box::new(PlanWriter::new(screen.width))
}

/// Creates a writer of tables for people, which are truncated to fit a screen.
pub fn table_writer(screen: Option<Screen>) -> Box<dyn ResultWriter> {
    match screen {
        Some(screen) => Box::new(TerminalWriter::new(screen)),
        None => Box::new(TableWriter::default()),
    }
}
