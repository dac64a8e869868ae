//! Result formats: tables for people; CSV, TSV and JSON for programs.

pub mod cells;
mod delimited;
mod fit;
mod markdown;
mod table;
mod terminal;
#[cfg(test)]
mod testing;
mod vertical;

use std::io::{self, Write};

use clap::ValueEnum;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::Result;
use terminal_size::{Width, terminal_size_of};

use cells::Detail;
use delimited::DelimitedWriter;
use markdown::MarkdownWriter;
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

/// What hints name that shows more.
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
    /// Of results with more rows, only the first and last ones are shown.
    pub max_rows: usize,
    pub expand: Expand,
    pub hints: Hints,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            width: 80,
            max_rows: 40,
            expand: Expand::default(),
            hints: Hints::default(),
        }
    }
}

impl Screen {
    /// The same with the current width of the terminal, if it is known.
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
    /// Creates a writer. With a `screen`, results for people are cut to fit it.
    pub fn writer(self, screen: Option<Screen>) -> Box<dyn ResultWriter> {
        match (self, screen) {
            (Self::Table, Some(screen)) => Box::new(TerminalWriter::new(screen)),
            (Self::Table, None) => Box::new(TableWriter::default()),
            (Self::Vertical, Some(_)) => Box::new(VerticalWriter::new(Detail::Short)),
            (Self::Vertical, None) => Box::new(VerticalWriter::new(Detail::Whole)),
            (Self::Markdown, _) => Box::new(MarkdownWriter),
            (Self::Csv, _) => Box::new(DelimitedWriter::csv()),
            (Self::Tsv, _) => Box::new(DelimitedWriter::tsv()),
            (Self::Json, _) => Box::new(DelimitedWriter::json_array()),
            (Self::Ndjson, _) => Box::new(DelimitedWriter::json_lines()),
        }
    }
}
