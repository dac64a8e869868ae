//! The tokens of an XML part.

use corpus_markup::{Syntax, Tag, Token, Tokenizer};
use memchr::{memchr, memmem};

/// Returns the tokens that are not inside one of the skipped elements.
pub fn tokens_outside<'a>(
    xml: &'a str,
    is_skipped: impl Fn(&Tag<'a>) -> bool,
) -> impl Iterator<Item = Token<'a>> {
    let mut inside: Option<(&str, usize)> = None;
    Tokenizer::new(xml, Syntax::Xml).filter(move |token| {
        let Some((name, depth)) = &mut inside else {
            return match token {
                Token::Start(tag) if !tag.self_closing() && is_skipped(tag) => {
                    inside = Some((tag.local_name(), 1));
                    false
                }
                _ => true,
            };
        };
        match token {
            Token::Start(tag) if tag.local_name() == *name && !tag.self_closing() => *depth += 1,
            Token::End(tag) if tag.local_name() == *name => *depth -= 1,
            _ => {}
        }
        if *depth == 0 {
            inside = None;
        }
        false
    })
}

/// Passes the start tag and the markup of each element with one of these names to `emit`, except
/// nested ones, up to the element `end`. Nothing else is parsed, because most documents define far
/// more styles than they use.
pub fn elements<'a>(
    xml: &'a str,
    names: &[&str],
    end: &str,
    mut emit: impl FnMut(&Tag<'a>, &'a str),
) {
    let mut rest = xml;
    while let Some(start) = memchr(b'<', rest.as_bytes()) {
        let element = rest.get(start..).unwrap_or_default();
        let after = element.get(1..).unwrap_or_default();
        let is_end = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'/' | b'>');
        let length = after.bytes().position(is_end).unwrap_or(after.len());
        let written = after.get(..length).unwrap_or_default();
        let local = written.split_once(':').map_or(written, |(_, local)| local);
        if local == end {
            return;
        }
        rest = after;
        if !names.contains(&local) {
            continue;
        }
        if let Some(Token::Start(tag)) = Tokenizer::new(element, Syntax::Xml).next() {
            let close = match tag.self_closing() {
                true => "/>".to_owned(),
                false => format!("</{written}>"),
            };
            let found = memmem::find(element.as_bytes(), close.as_bytes());
            let end = found.map_or(element.len(), |at| at + close.len());
            let element = element.get(..end).unwrap_or_default();
            rest = after.get(end.saturating_sub(1)..).unwrap_or_default();
            emit(&tag, element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_elements_are_skipped_as_a_whole() {
        let xml = "<p>a<x>b<x/><x>c</x>d</x>e<x/>f<y>g</p>";
        let texts = tokens_outside(xml, |tag| ["x", "y"].contains(&tag.local_name()));
        let texts = texts.filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        });
        assert_eq!(texts.collect::<String>(), "aef");
    }

    #[test]
    fn elements_are_found_by_their_names() {
        let xml =
            "<?xml?><a:s n='1'/><a:ss/><a:s n='2'>x<a:t/></a:s><s n='3'><a:s/></s><a:s n='4'>cut";
        let mut found = Vec::new();
        elements(xml, &["s"], "body", |tag, element| {
            found.push((tag.attributes().value("n").unwrap_or_default(), element));
        });
        let texts: Vec<_> = found
            .iter()
            .map(|(name, element)| (&**name, *element))
            .collect();
        let [first, second, third, fourth] = texts[..] else {
            panic!("{texts:?}");
        };
        assert_eq!(first, ("1", "<a:s n='1'/>"));
        assert_eq!(second, ("2", "<a:s n='2'>x<a:t/></a:s>"));
        assert_eq!(third, ("3", "<s n='3'><a:s/></s>"));
        assert_eq!(fourth, ("4", "<a:s n='4'>cut"));
        elements("<b:body><s/></b:body>", &["s"], "body", |_, element| {
            panic!("{element}")
        });
    }
}
