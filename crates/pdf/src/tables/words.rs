//! The words of a page, and the lines that they form.

use super::frame::Frame;
use crate::glyphs::GlyphStyle;
use crate::layout::Layout;
use crate::model::Rect;

/// The gap that separates atoms, in ems: at least, and at most if words are far apart.
const MIN_ATOM_GAP_EMS: f32 = 0.8;
const MAX_ATOM_GAP_EMS: f32 = 1.1;
/// The same in multiples of the usual gap between the words of the line.
const ATOM_GAP_RATIO: f32 = 1.8;
/// How far the centres of words on one line may differ, in ems.
const LEVEL_EMS: f32 = 0.35;
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
}

impl Word<'_> {
    pub(super) fn center(&self) -> (f32, f32) {
        (
            (self.bbox.x1 + self.bbox.x2) / 2.0,
            (self.bbox.y1 + self.bbox.y2) / 2.0,
        )
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
    for (number, line) in (0..).zip(&layout.lines) {
        let range = line.words.start as usize..line.words.end as usize;
        for word in layout.words.get(range).unwrap_or_default() {
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
            });
        }
    }
    words
}

/// Divides words into atoms. The words of a line of the layout have to follow each other.
pub(super) fn atoms(words: &[Word<'_>], chosen: &[u32]) -> Vec<Atom> {
    let line = |place: u32| words.get(place as usize).map(|word| word.line);
    let mut atoms = Vec::new();
    let mut sorted: Vec<(u32, &Word<'_>)> = Vec::new();
    for same_line in chosen.chunk_by(|a, b| line(*a) == line(*b)) {
        sorted.clear();
        sorted.extend(
            same_line
                .iter()
                .filter_map(|place| Some((*place, words.get(*place as usize)?)))
                .filter(|(_, word)| word.is_level),
        );
        sorted.sort_by(|a, b| a.1.bbox.x1.total_cmp(&b.1.bbox.x1));
        let limit = gap_limit(&sorted);
        let mut end = f32::NEG_INFINITY;
        for (place, word) in &sorted {
            let y = word.center().1;
            match atoms.last_mut() {
                Some(Atom {
                    words,
                    x2,
                    y: base,
                    size,
                    ..
                }) if end > f32::NEG_INFINITY && word.bbox.x1 - end <= limit * word.size.max(*size) => {
                    words.push(*place);
                    *x2 = x2.max(word.bbox.x2);
                    // The largest word decides, not an index.
                    if word.size > *size {
                        (*base, *size) = (y, word.size);
                    }
                }
                _ => atoms.push(Atom {
                    words: vec![*place],
                    x1: word.bbox.x1,
                    x2: word.bbox.x2,
                    y,
                    size: word.size,
                }),
            }
            end = end.max(word.bbox.x2);
        }
    }
    atoms
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
            Some(line) if atom.y - line.y <= LEVEL_EMS * atom.size.min(line.size) => {
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
    lines
}
