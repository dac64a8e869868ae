//! Right-to-left text: converts the visual order on the page to reading order.
//!
//! The Unicode algorithm converts reading order to visual order. Applied to visual order, it
//! restores reading order, because reversing the same runs twice changes nothing. Two cases need
//! care: marks, which follow their letters in both orders, and glyphs with several letters.

use unicode_bidi::{BidiInfo, Level, ParagraphBidiInfo};
use unicode_normalization::char::is_combining_mark;

use super::characters::count_letters;
use super::geometry::{Point, along};
use super::source::PageGlyphs;
use super::spacing::SpacedGlyph;

/// A glyph in reading order.
pub(super) struct Read {
    /// Index into the line as drawn.
    pub(super) index: usize,
    /// Whether a word starts here.
    pub(super) is_apart: bool,
    /// Whether its brackets are drawn mirrored.
    pub(super) is_mirrored: bool,
}

/// A letter with its marks, or a space.
struct Unit {
    indexes: std::ops::Range<usize>,
    level: Level,
    byte: usize,
}

/// Counts word-final letter forms: the number at the ends of words minus the number at the starts.
pub(super) fn balance_of_final_letters(source: &PageGlyphs<'_>, line: &[SpacedGlyph]) -> i32 {
    let is_final = |drawn: &SpacedGlyph| {
        let text = source
            .glyph(drawn.index)
            .map_or("", |glyph| source.text(glyph));
        i32::from(text.starts_with(['ך', 'ם', 'ן', 'ף', 'ץ', 'ة', 'ى']))
    };
    let mut balance = line.last().map_or(0, is_final) - line.first().map_or(0, is_final);
    for pair in line.windows(2) {
        if let [end, start] = pair
            && start.is_apart
        {
            balance += is_final(end) - is_final(start);
        }
    }
    balance
}

/// The line's glyphs in reading order.
pub(super) fn in_reading_order(
    source: &PageGlyphs<'_>,
    line: &[SpacedGlyph],
    direction: Point,
) -> Vec<Read> {
    let text = |index: usize| {
        line.get(index)
            .and_then(|drawn| source.glyph(drawn.index))
            .map_or("", |glyph| source.text(glyph))
    };
    let (indexes, mut units) = units(source, line, direction);
    let mut shown = String::new();
    for unit in &mut units {
        unit.byte = shown.len();
        match indexes.get(unit.indexes.clone()).and_then(<[usize]>::first) {
            Some(index) => shown.push_str(text(*index)),
            None => shown.push(' '),
        }
    }
    let (leftwards, rightwards) = count_letters((0..line.len()).map(text));
    let is_leftwards =
        leftwards >= rightwards || (source.is_leftwards && leftwards * 4 >= rightwards);
    let base = if is_leftwards {
        Level::rtl()
    } else {
        Level::ltr()
    };
    let info = ParagraphBidiInfo::new(&shown, Some(base));
    let levels = info.reordered_levels(0..shown.len());
    for unit in &mut units {
        unit.level = levels.get(unit.byte).copied().unwrap_or(base);
    }
    if is_leftwards {
        move_spaces(line, &indexes, &mut units);
    }
    let levels: Vec<Level> = units.iter().map(|unit| unit.level).collect();
    let mut read = Vec::with_capacity(line.len());
    let mut is_apart = false;
    for unit in BidiInfo::reorder_visual(&levels)
        .into_iter()
        .filter_map(|index| units.get(index))
    {
        let indexes = indexes.get(unit.indexes.clone()).unwrap_or_default();
        for index in indexes {
            read.push(Read {
                index: *index,
                is_apart,
                is_mirrored: unit.level.is_rtl(),
            });
            is_apart = false;
        }
        is_apart |= indexes.is_empty();
    }
    if !brackets_match(&read, text) {
        read.iter_mut().for_each(|read| read.is_mirrored = false);
    }
    read
}

/// Moves spaces in a right-to-left line. The space after a Latin word belongs on the word's left.
/// Word processors that treat it as part of the Latin text draw it on the right, together with the
/// word, and nothing on the left.
fn move_spaces(line: &[SpacedGlyph], indexes: &[usize], units: &mut [Unit]) {
    let is_space = |unit: &Unit| unit.indexes.is_empty();
    let mut start = 0;
    for at in 1..units.len() {
        let (Some([before, space]), Some(next)) = (units.get(at - 1..=at), units.get(at + 1))
        else {
            continue;
        };
        if before.level.is_rtl() {
            start = at;
        }
        let drawn = indexes
            .get(next.indexes.start)
            .and_then(|index| line.get(*index));
        let is_end_of_string =
            drawn.is_some_and(|drawn| drawn.is_space_of_last && !drawn.is_same_run);
        let is_end_of_latin = is_space(space) && before.level.is_ltr() && next.level.is_rtl();
        let left = start.checked_sub(1).and_then(|left| units.get(left));
        if is_end_of_string
            && is_end_of_latin
            && left.is_some_and(|left| !is_space(left))
            && let Some(run) = units.get_mut(start..=at)
        {
            run.rotate_right(1);
        }
    }
}

/// Groups letters with their marks, in visual order, with spaces between words. Marks are drawn
/// before or after their letter, so their position determines the letter they belong to.
fn units(
    source: &PageGlyphs<'_>,
    line: &[SpacedGlyph],
    direction: Point,
) -> (Vec<usize>, Vec<Unit>) {
    let mut indexes = Vec::with_capacity(line.len());
    let mut units: Vec<Unit> = Vec::with_capacity(line.len());
    let mut waiting: Vec<usize> = Vec::new();
    let mut is_apart = false;
    let unit = |indexes: std::ops::Range<usize>| Unit {
        indexes,
        level: Level::ltr(),
        byte: 0,
    };
    for (index, drawn) in line.iter().enumerate() {
        let Some(glyph) = source.glyph(drawn.index) else {
            continue;
        };
        let is_mark = source.text(glyph).chars().all(is_combining_mark);
        let next = line
            .get(index + 1)
            .and_then(|drawn| source.glyph(drawn.index));
        if is_mark
            && drawn.is_visible
            && next.is_some_and(|next| {
                along(
                    (glyph.start.0 - next.start.0, glyph.start.1 - next.start.1),
                    direction,
                ) > -0.05 * glyph.size
            })
        {
            waiting.push(index);
            is_apart |= drawn.is_apart;
            continue;
        }
        if is_mark
            && !drawn.is_apart
            && let Some(last) = units.last_mut()
        {
            indexes.push(index);
            last.indexes.end = indexes.len();
            continue;
        }
        if std::mem::take(&mut is_apart) || drawn.is_apart {
            units.push(unit(indexes.len()..indexes.len()));
        }
        let start = indexes.len();
        indexes.push(index);
        indexes.append(&mut waiting);
        units.push(unit(start..indexes.len()));
    }
    if !waiting.is_empty() {
        let start = indexes.len();
        indexes.append(&mut waiting);
        units.push(unit(start..indexes.len()));
    }
    (indexes, units)
}

/// Whether brackets are at the correct ends of words if they are mirrored, at least as often as if
/// they are not: some files declare the meaning of a bracket, not its shape.
fn brackets_match<'a>(read: &[Read], text: impl Fn(usize) -> &'a str) -> bool {
    let (mut shapes, mut meanings) = (0_usize, 0_usize);
    for (at, one) in read.iter().enumerate().filter(|(_, one)| one.is_mirrored) {
        let next = read.get(at + 1);
        let is_start = at == 0 || one.is_apart;
        let is_end = next.is_none_or(|next| {
            next.is_apart || text(next.index).starts_with(|next: char| next.is_ascii_punctuation())
        });
        let (opening, closing) = match text(one.index) {
            "(" | "[" | "{" => (&mut meanings, &mut shapes),
            ")" | "]" | "}" => (&mut shapes, &mut meanings),
            _ => continue,
        };
        if is_start && !is_end {
            *opening += 1;
        } else if is_end && !is_start {
            *closing += 1;
        }
    }
    shapes >= meanings
}
