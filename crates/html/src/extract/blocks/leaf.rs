//! The block that is being written.

use std::borrow::Cow;
use std::ops::Range;

use super::labels::{label_of, number_of_label};
use super::line_numbers::{without_common_indent, without_numbers};
use corpus_blocks::block::{equation_number, with_equation_number};
use corpus_blocks::{Kind, MarkKind, Text};

/// A block whose text is being written.
#[derive(Debug)]
pub struct Leaf {
    pub kind: LeafKind,
    pub text: Text,
    pub quotes: u16,
    pub new_quotes: u16,
    pub level: u16,
    pub is_done: Option<bool>,
    /// The paragraphs of the document that contain it.
    pub paragraphs: Range<usize>,
    /// Whether line numbers were removed.
    pub had_numbers: bool,
}

/// The kind of an unfinished block.
#[derive(Debug, PartialEq)]
pub enum LeafKind {
    Block(Kind),
    /// The caption of the innermost table.
    TableCaption,
}

impl Leaf {
    pub fn is_code(&self) -> bool {
        matches!(self.kind, LeafKind::Block(Kind::Code { .. }))
    }

    /// Adds the separator between two words.
    pub fn separate(&mut self, separator: &str, has_elements: bool) {
        if self.text.text.is_empty() {
            return;
        }
        let newlines = separator.bytes().filter(|byte| *byte == b'\n').count();
        if has_elements {
            // Elements in code are its lines.
            self.text.text.push('\n');
        } else if newlines > 0 {
            self.text.text.extend(std::iter::repeat_n('\n', newlines));
        }
        // After the label of an item.
        let has_space = !self.is_code() && self.text.text.ends_with(' ');
        // Quotation marks may follow the white space. Deleted text has a mark instead.
        let is_part = |c: &char| match c {
            '\n' | '\t' => newlines == 0 && !has_elements,
            ' ' if has_space => false,
            ' ' | '\u{3000}' => newlines == 0 && !has_elements,
            '~' => false,
            _ => true,
        };
        self.text.text.extend(separator.chars().filter(is_part));
    }

    /// Removes bytes from the end after the document was trimmed.
    pub fn trim(&mut self, bytes: usize) {
        let text = &mut self.text.text;
        let length = text.floor_char_boundary(text.len().saturating_sub(bytes));
        text.truncate(length);
    }

    /// Replaces the last bytes by a formula.
    pub fn replace_formula(&mut self, bytes: usize, formula: &str) {
        self.trim(bytes);
        let start = self.text.text.len();
        let is_replaced =
            |mark: &corpus_blocks::Mark| mark.kind.name() == "formula" && mark.range.end > start;
        self.text.marks.retain(|mark| !is_replaced(mark));
        self.text.text.push_str(formula);
        self.text
            .mark(start..self.text.text.len(), MarkKind::Formula);
    }

    /// Reads the label at the start of an item. Without one, it is a paragraph.
    pub fn read_label(&mut self) {
        let LeafKind::Block(Kind::Item(item)) = &mut self.kind else {
            return;
        };
        match label_of(&self.text.text) {
            Some(label) => {
                item.number = number_of_label(label);
                let rest = self.text.text.get(label.len()..).unwrap_or_default();
                let start = self.text.text.len() - rest.trim_start().len();
                self.text = self.text.part(start..self.text.text.len());
            }
            None => {
                self.kind = LeafKind::Block(Kind::Paragraph);
                self.level = self.level.saturating_sub(1);
            }
        }
    }

    /// Finishes the text, and turns a paragraph that is only a displayed formula or
    /// lines of code into that.
    pub fn finish(&mut self) {
        let is_code = self.is_code();
        let text = &mut self.text;
        text.text.truncate(text.text.trim_end().len());
        if is_code && let Cow::Owned(code) = without_numbers(&text.text) {
            text.text = code;
        }
        if self.had_numbers {
            text.text = without_common_indent(&text.text);
        }
        if matches!(self.kind, LeafKind::Block(Kind::Heading(_))) {
            remove_permalink(&mut text.text);
        }
        let length = text.text.len();
        for mark in &mut text.marks {
            mark.range.end = mark.range.end.min(length);
            mark.range.start = mark.range.start.min(mark.range.end);
        }
        text.marks
            .retain(|mark| !mark.range.is_empty() || mark.kind.may_be_empty());
        if self.kind == LeafKind::Block(Kind::Paragraph)
            && let Some(formula) = displayed_formula(&self.text)
        {
            self.text = Text::plain(formula);
            self.kind = LeafKind::Block(Kind::Formula);
        }
        if self.kind == LeafKind::Block(Kind::Paragraph) && has_lines_of_code(&self.text) {
            self.text = Text::plain(std::mem::take(&mut self.text.text));
            self.kind = LeafKind::Block(Kind::Code { language: None });
        }
    }
}

/// Whether a text is code with line breaks, and nothing else.
fn has_lines_of_code(text: &Text) -> bool {
    let whole = 0..text.text.len();
    let mut marks = text.marks.iter();
    text.text.contains('\n') && marks.any(|mark| mark.kind == MarkKind::Code && mark.range == whole)
}

/// The TeX of a paragraph that is a displayed formula.
fn displayed_formula(text: &Text) -> Option<String> {
    let whole = 0..text.text.len();
    let linear = text.marks.iter().find_map(|mark| match &mark.kind {
        MarkKind::LinearFormula(tex) if mark.range == whole => Some(&**tex),
        _ => None,
    });
    let source = linear.unwrap_or(&text.text);
    let (source, number) = without_number(source);
    let between = |opening: &str, closing: &str| {
        let inner = source.strip_prefix(opening)?.strip_suffix(closing)?;
        (!inner.contains(opening) && !inner.contains(closing)).then_some(inner.trim())
    };
    let inner = between("$$", "$$").or_else(|| between("\\[", "\\]"));
    let inner = inner.filter(|inner| !inner.is_empty())?;
    Some(match number {
        Some(number) => with_equation_number(inner, number),
        None => inner.to_owned(),
    })
}

/// Splits the number of an equation off, which is before or after it in the text: `(1)\[x\]`.
fn without_number(text: &str) -> (&str, Option<&str>) {
    let before = text.split_once(')').and_then(|(number, rest)| {
        let number = equation_number(&text[..=number.len()])?;
        Some((rest.trim_start(), Some(number)))
    });
    let after = || {
        let (rest, number) = text.split_at_checked(text.rfind('(')?)?;
        Some((rest.trim_end(), Some(equation_number(number)?)))
    };
    before.or_else(after).unwrap_or((text, None))
}

/// Removes the permalink sign from the end of a heading. Browsers show it only on hover.
fn remove_permalink(heading: &mut String) {
    let end = heading.strip_suffix('¶').map(|rest| rest.trim_end().len());
    if let Some(end) = end.filter(|end| *end > 0) {
        heading.truncate(end);
    }
}
