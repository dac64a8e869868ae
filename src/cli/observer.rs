//! Reports a run to a scheduler: a log, a state that it can poll, and a summary, all as JSON.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{SecondsFormat, Utc};
use corpus_staging::{is_special, open_special, without_link};
use serde_json::{Map, Value, json};

use crate::sinks::resume::{PartEvent, PartWatcher};
use crate::sources::scan::counters::{Counts, PlanCounters};
use crate::sources::scan::events::{ScanEvent, Watcher};
use crate::statements::script::Failure;
use crate::statements::summary::{Summary, peak_memory};

/// How often the state is written.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// How often the log has a line about the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Reports on a run.
#[derive(Debug)]
pub struct Observer {
    logs: bool,
    status: Option<PathBuf>,
    summary: Option<PathBuf>,
    begun: Instant,
    begun_at: String,
    statement: Value,
    next_status: Instant,
    next_progress: Instant,
}

impl Observer {
    pub fn new(logs: bool, status: Option<PathBuf>, summary: Option<PathBuf>) -> Self {
        let now = Instant::now();
        let observer = Self {
            logs,
            status,
            summary,
            begun: now,
            begun_at: time(),
            statement: Value::Null,
            next_status: now,
            next_progress: now + PROGRESS_INTERVAL,
        };
        observer.log("run_begun", |event| {
            event.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            event.insert("pid".to_owned(), std::process::id().into());
        });
        observer
    }

    /// Whether the log takes the place of messages for people.
    pub fn logs(&self) -> bool {
        self.logs
    }

    /// Checks that the files can be written, before the run.
    pub fn check(&self) -> Result<(), String> {
        for path in self.status.iter().chain(&self.summary) {
            let failed = |error| format!("cannot write '{}': {error}", path.display());
            if is_other_file(path).map_err(failed)? {
                let name = path.display();
                return Err(format!(
                    "'{name}' is a file of another kind: --summary and --status write JSON"
                ));
            }
            // Opening a pipe waits for its reader.
            if !is_special(path) {
                write_whole(path, &json!({ "state": "starting" })).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn log(&self, event: &str, fill: impl FnOnce(&mut Map<String, Value>)) {
        if self.logs {
            log(event, fill);
        }
    }

    pub fn statement_begun(&mut self, script: &str, line: usize, text: &str) {
        self.statement = json!({ "script": script, "line": line, "text": text });
        self.log("statement_begun", |event| {
            event.insert("statement".to_owned(), self.statement.clone());
        });
        self.next_status = Instant::now();
    }

    /// Returns a watcher that logs the files that a statement reads; `None` without a log.
    pub fn watcher(&self) -> Option<Watcher> {
        self.logs.then(|| Watcher(Arc::new(log_scan)))
    }

    /// Returns a watcher that logs the parts that a statement writes; `None` without a log.
    pub fn part_watcher(&self) -> Option<PartWatcher> {
        self.logs.then(|| PartWatcher(Arc::new(log_part)))
    }

    /// Writes the state, if it is time. `done` is what earlier statements have read.
    pub fn tick(&mut self, done: &Counts, counters: &PlanCounters) {
        let now = Instant::now();
        if self.logs && now >= self.next_progress {
            self.next_progress = now + PROGRESS_INTERVAL;
            let counts = counters.counts();
            self.log("progress", |event| {
                event.extend(counts_as_json(&counts));
                event.insert("total_bytes".to_owned(), counters.total_bytes().into());
            });
        }
        if self.status.is_some() && now >= self.next_status {
            self.next_status = now + STATUS_INTERVAL;
            let mut counts = done.clone();
            counts += counters.counts();
            let mut status = counts_as_json(&counts);
            status.insert("state".to_owned(), "running".into());
            status.insert("statement".to_owned(), self.statement.clone());
            status.insert("statement_bytes".to_owned(), counters.counts().bytes.into());
            status.insert(
                "statement_total_bytes".to_owned(),
                counters.total_bytes().into(),
            );
            self.write_status(status);
        }
    }

    fn write_status(&self, mut status: Map<String, Value>) {
        let Some(path) = &self.status else { return };
        status.insert("pid".to_owned(), std::process::id().into());
        status.insert("begun".to_owned(), self.begun_at.clone().into());
        status.insert("updated".to_owned(), time().into());
        // The run is more important than its state.
        let _ = write_whole(path, &Value::Object(status));
    }

    pub fn statement_ended(&self, summary: &Summary) {
        self.log("statement_ended", |event| {
            event.insert("statements".to_owned(), summary.statements.into());
        });
    }

    /// Ends the log, and writes the last state and the summary.
    pub fn run_ended(
        &self,
        summary: &Summary,
        ran: &Result<(), Failure>,
        exit_code: u8,
    ) -> io::Result<()> {
        let mut end = counts_as_json(&summary.counts);
        let state = match ran {
            Ok(()) => "done",
            Err(Failure::Errors(_)) => "done_with_errors",
            Err(Failure::Interrupted(_)) => "interrupted",
            Err(_) => "failed",
        };
        end.insert("state".to_owned(), state.into());
        end.insert("exit_code".to_owned(), exit_code.into());
        if let Err(failure) = ran {
            end.insert("error".to_owned(), failure.to_string().into());
        }
        end.insert("begun".to_owned(), self.begun_at.clone().into());
        end.insert(
            "seconds".to_owned(),
            self.begun.elapsed().as_secs_f64().into(),
        );
        end.insert("statements".to_owned(), summary.statements.into());
        end.insert("rows_returned".to_owned(), summary.rows_returned.into());
        end.insert("rows_written".to_owned(), summary.rows_written.into());
        end.insert("written".to_owned(), summary.written.values().into());
        let memory = peak_memory();
        end.insert("peak_memory".to_owned(), memory.into());
        self.log("run_ended", |event| event.extend(end.clone()));
        self.write_status(end.clone());
        match &self.summary {
            Some(path) => write_whole(path, &Value::Object(end)),
            None => Ok(()),
        }
    }
}

/// Whether a file exists that no earlier run has written.
fn is_other_file(path: &Path) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut first = [0];
    let count = File::open(path)?.read(&mut first)?;
    Ok(count > 0 && first != *b"{")
}

fn counts_as_json(counts: &Counts) -> Map<String, Value> {
    let value = json!({
        "files": counts.files,
        "bytes": counts.bytes,
        "records": counts.records,
        "errors": counts.errors.values().sum::<u64>(),
        "errors_by_reason": counts.errors,
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn time() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Writes one line.
fn log(event: &str, fill: impl FnOnce(&mut Map<String, Value>)) {
    let mut object = Map::new();
    object.insert("time".to_owned(), time().into());
    object.insert("event".to_owned(), event.into());
    fill(&mut object);
    let line = format!("{}\n", Value::Object(object));
    // One write, so that lines of several threads do not mix. A failure cannot be reported
    // anywhere.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

pub fn log_warning(message: &str) {
    log("warning", |object| {
        object.insert("message".to_owned(), message.into());
    });
}

fn log_scan(event: &ScanEvent<'_>) {
    match event {
        ScanEvent::FileBegun { file, range } => log("file_begun", |object| {
            object.insert("file".to_owned(), (*file).into());
            if let Some(range) = range {
                object.insert("range".to_owned(), json!([range.start, range.end]));
            }
        }),
        ScanEvent::FileEnded {
            file,
            records,
            errors,
        } => log("file_ended", |object| {
            object.insert("file".to_owned(), (*file).into());
            object.insert("records".to_owned(), (*records).into());
            object.insert("errors".to_owned(), (*errors).into());
        }),
        ScanEvent::Error {
            file,
            offset,
            reason,
            message,
        } => log("error", |object| {
            object.insert("file".to_owned(), (*file).into());
            object.insert("offset".to_owned(), (*offset).into());
            object.insert("reason".to_owned(), (*reason).into());
            object.insert("message".to_owned(), message.as_str().into());
        }),
    }
}

fn log_part(part: &PartEvent<'_>) {
    log("part_written", |object| {
        object.insert("folder".to_owned(), part.folder.into());
        object.insert("file".to_owned(), part.file.into());
        object.insert("inputs".to_owned(), part.inputs.into());
        object.insert("rows".to_owned(), part.rows.into());
        object.insert("error_rows".to_owned(), part.error_rows.into());
    });
}

/// Replaces a file in one step, so that no reader sees half of it.
fn write_whole(path: &Path, value: &Value) -> io::Result<()> {
    let text = format!("{value:#}\n");
    if is_special(path) {
        return open_special(path)?.write_all(text.as_bytes());
    }
    let path = without_link(path);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".part-{}", std::process::id()));
    let unfinished = path.with_file_name(name);
    let placed =
        std::fs::write(&unfinished, text).and_then(|()| std::fs::rename(&unfinished, &path));
    if placed.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    placed
}
