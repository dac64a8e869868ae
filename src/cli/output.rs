//! The destination and form of results.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::error::{DataFusionError, Result};

use super::results::{Format, ResultWriter, Screen};
use corpus_staging::{PathError, Staging, remove_abandoned};

/// The destination of all results of a run.
pub struct Output {
    pub format: Format,
    /// How results are cut to fit a terminal.
    pub screen: Screen,
    target: Target,
    is_terminal: bool,
    writer: Option<Box<dyn ResultWriter>>,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    /// Staged, and renamed at the end. Devices and pipes are written directly.
    File {
        out: BufWriter<File>,
        staging: Option<Staging>,
        path: PathBuf,
    },
    /// The reader has closed the pipe (`| head`): results are dropped, statements still run.
    Closed,
}

impl Output {
    pub fn stdout(format: Format) -> Self {
        Self {
            format,
            screen: Screen::default(),
            target: Target::Stdout(BufWriter::new(io::stdout())),
            is_terminal: io::stdout().is_terminal(),
            writer: None,
        }
    }

    pub fn file(path: &Path, format: Format) -> io::Result<Self> {
        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
        let (file, staging) = if is_special {
            (File::create(path)?, None)
        } else {
            // A missing folder is more likely a typing error than intended.
            if let Some(parent) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
                parent.metadata()?;
            }
            let staged = |error: PathError| error.error;
            remove_abandoned(path).map_err(staged)?;
            let staging = Staging::beside(path).map_err(staged)?;
            (File::create(staged_file(&staging))?, Some(staging))
        };
        Ok(Self {
            format,
            screen: Screen::default(),
            target: Target::File {
                out: BufWriter::new(file),
                staging,
                path: path.to_owned(),
            },
            is_terminal: false,
            writer: None,
        })
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

    /// Begins a result. With `whole_cells`, long cells are not cut, even on a terminal.
    pub fn begin(&mut self, schema: &Schema, whole_cells: bool) -> Result<()> {
        let screen = (self.is_terminal && !whole_cells).then(|| self.screen.measured());
        let mut writer = self.format.writer(screen);
        let begun = self.write(|out| writer.begin(schema, out));
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
        let target = std::mem::replace(&mut self.target, Target::Closed);
        if let Target::File {
            mut out,
            staging,
            path,
        } = target
        {
            let failed = |error: io::Error| cannot_write(error.into(), &name);
            out.flush().map_err(failed)?;
            if let Some(staging) = staging {
                let moves = [(staged_file(&staging), path)];
                let moved = staging.move_files(&moves, &[]);
                moved.map_err(|error| failed(error.error))?;
            }
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
            Target::Stdout(out) => drop(out.into_parts()),
            Target::File { out, .. } => drop(out.into_parts()),
            Target::Closed => {}
        }
    }
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
