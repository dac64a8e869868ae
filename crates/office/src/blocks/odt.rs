//! The blocks of an OpenDocument text.

use std::collections::HashMap;

use corpus_blocks::builder::{Purpose, footnote};
use corpus_blocks::tex::TexBuilder;
use corpus_blocks::{Block, Builder, Item, Kind, MarkKind, Text};
use corpus_markup::references::{self, Place};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::odt_styles::Styles;
use super::runs::Runs;
use super::{StyleRole, open_in_formula, push_code};
use crate::document::Document;
use crate::members::Members;
use crate::metadata::{attribute, decode};
use crate::tokens::tokens_outside;

pub const CONTENT: &str = "content.xml";
pub const STYLES: &str = "styles.xml";

/// Elements whose text is not part of the document: deleted text, comments, readings, scripts,
/// descriptions of drawings, marks of footnotes.
const SKIPPED: &[&str] = &[
    "tracked-changes",
    "annotation",
    "ruby-text",
    "script",
    "forms",
    "title",
    "desc",
    "note-citation",
    "sequence-decls",
    "variable-decls",
    "user-field-decls",
];

/// Maximum number of spaces from one element: `<text:s text:c="1000000000"/>` must not allocate a
/// gigabyte.
const MAX_SPACES: usize = 100;

/// Whether [`read`] needs a member. Formulas are documents in folders.
pub fn is_part(name: &str) -> bool {
    [CONTENT, STYLES].contains(&name) || name.ends_with("/content.xml")
}

/// Reads the blocks of the text, then its notes. `None` if the content cannot be read.
pub fn read(members: &Members, document: &mut Document) -> Option<Vec<Block>> {
    let Some(xml) = members.get(CONTENT) else {
        document.add_error(&format!("{CONTENT} cannot be read"));
        return None;
    };
    let xml = decode(xml);
    let mut reader = Reader::new(members);
    reader
        .styles
        .read(&members.get(STYLES).map(decode).unwrap_or_default());
    reader.styles.read(&xml);
    reader.read(&xml);
    let mut blocks = reader.builder.finish();
    blocks.append(&mut reader.footnotes);
    Some(blocks)
}

/// Maximum depth of spans and items. Deeper ones have no effect, because each paragraph examines
/// all open ones.
const MAX_DEPTH: usize = 64;

struct Reader<'m> {
    members: &'m Members,
    styles: Styles,
    builder: Builder,
    /// The open paragraphs. Notes and text boxes are inside a paragraph and contain others.
    paragraphs: Vec<Paragraph>,
    /// The marks of the open spans and links.
    spans: Vec<Vec<MarkKind>>,
    lists: Vec<List>,
    items: Vec<Option<Item>>,
    /// The number of open items beyond the limit.
    ignored_items: usize,
    /// The lists and items around open cells and notes.
    outer: Vec<(Vec<List>, Vec<Option<Item>>)>,
    /// The next number of each list style, for lists that continue.
    next_numbers: HashMap<String, i64>,
    notes: Vec<(String, Builder)>,
    note_count: usize,
    footnotes: Vec<Block>,
    /// Whether a picture follows the last text.
    has_picture: bool,
}

#[derive(Debug, Default)]
struct Paragraph {
    runs: Runs,
    style: String,
    heading: Option<u8>,
}

#[derive(Debug)]
struct List {
    style: String,
    /// The number of the next item, if the items have one.
    next: Option<i64>,
    has_items: bool,
}

impl<'m> Reader<'m> {
    fn new(members: &'m Members) -> Self {
        Self {
            members,
            styles: Styles::default(),
            builder: Builder::default(),
            paragraphs: Vec::new(),
            spans: Vec::new(),
            lists: Vec::new(),
            items: Vec::new(),
            ignored_items: 0,
            outer: Vec::new(),
            next_numbers: HashMap::new(),
            notes: Vec::new(),
            note_count: 0,
            footnotes: Vec::new(),
            has_picture: false,
        }
    }

    fn read(&mut self, xml: &str) {
        for token in tokens_outside(xml, SKIPPED) {
            match token {
                Token::Start(tag) => {
                    self.open(&tag);
                    if tag.self_closing() {
                        self.close(tag.local_name());
                    }
                }
                Token::End(tag) => self.close(tag.local_name()),
                Token::Text(part) => {
                    references::decode(part, Place::Text, |piece| self.text(piece));
                }
                Token::CData(part) => self.text(part),
                _ => {}
            }
        }
        while !self.paragraphs.is_empty() {
            self.close_paragraph();
        }
    }

    fn text(&mut self, text: &str) {
        let marks = self.marks();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push_collapsed(text, &marks);
        }
    }

    fn push(&mut self, text: &str) {
        let marks = self.marks();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push(text, &marks);
        }
    }

    fn marks(&self) -> Vec<MarkKind> {
        let mut marks: Vec<MarkKind> = Vec::new();
        for mark in self.spans.iter().take(MAX_DEPTH).flatten() {
            if !marks.contains(mark) {
                marks.push(mark.clone());
            }
        }
        marks
    }

    fn open(&mut self, tag: &Tag<'_>) {
        let value = |name| attribute(tag, name).map(|value| value.into_owned());
        match tag.local_name() {
            "p" | "h" => {
                let level = value("outline-level").and_then(|level| level.parse::<u8>().ok());
                let is_heading = tag.local_name() == "h";
                self.paragraphs.push(Paragraph {
                    runs: Runs::default(),
                    style: value("style-name").unwrap_or_default(),
                    heading: is_heading.then(|| level.unwrap_or(1).clamp(1, 6)),
                });
            }
            "span" => {
                let style = value("style-name").unwrap_or_default();
                let marks = self.styles.marks(&style);
                self.spans.push(marks);
            }
            "a" => {
                let link = value("href").map(|address| MarkKind::Link(address.into()));
                self.spans.push(link.into_iter().collect());
            }
            "line-break" => self.push("\n"),
            "tab" => self.push("\t"),
            "s" => {
                let count = value("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                self.push(&" ".repeat(count.min(MAX_SPACES)));
            }
            "image" => self.has_picture = true,
            "object" => self.formula(&value("href").unwrap_or_default()),
            "list" => self.open_list(tag),
            "list-item" => self.open_item(tag),
            "list-header" => self.push_item(None),
            "note" => {
                self.note_count += 1;
                let label = self.note_count.to_string();
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.runs.push_note(&label);
                }
                self.notes.push((label, std::mem::take(&mut self.builder)));
                self.enter();
            }
            name => self.open_table_part(name, tag),
        }
    }

    fn open_table_part(&mut self, name: &str, tag: &Tag<'_>) {
        match name {
            "table" => {
                self.push_items();
                let level = self.level();
                self.builder.open_table(0, level);
            }
            "table-row" => self.builder.open_row(),
            "table-cell" => {
                let span = |name| {
                    let span = attribute(tag, name).and_then(|span| span.parse().ok());
                    span.unwrap_or(1)
                };
                let columns = span("number-columns-spanned");
                self.builder
                    .open_cell(columns, span("number-rows-spanned"), false);
                self.enter();
            }
            _ => {}
        }
    }

    /// Starts the content of a cell or note, to which the lists around it do not apply.
    fn enter(&mut self) {
        let lists = std::mem::take(&mut self.lists);
        self.outer.push((lists, std::mem::take(&mut self.items)));
    }

    fn leave(&mut self) {
        if let Some((lists, items)) = self.outer.pop() {
            (self.lists, self.items) = (lists, items);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" => self.close_paragraph(),
            "span" | "a" => drop(self.spans.pop()),
            "list" => {
                if let Some(list) = self.lists.pop()
                    && let Some(next) = list.next
                {
                    self.next_numbers.insert(list.style, next);
                }
            }
            "list-item" | "list-header" => self.pop_item(),
            "table-header-rows" => self.builder.end_header(),
            "table-cell" => self.leave(),
            "table" => self.builder.close_table(Purpose::Unknown),
            "note" => {
                if let Some((label, outer)) = self.notes.pop() {
                    let blocks = std::mem::replace(&mut self.builder, outer).finish();
                    let block = footnote(&label, blocks);
                    if !block.text.is_empty() {
                        self.footnotes.push(block);
                    }
                }
                self.leave();
            }
            _ => {}
        }
    }

    fn open_list(&mut self, tag: &Tag<'_>) {
        // An item that starts with a list has no separate line, and no bullet is shown for it.
        if let Some(item) = self.items.last_mut() {
            *item = None;
        }
        let style = attribute(tag, "style-name").map(|style| style.into_owned());
        let outer = self.lists.last().map(|list| list.style.clone());
        let style = style.or(outer).unwrap_or_default();
        let mut next = self.styles.first_number(&style, self.lists.len() + 1);
        let continues = attribute(tag, "continue-numbering").is_some_and(|value| value == "true")
            || attribute(tag, "continue-list").is_some();
        if continues && next.is_some() {
            next = self.next_numbers.get(&style).copied().or(next);
        }
        self.lists.push(List {
            style,
            next,
            has_items: false,
        });
    }

    fn open_item(&mut self, tag: &Tag<'_>) {
        let mut item = Item {
            number: None,
            is_first: false,
        };
        if let Some(list) = self.lists.last_mut() {
            let start = attribute(tag, "start-value").and_then(|start| start.parse().ok());
            item.is_first = !std::mem::replace(&mut list.has_items, true);
            item.number = list.next.map(|next| start.unwrap_or(next));
            list.next = item.number.map(|number: i64| number.saturating_add(1));
        }
        self.push_item(Some(item));
    }

    fn push_item(&mut self, item: Option<Item>) {
        if self.items.len() >= MAX_DEPTH {
            self.ignored_items += 1;
        } else {
            self.items.push(item);
        }
    }

    fn pop_item(&mut self) {
        match self.ignored_items {
            0 => drop(self.items.pop()),
            _ => self.ignored_items -= 1,
        }
    }

    /// The number of items around the next block.
    fn level(&self) -> u16 {
        u16::try_from(self.items.len()).unwrap_or(u16::MAX)
    }

    /// Emits the open items without content, except the innermost one, which is returned.
    fn waiting_item(&mut self) -> Option<Item> {
        let last = self.items.pop();
        self.push_items();
        let item = last.flatten();
        if last.is_some() {
            self.items.push(None);
        }
        item
    }

    fn push_items(&mut self) {
        for (index, item) in self.items.iter_mut().enumerate() {
            if let Some(item) = item.take() {
                self.builder.push(Block {
                    level: u16::try_from(index + 1).unwrap_or(u16::MAX),
                    ..Block::new(Kind::Item(item), Text::default())
                });
            }
        }
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        let role = match paragraph.heading {
            Some(level) => StyleRole::Heading(level),
            None => self.styles.role(&paragraph.style),
        };
        let formula = paragraph.runs.display_formula().map(str::to_owned);
        if role == StyleRole::Code && formula.is_none() {
            let text = paragraph.runs.finish_code();
            let is_continued = self
                .builder
                .last_mut()
                .is_some_and(|last| matches!(last.kind, Kind::Code { .. }));
            // Code may contain blank lines, but does not start with one.
            if text.is_empty() && !is_continued {
                return;
            }
            self.push_items();
            let block = Block::new(Kind::Code { language: None }, text);
            let level = self.level();
            return push_code(&mut self.builder, Block { level, ..block });
        }
        let text = match formula {
            Some(ref tex) => Text::plain(tex.as_str()),
            None => paragraph.runs.finish(),
        };
        if text.is_empty() {
            return;
        }
        let kind = match role {
            _ if formula.is_some() => Kind::Formula,
            StyleRole::Heading(level) => Kind::Heading(level),
            StyleRole::Caption | StyleRole::FigureCaption => Kind::Figure(None),
            _ => Kind::Paragraph,
        };
        let kind = match kind {
            Kind::Paragraph => self.waiting_item().map_or(Kind::Paragraph, Kind::Item),
            kind => {
                self.push_items();
                kind
            }
        };
        let may_be_of_table = role == StyleRole::Caption && !self.has_picture;
        self.has_picture = false;
        let block = Block {
            level: self.level(),
            quotes: u16::from(role == StyleRole::Quote),
            ..Block::new(kind, text)
        };
        match block.kind {
            Kind::Figure(_) if may_be_of_table => self.builder.push_caption(block),
            _ => self.builder.push(block),
        }
    }

    /// Reads the formula in a folder of the package.
    fn formula(&mut self, folder: &str) {
        let folder = folder.trim_start_matches("./").trim_end_matches('/');
        let Some(xml) = self.members.get(&format!("{folder}/content.xml")) else {
            return;
        };
        let Some((tex, is_display)) = formula(&decode(xml)) else {
            return;
        };
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push_formula(&tex, is_display);
        }
    }
}

/// The TeX of the first formula in MathML, and whether it is set as a block.
fn formula(xml: &str) -> Option<(String, bool)> {
    let mut formula = None;
    let mut is_display = false;
    for token in Tokenizer::new(xml, Syntax::Xml) {
        match (token, &mut formula) {
            (Token::Start(tag), None) if tag.local_name() == "math" => {
                is_display = attribute(&tag, "display").is_some_and(|display| display == "block");
                formula = Some(TexBuilder::new());
            }
            (Token::Start(tag), Some(formula)) => open_in_formula(formula, &tag),
            (Token::End(tag), Some(_)) if tag.local_name() == "math" => break,
            (Token::End(_), Some(formula)) => formula.close(),
            (Token::Text(part), Some(formula)) => {
                references::decode(part, Place::Text, |piece| formula.text(piece));
            }
            _ => {}
        }
    }
    Some((formula?.finish(), is_display))
}
