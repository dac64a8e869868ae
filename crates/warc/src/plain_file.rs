//! An uncompressed file, whose bytes are the text.

use std::io::{self, ErrorKind, Read};
use std::mem;
use std::sync::Arc;

use super::buffer::Buffer;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;
use corpus_bytes::step_counter::count_steps;

const READ_BYTES: usize = 1 << 20;
const HOP_BYTES: usize = 16 << 10;
/// The size of the first read of a peek. Further reads grow up to [`MAX_PEEK_BYTES`].
const FIRST_PEEK_BYTES: usize = 1 << 10;
const MAX_PEEK_BYTES: usize = 64 << 10;

pub struct PlainFile {
    file: Arc<dyn FileBytes>,
    stream: Option<Box<dyn Read + Send>>,
    /// The offset of the next bytes.
    position: u64,
    /// Whether only headers are needed: then reads are short, and bodies are skipped.
    hopping: bool,
    /// The size of the next read during a peek.
    peeking: Option<usize>,
    /// Whether the size of the file is unknown, and jumping is impossible or costly.
    streaming_only: bool,
}

/// The state of a [`PlainFile`] before a peek.
pub struct PlainFileState {
    position: u64,
    stream: Option<Box<dyn Read + Send>>,
}

impl PlainFile {
    pub fn new(file: Arc<dyn FileBytes>, streaming_only: bool) -> Self {
        Self {
            file,
            stream: None,
            position: 0,
            hopping: false,
            peeking: None,
            streaming_only,
        }
    }

    pub fn set_hopping(&mut self, hopping: bool) {
        let hopping = hopping && !self.streaming_only;
        if hopping != self.hopping {
            self.hopping = hopping;
            self.stream = None;
        }
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn bytes_after(&self, offset: u64) -> u64 {
        if self.streaming_only {
            u64::MAX
        } else {
            self.file.size().saturating_sub(offset)
        }
    }

    pub fn can_jump(&self) -> bool {
        !self.streaming_only
    }

    /// Whether jumping over this many bytes is cheaper than reading them.
    pub fn should_jump(&self, distance: u64) -> bool {
        !self.streaming_only && (self.hopping || distance > READ_BYTES as u64)
    }

    pub fn jump(&mut self, position: u64) {
        self.position = position.min(self.file.size());
        self.stream = None;
    }

    /// Moves to another position to read a few bytes there.
    pub fn peek_at(&mut self, position: u64) -> PlainFileState {
        self.peeking = Some(if self.hopping {
            HOP_BYTES
        } else {
            FIRST_PEEK_BYTES
        });
        PlainFileState {
            position: mem::replace(&mut self.position, position.min(self.file.size())),
            stream: self.stream.take(),
        }
    }

    pub fn accept_peek(&mut self) {
        self.peeking = None;
    }

    pub fn undo_peek(&mut self, peek: PlainFileState) {
        self.peeking = None;
        self.position = peek.position;
        self.stream = peek.stream;
    }

    /// Appends the bytes of one read; `Ok(false)` at the end of the file.
    pub fn pull(&mut self, text: &mut Buffer) -> Result<bool, RecordError> {
        let count = loop {
            match self.read(text) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result.map_err(|error| RecordError::io(&error))?,
            }
        };
        text.commit(count);
        count_steps(count);
        self.position += count as u64;
        Ok(count > 0)
    }

    fn read(&mut self, text: &mut Buffer) -> io::Result<usize> {
        if let Some(size) = self.peeking {
            self.peeking = Some((size * 4).min(MAX_PEEK_BYTES));
            return self.file.read_at(self.position, text.space(size));
        }
        if self.hopping {
            return self.file.read_at(self.position, text.space(HOP_BYTES));
        }
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(self.file.stream(self.position)?),
        };
        let left = self
            .file
            .size()
            .saturating_sub(self.position)
            .saturating_add(1);
        stream.read(text.space(left.min(READ_BYTES as u64) as usize))
    }
}
