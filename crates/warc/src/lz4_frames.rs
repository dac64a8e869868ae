//! lz4 frames.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder;
use memchr::memmem::Finder;

use super::buffer::Buffer;
use super::codec::{Codec, Pull};
use super::reasons;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::record::RecordError;

const CHUNK_BYTES: usize = 64 << 10;
const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

pub struct Lz4 {
    /// The frame being read. It holds the input only during a pull, because the input's position is
    /// needed between pulls.
    frame: Option<FrameDecoder<BorrowedInput>>,
    magic: Finder<'static>,
}

/// A borrowed input that records whether it ran out of bytes, because the decoder treats the end of
/// the file inside a frame as the end of the frame.
struct BorrowedInput {
    input: BufferedFile,
    ran_dry: bool,
}

impl Read for BorrowedInput {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(out)?;
        self.ran_dry |= count == 0 && !out.is_empty();
        Ok(count)
    }
}

pub fn is_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

impl Lz4 {
    pub fn new() -> Self {
        Self {
            frame: None,
            magic: Finder::new(&MAGIC),
        }
    }
}

impl Codec for Lz4 {
    fn name(&self) -> &'static str {
        "lz4 frame"
    }

    fn is_magic(&self, bytes: &[u8]) -> bool {
        is_magic(bytes)
    }

    fn is_magic_start(&self, bytes: &[u8]) -> bool {
        MAGIC.starts_with(bytes)
    }

    fn find_magic(&self, bytes: &[u8]) -> Option<usize> {
        self.magic.find(bytes)
    }

    fn start(&mut self, _whole: bool) {
        self.frame = None;
    }

    fn pull(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull {
        let placeholder = input.placeholder();
        let lent = BorrowedInput {
            input: std::mem::replace(input, placeholder),
            ran_dry: false,
        };
        let mut frame = match self.frame.take() {
            Some(mut frame) => {
                *frame.get_mut() = lent;
                frame
            }
            None => FrameDecoder::new(lent),
        };
        let result = frame.read(text.space(CHUNK_BYTES));
        let ran_dry = frame.get_ref().ran_dry;
        let placeholder = input.placeholder();
        *input = std::mem::replace(&mut frame.get_mut().input, placeholder);
        match result {
            _ if ran_dry => {
                let message = format!("the file ends at {} inside the lz4 frame", input.position());
                damage(reasons::TRUNCATED, message)
            }
            Ok(0) => Pull::End,
            Ok(count) => {
                text.commit(count);
                self.frame = Some(frame);
                Pull::Text
            }
            Err(error) => damage(reason(&error), error.to_string()),
        }
    }

    /// The size of the largest block, plus some bytes for its header.
    fn longest_verbatim_run(&self) -> u64 {
        (4 << 20) + (4 << 10)
    }

    fn max_ratio(&self) -> u64 {
        256
    }
}

fn reason(error: &io::Error) -> &'static str {
    if error.to_string().to_lowercase().contains("checksum") {
        reasons::CRC_MISMATCH
    } else {
        reasons::DAMAGED
    }
}

fn damage(reason: &'static str, message: String) -> Pull {
    Pull::Damage {
        error: RecordError::new(reason, message),
        at_end: false,
    }
}
