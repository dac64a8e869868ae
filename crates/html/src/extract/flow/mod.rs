//! The default mode: the text of a document as a careful reader would copy it.
//!
//! Paragraphs are separated by a blank line, lines by a newline. The separator between two words is
//! chosen when the second word arrives, from all boundaries crossed since the first one.
//!
//! ```text
//! separators  the separators between words
//! observer    the interface of observers of the text
//! marked      marks before and after the text of elements
//! pictures    alternative text of pictures
//! replaced    elements whose content is shown in another form
//! ```

mod marked;
mod observer;
mod pictures;
mod replaced;
mod separators;

use std::ops::Range;

use super::characters::{
    CharacterRole, Class, IDEOGRAPHIC_SPACE, blank_length, class, role, run_length,
};
use super::effect::Effect;
use super::end_effects::{EndEffect, EndEffects};
use super::markers::Markers;
use super::quotes::Pairs;
use super::tables::Tables;
use crate::events::{Element, Events};
use crate::hidden::{Display, HiddenScope, display, display_of_role, has_place};
use corpus_blocks::scripts::Script;
use corpus_markup::Name;
pub use observer::Observer;
use pictures::Link;
use replaced::{Captured, LastFormula};

/// The boundaries crossed since the last word, as a set of bits. Higher bits are stronger.
mod crossed {
    /// The start of an element that writes something before its first word.
    pub const MARK: u16 = 1;
    /// White space within a source line.
    pub const SPACE: u16 = 1 << 1;
    /// White space with a source newline.
    pub const WRAP: u16 = 1 << 2;
    /// White space requested by the author, such as a no-break space.
    pub const HARD_SPACE: u16 = 1 << 3;
    pub const LINE: u16 = 1 << 4;
    /// Two line breaks.
    pub const BLANK_LINE: u16 = 1 << 5;
    pub const BLOCK: u16 = 1 << 6;
    pub const ITEM: u16 = 1 << 7;
    pub const CELL: u16 = 1 << 8;
    pub const ROW: u16 = 1 << 9;
    pub const ALWAYS_BLOCK: u16 = 1 << 10;
}

/// A listener that extracts the text of a document.
pub type Document = Flow<()>;

/// A listener that extracts text and reports positions to an observer.
#[derive(Debug)]
pub struct Flow<M> {
    text: String,
    observer: M,
    /// The boundaries crossed since the last word.
    crossed: u16,
    hidden: HiddenScope,
    lists: usize,
    headings: usize,
    preformatted: usize,
    /// The white space before the next word of a preformatted line.
    indent: String,
    /// The separator before the current cell or item, unless it starts a paragraph.
    item: Option<Range<usize>>,
    /// Whether the current cell or item has several blocks.
    has_blocks: bool,
    keeps_hidden: bool,
    /// Whether attributes hide an element that would be shown without them.
    has_hidden: bool,
    in_head: bool,
    /// The markers of list items, if they are to be written.
    markers: Option<Box<Markers>>,
    tables: Tables,
    marks: EndEffects,
    link: Link,
    /// The quotation marks of the page's language, once they are needed.
    quotation_marks: Option<Pairs>,
    language: String,
    /// The captured content of the open hidden element.
    captured: Option<Box<Captured>>,
    /// The last formula in MathML, until a block starts.
    last_formula: Option<LastFormula>,
    /// The length of the text after the last formula.
    formula_end: usize,
    /// Whether notes are inside the text, as in LaTeXML.
    has_inline_notes: bool,
    /// The markup that the page shows without scripts.
    without_scripts: String,
    /// The number of pages that contain the current one.
    nesting: usize,
}

impl<M: Default> Default for Flow<M> {
    fn default() -> Self {
        Self::keeping(false, None)
    }
}

impl<M: Default> Flow<M> {
    /// A flow that optionally keeps text hidden by attributes, and writes the markers of list
    /// items.
    pub fn keeping(hidden: bool, markers: Option<Box<Markers>>) -> Self {
        Self::with_observer(M::default(), hidden, markers)
    }
}

impl<M> Flow<M> {
    /// The same flow, which writes to the memory of a text that is no longer needed.
    pub fn reusing(self, mut text: String) -> Self {
        text.clear();
        Self { text, ..self }
    }

    /// Like [`Flow::keeping`], with this observer.
    pub fn with_observer(observer: M, hidden: bool, markers: Option<Box<Markers>>) -> Self {
        Self {
            text: String::new(),
            observer,
            crossed: crossed::ALWAYS_BLOCK,
            hidden: HiddenScope::default(),
            lists: 0,
            headings: 0,
            preformatted: 0,
            indent: String::new(),
            item: None,
            has_blocks: false,
            keeps_hidden: hidden,
            has_hidden: false,
            in_head: false,
            markers,
            tables: Tables::default(),
            marks: EndEffects::default(),
            link: Link::default(),
            quotation_marks: None,
            language: String::new(),
            captured: None,
            last_formula: None,
            formula_end: usize::MAX,
            has_inline_notes: false,
            without_scripts: String::new(),
            nesting: 0,
        }
    }
}

impl Flow<()> {
    /// The document: paragraphs separated by blank lines.
    pub fn finish(self) -> String {
        self.into_parts().0
    }

    /// The state of the markers.
    pub fn into_markers(self) -> Option<Box<Markers>> {
        self.markers
    }
}

impl<M: Observer> Flow<M> {
    /// Whether attributes hide an element that would be shown without them.
    pub fn has_hidden(&self) -> bool {
        self.has_hidden
    }

    /// The document and the observer.
    pub fn into_parts(mut self) -> (String, M) {
        if !self.without_scripts.is_empty() {
            self.read_without_scripts();
        }
        self.trim_end();
        (self.text, self.observer)
    }

    /// Records that the boundary of an element was crossed.
    #[inline]
    fn cross(&mut self, effect: Effect) {
        let crossed = match effect {
            Effect::Block | Effect::Dialog | Effect::Replaced | Effect::Root => crossed::BLOCK,
            Effect::AlwaysBlock
            | Effect::Heading
            | Effect::Preformatted
            | Effect::Rule
            | Effect::Table => crossed::ALWAYS_BLOCK,
            // A nested list continues the outer one.
            Effect::List if self.lists == 0 => crossed::ALWAYS_BLOCK,
            Effect::List | Effect::Item => crossed::ITEM,
            Effect::Row | Effect::RowGroup => crossed::ROW,
            Effect::Cell => crossed::CELL,
            _ => return,
        };
        self.crossed |= crossed;
        self.indent.clear();
    }

    fn hides(&self, effect: Effect, element: &Element<'_>) -> bool {
        match effect {
            Effect::Hidden | Effect::Control => true,
            Effect::Replaced => self.in_head || !replaced::is_shadow_root(element),
            Effect::Button => self.headings == 0 && !replaced::is_tab(element),
            Effect::Dialog => !self.keeps_hidden && element.attribute("open").is_none(),
            _ => false,
        }
    }

    /// Starts to skip an element that is not shown.
    #[inline]
    fn hide(&mut self, element: &Element<'_>, effect: Effect, display: Display) {
        if matches!(effect, Effect::Control | Effect::Button) {
            self.crossed |= crossed::SPACE;
        }
        if element.name == Name::LI && has_place(element) {
            if let Some(markers) = &mut self.markers {
                markers.count_item(element);
            }
            self.observer.hidden_item(element);
        }
        match effect {
            Effect::Cell if has_place(element) => self.tables.open_cell(element),
            Effect::Replaced | Effect::Control if display != Display::Hidden => {
                self.replace(element);
            }
            _ => {}
        }
        self.hidden.enter(element.name);
    }

    /// Opens an element that does more than a paragraph or inline element.
    fn open_unusual(&mut self, element: &Element<'_>, mut effect: Effect, display: Display) {
        self.has_hidden |= display == Display::Hidden && effect != Effect::Hidden;
        if self.hides(effect, element)
            || (display == Display::Hidden
                && !self.keeps_hidden
                && !replaced::shows_formula(element)
                && !self.shows_only_formula(element))
        {
            return self.hide(element, effect, display);
        }
        if effect.is_block() && !effect.is_void() {
            self.last_formula = None;
        }
        self.cross(effect);
        let mut mark = EndEffect::None;
        match effect {
            Effect::List => self.lists += 1,
            Effect::Heading => {
                self.headings += 1;
                self.link.start_heading(self.text.len());
            }
            Effect::Preformatted => self.preformatted += 1,
            Effect::Block if self.observer.preformats(element) => {
                self.preformatted += 1;
                mark = EndEffect::Preformatted;
            }
            Effect::LineBreak => self.break_line(),
            Effect::VoidControl => {
                self.crossed |= crossed::SPACE;
                self.observer.control(element);
            }
            Effect::Root => self.read_language(element),
            Effect::Head => self.in_head = true,
            Effect::Link => self.open_link(element),
            Effect::Picture => {
                let is_text = self.picture(element);
                if !is_text {
                    self.observer.picture(element);
                }
            }
            Effect::Void if element.name == Name::BASE => self.observer.base(element),
            Effect::Table => self.tables.open(),
            Effect::RowGroup => self.tables.open_group(),
            Effect::Row => self.tables.open_row(),
            Effect::Cell => {
                self.tables.open_cell(element);
                if replaced::is_line_of_code(element) {
                    self.preformatted += 1;
                    mark = EndEffect::Preformatted;
                }
            }
            Effect::Superscript => {
                self.has_inline_notes |= replaced::is_note_mark(element);
                mark = EndEffect::Script(Script::Super);
            }
            Effect::Inline if self.has_inline_notes && replaced::is_inline_note(element) => {
                self.crossed |= crossed::SPACE;
                mark = EndEffect::Note;
            }
            Effect::Subscript => mark = EndEffect::Script(Script::Sub),
            // A button in a heading is part of it, and that of a tab is its label.
            Effect::Button | Effect::Label => self.crossed |= crossed::SPACE,
            Effect::Deleted => mark = EndEffect::Deleted,
            Effect::Quotation => mark = self.quotation(element),
            _ => {}
        }
        if mark != EndEffect::None || display != Display::Usual || !self.marks.is_empty() {
            effect = self.open_marked(element, effect, mark, display);
        }
        if let Some(markers) = &mut self.markers {
            Self::open_marked_item(markers, element);
        }
        if !effect.is_void() {
            self.observer.open(element, effect);
        }
    }

    fn close_unusual(&mut self, name: Name, effect: Effect) {
        if !self.marks.is_empty() {
            self.close_marked(name);
        }
        match effect {
            Effect::List => self.lists = self.lists.saturating_sub(1),
            Effect::Heading => {
                self.headings = self.headings.saturating_sub(1);
                self.close_heading();
            }
            Effect::Preformatted => self.preformatted = self.preformatted.saturating_sub(1),
            Effect::Head => self.in_head = false,
            Effect::Link => self.close_link(),
            Effect::Table => self.tables.close(),
            Effect::Button => self.crossed |= crossed::SPACE,
            _ => {}
        }
        self.cross(effect);
        if let Some(markers) = &mut self.markers {
            Self::close_marked_item(markers, name);
        }
        if !effect.is_void() {
            self.observer.close(name);
        }
    }

    fn open_hidden(&mut self, element: &Element<'_>) {
        self.hidden.open(element.name);
        if let Some(captured) = &mut self.captured {
            captured.open(element);
        }
    }

    #[cold]
    fn open_marked_item(markers: &mut Markers, element: &Element<'_>) {
        match element.name {
            Name::LI => markers.open_item(element),
            Name::OL | Name::UL | Name::MENU | Name::DIR => markers.open_list(element),
            _ => {}
        }
    }

    #[cold]
    fn close_marked_item(markers: &mut Markers, name: Name) {
        match name {
            Name::LI => markers.close_item(),
            Name::OL | Name::UL | Name::MENU | Name::DIR => markers.close_list(name),
            _ => {}
        }
    }

    fn break_line(&mut self) {
        self.crossed |= if self.crossed & crossed::LINE == 0 {
            crossed::LINE
        } else {
            crossed::BLANK_LINE
        };
        self.indent.clear();
    }

    /// Whether the next word starts a line or a cell.
    fn is_at_start(&self) -> bool {
        self.crossed >= crossed::LINE
    }

    /// Adds text that is shown.
    #[inline(always)]
    fn words(&mut self, text: &str) {
        if self.preformatted > 0 {
            return self.preserving(text);
        }
        // Most texts are only white space between tags.
        let after_blank = self.cross_blank(text.as_bytes());
        if after_blank < text.len() {
            self.collapsing(text, after_blank);
        }
    }

    /// Records the white space at the start of `bytes`, and returns its length.
    #[inline]
    fn cross_blank(&mut self, bytes: &[u8]) -> usize {
        let (length, has_newline) = blank_length(bytes);
        if has_newline {
            self.crossed |= crossed::WRAP;
        } else if length > 0 {
            self.crossed |= crossed::SPACE;
        }
        length
    }

    /// Adds text from a position on, and collapses the white space in it.
    #[inline(never)]
    fn collapsing(&mut self, text: &str, start: usize) {
        let bytes = text.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match class(byte) {
                Class::Blank | Class::Newline => {
                    at += self.cross_blank(bytes.get(at..).unwrap_or_default());
                }
                Class::Control => at += 1,
                Class::Text | Class::Suspect => {
                    let rest = text.get(at..).unwrap_or_default();
                    let first = if byte.is_ascii() {
                        char::from(byte)
                    } else {
                        rest.chars().next().unwrap_or_default()
                    };
                    if first == IDEOGRAPHIC_SPACE && self.is_at_start() {
                        at += first.len_utf8();
                        continue;
                    }
                    let length = run_length(rest.as_bytes());
                    if length == 0 {
                        if role(first) == CharacterRole::Space {
                            self.crossed |= crossed::HARD_SPACE;
                        }
                        at += first.len_utf8();
                        continue;
                    }
                    self.separate(first);
                    self.write(rest.get(..length).unwrap_or_default());
                    at += length;
                }
            }
        }
    }

    /// Adds preformatted text, with its lines and white space.
    fn preserving(&mut self, text: &str) {
        if self.crossed > crossed::MARK && !self.is_at_start() {
            // A control also separates words here, in order with the white space.
            self.crossed &= crossed::MARK;
            self.indent.push(' ');
        }
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            match first {
                '\n' => self.break_line(),
                ' ' | '\t' | IDEOGRAPHIC_SPACE => self.indent.push(first),
                _ => match role(first) {
                    CharacterRole::Nothing => {}
                    CharacterRole::Space => self.indent.push(' '),
                    CharacterRole::Text => {
                        length = run_length(rest.as_bytes());
                        let mark = self.crossed & crossed::MARK;
                        self.crossed ^= mark;
                        self.separate(first);
                        let from = self.text.len();
                        self.text.push_str(&self.indent);
                        self.indent.clear();
                        if mark > 0 {
                            self.start_marks(first);
                        }
                        self.text.push_str(rest.get(..length).unwrap_or_default());
                        self.observer.written(from, &self.text);
                    }
                },
            }
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    #[inline]
    fn write(&mut self, text: &str) {
        let from = self.text.len();
        self.text.push_str(text);
        self.observer.written(from, &self.text);
    }
}

impl<M: Observer> Events for Flow<M> {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        if self.hidden.is_inside() {
            return self.open_hidden(element);
        }
        let effect = Effect::of(element.name);
        // The names in these checks are all inline, except pre.
        let is_inline = effect == Effect::Inline;
        if (is_inline || effect == Effect::Preformatted) && replaced::is_tex(element) {
            return self.hide_tex(element);
        }
        let display = match display(element) {
            Display::Usual if is_inline && replaced::is_preview(element) => Display::Hidden,
            Display::Usual if self.has_inline_notes && self.repeats_mark(element) => {
                Display::Hidden
            }
            Display::Usual if is_inline => display_of_role(element),
            display => display,
        };
        // Most elements have no other effects.
        let is_usual = display == Display::Usual
            && matches!(effect, Effect::Inline | Effect::Block | Effect::Link)
            && self.marks.is_empty()
            && !self.has_inline_notes;
        if !is_usual {
            return self.open_unusual(element, effect, display);
        }
        match effect {
            Effect::Block if self.observer.preformats(element) => {
                return self.open_unusual(element, effect, display);
            }
            Effect::Block => {
                self.last_formula = None;
                self.cross(Effect::Block);
            }
            Effect::Link => self.open_link(element),
            _ => {}
        }
        self.observer.open(element, effect);
    }

    #[inline(always)]
    fn close(&mut self, name: Name) {
        if self.hidden.is_inside() {
            return self.close_hidden(name);
        }
        let effect = Effect::of(name);
        match effect {
            Effect::Void | Effect::Picture | Effect::LineBreak | Effect::VoidControl => return,
            _ if !self.marks.is_empty() => return self.close_unusual(name, effect),
            Effect::Inline => {}
            Effect::Block => self.cross(Effect::Block),
            Effect::Link => self.close_link(),
            _ => return self.close_unusual(name, effect),
        }
        self.observer.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        if self.hidden.is_inside() {
            if let Some(captured) = &mut self.captured {
                captured.text(text);
            }
        } else {
            self.words(text);
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        !self.hidden.is_inside() || self.captured.is_some()
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.read_language(element);
        if element.name == Name::BODY {
            self.observer.more_of_body(element);
        }
    }
}
