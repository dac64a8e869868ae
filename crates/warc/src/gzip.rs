//! gzip members.
//!
//! libdeflate inflates a member in one call and is a third faster than any streaming inflater, but
//! its safe interface does not return the compressed size. So the end of a member is guessed first
//! and verified afterwards. The guess is the next magic number, or the end of the file. The last
//! four bytes before it are then the size of the text, which is the size of the output buffer.
//! libdeflate, given no bytes after the guess, succeeds only if they contain a whole member with a
//! correct checksum. If the size field occurs nowhere else in these bytes, the member cannot end
//! earlier. All other members go to zlib-rs, which is exact and reports what is wrong.

use corpus_bytes::gzip::{TRAILER_BYTES, header_length, is_magic};
use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::{Crc, Decompressor};
use memchr::memmem::{self, Finder};

use super::buffer::Buffer;
use super::codec::{Codec, Pull};
use super::reasons;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::record::RecordError;

/// Maximum size of a text that is inflated in one call.
const MAX_WHOLE_BYTES: usize = 4 << 20;
/// Maximum number of guesses for the end of a member. By chance, the magic number occurs once in
/// 128 MiB of compressed data.
const MAX_GUESSES: usize = 4;
const MIN_MEMBER_BYTES: usize = 18;
const CHUNK_BYTES: usize = 64 << 10;
/// Maximum size of a member's header. A longer header is an error.
const MAX_HEADER_BYTES: usize = 128 << 10;
const SHORT_HEADER_BYTES: usize = 1 << 10;

pub struct Gzip {
    whole: Decompressor,
    stream: Decompress,
    crc: Crc,
    size: u32,
    magic: Finder<'static>,
    step: Step,
}

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Whole,
    Header,
    Deflate,
    Trailer,
}

impl Gzip {
    pub fn new() -> Self {
        Self {
            whole: Decompressor::new(),
            stream: Decompress::new(false),
            crc: Crc::new(),
            size: 0,
            magic: Finder::new(b"\x1f\x8b\x08"),
            step: Step::Header,
        }
    }

    /// Inflates the whole member in one call, if possible.
    fn pull_whole(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> bool {
        let mut from = MIN_MEMBER_BYTES;
        for _ in 0..MAX_GUESSES {
            let Some(end) = self.guess_end(input, from) else {
                return false;
            };
            if self.inflate_to(&input.unread()[..end], text) {
                input.consume(end);
                return true;
            }
            if end == input.unread().len() {
                return false;
            }
            from = end + 1;
        }
        false
    }

    /// Returns the next position at or after `from` where the member may end.
    fn guess_end(&self, input: &mut BufferedFile, from: usize) -> Option<usize> {
        let mut searched = from;
        loop {
            let bytes = input.unread();
            if let Some(tail) = bytes.get(searched..)
                && let Some(found) = self.find_magic(tail)
            {
                return Some(searched + found);
            }
            searched = searched.max(bytes.len().saturating_sub(3));
            if !input.fill() {
                let length = input.unread().len();
                return (input.holds_the_rest() && length >= from).then_some(length);
            }
        }
    }

    fn inflate_to(&mut self, member: &[u8], text: &mut Buffer) -> bool {
        let Some(size_field) = member.last_chunk::<4>() else {
            return false;
        };
        let size = u32::from_le_bytes(*size_field) as usize;
        if size > MAX_WHOLE_BYTES {
            return false;
        }
        let earlier = &member[..member.len() - 1];
        let sound = self.whole.gzip_decompress(member, text.space(size)) == Ok(size)
            && memmem::find(earlier, size_field).is_none();
        if sound {
            text.commit(size);
        }
        sound
    }

    fn inflate_some(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull {
        loop {
            if input.unread().is_empty() && input.at_end() {
                return truncated_member(input);
            }
            let (total_in, total_out) = (self.stream.total_in(), self.stream.total_out());
            let status = self.stream.decompress(
                input.unread(),
                text.space(CHUNK_BYTES),
                FlushDecompress::None,
            );
            let consumed = (self.stream.total_in() - total_in) as usize;
            let produced = (self.stream.total_out() - total_out) as usize;
            self.crc.update(&text.space(CHUNK_BYTES)[..produced]);
            self.size = self.size.wrapping_add(produced as u32);
            text.commit(produced);
            input.consume(consumed);
            match status {
                Ok(Status::StreamEnd) => {
                    self.step = Step::Trailer;
                    return self.check_trailer(input);
                }
                Ok(_) if produced > 0 => return Pull::Text,
                Ok(_) if consumed > 0 => {}
                // No progress despite input and space. This should be impossible, but must not
                // loop.
                Ok(_) => return damage("no progress"),
                Err(error) => return damage(&error.to_string()),
            }
        }
    }

    fn check_trailer(&mut self, input: &mut BufferedFile) -> Pull {
        if !input.ensure(TRAILER_BYTES) {
            let rest = input.unread().len();
            input.consume(rest);
            return truncated_member(input);
        }
        let field = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
        let crc = field(&input.unread()[..4]);
        let size = field(&input.unread()[4..TRAILER_BYTES]);
        input.consume(TRAILER_BYTES);
        if crc == self.crc.sum() && size == self.size {
            return Pull::End;
        }
        let detail = format!(
            "crc {crc:08x} and size {size} are declared, {:08x} and {} found",
            self.crc.sum(),
            self.size
        );
        // If both fields disagree, this is probably the trailer of a later member.
        let at_end = crc == self.crc.sum() || size == self.size;
        Pull::Damage {
            error: RecordError::new(reasons::CRC_MISMATCH, detail),
            at_end,
        }
    }

    fn skip_header(&mut self, input: &mut BufferedFile) -> Option<Pull> {
        for size in [SHORT_HEADER_BYTES, MAX_HEADER_BYTES] {
            let enough = input.ensure(size);
            if let Some(length) = header_length(input.unread()) {
                input.consume(length);
                self.stream.reset(false);
                self.crc = Crc::new();
                self.size = 0;
                self.step = Step::Deflate;
                return None;
            }
            if !enough {
                let rest = input.unread().len();
                input.consume(rest);
                return Some(truncated_member(input));
            }
        }
        Some(damage("a header without end"))
    }
}

impl Codec for Gzip {
    fn name(&self) -> &'static str {
        "gzip member"
    }

    fn is_magic(&self, bytes: &[u8]) -> bool {
        is_magic(bytes)
    }

    fn is_magic_start(&self, bytes: &[u8]) -> bool {
        b"\x1f\x8b\x08".starts_with(bytes)
    }

    fn find_magic(&self, bytes: &[u8]) -> Option<usize> {
        self.magic
            .find_iter(bytes)
            .find(|at| is_magic(&bytes[*at..]))
    }

    fn start(&mut self, whole: bool) {
        self.step = if whole { Step::Whole } else { Step::Header };
    }

    fn pull(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull {
        if self.step == Step::Whole {
            if self.pull_whole(input, text) {
                return Pull::End;
            }
            self.step = Step::Header;
        }
        if self.step == Step::Header
            && let Some(end) = self.skip_header(input)
        {
            return end;
        }
        self.inflate_some(input, text)
    }

    /// Deflate stores at most 65,535 bytes in one block.
    fn longest_verbatim_run(&self) -> u64 {
        64 << 10
    }

    fn max_ratio(&self) -> u64 {
        1040
    }
}

fn truncated_member(input: &BufferedFile) -> Pull {
    let detail = format!(
        "the file ends at {} inside the gzip member",
        input.position()
    );
    Pull::Damage {
        error: RecordError::new(reasons::TRUNCATED, detail),
        at_end: false,
    }
}

fn damage(what: &str) -> Pull {
    Pull::Damage {
        error: RecordError::new(reasons::DAMAGED, what),
        at_end: false,
    }
}
