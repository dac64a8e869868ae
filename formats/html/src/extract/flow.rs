//! The default mode: the text of a document as a careful reader would copy it.
//!
//! Paragraphs are separated by a blank line, lines by a newline. The separator between two words is
//! chosen when the second word arrives, from all boundaries crossed since the first one.

use super::characters::{
    Class, IDEOGRAPHIC_SPACE, Role, blank_length, class, joins_lines, role, run_length,
};
use super::effect::Effect;
use super::hidden::{HiddenScope, has_place, is_hidden};
use super::markers::Markers;
use crate::events::{Element, Events};
use corpus_markup::Name;

/// The boundaries crossed since the last word, as a set of bits. Higher bits are stronger.
mod crossed {
    /// White space within a source line.
    pub const SPACE: u16 = 1;
    /// White space with a source newline.
    pub const WRAP: u16 = 1 << 1;
    /// White space requested by the author, such as a no-break space.
    pub const HARD_SPACE: u16 = 1 << 2;
    pub const LINE: u16 = 1 << 3;
    /// Two line breaks.
    pub const BLANK_LINE: u16 = 1 << 4;
    pub const BLOCK: u16 = 1 << 5;
    pub const ITEM: u16 = 1 << 6;
    pub const CELL: u16 = 1 << 7;
    pub const ROW: u16 = 1 << 8;
    pub const ALWAYS_BLOCK: u16 = 1 << 9;
}

/// Observes the text while it is written, in order to locate its paragraphs.
pub trait Observer {
    /// A visible element opens. Void elements are not reported.
    fn open(&mut self, element: &Element<'_>, effect: Effect);
    /// An element closes.
    fn close(&mut self, name: Name);
    /// Another body tag: the body gets the attributes that it does not have yet.
    fn more_of_body(&mut self, element: &Element<'_>);
    /// A paragraph starts at the end of `text`. `has_blocks`: it is a further block of its cell or
    /// item.
    fn paragraph(&mut self, text: &str, has_blocks: bool);
    /// A further item, row or cell of the paragraph starts at the end of `text`.
    fn item(&mut self, text: &str);
    /// The last item becomes a separate paragraph, which starts one byte later.
    fn split(&mut self);
    /// Text was written from this position to the end of `text`.
    fn written(&mut self, from: usize, text: &str);
    /// White space was trimmed from the end of `text`.
    fn trimmed(&mut self, text: &str);
}

impl Observer for () {
    fn open(&mut self, _: &Element<'_>, _: Effect) {}
    fn close(&mut self, _: Name) {}
    fn more_of_body(&mut self, _: &Element<'_>) {}
    fn paragraph(&mut self, _: &str, _: bool) {}
    fn item(&mut self, _: &str) {}
    fn split(&mut self) {}
    fn written(&mut self, _: usize, _: &str) {}
    fn trimmed(&mut self, _: &str) {}
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
    /// The position of the separator before the current cell or item, unless it starts a paragraph.
    item: Option<usize>,
    /// Whether the current cell or item has several blocks.
    has_blocks: bool,
    keeps_hidden: bool,
    /// The markers of list items, if they are to be written.
    markers: Option<Box<Markers>>,
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
        Self {
            text: String::new(),
            observer: M::default(),
            crossed: crossed::ALWAYS_BLOCK,
            hidden: HiddenScope::default(),
            lists: 0,
            headings: 0,
            preformatted: 0,
            indent: String::new(),
            item: None,
            has_blocks: false,
            keeps_hidden: hidden,
            markers,
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
    /// The document and the observer.
    pub fn into_parts(mut self) -> (String, M) {
        self.trim_end();
        (self.text, self.observer)
    }

    /// Crosses the boundary of an element that opens or closes.
    #[inline]
    fn cross(&mut self, effect: Effect) {
        let crossed = match effect {
            Effect::Block | Effect::Dialog => crossed::BLOCK,
            Effect::AlwaysBlock | Effect::Heading | Effect::Preformatted | Effect::Rule => {
                crossed::ALWAYS_BLOCK
            }
            // A nested list continues the outer one.
            Effect::List if self.lists == 0 => crossed::ALWAYS_BLOCK,
            Effect::List | Effect::Item => crossed::ITEM,
            Effect::Row => crossed::ROW,
            Effect::Cell => crossed::CELL,
            _ => return,
        };
        self.crossed |= crossed;
        self.indent.clear();
    }

    fn hides(&self, effect: Effect, element: &Element<'_>) -> bool {
        match effect {
            Effect::Hidden | Effect::Control => true,
            Effect::Button => self.headings == 0,
            Effect::Dialog => !self.keeps_hidden && element.attribute("open").is_none(),
            _ => false,
        }
    }

    /// Starts to skip an element that is not shown.
    #[inline]
    fn hide(&mut self, element: &Element<'_>, effect: Effect) {
        if matches!(effect, Effect::Control | Effect::Button) {
            self.crossed |= crossed::SPACE;
        }
        if element.name == Name::LI
            && let Some(markers) = &mut self.markers
            && has_place(element)
        {
            markers.count_item(element);
        }
        self.hidden.enter(element.name);
    }

    #[cold]
    fn open_marked(markers: &mut Markers, element: &Element<'_>) {
        match element.name {
            Name::LI => markers.open_item(element),
            Name::OL | Name::UL | Name::MENU | Name::DIR => markers.open_list(element),
            _ => {}
        }
    }

    #[cold]
    fn close_marked(markers: &mut Markers, name: Name) {
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

    fn collapsing(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match class(byte) {
                Class::Blank | Class::Newline => {
                    let (length, has_newline) = blank_length(bytes.get(at..).unwrap_or_default());
                    self.crossed |= if has_newline {
                        crossed::WRAP
                    } else {
                        crossed::SPACE
                    };
                    at += length;
                }
                Class::Control => at += 1,
                Class::Text | Class::Suspect => {
                    let rest = text.get(at..).unwrap_or_default();
                    let first = match byte.is_ascii() {
                        true => char::from(byte),
                        false => rest.chars().next().unwrap_or_default(),
                    };
                    if first == IDEOGRAPHIC_SPACE && self.is_at_start() {
                        at += first.len_utf8();
                        continue;
                    }
                    let length = run_length(rest.as_bytes());
                    if length == 0 {
                        if role(first) == Role::Space {
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
        if self.crossed > 0 && !self.is_at_start() {
            // A control separates words here, too, and is ordered among the white space.
            self.crossed = 0;
            self.indent.push(' ');
        }
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            match first {
                '\n' => self.break_line(),
                ' ' | '\t' | IDEOGRAPHIC_SPACE => self.indent.push(first),
                _ => match role(first) {
                    Role::Nothing => {}
                    Role::Space => self.indent.push(' '),
                    Role::Text => {
                        length = run_length(rest.as_bytes());
                        self.separate(first);
                        let from = self.text.len();
                        self.text.push_str(&self.indent);
                        self.indent.clear();
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

    /// Writes the separator between the last word and the next one.
    #[inline]
    fn separate(&mut self, next: char) {
        if self.crossed == 0 {
            return;
        }
        let crossed = std::mem::take(&mut self.crossed);
        if crossed < crossed::LINE {
            if crossed != crossed::SPACE && self.joins(crossed, next) {
                return;
            }
            self.text.push(' ');
        } else {
            self.separate_lines(crossed);
        }
    }

    /// Whether a source newline is between two characters of a script without spaces.
    fn joins(&self, crossed: u16, next: char) -> bool {
        crossed & crossed::HARD_SPACE == 0
            && joins_lines(next)
            && self.text.chars().next_back().is_some_and(joins_lines)
    }

    fn separate_lines(&mut self, crossed: u16) {
        self.trim_end();
        let at = self.text.len();
        if crossed >= crossed::ALWAYS_BLOCK {
            self.has_blocks = false;
            self.start_paragraph();
        } else if crossed >= crossed::ITEM {
            if std::mem::take(&mut self.has_blocks) {
                self.start_paragraph();
            } else {
                let is_cell = (crossed::CELL..crossed::ROW).contains(&crossed);
                self.text.push(if is_cell { '\t' } else { '\n' });
                self.item = Some(at);
                self.observer.item(&self.text);
            }
        } else if crossed >= crossed::BLANK_LINE {
            // A cell or item with several blocks is layout, not a list: its blocks are paragraphs.
            if let Some(item) = self.item.take() {
                self.text.replace_range(item..=item, "\n\n");
                self.observer.split();
            }
            self.has_blocks = true;
            self.start_paragraph();
        } else {
            self.text.push('\n');
        }
        // An item starts a line, so markers are only written here.
        if let Some(markers) = &mut self.markers {
            markers.write(&mut self.text);
        }
    }

    fn start_paragraph(&mut self) {
        self.item = None;
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.observer.paragraph(&self.text, self.has_blocks);
    }

    fn trim_end(&mut self) {
        let length = self.text.trim_end_matches([' ', IDEOGRAPHIC_SPACE]).len();
        if length < self.text.len() {
            self.text.truncate(length);
            self.observer.trimmed(&self.text);
        }
    }
}

impl<M: Observer> Events for Flow<M> {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        if self.hidden.is_inside() {
            return self.hidden.open(element.name);
        }
        let effect = Effect::of(element.name);
        if self.hides(effect, element) || (is_hidden(element) && !self.keeps_hidden) {
            return self.hide(element, effect);
        }
        self.cross(effect);
        match effect {
            Effect::List => self.lists += 1,
            Effect::Heading => self.headings += 1,
            Effect::Preformatted => self.preformatted += 1,
            Effect::LineBreak => self.break_line(),
            Effect::VoidControl => self.crossed |= crossed::SPACE,
            _ => {}
        }
        if let Some(markers) = &mut self.markers {
            Self::open_marked(markers, element);
        }
        if !effect.is_void() {
            self.observer.open(element, effect);
        }
    }

    #[inline]
    fn close(&mut self, name: Name) {
        if self.hidden.is_inside() {
            return self.hidden.close(name);
        }
        let effect = Effect::of(name);
        match effect {
            Effect::List => self.lists = self.lists.saturating_sub(1),
            Effect::Heading => self.headings = self.headings.saturating_sub(1),
            Effect::Preformatted => self.preformatted = self.preformatted.saturating_sub(1),
            _ => {}
        }
        self.cross(effect);
        if let Some(markers) = &mut self.markers {
            Self::close_marked(markers, name);
        }
        if !effect.is_void() {
            self.observer.close(name);
        }
    }

    #[inline]
    fn text(&mut self, text: &str) {
        if self.hidden.is_inside() {
            return;
        }
        if self.preformatted > 0 {
            self.preserving(text);
        } else {
            self.collapsing(text);
        }
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        if element.name == Name::BODY {
            self.observer.more_of_body(element);
        }
    }
}
