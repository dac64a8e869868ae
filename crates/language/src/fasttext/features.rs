//! Sums the rows of the words and n-grams of a text, which are exactly those of fastText.
//!
//! fastText adds one row after the other. Here, the rows of a word are summed first and the sums
//! are cached, because most words recur. Rounding differs in the last digits.

use corpus_bytes::step_counter::count_steps;

use super::arguments::Arguments;
use super::buckets::{Lookup, RowIds};
use super::dictionary::{Dictionary, END_OF_LINE, HASH_START, Token, hash, hash_byte};
use super::matrix::Matrix;
use super::word_cache::{MAX_WORD_BYTES, WordCache};

/// Marks around a word. N-grams include them, so that n-grams at its start and end are distinct.
const WORD_START: u8 = b'<';
const WORD_END: u8 = b'>';

const IS_SPACE: [bool; 256] = {
    let mut table = [false; 256];
    let spaces = b" \n\r\t\x0b\x0c\0";
    let mut at = 0;
    while at < spaces.len() {
        table[spaces[at] as usize] = true;
        at += 1;
    }
    table
};

/// Buffers that are reused for the next text.
#[derive(Debug, Default)]
pub(super) struct FeatureBuffers {
    /// The current word with its marks.
    word: Vec<u8>,
    /// The hashes of all words, if sequences of them have rows.
    hashes: Vec<u32>,
    /// The sum of the rows of the current word.
    word_sum: Vec<f32>,
    pub words: WordCache,
}

/// Maximum capacity that a buffer keeps after a long text.
const MAX_KEPT_CAPACITY: usize = 1 << 16;

impl FeatureBuffers {
    pub fn shrink(&mut self) {
        self.word.clear();
        self.word.shrink_to(MAX_KEPT_CAPACITY);
        self.hashes.clear();
        self.hashes.shrink_to(MAX_KEPT_CAPACITY);
    }
}

/// Sums the rows of a text.
pub(super) struct Features<'a, L> {
    pub arguments: &'a Arguments,
    pub dictionary: &'a Dictionary,
    pub input: &'a Matrix,
    /// The mapping of n-grams to rows.
    pub lookup: L,
    pub buffers: &'a mut FeatureBuffers,
    /// Rows that are not in the sum yet.
    pub ids: &'a mut RowIds,
    /// Whether rows are added in fastText's order, to round as it does.
    pub is_exact: bool,
    pub sum: &'a mut [f32],
    /// The number of rows.
    pub count: usize,
}

impl<L: Lookup> Features<'_, L> {
    pub fn of_text(&mut self, text: &[u8]) {
        self.buffers.hashes.clear();
        let mut rest = text;
        let mut ended = false;
        while let Some(start) = rest.iter().position(|byte| !IS_SPACE[usize::from(*byte)]) {
            rest = &rest[start..];
            let mut word_hash = HASH_START;
            let mut bits = 0;
            let mut length = 0;
            for byte in rest {
                if IS_SPACE[usize::from(*byte)] {
                    break;
                }
                word_hash = hash_byte(word_hash, *byte);
                bits |= byte;
                length += 1;
            }
            count_steps(start + length + 1);
            let (word, after) = rest.split_at(length);
            self.add_word(word, word_hash, bits.is_ascii());
            rest = after;
            if word == END_OF_LINE {
                ended = true;
                break;
            }
        }
        if !ended {
            self.add_word(END_OF_LINE, hash(END_OF_LINE), true);
        }
        self.add_word_ngrams();
        self.flush();
    }

    #[inline]
    fn flush(&mut self) {
        let rows = self.ids.take(self.lookup);
        self.count += rows.len();
        self.input.add_rows(rows, self.sum);
    }

    #[inline]
    fn add_word(&mut self, word: &[u8], word_hash: u32, is_ascii: bool) {
        let has_ngrams = L::ANY && self.arguments.max_chars > 0 && word != END_OF_LINE;
        if has_ngrams && !self.is_exact && word.len() <= MAX_WORD_BYTES {
            if !self.add_frequent_word(word, word_hash, is_ascii) {
                return;
            }
        } else {
            let known = match self.dictionary.token(word, word_hash) {
                Token::Label => return,
                Token::Known(row) => Some(row),
                Token::Unknown => None,
            };
            self.add_rows_of_word(word, known, has_ngrams, is_ascii);
        }
        if L::ANY && self.arguments.word_ngrams > 1 {
            self.buffers.hashes.push(word_hash);
        }
    }

    /// Adds a word with its n-grams. Returns `false` if it is a label.
    #[inline]
    fn add_frequent_word(&mut self, word: &[u8], word_hash: u32, is_ascii: bool) -> bool {
        if let Some((rows, sum)) = self.buffers.words.get(word, word_hash) {
            self.count += rows;
            add(sum, self.sum);
            count_steps(word.len());
            return true;
        }
        let known = match self.dictionary.token(word, word_hash) {
            Token::Label => return false,
            Token::Known(row) => Some(row),
            Token::Unknown => None,
        };
        self.flush();
        let mut word_sum = std::mem::take(&mut self.buffers.word_sum);
        word_sum.clear();
        word_sum.resize(self.sum.len(), 0.0);
        let mut rows_of_word = Features {
            arguments: self.arguments,
            dictionary: self.dictionary,
            input: self.input,
            lookup: self.lookup,
            buffers: self.buffers,
            ids: self.ids,
            is_exact: self.is_exact,
            sum: &mut word_sum,
            count: 0,
        };
        rows_of_word.add_rows_of_word(word, known, true, is_ascii);
        rows_of_word.flush();
        let rows = rows_of_word.count;
        self.count += rows;
        add(&word_sum, self.sum);
        self.buffers.words.put(word, word_hash, rows, &word_sum);
        self.buffers.word_sum = word_sum;
        true
    }

    #[inline]
    fn add_rows_of_word(
        &mut self,
        word: &[u8],
        known: Option<u32>,
        has_ngrams: bool,
        is_ascii: bool,
    ) {
        if let Some(row) = known {
            if self.ids.is_full(1) {
                self.flush();
            }
            self.lookup.push_row(row, self.ids);
        }
        match (has_ngrams, is_ascii) {
            (true, true) => self.add_ascii_ngrams(word),
            (true, false) => self.add_ngrams(word),
            (false, _) => {}
        }
    }

    fn mark(&mut self, word: &[u8]) {
        let marked = &mut self.buffers.word;
        marked.clear();
        marked.push(WORD_START);
        marked.extend_from_slice(word);
        marked.push(WORD_END);
    }

    /// Adds the n-grams of a word in which each character is a byte.
    #[inline]
    fn add_ascii_ngrams(&mut self, word: &[u8]) {
        self.mark(word);
        let (min, max) = (
            self.arguments.min_chars as usize,
            self.arguments.max_chars as usize,
        );
        for start in 0..word.len() + 2 {
            if self.ids.is_full(max) {
                self.flush();
            }
            let rest = &self.buffers.word[start..];
            let mut ngram_hash = HASH_START;
            count_steps(max.min(rest.len()));
            for (index, byte) in rest.iter().take(max).enumerate() {
                ngram_hash = hash_byte(ngram_hash, *byte);
                let is_mark = index == 0 && (start == 0 || rest.len() == 1);
                if index + 1 >= min && !is_mark {
                    let bucket = self.dictionary.buckets.of(ngram_hash);
                    self.lookup.push_bucket(bucket, self.ids);
                }
            }
        }
    }

    fn add_ngrams(&mut self, word: &[u8]) {
        self.mark(word);
        let (min, max) = (
            self.arguments.min_chars as usize,
            self.arguments.max_chars as usize,
        );
        let mut start = 0;
        while let Some(&first) = self.buffers.word.get(start) {
            if self.ids.is_full(max) {
                self.flush();
            }
            let mut rest = &self.buffers.word[start..];
            let mut ngram_hash = HASH_START;
            for index in 0..max {
                let Some(byte) = rest.first() else { break };
                let (character, after) = rest.split_at(character_bytes(*byte).min(rest.len()));
                count_steps(character.len());
                for byte in character {
                    ngram_hash = hash_byte(ngram_hash, *byte);
                }
                rest = after;
                let is_mark = index == 0 && (start == 0 || rest.is_empty());
                if index + 1 >= min && !is_mark {
                    let bucket = self.dictionary.buckets.of(ngram_hash);
                    self.lookup.push_bucket(bucket, self.ids);
                }
            }
            start += character_bytes(first);
        }
    }

    fn add_word_ngrams(&mut self) {
        let following = self.arguments.word_ngrams as usize - 1;
        if following == 0 {
            return;
        }
        for first in 0..self.buffers.hashes.len() {
            if self.ids.is_full(following) {
                self.flush();
            }
            let hashes = &self.buffers.hashes[first..];
            let mut hash = sign_extend(hashes[0]);
            count_steps(following.min(hashes.len()));
            for next in hashes[1..].iter().take(following) {
                hash = hash
                    .wrapping_mul(116_049_371)
                    .wrapping_add(sign_extend(*next));
                let bucket = self.dictionary.buckets.of_long(hash);
                self.lookup.push_bucket(bucket, self.ids);
            }
        }
    }
}

#[inline]
fn add(values: &[f32], sum: &mut [f32]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Sign-extends the hash of a word, as fastText does when it combines hashes.
fn sign_extend(hash: u32) -> u64 {
    i64::from(hash as i32) as u64
}

/// The length of a character in UTF-8, by its first byte.
#[inline(always)]
fn character_bytes(first: u8) -> usize {
    match first {
        ..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    }
}
