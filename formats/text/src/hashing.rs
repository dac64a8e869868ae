//! Numbers for equal things: hash functions and tables that are fast on many small texts.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::LazyLock;

/// Hashes texts with a random key, so that nobody can write a text whose words collide.
#[derive(Clone, Copy)]
pub struct Key(u64);

impl Default for Key {
    /// The key of this process.
    fn default() -> Self {
        static KEY: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(SEED));
        Self(*KEY)
    }
}

impl Key {
    /// The hash of some bytes. Equal hashes do not prove that the bytes are equal.
    #[inline]
    pub fn hash(self, bytes: &[u8]) -> u64 {
        let length = bytes.len();
        let (low, high) = match length {
            0..4 => match bytes {
                [first, .., last] => {
                    let middle = bytes[length / 2];
                    let word = u32::from_le_bytes([*first, middle, *last, 0]);
                    (u64::from(word), 0)
                }
                [only] => (u64::from(*only), 0),
                [] => (0, 0),
            },
            4..=8 => (first_u32(bytes), last_u32(bytes)),
            9..=16 => (first_u64(bytes), last_u64(bytes)),
            _ => return self.hash_long(bytes),
        };
        self.fold(low, high, length)
    }

    fn hash_long(self, bytes: &[u8]) -> u64 {
        let mut hash = self.0;
        for chunk in bytes.chunks(16) {
            hash = match chunk.len() {
                16 => Key(hash).fold(first_u64(chunk), last_u64(chunk), 16),
                length => hash ^ self.hash(chunk).wrapping_add(length as u64),
            };
        }
        self.fold(hash, 0, bytes.len())
    }

    #[inline]
    fn fold(self, low: u64, high: u64, length: usize) -> u64 {
        let low = low ^ self.0;
        let high = high ^ self.0.rotate_left(32) ^ SEED.wrapping_mul(length as u64 + 1);
        let product = u128::from(low) * u128::from(high);
        let folded = (product as u64) ^ (product >> 64) as u64;
        // Words are much alike: without this step, some keys spread them unevenly.
        let mixed = folded.wrapping_mul(SEED);
        mixed ^ mixed >> 32
    }
}

/// Whether two words are equal. They are short, so that a call to compare memory would cost more
/// than the comparison.
#[inline]
pub fn is_same_word(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    one.len() == other.len()
        && match one.len() {
            4..=8 => first_u32(one) == first_u32(other) && last_u32(one) == last_u32(other),
            9..=16 => first_u64(one) == first_u64(other) && last_u64(one) == last_u64(other),
            0..4 => one.iter().eq(other),
            _ => one == other,
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

/// Makes hash tables of the standard library use [`Key::hash`].
#[derive(Clone, Default)]
pub struct TextHasher {
    key: Key,
    hash: u64,
}

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.hash = self.hash.rotate_left(5) ^ self.key.hash(bytes);
    }

    /// The end of a text, which its hash depends on already.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.hash
    }
}

/// A set of texts.
pub type TextSet<'a> = HashSet<&'a str, BuildHasherDefault<TextHasher>>;

/// The hash of a pair of numbers.
#[inline]
pub fn hash_pair(first: u32, second: u32) -> u64 {
    mix(SEED ^ u64::from(first) << 32 ^ u64::from(second))
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection, so that pairs of numbers never collide.
#[inline]
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let value = (value ^ value >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    value ^ value >> 32
}

/// Numbers things from 0 in the order in which they first occur.
#[derive(Default)]
pub struct Table {
    /// Slots up to `mask` are in use. The rest is memory of larger texts, which small texts do not
    /// touch.
    slots: Vec<Slot>,
    mask: usize,
    round: u32,
    count: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    number: u32,
    /// The round in which the slot was filled. Slots of earlier rounds are empty.
    round: u32,
}

const MIN_SLOTS: usize = 1024;
/// The most slots that are used from the start.
const MAX_FIRST_SLOTS: usize = 1 << 16;

impl Table {
    /// Forgets everything, without touching the slots. The table will have about this many things.
    pub fn clear(&mut self, expected: usize) {
        let slots = expected.saturating_mul(2).clamp(MIN_SLOTS, MAX_FIRST_SLOTS);
        let slots = slots.next_power_of_two();
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot::default());
        }
        self.mask = slots - 1;
        self.start_round();
    }

    fn start_round(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(Slot::default());
            self.round = 1;
        }
    }

    /// The number of a thing. `is_same` says whether it is the one with the given number, whose
    /// hash is equal.
    #[inline]
    pub fn number(&mut self, hash: u64, is_same: impl Fn(u32) -> bool) -> u32 {
        if self.count as usize * 2 >= self.mask {
            self.grow();
        }
        let mut at = hash as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.round != self.round {
                let number = self.count;
                *slot = Slot {
                    hash,
                    number,
                    round: self.round,
                };
                self.count += 1;
                return number;
            }
            if slot.hash == hash && is_same(slot.number) {
                return slot.number;
            }
            at = (at + 1) & self.mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        if self.slots.is_empty() {
            return self.clear(0);
        }
        let old: Vec<Slot> = self.slots[..=self.mask]
            .iter()
            .filter(|slot| slot.round == self.round)
            .copied()
            .collect();
        self.mask = self.mask * 2 + 1;
        if self.slots.len() <= self.mask {
            self.slots.resize(self.mask + 1, Slot::default());
        }
        let count = self.count;
        self.start_round();
        self.count = count;
        for slot in old {
            let mut at = slot.hash as usize & self.mask;
            while self.slots[at].round == self.round {
                at = (at + 1) & self.mask;
            }
            self.slots[at] = Slot {
                round: self.round,
                ..slot
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_in_order() {
        let mut table = Table::default();
        for _ in 0..3 {
            table.clear(0);
            for expected in 0..5000u32 {
                assert_eq!(table.number(hash_pair(expected, 7), |_| true), expected);
            }
            assert_eq!(table.number(hash_pair(42, 7), |_| true), 42);
        }
    }

    #[test]
    fn things_with_equal_hashes_are_told_apart() {
        let things = ["a", "b", "a", "c", "b"];
        let mut table = Table::default();
        let mut firsts = Vec::new();
        let numbers = things.map(|thing| {
            let number = table.number(42, |number| firsts[number as usize] == thing);
            if number as usize == firsts.len() {
                firsts.push(thing);
            }
            number
        });
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn words_are_compared_byte_by_byte() {
        for length in 0..40 {
            let word = "a".repeat(length);
            assert!(is_same_word(&word, &"a".repeat(length)));
            assert!(!is_same_word(&word, &"a".repeat(length + 1)));
            for at in 0..length {
                let mut other = word.clone();
                other.replace_range(at..=at, "b");
                assert!(!is_same_word(&word, &other), "{length} {at}");
            }
        }
    }

    #[test]
    fn hashes_depend_on_every_byte() {
        let key = Key::default();
        for length in 0..70 {
            let mut bytes = vec![b'a'; length];
            let hash = key.hash(&bytes);
            for at in 0..length {
                bytes[at] = b'b';
                assert_ne!(key.hash(&bytes), hash, "{length} {at}");
                bytes[at] = b'a';
            }
            bytes.push(b'a');
            assert_ne!(key.hash(&bytes), hash, "{length}");
            bytes[length] = 0;
            assert_ne!(key.hash(&bytes), hash, "{length}");
        }
    }

    #[test]
    fn hashes_spread_over_the_table() {
        for key in (1..50).map(|key| Key(mix(key))) {
            let used: HashSet<_> = (0..4096)
                .map(|number| key.hash(format!("w{number}").as_bytes()) & 4095)
                .collect();
            // At random, 63 % of the slots are used.
            assert!(used.len() > 2450, "{}", used.len());
        }
    }
}
