//! Detects the format of a file by its magic bytes.

use std::io;
use std::sync::Arc;

use super::codec::Codec;
use super::gzip::Gzip;
use super::lz4_frames::{self, Lz4};
use super::record_start;
use super::units::Units;
use super::zstd_frames::{self, Zstd};
use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::file::FileBytes;

/// Maximum number of bytes searched if a file starts with no known magic number.
const MAX_SEARCH_BYTES: u64 = 16 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Plain,
    Gzip,
    Zstd,
    Lz4,
    Zip,
}

/// Returns the format of a file that starts with these bytes.
pub fn by_magic(bytes: &[u8]) -> Option<Format> {
    if corpus_bytes::gzip::is_magic(bytes) {
        Some(Format::Gzip)
    } else if zstd_frames::is_magic(bytes) {
        Some(Format::Zstd)
    } else if lz4_frames::is_magic(bytes) {
        Some(Format::Lz4)
    } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        Some(Format::Zip)
    } else if record_start::at(bytes).is_some() {
        Some(Format::Plain)
    } else {
        None
    }
}

pub fn codec(format: Format, file: &dyn FileBytes) -> io::Result<Option<Box<dyn Codec>>> {
    Ok(match format {
        Format::Gzip => Some(Box::new(Gzip::new())),
        Format::Zstd => Some(Box::new(Zstd::new(file)?)),
        Format::Lz4 => Some(Box::new(Lz4::new())),
        Format::Plain | Format::Zip => None,
    })
}

/// Detects the format of a file. The result depends only on the file's start, so that all ranges
/// agree. `start` is the part that has already been read.
pub fn detect(file: &Arc<dyn FileBytes>, start: &[u8]) -> io::Result<Format> {
    match by_magic(start) {
        Some(format) => Ok(format),
        None => search(file),
    }
}

/// The file starts with damage, padding or another format: the first record, or the first
/// compressed unit that starts with a record, decides.
fn search(file: &Arc<dyn FileBytes>) -> io::Result<Format> {
    let mut first = find_plain_record(file)?.unwrap_or(MAX_SEARCH_BYTES);
    let mut format = Format::Plain;
    for candidate in [Format::Gzip, Format::Zstd, Format::Lz4] {
        if let Some(codec) = codec(candidate, file.as_ref())? {
            let mut units = Units::new(BufferedFile::new(file.clone(), 0), codec);
            if let Some(offset) = units.search(0, first, false) {
                first = offset;
                format = candidate;
            }
        }
    }
    Ok(format)
}

fn find_plain_record(file: &Arc<dyn FileBytes>) -> io::Result<Option<u64>> {
    let mut input = BufferedFile::new(file.clone(), 0);
    let mut line_start = true;
    while input.position() < MAX_SEARCH_BYTES {
        let more = input.ensure(2 * record_start::PROBE_BYTES);
        let bytes = input.unread();
        // Near the end of the buffer, the first line of a record may be incomplete.
        let certain = if more {
            bytes.len() - record_start::PROBE_BYTES
        } else {
            bytes.len()
        };
        let found = record_start::find(bytes, line_start, None).filter(|at| *at < certain);
        if let Some(at) = found {
            return Ok(Some(input.position() + at as u64));
        }
        if !more {
            break;
        }
        line_start = bytes[certain - 1] == b'\n';
        input.consume(certain);
    }
    match input.take_error() {
        Some(error) => Err(error),
        None => Ok(None),
    }
}
