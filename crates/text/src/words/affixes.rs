//! Punctuation around and between words.

use crate::properties::{AFFIX, Table, is_currency, is_mark};

/// Whether a character is a quote, or separates sentences like one.
fn is_quote(character: char) -> bool {
    match character {
        '\'' | '"' | '`' | ',' => true,
        '”' | '“' | '‘' | '´' | '’' | '‚' | '„' | '»' | '«' => true,
        '（' | '）' | '⟦' | '⟧' => true,
        _ => matches!(character, '\u{3008}'..='\u{3011}' | '\u{3014}' | '\u{3015}'),
    }
}

/// The length of the mark at the start of a word, 0 if there is none.
pub fn prefix_length(text: &str, table: Table) -> usize {
    let mut characters = text.chars();
    let Some(first) = characters
        .next()
        .filter(|first| table.get(*first) & AFFIX != 0)
    else {
        return 0;
    };
    let second = characters.next();
    let is_prefix = match first {
        '.' => return dots(text.bytes()),
        '%' | '=' | '§' => true,
        '+' => !second.is_some_and(|next| next.is_ascii_digit()),
        _ => is_mark(first) || is_currency(first),
    };
    if is_prefix { first.len_utf8() } else { 0 }
}

/// The number of dots, if there are at least two.
fn dots(bytes: impl Iterator<Item = u8>) -> usize {
    match bytes.take_while(|byte| *byte == b'.').count() {
        1 => 0,
        count => count,
    }
}

/// Units that are split off after a digit. If one ends with another, the longer comes first.
const UNITS: &[&str] = &[
    "km²", "km³", "km", "m²", "m³", "dm²", "dm³", "dm", "cm²", "cm³", "cm", "mm²", "mm³", "mm",
    "ha", "µm", "nm", "yd", "in", "ft", "kg", "mg", "µg", "g", "t", "lb", "oz", "m/s", "km/h",
    "mph", "hPa", "Pa", "mbar", "mb", "MB", "kb", "KB", "gb", "GB", "tb", "TB", "T", "G", "M", "K",
    "%", "m",
];

/// The length of the mark at the end of a word, 0 if there is none.
pub fn suffix_length(text: &str, table: Table) -> usize {
    match text.as_bytes() {
        [.., b'\'', b's' | b'S'] => return "'s".len(),
        [.., 0xe2, 0x80, 0x99, b's' | b'S'] => return "’s".len(),
        // No unit ends with a digit.
        [.., b'0'..=b'9'] => return 0,
        _ => {}
    }
    let mut characters = text.chars().rev();
    let Some(last) = characters.next() else {
        return 0;
    };
    let before = characters.next();
    let after_digit = before.is_some_and(|character| character.is_ascii_digit());
    if last == '.' {
        return match dots(text.bytes().rev()) {
            0 if ends_sentence(before, characters.next()) => 1,
            count => count,
        };
    }
    if table.get(last) & AFFIX != 0
        && (is_mark(last) || (last == '+' || is_currency(last)) && after_digit)
    {
        return last.len_utf8();
    }
    if !follows_digit(text) {
        return 0;
    }
    let unit = UNITS.iter().find(|unit| {
        text.strip_suffix(**unit)
            .is_some_and(|number| number.ends_with(|last: char| last.is_ascii_digit()))
    });
    unit.map_or(0, |unit| unit.len())
}

/// The length of the longest unit.
const MAX_UNIT_BYTES: usize = 4;

/// Whether a digit is close enough to the end for a unit to follow it.
fn follows_digit(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = &bytes[bytes.len().saturating_sub(MAX_UNIT_BYTES + 1)..];
    end.iter().any(u8::is_ascii_digit)
}

/// Whether a dot after these characters is a full stop, and not part of an initial such as `J.`.
fn ends_sentence(last: Option<char>, second_last: Option<char>) -> bool {
    let Some(last) = last else {
        return false;
    };
    if last.is_uppercase() {
        return second_last.is_some_and(char::is_uppercase);
    }
    last.is_alphanumeric() || matches!(last, '%' | '²' | '-' | '+') || is_mark(last)
}

/// The length of the mark at the start of `rest`, if it splits the word. `mark` is its first
/// character, for which `may_split` must hold.
pub fn infix_length(before: Option<char>, mark: char, rest: &str) -> Option<usize> {
    let length = mark.len_utf8();
    let after = rest[length..].chars().next();
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphabetic);
    let is_digit = |character: Option<char>| character.is_some_and(|c| c.is_ascii_digit());
    let is_quote = |character: Option<char>| character.is_some_and(is_quote);
    let splits = match mark {
        '.' => {
            let dots = dots(rest.bytes());
            if dots > 0 {
                return Some(dots);
            }
            let starts = after.is_some_and(char::is_uppercase) || is_quote(after);
            let ends = before.is_some_and(char::is_lowercase) || is_quote(before);
            starts && ends
        }
        '…' => true,
        '+' | '*' | '^' => is_digit(before) && (is_digit(after) || after == Some('-')),
        ',' => is_letter(before) && is_letter(after),
        '-' => {
            let hyphens = rest
                .bytes()
                .take(3)
                .take_while(|byte| *byte == b'-')
                .count();
            let after = rest[hyphens..].chars().next();
            if (is_letter(before) || is_digit(before)) && is_letter(after) {
                return Some(hyphens);
            }
            is_digit(before) && is_digit(after) && hyphens == 1
        }
        '–' | '—' | '~' => (is_letter(before) || is_digit(before)) && is_letter(after),
        ':' | '<' | '>' | '=' | '/' => (is_letter(before) || is_digit(before)) && is_letter(after),
        _ => true,
    };
    splits.then_some(length)
}
