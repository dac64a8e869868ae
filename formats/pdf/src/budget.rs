//! What the reading of one document may cost.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::model::{FailureKind, Limits};

/// The clock is looked at once in so many operators.
const OPERATORS_PER_LOOK: u64 = 512;

/// What a form costs, so that forms that call each other end soon.
const OPERATORS_PER_FORM: u64 = 50;

/// Text of a glyph that is longer counts as several glyphs.
const BYTES_PER_GLYPH: u64 = 8;

/// Why the reading of a document ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Names the budget that is used up.
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
            Self::Limit(what) => format!("more {what} than the limit allows"),
            Self::Timeout => "more CPU time than the limit allows".to_owned(),
        }
    }
}

/// Counts down what the limits of a document leave.
#[derive(Debug)]
pub struct Budget {
    operators: u64,
    glyphs: u64,
    decoded_bytes: u64,
    /// On the clock of this thread's CPU time.
    deadline: Duration,
}

impl Budget {
    pub fn new(limits: &Limits) -> Self {
        Self {
            operators: limits.operators,
            glyphs: limits.glyphs,
            decoded_bytes: limits.decoded_bytes,
            deadline: cpu_time() + Duration::from_millis(limits.cpu_ms),
        }
    }

    /// For a single stream: only its size counts.
    pub fn of_bytes(decoded_bytes: u64) -> Self {
        Self {
            operators: 0,
            glyphs: 0,
            decoded_bytes,
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
        if self.operators.is_multiple_of(OPERATORS_PER_LOOK) {
            self.look_at_clock()?;
        }
        Ok(())
    }

    /// Counts the start of a form, which costs as much as many operators.
    pub fn form(&mut self) -> Result<(), Stop> {
        self.operators = self
            .operators
            .checked_sub(OPERATORS_PER_FORM)
            .ok_or(Stop::Limit("operators"))?;
        self.look_at_clock()
    }

    /// Counts a glyph that means `bytes` of text: a glyph can mean a whole book, which costs as many.
    #[inline]
    pub fn glyph(&mut self, bytes: usize) -> Result<(), Stop> {
        let glyphs = 1 + bytes as u64 / BYTES_PER_GLYPH;
        self.glyphs = self
            .glyphs
            .checked_sub(glyphs)
            .ok_or(Stop::Limit("glyphs"))?;
        Ok(())
    }

    /// What streams may still decode to.
    pub fn decoded_bytes_left(&self) -> u64 {
        self.decoded_bytes
    }

    /// Counts bytes that were decoded.
    pub fn decoded(&mut self, bytes: usize) -> Result<(), Stop> {
        self.decoded_bytes = self
            .decoded_bytes
            .checked_sub(bytes as u64)
            .ok_or(Stop::Limit("decoded bytes"))?;
        self.look_at_clock()
    }

    pub fn look_at_clock(&self) -> Result<(), Stop> {
        if cpu_time() >= self.deadline {
            Err(Stop::Timeout)
        } else {
            Ok(())
        }
    }
}

/// CPU time of this thread: a busy machine must not make a document fail.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
