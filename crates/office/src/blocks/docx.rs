//! The blocks of a DOCX document.

use std::collections::HashMap;

use corpus_blocks::builder::{Purpose, footnote};
use corpus_blocks::tex::TexBuilder;
use corpus_blocks::{Block, Builder, Item, Kind, MarkKind, Text};
use corpus_markup::references::{self, Context};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};
use memchr::memchr2;

use super::docx_styles::{MAX_LEVELS, Numbering, Styles, heading, is_on};
use super::fields::Fields;
use super::runs::Runs;
use super::symbols::SymbolFont;
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
/// drawings, phonetic readings.
const SKIPPED: &[&str] = &[
    "del",
    "moveFrom",
    "Fallback",
    "delInstrText",
    "rt",
    "delText",
];

/// The names of the parts that [`read`] needs.
pub fn parts(main: &str) -> Vec<String> {
    let parts = [main, STYLES, NUMBERING].map(str::to_owned).into_iter();
    parts.chain(note_parts()).chain([links_of(main)]).collect()
}

fn note_parts() -> impl Iterator<Item = String> {
    NOTES.iter().map(|notes| format!("word/{notes}.xml"))
}

/// The name of the relationships part, which has the link addresses of the main part.
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
    let part = |name: &str| members.get(name).map(decode).unwrap_or_default();
    let styles = part(STYLES);
    let mut reader = Reader {
        styles: Styles::new(&styles),
        numbering: Numbering::new(&part(NUMBERING)),
        links: targets(&part(&links_of(main))),
        ..Reader::default()
    };
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

#[derive(Default)]
struct Reader<'x> {
    styles: Styles<'x>,
    numbering: Numbering,
    links: HashMap<String, String>,
    builder: Builder,
    /// The open paragraphs. A text box is inside a paragraph and contains others.
    paragraphs: Vec<Paragraph>,
    run: Run,
    /// The addresses of the open links.
    open_links: Vec<Option<MarkKind>>,
    fields: Fields,
    /// The number of open text boxes, and the outermost one.
    text_boxes: usize,
    text_box: Option<TextBox>,
    formula: Option<TexBuilder>,
    is_display: bool,
    tables: Vec<Table>,
    /// For each list, the numbers of the last items of its levels.
    counters: HashMap<String, [Option<i64>; MAX_LEVELS]>,
    /// The level and identifier of each open list.
    lists: Vec<(usize, String)>,
    /// The labels of notes by their kind and identifier.
    labels: HashMap<(bool, String), String>,
    note: Option<(String, Builder)>,
    footnotes: Vec<Block>,
    is_text: bool,
    /// Whether the next text is the code of a field.
    is_code: bool,
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
    /// Whether its text is hidden, if its style declares that.
    is_hidden: Option<bool>,
    /// The blocks of its text boxes.
    boxed: Vec<Block>,
}

#[derive(Debug, Default)]
struct Run {
    marks: Vec<MarkKind>,
    in_properties: bool,
    /// Whether its text is hidden, as it or its style declares.
    is_hidden: Option<bool>,
    is_style_hidden: Option<bool>,
    font: Option<SymbolFont>,
    /// The baseline shift and the font size, in half points.
    position: i32,
    size: Option<u32>,
}

/// A text box inside a paragraph, which it follows.
#[derive(Debug)]
struct TextBox {
    /// The index of its first block.
    start: usize,
    /// The lists around it.
    lists: Vec<(usize, String)>,
}

#[derive(Debug, Default)]
struct Table {
    grid: Grid,
    /// The span and merge state of the next cell, until its properties have been read.
    cell: Option<(u16, bool)>,
    /// The number of columns missing at the end of the open row.
    columns_after: u16,
    is_header: bool,
    had_text_rows: bool,
}

impl Reader<'_> {
    fn read(&mut self, xml: &str) {
        // Also skip the previous properties of changed paragraphs and runs.
        let skipped = [SKIPPED, &["pPrChange", "rPrChange"]].concat();
        for token in tokens_outside(xml, |tag| skipped.contains(&tag.local_name())) {
            match token {
                Token::Start(tag) => self.open(&tag),
                Token::End(tag) => self.close(&tag),
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

    fn text(&mut self, text: &str) {
        if let Some(formula) = &mut self.formula {
            formula.text(text);
        } else if self.is_code {
            self.fields.code(text);
        } else if let Some(font) = self.run.font.filter(|_| self.is_text) {
            let text: String = text.chars().map(|c| font.private(c)).collect();
            self.push(&one_line(&text));
        } else if self.is_text {
            self.push(&one_line(text));
        }
    }

    /// Whether the run is hidden, by itself, by its style, or by the style of the paragraph.
    fn is_hidden(&self) -> bool {
        let of_paragraph = || self.paragraphs.last()?.is_hidden;
        let of_run = self.run.is_hidden.or(self.run.is_style_hidden);
        of_run.or_else(of_paragraph).unwrap_or_default()
    }

    fn push(&mut self, text: &str) {
        if self.is_hidden() {
            return;
        }
        if self.paragraphs.is_empty() {
            self.open_paragraph();
        }
        let link = self.open_links.last().and_then(Option::as_ref);
        let link = link.or_else(|| self.fields.link()).cloned();
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
        self.is_code = name == "instrText" && !tag.self_closing();
        if self.open_property(tag, name) {
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
            "sym" => self.push(symbol_of(tag).encode_utf8(&mut [0; 4])),
            "fldChar" => {
                let kind = attribute(tag, "fldCharType");
                self.fields.character(&kind.unwrap_or_default());
            }
            "fldSimple" if !tag.self_closing() => {
                self.fields
                    .open(&attribute(tag, "instr").unwrap_or_default());
            }
            "txbxContent" if !tag.self_closing() => self.open_text_box(),
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
            _ => self.open_table_part(tag, name),
        }
    }

    /// Reads a property of a paragraph or run. Returns whether it is one.
    fn open_property(&mut self, tag: &Tag<'_>, name: &str) -> bool {
        let value = || attribute(tag, "val").unwrap_or_default();
        if self.run.in_properties {
            let is_on = is_on(&value());
            let mark = match name {
                "b" => MarkKind::Strong,
                "i" => MarkKind::Emphasis,
                "strike" | "dstrike" => MarkKind::Deleted,
                "vertAlign" => match &*value() {
                    "superscript" => MarkKind::Superscript,
                    "subscript" => MarkKind::Subscript,
                    _ => return true,
                },
                "rStyle" => {
                    let style = value();
                    self.run.is_style_hidden = self.styles.sheet.is_hidden(&style);
                    if !self.styles.sheet.is_code(&style) {
                        return true;
                    }
                    MarkKind::Code
                }
                "rFonts" => {
                    let name = attribute(tag, "ascii");
                    self.run.font = name.and_then(|name| SymbolFont::named(&name));
                    return true;
                }
                "position" => {
                    self.run.position = value().parse().unwrap_or_default();
                    return true;
                }
                "sz" => {
                    self.run.size = value().parse().ok();
                    return true;
                }
                "vanish" => {
                    self.run.is_hidden = Some(is_on);
                    return true;
                }
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
            "pStyle" => {
                paragraph.style = value().into_owned();
                paragraph.is_hidden = self.styles.sheet.is_hidden(&paragraph.style);
            }
            "outlineLvl" => paragraph.outline = value().parse().ok(),
            "numId" => paragraph.list = Some(value().into_owned()),
            "ilvl" => paragraph.level = value().parse().ok(),
            // These are the properties of the paragraph mark.
            "rPr" => self.run.in_properties = !tag.self_closing(),
            _ => {}
        }
        true
    }

    fn open_table_part(&mut self, tag: &Tag<'_>, name: &str) {
        match name {
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
                    table.columns_after = 0;
                }
            }
            "tblHeader" => {
                let is_on = !attribute(tag, "val").is_some_and(|v| matches!(&*v, "0" | "false"));
                if let Some(table) = self.tables.last_mut() {
                    table.is_header = is_on;
                }
            }
            "gridBefore" => self.skip_columns(count(tag)),
            "gridAfter" => {
                if let Some(table) = self.tables.last_mut() {
                    table.columns_after = count(tag);
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
                    match name {
                        "gridSpan" => *columns = value.parse().unwrap_or(1),
                        _ => *continues = value != "restart",
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds an empty cell for columns missing in the open row.
    fn skip_columns(&mut self, columns: u16) {
        if let Some(table) = self.tables.last_mut().filter(|_| columns > 0) {
            table.grid.open_cell(columns);
            self.builder.open_cell(columns, 1, false);
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
        self.is_code = false;
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
            "rPr" => self.end_run_properties(),
            "fldSimple" => self.fields.character("end"),
            "txbxContent" => self.close_text_box(),
            "r" => self.run = Run::default(),
            "hyperlink" => drop(self.open_links.pop()),
            "oMathPara" => self.is_display = false,
            "tc" => self.start_cell(),
            "tr" => {
                let columns = self.tables.last().map_or(0, |table| table.columns_after);
                self.skip_columns(columns);
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

    /// Treats characters that are raised or lowered and smaller than the rest as a script.
    fn end_run_properties(&mut self) {
        self.run.in_properties = false;
        let mark = match self.run.position.signum() {
            1 => MarkKind::Superscript,
            -1 => MarkKind::Subscript,
            _ => return,
        };
        let style = self.paragraphs.last().map(|paragraph| &*paragraph.style);
        let size = self.styles.size(style.unwrap_or_default());
        let is_smaller = self.run.size.is_some_and(|own| own < size);
        if is_smaller && !self.run.marks.contains(&mark) {
            self.run.marks.push(mark);
        }
    }

    fn open_text_box(&mut self) {
        self.text_boxes += 1;
        if self.text_boxes == 1 && !self.paragraphs.is_empty() {
            self.text_box = Some(TextBox {
                start: self.builder.block_count(),
                lists: std::mem::take(&mut self.lists),
            });
        }
    }

    fn close_text_box(&mut self) {
        self.text_boxes = self.text_boxes.saturating_sub(1);
        if self.text_boxes == 0
            && let Some(text_box) = self.text_box.take()
        {
            self.lists = text_box.lists;
            if let Some(paragraph) = self.paragraphs.last_mut() {
                let mut blocks = self.builder.take_from(text_box.start);
                paragraph.boxed.append(&mut blocks);
            }
        }
    }

    fn close_paragraph(&mut self) {
        let Some(mut paragraph) = self.paragraphs.pop() else {
            return;
        };
        if self.paragraphs.is_empty() {
            self.fields.end_links();
        }
        let boxed = std::mem::take(&mut paragraph.boxed);
        self.add_paragraph(paragraph);
        boxed.into_iter().for_each(|block| self.builder.push(block));
    }

    fn add_paragraph(&mut self, paragraph: Paragraph) {
        let role = paragraph.outline.and_then(heading);
        let role = role.unwrap_or_else(|| self.styles.sheet.role(&paragraph.style));
        let formula = paragraph.runs.only_formula("$$").map(str::to_owned);
        // A note is a single text, in which formulas keep their delimiters.
        if let Some(tex) = formula.filter(|_| self.note.is_none()) {
            let level = self.lists.last().map_or(0, |(level, _)| level + 1);
            let block = Block::new(Kind::Formula, Text::plain(tex));
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
        let mut text = text;
        let (kind, level) = match (role, place) {
            (StyleRole::Heading(level), place) => {
                self.lists.clear();
                let label = place.and_then(|(list, level)| self.label(&list, level));
                if let Some(label) = label {
                    text = text.after_label(&label);
                }
                (Kind::Heading(level), 0)
            }
            (StyleRole::Caption | StyleRole::FigureCaption, None) => (Kind::Figure(None), 0),
            (_, Some((list, level))) => {
                let (kind, depth, label) = self.item(&list, level);
                if let Some(label) = label {
                    text = text.after_label(&label);
                }
                (kind, depth)
            }
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

    /// The kind and level of a paragraph of a list, and its label if that is a part of the text.
    fn item(&mut self, list: &str, level: usize) -> (Kind, u16, Option<String>) {
        let depth = u16::try_from(level + 1).unwrap_or_default();
        let found = self.numbering.level(list, level);
        if found.as_ref().is_some_and(|level| level.is_blank()) {
            self.lists.retain(|(other, _)| *other <= level);
            return (Kind::Paragraph, depth, None);
        }
        self.lists
            .retain(|(other, name)| *other < level || (*other == level && name == list));
        let is_first = self.lists.last().is_none_or(|(other, _)| *other != level);
        if is_first {
            self.lists.push((level, list.to_owned()));
        }
        let start = found.as_ref().map_or(1, |level| level.start);
        let number = self.advance(list, level, start);
        let numbered = found.filter(|level| level.has_number());
        let has_number = numbered.is_some();
        let shown = numbered.filter(|level| !level.is_plain());
        let label = shown.zip(self.counters.get(list));
        let label = label.map(|(level, counters)| self.numbering.label(list, &level, counters));
        let item = Item {
            number: (has_number && label.is_none()).then_some(number),
            is_first,
        };
        (Kind::Item(item), depth, label)
    }

    /// The number of a heading as it is shown, such as `Article 1` or `1.1`.
    fn label(&mut self, list: &str, level: usize) -> Option<String> {
        let found = self.numbering.level(list, level)?;
        if !found.has_number() || found.is_blank() {
            return None;
        }
        self.advance(list, level, found.start);
        let counters = self.counters.get(list)?;
        Some(self.numbering.label(list, &found, counters))
    }

    /// Advances the number of a level of a list.
    fn advance(&mut self, list: &str, level: usize, start: i64) -> i64 {
        let counters = self.counters.entry(list.to_owned()).or_default();
        // An item restarts the numbers of the levels below it.
        counters
            .iter_mut()
            .skip(level + 1)
            .for_each(|counter| *counter = None);
        match counters.get_mut(level) {
            Some(counter) => {
                let number = counter.map_or(start, |last| last.saturating_add(1));
                *counter = Some(number);
                number
            }
            None => start,
        }
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

/// The character of a `<w:sym>`.
fn symbol_of(tag: &Tag<'_>) -> char {
    let code = attribute(tag, "char");
    let code = code.and_then(|code| u32::from_str_radix(code.trim(), 16).ok());
    let character = code.and_then(char::from_u32).unwrap_or('\u{FFFD}');
    let font = attribute(tag, "font").and_then(|name| SymbolFont::named(&name));
    font.map_or(character, |font| font.meaning(character))
}

/// The value of a property that is a number.
fn count(tag: &Tag<'_>) -> u16 {
    let value = attribute(tag, "val");
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or_default()
}

/// Replaces line breaks in the XML source, which are not line breaks of the text.
fn one_line(text: &str) -> std::borrow::Cow<'_, str> {
    if memchr2(b'\n', b'\r', text.as_bytes()).is_some() {
        text.replace(['\n', '\r'], " ").into()
    } else {
        text.into()
    }
}
