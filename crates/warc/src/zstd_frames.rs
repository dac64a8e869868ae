//! zstd frames, with the dictionary of the WARC-zstd proposal: a skippable frame at the start of
//! the file contains the dictionary for all others, compressed or not.

use std::io::{self, Read};

use memchr::memmem::Finder;
use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::buffer::Buffer;
use super::codec::{Codec, Pull};
use super::reasons;
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::compression::MAX_ZSTD_WINDOW_LOG;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::RecordError;

const CHUNK_BYTES: usize = 128 << 10;
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The rest of the magic number of a skippable frame; its first byte is 0x50 to 0x5f.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];
const DICTIONARY: u8 = 0x5d;
/// Maximum size of a damaged frame that is decoded a second time to recover its last text.
const MAX_SAVED_BYTES: u64 = 16 << 20;
const MAX_DICTIONARY_BYTES: u64 = 32 << 20;

pub struct Zstd {
    decoder: Decoder<'static>,
    /// The end of the dictionary's frame, which has no block headers: a compressed dictionary in it
    /// looks like a separate frame.
    dictionary_end: u64,
    /// The start of the current frame, and the number of bytes of its text already emitted.
    start: Option<u64>,
    delivered: usize,
    magic: Finder<'static>,
    skippable: Finder<'static>,
}

pub fn is_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
        || matches!(bytes, [0x50..=0x5f, rest @ ..] if rest.starts_with(&SKIPPABLE))
}

impl Zstd {
    pub fn new(file: &dyn FileBytes) -> io::Result<Self> {
        let (dictionary, dictionary_end) = read_dictionary(file)?;
        // Without a valid dictionary, the frames that need it are reported as damaged.
        let mut decoder = Decoder::with_dictionary(&dictionary).or_else(|_| Decoder::new())?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_ZSTD_WINDOW_LOG))?;
        Ok(Self {
            decoder,
            dictionary_end,
            start: None,
            delivered: 0,
            magic: Finder::new(&MAGIC),
            skippable: Finder::new(&SKIPPABLE),
        })
    }

    /// zstd does not report how much text a failed step produced, which is all of it if only the
    /// checksum is wrong. So the frame is decoded again, one input byte at a time.
    fn save_rest(&mut self, start: u64, input: &mut BufferedFile, text: &mut Buffer) {
        let failed_at = input.position();
        if failed_at - start > MAX_SAVED_BYTES {
            return;
        }
        input.seek(start);
        let _ = self.decoder.reinit();
        let mut known = self.delivered;
        for _ in 0..MAX_SAVED_BYTES {
            if input.at_end() {
                break;
            }
            let Ok(status) = self
                .decoder
                .run_on_buffers(&input.unread()[..1], text.space(CHUNK_BYTES))
            else {
                break;
            };
            input.consume(status.bytes_read);
            let repeated = known.min(status.bytes_written);
            known -= repeated;
            if repeated < status.bytes_written {
                text.space(status.bytes_written).copy_within(repeated.., 0);
                text.commit(status.bytes_written - repeated);
            }
            if status.remaining == 0 || status.bytes_read + status.bytes_written == 0 {
                break;
            }
        }
    }
}

/// Returns the dictionary of the file, which may be empty, and the end of its frame.
fn read_dictionary(file: &dyn FileBytes) -> io::Result<(Vec<u8>, u64)> {
    let mut head = [0; 8];
    let count = file.read_at(0, &mut head)?;
    let [DICTIONARY, m1, m2, m3, size @ ..] = head else {
        return Ok((Vec::new(), 0));
    };
    if count < head.len() || [m1, m2, m3] != SKIPPABLE {
        return Ok((Vec::new(), 0));
    }
    let size = u64::from(u32::from_le_bytes(size));
    let end = head.len() as u64 + size;
    if size > MAX_DICTIONARY_BYTES || end > file.size() {
        return Ok((Vec::new(), 0));
    }
    let mut content = Vec::new();
    file.stream(head.len() as u64)?
        .take(size)
        .read_to_end(&mut content)?;
    if !content.starts_with(&MAGIC) {
        return Ok((content, end));
    }
    let mut dictionary = Vec::new();
    let decoded = zstd::stream::read::Decoder::new(content.as_slice()).and_then(|decoder| {
        decoder
            .take(MAX_DICTIONARY_BYTES)
            .read_to_end(&mut dictionary)
    });
    if decoded.is_err() {
        dictionary.clear();
    }
    Ok((dictionary, end))
}

impl Codec for Zstd {
    fn name(&self) -> &'static str {
        "zstd frame"
    }

    fn is_magic(&self, bytes: &[u8]) -> bool {
        is_magic(bytes)
    }

    fn is_magic_start(&self, bytes: &[u8]) -> bool {
        MAGIC.starts_with(bytes)
    }

    fn find_magic(&self, bytes: &[u8]) -> Option<usize> {
        let frame = self.magic.find(bytes);
        let before = frame.unwrap_or(bytes.len());
        let skippable = self
            .skippable
            .find_iter(&bytes[..before])
            .filter_map(|at| at.checked_sub(1))
            .find(|at| is_magic(&bytes[*at..]));
        skippable.or(frame)
    }

    fn start(&mut self, _whole: bool) {
        // Resetting a session cannot fail; if it does, the next step fails.
        let _ = self.decoder.reinit();
        self.start = None;
        self.delivered = 0;
    }

    fn pull(&mut self, input: &mut BufferedFile, text: &mut Buffer) -> Pull {
        let start = *self.start.get_or_insert(input.position());
        loop {
            if input.at_end() {
                let message = format!(
                    "the file ends at {} inside the zstd frame",
                    input.position()
                );
                return damage(reasons::TRUNCATED, message);
            }
            let status = match self
                .decoder
                .run_on_buffers(input.unread(), text.space(CHUNK_BYTES))
            {
                Ok(status) => status,
                Err(error) => {
                    self.save_rest(start, input, text);
                    return damage(reason(&error), error.to_string());
                }
            };
            input.consume(status.bytes_read);
            text.commit(status.bytes_written);
            self.delivered += status.bytes_written;
            if status.remaining == 0 {
                return Pull::End;
            }
            if status.bytes_written > 0 {
                return Pull::Text;
            }
            if status.bytes_read == 0 {
                return damage(reasons::DAMAGED, "no progress".to_owned());
            }
        }
    }

    /// The size of the largest block, plus some bytes for its header.
    fn longest_verbatim_run(&self) -> u64 {
        132 << 10
    }

    fn opaque_start(&self) -> u64 {
        self.dictionary_end
    }

    fn max_ratio(&self) -> u64 {
        1 << 16
    }
}

fn reason(error: &io::Error) -> &'static str {
    if error.to_string().contains("checksum") {
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
