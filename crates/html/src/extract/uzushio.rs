//! The mode `'uzushio'`: the text of a document exactly as uzushio extracts it.

use std::ops::Range;

use super::uzushio_controls::replaced;
use super::uzushio_lists::Lists;
use crate::events::{Element, Events};
use crate::hidden::HiddenScope;
use corpus_markup::Name;

/// Elements that end a paragraph at their start and end. Items, rows and cells do not. uzushio also
/// lists article, aside, dialog, figure, footer, header, main, nav and section, but its parser
/// drops the tags of elements that HTML 4 does not have, so they never separate. meta and title
/// belong to the head, so the parser closes the body before them and reopens it.
fn separates_paragraphs(name: Name) -> bool {
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

/// Elements whose text Tika starts with a tab.
fn is_indented(name: Name) -> bool {
    matches!(name, Name::DD | Name::DT | Name::LI | Name::TD | Name::TH)
}

/// Elements after which Tika ends the line, in addition to the elements that separate paragraphs.
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

/// Elements that contain only elements. Tika drops the white space between their children.
fn contains_only_elements(name: Name) -> bool {
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

/// Whether Java's `String.trim` removes the character.
fn is_trimmed(character: char) -> bool {
    character <= ' '
}

/// Cleans text like uzushio: lines are trimmed, and empty ones are dropped.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    /// The start of the last paragraph.
    paragraph: usize,
    /// The start of the last line.
    line: usize,
    /// The minimum length of the text since it was last reported.
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

    /// Ends the paragraph, and returns its range unless it is empty.
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

/// Observes the text while it is written, in order to locate its paragraphs.
pub trait UzushioObserver {
    /// An element opens. `separates`: paragraphs end at its start.
    fn open(&mut self, element: &Element<'_>, separates: bool);
    fn close(&mut self, name: Name);
    /// Another body tag: the body gets the attributes that it does not have yet.
    fn more_of_body(&mut self, element: &Element<'_>);
    /// White space was trimmed from the end of the text, which left `length` bytes.
    fn trimmed(&mut self, length: usize);
    /// Text was written from this position to the end of `text`.
    fn written(&mut self, from: usize, text: &str);
    /// A paragraph ended, before the start or the end of an element.
    fn paragraph(&mut self, range: Range<usize>, text: &str, before: Before);
}

/// The tag at which a paragraph ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Start,
    End,
}

impl UzushioObserver for () {
    fn open(&mut self, _: &Element<'_>, _: bool) {}
    fn close(&mut self, _: Name) {}
    fn more_of_body(&mut self, _: &Element<'_>) {}
    fn trimmed(&mut self, _: usize) {}
    fn written(&mut self, _: usize, _: &str) {}
    fn paragraph(&mut self, _: Range<usize>, _: &str, _: Before) {}
}

/// A listener that extracts the text of a document like uzushio.
pub type UzushioDocument = Uzushio<()>;

/// A listener that extracts text like uzushio and reports positions to an observer.
#[derive(Debug, Default)]
pub struct Uzushio<M> {
    lines: Lines,
    observer: M,
    hidden: HiddenScope,
    /// Whether the current position is inside the body. Text outside it is ignored.
    in_body: bool,
    open: Vec<Name>,
    list_rules: Lists,
    /// Whether there was text since the last tag.
    in_text: bool,
    /// White space after the last tag, which is dropped unless text follows before the next tag.
    ignorable: String,
}

impl Uzushio<()> {
    /// The document: paragraphs separated by blank lines.
    pub fn finish(self) -> String {
        self.into_parts().0
    }
}

impl<M: UzushioObserver> Uzushio<M> {
    /// The document and the observer.
    pub fn into_parts(mut self) -> (String, M) {
        self.end_paragraph(Before::End);
        (self.lines.finish(), self.observer)
    }

    fn forget_blanks(&mut self) {
        self.ignorable.clear();
        self.in_text = false;
    }

    fn write(&mut self, text: &str) {
        self.observer.trimmed(self.lines.lowest);
        self.lines.lowest = self.lines.text.len();
        self.lines.write(text);
        self.observer.written(self.lines.lowest, &self.lines.text);
        self.lines.lowest = self.lines.text.len();
    }

    fn end_paragraph(&mut self, before: Before) {
        if let Some(range) = self.lines.end_paragraph() {
            self.observer.paragraph(range, &self.lines.text, before);
        }
    }
}

impl<M: UzushioObserver> Events for Uzushio<M> {
    const MOVES_PARTS: bool = false;

    fn open(&mut self, element: &Element<'_>) {
        let name = element.name;
        if self.hidden.is_inside() {
            return self.hidden.open(name);
        }
        self.forget_blanks();
        let separates = separates_paragraphs(name);
        if self.list_rules.open(name, self.open.len()) || separates {
            self.end_paragraph(Before::Start);
        }
        match name {
            Name::SCRIPT | Name::STYLE | Name::TITLE => {
                if ends_line(name) {
                    self.lines.end_line();
                }
                return self.hidden.enter(name);
            }
            Name::BODY | Name::FRAMESET => self.in_body = true,
            _ => {}
        }
        if self.in_body {
            self.observer.open(element, separates);
        }
        self.open.push(name);
        if is_indented(name) {
            self.lines.write_in_line("\t");
        }
    }

    fn close(&mut self, name: Name) {
        if self.hidden.is_inside() {
            return self.hidden.close(name);
        }
        self.forget_blanks();
        if ends_line(name) {
            self.lines.end_line();
        }
        if separates_paragraphs(name) || matches!(name, Name::BODY | Name::FRAMESET) {
            self.end_paragraph(Before::End);
        }
        self.list_rules.close(name);
        self.observer.close(name);
        if let Some(index) = self.open.iter().rposition(|open| *open == name) {
            self.open.remove(index);
        }
    }

    fn text(&mut self, text: &str) {
        if !self.in_body || self.hidden.is_inside() {
            return;
        }
        let text = &*replaced(text);
        let is_blank = text.bytes().all(|byte| byte <= b' ');
        if is_blank
            && !self.in_text
            && self
                .open
                .last()
                .is_some_and(|name| contains_only_elements(*name))
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
            self.observer.more_of_body(element);
        }
    }
}
