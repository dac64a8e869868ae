//! Displayed fractions: a numerator and a denominator on separate lines, with a bar between
//! them. They become `(a + b)/c` in the line at the height of the bar.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::content::Drawn;
use crate::disjoint_sets::Sets;
use crate::glyphs::Glyphs;
use crate::layout::Layout;
use crate::model::{DrawnLine, Page, Rect, Word};

/// The maximum number of bars, and of tables that a bar is compared with.
const MAX_COMPARED: usize = 500;

/// The maximum thickness of a bar in points, and its maximum width as a share of the page.
const MAX_THICKNESS_POINTS: f32 = 2.0;
const MAX_WIDTH: f32 = 0.7;
/// How far the baselines of the line of the fraction, its numerator and its denominator are below
/// the bar, in ems.
const LINE_BELOW_EMS: Range<f32> = 0.1..0.45;
const NUMERATOR_BELOW_EMS: Range<f32> = -1.4..-0.05;
const DENOMINATOR_BELOW_EMS: Range<f32> = 0.5..1.7;
/// The maximum gap between a fraction and the words beside it, in ems.
const MAX_GAP_EMS: f32 = 1.5;
/// The maximum gap between the pieces of a bar, in points.
const MAX_GAP_IN_BAR_POINTS: f32 = 0.5;
/// The maximum distance of words from their bar in points, and the maximum number of words at such
/// a distance.
const MAX_DISTANCE_POINTS: f32 = 60.0;
const MAX_WORDS_AROUND: usize = 2_000;
/// How far the numerator and the denominator may extend beyond the bar, in ems.
const OVERHANG_EMS: f32 = 0.3;

/// A word of a line, with the signs of fractions around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlacedWord {
    /// The index of the word on the page.
    pub word: u32,
    pub before: &'static str,
    pub after: &'static str,
}

/// The lines of a page that contain fractions.
#[derive(Debug, Default)]
pub struct Fractions {
    /// The words of these lines in reading order, by the index of the line.
    lines: HashMap<usize, Vec<PlacedWord>>,
    /// The words that belong to another line than the one they are drawn on.
    moved: HashSet<u32>,
}

impl Fractions {
    /// The words of a line.
    pub(super) fn words_of(&self, line: usize, words: Range<u32>) -> Vec<PlacedWord> {
        if let Some(placed) = self.lines.get(&line) {
            return placed.clone();
        }
        let plain = |word| PlacedWord {
            word,
            ..PlacedWord::default()
        };
        let own = words.filter(|word| !self.moved.contains(word));
        own.map(plain).collect()
    }

    /// Whether most words in a box belong to lines with fractions.
    pub fn fill(&self, bbox: Rect, layout: &Layout) -> bool {
        if self.moved.is_empty() {
            return false;
        }
        let words = (0..).zip(&layout.words);
        let inside = words.filter(|(_, word)| bbox.has_center_of(word.bbox));
        let (own, others): (Vec<u32>, Vec<u32>) = inside
            .map(|(index, _)| index)
            .partition(|index| self.moved.contains(index));
        own.len() > others.len()
    }

    /// Finds the fractions of an upright page.
    pub fn of(layout: &Layout, drawn: &Drawn, page: &Page) -> Self {
        let bars = bars(&drawn.drawing.lines, page);
        if bars.is_empty() {
            return Self::default();
        }
        let mut finder = Finder {
            layout,
            words: collect_words(layout, &drawn.glyphs),
            sets: Sets::new(layout.lines.len()),
            found: Vec::new(),
            taken: HashSet::new(),
            mains: HashSet::new(),
        };
        for bar in bars {
            finder.add(bar);
        }
        finder.finish()
    }
}

/// A horizontal line that may be the bar of a fraction.
#[derive(Clone, Copy)]
struct Bar {
    from: f32,
    to: f32,
    y: f32,
}

/// The lines that may be bars of fractions, from the shortest one. Lines in tables are not.
fn bars(lines: &[DrawnLine], page: &Page) -> Vec<Bar> {
    let is_bar = |line: &&DrawnLine| {
        line.y1 == line.y2
            && line.width <= MAX_THICKNESS_POINTS
            && !(page.tables.iter().take(MAX_COMPARED)).any(|table| {
                let bbox = table.bbox;
                (bbox.x1..=bbox.x2).contains(&line.x1) && (bbox.y1..=bbox.y2).contains(&line.y1)
            })
    };
    let bars = lines.iter().filter(is_bar).map(|line| Bar {
        from: line.x1.min(line.x2),
        to: line.x1.max(line.x2),
        y: line.y1,
    });
    let mut bars: Vec<Bar> = bars.collect();
    // Some programs draw a bar piece by piece.
    bars.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.from.total_cmp(&b.from)));
    bars.dedup_by(|next, kept| {
        let is_piece = next.y == kept.y && next.from <= kept.to + MAX_GAP_IN_BAR_POINTS;
        if is_piece {
            kept.to = kept.to.max(next.to);
        }
        is_piece
    });
    bars.retain(|bar| bar.to - bar.from < MAX_WIDTH * page.width);
    bars.sort_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)));
    bars.truncate(MAX_COMPARED);
    bars
}

/// A word with its baseline, the size of its letters, and its line.
struct Placed {
    base: f32,
    size: f32,
    word: u32,
    line: usize,
}

/// The words of upright lines, from top to bottom.
fn collect_words(layout: &Layout, glyphs: &Glyphs) -> Vec<Placed> {
    let upright = layout.lines.iter().enumerate();
    let upright = upright.filter(|(_, line)| line.quarter_turns == 0);
    let words = upright.flat_map(|(index, line)| line.words.clone().map(move |word| (index, word)));
    let placed = words.filter_map(|(line, word)| {
        let first = *layout.first_glyphs.get(word as usize)? as usize;
        let glyph = glyphs.glyphs.get(first)?;
        Some(Placed {
            base: glyph.start.1,
            size: glyph.size,
            word,
            line,
        })
    });
    let mut placed: Vec<Placed> = placed.filter(|placed| placed.size > 0.0).collect();
    placed.sort_by(|a, b| a.base.total_cmp(&b.base));
    placed
}

struct Fraction {
    bar: Bar,
    numerator: Vec<u32>,
    denominator: Vec<u32>,
    /// The index of a line beside it.
    line: usize,
}

struct Finder<'a> {
    layout: &'a Layout,
    words: Vec<Placed>,
    /// Lines that are one line with fractions in it.
    sets: Sets,
    found: Vec<Fraction>,
    /// The words of numerators and denominators.
    taken: HashSet<u32>,
    /// The lines beside fractions.
    mains: HashSet<usize>,
}

impl Finder<'_> {
    fn word(&self, word: u32) -> Option<&Word> {
        self.layout.words.get(word as usize)
    }

    /// The words whose baseline is at this distance below a bar, with their boxes.
    fn words_below(&self, bar: Bar, ems: &Range<f32>) -> impl Iterator<Item = (&Placed, Rect)> {
        let first = (self.words).partition_point(|word| word.base < bar.y - MAX_DISTANCE_POINTS);
        let near = self.words.iter().skip(first).take(MAX_WORDS_AROUND);
        let near = near.take_while(move |word| word.base < bar.y + MAX_DISTANCE_POINTS);
        let near = near.filter(move |word| ems.contains(&((word.base - bar.y) / word.size)));
        near.filter_map(|placed| Some((placed, self.word(placed.word)?.bbox)))
    }

    fn words_of_line(&self, line: usize) -> Range<u32> {
        let line = self.layout.lines.get(line);
        line.map_or(0..0, |line| line.words.clone())
    }

    /// The words above or below a bar; `None` if one belongs to another fraction.
    fn part(&self, bar: Bar, ems: &Range<f32>) -> Option<Vec<u32>> {
        let mut words = Vec::new();
        for (placed, bbox) in self.words_below(bar, ems) {
            let margin = OVERHANG_EMS * placed.size;
            if bbox.x1 > bar.from - margin && bbox.x2 < bar.to + margin {
                if self.taken.contains(&placed.word) {
                    return None;
                }
                words.push((bbox.x1, placed.word));
            }
        }
        words.sort_by(|a, b| a.0.total_cmp(&b.0));
        (!words.is_empty()).then(|| words.into_iter().map(|(_, word)| word).collect())
    }

    /// Adds the fraction of a bar, if it has one.
    fn add(&mut self, bar: Bar) {
        let parts = self.part(bar, &NUMERATOR_BELOW_EMS);
        let parts = parts.zip(self.part(bar, &DENOMINATOR_BELOW_EMS));
        let Some((numerator, denominator)) = parts else {
            return;
        };
        // The nearest lines at the height of the bar on each side.
        let mut left: Option<(usize, f32)> = None;
        let mut right: Option<(usize, f32)> = None;
        for (placed, bbox) in self.words_below(bar, &LINE_BELOW_EMS) {
            let (before, after) = (bar.from - bbox.x2, bbox.x1 - bar.to);
            // A word on the bar is struck out, or below a root.
            if before.max(after) < -OVERHANG_EMS * placed.size {
                return;
            }
            let gap = MAX_GAP_EMS * placed.size;
            if before > after && before < left.map_or(gap, |(_, nearest)| nearest) {
                left = Some((placed.line, before));
            } else if after > before && after < right.map_or(gap, |(_, nearest)| nearest) {
                right = Some((placed.line, after));
            }
        }
        let Some((line, _)) = left.or(right) else {
            return;
        };
        if let (Some((left, _)), Some((right, _))) = (left, right) {
            self.sets.join(left, right);
        }
        let beside = left.into_iter().chain(right);
        self.mains.extend(beside.map(|(line, _)| line));
        self.taken.extend(numerator.iter().chain(&denominator));
        self.found.push(Fraction {
            bar,
            numerator,
            denominator,
            line,
        });
    }

    fn finish(mut self) -> Fractions {
        let mut fractions = Fractions::default();
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for line in std::mem::take(&mut self.mains) {
            groups.entry(self.sets.first(line)).or_default().push(line);
        }
        let mut found: HashMap<usize, Vec<Fraction>> = HashMap::new();
        for fraction in std::mem::take(&mut self.found) {
            let group = self.sets.first(fraction.line);
            found.entry(group).or_default().push(fraction);
        }
        for (group, lines) in groups {
            let Some(first) = lines.iter().min().copied() else {
                continue;
            };
            let words = lines.iter().flat_map(|line| self.words_of_line(*line));
            let words = words.filter(|word| !self.taken.contains(word));
            // The left edge of each word and fraction, and its words.
            let mut parts: Vec<(f32, Vec<PlacedWord>)> = words
                .map(|word| {
                    let left = self.word(word).map_or(0.0, |word| word.bbox.x1);
                    let plain = PlacedWord {
                        word,
                        ..PlacedWord::default()
                    };
                    (left, vec![plain])
                })
                .collect();
            for fraction in found.remove(&group).into_iter().flatten() {
                parts.push((fraction.bar.from, self.place_words(&fraction)));
            }
            parts.sort_by(|a, b| a.0.total_cmp(&b.0));
            let placed: Vec<PlacedWord> = parts.into_iter().flat_map(|part| part.1).collect();
            fractions
                .moved
                .extend(placed.iter().map(|placed| placed.word));
            fractions.lines.insert(first, placed);
        }
        fractions
    }

    /// The words of a fraction with its signs.
    fn place_words(&self, fraction: &Fraction) -> Vec<PlacedWord> {
        let is_simple = |words: &[u32]| match words {
            [word] => self
                .word(*word)
                .is_some_and(|word| word.text.chars().all(char::is_alphanumeric)),
            _ => false,
        };
        let mut placed = Vec::new();
        for (words, signs, plain) in [
            (&fraction.numerator, ("(", ")/"), "/"),
            (&fraction.denominator, ("(", ")"), ""),
        ] {
            let (before, after) = if is_simple(words) { ("", plain) } else { signs };
            let start = placed.len();
            placed.extend(words.iter().map(|word| PlacedWord {
                word: *word,
                ..PlacedWord::default()
            }));
            if let Some(first) = placed.get_mut(start) {
                first.before = before;
            }
            if let Some(last) = placed.last_mut() {
                last.after = after;
            }
        }
        placed
    }
}
