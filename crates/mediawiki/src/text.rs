//! The decompressed text of a range.
//!
//! **Ranges.** A *sync point* of a bzip2 file is an offset at which a stream starts whose text
//! starts with `<page>`: a header, the magic number of a block, and a first block that can be
//! decompressed. A range owns everything from its first sync point up to the first one at or after
//! its end; the range that starts at 0 also owns everything before the first sync point. `<page>`
//! starts a page whatever came before, because `<` is escaped in texts. So a reader can start at a
//! sync point without having read anything before it, and can stop at the first sync point at or
//! after the end of its range. The reader of the whole file walks from stream to stream, and after
//! damage continues with the next sync point after the damaged stream's start. All readers
//! therefore agree, unless an intact stream contains a sync point. bzip2 stores nothing verbatim,
//! so this does not happen by chance.
//!
//! In a plain file every `<page>` is a sync point.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::Arc;

use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;

use crate::streams::{Damage, Step, Streams};

/// The size of the buffer, which is larger than the longest recognized tag.
const BUFFER_BYTES: usize = 256 << 10;

enum Source {
    Streams(Box<Streams>),
    Reader {
        input: Box<dyn Read + Send>,
        is_compressed: bool,
        is_done: bool,
    },
}

/// A buffer over the text of a range.
pub struct Text {
    source: Source,
    buffer: Vec<u8>,
    unread: Range<usize>,
    /// The position of the first unread byte in the text. In a plain file it is the offset.
    position: u64,
    /// Pages that start here belong to the next range.
    end: u64,
    /// The streams that start in the unread text: their positions and offsets.
    streams: VecDeque<(u64, u64)>,
    /// The offset of the stream of the first unread byte.
    stream: Option<u64>,
    /// The damage at the end of the unread text, with its offset.
    damage: Option<(u64, Damage)>,
    is_done: bool,
}

impl Text {
    pub fn open(file: Arc<dyn FileBytes>, range: Range<u64>) -> io::Result<Self> {
        let mut head = [0; MAGIC_LENGTH];
        let count = file.read_at(0, &mut head)?;
        let reader = |input, is_compressed| Source::Reader {
            input,
            is_compressed,
            is_done: range.is_empty(),
        };
        let (source, position, end) = match Compression::detect(&head[..count]) {
            None => (
                reader(file.stream(range.start)?, false),
                range.start,
                range.end,
            ),
            Some(Compression::Bzip2) => {
                let streams = Streams::open(file, range.start, range.end);
                (Source::Streams(Box::new(streams)), 0, u64::MAX)
            }
            Some(_) if range.start > 0 => (reader(Box::new(io::empty()), true), 0, 0),
            Some(compression) => {
                let input = compression.decoder(file.stream(0)?)?;
                (reader(input, true), 0, u64::MAX)
            }
        };
        Ok(Self {
            source,
            buffer: vec![0; BUFFER_BYTES],
            unread: 0..0,
            position,
            end,
            streams: VecDeque::new(),
            stream: None,
            damage: None,
            is_done: range.is_empty(),
        })
    }

    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.unread.clone()]
    }

    /// Whether a page at the current position belongs to the next range.
    pub fn is_after_end(&self) -> bool {
        self.position >= self.end
    }

    /// The offset of the current position, for messages: in a bzip2 file, the offset of its stream.
    pub fn offset(&self) -> u64 {
        self.stream.unwrap_or(self.position)
    }

    pub fn consume(&mut self, count: usize) {
        self.unread.start += count;
        self.position += count as u64;
        self.enter_streams();
    }

    fn enter_streams(&mut self) {
        while let Some((_, offset)) = self.streams.pop_front_if(|(at, _)| *at <= self.position) {
            self.stream = Some(offset);
        }
    }

    /// Reads until `count` bytes are available. Returns `false` if damage or the end comes first.
    pub fn ensure(&mut self, count: usize) -> bool {
        while self.unread.len() < count && self.fill() {}
        self.unread.len() >= count
    }

    /// Whether the unread text ends with damage.
    pub fn has_damage(&self) -> bool {
        self.damage.is_some()
    }

    /// Takes the damage after the unread text, which must be consumed first.
    pub fn take_damage(&mut self) -> Option<(u64, Damage)> {
        self.damage.take()
    }

    /// Reads more. Returns `false` if damage or the end follows the unread text.
    pub fn fill(&mut self) -> bool {
        if self.is_done || self.damage.is_some() {
            return false;
        }
        if self.unread.end == self.buffer.len() {
            self.buffer.copy_within(self.unread.clone(), 0);
            self.unread = 0..self.unread.len();
        }
        if self.unread.end == self.buffer.len() {
            return false;
        }
        loop {
            let room = &mut self.buffer[self.unread.end..];
            let step = match &mut self.source {
                Source::Streams(streams) => streams.read(room),
                Source::Reader {
                    input,
                    is_compressed,
                    is_done,
                } => {
                    if *is_done {
                        Step::End
                    } else {
                        let step = read(input, *is_compressed, room, self.position);
                        *is_done = !matches!(step, Step::Bytes(_));
                        step
                    }
                }
            };
            match step {
                Step::Bytes(count) => {
                    self.unread.end += count;
                    return true;
                }
                Step::Stream(offset) => {
                    let position = self.position + self.unread.len() as u64;
                    self.streams.push_back((position, offset));
                    self.enter_streams();
                }
                Step::Damage(offset, damage) => {
                    self.damage = Some((offset, damage));
                    return false;
                }
                Step::End => {
                    self.is_done = true;
                    return false;
                }
            }
        }
    }
}

fn read(input: &mut dyn Read, is_compressed: bool, out: &mut [u8], position: u64) -> Step {
    loop {
        let damage = match input.read(out) {
            Ok(0) => return Step::End,
            Ok(count) => return Step::Bytes(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if !is_compressed => Damage::Io(error),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Damage::Truncated,
            Err(error) => Damage::Stream(error.to_string()),
        };
        return Step::Damage(position, damage);
    }
}
