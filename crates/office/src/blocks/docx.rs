//! The blocks of a DOCX document.

use std::collections::HashMap;

use corpus_blocks::builder::{Purpose, footnote};
use corpus_blocks::tex::TexBuilder;
use corpus_blocks::{Block, Builder, Item, Kind, MarkKind};
use corpus_markup::references::{self, Place};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::docx_styles::{MAX_LEVELS, Numbering, Styles, heading};
use super::runs::Runs;
use super::table::Grid;
use super::{StyleRole, open_in_formula, push_code};
use crate::document::Document;
use crate::members::Members;
use crate::metadata::{attribute, decode};
use crate::tokens::tokens_outside;

pub const STYLES: &str = "word/styles.xml";
const NUMBERING: &str = "word/numbering.xml";
const NOTES: &[&str] = &["footnotes", "endnotes"];

/// Elements whose text is not part of the document: deleted and moved text, the second rendering of
/// drawings, codes of fields, phonetic readings.
const SKIPPED: &[&str] = &["del", "moveFrom", "Fallback", "instrText", "rt", "delText"];

/// The names of the parts that [`read`] needs.
pub fn parts(main: &str) -> Vec<String> {
    let parts = [main, STYLES, NUMBERING].map(str::to_owned).into_iter();
    parts.chain(note_parts()).chain([links_of(main)]).collect()
}

fn note_parts() -> impl Iterator<Item = String> {
    NOTES.iter().map(|notes| format!("word/{notes}.xml"))
}

/// The name of the part with the addresses of the links of the main part.
fn links_of(main: &str) -> String {
    let file = main.rsplit_once('/').map_or(main, |(_, file)| file);
    format!("word/_rels/{file}.rels")
}

/// Reads the blocks of the text, then its notes. `None` if the main part cannot be read.
pub fn read(members: &Members, main: &str, document: &mut Document) -> Option<Vec<Block>> {
    let Some(xml) = members.get(main) else {
        document.add_error(&format!("{main} cannot be read"));
        return None;
    };
    let mut reader = Reader::new(members, &links_of(main));
    reader.read(&decode(xml));
    let mut blocks = std::mem::take(&mut reader.builder).finish();
    for notes in note_parts() {
        if let Some(xml) = members.get(&notes) {
            reader.read(&decode(xml));
        }
    }
    blocks.append(&mut reader.footnotes);
    if reader.refers_to_part {
        document.add_error("a part in another format (altChunk) is not read");
    }
    Some(blocks)
}

struct Reader {
    styles: Styles,
    numbering: Numbering,
    links: HashMap<String, String>,
    builder: Builder,
    /// The open paragraphs. A text box is inside a paragraph and contains others.
    paragraphs: Vec<Paragraph>,
    run: Run,
    /// The addresses of the open links.
    open_links: Vec<Option<MarkKind>>,
    formula: Option<TexBuilder>,
    is_display: bool,
    tables: Vec<Table>,
    /// For each list, the numbers of the last items of its levels.
    counters: HashMap<String, [Option<i64>; MAX_LEVELS]>,
    /// The open lists: their level and identifier.
    lists: Vec<(usize, String)>,
    /// The labels of notes by their kind and identifier.
    labels: HashMap<(bool, String), String>,
    note: Option<(String, Builder)>,
    footnotes: Vec<Block>,
    is_text: bool,
    /// Whether a picture follows the last text.
    has_picture: bool,
    refers_to_part: bool,
}

#[derive(Debug, Default)]
struct Paragraph {
    runs: Runs,
    style: String,
    outline: Option<u8>,
    list: Option<String>,
    level: Option<usize>,
    in_properties: bool,
}

#[derive(Debug, Default)]
struct Run {
    marks: Vec<MarkKind>,
    in_properties: bool,
}

#[derive(Debug, Default)]
struct Table {
    grid: Grid,
    /// The cell that is about to start, until its properties have been read.
    cell: Option<(u16, bool)>,
    is_header: bool,
    had_text_rows: bool,
}

impl Reader {
    fn new(members: &Members, links: &str) -> Self {
        let part = |name: &str| members.get(name).map(decode).unwrap_or_default();
        Self {
            styles: Styles::new(&part(STYLES)),
            numbering: Numbering::new(&part(NUMBERING)),
            links: targets(&part(links)),
            builder: Builder::default(),
            paragraphs: Vec::new(),
            run: Run::default(),
            open_links: Vec::new(),
            formula: None,
            is_display: false,
            tables: Vec::new(),
            counters: HashMap::new(),
            lists: Vec::new(),
            labels: HashMap::new(),
            note: None,
            footnotes: Vec::new(),
            is_text: false,
            has_picture: false,
            refers_to_part: false,
        }
    }

    fn read(&mut self, xml: &str) {
        // Also the earlier properties of changed paragraphs and runs.
        let skipped = [SKIPPED, &["pPrChange", "rPrChange"]].concat();
        for token in tokens_outside(xml, &skipped) {
            match token {
                Token::Start(tag) => self.open(&tag),
                Token::End(tag) => self.close(&tag),
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
        if let Some(formula) = &mut self.formula {
            formula.text(text);
        } else if self.is_text {
            self.push(&one_line(text));
        }
    }

    fn push(&mut self, text: &str) {
        if self.paragraphs.is_empty() {
            self.open_paragraph();
        }
        let link = self.open_links.last().cloned().flatten();
        let marks: Vec<MarkKind> = link
            .into_iter()
            .chain(self.run.marks.iter().cloned())
            .collect();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push(text, &marks);
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        let name = tag.local_name();
        if let Some(formula) = &mut self.formula {
            return open_in_formula(formula, tag);
        }
        self.is_text = name == "t" && !tag.self_closing();
        if self.open_property(tag) {
            return;
        }
        match name {
            "p" => {
                self.start_cell();
                self.open_paragraph();
                if tag.self_closing() {
                    self.close_paragraph();
                }
            }
            "pPr" => self.in_paragraph_properties(!tag.self_closing()),
            "r" => self.run = Run::default(),
            "rPr" => self.run.in_properties = !tag.self_closing(),
            "br" | "cr" => self.push("\n"),
            "tab" | "ptab" => self.push("\t"),
            "noBreakHyphen" => self.push("\u{2011}"),
            "sym" => self.push(symbol(tag).encode_utf8(&mut [0; 4])),
            "hyperlink" if !tag.self_closing() => {
                let target = attribute(tag, "id").and_then(|id| self.links.get(&*id));
                self.open_links
                    .push(target.map(|target| MarkKind::Link((&**target).into())));
            }
            "oMathPara" => self.is_display = true,
            "oMath" if !tag.self_closing() => self.formula = Some(TexBuilder::new()),
            "footnoteReference" | "endnoteReference" => self.refer(tag),
            "footnote" | "endnote" if !tag.self_closing() => self.open_note(tag),
            "drawing" | "pict" => self.has_picture = true,
            "altChunk" => self.refers_to_part = true,
            _ => self.open_table_part(tag),
        }
    }

    /// Reads a property of a paragraph or run. Returns whether it is one.
    fn open_property(&mut self, tag: &Tag<'_>) -> bool {
        let value = || attribute(tag, "val").unwrap_or_default();
        let name = tag.local_name();
        if self.run.in_properties {
            let is_on = !matches!(&*value(), "0" | "false" | "none" | "off");
            let mark = match name {
                "b" => MarkKind::Strong,
                "i" => MarkKind::Emphasis,
                "strike" | "dstrike" => MarkKind::Deleted,
                "vertAlign" => match &*value() {
                    "superscript" => MarkKind::Superscript,
                    "subscript" => MarkKind::Subscript,
                    _ => return true,
                },
                "rStyle" if self.styles.is_code(&value()) => MarkKind::Code,
                _ => return true,
            };
            if is_on && !self.run.marks.contains(&mark) {
                self.run.marks.push(mark);
            }
            return true;
        }
        let Some(paragraph) = self.paragraphs.last_mut().filter(|p| p.in_properties) else {
            return false;
        };
        match name {
            "pStyle" => paragraph.style = value().into_owned(),
            "outlineLvl" => paragraph.outline = value().parse().ok(),
            "numId" => paragraph.list = Some(value().into_owned()),
            "ilvl" => paragraph.level = value().parse().ok(),
            // These are the properties of the paragraph mark.
            "rPr" => self.run.in_properties = !tag.self_closing(),
            _ => {}
        }
        true
    }

    fn open_table_part(&mut self, tag: &Tag<'_>) {
        match tag.local_name() {
            "tbl" if !tag.self_closing() => {
                self.start_cell();
                self.lists.clear();
                self.builder.open_table(0, 0);
                self.tables.push(Table::default());
            }
            "tr" if !tag.self_closing() => {
                self.builder.open_row();
                if let Some(table) = self.tables.last_mut() {
                    table.grid.open_row();
                    table.is_header = false;
                }
            }
            "tblHeader" => {
                let is_on = !attribute(tag, "val").is_some_and(|v| matches!(&*v, "0" | "false"));
                if let Some(table) = self.tables.last_mut() {
                    table.is_header = is_on;
                }
            }
            "tc" => {
                self.start_cell();
                if let Some(table) = self.tables.last_mut() {
                    table.cell = Some((1, false));
                }
            }
            "gridSpan" | "vMerge" => {
                let value = attribute(tag, "val").unwrap_or_default();
                let open = self.tables.last_mut().and_then(|table| table.cell.as_mut());
                if let Some((columns, continues)) = open {
                    match tag.local_name() {
                        "gridSpan" => *columns = value.parse().unwrap_or(1),
                        _ => *continues = value != "restart",
                    }
                }
            }
            _ => {}
        }
    }

    /// Starts the cell whose properties were read.
    fn start_cell(&mut self) {
        let Some(table) = self.tables.last_mut() else {
            return;
        };
        let Some((columns, continues)) = table.cell.take() else {
            return;
        };
        let above = if continues {
            table.grid.continue_cell(columns)
        } else {
            None
        };
        match above {
            Some((row, cell)) => self.builder.extend_cell(row, cell),
            None if continues => {}
            None => {
                table.grid.open_cell(columns);
                self.builder.open_cell(columns, 1, table.is_header);
            }
        }
    }

    fn close(&mut self, tag: &Tag<'_>) {
        self.is_text = false;
        let name = tag.local_name();
        if let Some(formula) = &mut self.formula {
            if name != "oMath" {
                return formula.close();
            }
            let tex = self
                .formula
                .take()
                .map(TexBuilder::finish)
                .unwrap_or_default();
            if self.paragraphs.is_empty() {
                self.open_paragraph();
            }
            if let Some(paragraph) = self.paragraphs.last_mut() {
                paragraph.runs.push_formula(&tex, self.is_display);
            }
            return;
        }
        match name {
            "p" => self.close_paragraph(),
            "pPr" => self.in_paragraph_properties(false),
            "rPr" => self.run.in_properties = false,
            "r" => self.run = Run::default(),
            "hyperlink" => drop(self.open_links.pop()),
            "oMathPara" => self.is_display = false,
            "tc" => self.start_cell(),
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.had_text_rows |= !table.is_header;
                    if !table.had_text_rows {
                        self.builder.end_header();
                    }
                }
            }
            "tbl" => {
                self.tables.pop();
                self.builder.close_table(Purpose::Unknown);
            }
            "footnote" | "endnote" => self.close_note(),
            _ => {}
        }
    }

    fn in_paragraph_properties(&mut self, is_inside: bool) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.in_properties = is_inside;
        }
        self.run.in_properties = false;
    }

    fn open_paragraph(&mut self) {
        self.run = Run::default();
        self.paragraphs.push(Paragraph::default());
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else {
            return;
        };
        let role = paragraph.outline.and_then(heading);
        let role = role.unwrap_or_else(|| self.styles.role(&paragraph.style));
        let formula = paragraph.runs.display_formula().map(str::to_owned);
        if let Some(tex) = formula {
            let level = self.lists.last().map_or(0, |(level, _)| level + 1);
            let block = Block::new(Kind::Formula, corpus_blocks::Text::plain(tex));
            return self.builder.push(Block {
                level: u16::try_from(level).unwrap_or_default(),
                ..block
            });
        }
        let place = self.list_of(&paragraph);
        let text = match role {
            StyleRole::Code => paragraph.runs.finish_code(),
            _ => paragraph.runs.finish(),
        };
        if role == StyleRole::Code {
            let level = self.lists.last().map_or(0, |(level, _)| level + 1);
            let block = Block::new(Kind::Code { language: None }, text);
            return push_code(
                &mut self.builder,
                Block {
                    level: u16::try_from(level).unwrap_or_default(),
                    ..block
                },
            );
        }
        if text.is_empty() {
            return;
        }
        let (kind, level) = match (role, place) {
            (StyleRole::Heading(level), _) => {
                self.lists.clear();
                (Kind::Heading(level), 0)
            }
            (StyleRole::Caption | StyleRole::FigureCaption, None) => (Kind::Figure(None), 0),
            (_, Some((list, level))) => self.item(&list, level),
            (_, None) => {
                self.lists.clear();
                (Kind::Paragraph, 0)
            }
        };
        let may_be_of_table = role == StyleRole::Caption && !self.has_picture;
        self.has_picture = false;
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

    /// The list that a paragraph belongs to, and the level in it.
    fn list_of(&self, paragraph: &Paragraph) -> Option<(String, usize)> {
        let of_style = || self.styles.numbering(&paragraph.style);
        let (list, level) = match (&paragraph.list, paragraph.level) {
            (Some(list), level) => (list.clone(), level.unwrap_or_default()),
            (None, Some(level)) => (of_style()?.0, level),
            (None, None) => of_style()?,
        };
        (list != "0" && level < MAX_LEVELS).then_some((list, level))
    }

    /// The kind and level of a paragraph of a list.
    fn item(&mut self, list: &str, level: usize) -> (Kind, u16) {
        let depth = u16::try_from(level + 1).unwrap_or_default();
        let found = self.numbering.level(list, level);
        if found.as_ref().is_some_and(|level| level.is_blank()) {
            self.lists.retain(|(other, _)| *other <= level);
            return (Kind::Paragraph, depth);
        }
        self.lists
            .retain(|(other, name)| *other < level || (*other == level && name == list));
        let is_first = self.lists.last().is_none_or(|(other, _)| *other != level);
        if is_first {
            self.lists.push((level, list.to_owned()));
        }
        let counters = self.counters.entry(list.to_owned()).or_default();
        // An item restarts the numbers of the levels below it.
        counters
            .iter_mut()
            .skip(level + 1)
            .for_each(|counter| *counter = None);
        let start = found.as_ref().map_or(1, |level| level.start);
        let number = match counters.get_mut(level) {
            Some(counter) => {
                let number = counter.map_or(start, |last| last.saturating_add(1));
                *counter = Some(number);
                number
            }
            None => start,
        };
        let has_number = found.is_some_and(|level| level.has_number());
        let item = Item {
            number: has_number.then_some(number),
            is_first,
        };
        (Kind::Item(item), depth)
    }

    fn refer(&mut self, tag: &Tag<'_>) {
        let Some(id) = attribute(tag, "id") else {
            return;
        };
        let is_end = tag.local_name() == "endnoteReference";
        let next = (self.labels.len() + 1).to_string();
        let label = self
            .labels
            .entry((is_end, id.into_owned()))
            .or_insert(next)
            .clone();
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.runs.push_note(&label);
        }
    }

    fn open_note(&mut self, tag: &Tag<'_>) {
        let id = attribute(tag, "id").unwrap_or_default().into_owned();
        let key = (tag.local_name() == "endnote", id);
        let next = || format!("note-{}", key.1);
        let label = self.labels.get(&key).cloned().unwrap_or_else(next);
        self.lists.clear();
        self.note = Some((label, std::mem::take(&mut self.builder)));
    }

    fn close_note(&mut self) {
        while !self.paragraphs.is_empty() {
            self.close_paragraph();
        }
        if let Some((label, outer)) = self.note.take() {
            let blocks = std::mem::replace(&mut self.builder, outer).finish();
            let block = footnote(&label, blocks);
            if !block.text.is_empty() {
                self.footnotes.push(block);
            }
        }
    }
}

/// The addresses of links by their identifiers.
fn targets(xml: &str) -> HashMap<String, String> {
    let tags = Tokenizer::new(xml, Syntax::Xml).filter_map(|token| match token {
        Token::Start(tag) if tag.local_name() == "Relationship" => Some(tag),
        _ => None,
    });
    let is_external = |tag: &Tag<'_>| {
        attribute(tag, "TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"))
    };
    let target = |tag: Tag<'_>| {
        let id = attribute(&tag, "Id")?.into_owned();
        Some((id, attribute(&tag, "Target")?.into_owned()))
    };
    tags.filter(is_external).filter_map(target).collect()
}

/// The character of a `<w:sym>`. Characters of symbol fonts are in the private use area, and mean
/// nothing without the font.
fn symbol(tag: &Tag<'_>) -> char {
    let code = attribute(tag, "char");
    let code = code.and_then(|code| u32::from_str_radix(code.trim(), 16).ok());
    code.and_then(char::from_u32).unwrap_or('\u{FFFD}')
}

/// Replaces line breaks of the XML, which are not line breaks of the text.
fn one_line(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        text.replace(['\n', '\r'], " ").into()
    } else {
        text.into()
    }
}
