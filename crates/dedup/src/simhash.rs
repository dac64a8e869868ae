//! SimHash: similar texts have hashes that differ in few bits (Charikar 2002).

use crate::Shingles;

/// Returns the SimHash of a text: a bit is set if it is set in more than half of the hashes of its
/// shingles, which count as often as they occur. `None` if the text has no shingles.
///
/// ```
/// use corpus_dedup::{Shingles, simhash::{hamming_distance, simhash}};
///
/// let shingles = Shingles::characters(3)?;
/// let hash = |text| simhash(text, shingles).unwrap();
/// let original = hash("The quick brown fox jumps over the lazy dog");
/// let edited = hash("The quick brown fox jumped over the lazy dog");
/// let other = hash("It was the best of times, it was the worst of times");
/// assert!(hamming_distance(original, edited) < 16);
/// assert!(hamming_distance(original, other) > 16);
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
pub fn simhash(text: &str, shingles: Shingles) -> Option<u64> {
    let mut counts = BitCounts::new();
    shingles.for_each(text, |hash| counts.add(hash));
    (counts.total > 0).then(|| counts.majority())
}

/// Returns the number of bits in which two hashes differ.
///
/// ```
/// assert_eq!(corpus_dedup::simhash::hamming_distance(0b1100, 0b1010), 2);
/// ```
pub fn hamming_distance(first: u64, second: u64) -> u32 {
    (first ^ second).count_ones()
}

/// Counts for each of 64 bits how often it is set.
///
/// The counts are stored as bit planes: plane 0 has the lowest bit of each count, and so on. Adding
/// to all counts then takes a few operations on whole planes.
struct BitCounts {
    planes: [u64; PLANES],
    total: u64,
}

/// The number of bits of the counters: enough for the characters of any text in memory.
const PLANES: usize = 48;

impl BitCounts {
    fn new() -> Self {
        Self {
            planes: [0; PLANES],
            total: 0,
        }
    }

    #[inline]
    fn add(&mut self, bits: u64) {
        self.total += 1;
        let mut carry = bits;
        for plane in &mut self.planes {
            if carry == 0 {
                return;
            }
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
        }
    }

    /// Returns the bits whose count is more than half of the total.
    fn majority(&self) -> u64 {
        let half = self.total / 2;
        // Compares all counts with the half, from the highest plane down.
        let (mut greater, mut equal) = (0, u64::MAX);
        for (at, plane) in self.planes.iter().enumerate().rev() {
            if half >> at & 1 == 1 {
                equal &= plane;
            } else {
                greater |= equal & plane;
                equal &= !plane;
            }
        }
        greater
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    #[test]
    fn bits_are_those_of_the_majority() {
        for total in [1, 2, 3, 7, 8, 100, 1000] {
            for bias in 0..4 {
                let hashes: Vec<u64> = (0..total)
                    .map(|at| match bias {
                        0 => mix(at),
                        1 => mix(at) | mix(at + 5000),
                        2 => mix(at) & mix(at + 5000),
                        // Ties in all bits if the total is even.
                        _ => {
                            if at % 2 == 0 {
                                u64::MAX
                            } else {
                                0
                            }
                        }
                    })
                    .collect();
                let mut counts = BitCounts::new();
                hashes.iter().for_each(|&hash| counts.add(hash));
                let expected = (0..64u32).filter(|bit| {
                    let set = hashes.iter().filter(|&hash| hash >> bit & 1 == 1).count();
                    set * 2 > hashes.len()
                });
                let expected = expected.fold(0, |bits, bit| bits | 1u64 << bit);
                assert_eq!(counts.majority(), expected, "{total} {bias}");
            }
        }
    }

    #[test]
    fn short_texts_have_no_hash_and_single_shingles_are_the_hash() {
        let shingles = Shingles::characters(3).unwrap();
        assert_eq!(simhash("ab", shingles), None);
        let mut hash = 0;
        shingles.for_each("abc", |found| hash = found);
        assert_eq!(simhash("abc", shingles), Some(hash));
    }
}
