//! The summary of a run or of a statement.

use std::fmt::Write as _;
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::progress::PROGRESS_DELAY;
use super::written_targets::{Written, count_of};
use crate::sources::scan::counters::Counts;

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
    /// The number of records and files that could not be read, and of rows written as errors, by
    /// this run and by those that it continues.
    pub fn errors(&self) -> u64 {
        let unreadable: u64 = self.counts.errors.values().sum();
        unreadable.max(self.written.error_rows()) + self.written.errors_before()
    }

    /// Whether to print the summary: the run has read or written something, or took a while.
    pub fn is_of_interest(&self, elapsed: Duration) -> bool {
        let has_counts = self.counts.files > 0 || !self.counts.errors.is_empty();
        has_counts || self.wrote || elapsed >= PROGRESS_DELAY
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
                count_of(counts.files, "file"),
                HumanBytes(counts.bytes),
                count_of(counts.records, "record")
            ));
        }
        let targets = self.written.text();
        if self.wrote && targets.is_empty() {
            parts.push(format!("{} written", count_of(self.rows_written, "row")));
        }
        if self.rows_returned > 0 {
            parts.push(format!("{} returned", count_of(self.rows_returned, "row")));
        }
        let errors: u64 = counts.errors.values().sum();
        if counts.files > 0 || errors > 0 {
            parts.push(count_of(errors, "error"));
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
