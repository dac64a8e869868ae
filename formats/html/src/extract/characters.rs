//! What single characters mean for a text that is read, not laid out.

/// What a character is for the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Text,
    /// White space that a newline in the source cannot take away: no-break and typographic spaces.
    Space,
    /// Controls, soft hyphens and marks of zero width that only serve the layout.
    Nothing,
}

/// The role of a character other than the white space of HTML. U+3000 is text: what stands at the
/// end of a line is for the caller to see.
pub fn role(character: char) -> Role {
    match character {
        // LINE and PARAGRAPH SEPARATOR and NEXT LINE among them: no browser breaks a line there.
        '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}' => Role::Space,
        // Joiners (U+200C, U+200D) are spelling in Persian, Hindi and emoji, and marks of
        // direction are needed to read mixed lines: both stay.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {
            Role::Nothing
        }
        _ => Role::Text,
    }
}

pub const IDEOGRAPHIC_SPACE: char = '\u{3000}';

/// Whether a line of the source may end after or before this character without a space being
/// meant: Chinese characters, kana, bopomofo and their punctuation. Korean puts spaces.
pub fn joins_lines(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{312f}'
        | '\u{3190}'..='\u{31ff}'
        | '\u{3220}'..='\u{325f}'
        | '\u{3280}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff01}'..='\u{ff9f}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1aff0}'..='\u{1b16f}'
        | '\u{1f200}'..='\u{1f2ff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// What a byte may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Text,
    /// Space, tab, form feed.
    Blank,
    Newline,
    Control,
    /// The first byte of characters of which some are not text.
    Suspect,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Text; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Control;
        byte += 1;
    }
    classes[0x7f] = Class::Control;
    classes[b' ' as usize] = Class::Blank;
    classes[b'\t' as usize] = Class::Blank;
    classes[0x0c] = Class::Blank;
    classes[b'\n' as usize] = Class::Newline;
    classes[b'\r' as usize] = Class::Newline;
    classes[0xc2] = Class::Suspect;
    classes[0xe1] = Class::Suspect;
    classes[0xe2] = Class::Suspect;
    classes[0xef] = Class::Suspect;
    classes
};

#[inline(always)]
pub fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// How long the white space at the start of `bytes` is, and whether a newline is in it.
#[inline]
pub fn blank_length(bytes: &[u8]) -> (usize, bool) {
    let mut at = 0;
    let mut has_newline = false;
    loop {
        // Sources are indented by spaces.
        while word(bytes, at) == Some(SPACES) {
            at += 8;
        }
        match bytes.get(at).map(|byte| class(*byte)) {
            Some(Class::Blank) => {}
            Some(Class::Newline) => has_newline = true,
            _ => return (at, has_newline),
        }
        at += 1;
    }
}

/// The length of the text at the start of `bytes` that can be copied as it is: single spaces
/// between words belong to it, but none at its end.
#[inline]
pub fn run_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        while word(bytes, at).is_some_and(is_plain) {
            at += 8;
        }
        match bytes.get(at).map(|byte| (*byte, class(*byte))) {
            Some((_, Class::Text)) => at += 1,
            Some((b' ', _)) => match bytes.get(at + 1).map(|byte| class(*byte)) {
                Some(Class::Text) => at += 2,
                Some(Class::Suspect) if begins_text(bytes, at + 1) => at += 2,
                _ => return at,
            },
            Some((_, Class::Suspect)) if begins_text(bytes, at) => at += 1,
            _ => return at,
        }
    }
}

/// Eight bytes as a number, the first one the lowest.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = ONES << 7;
const SPACES: u64 = ONES * b' ' as u64;

/// Whether some byte of a word is that one.
#[inline(always)]
fn has(word: u64, byte: u8) -> bool {
    let other = word ^ (ONES * byte as u64);
    other.wrapping_sub(ONES) & !other & HIGH != 0
}

/// Whether eight bytes are text and single spaces, the last one not a space.
#[inline(always)]
fn is_plain(word: u64) -> bool {
    let has_control = word.wrapping_sub(SPACES) & !word & HIGH != 0;
    if has_control || has(word, 0x7f) {
        return false;
    }
    // In each byte that is a space the highest bit.
    let other = word ^ SPACES;
    let spaces = !(((other & !HIGH) + !HIGH) | other) & HIGH;
    if spaces & (spaces << 8 | 1 << 63) != 0 {
        return false;
    }
    word & HIGH == 0 || !(has(word, 0xc2) || has(word, 0xe1) || has(word, 0xe2) || has(word, 0xef))
}

/// Whether a suspect byte begins text, after all. Agrees with [`role`].
#[inline]
fn begins_text(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..).unwrap_or_default() {
        [0xc2, second, ..] => *second > 0xa0 && *second != 0xad,
        [0xe1, 0x9a, 0x80, ..] => false,
        [0xe2, 0x80, third, ..] => !matches!(third, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf),
        [0xe2, 0x81, third, ..] => !matches!(third, 0x9f | 0xa0),
        [0xef, 0xbb, 0xbf, ..] => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_agree() {
        for character in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            let by_bytes = run_length(bytes);
            let html_space = matches!(character, ' ' | '\t' | '\n' | '\x0c' | '\r');
            if role(character) == Role::Text && !html_space {
                assert_eq!(by_bytes, bytes.len(), "{character:?}");
            } else {
                assert_eq!(by_bytes, 0, "{character:?}");
            }
        }
    }

    #[test]
    fn runs_hold_single_spaces_and_end_without() {
        for (text, length) in [
            ("", 0),
            (" a", 2),
            ("a b c", 5),
            ("a b  c", 3),
            ("a b ", 3),
            ("a\tb", 1),
            ("a \u{a0}b", 1),
            ("a “b”", "a “b”".len()),
            ("a\u{ad}b", 1),
            ("日本 語", "日本 語".len()),
        ] {
            assert_eq!(run_length(text.as_bytes()), length, "{text:?}");
        }
    }

    /// What a run is, by characters.
    fn expected_run(text: &str) -> usize {
        let is_text = |c: char| role(c) == Role::Text && !c.is_ascii_whitespace();
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            if !(is_text(character) || character == ' ' && next.is_some_and(is_text)) {
                return at;
            }
        }
        text.len()
    }

    #[test]
    fn runs_are_the_same_eight_bytes_at_a_time() {
        let special = [
            " ", "  ", "\t", "\n", "\u{1}", "\u{7f}", "é", "“", "日", "\u{a0}", "\u{200b}",
            "\u{ad}", "，", "\u{feff}",
        ];
        for first in special {
            for second in special {
                for at in 0..20 {
                    for gap in 0..10 {
                        let text = format!(
                            "{}{first}{}{second}end of it",
                            "x".repeat(at + 1),
                            "y".repeat(gap)
                        );
                        assert_eq!(run_length(text.as_bytes()), expected_run(&text), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn white_space_is_measured() {
        for (text, length, has_newline) in [
            ("", 0, false),
            ("a ", 0, false),
            (" \t\x0ca", 3, false),
            ("\n                    a", 21, true),
            ("                  \r\n", 20, true),
            ("        ", 8, false),
            (" \u{a0}", 1, false),
        ] {
            assert_eq!(
                blank_length(text.as_bytes()),
                (length, has_newline),
                "{text:?}"
            );
        }
    }

    #[test]
    fn korean_is_not_joined() {
        for character in ['한', 'ㄱ', 'ᄀ', '㈀', '㉠', 'a', 'é'] {
            assert!(!joins_lines(character), "{character}");
        }
        for character in [
            '日', 'か', 'カ', 'ｶ', '、', '。', '）', '々', 'ㄅ', '𠮟', '㌔',
        ] {
            assert!(joins_lines(character), "{character}");
        }
    }
}
