//! The text of a document exactly as the seed system makes it: the mode `'seed'`.

use std::ops::Range;

use super::hidden::Veil;
use super::seed_controls::replaced;
use super::seed_lists::Lists;
use crate::events::{Element, Events};
use corpus_markup::Name;

/// Elements at whose start and end a paragraph ends. Items, rows and cells are not among them. The
/// seed lists article, aside, dialog, figure, footer, header, main, nav and section, too; but the
/// parser before it drops the tags of elements that HTML 4 does not have, so they never part.
/// meta and title belong to the head: the parser closes the body before them, and opens it again.
fn parts_paragraphs(name: Name) -> bool {
    matches!(
        name,
        Name::ADDRESS
            | Name::BLOCKQUOTE
            | Name::CAPTION
            | Name::CENTER
            | Name::DIR
            | Name::DIV
            | Name::DL
            | Name::FIELDSET
            | Name::FORM
            | Name::FRAME
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
            | Name::HR
            | Name::LEGEND
            | Name::META
            | Name::NOFRAMES
            | Name::NOSCRIPT
            | Name::OL
            | Name::OPTGROUP
            | Name::OPTION
            | Name::P
            | Name::PRE
            | Name::TABLE
            | Name::TEXTAREA
            | Name::TITLE
            | Name::UL
            | Name::XMP
    )
}

/// Elements before whose text Tika writes a tab.
fn is_indented(name: Name) -> bool {
    matches!(name, Name::DD | Name::DT | Name::LI | Name::TD | Name::TH)
}

/// Elements behind which Tika ends the line. Those that part paragraphs do that anyway.
fn ends_line(name: Name) -> bool {
    matches!(
        name,
        Name::BR
            | Name::DD
            | Name::DT
            | Name::LI
            | Name::LINK
            | Name::SCRIPT
            | Name::SELECT
            | Name::TR
    )
}

/// Elements that hold elements only: Tika drops the white space between these.
fn holds_elements_only(name: Name) -> bool {
    matches!(
        name,
        Name::DIR
            | Name::DL
            | Name::MENU
            | Name::OL
            | Name::OPTGROUP
            | Name::SELECT
            | Name::TABLE
            | Name::TBODY
            | Name::TFOOT
            | Name::THEAD
            | Name::TR
            | Name::UL
    )
}

/// What Java trims.
fn is_trimmed(character: char) -> bool {
    character <= ' '
}

/// Text as the seed cleans it: lines are trimmed, empty ones are dropped, nothing is collapsed.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    /// Where the last paragraph begins.
    paragraph: usize,
    /// Where the last line begins.
    line: usize,
    /// How short the text was since somebody asked.
    lowest: usize,
}

impl Lines {
    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(end) = memchr::memchr(b'\n', rest.as_bytes()) {
            self.write_in_line(rest.get(..end).unwrap_or_default());
            self.end_line();
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        self.write_in_line(rest);
    }

    fn write_in_line(&mut self, text: &str) {
        let text = if self.text.len() == self.line {
            text.trim_start_matches(is_trimmed)
        } else {
            text
        };
        self.text.push_str(text);
    }

    fn end_line(&mut self) {
        self.trim();
        if self.text.len() > self.line {
            self.text.push('\n');
            self.line = self.text.len();
        }
    }

    fn trim(&mut self) {
        let line = self.text.get(self.line..).unwrap_or_default();
        let length = line.trim_end_matches(is_trimmed).len();
        self.text.truncate(self.line + length);
        self.lowest = self.lowest.min(self.text.len());
    }

    /// Ends the paragraph, and says where its text is unless there is none.
    fn end_paragraph(&mut self) -> Option<Range<usize>> {
        self.end_line();
        if self.line == self.paragraph {
            return None;
        }
        let range = self.paragraph..self.line - 1;
        self.text.push('\n');
        self.line = self.text.len();
        self.paragraph = self.line;
        Some(range)
    }

    fn finish(mut self) -> String {
        let length = self.text.trim_end_matches(is_trimmed).len();
        self.text.truncate(length);
        self.text
    }
}

/// Follows the text while it is written, for who wants to know where its paragraphs are.
pub trait SeedMarks {
    /// `parts`: paragraphs end at its start.
    fn open(&mut self, element: &Element<'_>, parts: bool);
    fn close(&mut self, name: Name);
    /// The body gets those attributes that it does not have.
    fn more_of_body(&mut self, element: &Element<'_>);
    /// White space was cut off the end of the text, so that so many bytes of it were left.
    fn trimmed(&mut self, length: usize);
    /// Text was written from there to the end of `text`.
    fn written(&mut self, from: usize, text: &str);
    /// A paragraph ended, `before` the start of an element or else before an end.
    fn paragraph(&mut self, range: Range<usize>, text: &str, before: Before);
}

/// At what a paragraph ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Start,
    End,
}

impl SeedMarks for () {
    fn open(&mut self, _: &Element<'_>, _: bool) {}
    fn close(&mut self, _: Name) {}
    fn more_of_body(&mut self, _: &Element<'_>) {}
    fn trimmed(&mut self, _: usize) {}
    fn written(&mut self, _: usize, _: &str) {}
    fn paragraph(&mut self, _: Range<usize>, _: &str, _: Before) {}
}

/// Listens for the text of a document as the seed makes it, and nothing else.
pub type SeedDocument = Seed<()>;

#[derive(Debug, Default)]
pub struct Seed<M> {
    lines: Lines,
    marks: M,
    veil: Veil,
    /// Nothing outside of the body is text.
    in_body: bool,
    open: Vec<Name>,
    list_rules: Lists,
    /// Text was seen since the last tag.
    in_text: bool,
    /// White space behind the last tag that is dropped, unless text follows before the next tag.
    ignorable: String,
}

impl Seed<()> {
    /// The document: paragraphs, a blank line between them.
    pub fn finish(self) -> String {
        self.into_parts().0
    }
}

impl<M: SeedMarks> Seed<M> {
    /// The document and what followed it.
    pub fn into_parts(mut self) -> (String, M) {
        self.end_paragraph(Before::End);
        (self.lines.finish(), self.marks)
    }

    fn forget_blanks(&mut self) {
        self.ignorable.clear();
        self.in_text = false;
    }

    fn write(&mut self, text: &str) {
        self.marks.trimmed(self.lines.lowest);
        self.lines.lowest = self.lines.text.len();
        self.lines.write(text);
        self.marks.written(self.lines.lowest, &self.lines.text);
        self.lines.lowest = self.lines.text.len();
    }

    fn end_paragraph(&mut self, before: Before) {
        if let Some(range) = self.lines.end_paragraph() {
            self.marks.paragraph(range, &self.lines.text, before);
        }
    }
}

impl<M: SeedMarks> Events for Seed<M> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name;
        if self.veil.is_down() {
            return self.veil.open(name);
        }
        self.forget_blanks();
        let parts = parts_paragraphs(name);
        if self.list_rules.open(name, self.open.len()) || parts {
            self.end_paragraph(Before::Start);
        }
        match name {
            Name::SCRIPT | Name::STYLE | Name::TITLE => {
                if ends_line(name) {
                    self.lines.end_line();
                }
                return self.veil.drop_for(name);
            }
            Name::BODY | Name::FRAMESET => self.in_body = true,
            _ => {}
        }
        if self.in_body {
            self.marks.open(element, parts);
        }
        self.open.push(name);
        if is_indented(name) {
            self.lines.write_in_line("\t");
        }
    }

    fn close(&mut self, name: Name) {
        if self.veil.is_down() {
            return self.veil.close(name);
        }
        self.forget_blanks();
        if ends_line(name) {
            self.lines.end_line();
        }
        if parts_paragraphs(name) || matches!(name, Name::BODY | Name::FRAMESET) {
            self.end_paragraph(Before::End);
        }
        self.list_rules.close(name);
        self.marks.close(name);
        if let Some(index) = self.open.iter().rposition(|open| *open == name) {
            self.open.remove(index);
        }
    }

    fn text(&mut self, text: &str) {
        if !self.in_body || self.veil.is_down() {
            return;
        }
        let text = &*replaced(text);
        let is_blank = text.bytes().all(|byte| byte <= b' ');
        if is_blank
            && !self.in_text
            && self
                .open
                .last()
                .is_some_and(|name| holds_elements_only(*name))
        {
            self.ignorable.push_str(text);
            return;
        }
        if !is_blank && self.list_rules.content(self.open.len()) {
            self.end_paragraph(Before::Start);
        }
        self.in_text = true;
        let before = std::mem::take(&mut self.ignorable);
        self.write(&before);
        self.write(text);
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        if element.name == Name::BODY {
            self.marks.more_of_body(element);
        }
    }
}
