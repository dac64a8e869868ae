//! The role of single characters in extracted text.

use wide::u8x16;

/// The role of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharacterRole {
    Text,
    /// White space that is not collapsed with newlines: no-break and typographic spaces.
    Space,
    /// Controls, soft hyphens and zero-width characters that only serve the layout.
    Nothing,
}

/// The role of a character other than HTML white space. U+3000 is text; callers trim it at the ends
/// of lines.
pub fn role(character: char) -> CharacterRole {
    match character {
        // Includes LINE SEPARATOR, PARAGRAPH SEPARATOR and NEXT LINE, where no browser breaks
        // lines.
        '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}' => CharacterRole::Space,
        // Joiners (U+200C, U+200D) stay, because they are spelling in Persian, Hindi and emoji.
        // Direction marks stay, because mixed lines need them.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {
            CharacterRole::Nothing
        }
        _ => CharacterRole::Text,
    }
}

pub const IDEOGRAPHIC_SPACE: char = '\u{3000}';

/// The sequences that may start with a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Text,
    /// Space, tab or form feed.
    Blank,
    Newline,
    Control,
    /// The first byte of characters, some of which are not text.
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

/// The length of the white space at the start of `bytes`, and whether it contains a newline.
#[inline]
pub fn blank_length(bytes: &[u8]) -> (usize, bool) {
    let mut at = 0;
    let mut has_newline = false;
    loop {
        match bytes.get(at).map(|byte| class(*byte)) {
            Some(Class::Blank) => at += 1,
            Some(Class::Newline) => {
                has_newline = true;
                at += 1;
                // Sources are often indented with spaces.
                while word(bytes, at) == Some(SPACES) {
                    at += 8;
                }
            }
            _ => return (at, has_newline),
        }
    }
}

/// The length of the text at the start of `bytes` that can be copied unchanged. It may contain
/// single spaces between words, but does not end with one.
#[inline]
pub fn run_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let start = at;
        at = next_stop(bytes, start);
        // The next character decides whether a space belongs to the run.
        if at > start && bytes.get(at - 1) == Some(&b' ') {
            at -= 1;
        }
        match bytes.get(at).map(|byte| (*byte, class(*byte))) {
            Some((_, Class::Text)) => at += 1,
            Some((b' ', _)) => match bytes.get(at + 1).map(|byte| class(*byte)) {
                Some(Class::Text) => at += 2,
                Some(Class::Suspect) if starts_text(bytes, at + 1) => at += 2,
                _ => return at,
            },
            Some((_, Class::Suspect)) if starts_text(bytes, at) => at += 1,
            _ => return at,
        }
    }
}

/// The number of bytes compared at a time.
const BLOCK: usize = 16;

/// The position of the next byte that may end a run: a control, a suspect byte, the first of two
/// spaces, or the end of the text.
#[inline(always)]
fn next_stop(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    // A branch skips blocks without a stop. A computed step would make each block wait for the
    // result of the previous one.
    while let Some((block, next)) = adjacent_blocks(bytes, at) {
        let stops = stops_of(block) | spaces_of(block) & spaces_of(next);
        let stops = stops.to_bitmask();
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let (block, unused) = match bytes.last_chunk() {
        Some(last) => (u8x16::new(*last), BLOCK - rest.len()),
        None => (u8x16::new(short_block(rest)), 0),
    };
    let spaces = spaces_of(block).to_bitmask();
    let double = spaces & (spaces >> 1 | 1 << (BLOCK - 1));
    let stops = (stops_of(block).to_bitmask() | double) >> unused;
    at + (stops | 1 << rest.len()).trailing_zeros() as usize
}

/// Fewer bytes than a block, followed by zeros.
#[inline(always)]
fn short_block(bytes: &[u8]) -> [u8; BLOCK] {
    let block = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            // The two words have equal bytes where they overlap.
            let last = u128::from(u64::from_le_bytes(*last));
            u128::from(u64::from_le_bytes(*first)) | last << (8 * (bytes.len() - 8))
        }
        _ => bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u128::from(*byte)),
    };
    block.to_le_bytes()
}

/// The block at a position, and the one that starts a byte later.
#[inline(always)]
fn adjacent_blocks(bytes: &[u8], at: usize) -> Option<(u8x16, u8x16)> {
    let both: &[u8; BLOCK + 1] = bytes.get(at..)?.first_chunk()?;
    let (first, second) = (both.first_chunk()?, both.last_chunk()?);
    Some((u8x16::new(*first), u8x16::new(*second)))
}

#[inline(always)]
fn spaces_of(block: u8x16) -> u8x16 {
    block.simd_eq(u8x16::splat(b' '))
}

/// The bytes of a block, except spaces, that may end a run.
#[inline(always)]
fn stops_of(block: u8x16) -> u8x16 {
    let equal = |byte: u8| block.simd_eq(u8x16::splat(byte));
    let controls = block.simd_lt(u8x16::splat(b' ')) | equal(0x7f);
    if block.to_bitmask() == 0 {
        return controls;
    }
    controls | equal(0xc2) | equal(0xe1) | equal(0xe2) | equal(0xef)
}

/// Eight bytes as a little-endian number.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);

/// Whether a suspect byte starts text. Agrees with [`role`].
#[inline]
fn starts_text(bytes: &[u8], at: usize) -> bool {
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
            if role(character) == CharacterRole::Text && !html_space {
                assert_eq!(by_bytes, bytes.len(), "{character:?}");
            } else {
                assert_eq!(by_bytes, 0, "{character:?}");
            }
        }
    }

    #[test]
    fn runs_contain_single_spaces_and_do_not_end_with_one() {
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

    /// The length of a run, determined character by character.
    fn expected_run(text: &str) -> usize {
        let is_text = |c: char| role(c) == CharacterRole::Text && !c.is_ascii_whitespace();
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
    fn runs_are_the_same_many_bytes_at_a_time() {
        let special = [
            " ", "  ", "\t", "\n", "\u{1}", "\u{7f}", "é", "“", "日", "\u{a0}", "\u{200b}",
            "\u{ad}", "，", "\u{feff}",
        ];
        for first in special {
            for second in special {
                for at in 0..40 {
                    for gap in 0..20 {
                        let text = format!("{}{first}{}{second}", "x".repeat(at), "y".repeat(gap));
                        assert_eq!(run_length(text.as_bytes()), expected_run(&text), "{text:?}");
                        let text = format!("{text}end of it");
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
}
