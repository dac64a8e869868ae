//! Lists of words, and the search for them in a text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use aho_corasick::automaton::OverlappingState;
use aho_corasick::{AhoCorasick, PatternID};

use crate::characters::{Class, class};
use crate::japanese::Script;
use crate::lists::entries;
use crate::parts::range_of;

/// Maximum size of a list, so that a wrong file cannot exhaust the memory.
const MAX_LIST_BYTES: usize = 64 << 20;

/// A list of words or phrases.
#[derive(Debug, Clone)]
pub struct WordList {
    words: Vec<String>,
    matcher: AhoCorasick,
    ignore_case: bool,
    /// The length of the longest word.
    max_bytes: usize,
}

/// The errors of a list.
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
    /// Parses a list with one word or phrase per line. Blank lines and lines that start with `#`
    /// are skipped. With `ignore_case`, upper and lower case of any script are the same.
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
        let mut words: Vec<String> = entries(list)
            .map(|(_, word)| {
                if ignore_case {
                    fold(word).into_owned()
                } else {
                    word.to_owned()
                }
            })
            .collect();
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            return Err(ListError::Empty);
        }
        let matcher = AhoCorasick::new(&words).map_err(|_| ListError::TooLarge)?;
        let max_bytes = words.iter().map(String::len).max().unwrap_or(0);
        Ok(Self {
            words,
            matcher,
            ignore_case,
            max_bytes,
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

    /// Finds the words of the list in a text, each with its byte range. A match counts only if it
    /// is not part of a longer word: no letter or digit of the same script may touch it, unless the
    /// script is written without spaces. Between 漢字, ひらがな and カタカナ there is a boundary wherever the
    /// script changes; within a run of one of them, any place may be a boundary.
    ///
    /// Of overlapping matches, the first counts; of matches with the same start, the longest.
    pub fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, Range<usize>)> + 'a {
        self.find_where(text, |_| true)
    }

    /// Like [`find`](Self::find), but where two characters of 漢字, ひらがな or カタカナ touch, a match may
    /// start or end only where one of `words` does. `words` yields slices of the text in its order,
    /// as [`japanese::words`](crate::japanese::words) does, and is read only as far as needed.
    ///
    /// ```
    /// use corpus_text::{japanese, word_list::WordList};
    ///
    /// let list = WordList::parse("カバ\nバカ", false)?;
    /// let find = |text| list.find_in_words(text, japanese::words(text)).count();
    /// assert_eq!(find("カバは動物です"), 1);
    /// assert_eq!(find("カバンとアルバカーキ"), 0);
    /// # Ok::<(), corpus_text::word_list::ListError>(())
    /// ```
    pub fn find_in_words<'a>(
        &'a self,
        text: &'a str,
        words: impl Iterator<Item = &'a str> + 'a,
    ) -> impl Iterator<Item = (&'a str, Range<usize>)> + 'a {
        let mut boundaries = Boundaries {
            text,
            words,
            known: Vec::new(),
            read: 0,
        };
        self.find_where(text, move |at| boundaries.contains(at))
    }

    /// Finds words; `is_boundary` decides about places between two Japanese characters.
    fn find_where<'a>(
        &'a self,
        text: &'a str,
        mut is_boundary: impl FnMut(usize) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a str, Range<usize>)> + 'a {
        let folded = if self.ignore_case {
            fold(text)
        } else {
            Cow::Borrowed(text)
        };
        let mut state = OverlappingState::start();
        // The longest match from each start, until no later match can start before it.
        let mut waiting: BTreeMap<usize, (usize, PatternID)> = BTreeMap::new();
        let mut taken = 0;
        let mut read = Some(0);
        std::iter::from_fn(move || {
            loop {
                corpus_bytes::step_counter::count_steps(1);
                if let Some(entry) = waiting.first_entry()
                    && read.is_none_or(|read| entry.key() + self.max_bytes < read)
                {
                    let (start, (end, word)) = entry.remove_entry();
                    if start >= taken {
                        taken = end;
                        return Some((self.words[word.as_usize()].as_str(), start..end));
                    }
                    continue;
                }
                read?;
                self.matcher.find_overlapping(&*folded, &mut state);
                let found = state.get_match();
                read = found.map(|found| found.end());
                if let Some(found) = found.filter(|found| found.start() >= taken)
                    && is_whole(text, &found.range(), &mut is_boundary)
                {
                    // Matches are ordered by their ends, so this one is longer than the last.
                    waiting.insert(found.start(), (found.end(), found.pattern()));
                }
            }
        })
    }
}

/// Returns a text in lower case without moving any character. Characters whose lower case has
/// another number of bytes, such as İ, are unchanged.
fn fold(text: &str) -> Cow<'_, str> {
    let folded = |character: char| {
        let mut lower = character.to_lowercase();
        match (lower.next(), lower.next()) {
            // In Greek, the form depends on whether the word ends.
            (Some('ς'), None) => 'σ',
            (Some(lower), None) if lower.len_utf8() == character.len_utf8() => lower,
            _ => character,
        }
    };
    if text.chars().any(|character| folded(character) != character) {
        text.chars().map(folded).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// The positions where words start and end: a bit for each byte of the text.
struct Boundaries<'a, I> {
    text: &'a str,
    words: I,
    known: Vec<u64>,
    /// The end of the last word that was read.
    read: usize,
}

impl<'a, I: Iterator<Item = &'a str>> Boundaries<'a, I> {
    fn contains(&mut self, at: usize) -> bool {
        while self.read <= at
            && let Some(word) = self.words.next()
        {
            let word = range_of(self.text, word);
            self.add(word.start);
            self.add(word.end);
            self.read = word.end;
        }
        let bits = self.known.get(at / 64).copied().unwrap_or(0);
        bits >> (at % 64) & 1 == 1
    }

    fn add(&mut self, at: usize) {
        if at / 64 >= self.known.len() {
            self.known.resize(at / 64 + 1, 0);
        }
        self.known[at / 64] |= 1 << (at % 64);
    }
}

/// Whether a word is not part of a longer one. `is_boundary` decides about places between two
/// Japanese characters.
fn is_whole(text: &str, range: &Range<usize>, mut is_boundary: impl FnMut(usize) -> bool) -> bool {
    let mut ends_at = |at: usize| {
        let (before, after) = text.split_at(at);
        match (before.chars().next_back(), after.chars().next()) {
            (Some(one), Some(other)) if is_japanese(one) && is_japanese(other) => is_boundary(at),
            (Some(one), Some(other)) => !joins(one, other),
            _ => true,
        }
    };
    ends_at(range.start) && ends_at(range.end)
}

fn is_japanese(character: char) -> bool {
    Script::of(character).is_japanese()
}

/// Whether two characters side by side are in the same word.
fn joins(one: char, other: char) -> bool {
    let is_spaced = |character| match class(character) {
        Class::Letter | Class::Hangul | Class::Digit => is_spaced_script(character),
        _ => character == '_',
    };
    is_spaced(one) && is_spaced(other)
}

/// Whether the script of a character has spaces between words: not Thai, Lao, Khmer and Burmese.
fn is_spaced_script(character: char) -> bool {
    !matches!(character, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests {
    use corpus_bytes::random::Random;

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
    fn the_longest_whole_word_counts() {
        assert_eq!(found("new\nnew york", "New York, new"), ["new york", "new"]);
        // A longer match that is not a whole word does not hide shorter ones.
        assert_eq!(found("new\nnew yo", "New York"), ["new"]);
        assert_eq!(found("a b c\nb c d\nd", "a b c d"), ["a b c", "d"]);
        assert_eq!(
            found("x a\na b c\nc d e f", "x a b c d e f"),
            ["x a", "c d e f"]
        );
    }

    /// Compares the result with an exhaustive search: all words at each position.
    #[test]
    fn matches_are_the_leftmost_longest() {
        let list =
            WordList::parse("a\na a\na b a\nb\nb a a b\nか\nかき\nきか\nきかか", false).unwrap();
        let mut random = Random(7);
        for length in 0..400 {
            let parts = ["a ", "b ", "a", "か", "き", "、"];
            let text: String = (0..length % 40).map(|_| random.pick(&parts)).collect();
            let mut expected = Vec::new();
            let mut at = 0;
            while at < text.len() {
                let words = list
                    .words
                    .iter()
                    .filter(|word| text[at..].starts_with(*word));
                let ranges = words.map(|word| at..at + word.len());
                let whole = ranges.filter(|range| is_whole(&text, range, |_| true));
                match whole.max_by_key(|range| range.end) {
                    Some(range) => {
                        at = range.end;
                        expected.push(range);
                    }
                    None => at += text[at..].chars().next().map_or(1, char::len_utf8),
                }
            }
            let found: Vec<_> = list.find(&text).map(|(_, range)| range).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn places_are_those_of_the_text() {
        let list = WordList::parse("ÉTÉ\nοδος\nİx", true).unwrap();
        let text = "İİİ Été, ΟΔΟΣ οδος İX";
        let found: Vec<_> = list.find(text).map(|(_, range)| &text[range]).collect();
        assert_eq!(found, ["Été", "ΟΔΟΣ", "οδος", "İX"]);
    }

    #[test]
    fn in_words_matches_start_and_end_with_them() {
        let list = WordList::parse("馬鹿\n馬鹿者\n鹿\nアホ\nass\nx鹿", true).unwrap();
        let in_words = |words: &str| {
            let text = words.replace('|', "");
            let mut end = 0;
            let words = words.split('|').map(|word| {
                end += word.len();
                &text[end - word.len()..end]
            });
            let found = list.find_in_words(&text, words);
            found.map(|(word, _)| word.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(in_words("馬鹿|です"), ["馬鹿"]);
        assert_eq!(in_words("馬鹿げ|た|馬鹿"), ["馬鹿"]);
        assert_eq!(in_words("馬鹿者|達"), ["馬鹿者"]);
        // The longest match is not a word, but a shorter one is.
        assert_eq!(in_words("馬鹿|者達"), ["馬鹿"]);
        assert_eq!(in_words("馬|鹿|者"), ["馬鹿者"]);
        assert_eq!(in_words("大馬|鹿|、|アホウ|アホ"), ["鹿", "アホ"]);
        // Other scripts have the boundaries of `find`, whatever the words are.
        assert_eq!(in_words("class, a ass-x|鹿"), ["ass", "x鹿"]);
        assert_eq!(in_words("鹿"), ["鹿"]);
    }

    #[test]
    fn words_are_read_only_where_matches_need_them() {
        let list = WordList::parse("鹿", false).unwrap();
        let text = "山に花が咲く。鹿、花";
        let unread = std::iter::from_fn(|| panic!("no match touches a Japanese character"));
        assert_eq!(list.find_in_words(text, unread).count(), 1);
    }

    #[test]
    fn time_is_linear() {
        let list = WordList::parse("あ\nああ\nああああい\na\na a a b", true).unwrap();
        for pattern in ["あ", "あい", "a ", "A", "ああああ、"] {
            corpus_bytes::step_counter::assert_linear(
                pattern,
                |parts| pattern.repeat(parts).into_bytes(),
                |text| {
                    let text = std::str::from_utf8(text).unwrap_or_default();
                    let found = list.find_in_words(text, crate::japanese::words(text));
                    assert!(found.count() < text.len());
                },
            );
        }
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
