//! The styles and lists of an OpenDocument text.

use std::collections::HashMap;

use corpus_blocks::MarkKind;
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::{StyleRole, is_code};
use crate::metadata::attribute;

/// The name for the style of the numbers of headings. Other names have no blanks.
pub const OUTLINE: &str = "the outline";
/// Maximum number of styles in a chain of styles based on each other.
const MAX_BASES: usize = 10;

/// The styles by their names.
#[derive(Debug, Default)]
pub struct Styles {
    styles: HashMap<String, Style>,
    /// The levels of lists by the names of their styles.
    levels: HashMap<String, HashMap<usize, Level>>,
}

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
        let value = |name| attribute(tag, name).map(|value| value.into_owned());
        let format = value("num-format").unwrap_or_default();
        let bullet = value("bullet-char").unwrap_or_default();
        let is_number = tag.local_name() != "list-level-style-bullet";
        let is_picture = tag.local_name() == "list-level-style-image";
        Self {
            is_blank: format.is_empty() && bullet.trim().is_empty() && !is_picture,
            format: if is_number { format } else { String::new() },
            prefix: value("num-prefix").unwrap_or_default(),
            suffix: value("num-suffix").unwrap_or_default(),
            start: value("start-value")
                .and_then(|v| v.parse().ok())
                .unwrap_or(1),
            shown: value("display-levels")
                .and_then(|v| v.parse().ok())
                .unwrap_or(1),
        }
    }

    /// The number of the first item, if the items have one.
    pub fn first_number(&self) -> Option<i64> {
        (!self.format.is_empty()).then_some(self.start)
    }
}

#[derive(Debug, Default)]
struct Style {
    display_name: Option<String>,
    parent: Option<String>,
    marks: Vec<MarkKind>,
}

impl Styles {
    /// Adds the styles of a part.
    pub fn read(&mut self, xml: &str) {
        let mut open: Option<(String, Style)> = None;
        let mut list = String::new();
        for token in Tokenizer::new(xml, Syntax::Xml) {
            match token {
                Token::Start(tag) => {
                    let value = |name| attribute(&tag, name).map(|value| value.into_owned());
                    match tag.local_name() {
                        "style" => {
                            let style = Style {
                                display_name: value("display-name"),
                                parent: value("parent-style-name"),
                                marks: Vec::new(),
                            };
                            let style = (value("name").unwrap_or_default(), style);
                            if tag.self_closing() {
                                self.styles.extend([style]);
                            } else {
                                open = Some(style);
                            }
                        }
                        "text-properties" => {
                            if let Some((_, style)) = &mut open {
                                style.read(&tag);
                            }
                        }
                        "list-style" => list = value("name").unwrap_or_default(),
                        "outline-style" => list = OUTLINE.to_owned(),
                        "list-level-style-number"
                        | "list-level-style-bullet"
                        | "list-level-style-image"
                        | "outline-level-style" => {
                            let levels = self.levels.entry(list.clone()).or_default();
                            let level = value("level").and_then(|level| level.parse().ok());
                            if let Some(level) = level {
                                levels.insert(level, Level::new(&tag));
                            }
                        }
                        // The text follows the styles.
                        "body" => return,
                        _ => {}
                    }
                }
                Token::End(tag) if tag.local_name() == "style" => self.styles.extend(open.take()),
                _ => {}
            }
        }
    }

    /// Returns a style and the styles that it is based on, with their names.
    fn chain<'s>(&'s self, name: &'s str) -> impl Iterator<Item = (&'s str, &'s Style)> {
        let mut next = self.styles.get(name).map(|style| (name, style));
        let chain = std::iter::from_fn(move || {
            let (name, style) = next?;
            let parent = style.parent.as_deref();
            next = parent.and_then(|parent| Some((parent, self.styles.get(parent)?)));
            Some((style.display_name.as_deref().unwrap_or(name), style))
        });
        chain.take(MAX_BASES)
    }

    /// The role of paragraphs with a style.
    pub fn role(&self, name: &str) -> StyleRole {
        let mut roles = self.chain(name).filter_map(|(name, style)| {
            let parent = style.parent.as_deref().and_then(StyleRole::of_name);
            StyleRole::of_name(name).or(parent)
        });
        roles
            .next()
            .or_else(|| StyleRole::of_name(name))
            .unwrap_or_default()
    }

    /// The marks of characters with a style.
    pub fn marks(&self, name: &str) -> Vec<MarkKind> {
        let compact = |name: &str| -> String {
            let name = name.to_lowercase().replace("_20_", "");
            name.chars().filter(|c| !matches!(c, '_' | ' ')).collect()
        };
        let mut marks = Vec::new();
        let is_code = self.chain(name).any(|(name, _)| is_code(&compact(name)));
        if is_code || super::is_code(&compact(name)) {
            marks.push(MarkKind::Code);
        }
        for (_, style) in self.chain(name) {
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
        self.levels.get(list)?.get(&level)
    }

    /// A level of a list, or the level above it that its style defines: pandoc writes a style for
    /// each list, with its first level only.
    pub fn level_or_above(&self, list: &str, level: usize) -> Option<&Level> {
        let levels = self.levels.get(list)?;
        let defined = levels.keys().filter(|defined| **defined <= level);
        levels.get(defined.max()?)
    }
}

impl Style {
    fn read(&mut self, tag: &Tag<'_>) {
        let value = |name| attribute(tag, name).unwrap_or_default();
        let is_bold = matches!(
            &*value("font-weight"),
            "bold" | "600" | "700" | "800" | "900"
        );
        let is_italic = matches!(&*value("font-style"), "italic" | "oblique");
        let is_deleted = !matches!(&*value("text-line-through-style"), "" | "none");
        let position = position(&value("text-position"));
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

/// How far characters are raised, such as `super 58%` or `33% 80%`. Characters of the full size are
/// not a script.
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
