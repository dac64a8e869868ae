//! Assigns numbers to distinct items, with hash functions and tables that are fast on many small
//! texts.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Hashes texts with a random key, so that nobody can construct words that collide.
#[derive(Clone, Copy)]
pub struct Key(u64);

impl Default for Key {
    /// The key of this process.
    fn default() -> Self {
        static KEY: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(MULTIPLIER));
        Self(*KEY)
    }
}

impl Key {
    /// Returns the hash of a term. Terms with equal hashes may differ.
    #[inline]
    pub fn hash_term(self, term: &Term<'_>) -> u64 {
        match term.text.len() {
            length @ 0..=MAX_TERM_BYTES => self.fold(term.low, term.high, length),
            _ => self.hash_long(term.text.as_bytes()),
        }
    }

    /// Sums products that the processor computes independently of each other.
    fn hash_long(self, bytes: &[u8]) -> u64 {
        let product = |chunk: &[u8], number: usize| {
            let key = self.0.wrapping_add(MULTIPLIER.wrapping_mul(number as u64));
            multiply(
                first_u64(chunk) ^ key,
                last_u64(chunk) ^ key.rotate_left(32),
            )
        };
        let (chunks, rest) = bytes.as_chunks::<16>();
        let mut sum = 0u64;
        for (chunk, number) in chunks.iter().zip(1..) {
            sum = sum.wrapping_add(product(chunk, number));
        }
        if !rest.is_empty() {
            let last = &bytes[bytes.len() - 16..];
            sum = sum.wrapping_add(product(last, chunks.len() + 1));
        }
        self.fold(sum, 0, bytes.len())
    }

    /// The hash of a pair of numbers.
    #[inline]
    fn hash_pair(self, pair: u64) -> u64 {
        multiply(pair ^ self.0, MULTIPLIER)
    }

    #[inline]
    fn fold(self, low: u64, high: u64, length: usize) -> u64 {
        let low = low ^ self.0;
        let high = high ^ self.0.rotate_left(32) ^ MULTIPLIER.wrapping_mul(length as u64 + 1);
        // Words are similar: without this step, some keys would distribute them unevenly.
        let mixed = multiply(low, high).wrapping_mul(MULTIPLIER);
        mixed ^ mixed >> 32
    }
}

/// Returns both halves of a product, combined.
#[inline]
fn multiply(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ (product >> 64) as u64
}

/// A text that is compared with others, nearly always a short one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Term<'a> {
    /// The first and the last eight bytes. A text of up to eight bytes is in `low` alone.
    low: u64,
    high: u64,
    text: &'a str,
}

/// Longer terms are compared byte by byte.
const MAX_TERM_BYTES: usize = 16;

impl<'a> Term<'a> {
    #[inline]
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let (low, high) = match bytes.len() {
            0..=8 => (short_word(bytes), 0),
            _ => (first_u64(bytes), last_u64(bytes)),
        };
        Self { low, high, text }
    }

    /// Creates a term of up to eight bytes, which `low` also contains.
    #[inline]
    pub fn short(text: &'a str, low: u64) -> Self {
        Self { low, high: 0, text }
    }

    #[inline]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Whether two terms are equal. There is a single branch, which is rarely taken.
    #[inline]
    fn is_same(&self, other: &Self) -> bool {
        let (length, other_length) = (self.text.len(), other.text.len());
        let are_ends_same =
            (self.low == other.low) & (self.high == other.high) & (length == other_length);
        are_ends_same && (length <= MAX_TERM_BYTES || self.text == other.text)
    }
}

/// Up to eight bytes in one number, the first one in its lowest bits.
#[inline]
pub fn short_word(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, _, _, ..] => {
            let shift = 8 * (bytes.len() - 4);
            // Bytes in the middle are in both halves, at the same place.
            first_u32(bytes) | last_u32(bytes) << shift
        }
        [first, .., last] => {
            let (shift, middle) = (8 * (bytes.len() - 1), bytes[bytes.len() / 2]);
            let middle = u64::from(middle) << (8 * (bytes.len() / 2));
            u64::from(*first) | middle | u64::from(*last) << shift
        }
        [only] => u64::from(*only),
        [] => 0,
    }
}

fn first_u32(bytes: &[u8]) -> u64 {
    let word = bytes.first_chunk().copied().unwrap_or_default();
    u64::from(u32::from_le_bytes(word))
}

fn last_u32(bytes: &[u8]) -> u64 {
    let word = bytes.last_chunk().copied().unwrap_or_default();
    u64::from(u32::from_le_bytes(word))
}

fn first_u64(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default())
}

fn last_u64(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.last_chunk().copied().unwrap_or_default())
}

/// A set of texts.
#[derive(Default)]
pub struct TextSet<'a> {
    key: Key,
    table: Table,
    terms: Vec<Term<'a>>,
}

impl<'a> TextSet<'a> {
    /// Adds a text. Returns `false` if the set already has it.
    #[inline]
    pub fn insert(&mut self, text: &'a str) -> bool {
        let term = Term::new(text);
        let (hash, next) = (self.key.hash_term(&term), self.table.count());
        self.table.number_of_term(hash, term, &mut self.terms) as usize == next
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Numbers pairs or terms from 0 in the order in which they first occur.
#[derive(Default)]
pub struct Table {
    key: Key,
    slots: Slots,
    /// The pair of each number, followed by unused ones.
    pairs: Vec<u64>,
}

/// A hash table from items to their numbers.
#[derive(Default)]
struct Slots {
    /// Slots up to `mask` are in use. The rest was allocated for larger texts; small texts do not
    /// touch it.
    slots: Vec<Slot>,
    mask: usize,
    count: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// The part of the hash that determines the place of the slot.
    hash: u32,
    /// 0 in empty slots, otherwise the number plus 1.
    number: u32,
}

const MIN_SLOTS: usize = 256;
/// Maximum number of slots in use before the table grows.
const MAX_FIRST_SLOTS: usize = 1 << 16;
/// Slots per item. In a sparse table, the first slot probed usually has the item.
const SLOTS_PER_ITEM: usize = 4;
const MIN_ITEMS: usize = 64;

impl Table {
    /// Empties the table and prepares it for about this many items.
    pub fn clear(&mut self, expected: usize) {
        let slots = expected.saturating_mul(SLOTS_PER_ITEM);
        let slots = slots.clamp(MIN_SLOTS, MAX_FIRST_SLOTS);
        self.slots.resize(slots.next_power_of_two());
        self.slots.count = 0;
    }

    /// The number of different items.
    pub fn count(&self) -> usize {
        self.slots.count as usize
    }

    /// Returns the number of a pair.
    #[inline]
    pub fn number_of_pair(&mut self, first: u32, second: u32) -> u32 {
        let pair = u64::from(first) << 32 | u64::from(second);
        let hash = self.key.hash_pair(pair);
        self.slots.number(hash, pair, &mut self.pairs, u64::eq)
    }

    /// Returns the number of a term. `terms` has the term of each number, followed by unused ones.
    #[inline]
    pub fn number_of_term<'a>(
        &mut self,
        hash: u64,
        term: Term<'a>,
        terms: &mut Vec<Term<'a>>,
    ) -> u32 {
        self.slots.number(hash, term, terms, Term::is_same)
    }
}

impl Slots {
    /// Empties this number of slots, which is a power of two.
    fn resize(&mut self, slots: usize) {
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot::default());
        }
        self.slots[..slots].fill(Slot::default());
        self.mask = slots - 1;
    }

    /// Returns the number of an item. `items` has the item of each number, followed by unused ones.
    ///
    /// Whether the item is new is unpredictable, so there is no branch for it.
    #[inline]
    fn number<T: Copy + Default>(
        &mut self,
        hash: u64,
        item: T,
        items: &mut Vec<T>,
        is_same: impl Fn(&T, &T) -> bool,
    ) -> u32 {
        let next = self.count as usize;
        if next * 2 >= self.mask {
            self.grow();
        }
        if items.len() <= next {
            items.resize(MIN_ITEMS.max(2 * next), T::default());
        }
        // If the item is new, this is its place. Otherwise it is not read.
        items[next] = item;
        let hash = hash as u32;
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            let is_empty = slot.number == 0;
            let number = if is_empty {
                self.count
            } else {
                slot.number - 1
            };
            if is_empty | (slot.hash == hash) && is_same(&items[number as usize], &item) {
                *slot = Slot {
                    hash,
                    number: number + 1,
                };
                self.count += u32::from(is_empty);
                return number;
            }
            at = (at + 1) & self.mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        if self.slots.is_empty() {
            return self.resize(MIN_SLOTS);
        }
        let used = self.slots[..=self.mask].iter();
        let old: Vec<Slot> = used.filter(|slot| slot.number != 0).copied().collect();
        self.resize(2 * (self.mask + 1));
        for slot in old {
            let mut at = slot.hash as usize & self.mask;
            while self.slots[at].number != 0 {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn numbers_are_given_in_order() {
        let mut table = Table::default();
        for _ in 0..3 {
            table.clear(0);
            for expected in 0..5000u32 {
                assert_eq!(table.number_of_pair(expected, 7), expected);
            }
            assert_eq!(table.number_of_pair(42, 7), 42);
            assert_eq!(table.count(), 5000);
        }
    }

    #[test]
    fn terms_with_equal_hashes_are_told_apart() {
        let mut table = Table::default();
        let mut terms = Vec::new();
        let numbers = ["a", "b", "a", "c", "b"]
            .map(|text| table.number_of_term(42, Term::new(text), &mut terms));
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn terms_are_numbered_in_a_growing_table() {
        let mut table = Table::default();
        let mut terms = Vec::new();
        let texts: Vec<String> = (0..5000).map(|number| format!("w{number}")).collect();
        for _ in 0..2 {
            for (expected, text) in (0..).zip(&texts) {
                let term = Term::new(text);
                let hash = Key::default().hash_term(&term);
                assert_eq!(table.number_of_term(hash, term, &mut terms), expected);
            }
        }
    }

    #[test]
    fn terms_are_compared_byte_by_byte() {
        for length in 0..40 {
            let word = "a".repeat(length);
            let term = Term::new(&word);
            assert!(term.is_same(&Term::new(&"a".repeat(length))));
            for other in ["a".repeat(length + 1), word.clone() + "\0"] {
                assert!(!term.is_same(&Term::new(&other)));
            }
            for at in 0..length {
                let mut other = word.clone();
                other.replace_range(at..=at, "b");
                assert!(!term.is_same(&Term::new(&other)), "{length} {at}");
            }
        }
    }

    #[test]
    fn hashes_depend_on_every_byte() {
        let key = Key::default();
        for length in 0..70 {
            let hash_of = |text: &str| key.hash_term(&Term::new(text));
            let text = "a".repeat(length);
            let hash = hash_of(&text);
            for at in 0..length {
                let mut other = text.clone();
                other.replace_range(at..=at, "b");
                assert_ne!(hash_of(&other), hash, "{length} {at}");
            }
            for other in [text.clone() + "a", text + "\0"] {
                assert_ne!(hash_of(&other), hash, "{length}");
            }
        }
    }

    #[test]
    fn hashes_spread_over_the_table() {
        for key in (1..50).map(|key| Key(multiply(key, MULTIPLIER))) {
            let used: HashSet<_> = (0..4096)
                .map(|number| key.hash_term(&Term::new(&format!("w{number}"))) & 4095)
                .collect();
            // At random, 63 % of the slots are used.
            assert!(used.len() > 2450, "{}", used.len());
        }
    }
}
