//! Windows: all sequences of N words or characters of a text. Texts that share a long passage share
//! its windows.
//!
//! Hashing all windows of a corpus costs several times the size of its text.
//! [`Windows::fingerprints`] selects a few hashes of shorter sequences by winnowing (Schleimer,
//! Wilkerson and Aiken 2003) so that equal windows share one. Only windows with a fingerprint that
//! occurs twice need a hash.
//!
//! ```text
//! tokens  words or characters of a text
//! hashes  rolling hashes, and their minima
//! ranges  parts of a text that windows cover
//! ```

mod hashes;
mod ranges;
mod tokens;

use std::fmt;
use std::str::FromStr;

use crate::{ParameterError, check_range};
use hashes::{Minima, Placed, Roller, narrow, wide};
pub use ranges::{Block, TextRange, extract_ranges, remove_ranges};
use tokens::Unit;

/// The maximum number of words or characters in a window.
pub const MAX_LENGTH: usize = 1000;

/// Maximum number of equal fingerprints emitted in a row. Two are enough to show that a window is
/// repeated. Otherwise a long run of one character or phrase would emit one at each place.
const MAX_EQUAL_FINGERPRINTS: usize = 2;

/// The unit and length of windows.
///
/// Words are separated by white space, and characters are Unicode scalar values. Normalization
/// folds compatibility forms and case, and removes marks, punctuation and symbols: `Ｆｏｏ－Bar’s`
/// becomes the word `foobars`, and `ガ` becomes `カ`. Words and characters that become empty do not
/// count.
///
/// ```
/// use corpus_dedup::Windows;
///
/// let windows: Windows = "3 normalized words".parse()?;
/// let mut positions = Vec::new();
/// windows.for_each("To be – or not to be!", None, |window| positions.push(window.position));
/// assert_eq!(positions, [0, 1, 2, 3]);
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    unit: Unit,
    length: usize,
}

/// A window of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The number of words or characters before it.
    pub position: usize,
    /// The hash of its words or characters. The README has its definition.
    pub hash: u128,
}

impl Windows {
    fn new(unit: Unit, length: usize) -> Result<Self, ParameterError> {
        let length = check_range("window", length, MAX_LENGTH)?;
        Ok(Self { unit, length })
    }

    /// The length of the parts that fingerprints hash: half a window. With longer parts, fewer
    /// fingerprints are equal by chance; with shorter parts, there are fewer fingerprints.
    fn part_length(self) -> usize {
        self.length.div_ceil(2)
    }

    /// The number of parts in a window.
    fn parts(self) -> usize {
        self.length - self.part_length() + 1
    }

    /// Passes fingerprints of a text to `emit`. Each window contributes the smallest hash of its
    /// parts; if several are equal, the last of them. A part that several windows share is passed
    /// once, so about 4 of N places have a fingerprint. Of consecutive equal fingerprints, only the
    /// first two are passed.
    ///
    /// Two equal windows, in two texts or in one, therefore have a fingerprint in common that is
    /// passed at least twice.
    ///
    /// ```
    /// use corpus_dedup::Windows;
    ///
    /// let windows: Windows = "4 words".parse()?;
    /// let (mut first, mut second) = (Vec::new(), Vec::new());
    /// windows.fingerprints("It was the best of times", |hash| first.push(hash));
    /// windows.fingerprints("Once, it was the best of all", |hash| second.push(hash));
    /// assert!(first.iter().any(|hash| second.contains(hash)));
    /// # Ok::<(), corpus_dedup::ParameterError>(())
    /// ```
    pub fn fingerprints(self, text: &str, mut emit: impl FnMut(u64)) {
        let values = self.unit.values(text);
        let mut parts = Roller::<1>::new(self.part_length());
        let mut minima = Minima::new(self.parts());
        let mut last: Option<Placed> = None;
        let mut equal = 0;
        for at in 0..values.len() {
            let part = parts.next(&values, at);
            let Some(smallest) = part.and_then(|part| minima.push(narrow(part))) else {
                continue;
            };
            if last.is_some_and(|last| last.position == smallest.position) {
                continue;
            }
            equal = match last.replace(smallest) {
                Some(last) if last.hash == smallest.hash => equal + 1,
                _ => 1,
            };
            if equal <= MAX_EQUAL_FINGERPRINTS {
                emit(smallest.hash);
            }
        }
    }

    /// Passes the windows of a text to `emit`, in their order. If there are fingerprints, only
    /// windows with one of them are passed. Fingerprints must be sorted.
    pub fn for_each(self, text: &str, fingerprints: Option<&[u64]>, mut emit: impl FnMut(Window)) {
        let values = self.unit.values(text);
        let mut parts = Roller::<1>::new(self.part_length());
        let mut windows = Roller::<2>::new(self.length);
        let mut minima = Minima::new(self.parts());
        // Adjacent windows usually have the same fingerprint.
        let mut last = None;
        for at in 0..values.len() {
            let part = parts.next(&values, at);
            let smallest = part.and_then(|part| minima.push(narrow(part)));
            let (Some(hash), Some(smallest)) = (windows.next(&values, at), smallest) else {
                continue;
            };
            let is_listed = match (fingerprints, last) {
                (None, _) => true,
                (Some(_), Some((hash, is_listed))) if hash == smallest.hash => is_listed,
                (Some(fingerprints), _) => fingerprints.binary_search(&smallest.hash).is_ok(),
            };
            last = Some((smallest.hash, is_listed));
            if is_listed {
                emit(Window {
                    position: at + 1 - self.length,
                    hash: wide(hash),
                });
            }
        }
    }
}

impl FromStr for Windows {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let expected = || {
            ParameterError(format!(
                "window: expected 'N words', 'N characters', 'N normalized words' or \
                 'N normalized characters' with N from 1 to {MAX_LENGTH}, got '{text}'"
            ))
        };
        let (length, unit) = text.split_once(' ').ok_or_else(expected)?;
        let length = length.parse().map_err(|_| expected())?;
        let unit = Unit::from_name(unit).ok_or_else(expected)?;
        Self::new(unit, length).map_err(|_| expected())
    }
}

impl fmt::Display for Windows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.length, self.unit.name())
    }
}

#[cfg(test)]
mod tests;
