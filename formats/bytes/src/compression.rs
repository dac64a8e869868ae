//! Compressed streams, told by their magic bytes and never by their names.

use std::io::{self, Read};

/// How far into a file or member the magic bytes reach.
pub const MAGIC_LENGTH: usize = 16;

const XZ_MEMORY_LIMIT: u64 = 256 << 20;
/// Log2 of the largest window that is accepted: 128 MiB, zstd's own default for decoders.
const ZSTD_WINDOW_LOG: u32 = 27;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
}

impl Compression {
    pub fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 0x08, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
            {
                Some(Self::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x04, 0x22, 0x4d, 0x18, ..] => Some(Self::Lz4),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Lz4 => "lz4",
        }
    }

    /// Decompresses all concatenated streams of `input`, in bounded memory.
    pub fn decoder<'a>(
        self,
        input: impl Read + Send + 'a,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(input)),
            Self::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(input)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(decoder)
            }
            Self::Bzip2 => Box::new(UntilError(Some(bzip2::read::MultiBzDecoder::new(input)))),
            Self::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY_LIMIT, flags)?;
                Box::new(liblzma::read::XzDecoder::new_stream(input, stream))
            }
            Self::Lz4 => Box::new(Lz4Frames(lz4_flex::frame::FrameDecoder::new(input))),
        })
    }
}

/// Is not read again after an error: the decoder of bzip2 aborts the process then.
struct UntilError<R>(Option<R>);

impl<R: Read> Read for UntilError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(input) = &mut self.0 else {
            return Err(io::Error::other("read on behind an error"));
        };
        let read = input.read(buffer);
        if read
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.0 = None;
        }
        read
    }
}

/// A frame decoder stops after each frame; this one goes on with the next.
struct Lz4Frames<R: Read>(lz4_flex::frame::FrameDecoder<R>);

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Ok(self.0.read(buffer)?),
            n => Ok(n),
        }
    }
}

/// `x.html.gz` without `.gz`. Expects lower case.
pub fn strip_compression_ending(name: &str) -> &str {
    [".gz", ".zst", ".bz2", ".xz", ".lz4"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}

/// Whether a file name has one of the endings, with or without a compression's ending after it.
pub fn has_ending(name: &str, endings: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = strip_compression_ending(&name);
    [name.as_str(), bare].iter().any(|name| {
        endings.iter().any(|ending| {
            name.strip_suffix(ending)
                .is_some_and(|rest| rest.ends_with('.'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// The text, compressed as two concatenated streams.
    fn twice(compress: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        [compress(b"first "), compress(b"second")].concat()
    }

    #[test]
    fn reading_on_behind_an_error_is_an_error() {
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
    fn concatenated_streams_are_read_to_their_end() {
        let gzip = twice(|data| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        });
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

    #[test]
    fn plain_text_is_no_compression() {
        for head in [&b""[..], b"BZh9 is a word", b"%PDF-1.7", b"\x1f\x8b"] {
            assert_eq!(Compression::detect(head), None);
        }
    }

    #[test]
    fn endings_see_through_compression() {
        assert!(has_ending("a/x.PDF", &["pdf"]));
        assert!(has_ending("x.html.gz", &["html"]));
        assert!(has_ending("x.tar.gz", &["tar.gz"]));
        assert!(!has_ending("pdf", &["pdf"]));
        assert!(!has_ending("x.pdf.txt", &["pdf"]));
    }
}
