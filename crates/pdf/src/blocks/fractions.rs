//! Displayed fractions: a numerator and a denominator on lines of their own, with a bar between
//! them. They become `(a + b)/c` in the line at the height of the bar.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::super::disjoint_sets::Sets;
use super::super::layout::Layout;
use super::super::model::{DrawnLine, Page, Word};
use super::MAX_COMPARED;

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
/// The maximum number of lines of a numerator or denominator, for example with limits of sums.
const MAX_LINES: usize = 3;
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
pub(super) struct Fractions {
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

    /// Finds the fractions of an upright page.
    pub(super) fn of(layout: &Layout, lines: &[DrawnLine], page: &Page) -> Self {
        let is_bar = |line: &&DrawnLine| {
            line.y1 == line.y2
                && line.width <= MAX_THICKNESS_POINTS
                && (line.x2 - line.x1).abs() < MAX_WIDTH * page.width
                && !(page.tables.iter().take(MAX_COMPARED)).any(|table| {
                    let bbox = table.bbox;
                    (bbox.x1..=bbox.x2).contains(&line.x1) && (bbox.y1..=bbox.y2).contains(&line.y1)
                })
        };
        let bars = lines.iter().filter(is_bar).take(MAX_COMPARED);
        let bars = bars.map(|line| Bar {
            from: line.x1.min(line.x2),
            to: line.x1.max(line.x2),
            y: line.y1,
        });
        let mut bars: Vec<Bar> = bars.collect();
        bars.sort_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)));
        let mut finder = Finder {
            layout,
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

#[derive(Clone, Copy)]
struct Bar {
    from: f32,
    to: f32,
    y: f32,
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

    /// The lines whose baseline is at this distance below a bar, with their sizes.
    fn lines_below(&self, bar: Bar, ems: &Range<f32>) -> Vec<(usize, f32)> {
        let lines = self.layout.lines.iter().zip(&self.layout.baselines);
        let near = lines.enumerate().filter(|(_, (line, baseline))| {
            line.quarter_turns == 0 && ems.contains(&((baseline.at - bar.y) / baseline.size))
        });
        near.map(|(index, (_, baseline))| (index, baseline.size))
            .collect()
    }

    fn words(&self, line: usize) -> Range<u32> {
        let line = self.layout.lines.get(line);
        line.map_or(0..0, |line| line.words.clone())
    }

    /// The words above or below a bar, and their lines.
    fn part(&self, bar: Bar, ems: &Range<f32>) -> (Vec<u32>, Vec<usize>) {
        let (mut words, mut lines) = (Vec::new(), Vec::new());
        for (line, size) in self.lines_below(bar, ems) {
            let margin = OVERHANG_EMS * size;
            let is_inside = |index: &u32| {
                self.word(*index).is_some_and(|word| {
                    word.bbox.x1 > bar.from - margin && word.bbox.x2 < bar.to + margin
                })
            };
            let before = words.len();
            words.extend(self.words(line).filter(is_inside));
            if words.len() > before {
                lines.push(line);
            }
        }
        let left = |index: &u32| self.word(*index).map_or(0.0, |word| word.bbox.x1);
        words.sort_by(|a, b| left(a).total_cmp(&left(b)));
        (words, lines)
    }

    /// Adds the fraction of a bar, if it has one.
    fn add(&mut self, bar: Bar) {
        let (numerator, above) = self.part(bar, &NUMERATOR_BELOW_EMS);
        let (denominator, below) = self.part(bar, &DENOMINATOR_BELOW_EMS);
        let is_part = |lines: &[usize]| (1..=MAX_LINES).contains(&lines.len());
        if !is_part(&above) || !is_part(&below) {
            return;
        }
        let is_used = |word: &u32| self.taken.contains(word);
        if numerator.iter().chain(&denominator).any(is_used)
            || above
                .iter()
                .chain(&below)
                .any(|line| self.mains.contains(line))
        {
            return;
        }
        // The nearest lines at the height of the bar on each side.
        let (mut left, mut right): (Option<(usize, f32)>, Option<(usize, f32)>) = (None, None);
        for (line, size) in self.lines_below(bar, &LINE_BELOW_EMS) {
            for word in self.words(line).filter_map(|index| self.word(index)) {
                let (before, after) = (bar.from - word.bbox.x2, word.bbox.x1 - bar.to);
                // A word on the bar is struck out, or below a root.
                if before.max(after) < -OVERHANG_EMS * size {
                    return;
                }
                let gap = MAX_GAP_EMS * size;
                if before > after && before < left.map_or(gap, |(_, nearest)| nearest) {
                    left = Some((line, before));
                } else if after > before && after < right.map_or(gap, |(_, nearest)| nearest) {
                    right = Some((line, after));
                }
            }
        }
        let Some((line, _)) = left.or(right) else {
            return;
        };
        if let (Some((left, _)), Some((right, _))) = (left, right) {
            self.sets.join(left, right);
        }
        self.mains
            .extend(left.into_iter().chain(right).map(|(line, _)| line));
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
            let words = lines.iter().flat_map(|line| self.words(*line));
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
                parts.push((fraction.bar.from, self.placed(&fraction)));
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
    fn placed(&self, fraction: &Fraction) -> Vec<PlacedWord> {
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
