//! The tokens of an XML part.

use corpus_markup::{Syntax, Token, Tokenizer};

/// Returns the tokens that are not inside one of the named elements.
pub fn tokens_outside<'a>(xml: &'a str, names: &[&str]) -> impl Iterator<Item = Token<'a>> {
    let mut inside: Option<(&str, usize)> = None;
    Tokenizer::new(xml, Syntax::Xml).filter(move |token| {
        let Some((name, depth)) = &mut inside else {
            return match token {
                Token::Start(tag) if names.contains(&tag.local_name()) && !tag.self_closing() => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_elements_are_skipped_as_a_whole() {
        let xml = "<p>a<x>b<x/><x>c</x>d</x>e<x/>f<y>g</p>";
        let texts = tokens_outside(xml, &["x", "y"]).filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        });
        assert_eq!(texts.collect::<String>(), "aef");
    }
}
