//! Writes texts as XML, within Excel's limits.

use crate::MAX_TEXT_UNITS;

/// The length of `_x0041_`, which represents a character in Excel's texts.
const ESCAPE_LENGTH: usize = 7;

/// Appends a text. Returns whether it was truncated.
pub fn push(out: &mut String, text: &str) -> bool {
    let Some(kept) = prefix_that_fits(text) else {
        push_escaped(out, text);
        return false;
    };
    push_escaped(out, kept);
    out.push('…');
    true
}

/// Returns the prefix to keep of a text that is too long for a cell, leaving space for an ellipsis.
/// `None` if it fits.
fn prefix_that_fits(text: &str) -> Option<&str> {
    // No text has more UTF-16 units than bytes.
    if text.len() <= MAX_TEXT_UNITS {
        return None;
    }
    let (mut units, mut end) = (0, None);
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units >= MAX_TEXT_UNITS && end.is_none() {
            end = Some(at);
        }
        if units > MAX_TEXT_UNITS {
            return end.and_then(|end| text.get(..end));
        }
    }
    None
}

fn push_escaped(out: &mut String, text: &str) {
    for (at, character) in text.char_indices() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML turns a CR into a line feed, and knows no other control characters.
            '\t' | '\n' => out.push(character),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("_x{:04X}_", u32::from(character)));
            }
            '_' if is_escape(&text.as_bytes()[at..]) => out.push_str("_x005F_"),
            _ => out.push(character),
        }
    }
}

/// Whether a text begins with the escape of a character.
fn is_escape(text: &[u8]) -> bool {
    match text.get(..ESCAPE_LENGTH) {
        Some([b'_', b'x', digits @ .., b'_']) => digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        assert!(!push(&mut out, text));
        out
    }

    #[test]
    fn texts_are_escaped_for_xml_and_excel() {
        for (text, expected) in [
            ("a<b> & \"c\"", "a&lt;b&gt; &amp; \"c\""),
            ("日本\u{1}\r\n\t", "日本_x0001__x000D_\n\t"),
            ("_x0041_", "_x005F_x0041_"),
            ("_x00_ _x日本_", "_x00_ _x日本_"),
            ("\u{ffff}", "_xFFFF_"),
            ("__x0041_", "__x005F_x0041_"),
        ] {
            assert_eq!(escaped(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_limit_counts_utf16_units() {
        assert_eq!(prefix_that_fits(&"本".repeat(MAX_TEXT_UNITS)), None);
        let long = "本".repeat(MAX_TEXT_UNITS + 1);
        let kept = prefix_that_fits(&long).unwrap();
        assert_eq!(kept.chars().count(), MAX_TEXT_UNITS - 1);
    }
}
