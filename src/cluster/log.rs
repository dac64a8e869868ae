//! Writes Ballista's messages to stderr.

use log::{LevelFilter, Log, Metadata, Record};

struct Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let now = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ");
            eprintln!("{now} {}: {}", record.level(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Shows warnings and errors, and with `is_verbose` the progress of jobs.
pub fn init(is_verbose: bool) {
    log::set_max_level(if is_verbose {
        LevelFilter::Info
    } else {
        LevelFilter::Warn
    });
    // Fails only if a program that uses this library has set a logger.
    let _ = log::set_logger(&Stderr);
}
