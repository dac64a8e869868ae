//! Observes the text of a page and collects its blocks.

use std::ops::Range;

use super::super::effect::Effect;
use super::super::flow::Observer;
use super::super::markers::Markers;
use super::super::tables::Indents;
use super::Addresses;
use super::addresses::Resolver;
use super::context::{Context, Definition, Role};
use super::leaf::{Leaf, LeafKind};
use super::line_numbers::are_numbers;
use super::notes::{Notes, may_be_note_element, remove_headings_of_notes};
use super::roles::part;
use crate::events::Element;
use corpus_blocks::{Block, Builder, Item, Kind, Mark, MarkKind, Picture, Text};
use corpus_markup::Name;

/// Maximum nesting depth of marks. Deeper marks are dropped, because each mark starts again in each
/// block.
const MAX_OPEN_MARKS: usize = 12;
/// Collects blocks while the text is written.
#[derive(Debug)]
pub struct BlockObserver {
    pub(super) builder: Builder,
    pub(super) leaf: Option<Leaf>,
    pub(super) open: Vec<Open>,
    pub(super) marks: Vec<OpenMark>,
    /// The number of open marks without text in the current block.
    waiting_marks: usize,
    pub(super) context: Context,
    /// The contexts around the open cells.
    pub(super) outer: Vec<Context>,
    pub(super) markers: Markers,
    pub(super) resolver: Resolver,
    /// The length of the document when text was last written.
    written: usize,
    /// The number of paragraphs of the document so far.
    pub(super) paragraphs: usize,
    /// Whether elements started or ended in the open code since the last word.
    crossed_in_code: bool,
    /// The last list that ended.
    pub(super) last_list: Option<LastList>,
    /// The language that an element around the next code declares.
    pub(super) language_around: Option<Box<str>>,
    /// Pictures since the last word.
    pictures: Vec<Picture>,
    pub(super) notes: Notes,
    /// The notes inside the text so far.
    pub(super) inline_notes: Vec<Block>,
    serial: usize,
}

/// A list that ended. The next one may continue it.
#[derive(Debug, PartialEq)]
pub(super) struct LastList {
    /// Its class, or its name in Word.
    pub name: Box<str>,
    /// The number of blocks and of open lists and cells at its end.
    pub place: [usize; 3],
}

#[derive(Debug)]
pub(super) struct Open {
    pub name: Name,
    pub is_block: bool,
    pub role: Role,
    /// The serial number of the note that it may be.
    pub note: Option<usize>,
}

#[derive(Debug)]
pub(super) struct OpenMark {
    serial: usize,
    /// `None` if its text may be removed, but is not marked.
    pub kind: Option<MarkKind>,
    /// The position of its first word in the current block.
    pub start: Option<usize>,
}

impl BlockObserver {
    /// Creates an observer with the initial list numbers.
    pub fn new(markers: Markers, addresses: &Addresses) -> Self {
        Self {
            builder: Builder::default(),
            leaf: None,
            open: Vec::new(),
            marks: Vec::new(),
            waiting_marks: 0,
            context: Context::default(),
            outer: Vec::new(),
            markers,
            resolver: Resolver::new(addresses),
            written: 0,
            paragraphs: 0,
            crossed_in_code: false,
            last_list: None,
            language_around: None,
            pictures: Vec::new(),
            notes: Notes::default(),
            inline_notes: Vec::new(),
            serial: 0,
        }
    }

    /// The blocks.
    pub fn finish(mut self) -> Vec<Block> {
        self.end_block();
        self.close_note();
        let mut blocks = self.builder.finish();
        remove_headings_of_notes(&mut blocks);
        blocks.append(&mut self.inline_notes);
        self.notes.resolve(&mut blocks);
        blocks
    }

    pub(super) fn close_note(&mut self) {
        if let Some((id, start)) = self.notes.open.take() {
            let body = self.builder.take_from(start);
            if let Some(note) = self.notes.finish(&id, body) {
                self.builder.push(note);
            }
        }
    }

    /// Ends the block that is being written, and emits pictures that follow it.
    pub(super) fn end_block(&mut self) {
        if self.leaf.is_some() {
            self.finish_leaf();
        }
        if !self.pictures.is_empty() {
            self.flush_pictures();
        }
    }

    fn finish_leaf(&mut self) {
        let Some(mut leaf) = self.leaf.take() else {
            return;
        };
        for picture in self.pictures.drain(..) {
            let end = leaf.text.text.len();
            leaf.text.mark(end..end, mark_of(picture));
        }
        let end = leaf.text.text.len();
        for mark in &mut self.marks {
            if let (Some(start), Some(kind)) = (mark.start.take(), &mark.kind) {
                leaf.text.mark(start..end, kind.clone());
            }
        }
        self.waiting_marks = self.marks.len();
        leaf.finish();
        if self.context.starts_with_label {
            leaf.read_label();
        }
        self.push_leaf(leaf);
    }

    fn push_leaf(&mut self, mut leaf: Leaf) {
        if leaf.text.is_empty() {
            return self.restore_item(&leaf);
        }
        // Highlighters write the line numbers into a cell beside the code.
        if self.context.has_only_numbers && leaf.text.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return;
        }
        if !self.outer.is_empty()
            && let LeafKind::Block(Kind::Code { language }) = &mut leaf.kind
            && are_numbers(&leaf.text.text, self.context.has_only_numbers)
        {
            // The language is that of the code.
            self.language_around = language.take().or(self.language_around.take());
            return;
        }
        match leaf.kind {
            LeafKind::TableCaption => self.builder.add_caption(leaf.text, leaf.paragraphs),
            LeafKind::Block(kind) => self.builder.push(Block {
                quotes: leaf.quotes,
                new_quotes: leaf.new_quotes,
                level: leaf.level,
                is_done: leaf.is_done,
                paragraphs: leaf.paragraphs,
                ..Block::new(kind, leaf.text)
            }),
        }
    }

    /// Lets the item of a block without text wait for its first block.
    fn restore_item(&mut self, leaf: &Leaf) {
        if let LeafKind::Block(Kind::Item(item)) = leaf.kind
            && let Some(open) = self.context.items.last_mut()
            && open.level == leaf.level
        {
            open.waiting.get_or_insert(item);
            self.context.new_quotes = self.context.new_quotes.max(leaf.new_quotes);
        }
    }

    /// Emits the pictures that no text adjoins.
    #[cold]
    fn flush_pictures(&mut self) {
        for picture in std::mem::take(&mut self.pictures) {
            self.push_items(false);
            let kind = Kind::Figure(Some(Box::new(picture)));
            self.push_block(kind);
        }
    }

    /// Emits a block without text.
    pub(super) fn push_block(&mut self, kind: Kind) {
        self.builder.push(Block {
            quotes: self.context.quotes,
            new_quotes: std::mem::take(&mut self.context.new_quotes),
            level: self.context.level(),
            paragraphs: self.last_paragraph(),
            ..Block::new(kind, Text::default())
        });
    }

    /// Emits the open items that have no content so far. Returns the innermost one instead, if the
    /// next block may be its first line.
    pub(super) fn push_items(&mut self, may_be_item: bool) -> Option<Item> {
        let count = self.context.items.len();
        let quotes = self.context.quotes;
        for index in 0..count {
            let Some(open) = self.context.items.get_mut(index) else {
                break;
            };
            let Some(item) = open.waiting.take() else {
                continue;
            };
            if may_be_item && index + 1 == count && open.quotes == quotes {
                return Some(item);
            }
            let (quotes, level, is_done) = (open.quotes, open.level, open.is_done);
            // The quotations around the item start with it.
            let inside = self.context.quotes.saturating_sub(quotes);
            let new_quotes = self.context.new_quotes.saturating_sub(inside);
            self.context.new_quotes = self.context.new_quotes.min(inside);
            self.builder.push(Block {
                quotes,
                new_quotes,
                level,
                is_done,
                paragraphs: self.last_paragraph(),
                ..Block::new(Kind::Item(item), Text::default())
            });
        }
        None
    }

    /// The last paragraph of the document.
    fn last_paragraph(&self) -> Range<usize> {
        self.paragraphs.saturating_sub(1)..self.paragraphs
    }

    /// Starts a block for the next word.
    fn start_leaf(&mut self) {
        let kind = self.next_kind();
        let may_be_item = kind == LeafKind::Block(Kind::Paragraph);
        let (kind, is_done) = match self.push_items(may_be_item) {
            Some(item) => {
                let open = self.context.items.last();
                let is_done = open.and_then(|open| open.is_done);
                (LeafKind::Block(Kind::Item(item)), is_done)
            }
            None => (kind, None),
        };
        self.leaf = Some(Leaf {
            kind,
            text: Text::default(),
            quotes: self.context.quotes,
            new_quotes: std::mem::take(&mut self.context.new_quotes),
            level: self.context.level(),
            is_done,
            paragraphs: self.last_paragraph(),
            had_numbers: false,
        });
    }

    fn next_kind(&mut self) -> LeafKind {
        let context = &mut self.context;
        if context.is_table_caption {
            return LeafKind::TableCaption;
        }
        LeafKind::Block(if context.preformatted > 0 {
            let language = context.language.take();
            Kind::Code {
                language: language.or_else(|| self.language_around.take()),
            }
        } else if let Some(level) = context.heading {
            Kind::Heading(level)
        } else if context.is_figure_caption {
            Kind::Figure(context.figures.last_mut().and_then(Option::take))
        } else {
            let started = context.definition.is_some().then_some(Definition::Started);
            match std::mem::replace(&mut context.definition, started) {
                Some(Definition::Term) => Kind::Term,
                Some(Definition::Description) => Kind::Definition,
                _ => Kind::Paragraph,
            }
        })
    }

    /// Starts the marks whose first word comes next.
    fn start_marks(&mut self) {
        let Some(leaf) = &self.leaf else {
            return;
        };
        let at = leaf.text.text.len();
        for mark in self.marks.iter_mut().filter(|mark| mark.start.is_none()) {
            mark.start = Some(at);
        }
        self.waiting_marks = 0;
    }

    pub(super) fn open_mark(&mut self, kind: MarkKind) -> Role {
        self.open_text(Some(kind)).map_or(Role::None, Role::Mark)
    }

    /// Opens text that may get a mark, or may be removed. Returns its serial number.
    pub(super) fn open_text(&mut self, kind: Option<MarkKind>) -> Option<usize> {
        if self.marks.len() >= MAX_OPEN_MARKS {
            return None;
        }
        self.serial += 1;
        self.marks.push(OpenMark {
            serial: self.serial,
            kind,
            start: None,
        });
        self.waiting_marks += 1;
        Some(self.serial)
    }

    pub(super) fn close_mark(&mut self, serial: usize) {
        let (start, kind) = self.take_mark(serial);
        if let (Some(start), Some(kind), Some(leaf)) = (start, kind, &mut self.leaf) {
            let end = leaf.text.text.len();
            leaf.text.mark(start.min(end)..end, kind);
        }
    }

    /// Removes an open mark. Returns where its text starts, if it has any, and its kind.
    pub(super) fn take_mark(&mut self, serial: usize) -> (Option<usize>, Option<MarkKind>) {
        let Some(index) = self.marks.iter().rposition(|mark| mark.serial == serial) else {
            return (None, None);
        };
        let mark = self.marks.remove(index);
        if mark.start.is_none() || self.leaf.is_none() {
            self.waiting_marks = self.waiting_marks.saturating_sub(1);
        }
        (mark.start, mark.kind)
    }

    /// Turns the pictures before the open block, which consists of their words, into its marks.
    fn mark_pictures_before(&mut self, words: &str) {
        let mut rest = words;
        while let Some(Block {
            kind: Kind::Figure(Some(picture)),
            text,
            ..
        }) = self.builder.last_mut()
            && text.is_empty()
            && !picture.alternative.is_empty()
            && let Some(before) = rest.strip_suffix(&*picture.alternative)
            && let Some(leaf) = &mut self.leaf
        {
            let mark = mark_of(std::mem::take(picture));
            leaf.text.marks.insert(
                0,
                Mark {
                    range: before.len()..rest.len(),
                    kind: mark,
                },
            );
            rest = before.trim_end();
            let count = self.builder.block_count();
            drop(self.builder.take_from(count - 1));
        }
    }

    /// Whether the open block is code that continues in other elements.
    fn is_in_code(&self) -> bool {
        self.context.preformatted > 0 && self.leaf.as_ref().is_some_and(Leaf::is_code)
    }
}

impl Observer for BlockObserver {
    #[inline]
    fn preformats(&self, element: &Element<'_>) -> bool {
        self.has_code(element)
    }

    #[inline]
    fn open(&mut self, element: &Element<'_>, effect: Effect) {
        let part = part(element).filter(|part| self.context.allows(*part));
        let is_block = effect.is_block() || part.is_some();
        let role = if let Some(part) = part {
            self.end_block();
            self.role_of_part(element, part)
        } else if !is_block {
            self.role_of_inline(element)
        } else if self.is_in_code() && !matches!(effect, Effect::Cell | Effect::Table) {
            self.crossed_in_code = true;
            match effect {
                Effect::Preformatted => self.role_of_effect(element, effect),
                _ => Role::None,
            }
        } else {
            self.end_block();
            self.role_of_block(element, effect)
        };
        let may_be_note = is_block
            && self.notes.has_targets()
            && may_be_note_element(element.name)
            && self.context.preformatted == 0;
        let id = may_be_note.then(|| element.attribute("id")).flatten();
        let place = self.place_of_note();
        let note = id.and_then(|id| self.notes.open_candidate(&id, place));
        self.open.push(Open {
            name: element.name,
            is_block,
            role,
            note,
        });
    }

    #[inline]
    fn close(&mut self, name: Name) {
        let Some(index) = self.open.iter().rposition(|open| open.name == name) else {
            return;
        };
        let open = self.open.remove(index);
        if open.is_block {
            if matches!(open.role, Role::None | Role::Removed(_)) && self.is_in_code() {
                self.crossed_in_code = true;
            } else {
                self.end_block();
            }
        }
        self.close_role(open.role, name);
        if let Some(serial) = open.note {
            self.close_candidate(serial);
        }
    }

    fn more_of_body(&mut self, _: &Element<'_>) {}

    fn paragraph(&mut self, text: &str, _: bool) {
        self.paragraphs += 1;
        // Line breaks in a cell or in code do not end its block.
        let ends = self.outer.is_empty() && !self.is_in_code();
        if ends {
            self.end_block();
            self.written = text.len();
        } else if let Some(leaf) = &mut self.leaf {
            leaf.paragraphs.end = self.paragraphs;
        }
    }

    fn item(&mut self, _: &str) {}

    fn split(&mut self, growth: isize) {
        self.written = self.written.saturating_add_signed(growth);
        let paragraphs = self.paragraphs..self.paragraphs + 1;
        match &mut self.leaf {
            Some(leaf) => leaf.paragraphs = paragraphs,
            None => {
                if let Some(last) = self.builder.last_mut() {
                    last.paragraphs = paragraphs;
                }
            }
        }
        self.paragraphs += 1;
    }

    fn indented(&mut self, indents: &Indents) {
        self.written = indents.moved(self.written);
    }

    #[inline]
    fn written(&mut self, from: usize, text: &str) {
        let separator = text.get(self.written..from).unwrap_or_default();
        self.written = text.len();
        let has_elements = std::mem::take(&mut self.crossed_in_code);
        match &mut self.leaf {
            Some(leaf) => leaf.separate(separator, has_elements),
            None => {
                self.start_leaf();
                if let Some(leaf) = &mut self.leaf {
                    // Look only at the quotation marks before the first word.
                    let is_mark = |c: &char| !c.is_whitespace() && *c != '~';
                    leaf.text.text.extend(separator.chars().filter(is_mark));
                }
            }
        }
        if self.waiting_marks > 0 {
            self.start_marks();
        }
        if let Some(leaf) = &mut self.leaf {
            for picture in self.pictures.drain(..) {
                let at = leaf.text.text.len();
                leaf.text.mark(at..at, mark_of(picture));
            }
            leaf.text
                .text
                .push_str(text.get(from..).unwrap_or_default());
        }
    }

    fn pictures(&mut self, words: &str) {
        let Some(leaf) = &mut self.leaf else {
            return;
        };
        let end = leaf.text.text.len();
        let Some(mut at) = end.checked_sub(words.len()) else {
            return;
        };
        // The block of a figure already contains the words of its picture.
        if let Some(Some(picture)) = self.context.figures.last()
            && picture.alternative == words
        {
            return self.remove_from(at);
        }
        // Picture marks cover their words; pictures at the start of a paragraph become blocks.
        if at == 0 {
            return self.mark_pictures_before(words);
        }
        let start = at;
        let mut marks = leaf.text.marks.iter();
        let first = marks.rposition(|mark| mark.range.end < start);
        let marks = leaf.text.marks.iter_mut();
        for mark in marks.skip(first.map_or(0, |last| last + 1)) {
            if let MarkKind::Picture { alternative, .. } = &mark.kind
                && mark.range == (start..start)
            {
                let rest = leaf.text.text.get(at..).unwrap_or_default();
                let start = at + rest.len() - rest.trim_start().len();
                if rest.trim_start().starts_with(&**alternative) {
                    at = start + alternative.len();
                    mark.range = start..at;
                }
            }
        }
    }

    fn rewritten(&mut self, from: usize, text: &str) {
        let replaced = self.written.saturating_sub(from);
        self.written = text.len();
        let formula = text.get(from..).unwrap_or_default();
        if let Some(leaf) = &mut self.leaf {
            leaf.replace_formula(replaced, formula);
        }
    }

    fn trimmed(&mut self, text: &str) {
        let removed = self.written.saturating_sub(text.len());
        self.written = text.len();
        if let Some(leaf) = &mut self.leaf {
            leaf.trim(removed);
        }
    }

    fn script(&mut self, _: usize, text: &str) {
        // The script has a mark instead.
        self.written = text.len();
    }

    fn reference(&mut self, from: usize, text: &str) {
        let digits = self.written.saturating_sub(from);
        self.written = text.len();
        if let Some(leaf) = &mut self.leaf {
            let end = leaf.text.text.len();
            leaf.text
                .mark(end.saturating_sub(digits)..end, MarkKind::Superscript);
        }
    }

    fn end_mark(&mut self, from: usize, text: &str, is_deleted: bool) {
        self.written = text.len();
        let mark = text.get(from..).unwrap_or_default();
        if is_deleted || mark.is_empty() {
            return;
        }
        match &mut self.leaf {
            Some(leaf) => leaf.text.text.push_str(mark),
            None => {
                if let Some(last) = self.builder.last_mut() {
                    last.text.text.push_str(mark);
                }
            }
        }
    }

    fn wants_tex(&self) -> bool {
        true
    }

    fn open_formula(&mut self, is_tex: bool, tex: Option<&str>) {
        let role = match tex {
            _ if is_tex => self.open_mark(MarkKind::Formula),
            Some(tex) => self.open_mark(MarkKind::LinearFormula(tex.into())),
            None => Role::None,
        };
        self.open.push(Open {
            name: Name::MATH,
            is_block: false,
            role,
            note: None,
        });
    }

    fn close_formula(&mut self) {
        let index = self.open.iter().rposition(|open| open.name == Name::MATH);
        if let Some(index) = index {
            let open = self.open.remove(index);
            self.close_role(open.role, Name::MATH);
        }
    }

    fn picture(&mut self, element: &Element<'_>) {
        if !self.resolver.is_wanted() || self.context.preformatted > 0 {
            return;
        }
        let [source, lazy, alternative] = element.attributes(["src", "data-src", "alt"]);
        let mut sources = [source, lazy].into_iter().flatten();
        let Some(address) = sources.find_map(|address| self.resolver.resolve(&address)) else {
            return;
        };
        let picture = Picture {
            address: address.into(),
            alternative: alternative.unwrap_or_default().trim().to_owned(),
        };
        match self.context.figures.last_mut() {
            Some(figure) if figure.is_none() && !self.context.is_figure_caption => {
                *figure = Some(Box::new(picture));
            }
            _ => self.pictures.push(picture),
        }
    }

    fn control(&mut self, element: &Element<'_>) {
        let kind = element.attribute("type");
        if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")) {
            let is_done = element.attribute("checked").is_some();
            self.context.open_task(is_done);
        }
    }

    fn base(&mut self, element: &Element<'_>) {
        self.resolver.read_base(element);
    }

    fn hidden_item(&mut self, element: &Element<'_>) {
        self.markers.count_item(element);
    }
}

fn mark_of(picture: Picture) -> MarkKind {
    MarkKind::Picture {
        address: picture.address.into(),
        alternative: picture.alternative.into(),
    }
}
