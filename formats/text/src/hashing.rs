//! Numbers for equal things: a hash function and a table that are fast on many small texts.

/// The hash of a word. Two different words of one text share a hash with a probability of about
/// n² / 2⁶⁵, which is less than one in ten million for a million words.
#[inline]
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = SEED ^ (bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = mix(hash ^ u64::from_le_bytes(word));
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        hash = mix(hash ^ u64::from_le_bytes(word));
    }
    hash
}

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

/// Numbers hashes from 0 in the order in which they first occur.
#[derive(Default)]
pub struct Table {
    /// Hash, number, and the round in which the slot was filled.
    slots: Vec<(u64, u32, u32)>,
    round: u32,
    count: u32,
}

const MIN_SLOTS: usize = 1024;

impl Table {
    /// Forgets everything, in no time: slots of earlier rounds count as empty.
    pub fn clear(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill((0, 0, 0));
            self.round = 1;
        }
    }

    /// The number of a hash.
    #[inline]
    pub fn number(&mut self, hash: u64) -> u32 {
        if self.count as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (slot_hash, number, round) = self.slots[at];
            if round != self.round {
                let number = self.count;
                self.slots[at] = (hash, number, self.round);
                self.count += 1;
                return number;
            }
            if slot_hash == hash {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(MIN_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0, 0); size]);
        if self.round == 0 {
            self.round = 1;
        }
        let mask = size - 1;
        for slot in old.into_iter().filter(|slot| slot.2 == self.round) {
            let mut at = slot.0 as usize & mask;
            while self.slots[at].2 == self.round {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
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
            table.clear();
            for expected in 0..5000u32 {
                assert_eq!(table.number(hash_pair(expected, 7)), expected);
            }
            assert_eq!(table.number(hash_pair(42, 7)), 42);
        }
    }

    #[test]
    fn hashes_depend_on_length_and_content() {
        let texts = [
            "",
            "a",
            "a\0",
            "aaaaaaaa",
            "aaaaaaaaa",
            "aaaaaaaab",
            "baaaaaaaa",
        ];
        for (at, text) in texts.iter().enumerate() {
            for other in &texts[at + 1..] {
                assert_ne!(hash_bytes(text.as_bytes()), hash_bytes(other.as_bytes()));
            }
        }
    }
}
