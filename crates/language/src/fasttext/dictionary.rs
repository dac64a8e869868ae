//! The words and labels of a model.

use std::io::BufRead;

use super::arguments::Arguments;
use super::buckets::Buckets;
use super::error::ModelError;
use super::input::Input;

/// The token that ends a line.
pub(super) const END_OF_LINE: &[u8] = b"</s>";
/// Tokens that start with this are labels, even if the labels of the model have another prefix: the
/// file does not declare its prefix.
pub const LABEL_PREFIX: &str = "__label__";

pub(super) const HASH_START: u32 = 2_166_136_261;
/// The minimum size of a word in the file, with its NUL, count and kind.
const MIN_ENTRY_BYTES: u64 = 10;
/// Maximum average number of table entries compared per word. A dictionary that needs more was
/// crafted to be slow.
const MAX_PROBES_PER_WORD: usize = 64;
/// Upper bound for the counts of labels. In fastText, it is also the count of nodes that do not
/// exist yet.
pub(super) const MAX_COUNT: i64 = 1_000_000_000_000_000;

const EMPTY: u64 = u64::MAX;

/// Adds a byte to a hash: FNV-1a with signed bytes, as in fastText.
#[inline(always)]
pub(super) fn hash_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ i32::from(byte as i8) as u32).wrapping_mul(16_777_619)
}

#[inline]
pub(super) fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(HASH_START, |h, byte| hash_byte(h, *byte))
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    /// A word of the model with its row.
    Known(u32),
    Unknown,
    /// A label. Labels within a text are ignored.
    Label,
}

pub(super) struct Dictionary {
    /// All words, then all labels, without separators.
    bytes: Vec<u8>,
    /// The end of each of them in `bytes`.
    ends: Vec<usize>,
    /// The hash and the number of a word in each slot. The number of slots is a power of two.
    table: Vec<u64>,
    words: u32,
    pub labels: Vec<Label>,
    pub buckets: Buckets,
}

#[derive(Debug, Clone)]
pub(super) struct Label {
    pub name: String,
    /// The number of occurrences in the training data.
    pub count: i64,
}

impl Dictionary {
    pub fn read<R: BufRead>(
        input: &mut Input<R>,
        arguments: &Arguments,
    ) -> Result<Self, ModelError> {
        let size = input.count("the number of words and labels")?;
        let words = input.count("the number of words")?;
        let labels = input.count("the number of labels")?;
        let _tokens = input.i64("the dictionary")?;
        let pruned = input.i64("the number of kept n-gram rows")?;
        if words.checked_add(labels) != Some(size) {
            return Err(input.garbled_error(format_args!(
                "{words} words and {labels} labels do not add up to {size} entries"
            )));
        }
        if labels == 0 {
            return Err(input.garbled_error("it has no labels"));
        }
        let entries = input.expect("the dictionary", size.into(), MIN_ENTRY_BYTES)?;
        let mut dictionary = Self {
            bytes: Vec::new(),
            ends: Vec::with_capacity(entries),
            table: vec![EMPTY; (entries * 2).next_power_of_two()],
            words,
            labels: Vec::with_capacity(labels as usize),
            buckets: Buckets::all(arguments.bucket, words),
        };
        let mut probes = 0;
        for number in 0..size {
            let start = dictionary.bytes.len();
            input.until_nul("a word of the dictionary", &mut dictionary.bytes)?;
            let count = input.i64("the count of a word")?;
            let is_label = input.flag("the kind of a word")?;
            dictionary.ends.push(dictionary.bytes.len());
            if is_label != (number >= words) {
                return Err(input.garbled_error("words and labels are mixed in the dictionary"));
            }
            if is_label {
                if !(0..MAX_COUNT).contains(&count) {
                    return Err(input.garbled_error(format_args!("a label occurs {count} times")));
                }
                let name = String::from_utf8_lossy(&dictionary.bytes[start..]).into_owned();
                dictionary.labels.push(Label { name, count });
            }
            probes += dictionary.insert(number);
            if probes > MAX_PROBES_PER_WORD * (number as usize + 1024) {
                return Err(input.garbled_error("too many words have the same hash"));
            }
        }
        if pruned >= 0 {
            dictionary.buckets =
                Buckets::read_pruned(input, arguments.bucket, words, pruned as u64)?;
        }
        Ok(dictionary)
    }

    fn word(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.bytes[start..self.ends[number]]
    }

    fn slot_index(&self, hash: u32) -> usize {
        // The upper bits of the product depend on all bits of the hash.
        let mixed = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.table.len() - 1)
    }

    /// Adds an entry to the table, replacing an equal one. Returns the number of entries compared.
    fn insert(&mut self, number: u32) -> usize {
        let word = self.word(number);
        let hash = hash(word);
        let mut slot_index = self.slot_index(hash);
        let mut probes = 1;
        while self.table[slot_index] != EMPTY && !self.is(self.table[slot_index], hash, word) {
            slot_index = (slot_index + 1) & (self.table.len() - 1);
            probes += 1;
        }
        self.table[slot_index] = u64::from(hash) << 32 | u64::from(number);
        probes
    }

    #[inline]
    fn is(&self, entry: u64, hash: u32, word: &[u8]) -> bool {
        (entry >> 32) as u32 == hash && self.word(entry as u32) == word
    }

    #[inline]
    pub fn token(&self, word: &[u8], hash: u32) -> Token {
        let mut slot_index = self.slot_index(hash);
        loop {
            let entry = self.table[slot_index];
            if entry == EMPTY {
                return if word.starts_with(LABEL_PREFIX.as_bytes()) {
                    Token::Label
                } else {
                    Token::Unknown
                };
            }
            if self.is(entry, hash, word) {
                return match entry as u32 {
                    number if number < self.words => Token::Known(number),
                    _ => Token::Label,
                };
            }
            slot_index = (slot_index + 1) & (self.table.len() - 1);
        }
    }
}
