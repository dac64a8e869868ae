//! The format of a document, by its first element.

use super::numbers::excerpt;
use corpus_markup::{Name, Syntax, Tag, Token, Tokenizer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Also any other HTML, which has no elements of OCR.
    Hocr,
    Alto,
    Page,
    /// What lies beside the pages in a package, and says which there are. It has none itself.
    Mets,
}

/// The format, or what the document is otherwise. What is no XML at all may be a piece of HTML.
pub(super) fn format_of(document: &str) -> Result<Format, String> {
    let mut tokenizer = Tokenizer::new(document, Syntax::Html);
    let root = loop {
        match tokenizer.next_token() {
            Some(Token::Start(tag)) => break tag,
            Some(_) => {}
            None => return Ok(Format::Hocr),
        }
    };
    match root.local_name() {
        "alto" => Ok(Format::Alto),
        "PcGts" => Ok(Format::Page),
        "mets" => Ok(Format::Mets),
        // HTML has no `document`.
        "document" if is_of_abbyy(&root) => Err("ABBYY FineReader XML".to_owned()),
        _ if root.name.index() == Name::from_str("").index() && is_xml(document) => {
            Err(format!("XML of {}", excerpt(root.written)))
        }
        _ => Ok(Format::Hocr),
    }
}

fn is_of_abbyy(root: &Tag<'_>) -> bool {
    let namespace = root.attributes.value("xmlns").unwrap_or_default();
    namespace.contains("abbyy")
}

/// Does a document say that it is XML?
pub(super) fn is_xml(document: &str) -> bool {
    let document = document.strip_prefix('\u{FEFF}').unwrap_or(document);
    document.trim_ascii_start().starts_with("<?xml")
}

#[cfg(test)]
mod tests {
    use super::{Format, format_of};

    #[test]
    fn the_first_element_tells() {
        for (document, format) in [
            ("", Format::Hocr),
            ("plain text", Format::Hocr),
            ("<!DOCTYPE html><html>", Format::Hocr),
            ("<?xml version='1.0'?><html xmlns='x'>", Format::Hocr),
            ("<div class=ocr_page>", Format::Hocr),
            ("<unknown>", Format::Hocr),
            (
                "\u{FEFF}<?xml?>\n<!-- <x> --><alto xmlns='y'>",
                Format::Alto,
            ),
            ("<a:alto xmlns:a='y'>", Format::Alto),
            ("<PcGts/>", Format::Page),
            ("<?xml version='1.0'?><METS:mets>", Format::Mets),
        ] {
            assert_eq!(format_of(document), Ok(format), "{document}");
        }
    }

    #[test]
    fn other_xml_is_named() {
        for (document, name) in [
            (
                "<document xmlns='http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml'>",
                "ABBYY FineReader XML",
            ),
            ("<?xml version='1.0'?><tei:TEI>", "XML of tei:TEI"),
        ] {
            assert_eq!(format_of(document), Err(name.to_owned()));
        }
    }
}
