//! A large buffer over the raw bytes of a file: peek, consume, go back.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use crate::file::FileBytes;

const READ_SIZE: usize = 1 << 20;
/// A member that is longer than this is inflated piece by piece.
const MAX_SIZE: usize = 4 << 20;
const MIN_SIZE: u64 = 4 << 10;

pub struct Window {
    file: Arc<dyn FileBytes>,
    /// Stands at the file offset of `buffer[end]`.
    stream: Option<Box<dyn Read + Send>>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The file offset of `buffer[start]`.
    position: u64,
    ended: bool,
    error: Option<io::Error>,
}

impl Window {
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

    /// A window over nothing, to stand in while the real one is lent out.
    pub fn placeholder(&self) -> Self {
        Self::new(self.file.clone(), 0)
    }

    pub fn file(&self) -> &Arc<dyn FileBytes> {
        &self.file
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    /// What has been read and not been consumed.
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.position += count as u64;
    }

    /// True when `unread` is all that is left of the file.
    pub fn holds_the_rest(&self) -> bool {
        self.ended
    }

    /// An I/O error ends the file for everybody above; here it waits to be reported.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    pub fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Reads more. `false` at the end of the file, or when the buffer is full.
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

    /// Reads until `count` bytes are there; `false` when the file has fewer.
    pub fn ensure(&mut self, count: usize) -> bool {
        while self.end - self.start < count && self.fill() {}
        self.end - self.start >= count
    }

    pub fn at_end(&mut self) -> bool {
        !self.ensure(1)
    }

    /// Moves to any offset of the file. What the buffer still holds is not read again.
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
        // Most of a full buffer unread: it is too small. Otherwise its unread tail moves down.
        if self.start <= self.buffer.len() / 2 && self.buffer.len() < MAX_SIZE {
            let size = match self.buffer.len() {
                0 => {
                    let left = self.file.size().saturating_sub(self.position);
                    // One byte more than is left: the end of the file shows without growing.
                    left.saturating_add(1).clamp(MIN_SIZE, READ_SIZE as u64) as usize
                }
                size => (size * 2).min(MAX_SIZE),
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

impl Read for Window {
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
