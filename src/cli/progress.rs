//! The progress of a running statement, and the summary of a run. Both go to stderr.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration};
use serde_json::{Value, json};
use terminal_size::{Width, terminal_size_of};

use super::options::ProgressMode;
use crate::sources::scan::counters::{Counts, PlanCounters};
use crate::statements::written_targets::{Written, counted};

/// Faster statements show no progress bar.
pub const QUIET_TIME: Duration = Duration::from_secs(1);

/// The interval of progress lines, if no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

const BAR_WIDTH: u64 = 24;

/// The interval at which [`Progress::tick`] should be called.
pub const TICK: Duration = Duration::from_millis(200);

/// The progress of one statement.
pub struct Progress {
    started: Instant,
    counters: PlanCounters,
    display: Display,
}

enum Display {
    None,
    /// Nothing is shown yet: the statement may be fast.
    Waiting {
        bar: bool,
        until: Instant,
    },
    /// One line, drawn repeatedly.
    Bar,
    Lines {
        next: Instant,
    },
}

impl Progress {
    pub fn new(mode: ProgressMode) -> Self {
        let started = Instant::now();
        let bar = io::stderr().is_terminal();
        let quiet = match (mode, bar) {
            (ProgressMode::Never, _) => None,
            (ProgressMode::Always, _) => Some(Duration::ZERO),
            (ProgressMode::Auto, true) => Some(QUIET_TIME),
            (ProgressMode::Auto, false) => Some(LINE_INTERVAL),
        };
        Self {
            started,
            counters: PlanCounters::default(),
            display: match quiet {
                None => Display::None,
                Some(quiet) => Display::Waiting {
                    bar,
                    until: started + quiet,
                },
            },
        }
    }

    /// Sets the counters of the statement, once it has been planned.
    pub fn watch(&mut self, counters: PlanCounters) {
        self.counters = counters;
    }

    pub fn counters(&self) -> &PlanCounters {
        &self.counters
    }

    /// Returns the current counts.
    pub fn counts(&self) -> Counts {
        self.counters.counts()
    }

    pub fn tick(&mut self) {
        let now = Instant::now();
        if let Display::Waiting { bar, until } = self.display {
            if now < until {
                return;
            }
            self.display = if bar {
                Display::Bar
            } else {
                Display::Lines { next: now }
            };
        }
        match &mut self.display {
            Display::Bar => self.draw_bar(),
            Display::Lines { next } if now >= *next => {
                *next = now + LINE_INTERVAL;
                say!("{}", self.line());
            }
            Display::None | Display::Waiting { .. } | Display::Lines { .. } => {}
        }
    }

    /// Clears the bar for results on the same terminal, and draws no more.
    pub fn clear(&mut self) {
        if let Display::Bar = &self.display {
            draw("");
        }
        self.display = Display::None;
    }

    fn draw_bar(&self) {
        let total = self.counters.total_bytes();
        let mut line = String::new();
        if total > 0 {
            let done = self.counters.counts().bytes.min(total);
            let filled = (done * BAR_WIDTH / total) as usize;
            let rest = BAR_WIDTH as usize - filled;
            let _ = write!(line, "[{}{}] ", "█".repeat(filled), "░".repeat(rest));
        }
        line.push_str(&self.line());
        // Leave space for the `^C` that Ctrl-C prints. Longer lines would wrap.
        let width = terminal_size_of(io::stderr()).map_or(80, |(Width(width), _)| width);
        draw(
            &line
                .chars()
                .take(usize::from(width.saturating_sub(4)))
                .collect::<String>(),
        );
    }

    /// The share of the input that has been read; `None` if its size is unknown.
    pub fn share(&self) -> Option<f64> {
        let total = self.counters.total_bytes();
        (total > 0).then(|| self.counts().bytes.min(total) as f64 / total as f64)
    }

    /// The progress as a line of text.
    pub fn line(&self) -> String {
        let counts = self.counters.counts();
        let elapsed = self.started.elapsed();
        let total = self.counters.total_bytes();
        let mut line = format!("{}:", HumanDuration(elapsed));
        if total > 0 {
            let bytes = counts.bytes.min(total);
            let share = bytes as f64 / total as f64;
            let _ = write!(
                line,
                " {:.0} % of {}, {}/s,",
                100.0 * share,
                HumanBytes(total),
                HumanBytes((bytes as f64 / elapsed.as_secs_f64().max(0.001)) as u64),
            );
            if share > 0.0 && share < 1.0 {
                let left = elapsed.mul_f64((1.0 - share) / share);
                let _ = write!(line, " about {} left,", HumanDuration(left));
            }
        }
        let message = message(&counts);
        if message.is_empty() {
            line.push_str(" running");
        } else {
            let _ = write!(line, " {message}");
        }
        line
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Replaces the last line of the terminal.
fn draw(line: &str) {
    // Ignore errors, because progress is not essential.
    let _ = write!(io::stderr(), "\r\x1b[2K{line}");
    let _ = io::stderr().flush();
}

fn message(counts: &Counts) -> String {
    if counts.files == 0 {
        return String::new();
    }
    let mut message = format!("{} records", HumanCount(counts.records));
    let errors: u64 = counts.errors.values().sum();
    if errors > 0 {
        let _ = write!(message, ", {} with errors", HumanCount(errors));
    }
    message
}

/// The summary of a run.
#[derive(Debug, Default)]
pub struct Summary {
    pub counts: Counts,
    /// The rows written by `COPY` and `INSERT`.
    pub rows_written: u64,
    pub rows_returned: u64,
    pub statements: u64,
    pub wrote: bool,
    /// The targets of the writing statements.
    pub written: Written,
}

impl Summary {
    /// The number of records and files that could not be read, and of rows written as errors.
    pub fn errors(&self) -> u64 {
        let unreadable: u64 = self.counts.errors.values().sum();
        unreadable.max(self.written.error_rows())
    }

    /// Whether to print the summary: the run has read or written something, or took a while.
    pub fn is_of_interest(&self, elapsed: Duration) -> bool {
        self.counts.files > 0 || self.wrote || elapsed >= QUIET_TIME
    }

    /// The summary of a run: one line, then a line per kind of error.
    pub fn of_run(&self, elapsed: Duration) -> String {
        let memory = peak_memory().map(|bytes| format!("peak memory {}", HumanBytes(bytes)));
        self.text(elapsed, memory)
    }

    /// The counts and targets, for programs.
    pub fn to_json(&self, elapsed: Duration) -> Value {
        json!({
            "files": self.counts.files,
            "bytes": self.counts.bytes,
            "records": self.counts.records,
            "errors": self.errors(),
            "errors_by_reason": self.counts.errors,
            "statements": self.statements,
            "rows_returned": self.rows_returned,
            "rows_written": self.rows_written,
            "written": self.written.values(),
            "seconds": elapsed.as_secs_f64(),
        })
    }

    /// Returns the summary of one statement of an interactive session.
    pub fn of_statement(&self, elapsed: Duration) -> String {
        self.text(elapsed, None)
    }

    fn text(&self, elapsed: Duration, more: Option<String>) -> String {
        let counts = &self.counts;
        let mut parts = Vec::new();
        if counts.files > 0 {
            parts.push(format!(
                "{}, {} read, {}",
                counted(counts.files, "file"),
                HumanBytes(counts.bytes),
                counted(counts.records, "record")
            ));
        }
        let targets = self.written.text();
        if self.wrote && targets.is_empty() {
            parts.push(format!("{} written", counted(self.rows_written, "row")));
        }
        if self.rows_returned > 0 {
            parts.push(format!("{} returned", counted(self.rows_returned, "row")));
        }
        let errors: u64 = counts.errors.values().sum();
        if counts.files > 0 {
            parts.push(counted(errors, "error"));
        }
        parts.push(format!("{:.1} s", elapsed.as_secs_f64()));
        parts.extend(more);
        let mut text = parts.join(", ");
        for (reason, count) in &counts.errors {
            let _ = write!(text, "\n  {} × {reason}", HumanCount(*count));
        }
        if !targets.is_empty() {
            let _ = write!(text, "\n{targets}");
        }
        text
    }
}

/// Returns the peak memory of this process, on Linux only.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_counts_errors_by_reason() {
        let summary = Summary {
            counts: Counts {
                files: 1,
                records: 1200,
                bytes: 2048,
                errors: [("bad crc", 2), ("cut", 1)].into(),
            },
            rows_written: 1199,
            wrote: true,
            ..Summary::default()
        };
        let text = summary.of_statement(Duration::from_millis(1500));
        let expected = "1 file, 2.00 KiB read, 1,200 records, 1,199 rows written, 3 errors, 1.5 s";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("\n  2 × bad crc\n  1 × cut"), "{text}");
    }
}
