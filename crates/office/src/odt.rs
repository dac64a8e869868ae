//! ODT: the members of an OpenDocument package.

use corpus_blocks::Block;
use corpus_markup::{Syntax, Token, Tokenizer};

use crate::blocks;
use crate::blocks::odt::{CONTENT, STYLES};
use crate::document::Document;
use crate::members::{Budget, Members, Package};
use crate::metadata::{self, attribute, decode, dublin_core, leaves};

const METADATA: &str = "meta.xml";
const MANIFEST: &str = "META-INF/manifest.xml";

/// Reads the metadata and the blocks. `None` if the content cannot be read.
pub fn read(package: &Package, budget: &mut Budget, document: &mut Document) -> Option<Vec<Block>> {
    let members = package.read(budget, |name| {
        [METADATA, MANIFEST].contains(&name) || blocks::odt::is_part(name)
    });
    if is_encrypted(&members) {
        let errors = members.errors.iter();
        errors.for_each(|error| document.add_error(error));
        document.add_error("the document is encrypted");
        return None;
    }
    members.report(document);
    read_metadata(&members, document);
    blocks::odt::read(&members, document)
}

fn is_encrypted(members: &Members) -> bool {
    let manifest = members.get(MANIFEST).map(decode).unwrap_or_default();
    let mut is_content = false;
    Tokenizer::new(&manifest, Syntax::Xml).any(|token| match token {
        Token::Start(tag) if tag.local_name() == "file-entry" => {
            let path = attribute(&tag, "full-path");
            is_content = path.is_some_and(|path| path == CONTENT);
            false
        }
        Token::Start(tag) => is_content && tag.local_name() == "encryption-data",
        _ => false,
    })
}

fn read_metadata(members: &Members, document: &mut Document) {
    if let Some(xml) = members.get(METADATA) {
        let mut editor = None;
        leaves(&decode(xml), |tag, value| match tag.local_name() {
            "initial-creator" => metadata::add(&mut document.author, value),
            "creator" => metadata::set(&mut editor, value),
            "creation-date" => metadata::set(&mut document.created, value),
            "date" => metadata::set(&mut document.modified, value),
            "keyword" => metadata::add(&mut document.keywords, value),
            "document-statistic" => {
                let pages = attribute(tag, "page-count");
                document.pages = pages.and_then(|pages| pages.parse().ok());
            }
            name => dublin_core(document, name, value),
        });
        document.author = document.author.take().or(editor);
    }
    if document.language.is_none() {
        let styles = members.get(STYLES).map(decode).unwrap_or_default();
        document.language = default_language(&styles);
    }
}

/// The language of the first default style that has one.
fn default_language(styles: &str) -> Option<String> {
    let mut tags = Tokenizer::new(styles, Syntax::Xml).filter_map(|token| match token {
        Token::Start(tag) if tag.local_name() == "text-properties" => Some(tag),
        _ => None,
    });
    let is_set = |value: &std::borrow::Cow<'_, str>| !matches!(&**value, "" | "none");
    tags.find_map(|tag| {
        let language = attribute(&tag, "language").filter(is_set)?;
        let country = attribute(&tag, "country").filter(is_set);
        Some(match country {
            Some(country) => format!("{language}-{country}"),
            None => language.into_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_styles() {
        let styles = "<style:text-properties fo:language='none'/><style:text-properties \
            fo:language='pt' fo:country='BR'/>";
        assert_eq!(default_language(styles).as_deref(), Some("pt-BR"));
        let styles = "<style:text-properties fo:language='la' fo:country='none'/>";
        assert_eq!(default_language(styles).as_deref(), Some("la"));
    }
}
