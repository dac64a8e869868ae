//! Prints the warnings of this program. Those of its libraries are for developers.

use std::io::{self, Write};

use log::{LevelFilter, Log, Metadata, Record};
use parking_lot::Mutex;

use super::observer;

/// The prefix of the log targets of this program's crates.
const OURS: &str = "corpus_";

/// Gets the warnings.
pub type Also = Box<dyn Fn(&str) + Send + Sync>;

struct Warnings {
    /// Whether stderr is a log of JSON lines.
    as_json: bool,
    /// Gets each warning, too.
    also: Option<Also>,
    /// The last message, because a statement that is planned twice must not warn twice.
    last: Mutex<String>,
}

/// Shows warnings on stderr, and passes them on. A program that uses this library may have its own
/// logger.
pub fn show(as_json: bool, also: Option<Also>) {
    let warnings = Warnings {
        as_json,
        also,
        last: Mutex::default(),
    };
    if log::set_boxed_logger(Box::new(warnings)).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

impl Log for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= LevelFilter::Warn && metadata.target().starts_with(OURS)
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let message = record.args().to_string();
        if let Some(also) = &self.also {
            also(&message);
        }
        let mut last = self.last.lock();
        if *last == message {
            return;
        }
        if self.as_json {
            observer::log_warning(&message);
        } else {
            // A failure cannot be reported anywhere.
            let _ = writeln!(io::stderr().lock(), "warning: {}", one_line(&message));
        }
        *last = message;
    }

    fn flush(&self) {}
}

/// Escapes the control characters of names in a message.
fn one_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for char in message.chars() {
        if char.is_control() {
            line.extend(char.escape_default())
        } else {
            line.push(char)
        }
    }
    line
}
