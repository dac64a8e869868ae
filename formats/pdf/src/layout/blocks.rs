//! The sixth step: which rows are a block, that is a paragraph, a heading or a part of a column.

use super::rows::Row;

/// Whether a new block starts with each of the rows.
pub(super) fn starts(rows: &[Row]) -> Vec<bool> {
    let mut starts = Vec::with_capacity(rows.len());
    // The smallest distance of baselines, and the extent, of the block so far.
    let mut leading = f32::INFINITY;
    let (mut from, mut to) = (f32::INFINITY, f32::NEG_INFINITY);
    for (place, row) in rows.iter().enumerate() {
        let last = place.checked_sub(1).and_then(|place| rows.get(place));
        let next = rows.get(place + 1);
        let is_start = last.is_none_or(|last| {
            !goes_on(last, row)
                || is_far(last, row, next, leading)
                || is_indented(last, row, next, (from, to))
        });
        if is_start {
            leading = f32::INFINITY;
            (from, to) = (row.from, row.to);
        } else if let Some(last) = last {
            leading = leading.min(row.base - last.base);
            (from, to) = (from.min(row.from), to.max(row.to));
        }
        starts.push(is_start);
    }
    starts
}

/// Below the last row, in the same column, and of about the same size.
fn goes_on(last: &Row, row: &Row) -> bool {
    let (less, more) = if last.size < row.size {
        (last.size, row.size)
    } else {
        (row.size, last.size)
    };
    let step = row.base - last.base;
    let shared = row.to.min(last.to) - row.from.max(last.from);
    row.sector == last.sector
        && more <= 1.25 * less
        && step > 0.3 * more
        && step <= 3.0 * more
        && shared > -2.0 * more
}

/// Farther below than lines of one paragraph: than the lines before, or than the next line from this one.
fn is_far(last: &Row, row: &Row, next: Option<&Row>, leading: f32) -> bool {
    let step = row.base - last.base;
    let mut usual = leading;
    if let Some(next) = next.filter(|next| goes_on(row, next)) {
        usual = usual.min(next.base - row.base);
    }
    let size = row.size.max(last.size);
    if usual.is_finite() {
        step > 1.25 * usual + 0.1 * size
    } else {
        step > 2.0 * size
    }
}

/// The first line of a paragraph goes in, the next one comes back out, and both reach the right margin,
/// which lines of poems, lists and programs do not.
fn is_indented(last: &Row, row: &Row, next: Option<&Row>, block: (f32, f32)) -> bool {
    let size = row.size;
    let indent = row.from - block.0;
    let Some(next) = next.filter(|next| goes_on(row, next)) else {
        return false;
    };
    let reaches = |row: &Row| row.to > block.1 - 2.0 * size && row.to - row.from > 15.0 * size;
    (0.7 * size..8.0 * size).contains(&indent)
        && (next.from - block.0).abs() < 0.5 * size
        && (last.from - block.0).abs() < 0.5 * size
        && reaches(row)
}
