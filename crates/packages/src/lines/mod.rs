//! Lines of plain and compressed text files, with their offsets.

mod records;

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;

pub use records::{COLUMNS, LineRecords};

/// The number of bytes requested from the file at a time.
const READ_BYTES: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line, or a substitute for it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Line<'a> {
    /// A line without its end.
    Complete { offset: u64, bytes: &'a [u8] },
    /// The start of a line that is longer than the limit.
    Cut {
        offset: u64,
        bytes: &'a [u8],
        /// The length of the whole line, with its end.
        length: u64,
    },
    /// The file could not be read further. `bytes` is the start of the line at this offset.
    Broken {
        offset: u64,
        bytes: &'a [u8],
        error: io::Error,
    },
}

/// Iterates the lines that start in a byte range of a file.
pub struct Lines {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The unread bytes of the buffer.
    unread: Range<usize>,
    /// The offset of the first unread byte.
    offset: u64,
    /// Lines that start here belong to the next range.
    end: u64,
    max_line_bytes: usize,
    compression: Option<Compression>,
    /// The kept start of a line that is too long.
    cut: Vec<u8>,
    ended: bool,
    error: Option<io::Error>,
}

impl Lines {
    /// Opens a range of a file. Lines longer than `max_line_bytes` are truncated.
    pub fn open(
        file: Arc<dyn FileBytes>,
        range: Range<u64>,
        max_line_bytes: usize,
    ) -> io::Result<Self> {
        let mut head = [0; MAGIC_LENGTH];
        let count = file.read_at(0, &mut head)?;
        let head = &head[..count];
        let compression = Compression::detect(head);
        let (input, offset, end) = match compression {
            _ if range.is_empty() => (nothing(), 0, 0),
            // The range that starts at 0 owns all lines of a compressed file.
            Some(_) if range.start > 0 => (nothing(), 0, 0),
            Some(compression) => (compression.decoder(file.stream(0)?)?, 0, u64::MAX),
            // The byte before the range shows whether a line starts with it.
            None => {
                let offset = range.start.saturating_sub(1);
                (file.stream(offset)?, offset, range.end)
            }
        };
        let mut lines = Self {
            input,
            buffer: vec![0; READ_BYTES],
            unread: 0..0,
            offset,
            end,
            max_line_bytes,
            compression,
            cut: Vec::new(),
            ended: false,
            error: None,
        };
        if range.start > 0 {
            lines.skip_to_line();
        }
        Ok(lines)
    }

    /// Returns the compression of the file.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Returns the next line.
    #[inline]
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        if self.offset >= self.end {
            return None;
        }
        match memchr::memchr(b'\n', &self.buffer[self.unread.clone()]) {
            Some(length) if length <= self.max_line_bytes => {
                let (offset, start) = (self.offset, self.unread.start);
                self.consume(length + 1);
                let bytes = content(offset, &self.buffer[start..start + length], true);
                Some(Line::Complete { offset, bytes })
            }
            _ => self.next_long_line(),
        }
    }

    /// Returns a line that is not completely in the buffer, or the start of a line that is too
    /// long.
    #[cold]
    fn next_long_line(&mut self) -> Option<Line<'_>> {
        let offset = self.offset;
        let mut searched = 0;
        let end = loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr::memchr(b'\n', &unread[searched..]) {
                break Some(searched + found);
            }
            searched = unread.len();
            // One more byte may be the CR of the line end.
            if searched > self.max_line_bytes.saturating_add(1) || !self.fill() {
                break None;
            }
        };
        let is_terminated = end.is_some();
        let length = end.unwrap_or(searched);
        let start = self.unread.start;
        let range = start..start + length;
        let bytes = content(offset, &self.buffer[range.clone()], is_terminated);
        if bytes.len() > self.max_line_bytes {
            self.cut.clear();
            self.cut.extend_from_slice(&bytes[..self.max_line_bytes]);
            let length = self.skip_line();
            let bytes = &self.cut;
            return Some(Line::Cut {
                offset,
                bytes,
                length,
            });
        }
        self.consume(length + usize::from(is_terminated));
        let bytes = content(offset, &self.buffer[range], is_terminated);
        if !is_terminated && let Some(error) = self.error.take() {
            return Some(Line::Broken {
                offset,
                bytes,
                error,
            });
        }
        let is_line = is_terminated || !bytes.is_empty();
        is_line.then_some(Line::Complete { offset, bytes })
    }

    /// Skips a line and returns its length, including its end.
    fn skip_line(&mut self) -> u64 {
        let start = self.offset;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            let found = memchr::memchr(b'\n', unread);
            self.consume(found.map_or(unread.len(), |found| found + 1));
            if found.is_some() || !self.fill() {
                return self.offset - start;
            }
        }
    }

    /// Moves to the first line that starts in the range. The reader is one byte before the range.
    fn skip_to_line(&mut self) {
        while self.offset < self.end {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(found) = memchr::memchr(b'\n', unread) {
                self.consume(found + 1);
                return;
            }
            self.consume(unread.len());
            if !self.fill() {
                return;
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.unread.start += count;
        self.offset += count as u64;
    }

    /// Reads more. Returns `false` at the end of the file and after an error.
    fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.unread.is_empty() {
            self.unread = 0..0;
        }
        if self.unread.end == self.buffer.len() {
            if self.unread.start > self.buffer.len() / 2 {
                self.buffer.copy_within(self.unread.clone(), 0);
                self.unread = 0..self.unread.len();
            } else {
                let size = self.buffer.len() * 2;
                self.buffer.resize(size, 0);
            }
        }
        loop {
            match self.input.read(&mut self.buffer[self.unread.end..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.unread.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error);
                }
            }
            return !self.ended;
        }
    }
}

fn nothing() -> Box<dyn Read + Send> {
    Box::new(io::empty())
}

/// Returns a line without its end, and without a byte order mark at the start of the file.
#[inline]
fn content(offset: u64, line: &[u8], is_terminated: bool) -> &[u8] {
    let line = match line {
        [line @ .., b'\r'] if is_terminated => line,
        line => line,
    };
    match offset {
        0 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
        _ => line,
    }
}
