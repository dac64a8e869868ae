//! Metadata: elements whose text is a value, such as `<dc:title>`.

use std::borrow::Cow;

use corpus_charset::decode_text;
use corpus_markup::references::{self, Context};
use corpus_markup::{Syntax, Tag, Token, Tokenizer};

use crate::document::Document;

/// Maximum size of a value. Longer values are truncated.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// The text of an XML file.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    decode_text(bytes, None, None)
}

/// The value of an attribute by its name without a namespace prefix: programs choose the prefixes.
pub fn attribute<'a>(tag: &Tag<'a>, name: &str) -> Option<Cow<'a, str>> {
    let is_named = |written: &str| {
        let prefix = written.strip_suffix(name);
        prefix.is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(':'))
    };
    let mut attributes = tag.attributes().iter();
    let found = attributes.find(|attribute| is_named(attribute.name))?;
    Some(found.value())
}

/// Like [`attribute`], for several names in one scan.
pub fn attributes<'a, const N: usize>(
    tag: &Tag<'a>,
    names: [&str; N],
) -> [Option<Cow<'a, str>>; N] {
    let mut values = [const { None }; N];
    for attribute in tag.attributes().iter() {
        let written = attribute.name;
        let local = written
            .rfind(':')
            .and_then(|colon| written.get(colon + 1..));
        let local = local.unwrap_or(written);
        let mut found = names.iter().zip(&mut values);
        if let Some((_, value)) = found.find(|(name, _)| **name == local) {
            value.get_or_insert_with(|| attribute.value());
        }
    }
    values
}

/// Passes the text and the tag of each element without child elements to `emit`.
pub fn leaves<'a>(xml: &'a str, mut emit: impl FnMut(&Tag<'a>, &str)) {
    let mut open: Option<Tag<'a>> = None;
    let mut text = String::new();
    for token in Tokenizer::new(xml, Syntax::Xml) {
        match token {
            Token::Start(tag) if tag.self_closing() => emit(&tag, ""),
            Token::Start(tag) => {
                open = Some(tag);
                text.clear();
            }
            Token::Text(part) if open.is_some() => {
                references::decode(part, Context::Text, |piece| push(&mut text, piece));
            }
            Token::CData(part) if open.is_some() => push(&mut text, part),
            Token::End(_) => {
                if let Some(tag) = open.take() {
                    emit(&tag, text.trim());
                }
            }
            _ => {}
        }
    }
}

fn push(text: &mut String, piece: &str) {
    let room = MAX_VALUE_BYTES.saturating_sub(text.len());
    let piece = piece.get(..piece.floor_char_boundary(room));
    text.push_str(piece.unwrap_or_default());
}

/// Sets a field unless it already has a value.
pub fn set(field: &mut Option<String>, value: &str) {
    if field.is_none() && !value.is_empty() {
        *field = Some(value.to_owned());
    }
}

/// Adds a value to a list.
pub fn add(field: &mut Option<String>, value: &str) {
    if value.is_empty() {
        return;
    }
    match field {
        None => *field = Some(value.to_owned()),
        Some(list) if list.len() < MAX_VALUE_BYTES => {
            list.push_str("; ");
            list.push_str(value);
        }
        Some(_) => {}
    }
}

/// Reads an element of the Dublin Core, which all formats share.
pub fn dublin_core(document: &mut Document, name: &str, value: &str) {
    match name {
        "title" => set(&mut document.title, value),
        "creator" => add(&mut document.author, value),
        "language" => set(&mut document.language, value),
        "description" => set(&mut document.description, value),
        "publisher" => set(&mut document.publisher, value),
        "subject" => add(&mut document.keywords, value),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded() {
        let mut found = Vec::new();
        let xml = "<m><a> x &amp; <![CDATA[<y>]]></a>text<b/><c>unclosed";
        leaves(xml, |tag, text| {
            found.push((tag.local_name().to_owned(), text.to_owned()))
        });
        let expected = [("a", "x & <y>"), ("b", "")];
        assert_eq!(
            found,
            expected.map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
        let xml = "<x:a p:one='1' two='&lt;' three=''/>";
        leaves(xml, |tag, _| {
            assert_eq!(attribute(tag, "one").as_deref(), Some("1"));
            assert_eq!(attribute(tag, "two").as_deref(), Some("<"));
            assert_eq!(attribute(tag, "p"), None);
            let [two, one, none] = attributes(tag, ["two", "one", "p"]);
            assert_eq!((two.as_deref(), one.as_deref()), (Some("<"), Some("1")));
            assert_eq!(none, None);
        });
    }

    #[test]
    fn long_values_are_cut() {
        let xml = format!("<a>{}</a>", "é".repeat(MAX_VALUE_BYTES));
        leaves(&xml, |_, text| assert_eq!(text.len(), MAX_VALUE_BYTES));
        let mut list = None;
        (0..MAX_VALUE_BYTES).for_each(|_| add(&mut list, "keyword"));
        assert!(list.is_some_and(|list| list.len() < 2 * MAX_VALUE_BYTES));
    }
}
