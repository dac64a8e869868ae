//! Streaming decoders of the compressions.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use zstd::zstd_safe::DCtx;

use super::{Compression, MAX_ZSTD_WINDOW_LOG};
use crate::until_error::UntilError;

const MAX_XZ_MEMORY_BYTES: u64 = 256 << 20;

impl Compression {
    /// Decompresses all concatenated streams of `input`, in bounded memory.
    pub fn decoder<'a>(
        self,
        input: impl Read + Send + 'a,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        let capacity = match self {
            Self::Gzip => 32 << 10,
            Self::Zstd => DCtx::in_size(),
            Self::Bzip2 | Self::Xz | Self::Lz4 => 8 << 10,
        };
        self.buffered_decoder(BufReader::with_capacity(capacity, input))
    }

    /// Like [`Self::decoder`], for input that is buffered already.
    pub fn buffered_decoder<'a>(
        self,
        input: impl BufRead + Send + 'a,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(GzipMembers(Some(GzDecoder::new(input)))),
            Self::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(input)?;
                decoder.window_log_max(MAX_ZSTD_WINDOW_LOG)?;
                Box::new(decoder)
            }
            // The decoder of bzip2 aborts the process if it is read after an error.
            Self::Bzip2 => Box::new(UntilError::new(bzip2::bufread::MultiBzDecoder::new(input))),
            Self::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream =
                    liblzma::stream::Stream::new_stream_decoder(MAX_XZ_MEMORY_BYTES, flags)?;
                Box::new(liblzma::bufread::XzDecoder::new_stream(input, stream))
            }
            Self::Lz4 => Box::new(Lz4Frames(lz4_flex::frame::FrameDecoder::new(input))),
        })
    }
}

/// Reads all members. Zeros after a member are padding, as tapes and block devices have it.
struct GzipMembers<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.0 {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let has_next = skip_zeros(decoder.get_mut())?;
            let input = self.0.take().map(GzDecoder::into_inner);
            self.0 = input.filter(|_| has_next).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// Skips zeros. Returns whether there are other bytes.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let has_others = zeros < bytes.len();
        input.consume(zeros);
        if has_others {
            return Ok(true);
        }
    }
}

/// Reads all frames; the decoder itself stops after each.
struct Lz4Frames<R: Read>(lz4_flex::frame::FrameDecoder<R>);

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Ok(self.0.read(buffer)?),
            n => Ok(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The text, compressed as two concatenated streams.
    fn twice(compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        [compress(b"first "), compress(b"second")].concat()
    }

    #[test]
    fn reading_after_an_error_is_an_error() {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
        encoder.write_all(&[b'x'; 5000]).unwrap();
        let mut damaged = encoder.finish().unwrap();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0xff;
        let mut decoder = Compression::Bzip2.decoder(damaged.as_slice()).unwrap();
        for _ in 0..3 {
            assert!(decoder.read_to_end(&mut Vec::new()).is_err());
        }
    }

    #[test]
    fn zeros_after_gzip_are_padding_but_other_bytes_are_damage() {
        let members = twice(crate::test_data::gzip);
        let first = crate::test_data::gzip(b"first ").len();
        let (first, second) = members.split_at(first);
        let decoded = |parts: &[&[u8]]| {
            let mut text = String::new();
            let bytes = parts.concat();
            let mut decoder = Compression::Gzip.decoder(bytes.as_slice()).unwrap();
            decoder.read_to_string(&mut text).map(|_| text)
        };
        let zeros = vec![0; 100_000];
        assert_eq!(
            decoded(&[first, &zeros, second, &zeros]).unwrap(),
            "first second"
        );
        assert!(decoded(&[first, second, &zeros, b"x"]).is_err());
        assert!(decoded(&[b""]).is_err());
    }

    #[test]
    fn concatenated_streams_are_read_to_their_end() {
        let gzip = twice(crate::test_data::gzip);
        let zstd = twice(|data| zstd::encode_all(data, 3).unwrap());
        let bzip2 = twice(|data| {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        });
        let xz = twice(|data| {
            let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        });
        let lz4 = twice(|data| {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        });
        for (bytes, expected) in [
            (gzip, Compression::Gzip),
            (zstd, Compression::Zstd),
            (bzip2, Compression::Bzip2),
            (xz, Compression::Xz),
            (lz4, Compression::Lz4),
        ] {
            assert_eq!(Compression::detect(&bytes), Some(expected));
            let mut text = String::new();
            let mut decoder = expected.decoder(bytes.as_slice()).unwrap();
            decoder.read_to_string(&mut text).unwrap();
            assert_eq!(text, "first second", "{expected:?}");

            let cut = &bytes[..bytes.len() - 5];
            let mut decoder = expected.decoder(cut).unwrap();
            assert!(
                decoder.read_to_end(&mut Vec::new()).is_err(),
                "{expected:?}"
            );
        }
    }
}
