//! Visits the lines of an index: all of them or, by bisection, the lines in ranges of keys.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use super::error::IndexError;
use super::url_filter::KeyRange;
use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;
use corpus_bytes::step_counter::count_steps;

/// Maximum length of a line. Longer lines are skipped.
pub const MAX_LINE_BYTES: usize = 16 << 20;
/// The size of a part at which bisection ends. The part is then read sequentially.
const STRETCH_BYTES: u64 = 64 << 10;
const BUFFER_BYTES: usize = 1 << 20;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    pub offset: u64,
    pub bytes: &'a [u8],
    /// Whether the line has more than [`MAX_LINE_BYTES`], so that only its start is here.
    pub is_cut: bool,
}

/// Detects how a file is compressed.
pub fn compression(file: &Arc<dyn FileBytes>) -> Result<Option<Compression>, IndexError> {
    let mut magic = [0; MAGIC_LENGTH];
    let count = file.read_at(0, &mut magic)?;
    if magic.starts_with(b"PK\x03\x04") {
        return Err(IndexError::Package);
    }
    Ok(Compression::detect(&magic[..count]))
}

/// Calls `visit` for all lines.
pub fn visit_all(
    file: &Arc<dyn FileBytes>,
    compression: Option<Compression>,
    mut visit: impl FnMut(Line) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let stream = file.stream(0).and_then(|stream| match compression {
        Some(compression) => compression.decoder(stream),
        None => Ok(stream),
    });
    let mut lines = Lines::new(stream?, 0);
    while let Some(line) = lines.next()? {
        visit(line)?;
    }
    Ok(())
}

/// Calls `visit` for the lines from the start of a file until it returns `false`.
pub fn visit_start(
    file: &Arc<dyn FileBytes>,
    mut visit: impl FnMut(Line) -> Result<bool, IndexError>,
) -> Result<(), IndexError> {
    let mut lines = lines_from(file, 0);
    while let Some(line) = lines.next()? {
        if !visit(line)? {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` for the lines in the ranges of a file that is sorted by the bytes of its keys. It
/// is an error if lines read on the way are not in that order. `key_of` returns the key of a line;
/// bisection skips lines without a key.
pub fn visit_ranges(
    file: &Arc<dyn FileBytes>,
    ranges: &[KeyRange],
    key_of: &mut impl FnMut(&[u8]) -> Option<Vec<u8>>,
    mut visit: impl FnMut(Line) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    for range in ranges {
        let start = bisect(file, &range.start, key_of)?;
        let mut lines = lines_from(file, start);
        let mut last = Vec::new();
        while let Some(line) = lines.next()? {
            let Some(key) = key_of(line.bytes) else {
                visit(line)?;
                continue;
            };
            if key < last {
                return Err(IndexError::NotSorted {
                    offset: line.offset,
                });
            }
            if key >= range.end {
                break;
            }
            if key >= range.start {
                visit(line)?;
            }
            last = key;
        }
    }
    Ok(())
}

/// Returns the start of a line before which all keys are less than `wanted`.
fn bisect(
    file: &Arc<dyn FileBytes>,
    wanted: &[u8],
    key_of: &mut impl FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Result<u64, IndexError> {
    let (mut low, mut high) = (0, file.size());
    // The keys found at both ends. All other keys must be between them.
    let (mut lowest, mut highest): (Vec<u8>, Option<Vec<u8>>) = (Vec::new(), None);
    while high - low > STRETCH_BYTES {
        let middle = low + (high - low) / 2;
        let mut lines = lines_from(file, middle);
        // Skip the rest of the line that contains the middle.
        lines.next()?;
        let (start, key) = loop {
            match lines.next()? {
                Some(line) if line.offset < high => {
                    if let Some(key) = key_of(line.bytes) {
                        break (line.offset, Some(key));
                    }
                }
                _ => break (high, None),
            }
        };
        let Some(key) = key else {
            high = middle;
            continue;
        };
        if key < lowest || highest.as_ref().is_some_and(|highest| key > *highest) {
            return Err(IndexError::NotSorted { offset: start });
        }
        if key.as_slice() < wanted {
            low = start;
            lowest = key;
        } else {
            high = middle;
            highest = Some(key);
        }
    }
    Ok(low)
}

fn lines_from(file: &Arc<dyn FileBytes>, offset: u64) -> Lines<Chunks> {
    let chunks = Chunks {
        file: Arc::clone(file),
        position: offset,
        size: 4 << 10,
    };
    Lines::new(chunks, offset)
}

/// Reads from positions, only a little at first, because bisection needs one line per position.
struct Chunks {
    file: Arc<dyn FileBytes>,
    position: u64,
    size: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.size.min(buffer.len());
        let count = self.file.read_at(self.position, &mut buffer[..size])?;
        self.position += count as u64;
        self.size = (self.size * 4).min(BUFFER_BYTES);
        Ok(count)
    }
}

struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The start of the next line.
    offset: u64,
}

impl<R: Read> Lines<R> {
    fn new(input: R, offset: u64) -> Self {
        Self {
            input: BufReader::with_capacity(BUFFER_BYTES, input),
            line: Vec::new(),
            offset,
        }
    }

    fn next(&mut self) -> Result<Option<Line<'_>>, IndexError> {
        let offset = self.offset;
        let read = self.read_line();
        let is_cut = read.map_err(|error| IndexError::Io {
            error,
            offset: Some(self.offset),
        })?;
        if self.offset == offset {
            return Ok(None);
        }
        let mut bytes = self.line.as_slice();
        if offset == 0 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Ok(Some(Line {
            offset,
            bytes,
            is_cut,
        }))
    }

    /// Reads up to and including the next line end. `true` if the line was too long to be kept.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut is_cut = false;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let end = memchr::memchr(b'\n', bytes).map(|at| at + 1);
            let count = end.unwrap_or(bytes.len());
            let kept = count.min(MAX_LINE_BYTES - self.line.len());
            self.line.extend_from_slice(&bytes[..kept]);
            is_cut |= kept < count;
            self.input.consume(count);
            count_steps(count);
            self.offset += count as u64;
            if end.is_some() || count == 0 {
                return Ok(is_cut);
            }
        }
    }
}
