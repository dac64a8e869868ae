//! Hadoop's format of data in Snappy and LZ4:
//!
//! ```text
//! stream = group*
//! group  = size of its text (4 bytes, big-endian), chunks until the text has that size
//! chunk  = size (4 bytes), compressed data
//! ```

use std::io::{self, BufRead, ErrorKind, Read};

use lz4_flex::block::DecompressError;

use corpus_bytes::file::read_up_to;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Snappy,
    Lz4,
}

/// Maximum size of a chunk, compressed or not. Larger ones count as damage: Hadoop writes 256 KiB.
const MAX_CHUNK_BYTES: usize = 64 << 20;
/// The size of written chunks. Hadoop has room for 256 KiB of compressed data; incompressible data
/// of this size fits.
const WRITTEN_CHUNK_BYTES: usize = 128 << 10;
const FIRST_TEXT_BYTES: usize = 256 << 10;

pub struct Chunks<R> {
    input: R,
    algorithm: Algorithm,
    /// The number of text bytes left in the current group.
    left: usize,
    chunk: Vec<u8>,
    text: Vec<u8>,
    /// The unread bytes of `text` are `start..end`.
    start: usize,
    end: usize,
    ended: bool,
}

impl<R: BufRead> Chunks<R> {
    pub fn new(input: R, algorithm: Algorithm) -> Self {
        Self {
            input,
            algorithm,
            left: 0,
            chunk: Vec::new(),
            text: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
        }
    }

    /// Reads a size; `None` at the end of the input.
    fn size(&mut self) -> io::Result<Option<usize>> {
        let mut size = [0; 4];
        match read_up_to(&mut self.input, &mut size)? {
            0 => Ok(None),
            4 => Ok(Some(u32::from_be_bytes(size) as usize)),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    fn next_chunk(&mut self) -> io::Result<()> {
        if self.left == 0 {
            // Hadoop may end a stream with an empty group.
            self.left = self.size()?.unwrap_or_default();
            self.ended = self.left == 0;
            if self.ended {
                return Ok(());
            }
        }
        let size = self.size()?.ok_or(ErrorKind::UnexpectedEof)?;
        if size > MAX_CHUNK_BYTES {
            return Err(invalid(format!("a chunk of {size} bytes")));
        }
        self.chunk.clear();
        let mut input = (&mut self.input).take(size as u64);
        if input.read_to_end(&mut self.chunk)? < size {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let max = self.left.min(MAX_CHUNK_BYTES);
        let size = match self.algorithm {
            Algorithm::Snappy => self.decompress_snappy(max)?,
            Algorithm::Lz4 => self.decompress_lz4(max)?,
        };
        if size == 0 {
            return Err(invalid("an empty chunk".to_owned()));
        }
        (self.start, self.end) = (0, size);
        self.left -= size;
        Ok(())
    }

    fn decompress_snappy(&mut self, max: usize) -> io::Result<usize> {
        // A copy instruction of three bytes yields at most 64.
        let max = max.min(self.chunk.len().saturating_mul(32));
        let size = snap::raw::decompress_len(&self.chunk)?;
        if size > max {
            return Err(invalid(format!(
                "a chunk that declares {size} bytes of text"
            )));
        }
        self.make_room(size);
        Ok(snap::raw::Decoder::new().decompress(&self.chunk, &mut self.text[..size])?)
    }

    fn decompress_lz4(&mut self, max: usize) -> io::Result<usize> {
        let mut room = max.min(self.text.len().max(FIRST_TEXT_BYTES));
        loop {
            self.make_room(room);
            match lz4_flex::block::decompress_into(&self.chunk, &mut self.text[..room]) {
                Ok(size) => return Ok(size),
                Err(DecompressError::OutputTooSmall { .. }) if room < max => {
                    room = room.saturating_mul(4).min(max);
                }
                Err(error) => return Err(io::Error::new(ErrorKind::InvalidData, error)),
            }
        }
    }

    fn make_room(&mut self, size: usize) {
        if self.text.len() < size {
            self.text.resize(size, 0);
        }
    }
}

impl<R: BufRead> Read for Chunks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.start == self.end && !self.ended {
            self.next_chunk()?;
        }
        let count = buffer.len().min(self.end - self.start);
        buffer[..count].copy_from_slice(&self.text[self.start..self.start + count]);
        self.start += count;
        Ok(count)
    }
}

fn invalid(detail: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, detail)
}

/// Compresses the data as one group, and appends it.
pub fn compress(algorithm: Algorithm, data: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    compress_in_chunks(algorithm, data, WRITTEN_CHUNK_BYTES, out)
}

fn compress_in_chunks(
    algorithm: Algorithm,
    data: &[u8],
    size: usize,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    push_size(data.len(), out)?;
    for piece in data.chunks(size) {
        let compressed = match algorithm {
            Algorithm::Snappy => snap::raw::Encoder::new().compress_vec(piece)?,
            Algorithm::Lz4 => lz4_flex::block::compress(piece),
        };
        push_size(compressed.len(), out)?;
        out.extend_from_slice(&compressed);
    }
    Ok(())
}

fn push_size(size: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let size = i32::try_from(size).map_err(|_| ErrorKind::FileTooLarge)?;
    out.extend_from_slice(&size.to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Algorithm; 2] = [Algorithm::Snappy, Algorithm::Lz4];

    fn read(algorithm: Algorithm, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Chunks::new(bytes, algorithm).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn groups_of_many_chunks() {
        let data: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        for algorithm in BOTH {
            for size in [1000, 4096, 399_999] {
                let mut bytes = Vec::new();
                compress_in_chunks(algorithm, &data, size, &mut bytes).unwrap();
                compress_in_chunks(algorithm, &data[..5], size, &mut bytes).unwrap();
                bytes.extend_from_slice(&[0; 4]);
                let expected = [&data[..], &data[..5]].concat();
                assert!(read(algorithm, &bytes).unwrap() == expected);
            }
        }
    }

    #[test]
    fn text_that_is_much_larger_than_its_chunk() {
        let data = vec![b'a'; 30 << 20];
        for algorithm in BOTH {
            let mut bytes = Vec::new();
            compress_in_chunks(algorithm, &data, data.len(), &mut bytes).unwrap();
            assert!(read(algorithm, &bytes).unwrap() == data);
        }
    }

    #[test]
    fn declared_sizes_are_not_believed() {
        for algorithm in BOTH {
            for bytes in [
                &[0x7f, 255, 255, 255, 0x7f, 255, 255, 255, 1, 2, 3][..],
                &[0x7f, 255, 255, 255, 0, 0, 0, 0],
                &[0x7f, 255, 255, 255, 0, 0, 0, 5, 255, 255, 255, 255, 7],
                &[0, 0, 0, 1, 0, 0, 0, 9, 1],
                &[0, 0, 0, 1],
                &[0, 0],
            ] {
                let mut chunks = Chunks::new(bytes, algorithm);
                assert!(chunks.read_to_end(&mut Vec::new()).is_err());
                assert!(chunks.chunk.capacity() + chunks.text.len() <= FIRST_TEXT_BYTES + 64);
            }
        }
    }
}
