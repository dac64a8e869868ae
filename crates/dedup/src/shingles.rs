//! Shingles: all sequences of n characters or n words of a text. Texts are similar if they share
//! most of them.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::hash::mix;
use crate::words::word_hashes;
use crate::{ParameterError, check_range};

/// The maximum number of characters or words in a shingle.
pub const MAX_LENGTH: usize = 64;

/// The unit and length of shingles.
///
/// A text is used unchanged: case, width, white space and punctuation count, and nothing is
/// normalized. Characters are Unicode scalar values. Words are separated by white space, so they
/// are of no use for scripts without spaces. A text shorter than a shingle has none.
///
/// ```
/// use corpus_dedup::Shingles;
///
/// let shingles: Shingles = "2 words".parse()?;
/// assert_eq!(shingles, Shingles::words(2)?);
/// assert_eq!(shingles.to_string(), "2 words");
/// let mut count = 0;
/// shingles.for_each("to be or not to be", |_| count += 1);
/// assert_eq!(count, 5);
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shingles {
    unit: Unit,
    length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Characters,
    Words,
}

/// Five characters, as in most work on web pages.
impl Default for Shingles {
    fn default() -> Self {
        Self {
            unit: Unit::Characters,
            length: 5,
        }
    }
}

impl Shingles {
    pub fn characters(length: usize) -> Result<Self, ParameterError> {
        Self::new(Unit::Characters, length)
    }

    pub fn words(length: usize) -> Result<Self, ParameterError> {
        Self::new(Unit::Words, length)
    }

    fn new(unit: Unit, length: usize) -> Result<Self, ParameterError> {
        let length = check_range("shingle", length, MAX_LENGTH)?;
        Ok(Self { unit, length })
    }

    /// Passes the hash of each shingle to `emit`, in their order. Repeated shingles are passed each
    /// time.
    ///
    /// With all numbers modulo 2⁶⁴, the shingle of the values v₁ … vₙ has the hash
    /// mix(v₁·Bⁿ⁻¹ + v₂·Bⁿ⁻² + … + vₙ). The value of a character with the number c is x ⊕ (x ≫ 32)
    /// for x = (c + 1)·C, and that of a word is the XXH3 of its UTF-8 bytes. The README has the
    /// constants.
    #[inline]
    pub fn for_each(self, text: &str, mut emit: impl FnMut(u64)) {
        let emit = |[hash]: [u64; 1]| emit(mix(hash));
        match self.unit {
            Unit::Characters => {
                let values = text.chars().map(|c| [character(c, CHARACTER)]);
                self.roll([BASE], values, emit);
            }
            Unit::Words => {
                let mut values = word_hashes(text, |word| [xxh3_64(word)]);
                self.roll([BASE], values.by_ref(), emit);
            }
        }
    }

    /// Like [`Self::for_each`], with hashes of 128 bits: two independent halves.
    #[inline]
    pub(crate) fn for_each_wide(self, text: &str, mut emit: impl FnMut(u128)) {
        let bases = [BASE, SECOND_BASE];
        let emit =
            |[first, second]: [u64; 2]| emit(u128::from(mix(first)) << 64 | u128::from(second));
        match self.unit {
            Unit::Characters => {
                let values = text
                    .chars()
                    .map(|c| [character(c, CHARACTER), character(c, SECOND_CHARACTER)]);
                self.roll(bases, values, emit);
            }
            Unit::Words => {
                let mut values = word_hashes(text, |word| {
                    let hash = xxh3_128(word);
                    [hash as u64, (hash >> 64) as u64]
                });
                self.roll(bases, values.by_ref(), emit);
            }
        }
    }

    /// Computes the polynomial of each window of values from the polynomial of the previous one.
    #[inline(always)]
    fn roll<const N: usize>(
        self,
        bases: [u64; N],
        values: impl Iterator<Item = [u64; N]>,
        mut emit: impl FnMut([u64; N]),
    ) {
        let powers = bases.map(|base| base.wrapping_pow(self.length as u32));
        // A place without a value holds 0, which adds nothing.
        let mut window = [[0; N]; MAX_LENGTH];
        let mut hashes = [0u64; N];
        for (at, value) in values.enumerate() {
            let leaving = window[at.wrapping_sub(self.length) % MAX_LENGTH];
            window[at % MAX_LENGTH] = value;
            for lane in 0..N {
                let change = value[lane].wrapping_sub(leaving[lane].wrapping_mul(powers[lane]));
                hashes[lane] = hashes[lane].wrapping_mul(bases[lane]).wrapping_add(change);
            }
            if at + 1 >= self.length {
                emit(hashes);
            }
        }
    }
}

/// The base of the polynomials.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_BASE: u64 = 0xc2b2_ae3d_27d4_eb4f;

/// The factor of the values of characters.
const CHARACTER: u64 = 0xff51_afd7_ed55_8ccd;
const SECOND_CHARACTER: u64 = 0xc4ce_b9fe_1a85_ec53;

/// The value of a character. Values use all bits, because the polynomials of small numbers collide.
#[inline(always)]
fn character(c: char, factor: u64) -> u64 {
    let value = (u64::from(c) + 1).wrapping_mul(factor);
    value ^ value >> 32
}

impl FromStr for Shingles {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let expected = || {
            ParameterError(format!(
                "shingle: expected 'N characters' or 'N words' with N from 1 to {MAX_LENGTH}, \
                 got '{text}'"
            ))
        };
        let (length, unit) = text.split_once(' ').ok_or_else(expected)?;
        let length = length.parse().map_err(|_| expected())?;
        let unit = match unit {
            "characters" => Unit::Characters,
            "words" => Unit::Words,
            _ => return Err(expected()),
        };
        Self::new(unit, length).map_err(|_| expected())
    }
}

impl fmt::Display for Shingles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::Characters => "characters",
            Unit::Words => "words",
        };
        write!(f, "{} {unit}", self.length)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn hashes(shingles: Shingles, text: &str) -> Vec<u64> {
        let mut found = Vec::new();
        shingles.for_each(text, |hash| found.push(hash));
        found
    }

    fn wide(shingles: Shingles, text: &str) -> Vec<u128> {
        let mut found = Vec::new();
        shingles.for_each_wide(text, |hash| found.push(hash));
        found
    }

    #[test]
    fn a_rolled_hash_is_that_of_the_shingle_alone() {
        let text =
            "今日は 晴れ。\tIt rains  cats & dogs, 🐈🐕🐈 again and again and again. ".repeat(3);
        let chars: Vec<char> = text.chars().collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        for length in [1, 2, 5, 17, 63, MAX_LENGTH] {
            let shingles = Shingles::characters(length).unwrap();
            let parts: Vec<String> = chars.windows(length).map(String::from_iter).collect();
            let alone = parts.iter().flat_map(|part| hashes(shingles, part));
            assert_eq!(hashes(shingles, &text), alone.collect::<Vec<_>>());
            let alone = parts.iter().flat_map(|part| wide(shingles, part));
            assert_eq!(wide(shingles, &text), alone.collect::<Vec<_>>());
        }
        for length in [1, 2, 5, 13] {
            let shingles = Shingles::words(length).unwrap();
            let parts: Vec<String> = words.windows(length).map(|part| part.join(" ")).collect();
            let alone = parts.iter().flat_map(|part| hashes(shingles, part));
            assert_eq!(hashes(shingles, &text), alone.collect::<Vec<_>>());
            let alone = parts.iter().flat_map(|part| wide(shingles, part));
            assert_eq!(wide(shingles, &text), alone.collect::<Vec<_>>());
        }
    }

    #[test]
    fn short_texts_have_no_shingles() {
        assert_eq!(hashes(Shingles::characters(3).unwrap(), "日本"), []);
        assert_eq!(hashes(Shingles::characters(3).unwrap(), "日本語").len(), 1);
        assert_eq!(hashes(Shingles::words(3).unwrap(), " one  two "), []);
        assert_eq!(hashes(Shingles::words(1).unwrap(), " \u{3000}\n"), []);
    }

    #[test]
    fn different_shingles_have_different_hashes() {
        // 40³ shingles of characters that follow each other, where polynomials of plain numbers
        // would collide.
        let shingles = Shingles::characters(3).unwrap();
        let letters: Vec<char> = ('あ'..).take(40).collect();
        let mut found = HashSet::new();
        for &a in &letters {
            for &b in &letters {
                for &c in &letters {
                    let text = String::from_iter([a, b, c]);
                    assert!(found.insert(hashes(shingles, &text)[0]), "{text}");
                }
            }
        }
    }

    #[test]
    fn specifications_are_parsed_and_checked() {
        for text in ["5 characters", "1 words", "64 words"] {
            assert_eq!(text.parse::<Shingles>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "5",
            "characters",
            "0 words",
            "65 words",
            "5 Characters",
            "-1 words",
            "5  words",
        ] {
            let error = text.parse::<Shingles>().unwrap_err().to_string();
            let expected = "expected 'N characters' or 'N words' with N from 1 to 64, got '";
            assert!(error.contains(expected), "{error}");
        }
        assert!(Shingles::characters(0).is_err());
        assert!(Shingles::words(MAX_LENGTH + 1).is_err());
    }
}
