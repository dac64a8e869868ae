//! Hadoop's codecs, by the names of their classes.

use std::io::{self, BufRead, Read, Write};

use libdeflater::{CompressionLvl, Compressor};

use super::chunks::{self, Algorithm, Chunks};
use super::reasons;
use corpus_bytes::compression::Compression;
use corpus_bytes::inflate::{WholeInflater, ZlibReader, renew};
use corpus_bytes::record::RecordError;
use corpus_bytes::until_error::UntilError;

const CLASSES: &[(Codec, &str)] = &[
    (Codec::Deflate, "org.apache.hadoop.io.compress.DefaultCodec"),
    (Codec::Deflate, "org.apache.hadoop.io.compress.DeflateCodec"),
    (Codec::Gzip, "org.apache.hadoop.io.compress.GzipCodec"),
    (Codec::Bzip2, "org.apache.hadoop.io.compress.BZip2Codec"),
    (Codec::Snappy, "org.apache.hadoop.io.compress.SnappyCodec"),
    (Codec::Lz4, "org.apache.hadoop.io.compress.Lz4Codec"),
    (Codec::Zstd, "org.apache.hadoop.io.compress.ZStandardCodec"),
    (
        Codec::Passthrough,
        "org.apache.hadoop.io.compress.PassthroughCodec",
    ),
];

/// A compression of keys and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Codec {
    /// The format of zlib.
    Deflate,
    Gzip,
    Bzip2,
    Snappy,
    Lz4,
    Zstd,
    /// No compression.
    Passthrough,
}

impl Codec {
    /// Returns the codec of a Java class.
    pub fn of_class(class: &str) -> Result<Self, RecordError> {
        if let Some((codec, _)) = CLASSES.iter().find(|(_, known)| *known == class) {
            return Ok(*codec);
        }
        let detail = if class.to_ascii_lowercase().contains("lzo") {
            format!("{class}: LZO is not supported; rewrite the file with another codec")
        } else {
            format!("{class} is not one of Hadoop's codecs")
        };
        Err(RecordError::new(reasons::UNKNOWN_CODEC, detail))
    }

    /// Returns the name of the Java class.
    pub fn class(self) -> &'static str {
        let known = CLASSES.iter().find(|(codec, _)| *codec == self);
        known.map_or("", |(_, class)| class)
    }

    /// Decompresses a buffer as a stream, in bounded memory.
    pub fn decoder(self, input: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        let decoder: Box<dyn Read + Send> = match self {
            Self::Deflate => Box::new(ZlibReader::new(input)),
            Self::Gzip => Compression::Gzip.buffered_decoder(input)?,
            Self::Bzip2 => Compression::Bzip2.buffered_decoder(input)?,
            Self::Zstd => Compression::Zstd.buffered_decoder(input)?,
            Self::Snappy => Box::new(Chunks::new(input, Algorithm::Snappy)),
            Self::Lz4 => Box::new(Chunks::new(input, Algorithm::Lz4)),
            Self::Passthrough => Box::new(input),
        };
        Ok(Box::new(UntilError::new(decoder)))
    }

    /// Compresses the data as Hadoop does, and appends it.
    pub fn compress(self, data: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let start = out.len();
        match self {
            Self::Deflate | Self::Gzip => {
                let mut compressor = Compressor::new(CompressionLvl::default());
                let (bound, gzip) = match self {
                    Self::Gzip => (compressor.gzip_compress_bound(data.len()), true),
                    _ => (compressor.zlib_compress_bound(data.len()), false),
                };
                out.resize(start + bound, 0);
                let room = &mut out[start..];
                let written = if gzip {
                    compressor.gzip_compress(data, room)
                } else {
                    compressor.zlib_compress(data, room)
                };
                out.truncate(start + written.map_err(io::Error::other)?);
            }
            Self::Bzip2 => {
                let level = bzip2::Compression::best();
                let mut encoder = bzip2::write::BzEncoder::new(out, level);
                encoder.write_all(data)?;
                encoder.finish()?;
            }
            Self::Snappy => chunks::compress(Algorithm::Snappy, data, out)?,
            Self::Lz4 => chunks::compress(Algorithm::Lz4, data, out)?,
            Self::Zstd => out.extend_from_slice(&zstd::bulk::compress(data, 0)?),
            Self::Passthrough => out.extend_from_slice(data),
        }
        Ok(())
    }
}

/// Inflates buffers of usual sizes in one call, in half the time, and reuses their memory.
pub struct Inflater {
    whole: WholeInflater,
    /// Buffers to reuse in ascending order of size.
    spare: Vec<Vec<u8>>,
}

/// Decompressed data: the first `size` bytes of `room`.
#[derive(Default)]
pub struct Inflated {
    room: Vec<u8>,
    size: usize,
}

/// The state after the data returned by [`Inflater::inflate_ahead`].
pub enum Rest {
    /// The data is complete and matches its checksum, if it has one.
    Nothing,
    /// Decompression failed here, so everything before it is suspect too.
    Failed(io::Error),
    /// More data.
    Stream(Box<dyn Read + Send>),
}

const FIRST_ROOM_BYTES: usize = 64 << 10;
const MAX_ROOM_BYTES: usize = 4 << 20;
/// The size of data that is decompressed, and so checked, before any of it is used.
pub const MAX_AHEAD_BYTES: usize = 16 << 20;
/// The number of buffers of a block.
const MAX_SPARE_BUFFERS: usize = 4;

impl Inflated {
    pub fn bytes(&self) -> &[u8] {
        self.room.get(..self.size).unwrap_or_default()
    }
}

impl Inflater {
    pub fn new() -> Self {
        Self {
            whole: WholeInflater::new(),
            spare: Vec::new(),
        }
    }

    /// Inflates the data in one call, to `size` bytes if that is known. `None` if it is too large,
    /// damaged or of another codec; [`Codec::decoder`] then handles it.
    pub fn inflate(&mut self, codec: Codec, data: &[u8], size: Option<usize>) -> Option<Inflated> {
        let is_large = data.len().max(size.unwrap_or(0)) > MAX_ROOM_BYTES;
        if codec != Codec::Deflate || is_large {
            return None;
        }
        let likely = size.unwrap_or_else(|| WholeInflater::likely_size(data));
        let mut room = self.room_for(likely.min(MAX_ROOM_BYTES));
        match self.whole.zlib_into(data, &mut room, MAX_ROOM_BYTES) {
            Some(size) => Some(Inflated { room, size }),
            None => {
                self.give_back(Inflated { room, size: 0 });
                None
            }
        }
    }

    /// Decompresses up to [`MAX_AHEAD_BYTES`], to find damage before the first record.
    ///
    /// Decoders drop the output of the step that fails; `step` bounds that loss.
    pub fn inflate_ahead(
        &mut self,
        mut decoder: Box<dyn Read + Send>,
        step: usize,
        likely_size: usize,
    ) -> (Inflated, Rest) {
        let mut room = self.room_for(likely_size.min(MAX_AHEAD_BYTES));
        let mut size = 0;
        let rest = loop {
            if size == room.len() {
                if size >= MAX_AHEAD_BYTES {
                    break Rest::Stream(decoder);
                }
                room.resize((size * 4).clamp(FIRST_ROOM_BYTES, MAX_AHEAD_BYTES), 0);
            }
            let end = size.saturating_add(step).min(room.len());
            match decoder.read(&mut room[size..end]) {
                Ok(0) => break Rest::Nothing,
                Ok(count) => size += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Rest::Failed(error),
            }
        };
        (Inflated { room, size }, rest)
    }

    /// Returns a buffer of this size or more. The smallest suitable spare buffer is used, so that
    /// large ones are left for the values of the block.
    fn room_for(&mut self, size: usize) -> Vec<u8> {
        if let Some(place) = self.spare.iter().position(|room| room.len() >= size) {
            return self.spare.remove(place);
        }
        let mut room = self.spare.pop().unwrap_or_default();
        // Buffers of about the same size share their memory.
        renew(&mut room, size.next_multiple_of(FIRST_ROOM_BYTES));
        room
    }

    /// Takes back memory that is no longer needed.
    pub fn give_back(&mut self, inflated: Inflated) {
        if self.spare.len() < MAX_SPARE_BUFFERS && !inflated.room.is_empty() {
            self.spare.push(inflated.room);
            self.spare.sort_unstable_by_key(Vec::len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CODECS, Random};
    use std::io::Cursor;

    fn decoded(codec: Codec, data: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut decoder = codec.decoder(Cursor::new(data))?;
        decoder.read_to_end(&mut out)?;
        Ok(out)
    }

    fn inputs() -> Vec<Vec<u8>> {
        let mut random = Random(5);
        vec![
            Vec::new(),
            b"x".to_vec(),
            b"text ".repeat(200_000),
            random.bytes(500_000),
            [vec![0; 300_000], random.bytes(300_000)].concat(),
        ]
    }

    #[test]
    fn compressed_data_comes_back() {
        for codec in CODECS {
            for data in inputs() {
                let mut compressed = vec![7];
                codec.compress(&data, &mut compressed).unwrap();
                assert!(decoded(codec, compressed.split_off(1)).unwrap() == data);
            }
        }
    }

    #[test]
    fn a_cut_is_an_error() {
        for codec in CODECS {
            for data in inputs().split_off(1) {
                let mut compressed = Vec::new();
                codec.compress(&data, &mut compressed).unwrap();
                for cut in [1, 2, 9, compressed.len() / 2] {
                    let cut = compressed[..compressed.len().saturating_sub(cut)].to_vec();
                    if !cut.is_empty() && codec != Codec::Passthrough {
                        let mut decoder = codec.decoder(Cursor::new(cut)).unwrap();
                        let mut read = || decoder.read_to_end(&mut Vec::new());
                        assert!(read().is_err(), "{codec:?} {}", data.len());
                        assert!(read().is_err());
                    }
                }
            }
        }
    }

    #[test]
    fn concatenated_members() {
        for codec in [Codec::Gzip, Codec::Bzip2, Codec::Zstd] {
            let mut compressed = Vec::new();
            codec.compress(b"first ", &mut compressed).unwrap();
            codec.compress(b"second", &mut compressed).unwrap();
            assert_eq!(decoded(codec, compressed).unwrap(), b"first second");
        }
    }

    #[test]
    fn in_one_call_or_not_at_all() {
        let mut inflater = Inflater::new();
        for data in inputs() {
            let mut compressed = Vec::new();
            Codec::Deflate.compress(&data, &mut compressed).unwrap();
            let inflated = inflater.inflate(Codec::Deflate, &compressed, None).unwrap();
            assert!(inflated.bytes() == data);
            inflater.give_back(inflated);
            assert!(inflater.inflate(Codec::Gzip, &compressed, None).is_none());
            compressed.pop();
            assert!(
                inflater
                    .inflate(Codec::Deflate, &compressed, None)
                    .is_none()
            );
        }
        let mut compressed = Vec::new();
        let bomb = vec![0; MAX_ROOM_BYTES + 1];
        Codec::Deflate.compress(&bomb, &mut compressed).unwrap();
        assert!(
            inflater
                .inflate(Codec::Deflate, &compressed, None)
                .is_none()
        );
    }

    #[test]
    fn known_sizes_are_enough_and_wrong_ones_are_corrected() {
        for data in inputs() {
            let mut inflater = Inflater::new();
            let mut compressed = Vec::new();
            Codec::Deflate.compress(&data, &mut compressed).unwrap();
            for size in [0, 1, data.len(), data.len() + 1, MAX_ROOM_BYTES] {
                let inflated = inflater.inflate(Codec::Deflate, &compressed, Some(size));
                let inflated = inflated.unwrap();
                assert!(inflated.bytes() == data);
                inflater.give_back(inflated);
            }
            let too_large = Some(MAX_ROOM_BYTES + 1);
            let inflated = inflater.inflate(Codec::Deflate, &compressed, too_large);
            assert!(inflated.is_none());
        }
    }

    #[test]
    fn small_data_leaves_large_buffers_to_large_data() {
        let mut inflater = Inflater::new();
        let mut small = Vec::new();
        Codec::Deflate.compress(b"key", &mut small).unwrap();
        let mut large = Vec::new();
        let text = b"text ".repeat(200_000);
        Codec::Deflate.compress(&text, &mut large).unwrap();
        for _ in 0..3 {
            let key = inflater.inflate(Codec::Deflate, &small, None).unwrap();
            let value = inflater.inflate(Codec::Deflate, &large, Some(text.len()));
            assert!(key.room.len() == FIRST_ROOM_BYTES);
            inflater.give_back(key);
            inflater.give_back(value.unwrap());
        }
        assert_eq!(inflater.spare.len(), 2);
    }

    #[test]
    fn classes() {
        for (codec, class) in CLASSES {
            assert_eq!(Codec::of_class(class), Ok(*codec));
        }
        let class = Codec::Deflate.class();
        assert_eq!(class, "org.apache.hadoop.io.compress.DefaultCodec");
        for class in ["com.hadoop.compression.lzo.LzoCodec", "org.example.Codec"] {
            let error = Codec::of_class(class).unwrap_err();
            assert_eq!(error.reason, reasons::UNKNOWN_CODEC);
            assert!(error.detail.contains(class), "{error}");
        }
    }
}
