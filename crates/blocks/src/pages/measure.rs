//! Measures the lines of a document: the style of each, and the usual size and distances.

use std::collections::HashMap;

use super::marker::{Marker, roman};
use super::{Entry, Line, Page, Precision};
use crate::block::{Block, Kind};
use crate::characters::{is_right_to_left, joins_lines};
use crate::tex::is_function;
use crate::text::{Mark, MarkKind, Text};

/// The maximum size of footnotes, relative to the text.
pub const MAX_NOTE_RATIO: f32 = 0.95;
/// Minimum share of bold, italic or fixed-width letters in a line of that style.
const MIN_STYLED_SHARE: f32 = 0.9;
/// Minimum number of letters of a word; fewer may be adjacent variables.
const MIN_WORD_LETTERS: usize = 3;
/// The minimum number of lines from which a usual distance is derived.
const MIN_STEPS: usize = 3;
/// The distance of lines, in sizes, from which only lines of running text count, and the minimum
/// number of letters of these.
const MIN_WIDE_STEP_RATIO: f32 = 1.8;
const MIN_LETTERS_OF_WIDE_LINE: usize = 20;
/// Minimum width per character of a line with parts at both margins, in ems.
const MIN_STRETCHED_EMS: f32 = 0.9;
/// The maximum difference of the page numbers of two entries.
const MAX_ENTRY_STEP_PAGES: u32 = 100;
/// The maximum distance of the lines of a note, in sizes.
const MAX_NOTE_STEP_RATIO: f32 = 1.6;
/// The minimum number of letters of a line of running text.
const MIN_PROSE_LETTERS: usize = 40;
/// The usual distance of lines, in multiples of their size.
const DEFAULT_LEADING: f32 = 1.2;
const DEFAULT_SCANNED_LEADING: f32 = 1.5;

/// A document with its measured lines.
pub struct MeasuredDocument {
    pub precision: Precision,
    pub pages: Vec<MeasuredPage>,
    /// In reading order, over all pages.
    pub items: Vec<MeasuredItem>,
    /// The size of most characters.
    pub body_size: f32,
    pub is_body_bold: bool,
    pub is_body_italic: bool,
    pub is_body_fixed: bool,
    /// The usual distance between lines of a rounded size.
    leadings: HashMap<u32, f32>,
}

/// The size of a page, and its range of items.
pub struct MeasuredPage {
    pub number: u32,
    pub height: f32,
    /// Whether it has finished blocks, or parts of those of an earlier page.
    pub has_blocks: bool,
    pub first: usize,
    pub end: usize,
}

/// A line or a finished block.
pub enum MeasuredItem {
    Line(Box<MeasuredLine>),
    Block(Box<Block>),
}

/// A line with its style.
pub struct MeasuredLine {
    pub line: Line,
    /// The index of its page.
    pub page: usize,
    /// The number of letters and digits.
    pub letters: usize,
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_fixed: bool,
    /// The line number at the start of a line of code, and its length including the space after it.
    pub line_number: Option<(u32, usize)>,
    /// Whether it starts with a raised mark, as footnotes do.
    pub is_raised: bool,
    /// Whether the line has at least four letters and all are capitals.
    pub is_caps: bool,
    /// The kind of the line if it is not part of the text.
    pub running: Option<Kind>,
    /// The marker of a list item at its start.
    pub marker: Option<Marker>,
    /// Whether it is an entry of a table of contents.
    pub is_entry: bool,
    /// Whether a typed rule separates it from the previous line.
    pub is_after_rule: bool,
    /// Whether it contains a formula, and words outside of formulas.
    pub has_formula: bool,
    pub has_words: bool,
    /// The labels of the figure that it captions.
    pub labels: String,
    /// The extent of the column of text around it.
    pub column: (f32, f32),
}

fn is_formula(mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::LinearFormula(_))
}

/// Whether a text has words outside of formulas, other than names of functions.
fn has_words(text: &Text) -> bool {
    let mut at = 0;
    let formulas = text.marks.iter().filter(|mark| is_formula(mark));
    let ends = formulas.map(|mark| (mark.range.start, mark.range.end));
    let end = text.text.len();
    ends.chain(std::iter::once((end, end))).any(|(start, end)| {
        let between = text.text.get(at..start).unwrap_or_default();
        at = at.max(end);
        let mut words = between.split(|c: char| !c.is_alphabetic());
        between.contains(joins_lines)
            || words.any(|word| word.chars().count() >= MIN_WORD_LETTERS && !is_function(word))
    })
}

impl MeasuredLine {
    fn new(line: Line, page: usize) -> Self {
        let text = &line.text;
        let letters = text.text.chars().filter(|c| c.is_alphanumeric()).count();
        let share = |kind: &MarkKind| {
            let marked: usize = text
                .marks
                .iter()
                .filter(|mark| mark.kind == *kind)
                .filter_map(|mark| text.text.get(mark.range.clone()))
                .map(|part| part.chars().filter(|c| c.is_alphanumeric()).count())
                .sum();
            letters > 0 && marked as f32 >= MIN_STYLED_SHARE * letters as f32
        };
        let mut marks = text.marks.iter();
        let is_raised =
            marks.any(|mark| mark.kind == MarkKind::Superscript && mark.range.start == 0);
        let line_number = line_number(&text.text).filter(|_| !is_raised);
        let is_numbered_code = line_number.is_some_and(|(_, start)| {
            let mut marks = text.marks.iter();
            marks.any(|mark| mark.kind == MarkKind::Code && mark.range == (start..text.text.len()))
        });
        let capitals = text.text.chars().filter(|c| c.is_uppercase()).count();
        let is_cjk = text.text.chars().filter(|c| joins_lines(*c)).count() * 3 > letters;
        let covers = |kind: &MarkKind| {
            let marked: usize = text
                .marks
                .iter()
                .filter(|mark| mark.kind == *kind)
                .map(|mark| mark.range.len())
                .sum();
            marked as f32 >= MIN_STYLED_SHARE * text.text.len() as f32
        };
        Self {
            is_bold: share(&MarkKind::Strong),
            is_italic: share(&MarkKind::Emphasis),
            // An address in a footnote is not code.
            is_fixed: !is_cjk && !is_raised && (covers(&MarkKind::Code) || is_numbered_code),
            line_number,
            is_raised,
            is_caps: capitals >= 4 && !text.text.chars().any(char::is_lowercase),
            running: None,
            marker: None,
            labels: String::new(),
            is_entry: is_entry(&text.text),
            is_after_rule: false,
            has_formula: text.marks.iter().any(is_formula),
            has_words: has_words(text),
            column: (line.bounds.left, line.bounds.right),
            letters,
            page,
            line,
        }
    }

    pub fn text(&self) -> &str {
        &self.line.text.text
    }

    pub fn left(&self) -> f32 {
        self.line.bounds.left
    }

    pub fn right(&self) -> f32 {
        self.line.bounds.right
    }

    /// The edge at which reading starts, so that it grows with the indent: the left edge, or the
    /// negative right edge of text from right to left.
    pub fn start(&self) -> f32 {
        let first = self.text().chars().find(|c| c.is_alphabetic());
        if first.is_some_and(is_right_to_left) {
            -self.right()
        } else {
            self.left()
        }
    }

    pub fn size(&self) -> f32 {
        self.line.size
    }

    pub fn base(&self) -> f32 {
        self.line.base
    }

    pub fn center(&self) -> f32 {
        (self.left() + self.right()) / 2.0
    }

    /// Whether it is far wider than its characters, as a line with parts at both margins is.
    fn is_stretched(&self) -> bool {
        let ems = |c: char| {
            if joins_lines(c) {
                2.0
            } else {
                MIN_STRETCHED_EMS
            }
        };
        let width: f32 = self.text().chars().map(ems).sum();
        self.right() - self.left() > width * self.size()
    }

    /// Whether it is a row with wide gaps, such as a name and a date at the margins.
    pub fn is_row(&self) -> bool {
        self.line.gaps > 0 && self.is_stretched()
    }

    /// Whether it is a part of the text.
    pub fn is_text(&self) -> bool {
        self.running.is_none()
    }

    /// The width of its first word, approximately.
    pub fn first_word(&self) -> f32 {
        let text = self.text();
        let all = text.chars().count().max(1);
        let first = match text.chars().next() {
            Some(first) if joins_lines(first) => 1,
            _ => text.split(' ').next().unwrap_or_default().chars().count(),
        };
        (self.right() - self.left()) * first as f32 / all as f32
    }
}

/// The number at the start of a text, and the offset of the text after it.
fn line_number(text: &str) -> Option<(u32, usize)> {
    let number = text.split(' ').next()?;
    let value = number.parse().ok().filter(|_| number.len() <= 5)?;
    let rest = text.get(number.len()..)?;
    Some((value, text.len() - rest.trim_start().len()))
}

/// Whether a text ends with leaders and a page number, such as `12`, `xii`, `5-1` or `A-2`.
fn is_entry(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| !matches!(c, '.' | ' ' | '…' | '·' | '_'));
    let number = text.get(before.len()..).unwrap_or_default();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |part: &str| is_number(part) || roman(&part.to_lowercase()).is_some();
    let is_page = match number.split_once(['-', '–']) {
        Some((chapter, page)) => {
            !page.is_empty() && is_part(page) && (is_number(chapter) || chapter.len() == 1)
        }
        None => !number.is_empty() && is_part(number),
    };
    if !is_page {
        return false;
    }
    let dots = before
        .chars()
        .rev()
        .take_while(|c| matches!(c, '.' | ' ' | '…' | '·' | '_'))
        .filter(|c| *c != ' ');
    dots.map(|c| if c == '…' { 3 } else { 1 }).sum::<usize>() >= 4
}

/// Rounds a size, so that equal ones have the same key.
pub fn size_key(size: f32) -> u32 {
    (size * 4.0).round() as u32
}

impl MeasuredDocument {
    pub fn new(pages: Vec<Page>, precision: Precision) -> Self {
        let mut document = Self {
            precision,
            pages: Vec::with_capacity(pages.len()),
            items: Vec::new(),
            body_size: 0.0,
            is_body_bold: false,
            is_body_italic: false,
            is_body_fixed: false,
            leadings: HashMap::new(),
        };
        let mut block_sizes = Vec::new();
        for (index, page) in pages.into_iter().enumerate() {
            let is_block = |entry: &Entry| matches!(entry, Entry::Block(_));
            let has_blocks = !page.block_sizes.is_empty() || page.entries.iter().any(is_block);
            block_sizes.extend(page.block_sizes);
            let first = document.items.len();
            let mut is_after_rule = false;
            for entry in page.entries {
                document.items.push(match entry {
                    Entry::Line(line) if line.is_rule() => {
                        is_after_rule = true;
                        continue;
                    }
                    Entry::Line(line) => MeasuredItem::Line(Box::new(MeasuredLine {
                        is_after_rule,
                        ..MeasuredLine::new(line, index)
                    })),
                    Entry::Block(block) => MeasuredItem::Block(block),
                });
                is_after_rule = false;
            }
            document.pages.push(MeasuredPage {
                number: page.number,
                height: page.height,
                has_blocks,
                first,
                end: document.items.len(),
            });
        }
        document.find_body(&block_sizes);
        document.find_leadings();
        document.find_columns();
        document.find_entries();
        document
    }

    pub fn line(&self, index: usize) -> Option<&MeasuredLine> {
        match self.items.get(index)? {
            MeasuredItem::Line(line) => Some(line),
            MeasuredItem::Block(_) => None,
        }
    }

    pub fn line_mut(&mut self, index: usize) -> Option<&mut MeasuredLine> {
        match self.items.get_mut(index)? {
            MeasuredItem::Line(line) => Some(line),
            MeasuredItem::Block(_) => None,
        }
    }

    pub fn lines(&self) -> impl Iterator<Item = &MeasuredLine> {
        self.items.iter().filter_map(|item| match item {
            MeasuredItem::Line(line) => Some(&**line),
            MeasuredItem::Block(_) => None,
        })
    }

    /// Whether two sizes are the same.
    pub fn is_same_size(&self, a: f32, b: f32) -> bool {
        a.max(b) <= self.precision.size_ratio() * a.min(b)
    }

    /// A size relative to that of most characters.
    pub fn ratio(&self, size: f32) -> f32 {
        size / self.body_size.max(0.01)
    }

    /// The usual distance between lines of this size.
    pub fn leading(&self, size: f32) -> f32 {
        match self.leadings.get(&size_key(size)) {
            Some(leading) => *leading,
            None if self.precision == Precision::Scanned => DEFAULT_SCANNED_LEADING * size,
            None => DEFAULT_LEADING * size,
        }
    }

    /// Whether a line is below another one in the same column.
    pub fn is_below(&self, above: &MeasuredLine, below: &MeasuredLine) -> bool {
        let size = above.size().min(below.size());
        above.page == below.page
            && below.base() - above.base() > 0.3 * size
            && above.right().min(below.right()) > above.left().max(below.left())
    }

    fn find_body(&mut self, block_sizes: &[(f32, usize)]) {
        let mut sizes: HashMap<u32, (usize, f32)> = HashMap::new();
        let (mut all, mut bold, mut italic, mut fixed) = (0, 0, 0, 0);
        // Notes may have more letters than the text.
        let mut is_note = self.notes();
        if (self.lines().zip(&is_note)).all(|(line, is_note)| *is_note || line.letters == 0) {
            is_note.fill(false);
        }
        for (line, is_note) in self.lines().zip(is_note) {
            let entry = sizes.entry(size_key(line.size())).or_default();
            entry.0 += if is_note { 0 } else { line.letters };
            entry.1 = line.size();
            all += line.letters;
            bold += if line.is_bold { line.letters } else { 0 };
            italic += if line.is_italic { line.letters } else { 0 };
            fixed += if line.is_fixed { line.letters } else { 0 };
        }
        // Without running text, most text may be in tables, below headings.
        if !self.lines().any(|line| line.letters >= MIN_PROSE_LETTERS) {
            for (size, letters) in block_sizes.iter().filter(|(size, _)| size.is_finite()) {
                let entry = sizes.entry(size_key(*size)).or_default();
                entry.0 += letters;
                entry.1 = *size;
            }
        }
        let most = match self.precision {
            Precision::Exact => sizes
                .values()
                .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
                .map(|most| most.1),
            // Measured sizes vary: take the median.
            Precision::Scanned => {
                let mut sorted: Vec<(usize, f32)> = sizes.into_values().collect();
                sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
                let mut before = 0;
                sorted
                    .into_iter()
                    .find(|(letters, _)| {
                        before += letters;
                        2 * before >= all
                    })
                    .map(|most| most.1)
            }
        };
        self.body_size = most.unwrap_or(1.0);
        self.is_body_bold = 2 * bold > all;
        self.is_body_italic = 2 * italic > all;
        self.is_body_fixed = 2 * fixed > all;
    }

    /// Whether each line starts with a raised mark, as footnotes do, or continues a line that does.
    fn notes(&self) -> Vec<bool> {
        let mut is_note = Vec::with_capacity(self.items.len());
        let mut above: Option<&MeasuredLine> = None;
        for line in self.lines() {
            let goes_on = above.is_some_and(|above| {
                self.is_below(above, line)
                    && self.is_same_size(above.size(), line.size())
                    && line.base() - above.base() < MAX_NOTE_STEP_RATIO * line.size()
            });
            is_note.push(line.is_raised || goes_on);
            above = Some(line).filter(|_| line.is_raised || goes_on);
        }
        is_note
    }

    /// Finds the usual distance between lines of each size.
    pub fn find_leadings(&mut self) {
        self.leadings.clear();
        // For each size, the number of distances, and how many have each rounded value.
        let mut steps: HashMap<u32, (usize, HashMap<i32, usize>)> = HashMap::new();
        for pair in self.items.windows(2) {
            let [MeasuredItem::Line(above), MeasuredItem::Line(below)] = pair else {
                continue;
            };
            let size = above.size();
            let step = below.base() - above.base();
            // A larger distance is that of running text, or between paragraphs of single lines.
            let is_running = step < MIN_WIDE_STEP_RATIO * size
                || above.letters >= MIN_LETTERS_OF_WIDE_LINE
                    && !above
                        .text()
                        .ends_with(['.', ':', '!', '?', '。', '！', '？']);
            if self.is_below(above, below)
                && self.is_same_size(size, below.size())
                && step < 3.0 * size
            {
                let (count, values) = steps.entry(size_key(size)).or_default();
                *count += 1;
                if is_running {
                    *values
                        .entry((step * 20.0 / size).round() as i32)
                        .or_default() += 1;
                }
            }
        }
        for (key, (count, values)) in steps {
            // Neighboring values are counted, too, because distances are rounded.
            let near = |value: i32| -> usize {
                (value - 1..=value + 1)
                    .filter_map(|near| values.get(&near))
                    .sum()
            };
            let most = values
                .keys()
                .max_by_key(|value| (near(**value), std::cmp::Reverse(**value)));
            if let Some(most) = most.filter(|_| count >= MIN_STEPS) {
                self.leadings.insert(key, *most as f32 * key as f32 / 80.0);
            }
        }
    }

    /// Finds entries of a table of contents without leaders: lines with a wide gap before numbers
    /// that grow.
    fn find_entries(&mut self) {
        let number = |line: Option<&MeasuredLine>| -> Option<u32> {
            let line = line?;
            let text = line.text();
            let last = text
                .rsplit(' ')
                .next()
                .filter(|last| last.len() < text.len())?;
            let is_stretched = line.is_entry || line.is_stretched();
            last.parse()
                .ok()
                .filter(|_| is_stretched && line.letters > last.len())
        };
        let mut is_entry = vec![false; self.items.len()];
        for index in 1..self.items.len() {
            let (Some(above), Some(below)) = (self.line(index - 1), self.line(index)) else {
                continue;
            };
            let grows = number(Some(above))
                .zip(number(Some(below)))
                .is_some_and(|(a, b)| a <= b && b < a + MAX_ENTRY_STEP_PAGES);
            if grows && (above.right() - below.right()).abs() < below.size() {
                for place in [index - 1, index] {
                    if let Some(is_entry) = is_entry.get_mut(place) {
                        *is_entry = true;
                    }
                }
            }
        }
        for (item, is_entry) in self.items.iter_mut().zip(is_entry) {
            if let MeasuredItem::Line(line) = item {
                line.is_entry |= is_entry;
            }
        }
    }

    /// Finds the extent of the column around each line, from nearby lines with about the same left
    /// edge and size.
    pub fn find_columns(&mut self) {
        /// The number of lines before and after it that are examined.
        const WINDOW_LINES: usize = 25;
        let mut columns = Vec::with_capacity(self.items.len());
        let mut edges: Vec<(f32, f32)> = Vec::new();
        for index in 0..self.items.len() {
            let Some(line) = self.line(index) else {
                columns.push((0.0, 0.0));
                continue;
            };
            edges.clear();
            edges.push((line.left(), line.right()));
            let mut collect =
                |near: Option<&MeasuredLine>, line: &MeasuredLine, last: &mut f32, sign: f32| {
                    let Some(near) = near.filter(|near| near.page == line.page) else {
                        return false;
                    };
                    let is_onward = sign * (near.base() - *last) > -0.3 * near.size();
                    if !is_onward || near.right() < line.left() || near.left() > line.right() {
                        return false;
                    }
                    *last = near.base();
                    let is_same =
                        near.size().max(line.size()) <= 1.3 * near.size().min(line.size());
                    if is_same && (near.left() - line.left()).abs() < 6.0 * line.size() {
                        edges.push((near.left(), near.right()));
                    }
                    true
                };
            let mut last = line.base();
            for near in index + 1..index + 1 + WINDOW_LINES {
                if !collect(self.line(near), line, &mut last, 1.0) {
                    break;
                }
            }
            let mut last = line.base();
            for near in (index.saturating_sub(WINDOW_LINES)..index).rev() {
                if !collect(self.line(near), line, &mut last, -1.0) {
                    break;
                }
            }
            // Ignore a few lines that extend farther, such as a title.
            let few = edges.len() / 10;
            edges.sort_by(|a, b| b.1.total_cmp(&a.1));
            let right = edges.get(few).map_or(0.0, |edge| edge.1);
            edges.sort_by(|a, b| a.0.total_cmp(&b.0));
            let left = edges.get(few).map_or(0.0, |edge| edge.0);
            columns.push((left.min(line.left()), right.max(line.right())));
        }
        for (item, column) in self.items.iter_mut().zip(columns) {
            if let MeasuredItem::Line(line) = item {
                line.column = column;
            }
        }
    }
}

/// A text without the marks of a kind.
pub fn without(mut text: Text, kind: &MarkKind) -> Text {
    text.marks.retain(|mark| mark.kind != *kind);
    text
}
