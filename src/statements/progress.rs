//! The progress of a running statement, on stderr.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use terminal_size::{Width, terminal_size_of};

use crate::sources::scan::counters::{Counts, PlanCounters};

/// Faster statements show no progress bar.
pub const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// The interval of progress lines, if no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

const BAR_WIDTH: u64 = 24;

/// The interval at which [`Progress::tick`] should be called.
pub const TICK: Duration = Duration::from_millis(200);

/// Whether to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A bar on a terminal, otherwise a line every ten seconds; nothing in the first second
    Auto,
    /// Show progress from the start
    Always,
    /// Show no progress
    Never,
}

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
            (ProgressMode::Auto, true) => Some(PROGRESS_DELAY),
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
                // Ignore errors, because progress is not essential.
                let _ = writeln!(io::stderr(), "{}", self.line());
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
