//! The paragraphs of a page and their scores.

use super::hints::Hint;
use super::weight::weight;
use crate::extract::Kind;
use memchr::{memchr, memchr2_iter, memchr3};

/// Minimum weight of running text without a full stop.
const MIN_RUNNING_WEIGHT: u32 = 120;
/// Minimum weight of running text with a full stop.
const MIN_SENTENCE_WEIGHT: u32 = 40;
/// The value of a short line without links.
const SHORT_LINE_VALUE: f32 = -20.0;
/// Navigation is worth less than a short line, and longer navigation even less.
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
    is_running: bool,
    has_price: bool,
}

impl<'a> Block<'a> {
    pub fn new(text: &'a str, container: usize, kind: Kind, link_characters: usize) -> Self {
        let weight = weight(text);
        let link_share = match link_characters {
            0 => 0.0,
            linked => linked as f32 / text.chars().count().max(1) as f32,
        };
        let is_heading = matches!(kind, Kind::Heading(_));
        let is_text =
            weight >= MIN_RUNNING_WEIGHT || (weight >= MIN_SENTENCE_WEIGHT && has_sentence(text));
        Self {
            text,
            container,
            is_heading,
            kind,
            paragraph: 0,
            weight,
            link_share,
            is_running: is_text && !is_heading && link_share <= MAX_LINK_SHARE,
            has_price: weight < MIN_RUNNING_WEIGHT && has_price(text),
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
        self.is_running
    }

    /// Whether this is a complete sentence, however short.
    pub fn is_sentence(&self) -> bool {
        self.kind == Kind::Text && !self.is_navigation() && has_full_stop(self.text)
    }

    /// Whether the text ends with a full stop.
    pub fn ends_sentence(&self) -> bool {
        has_full_stop(self.text)
    }

    /// Whether this is a short line with a price: a currency sign next to a digit.
    pub fn has_price(&self) -> bool {
        self.has_price
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

    /// The contribution to the score of the containers around it. `hint` is their hint.
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
    // The first bytes of the signs below; most texts have none of them.
    let bytes = text.as_bytes();
    if memchr3(b'$', 0xc2, 0xe2, bytes).is_none() && memchr(0xe5, bytes).is_none() {
        return false;
    }
    let signs = text.match_indices(['$', '€', '£', '¥', '₩', '₹', '₽', '₺', '円', '元']);
    signs.into_iter().any(|(at, sign)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let after = text.get(at + sign.len()..).unwrap_or_default().trim_start();
        before.ends_with(|c: char| c.is_ascii_digit())
            || after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether a text has a number of four digits from 1900 to 2099.
fn has_year(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_some_and(u8::is_ascii_digit)
    };
    memchr2_iter(b'1', b'2', bytes).any(|at| {
        let is_year = matches!(
            bytes.get(at..at + 4),
            Some([b'1', b'9', b'0'..=b'9', b'0'..=b'9'] | [b'2', b'0', b'0'..=b'9', b'0'..=b'9'])
        );
        is_year && !is_digit(at.checked_sub(1)) && !is_digit(Some(at + 4))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_is_a_number_of_four_digits() {
        for (text, expected) in [
            ("2026-01-02", true),
            ("1. 2. 1999", true),
            ("11999", false),
            ("20260", false),
            ("1899", false),
            ("19", false),
            ("201", false),
            ("12 2019年", true),
        ] {
            assert_eq!(has_year(text), expected, "{text}");
        }
    }
}
