//! The styles and lists of an OpenDocument text.

use std::collections::HashMap;

use corpus_blocks::MarkKind;
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use super::{StyleRole, is_code};
use crate::metadata::attribute;

/// Maximum number of styles in a chain of styles based on each other.
const MAX_BASES: usize = 10;

/// The styles by their names.
#[derive(Debug, Default)]
pub struct Styles {
    styles: HashMap<String, Style>,
    /// The first numbers of the levels of lists. Levels with bullets are missing.
    numbers: HashMap<(String, usize), i64>,
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
                        "list-level-style-number" => {
                            let level = value("level").and_then(|level| level.parse().ok());
                            let start = value("start-value").and_then(|start| start.parse().ok());
                            let has_number = value("num-format").is_some_and(|f| !f.is_empty());
                            if let Some(level) = level.filter(|_| has_number) {
                                self.numbers
                                    .insert((list.clone(), level), start.unwrap_or(1));
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

    /// The first number of a level of a list; `None` if it has bullets.
    pub fn first_number(&self, list: &str, level: usize) -> Option<i64> {
        self.numbers.get(&(list.to_owned(), level)).copied()
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
        let position = value("text-position");
        let marks = [
            (is_bold, MarkKind::Strong),
            (is_italic, MarkKind::Emphasis),
            (is_deleted, MarkKind::Deleted),
            (position.starts_with("super"), MarkKind::Superscript),
            (position.starts_with("sub"), MarkKind::Subscript),
        ];
        self.marks.extend(
            marks
                .into_iter()
                .filter(|(is_on, _)| *is_on)
                .map(|(_, mark)| mark),
        );
    }
}
