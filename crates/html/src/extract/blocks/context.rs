//! The open elements around the next block, up to the cell around it.

use super::code::LineClass;
use super::notes::FragmentLink;
use super::roles::Part;
use corpus_blocks::builder::Purpose;
use corpus_blocks::{Item, Picture};

/// The quotations, lists and other elements that are open in the document or in a cell.
#[derive(Debug, Default)]
pub struct Context {
    pub quotes: u16,
    /// The number of innermost quotations that have no content yet.
    pub new_quotes: u16,
    pub lists: Vec<List>,
    pub items: Vec<OpenItem>,
    /// The level of the open heading.
    pub heading: Option<u8>,
    /// The number of open elements with preformatted text.
    pub preformatted: usize,
    pub language: Option<Box<str>>,
    /// Whether the open preformatted text or cell is declared to have line numbers.
    pub has_only_numbers: bool,
    pub definition: Option<Definition>,
    /// The pictures of open figures whose caption has not been read yet.
    pub figures: Vec<Option<Box<Picture>>>,
    pub is_figure_caption: bool,
    pub is_table_caption: bool,
    /// Whether the label of the open item is the start of its text.
    pub starts_with_label: bool,
    /// Whether rows and cells are declared by `role`.
    pub has_roles: bool,
    /// Whether a row of the open summary of Javadoc is open; `None` outside of a summary.
    pub is_row_open: Option<bool>,
}

/// An open list.
#[derive(Debug)]
pub struct List {
    pub has_items: bool,
    /// Whether each item is a task.
    pub has_tasks: bool,
    /// The number of lists around it that its class declares.
    pub outer: u16,
    pub class: Box<str>,
}

/// An open list item.
#[derive(Debug)]
pub struct OpenItem {
    pub level: u16,
    /// The number of quotations around it.
    pub quotes: u16,
    /// Its marker, until it has content.
    pub waiting: Option<Item>,
    /// Whether the task that it starts with is done.
    pub is_done: Option<bool>,
}

/// An open part of a list of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    Term,
    Description,
    /// It already has content.
    Started,
}

/// The effect of an element when it closes.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    None,
    /// A mark with this serial number.
    Mark(usize),
    /// A link to a part of the page, with the serial number of its mark.
    Fragment(usize, FragmentLink),
    /// The number of a line of code, with the serial number of its mark.
    LineNumber(usize),
    Note,
    Notes,
    Quote,
    List {
        has_notes: bool,
    },
    Item,
    /// A paragraph of a list in Word, with the name of the list.
    WordItem(Box<str>),
    /// The bullet or number of such a paragraph, with the serial number of its mark.
    Label(usize),
    Heading,
    Preformatted,
    /// An element whose children may be lines of code, after this number of paragraphs.
    MayBeCode(usize, LineClass),
    /// Text that is not part of the block, with the serial number of its mark.
    Removed(usize),
    /// A note inside the text, with the serial number of its mark, and the number of blocks and of
    /// open cells before it.
    InlineNote(usize, (usize, usize)),
    Definition(Option<Definition>),
    /// A figure after this number of blocks.
    Figure(usize),
    FigureCaption,
    TableCaption,
    Table(Purpose),
    /// A table by its `role` or class.
    Grid,
    Header,
    Foot,
    Cell,
    LanguageAround,
}

impl Context {
    /// The number of items around the next block.
    pub fn level(&self) -> u16 {
        self.items.last().map_or(0, |item| item.level)
    }

    /// Whether a role is allowed here. Rows and cells outside of tables are text.
    pub fn allows(&self, part: Part) -> bool {
        let is_of_table = matches!(part, Part::Row | Part::Cell { .. });
        self.preformatted == 0 && (self.has_roles || !is_of_table)
    }

    pub fn open_item(&mut self, number: Option<i64>) {
        let is_first = match self.lists.last_mut() {
            Some(list) => !std::mem::replace(&mut list.has_items, true),
            None => false,
        };
        // Many pages nest lists without items between them.
        let lists = u16::try_from(self.lists.len()).unwrap_or(u16::MAX);
        let outer = self.lists.last().map_or(0, |list| list.outer);
        let level = lists.max(1).saturating_add(outer);
        self.push_item(level, Item { number, is_first });
    }

    pub fn push_item(&mut self, level: u16, item: Item) {
        // The definition starts with these items.
        if self.definition.is_some() {
            self.definition = Some(Definition::Started);
        }
        self.items.push(OpenItem {
            level,
            quotes: self.quotes,
            waiting: Some(item),
            is_done: None,
        });
    }

    /// Declares the start of the innermost item as a task.
    pub fn open_task(&mut self, is_done: bool) {
        let item = self.items.last_mut();
        if let Some(item) = item.filter(|item| item.waiting.is_some()) {
            item.is_done = Some(is_done);
        }
    }
}
