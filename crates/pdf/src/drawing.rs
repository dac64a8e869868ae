//! The lines and areas of a page: produced by the interpreter of content streams, consumed by the
//! search for tables.

use super::model::{DrawnArea, DrawnLine};

/// The straight lines and filled rectangles of a page, in drawing order.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lines: Vec<DrawnLine>,
    pub areas: Vec<DrawnArea>,
    /// Whether some were dropped because there were too many.
    pub is_cut: bool,
}
