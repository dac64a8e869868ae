//! The bytes of all results of a run, compressed if the name of the file says so.

use std::io::{self, BufWriter, Write};

use flate2::write::GzEncoder;

use super::named_output::Compression;

const BUFFER_BYTES: usize = 64 << 10;

pub enum Stream<W: Write> {
    Plain(BufWriter<W>),
    Gzip(GzEncoder<BufWriter<W>>),
    Zstd(zstd::Encoder<'static, BufWriter<W>>),
}

impl<W: Write> Stream<W> {
    pub fn plain(out: W) -> Self {
        Self::Plain(BufWriter::new(out))
    }

    pub fn compressed(out: W, compression: Compression) -> io::Result<Self> {
        let out = BufWriter::with_capacity(BUFFER_BYTES, out);
        Ok(match compression {
            Compression::Gzip => Self::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Writes everything that is buffered, and the end of compressed data.
    pub fn finish(self) -> io::Result<()> {
        let mut out = match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        };
        out.flush()
    }

    /// Drops everything that is buffered.
    pub fn discard(self) {
        if let Self::Plain(out) = self {
            drop(out.into_parts());
        }
    }
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstd(out) => out.write(bytes),
        }
    }

    /// Passes plain text on. Compressed data is read only when it is complete, and flushes would
    /// make it larger.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }
}
