//! Step 7: turns rows of glyphs into words and text.

use corpus_blocks::characters::is_right_to_left;
use unicode_normalization::UnicodeNormalization;

use super::bidi::{balance_of_final_letters, in_reading_order};
use super::blocks;
use super::characters::{
    GlyphKind, SOFT_HYPHEN, horizontal_form, is_dropped, is_presentation_form, is_space, mirrored,
};
use super::geometry::{Point, across, along, em, gap, length, minus, quarter_turns};
use super::pieces::Pieces;
use super::rows::{Row, Rows};
use super::sectors::is_mirrored;
use super::source::PageGlyphs;
use super::spacing::{SpacedGlyph, count_cjk, find_words};
use super::{Baseline, Layout, Script, WantedLayout};
use crate::glyphs::Glyph;
use crate::model::{Block, Line, Rect, Word};

/// The maximum number of styles counted per word.
const MAX_STYLES: usize = 16;
/// Maximum size of superscripts and subscripts relative to their line, and their minimum distances
/// above and below its baseline, in sizes of the line.
const MAX_SCRIPT_RATIO: f32 = 0.86;
const MIN_RAISED_EMS: f32 = 0.12;
const MIN_LOWERED_EMS: f32 = 0.08;
/// The minimum distance from the baseline of superscripts as large as their line.
const MIN_RAISED_IF_LARGE_EMS: f32 = 0.25;
/// The minimum share of the glyphs of a line on its baseline: most of a short formula may be
/// superscripts and subscripts.
const MIN_BASE_SHARE: f32 = 0.2;
/// Minimum number of groups of baseline glyphs, with scripts between them.
const MIN_BASE_GROUPS: usize = 2;
/// Maximum difference of the sizes and baselines of baseline glyphs, in sizes.
const SAME_BASE_EMS: f32 = 0.05;

pub(super) fn write(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    wanted: WantedLayout,
) -> Layout {
    let mut writer = Writer {
        source,
        wanted,
        layout: Layout::default(),
        direction: (1.0, 0.0),
        baseline: Baseline::default(),
        word: None,
        word_box: None,
        first_glyph: 0,
        styles: Vec::new(),
        line_start: 0,
    };
    let mut line = Vec::new();
    let is_read_in_mirror = is_read_in_mirror(source, pieces, rows, &mut line);
    for (row, is_start) in rows.rows.iter().zip(blocks::starts(&rows.rows)) {
        writer.direction = pieces.direction(row.sector);
        writer.baseline = Baseline {
            at: row.base,
            size: row.size,
        };
        read_row(source, pieces, rows, row, writer.direction, &mut line);
        if wanted.words {
            writer.baseline = base_of(source, &line, writer.baseline, writer.direction);
        }
        find_words(&mut line);
        writer.start_line(is_start);
        let text = |drawn: &SpacedGlyph| {
            source
                .glyph(drawn.index)
                .map_or("", |glyph| source.text(glyph))
        };
        if source.has_right_to_left
            && !(is_read_in_mirror && is_mirrored(row.sector))
            && line
                .iter()
                .any(|drawn| text(drawn).contains(is_right_to_left))
        {
            for read in in_reading_order(source, &line, writer.direction) {
                if let Some(drawn) = line.get(read.index) {
                    writer.glyph(drawn.index, read.is_apart, read.is_mirrored);
                }
            }
        } else {
            for drawn in &line {
                writer.glyph(drawn.index, drawn.is_apart, false);
            }
        }
        writer.end_line();
    }
    writer.layout
}

/// Whether right-to-left letters are in reading order as seen in the mirror, as in fonts with
/// mirrored shapes. Only word-final letters show this.
fn is_read_in_mirror(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    line: &mut Vec<SpacedGlyph>,
) -> bool {
    if !(source.has_right_to_left && source.has_mirrored) {
        return false;
    }
    let mut balance = 0;
    for row in rows.rows.iter().filter(|row| is_mirrored(row.sector)) {
        let direction = pieces.direction(row.sector);
        read_row(source, pieces, rows, row, direction, line);
        find_words(line);
        balance += balance_of_final_letters(source, line);
    }
    balance > 0
}

/// Reads the glyphs of a row from left to right, with the gaps between them.
fn read_row(
    source: &PageGlyphs<'_>,
    pieces: &Pieces,
    rows: &Rows,
    row: &Row,
    direction: Point,
    line: &mut Vec<SpacedGlyph>,
) {
    line.clear();
    let mut last: Option<&Glyph> = None;
    let (mut is_spaced, mut is_space_of_last) = (false, false);
    // Nested loops are faster than one over all glyphs.
    for piece in rows.pieces(row, pieces) {
        let indexes = pieces.glyphs(piece);
        line.reserve(indexes.len());
        for index in indexes {
            let Some(glyph) = source.glyph(*index) else {
                continue;
            };
            let kind = source.kind(glyph);
            if kind == GlyphKind::Space {
                is_spaced = true;
                is_space_of_last = last.is_some_and(|last| last.run == glyph.run);
                continue;
            }
            let mut drawn = SpacedGlyph {
                index: *index,
                gap: 0.0,
                width: length(minus(glyph.end, glyph.start)) / glyph.size,
                is_spaced,
                is_space_of_last: is_spaced && is_space_of_last,
                is_same_run: false,
                cjk: 0,
                is_visible: kind == GlyphKind::Visible,
                is_apart: false,
            };
            if let Some(last) = last {
                drawn.gap = gap(last, glyph, direction) / em(last, glyph);
                drawn.is_same_run = last.run == glyph.run;
                let (before, after) = (source.bytes(last).last(), source.bytes(glyph).first());
                if before.is_some_and(|byte| !byte.is_ascii())
                    || after.is_some_and(|byte| !byte.is_ascii())
                {
                    drawn.cjk = count_cjk(source.text(last), source.text(glyph));
                }
            }
            is_spaced &= !drawn.is_visible;
            line.push(drawn);
            last = Some(glyph);
        }
    }
}

/// The baseline of a line, taken from its larger glyphs if most glyphs are superscripts and
/// subscripts.
fn base_of(
    source: &PageGlyphs<'_>,
    line: &[SpacedGlyph],
    most: Baseline,
    direction: Point,
) -> Baseline {
    let large = || {
        let glyphs = line.iter().filter_map(|drawn| source.glyph(drawn.index));
        glyphs.filter(|glyph| MAX_SCRIPT_RATIO * glyph.size > most.size)
    };
    let Some(first) = large().next() else {
        return most;
    };
    let (at, size) = (across(first.start, direction), first.size);
    let is_same = |glyph: &&Glyph| {
        let off = across(glyph.start, direction) - at;
        off.abs() <= SAME_BASE_EMS * size && (glyph.size - size).abs() <= SAME_BASE_EMS * size
    };
    let (same, all) = (large().filter(is_same).count(), large().count());
    // A word before smaller text is not a base: there are scripts between glyphs on the baseline.
    let mut groups = 0;
    let mut was_base = false;
    for glyph in line.iter().filter_map(|drawn| source.glyph(drawn.index)) {
        let is_base = is_same(&glyph);
        groups += usize::from(is_base && !was_base);
        was_base = is_base;
    }
    let off = (most.at - at) / size;
    let are_scripts = !(-MIN_RAISED_EMS..MIN_LOWERED_EMS).contains(&off);
    if are_scripts
        && groups >= MIN_BASE_GROUPS
        && 2 * same > all
        && same as f32 >= MIN_BASE_SHARE * line.len() as f32
    {
        Baseline { at, size }
    } else {
        most
    }
}

struct Writer<'a> {
    source: &'a PageGlyphs<'a>,
    wanted: WantedLayout,
    layout: Layout,
    /// The direction of the row.
    direction: Point,
    baseline: Baseline,
    /// The start of the current word in the text.
    word: Option<usize>,
    word_box: Option<Rect>,
    /// The first glyph of the word.
    first_glyph: u32,
    /// The styles of the word's characters, with their counts.
    styles: Vec<(u32, u32)>,
    /// The start of the current line in the text.
    line_start: usize,
}

impl Writer<'_> {
    fn glyph(&mut self, index: u32, is_apart: bool, is_mirrored: bool) {
        let Some(glyph) = self.source.glyph(index) else {
            return;
        };
        if is_apart {
            self.end_word();
        }
        let before = self.layout.text.len();
        let text = match self.source.bytes(glyph) {
            // Visible ASCII needs none of the checks below.
            [byte @ b'!'..=b'~'] if !is_mirrored => {
                self.put(char::from(*byte));
                ""
            }
            _ => self.source.text(glyph),
        };
        for character in text.chars() {
            if character.is_ascii_alphanumeric() {
                self.put(character);
            } else if is_space(character) {
                self.end_word();
            } else if is_dropped(character)
                || (character == SOFT_HYPHEN && is_invisible(glyph, self.direction))
            {
                continue;
            } else if is_presentation_form(character) {
                if let Some(level) = horizontal_form(character) {
                    self.put(level);
                    continue;
                }
                // Some presentation forms of marks decompose into a space and the mark.
                std::iter::once(character)
                    .nfkc()
                    .filter(|part| !is_space(*part))
                    .for_each(|part| self.put(part));
            } else {
                self.put(if is_mirrored {
                    mirrored(character)
                } else {
                    character
                });
            }
        }
        if self.wanted.words && self.word.is_some() {
            self.cover(index, glyph);
            self.script(glyph, before);
        }
    }

    /// Adds the text of a glyph to the scripts, if the glyph is small and off the baseline, or a
    /// digit that is raised within a word.
    fn script(&mut self, glyph: &Glyph, before: usize) {
        let Some(start) = self.word else { return };
        let off = (across(glyph.start, self.direction) - self.baseline.at) / self.baseline.size;
        let is_raised = off < -MIN_RAISED_EMS;
        if !is_raised && off < MIN_LOWERED_EMS {
            return;
        }
        let is_small = glyph.size < MAX_SCRIPT_RATIO * self.baseline.size;
        let is_exponent =
            || off < -MIN_RAISED_IF_LARGE_EMS && before > start && self.is_digits(before);
        if !is_small && !is_exponent() {
            return;
        }
        let word = self.layout.words.len() as u32;
        let from = (before.max(start) - start) as u32;
        let to = (self.layout.text.len() - start) as u32;
        match self.layout.scripts.last_mut() {
            Some(last)
                if last.word == word && last.is_raised == is_raised && last.range.end == from =>
            {
                last.range.end = to;
            }
            _ if from < to => self.layout.scripts.push(Script {
                word,
                range: from..to,
                is_raised,
            }),
            _ => {}
        }
    }

    /// Whether the text from here on has digits only.
    fn is_digits(&self, from: usize) -> bool {
        let text = self.layout.text.get(from..).unwrap_or_default();
        text.bytes().all(|byte| byte.is_ascii_digit())
    }

    #[inline]
    fn put(&mut self, character: char) {
        if self.word.is_none() {
            self.start_word();
        }
        self.layout.text.push(character);
    }

    fn start_word(&mut self) {
        if self.layout.text.len() > self.line_start {
            self.layout.text.push(' ');
        }
        self.word = Some(self.layout.text.len());
    }

    fn cover(&mut self, index: u32, glyph: &Glyph) {
        if self.word_box.is_none() {
            self.first_glyph = index;
        }
        if let Some(covered) = self.source.glyph_box(index, self.direction) {
            self.word_box = Some(
                self.word_box
                    .map_or(covered, |before| before.around(covered)),
            );
        }
        if let Some(style) = self.styles.iter_mut().find(|style| style.0 == glyph.style) {
            style.1 += 1;
        } else if self.styles.len() < MAX_STYLES {
            self.styles.push((glyph.style, 1));
        }
    }

    fn end_word(&mut self) {
        let Some(start) = self.word.take() else {
            return;
        };
        if self.wanted.words {
            // If styles are equally frequent, take the first.
            let style = self
                .styles
                .iter()
                .rev()
                .max_by_key(|style| style.1)
                .map_or(0, |style| style.0);
            self.styles.clear();
            let text = self.layout.text.get(start..).unwrap_or_default().to_owned();
            self.layout.first_glyphs.push(self.first_glyph);
            self.layout.words.push(Word {
                text,
                bbox: self.word_box.take().unwrap_or_default(),
                style,
            });
        }
    }

    fn start_line(&mut self, is_block: bool) {
        if is_block {
            if !self.layout.text.is_empty() {
                self.layout.text.push('\n');
            }
            if self.wanted.words {
                let lines = self.layout.lines.len() as u32;
                self.layout.blocks.push(Block {
                    lines: lines..lines,
                    bbox: Rect::default(),
                });
            }
        }
        self.line_start = self.layout.text.len();
    }

    fn end_line(&mut self) {
        self.end_word();
        if self.layout.text.len() > self.line_start {
            self.layout.text.push('\n');
        }
        if !self.wanted.words {
            return;
        }
        let first = self.layout.lines.last().map_or(0, |line| line.words.end);
        let end = self.layout.words.len() as u32;
        let words = self.layout.words.get(first as usize..).unwrap_or_default();
        let Some(bbox) = words.iter().map(|word| word.bbox).reduce(Rect::around) else {
            return;
        };
        self.layout.lines.push(Line {
            words: first..end,
            bbox,
            quarter_turns: quarter_turns(self.direction),
        });
        self.layout.baselines.push(self.baseline);
        if let Some(block) = self.layout.blocks.last_mut() {
            block.bbox = if block.lines.is_empty() {
                bbox
            } else {
                block.bbox.around(bbox)
            };
            block.lines.end = self.layout.lines.len() as u32;
        }
    }
}

/// Whether a soft hyphen is not drawn.
fn is_invisible(glyph: &Glyph, direction: Point) -> bool {
    along(minus(glyph.end, glyph.start), direction) < 0.05 * glyph.size
}
