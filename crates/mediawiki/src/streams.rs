//! Decompresses the streams of a bzip2 file one after the other.

use std::io;
use std::sync::Arc;

use bzip2::{Decompress, Status};
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::file::FileBytes;

use crate::xml::{PAGE, is_tag};

/// The start of a stream, and the magic number of its first block. The level is between them.
const SIGNATURE: &[u8] = b"BZh";
const BLOCK: &[u8] = b"1AY&SY";
const HEADER_BYTES: usize = SIGNATURE.len() + 1 + BLOCK.len();

/// Maximum size of white space between the start of a stream and a page.
const MAX_INDENT_BYTES: usize = 4096;

/// The next item of a source.
pub enum Step {
    /// This many bytes of text.
    Bytes(usize),
    /// A compressed stream starts at this offset.
    Stream(u64),
    /// The text before this is incomplete. The offset belongs to the damaged stream.
    Damage(u64, Damage),
    End,
}

/// The reason why a text is incomplete.
#[derive(Debug)]
pub enum Damage {
    Io(io::Error),
    /// The compressed data ends too early.
    Truncated,
    /// The compressed data is damaged.
    Stream(String),
}

/// Decompresses the streams that belong to a range.
pub struct Streams {
    window: BufferedFile,
    /// The current stream; `None` between streams.
    decoder: Option<Decompress>,
    stream_start: u64,
    /// Sync points from here on belong to the next range.
    end: u64,
    is_done: bool,
    /// The error that ended the search for the first stream.
    error: Option<io::Error>,
}

impl Streams {
    /// Starts with the stream at 0, or with the first sync point of the range.
    pub fn open(file: Arc<dyn FileBytes>, start: u64, end: u64) -> Self {
        let mut streams = Self {
            window: BufferedFile::new(file, 0),
            decoder: None,
            stream_start: 0,
            end,
            is_done: false,
            error: None,
        };
        if start > 0 {
            streams.move_to_sync_point(start);
        }
        streams
    }

    /// Decompresses more of the text.
    pub fn read(&mut self, out: &mut [u8]) -> Step {
        loop {
            if self.is_done {
                return match self.error.take() {
                    Some(error) => Step::Damage(self.window.position(), Damage::Io(error)),
                    None => Step::End,
                };
            }
            let Some(decoder) = &mut self.decoder else {
                return self.begin();
            };
            if self.window.at_end() {
                let damage = match self.window.take_error() {
                    Some(error) => Damage::Io(error),
                    None => Damage::Truncated,
                };
                return self.report_damage(damage);
            }
            let (input_before, output_before) = (decoder.total_in(), decoder.total_out());
            let status = decoder.decompress(self.window.unread(), out);
            let consumed = decoder.total_in() - input_before;
            let produced = (decoder.total_out() - output_before) as usize;
            self.window.consume(consumed as usize);
            match status {
                Ok(Status::StreamEnd) => self.decoder = None,
                Ok(_) => {}
                Err(error) => return self.report_damage(Damage::Stream(error.to_string())),
            }
            if produced > 0 {
                return Step::Bytes(produced);
            }
        }
    }

    /// Starts with the next stream, if it belongs to the range.
    fn begin(&mut self) -> Step {
        let position = self.window.position();
        if self.window.at_end() {
            self.is_done = true;
            return match self.window.take_error() {
                Some(error) => Step::Damage(position, Damage::Io(error)),
                None => Step::End,
            };
        }
        if position >= self.end && self.is_sync_point(position) {
            self.is_done = true;
            return Step::End;
        }
        self.stream_start = position;
        self.decoder = Some(Decompress::new(false));
        Step::Stream(position)
    }

    /// Continues with the next sync point of the range. A decoder must not be used after an error.
    fn report_damage(&mut self, damage: Damage) -> Step {
        self.decoder = None;
        let start = self.stream_start;
        match damage {
            // Bytes that cannot be read now cannot be searched either.
            Damage::Io(_) => self.is_done = true,
            _ => self.move_to_sync_point(start + 1),
        }
        Step::Damage(start, damage)
    }

    fn move_to_sync_point(&mut self, from: u64) {
        self.window.seek(from);
        loop {
            let position = self.window.position();
            if position >= self.end {
                self.is_done = true;
                return;
            }
            if !self.window.ensure(HEADER_BYTES) {
                self.is_done = true;
                self.error = self.window.take_error();
                return;
            }
            let unread = self.window.unread();
            let Some(found) = memchr::memmem::find(unread, SIGNATURE) else {
                self.window.consume(unread.len() + 1 - SIGNATURE.len());
                continue;
            };
            let candidate = position + found as u64;
            if candidate < self.end && self.is_sync_point(candidate) {
                return;
            }
            self.window.seek(candidate + 1);
        }
    }

    /// Whether a stream that starts with a page starts here. The window is at the offset
    /// afterwards.
    fn is_sync_point(&mut self, offset: u64) -> bool {
        self.window.seek(offset);
        let has_header = self.window.ensure(HEADER_BYTES) && is_header(self.window.unread());
        let starts_with_page = has_header && self.starts_with_page();
        self.window.seek(offset);
        starts_with_page
    }

    /// Decompresses the start of the stream at the window's position.
    fn starts_with_page(&mut self) -> bool {
        let mut decoder = Decompress::new(false);
        let mut text = [0; MAX_INDENT_BYTES];
        loop {
            let length = decoder.total_out() as usize;
            let unindented = text[..length].trim_ascii_start();
            if unindented.len() > PAGE.len() {
                return is_tag(unindented, PAGE);
            }
            if length == text.len() || self.window.at_end() {
                return false;
            }
            let before = decoder.total_in();
            let status = decoder.decompress(self.window.unread(), &mut text[length..]);
            self.window.consume((decoder.total_in() - before) as usize);
            let is_at_end = match status {
                Ok(status) => status == Status::StreamEnd,
                Err(_) => true,
            };
            if is_at_end && decoder.total_out() as usize == length {
                return false;
            }
        }
    }
}

/// Whether bytes begin like a stream that has a block.
pub fn is_header(bytes: &[u8]) -> bool {
    match bytes {
        [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => rest.starts_with(BLOCK),
        _ => false,
    }
}
