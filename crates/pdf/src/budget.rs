//! Limits the cost of reading one document.

use std::time::Duration;

use super::model::{FailureKind, Limits};

/// The clock is read once per this many operators.
const OPERATORS_PER_CLOCK_CHECK: u64 = 512;

/// The cost of a form, so that forms that call each other soon reach the limit.
const OPERATORS_PER_FORM: u64 = 50;

/// A glyph counts once more for every this many bytes of its text.
const BYTES_PER_GLYPH: u64 = 8;

/// Maximum work spent on damaged streams, in steps of about five nanoseconds.
const MAX_SEARCH_STEPS: u64 = 400_000_000;
/// Like [`MAX_SEARCH_STEPS`], for a single stream such as a font.
const MAX_STREAM_SEARCH_STEPS: u64 = MAX_SEARCH_STEPS / 8;

/// Maximum number of table cells to keep. Each takes hundreds of bytes.
const MAX_TABLE_CELLS: usize = 1 << 20;

/// Why reading a document ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget with this name is used up.
    Limit(&'static str),
    Timeout,
}

impl Stop {
    pub fn kind(self) -> FailureKind {
        match self {
            Self::Limit(_) => FailureKind::Limit,
            Self::Timeout => FailureKind::Timeout,
        }
    }

    pub fn message(self) -> String {
        match self {
            Self::Limit(what) => format!("the document exceeds the limit for {what}"),
            Self::Timeout => "the document exceeds the limit for CPU time".to_owned(),
        }
    }
}

/// The remaining budget of a document.
#[derive(Debug)]
pub struct Budget {
    operators: u64,
    glyphs: u64,
    decoded_bytes: u64,
    /// The work left for damaged streams.
    pub search: u64,
    table_cells: usize,
    /// On the clock of the thread's CPU time.
    deadline: Duration,
}

impl Budget {
    pub fn new(limits: &Limits) -> Self {
        Self {
            operators: limits.operators,
            glyphs: limits.glyphs,
            decoded_bytes: limits.decoded_bytes,
            search: MAX_SEARCH_STEPS,
            table_cells: MAX_TABLE_CELLS,
            deadline: cpu_time() + Duration::from_millis(limits.cpu_ms),
        }
    }

    /// A budget for a single stream: only its size is limited.
    pub fn for_bytes(decoded_bytes: u64) -> Self {
        Self {
            operators: 0,
            glyphs: 0,
            decoded_bytes,
            search: MAX_STREAM_SEARCH_STEPS,
            table_cells: 0,
            deadline: Duration::MAX,
        }
    }

    /// Counts one operator of a content stream.
    #[inline]
    pub fn operator(&mut self) -> Result<(), Stop> {
        self.operators = self
            .operators
            .checked_sub(1)
            .ok_or(Stop::Limit("operators"))?;
        if self.operators.is_multiple_of(OPERATORS_PER_CLOCK_CHECK) {
            self.check_clock()?;
        }
        Ok(())
    }

    /// Counts the start of a form as many operators.
    pub fn form(&mut self) -> Result<(), Stop> {
        self.operators = self
            .operators
            .checked_sub(OPERATORS_PER_FORM)
            .ok_or(Stop::Limit("operators"))?;
        self.check_clock()
    }

    /// Counts a glyph with `bytes` of text. A glyph can map to a whole book, and must then cost as
    /// much.
    #[inline]
    pub fn glyph(&mut self, bytes: usize) -> Result<(), Stop> {
        let glyphs = 1 + bytes as u64 / BYTES_PER_GLYPH;
        self.glyphs = self
            .glyphs
            .checked_sub(glyphs)
            .ok_or(Stop::Limit("glyphs"))?;
        Ok(())
    }

    /// The number of bytes that streams may still decode to.
    pub fn decoded_bytes_left(&self) -> u64 {
        self.decoded_bytes
    }

    /// Counts decoded bytes.
    pub fn count_decoded(&mut self, bytes: usize) -> Result<(), Stop> {
        self.decoded_bytes = self
            .decoded_bytes
            .checked_sub(bytes as u64)
            .ok_or(Stop::Limit("decoded bytes"))?;
        self.check_clock()
    }

    /// Counts the cells of tables. Returns whether they may be kept.
    pub fn table_cells(&mut self, cells: usize) -> bool {
        let left = self.table_cells.checked_sub(cells);
        self.table_cells = left.unwrap_or(self.table_cells);
        left.is_some()
    }

    /// Fails after the deadline.
    pub fn check_clock(&self) -> Result<(), Stop> {
        // Skip the system call without a deadline.
        if self.deadline < Duration::MAX && cpu_time() >= self.deadline {
            Err(Stop::Timeout)
        } else {
            Ok(())
        }
    }
}

/// The CPU time of this thread. Wall-clock time would make documents fail on a busy machine.
#[cfg(unix)]
fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Wall-clock time, on systems where the CPU time of a thread needs unsafe code.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_beyond_the_limit_do_not_cost_later_ones() {
        let mut budget = Budget::new(&Limits::default());
        assert!(budget.table_cells(MAX_TABLE_CELLS - 10));
        assert!(!budget.table_cells(11));
        assert!(budget.table_cells(10));
        assert!(!budget.table_cells(1));
    }
}
