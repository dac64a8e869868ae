//! Folds case, width, ligatures and accents, so that different spellings match.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// Whether accents are kept. Stemmers need the accents of their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accents {
    Keep,
    Remove,
}

/// The end of the table, which covers the letters of Latin, Greek and Cyrillic. Each of them folds
/// independently of its neighbors, so the results are computed once.
const TABLE_END: usize = 0x0530;

/// Combining marks, which change the letter before them.
const MARKS: std::ops::Range<usize> = 0x0300..0x0370;

/// The folded form of each character.
type Table = Vec<String>;

static KEPT: LazyLock<Table> = LazyLock::new(|| table(Accents::Keep));
static REMOVED: LazyLock<Table> = LazyLock::new(|| table(Accents::Remove));

fn table(accents: Accents) -> Table {
    let folded = |at: u32| {
        let mut out = String::new();
        if let Some(c) = char::from_u32(at) {
            fold_any(c.encode_utf8(&mut [0; 4]), accents, &mut out);
        }
        out
    };
    (0..TABLE_END as u32).map(folded).collect()
}

/// Appends the folded form of a text that is ASCII, without lookups.
pub fn fold_ascii_into(text: &str, out: &mut String) {
    let from = out.len();
    out.push_str(text);
    out[from..].make_ascii_lowercase();
}

/// Appends the folded form of a text.
pub fn fold_into(text: &str, accents: Accents, out: &mut String) {
    let from = out.len();
    let table = match accents {
        Accents::Keep => &*KEPT,
        Accents::Remove => &*REMOVED,
    };
    for c in text.chars() {
        let at = c as usize;
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        match table.get(at) {
            Some(folded) if !MARKS.contains(&at) => out.push_str(folded),
            _ if is_folded(c) => out.push(c),
            _ => {
                out.truncate(from);
                return fold_any(text, accents, out);
            }
        }
    }
}

/// Whether a character folds to itself if no mark follows it: letters of Arabic, kana, Han, the
/// syllables of Hangul.
fn is_folded(c: char) -> bool {
    matches!(c as u32,
        0x0627..=0x063A | 0x0641..=0x064A | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

fn fold_any(text: &str, accents: Accents, out: &mut String) {
    match accents {
        Accents::Keep => {
            let lower = text.nfkc().flat_map(char::to_lowercase);
            out.extend(lower.filter(|c| is_kept(*c)).nfc());
        }
        Accents::Remove => {
            let mut base = '\0';
            let mut plain = String::with_capacity(text.len());
            for c in text.nfkd().flat_map(char::to_lowercase) {
                if is_accent(c) {
                    // In Cyrillic this is a separate letter, not an accent.
                    if base == 'и' && c == '\u{306}' {
                        plain.push(c);
                    }
                } else if is_kept(c) {
                    base = c;
                    push_plain(c, &mut plain);
                }
            }
            out.extend(plain.nfc());
        }
    }
}

/// Whether a character can be in a word. Compatibility forms such as ½ decompose into signs, too.
fn is_kept(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

/// Whether people omit this mark when they search. The marks of Indic and other scripts are vowels.
fn is_accent(c: char) -> bool {
    matches!(c as u32,
        0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F
        | 0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C2 | 0x05C4..=0x05C5 | 0x05C7 // Hebrew points
        | 0x0640 | 0x064B..=0x065F | 0x0670) // Arabic vowels, and the stroke that lengthens a word
}

/// Appends a letter, folded if it has a plain form although it does not decompose.
fn push_plain(c: char, out: &mut String) {
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'ł' => out.push('l'),
        'đ' | 'ð' => out.push('d'),
        'ħ' => out.push('h'),
        'ŧ' => out.push('t'),
        'ı' => out.push('i'),
        'ĸ' => out.push('k'),
        'ŋ' => out.push('n'),
        'ς' => out.push('σ'),
        _ => out.push(c),
    }
}
