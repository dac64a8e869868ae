//! Finds the markers that belong to items of lists.

use std::collections::HashMap;

use super::Entry;
use super::marker::{Marker, MarkerKind, is_certain, parse};
use super::measure::{MeasuredDocument, MeasuredItem, MeasuredLine};
use crate::block::{Block, Kind};
use crate::text::Text;

/// Maximum gap between a marker and its line, and maximum difference of their baselines, in ems.
const MAX_MARKER_GAP_EMS: f32 = 3.0;
const MAX_LEVEL_DIFFERENCE_EMS: f32 = 0.25;
/// The maximum number of lines at one height that a marker is compared with.
const MAX_LEVEL_LINES: usize = 50;
/// The minimum number of leading asterisks that are bullets on a page that also has words with
/// asterisks.
const MIN_ASTERISKS: usize = 3;
/// The number of bare numbers of a list, and the maximum difference of their left edges.
const MIN_BARE_NUMBERS: usize = 2;
const MAX_BARE_NUMBERS: usize = 9;
const MAX_EDGE_DIFFERENCE: f32 = 2.0;
/// The number of lines with markers before and after one that are compared with it.
const MAX_COMPARED_LINES: usize = 40;

/// Finds the markers of list items, as opposed to text that only looks like a marker.
pub fn find(document: &mut MeasuredDocument) {
    let mut found: Vec<(usize, Vec<Marker>)> = Vec::new();
    for index in 0..document.items.len() {
        let Some(line) = document.line(index).filter(|line| line.is_text()) else {
            continue;
        };
        // A sign at the start of a formula is an operator.
        let is_formula = line.has_formula && !line.has_words;
        if line.is_entry || is_formula || (line.is_fixed && !document.is_body_fixed) {
            continue;
        }
        let markers = parse(line.text());
        if !markers.is_empty() {
            found.push((index, markers));
        }
    }
    let notes = NoteMarks::new(document, &found);
    for place in 0..found.len() {
        let Some((index, markers)) = found.get(place) else {
            continue;
        };
        let Some(line) = document.line(*index) else {
            continue;
        };
        let chosen = markers
            .iter()
            .find(|marker| {
                !notes.contains(line.page, *index, marker.kind)
                    && is_item(document, line, marker.kind, *index, &found, place)
            })
            .copied();
        let index = *index;
        if let Some(line) = document.line_mut(index) {
            line.marker = chosen;
        }
    }
}

/// Signs at the starts of lines that are marks of notes, rather than bullets.
struct NoteMarks {
    /// The numbers of lines with each sign, by page.
    counts: HashMap<(usize, char), usize>,
    /// The signs that may refer to a note, each with its first line: an asterisk after a word, or a
    /// dash alone in a cell.
    referred: HashMap<(usize, char), usize>,
}

impl NoteMarks {
    fn new(document: &MeasuredDocument, found: &[(usize, Vec<Marker>)]) -> Self {
        let mut counts: HashMap<(usize, char), usize> = HashMap::new();
        for (index, markers) in found {
            for marker in markers {
                if let (MarkerKind::Bullet(sign), Some(line)) = (marker.kind, document.line(*index))
                    && (sign == '*' || is_dash(sign))
                {
                    *counts.entry((line.page, sign)).or_default() += 1;
                }
            }
        }
        let mut referred = HashMap::new();
        for (page, sign) in counts.keys().copied() {
            let Some(sheet) = document.pages.get(page) else {
                continue;
            };
            let items = document.items.get(sheet.first..sheet.end);
            let mut items = items.unwrap_or_default().iter();
            if let Some(place) = items.position(|item| has_reference(item, sign)) {
                referred.insert((page, sign), sheet.first + place);
            }
        }
        Self { counts, referred }
    }

    /// Whether the line at an index, on a page, is a note that follows a reference to it.
    fn contains(&self, page: usize, index: usize, kind: MarkerKind) -> bool {
        let MarkerKind::Bullet(sign) = kind else {
            return false;
        };
        let count = |page: usize| self.counts.get(&(page, sign)).copied().unwrap_or(0);
        let reference = self.referred.get(&(page, sign));
        let is_referred = reference.is_some_and(|reference| *reference < index);
        if sign != '*' {
            return is_referred && count(page) == 1;
        }
        let is_of_list = || count(page.wrapping_sub(1)).max(count(page + 1)) > 1;
        is_referred && count(page) < MIN_ASTERISKS || count(page) == 1 && !is_of_list()
    }
}

fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '–' | '—' | '−')
}

/// Whether a line or table has a sign to which a note belongs.
fn has_reference(item: &MeasuredItem, sign: char) -> bool {
    match item {
        MeasuredItem::Line(line) => sign == '*' && ends_word(line.text(), sign),
        MeasuredItem::Block(block) => match &block.kind {
            Kind::Table(table) => {
                let is_sign = |block: &Block| {
                    let text = block.text.text.trim();
                    if sign == '*' {
                        ends_word(text, sign)
                    } else {
                        text.strip_prefix(sign) == Some("")
                    }
                };
                let caption = table.caption.as_ref();
                caption.is_some_and(|caption| ends_word(&caption.text, sign))
                    || (table.rows.iter().flatten().flat_map(|cell| &cell.blocks)).any(is_sign)
            }
            _ => false,
        },
    }
}

/// Whether a word of a text ends with a sign, followed by nothing but punctuation.
fn ends_word(text: &str, sign: char) -> bool {
    text.match_indices(sign).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text.get(at + sign.len_utf8()..).unwrap_or_default();
        let after = after.chars().next();
        before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '%'))
            && after.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | ')'))
    })
}

/// Joins markers that are separate lines with the lines beside them, because some programs draw all
/// markers after the text.
pub fn attach(entries: &mut Vec<Entry>) {
    let mut lines: Vec<(f32, usize)> = Vec::new();
    let mut alone: Vec<usize> = Vec::new();
    let numbers = bare_numbers(entries);
    for (index, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Line(line) if is_marker(&line.text.text) => alone.push(index),
            Entry::Line(_) if numbers.contains(&index) => alone.push(index),
            Entry::Line(line) => lines.push((line.base, index)),
            Entry::Block(_) => {}
        }
    }
    if alone.is_empty() {
        return;
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut is_joined = vec![false; entries.len()];
    for index in alone {
        let Some(Entry::Line(marker)) = entries.get(index) else {
            continue;
        };
        let (base, size) = (marker.base, marker.size);
        // The number in a circle is smaller than the text.
        let reach = if numbers.contains(&index) {
            2.0 * MAX_LEVEL_DIFFERENCE_EMS * size
        } else {
            MAX_LEVEL_DIFFERENCE_EMS * size
        };
        let first = lines.partition_point(|(other, _)| *other < base - reach);
        let level = lines.get(first..).unwrap_or_default().iter();
        let level = level.take_while(|(other, _)| *other <= base + reach);
        let beside = level.take(MAX_LEVEL_LINES).filter_map(|(_, other)| {
            let Some(Entry::Line(line)) = entries.get(*other) else {
                return None;
            };
            let gap = line.bounds.left - marker.bounds.right;
            let is_beside = (-0.3 * size..MAX_MARKER_GAP_EMS * size).contains(&gap);
            (is_beside && !line.is_outside).then_some((gap, *other))
        });
        let Some((_, nearest)) = beside.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let (mut text, left) = (marker.text.text.trim().to_owned(), marker.bounds.left);
        if numbers.contains(&index) {
            text.push('.');
        }
        if let (Some(Entry::Line(line)), Some(is_joined)) =
            (entries.get_mut(nearest), is_joined.get_mut(index))
        {
            let rest = std::mem::replace(&mut line.text, Text::plain(text));
            line.text.append(" ", rest);
            line.bounds.left = line.bounds.left.min(left);
            *is_joined = true;
        }
    }
    let mut joined = is_joined.into_iter();
    entries.retain(|_| !joined.next().unwrap_or(false));
}

/// The lines that are the numbers of a short list, as in the circles of slides: from 1, below each
/// other, on a page with few numbers.
fn bare_numbers(entries: &[Entry]) -> Vec<usize> {
    let number = |(index, entry): (usize, &'_ Entry)| {
        let Entry::Line(line) = entry else {
            return None;
        };
        let value: usize = line.text.text.trim().parse().ok()?;
        Some((index, value, line.bounds.left, line.base))
    };
    let numbers: Vec<(usize, usize, f32, f32)> = entries
        .iter()
        .enumerate()
        .filter_map(number)
        .take(MAX_BARE_NUMBERS + 1)
        .collect();
    let is_next = |a: &(usize, usize, f32, f32), b: &(usize, usize, f32, f32)| {
        b.1 == a.1 + 1 && (b.2 - a.2).abs() < MAX_EDGE_DIFFERENCE && a.3 < b.3
    };
    let is_list = |run: &&[(usize, usize, f32, f32)]| {
        let starts = run.first().is_some_and(|first| first.1 == 1);
        starts && (MIN_BARE_NUMBERS..=MAX_BARE_NUMBERS).contains(&run.len())
    };
    // The number of the page may be another one.
    if numbers.len() > MAX_BARE_NUMBERS {
        return Vec::new();
    }
    let list = numbers.chunk_by(is_next).find(is_list);
    let list = list.unwrap_or_default().iter();
    list.map(|number| number.0).collect()
}

/// Whether a text consists of a marker only.
fn is_marker(text: &str) -> bool {
    let text = text.trim();
    text.len() <= 8 && !parse(&format!("{text} x")).is_empty()
}

/// Whether a line with this marker is an item: the marker is unambiguous, or other items of the
/// list are near.
fn is_item(
    document: &MeasuredDocument,
    line: &MeasuredLine,
    kind: MarkerKind,
    index: usize,
    found: &[(usize, Vec<Marker>)],
    place: usize,
) -> bool {
    if let MarkerKind::Bullet(bullet) = kind
        && is_certain(bullet)
    {
        return true;
    }
    let is_aligned = |other: usize| {
        document.line(other).is_some_and(|other| {
            other.page != line.page
                || (other.start() - line.start()).abs() < 0.7 * line.size()
                || other.right() < line.left()
                || line.right() < other.left()
        })
    };
    let is_start = index
        .checked_sub(1)
        .and_then(|before| document.line(before))
        .is_none_or(|before| {
            !document.is_below(before, line)
                || !is_mid_sentence(before)
                // This is a heading.
                || !document.is_same_size(before.size(), line.size())
                // The previous item, whose text fills its line.
                || before.marker.is_some_and(|marker| marker.kind.precedes(kind))
                // A line of the same paragraph has the same left edge.
                || (before.start() - line.start()).abs() > 0.5 * line.size()
                || line.base() - before.base() > 1.3 * document.leading(line.size())
        });
    if let MarkerKind::Bullet(_) = kind
        && is_start
    {
        return true;
    }
    let follows = |other: &(usize, Vec<Marker>)| {
        is_aligned(other.0) && other.1.iter().any(|marker| kind.precedes(marker.kind))
    };
    // The previous item is certain.
    let precedes = |other: &(usize, Vec<Marker>)| {
        let marker = document.line(other.0).and_then(|line| line.marker);
        is_aligned(other.0) && marker.is_some_and(|marker| marker.kind.precedes(kind))
    };
    let is_first = matches!(
        kind,
        MarkerKind::Number { value: 1, .. } | MarkerKind::Reference(1)
    );
    let mut after = found.iter().skip(place + 1).take(MAX_COMPARED_LINES);
    let mut before = found.iter().take(place).rev().take(MAX_COMPARED_LINES);
    // The initials of names may follow each other by chance.
    let may_start = is_first || !kind.is_initial();
    is_start && (may_start && after.any(follows) || !is_first && before.any(precedes))
}

/// Whether a line ends within a sentence, so that the next one may start with anything.
fn is_mid_sentence(line: &MeasuredLine) -> bool {
    let text = line.text();
    let ends = text.ends_with(['.', ':', ';', '!', '?', '。', '）', ')', ',']);
    !ends && line.right() > line.column.1 - 3.0 * line.size()
}
