//! Detects the format of a document by its first element.

use super::numbers::excerpt;
use corpus_markup::{Name, Syntax, Tag, Token, Tokenizer};

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// hOCR, or any other HTML, which has no OCR elements.
    Hocr,
    /// ALTO.
    Alto,
    /// PAGE XML.
    Page,
    /// METS: lists the pages of a package and contains none.
    Mets,
}

impl Format {
    /// Detects the format; `None` for XML of another format. Text without tags counts as HTML.
    pub fn detect(document: &str) -> Option<Self> {
        format_of(document).ok()
    }
}

/// Returns the format, or the name of an unsupported one. Text without tags counts as HTML.
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
        // HTML has no element `document`.
        "document" if is_of_abbyy(&root) => Err("ABBYY FineReader XML".to_owned()),
        _ if root.name.index() == Name::from_str("").index() && is_xml(document) => Err(format!(
            "XML with the root element {}",
            excerpt(root.written())
        )),
        _ => Ok(Format::Hocr),
    }
}

fn is_of_abbyy(root: &Tag<'_>) -> bool {
    let namespace = root.attributes().value("xmlns").unwrap_or_default();
    namespace.contains("abbyy")
}

/// Whether a document declares itself as XML.
pub(super) fn is_xml(document: &str) -> bool {
    let document = document.strip_prefix('\u{FEFF}').unwrap_or(document);
    document.trim_ascii_start().starts_with("<?xml")
}

#[cfg(test)]
mod tests {
    use super::{Format, format_of};

    #[test]
    fn the_first_element_determines_the_format() {
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
            (
                "<?xml version='1.0'?><tei:TEI>",
                "XML with the root element tei:TEI",
            ),
        ] {
            assert_eq!(format_of(document), Err(name.to_owned()));
        }
    }
}
