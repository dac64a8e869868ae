//! The styles and lists of an OpenDocument text.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use corpus_blocks::MarkKind;
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::StyleRole;
use super::numbers::MAX_AFFIX_BYTES;
use super::styles::{self, StyleSheet};
use crate::metadata::{attribute, attributes};
use crate::tokens::elements;

/// The name under which the numbering of headings is stored. Names of styles have no spaces.
pub const OUTLINE: &str = "the outline";
/// Lists and the outline have ten levels.
pub const MAX_LEVELS: usize = 10;
/// The styles by their names.
#[derive(Debug, Default)]
pub struct Styles<'x> {
    pub sheet: StyleSheet<'x, Style>,
    /// The markup of the styles of lists by their names, and their levels, parsed on first use.
    levels: HashMap<String, (&'x str, OnceCell<Levels>)>,
    /// A cache of the marks of styles.
    marks: HashMap<String, Vec<MarkKind>>,
}

type Levels = HashMap<usize, Level>;

/// A level of a list or of the outline.
#[derive(Debug, Clone, Default)]
pub struct Level {
    /// The format of its numbers; empty for bullets.
    pub format: String,
    /// The texts before and after the number.
    pub prefix: String,
    pub suffix: String,
    /// The first number.
    pub start: i64,
    /// The number of levels whose numbers are shown.
    pub shown: usize,
    /// Whether its items have neither number nor bullet, so that they continue the item above.
    pub is_blank: bool,
}

impl Level {
    fn new(tag: &Tag<'_>) -> Self {
        let names = [
            "num-format",
            "bullet-char",
            "num-prefix",
            "num-suffix",
            "start-value",
            "display-levels",
        ];
        let [format, bullet, prefix, suffix, start, shown] = attributes(tag, names);
        let text = |value: Option<Cow<'_, str>>| value.map(Cow::into_owned).unwrap_or_default();
        let is_short = |value: &Cow<'_, str>| value.len() <= MAX_AFFIX_BYTES;
        let format = text(format);
        let has_bullet = bullet.is_some_and(|bullet| !bullet.trim().is_empty());
        let is_number = tag.local_name() != "list-level-style-bullet";
        let is_picture = tag.local_name() == "list-level-style-image";
        Self {
            is_blank: format.is_empty() && !has_bullet && !is_picture,
            format: if is_number { format } else { String::new() },
            prefix: text(prefix.filter(is_short)),
            suffix: text(suffix.filter(is_short)),
            start: start.and_then(|start| start.parse().ok()).unwrap_or(1),
            shown: shown.and_then(|shown| shown.parse().ok()).unwrap_or(1),
        }
    }

    /// Whether Markdown has an equal marker: a number in digits without other text. Others, such as
    /// `(a)` and `1.1`, are a part of the text, because other places refer to them.
    pub fn is_plain(&self) -> bool {
        !matches!(&*self.format, "a" | "A" | "i" | "I")
            && self.prefix.trim().is_empty()
            && matches!(self.suffix.trim(), "" | "." | ")")
            && self.shown <= 1
    }

    /// The number of the first item, if the items have one.
    pub fn first_number(&self) -> Option<i64> {
        (!self.format.is_empty()).then_some(self.start)
    }
}

/// A style of paragraphs or characters.
#[derive(Debug, Default)]
pub struct Style {
    display_name: Option<String>,
    parent: Option<String>,
    marks: Vec<MarkKind>,
    is_hidden: Option<bool>,
}

impl<'x> Styles<'x> {
    /// Adds the styles of a part.
    pub fn read(&mut self, xml: &'x str) {
        let names = ["style", "list-style", "outline-style"];
        // The text follows the styles.
        elements(xml, &names, "body", |tag, element| {
            let name = attribute(tag, "name").unwrap_or_default().into_owned();
            match tag.local_name() {
                "style" => self.sheet.insert(name, element),
                "list-style" => drop(self.levels.insert(name, (element, OnceCell::new()))),
                _ => {
                    let outline = (element, OnceCell::new());
                    self.levels.insert(OUTLINE.to_owned(), outline);
                }
            }
        });
    }

    fn levels(&self, list: &str) -> Option<&Levels> {
        let (element, levels) = self.levels.get(list)?;
        Some(levels.get_or_init(|| levels_of(element)))
    }

    /// The marks of characters with a style.
    pub fn marks(&mut self, name: &str) -> Vec<MarkKind> {
        if let Some(marks) = self.marks.get(name) {
            return marks.clone();
        }
        let marks = self.find_marks(name);
        self.marks.insert(name.to_owned(), marks.clone());
        marks
    }

    fn find_marks(&mut self, name: &str) -> Vec<MarkKind> {
        let mut marks = Vec::new();
        if self.sheet.is_code(name) {
            marks.push(MarkKind::Code);
        }
        for (_, style) in self.sheet.chain(name) {
            for mark in &style.marks {
                if !marks.contains(mark) {
                    marks.push(mark.clone());
                }
            }
        }
        marks
    }

    /// A level of a list.
    pub fn level(&self, list: &str, level: usize) -> Option<&Level> {
        self.levels(list)?.get(&level)
    }

    /// A level of a list, or the nearest level above it that its style defines: pandoc writes a
    /// style per list, with only its first level.
    pub fn level_or_above(&self, list: &str, level: usize) -> Option<&Level> {
        let levels = self.levels(list)?;
        let defined = levels.keys().filter(|defined| **defined <= level);
        levels.get(defined.max()?)
    }
}

/// The levels that a style of lists defines.
fn levels_of(element: &str) -> Levels {
    let mut levels = Levels::new();
    for token in Tokenizer::new(element, Syntax::Xml) {
        if let Token::Start(tag) = token
            && let "list-level-style-number"
            | "list-level-style-bullet"
            | "list-level-style-image"
            | "outline-level-style" = tag.local_name()
            && let Some(level) = attribute(&tag, "level").and_then(|level| level.parse().ok())
            && level <= MAX_LEVELS
        {
            levels.insert(level, Level::new(&tag));
        }
    }
    levels
}

impl styles::Style for Style {
    fn parse(element: &str) -> Self {
        let mut style = Self::default();
        for token in Tokenizer::new(element, Syntax::Xml) {
            let Token::Start(tag) = token else {
                continue;
            };
            match tag.local_name() {
                "style" => {
                    let values = attributes(&tag, ["display-name", "parent-style-name"]);
                    let [name, parent] = values.map(|value| value.map(Cow::into_owned));
                    (style.display_name, style.parent) = (name, parent);
                }
                "text-properties" => style.read(&tag),
                _ => {}
            }
        }
        style
    }

    fn shown_name<'s>(&'s self, name: &'s str) -> &'s str {
        self.display_name.as_deref().unwrap_or(name)
    }

    fn base(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// The document may not define the style that this one is based on.
    fn other_role(&self) -> Option<StyleRole> {
        StyleRole::of_name(self.base()?)
    }

    fn is_hidden(&self) -> Option<bool> {
        self.is_hidden
    }
}

impl Style {
    fn read(&mut self, tag: &Tag<'_>) {
        let names = [
            "font-weight",
            "font-style",
            "text-line-through-style",
            "text-position",
        ];
        let display = attribute(tag, "display");
        self.is_hidden = display.map(|display| display == "none");
        let values = attributes(tag, names).map(Option::unwrap_or_default);
        let [weight, style, line, raised] = &values;
        let is_bold = matches!(&**weight, "bold" | "600" | "700" | "800" | "900");
        let is_italic = matches!(&**style, "italic" | "oblique");
        let is_deleted = !matches!(&**line, "" | "none");
        let position = position(raised);
        let marks = [
            (is_bold, MarkKind::Strong),
            (is_italic, MarkKind::Emphasis),
            (is_deleted, MarkKind::Deleted),
            (position > 0.0, MarkKind::Superscript),
            (position < 0.0, MarkKind::Subscript),
        ];
        self.marks.extend(
            marks
                .into_iter()
                .filter(|(is_on, _)| *is_on)
                .map(|(_, mark)| mark),
        );
    }
}

/// Parses how far characters are raised, from a value such as `super 58%` or `33% 80%`. Full-size
/// characters are not a script.
fn position(value: &str) -> f32 {
    let mut parts = value.split_whitespace();
    let percent = |part: &str| {
        part.strip_suffix('%')
            .and_then(|part| part.parse::<f32>().ok())
    };
    let raised = match parts.next() {
        Some("super") => 1.0,
        Some("sub") => -1.0,
        Some(part) => percent(part).unwrap_or_default(),
        None => 0.0,
    };
    let is_small = parts
        .next()
        .and_then(percent)
        .is_none_or(|size| size < 100.0);
    if is_small { raised } else { 0.0 }
}
