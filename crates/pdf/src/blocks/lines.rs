//! The lines of a page with the styles of their parts, in reading order, with its tables.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use unicode_normalization::char::compose;

use super::super::content::Drawn;
use super::super::content::marked::Identifiers;
use super::super::glyphs::{GlyphStyle, Glyphs};
use super::super::layout::{Layout, Script};
use super::super::letterforms::Letterforms;
use super::super::model::{
    Line, Link, Page, PageStructure, Rect, StructureEntry, StructureLine, StructureMark,
    StructureMarkKind, Table, Word,
};
use super::super::structure::Tag;
use super::super::tables::frame::Frame;
use super::caption_of;
use super::formulas::{self, Part, alphabet};

/// The maximum number of tables and links that a word is compared with.
const MAX_COMPARED: usize = 500;
/// How far above or below a table its caption may be, in points.
const CAPTION_REACH: f32 = 90.0;
/// The gap after a heading at the start of a paragraph, in ems.
const MIN_RUN_IN_GAP_EMS: f32 = 0.75;
const MAX_RUN_IN_GAP_EMS: f32 = 2.0;
/// The minimum gap between the cells of a row, in ems.
const MIN_CELL_GAP_EMS: f32 = 1.5;
/// The maximum gap between a word and its superscript or subscript, in ems.
const MAX_SCRIPT_GAP_EMS: f32 = 0.2;

/// Collects the content of a page.
pub fn structure(
    layout: &Layout,
    drawn: &Drawn,
    page: &Page,
    forms: &Letterforms,
    tags: Option<&HashMap<i32, Tag>>,
) -> PageStructure {
    let glyphs = &drawn.glyphs;
    let turns = main_direction(layout);
    let frame = Frame::new(turns, page.width, page.height);
    let collector = Collector {
        layout,
        glyphs,
        styles: &glyphs.styles,
        is_fixed: &forms.is_fixed,
        has_formulas: forms.is_formula.contains(&true),
        is_formula: &forms.is_formula,
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

struct Collector<'a> {
    layout: &'a Layout,
    glyphs: &'a Glyphs,
    styles: &'a [GlyphStyle],
    is_fixed: &'a [bool],
    is_formula: &'a [bool],
    /// Whether any style is that of formulas.
    has_formulas: bool,
    frame: Frame,
    page: &'a Page,
    /// The identifiers of glyphs, and the blocks of identifiers.
    tags: Option<(&'a Identifiers, &'a HashMap<i32, Tag>)>,
}

impl Collector<'_> {
    fn entries(&self) -> Vec<StructureEntry> {
        let mut entries = Vec::with_capacity(self.layout.lines.len());
        let mut is_written = vec![false; self.page.tables.len()];
        let captions = self.captions();
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
                && !is_caption(&written, &captions)
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
        self.tables()
            .find(|(_, table)| contains(table.bbox, bbox))
            .map(|(place, _)| place)
    }

    fn tables(&self) -> impl Iterator<Item = (usize, &Table)> {
        self.page.tables.iter().enumerate().take(MAX_COMPARED)
    }

    /// The captions of the tables without white space, and where their lines may be.
    fn captions(&self) -> Vec<(Range<f32>, String)> {
        let caption = |(_, table): (usize, &Table)| {
            let caption = dense(caption_of(table.caption.as_deref())?);
            let bbox = self.frame.rect(table.bbox);
            Some((bbox.y1 - CAPTION_REACH..bbox.y2 + CAPTION_REACH, caption))
        };
        self.tables().filter_map(caption).collect()
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
        let mut parts: Vec<Part> = Vec::new();
        let is_fixed = |word: &Word| self.is_fixed.get(word.style as usize) == Some(&true);
        // Lines of code may have numbers in another font.
        let is_number = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = usize::from(words.first().is_some_and(|(_, word)| is_number(word)));
        let is_code = |words: &[(u32, &Word)]| words.iter().all(|(_, word)| is_fixed(word));
        let is_numbered_code =
            words.len() > numbers && is_code(words.get(numbers..).unwrap_or_default());
        let is_code = is_code(words);
        let mut last: Option<&Word> = None;
        for (place, word) in words {
            if let Some(last) = last {
                let is_after_number = is_numbered_code && !is_code && written.text == last.text;
                let is_code = is_code || is_numbered_code && !is_after_number;
                let spaces = if line.quarter_turns != self.frame.turns {
                    usize::from(!self.is_attached(last, *place, word, line, scripts))
                } else if is_code {
                    self.spaces(last, word)
                } else if is_after_number {
                    self.spaces_after_number(last, word)
                } else {
                    usize::from(!self.is_attached(last, *place, word, line, scripts))
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
            let is_run_in = written.run_in.is_none()
                && last.is_some_and(|last| self.ends_run_in(line, words, last, word));
            written.gaps += u32::from(last.is_some_and(|last| self.is_wide(line, last, word)));
            if is_run_in {
                written.run_in = Some(written.text.trim_end().len() as u32);
            }
            last = Some(word);
            let start = written.text.len();
            let has_scripts = scripts.iter().any(|script| script.word == *place);
            if has_scripts {
                written.text.push_str(&word.text)
            } else {
                written.text.push_str(&tidy(&word.text))
            }
            let end = written.text.len();
            let code = if !is_fixed(word) {
                start..start
            } else if is_numbered_code {
                start..end
            } else {
                let is_last = words.last().is_some_and(|(last, _)| last == place);
                start..start + code_length(*place, word, scripts, is_last)
            };
            self.styles_of(word, start..end, code, &mut written.marks);
            if self.has_formulas {
                let part = self.part(*place, word, start..end);
                self.add_alphabet(&mut written, word, &part);
                parts.push(part);
            }
            let from = scripts.partition_point(|script| script.word < *place);
            for script in scripts
                .iter()
                .skip(from)
                .take_while(|script| script.word == *place)
            {
                let kind = if script.is_raised {
                    StructureMarkKind::Superscript
                } else {
                    StructureMarkKind::Subscript
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
        add_formulas(&mut written, &parts);
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

    /// Marks capitals of an alphabet for formulas: all at the start of a word in such a font, or
    /// the first one.
    fn add_alphabet(&self, line: &mut StructureLine, word: &Word, part: &Part) {
        if !part.starts_formula {
            return;
        }
        let of = |style: u32| alphabet(&self.styles.get(style as usize)?.style.font);
        let of_first = part.first_style.and_then(of);
        let Some(kind) = of_first else { return };
        let text = line.text.get(part.range.clone()).unwrap_or_default();
        let capitals = text.bytes().take_while(u8::is_ascii_uppercase).count();
        let count = if of(word.style) == of_first {
            capitals
        } else {
            capitals.min(1)
        };
        if count > 0 {
            let start = part.range.start;
            add(&mut line.marks, start, start + count, kind);
        }
    }

    /// A word as a part of formulas.
    fn part(&self, place: u32, word: &Word, range: Range<usize>) -> Part {
        let is_formula = |style: u32| self.is_formula.get(style as usize) == Some(&true);
        let first = self.layout.first_glyphs.get(place as usize);
        let first = first.and_then(|first| self.glyphs.glyphs.get(*first as usize));
        let first_style = first.map(|first| first.style);
        Part {
            range,
            is_formula: is_formula(word.style),
            starts_formula: first_style.is_some_and(is_formula),
            first_style,
        }
    }

    /// Whether a raised or lowered word is so close to the one before that it belongs to it.
    fn is_attached(
        &self,
        last: &Word,
        place: u32,
        word: &Word,
        line: &Line,
        scripts: &[Script],
    ) -> bool {
        let from = scripts.partition_point(|script| script.word < place);
        let starts = scripts
            .get(from)
            .is_some_and(|script| script.word == place && script.range.start == 0);
        let size = self
            .styles
            .get(last.style as usize)
            .map_or(0.0, |style| style.style.size);
        let (last_box, bbox) = (self.frame.rect(last.bbox), self.frame.rect(word.bbox));
        starts
            && line.quarter_turns == self.frame.turns
            && bbox.x1 - last_box.x2 < MAX_SCRIPT_GAP_EMS * size
            && last.text.ends_with(char::is_alphanumeric)
    }

    /// Whether the gap between two words is as wide as between the cells of a row.
    fn is_wide(&self, line: &Line, last: &Word, word: &Word) -> bool {
        let size = self.styles.get(last.style as usize);
        let size = size.map_or(0.0, |style| style.style.size);
        let gap = self.frame.rect(word.bbox).x1 - self.frame.rect(last.bbox).x2;
        line.quarter_turns == self.frame.turns && gap > MIN_CELL_GAP_EMS * size
    }

    /// Whether a wide gap and the end of bold letters separate a word from the start of the line.
    fn ends_run_in(&self, line: &Line, words: &[(u32, &Word)], last: &Word, word: &Word) -> bool {
        let style = |word: &Word| {
            self.styles
                .get(word.style as usize)
                .map(|style| &style.style)
        };
        let is_bold = |word: &Word| style(word).is_some_and(|style| style.bold);
        let size = style(last).map_or(0.0, |style| style.size);
        let (last_box, bbox) = (self.frame.rect(last.bbox), self.frame.rect(word.bbox));
        let gap = bbox.x1 - last_box.x2;
        line.quarter_turns == self.frame.turns
            && (MIN_RUN_IN_GAP_EMS * size..MAX_RUN_IN_GAP_EMS * size).contains(&gap)
            && is_bold(last)
            && !is_bold(word)
            && words.first().is_some_and(|(_, first)| is_bold(first))
    }

    /// The number of spaces between two words of fixed width.
    fn spaces(&self, last: &Word, word: &Word) -> usize {
        let (last_box, bbox) = (self.frame.rect(last.bbox), self.frame.rect(word.bbox));
        let width = (last_box.x2 - last_box.x1) / characters(last);
        number_of_spaces((bbox.x1 - last_box.x2) / width.max(0.01))
    }

    /// The number of spaces between the number of a line, whose font may be smaller, and its first
    /// word, so that words at the same place have the same column.
    fn spaces_after_number(&self, number: &Word, word: &Word) -> usize {
        let (number_box, bbox) = (self.frame.rect(number.bbox), self.frame.rect(word.bbox));
        let width = (bbox.x2 - bbox.x1) / characters(word);
        number_of_spaces((bbox.x1 - number_box.x1) / width.max(0.01) - characters(number))
    }

    fn styles_of(
        &self,
        word: &Word,
        range: Range<usize>,
        code: Range<usize>,
        marks: &mut Vec<StructureMark>,
    ) {
        let Range { start, end } = range;
        let style = self
            .styles
            .get(word.style as usize)
            .map(|style| &style.style);
        if style.is_some_and(|style| style.bold) {
            add(marks, start, end, StructureMarkKind::Bold);
        }
        // Variables are italic without emphasis.
        let is_formula = self.is_formula.get(word.style as usize) == Some(&true);
        if style.is_some_and(|style| style.italic) && !is_formula {
            add(marks, start, end, StructureMarkKind::Italic);
        }
        if !code.is_empty() {
            add(marks, code.start, code.end, StructureMarkKind::Fixed);
        }
        let links = self.page.links.iter().take(MAX_COMPARED);
        let at = |link: &Link| link.uri.is_some() && contains(link.bbox, word.bbox);
        if let Some(link) = links.into_iter().position(at) {
            add(marks, start, end, StructureMarkKind::Link(link as u32));
        }
    }
}

/// The number of bytes of a word of code within a text: without punctuation at its end, and without
/// the mark of a footnote. Code with an open bracket or at the end of a line may continue.
fn code_length(place: u32, word: &Word, scripts: &[Script], is_last: bool) -> usize {
    let from = scripts.partition_point(|script| script.word < place);
    let own = scripts.iter().skip(from);
    let last = own.take_while(|script| script.word == place).last();
    let length = last
        .filter(|script| script.is_raised && script.range.end as usize == word.text.len())
        .map_or(word.text.len(), |script| script.range.start as usize);
    let code = word.text.get(..length).unwrap_or_default();
    let count = |brackets: [char; 3]| code.chars().filter(|c| brackets.contains(c)).count();
    let is_open = count(['(', '[', '{']) > count([')', ']', '}']);
    if is_open || is_last && code.ends_with('.') {
        return length;
    }
    code.trim_end_matches([',', ';', ':', '.']).len()
}

/// Marks the formulas of a line.
fn add_formulas(line: &mut StructureLine, parts: &[Part]) {
    if !parts
        .iter()
        .any(|part| part.is_formula || part.starts_formula)
    {
        return;
    }
    let scripts = line.marks.iter().filter(|mark| {
        matches!(
            mark.kind,
            StructureMarkKind::Superscript | StructureMarkKind::Subscript
        )
    });
    let range = |mark: &StructureMark| mark.range.start as usize..mark.range.end as usize;
    let scripts: Vec<Range<usize>> = scripts.map(range).collect();
    let found = formulas::formulas(&line.text, parts, &scripts);
    for mark in &mut line.marks {
        if matches!(
            mark.kind,
            StructureMarkKind::Bold | StructureMarkKind::Italic
        ) {
            cut_at_formulas(&mut mark.range, &found);
        }
    }
    line.marks.retain(|mark| !mark.range.is_empty());
    line.marks
        .extend(found.into_iter().map(|range| StructureMark {
            range: range.start as u32..range.end as u32,
            kind: StructureMarkKind::Formula,
        }));
}

/// Cuts a mark that starts or ends within a formula, whose style has no meaning.
fn cut_at_formulas(mark: &mut Range<u32>, formulas: &[Range<usize>]) {
    let around = |at: u32| {
        let at = at as usize;
        let place = formulas.partition_point(|formula| formula.end <= at);
        formulas.get(place).filter(|formula| formula.start < at)
    };
    let is_outside = |formula: &&Range<usize>, mark: &Range<u32>| {
        formula.start < mark.start as usize || formula.end > mark.end as usize
    };
    if let Some(first) = around(mark.start + 1).filter(|formula| is_outside(formula, mark)) {
        mark.start = mark.end.min(first.end as u32);
    }
    if let Some(last) = around(mark.end).filter(|formula| is_outside(formula, mark)) {
        mark.end = mark.start.max(last.start as u32);
    }
}

/// Whether a line is a part of the caption of a table, which has it already.
fn is_caption(line: &StructureLine, captions: &[(Range<f32>, String)]) -> bool {
    let mut near = captions
        .iter()
        .filter(|(reach, _)| reach.contains(&line.base))
        .peekable();
    if near.peek().is_none() {
        return false;
    }
    let text = dense(&line.text);
    if text.len() <= 3 {
        // A unit such as `(%)` ends a caption. Other short lines may be anything.
        let is_unit = text.starts_with('(') && text.ends_with(')');
        return is_unit && near.any(|(_, caption)| caption.ends_with(&text));
    }
    near.any(|(_, caption)| caption.contains(&text))
}

fn characters(word: &Word) -> f32 {
    word.text.chars().count().max(1) as f32
}

fn number_of_spaces(gap: f32) -> usize {
    const MAX_SPACES: f32 = 80.0;
    gap.round().clamp(1.0, MAX_SPACES) as usize
}

/// A text without white space.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
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

/// A word with accents on their letters, and hyphens that may be typed. Some fonts draw accents
/// before the letter, and have one glyph for all hyphens.
pub(super) fn tidy(word: &str) -> Cow<'_, str> {
    let is_odd = |c: char| combining(c).is_some() || is_hyphen(c);
    if word.is_ascii() || !word.contains(is_odd) {
        return Cow::Borrowed(word);
    }
    let mut tidied = String::with_capacity(word.len());
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let composed = next
            .zip(combining(character))
            .and_then(|(letter, accent)| compose(dotted(letter), accent));
        match composed {
            Some(composed) => {
                tidied.push(composed);
                characters.next();
            }
            None if is_hyphen(character) => tidied.push('-'),
            None => tidied.push(character),
        }
    }
    Cow::Owned(tidied)
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '\u{2010}' | '\u{2011}')
}

/// The letter with its dot, which the accent replaces.
fn dotted(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    }
}

/// The combining form of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '´' => '\u{301}',
        'ˋ' => '\u{300}',
        '¨' => '\u{308}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¸' => '\u{327}',
        'ˇ' => '\u{30c}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        _ => return None,
    })
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
