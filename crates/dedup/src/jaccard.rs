//! The Jaccard similarity of two sets of shingles: the share of all their shingles that both have.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::Shingles;

/// Estimates the similarity of two texts from their signatures, as the share of equal values.
/// `None` if their lengths differ or are 0.
///
/// ```
/// use corpus_dedup::jaccard::estimated_jaccard;
///
/// assert_eq!(estimated_jaccard(&[1, 2, 3, 4], &[1, 2, 5, 4]), Some(0.75));
/// assert_eq!(estimated_jaccard(&[1, 2, 3], &[1, 2]), None);
/// ```
pub fn estimated_jaccard<T: PartialEq>(first: &[T], second: &[T]) -> Option<f64> {
    if first.is_empty() || first.len() != second.len() {
        return None;
    }
    let equal = first.iter().zip(second).filter(|(a, b)| a == b).count();
    Some(equal as f64 / first.len() as f64)
}

/// Returns the similarity of two texts. `None` if neither has shingles.
///
/// Shingles are compared by hashes of 128 bits. Different shingles of two texts of a million
/// characters share one with a probability below 10⁻²⁶. Time and memory are linear in the texts.
///
/// ```
/// use corpus_dedup::{Shingles, jaccard::exact_jaccard};
///
/// // Of ab, bc, cd and bc, cd, de, two of four are shared.
/// let similarity = exact_jaccard("abcd", "bcde", Shingles::characters(2)?);
/// assert_eq!(similarity, Some(0.5));
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
pub fn exact_jaccard(first: &str, second: &str, shingles: Shingles) -> Option<f64> {
    let table_hasher = TableHasher {
        seed: RandomState::new().hash_one(0),
    };
    let table = |text: &str| {
        let capacity = (text.len() / 2).min(MAX_FIRST_CAPACITY);
        HashSet::with_capacity_and_hasher(capacity, table_hasher)
    };
    let mut in_first = table(first);
    shingles.for_each_wide(first, |hash| {
        in_first.insert(hash);
    });
    let mut in_second = table(second);
    let mut in_both = 0;
    shingles.for_each_wide(second, |hash| {
        if in_second.insert(hash) && in_first.contains(&hash) {
            in_both += 1;
        }
    });
    let in_any = in_first.len() + in_second.len() - in_both;
    (in_any > 0).then(|| in_both as f64 / in_any as f64)
}

/// Maximum number of shingles for which memory is reserved at first. A long text may have few
/// different ones.
const MAX_FIRST_CAPACITY: usize = 1 << 16;

/// Chooses the slot of a hash in a table. The seed is random, so that nobody can construct a text
/// whose shingles all have the same slot.
#[derive(Clone, Copy)]
struct TableHasher {
    seed: u64,
}

impl BuildHasher for TableHasher {
    type Hasher = PlaceHasher;

    fn build_hasher(&self) -> PlaceHasher {
        PlaceHasher { hash: self.seed }
    }
}

struct PlaceHasher {
    hash: u64,
}

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.hash
    }

    fn write_u128(&mut self, value: u128) {
        // The product of the two halves folds all bits of both into all bits of the place.
        let seeded = [
            value as u64 ^ self.hash,
            (value >> 64) as u64 ^ self.hash.rotate_left(32),
        ];
        let product = u128::from(seeded[0]) * u128::from(seeded[1]);
        self.hash = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u128(u128::from(*byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn naive(first: &str, second: &str, length: usize) -> Option<f64> {
        let parts = |text: &str| -> BTreeSet<String> {
            let chars: Vec<char> = text.chars().collect();
            chars.windows(length).map(String::from_iter).collect()
        };
        let (first, second) = (parts(first), parts(second));
        let any = first.union(&second).count();
        (any > 0).then(|| first.intersection(&second).count() as f64 / any as f64)
    }

    #[test]
    fn the_similarity_is_that_of_sets_of_strings() {
        let texts = [
            "",
            "a",
            "aaaaaaaaaaaaaaaa",
            "abababababab",
            "今日は晴れ。明日も晴れ。",
            "今日は雨。明日も晴れ。",
            "The quick brown fox jumps over the lazy dog.",
            "The quick brown cat jumps over the lazy dog.",
        ];
        for length in [1, 2, 3, 5, 9] {
            let shingles = Shingles::characters(length).unwrap();
            for first in texts {
                for second in texts {
                    let found = exact_jaccard(first, second, shingles);
                    assert_eq!(
                        found,
                        naive(first, second, length),
                        "{first} {second} {length}"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_compared_whole() {
        let words = Shingles::words(1).unwrap();
        assert_eq!(exact_jaccard("a b  c", "c\nb d", words), Some(0.5));
        assert_eq!(exact_jaccard("ab", "a b", words), Some(0.0));
        assert_eq!(exact_jaccard("", " ", words), None);
    }
}
