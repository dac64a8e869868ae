//! The lines and areas of a page: produced by the interpreter of content streams, consumed by the
//! search for tables.

use super::model::{DrawnArea, DrawnLine, Rect};

/// The straight lines and filled rectangles of a page, in drawing order.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub lines: Vec<DrawnLine>,
    pub areas: Vec<DrawnArea>,
    /// Small shapes that may be bullets of a list.
    pub bullets: Vec<DrawnBullet>,
    /// Whether some were dropped because there were too many.
    pub is_cut: bool,
}

/// A small round or square shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnBullet {
    pub bbox: Rect,
    /// The character that looks like it.
    pub sign: char,
}
