//! Lists of words, and the places where a text has them.

use std::fmt;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::characters::{Class, class};

/// The largest list that is accepted, so that a wrong file cannot take all memory.
const MAX_LIST_BYTES: usize = 64 << 20;

/// A list of words or phrases.
#[derive(Debug, Clone)]
pub struct WordList {
    words: Vec<String>,
    matcher: AhoCorasick,
    ignore_case: bool,
}

/// Why a list cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListError {
    /// No words: an empty list would silently match nothing.
    Empty,
    TooLarge,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the word list is empty"),
            Self::TooLarge => write!(f, "the word list exceeds {} MiB", MAX_LIST_BYTES >> 20),
        }
    }
}

impl std::error::Error for ListError {}

impl WordList {
    /// Parses a list with one word or phrase per line. Blank lines and lines that start with `#` are
    /// skipped. With `ignore_case`, upper and lower case of any script are the same.
    ///
    /// ```
    /// use corpus_text::word_list::WordList;
    ///
    /// let list = WordList::parse("# colours\nred\nsky blue\n赤", true)?;
    /// let text = "Red and reddish, sky blue, 赤い";
    /// let found: Vec<_> = list.find(text).map(|(word, _)| word).collect();
    /// assert_eq!(found, ["red", "sky blue", "赤"]);
    /// # Ok::<(), corpus_text::word_list::ListError>(())
    /// ```
    pub fn parse(list: &str, ignore_case: bool) -> Result<Self, ListError> {
        if list.len() > MAX_LIST_BYTES {
            return Err(ListError::TooLarge);
        }
        let mut words: Vec<String> = list
            .strip_prefix('\u{feff}')
            .unwrap_or(list)
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|word| match ignore_case {
                true => word.to_lowercase(),
                false => word.to_owned(),
            })
            .collect();
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            return Err(ListError::Empty);
        }
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&words)
            .map_err(|_| ListError::TooLarge)?;
        Ok(Self {
            words,
            matcher,
            ignore_case,
        })
    }

    /// The number of different words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the list has no words, which [`parse`](Self::parse) does not allow.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of the list that a text has, with their places: bytes of the text, or, if case is
    /// ignored, of its lower-case form. A match counts only if it is not part of a longer word: no
    /// letter or digit of the same script may touch it, unless the script is written without spaces.
    /// Between 漢字, ひらがな and カタカナ there is a boundary wherever the script changes; within a
    /// run of one of them, any place may be one.
    pub fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, Range<usize>)> + 'a {
        let text = match self.ignore_case && text.chars().any(char::is_uppercase) {
            true => std::borrow::Cow::Owned(text.to_lowercase()),
            false => std::borrow::Cow::Borrowed(text),
        };
        let mut from = 0;
        std::iter::from_fn(move || {
            while from < text.len() {
                let found = self.matcher.find(&text.as_bytes()[from..])?;
                let place = from + found.start()..from + found.end();
                if is_whole(&text, &place) {
                    from = place.end;
                    return Some((self.words[found.pattern().as_usize()].as_str(), place));
                }
                let first = text[place.start..].chars().next().map_or(1, char::len_utf8);
                from = place.start + first;
            }
            None
        })
    }
}

/// Whether a word is no part of a longer one.
fn is_whole(text: &str, place: &Range<usize>) -> bool {
    let touches = |outside: Option<char>, inside: Option<char>| match (outside, inside) {
        (Some(outside), Some(inside)) => joins(outside, inside),
        _ => false,
    };
    let word = &text[place.clone()];
    !touches(text[..place.start].chars().next_back(), word.chars().next())
        && !touches(text[place.end..].chars().next(), word.chars().next_back())
}

/// Whether two characters side by side are in the same word.
fn joins(one: char, other: char) -> bool {
    let is_spaced = |character| match class(character) {
        Class::Letter | Class::Hangul | Class::Digit => is_spaced_script(character),
        _ => character == '_',
    };
    is_spaced(one) && is_spaced(other)
}

/// Thai, Lao, Khmer and Burmese put no spaces between words.
fn is_spaced_script(character: char) -> bool {
    !matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &str, text: &str) -> Vec<String> {
        let list = WordList::parse(list, true).unwrap();
        list.find(text).map(|(word, _)| word.to_owned()).collect()
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(
            found("sex\nass", "Essex has class; an ass, sex!"),
            ["ass", "sex"]
        );
        assert_eq!(found("été", "L'ÉTÉ, étés"), ["été"]);
        assert_eq!(
            found("赤ちゃん\nアカ", "赤ちゃんとアカ"),
            ["赤ちゃん", "アカ"]
        );
        assert_eq!(found("แดง", "สีแดงสด"), ["แดง"]);
        assert_eq!(found("a b", "a b, xa b, a b_"), ["a b"]);
    }

    #[test]
    fn the_longest_word_counts() {
        assert_eq!(found("new\nnew york", "New York, new"), ["new york", "new"]);
    }

    #[test]
    fn lists_may_not_be_empty() {
        for list in ["", "\n\n", "# only a comment"] {
            assert_eq!(WordList::parse(list, false).unwrap_err(), ListError::Empty);
        }
        assert_eq!(WordList::parse("\u{feff}a\na\n", false).unwrap().len(), 1);
    }

    #[test]
    fn case_matters_if_wanted() {
        let list = WordList::parse("Rust", false).unwrap();
        assert_eq!(list.find("rust Rust").count(), 1);
    }
}
