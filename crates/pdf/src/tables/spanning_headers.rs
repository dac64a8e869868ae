//! Headers of several columns: texts centered above others.

use std::ops::Range;

/// The maximum number of blank cells beside a header over several columns.
pub(super) const MAX_BLANKS: usize = 12;
/// Maximum distance of a spanning header from the center of the headers below it, and maximum
/// difference of equal edges, in ems.
const MAX_OFF_CENTER_EMS: f32 = 0.6;
const MAX_EDGE_DIFFERENCE_EMS: f32 = 0.3;

/// A text above others, with blank cells beside it.
pub(super) struct Above<'a> {
    pub(super) columns: Range<usize>,
    /// The left and right edge.
    pub(super) extent: (f32, f32),
    pub(super) size: f32,
    /// The numbers of blank cells before and after it.
    pub(super) blanks: (usize, usize),
    /// The boundaries of columns.
    pub(super) bounds: &'a [f32],
    /// The extents of the texts below by column.
    pub(super) below: &'a [Option<(f32, f32)>],
}

impl Above<'_> {
    /// The numbers of blank cells before and after it that a header covers. `None` unless it is
    /// neither aligned with nor centered above the texts below, but is centered above them and
    /// their neighbors.
    pub(super) fn covered_cells(&self) -> Option<(usize, usize)> {
        let range = |left: usize, right: usize| {
            let first = self.columns.start.checked_sub(left)?;
            Some(first..self.columns.end + right)
        };
        let texts = |left: usize, right: usize| {
            let mut all = self.below.get(range(left, right)?)?.iter().copied();
            let first = all.next()??;
            all.try_fold(first, |sum, next| {
                next.map(|next| (sum.0.min(next.0), sum.1.max(next.1)))
            })
        };
        let bounds = |left: usize, right: usize| {
            let range = range(left, right)?;
            Some((*self.bounds.get(range.start)?, *self.bounds.get(range.end)?))
        };
        let (x1, x2) = self.extent;
        let off_center = |(from, to): (f32, f32)| ((x1 + x2 - from - to) / 2.0).abs();
        let max_off_center = MAX_OFF_CENTER_EMS * self.size;
        let own = texts(0, 0)?;
        let edge = (x1 - own.0).abs().min((x2 - own.1).abs());
        if edge < MAX_EDGE_DIFFERENCE_EMS * self.size || off_center(own) < max_off_center {
            return None;
        }
        let (before, after) = self.blanks;
        let choices = (0..=before.min(MAX_BLANKS))
            .flat_map(|left| (0..=after.min(MAX_BLANKS)).map(move |right| (left, right)));
        let choices = choices.filter_map(|(left, right)| {
            let of_texts = off_center(texts(left, right)?);
            let off_center = of_texts.min(off_center(bounds(left, right)?));
            (off_center < max_off_center).then_some((off_center, (left, right)))
        });
        let best = choices.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, choice)| choice)
    }
}
