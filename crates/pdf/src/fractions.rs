//! Displayed fractions, with a numerator and a denominator on separate lines and a bar between
//! them, and roots, with a bar above the radicand. They become `(a + b)/c` and `√(a + b)` in the
//! line at their height. They may be parts of each other.

use std::cmp::Reverse;
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
/// How far the baselines of the sign of a root and its radicand are below the bar, in ems. The sign
/// may hang from its baseline.
const SIGN_BELOW_EMS: Range<f32> = -0.5..2.5;
const RADICAND_BELOW_EMS: Range<f32> = 0.05..2.0;
/// How far the baseline of the line of a fraction is below the bar, in ems.
const BASE_BELOW_BAR_EMS: f32 = 0.25;
/// The maximum number of words and units above or below a bar.
const MAX_PARTS: usize = 200;
/// The maximum number of levels of fractions and roots.
const MAX_DEPTH: usize = 8;
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

/// A word of a line, with the signs of fractions and roots around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlacedWord {
    /// The index of the word on the page.
    pub word: u32,
    pub before: String,
    pub after: String,
    /// Whether the next word follows without a space.
    pub is_glued: bool,
}

impl PlacedWord {
    fn new(word: u32) -> Self {
        Self {
            word,
            ..Self::default()
        }
    }
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
        let own = words.filter(|word| !self.moved.contains(word));
        own.map(PlacedWord::new).collect()
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
            bars: bars.clone(),
            found: Vec::new(),
            owners: HashMap::new(),
        };
        finder.bars.sort_by(|a, b| a.y.total_cmp(&b.y));
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

/// A fraction or root.
struct Unit {
    kind: UnitKind,
    /// Its left and right edge, its top, the baseline of the text beside it, and its size.
    from: f32,
    to: f32,
    top: f32,
    base: f32,
    size: f32,
    /// The lines that it is a part of. A fraction without any may be a part of another unit.
    lines: Vec<usize>,
    /// The number of levels of units in it, including itself.
    depth: usize,
    /// Whether it is a part of another unit.
    is_inner: bool,
}

enum UnitKind {
    Fraction(Vec<Part>, Vec<Part>),
    /// The sign of a root, and what is below its bar.
    Root(u32, Vec<Part>),
}

/// A part of a fraction or root, by its index.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Word(u32),
    Unit(usize),
}

struct Finder<'a> {
    layout: &'a Layout,
    words: Vec<Placed>,
    /// From the top.
    bars: Vec<Bar>,
    found: Vec<Unit>,
    /// For each word in a fraction or root, the outermost one that contains it, by its index.
    owners: HashMap<u32, usize>,
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

    /// The words and units above or below a bar, from the left; `None` if there are none, or if one
    /// belongs to a unit that extends beyond them.
    fn parts(&self, bar: Bar, ems: &Range<f32>) -> Option<Vec<Part>> {
        let is_within = |from: f32, to: f32, size: f32| {
            let margin = OVERHANG_EMS * size;
            from > bar.from - margin && to < bar.to + margin
        };
        let units = self.found.iter().enumerate().filter(|(_, unit)| {
            !unit.is_inner
                && ems.contains(&((unit.base - bar.y) / unit.size))
                && is_within(unit.from, unit.to, unit.size)
        });
        let mut parts: Vec<(f32, Part)> = units
            .map(|(index, unit)| (unit.from, Part::Unit(index)))
            .collect();
        for (placed, bbox) in self.words_below(bar, ems) {
            if !is_within(bbox.x1, bbox.x2, placed.size) {
                continue;
            }
            match self.owners.get(&placed.word) {
                None if self.is_beyond_bar(bar, placed.base, bbox) => {}
                None => parts.push((bbox.x1, Part::Word(placed.word))),
                Some(unit) if parts.iter().any(|(_, part)| *part == Part::Unit(*unit)) => {}
                Some(_) => return None,
            }
        }
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        (1..=MAX_PARTS)
            .contains(&parts.len())
            .then(|| parts.into_iter().map(|(_, part)| part).collect())
    }

    /// Whether another bar is between a bar and a word above or below it.
    fn is_beyond_bar(&self, bar: Bar, base: f32, bbox: Rect) -> bool {
        let center = (bbox.x1 + bbox.x2) / 2.0;
        let (top, bottom) = (bar.y.min(base), bar.y.max(base));
        let first = self.bars.partition_point(|other| other.y <= top);
        let between = self.bars.iter().skip(first);
        let mut between = between.take_while(|other| other.y < bottom);
        between.any(|other| other.y != bar.y && (other.from..other.to).contains(&center))
    }

    /// Adds the root or fraction of a bar, if it has one.
    fn add(&mut self, bar: Bar) {
        if let Some(unit) = self.root(bar).or_else(|| self.fraction(bar)) {
            self.push(unit);
        }
    }

    fn push(&mut self, unit: Unit) {
        let index = self.found.len();
        for part in unit.parts() {
            match part {
                Part::Word(word) => {
                    self.owners.insert(word, index);
                }
                Part::Unit(inner) => {
                    if let Some(inner) = self.found.get_mut(inner) {
                        inner.is_inner = true;
                    }
                    for owner in self.owners.values_mut().filter(|owner| **owner == inner) {
                        *owner = index;
                    }
                }
            }
        }
        if let UnitKind::Root(sign, _) = unit.kind {
            self.owners.insert(sign, index);
        }
        self.found.push(unit);
    }

    /// The depth of a unit with these parts, unless it is too large.
    fn depth(&self, parts: &[Part]) -> Option<usize> {
        let depths = parts.iter().map(|part| match part {
            Part::Word(_) => 0,
            Part::Unit(unit) => self.found.get(*unit).map_or(0, |unit| unit.depth),
        });
        Some(depths.max()? + 1).filter(|depth| *depth <= MAX_DEPTH)
    }

    /// The top of a part.
    fn top(&self, part: Part) -> Option<f32> {
        match part {
            Part::Word(word) => Some(self.word(word)?.bbox.y1),
            Part::Unit(unit) => Some(self.found.get(unit)?.top),
        }
    }

    /// The root whose bar this is: the bar starts at the end of its sign.
    fn root(&self, bar: Bar) -> Option<Unit> {
        let is_sign = |(placed, bbox): &(&Placed, Rect)| {
            (bbox.x2 - bar.from).abs() < OVERHANG_EMS * placed.size
                && !self.owners.contains_key(&placed.word)
                && self
                    .word(placed.word)
                    .is_some_and(|word| word.text.ends_with('√'))
        };
        let (sign, sign_box) = self.words_below(bar, &SIGN_BELOW_EMS).find(is_sign)?;
        let parts = self.parts(bar, &RADICAND_BELOW_EMS)?;
        // The text beside a root is level with its first word or unit on the main line.
        let level = |part: &Part| match part {
            Part::Unit(unit) => {
                let unit = self.found.get(*unit)?;
                Some((unit.base, unit.size))
            }
            Part::Word(word) => {
                let placed = self.words.iter().find(|placed| placed.word == *word)?;
                Some((placed.base, placed.size))
            }
        };
        let levels = parts.iter().filter_map(level);
        let (base, size) = levels.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let mut lines = vec![sign.line];
        for part in &parts {
            match part {
                Part::Word(word) => lines.extend(self.line_of(*word)),
                Part::Unit(unit) => {
                    lines.extend(
                        self.found
                            .get(*unit)
                            .into_iter()
                            .flat_map(|unit| &unit.lines),
                    );
                }
            }
        }
        Some(Unit {
            from: sign_box.x1,
            to: bar.to,
            top: bar.y,
            base,
            size,
            lines,
            depth: self.depth(&parts)?,
            is_inner: false,
            kind: UnitKind::Root(sign.word, parts),
        })
    }

    fn line_of(&self, word: u32) -> Option<usize> {
        let lines = &self.layout.lines;
        let line = lines.partition_point(|line| line.words.end <= word);
        (line < lines.len()).then_some(line)
    }

    fn fraction(&self, bar: Bar) -> Option<Unit> {
        let numerator = self.parts(bar, &NUMERATOR_BELOW_EMS)?;
        let denominator = self.parts(bar, &DENOMINATOR_BELOW_EMS)?;
        // The nearest lines at the height of the bar on each side.
        let mut left: Option<(usize, f32)> = None;
        let mut right: Option<(usize, f32)> = None;
        let mut size: f32 = 0.0;
        for (placed, bbox) in self.words_below(bar, &LINE_BELOW_EMS) {
            let (before, after) = (bar.from - bbox.x2, bbox.x1 - bar.to);
            // A word on the bar is struck out.
            if before.max(after) < -OVERHANG_EMS * placed.size {
                return None;
            }
            let gap = MAX_GAP_EMS * placed.size;
            if before > after && before < left.map_or(gap, |(_, nearest)| nearest) {
                left = Some((placed.line, before));
            } else if after > before && after < right.map_or(gap, |(_, nearest)| nearest) {
                right = Some((placed.line, after));
            } else {
                continue;
            }
            size = size.max(placed.size);
        }
        let beside = left.into_iter().chain(right);
        let lines = beside.map(|(line, _)| line).collect();
        let depth = self.depth(&numerator)?.max(self.depth(&denominator)?);
        let top = numerator.iter().filter_map(|part| self.top(*part));
        let top = top.fold(bar.y, f32::min);
        if size == 0.0 {
            size = (bar.y - top).max(1.0);
        }
        Some(Unit {
            kind: UnitKind::Fraction(numerator, denominator),
            from: bar.from,
            to: bar.to,
            top,
            base: bar.y + BASE_BELOW_BAR_EMS * size,
            size,
            lines,
            depth,
            is_inner: false,
        })
    }

    fn finish(self) -> Fractions {
        let mut fractions = Fractions::default();
        // Lines that are one line with fractions and roots in it.
        let mut sets = Sets::new(self.layout.lines.len());
        let outer = || {
            let outer = self.found.iter().enumerate();
            outer.filter(|(_, unit)| !unit.is_inner && !unit.lines.is_empty())
        };
        let mut mains: HashSet<usize> = HashSet::new();
        for (_, unit) in outer() {
            for (a, b) in unit.lines.iter().zip(unit.lines.iter().skip(1)) {
                sets.join(*a, *b);
            }
            mains.extend(&unit.lines);
        }
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for line in mains {
            groups.entry(sets.first(line)).or_default().push(line);
        }
        let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, unit) in outer() {
            if let Some(line) = unit.lines.first() {
                found.entry(sets.first(*line)).or_default().push(index);
            }
        }
        let is_taken = |word: &u32| {
            let owner = self
                .owners
                .get(word)
                .and_then(|owner| self.found.get(*owner));
            owner.is_some_and(|owner| !owner.lines.is_empty())
        };
        for (group, lines) in groups {
            // The line with the most words has the level of the text.
            let most = |line: &&usize| (self.words_of_line(**line).len(), Reverse(**line));
            let Some(main) = lines.iter().max_by_key(most).copied() else {
                continue;
            };
            let words = lines.iter().flat_map(|line| self.words_of_line(*line));
            let words = words.filter(|word| !is_taken(word));
            // The left edge of each word and unit, and its words.
            let mut parts: Vec<(f32, Vec<PlacedWord>)> = words
                .map(|word| {
                    let left = self.word(word).map_or(0.0, |word| word.bbox.x1);
                    (left, vec![PlacedWord::new(word)])
                })
                .collect();
            for index in found.remove(&group).into_iter().flatten() {
                let left = self.found.get(index).map_or(0.0, |unit| unit.from);
                let mut placed = Vec::new();
                self.place(Part::Unit(index), &mut placed);
                parts.push((left, placed));
            }
            parts.sort_by(|a, b| a.0.total_cmp(&b.0));
            let placed: Vec<PlacedWord> = parts.into_iter().flat_map(|part| part.1).collect();
            fractions
                .moved
                .extend(placed.iter().map(|placed| placed.word));
            fractions.lines.insert(main, placed);
        }
        fractions
    }

    /// Adds the words of a part with their signs.
    fn place(&self, part: Part, placed: &mut Vec<PlacedWord>) {
        let unit = match part {
            Part::Word(word) => return placed.push(PlacedWord::new(word)),
            Part::Unit(unit) => self.found.get(unit),
        };
        match unit.map(|unit| &unit.kind) {
            Some(UnitKind::Fraction(numerator, denominator)) => {
                self.place_all(numerator, placed);
                if let Some(last) = placed.last_mut() {
                    last.after.push('/');
                    last.is_glued = true;
                }
                self.place_all(denominator, placed);
            }
            Some(UnitKind::Root(sign, parts)) => {
                placed.push(PlacedWord {
                    is_glued: true,
                    ..PlacedWord::new(*sign)
                });
                self.place_all(parts, placed);
            }
            None => {}
        }
    }

    /// Adds the words of some parts, in parentheses unless they are a single word.
    fn place_all(&self, parts: &[Part], placed: &mut Vec<PlacedWord>) {
        let is_simple = match parts {
            [Part::Word(word)] => self
                .word(*word)
                .is_some_and(|word| word.text.chars().all(char::is_alphanumeric)),
            _ => false,
        };
        let start = placed.len();
        for part in parts {
            self.place(*part, placed);
        }
        if is_simple {
            return;
        }
        if let Some(first) = placed.get_mut(start) {
            first.before.insert(0, '(');
        }
        if let Some(last) = placed.last_mut() {
            last.after.push(')');
        }
    }
}

impl Unit {
    fn parts(&self) -> Vec<Part> {
        match &self.kind {
            UnitKind::Fraction(numerator, denominator) => {
                numerator.iter().chain(denominator).copied().collect()
            }
            UnitKind::Root(_, parts) => parts.clone(),
        }
    }
}
