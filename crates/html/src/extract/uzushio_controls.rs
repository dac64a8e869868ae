//! Control characters in uzushio.

use std::borrow::Cow;

use corpus_bytes::windows_1252::CHARACTERS_FROM_0X80;

/// Replaces control characters. TagSoup drops those below U+0020 and decodes the others as
/// windows-1252; Tika replaces characters that XML does not allow.
pub fn replaced(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(may_begin_control) || !text.chars().any(|c| replacement(c) != Some(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(replacement).collect())
}

/// U+0080 to U+009F start with C2, U+FFFE and U+FFFF with EF.
fn may_begin_control(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xef) || byte < b' ' && byte != b'\n' && byte != b'\t'
}

fn replacement(character: char) -> Option<char> {
    match character {
        '\n' | '\t' => Some(character),
        '\0'..='\u{1f}' => None,
        '\u{80}'..='\u{9f}' => match CHARACTERS_FROM_0X80.get(character as usize - 0x80) {
            Some(decoded) if *decoded != character => Some(*decoded),
            _ => Some('\u{fffd}'),
        },
        '\u{fffe}' | '\u{ffff}' => Some('\u{fffd}'),
        _ => Some(character),
    }
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn controls_are_dropped_or_replaced() {
        for (text, expected) in [
            ("plain, é, 日本，", "plain, é, 日本，"),
            ("a\u{1}b\x0cc\n\td", "abc\n\td"),
            ("\u{80}\u{81}\u{93}x\u{94}", "€\u{fffd}“x”"),
            ("a\u{a0}\u{ad}", "a\u{a0}\u{ad}"),
            ("a\u{ffff}", "a\u{fffd}"),
        ] {
            assert_eq!(replaced(text), expected, "{text:?}");
        }
    }
}
