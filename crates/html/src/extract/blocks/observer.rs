//! Observes the text of a page and collects its blocks.

use std::ops::Range;

use super::super::effect::Effect;
use super::super::flow::Observer;
use super::super::markers::{Markers, integer};
use super::super::tables::Indents;
use super::Addresses;
use super::addresses::Resolver;
use super::code::{language, language_around};
use super::context::{Context, Definition, List};
use super::leaf::{Leaf, LeafKind};
use super::line_numbers::are_numbers;
use crate::events::Element;
use corpus_blocks::builder::Purpose;
use corpus_blocks::{Block, Builder, Item, Kind, MarkKind, Picture, Text};
use corpus_markup::Name;

/// Marks inside this number of others are left out, which bounds their number: each starts again in
/// each block.
const MAX_OPEN_MARKS: usize = 12;
/// Maximum of `colspan`, as in the HTML standard.
const MAX_COLUMN_SPAN: i64 = 1000;
/// Maximum of `rowspan`, as in the HTML standard.
const MAX_ROW_SPAN: i64 = 65_534;

/// Collects blocks while the text is written.
#[derive(Debug)]
pub struct BlockObserver {
    builder: Builder,
    leaf: Option<Leaf>,
    open: Vec<Open>,
    marks: Vec<OpenMark>,
    /// The number of open marks without text in the current block.
    waiting_marks: usize,
    context: Context,
    /// The contexts around the open cells.
    outer: Vec<Context>,
    markers: Markers,
    resolver: Resolver,
    /// The length of the document when text was last written.
    written: usize,
    /// The number of paragraphs of the document so far.
    paragraphs: usize,
    /// Whether elements started or ended in the open code since the last word.
    crossed_in_code: bool,
    /// The language that an element around the next code declares.
    language_around: Option<Box<str>>,
    /// Pictures since the last word.
    pictures: Vec<Picture>,
    serial: usize,
}

#[derive(Debug)]
struct Open {
    name: Name,
    is_block: bool,
    role: Role,
}

/// What an open element does when it closes.
#[derive(Debug, Clone, PartialEq)]
enum Role {
    None,
    /// A mark with this serial number.
    Mark(usize),
    Quote,
    List,
    Item,
    Heading,
    Preformatted,
    Definition(Option<Definition>),
    Figure,
    FigureCaption,
    TableCaption,
    Table(Purpose),
    Header,
    Cell,
    LanguageAround,
}

#[derive(Debug)]
struct OpenMark {
    serial: usize,
    kind: MarkKind,
    /// The position of its first word in the current block.
    start: Option<usize>,
}

impl BlockObserver {
    /// An observer with the initial numbers of lists.
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
            language_around: None,
            pictures: Vec::new(),
            serial: 0,
        }
    }

    /// The blocks.
    pub fn finish(mut self) -> Vec<Block> {
        self.end_block();
        self.builder.finish()
    }

    /// Ends the block that is being written, and emits pictures that follow it.
    fn end_block(&mut self) {
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
            if let Some(start) = mark.start.take() {
                leaf.text.mark(start..end, mark.kind.clone());
            }
        }
        self.waiting_marks = self.marks.len();
        leaf.finish();
        self.push_leaf(leaf);
    }

    fn push_leaf(&mut self, leaf: Leaf) {
        // Highlighters write the numbers of lines into a cell beside the code.
        let is_beside = !self.outer.is_empty() && leaf.is_code() && are_numbers(&leaf.text.text);
        if leaf.text.is_empty() || is_beside {
            return;
        }
        match leaf.kind {
            LeafKind::TableCaption => self.builder.add_caption(leaf.text, leaf.paragraphs),
            LeafKind::Block(kind) => self.builder.push(Block {
                quotes: leaf.quotes,
                level: leaf.level,
                paragraphs: leaf.paragraphs,
                ..Block::new(kind, leaf.text)
            }),
        }
    }

    /// Emits pictures that no text is next to.
    #[cold]
    fn flush_pictures(&mut self) {
        for picture in std::mem::take(&mut self.pictures) {
            self.push_items(false);
            let kind = Kind::Figure(Some(Box::new(picture)));
            self.push_block(kind);
        }
    }

    /// Emits a block without text.
    fn push_block(&mut self, kind: Kind) {
        self.builder.push(Block {
            quotes: self.context.quotes,
            level: self.context.level(),
            paragraphs: self.last_paragraph(),
            ..Block::new(kind, Text::default())
        });
    }

    /// Emits the open items that have no content so far. Returns the innermost one instead, if the
    /// next block may be its first line.
    fn push_items(&mut self, may_be_item: bool) -> Option<Item> {
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
            let (quotes, level) = (open.quotes, open.level);
            self.builder.push(Block {
                quotes,
                level,
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
        let kind = match self.push_items(may_be_item) {
            Some(item) => LeafKind::Block(Kind::Item(item)),
            None => kind,
        };
        self.leaf = Some(Leaf {
            kind,
            text: Text::default(),
            quotes: self.context.quotes,
            level: self.context.level(),
            paragraphs: self.last_paragraph(),
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

    fn open_mark(&mut self, kind: MarkKind) -> Role {
        if self.marks.len() >= MAX_OPEN_MARKS {
            return Role::None;
        }
        self.serial += 1;
        self.marks.push(OpenMark {
            serial: self.serial,
            kind,
            start: None,
        });
        self.waiting_marks += 1;
        Role::Mark(self.serial)
    }

    fn close_mark(&mut self, serial: usize) {
        let Some(index) = self.marks.iter().rposition(|mark| mark.serial == serial) else {
            return;
        };
        let mark = self.marks.remove(index);
        match (mark.start, &mut self.leaf) {
            (Some(start), Some(leaf)) => {
                let end = leaf.text.text.len();
                leaf.text.mark(start.min(end)..end, mark.kind);
            }
            _ => self.waiting_marks = self.waiting_marks.saturating_sub(1),
        }
    }

    fn role_of_inline(&mut self, element: &Element<'_>) -> Role {
        let kind = match element.name {
            Name::A => return self.role_of_link(element),
            Name::B | Name::STRONG => MarkKind::Strong,
            Name::EM | Name::I => MarkKind::Emphasis,
            Name::DEL | Name::S | Name::STRIKE => MarkKind::Deleted,
            Name::SUP => MarkKind::Superscript,
            Name::SUB => MarkKind::Subscript,
            Name::CODE => {
                if self.context.preformatted > 0 {
                    if self.leaf.is_none() && self.context.language.is_none() {
                        self.context.language = language(element);
                    }
                    return Role::None;
                }
                MarkKind::Code
            }
            Name::TT => MarkKind::Code,
            Name::CITE | Name::VAR => MarkKind::Emphasis,
            Name::KBD | Name::SAMP => MarkKind::Code,
            _ => return Role::None,
        };
        if self.context.preformatted > 0 {
            return Role::None;
        }
        self.open_mark(kind)
    }

    fn role_of_link(&mut self, element: &Element<'_>) -> Role {
        if !self.resolver.is_wanted() || self.context.preformatted > 0 {
            return Role::None;
        }
        let address = element.attribute("href");
        match address.and_then(|address| self.resolver.resolve(&address)) {
            Some(address) => self.open_mark(MarkKind::Link(address)),
            None => Role::None,
        }
    }

    /// Opens a block element.
    fn role_of_block(&mut self, element: &Element<'_>, effect: Effect) -> Role {
        match element.name {
            Name::BLOCKQUOTE => {
                self.context.quotes = self.context.quotes.saturating_add(1);
                Role::Quote
            }
            Name::UL | Name::OL | Name::MENU | Name::DIR => {
                self.markers.open_list(element);
                self.context.lists.push(List { has_items: false });
                Role::List
            }
            Name::LI => {
                let number = self.markers.count_item(element).number();
                self.context.open_item(number);
                Role::Item
            }
            Name::DT | Name::DD => {
                let definition = match element.name {
                    Name::DT => Definition::Term,
                    _ => Definition::Description,
                };
                Role::Definition(self.context.definition.replace(definition))
            }
            Name::FIGURE => {
                self.context.figures.push(None);
                self.language_around = language_around(element).or(self.language_around.take());
                Role::Figure
            }
            Name::FIGCAPTION => {
                self.context.is_figure_caption = true;
                Role::FigureCaption
            }
            Name::CAPTION => {
                self.context.is_table_caption = true;
                Role::TableCaption
            }
            Name::DIV => match language_around(element) {
                Some(language) => {
                    self.language_around = Some(language);
                    Role::LanguageAround
                }
                None => Role::None,
            },
            _ => self.role_of_effect(element, effect),
        }
    }

    fn role_of_effect(&mut self, element: &Element<'_>, effect: Effect) -> Role {
        match effect {
            Effect::Heading => {
                self.context.heading = heading_level(element.name);
                Role::Heading
            }
            Effect::Preformatted => {
                self.context.preformatted += 1;
                self.context.language = language(element);
                Role::Preformatted
            }
            Effect::Table => {
                self.push_items(false);
                let (quotes, level) = (self.context.quotes, self.context.level());
                self.builder.open_table(quotes, level);
                Role::Table(purpose(element))
            }
            Effect::RowGroup if element.name == Name::THEAD => Role::Header,
            Effect::Row => {
                self.builder.open_row();
                Role::None
            }
            Effect::Cell => {
                let columns = span(element, "colspan", 1, MAX_COLUMN_SPAN);
                let rows = span(element, "rowspan", 0, MAX_ROW_SPAN);
                let is_header = element.name == Name::TH;
                self.builder.open_cell(columns, rows, is_header);
                self.outer.push(std::mem::take(&mut self.context));
                Role::Cell
            }
            _ => Role::None,
        }
    }

    fn close_role(&mut self, role: Role, name: Name) {
        let context = &mut self.context;
        match role {
            Role::None => {}
            Role::Mark(serial) => self.close_mark(serial),
            Role::Quote => context.quotes = context.quotes.saturating_sub(1),
            Role::List => {
                self.markers.close_list(name);
                context.lists.pop();
            }
            Role::Item => drop(context.items.pop()),
            Role::Heading => context.heading = None,
            Role::Preformatted => {
                context.preformatted = context.preformatted.saturating_sub(1);
                context.language = None;
            }
            Role::Definition(outer) => context.definition = outer,
            Role::Figure => {
                self.language_around = None;
                if let Some(picture) = context.figures.pop().flatten() {
                    self.push_items(false);
                    self.push_block(Kind::Figure(Some(picture)));
                }
            }
            Role::FigureCaption => context.is_figure_caption = false,
            Role::TableCaption => context.is_table_caption = false,
            Role::Table(purpose) => self.builder.close_table(purpose),
            Role::Header => self.builder.end_header(),
            Role::Cell => self.context = self.outer.pop().unwrap_or_default(),
            Role::LanguageAround => self.language_around = None,
        }
    }

    /// Whether the open block is code that continues in other elements.
    fn is_in_code(&self) -> bool {
        self.context.preformatted > 0 && self.leaf.as_ref().is_some_and(Leaf::is_code)
    }
}

impl Observer for BlockObserver {
    #[inline]
    fn open(&mut self, element: &Element<'_>, effect: Effect) {
        let is_block = effect.is_block();
        let role = if !is_block {
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
        self.open.push(Open {
            name: element.name,
            is_block,
            role,
        });
    }

    #[inline]
    fn close(&mut self, name: Name) {
        let Some(index) = self.open.iter().rposition(|open| open.name == name) else {
            return;
        };
        let open = self.open.remove(index);
        if open.is_block {
            if open.role == Role::None && self.is_in_code() {
                self.crossed_in_code = true;
            } else {
                self.end_block();
            }
        }
        self.close_role(open.role, name);
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
                    // Only the quotation marks before the first word.
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

    fn pictures(&mut self, _: &str) {}

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

const fn heading_level(name: Name) -> Option<u8> {
    Some(match name {
        Name::H1 => 1,
        Name::H2 => 2,
        Name::H3 => 3,
        Name::H4 => 4,
        Name::H5 => 5,
        Name::H6 => 6,
        _ => return None,
    })
}

/// What the role of a table says about it.
fn purpose(element: &Element<'_>) -> Purpose {
    match element.attribute("role").as_deref().map(str::trim) {
        Some("presentation" | "none") => Purpose::Layout,
        Some("table" | "grid" | "treegrid") => Purpose::Data,
        _ => Purpose::Unknown,
    }
}

/// The value of `colspan` or `rowspan`. A `rowspan` of 0 means all further rows.
fn span(element: &Element<'_>, name: &str, min: i64, max: i64) -> u16 {
    let value = element.attribute(name).and_then(|value| integer(&value));
    match value.unwrap_or(1).clamp(min, max) {
        0 => u16::MAX,
        value => u16::try_from(value).unwrap_or(u16::MAX),
    }
}
