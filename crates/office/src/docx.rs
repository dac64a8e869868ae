//! DOCX: the parts of an Office Open XML package.

use corpus_blocks::Block;
use corpus_markup::{Syntax, Token, Tokenizer};

use crate::blocks::{self, docx::STYLES};
use crate::document::Document;
use crate::members::{Budget, Members, Names, Package};
use crate::metadata::{self, attribute, decode, dublin_core, leaves};

/// The usual name of the main part.
const MAIN_PART: &str = "word/document.xml";
const CORE: &str = "docProps/core.xml";
const APPLICATION: &str = "docProps/app.xml";
/// The name of the main part: `word/document.xml`, or `word/document2.xml` and the like.
pub fn main_part(names: &Names) -> Option<&str> {
    if names.contains(MAIN_PART) {
        return Some(MAIN_PART);
    }
    names.iter().find(|name| {
        let rest = name.strip_prefix("word/document");
        let digits = rest.and_then(|rest| rest.strip_suffix(".xml"));
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Reads the metadata and the blocks. `None` if the main part cannot be read.
pub fn read(
    package: &Package,
    names: &Names,
    budget: &mut Budget,
    document: &mut Document,
) -> Option<Vec<Block>> {
    let main = main_part(names).unwrap_or(MAIN_PART);
    let parts = blocks::docx::parts(main);
    let is_wanted =
        |name: &str| [CORE, APPLICATION].contains(&name) || parts.iter().any(|part| part == name);
    let members = package.read(budget, is_wanted);
    members.report(document);
    read_metadata(&members, document);
    blocks::docx::read(&members, main, document)
}

fn read_metadata(members: &Members, document: &mut Document) {
    if let Some(xml) = members.get(CORE) {
        leaves(&decode(xml), |tag, value| match tag.local_name() {
            "created" => metadata::set(&mut document.created, value),
            "modified" => metadata::set(&mut document.modified, value),
            "keywords" => metadata::add(&mut document.keywords, value),
            name => dublin_core(document, name, value),
        });
    }
    if let Some(xml) = members.get(APPLICATION) {
        leaves(&decode(xml), |tag, value| match tag.local_name() {
            "Pages" => document.pages = value.parse().ok(),
            "Company" => metadata::set(&mut document.publisher, value),
            _ => {}
        });
    }
    if document.language.is_none()
        && let Some(xml) = members.get(STYLES)
    {
        document.language = default_language(&decode(xml));
    }
}

/// The language of the default style.
fn default_language(styles: &str) -> Option<String> {
    let tags = Tokenizer::new(styles, Syntax::Xml).filter_map(|token| match token {
        Token::Start(tag) => Some(tag),
        _ => None,
    });
    let mut defaults = tags.take_while(|tag| tag.local_name() != "style");
    let lang = defaults.find(|tag| tag.local_name() == "lang")?;
    let mut values = ["val", "eastAsia", "bidi"].into_iter();
    let value = values.find_map(|name| attribute(&lang, name));
    value
        .map(|value| value.into_owned())
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_styles() {
        let styles = "<w:styles><w:docDefaults><w:lang w:val='' /></w:docDefaults>\
            <w:style><w:lang w:val='de'/></w:style>";
        assert_eq!(default_language(styles), None);
        let styles = "<w:styles><w:docDefaults><w:lang w:val='ja-JP' w:eastAsia='x'/>";
        assert_eq!(default_language(styles).as_deref(), Some("ja-JP"));
    }
}
