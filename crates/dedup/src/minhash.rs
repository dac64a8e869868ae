//! MinHash signatures by one permutation.
//!
//! Each shingle is hashed once and assigned to one bin; a bin keeps the smallest value (Li, Owen
//! and Zhang 2012). Short texts leave bins empty. Such a bin takes the smallest value of all
//! shingles by a hash function that only this bin uses.
//!
//! Two signatures then agree at each position with a probability of the Jaccard similarity of the
//! sets of shingles. If a bin is empty in both texts or in neither, it holds a random shingle of
//! the two. If it is empty in one text only, the shingle of the other text is not in the first, so
//! the values rightly differ.

use crate::hash::mix;
use crate::{ParameterError, Shingles, check_range};

/// The maximum number of bins.
pub const MAX_BINS: usize = 4096;

/// The number of bins that most work on web pages uses.
pub const DEFAULT_BINS: usize = 128;

/// A bin without a shingle. Values have 31 bits, so that they are positive numbers in languages
/// without unsigned ones.
const EMPTY: u32 = u32::MAX;

/// The largest value of a bin.
const MAX_VALUE: u32 = u32::MAX >> 1;

/// Maximum size per bin of texts whose hashes are kept. Usually only short texts leave bins empty
/// and need their hashes a second time.
const BUFFERED_BYTES_PER_BIN: usize = 64;

/// The number of recent shingles kept to skip repeats. Even a long text leaves many bins empty if
/// few of its shingles are different.
const RECENT_SHINGLES: usize = 64;

/// An empty table: no entry has the lower bits of its own index, so none can match.
const EMPTY_RECENT: [u32; RECENT_SHINGLES] = {
    let mut recent = [0; RECENT_SHINGLES];
    recent[0] = 1;
    recent
};

/// The minimum number of empty bins for which repeats are skipped.
const MIN_EMPTY_TO_SKIP_REPEATS: usize = 16;

/// The number of hashes added to all empty bins at a time.
const HASHES_PER_STEP: usize = 1024;

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
    /// The bins without a shingle of the last text.
    empty: EmptyBins,
    /// The lower halves of the hashes of the last text, if it is short.
    hashes: Vec<u32>,
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
            let value = hash as u32 & MAX_VALUE;
            let smallest = &mut values[scale(hash, bins)];
            *smallest = value.min(*smallest);
        };
        if text.len() > bins * BUFFERED_BYTES_PER_BIN {
            shingles.for_each(text, |hash| keep_smallest(values, hash));
            if values.contains(&EMPTY) {
                empty.find(values)?;
                shingles.for_each(text, |hash| empty.add(hash as u32));
                empty.fill(values);
            }
        } else {
            hashes.clear();
            shingles.for_each(text, |hash| {
                keep_smallest(values, hash);
                hashes.push(hash as u32);
            });
            if values.contains(&EMPTY) {
                empty.find(values)?;
                empty.add_all(hashes);
                empty.fill(values);
            }
        }
        Some(&self.values)
    }
}

/// The number of empty bins in a group.
const LANES: usize = 8;

/// Empty bins, with the hash function of each: h·factor + offset modulo 2³², for the lower half h
/// of the hash of a shingle. Groups are as large as the compiler's vectors.
#[derive(Debug, Clone, Copy, Default)]
struct BinGroup {
    bins: [usize; LANES],
    factors: [u32; LANES],
    offsets: [u32; LANES],
    /// The smallest values of all shingles.
    smallest: [u32; LANES],
}

impl BinGroup {
    fn add_all(&mut self, hashes: &[u32]) {
        // Registers hold local variables, but not referenced data.
        let Self {
            factors,
            offsets,
            mut smallest,
            ..
        } = *self;
        for &hash in hashes {
            for lane in 0..LANES {
                let value = hash.wrapping_mul(factors[lane]).wrapping_add(offsets[lane]) >> 1;
                // Vector minima of signed numbers need fewer instructions.
                let value = value.cast_signed().min(smallest[lane].cast_signed());
                smallest[lane] = value.cast_unsigned();
            }
        }
        self.smallest = smallest;
    }
}

/// The empty bins of a text.
#[derive(Debug, Clone)]
struct EmptyBins {
    /// All bins, as if they were empty.
    all: Vec<(u32, u32)>,
    /// The number of empty bins. The last group may be incomplete.
    count: usize,
    groups: Vec<BinGroup>,
    /// Hashes that are not in the groups yet.
    hashes: Vec<u32>,
    /// The last hashes, by their lower bits.
    recent: [u32; RECENT_SHINGLES],
}

impl EmptyBins {
    fn new(bins: usize) -> Self {
        let all = (1..=bins as u64).map(|bin| {
            let seed = mix(bin);
            (seed as u32 | 1, (seed >> 32) as u32)
        });
        Self {
            all: all.collect(),
            count: 0,
            groups: vec![BinGroup::default(); bins.div_ceil(LANES)],
            hashes: Vec::with_capacity(HASHES_PER_STEP),
            recent: EMPTY_RECENT,
        }
    }

    /// Finds the empty bins of a signature. `None` if all are empty.
    fn find(&mut self, signature: &[u32]) -> Option<()> {
        self.count = 0;
        for (bin, (value, &(factor, offset))) in signature.iter().zip(&self.all).enumerate() {
            if *value == EMPTY {
                let (group, lane) = (&mut self.groups[self.count / LANES], self.count % LANES);
                group.bins[lane] = bin;
                group.factors[lane] = factor;
                group.offsets[lane] = offset;
                group.smallest[lane] = MAX_VALUE;
                self.count += 1;
            }
        }
        self.recent = EMPTY_RECENT;
        (self.count < signature.len()).then_some(())
    }

    /// The groups in use.
    fn groups(&mut self) -> &mut [BinGroup] {
        &mut self.groups[..self.count.div_ceil(LANES)]
    }

    /// Adds the hashes of all shingles.
    fn add_all(&mut self, hashes: &[u32]) {
        // With few empty bins, repeats cost less than detecting them.
        if self.count < MIN_EMPTY_TO_SKIP_REPEATS {
            self.groups()
                .iter_mut()
                .for_each(|group| group.add_all(hashes));
        } else {
            hashes.iter().for_each(|&hash| self.add(hash));
        }
    }

    /// Adds the hash of a shingle.
    #[inline]
    fn add(&mut self, hash: u32) {
        let last = &mut self.recent[hash as usize % RECENT_SHINGLES];
        if *last != hash {
            *last = hash;
            self.hashes.push(hash);
            if self.hashes.len() == HASHES_PER_STEP {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        let groups = &mut self.groups[..self.count.div_ceil(LANES)];
        groups
            .iter_mut()
            .for_each(|group| group.add_all(&self.hashes));
        self.hashes.clear();
    }

    /// Fills the bins with the values found.
    fn fill(&mut self, signature: &mut [u32]) {
        self.flush();
        for at in 0..self.count {
            let (group, lane) = (&self.groups[at / LANES], at % LANES);
            signature[group.bins[lane]] = group.smallest[lane];
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

    /// The signature as defined in the README.
    fn defined_signature(text: &str, shingles: Shingles, bins: usize) -> Option<Vec<u32>> {
        let mut hashes = Vec::new();
        shingles.for_each(text, |hash| hashes.push(hash));
        let value_of = |bin: usize| {
            let seed = mix(bin as u64 + 1);
            let (factor, offset) = (seed as u32 | 1, (seed >> 32) as u32);
            let is_inside = |hash: &&u64| ((**hash >> 32) * bins as u64) >> 32 == bin as u64;
            let inside = hashes.iter().filter(is_inside);
            let all = hashes.iter();
            inside
                .map(|&hash| hash as u32 & 0x7fff_ffff)
                .min()
                .or_else(|| {
                    all.map(|&hash| (hash as u32).wrapping_mul(factor).wrapping_add(offset) >> 1)
                        .min()
                })
        };
        (0..bins).map(value_of).collect()
    }

    #[test]
    fn signatures_are_those_of_the_definition() {
        let mut texts: Vec<String> = vec![String::new(), "a b".into(), "の".repeat(20_000)];
        for length in (1..200).chain([1000, 3000, 10_000]) {
            let word = |at: u64| format!("{:x} ", mix(length << 32 | at) % (10 + length * length));
            texts.push((0..length).map(word).collect());
        }
        for shingles in ["1 words", "5 words", "3 characters", "5 characters"] {
            let shingles: Shingles = shingles.parse().unwrap();
            for bins in [1, 7, 8, 9, 128] {
                let mut hasher = MinHasher::new(shingles, bins).unwrap();
                for text in &texts {
                    let expected = defined_signature(text, shingles, bins);
                    assert_eq!(hasher.signature(text), expected.as_deref(), "{text:.40}");
                }
            }
        }
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

    /// Short texts have few shingles and fill few bins, so this tests all ways of filling the
    /// others.
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
