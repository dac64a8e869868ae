//! Control characters in uzushio.

use std::borrow::Cow;

/// The windows-1252 characters of the bytes from 0x80 to 0x9F.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

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
        '\u{80}'..='\u{9f}' => WINDOWS_1252.get(character as usize - 0x80).copied(),
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
