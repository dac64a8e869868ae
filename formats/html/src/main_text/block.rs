//! The paragraphs of a page, and what they say of the elements around them.

use super::hints::Hint;
use crate::extract::Kind;

/// From this weight on, a block is running text even without a full stop.
const LONG: u32 = 120;
/// With less weight, a block is not running text even with a full stop.
const SHORT: u32 = 40;
/// The value of a short line without links.
const SMALL: f32 = -20.0;
/// A block with a larger share of links is navigation.
const MAX_LINKS: f32 = 0.6;
/// A list with a larger share of links, at the end of an article, leads to other articles.
const MAX_LINKS_AT_END: f32 = 0.35;

/// A paragraph of the document. Lists and tables are weighed as a whole.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    pub text: &'a str,
    /// The index of the innermost element around all of it.
    pub container: usize,
    pub is_heading: bool,
    pub kind: Kind,
    /// The amount of text, comparable between scripts: see [`weight`].
    pub weight: u32,
    /// How much of it is in links, from 0 to 1.
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
            weight: weight(text),
            link_share: link_characters as f32 / characters as f32,
        }
    }

    pub fn is_navigation(&self) -> bool {
        self.link_share > MAX_LINKS
    }

    /// Whether it is a list that leads to other pages, if it comes at the end of an article.
    pub fn is_link_list(&self) -> bool {
        self.kind == Kind::List && self.link_share > MAX_LINKS_AT_END
    }

    /// Whether it is a short line with a year, such as a date line.
    pub fn has_date(&self) -> bool {
        self.weight < LONG && has_year(self.text)
    }

    pub fn is_running(&self) -> bool {
        let is_text = self.weight >= LONG || (self.weight >= SHORT && has_sentence(self.text));
        is_text && !self.is_heading && !self.is_navigation()
    }

    /// Whether it is a complete sentence, however short.
    pub fn is_sentence(&self) -> bool {
        self.kind == Kind::Text && !self.is_navigation() && has_full_stop(self.text)
    }

    /// Whether it is running text or a sentence.
    pub fn is_prose(&self) -> bool {
        self.is_running() || self.is_sentence()
    }

    /// How much running text it has outside of links.
    pub fn running_weight(&self) -> f32 {
        if self.is_running() {
            self.weight as f32 * (1.0 - self.link_share)
        } else {
            0.0
        }
    }

    /// How much it speaks for the containers around it. The hint is what these say.
    pub fn value(&self, hint: Hint) -> f32 {
        if hint == Hint::Beside || self.is_navigation() {
            return SMALL * 2.0 - self.weight.min(100) as f32 * 0.4;
        }
        if !self.is_running() {
            return SMALL;
        }
        match hint {
            Hint::Main => self.running_weight() * 1.3,
            _ => self.running_weight(),
        }
    }
}

/// Characters count; those of scripts that need fewer of them for the same text count more.
pub fn weight(text: &str) -> u32 {
    let of = |c: char| match c {
        ' ' | '\n' | '\t' | '\u{3000}' => 0,
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' => 3,
        '\u{20000}'..='\u{3ffff}' => 3,
        _ => 1,
    };
    text.chars().map(of).fold(0, u32::saturating_add)
}

fn has_sentence(text: &str) -> bool {
    text.ends_with([
        '.', '!', '?', '。', '！', '？', '…', '"', '”', '»', '」', ':', '۔', '।', '။',
    ])
}

/// Whether a full stop ends it. After an ellipsis, a teaser goes on elsewhere.
fn has_full_stop(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '！', '？', '؟', '۔', '।', '။']) && !text.ends_with("...")
}

fn has_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| matches!(number.as_bytes(), [b'1', b'9', _, _] | [b'2', b'0', _, _]))
}
