//! Hashes of whole texts and ids. All are XXH3 with seed 0, which has libraries in most languages.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The hash of a text, of 64 bits. Among n different texts, two share a hash with a probability of
/// about n² / 2⁶⁵: 3 % for a billion texts.
///
/// ```
/// assert_eq!(corpus_dedup::hash::hash64("文書"), 7388748676075912343);
/// ```
pub fn hash64(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// The hash of a text, of 128 bits. Texts with the same hash are the same for all practical
/// purposes, unless somebody constructs them: XXH3 is not a cryptographic hash.
///
/// ```
/// let hash = corpus_dedup::hash::hash128("文書");
/// assert_eq!(format!("{hash:032x}"), "27cad10331d72fa5369bdde5b42e9f12");
/// ```
pub fn hash128(text: &str) -> u128 {
    xxh3_128(text.as_bytes())
}

/// Maps an id to a number from 0 to below 1, evenly: the ids below 0.1 are a sample of a tenth,
/// the same one wherever it is drawn.
///
/// It is the upper 53 bits of [`hash64`], divided by 2⁵³. In Python:
/// `(xxhash.xxh3_64_intdigest(id) >> 11) / 2**53`.
///
/// ```
/// assert_eq!(corpus_dedup::hash::sample_hash("doc-1"), 0.7543582427159767);
/// ```
pub fn sample_hash(id: &str) -> f64 {
    // Both numbers are exact: a double has 53 bits.
    (hash64(id) >> 11) as f64 / (1u64 << 53) as f64
}

/// Scrambles a number. It is a bijection: different numbers never collide.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    const MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;
    let value = (value ^ value >> 32).wrapping_mul(MULTIPLIER);
    let value = (value ^ value >> 32).wrapping_mul(MULTIPLIER);
    value ^ value >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of the empty input and of `sanity buffers` belong to the definition of XXH3.
    #[test]
    fn hashes_are_those_of_xxh3() {
        assert_eq!(hash64(""), 0x2d06_8005_38d3_94c2);
        assert_eq!(hash128(""), 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
    }

    #[test]
    fn samples_are_even_and_below_one() {
        let count = 100_000;
        let mut tenths = [0u32; 10];
        for id in 0..count {
            let hash = sample_hash(&format!("document {id}"));
            assert!((0.0..1.0).contains(&hash));
            tenths[(hash * 10.0) as usize] += 1;
        }
        // The standard deviation of each is 95.
        assert!(
            tenths.iter().all(|&found| found.abs_diff(10_000) < 500),
            "{tenths:?}"
        );
    }
}
