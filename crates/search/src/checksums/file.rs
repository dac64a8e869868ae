//! A file whose blocks are checked when they are first read.

use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value as Json, json};
use tantivy::HasLen;
use tantivy::directory::footer::Footer;
use tantivy::directory::{FileHandle, FileSlice, OwnedBytes};

use super::text::CRC_DIGITS;
use crate::failures::Failures;

/// The size of a block. Smaller blocks would need more checksums; larger blocks would mean more
/// reading for a short list.
const BLOCK_BYTES: usize = 64 << 10;

/// The checksums of a file.
pub struct FileSums {
    /// The size of the file, if it is known.
    size: Option<usize>,
    /// The number of bytes from the start that have checksums.
    covered: usize,
    block_bytes: usize,
    sums: Vec<u32>,
    /// The blocks that have been checked, one bit each.
    intact: Vec<AtomicU64>,
}

impl fmt::Debug for FileSums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} checksums", self.sums.len())
    }
}

impl FileSums {
    fn new(size: Option<usize>, covered: usize, block_bytes: usize, sums: Vec<u32>) -> Self {
        let words = sums.len().div_ceil(64);
        Self {
            size,
            covered,
            block_bytes,
            sums,
            intact: (0..words).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the checksum at the end of a file of Tantivy, for all of its content.
    pub fn of_footer(file: &Arc<dyn FileHandle>) -> io::Result<Self> {
        let (footer, body) = Footer::extract_footer(FileSlice::new(Arc::clone(file)))?;
        let size = body.len();
        let sums = if size == 0 { vec![] } else { vec![footer.crc] };
        Ok(Self::new(None, size, size.max(1), sums))
    }

    /// Computes the checksums of a file of Tantivy, which must be intact.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let content: Arc<dyn FileHandle> = Arc::new(OwnedBytes::new(bytes.clone()));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self::of_footer(&content)?.check(&name, &bytes, 0)?;
        let mut sums = BlockSums::default();
        sums.update(&bytes);
        Ok(sums.finish())
    }

    pub fn has_size(&self, size: usize) -> bool {
        self.size.is_none_or(|known| known == size)
    }

    fn is_intact(&self, block: usize) -> bool {
        let word = self.intact.get(block / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) & (1 << (block % 64)) != 0)
    }

    /// Returns the range of the blocks that contain these bytes, if any of them is not checked.
    fn unchecked_range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let end = range.end.min(self.covered);
        if range.start >= end {
            return None;
        }
        let blocks = range.start / self.block_bytes..end.div_ceil(self.block_bytes);
        if blocks.clone().all(|block| self.is_intact(block)) {
            return None;
        }
        Some(blocks.start * self.block_bytes..(blocks.end * self.block_bytes).min(self.covered))
    }

    /// Checks the blocks in `bytes`, which start at a block boundary, `start`.
    fn check(&self, name: &str, bytes: &[u8], start: usize) -> io::Result<()> {
        let covered = &bytes[..bytes.len().min(self.covered - start)];
        let first = start / self.block_bytes;
        for (number, block) in covered.chunks(self.block_bytes).enumerate() {
            let number = first + number;
            if self.is_intact(number) {
                continue;
            }
            if self.sums.get(number) != Some(&crc32fast::hash(block)) {
                let from = number * self.block_bytes;
                let to = from + block.len();
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!(
                        "{name} is damaged (wrong checksum of the bytes from {from} to {to}): \
                         build the index again, or copy it again"
                    ),
                ));
            }
            if let Some(word) = self.intact.get(number / 64) {
                word.fetch_or(1 << (number % 64), Ordering::Relaxed);
            }
        }
        Ok(())
    }

    pub fn to_json(&self) -> Json {
        let sums = self.sums.iter();
        let sums: String = sums.map(|sum| format!("{sum:08x}")).collect();
        json!({ "bytes": self.covered, "block_bytes": self.block_bytes, "crc32": sums })
    }

    pub fn from_json(json: &Json) -> Option<Self> {
        let number = |name: &str| usize::try_from(json.get(name)?.as_u64()?).ok();
        let (size, block_bytes) = (number("bytes")?, number("block_bytes")?);
        let sums = json.get("crc32")?.as_str()?.as_bytes().chunks(CRC_DIGITS);
        let sum = |digits: &[u8]| {
            let digits = std::str::from_utf8(digits).ok()?;
            u32::from_str_radix(digits, 16).ok()
        };
        let sums: Vec<u32> = sums.map(sum).collect::<Option<_>>()?;
        let fits = block_bytes > 0 && sums.len() == size.div_ceil(block_bytes);
        fits.then(|| Self::new(Some(size), size, block_bytes, sums))
    }
}

/// Computes the checksums of a file while it is written.
#[derive(Default)]
pub struct BlockSums {
    size: usize,
    sums: Vec<u32>,
    /// The hasher of the incomplete block.
    block: crc32fast::Hasher,
}

impl BlockSums {
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = BLOCK_BYTES - self.size % BLOCK_BYTES;
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.update(now);
            self.size += now.len();
            if self.size.is_multiple_of(BLOCK_BYTES) {
                self.sums.push(std::mem::take(&mut self.block).finalize());
            }
            bytes = later;
        }
    }

    pub fn finish(mut self) -> FileSums {
        if !self.size.is_multiple_of(BLOCK_BYTES) {
            self.sums.push(self.block.finalize());
        }
        FileSums::new(Some(self.size), self.size, BLOCK_BYTES, self.sums)
    }
}

/// A file that is checked.
pub struct CheckedFile {
    pub name: String,
    pub file: Arc<dyn FileHandle>,
    pub sums: Arc<FileSums>,
    pub failures: Arc<Failures>,
}

impl fmt::Debug for CheckedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl HasLen for CheckedFile {
    fn len(&self) -> usize {
        self.file.len()
    }
}

impl FileHandle for CheckedFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.file.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some(blocks) = self.sums.unchecked_range(&range) else {
            return self.file.read_bytes(range);
        };
        let all = blocks.start..blocks.end.max(range.end);
        let bytes = self.file.read_bytes(all)?;
        let checked = self.sums.check(&self.name, &bytes, blocks.start);
        checked.map_err(|error| self.failures.keep(error))?;
        Ok(bytes.slice(range.start - blocks.start..range.end - blocks.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(bytes: &[u8], sums: FileSums) -> CheckedFile {
        CheckedFile {
            name: "file".to_owned(),
            file: Arc::new(OwnedBytes::new(bytes.to_vec())),
            sums: Arc::new(sums),
            failures: Arc::default(),
        }
    }

    #[test]
    fn only_damaged_blocks_are_errors() {
        let size = 3 * BLOCK_BYTES + 10;
        let mut bytes: Vec<u8> = (0..size).map(|at| (at / 3) as u8).collect();
        let mut sums = BlockSums::default();
        for part in bytes.chunks(1000) {
            sums.update(part);
        }
        let sums = FileSums::from_json(&sums.finish().to_json()).unwrap();
        assert!(sums.has_size(size) && !sums.has_size(size + 1));
        bytes[BLOCK_BYTES + 5] ^= 16;
        bytes[size - 1] = 0;
        let file = checked(&bytes, sums);
        let ok = |range: Range<usize>| {
            file.read_bytes(range.clone()).ok().map(|read| {
                assert_eq!(read.as_slice(), &bytes[range]);
            })
        };
        for _ in 0..2 {
            assert!(ok(0..BLOCK_BYTES).is_some());
            assert!(ok(7..9).is_some());
            assert!(ok(2 * BLOCK_BYTES..3 * BLOCK_BYTES).is_some());
            assert!(ok(BLOCK_BYTES - 1..BLOCK_BYTES + 1).is_none());
            assert!(ok(3 * BLOCK_BYTES..3 * BLOCK_BYTES + 1).is_none());
            assert!(ok(size..size).is_some());
        }
        let failure = file.failures.take().unwrap().to_string();
        assert!(failure.contains("file is damaged"), "{failure}");
        assert!(file.read_bytes(size..size + 1).is_err());
    }
}
