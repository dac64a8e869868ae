//! DOCX: the parts of an Office Open XML package.

use corpus_markup::references::{self, Place};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use crate::document::Document;
use crate::lines::Lines;
use crate::members::{Budget, Members, Names, Package};
use crate::metadata::{self, attribute, decode, dublin_core, leaves};
use crate::tokens::tokens_outside;

/// The content type of the main part.
pub const MAIN_PART: &str = "word/document.xml";
const CORE: &str = "docProps/core.xml";
const APPLICATION: &str = "docProps/app.xml";
pub const NOTES: &[&str] = &["footnotes", "endnotes"];

/// Elements whose text is not part of the document: deleted and moved text, the second rendering of
/// drawings, codes of fields, phonetic readings.
pub const SKIPPED: &[&str] = &["del", "moveFrom", "Fallback", "instrText", "rt", "delText"];

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

pub fn read(package: &Package, names: &Names, budget: &mut Budget, document: &mut Document) {
    let main = main_part(names).unwrap_or(MAIN_PART);
    let note_parts = || NOTES.iter().map(|notes| format!("word/{notes}.xml"));
    let other_parts = ["word/styles.xml", CORE, APPLICATION];
    let is_wanted = |name: &str| {
        name == main || other_parts.contains(&name) || note_parts().any(|notes| notes == name)
    };
    let members = package.read(budget, is_wanted);
    members.report(document);
    read_metadata(&members, document);
    let mut lines = Lines::default();
    let mut refers_to_part = false;
    match members.get(main) {
        Some(xml) => refers_to_part |= add_text(&decode(xml), &mut lines),
        None => {
            document.add_error(&format!("{main} cannot be read"));
            return;
        }
    }
    for notes in note_parts() {
        if let Some(xml) = members.get(&notes) {
            refers_to_part |= add_text(&decode(xml), &mut lines);
        }
    }
    if refers_to_part {
        document.add_error("a part in another format (altChunk) is not read");
    }
    document.text = Some(lines.finish());
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
        && let Some(xml) = members.get("word/styles.xml")
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

/// Adds the text of a part: of the document or its notes. Returns whether more text is in parts of
/// another format, such as HTML.
fn add_text(xml: &str, lines: &mut Lines) -> bool {
    let mut is_text = false;
    let mut refers_to_part = false;
    for token in tokens_outside(xml, SKIPPED) {
        match token {
            Token::Start(tag) => {
                is_text = tag.local_name() == "t" && !tag.self_closing();
                refers_to_part |= tag.local_name() == "altChunk";
                open(&tag, lines);
            }
            Token::End(tag) => {
                is_text = false;
                match tag.local_name() {
                    "p" => lines.paragraph(),
                    "tr" => lines.close_row(),
                    _ => {}
                }
            }
            Token::Text(part) if is_text => {
                references::decode(part, Place::Text, |piece| lines.text(&one_line(piece)));
            }
            Token::CData(part) if is_text => lines.text(&one_line(part)),
            _ => {}
        }
    }
    refers_to_part
}

fn open(tag: &Tag<'_>, lines: &mut Lines) {
    match tag.local_name() {
        "p" => lines.paragraph(),
        "tr" if !tag.self_closing() => lines.open_row(),
        "tc" => lines.cell(),
        "br" | "cr" => lines.line_break(),
        "tab" | "ptab" => lines.text("\t"),
        "noBreakHyphen" => lines.text("\u{2011}"),
        "sym" => lines.text(symbol(tag).encode_utf8(&mut [0; 4])),
        _ => {}
    }
}

/// The character of a `<w:sym>`. Characters of symbol fonts are in the private use area, and mean
/// nothing without the font.
pub fn symbol(tag: &Tag<'_>) -> char {
    let code = attribute(tag, "char");
    let code = code.and_then(|code| u32::from_str_radix(code.trim(), 16).ok());
    code.and_then(char::from_u32).unwrap_or('\u{FFFD}')
}

/// Replaces line breaks of the XML, which are not line breaks of the text.
pub fn one_line(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        text.replace(['\n', '\r'], " ").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &str) -> String {
        let mut lines = Lines::default();
        add_text(body, &mut lines);
        lines.finish()
    }

    #[test]
    fn runs_make_paragraphs() {
        let xml = "<w:document><w:body><w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>\
            <w:r><w:t xml:space='preserve'>One </w:t></w:r><w:r><w:t>&amp; two</w:t><w:tab/>\
            <w:t>three</w:t><w:br/><w:t>four</w:t></w:r></w:p>\n<w:p/><w:p><w:r><w:t>five\nsix</w:t>\
            <w:noBreakHyphen/><w:sym w:font='Symbol' w:char='0041'/></w:r></w:p>";
        assert_eq!(text(xml), "One & two\tthree\nfour\nfive six\u{2011}A");
    }

    #[test]
    fn changes_are_accepted_and_drawings_read_once() {
        let xml = "<w:p><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del><w:ins>\
            <w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:t>moved</w:t></w:moveFrom>\
            <mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:t>box</w:t></w:p></w:txbxContent>\
            </mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent>\
            <w:rPr><w:del w:id='1'/></w:rPr><w:t>end</w:t></w:p>";
        assert_eq!(text(xml), "new\nbox\nend");
    }

    #[test]
    fn parts_in_other_formats_are_noticed() {
        let mut lines = Lines::default();
        let part = "<w:p><w:t>a</w:t></w:p><w:altChunk r:id='rId5'/>";
        assert!(add_text(part, &mut lines));
        assert!(!add_text("<w:p><w:t>b</w:t></w:p>", &mut lines));
    }

    #[test]
    fn languages_of_styles() {
        let styles = "<w:styles><w:docDefaults><w:lang w:val='' /></w:docDefaults>\
            <w:style><w:lang w:val='de'/></w:style>";
        assert_eq!(default_language(styles), None);
        let styles = "<w:styles><w:docDefaults><w:lang w:val='ja-JP' w:eastAsia='x'/>";
        assert_eq!(default_language(styles).as_deref(), Some("ja-JP"));
    }
}
