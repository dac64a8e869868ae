//! Finds the empty strips between columns.
//!
//! Headers that span columns may cross a strip, and columns may be so close that some of their
//! cells are only a space apart. So each position is judged by all lines: how many have a wide gap,
//! a narrow gap or text there.

use super::entries;
use super::words::{TextLine, Word, is_beside_cells};

/// Maximum share of lines with text in the gutter, among the lines with text on both sides.
const MAX_CROSSED_SHARE: f32 = 0.34;
/// Minimum share of these lines with a wide gap in the gutter.
const MIN_WIDE_SHARE: f32 = 0.25;
/// The weights of a narrow gap and of text, compared to a wide gap.
const NARROW_WEIGHT: f32 = 0.3;
const CROSSED_WEIGHT: f32 = 2.0;
/// Minimum number of lines for which a column needs two cells: a single cell may be a header of two
/// columns.
const MIN_ROWS_OF_TWO: usize = 4;
/// Maximum distance of a header from the values below it, in ems.
const MAX_HEADER_GAP_EMS: f32 = 1.0;
/// The maximum number of gutters that are considered.
const MAX_CANDIDATES: usize = 2_000;

/// An end of a gap or of a word: the change of the counts at a position.
#[derive(Clone, Copy)]
struct Event {
    at: f32,
    wide: i32,
    narrow: i32,
    crossed: i32,
}

/// A strip with the same counts everywhere.
#[derive(Clone, Copy, Debug)]
struct Strip {
    from: f32,
    to: f32,
    score: f32,
    is_usable: bool,
}

/// The positions of gutters, from left to right.
pub(super) fn find(lines: &[TextLine], words: &[Word<'_>]) -> Vec<f32> {
    let mut events = Vec::new();
    let mut spans: Vec<(f32, f32)> = Vec::new();
    let mut rows = 0;
    for (index, line) in lines.iter().enumerate() {
        if line.atoms.len() >= 2 {
            rows += 1;
            add_line(line, words, &mut events);
            spans.extend(line.atoms.iter().map(|atom| (atom.x1, atom.x2)));
        } else if is_beside_cells(lines, index) {
            add_crossed(&mut events, line.x1(), line.x2());
        }
    }
    let mut strips = strips(&mut events, rows);
    let inside = Spans::new(spans, rows >= MIN_ROWS_OF_TWO);
    keep_peaks(&mut strips);
    strips.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then((b.to - b.from).total_cmp(&(a.to - a.from)))
    });
    strips.truncate(MAX_CANDIDATES);
    let mut accepted: Vec<Strip> = Vec::new();
    for strip in strips {
        let index = accepted.partition_point(|other| other.from < strip.from);
        let left = index.checked_sub(1).and_then(|left| accepted.get(left));
        let right = accepted.get(index);
        let from = left.map_or(f32::NEG_INFINITY, |left| left.to);
        let to = right.map_or(f32::INFINITY, |right| right.from);
        if inside.has_column(from, strip.from) && inside.has_column(strip.to, to) {
            accepted.insert(index, strip);
        }
    }
    let middle = |strip: &Strip| (strip.from + strip.to) / 2.0;
    dividing(accepted.iter().map(middle).collect(), lines, words)
}

/// The content of one side of a gutter, on the lines where the other side is empty.
#[derive(Clone, Debug)]
struct Side {
    /// The extents of texts and of values.
    texts: (f32, f32),
    values: (f32, f32),
    /// The last line with a text, and the first one with a value.
    last_text: usize,
    first_value: usize,
}

impl Side {
    const EMPTY: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);
    const NEW: Self = Self {
        texts: Self::EMPTY,
        values: Self::EMPTY,
        last_text: 0,
        first_value: usize::MAX,
    };

    fn has_texts(&self) -> bool {
        self.texts.0 <= self.texts.1
    }

    fn has_values(&self) -> bool {
        self.values.0 <= self.values.1
    }

    /// Whether it is the header of the values on the other side.
    fn is_header_of(&self, other: &Self, max_gap: f32) -> bool {
        self.has_texts()
            && !self.has_values()
            && other.has_values()
            && !other.has_texts()
            && self.last_text < other.first_value
            && self.texts.0 - other.values.1 <= max_gap
            && other.values.0 - self.texts.1 <= max_gap
    }
}

/// Keeps the gutters that divide cells. Other gutters are within a column: no line has text on both
/// sides, and either values cross them, or one side has only the header of the other.
fn dividing(mut gutters: Vec<f32>, lines: &[TextLine], words: &[Word<'_>]) -> Vec<f32> {
    let mut bounds = vec![f32::NEG_INFINITY];
    bounds.extend(&gutters);
    bounds.push(f32::INFINITY);
    let mut divides = vec![false; gutters.len()];
    let mut is_crossed = vec![false; gutters.len()];
    let mut sides = vec![Side::NEW; gutters.len() + 1];
    let mut size = 0.0_f32;
    for (number, line) in lines.iter().enumerate() {
        size = size.max(line.size);
        let entries = entries::of_line(line, words, &bounds);
        for entry in &entries {
            let is_value = entry.class.is_value();
            if entry.spans() {
                let crossed = is_crossed.get_mut(entry.column..entry.column_end - 1);
                crossed.filter(|_| is_value).unwrap_or_default().fill(true);
            } else if let Some(side) = sides.get_mut(entry.column) {
                let extent = if is_value {
                    side.first_value = side.first_value.min(number);
                    &mut side.values
                } else {
                    side.last_text = number;
                    &mut side.texts
                };
                *extent = (extent.0.min(entry.x1), extent.1.max(entry.x2));
            }
        }
        for pair in entries.windows(2) {
            if let [left, right] = pair
                && left.column_end == right.column
                && let Some(divides) = divides.get_mut(left.column_end - 1)
            {
                *divides = true;
            }
        }
    }
    let mut was_dropped = false;
    let mut indexes = 0..gutters.len();
    let keeps = |_: &f32| {
        let index = indexes.next().unwrap_or_default();
        let is_header = || match sides.get(index..index + 2) {
            Some([left, right]) => {
                let max_gap = MAX_HEADER_GAP_EMS * size;
                left.is_header_of(right, max_gap) || right.is_header_of(left, max_gap)
            }
            _ => false,
        };
        let is_divided = divides.get(index).copied().unwrap_or(true);
        let is_crossed = is_crossed.get(index).copied().unwrap_or(false);
        // The content beside a dropped gutter is no longer known.
        was_dropped = !was_dropped && !is_divided && (is_crossed || is_header());
        !was_dropped
    };
    gutters.retain(keeps);
    gutters
}

fn add_line(line: &TextLine, words: &[Word<'_>], events: &mut Vec<Event>) {
    let mut add = |from: f32, to: f32, wide: i32, narrow: i32, crossed: i32| {
        if from < to {
            events.push(Event {
                at: from,
                wide,
                narrow,
                crossed,
            });
            events.push(Event {
                at: to,
                wide: -wide,
                narrow: -narrow,
                crossed: -crossed,
            });
        }
    };
    let mut end: Option<f32> = None;
    for atom in &line.atoms {
        for (index, word) in atom
            .words
            .iter()
            .filter_map(|index| words.get(*index as usize))
            .enumerate()
        {
            if let Some(end) = end {
                let is_wide = index == 0;
                add(
                    end,
                    word.bbox.x1,
                    i32::from(is_wide),
                    i32::from(!is_wide),
                    0,
                );
            }
            let from = end.map_or(word.bbox.x1, |end| end.max(word.bbox.x1));
            add(from, word.bbox.x2, 0, 0, 1);
            end = Some(end.map_or(word.bbox.x2, |end| end.max(word.bbox.x2)));
        }
    }
}

/// Adds a text across a strip.
fn add_crossed(events: &mut Vec<Event>, from: f32, to: f32) {
    let event = |at, crossed| Event {
        at,
        wide: 0,
        narrow: 0,
        crossed,
    };
    events.extend([event(from, 1), event(to, -1)]);
}

fn strips(events: &mut [Event], rows: usize) -> Vec<Strip> {
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    let (mut wide, mut narrow, mut crossed) = (0, 0, 0);
    let mut strips = Vec::new();
    for pair in events.windows(2) {
        let [event, next] = *pair else { break };
        wide += event.wide;
        narrow += event.narrow;
        crossed += event.crossed;
        if next.at - event.at < 0.01 {
            continue;
        }
        let total = (wide + narrow + crossed) as f32;
        let needed = if rows <= 2 { 1 } else { 2 };
        let is_usable = wide >= needed
            && wide as f32 >= MIN_WIDE_SHARE * total
            && crossed as f32 <= MAX_CROSSED_SHARE * total;
        strips.push(Strip {
            from: event.at,
            to: next.at,
            score: wide as f32 + NARROW_WEIGHT * narrow as f32 - CROSSED_WEIGHT * crossed as f32,
            is_usable,
        });
    }
    strips
}

/// Keeps strips that are better than both neighbors.
fn keep_peaks(strips: &mut Vec<Strip>) {
    // Neighbors with equal scores are one.
    strips.dedup_by(|next, kept| {
        let is_same = next.score == kept.score && next.from - kept.to < 0.01;
        if is_same {
            kept.to = next.to;
        }
        is_same
    });
    let score = |index: Option<usize>| {
        index
            .and_then(|index| strips.get(index))
            .map_or(f32::NEG_INFINITY, |strip| strip.score)
    };
    let peaks: Vec<Strip> = strips
        .iter()
        .enumerate()
        .filter(|(index, strip)| {
            strip.is_usable
                && strip.score >= score(index.checked_sub(1))
                && strip.score >= score(index.checked_add(1))
        })
        .map(|(_, strip)| *strip)
        .collect();
    *strips = peaks;
}

/// The extents of atoms, to ask whether enough of them are within a strip.
struct Spans {
    /// Sorted starts.
    starts: Vec<f32>,
    /// For each start, the two smallest ends among it and all later ones.
    least_ends: Vec<(f32, f32)>,
    /// Whether two atoms are needed for a column.
    needs_two: bool,
}

impl Spans {
    fn new(mut spans: Vec<(f32, f32)>, needs_two: bool) -> Self {
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut least_ends = vec![(f32::INFINITY, f32::INFINITY); spans.len()];
        let mut least = (f32::INFINITY, f32::INFINITY);
        for (span, ends) in spans.iter().zip(&mut least_ends).rev() {
            least = if span.1 < least.0 {
                (span.1, least.0)
            } else {
                (least.0, least.1.min(span.1))
            };
            *ends = least;
        }
        Self {
            starts: spans.iter().map(|span| span.0).collect(),
            least_ends,
            needs_two,
        }
    }

    fn has_column(&self, from: f32, to: f32) -> bool {
        let first = self.starts.partition_point(|start| *start < from - 0.5);
        self.least_ends.get(first).is_some_and(|ends| {
            let end = if self.needs_two { ends.1 } else { ends.0 };
            end <= to + 0.5
        })
    }
}
