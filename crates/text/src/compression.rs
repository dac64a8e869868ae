//! Compression ratios of texts: low for repetitive ones, high for random ones.

use std::io::{self, Write as _};

/// Maximum number of bytes of a text to compress. The rest is ignored.
pub const MAX_BYTES: usize = 1 << 20;

/// A compression format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// A block of LZ4 without a frame, at the fast level.
    Lz4,
    /// A frame of Zstandard at level 3.
    Zstd,
    /// A member of gzip at level 6.
    Gzip,
}

const ZSTD_LEVEL: i32 = 3;
const GZIP_LEVEL: u32 = 6;

impl Codec {
    pub const ALL: [Self; 3] = [Self::Lz4, Self::Zstd, Self::Gzip];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    fn compressed_size(self, bytes: &[u8]) -> io::Result<usize> {
        Ok(match self {
            Self::Lz4 => lz4_flex::block::compress(bytes).len(),
            Self::Zstd => zstd::bulk::compress(bytes, ZSTD_LEVEL)?.len(),
            Self::Gzip => {
                let level = flate2::Compression::new(GZIP_LEVEL);
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(bytes)?;
                encoder.finish()?.len()
            }
        })
    }
}

/// The compressed size of a text divided by its size in UTF-8. `None` for an empty text.
///
/// ```
/// use corpus_text::compression::{Codec, ratio};
///
/// assert!(ratio(&"again ".repeat(100), Codec::Lz4).unwrap().unwrap() < 0.1);
/// assert_eq!(ratio("", Codec::Lz4).unwrap(), None);
/// ```
///
/// # Errors
///
/// Fails if the encoder runs out of memory.
pub fn ratio(text: &str, codec: Codec) -> io::Result<Option<f64>> {
    let bytes = text.as_bytes();
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    if bytes.is_empty() {
        return Ok(None);
    }
    let compressed = codec.compressed_size(bytes)?;
    Ok(Some(compressed as f64 / bytes.len() as f64))
}

#[cfg(test)]
mod tests {
    use corpus_bytes::random::Random;

    use super::*;

    #[test]
    fn repetitive_texts_have_lower_ratios() {
        let mut random = Random(4);
        let random: String = (0..5000)
            .map(|_| char::from_u32(0x4e00 + random.below(20_000) as u32).unwrap_or('一'))
            .collect();
        let repetitive = "同じ文です。".repeat(1000);
        for codec in Codec::ALL {
            let ratio = |text| ratio(text, codec).unwrap().unwrap();
            assert!(ratio(&repetitive) < 0.05, "{codec:?}");
            assert!(ratio(&random) > 0.6, "{codec:?}");
            // Headers make very short texts larger.
            assert!(ratio("a") > 1.0, "{codec:?}");
        }
    }

    #[test]
    fn only_the_start_of_a_long_text_counts() {
        let start = "a".repeat(MAX_BYTES);
        let mut random = Random(4);
        let rest: String = (0..10_000)
            .map(|_| char::from(b'a' + random.below(26) as u8))
            .collect();
        let all = start.clone() + &rest;
        // The limit may be inside a character.
        let shifted = "b".to_owned() + &"é".repeat(MAX_BYTES);
        for codec in Codec::ALL {
            assert_eq!(ratio(&all, codec).unwrap(), ratio(&start, codec).unwrap());
            assert!(ratio(&shifted, codec).unwrap().unwrap() < 0.01);
        }
    }
}
