//! The destination and form of results.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::exec_err;
use datafusion::config::ConfigOptions;
use datafusion::error::{DataFusionError, Result};

use super::closed_stdout::Stdout;
use super::named_output::format_of;
use super::stream::Stream;
use crate::results::{Expand, Format, ResultWriter, Screen, plan_writer};
use corpus_staging::{
    PathError, Staging, is_special, open_special, remove_abandoned, without_link,
};

/// Excel recognizes UTF-8 by this character.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The destination of all results of a run.
pub struct Output {
    format: Format,
    /// How results are cut to fit a terminal.
    pub screen: Screen,
    /// Whether a byte order mark is still to be written.
    needs_mark: bool,
    target: Target,
    is_terminal: bool,
    writer: Option<Box<dyn ResultWriter>>,
    results: usize,
}

/// How a result is shown on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Truncated to fit the terminal.
    Fitted,
    Whole,
    /// The plans of `EXPLAIN`.
    Plan,
}

enum Target {
    Stdout(Stream<Stdout>),
    /// Staged, and renamed at the end. Devices and pipes are written directly.
    File {
        out: Stream<File>,
        staging: Option<Staging>,
        path: PathBuf,
    },
    /// The reader has closed the pipe (`| head`): results are dropped, statements still run.
    Closed,
}

impl Output {
    pub fn stdout(format: Option<Format>, marked: bool) -> Result<Self, String> {
        let is_terminal = io::stdout().is_terminal();
        let format = format.unwrap_or(Format::Table);
        check_terminal(format, is_terminal)?;
        let target = Target::Stdout(Stream::plain(Stdout::new()));
        Self::new(format, marked, target, is_terminal)
    }

    /// Writes results to a file. Its extension selects the format, unless one is given.
    pub fn file(path: &Path, format: Option<Format>, marked: bool) -> Result<Self, String> {
        let cannot = |error: io::Error| match path.parent() {
            Some(parent) if error.kind() == io::ErrorKind::NotFound => format!(
                "cannot write '{}': there is no folder '{}'; make it first",
                path.display(),
                parent.display()
            ),
            _ => format!("cannot write '{}': {error}", path.display()),
        };
        let (format, compression) = format_of(path, format)?;
        let real = without_link(path);
        let (file, staging) = open(&real).map_err(cannot)?;
        let out = match compression {
            None => Stream::plain(file),
            Some(compression) => Stream::compressed(file, compression).map_err(cannot)?,
        };
        let target = Target::File {
            out,
            staging,
            path: real,
        };
        Self::new(format, marked, target, false)
    }

    fn new(
        format: Format,
        marked: bool,
        target: Target,
        is_terminal: bool,
    ) -> Result<Self, String> {
        if marked && !matches!(format, Format::Csv | Format::Tsv) {
            return Err(format!(
                "--bom is for csv and tsv, and the format is {}",
                format.name()
            ));
        }
        Ok(Self {
            format,
            screen: Screen {
                folds: true,
                ..Screen::default()
            },
            needs_mark: marked,
            target,
            is_terminal,
            writer: None,
            results: 0,
        })
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// Changes the format of the results that follow.
    pub fn set_format(&mut self, format: Format) -> Result<(), String> {
        check_terminal(format, self.is_terminal)?;
        if let Target::File { path, .. } = &self.target {
            format_of(path, Some(format))?;
        }
        self.format = format;
        Ok(())
    }

    /// Fails if the output cannot hold this many more results.
    pub fn check_room_for(&self, results: usize) -> Result<(), String> {
        if self.format.is_binary() && self.results + results > 1 {
            return Err(format!(
                "{} as {} holds one result, and there are more: name a .csv or .json file, or use \
                 COPY (SELECT …) TO 'file' for each",
                self.name(),
                self.format.name()
            ));
        }
        Ok(())
    }

    /// Whether the next batch is written to a terminal.
    pub fn draws_now(&self) -> bool {
        let waits = self.writer.as_ref().is_some_and(|w| w.waits_for_end());
        self.is_terminal && !waits
    }

    /// Whether results are still read.
    pub fn is_open(&self) -> bool {
        !matches!(self.target, Target::Closed)
    }

    /// Begins a result.
    pub fn begin(&mut self, schema: &Schema, shape: Shape, settings: &ConfigOptions) -> Result<()> {
        if let Err(message) = self.check_room_for(1) {
            return exec_err!("{message}");
        }
        self.results += 1;
        let screen = self.is_terminal.then(|| self.screen.measured());
        let mut writer = match (shape, screen) {
            (Shape::Plan, Some(screen)) if self.format == Format::Table => plan_writer(screen),
            (Shape::Plan | Shape::Whole, _) => self.format.writer(None, settings),
            // Without a screen, \x changes the format.
            (Shape::Fitted, None)
                if self.format == Format::Table && self.screen.expand == Expand::Always =>
            {
                Format::Vertical.writer(None, settings)
            }
            (Shape::Fitted, screen) => self.format.writer(screen, settings),
        };
        let mark = if std::mem::take(&mut self.needs_mark) {
            BYTE_ORDER_MARK
        } else {
            ""
        };
        let begun = self.write(|out| {
            out.write_all(mark.as_bytes())?;
            writer.begin(schema, out)
        });
        self.writer = Some(writer);
        begun
    }

    pub fn batch(&mut self, batch: &RecordBatch) -> Result<()> {
        self.with_writer(|writer, out| writer.batch(batch, out))
    }

    /// Ends the result that was begun, if any.
    pub fn end(&mut self) -> Result<()> {
        self.with_writer(|writer, out| {
            writer.end(out)?;
            Ok(out.flush()?)
        })?;
        self.writer = None;
        Ok(())
    }

    /// Ends a result that cannot be completed. The rows written so far are kept.
    pub fn abandon(&mut self) {
        // The cause has been reported; a further error adds nothing.
        let _ = self.with_writer(|writer, out| {
            writer.interrupt(out)?;
            Ok(out.flush()?)
        });
        self.writer = None;
    }

    /// Moves the complete file to its name.
    pub fn finish(mut self) -> Result<()> {
        let name = self.name();
        let failed = |error: io::Error| cannot_write(error.into(), &name);
        if self.results == 0 && self.format.is_binary() && self.is_open() {
            return exec_err!("nothing written to {name}: no statement has a result");
        }
        match std::mem::replace(&mut self.target, Target::Closed) {
            Target::File { out, staging, path } => {
                out.finish().map_err(failed)?;
                if let Some(staging) = staging {
                    let moves = [(staged_file(&staging), path)];
                    let moved = staging.move_files(&moves, &[]);
                    moved.map_err(|error| failed(error.error))?;
                }
            }
            Target::Stdout(_) | Target::Closed => {}
        }
        Ok(())
    }

    fn with_writer(
        &mut self,
        write: impl FnOnce(&mut dyn ResultWriter, &mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let Some(mut writer) = self.writer.take() else {
            return Ok(());
        };
        let written = self.write(|out| write(writer.as_mut(), out));
        self.writer = Some(writer);
        written
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        let written = match &mut self.target {
            Target::Stdout(out) => write(out),
            Target::File { out, .. } => write(out),
            Target::Closed => return Ok(()),
        };
        match written {
            Err(error) if is_broken_pipe(&error) => {
                self.close();
                Ok(())
            }
            Err(error @ (DataFusionError::IoError(_) | DataFusionError::ArrowError(..))) => {
                let name = self.name();
                self.close();
                Err(cannot_write(error, &name))
            }
            written => written,
        }
    }

    fn name(&self) -> String {
        match &self.target {
            Target::File { path, .. } => path.display().to_string(),
            Target::Stdout(_) | Target::Closed => "stdout".to_owned(),
        }
    }

    /// Discards buffered results and the staged file.
    fn close(&mut self) {
        match std::mem::replace(&mut self.target, Target::Closed) {
            Target::Stdout(out) => out.discard(),
            Target::File { out, .. } => out.discard(),
            Target::Closed => {}
        }
    }
}

fn check_terminal(format: Format, is_terminal: bool) -> Result<(), String> {
    if format.is_binary() && is_terminal {
        let name = format.name();
        return Err(format!(
            "{name} is not text, which a terminal cannot show: write it to a file with -o \
             name.{name}, or to a pipe"
        ));
    }
    Ok(())
}

/// Opens a file to be written, which is staged unless it is a device or a pipe.
fn open(path: &Path) -> io::Result<(File, Option<Staging>)> {
    if is_special(path) {
        return Ok((open_special(path)?, None));
    }
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // A missing folder is more likely a typing error than intended.
    if let Some(parent) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        parent.metadata()?;
    }
    let staged = |error: PathError| error.error;
    remove_abandoned(path).map_err(staged)?;
    let staging = Staging::beside(path).map_err(staged)?;
    Ok((File::create(staged_file(&staging))?, Some(staging)))
}

fn staged_file(staging: &Staging) -> PathBuf {
    staging.files().join("0")
}

fn cannot_write(error: DataFusionError, name: &str) -> DataFusionError {
    error.context(format!("cannot write results to {name}"))
}

fn is_broken_pipe(error: &DataFusionError) -> bool {
    let is_broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match error {
        DataFusionError::IoError(error) => is_broken(error),
        DataFusionError::ArrowError(error, _) => match error.as_ref() {
            datafusion::arrow::error::ArrowError::IoError(_, error) => is_broken(error),
            // The CSV and JSON writers keep only the text of an I/O error.
            other => other.to_string().contains("Broken pipe"),
        },
        _ => false,
    }
}
