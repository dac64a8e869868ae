//! Classifies characters for the tokenizer.

use std::sync::LazyLock;

use unicode_normalization::char::is_combining_mark;

/// The first character of a script without spaces. Most text consists of characters before it.
const FIRST_SPACELESS: char = '\u{0E01}';

/// Whether text of this script is split into overlapping pairs: scripts without spaces between
/// words, and Hangul, whose words include their particles.
pub fn is_spaceless(c: char) -> bool {
    c >= FIRST_SPACELESS
        && matches!(c as u32,
        // Thai and Lao, Myanmar, Khmer; their digits are words like other digits.
        0x0E01..=0x0E4E | 0x0E81..=0x0ECE | 0x0EDC..=0x0EDF | 0x1000..=0x103F | 0x1780..=0x17D3
        | 0x1100..=0x11FF | 0xAC00..=0xD7A3 // Hangul
        | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x303B // marks of repetition
        | 0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF // kana
        | 0xFF66..=0xFF9F // half-width kana
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF) // Han
        && c != '\u{0E3F}' // the sign of the baht
}

/// Whether a character belongs to the previous one: marks, and the later parts of a Hangul
/// syllable.
pub fn extends_character(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || matches!(c as u32, 0x1160..=0x11FF | 0xFF9E..=0xFF9F))
}

/// Whether a word may continue on the next line after this character. Korean words end with the
/// line; other text without spaces continues.
pub fn runs_over_lines(c: char) -> bool {
    is_spaceless(c) && !matches!(c as u32, 0x1100..=0x11FF | 0xAC00..=0xD7A3)
}

/// Whether a character is invisible inside a word: soft hyphens, joiners, byte order marks.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}'
    )
}

/// Whether a word may start with this character.
pub fn begins_word(c: char) -> bool {
    match FREQUENT.get(c as usize) {
        Some(roles) => roles.begins,
        None => Roles::of(c).begins,
    }
}

/// Whether a word may continue with this character.
pub fn continues_word(c: char) -> bool {
    match FREQUENT.get(c as usize) {
        Some(roles) => roles.continues,
        None => Roles::of(c).continues,
    }
}

/// The roles of the letters of Latin, Greek and Cyrillic. A lookup in the tables of Unicode takes
/// longer than all other processing of a word.
static FREQUENT: LazyLock<Vec<Roles>> =
    LazyLock::new(|| ('\0'..'\u{530}').map(Roles::of).collect());

/// The roles that a character can have in a word.
struct Roles {
    begins: bool,
    continues: bool,
}

impl Roles {
    fn of(c: char) -> Self {
        let begins = !is_frequent_sign(c) && c.is_alphanumeric() && !is_spaceless(c);
        let is_part = !c.is_ascii() && (is_invisible(c) || is_combining_mark(c));
        Self {
            begins,
            continues: begins || (is_part && !is_spaceless(c)),
        }
    }
}

/// Whether a character is general or East Asian punctuation: quickly recognized, and frequent.
fn is_frequent_sign(c: char) -> bool {
    matches!(c as u32, 0x2000..=0x206F | 0x2500..=0x25FF | 0x3000..=0x3004 | 0x3008..=0x3020)
}

/// Returns the length of the first character with its marks.
pub fn first_character_len(text: &str) -> usize {
    text.char_indices()
        .skip(1)
        .find(|(_, c)| !extends_character(*c))
        .map_or(text.len(), |(at, _)| at)
}
