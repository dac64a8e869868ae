//! Locality-sensitive hashing: texts that share a band of their signatures are candidates.
//!
//! With b bands of r rows, two texts of the similarity s share a band with a probability of about
//! 1 − (1 − sʳ)ᵇ.

use xxhash_rust::xxh3::Xxh3;

use crate::minhash::MAX_BINS;
use crate::{ParameterError, check_range};

/// The number of bands and of rows in each.
///
/// ```
/// use corpus_dedup::bands::Bands;
///
/// let bands = Bands::new(2, 3)?;
/// let first: Vec<u64> = bands.keys(&[1, 2, 3, 4, 5, 6]).unwrap().collect();
/// let second: Vec<u64> = bands.keys(&[1, 2, 3, 4, 5, 7]).unwrap().collect();
/// assert_eq!(first[0], second[0]);
/// assert_ne!(first[1], second[1]);
/// assert!(bands.keys(&[1, 2, 3, 4, 5]).is_none());
/// # Ok::<(), corpus_dedup::ParameterError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bands {
    bands: usize,
    rows: usize,
}

impl Bands {
    pub fn new(bands: usize, rows: usize) -> Result<Self, ParameterError> {
        let bands = check_range("bands", bands, MAX_BINS)?;
        let rows = check_range("rows", rows, MAX_BINS)?;
        if bands * rows > MAX_BINS {
            let message = format!(
                "expected at most {MAX_BINS} values in all bands, got {bands} bands of {rows} rows"
            );
            return Err(ParameterError(message));
        }
        Ok(Self { bands, rows })
    }

    /// The number of values of a signature that the bands use.
    pub fn values(self) -> usize {
        self.bands * self.rows
    }

    /// Returns the key of each band: the XXH3 of the number of the band, from 0, and of its values,
    /// all as little-endian integers of 32 bits. Equal values in different bands have different
    /// keys. `None` if the signature has too few values; surplus values are ignored.
    pub fn keys(self, signature: &[u32]) -> Option<impl Iterator<Item = u64>> {
        let used = signature.get(..self.values())?;
        let bands = (0u32..).zip(used.chunks_exact(self.rows));
        Some(bands.map(|(band, rows)| {
            let mut hash = Xxh3::new();
            hash.update(&band.to_le_bytes());
            for value in rows {
                hash.update(&value.to_le_bytes());
            }
            hash.digest()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hashes_of_the_band_and_its_values() {
        let keys: Vec<u64> = Bands::new(2, 2)
            .unwrap()
            .keys(&[7, 8, 7, 8, 9])
            .unwrap()
            .collect();
        let bytes = |band: u8| [band, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0];
        let expected = [0, 1].map(|band| xxhash_rust::xxh3::xxh3_64(&bytes(band)));
        assert_eq!(keys, expected);
    }

    #[test]
    fn parameters_are_checked() {
        assert!(Bands::new(1, MAX_BINS).is_ok());
        for (bands, rows) in [
            (0, 1),
            (1, 0),
            (MAX_BINS + 1, 1),
            (usize::MAX, usize::MAX),
            (65, 64),
        ] {
            let error = Bands::new(bands, rows).unwrap_err().to_string();
            assert!(error.contains("4096"), "{error}");
        }
    }
}
