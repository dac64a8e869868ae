//! ODT: the text of an OpenDocument package.

use corpus_markup::references::{self, Place};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use crate::document::Document;
use crate::lines::Lines;
use crate::members::{Budget, Members, Package};
use crate::metadata::{self, attribute, decode, dublin_core, leaves};
use crate::tokens::tokens_outside;

pub const CONTENT: &str = "content.xml";
const METADATA: &str = "meta.xml";
pub const STYLES: &str = "styles.xml";
pub const MANIFEST: &str = "META-INF/manifest.xml";

/// Elements whose text is not part of the document: deleted text, comments, readings, scripts,
/// descriptions of drawings, marks of footnotes.
pub const SKIPPED: &[&str] = &[
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

/// Maximum number of spaces from one element: `<text:s text:c="1000000000"/>` must not allocate a
/// gigabyte.
pub const MAX_SPACES: usize = 100;

pub fn read(package: &Package, budget: &mut Budget, document: &mut Document) {
    let members = package.read(budget, |name| {
        [CONTENT, METADATA, STYLES, MANIFEST].contains(&name)
    });
    if is_encrypted(&members) {
        let errors = members.errors.iter();
        errors.for_each(|error| document.add_error(error));
        document.add_error("the document is encrypted");
        return;
    }
    members.report(document);
    read_metadata(&members, document);
    match members.get(CONTENT) {
        Some(xml) => document.text = Some(text(&decode(xml))),
        None => document.add_error(&format!("{CONTENT} cannot be read")),
    }
}

pub fn is_encrypted(members: &Members) -> bool {
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

/// Reads the text, then its notes.
fn text(xml: &str) -> String {
    let (mut body, mut notes) = (Lines::default(), Lines::default());
    // The numbers of open notes and paragraphs.
    let (mut in_note, mut in_paragraph) = (0_usize, 0_usize);
    for token in tokens_outside(xml, SKIPPED) {
        let lines = match in_note {
            0 => &mut body,
            _ => &mut notes,
        };
        match token {
            Token::Start(tag) => {
                let name = tag.local_name();
                in_note += usize::from(name == "note" && !tag.self_closing());
                in_paragraph += usize::from(is_paragraph(name) && !tag.self_closing());
                open(&tag, lines);
            }
            Token::End(tag) => {
                let name = tag.local_name();
                in_note = in_note.saturating_sub(usize::from(name == "note"));
                in_paragraph = in_paragraph.saturating_sub(usize::from(is_paragraph(name)));
                match name {
                    "p" | "h" => lines.paragraph(),
                    "table-row" => lines.close_row(),
                    _ => {}
                }
            }
            Token::Text(part) if in_paragraph > 0 => {
                references::decode(part, Place::Text, |piece| lines.collapsed(piece));
            }
            Token::CData(part) if in_paragraph > 0 => lines.collapsed(part),
            _ => {}
        }
    }
    let (mut text, notes) = (body.finish(), notes.finish());
    if !text.is_empty() && !notes.is_empty() {
        text.push('\n');
    }
    text + &notes
}

fn is_paragraph(name: &str) -> bool {
    matches!(name, "p" | "h")
}

fn open(tag: &Tag<'_>, lines: &mut Lines) {
    match tag.local_name() {
        "p" | "h" => lines.paragraph(),
        "table-row" if !tag.self_closing() => lines.open_row(),
        "table-cell" => lines.cell(),
        "line-break" => lines.line_break(),
        "tab" => lines.text("\t"),
        "s" => {
            let count = attribute(tag, "c");
            let count = count.and_then(|count| count.parse().ok()).unwrap_or(1);
            lines.text(&" ".repeat(count.min(MAX_SPACES)));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_notes_and_spaces() {
        let xml = "<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>\n\
            <text:h>Head</text:h> <text:p>One\n  word<text:note><text:note-citation>1\
            </text:note-citation><text:note-body><text:p>Note.</text:p></text:note-body></text:note>\
            , two<x:s x:c='2'/>three<text:tab/>four<text:line-break/>five &lt;</text:p>\
            <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>";
        let expected = "Head\nOne word, two  three\tfour\nfive <\nitem\nNote.";
        assert_eq!(text(xml), expected);
    }

    #[test]
    fn tables_are_not_repeated() {
        let xml = "<table:table><table:table-row table:number-rows-repeated='1000000'>\
            <table:table-cell table:number-columns-repeated='1000000'><text:p>a</text:p>\
            </table:table-cell><table:table-cell><text:p>b<text:s text:c='99999999999999999999999'/>c</text:p>\
            </table:table-cell></table:table-row></table:table>";
        assert_eq!(text(xml), "a\tb c");
        let xml = xml.replace("99999999999", "99999");
        assert_eq!(text(&xml).len(), "a\tbc".len() + MAX_SPACES);
    }

    #[test]
    fn languages_of_styles() {
        let styles = "<style:text-properties fo:language='none'/><style:text-properties \
            fo:language='pt' fo:country='BR'/>";
        assert_eq!(default_language(styles).as_deref(), Some("pt-BR"));
        let styles = "<style:text-properties fo:language='la' fo:country='none'/>";
        assert_eq!(default_language(styles).as_deref(), Some("la"));
    }
}
