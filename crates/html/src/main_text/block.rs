//! The paragraphs of a page and their scores.

use super::hints::Hint;
use crate::extract::Kind;

/// Minimum weight of running text without a full stop.
const MIN_RUNNING_WEIGHT: u32 = 120;
/// Minimum weight of running text with a full stop.
const MIN_SENTENCE_WEIGHT: u32 = 40;
/// The value of a short line without links.
const SHORT_LINE_VALUE: f32 = -20.0;
/// Navigation is worth less than a short line, the more so the longer it is.
const NAVIGATION_VALUE: f32 = SHORT_LINE_VALUE * 2.0;
const NAVIGATION_VALUE_PER_WEIGHT: f32 = -0.4;
const MAX_NAVIGATION_WEIGHT: u32 = 100;
/// The factor for running text in a container that a hint marks as main content.
const MAIN_HINT_FACTOR: f32 = 1.3;
/// A block with a larger share of links is navigation.
const MAX_LINK_SHARE: f32 = 0.6;
/// A list with a larger share of links, at the end of an article, leads to other articles.
const MAX_LINK_SHARE_AT_END: f32 = 0.35;

/// A paragraph of the document. Lists and tables are scored as a whole.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    pub text: &'a str,
    /// The index of the innermost element that contains all of it.
    pub container: usize,
    pub is_heading: bool,
    pub kind: Kind,
    /// Its index among the paragraphs of the document.
    pub paragraph: usize,
    /// The amount of text, which is comparable between scripts: see [`weight`].
    pub weight: u32,
    /// The share of its characters that are in links, from 0 to 1.
    link_share: f32,
}

impl<'a> Block<'a> {
    pub fn new(text: &'a str, container: usize, kind: Kind, link_characters: usize) -> Self {
        let characters = text.chars().count().max(1);
        Self {
            text,
            container,
            is_heading: matches!(kind, Kind::Heading(_)),
            kind,
            paragraph: 0,
            weight: weight(text),
            link_share: link_characters as f32 / characters as f32,
        }
    }

    pub fn is_navigation(&self) -> bool {
        self.link_share > MAX_LINK_SHARE
    }

    /// Whether this is a list that leads to other pages, if it is at the end of an article.
    pub fn is_link_list(&self) -> bool {
        self.kind == Kind::List && self.link_share > MAX_LINK_SHARE_AT_END
    }

    /// Whether this is a short line with a year, such as a date line.
    pub fn has_date(&self) -> bool {
        self.weight < MIN_RUNNING_WEIGHT && has_year(self.text)
    }

    pub fn is_running(&self) -> bool {
        let is_text = self.weight >= MIN_RUNNING_WEIGHT
            || (self.weight >= MIN_SENTENCE_WEIGHT && has_sentence(self.text));
        is_text && !self.is_heading && !self.is_navigation()
    }

    /// Whether this is a complete sentence, however short.
    pub fn is_sentence(&self) -> bool {
        self.kind == Kind::Text && !self.is_navigation() && has_full_stop(self.text)
    }

    /// Whether the text ends with a full stop.
    pub fn ends_sentence(&self) -> bool {
        has_full_stop(self.text)
    }

    /// Whether this is a short line with a price: a sign of a currency next to a digit.
    pub fn has_price(&self) -> bool {
        self.weight < MIN_RUNNING_WEIGHT && has_price(self.text)
    }

    /// The amount of text in links.
    pub fn link_weight(&self) -> f32 {
        self.weight as f32 * self.link_share
    }

    /// Whether this is running text or a sentence.
    pub fn is_prose(&self) -> bool {
        self.is_running() || self.is_sentence()
    }

    /// The amount of running text outside links.
    pub fn running_weight(&self) -> f32 {
        if self.is_running() {
            self.weight as f32 * (1.0 - self.link_share)
        } else {
            0.0
        }
    }

    /// The contribution to the score of the containers around it. `hint` is the hint of these.
    pub fn value(&self, hint: Hint) -> f32 {
        if hint == Hint::Boilerplate || self.is_navigation() {
            let weight = self.weight.min(MAX_NAVIGATION_WEIGHT);
            return NAVIGATION_VALUE + weight as f32 * NAVIGATION_VALUE_PER_WEIGHT;
        }
        if !self.is_running() {
            return SHORT_LINE_VALUE;
        }
        match hint {
            Hint::Main => self.running_weight() * MAIN_HINT_FACTOR,
            _ => self.running_weight(),
        }
    }
}

/// The number of characters. Those of scripts that need fewer characters count three times.
pub fn weight(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let is_counted =
        |byte: &u8| (*byte as i8) >= FIRST_BYTES && !matches!(byte, b' ' | b'\n' | b'\t');
    let mut weight: usize = bytes
        .chunks(MAX_COUNT)
        .map(|part| count(part, is_counted))
        .sum();
    if !text.is_ascii() {
        // Wide characters have at least three bytes.
        let starts = bytes
            .get(..bytes.len().saturating_sub(2))
            .unwrap_or_default();
        for (index, part) in starts.chunks(MAX_COUNT).enumerate() {
            let at = index * MAX_COUNT;
            let next = bytes.get(at + 1..).unwrap_or_default();
            let last = bytes.get(at + 2..).unwrap_or_default();
            let triples = part.iter().zip(next).zip(last);
            let wide = triples
                .clone()
                .map(|((a, b), c)| u8::from(is_wide(*a, *b, *c)));
            weight += 2 * usize::from(wide.sum::<u8>());
            let spaces = triples.map(|((a, b), c)| u8::from([*a, *b, *c] == [0xe3, 0x80, 0x80]));
            weight -= usize::from(spaces.sum::<u8>());
        }
    }
    u32::try_from(weight).unwrap_or(u32::MAX)
}

/// The lowest byte, as a signed number, that starts a character.
const FIRST_BYTES: i8 = -0x40;
/// The greatest number that fits in a byte: the compiler then vectorizes counts.
const MAX_COUNT: usize = u8::MAX as usize;

/// The number of bytes in a part of at most [`MAX_COUNT`] bytes for which `is` is true.
#[inline(always)]
fn count(part: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    usize::from(part.iter().map(|byte| u8::from(is(byte))).sum::<u8>())
}

/// Whether these are the first bytes of a character that counts three times: U+2E80 to U+9FFF
/// except U+3000, U+AC00 to U+D7AF, U+F900 to U+FAFF, and U+20000 to U+3FFFF.
#[inline(always)]
fn is_wide(first: u8, second: u8, third: u8) -> bool {
    (first == 0xe2) & (second >= 0xba)
        | (first >= 0xe3) & (first <= 0xe9) & ([first, second, third] != [0xe3, 0x80, 0x80])
        | (first == 0xea) & (second >= 0xb0)
        | (first == 0xeb)
        | (first == 0xec)
        | (first == 0xed) & ((second < 0x9e) | (second == 0x9e) & (third <= 0xaf))
        | (first == 0xef) & (second >= 0xa4) & (second <= 0xab)
        | (first == 0xf0) & (second >= 0xa0)
}

fn has_sentence(text: &str) -> bool {
    text.ends_with([
        '.', '!', '?', '。', '！', '？', '…', '"', '”', '»', '」', ':', '۔', '।', '။',
    ])
}

/// Whether a text ends with a full stop. An ellipsis means that a teaser continues elsewhere.
fn has_full_stop(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '！', '？', '؟', '۔', '।', '။']) && !text.ends_with("...")
}

fn has_price(text: &str) -> bool {
    let signs = text.match_indices(['$', '€', '£', '¥', '₩', '₹', '₽', '₺', '円', '元']);
    signs.into_iter().any(|(at, sign)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let after = text.get(at + sign.len()..).unwrap_or_default().trim_start();
        before.ends_with(|c: char| c.is_ascii_digit())
            || after.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| matches!(number.as_bytes(), [b'1', b'9', _, _] | [b'2', b'0', _, _]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_depend_on_scripts() {
        let of = |character| match character {
            ' ' | '\n' | '\t' | '\u{3000}' => 0,
            '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' => 3,
            '\u{20000}'..='\u{3ffff}' => 3,
            _ => 1,
        };
        for character in '\0'..=char::MAX {
            let text = format!("{character}{character} é");
            assert_eq!(weight(&text), 2 * of(character) + 1, "{character:?}");
        }
    }

    #[test]
    fn long_texts_are_counted_in_parts() {
        for character in ['a', ' ', 'é', '日', '\u{3000}'] {
            let one = weight(&character.to_string());
            for length in 0..600 {
                let text: String = std::iter::repeat_n(character, length).collect();
                assert_eq!(weight(&text), one * length as u32);
            }
        }
    }
}
