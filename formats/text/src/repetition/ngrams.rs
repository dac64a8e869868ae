//! Repeated sequences of words (n-grams).
//!
//! Each size is computed from the one below: an n-gram can only be repeated where both of the
//! (n-1)-grams in it are. After the pairs, few places are left to look at in usual texts.

use std::cell::RefCell;

use crate::hashing::{Table, hash_bytes, hash_pair};

/// The sizes whose most frequent n-gram is measured.
pub const TOP_SIZES: [usize; 3] = [2, 3, 4];
/// The sizes whose repeated n-grams are measured.
pub const DUPLICATE_SIZES: [usize; 6] = [5, 6, 7, 8, 9, 10];

/// Characters in repeated n-grams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NgramCounts {
    /// For each of [`TOP_SIZES`]: the characters of all occurrences of the most frequent n-gram
    /// (of several the first), one space between words. 0 if the text has fewer words.
    pub top_characters: [u64; 3],
    /// For each of [`DUPLICATE_SIZES`]: the characters in n-grams that occurred before. Reading goes
    /// on after such an n-gram, so that no character counts twice.
    pub duplicate_characters: [u64; 6],
}

/// The working memory of a longer text is given back.
const MAX_KEPT_WORDS: usize = 1 << 20;

/// The n-gram that starts at a word: equal numbers mean equal n-grams. [`UNIQUE`] for those that
/// occur once.
type Gram = u32;

const UNIQUE: Gram = u32::MAX;

/// Working memory, kept from text to text.
#[derive(Default)]
struct Scratch {
    table: Table,
    grams: Vec<Gram>,
    /// For each word, the position in characters after it, without white space.
    ends: Vec<u64>,
    /// For each gram its number of occurrences and the word where it first occurs.
    occurrences: Vec<(u32, u32)>,
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
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(|scratch| scratch.count(words))
}

impl Scratch {
    fn count<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> NgramCounts {
        self.read_words(words);
        let mut counts = NgramCounts::default();
        let largest = DUPLICATE_SIZES[DUPLICATE_SIZES.len() - 1];
        for size in 2..=largest.min(self.ends.len()) {
            let is_repeated = self.lengthen(size);
            if let Some(at) = TOP_SIZES.iter().position(|top| *top == size) {
                counts.top_characters[at] = self.top(size);
            } else if let Some(at) = DUPLICATE_SIZES.iter().position(|other| *other == size) {
                counts.duplicate_characters[at] = self.duplicates(size);
            }
            if !is_repeated {
                // Longer n-grams are all different; the first is as frequent as any.
                for (at, top) in TOP_SIZES.iter().enumerate() {
                    if *top > size && *top <= self.ends.len() {
                        counts.top_characters[at] = self.spaced_length(0, *top);
                    }
                }
                break;
            }
        }
        if self.ends.len() > MAX_KEPT_WORDS {
            *self = Self::default();
        }
        counts
    }

    /// Numbers the words and notes their ends.
    fn read_words<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.grams.clear();
        self.ends.clear();
        self.table.clear();
        let mut end = 0;
        for word in words {
            let length = match word.is_ascii() {
                true => word.len(),
                false => word.chars().count(),
            };
            end += length as u64;
            self.ends.push(end);
            let number = self.table.number(hash_bytes(word.as_bytes()));
            self.grams.push(number);
        }
    }

    /// Replaces the (n-1)-grams by the n-grams that start at the same words. Whether any of them
    /// occurs twice.
    fn lengthen(&mut self, size: usize) -> bool {
        let count = self.ends.len() + 1 - size;
        self.table.clear();
        self.occurrences.clear();
        // Positions before are read before they are written: an n-gram looks at its own word and
        // the next.
        for at in 0..count {
            let (first, second) = (self.grams[at], self.grams[at + 1]);
            self.grams[at] = if first == UNIQUE || second == UNIQUE {
                UNIQUE
            } else {
                let number = self.table.number(hash_pair(first, second));
                match self.occurrences.get_mut(number as usize) {
                    Some(occurrences) => occurrences.0 += 1,
                    None => self.occurrences.push((1, at as u32)),
                }
                number
            };
        }
        self.grams.truncate(count);
        let mut is_repeated = false;
        for gram in &mut self.grams {
            if *gram != UNIQUE {
                match self.occurrences[*gram as usize].0 {
                    1 => *gram = UNIQUE,
                    _ => is_repeated = true,
                }
            }
        }
        is_repeated
    }

    /// The characters of all occurrences of the most frequent n-gram.
    fn top(&self, size: usize) -> u64 {
        let mut top = (1, 0);
        for (count, first) in &self.occurrences {
            // Of equally frequent ones the first counts; they are in the order of their places.
            if *count > top.0 {
                top = (*count, *first);
            }
        }
        let (count, first) = top;
        u64::from(count) * self.spaced_length(first as usize, size)
    }

    /// The characters in n-grams that occurred before.
    fn duplicates(&mut self, size: usize) -> u64 {
        self.seen.clear();
        self.seen.resize(self.occurrences.len(), false);
        let (mut at, mut characters) = (0, 0);
        while let Some(gram) = self.grams.get(at) {
            let was_seen = match self.seen.get_mut(*gram as usize) {
                Some(seen) => std::mem::replace(seen, true),
                None => false,
            };
            if was_seen {
                characters += self.length(at, size);
                at += size;
            } else {
                at += 1;
            }
        }
        characters
    }

    /// The characters of consecutive words.
    fn length(&self, first: usize, count: usize) -> u64 {
        let start = match first.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        self.ends[first + count - 1] - start
    }

    /// The characters of consecutive words with one space between them.
    fn spaced_length(&self, first: usize, count: usize) -> u64 {
        self.length(first, count) + count as u64 - 1
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use corpus_bytes::random::Random;

    use super::*;

    /// The definition, word by word.
    fn expected(words: &[&str]) -> NgramCounts {
        let characters = |words: &[&str]| {
            words
                .iter()
                .map(|word| word.chars().count() as u64)
                .sum::<u64>()
        };
        let mut counts = NgramCounts::default();
        for (at, size) in TOP_SIZES.into_iter().enumerate() {
            let mut grams: HashMap<&[&str], (u64, usize)> = HashMap::new();
            for (place, gram) in words.windows(size).enumerate() {
                grams.entry(gram).or_insert((0, place)).0 += 1;
            }
            let top = grams
                .iter()
                .max_by_key(|(_, (count, place))| (*count, std::cmp::Reverse(*place)));
            counts.top_characters[at] = top.map_or(0, |(gram, (count, _))| {
                count * (characters(gram) + size as u64 - 1)
            });
        }
        for (at, size) in DUPLICATE_SIZES.into_iter().enumerate() {
            let mut seen = HashSet::new();
            let mut place = 0;
            while place + size <= words.len() {
                let gram = &words[place..place + size];
                if seen.insert(gram) {
                    place += 1;
                } else {
                    counts.duplicate_characters[at] += characters(gram);
                    place += size;
                }
            }
        }
        counts
    }

    #[test]
    fn counts_are_those_of_the_definition() {
        let mut random = Random(3);
        let vocabulary = ["a", "bb", "ccc", "日本", "é", "the"];
        let mut scratch = Scratch::default();
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
                scratch.count(words.iter().copied()),
                expected(&words),
                "{words:?}"
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
