//! MinHash signatures by one permutation.
//!
//! Each shingle is hashed once and dealt into one bin; a bin keeps the smallest value (Li, Owen and
//! Zhang 2012). That leaves bins empty in short texts. Such a bin takes the smallest value of all
//! shingles, by a hash function that only it uses.
//!
//! Two signatures then agree at each position with a probability of the Jaccard similarity of the
//! sets of shingles. If a bin is empty in both texts or in neither, it holds a random shingle of the
//! two. If it is empty in one only, the shingle in the other text is not in the first, so the two
//! rightly differ.

use crate::hash::mix;
use crate::{ParameterError, Shingles, check_range};

/// The maximum number of bins.
pub const MAX_BINS: usize = 4096;

/// The number of bins of most work on web pages.
pub const DEFAULT_BINS: usize = 128;

/// A bin without a shingle. Values have 31 bits, so that they are positive numbers in languages
/// without unsigned ones.
const EMPTY: u32 = u32::MAX;

/// The hashes of shorter texts are kept until their bins are full: only these texts leave bins empty
/// as a rule, and need their hashes twice.
const BUFFERED_BYTES_PER_BIN: usize = 64;

/// The number of shingles remembered to skip repeats. A text with few different shingles leaves many
/// bins empty, however long it is.
const RECENT: usize = 64;

/// Computes signatures of texts.
///
/// The signature of a text never changes, in any version and on any machine.
///
/// ```
/// use corpus_dedup::jaccard::estimated_jaccard;
/// use corpus_dedup::{MinHasher, Shingles};
///
/// let mut hasher = MinHasher::new(Shingles::characters(3)?, 256)?;
/// let first = hasher.signature("The quick brown fox jumps over the lazy dog").unwrap().to_vec();
/// let second = hasher.signature("The quick brown fox jumped over the lazy dog").unwrap();
/// let estimate = estimated_jaccard(&first, second).unwrap();
/// assert!((estimate - 0.88).abs() < 0.1);
/// assert_eq!(hasher.signature("no"), None);
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MinHasher {
    shingles: Shingles,
    /// The signature of the last text.
    values: Vec<u32>,
    /// The bins that have no shingle of the last text.
    empty: EmptyBins,
    /// The hashes of the last text, if it is short.
    hashes: Vec<u64>,
}

impl MinHasher {
    /// Returns a hasher whose signatures have `bins` values.
    pub fn new(shingles: Shingles, bins: usize) -> Result<Self, ParameterError> {
        let bins = check_range("bins", bins, MAX_BINS)?;
        Ok(Self {
            shingles,
            values: vec![EMPTY; bins],
            empty: EmptyBins::new(bins),
            hashes: Vec::new(),
        })
    }

    /// Returns the signature of a text: a value of 31 bits per bin. `None` if the text has no
    /// shingles, because all such texts would count as equal.
    pub fn signature(&mut self, text: &str) -> Option<&[u32]> {
        let Self {
            shingles,
            values,
            empty,
            hashes,
        } = self;
        values.fill(EMPTY);
        let bins = values.len();
        let keep_smallest = |values: &mut [u32], hash: u64| {
            let value = (hash & 0x7fff_ffff) as u32;
            let smallest = &mut values[scale(hash, bins)];
            *smallest = value.min(*smallest);
        };
        if text.len() > bins * BUFFERED_BYTES_PER_BIN {
            shingles.for_each(text, |hash| keep_smallest(values, hash));
            if values.contains(&EMPTY) {
                empty.find(values)?;
                shingles.for_each(text, empty.adder());
                empty.fill(values);
            }
        } else {
            hashes.clear();
            shingles.for_each(text, |hash| {
                keep_smallest(values, hash);
                hashes.push(hash);
            });
            if values.contains(&EMPTY) {
                empty.find(values)?;
                hashes.iter().copied().for_each(empty.adder());
                empty.fill(values);
            }
        }
        Some(&self.values)
    }
}

/// The hash function of an empty bin: h·factor + offset modulo 2³², for the lower half h of the hash
/// of a shingle.
#[derive(Debug, Clone, Copy, Default)]
struct Function {
    factor: u32,
    offset: u32,
}

/// The empty bins of a text.
#[derive(Debug, Clone)]
struct EmptyBins {
    /// The functions of all bins.
    all: Vec<Function>,
    /// The numbers of the empty bins. The two vectors below have an item for each.
    bins: Vec<usize>,
    functions: Vec<Function>,
    values: Vec<u32>,
}

impl EmptyBins {
    fn new(bins: usize) -> Self {
        let all = (1..=bins as u64).map(|bin| {
            let seed = mix(bin);
            Function {
                factor: seed as u32 | 1,
                offset: (seed >> 32) as u32,
            }
        });
        Self {
            all: all.collect(),
            bins: Vec::with_capacity(bins),
            functions: Vec::with_capacity(bins),
            values: Vec::with_capacity(bins),
        }
    }

    /// Finds the empty bins of a signature. `None` if all are empty.
    fn find(&mut self, signature: &[u32]) -> Option<()> {
        self.bins.clear();
        self.functions.clear();
        for (bin, function) in self.all.iter().enumerate() {
            if signature[bin] == EMPTY {
                self.bins.push(bin);
                self.functions.push(*function);
            }
        }
        self.values.clear();
        self.values.resize(self.bins.len(), EMPTY);
        (self.bins.len() < signature.len()).then_some(())
    }

    /// Returns what adds the hashes of all shingles.
    fn adder(&mut self) -> impl FnMut(u64) {
        let mut recent = [0; RECENT];
        move |hash| {
            let last = &mut recent[hash as usize % RECENT];
            if *last != hash {
                *last = hash;
                self.add(hash as u32);
            }
        }
    }

    /// Fills the bins with the values found.
    fn fill(&self, signature: &mut [u32]) {
        for (bin, value) in self.bins.iter().zip(&self.values) {
            signature[*bin] = *value;
        }
    }

    /// Adds a shingle.
    #[inline]
    fn add(&mut self, hash: u32) {
        for (smallest, function) in self.values.iter_mut().zip(&self.functions) {
            let value = hash
                .wrapping_mul(function.factor)
                .wrapping_add(function.offset)
                >> 1;
            *smallest = value.min(*smallest);
        }
    }
}

/// Maps the upper 32 bits of a hash to a bin, evenly.
#[inline(always)]
fn scale(hash: u64, bins: usize) -> usize {
    (((hash >> 32) * bins as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jaccard::{estimated_jaccard, exact_jaccard};

    #[test]
    fn texts_without_shingles_have_no_signature() {
        let mut hasher = MinHasher::new(Shingles::default(), DEFAULT_BINS).unwrap();
        for text in ["", "日本語で", "four"] {
            assert_eq!(hasher.signature(text), None, "{text}");
        }
        let mut hasher = MinHasher::new(Shingles::words(2).unwrap(), 1).unwrap();
        assert_eq!(hasher.signature("word"), None);
        assert!(hasher.signature("two words").is_some());
    }

    #[test]
    fn signatures_do_not_depend_on_earlier_texts_nor_on_repeats() {
        let mut hasher = MinHasher::new(Shingles::default(), DEFAULT_BINS).unwrap();
        let expected = hasher.signature("日本語の文書").unwrap().to_vec();
        hasher.signature(&"other text ".repeat(100));
        hasher.signature("x");
        assert_eq!(hasher.signature("日本語の文書").unwrap(), expected);
        let once = hasher.signature("abcabcabc").unwrap().to_vec();
        // The hashes of the longest text are not kept.
        for times in [50, 50 * DEFAULT_BINS * BUFFERED_BYTES_PER_BIN / 100] {
            assert_eq!(hasher.signature(&"abc".repeat(times)).unwrap(), once);
        }
    }

    #[test]
    fn signatures_have_a_value_per_bin() {
        for bins in [1, 2, 100, 128, 1000, MAX_BINS] {
            let mut hasher = MinHasher::new(Shingles::characters(2).unwrap(), bins).unwrap();
            for text in ["ab", "abcdefgh", &"日本語の文書を読む".repeat(100)] {
                let signature = hasher.signature(text).unwrap();
                assert_eq!(signature.len(), bins);
                assert!(signature.iter().all(|&value| value < 1 << 31));
            }
        }
        assert!(MinHasher::new(Shingles::default(), 0).is_err());
        assert!(MinHasher::new(Shingles::default(), MAX_BINS + 1).is_err());
    }

    /// Texts of a few shingles fill few bins, so all ways of filling the others are used.
    #[test]
    fn the_estimate_has_no_bias_for_short_texts() {
        for (bins, length) in [(128, 6), (128, 12), (128, 60), (1024, 12)] {
            let mut hasher = MinHasher::new(Shingles::default(), bins).unwrap();
            let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
            for pair in 0..1000u64 {
                let letter =
                    |at: u64| char::from_u32(0x4e00 + (mix(pair << 32 | at) % 5000) as u32);
                let first: String = (0..length).filter_map(letter).collect();
                let shift = 1 + mix(pair) % (length - 5);
                let second: String = (shift..length + shift).filter_map(letter).collect();
                let exact = exact_jaccard(&first, &second, Shingles::default()).unwrap();
                let first = hasher.signature(&first).unwrap().to_vec();
                let estimate =
                    estimated_jaccard(&first, hasher.signature(&second).unwrap()).unwrap();
                sum += estimate - exact;
                squares += (estimate - exact).powi(2);
                count += 1.0;
            }
            let (bias, error): (f64, f64) = (sum / count, (squares / count).sqrt());
            let deviation = (0.25 / bins as f64).sqrt();
            assert!(
                bias.abs() < 4.0 * error / count.sqrt(),
                "{bins} {length}: {bias}"
            );
            assert!(error < 1.05 * deviation, "{bins} {length}: {error}");
        }
    }
}
