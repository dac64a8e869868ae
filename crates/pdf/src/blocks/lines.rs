//! The lines of a page with the styles of their parts, in reading order, with its tables.

use std::collections::HashMap;

use super::super::content::Drawn;
use super::super::content::marked::Identifiers;
use super::super::glyphs::{GlyphStyle, Glyphs};
use super::super::layout::{Layout, Script};
use super::super::model::{
    Line, Link, Page, PageStructure, Rect, StructureEntry, StructureLine, StructureMark,
    StructureMarkKind, Table, Word,
};
use super::super::structure::Tag;
use super::super::tables::frame::Frame;

/// The maximum number of tables and links that a word is compared with.
const MAX_COMPARED: usize = 2_000;
/// How far above or below a table its caption may be, in points.
const CAPTION_REACH: f32 = 90.0;
/// The minimum number of letters of a style from which its widths are judged, and that of
/// different ones.
const MIN_LETTERS: u32 = 12;
const MIN_DIFFERENT: u32 = 5;
/// How much equal widths may differ, in ems.
const SAME_WIDTH_EMS: f32 = 0.02;

/// Collects the content of a page.
pub fn structure(
    layout: &Layout,
    drawn: &Drawn,
    page: &Page,
    tags: Option<&HashMap<i32, Tag>>,
) -> PageStructure {
    let glyphs = &drawn.glyphs;
    let turns = main_direction(layout);
    let frame = Frame::new(turns, page.width, page.height);
    let collector = Collector {
        layout,
        styles: &glyphs.styles,
        is_fixed: fixed_styles(glyphs),
        frame,
        page,
        tags: tags
            .filter(|_| !drawn.identifiers.is_empty())
            .map(|tags| (&drawn.identifiers, tags)),
    };
    PageStructure {
        quarter_turns: turns,
        entries: collector.entries(),
    }
}

/// The direction of most words.
fn main_direction(layout: &Layout) -> u8 {
    let mut counts = [0u64; 4];
    for line in &layout.lines {
        if let Some(count) = counts.get_mut(usize::from(line.quarter_turns)) {
            *count += u64::from(line.words.end - line.words.start);
        }
    }
    (0..4)
        .rev()
        .max_by_key(|turns| counts.get(usize::from(*turns)).copied())
        .unwrap_or(0)
}

/// Whether the characters of each style have the same width: as measured, or as the name says.
fn fixed_styles(glyphs: &Glyphs) -> Vec<bool> {
    #[derive(Clone, Copy)]
    struct Widths {
        min: f32,
        max: f32,
        count: u32,
        letters: u64,
    }
    let mut widths = vec![
        Widths {
            min: f32::INFINITY,
            max: 0.0,
            count: 0,
            letters: 0,
        };
        glyphs.styles.len()
    ];
    for glyph in &glyphs.glyphs {
        let text = glyphs
            .text
            .get(glyph.text.start as usize..glyph.text.end as usize)
            .unwrap_or_default();
        let ([letter], Some(widths)) = (text.as_bytes(), widths.get_mut(glyph.style as usize))
        else {
            continue;
        };
        if letter.is_ascii_alphabetic() {
            let (x, y) = (glyph.end.0 - glyph.start.0, glyph.end.1 - glyph.start.1);
            let width = x.hypot(y) / glyph.size.max(0.01);
            widths.min = widths.min.min(width);
            widths.max = widths.max.max(width);
            widths.count += 1;
            widths.letters |= 1 << (letter & 63);
        }
    }
    let is_fixed = |(style, widths): (&GlyphStyle, &Widths)| {
        let is_same = widths.max - widths.min < SAME_WIDTH_EMS;
        let is_measured =
            widths.count >= MIN_LETTERS && widths.letters.count_ones() >= MIN_DIFFERENT;
        (widths.count == 0 || is_same) && (is_measured || has_fixed_name(&style.style.font))
    };
    glyphs.styles.iter().zip(&widths).map(is_fixed).collect()
}

/// Whether the name of a font is that of one with characters of the same width.
fn has_fixed_name(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "mono",
        "courier",
        "consol",
        "typewriter",
        "cmtt",
        "menlo",
        "fixed",
        "lettergothic",
        "inconsolata",
        "sourcecode",
        "firacode",
        "nimbusmon",
    ];
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|known| name.contains(known))
}

struct Collector<'a> {
    layout: &'a Layout,
    styles: &'a [GlyphStyle],
    is_fixed: Vec<bool>,
    frame: Frame,
    page: &'a Page,
    /// The identifiers of glyphs, and the blocks of identifiers.
    tags: Option<(&'a Identifiers, &'a HashMap<i32, Tag>)>,
}

impl Collector<'_> {
    fn entries(&self) -> Vec<StructureEntry> {
        let mut entries = Vec::with_capacity(self.layout.lines.len());
        let mut is_written = vec![false; self.page.tables.len()];
        let mut scripts = self.layout.scripts.iter().peekable();
        for (index, line) in self.layout.lines.iter().enumerate() {
            let range = line.words.start as usize..line.words.end as usize;
            let words = self.layout.words.get(range.clone()).unwrap_or_default();
            let mut of_line: Vec<Script> = Vec::new();
            while let Some(script) = scripts.next_if(|script| script.word < line.words.end) {
                of_line.push(script.clone());
            }
            let mut outside: Vec<(u32, &Word)> = Vec::with_capacity(words.len());
            for (place, word) in (line.words.start..).zip(words) {
                match self.table_at(word.bbox) {
                    None => outside.push((place, word)),
                    Some(table) => {
                        if let Some(is_written @ false) = is_written.get_mut(table) {
                            *is_written = true;
                            entries.push(StructureEntry::Table(table as u32));
                        }
                    }
                }
            }
            if let Some(written) = self.line(index, line, &outside, &of_line)
                && !self.is_caption(&written)
            {
                entries.push(StructureEntry::Line(written));
            }
        }
        let rest = (0..).zip(is_written).filter(|(_, is_written)| !is_written);
        entries.extend(rest.map(|(table, _)| StructureEntry::Table(table)));
        entries
    }

    /// The table with the centre of a box.
    fn table_at(&self, bbox: Rect) -> Option<usize> {
        let tables = self.page.tables.iter().take(MAX_COMPARED);
        tables
            .into_iter()
            .position(|table| contains(table.bbox, bbox))
    }

    /// Whether a line is a part of the caption of a table, which has it already.
    fn is_caption(&self, line: &StructureLine) -> bool {
        let dense = |text: &str| text.split_whitespace().collect::<String>();
        let is_of = |table: &&Table| {
            let bbox = self.frame.rect(table.bbox);
            let is_near =
                line.base > bbox.y1 - CAPTION_REACH && line.base < bbox.y2 + CAPTION_REACH;
            is_near
                && table
                    .caption
                    .as_deref()
                    .is_some_and(|caption| dense(caption).contains(&dense(&line.text)))
        };
        line.text.len() > 3
            && self
                .page
                .tables
                .iter()
                .take(MAX_COMPARED)
                .any(|table| is_of(&table))
    }

    /// A line of these words.
    fn line(
        &self,
        index: usize,
        line: &Line,
        words: &[(u32, &Word)],
        scripts: &[Script],
    ) -> Option<StructureLine> {
        let bbox = words.iter().map(|(_, word)| word.bbox).reduce(around)?;
        let mut written = StructureLine {
            bbox: self.frame.rect(bbox),
            ..StructureLine::default()
        };
        let is_artifact = |word: &Word| {
            let style = self.styles.get(word.style as usize);
            style.is_some_and(|style| style.artifact)
        };
        written.is_outside = line.quarter_turns != self.frame.turns
            || words.iter().all(|(_, word)| is_artifact(word));
        written.tagged = self.tags.and_then(|(identifiers, tags)| {
            words.iter().find_map(|(place, _)| {
                let glyph = self.layout.first_glyphs.get(*place as usize)?;
                tags.get(&identifiers.of_glyph(*glyph)?).copied()
            })
        });
        let is_fixed = |word: &Word| self.is_fixed.get(word.style as usize) == Some(&true);
        let is_code = words.iter().all(|(_, word)| is_fixed(word));
        let mut last: Option<&Word> = None;
        for (place, word) in words {
            if let Some(last) = last {
                let spaces = match is_code && line.quarter_turns == self.frame.turns {
                    true => self.spaces(last, word),
                    false => 1,
                };
                let start = written.text.len();
                written.text.extend(std::iter::repeat_n(' ', spaces));
                if is_code {
                    add(
                        &mut written.marks,
                        start,
                        written.text.len(),
                        StructureMarkKind::Fixed,
                    );
                }
            }
            last = Some(word);
            let start = written.text.len();
            written.text.push_str(&word.text);
            let end = written.text.len();
            self.styles_of(word, start, end, is_fixed(word), &mut written.marks);
            let from = scripts.partition_point(|script| script.word < *place);
            for script in scripts
                .iter()
                .skip(from)
                .take_while(|script| script.word == *place)
            {
                let kind = match script.is_raised {
                    true => StructureMarkKind::Superscript,
                    false => StructureMarkKind::Subscript,
                };
                let at = |byte: u32| start + byte as usize;
                add(
                    &mut written.marks,
                    at(script.range.start),
                    at(script.range.end),
                    kind,
                );
            }
        }
        let largest = words
            .iter()
            .filter_map(|(_, word)| self.styles.get(word.style as usize))
            .map(|style| style.style.size)
            .fold(0.0, f32::max);
        let baseline = self
            .layout
            .baselines
            .get(index)
            .copied()
            .unwrap_or_default();
        // Words of a table on the same line may have another size.
        written.size = baseline.size.min(largest.max(0.01));
        // The baseline is measured from the corner of the page, across the direction.
        written.base = match line.quarter_turns {
            _ if line.quarter_turns != self.frame.turns => written.bbox.y2,
            1 => baseline.at + self.page.width,
            2 => baseline.at + self.page.height,
            _ => baseline.at,
        };
        Some(written)
    }

    /// The number of spaces between two words of fixed width.
    fn spaces(&self, last: &Word, word: &Word) -> usize {
        const MAX_SPACES: f32 = 80.0;
        let (last_box, bbox) = (self.frame.rect(last.bbox), self.frame.rect(word.bbox));
        let width = (last_box.x2 - last_box.x1) / last.text.chars().count().max(1) as f32;
        let gap = (bbox.x1 - last_box.x2) / width.max(0.01);
        gap.round().clamp(1.0, MAX_SPACES) as usize
    }

    fn styles_of(
        &self,
        word: &Word,
        start: usize,
        end: usize,
        is_fixed: bool,
        marks: &mut Vec<StructureMark>,
    ) {
        let style = self
            .styles
            .get(word.style as usize)
            .map(|style| &style.style);
        if style.is_some_and(|style| style.bold) {
            add(marks, start, end, StructureMarkKind::Bold);
        }
        if style.is_some_and(|style| style.italic) {
            add(marks, start, end, StructureMarkKind::Italic);
        }
        if is_fixed {
            add(marks, start, end, StructureMarkKind::Fixed);
        }
        let links = self.page.links.iter().take(MAX_COMPARED);
        let at = |link: &Link| link.uri.is_some() && contains(link.bbox, word.bbox);
        if let Some(link) = links.into_iter().position(at) {
            add(marks, start, end, StructureMarkKind::Link(link as u32));
        }
    }
}

/// Adds a mark, or extends the last one of its kind over the space before.
fn add(marks: &mut Vec<StructureMark>, start: usize, end: usize, kind: StructureMarkKind) {
    let (start, end) = (start as u32, end as u32);
    let last = marks
        .iter_mut()
        .rev()
        .take(4)
        .find(|mark| mark.kind == kind);
    let is_script = matches!(
        kind,
        StructureMarkKind::Superscript | StructureMarkKind::Subscript
    );
    match last {
        Some(last) if last.range.end == start || (!is_script && last.range.end + 1 == start) => {
            last.range.end = end;
        }
        _ => marks.push(StructureMark {
            range: start..end,
            kind,
        }),
    }
}

/// Whether a box has the centre of another one.
fn contains(outer: Rect, inner: Rect) -> bool {
    let (x, y) = ((inner.x1 + inner.x2) / 2.0, (inner.y1 + inner.y2) / 2.0);
    outer.x1 <= x && x <= outer.x2 && outer.y1 <= y && y <= outer.y2
}

fn around(a: Rect, b: Rect) -> Rect {
    Rect {
        x1: a.x1.min(b.x1),
        y1: a.y1.min(b.y1),
        x2: a.x2.max(b.x2),
        y2: a.y2.max(b.y2),
    }
}
