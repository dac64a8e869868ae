//! Step 6: divides rows into blocks: paragraphs, headings and parts of columns.

use super::rows::Row;

/// Returns for each row whether it starts a block.
pub(super) fn starts(rows: &[Row]) -> Vec<bool> {
    let mut starts = Vec::with_capacity(rows.len());
    // The minimum distance between baselines, and the horizontal extent, of the current block.
    let mut leading = f32::INFINITY;
    let (mut from, mut to) = (f32::INFINITY, f32::NEG_INFINITY);
    for (index, row) in rows.iter().enumerate() {
        let last = index.checked_sub(1).and_then(|index| rows.get(index));
        let next = rows.get(index + 1);
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

/// Whether a row is below the last one, in the same column, and of similar size.
fn goes_on(last: &Row, row: &Row) -> bool {
    let (smaller, larger) = if last.size < row.size {
        (last.size, row.size)
    } else {
        (row.size, last.size)
    };
    let step = row.base - last.base;
    let shared = row.to.min(last.to) - row.from.max(last.from);
    row.sector == last.sector
        && larger <= 1.25 * smaller
        && step > 0.3 * larger
        && step <= 3.0 * larger
        && shared > -2.0 * larger
}

/// Whether the gap above a row is larger than earlier gaps in the block, or than the gap to the
/// next row.
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

/// Whether a row is the indented first line of a paragraph. The next line is not indented, and both
/// reach the right margin, unlike lines of poems, lists and programs.
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
