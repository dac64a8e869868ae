//! The styles and lists of a DOCX document.

use std::collections::HashMap;

use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::StyleRole;
use super::numbers::{MAX_AFFIX_BYTES, shown};
use super::styles::{self, StyleSheet};
use crate::metadata::{attribute, attributes};
use crate::tokens::elements;

/// The styles by their identifiers.
#[derive(Debug, Default)]
pub struct Styles<'x> {
    pub sheet: StyleSheet<'x, Style>,
    /// The size of characters without a style, in half points.
    size: Option<u32>,
    /// The style of paragraphs that name none.
    default: String,
}

/// A style of paragraphs or characters.
#[derive(Debug, Default)]
pub struct Style {
    name: String,
    base: Option<String>,
    /// The outline level, from 0.
    outline: Option<u8>,
    numbering: Option<String>,
    level: Option<usize>,
    size: Option<u32>,
    is_hidden: Option<bool>,
}

/// The size of characters if a document declares none, in half points.
const DEFAULT_SIZE_HALF_POINTS: u32 = 20;

impl<'x> Styles<'x> {
    pub fn new(xml: &'x str) -> Self {
        let mut found = Self::default();
        elements(xml, &["style", "docDefaults"], "body", |tag, element| {
            if tag.local_name() == "docDefaults" {
                found.size = <Style as styles::Style>::parse(element).size;
                return;
            }
            let [id, kind, default] = attributes(tag, ["styleId", "type", "default"]);
            let id = id.unwrap_or_default().into_owned();
            let is_default = default.is_some_and(|value| matches!(&*value, "1" | "true"));
            if is_default && kind.is_some_and(|kind| kind == "paragraph") {
                found.default.clone_from(&id);
            }
            found.sheet.insert(id, element);
        });
        found
    }

    /// The size of characters in paragraphs with a style, in half points.
    pub fn size(&self, id: &str) -> u32 {
        let id = if id.is_empty() { &self.default } else { id };
        let size = self.sheet.chain(id).find_map(|(_, style)| style.size);
        size.or(self.size).unwrap_or(DEFAULT_SIZE_HALF_POINTS)
    }

    /// The list of paragraphs with a style, and the level in it.
    pub fn numbering(&self, id: &str) -> Option<(String, usize)> {
        self.sheet.chain(id).find_map(|(_, style)| {
            let list = style.numbering.clone()?;
            Some((list, style.level.unwrap_or_default()))
        })
    }
}

impl styles::Style for Style {
    fn parse(element: &str) -> Self {
        let mut style = Self::default();
        for token in Tokenizer::new(element, Syntax::Xml) {
            if let Token::Start(tag) = token {
                style.read(&tag);
            }
        }
        style
    }

    fn shown_name<'s>(&'s self, _: &'s str) -> &'s str {
        &self.name
    }

    fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    fn other_role(&self) -> Option<StyleRole> {
        heading(self.outline?)
    }

    fn is_hidden(&self) -> Option<bool> {
        self.is_hidden
    }
}

impl Style {
    fn read(&mut self, tag: &Tag<'_>) {
        let value = || attribute(tag, "val").unwrap_or_default();
        match tag.local_name() {
            "name" => self.name = value().into_owned(),
            "basedOn" => self.base = Some(value().into_owned()),
            "outlineLvl" => self.outline = value().parse().ok(),
            "sz" => self.size = size(tag),
            "numId" => self.numbering = Some(value().into_owned()),
            "ilvl" => self.level = value().parse().ok(),
            "vanish" => self.is_hidden = Some(is_on(&value())),
            _ => {}
        }
    }
}

/// Whether a property with this value is on. It is on without a value.
pub fn is_on(value: &str) -> bool {
    !matches!(value, "0" | "false" | "none" | "off")
}

/// The value of a `<w:sz>`.
fn size(tag: &Tag<'_>) -> Option<u32> {
    attribute(tag, "val").and_then(|size| size.parse().ok())
}

/// The heading of an outline level. Level 9 is text.
pub fn heading(outline: u8) -> Option<StyleRole> {
    (outline < 9).then(|| StyleRole::Heading(outline.min(5) + 1))
}

/// The lists by their identifiers.
#[derive(Debug, Default)]
pub struct Numbering {
    definitions: HashMap<String, Levels>,
    lists: HashMap<String, List>,
    /// The list styles that definitions refer to, by definition, ...
    linked: HashMap<String, String>,
    /// ... and the definitions of these styles.
    of_styles: HashMap<String, String>,
}

type Levels = HashMap<usize, Level>;

/// A list that uses a definition.
#[derive(Debug, Default)]
struct List {
    definition: String,
    /// The levels that the list overrides.
    levels: Levels,
    /// The start numbers of levels.
    starts: HashMap<usize, i64>,
}

/// A level of a list.
#[derive(Debug, Clone, Default)]
pub struct Level {
    format: String,
    text: Option<String>,
    /// Whether all numbers in its label are written in digits.
    is_legal: bool,
    pub start: i64,
}

impl Level {
    /// Whether its items have a number.
    pub fn has_number(&self) -> bool {
        !matches!(&*self.format, "bullet" | "none")
    }

    /// Whether Markdown has an equal marker: a number in digits without other text. Others, such as
    /// `(a)` and `1.1`, are a part of the text, because other places refer to them.
    pub fn is_plain(&self) -> bool {
        let text = self.text.as_deref().unwrap_or_default().trim();
        let core = text.trim_end_matches(['.', ')']);
        let is_number = core.len() == 2 && core.starts_with('%') && text.len() <= 3;
        (is_number || !text.contains('%'))
            && !matches!(format_of(&self.format), "a" | "A" | "i" | "I")
    }

    /// Whether its items have neither number nor bullet, so that they continue the item above.
    pub fn is_blank(&self) -> bool {
        self.format == "none"
            || self
                .text
                .as_deref()
                .is_some_and(|text| text.trim().is_empty())
    }
}

impl Numbering {
    pub fn new(xml: &str) -> Self {
        let mut numbering = Self::default();
        let (mut definition, mut list, mut level) = (String::new(), None, 0);
        for token in Tokenizer::new(xml, Syntax::Xml) {
            let Token::Start(tag) = token else {
                continue;
            };
            let value = |name| attribute(&tag, name).unwrap_or_default();
            match tag.local_name() {
                "abstractNum" => {
                    definition = value("abstractNumId").into_owned();
                    list = None;
                }
                "numStyleLink" => {
                    let style = value("val").into_owned();
                    numbering.linked.insert(definition.clone(), style);
                }
                "styleLink" => {
                    let style = value("val").into_owned();
                    numbering.of_styles.insert(style, definition.clone());
                }
                "num" => list = Some(numbering.lists.entry(value("numId").into()).or_default()),
                "abstractNumId" => {
                    if let Some(list) = &mut list {
                        list.definition = value("val").into_owned();
                    }
                }
                "lvl" | "lvlOverride" => level = value("ilvl").parse().unwrap_or(0_usize),
                "startOverride" => {
                    if let (Some(list), Ok(start)) = (&mut list, value("val").parse()) {
                        list.starts.insert(level, start);
                    }
                }
                name @ ("start" | "numFmt" | "lvlText" | "isLgl") if level < MAX_LEVELS => {
                    let levels = match &mut list {
                        Some(list) => &mut list.levels,
                        None => numbering.definitions.entry(definition.clone()).or_default(),
                    };
                    let level = levels.entry(level).or_insert_with(|| Level {
                        start: 1,
                        ..Level::default()
                    });
                    let value = value("val");
                    match name {
                        "start" => level.start = value.parse().unwrap_or(1),
                        "numFmt" => level.format = value.into_owned(),
                        "isLgl" => level.is_legal = !matches!(&*value, "0" | "false"),
                        _ if value.len() <= MAX_AFFIX_BYTES => {
                            level.text = Some(value.into_owned())
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        numbering
    }

    /// The label of an item: the numbers with the text around them, such as `Article 1` or `1.1`.
    pub fn label(&self, list: &str, level: &Level, counters: &[Option<i64>; MAX_LEVELS]) -> String {
        let mut label = String::new();
        let mut rest = level.text.as_deref().unwrap_or_default();
        while let Some((before, after)) = rest.split_once('%') {
            label.push_str(before);
            let other = after.chars().next().and_then(|digit| digit.to_digit(10));
            let other = other.and_then(|digit| usize::try_from(digit).ok()?.checked_sub(1));
            let Some((index, number)) = other.and_then(|o| Some((o, counters.get(o)?))) else {
                label.push('%');
                rest = after;
                continue;
            };
            let found = self.level(list, index);
            let start = found.as_ref().map_or(1, |found| found.start);
            let format = found.filter(|_| !level.is_legal);
            let format = format.map_or("1", |found| format_of(&found.format));
            label.push_str(&shown(number.unwrap_or(start), format));
            rest = after.get(1..).unwrap_or_default();
        }
        label.push_str(rest);
        label.trim().to_owned()
    }

    /// A level of a list.
    pub fn level(&self, list: &str, level: usize) -> Option<Level> {
        let list = self.lists.get(list)?;
        let of_definition = |definition| self.definitions.get(definition)?.get(&level);
        let of_style = || of_definition(self.of_styles.get(self.linked.get(&list.definition)?)?);
        let own = || of_definition(&list.definition).or_else(of_style);
        let mut found = list.levels.get(&level).or_else(own)?.clone();
        if let Some(start) = list.starts.get(&level) {
            found.start = *start;
        }
        Some(found)
    }
}

/// The format of OpenDocument for a format of Word.
fn format_of(name: &str) -> &'static str {
    match name {
        "decimalZero" => "01",
        "lowerLetter" => "a",
        "upperLetter" => "A",
        "lowerRoman" => "i",
        "upperRoman" => "I",
        _ => "1",
    }
}

/// Lists have nine levels.
pub const MAX_LEVELS: usize = 9;
