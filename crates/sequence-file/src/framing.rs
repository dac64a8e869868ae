//! Finds where records and blocks start and end, by walking over a file from length to length.
//!
//! ```text
//! file   = header run*                     a run belongs to the sync mark that it starts with
//! run    = mark record*                    (the first run of records has none)
//! run    = mark block
//! mark   = ff ff ff ff, the 16 bytes that end the header
//! record = length, length of the key, key, value
//! block  = count, four buffers with their lengths: key lengths, keys, value lengths, values
//! ```
//!
//! **Damage.** An impossible length costs everything up to the next mark. If a possible length
//! leads to an offset where nothing starts, either the length or the data there is wrong. If a mark
//! on the way is followed by a record or block, the length counts as wrong, and the walk continues
//! there. So a mark inside an intact value is ignored, and a broken length hides at most one run.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;

use memchr::memmem::Finder;

use super::header::{Compression, Header, LAST_VERSION, MAGIC, SYNC_BYTES};
use super::{reasons, vint};
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;

pub const ESCAPE: [u8; 4] = [0xff; 4];
pub const MARK_BYTES: usize = ESCAPE.len() + SYNC_BYTES;
/// The size of the two lengths before a record.
const HEAD_BYTES: usize = 8;
/// The number of bytes needed to decide whether something starts at an offset.
const PROBE_BYTES: usize = MARK_BYTES + HEAD_BYTES;
/// Bytes up to this distance ahead are read; beyond it, the reader seeks.
const READ_AHEAD_BYTES: u64 = 2 << 20;
/// Maximum size of a part of the file that is held in memory. Larger parts are read as separate
/// streams.
const MAX_HELD_BYTES: usize = 2 << 20;
const STREAM_BUFFER_BYTES: usize = 64 << 10;

/// A part of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileRange {
    pub offset: u64,
    pub length: u64,
}

impl FileRange {
    fn end(self) -> u64 {
        self.offset.saturating_add(self.length)
    }

    /// Clamps the span to the end of the file.
    fn clamp(self, size: u64) -> Self {
        let offset = self.offset.min(size);
        Self {
            offset,
            length: self.end().min(size) - offset,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct RecordSpan {
    pub offset: u64,
    pub key: FileRange,
    pub value: FileRange,
    /// Whether the file ends inside the value.
    pub cut: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct BlockSpan {
    pub offset: u64,
    pub count: u64,
    pub key_lengths: FileRange,
    pub keys: FileRange,
    pub value_lengths: FileRange,
    pub values: FileRange,
    /// Whether the file ends inside the lengths of values or the values.
    pub cut: bool,
}

#[derive(Debug)]
pub enum Step {
    Record(RecordSpan),
    Block(BlockSpan),
    Damage { offset: u64, error: RecordError },
}

#[derive(Debug, Clone, Copy)]
enum Next {
    At(u64),
    /// The next mark from here on.
    Search(u64),
    End,
}

/// The item that starts at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Mark,
    Record {
        length: u64,
        key: u64,
    },
    /// An escape without the file's sync bytes.
    OtherMark,
    Impossible {
        length: i32,
        key: i32,
    },
    TooShort,
}

/// The reason why no block starts at a mark.
enum NoBlock {
    TooShort,
    Impossible,
}

pub struct Framing {
    pub buffered: BufferedFile,
    finder: Finder<'static>,
    blocks: bool,
    size: u64,
    header_end: u64,
    next: Next,
    run: u64,
    /// An error that is not reported yet.
    error: Option<io::Error>,
}

impl Framing {
    pub fn new(file: Arc<dyn FileBytes>, header: &Header) -> Self {
        let mark = [&ESCAPE[..], &header.sync].concat();
        Self {
            size: file.size(),
            buffered: BufferedFile::new(file, header.end),
            finder: Finder::new(&mark).into_owned(),
            blocks: header.compression == Compression::Block,
            header_end: header.end,
            next: Next::At(header.end),
            run: 0,
            error: None,
        }
    }

    pub fn header_end(&self) -> u64 {
        self.header_end
    }

    /// Returns the mark of the run of the last step; 0 for the run without a mark.
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Continues at a mark, or for 0 at the first run.
    pub fn go_to(&mut self, mark: u64) {
        self.run = mark;
        self.next = Next::At(mark.max(self.header_end));
    }

    pub fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(error) = self.error.take().or_else(|| self.buffered.take_error()) {
                self.next = Next::End;
                let offset = self.buffered.position();
                let error = RecordError::io(&error);
                return Some(Step::Damage { offset, error });
            }
            let offset = match self.next {
                Next::End => return None,
                Next::At(offset) => offset,
                Next::Search(from) => match self.search(from, self.size) {
                    Some(mark) => mark,
                    None => {
                        self.next = Next::End;
                        continue;
                    }
                },
            };
            if offset >= self.size {
                self.next = Next::End;
                continue;
            }
            let step = match self.start_at(offset) {
                Start::Mark => {
                    self.run = offset;
                    let after = offset + MARK_BYTES as u64;
                    if !self.blocks {
                        self.next = Next::At(after);
                        continue;
                    }
                    self.block(offset)
                }
                _ if self.blocks => {
                    let detail = "a block must start here";
                    self.damage(offset, reasons::BAD_SYNC, detail)
                }
                Start::Record { length, key } => self.record(offset, length, key),
                Start::OtherMark => {
                    let detail = "it differs from the mark in the header";
                    self.damage(offset, reasons::BAD_SYNC, detail)
                }
                Start::Impossible { length, key } => {
                    let detail = format!("a record of {length} bytes with a key of {key}");
                    self.damage(offset, reasons::BAD_LENGTH, detail)
                }
                Start::TooShort => {
                    let left = self.size - offset;
                    let detail = format!("the file ends {left} bytes later");
                    self.damage(offset, reasons::TRUNCATED, detail)
                }
            };
            // After a read error, the missing bytes are not damage.
            if self.error.is_none() && !self.buffered.has_error() {
                return Some(step);
            }
        }
    }

    /// Reports damage, and searches for the next mark.
    fn damage(&mut self, offset: u64, reason: &'static str, detail: impl Into<String>) -> Step {
        self.next = Next::Search(offset + 1);
        let error = RecordError::new(reason, detail);
        Step::Damage { offset, error }
    }

    fn record(&mut self, offset: u64, length: u64, key: u64) -> Step {
        let start = offset + HEAD_BYTES as u64;
        let end = start + length;
        if let Some(mark) = self.mark_if_lost(start, end) {
            return self.damage_before_mark(offset, length, mark);
        }
        let key = FileRange {
            offset: start,
            length: key,
        };
        let value = FileRange {
            offset: key.end(),
            length: length - key.length,
        };
        if end <= self.size {
            self.next = Next::At(end);
        } else {
            self.next = Next::End;
            if let Some(step) = self.other_file(offset) {
                return step;
            }
            if key.end() > self.size {
                let detail = format!("the file ends inside a record of {length} bytes");
                let error = RecordError::new(reasons::TRUNCATED, detail);
                return Step::Damage { offset, error };
            }
        }
        Step::Record(RecordSpan {
            offset,
            key,
            value: value.clamp(self.size),
            cut: end > self.size,
        })
    }

    fn block(&mut self, offset: u64) -> Step {
        let (mut block, end) = match self.sections(offset) {
            Ok(sections) => sections,
            Err(NoBlock::Impossible) => {
                let detail = "a block has impossible lengths";
                return self.damage(offset, reasons::BAD_LENGTH, detail);
            }
            Err(NoBlock::TooShort) => {
                let detail = "the file ends inside a block";
                return self.damage(offset, reasons::TRUNCATED, detail);
            }
        };
        if let Some(mark) = self.mark_if_lost(offset + MARK_BYTES as u64, end) {
            return self.damage_before_mark(offset, end - offset, mark);
        }
        if end <= self.size {
            self.next = Next::At(end);
            return Step::Block(block);
        }
        self.next = Next::End;
        block.cut = true;
        block.value_lengths = block.value_lengths.clamp(self.size);
        block.values = block.values.clamp(self.size);
        Step::Block(block)
    }

    /// Returns the buffers of a block and its end. The file must contain the keys.
    fn sections(&mut self, offset: u64) -> Result<(BlockSpan, u64), NoBlock> {
        let mut position = offset + MARK_BYTES as u64;
        let count = self.length_at(&mut position)?;
        let mut spans = [FileRange::default(); 4];
        for (number, span) in spans.iter_mut().enumerate() {
            match self.length_at(&mut position) {
                Ok(length) => span.length = length,
                Err(NoBlock::TooShort) if number >= 2 => {
                    position = self.size + 1;
                    break;
                }
                Err(error) => return Err(error),
            }
            span.offset = position;
            position = span.end();
            if number < 2 && position > self.size {
                return Err(NoBlock::TooShort);
            }
        }
        let [key_lengths, keys, value_lengths, values] = spans;
        let block = BlockSpan {
            offset,
            count,
            key_lengths,
            keys,
            value_lengths,
            values,
            cut: false,
        };
        Ok((block, position))
    }

    /// Reads the length at a position, and moves the position past it.
    fn length_at(&mut self, position: &mut u64) -> Result<u64, NoBlock> {
        let mut bytes = [0; vint::MAX_BYTES];
        let count = self.peek(*position, &mut bytes);
        let (length, size) = vint::parse(&bytes[..count]).ok_or(NoBlock::TooShort)?;
        *position += size as u64;
        let is_java_int = i32::try_from(length).is_ok();
        let length = u64::try_from(length).ok().filter(|_| is_java_int);
        length.ok_or(NoBlock::Impossible)
    }

    /// If nothing starts at `end`, returns the first mark before it that a valid record or block
    /// follows.
    fn mark_if_lost(&mut self, start: u64, end: u64) -> Option<u64> {
        let ends_well = end == self.size || end < self.size && self.is_start(end);
        if ends_well {
            return None;
        }
        let end = end.min(self.size);
        let mut from = start;
        while let Some(mark) = self.search(from, end) {
            if self.is_followed(mark) {
                return Some(mark);
            }
            from = mark + 1;
        }
        None
    }

    fn damage_before_mark(&mut self, offset: u64, length: u64, mark: u64) -> Step {
        self.next = Next::At(mark);
        let detail = format!("{length} bytes, but the next sync mark is at {mark}");
        let error = RecordError::new(reasons::BAD_LENGTH, detail);
        Step::Damage { offset, error }
    }

    /// Whether a mark, or in a file without blocks a whole record, starts at an offset.
    fn is_start(&mut self, offset: u64) -> bool {
        match self.probe(offset) {
            Start::Mark => true,
            Start::Record { length, .. } => {
                !self.blocks && offset + HEAD_BYTES as u64 + length <= self.size
            }
            _ => false,
        }
    }

    /// Whether a valid record or block seems to start after a mark.
    fn is_followed(&mut self, mark: u64) -> bool {
        if self.blocks {
            let sections = self.sections(mark);
            return sections.is_ok_and(|(_, end)| end <= self.size);
        }
        let after = mark + MARK_BYTES as u64;
        after == self.size || self.is_start(after)
    }

    /// Reports the header of another file in place of a record.
    fn other_file(&mut self, offset: u64) -> Option<Step> {
        self.buffered.seek(offset);
        self.buffered.ensure(MAGIC.len() + 1);
        let (magic, rest) = self.buffered.unread().split_at_checked(MAGIC.len())?;
        if magic != MAGIC || *rest.first()? > LAST_VERSION {
            return None;
        }
        let detail = "another SequenceFile starts here; files are not joined by appending them";
        let error = RecordError::new(reasons::CONCATENATED, detail);
        Some(Step::Damage { offset, error })
    }

    /// Returns the first mark that starts in this part of the file.
    pub fn search(&mut self, from: u64, to: u64) -> Option<u64> {
        self.buffered.seek(from);
        loop {
            let unread = self.buffered.unread();
            let position = self.buffered.position();
            if let Some(found) = self.finder.find(unread) {
                let mark = position + found as u64;
                return (mark < to).then_some(mark);
            }
            // A mark may cross the end of the bytes read so far.
            self.buffered
                .consume(unread.len().saturating_sub(MARK_BYTES - 1));
            if self.buffered.position() >= to || !self.buffered.fill() {
                return None;
            }
        }
    }

    fn start_at(&mut self, offset: u64) -> Start {
        self.buffered.seek(offset);
        self.buffered.ensure(PROBE_BYTES);
        self.classify(self.buffered.unread())
    }

    fn probe(&mut self, offset: u64) -> Start {
        let mut bytes = [0; PROBE_BYTES];
        let count = self.peek(offset, &mut bytes);
        self.classify(&bytes[..count])
    }

    /// Peeks at bytes without moving in the file. Returns the number of bytes read.
    fn peek(&mut self, offset: u64, bytes: &mut [u8]) -> usize {
        let position = self.buffered.position();
        if !(position..position + READ_AHEAD_BYTES).contains(&offset) {
            return self
                .buffered
                .file()
                .read_at(offset, bytes)
                .unwrap_or_else(|error| {
                    self.error = Some(error);
                    0
                });
        }
        let ahead = (offset - position) as usize;
        self.buffered.ensure(ahead + bytes.len());
        let unread = self.buffered.unread().get(ahead..).unwrap_or_default();
        let count = unread.len().min(bytes.len());
        bytes[..count].copy_from_slice(&unread[..count]);
        count
    }

    fn classify(&self, bytes: &[u8]) -> Start {
        if bytes.starts_with(self.finder.needle()) {
            return Start::Mark;
        }
        let Some((length, rest)) = split_int(bytes) else {
            return Start::TooShort;
        };
        if length == -1 {
            return if bytes.len() < MARK_BYTES {
                Start::TooShort
            } else {
                Start::OtherMark
            };
        }
        let Some((key, _)) = split_int(rest) else {
            return Start::TooShort;
        };
        match (u64::try_from(length), u64::try_from(key)) {
            (Ok(length), Ok(key)) if key <= length => Start::Record { length, key },
            _ => Start::Impossible { length, key },
        }
    }

    /// Returns the bytes of a part of the file, if it is small enough to be held in memory.
    pub fn held(&mut self, span: FileRange) -> Option<&[u8]> {
        let length = usize::try_from(span.length).ok();
        let length = length.filter(|length| *length <= MAX_HELD_BYTES)?;
        self.buffered.seek(span.offset);
        self.buffered.ensure(length);
        let bytes = self.buffered.unread();
        Some(&bytes[..length.min(bytes.len())])
    }

    /// Returns a reader of a part of the file of any size.
    pub fn input(&mut self, span: FileRange) -> io::Result<Box<dyn BufRead + Send>> {
        if let Some(bytes) = self.held(span) {
            return Ok(Box::new(Cursor::new(bytes.to_vec())));
        }
        let stream = self.buffered.file().stream(span.offset)?;
        let stream = BufReader::with_capacity(STREAM_BUFFER_BYTES, stream);
        Ok(Box::new(stream.take(span.length)))
    }
}

fn split_int(bytes: &[u8]) -> Option<(i32, &[u8])> {
    let (int, rest) = bytes.split_first_chunk()?;
    Some((i32::from_be_bytes(*int), rest))
}
