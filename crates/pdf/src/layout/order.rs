//! Step 4: the order of rows.
//!
//! Most programs draw a page in reading order, and know its columns and boxes better than any guess
//! from positions. So the drawing order is kept, unless it contradicts the only unambiguous
//! positions: lines closely below each other. If many of them were drawn before the line above,
//! rows are ordered by position, from top to bottom and from left to right. Diagram labels and
//! numbers along axes are far apart and keep their drawing order.
//!
//! Browsers draw floats before the text around them. So text that is drawn after a jump up to
//! above a float is moved before the float.

use super::characters::{GlyphKind, is_cjk, kind};
use super::pieces::Pieces;
use super::rows::{Row, Rows, by_baseline};
use super::sectors::is_mirrored;
use super::source::PageGlyphs;

/// Minimum number of misplaced lines on an unreadable page: headers, footers and notes are often
/// drawn out of order.
const MIN_MISPLACED_LINES: usize = 3;
/// Minimum share of misplaced lines in the text, and in the lines closely below another line.
const MIN_MISPLACED_SHARE: f32 = 0.2;
const MIN_SHARE_OF_LINES: f32 = 0.3;
/// The distance between baselines of adjacent lines of text, in ems. Long lines may be
/// double-spaced, and columns of vertical text leave space for ruby annotations.
const MIN_LEADING_EMS: f32 = 0.5;
pub(super) const MAX_LEADING_EMS: f32 = 1.75;
const MAX_DOUBLE_LEADING_EMS: f32 = 2.6;
/// The maximum difference of sizes between adjacent lines of text, as a factor.
const MAX_SIZE_RATIO: f32 = 1.25;
/// The minimum width of lines that may be double-spaced or without letters, in ems. Labels along
/// the axis of a chart go up, too.
const MIN_LINE_EMS: f32 = 12.0;
/// Maximum number of rows, in baseline order, searched for the next line.
pub(super) const MAX_COMPARED_ROWS: usize = 12;

/// How far a line must be above the line drawn before it to start a late run of text, in ems.
const MIN_JUMP_EMS: f32 = 2.5;
/// The minimum distance between the baselines of a row and of a row below it, in ems.
const MIN_STEP_ABOVE_EMS: f32 = 0.9;
/// The maximum number of jumps up of a page whose late runs are moved; diagrams have more.
const MAX_JUMPS: usize = 40;
/// The minimum number of rows of a late run that extend below an earlier block beside its start.
const MIN_ROWS_AROUND: usize = 3;

/// The rows far above the row drawn before them, which is below another one. `None` if there are
/// too many.
pub(super) fn jumps_up(rows: &Rows) -> Option<Vec<usize>> {
    // A block of at least two lines, and text above its last line.
    let is_jump = |rows: &[Row]| {
        matches!(rows, [above, before, row] if above.sector == before.sector
            && before.sector == row.sector
            && above.base < before.base
            && before.base - row.base > MIN_JUMP_EMS * before.size.max(row.size))
    };
    let places = rows.rows.windows(3).zip(2..);
    let jumps: Vec<usize> = places
        .filter_map(|(rows, place)| is_jump(rows).then_some(place))
        .collect();
    (jumps.len() <= MAX_JUMPS).then_some(jumps)
}

/// Moves rows that were drawn late before the earlier rows that they are above.
pub(super) fn move_late_runs(source: &PageGlyphs<'_>, pieces: &Pieces, rows: &mut Rows) {
    let Some(jumps) = jumps_up(rows) else {
        return;
    };
    for (index, start) in jumps.iter().enumerate() {
        let end = jumps.get(index + 1).map_or(rows.rows.len(), |next| *next);
        let before = rows.rows.get(..*start).unwrap_or_default();
        let run = rows.rows.get(*start..end).unwrap_or_default();
        if run
            .first()
            .is_some_and(|row| is_text(source, pieces, rows, row))
            && let Some((place, count)) = earlier_place(before, run)
            && let Some(moved) = rows.rows.get_mut(place..start + count)
        {
            moved.rotate_right(count);
        }
    }
}

/// The place before which the first rows of a run belong, and the number of these rows.
fn earlier_place(before: &[Row], run: &[Row]) -> Option<(usize, usize)> {
    let first = run.first()?;
    let is_above = |row: &Row, other: &Row| {
        row.sector == other.sector
            && other.base - row.base > MIN_STEP_ABOVE_EMS * row.size.max(other.size)
    };
    // The rows that were drawn directly before the run and are below its start.
    let after = before.iter().rposition(|row| !is_above(first, row));
    let place = after.map_or(0, |after| after + 1);
    let below = before.get(place..)?;
    // Labels of diagrams are short.
    let is_line = |row: &Row| row.to - row.from >= MIN_LINE_EMS * row.size;
    if !below.iter().chain(run).any(is_line) {
        return None;
    }
    let shares = |row: &Row, other: &Row| row.from < other.to && other.from < row.to;
    // The text continues beside the block, and below it.
    let goes_around = |row: &Row| {
        first.from < row.from
            && run.iter().filter(|own| shares(own, row)).count() >= MIN_ROWS_AROUND
    };
    if !below.iter().any(|row| shares(first, row)) && !below.first().is_some_and(goes_around) {
        return None;
    }
    let (mut base, mut top) = (f32::INFINITY, f32::INFINITY);
    for row in below {
        base = base.min(row.base);
        top = top.min(row.base - MIN_STEP_ABOVE_EMS * row.size);
    }
    let is_above_all =
        |row: &&Row| row.base < top && row.base + MIN_STEP_ABOVE_EMS * row.size < base;
    let above = run.iter().take_while(is_above_all).count();
    // A paragraph stays whole. Headings have another size.
    let is_end = |count: &usize| {
        let pair = count
            .checked_sub(1)
            .and_then(|last| run.get(last))
            .zip(run.get(*count));
        pair.is_none_or(|(last, next)| {
            let (smaller, larger) = (last.size.min(next.size), last.size.max(next.size));
            next.base - last.base > MAX_LEADING_EMS * larger || larger > MAX_SIZE_RATIO * smaller
        })
    };
    Some((place, (0..=above).rev().find(is_end)?))
}

/// Whether the rows are in a readable order.
pub(super) fn is_readable(source: &PageGlyphs<'_>, pieces: &Pieces, rows: &Rows) -> bool {
    let mut order: Vec<(usize, &Row)> = rows
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.artifact)
        .collect();
    let total: f32 = order.iter().map(|(_, row)| row.to - row.from).sum();
    order.sort_unstable_by(|(a, x), (b, y)| {
        (x.sector.cmp(&y.sector))
            .then(x.base.total_cmp(&y.base))
            .then(a.cmp(b))
    });
    let (mut count, mut width, mut misplaced) = (0, 0.0, 0.0);
    for (at, (place, row)) in order.iter().enumerate() {
        let is_column = is_column(source, pieces, rows, row);
        let next = order
            .iter()
            .skip(at + 1)
            .take(MAX_COMPARED_ROWS)
            .take_while(|(_, below)| {
                below.sector == row.sector
                    && below.base - row.base <= MAX_DOUBLE_LEADING_EMS * row.size
            })
            .find(|(_, below)| is_next_line(row, below, is_column));
        let Some((below_place, below)) = next else {
            continue;
        };
        let narrower = (row.to - row.from).min(below.to - below.from);
        width += narrower;
        if below_place < place
            && [row, below]
                .into_iter()
                .all(|row| is_text(source, pieces, rows, row))
        {
            count += 1;
            misplaced += narrower;
        }
    }
    count < MIN_MISPLACED_LINES
        || misplaced <= MIN_MISPLACED_SHARE * total
        || misplaced <= MIN_SHARE_OF_LINES * width
}

/// Whether `below` is the next line of the same column of text.
fn is_next_line(row: &Row, below: &Row, is_vertical: bool) -> bool {
    let shared = row.to.min(below.to) - row.from.max(below.from);
    let narrower = (row.to - row.from).min(below.to - below.from);
    let (smaller, larger) = (row.size.min(below.size), row.size.max(below.size));
    let step = below.base - row.base;
    let maximum = if is_vertical || narrower >= MIN_LINE_EMS * larger {
        MAX_DOUBLE_LEADING_EMS
    } else {
        MAX_LEADING_EMS
    };
    shared > 0.5 * narrower
        && larger <= MAX_SIZE_RATIO * smaller
        && step >= MIN_LEADING_EMS * larger
        && step <= maximum * larger
}

/// Whether a row is a column of vertical CJK text.
fn is_column(source: &PageGlyphs<'_>, pieces: &Pieces, rows: &Rows, row: &Row) -> bool {
    let first = || {
        let piece = rows.pieces(row, pieces).next()?;
        source.glyph(*pieces.glyphs(piece).first()?)
    };
    pieces.direction(row.sector).1 > 0.99
        && first().is_some_and(|glyph| source.text(glyph).contains(is_cjk))
}

/// Whether a row is as long as a line, or at least half of it is letters.
pub(super) fn is_text(source: &PageGlyphs<'_>, pieces: &Pieces, rows: &Rows, row: &Row) -> bool {
    if row.to - row.from >= MIN_LINE_EMS * row.size {
        return true;
    }
    let (mut letters, mut others) = (0, 0);
    let glyphs = rows
        .pieces(row, pieces)
        .flat_map(|piece| pieces.glyphs(piece));
    for glyph in glyphs.filter_map(|place| source.glyph(*place)) {
        let text = source.text(glyph);
        if text.contains(char::is_alphabetic) {
            letters += 1;
        } else if kind(text) == GlyphKind::Visible {
            others += 1;
        }
    }
    letters >= others
}

/// Orders rows by position. Everything on one baseline becomes one row. Text directions come one
/// after another, the most frequent first, but after headings above its columns.
pub(super) fn by_place(pieces: &Pieces, rows: &Rows) -> Rows {
    let mut counts: Vec<(u8, usize)> = Vec::new();
    for row in &rows.rows {
        match counts.iter_mut().find(|count| count.0 == row.sector) {
            Some(count) => count.1 += 1,
            None => counts.push((row.sector, 1)),
        }
    }
    counts.sort_by_key(|count| std::cmp::Reverse(count.1));
    let mut places = rows.indexes.clone();
    let mut sorted = Rows::default();
    for baseline in by_baseline(pieces, &mut places) {
        sorted.push(baseline, pieces);
    }
    let main = counts.first().map_or(0, |count| count.0);
    let top = sorted
        .rows
        .iter()
        .filter(|row| row.sector == main)
        .map(|row| row.from)
        .fold(f32::INFINITY, f32::min);
    let rank = |row: &Row| {
        let is_heading = row.base <= top && goes_down(pieces, main, row.sector);
        let rank = counts.iter().position(|count| count.0 == row.sector);
        (!is_heading, rank)
    };
    sorted.rows.sort_by_key(rank);
    sorted
}

/// Whether text of `sector` runs down the page and text of `other` is horizontal.
fn goes_down(pieces: &Pieces, sector: u8, other: u8) -> bool {
    is_mirrored(sector) == is_mirrored(other)
        && pieces.direction(sector).1 > 0.99
        && pieces.direction(other).0 > 0.99
}
