//! Repeated sequences of words or characters (n-grams).
//!
//! Each size is computed from the one below: an n-gram can only be repeated where both of the
//! shorter ones in it are. After the pairs, few places are left to look at in usual texts.

use std::cell::RefCell;

use crate::hashing::{Key, Table, hash_pair, is_same_word};

/// The sizes whose most frequent n-gram is measured.
pub const TOP_SIZES: [usize; 3] = [2, 3, 4];
/// The sizes whose repeated n-grams are measured.
pub const DUPLICATE_SIZES: [usize; 6] = [5, 6, 7, 8, 9, 10];

/// The number of characters that count like a word where there are no spaces.
pub const CHARACTERS_PER_WORD: usize = 2;

/// Characters in repeated n-grams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NgramCounts {
    /// For each of [`TOP_SIZES`]: the characters of all occurrences of the most frequent n-gram
    /// (of several the first), one space between words. 0 if the text is shorter.
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
    /// The places of grams that occur more than once, in ascending order.
    repeated: Vec<u32>,
    /// The hashes of grams that may be repeated.
    hashes: Vec<u64>,
    /// For each word, the position in characters after it, without white space. Empty if the grams
    /// are sequences of characters.
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
    let mut counter = NgramCounter::new(words.size_hint().0);
    for word in words {
        counter.add(word, word.chars().count());
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
        let number = scratch
            .table
            .number(hash_pair(u32::from(character), 0), |_| true);
        scratch.note(number, scratch.grams.len() as u32);
        scratch.grams.push(number);
    }
    let counts = scratch.count(CHARACTERS_PER_WORD);
    scratch.give_back();
    counts
}

/// Counts repeated n-grams of words that come one by one.
pub(crate) struct NgramCounter<'a> {
    scratch: Scratch,
    key: Key,
    /// The text of each word number.
    texts: Vec<&'a str>,
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
            texts: Vec::new(),
            end: 0,
        }
    }

    /// Adds the next word, which has this many characters.
    #[inline]
    pub fn add(&mut self, word: &'a str, characters: usize) {
        let Self { scratch, texts, .. } = self;
        self.end += characters as u64;
        let place = scratch.ends.len() as u32;
        scratch.ends.push(self.end);
        let hash = self.key.hash(word.as_bytes());
        let is_same = |number: u32| is_same_word(texts[number as usize], word);
        let number = scratch.table.number(hash, is_same);
        if number as usize == texts.len() {
            texts.push(word);
        }
        scratch.note(number, place);
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
        scratch.occurrences.clear();
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
        self.repeated.clear();
        self.repeated.extend(0..self.grams.len() as u32);
        self.keep_repeated();
        for _ in 1..unit {
            self.lengthen(1);
        }
        let mut counts = NgramCounts::default();
        let largest = DUPLICATE_SIZES[DUPLICATE_SIZES.len() - 1];
        let most = self.grams.len() / unit;
        for size in 2..=largest.min(most) {
            self.lengthen(unit);
            if let Some(at) = TOP_SIZES.iter().position(|top| *top == size) {
                counts.top_characters[at] = self.top(size * unit);
            } else if let Some(at) = DUPLICATE_SIZES.iter().position(|other| *other == size) {
                counts.duplicate_characters[at] = self.duplicates(size * unit);
            }
            if self.repeated.is_empty() {
                // Longer n-grams are all different; the first is as frequent as any.
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

    /// Notes an occurrence of a gram.
    #[inline]
    fn note(&mut self, number: Gram, place: u32) {
        match self.occurrences.get_mut(number as usize) {
            Some(occurrences) => occurrences.0 += 1,
            None => self.occurrences.push((1, place)),
        }
    }

    /// Marks grams that occur once, and forgets their places. All places have a gram.
    ///
    /// Which grams are repeated is not predictable, so there is no branch for it.
    fn keep_repeated(&mut self) {
        let mut kept = 0;
        for at in 0..self.repeated.len() {
            let place = self.repeated[at];
            let gram = &mut self.grams[place as usize];
            let is_repeated = self.occurrences[*gram as usize].0 > 1;
            *gram = if is_repeated { *gram } else { UNIQUE };
            self.repeated[kept] = place;
            kept += usize::from(is_repeated);
        }
        self.repeated.truncate(kept);
    }

    /// Makes the grams longer by `step`, which is at most their size: each one is joined with the
    /// one that starts `step` later. Those that would be longer than the text become unique.
    fn lengthen(&mut self, step: usize) {
        self.hashes.clear();
        self.hashes.resize(self.repeated.len(), 0);
        let mut kept = 0;
        // The later gram is replaced after it was read, because places ascend. Again no branches.
        for at in 0..self.repeated.len() {
            let place = self.repeated[at];
            let second = self.grams.get(place as usize + step);
            let second = second.copied().unwrap_or(UNIQUE);
            let first = std::mem::replace(&mut self.grams[place as usize], UNIQUE);
            self.repeated[kept] = place;
            self.hashes[kept] = hash_pair(first, second);
            kept += usize::from(second != UNIQUE);
        }
        self.repeated.truncate(kept);
        self.table.clear(kept);
        self.occurrences.clear();
        for at in 0..kept {
            let place = self.repeated[at];
            let number = self.table.number(self.hashes[at], |_| true);
            self.note(number, place);
            self.grams[place as usize] = number;
        }
        self.keep_repeated();
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
        let (mut next, mut characters) = (0, 0);
        for place in self.repeated.iter().map(|place| *place as usize) {
            if place < next {
                continue;
            }
            let gram = self.grams[place] as usize;
            if std::mem::replace(&mut self.seen[gram], true) {
                characters += self.length(place, size);
                next = place + size;
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
        let spaces = match self.ends.is_empty() {
            true => 0,
            false => count as u64 - 1,
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

    /// The definition, for sizes times `unit` and so many characters between words.
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
            for (place, gram) in words.windows(size).enumerate() {
                grams.entry(gram).or_insert((0, place)).0 += 1;
            }
            let top = grams
                .iter()
                .max_by_key(|(_, (count, place))| (*count, std::cmp::Reverse(*place)));
            counts.top_characters[at] = top.map_or(0, |(gram, (count, _))| {
                count * (characters(gram) + space * (size as u64 - 1))
            });
        }
        for (at, size) in DUPLICATE_SIZES.into_iter().enumerate() {
            let size = size * unit;
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
