//! Segments: consecutive lines of one paragraph, heading, item or block of code.

use std::ops::Range;

use super::Role;
use super::divisions::division;
use super::marker::{self, Marker, MarkerKind, NOTE_MARKS};
use super::measure::{MAX_NOTE_RATIO, MeasuredDocument, MeasuredItem, MeasuredLine};
use super::words::ends_divided;
use crate::block::Kind;
use crate::characters::{is_right_to_left, joins_lines};
use crate::text::{Mark, MarkKind};

/// The minimum distance between lines of different segments, in multiples of the usual one.
const MIN_SEGMENT_STEP_RATIO: f32 = 1.3;
const MIN_STEP_WITHIN_WORD_RATIO: f32 = 2.0;
/// The maximum distance between lines of code of one block, in multiples of the usual one.
const MAX_CODE_GAP_RATIO: f32 = 3.2;
/// Maximum outdent of a line of code relative to the first lines, in ems.
const MAX_CODE_OUTDENT_EMS: f32 = 20.0;
/// The maximum distance of the lines of a formula, in ems.
const MAX_FORMULA_STEP_EMS: f32 = 1.6;
/// Minimum size of the heading of a chapter that is not bold, relative to the text.
const MIN_DIVISION_SIZE_RATIO: f32 = 1.1;
/// The minimum number of lines of an address, and the maximum mean number of letters in a line.
const MIN_POSTAL_LINES: usize = 3;
const MAX_POSTAL_LETTERS: usize = 24;
/// The minimum number of letters without digits in a line.
const MIN_POSTAL_WORD_LETTERS: usize = 3;
/// The minimum size of a letter above the entries of an index, relative to the entry above it.
const MIN_LETTER_SIZE_RATIO: f32 = 1.1;
/// The indent of a first line, in ems.
const MIN_INDENT_EMS: f32 = 0.7;
const MAX_INDENT_EMS: f32 = 6.0;

/// Consecutive lines that belong together, or a finished block.
#[derive(Debug, Clone)]
pub struct Segment {
    /// A range of the items of the document.
    pub items: Range<usize>,
    /// The index of the page.
    pub page: usize,
    pub class: SegmentClass,
    /// Whether the document declares its kind.
    pub is_declared: bool,
    /// The largest size of its lines.
    pub size: f32,
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_caps: bool,
    pub left: f32,
    pub right: f32,
    /// The number of letters and digits.
    pub letters: usize,
    /// Whether its first line is indented or follows a wide gap, so that it does not continue
    /// another segment.
    pub is_start: bool,
    /// Whether the next line is in another column or page, or after a finished block.
    pub is_cut: bool,
}

/// The class of a segment.
#[derive(Debug, Clone, PartialEq)]
pub enum SegmentClass {
    /// A finished block.
    Block,
    /// A running line.
    Running(Kind),
    Paragraph,
    Heading(u8),
    /// An item, with its declared level.
    Item(Marker, Option<u16>),
    Code,
    Caption,
    /// An entry of a table of contents.
    Entry,
    /// A footnote with a label, and the number of bytes of its mark.
    Note(Box<str>, usize),
}

impl Segment {
    fn new(index: usize, line: &MeasuredLine, class: SegmentClass) -> Self {
        Self {
            items: index..index + 1,
            page: line.page,
            class,
            is_declared: false,
            size: line.size(),
            is_bold: line.is_bold,
            is_italic: line.is_italic,
            is_caps: line.is_caps,
            left: line.left(),
            right: line.right(),
            letters: line.letters,
            is_start: false,
            is_cut: false,
        }
    }

    fn add(&mut self, index: usize, line: &MeasuredLine) {
        self.items.end = index + 1;
        self.size = self.size.max(line.size());
        self.is_bold &= line.is_bold || line.letters == 0;
        self.is_italic &= line.is_italic || line.letters == 0;
        self.is_caps &= line.is_caps || line.letters < 4;
        self.left = self.left.min(line.left());
        self.right = self.right.max(line.right());
        self.letters += line.letters;
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.items.len()
    }

    /// The lines.
    pub fn measures<'d>(
        &self,
        document: &'d MeasuredDocument,
    ) -> impl Iterator<Item = &'d MeasuredLine> + use<'d> {
        self.items.clone().filter_map(|index| document.line(index))
    }

    /// The first and last line.
    pub fn ends<'d>(
        &self,
        document: &'d MeasuredDocument,
    ) -> Option<(&'d MeasuredLine, &'d MeasuredLine)> {
        let last = self.items.end.checked_sub(1)?;
        Some((document.line(self.items.start)?, document.line(last)?))
    }

    /// The text, with a space between lines.
    pub fn text(&self, document: &MeasuredDocument) -> String {
        let mut text = String::new();
        for line in self.measures(document) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line.text());
        }
        text
    }
}

/// Divides the document into segments.
pub fn find(document: &MeasuredDocument) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    // The index of the last segment of text on the page, to which the next line may belong.
    let mut open: Option<usize> = None;
    for sheet in &document.pages {
        open = None;
        for index in sheet.first..sheet.end {
            let line = match document.items.get(index) {
                Some(MeasuredItem::Line(line)) => line,
                Some(MeasuredItem::Block(_)) => {
                    let page = document.pages.partition_point(|page| page.end <= index);
                    segments.push(block(index, page));
                    open = None;
                    continue;
                }
                None => break,
            };
            if let Some(kind) = &line.running {
                let mut running = Segment::new(index, line, SegmentClass::Running(kind.clone()));
                running.is_declared = has_role(line);
                segments.push(running);
                continue;
            }
            let last = open
                .and_then(|open| segments.get(open))
                .and_then(|segment| document.line(segment.items.end - 1));
            let next = next_line(document, index, sheet.end);
            if let (Some(segment), Some(last)) =
                (open.and_then(|open| segments.get_mut(open)), last)
                && segment.items.end == index
                && joins(document, segment, last, line, next)
            {
                segment.add(index, line);
                continue;
            }
            let is_below = last.is_some_and(|last| document.is_below(last, line));
            let mut segment = Segment::new(index, line, class(document, line, next));
            segment.is_declared = has_role(line);
            let is_after_caption = open
                .and_then(|open| segments.get(open))
                .is_some_and(|before| before.class == SegmentClass::Caption);
            let is_after_text = is_below && !is_after_caption;
            segment.is_start = is_indented(line, next)
                || (is_after_text
                    && last.is_some_and(|last| document.is_same_size(last.size(), line.size())));
            if let Some(before) = open.and_then(|open| segments.get_mut(open)) {
                // The number of a formula is beside the text below it.
                let is_below_formula = last.is_some_and(|last| {
                    !last.has_words
                        && line.has_words
                        && last.page == line.page
                        && last.base() < line.base()
                        && line.left() < before.right
                        && line.right() > before.left
                });
                before.is_cut = !is_below && !is_below_formula;
            }
            segments.push(segment);
            open = Some(segments.len() - 1);
        }
        if let Some(last) = open.and_then(|open| segments.get_mut(open)) {
            last.is_cut = true;
        }
    }
    if let Some(last) = open.and_then(|open| segments.get_mut(open)) {
        last.is_cut = false;
    }
    let lines = |segment: Segment| {
        if is_postal(document, &segment) {
            single_lines(document, &segment)
        } else {
            vec![segment]
        }
    };
    segments.into_iter().flat_map(lines).collect()
}

/// Whether a segment is an address as on a letter: short lines that start with capitals or numbers
/// and are no sentence. In a narrow column, they seem to fill it.
fn is_postal(document: &MeasuredDocument, segment: &Segment) -> bool {
    let Some((_, last)) = segment.ends(document) else {
        return false;
    };
    let starts = |line: &MeasuredLine| {
        let text = line.text();
        text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '+')
            || is_address(text)
            || text.starts_with("www.")
    };
    let goes_on = |line: &MeasuredLine| {
        let text = line.text();
        text.ends_with([',', '-', '\u{ad}', '\u{2010}'])
            || text.contains('(') && !text.contains(')')
    };
    // Letters and numbers alone are labels of figures.
    let has_word = |line: &MeasuredLine| {
        line.text().chars().filter(|c| c.is_alphabetic()).count() >= MIN_POSTAL_WORD_LETTERS
    };
    segment.class == SegmentClass::Paragraph
        && !segment.is_declared
        && segment.lines() >= MIN_POSTAL_LINES
        && segment.letters <= MAX_POSTAL_LETTERS * segment.lines()
        && !(segment.is_bold || document.ratio(segment.size) > MIN_DIVISION_SIZE_RATIO)
        && is_within(last)
        && (segment.measures(document))
            .all(|line| starts(line) && has_word(line) && !goes_on(line) && !line.has_formula)
}

/// A segment for each line.
fn single_lines(document: &MeasuredDocument, segment: &Segment) -> Vec<Segment> {
    let lines = segment.items.clone();
    let single = lines.filter_map(|index| {
        let line = document.line(index)?;
        Some(Segment {
            is_start: index > segment.items.start || segment.is_start,
            is_cut: false,
            ..Segment::new(index, line, SegmentClass::Paragraph)
        })
    });
    single.collect()
}

fn has_role(line: &MeasuredLine) -> bool {
    let declared = line.line.declared;
    declared.is_some_and(|declared| declared.role.is_some())
}

fn block(index: usize, page: usize) -> Segment {
    Segment {
        items: index..index + 1,
        page,
        class: SegmentClass::Block,
        is_declared: false,
        size: 0.0,
        is_bold: false,
        is_italic: false,
        is_caps: false,
        left: 0.0,
        right: 0.0,
        letters: 0,
        is_start: true,
        is_cut: false,
    }
}

/// Returns the class of a segment, as far as its first line determines it.
fn class(
    document: &MeasuredDocument,
    line: &MeasuredLine,
    next: Option<&MeasuredLine>,
) -> SegmentClass {
    let role = line.line.declared.and_then(|declared| declared.role);
    match role {
        Some(Role::Heading(level)) if level > 0 => return SegmentClass::Heading(level.min(6)),
        Some(Role::Item(level)) => {
            let marker = line.marker.or_else(|| marker::first(line.text()));
            let marker = marker.unwrap_or(Marker {
                kind: MarkerKind::Bullet('•'),
                length: 0,
            });
            return SegmentClass::Item(marker, Some(level));
        }
        Some(Role::Caption) => return SegmentClass::Caption,
        Some(Role::Code) => return SegmentClass::Code,
        _ => {}
    }
    let is_followed = next.is_some_and(|next| next.is_fixed && document.is_below(line, next));
    let is_code = line.is_fixed && !document.is_body_fixed;
    if is_code && (is_followed || !is_address(line.text())) {
        return SegmentClass::Code;
    }
    if line.is_entry {
        return SegmentClass::Entry;
    }
    match line.marker {
        Some(marker) if !matches!(marker.kind, MarkerKind::Reference(_)) => {
            SegmentClass::Item(marker, None)
        }
        _ if is_caption(line.text()) => SegmentClass::Caption,
        _ => SegmentClass::Paragraph,
    }
}

/// The next line on the page, if it is text.
fn next_line(document: &MeasuredDocument, index: usize, end: usize) -> Option<&MeasuredLine> {
    (index + 1 < end)
        .then(|| document.line(index + 1))
        .flatten()
        .filter(|line| line.is_text())
}

/// Whether a line belongs to the segment that ends with another one.
fn joins(
    document: &MeasuredDocument,
    segment: &Segment,
    last: &MeasuredLine,
    line: &MeasuredLine,
    next: Option<&MeasuredLine>,
) -> bool {
    if let (Some(a), Some(b)) = (last.line.declared, line.line.declared) {
        // Some programs declare each line of code.
        let is_code = [(a, last), (b, line)].iter().all(|(declared, line)| {
            declared.role == Some(Role::Code) || line.is_fixed && !document.is_body_fixed
        });
        if a.block != b.block && !is_code {
            return false;
        }
        if a.block == b.block && a.role.is_some() && a.role == b.role {
            return true;
        }
    }
    let is_declared_code =
        line.line.declared.and_then(|declared| declared.role) == Some(Role::Code);
    let is_code = line.is_fixed || is_declared_code || is_blank_code(last, line);
    if segment.class == SegmentClass::Code && is_code {
        let step = line.base() - last.base();
        return (0.3 * line.size()..MAX_CODE_GAP_RATIO * document.leading(line.size()))
            .contains(&step)
            && line.left() < segment.right
            && line.right() > segment.left - MAX_CODE_OUTDENT_EMS * line.size();
    }
    if segment.class == SegmentClass::Paragraph && is_same_formula(last, line) {
        return true;
    }
    if !document.is_below(last, line) || line.is_after_rule {
        return false;
    }
    let size = last.size().max(line.size());
    let step = line.base() - last.base();
    if segment.class == SegmentClass::Code {
        return false;
    }
    if line.is_fixed != last.is_fixed
        && !document.is_body_fixed
        && is_set_apart(document, segment, last, line, next)
    {
        return false;
    }
    if line.marker.is_some() || line.is_entry || segment.class == SegmentClass::Entry {
        return false;
    }
    let first = document.line(segment.items.start);
    if first.is_some_and(|first| is_next_section(first.text(), line.text())) {
        return false;
    }
    // A chapter after the title of its part.
    let is_prominent = |line: &MeasuredLine| {
        line.is_bold && !document.is_body_bold
            || document.ratio(line.size()) > MIN_DIVISION_SIZE_RATIO
    };
    if is_prominent(last) && is_prominent(line) && division(line.text()).is_some() {
        return false;
    }
    if line.is_raised && document.ratio(line.size()) < MAX_NOTE_RATIO
        || !is_within(last) && line.text().starts_with(NOTE_MARKS)
    {
        return false;
    }
    let is_short = line.letters.min(last.letters) < 4;
    // The heading of a part of an index.
    let is_letter = line.is_bold
        && line.letters == 1
        && line.text().starts_with(char::is_uppercase)
        && (last.is_bold || line.size() > MIN_LETTER_SIZE_RATIO * last.size());
    let is_formula = is_short && step < 1.5 * size && !is_letter;
    if !(is_formula || document.is_same_size(last.size(), line.size())) {
        return false;
    }
    let is_centered = is_centered(last, line);
    // The column of a short centered line is only as wide as the line.
    let margin = last.column.1.max(line.column.1);
    let is_full = last.right() > margin - last.size();
    if last.is_bold != line.is_bold
        && last.letters > 0
        && line.letters > 0
        && !document.is_body_bold
        && !(last.is_bold && is_full && !is_centered)
        && !(line.is_bold && next.is_some_and(|next| !next.is_bold) && is_full && is_within(last))
    {
        return false;
    }
    if is_far(document, segment, last, line, next) || is_caption(line.text()) && !is_within(last) {
        return false;
    }
    let is_large = document.ratio(size) > 1.15;
    if is_centered || is_large {
        return true;
    }
    if last.is_row() || line.is_row() || !is_within(last) && starts_with_term(line) {
        return false;
    }
    !(starts_by_indent(segment, last, line, next) || ends_early(last, line))
}

/// Whether a line starts with the number of the section after that of another line: `2.1.3` after
/// `2.1.2`, or `2.1` after `2`.
fn is_next_section(last: &str, line: &str) -> bool {
    let number = |text: &'_ str| -> Option<(String, u32)> {
        let (number, _) = text.split_once(' ')?;
        let (above, part) = number.trim_end_matches('.').rsplit_once('.')?;
        let is_number = above
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        Some((above.to_owned(), part.parse().ok().filter(|_| is_number)?))
    };
    let Some(next) = number(line) else {
        return false;
    };
    // The first section of a section with a title.
    let (above, title) = last.split_once(' ').unwrap_or_default();
    let is_first = next.1 == 1 && above.trim_end_matches('.') == next.0 && !title.is_empty();
    is_first
        || number(last)
            .is_some_and(|last| last.0 == next.0 && last.1.checked_add(1) == Some(next.1))
}

/// Whether two lines are parts of a formula of several lines, such as a fraction or a sum with its
/// limits.
fn is_same_formula(last: &MeasuredLine, line: &MeasuredLine) -> bool {
    let size = last.size().max(line.size());
    !last.has_words
        && !line.has_words
        && (last.has_formula || line.has_formula)
        && line.marker.is_none()
        && (line.base() - last.base()).abs() < MAX_FORMULA_STEP_EMS * size
}

/// Whether a line is the number of a blank line of code.
fn is_blank_code(last: &MeasuredLine, line: &MeasuredLine) -> bool {
    let is_next = last
        .line_number
        .zip(line.line_number)
        .is_some_and(|((last, _), (number, _))| number == last + 1);
    is_next && line.text().bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the line before ends within a sentence.
fn is_within(line: &MeasuredLine) -> bool {
    !line
        .text()
        .ends_with(['.', ':', '!', '?', '。', '！', '？'])
}

/// Whether a text is a web or e-mail address.
pub fn is_address(text: &str) -> bool {
    let is_mail = || {
        let host = text.split_once('@').map(|(_, host)| host);
        host.is_some_and(|host| host.contains('.') && !host.contains(' '))
    };
    !text.contains('(') && (text.contains("://") && !text.contains(' ') || is_mail())
}

/// Whether fixed-width lines are a block of code rather than a part of a paragraph that happens to
/// fill a line.
fn is_set_apart(
    document: &MeasuredDocument,
    segment: &Segment,
    last: &MeasuredLine,
    line: &MeasuredLine,
    next: Option<&MeasuredLine>,
) -> bool {
    let size = last.size().min(line.size());
    let is_far = line.base() - last.base() > MIN_SEGMENT_STEP_RATIO * document.leading(size);
    // The text before it ends where its first word did not fit, and continues below it.
    let is_within_text = segment.class != SegmentClass::Code
        && (is_within(last) || is_address(line.text()))
        && last.right() + line.first_word() > last.column.1 - size
        && (line.left() - last.left()).abs() < 0.5 * size
        && !next.is_some_and(|next| next.is_fixed && document.is_below(line, next));
    is_far || segment.class == SegmentClass::Code || line.is_fixed && !is_within_text
}

/// Whether a line starts with bold words that a wide gap separates from the rest, as in a glossary.
fn starts_with_term(line: &MeasuredLine) -> bool {
    let is_term = |mark: &Mark| {
        mark.kind == MarkKind::Strong && mark.range.start == 0 && mark.range.end < line.text().len()
    };
    (line.line.run_in.is_some() || line.line.gaps > 0) && line.line.text.marks.iter().any(is_term)
}

/// Whether two lines have the same center but not the same edges.
fn is_centered(last: &MeasuredLine, line: &MeasuredLine) -> bool {
    (last.center() - line.center()).abs() < 0.6 * line.size()
        && (last.left() - line.left()).abs() > 1.2 * line.size()
}

/// Whether the gap to the previous line is too large for one paragraph.
fn is_far(
    document: &MeasuredDocument,
    segment: &Segment,
    last: &MeasuredLine,
    line: &MeasuredLine,
    next: Option<&MeasuredLine>,
) -> bool {
    let size = last.size().max(line.size());
    let step = line.base() - last.base();
    let mut usual = document.leading(size);
    if segment.lines() >= 2
        && let Some(before) = document.line(segment.items.end.saturating_sub(2))
    {
        let own = last.base() - before.base();
        if own > 0.5 * size && document.is_same_size(before.size(), last.size()) {
            usual = own;
        }
    } else if step > MIN_SEGMENT_STEP_RATIO * usual {
        // Double-spaced text inside single-spaced text.
        let is_regular = next.is_some_and(|next| {
            document.is_below(line, next)
                && ((next.base() - line.base()) - step).abs() < 0.08 * step
        });
        // The column of a short centered line is only as wide as the line.
        let margin = last.column.1.max(line.column.1);
        let is_full = is_within(last) && last.right() > margin - 2.0 * last.size();
        if is_regular && is_full && step < 2.6 * size {
            return false;
        }
    }
    // A divided word continues on the next line.
    let starts_low = line.text().starts_with(char::is_lowercase);
    let far = if ends_divided(last.text()) && starts_low {
        MIN_STEP_WITHIN_WORD_RATIO
    } else {
        MIN_SEGMENT_STEP_RATIO
    };
    step > far * usual.max(0.9 * size)
}

/// Whether a line is the first one of a paragraph because of its left edge.
fn starts_by_indent(
    segment: &Segment,
    last: &MeasuredLine,
    line: &MeasuredLine,
    next: Option<&MeasuredLine>,
) -> bool {
    let size = line.size();
    let indent = line.left() - last.left();
    let is_hanging = segment.lines() >= 2 && last.left() > segment.left + MIN_INDENT_EMS * size;
    if is_hanging && line.left() < segment.left + 0.3 * size {
        return true;
    }
    if segment.lines() >= 2 || matches!(segment.class, SegmentClass::Paragraph) {
        let is_in = (MIN_INDENT_EMS * size..MAX_INDENT_EMS * size).contains(&indent);
        let returns = next.is_none_or(|next| next.left() < line.left() - 0.5 * size);
        // The second line of a hanging paragraph is indented, too.
        let goes_on = is_within(last)
            && last.is_bold == line.is_bold
            && last.right() > last.column.1 - size
            && !last.text().contains(is_right_to_left);
        let is_second = segment.lines() == 1
            && (goes_on || !next.is_some_and(|next| next.left() < line.left() - 0.5 * size));
        if is_in && returns && !is_second && !ends_divided(last.text()) {
            return true;
        }
    }
    false
}

/// Whether a line is indented relative to the next one.
fn is_indented(line: &MeasuredLine, next: Option<&MeasuredLine>) -> bool {
    next.is_some_and(|next| {
        (MIN_INDENT_EMS * line.size()..MAX_INDENT_EMS * line.size())
            .contains(&(line.left() - next.left()))
            && next.base() > line.base()
    })
}

/// Whether a line ends before the margin although the first word of the next one would fit.
fn ends_early(last: &MeasuredLine, line: &MeasuredLine) -> bool {
    if [last, line].iter().all(|line| is_index_entry(line.text())) {
        return true;
    }
    let space = 0.3 * last.size();
    let room = last.column.1 - last.right() - space - line.first_word();
    if room < 0.8 * last.size() || ends_divided(last.text()) {
        return false;
    }
    let first = line.text().chars().find(|c| c.is_alphanumeric());
    let starts = first.is_some_and(|c| c.is_uppercase() || c.is_numeric() || joins_lines(c));
    let width = last.column.1 - last.column.0;
    !is_within(last) || (starts && room > 0.15 * width)
}

/// Whether a text is an entry of an index: words with page numbers, such as `bridges, 12, 24–31`.
fn is_index_entry(text: &str) -> bool {
    let Some((_, last)) = text.rsplit_once(", ") else {
        return false;
    };
    let is_number = |part: &str| {
        (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.starts_with(char::is_alphabetic) && last.split(['-', '–']).all(is_number)
}

/// The words with which captions of figures start.
const FIGURE_WORDS: [&str; 21] = [
    "figure",
    "fig",
    "scheme",
    "chart",
    "plate",
    "abbildung",
    "abb",
    "figura",
    "gráfico",
    "grafico",
    "afbeelding",
    "figuur",
    "рис",
    "рисунок",
    "rysunek",
    "illustration",
    "photo",
    "map",
    "図",
    "图",
    "圖",
];
/// The words with which other captions start.
const OTHER_CAPTION_WORDS: [&str; 14] = [
    "table",
    "tab",
    "listing",
    "algorithm",
    "exhibit",
    "tabelle",
    "tabla",
    "tableau",
    "tabela",
    "quadro",
    "cuadro",
    "tabella",
    "таблица",
    "表",
];

/// Whether a text starts like a caption: a word such as `Figure`, and a number.
pub fn is_caption(text: &str) -> bool {
    starts_caption(text, &FIGURE_WORDS) || starts_caption(text, &OTHER_CAPTION_WORDS)
}

/// Whether a text starts like the caption of a figure.
pub fn is_caption_of_figure(text: &str) -> bool {
    starts_caption(text, &FIGURE_WORDS)
}

fn starts_caption(text: &str, words: &[&str]) -> bool {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let first = word.chars().next();
    let is_word = first.is_some_and(|c| c.is_uppercase() || joins_lines(c))
        && words.contains(&word.to_lowercase().as_str());
    if !is_word {
        return false;
    }
    let rest = rest.trim_start_matches('.').trim_start();
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '–')))
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let core = number.trim_end_matches(['.', '-', '–']);
    let is_number = core.len() <= 8
        && (core.chars().any(|c| c.is_ascii_digit())
            || (!core.is_empty() && core.chars().all(|c| "IVXLCABSM.".contains(c))));
    if !is_number {
        return false;
    }
    let has_mark = number.len() > core.len() || rest.starts_with([':', '|', ')', '—', '–', '：']);
    // Without punctuation, the start of a title must follow: "Figure 3 shows" is not a caption.
    let title = rest.trim_start().chars().next();
    has_mark || title.is_none_or(|c| c.is_uppercase() || joins_lines(c))
}
