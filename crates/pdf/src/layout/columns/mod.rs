//! Step 5: cuts rows that span several columns of text.
//!
//! Most files draw one column after another, and their rows are separate already. This step handles
//! files that draw line by line across the page. A table looks the same, but its rows must not be
//! cut, because their cells belong together. So rows are cut at a gutter only if the text on both
//! sides continues downwards: at least three consecutive rows are as close as lines of text, share
//! an empty gutter, and either
//!
//! - are running text: on both sides, most cells are full and have four words or more; or
//! - are a few short lines in two columns far apart, such as addresses: two words or more, mostly
//!   letters, and not labels followed by a colon.
//!
//! Everything else stays in rows, except for labels above values (`headers`).

mod headers;

use super::characters::{GlyphKind, is_cjk, kind};
use super::geometry::gap;
use super::pieces::{Pieces, WIDE_GAP_EMS};
use super::rows::{Row, Rows};
use super::source::PageGlyphs;
use crate::glyphs::Glyph;

/// The maximum number of columns on a page of text.
const MAX_COLUMNS: usize = 8;
/// The minimum number of rows; fewer could be anything.
const MIN_ROWS: usize = 3;
/// The maximum number of short lines, as in an address.
const MAX_SHORT_LINES: usize = 12;
/// The minimum distance between columns of short lines, in ems.
const MIN_FAR_GUTTER_EMS: f32 = 3.0;
/// The maximum distance between baselines in running text, in ems; scripts without lower case need
/// more.
const MAX_LEADING_EMS: f32 = 1.6;
const MAX_CJK_LEADING_EMS: f32 = 2.1;
/// Words per character in scripts without spaces.
const WORDS_PER_CJK_CHARACTER: f32 = 0.5;
/// Maximum size, relative to adjacent rows, of a note between lines, such as ruby.
const MAX_NOTE_SIZE_RATIO: f32 = 0.7;

type Interval = (f32, f32);

/// Cuts rows that span several columns.
pub(super) fn cut(source: &PageGlyphs<'_>, pieces: &Pieces, rows: Rows) -> Rows {
    let mut cut = Rows::default();
    let mut start = 0;
    while let Some(rest) = rows.rows.get(start..).filter(|rest| !rest.is_empty()) {
        let (count, columns) = common_gutters(&rows, pieces, rest);
        let run = rest.get(..count).unwrap_or(rest);
        start += run.len();
        let groups = if run.len() >= MIN_ROWS && columns.len() >= 2 {
            text_columns(source, pieces, &rows, run, &columns)
        } else {
            Vec::new()
        };
        if groups.len() >= 2 {
            push_columns(&mut cut, source, pieces, &rows, run, &groups);
        } else {
            let after = rows.rows.get(start..).unwrap_or_default();
            push_rows(&mut cut, source, pieces, &rows, run, after);
        }
    }
    cut
}

/// Adds rows uncut, except for the cells of headers.
fn push_rows(
    cut: &mut Rows,
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    mut run: &[Row],
    after: &[Row],
) {
    while !run.is_empty() {
        let (count, cells) = headers::find(source, pieces, rows, run, after);
        let (lines, rest) = run.split_at_checked(count).unwrap_or((run, &[]));
        run = rest;
        if cells.len() >= 2 {
            push_columns(cut, source, pieces, rows, lines, &cells);
            continue;
        }
        for row in lines {
            let indexes = rows.indexes.get(row.pieces.clone()).unwrap_or_default();
            cut.push(indexes, pieces);
        }
    }
}

/// The number of rows that share an empty gutter, and the columns between the gutters.
fn common_gutters(rows: &Rows, pieces: &Pieces, rest: &[Row]) -> (usize, Vec<Interval>) {
    let mut columns: Vec<Interval> = Vec::new();
    let mut count = 0;
    let mut last: Option<&Row> = None;
    for row in rest {
        if let Some(last) = last {
            let step = row.base - last.base;
            let size = row.size.max(last.size);
            if row.sector != last.sector || step < -0.1 * size || step > 3.0 * size {
                break;
            }
        }
        let mut with = columns.clone();
        extend(&mut with, pieces, rows, row, WIDE_GAP_EMS * row.size);
        merge(&mut with, WIDE_GAP_EMS * row.size);
        if with.len() > MAX_COLUMNS || (count > 0 && with.len() < 2) {
            break;
        }
        columns = with;
        count += 1;
        last = Some(row);
    }
    (count.max(1), columns)
}

/// Adds the extents of a row's pieces, up to a limit: a row drawn glyph by glyph has many.
fn extend(columns: &mut Vec<Interval>, pieces: &Pieces, rows: &Rows, row: &Row, gutter: f32) {
    let first = columns.len();
    for piece in rows.pieces(row, pieces) {
        let is_full = columns.len() > first + 4 * MAX_COLUMNS;
        match columns.get_mut(first..).and_then(<[Interval]>::last_mut) {
            Some(last) if piece.from - last.1 < gutter => last.1 = last.1.max(piece.to),
            _ if is_full => break,
            _ => columns.push((piece.from, piece.to)),
        }
    }
}

fn merge(intervals: &mut Vec<Interval>, gutter: f32) {
    intervals.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    intervals.dedup_by(|next, kept| {
        let is_near = next.0 - kept.1 < gutter;
        if is_near {
            kept.1 = kept.1.max(next.1);
        }
        is_near
    });
}

/// Measurements that distinguish running text from cells.
#[derive(Default)]
struct Column {
    cells: f32,
    words: f32,
    letters: f32,
    cjk: f32,
    characters: f32,
    colons: f32,
    /// The total width of all cells.
    filled: f32,
    width: f32,
    /// The number of rows with a cell both here and in the next column.
    paired: f32,
}

impl Column {
    fn is_running(&self) -> bool {
        self.cells >= MIN_ROWS as f32
            && self.words >= 4.0 * self.cells
            && self.letters >= 0.6 * self.characters
            && self.filled >= 0.6 * self.cells * self.width
    }

    fn is_short_lines(&self) -> bool {
        self.cells >= MIN_ROWS as f32
            && self.words >= 2.0 * self.cells
            && self.letters >= 0.55 * self.characters
            && self.colons <= 1.0
    }
}

/// The columns into which to cut. Columns of one table count as one.
fn text_columns(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    columns: &[Interval],
) -> Vec<Interval> {
    let facts = facts(source, pieces, rows, run, columns);
    if !is_close(run, &facts) {
        return Vec::new();
    }
    let size = run.first().map_or(1.0, |row| row.size);
    let are_short = columns.len() == 2 && run.len() <= MAX_SHORT_LINES;
    let mut groups: Vec<Interval> = columns.first().copied().into_iter().collect();
    for (facts, columns) in facts.windows(2).zip(columns.windows(2)) {
        let ([left, right], [before, column]) = (facts, columns) else {
            continue;
        };
        let is_far =
            column.0 - before.1 >= MIN_FAR_GUTTER_EMS * size && left.paired >= MIN_ROWS as f32;
        let is_text = (left.is_running() && right.is_running())
            || (are_short && is_far && left.is_short_lines() && right.is_short_lines());
        match groups.last_mut() {
            Some(group) if !is_text => group.1 = column.1,
            _ => groups.push(*column),
        }
    }
    groups
}

fn facts(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    columns: &[Interval],
) -> Vec<Column> {
    let empty = |column: &Interval| Column {
        width: column.1 - column.0,
        ..Column::default()
    };
    let mut facts: Vec<Column> = columns.iter().map(empty).collect();
    for (at, row) in run.iter().enumerate() {
        if is_note(run, at) {
            continue;
        }
        let mut last = None;
        for piece in rows.pieces(row, pieces) {
            let Some(index) = column_of(piece.from, columns) else {
                continue;
            };
            if last != Some(index) {
                if let Some(before) = facts.get_mut(last.unwrap_or(usize::MAX)) {
                    before.paired += f32::from(u8::from(last == index.checked_sub(1)));
                }
                if let Some(column) = facts.get_mut(index) {
                    column.cells += 1.0;
                }
                last = Some(index);
            }
            if let Some(column) = facts.get_mut(index) {
                column.filled += piece.to - piece.from;
                count_characters(source, pieces.glyphs(piece), column);
            }
        }
    }
    facts
}

fn is_note(run: &[Row], at: usize) -> bool {
    let Some(row) = run.get(at) else { return false };
    let around = [at.checked_sub(1), at.checked_add(1)];
    around
        .into_iter()
        .flatten()
        .filter_map(|other| run.get(other))
        .all(|other| row.size < MAX_NOTE_SIZE_RATIO * other.size)
}

/// Whether most rows are as close together as lines of text.
fn is_close(run: &[Row], facts: &[Column]) -> bool {
    let cjk: f32 = facts.iter().map(|column| column.cjk).sum();
    let characters: f32 = facts.iter().map(|column| column.characters).sum();
    let maximum = if 2.0 * cjk > characters {
        MAX_CJK_LEADING_EMS
    } else {
        MAX_LEADING_EMS
    };
    let steps = run
        .windows(2)
        .filter(|rows| matches!(rows, [a, b] if b.base - a.base <= maximum * a.size.max(b.size)))
        .count();
    steps * 4 >= (run.len() - 1) * 3
}

fn column_of(from: f32, columns: &[Interval]) -> Option<usize> {
    columns.iter().rposition(|column| column.0 <= from)
}

fn count_characters(source: &PageGlyphs<'_>, glyphs: &[u32], column: &mut Column) {
    let mut is_in_word = false;
    let mut last: Option<&Glyph> = None;
    let mut ends_with_colon = false;
    for glyph in glyphs.iter().filter_map(|index| source.glyph(*index)) {
        let text = source.text(glyph);
        match kind(text) {
            GlyphKind::Space => is_in_word = false,
            GlyphKind::Nothing => {}
            GlyphKind::Visible => {
                let is_apart =
                    last.is_some_and(|last| gap(last, glyph, (1.0, 0.0)) > 0.15 * glyph.size);
                if text.starts_with(is_cjk) {
                    column.words += WORDS_PER_CJK_CHARACTER;
                    column.cjk += 1.0;
                } else {
                    column.words += f32::from(u8::from(!is_in_word || is_apart));
                }
                is_in_word = true;
                column.characters += 1.0;
                column.letters += f32::from(u8::from(text.chars().all(char::is_alphabetic)));
                ends_with_colon = text.ends_with(':');
                last = Some(glyph);
            }
        }
    }
    column.colons += f32::from(u8::from(ends_with_colon));
}

/// Adds one column after another, starting at the side where reading starts.
fn push_columns(
    cut: &mut Rows,
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    run: &[Row],
    groups: &[Interval],
) {
    let mut indexes = Vec::new();
    for group in 0..groups.len() {
        let group = if source.is_leftwards {
            groups.len() - 1 - group
        } else {
            group
        };
        for row in run {
            indexes.clear();
            indexes.extend(
                rows.indexes
                    .get(row.pieces.clone())
                    .unwrap_or_default()
                    .iter()
                    .filter(|index| {
                        pieces
                            .pieces
                            .get(**index as usize)
                            .and_then(|piece| column_of(piece.from, groups))
                            == Some(group)
                    }),
            );
            cut.push(&indexes, pieces);
        }
    }
}
