//! Splits a text into the words or characters that a window consists of.

use unicode_normalization::UnicodeNormalization;
use xxhash_rust::xxh3::xxh3_128;

use super::hashes::{Value, reduce};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Words,
    Characters,
    NormalizedWords,
    NormalizedCharacters,
}

const NAMES: [(Unit, &str); 4] = [
    (Unit::Words, "words"),
    (Unit::Characters, "characters"),
    (Unit::NormalizedWords, "normalized words"),
    (Unit::NormalizedCharacters, "normalized characters"),
];

/// A word or character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// The number of bytes before it.
    pub start: usize,
    pub value: Value,
}

impl Unit {
    pub fn from_name(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(unit, _)| *unit)
    }

    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(unit, _)| *unit == self);
        found.map_or("", |(_, name)| name)
    }

    pub fn values(self, text: &str) -> Vec<Value> {
        let mut values = Vec::new();
        self.for_each(text, |token| values.push(token.value));
        values
    }

    pub fn for_each(self, text: &str, mut emit: impl FnMut(Token)) {
        match self {
            Self::Characters => {
                for (start, c) in text.char_indices() {
                    let value = character(c);
                    emit(Token { start, value });
                }
            }
            // A character such as ㍿ expands to several characters, which all have its place.
            Self::NormalizedCharacters => {
                for (start, c) in text.char_indices() {
                    fold(c, |c| {
                        let value = character(c);
                        emit(Token { start, value });
                    });
                }
            }
            Self::Words => {
                for word in text.split_whitespace() {
                    emit(Token {
                        start: offset(text, word),
                        value: hashed(word),
                    });
                }
            }
            Self::NormalizedWords => {
                let mut folded = String::new();
                for word in text.split_whitespace() {
                    folded.clear();
                    word.chars().for_each(|c| fold(c, |c| folded.push(c)));
                    if !folded.is_empty() {
                        emit(Token {
                            start: offset(text, word),
                            value: hashed(&folded),
                        });
                    }
                }
            }
        }
    }
}

/// The number of bytes before a slice of a text.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

fn character(c: char) -> Value {
    let value = u64::from(c) + 1;
    [value, value]
}

fn hashed(word: &str) -> Value {
    let hash = xxh3_128(word.as_bytes());
    [reduce(hash as u64), reduce((hash >> 64) as u64)]
}

/// Passes the letters and digits of a character's compatibility decomposition, in lower case.
fn fold(c: char, mut emit: impl FnMut(char)) {
    match c {
        'a'..='z' | '0'..='9' => emit(c),
        'A'..='Z' => emit(c.to_ascii_lowercase()),
        '\0'..='\x7f' => {}
        // Decomposed syllables would count as two or three characters, and ideographs stay.
        '가'..='힣' | '一'..='鿿' => emit(c),
        _ => {
            for c in std::iter::once(c).nfkd() {
                c.to_lowercase()
                    .filter(|c| c.is_alphanumeric())
                    .for_each(&mut emit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut found = String::new();
        text.chars().for_each(|c| fold(c, |c| found.push(c)));
        found
    }

    #[test]
    fn forms_of_the_same_text_are_folded_into_one() {
        for (one, other) in [
            ("Ｆｏｏ－Ｂａｒ’ｓ", "foo-bar's"),
            ("ﾊﾟﾋﾟﾌﾟ ｶﾞｲﾄﾞ", "パピプ・ガイド"),
            ("①㍿", "1株式会社"),
            ("Cafe\u{301}", "CAFÉ"),
            ("한국어", "한국어。"),
            ("İstanbul", "istanbul"),
        ] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("일"), folded("이"));
        assert_eq!(folded("–…「」€ \u{3000}\u{200b}"), "");
    }
}
