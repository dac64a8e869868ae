//! An uncompressed file: its bytes are the text.

use std::io::{self, ErrorKind, Read};
use std::mem;
use std::sync::Arc;

use super::buffer::Buffer;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;
use corpus_bytes::work::count_steps;

const READ_SIZE: usize = 1 << 20;
const HOP_SIZE: usize = 16 << 10;
/// The first read of a look; further ones grow up to [`MAX_LOOK_SIZE`].
const LOOK_SIZE: usize = 1 << 10;
const MAX_LOOK_SIZE: usize = 64 << 10;

pub struct Plain {
    file: Arc<dyn FileBytes>,
    stream: Option<Box<dyn Read + Send>>,
    /// Where the next bytes come from.
    position: u64,
    /// Read little and jump much: only heads are wanted.
    hopping: bool,
    /// The size of the next read during a look.
    looking: Option<usize>,
    /// Jumping is impossible or costly, and the size of the file is not certain.
    streaming_only: bool,
}

/// Where a [`Plain`] was before a look.
pub struct Aside {
    position: u64,
    stream: Option<Box<dyn Read + Send>>,
}

impl Plain {
    pub fn new(file: Arc<dyn FileBytes>, streaming_only: bool) -> Self {
        Self {
            file,
            stream: None,
            position: 0,
            hopping: false,
            looking: None,
            streaming_only,
        }
    }

    pub fn set_hopping(&mut self, hopping: bool) {
        self.hopping = hopping && !self.streaming_only;
        self.stream = None;
    }

    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn bytes_behind(&self, offset: u64) -> u64 {
        match self.streaming_only {
            true => u64::MAX,
            false => self.file.size().saturating_sub(offset),
        }
    }

    pub fn can_jump(&self) -> bool {
        !self.streaming_only
    }

    /// Whether it is better to jump over this many bytes than to read them.
    pub fn should_jump(&self, distance: u64) -> bool {
        !self.streaming_only && (self.hopping || distance > READ_SIZE as u64)
    }

    pub fn jump(&mut self, position: u64) {
        self.position = position.min(self.file.size());
        self.stream = None;
    }

    /// Moves to a position to read a few bytes there.
    pub fn look_at(&mut self, position: u64) -> Aside {
        self.looking = Some(match self.hopping {
            true => HOP_SIZE,
            false => LOOK_SIZE,
        });
        Aside {
            position: mem::replace(&mut self.position, position.min(self.file.size())),
            stream: self.stream.take(),
        }
    }

    pub fn stay(&mut self) {
        self.looking = None;
    }

    pub fn come_back(&mut self, aside: Aside) {
        self.looking = None;
        self.position = aside.position;
        self.stream = aside.stream;
    }

    /// Appends what one read gives; `Ok(false)` at the end of the file.
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
        if let Some(size) = self.looking {
            self.looking = Some((size * 4).min(MAX_LOOK_SIZE));
            return self.file.read_at(self.position, text.space(size));
        }
        if self.hopping {
            return self.file.read_at(self.position, text.space(HOP_SIZE));
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
        stream.read(text.space(left.min(READ_SIZE as u64) as usize))
    }
}
