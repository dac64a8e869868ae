//! Detects whether a table is scanned by the statement that opened it or by a later one.
//!
//! A table function opens its table while a statement is planned. Views keep that plan, so later
//! statements scan the same table, which must then list its files again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::catalog::Session;

/// The number of physical plans started in a session: one per statement.
#[derive(Debug, Default)]
pub struct PlanCount(AtomicU64);

impl PlanCount {
    fn of(session: &dyn Session) -> Option<Arc<Self>> {
        session.config().get_extension()
    }

    /// Counts a physical plan, before its tables are scanned.
    pub fn increment(session: &dyn Session) {
        if let Some(count) = Self::of(session) {
            count.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn get(session: &dyn Session) -> u64 {
        Self::of(session).map_or(0, |count| count.0.load(Ordering::Relaxed))
    }
}

/// The time at which a table was opened, as a number of plans.
#[derive(Debug, Clone, Copy)]
pub struct TableOpening(u64);

impl TableOpening {
    pub fn now(session: &dyn Session) -> Self {
        Self(PlanCount::get(session))
    }

    /// Whether the statement that scans the table is the one that opened it.
    pub fn in_this_statement(self, session: &dyn Session) -> bool {
        PlanCount::get(session) <= self.0 + 1
    }
}
