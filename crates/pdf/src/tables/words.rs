//! The words of a page, and the lines that they form.

use super::class::Class;
use super::frame::Frame;
use crate::glyphs::GlyphStyle;
use crate::layout::{Layout, Script};
use crate::model::Rect;

/// Minimum gap between atoms, in ems: in general, and if words are far apart.
const MIN_ATOM_GAP_EMS: f32 = 0.8;
const MAX_ATOM_GAP_EMS: f32 = 1.1;
/// Minimum gap between atoms, relative to the usual gap between the words of the line.
const ATOM_GAP_RATIO: f32 = 1.8;
/// Minimum gap between numbers, in ems.
const MIN_NUMBER_GAP_EMS: f32 = 0.22;
/// Maximum gap between a currency sign and its number, in ems.
const MAX_CURRENCY_GAP_EMS: f32 = 12.0;
/// The minimum number of texts that start at one place beside numbers: in general, and beside the
/// numbers of rows.
const MIN_ALIGNED: usize = 5;
const MIN_CONSECUTIVE: usize = 3;
/// The maximum difference of their edges, in points.
const MAX_EDGE_DIFFERENCE: f32 = 0.3;
/// The maximum number of words of the first row and its header.
const MAX_WORDS_OF_HEADER: usize = 40;
/// The maximum number of words of a cell between a number and other cells.
const MAX_WORDS_OF_CELL: usize = 40;
/// The minimum number of characters in a typed rule.
const MIN_TYPED_RULE_CHARACTERS: usize = 6;
/// The minimum number of full stops that are leaders.
const MIN_LEADERS: usize = 4;
/// Maximum vertical distance between the centers of words on one line, in ems.
pub(super) const MAX_LEVEL_DIFFERENCE_EMS: f32 = 0.35;
/// Centers closer than this cannot be on separate lines, in ems.
pub(super) const OVERLAP_EMS: f32 = 0.75;
/// The maximum height of a word's box, in ems: some fonts declare more.
const MAX_HEIGHT_EMS: f32 = 1.2;

#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// In the frame.
    pub(super) bbox: Rect,
    pub(super) size: f32,
    pub(super) bold: bool,
    /// The line of the layout.
    pub(super) line: u32,
    /// Whether it has the direction of the frame.
    pub(super) is_level: bool,
    /// Whether it starts a cell although the number before it is only a space away.
    starts_cell: bool,
    /// Its raised and lowered parts.
    pub(super) scripts: &'a [Script],
}

impl Word<'_> {
    /// Whether it is a typed rule.
    pub(super) fn is_rule(&self) -> bool {
        self.is_level
            && self.text.len() >= MIN_TYPED_RULE_CHARACTERS
            && self
                .text
                .bytes()
                .all(|byte| matches!(byte, b'-' | b'_' | b'='))
    }

    /// Whether it consists of full stops.
    pub(super) fn is_leader(&self) -> bool {
        self.text.bytes().all(|byte| byte == b'.')
    }

    pub(super) fn center(&self) -> (f32, f32) {
        self.bbox.center()
    }
}

/// Words of one line without wide gaps.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// Indexes of words, from left to right.
    pub(super) words: Vec<u32>,
    pub(super) x1: f32,
    pub(super) x2: f32,
    pub(super) y: f32,
    pub(super) size: f32,
}

/// Atoms on one height, from left to right.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub(super) atoms: Vec<Atom>,
    pub(super) y: f32,
    pub(super) size: f32,
}

impl TextLine {
    pub(super) fn x1(&self) -> f32 {
        self.atoms.first().map_or(0.0, |atom| atom.x1)
    }

    pub(super) fn x2(&self) -> f32 {
        self.atoms.iter().map(|atom| atom.x2).fold(0.0, f32::max)
    }
}

/// The words of a page in a frame, in reading order.
pub(super) fn in_frame<'a>(
    layout: &'a Layout,
    styles: &[GlyphStyle],
    frame: Frame,
) -> Vec<Word<'a>> {
    let mut words = Vec::with_capacity(layout.words.len());
    let mut scripts = layout.scripts.as_slice();
    for (number, line) in (0..).zip(&layout.lines) {
        let range = line.words.start as usize..line.words.end as usize;
        let of_line = layout.words.get(range).unwrap_or_default();
        for (index, word) in (line.words.start..).zip(of_line) {
            let first = scripts.partition_point(|script| script.word < index);
            let next = scripts.partition_point(|script| script.word <= index);
            let own = scripts.get(first..next).unwrap_or_default();
            scripts = scripts.get(next..).unwrap_or_default();
            let style = styles.get(word.style as usize).map(|style| &style.style);
            let mut bbox = frame.rect(word.bbox);
            let is_level = line.quarter_turns == frame.turns;
            let size = style.map_or(0.0, |style| style.size).clamp(1.0, 1000.0);
            if is_level {
                let excess = (bbox.y2 - bbox.y1 - MAX_HEIGHT_EMS * size).max(0.0);
                bbox.y1 += excess / 2.0;
                bbox.y2 -= excess / 2.0;
            }
            words.push(Word {
                text: &word.text,
                bbox,
                size,
                bold: style.is_some_and(|style| style.bold),
                line: number,
                is_level,
                starts_cell: false,
                scripts: own,
            });
        }
    }
    mark_cells(&mut words);
    words
}

/// Marks words that start a cell although they follow a number without a gap, as in printed
/// spreadsheets. In many lines, the numbers end at one place and the words start at another.
fn mark_cells(words: &mut [Word<'_>]) {
    let is_on_line = |a: &Word<'_>, b: &Word<'_>| a.is_level && b.is_level && a.line == b.line;
    // A number at the start of a line counts if cells follow.
    let has_cells = |text: usize| {
        let rest = words.get(text..).unwrap_or_default();
        let mut pairs = rest.windows(2).take(MAX_WORDS_OF_CELL);
        let pair = pairs.find_map(|pair| match pair {
            [a, b] if !is_on_line(a, b) => Some(false),
            [a, b] => (b.bbox.x1 - a.bbox.x2 > MAX_ATOM_GAP_EMS * b.size).then_some(true),
            _ => None,
        });
        pair == Some(true)
    };
    // The places of words after a number.
    let is_beside = |place: usize| {
        let (Some(number), Some(text)) = (words.get(place - 1), words.get(place)) else {
            return false;
        };
        let before = place.checked_sub(2).and_then(|before| words.get(before));
        let gap = (text.bbox.x1 - number.bbox.x2) / text.size;
        is_on_line(number, text)
            && (0.0..MIN_ATOM_GAP_EMS).contains(&gap)
            && Class::of(number.text) == Class::Number
            && Class::of(text.text) == Class::Text
            && (before.is_some_and(|before| is_on_line(before, number)) || has_cells(place))
    };
    let mut places: Vec<usize> = (1..words.len()).filter(|place| is_beside(*place)).collect();
    let left = |place: &usize| words.get(*place).map_or(0.0, |word| word.bbox.x1);
    let number = |place: &usize| {
        words
            .get(place - 1)
            .map_or(Rect::default(), |word| word.bbox)
    };
    places.sort_by(|a, b| number(a).x2.total_cmp(&number(b).x2));
    let is_same_end = |a: &usize, b: &usize| number(b).x2 - number(a).x2 < MAX_EDGE_DIFFERENCE;
    let mut cells: Vec<usize> = Vec::new();
    for column in places.chunk_by(is_same_end) {
        let mut column = column.to_vec();
        column.sort_by(|a, b| left(a).total_cmp(&left(b)));
        for aligned in column.chunk_by(|a, b| left(b) - left(a) < MAX_EDGE_DIFFERENCE) {
            let text = |place: &usize| words.get(*place).map(|word| word.text);
            let first = aligned.first();
            let has_others = aligned
                .iter()
                .any(|place| Some(text(place)) != first.map(text));
            let start = first.map_or(0.0, |first| number(first).x1);
            let has_widths = aligned
                .iter()
                .any(|place| (number(place).x1 - start).abs() > MAX_EDGE_DIFFERENCE);
            let is_column = aligned.len() >= MIN_ALIGNED && has_widths;
            if has_others && (is_column || are_consecutive(words, aligned)) {
                cells.extend(aligned);
                // The header is above them.
                let top = aligned.iter().min().copied().unwrap_or_default();
                let above = top.saturating_sub(MAX_WORDS_OF_HEADER)..top;
                let start = left(&top);
                cells.extend(
                    above.filter(|place| (left(place) - start).abs() < MAX_EDGE_DIFFERENCE),
                );
            }
        }
    }
    for place in cells {
        if let Some(word) = words.get_mut(place) {
            word.starts_cell = true;
        }
    }
}

/// Whether texts are beside the numbers of rows, each one more than that above.
fn are_consecutive(words: &[Word<'_>], texts: &[usize]) -> bool {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    let number = |text: &usize| words.get(text - 1)?.text.parse::<u32>().ok();
    texts.len() >= MIN_CONSECUTIVE
        && texts.windows(2).all(|pair| match pair {
            [a, b] => {
                let follows = number(a).zip(number(b)).is_some_and(|(a, b)| b == a + 1);
                let line = |place: &usize| words.get(*place).map(|word| word.line);
                follows && line(a) != line(b)
            }
            _ => true,
        })
}

/// Divides words into atoms. The words of a line of the layout have to follow each other.
pub(super) fn atoms(words: &[Word<'_>], chosen: &[u32]) -> Vec<Atom> {
    let line = |index: u32| words.get(index as usize).map(|word| word.line);
    let mut atoms: Vec<Atom> = Vec::new();
    let mut sorted: Vec<(u32, &Word<'_>)> = Vec::new();
    for same_line in chosen.chunk_by(|a, b| line(*a) == line(*b)) {
        sorted.clear();
        sorted.extend(
            same_line
                .iter()
                .filter_map(|index| Some((*index, words.get(*index as usize)?)))
                .filter(|(_, word)| word.is_level),
        );
        sorted.sort_by(|a, b| a.1.bbox.x1.total_cmp(&b.1.bbox.x1));
        let limit = gap_limit(&sorted);
        let mut last: Option<&Word<'_>> = None;
        // The number of full stops at the end of the last words.
        let mut leaders = 0;
        for (index, word) in &sorted {
            let y = word.center().1;
            let is_first = atoms.last().is_some_and(|atom| atom.words.len() == 1);
            let stops = word.text.bytes().rev().take_while(|byte| *byte == b'.');
            let stops = stops.count();
            let is_leader = stops == word.text.len();
            // Leaders, including single full stops, run up to the values of the next column.
            let before = last.filter(|last| match leaders {
                1.. if is_leader => true,
                MIN_LEADERS.. => false,
                _ => !is_apart(last, word, limit, is_first),
            });
            leaders = if is_leader { leaders + stops } else { stops };
            match (before, atoms.last_mut()) {
                (Some(_), Some(atom)) => {
                    atom.words.push(*index);
                    atom.x2 = atom.x2.max(word.bbox.x2);
                    // The largest word determines the size, not a superscript.
                    if word.size > atom.size {
                        (atom.y, atom.size) = (y, word.size);
                    }
                }
                _ => atoms.push(Atom {
                    words: vec![*index],
                    x1: word.bbox.x1,
                    x2: word.bbox.x2,
                    y,
                    size: word.size,
                }),
            }
            last = last
                .filter(|last| last.bbox.x2 > word.bbox.x2)
                .or(Some(word));
        }
    }
    atoms
}

/// Whether a word starts an atom. In narrow columns, numbers are closer than words, unless they are
/// digit groups of one number. `is_first` means that the last word started an atom.
fn is_apart(last: &Word<'_>, word: &Word<'_>, limit: f32, is_first: bool) -> bool {
    let gap = (word.bbox.x1 - last.bbox.x2) / word.size.max(last.size);
    let is_number = |word: &Word<'_>| Class::of(word.text) == Class::Number;
    // A currency sign after a number belongs to that number.
    if is_first && is_currency(last.text) && Class::of(word.text).is_value() {
        return gap > MAX_CURRENCY_GAP_EMS;
    }
    if gap > limit || word.starts_cell {
        return true;
    }
    let is_group = word.text.starts_with(|c: char| c.is_ascii_digit())
        && word.text.chars().take_while(char::is_ascii_digit).count() == 3
        && last.text.len() <= 4;
    gap > MIN_NUMBER_GAP_EMS
        && is_number(last)
        && is_number(word)
        && !is_group
        && !last.text.ends_with([',', ';', ':', '/', '-', '–'])
}

/// Whether a word is a currency sign. In financial statements, signs are aligned, whatever the
/// width of the numbers.
fn is_currency(text: &str) -> bool {
    matches!(text, "$" | "€" | "£" | "¥" | "₹" | "US$")
}

/// The gap that separates atoms of a line, in ems.
fn gap_limit(line: &[(u32, &Word<'_>)]) -> f32 {
    let mut gaps: Vec<f32> = line
        .windows(2)
        .filter_map(|pair| match pair {
            [(_, a), (_, b)] => Some((b.bbox.x1 - a.bbox.x2) / a.size.max(b.size)),
            _ => None,
        })
        .filter(|gap| (0.05..MAX_ATOM_GAP_EMS).contains(gap))
        .collect();
    if gaps.is_empty() {
        return MIN_ATOM_GAP_EMS;
    }
    let middle = gaps.len() / 2;
    let (_, median, _) = gaps.select_nth_unstable_by(middle, f32::total_cmp);
    (ATOM_GAP_RATIO * *median).clamp(MIN_ATOM_GAP_EMS, MAX_ATOM_GAP_EMS)
}

/// Puts atoms into lines, from the top.
pub(super) fn lines(mut atoms: Vec<Atom>) -> Vec<TextLine> {
    atoms.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut lines: Vec<TextLine> = Vec::new();
    for atom in atoms {
        match lines.last_mut() {
            Some(line)
                if atom.y - line.y <= MAX_LEVEL_DIFFERENCE_EMS * atom.size.min(line.size) =>
            {
                if atom.size > line.size {
                    line.size = atom.size;
                }
                line.atoms.push(atom);
            }
            _ => lines.push(TextLine {
                y: atom.y,
                size: atom.size,
                atoms: vec![atom],
            }),
        }
    }
    for line in &mut lines {
        line.atoms.sort_by(|a, b| a.x1.total_cmp(&b.x1));
    }
    beside_labels(lines)
}

/// Joins lines that overlap in height but not in width: values centered beside two lines of a
/// label.
fn beside_labels(lines: Vec<TextLine>) -> Vec<TextLine> {
    let mut joined: Vec<TextLine> = Vec::with_capacity(lines.len());
    for line in lines {
        let above = joined.last_mut().filter(|above| {
            line.y - above.y < OVERLAP_EMS * line.size.min(above.size)
                && (above.x2() < line.x1() || line.x2() < above.x1())
        });
        let Some(above) = above else {
            joined.push(line);
            continue;
        };
        // The side with more atoms has the values.
        if line.atoms.len() > above.atoms.len() {
            above.y = line.y;
        }
        above.atoms.extend(line.atoms);
        above.atoms.sort_by(|a, b| a.x1.total_cmp(&b.x1));
    }
    joined
}

/// Whether a line overlaps the one above or below it, which has several cells: these are centred
/// beside the lines of one cell.
pub(super) fn is_beside_cells(lines: &[TextLine], index: usize) -> bool {
    let Some(line) = lines.get(index) else {
        return false;
    };
    let above = index.checked_sub(1).and_then(|above| lines.get(above));
    above.into_iter().chain(lines.get(index + 1)).any(|other| {
        let step = (line.y - other.y).abs();
        other.atoms.len() >= 2 && step < OVERLAP_EMS * line.size.min(other.size)
    })
}
