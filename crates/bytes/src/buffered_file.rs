//! A file with a large buffer, in which readers look ahead, consume and go back.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use crate::file::FileBytes;

const READ_BYTES: usize = 1 << 20;
/// Maximum size of the buffer. Longer members of archives are inflated piece by piece.
const MAX_BYTES: usize = 4 << 20;
const MIN_BYTES: u64 = 4 << 10;

/// Reads a file through a buffer, in which parsers look ahead.
pub struct BufferedFile {
    file: Arc<dyn FileBytes>,
    /// A stream whose position is the file offset of `buffer[end]`.
    stream: Option<Box<dyn Read + Send>>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The file offset of `buffer[start]`.
    position: u64,
    ended: bool,
    error: Option<io::Error>,
}

impl BufferedFile {
    /// Starts at an offset of the file. Nothing is read yet.
    pub fn new(file: Arc<dyn FileBytes>, position: u64) -> Self {
        Self {
            file,
            stream: None,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            position,
            ended: false,
            error: None,
        }
    }

    /// Returns an empty buffer over the same file, to replace this one while it is moved out.
    pub fn placeholder(&self) -> Self {
        Self::new(self.file.clone(), 0)
    }

    /// Returns the file.
    #[inline]
    pub fn file(&self) -> &Arc<dyn FileBytes> {
        &self.file
    }

    /// Returns the offset of the first unconsumed byte.
    #[inline]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the bytes that are read but not consumed.
    #[inline]
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves past `count` of the unread bytes.
    #[inline]
    pub fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.position += count as u64;
    }

    /// Whether `unread` returns the whole rest of the file.
    #[inline]
    pub fn holds_the_rest(&self) -> bool {
        self.ended
    }

    /// Takes the I/O error at which reading stopped. Other methods treat it as the end of the file.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Whether reading stopped at an I/O error that has not been taken.
    #[inline]
    pub fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Reads more bytes. Returns `false` at the end of the file, or if the buffer is full.
    pub fn fill(&mut self) -> bool {
        if self.ended || !self.make_room() {
            return false;
        }
        match self.read_once() {
            Ok(0) => self.ended = true,
            Ok(count) => self.end += count,
            Err(error) => {
                self.ended = true;
                self.error = Some(error);
            }
        }
        !self.ended
    }

    /// Reads until `count` bytes are unread. Returns `false` if fewer are left or fit in the
    /// buffer.
    #[inline]
    pub fn ensure(&mut self, count: usize) -> bool {
        while self.end - self.start < count && self.fill() {}
        self.end - self.start >= count
    }

    /// Whether no bytes are left.
    #[inline]
    pub fn at_end(&mut self) -> bool {
        !self.ensure(1)
    }

    /// Moves to any offset of the file. Bytes that are still in the buffer are not read again.
    pub fn seek(&mut self, offset: u64) {
        let first = self.position - self.start as u64;
        let last = self.position + (self.end - self.start) as u64;
        if (first..=last).contains(&offset) {
            self.start = (offset - first) as usize;
        } else {
            self.start = 0;
            self.end = 0;
            self.stream = None;
            self.ended = self.error.is_some();
        }
        self.position = offset;
    }

    fn make_room(&mut self) -> bool {
        if self.end < self.buffer.len() {
            return true;
        }
        // A full buffer that is mostly unread is too small and grows. Otherwise its unread tail
        // moves to the start.
        if self.start <= self.buffer.len() / 2 && self.buffer.len() < MAX_BYTES {
            let size = match self.buffer.len() {
                0 => {
                    let left = self.file.size().saturating_sub(self.position);
                    // One byte more than the rest, to detect the end of the file without growing.
                    left.saturating_add(1).clamp(MIN_BYTES, READ_BYTES as u64) as usize
                }
                size => (size * 2).min(MAX_BYTES),
            };
            self.buffer.resize(size, 0);
        } else if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        } else {
            return false;
        }
        true
    }

    fn read_once(&mut self) -> io::Result<usize> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let offset = self.position + (self.end - self.start) as u64;
                self.stream.insert(self.file.stream(offset)?)
            }
        };
        loop {
            match stream.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl Read for BufferedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.at_end() {
            return Ok(0);
        }
        let count = out.len().min(self.unread().len());
        out[..count].copy_from_slice(&self.unread()[..count]);
        self.consume(count);
        Ok(count)
    }
}
