//! Caches recent words with the sums of their rows.

/// Maximum length of a cached word. Longer words are rare.
pub(super) const MAX_WORD_BYTES: usize = 32;
const MAX_SLOTS: usize = 1 << 17;
/// Maximum number of values in all sums: 32 MiB.
const MAX_VALUES: usize = 1 << 23;
/// Minimum number of model rows per cached word.
const MIN_MODEL_ROWS_PER_WORD: usize = 4;

/// A direct-mapped cache: each word has one possible slot. A new word replaces the old one, unless
/// the old one recurred.
#[derive(Debug, Default)]
pub(super) struct WordCache {
    /// The number of the model that the words belong to.
    model: u64,
    columns: usize,
    /// Empty until a second text is read: most of the table would be wasted on one.
    slots: Vec<Slot>,
    sums: Vec<f32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    word: [u8; MAX_WORD_BYTES],
    /// 0 if there is no word.
    length: u8,
    /// Whether the word recurred since it was stored, or since it last kept the slot from another
    /// word.
    is_frequent: bool,
    /// The number of rows in the sum.
    rows: u32,
    hash: u32,
}

impl WordCache {
    /// Prepares for a text. Clears the cache if it belongs to another model. `columns` and `rows`
    /// are the dimensions of the model's matrix.
    pub fn start(&mut self, model: u64, rows: usize, columns: usize) {
        if (self.model, self.columns) != (model, columns) {
            *self = Self {
                model,
                columns,
                ..Self::default()
            };
        } else if self.slots.is_empty() {
            let most = MAX_SLOTS.min(rows / MIN_MODEL_ROWS_PER_WORD);
            let slots = (MAX_VALUES / columns.max(1)).min(most).max(1);
            // A power of two, for which the remainder is a mask.
            let slots = 1 << slots.ilog2();
            self.slots = vec![Slot::default(); slots];
            self.sums = vec![0.0; slots * columns];
        }
    }

    fn slot_index(&self, hash: u32) -> usize {
        // The upper bits of the product depend on all bits of the hash.
        let mixed = u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & self.slots.len().wrapping_sub(1)
    }

    /// Returns the number of rows of a word, and their sum. The word must not be empty.
    #[inline]
    pub fn get(&mut self, word: &[u8], hash: u32) -> Option<(usize, &[f32])> {
        let slot_index = self.slot_index(hash);
        let slot = self.slots.get_mut(slot_index)?;
        if slot.hash != hash || slot.word.get(..slot.length.into()) != Some(word) {
            return None;
        }
        slot.is_frequent = true;
        let sum = &self.sums[slot_index * self.columns..][..self.columns];
        Some((slot.rows as usize, sum))
    }

    /// Stores a word of up to [`MAX_WORD_BYTES`], which is not empty.
    pub fn put(&mut self, word: &[u8], hash: u32, rows: usize, sum: &[f32]) {
        let slot_index = self.slot_index(hash);
        if let Some(slot) = self.slots.get_mut(slot_index) {
            if std::mem::take(&mut slot.is_frequent) {
                return;
            }
            slot.word[..word.len()].copy_from_slice(word);
            slot.length = word.len() as u8;
            slot.rows = rows as u32;
            slot.hash = hash;
            self.sums[slot_index * self.columns..][..self.columns].copy_from_slice(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_until_another_occurs_more_often() {
        let mut cache = WordCache::default();
        cache.start(1, 8, 2);
        cache.put(b"a", 5, 3, &[1.0, 2.0]);
        assert_eq!(cache.get(b"a", 5), None);
        cache.start(1, 8, 2);
        cache.put(b"a", 5, 3, &[1.0, 2.0]);
        assert_eq!(cache.get(b"a", 5), Some((3, &[1.0, 2.0][..])));
        assert_eq!(cache.get(b"b", 5), None);
        assert_eq!(cache.get(b"a", 6), None);
        cache.put(b"b", 5, 1, &[3.0, 4.0]);
        assert_eq!(cache.get(b"b", 5), None);
        cache.put(b"b", 5, 1, &[3.0, 4.0]);
        assert_eq!(cache.get(b"a", 5), None);
        assert_eq!(cache.get(b"b", 5), Some((1, &[3.0, 4.0][..])));
    }

    #[test]
    fn words_belong_to_a_model() {
        let mut cache = WordCache::default();
        for model in [1, 2, 1] {
            cache.start(model, 8, 1);
            cache.start(model, 8, 1);
            assert_eq!(cache.get(b"a", 5), None);
            cache.put(b"a", 5, 3, &[1.0]);
        }
        cache.start(1, 8, 3);
        assert_eq!(cache.get(b"a", 5), None);
    }

    #[test]
    fn many_values_have_few_slots() {
        for (rows, columns) in [
            (0, 7),
            (1 << 30, 1),
            (1 << 20, 100),
            (9, 1 << 12),
            (9, 1 << 25),
        ] {
            let mut cache = WordCache::default();
            cache.start(1, rows, columns);
            cache.start(1, rows, columns);
            assert!(
                cache.sums.len()
                    <= MAX_VALUES
                        .min(rows * columns / MIN_MODEL_ROWS_PER_WORD)
                        .max(columns)
            );
            assert!(cache.slots.len().is_power_of_two() && cache.slots.len() <= MAX_SLOTS);
        }
    }
}
