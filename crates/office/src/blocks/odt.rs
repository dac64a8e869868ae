//! The blocks of an OpenDocument text.

use std::collections::HashMap;

use corpus_blocks::builder::{Purpose, footnote};
use corpus_blocks::tex::TexBuilder;
use corpus_blocks::{Block, Builder, Cell, Item, Kind, MarkKind, Text};
use corpus_markup::references::{self, Context};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::numbers::shown;
use super::odt_styles::{Level, MAX_LEVELS, OUTLINE, Styles};
use super::runs::Runs;
use super::{StyleRole, open_in_formula, push_code};
use crate::document::Document;
use crate::members::Members;
use crate::metadata::{attribute, attributes, decode};
use crate::tokens::tokens_outside;

pub const CONTENT: &str = "content.xml";
pub const STYLES: &str = "styles.xml";

/// Elements whose text is not part of the document: deleted text, comments, ruby readings, scripts,
/// descriptions of drawings, footnote marks.
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

/// Whether the content of an element is not part of the document. Sections and texts may be
/// hidden, always or by a condition.
fn is_skipped(tag: &Tag<'_>) -> bool {
    match tag.local_name() {
        "section" | "hidden-text" => {
            let [display, is_hidden] = attributes(tag, ["display", "is-hidden"]);
            display.is_some_and(|value| value == "none")
                || is_hidden.is_some_and(|value| value == "true")
        }
        name => SKIPPED.contains(&name),
    }
}

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
    let styles = members.get(STYLES).map(decode).unwrap_or_default();
    let mut reader = Reader::new(members);
    reader.styles.read(&styles);
    reader.styles.read(&xml);
    reader.read(&xml);
    let mut blocks = reader.builder.finish();
    blocks.append(&mut reader.footnotes);
    Some(blocks)
}

/// Maximum number of columns that a cell is repeated in, and of rows.
const MAX_REPEATED_COLUMNS: usize = 64;
const MAX_REPEATED_ROWS: usize = 1024;
/// Maximum size of the copies of repeated cells of a document.
const MAX_REPEATED_BYTES: usize = 1 << 20;
/// The size of a copied block without text.
const BLOCK_BYTES: usize = size_of::<Block>();

/// Maximum depth of spans and items. Deeper ones are ignored, because each paragraph examines all
/// open ones.
const MAX_DEPTH: usize = 64;

struct Reader<'m> {
    members: &'m Members,
    styles: Styles<'m>,
    builder: Builder,
    /// The open paragraphs. Notes and text boxes are inside a paragraph and contain others.
    paragraphs: Vec<Paragraph>,
    spans: Vec<Span>,
    lists: Vec<List>,
    items: Vec<Option<Item>>,
    /// The number of open items beyond the limit.
    ignored_items: usize,
    /// The lists and items around open cells and notes.
    outer: Vec<(Vec<List>, Vec<Option<Item>>)>,
    /// The next number of each list style, for lists that continue.
    next_numbers: HashMap<String, i64>,
    /// The numbers of the last headings of each level.
    headings: [i64; MAX_LEVELS],
    notes: Vec<(String, Builder)>,
    /// The number of open drawings, and the index of the first block of the outermost one, which
    /// is inside a paragraph.
    drawings: usize,
    drawing: Option<usize>,
    /// The number of repetitions of each open cell.
    repeats: Vec<usize>,
    /// The number of repetitions of each open row.
    row_repeats: Vec<usize>,
    /// The number of bytes that copies of cells may still take.
    remaining: usize,
    note_count: usize,
    footnotes: Vec<Block>,
    /// Whether a picture follows the last text.
    has_picture: bool,
}

/// An open span or link.
#[derive(Debug, Default)]
struct Span {
    marks: Vec<MarkKind>,
    /// Whether its text is hidden, if its style declares that.
    is_hidden: Option<bool>,
}

#[derive(Debug, Default)]
struct Paragraph {
    runs: Runs,
    style: String,
    /// Whether its text is hidden, if its style declares that.
    is_hidden: Option<bool>,
    heading: Option<u8>,
    /// The level of its number; `None` for a heading that has none, or whose number is text.
    numbered: Option<usize>,
    /// The blocks of the drawings in it.
    boxed: Vec<Block>,
    /// Whether it has a formula that is set as a block.
    has_display: bool,
}

#[derive(Debug)]
struct List {
    style: String,
    /// The number of the next item, if the items have one.
    next: Option<i64>,
    /// Whether its items have neither number nor bullet.
    is_blank: bool,
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
            headings: [0; MAX_LEVELS],
            notes: Vec::new(),
            drawings: 0,
            drawing: None,
            repeats: Vec::new(),
            row_repeats: Vec::new(),
            remaining: MAX_REPEATED_BYTES,
            note_count: 0,
            footnotes: Vec::new(),
            has_picture: false,
        }
    }

    fn read(&mut self, xml: &str) {
        for token in tokens_outside(xml, is_skipped) {
            match token {
                Token::Start(tag) => {
                    self.open(&tag);
                    if tag.self_closing() {
                        self.close(tag.local_name());
                    }
                }
                Token::End(tag) => self.close(tag.local_name()),
                Token::Text(part) => {
                    references::decode(part, Context::Text, |piece| self.text(piece));
                }
                Token::CData(part) => self.text(part),
                _ => {}
            }
        }
        while !self.paragraphs.is_empty() {
            self.close_paragraph();
        }
    }

    /// Whether a span or the style of the paragraph hides the next text.
    fn is_hidden(&self) -> bool {
        let mut spans = self.spans.iter().take(MAX_DEPTH).rev();
        let of_paragraph = || self.paragraphs.last()?.is_hidden;
        let of_spans = spans.find_map(|span| span.is_hidden);
        of_spans.or_else(of_paragraph).unwrap_or_default()
    }

    fn text(&mut self, text: &str) {
        if self.paragraphs.is_empty() || self.is_hidden() {
            return;
        }
        let marks = self.marks();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push_collapsed(text, &marks);
        }
    }

    fn push(&mut self, text: &str) {
        if self.is_hidden() {
            return;
        }
        let marks = self.marks();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push(text, &marks);
        }
    }

    fn marks(&self) -> Vec<MarkKind> {
        let mut marks: Vec<MarkKind> = Vec::new();
        for mark in self
            .spans
            .iter()
            .take(MAX_DEPTH)
            .flat_map(|span| &span.marks)
        {
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
                let names = ["style-name", "outline-level", "is-list-header"];
                let [style, level, is_header] = attributes(tag, names);
                let level = level.and_then(|level| level.parse::<u8>().ok());
                let level = (tag.local_name() == "h").then(|| level.unwrap_or(1).max(1));
                let is_unnumbered = is_header.is_some_and(|value| value == "true");
                let style = style.unwrap_or_default().into_owned();
                self.paragraphs.push(Paragraph {
                    is_hidden: self.styles.sheet.is_hidden(&style),
                    style,
                    heading: level.map(|level| level.min(6)),
                    numbered: level.filter(|_| !is_unnumbered).map(usize::from),
                    ..Paragraph::default()
                });
            }
            "span" => {
                let style = value("style-name").unwrap_or_default();
                self.spans.push(Span {
                    marks: self.styles.marks(&style),
                    is_hidden: self.styles.sheet.is_hidden(&style),
                });
            }
            "a" => {
                let link = value("href").map(|address| MarkKind::Link(address.into()));
                self.spans.push(Span {
                    marks: link.into_iter().collect(),
                    is_hidden: None,
                });
            }
            "line-break" => self.push("\n"),
            "tab" => self.push("\t"),
            "s" => {
                let count = value("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                self.push(&" ".repeat(count.min(MAX_SPACES)));
            }
            "hidden-paragraph" if value("is-hidden").is_some_and(|value| value == "true") => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.runs = Runs::default();
                    paragraph.is_hidden = Some(true);
                }
            }
            "image" => self.has_picture = true,
            "object" => self.formula(&value("href").unwrap_or_default()),
            "number" => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.numbered = None;
                }
            }
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
            name if is_drawing(name) => {
                self.drawings += 1;
                if self.drawings == 1 && !self.paragraphs.is_empty() {
                    self.drawing = Some(self.builder.block_count());
                    self.enter();
                }
            }
            name => self.open_table_part(name, tag),
        }
    }

    /// Ends a drawing. The blocks of the outermost one follow the paragraph around it.
    fn close_drawing(&mut self) {
        self.drawings = self.drawings.saturating_sub(1);
        if self.drawings == 0
            && let Some(start) = self.drawing.take()
        {
            self.leave();
            if let Some(paragraph) = self.paragraphs.last_mut() {
                paragraph.boxed.append(&mut self.builder.take_from(start));
            }
        }
    }

    /// Adds the copies of a repeated cell.
    fn repeat_cell(&mut self) {
        let count = self.repeats.pop().unwrap_or_default();
        // Cells repeated over more columns only fill up the row. Cells of inner tables are not
        // repeated.
        if !(2..=MAX_REPEATED_COLUMNS).contains(&count) || !self.repeats.is_empty() {
            return;
        }
        let blocks = self.builder.take_from(0);
        let count = self.affordable(count, copied_bytes(&blocks));
        for index in 0..count {
            if index > 0 {
                self.builder.open_cell(1, 1, false);
            }
            for block in &blocks {
                self.builder.push(block.clone());
            }
        }
    }

    /// Adds the copies of a repeated row. Rows without text are only filled up.
    fn repeat_row(&mut self) {
        let count = self.row_repeats.pop().unwrap_or_default();
        if !(2..=MAX_REPEATED_ROWS).contains(&count) || !self.repeats.is_empty() {
            return;
        }
        let row = self.builder.last_row().to_vec();
        if row.iter().all(Cell::is_empty) {
            return;
        }
        let size = row.iter().map(|cell| copied_bytes(&cell.blocks)).sum();
        for _ in 1..self.affordable(count, size) {
            self.builder.open_row();
            for cell in &row {
                self.builder.open_cell(cell.columns, 1, cell.is_header);
                for block in &cell.blocks {
                    self.builder.push(block.clone());
                }
            }
        }
    }

    /// The part of a number of copies of this size that the document may still take, with the
    /// original.
    fn affordable(&mut self, count: usize, size: usize) -> usize {
        let count = count.min(1 + self.remaining / size.max(1));
        self.remaining -= (count - 1) * size;
        count
    }

    fn open_table_part(&mut self, name: &str, tag: &Tag<'_>) {
        match name {
            "table" => {
                self.push_items();
                let level = self.level();
                self.builder.open_table(0, level);
            }
            "table-row" => {
                let count = attribute(tag, "number-rows-repeated");
                let count = count.and_then(|count| count.parse().ok());
                self.row_repeats.push(count.unwrap_or(1));
                self.builder.open_row();
            }
            "table-cell" => {
                let span = |name| {
                    let span = attribute(tag, name).and_then(|span| span.parse().ok());
                    span.unwrap_or(1)
                };
                let columns = span("number-columns-spanned");
                self.builder
                    .open_cell(columns, span("number-rows-spanned"), false);
                self.repeats
                    .push(usize::from(span("number-columns-repeated")));
                self.enter();
            }
            _ => {}
        }
    }

    /// Starts the content of a cell or note, which is outside the enclosing lists.
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
            "table-row" => self.repeat_row(),
            "table-header-rows" => self.builder.end_header(),
            "table-cell" => {
                self.leave();
                self.repeat_cell();
            }
            "number" => self.push(" "),
            name if is_drawing(name) => self.close_drawing(),
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
        let own = attribute(tag, "style-name").map(|style| style.into_owned());
        let outer = self.lists.last().map(|list| list.style.clone());
        let depth = self.lists.len() + 1;
        let level = match &own {
            Some(style) => self.styles.level_or_above(style, depth),
            None => self
                .styles
                .level(outer.as_deref().unwrap_or_default(), depth),
        };
        let style = own.or(outer).unwrap_or_default();
        let is_blank = level.is_some_and(|level| level.is_blank);
        let mut next = level.and_then(Level::first_number);
        let continues = attribute(tag, "continue-numbering").is_some_and(|value| value == "true")
            || attribute(tag, "continue-list").is_some();
        if continues && next.is_some() {
            next = self.next_numbers.get(&style).copied().or(next);
        }
        self.lists.push(List {
            style,
            next,
            is_blank,
            has_items: false,
        });
    }

    fn open_item(&mut self, tag: &Tag<'_>) {
        let mut item = Item {
            number: None,
            is_first: false,
        };
        if self.lists.last().is_some_and(|list| list.is_blank) {
            return self.push_item(None);
        }
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

    /// The number of a heading as shown, such as `1.1`, from its list item or the outline.
    fn label(&mut self, level: usize) -> Option<String> {
        let is_item = self.items.last().is_some_and(Option::is_some);
        let (style, level) = match self.lists.last().filter(|_| is_item) {
            Some(list) => (list.style.as_str(), self.lists.len()),
            None => (OUTLINE, level),
        };
        let found = self.styles.level_or_above(style, level)?;
        if !is_item {
            let last = self.headings.get_mut(level - 1)?;
            *last = if *last == 0 {
                found.start
            } else {
                last.saturating_add(1)
            };
            self.headings.get_mut(level..)?.fill(0);
        }
        found.first_number()?;
        let number = |level: usize| match is_item {
            true => Some(self.lists.get(level - 1)?.next?.saturating_sub(1)),
            false => self.headings.get(level - 1).map(|number| (*number).max(1)),
        };
        let shown = |level| {
            Some(shown(
                number(level)?,
                &self.styles.level_or_above(style, level)?.format,
            ))
        };
        let first = (level + 1).saturating_sub(found.shown.clamp(1, MAX_LEVELS));
        let numbers: Vec<String> = (first.max(1)..=level).filter_map(shown).collect();
        Some([&*found.prefix, &numbers.join("."), &*found.suffix].concat())
    }

    /// Takes the number of the item that the next paragraph starts, if it is a part of the text,
    /// and returns it as shown.
    fn label_of_item(&mut self) -> Option<String> {
        self.items.last()?.as_ref()?.number?;
        let list = self.lists.last()?;
        let level = self.lists.len();
        let found = self.styles.level_or_above(&list.style, level)?;
        if found.is_plain() {
            return None;
        }
        let label = self.label(level)?;
        self.items.last_mut()?.as_mut()?.number = None;
        Some(label)
    }

    fn close_paragraph(&mut self) {
        let Some(mut paragraph) = self.paragraphs.pop() else {
            return;
        };
        let boxed = std::mem::take(&mut paragraph.boxed);
        self.add_paragraph(paragraph);
        boxed.into_iter().for_each(|block| self.builder.push(block));
    }

    fn add_paragraph(&mut self, paragraph: Paragraph) {
        let role = match paragraph.heading {
            Some(level) => StyleRole::Heading(level),
            None => self.styles.sheet.role(&paragraph.style),
        };
        // Notes are one text, in which formulas keep their delimiters.
        let formula = paragraph
            .runs
            .only_formula("$")
            .filter(|_| paragraph.has_display && self.notes.is_empty());
        let formula = formula.map(str::to_owned);
        if role == StyleRole::Code && formula.is_none() {
            let text = paragraph.runs.finish_code();
            let is_continued = self
                .builder
                .last_mut()
                .is_some_and(|last| matches!(last.kind, Kind::Code { .. }));
            // Code may contain blank lines, but does not start with a blank line.
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
        let label = match kind {
            Kind::Heading(_) => paragraph.numbered.and_then(|level| self.label(level)),
            Kind::Paragraph => self.label_of_item(),
            _ => None,
        };
        let text = match label {
            Some(label) => text.after_label(label.trim()),
            None => text,
        };
        let kind = match kind {
            // A heading in an item is not an item: the list only numbers it.
            Kind::Heading(_) => {
                self.items.iter_mut().for_each(|item| *item = None);
                kind
            }
            Kind::Paragraph => self.waiting_item().map_or(Kind::Paragraph, Kind::Item),
            kind => {
                self.push_items();
                kind
            }
        };
        let may_be_of_table = role == StyleRole::Caption && !self.has_picture;
        self.has_picture = false;
        let level = match kind {
            Kind::Heading(_) => 0,
            _ => self.level(),
        };
        let block = Block {
            level,
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
        // LibreOffice declares all formulas as blocks, also those beside text.
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.has_display |= is_display;
            paragraph.runs.push_formula(&tex, false);
        }
    }
}

/// The size of a copy of the blocks of a cell.
fn copied_bytes(blocks: &[Block]) -> usize {
    let bytes = |block: &Block| match block.kind {
        // Tables are not repeated.
        Kind::Table(_) => MAX_REPEATED_BYTES,
        _ => BLOCK_BYTES + block.text.text.len() + BLOCK_BYTES * block.text.marks.len(),
    };
    BLOCK_BYTES + blocks.iter().map(bytes).sum::<usize>()
}

/// Whether an element is a drawing, which may contain text.
fn is_drawing(name: &str) -> bool {
    matches!(name, "frame" | "custom-shape" | "rect" | "ellipse" | "g")
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
                references::decode(part, Context::Text, |piece| formula.text(piece));
            }
            _ => {}
        }
    }
    Some((formula?.finish(), is_display))
}
