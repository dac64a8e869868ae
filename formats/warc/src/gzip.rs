//! gzip members.
//!
//! libdeflate inflates a member in one call and is a third faster than any streaming inflater,
//! but its safe interface does not tell how many bytes the member had. So the end is guessed
//! first, and proved afterwards: a member ends where the next one starts, or with the file. The
//! last four bytes before that place are then the size of the text, which also says how much
//! room is needed. libdeflate, given no bytes beyond the guess, succeeds only if a whole member
//! with a correct checksum lies before it; and if the size field occurs nowhere else in these
//! bytes, the member cannot have ended earlier. Anything that does not pass goes to zlib-rs,
//! which is exact, and which tells what is wrong.

use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::{Crc, Decompressor};
use memchr::memmem::{self, Finder};

use super::buffer::Buffer;
use super::codec::{Codec, Pull};
use super::reasons;
use corpus_bytes::record::RecordError;
use corpus_bytes::window::Window;

/// The largest text that is inflated in one go.
const MAX_WHOLE: usize = 4 << 20;
/// How many guesses at the end of a member are worth it. By chance the magic number occurs once
/// in 128 MiB of compressed data.
const MAX_GUESSES: usize = 4;
const MIN_MEMBER: usize = 18;
const TRAILER: usize = 8;
const CHUNK: usize = 64 << 10;
/// A member's header with longer names than this is taken for no header.
const MAX_HEADER: usize = 128 << 10;
const SHORT_HEADER: usize = 1 << 10;

const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

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

pub fn is_magic(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, flags, ..] if flags & RESERVED == 0)
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

    /// The whole member in one call, if that is possible.
    fn pull_whole(&mut self, window: &mut Window, text: &mut Buffer) -> bool {
        let mut from = MIN_MEMBER;
        for _ in 0..MAX_GUESSES {
            let Some(end) = self.guess_end(window, from) else {
                return false;
            };
            if self.inflate_to(&window.unread()[..end], text) {
                window.consume(end);
                return true;
            }
            if end == window.unread().len() {
                return false;
            }
            from = end + 1;
        }
        false
    }

    /// The next place at or after `from` where the member may end.
    fn guess_end(&self, window: &mut Window, from: usize) -> Option<usize> {
        let mut searched = from;
        loop {
            let bytes = window.unread();
            if let Some(tail) = bytes.get(searched..)
                && let Some(found) = self.find_magic(tail)
            {
                return Some(searched + found);
            }
            searched = searched.max(bytes.len().saturating_sub(3));
            if !window.fill() {
                let length = window.unread().len();
                return (window.holds_the_rest() && length >= from).then_some(length);
            }
        }
    }

    fn inflate_to(&mut self, member: &[u8], text: &mut Buffer) -> bool {
        let Some(size_field) = member.last_chunk::<4>() else {
            return false;
        };
        let size = u32::from_le_bytes(*size_field) as usize;
        if size > MAX_WHOLE {
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

    fn inflate_some(&mut self, window: &mut Window, text: &mut Buffer) -> Pull {
        loop {
            if window.unread().is_empty() && window.at_end() {
                return truncated(window);
            }
            let (total_in, total_out) = (self.stream.total_in(), self.stream.total_out());
            let status =
                self.stream
                    .decompress(window.unread(), text.space(CHUNK), FlushDecompress::None);
            let consumed = (self.stream.total_in() - total_in) as usize;
            let produced = (self.stream.total_out() - total_out) as usize;
            self.crc.update(&text.space(CHUNK)[..produced]);
            self.size = self.size.wrapping_add(produced as u32);
            text.commit(produced);
            window.consume(consumed);
            match status {
                Ok(Status::StreamEnd) => {
                    self.step = Step::Trailer;
                    return self.check_trailer(window);
                }
                Ok(_) if produced > 0 => return Pull::Text,
                Ok(_) if consumed > 0 => {}
                // No progress with input and room at hand: cannot be, but must not loop.
                Ok(_) => return damage("no progress"),
                Err(error) => return damage(&error.to_string()),
            }
        }
    }

    fn check_trailer(&mut self, window: &mut Window) -> Pull {
        if !window.ensure(TRAILER) {
            let rest = window.unread().len();
            window.consume(rest);
            return truncated(window);
        }
        let field = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b));
        let crc = field(&window.unread()[..4]);
        let size = field(&window.unread()[4..TRAILER]);
        window.consume(TRAILER);
        if crc == self.crc.sum() && size == self.size {
            return Pull::End;
        }
        let detail = format!(
            "crc {crc:08x} and size {size} are stated, {:08x} and {} found",
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

    fn skip_header(&mut self, window: &mut Window) -> Option<Pull> {
        for size in [SHORT_HEADER, MAX_HEADER] {
            let enough = window.ensure(size);
            if let Some(length) = header_length(window.unread()) {
                window.consume(length);
                self.stream.reset(false);
                self.crc = Crc::new();
                self.size = 0;
                self.step = Step::Deflate;
                return None;
            }
            if !enough {
                let rest = window.unread().len();
                window.consume(rest);
                return Some(truncated(window));
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

    fn pull(&mut self, window: &mut Window, text: &mut Buffer) -> Pull {
        if self.step == Step::Whole {
            if self.pull_whole(window, text) {
                return Pull::End;
            }
            self.step = Step::Header;
        }
        if self.step == Step::Header
            && let Some(end) = self.skip_header(window)
        {
            return end;
        }
        self.inflate_some(window, text)
    }

    /// Deflate stores at most 65,535 bytes in one block.
    fn longest_verbatim_run(&self) -> u64 {
        64 << 10
    }

    fn max_ratio(&self) -> u64 {
        1040
    }
}

/// The length of the header at the start of `bytes`, `None` when it is not all there.
fn header_length(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut length = 10;
    if flags & FEXTRA != 0 {
        let extra = [*bytes.get(length)?, *bytes.get(length + 1)?];
        length += 2 + usize::from(u16::from_le_bytes(extra));
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 {
            length += memchr::memchr(0, bytes.get(length..)?)? + 1;
        }
    }
    if flags & FHCRC != 0 {
        length += 2;
    }
    (length <= bytes.len()).then_some(length)
}

fn truncated(window: &Window) -> Pull {
    let detail = format!(
        "the file ends at {} inside the gzip member",
        window.position()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_fields_are_skipped() {
        let mut header = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x03\0abcname\0comment\0hc".to_vec();
        assert_eq!(header_length(&header), Some(header.len()));
        header.pop();
        assert_eq!(header_length(&header), None);
        assert_eq!(header_length(b"\x1f\x8b\x08"), None);
    }

    #[test]
    fn reserved_flags_are_no_magic() {
        assert!(is_magic(b"\x1f\x8b\x08\x00"));
        assert!(!is_magic(b"\x1f\x8b\x08\x20"));
        assert!(!is_magic(b"\x1f\x8b\x08"));
    }
}
