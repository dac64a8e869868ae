//! A hash table from ids to their numbers. The ids are stored elsewhere.
//!
//! With millions of ids, nearly all time is spent waiting for memory. So a slot has 4 bytes: the
//! number of an id, and bits of its hash in the remaining space. Ids are looked up in chunks by
//! loops that only load, so that the processor waits for the memory of many of them at a time.

/// The number of ids looked up at a time. Their data stays in the fastest cache.
pub(super) const CHUNK_IDS: usize = 256;

/// A slot without a number. A slot with a number is never equal, because the number with all bits
/// set is not used.
const FREE: u32 = u32::MAX;

/// The smallest table has 2⁶ slots.
const MIN_SIZE_BITS: u32 = 6;

/// Numbers have at most 31 bits, which leaves a bit for the hash.
const MAX_NUMBER_BITS: u32 = 31;

#[derive(Debug)]
pub(super) struct Table {
    /// A number is in the slot given by the upper bits of the hash, or in the next free one after
    /// it.
    slots: Vec<u32>,
    /// The binary logarithm of the number of slots.
    size_bits: u32,
}

impl Default for Table {
    fn default() -> Self {
        Self::with_size_bits(MIN_SIZE_BITS)
    }
}

impl Table {
    fn with_size_bits(size_bits: u32) -> Self {
        Self {
            slots: vec![FREE; 1 << size_bits],
            size_bits,
        }
    }

    /// The number of bytes allocated.
    pub fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
    }

    /// Returns the number of the id with a hash.
    #[inline]
    pub fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash);
        loop {
            let number = self.candidate(hash, &mut at)?;
            if is_same(number) {
                return Some(number);
            }
            at = self.after(at);
        }
    }

    /// Passes the result of [`Self::find`] for each of at most [`CHUNK_IDS`] ids to `emit`.
    #[inline]
    pub fn find_all<T: Copy>(
        &self,
        ids: &[T],
        hash: impl Fn(T) -> u64,
        is_same: impl Fn(u32, T) -> bool,
        mut emit: impl FnMut(Option<u32>),
    ) {
        let mut hashes = [0; CHUNK_IDS];
        let mut found = [FREE; CHUNK_IDS];
        for (at, &id) in ids.iter().enumerate() {
            hashes[at] = hash(id);
            found[at] = self.slots[self.home(hashes[at])];
        }
        for (&hash, found) in hashes.iter().zip(&mut found[..ids.len()]) {
            let candidate = self.candidate_from(hash, &mut self.home(hash), *found);
            *found = candidate.unwrap_or(FREE);
        }
        for (at, &id) in ids.iter().enumerate() {
            emit(match found[at] {
                FREE => None,
                number if is_same(number, id) => Some(number),
                // Another id has the same hash bits.
                _ => self.find(hashes[at], |number| is_same(number, id)),
            });
        }
    }

    /// Adds the next number, for a new id. `hash_of` returns the hash of the id with an earlier
    /// number.
    pub fn add(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if number as usize >= self.slots.len() / 4 * 3 {
            *self = Self::with_size_bits(self.size_bits + 1);
            for number in 0..number {
                self.insert(hash_of(number), number);
            }
        }
        self.insert(hash, number);
    }

    fn insert(&mut self, hash: u64, number: u32) {
        let mut at = self.home(hash);
        while self.slots[at] != FREE {
            at = self.after(at);
        }
        self.slots[at] = self.hash_bits(hash) | number;
    }

    /// Returns the next number, at or after the place `at`, whose id may have the hash. Moves `at`
    /// to its place.
    #[inline]
    fn candidate(&self, hash: u64, at: &mut usize) -> Option<u32> {
        let slot = self.slots[*at];
        self.candidate_from(hash, at, slot)
    }

    /// Like [`Self::candidate`], for a slot that is already loaded.
    #[inline]
    fn candidate_from(&self, hash: u64, at: &mut usize, mut slot: u32) -> Option<u32> {
        let (hash_bits, number_bits) = (self.hash_bits(hash), self.number_bits());
        while slot != FREE {
            let number = slot ^ hash_bits;
            if number >> number_bits == 0 {
                return Some(number);
            }
            *at = self.after(*at);
            slot = self.slots[*at];
        }
        None
    }

    #[inline]
    fn number_bits(&self) -> u32 {
        self.size_bits.min(MAX_NUMBER_BITS)
    }

    /// The bits of a hash in a slot, above the number.
    #[inline]
    fn hash_bits(&self, hash: u64) -> u32 {
        (hash as u32) << self.number_bits()
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.size_bits)) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    /// Uses hashes that are evenly distributed, that have equal upper or lower bits, and equal
    /// ones.
    #[test]
    fn numbers_are_found_whatever_the_hashes() {
        let hashes: [fn(u64) -> u64; 5] = [
            mix,
            |id| mix(id) >> 40,
            |id| u64::MAX - (mix(id) >> 40 << 32),
            |id| mix(id % 7),
            |_| u64::MAX,
        ];
        let is_same = |number: u32, id: u64| u64::from(number) == id;
        for hash in hashes {
            let mut table = Table::default();
            for count in 0..600 {
                let missing = table.find(hash(count), |number| is_same(number, count));
                assert_eq!(missing, None);
                table.add(hash(count), count as u32, |number| hash(u64::from(number)));
                let ids: Vec<u64> = (0..count + 10).rev().collect();
                let mut found = Vec::new();
                for chunk in ids.chunks(CHUNK_IDS) {
                    table.find_all(chunk, hash, is_same, |number| found.push(number));
                }
                let expected = ids.iter().map(|&id| (id <= count).then_some(id as u32));
                assert!(found.iter().copied().eq(expected), "{count}");
                // A search ends at a free slot.
                assert!(table.slots.contains(&FREE));
            }
        }
    }
}
