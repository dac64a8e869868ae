//! The text of a product or article in JSON-LD, for pages that show less of it.

use std::collections::HashSet;

use corpus_blocks::block::{Block, Kind};
use corpus_blocks::text::Text;
use serde_json::{Map, Value};

use super::kind::PageKind;
use super::weight::weight;
use crate::engine::Engine;
use crate::events::Options;
use crate::extract::Document;

/// The types of articles.
pub const ARTICLES: [&str; 5] = [
    "Article",
    "BlogPosting",
    "NewsArticle",
    "Report",
    "ScholarlyArticle",
];
const PRODUCTS: [&str; 2] = ["Product", "ProductGroup"];

/// Minimum share of its article that a page shows for the page's own text to be used.
const MIN_SHOWN_SHARE: f32 = 0.3;

/// Minimum share of the words of a text on a page that shows it.
const MIN_SHOWN_WORDS: f32 = 0.8;

/// A text that a page declares.
pub struct DeclaredText {
    pub title: String,
    /// Paragraphs, separated by blank lines.
    pub text: String,
}

impl DeclaredText {
    /// The title and the text.
    pub fn joined(&self) -> String {
        let parts = [self.title.as_str(), &self.text];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    pub fn blocks(&self) -> Vec<Block> {
        let title = Some(self.title.as_str()).filter(|title| !title.is_empty());
        let title = title.map(|title| Block::new(Kind::Heading(1), Text::plain(title)));
        let paragraphs = self.text.split("\n\n");
        let paragraphs = paragraphs.map(|text| Block::new(Kind::Paragraph, Text::plain(text)));
        title.into_iter().chain(paragraphs).collect()
    }
}

/// The scripts of a page that may contain its text.
#[derive(Debug, Default)]
pub struct LinkedData {
    scripts: Vec<String>,
}

impl LinkedData {
    pub fn add(&mut self, json: String) {
        if json.contains("\"description\"") || json.contains("\"articleBody\"") {
            self.scripts.push(json);
        }
    }

    /// Returns the text of the product or article, if the page shows less.
    pub fn text(&self, kind: PageKind, shown: &str, main_weight: f32) -> Option<DeclaredText> {
        let is_product = kind == PageKind::Product;
        let (types, property, max_shown): (&[&str], _, _) = if is_product {
            (&PRODUCTS, "description", 1.0)
        } else {
            (&ARTICLES, "articleBody", MIN_SHOWN_SHARE)
        };
        let scripts = self.scripts.iter();
        // Pages write raw newlines in strings, which JSON does not allow.
        let mut values: Vec<Value> = scripts
            .filter(|json| main_weight <= max_shown * weight(json) as f32)
            .filter_map(|json| serde_json::from_str(&json.replace(char::is_control, " ")).ok())
            .collect();
        while let Some(value) = values.pop() {
            match value {
                Value::Array(items) => values.extend(items),
                Value::Object(object) => {
                    let text = text_of(&object, types, property);
                    let found = text.filter(|it| {
                        main_weight <= max_shown * weight(&it.text) as f32
                            && !shows(shown, &it.text)
                    });
                    if found.is_some() {
                        return found;
                    }
                    values.extend(object.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
        None
    }
}

/// Whether a page shows a text, perhaps with other punctuation.
fn shows(page: &str, text: &str) -> bool {
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let shown: HashSet<&str> = words(page).collect();
    let found = words(text).filter(|word| shown.contains(word)).count();
    found as f32 >= MIN_SHOWN_WORDS * words(text).count() as f32
}

/// The text in a property of an object of one of these types. It may have markup.
fn text_of(object: &Map<String, Value>, types: &[&str], property: &str) -> Option<DeclaredText> {
    let is_wanted = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        types.contains(&name.rsplit('/').next().unwrap_or_default())
    };
    let has_type = match object.get("@type")? {
        Value::Array(names) => names.iter().any(is_wanted),
        name => is_wanted(name),
    };
    let property = object.get(property).filter(|_| has_type)?.as_str()?;
    let read = |markup: &str| {
        let options = Options::default();
        Engine::Native
            .read(markup, &options, Document::default)
            .finish()
    };
    // Many shops escape the markup once more.
    let text = read(
        &read(&property.replace('\n', "<br>"))
            .replace("\n\n", "<p>")
            .replace('\n', "<br>"),
    );
    let title = object.get("name").or_else(|| object.get("headline"));
    let title = title.and_then(Value::as_str).map(read);
    (!text.is_empty()).then(|| DeclaredText {
        title: title.unwrap_or_default(),
        text,
    })
}
