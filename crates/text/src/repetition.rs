//! Measures the repetition in a text: lines, paragraphs and sequences of words, as in table A1 of
//! the Gopher paper (Rae et al. 2021). The counts are exactly those of datatrove.
//!
//! The n-grams (sequences of words or characters) of each size are computed from the n-grams of the
//! next smaller size: an n-gram can only be repeated if both shorter n-grams in it are. After the
//! pairs, ordinary texts have few candidates left. Most of them are followed by the same word
//! wherever they occur, so they need no hash table.
//!
//! Whether an n-gram was seen before is unpredictable, so the loops have no branches for it.

use std::cell::RefCell;

use crate::hashing::{Key, Table, Term, TextSet};
use crate::lines::separated;

/// Counts of the parts of a text that repeat an earlier part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// The number of parts.
    pub parts: u64,
    /// The number of parts that repeat an earlier one.
    pub repeated: u64,
    /// The number of characters in the repeated parts.
    pub repeated_characters: u64,
}

impl Duplicates {
    /// Counts the repetitions among the given parts.
    pub fn of<'a>(parts: impl Iterator<Item = &'a str>) -> Self {
        let mut seen = TextSet::default();
        let mut duplicates = Self::default();
        for part in parts {
            duplicates.parts += 1;
            if !seen.insert(part) {
                duplicates.repeated += 1;
                duplicates.repeated_characters += part.chars().count() as u64;
            }
        }
        duplicates
    }

    /// The share of the parts that are repetitions, 0 for none.
    pub fn share(&self) -> f64 {
        match self.parts {
            0 => 0.0,
            parts => self.repeated as f64 / parts as f64,
        }
    }
}

/// Counts the repeated lines of a text, which are separated by runs of newlines.
pub fn line_duplicates(text: &str) -> Duplicates {
    Duplicates::of(separated(text, 1))
}

/// Counts the repeated paragraphs of a text, which are separated by runs of two or more newlines.
///
/// ```
/// let duplicates = corpus_text::repetition::paragraph_duplicates("one\n\ntwo\n\n\none");
/// assert_eq!((duplicates.parts, duplicates.repeated), (3, 1));
/// assert_eq!(duplicates.repeated_characters, 3);
/// ```
pub fn paragraph_duplicates(text: &str) -> Duplicates {
    Duplicates::of(separated(text.trim(), 2))
}

/// The sizes whose most frequent n-gram is measured.
pub const TOP_SIZES: [usize; 3] = [2, 3, 4];
/// The sizes whose repeated n-grams are measured.
pub const DUPLICATE_SIZES: [usize; 6] = [5, 6, 7, 8, 9, 10];

/// The number of characters that count as a word in scripts without spaces.
pub const CHARACTERS_PER_WORD: usize = 2;

/// Characters in repeated n-grams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NgramCounts {
    /// For each of [`TOP_SIZES`]: the characters of all occurrences of the most frequent n-gram
    /// (of several the first), one space between words. 0 if the text is shorter.
    pub top_characters: [u64; 3],
    /// For each of [`DUPLICATE_SIZES`]: the characters in n-grams that occurred before. Counting
    /// continues after such an n-gram, so that no character counts twice.
    pub duplicate_characters: [u64; 6],
}

/// Maximum number of words of a text whose working memory is kept for reuse.
const MAX_KEPT_WORDS: usize = 1 << 20;

/// The number of the n-gram that starts at a word. Equal n-grams of one size have equal numbers.
/// N-grams that occur once have [`UNIQUE`].
type Gram = u32;

const UNIQUE: Gram = u32::MAX;

/// Maximum size of grams that are numbered by a hash table, because many of them are followed by
/// different words.
const MAX_HASHED_WORDS: usize = 2;

/// Working memory that is reused for the next text.
#[derive(Default)]
struct Scratch {
    table: Table,
    grams: Vec<Gram>,
    /// The positions of grams that occur more than once, in ascending order.
    repeated: Vec<u32>,
    /// For grams that may be repeated, the two shorter grams that they consist of.
    pairs: Vec<(Gram, Gram)>,
    /// For each word, the position in characters after it, without white space. Empty if the grams
    /// are sequences of characters.
    ends: Vec<u64>,
    /// The number of occurrences of each gram.
    occurrences: Vec<u32>,
    /// For each gram, the gram that follows its first occurrence.
    following: Vec<Gram>,
    seen: Vec<bool>,
}

/// Counts repeated n-grams of words.
///
/// ```
/// let words = ["to", "be", "or", "not", "to", "be"];
/// let counts = corpus_text::repetition::count_ngrams(words.into_iter());
/// assert_eq!(counts.top_characters[0], 10); // "to be", twice
/// ```
pub fn count_ngrams<'a>(words: impl Iterator<Item = &'a str>) -> NgramCounts {
    let mut counter = NgramCounter::new(words.size_hint().0);
    for word in words {
        counter.add(Term::new(word), word.chars().count());
    }
    counter.finish()
}

/// Counts repeated n-grams of characters that are not white space. A word of the sizes is
/// [`CHARACTERS_PER_WORD`] characters: the smallest sequences have 4 characters, the longest 20.
///
/// ```
/// let counts = corpus_text::repetition::count_character_ngrams("すもももももももものうち");
/// assert_eq!(counts.top_characters[0], 20); // もももも, five times
/// ```
pub fn count_character_ngrams(text: &str) -> NgramCounts {
    let mut scratch = Scratch::take(text.len() / 16);
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        let number = scratch.table.number_of_pair(u32::from(character), 0);
        scratch.grams.push(number);
    }
    let counts = scratch.count(CHARACTERS_PER_WORD);
    scratch.give_back();
    counts
}

/// Counts repeated n-grams of words that are added one by one.
pub(crate) struct NgramCounter<'a> {
    scratch: Scratch,
    key: Key,
    /// The word of each number.
    terms: Vec<Term<'a>>,
    end: u64,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl<'a> NgramCounter<'a> {
    /// A counter for a text that may have about this many different words.
    pub fn new(expected_words: usize) -> Self {
        Self {
            scratch: Scratch::take(expected_words),
            key: Key::default(),
            terms: Vec::new(),
            end: 0,
        }
    }

    /// Adds the next word, which has this many characters.
    #[inline]
    pub fn add(&mut self, term: Term<'a>, characters: usize) {
        let Self { scratch, terms, .. } = self;
        self.end += characters as u64;
        scratch.ends.push(self.end);
        let hash = self.key.hash_term(&term);
        let number = scratch.table.number_of_term(hash, term, terms);
        scratch.grams.push(number);
    }

    pub fn finish(mut self) -> NgramCounts {
        let counts = self.scratch.count(1);
        self.scratch.give_back();
        counts
    }
}

impl Scratch {
    /// The working memory of this thread, for a text with about this many different grams.
    fn take(expected: usize) -> Self {
        let mut scratch = SCRATCH.take();
        scratch.grams.clear();
        scratch.ends.clear();
        scratch.table.clear(expected);
        scratch
    }

    fn give_back(self) {
        if self.grams.len() <= MAX_KEPT_WORDS {
            SCRATCH.set(self);
        }
    }

    /// Counts the n-grams of the words that were added, or of sequences of `unit` characters.
    fn count(&mut self, unit: usize) -> NgramCounts {
        self.find_repeated();
        for _ in 1..unit {
            self.lengthen(1);
        }
        let mut counts = NgramCounts::default();
        let largest = DUPLICATE_SIZES[DUPLICATE_SIZES.len() - 1];
        let most = self.grams.len() / unit;
        for size in 2..=largest.min(most) {
            if size <= MAX_HASHED_WORDS {
                self.lengthen(unit);
            } else {
                self.refine(unit);
            }
            if let Some(at) = TOP_SIZES.iter().position(|top| *top == size) {
                counts.top_characters[at] = self.top(size * unit);
            } else if let Some(at) = DUPLICATE_SIZES.iter().position(|other| *other == size) {
                counts.duplicate_characters[at] = self.duplicates(size * unit);
            }
            if self.repeated.is_empty() {
                // All longer n-grams are different, so the first is as frequent as any other.
                for (at, top) in TOP_SIZES.iter().enumerate() {
                    if *top > size && *top <= most {
                        counts.top_characters[at] = self.spaced_length(0, *top * unit);
                    }
                }
                break;
            }
        }
        counts
    }

    /// Finds the words or characters that occur more than once.
    fn find_repeated(&mut self) {
        self.occurrences.clear();
        self.occurrences.resize(self.table.count(), 0);
        for gram in &self.grams {
            self.occurrences[*gram as usize] += 1;
        }
        self.repeated.clear();
        self.repeated.resize(self.grams.len(), 0);
        let mut kept = 0;
        for (position, gram) in (0..).zip(&mut self.grams) {
            let is_repeated = self.occurrences[*gram as usize] > 1;
            *gram = if is_repeated { *gram } else { UNIQUE };
            self.repeated[kept] = position;
            kept += usize::from(is_repeated);
        }
        self.repeated.truncate(kept);
    }

    /// Joins each repeated gram with the gram that starts `step` later. Keeps the positions where
    /// both are repeated, and makes the grams of all positions unique.
    fn pair(&mut self, step: usize) {
        self.pairs.clear();
        self.pairs.resize(self.repeated.len(), (0, 0));
        let mut kept = 0;
        // Places ascend, so the later gram is read before it is replaced.
        for at in 0..self.repeated.len() {
            let position = self.repeated[at];
            let second = self.grams.get(position as usize + step);
            let second = second.copied().unwrap_or(UNIQUE);
            let first = std::mem::replace(&mut self.grams[position as usize], UNIQUE);
            self.repeated[kept] = position;
            self.pairs[kept] = (first, second);
            kept += usize::from(second != UNIQUE);
        }
        self.repeated.truncate(kept);
        self.pairs.truncate(kept);
    }

    /// Lengthens the grams by `step`, which is at most their size. Grams that would extend beyond
    /// the text become unique.
    fn lengthen(&mut self, step: usize) {
        self.pair(step);
        self.table.clear(self.pairs.len());
        for pair in &mut self.pairs {
            pair.0 = self.table.number_of_pair(pair.0, pair.1);
        }
        self.occurrences.clear();
        self.occurrences.resize(self.table.count(), 0);
        for (gram, _) in &self.pairs {
            self.occurrences[*gram as usize] += 1;
        }
        self.keep_repeated();
    }

    /// Like [`Self::lengthen`], but faster if the same gram follows most occurrences of a gram:
    /// these occurrences keep their number.
    fn refine(&mut self, step: usize) {
        self.pair(step);
        // There are at most as many numbers as places, because each new number divides the
        // occurrences of another.
        let numbers = self.occurrences.len();
        self.following.resize(numbers, UNIQUE);
        for (first, second) in self.pairs.iter().rev() {
            self.following[*first as usize] = *second;
            self.occurrences[*first as usize] = 0;
        }
        self.table.clear(0);
        for pair in &mut self.pairs {
            let (first, second) = *pair;
            if self.following[first as usize] != second {
                let number = self.table.number_of_pair(first, second);
                pair.0 = numbers as Gram + number;
                if pair.0 as usize == self.occurrences.len() {
                    self.occurrences.push(0);
                }
            }
            self.occurrences[pair.0 as usize] += 1;
        }
        self.keep_repeated();
    }

    /// Stores the grams of [`Self::pairs`] that occur more than once, and keeps only their places.
    fn keep_repeated(&mut self) {
        let mut kept = 0;
        for at in 0..self.pairs.len() {
            let (position, (gram, _)) = (self.repeated[at], self.pairs[at]);
            let is_repeated = self.occurrences[gram as usize] > 1;
            self.grams[position as usize] = if is_repeated { gram } else { UNIQUE };
            self.repeated[kept] = position;
            kept += usize::from(is_repeated);
        }
        self.repeated.truncate(kept);
    }

    /// The characters of all occurrences of the most frequent n-gram; on a tie, the first one.
    fn top(&self, size: usize) -> u64 {
        let mut top = (1, 0);
        for position in &self.repeated {
            let count = self.occurrences[self.grams[*position as usize] as usize];
            if count > top.0 {
                top = (count, *position);
            }
        }
        let (count, first) = top;
        u64::from(count) * self.spaced_length(first as usize, size)
    }

    /// The characters in n-grams that occurred before.
    fn duplicates(&mut self, size: usize) -> u64 {
        self.seen.clear();
        self.seen.resize(self.occurrences.len(), false);
        let (mut next, mut characters) = (0, 0);
        for position in self.repeated.iter().map(|position| *position as usize) {
            if position < next {
                continue;
            }
            let gram = self.grams[position] as usize;
            if std::mem::replace(&mut self.seen[gram], true) {
                characters += self.length(position, size);
                next = position + size;
            }
        }
        characters
    }

    /// The characters of consecutive words.
    fn length(&self, first: usize, count: usize) -> u64 {
        if self.ends.is_empty() {
            return count as u64;
        }
        let start = match first.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        self.ends[first + count - 1] - start
    }

    /// The characters of consecutive words with one space between them.
    fn spaced_length(&self, first: usize, count: usize) -> u64 {
        let spaces = if self.ends.is_empty() {
            0
        } else {
            count as u64 - 1
        };
        self.length(first, count) + spaces
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use corpus_bytes::random::Random;

    use super::*;

    /// The definition for words.
    fn expected(words: &[&str]) -> NgramCounts {
        expected_of(words, 1, 1)
    }

    /// The definition, for sizes multiplied by `unit`, and with `space` characters between words.
    fn expected_of(words: &[&str], unit: usize, space: u64) -> NgramCounts {
        let characters = |words: &[&str]| {
            words
                .iter()
                .map(|word| word.chars().count() as u64)
                .sum::<u64>()
        };
        let mut counts = NgramCounts::default();
        for (at, size) in TOP_SIZES.into_iter().enumerate() {
            let mut grams: HashMap<&[&str], (u64, usize)> = HashMap::new();
            let size = size * unit;
            for (position, gram) in words.windows(size).enumerate() {
                grams.entry(gram).or_insert((0, position)).0 += 1;
            }
            let top = grams
                .iter()
                .max_by_key(|(_, (count, position))| (*count, std::cmp::Reverse(*position)));
            counts.top_characters[at] = top.map_or(0, |(gram, (count, _))| {
                count * (characters(gram) + space * (size as u64 - 1))
            });
        }
        for (at, size) in DUPLICATE_SIZES.into_iter().enumerate() {
            let size = size * unit;
            let mut seen = HashSet::new();
            let mut position = 0;
            while position + size <= words.len() {
                let gram = &words[position..position + size];
                if seen.insert(gram) {
                    position += 1;
                } else {
                    counts.duplicate_characters[at] += characters(gram);
                    position += size;
                }
            }
        }
        counts
    }

    #[test]
    fn counts_are_those_of_the_definition() {
        let mut random = Random(3);
        let vocabulary = ["a", "bb", "ccc", "日本", "é", "the"];
        for round in 0..500 {
            let length = random.below(60);
            let variety = 1 + random.below(vocabulary.len());
            let mut words: Vec<_> = (0..length)
                .map(|_| vocabulary[random.below(variety)])
                .collect();
            if round % 3 == 0 {
                words.extend(words.clone());
            }
            assert_eq!(
                count_ngrams(words.iter().copied()),
                expected(&words),
                "{words:?}"
            );
        }
    }

    #[test]
    fn counts_of_characters_are_those_of_the_definition() {
        let mut random = Random(8);
        let alphabet: Vec<char> = "あいa日\n 𠮟é".chars().collect();
        for round in 0..500 {
            let length = random.below(90);
            let variety = 1 + random.below(alphabet.len());
            let mut text: String = (0..length)
                .map(|_| alphabet[random.below(variety)])
                .collect();
            if round % 3 == 0 {
                text = text.repeat(2);
            }
            let characters: Vec<String> = text
                .split_whitespace()
                .flat_map(str::chars)
                .map(String::from)
                .collect();
            let characters: Vec<&str> = characters.iter().map(String::as_str).collect();
            assert_eq!(
                count_character_ngrams(&text),
                expected_of(&characters, CHARACTERS_PER_WORD, 0),
                "{text:?}"
            );
        }
    }

    #[test]
    fn texts_without_repetitions() {
        let words: Vec<String> = (0..40).map(|number| format!("w{number}")).collect();
        let counts = count_ngrams(words.iter().map(String::as_str));
        assert_eq!(counts.top_characters, [5, 8, 11]);
        assert_eq!(counts.duplicate_characters, [0; 6]);
        assert_eq!(count_ngrams(std::iter::empty()), NgramCounts::default());
        assert_eq!(count_ngrams(["one"].into_iter()), NgramCounts::default());
    }
}
