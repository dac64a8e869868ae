//! A line: the text of its words with spaces, and their marks.

use std::collections::HashMap;
use std::ops::Range;

use super::super::content::marked::Identifiers;
use super::super::font_kinds::FontKinds;
use super::super::glyphs::{GlyphStyle, Glyphs};
use super::super::layout::{Layout, Script};
use super::super::model::{Line, Link, Page, Rect, StructureLine, StructureMarkKind, Style, Word};
use super::super::structure::Tag;
use super::super::tables::frame::Frame;
use super::MAX_COMPARED;
use super::accents::tidy;
use super::formulas::{FormulaWord, alphabet};
use super::marks::{add, add_formulas};
use crate::fractions::PlacedWord;

/// The gap after a heading at the start of a paragraph, in ems.
const MIN_RUN_IN_GAP_EMS: f32 = 0.75;
const MAX_RUN_IN_GAP_EMS: f32 = 2.0;
/// The minimum gap between the cells of a row, in ems.
const MIN_CELL_GAP_EMS: f32 = 1.5;
/// The maximum gap between a word and its superscript or subscript, in ems.
const MAX_SCRIPT_GAP_EMS: f32 = 0.2;

/// The page that the lines belong to, and its fonts and tags.
pub(super) struct PageContext<'a> {
    pub layout: &'a Layout,
    pub glyphs: &'a Glyphs,
    pub fonts: &'a FontKinds,
    /// Whether any style is a math font.
    pub has_formulas: bool,
    pub frame: Frame,
    /// Whether lines in other directions are text.
    pub is_mixed: bool,
    pub page: &'a Page,
    /// The marked-content identifiers of glyphs, and their structure tags.
    pub tags: Option<(&'a Identifiers, &'a HashMap<i32, Tag>)>,
}

impl PageContext<'_> {
    fn style(&self, word: &Word) -> Option<&GlyphStyle> {
        self.glyphs.styles.get(word.style as usize)
    }

    pub fn size(&self, word: &Word) -> f32 {
        self.style(word).map_or(0.0, |style| style.style.size)
    }

    fn is_artifact(&self, word: &Word) -> bool {
        self.style(word).is_some_and(|style| style.artifact)
    }

    fn is_fixed(&self, word: &Word) -> bool {
        self.fonts.is_fixed.get(word.style as usize) == Some(&true)
    }

    fn is_formula(&self, style: u32) -> bool {
        self.fonts.is_formula.get(style as usize) == Some(&true)
    }

    /// The superscripts and subscripts of a word.
    fn scripts_of(&self, word: u32) -> &[Script] {
        let scripts = &self.layout.scripts;
        let from = scripts.partition_point(|script| script.word < word);
        let to = scripts.partition_point(|script| script.word <= word);
        scripts.get(from..to).unwrap_or_default()
    }

    /// The space between two words in the direction of most text.
    fn gap(&self, last: &Word, word: &Word) -> f32 {
        self.frame.rect(word.bbox).x1 - self.frame.rect(last.bbox).x2
    }

    /// The structure tag of the first tagged word.
    fn tag(&self, words: &[LineWord<'_>]) -> Option<Tag> {
        let (identifiers, tags) = self.tags?;
        words.iter().find_map(|word| {
            let glyph = self.layout.first_glyphs.get(word.index())?;
            tags.get(&identifiers.of_glyph(*glyph)?).copied()
        })
    }

    /// Describes a word for the search for formulas.
    fn part(&self, word: &LineWord<'_>, range: Range<usize>) -> FormulaWord {
        let first = self.layout.first_glyphs.get(word.index());
        let first = first.and_then(|first| self.glyphs.glyphs.get(*first as usize));
        let first_style = first.map(|first| first.style);
        FormulaWord {
            range,
            is_formula: self.is_formula(word.word.style),
            starts_formula: first_style.is_some_and(|style| self.is_formula(style)),
            first_style,
        }
    }
}

/// A word of a line.
pub(super) struct LineWord<'a> {
    pub word: &'a Word,
    pub placed: PlacedWord,
}

impl LineWord<'_> {
    /// The index of the word on the page.
    fn index(&self) -> usize {
        self.placed.word as usize
    }
}

/// The words of a line outside of tables.
pub(super) struct LineWords<'a> {
    /// The number of the line on the page.
    pub index: usize,
    pub line: &'a Line,
    pub words: &'a [LineWord<'a>],
}

impl LineWords<'_> {
    /// Builds the line of the result. `None` without words.
    pub(super) fn write(&self, source: &PageContext<'_>) -> Option<StructureLine> {
        let words = || self.words.iter().map(|word| word.word);
        let bbox = words().map(|word| word.bbox).reduce(Rect::around)?;
        let mut writer = Writer::new(source, self);
        let mut last: Option<&LineWord<'_>> = None;
        for word in self.words {
            if let Some(last) = last.filter(|last| !last.placed.is_glued) {
                writer.add_gap(last.word, word);
            }
            writer.add_word(word);
            last = Some(word);
        }
        let mut written = writer.written;
        add_formulas(&mut written, &writer.parts);
        written.bbox = source.frame.rect(bbox);
        written.is_outside =
            writer.is_turned && !source.is_mixed || words().all(|word| source.is_artifact(word));
        written.tagged = source.tag(self.words);
        let sizes = words().map(|word| source.size(word));
        let baseline = source.layout.baselines.get(self.index);
        let baseline = baseline.copied().unwrap_or_default();
        // Words of a table on the same line may have another size.
        written.size = baseline.size.min(sizes.fold(0.01, f32::max));
        // The baseline is measured from the corner of the page, across the direction.
        written.base = match self.line.quarter_turns {
            _ if writer.is_turned => written.bbox.y2,
            1 => baseline.at + source.page.width,
            2 => baseline.at + source.page.height,
            _ => baseline.at,
        };
        Some(written)
    }
}

/// Builds a line word by word.
struct Writer<'a> {
    source: &'a PageContext<'a>,
    line: &'a LineWords<'a>,
    /// Whether the line runs in another direction than most text.
    is_turned: bool,
    /// Whether all words are in a fixed-width font, and whether all words after the line number
    /// are.
    is_code: bool,
    is_numbered_code: bool,
    written: StructureLine,
    parts: Vec<FormulaWord>,
}

impl<'a> Writer<'a> {
    fn new(source: &'a PageContext<'a>, line: &'a LineWords<'a>) -> Self {
        // Lines of code may have numbers in another font.
        let is_number = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = usize::from((line.words.first()).is_some_and(|first| is_number(first.word)));
        let is_code = |words: &[LineWord<'_>]| words.iter().all(|word| source.is_fixed(word.word));
        Self {
            source,
            line,
            is_turned: line.line.quarter_turns != source.frame.turns,
            is_code: is_code(line.words),
            is_numbered_code: line.words.len() > numbers
                && is_code(line.words.get(numbers..).unwrap_or_default()),
            written: StructureLine::default(),
            parts: Vec::new(),
        }
    }

    /// Adds the spaces between two words, and notes a wide gap and the end of a run-in heading.
    fn add_gap(&mut self, last: &Word, next: &LineWord<'_>) {
        let word = next.word;
        let written = &self.written;
        let is_after_number = self.is_numbered_code && !self.is_code && written.text == last.text;
        let is_code = self.is_code || self.is_numbered_code && !is_after_number;
        let spaces = if self.is_turned || !is_code && !is_after_number {
            usize::from(!self.is_attached(last, next))
        } else if is_code {
            self.spaces(last, word)
        } else {
            self.spaces_after_number(last, word)
        };
        let is_run_in = written.run_in.is_none() && self.ends_run_in(last, word);
        let is_wide = self.is_wide(last, word);
        let written = &mut self.written;
        let start = written.text.len();
        if is_run_in {
            written.run_in = Some(written.text.trim_end().len() as u32);
        }
        written.gaps += u32::from(is_wide);
        written.text.extend(std::iter::repeat_n(' ', spaces));
        if is_code {
            let end = written.text.len();
            add(&mut written.marks, start, end, StructureMarkKind::Fixed);
        }
    }

    /// Adds the text of a word and its marks.
    fn add_word(&mut self, added: &LineWord<'_>) {
        let (source, word) = (self.source, added.word);
        let scripts = source.scripts_of(added.placed.word);
        let with_signs = self.written.text.len();
        self.written.text.push_str(&added.placed.before);
        let start = self.written.text.len();
        if scripts.is_empty() {
            self.written.text.push_str(&tidy(&word.text));
        } else {
            self.written.text.push_str(&word.text);
        }
        let end = self.written.text.len();
        self.written.text.push_str(&added.placed.after);
        let with_signs = with_signs..self.written.text.len();
        self.add_styles(added, start..end);
        let code_end = if !source.is_fixed(word) {
            start
        } else if self.is_numbered_code {
            end
        } else {
            start + self.code_length(added)
        };
        if code_end > start {
            self.add_mark(start..code_end, StructureMarkKind::Fixed);
        }
        self.add_link(word, start..end);
        if source.has_formulas {
            let part = source.part(added, start..end);
            self.add_alphabet(word, &part);
            self.parts.push(FormulaWord {
                range: with_signs,
                ..part
            });
        }
        for script in scripts {
            let kind = if script.is_raised {
                StructureMarkKind::Superscript
            } else {
                StructureMarkKind::Subscript
            };
            let at = |byte: u32| start + byte as usize;
            self.add_mark(at(script.range.start)..at(script.range.end), kind);
        }
    }

    fn add_mark(&mut self, range: Range<usize>, kind: StructureMarkKind) {
        add(&mut self.written.marks, range.start, range.end, kind);
    }

    fn add_styles(&mut self, added: &LineWord<'_>, range: Range<usize>) {
        let word = added.word;
        let Some(GlyphStyle { style, .. }) = self.source.style(word) else {
            return;
        };
        if style.bold {
            let range = self.without_ends(added, range.clone(), |style| style.bold);
            self.add_mark(range, StructureMarkKind::Bold);
        }
        // Variables are italic without emphasis.
        if style.italic && !self.source.is_formula(word.style) {
            let range = self.without_ends(added, range, |style| style.italic);
            self.add_mark(range, StructureMarkKind::Italic);
        }
    }

    /// The range of a word without its start and end in another style. They end and start with
    /// punctuation: in `(b),`, the letter alone may be bold.
    fn without_ends(
        &self,
        added: &LineWord<'_>,
        range: Range<usize>,
        has: impl Fn(&Style) -> bool,
    ) -> Range<usize> {
        let text = added.word.text.as_str();
        let is_mark = |c: char| !c.is_alphanumeric();
        if range.len() != text.len() || !(text.starts_with(is_mark) || text.ends_with(is_mark)) {
            return range;
        }
        let glyphs = self.source.glyphs;
        let first = self.source.layout.first_glyphs.get(added.index());
        let first = first.map_or(usize::MAX, |first| *first as usize);
        // Whether each byte has the style. The glyphs may have another order than the text.
        let mut styled: Vec<bool> = Vec::with_capacity(text.len());
        for glyph in glyphs.glyphs.get(first..).unwrap_or_default() {
            if styled.len() >= text.len() {
                break;
            }
            let written = glyph.text.start as usize..glyph.text.end as usize;
            let written = glyphs.text.get(written).unwrap_or_default();
            let rest = text.get(styled.len()..).unwrap_or_default();
            if !rest.starts_with(written) {
                return range;
            }
            let style = glyphs.styles.get(glyph.style as usize);
            let has = style.is_some_and(|style| has(&style.style));
            styled.extend(std::iter::repeat_n(has, written.len()));
        }
        let Some(start) = styled.iter().position(|has| *has) else {
            return range;
        };
        let end = styled
            .iter()
            .rposition(|has| *has)
            .map_or(0, |last| last + 1);
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        let kept_before = before.len() - before.trim_end_matches(char::is_alphanumeric).len();
        let kept_after = after.len() - after.trim_start_matches(char::is_alphanumeric).len();
        range.start + start - kept_before..range.start + end + kept_after
    }

    fn add_link(&mut self, word: &Word, range: Range<usize>) {
        let mut links = self.source.page.links.iter().take(MAX_COMPARED);
        let is_at = |link: &Link| link.uri.is_some() && link.bbox.has_center_of(word.bbox);
        if let Some(link) = links.position(is_at) {
            self.add_mark(range, StructureMarkKind::Link(link as u32));
        }
    }

    /// Marks capitals of a math alphabet: all at the start of a word in a math font, or only the
    /// first.
    fn add_alphabet(&mut self, word: &Word, part: &FormulaWord) {
        if !part.starts_formula {
            return;
        }
        let styles = &self.source.glyphs.styles;
        let of = |style: u32| alphabet(&styles.get(style as usize)?.style.font);
        let of_first = part.first_style.and_then(of);
        let Some(kind) = of_first else { return };
        let text = self.written.text.get(part.range.clone());
        let text = text.unwrap_or_default();
        let capitals = text.bytes().take_while(u8::is_ascii_uppercase).count();
        let count = if of(word.style) == of_first {
            capitals
        } else {
            capitals.min(1)
        };
        if count > 0 {
            let start = part.range.start;
            self.add_mark(start..start + count, kind);
        }
    }

    /// The length of a word of code within a text, without trailing punctuation or a footnote mark.
    /// Code with an open bracket or at a line end may continue.
    fn code_length(&self, added: &LineWord<'_>) -> usize {
        let word = added.word;
        let last = self.source.scripts_of(added.placed.word).last();
        let length = last
            .filter(|script| script.is_raised && script.range.end as usize == word.text.len())
            .map_or(word.text.len(), |script| script.range.start as usize);
        let code = word.text.get(..length).unwrap_or_default();
        let count = |brackets: [char; 3]| code.chars().filter(|c| brackets.contains(c)).count();
        let is_open = count(['(', '[', '{']) > count([')', ']', '}']);
        let is_last = self
            .line
            .words
            .last()
            .is_some_and(|last| last.placed.word == added.placed.word);
        if is_open || is_last && code.ends_with('.') {
            return length;
        }
        code.trim_end_matches([',', ';', ':', '.']).len()
    }

    /// Whether a raised or lowered word is close enough to the previous word to belong to it.
    fn is_attached(&self, last: &Word, next: &LineWord<'_>) -> bool {
        let first = self.source.scripts_of(next.placed.word).first();
        first.is_some_and(|script| script.range.start == 0)
            && !self.is_turned
            && self.source.gap(last, next.word) < MAX_SCRIPT_GAP_EMS * self.source.size(last)
            && last.text.ends_with(char::is_alphanumeric)
    }

    /// Whether the gap between two words is as wide as a gap between table cells.
    fn is_wide(&self, last: &Word, word: &Word) -> bool {
        !self.is_turned && self.source.gap(last, word) > MIN_CELL_GAP_EMS * self.source.size(last)
    }

    /// Whether a wide gap and the end of bold letters separate a word from the start of the line.
    fn ends_run_in(&self, last: &Word, word: &Word) -> bool {
        let style = |word: &Word| self.source.style(word).map(|style| &style.style);
        let is_bold = |word: &Word| style(word).is_some_and(|style: &Style| style.bold);
        let size = self.source.size(last);
        let gaps = MIN_RUN_IN_GAP_EMS * size..MAX_RUN_IN_GAP_EMS * size;
        !self.is_turned
            && gaps.contains(&self.source.gap(last, word))
            && is_bold(last)
            && !is_bold(word)
            && self
                .line
                .words
                .first()
                .is_some_and(|first| is_bold(first.word))
    }

    /// The number of spaces between two words in a fixed-width font.
    fn spaces(&self, last: &Word, word: &Word) -> usize {
        let last_box = self.source.frame.rect(last.bbox);
        let width = (last_box.x2 - last_box.x1) / characters(last);
        number_of_spaces(self.source.gap(last, word) / width.max(0.01))
    }

    /// The number of spaces between a line number, whose font may be smaller, and the first word,
    /// so that words at the same position are in the same column.
    fn spaces_after_number(&self, number: &Word, word: &Word) -> usize {
        let frame = self.source.frame;
        let (number_box, bbox) = (frame.rect(number.bbox), frame.rect(word.bbox));
        let width = (bbox.x2 - bbox.x1) / characters(word);
        number_of_spaces((bbox.x1 - number_box.x1) / width.max(0.01) - characters(number))
    }
}

fn characters(word: &Word) -> f32 {
    word.text.chars().count().max(1) as f32
}

fn number_of_spaces(gap: f32) -> usize {
    const MAX_SPACES: f32 = 80.0;
    gap.round().clamp(1.0, MAX_SPACES) as usize
}
