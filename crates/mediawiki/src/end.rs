//! Recognizes exports that end between two pages, such as downloads that broke off.

use std::io::{self, Read};

use bzip2::read::BzDecoder;
use corpus_bytes::compression::{Compression, MAGIC_LENGTH};
use corpus_bytes::file::FileBytes;
use memchr::memmem;

use crate::streams::is_header;
use crate::xml::{PAGE, PAGE_END};

/// The size of the examined end of a text.
const TAIL_BYTES: usize = 64 << 10;

/// The maximum size of the last stream of a bzip2 file that is examined.
const MAX_STREAM_BYTES: u64 = 4 << 20;

const END: &[u8] = b"</mediawiki";

/// Whether an export ends between two pages, or before the first one. The reader itself reports
/// ends within a page, and damaged compression.
pub fn lacks_pages(file: &dyn FileBytes) -> io::Result<bool> {
    let mut head = [0; MAGIC_LENGTH];
    let count = file.read_at(0, &mut head)?;
    match Compression::detect(&head[..count]) {
        None => {
            let start = file.size().saturating_sub(TAIL_BYTES as u64);
            Ok(is_cut(&read(file, start)?, start == 0))
        }
        Some(Compression::Bzip2) => {
            let start = file.size().saturating_sub(MAX_STREAM_BYTES);
            let bytes = read(file, start)?;
            let stream = (0..bytes.len()).rev().find(|at| is_header(&bytes[*at..]));
            let Some(stream) = stream else {
                return Ok(false);
            };
            let mut text = Vec::new();
            let decoded = BzDecoder::new(&bytes[stream..]).read_to_end(&mut text);
            Ok(decoded.is_ok() && is_cut(&text, start + stream as u64 == 0))
        }
        Some(_) => Ok(false),
    }
}

fn read(file: &dyn FileBytes, start: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (file.size() - start) as usize];
    let count = file.read_at(start, &mut bytes)?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Whether the end of a text is neither in a page nor after the end tag.
fn is_cut(tail: &[u8], is_whole: bool) -> bool {
    if memmem::rfind(tail, END).is_some() {
        return false;
    }
    match (memmem::rfind(tail, PAGE), memmem::rfind(tail, PAGE_END)) {
        (None, None) => is_whole,
        (start, end) => end > start,
    }
}
