//! Opens a file: an archive, a compressed one, or a package.
//!
//! ```text
//! inner_files  files inside other files
//! wacz         WACZ packages
//! ```

mod inner_files;
mod wacz;

use std::io;
use std::sync::Arc;

use corpus_bytes::buffered_file::BufferedFile;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{NoRecords, ReadRequest, RecordError, RecordReader};
use corpus_bytes::record_locations::NO_RECORD;

use crate::buffer::Buffer;
use crate::codec;
use crate::detect::{self, Format};
use crate::plain_file::PlainFile;
use crate::reader::{self, Reader};
use crate::record_start;
use crate::segments::{Segments, TextSource};
use crate::split;
use crate::units::{UnitStart, Units};
use inner_files::Prefix;
use wacz::Package;

/// The bytes at the start of a file that are read to detect its format.
const DETECTION_BYTES: usize = 64 << 10;

/// Opens a file and returns a reader of the records in the range of the request. An error means
/// that the file cannot be read at all; damage in it becomes records with an error.
pub fn open(request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
    open_nested(request, Nesting::File).map_err(|error| RecordError::io(&error))
}

/// Opens the record that starts where the range of the request does. It is an error if no record,
/// and no compressed unit, starts there.
pub fn open_record(request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
    let io_error = |error| RecordError::io(&error);
    let start = request.range.start;
    let mut head = vec![0; record_start::PROBE_BYTES];
    let count = request.file.read_at(start, &mut head).map_err(io_error)?;
    let format = match detect::by_magic(&head[..count]) {
        Some(format) if format != Format::Zip => format,
        _ => return Err(no_record(start, &head[..count])),
    };
    let codec = detect::codec(format, request.file.as_ref()).map_err(io_error)?;
    let text = match codec {
        Some(codec) => {
            let mut units = Units::new(BufferedFile::new(request.file.clone(), start), codec);
            units.restart(start);
            Segments::new(TextSource::Units(Box::new(units)), request.range.end)
        }
        None => {
            let mut plain = PlainFile::new(request.file.clone(), false);
            plain.jump(start);
            Segments::new(TextSource::Plain(plain), request.range.end).at(start)
        }
    };
    Ok(reader(text, request))
}

fn no_record(offset: u64, bytes: &[u8]) -> RecordError {
    let found = match bytes {
        [] => "the file ends before it".to_owned(),
        bytes => format!("there is {}", reader::show(bytes)),
    };
    RecordError::new(NO_RECORD, format!("at byte {offset}: {found}"))
}

/// The nesting of the file of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nesting {
    /// A separate file.
    File,
    /// A stored member of a package, readable at any offset.
    Member,
    /// Decompressed while it is read. Its size is unknown, and going back means to start over.
    Inflated,
}

pub fn open_nested(request: ReadRequest, nesting: Nesting) -> io::Result<Box<dyn RecordReader>> {
    if request.range.is_empty() {
        return Ok(Box::new(NoRecords));
    }
    let start = Prefix::read(request.file.as_ref(), DETECTION_BYTES)?;
    let format = detect::detect(&request.file, start.bytes())?;
    if format == Format::Zip && nesting == Nesting::File {
        return Ok(Box::new(Package::open(request)?));
    }
    let Some(codec) = detect::codec(format, request.file.as_ref())? else {
        let plain = PlainFile::new(request.file.clone(), nesting == Nesting::Inflated);
        let text = Segments::new(TextSource::Plain(plain), request.range.end);
        return Ok(reader(text, request));
    };
    if nesting != Nesting::Inflated && holds_compressed_file(start, format)? {
        return match request.range.start {
            0 => open_nested(
                inner_files::request_inflated(request, format),
                Nesting::Inflated,
            ),
            _ => Ok(Box::new(NoRecords)),
        };
    }
    let mut units = Units::new(BufferedFile::new(request.file.clone(), 0), codec);
    let range = &request.range;
    if range.start > 0 && !split::move_to_first_sync_point(&mut units, range.start, range.end) {
        return match units.take_error_before(range.end) {
            Some(error) => Err(error),
            None => Ok(Box::new(NoRecords)),
        };
    }
    let text = Segments::new(TextSource::Units(Box::new(units)), range.end);
    Ok(reader(text, request))
}

fn reader(text: Segments, request: ReadRequest) -> Box<dyn RecordReader> {
    Box::new(Reader::new(
        text,
        request.name,
        request.range,
        request.max_record_bytes,
    ))
}

/// Whether the first text of the file is itself compressed: some servers compress downloads a
/// second time.
fn holds_compressed_file(start: Prefix, format: Format) -> io::Result<bool> {
    let Some(codec) = detect::codec(format, &start)? else {
        return Ok(false);
    };
    let mut units = Units::new(BufferedFile::new(Arc::new(start), 0), codec);
    let mut text = Buffer::default();
    while text.len() < codec::MAGIC_BYTES {
        let UnitStart::Unit(_) = units.begin() else {
            break;
        };
        let mut end = None;
        while end.is_none() && text.len() < codec::MAGIC_BYTES {
            end = units.pull(&mut text);
        }
        if end.is_some_and(|end| end.damage.is_some()) {
            break;
        }
    }
    Ok(starts_compressed(&text))
}

fn starts_compressed(text: &Buffer) -> bool {
    let format = detect::by_magic(text.unread());
    matches!(format, Some(Format::Gzip | Format::Zstd | Format::Lz4))
}

/// Returns a request for all of `file`, which is decompressed from the file of another request.
pub fn whole(file: Arc<dyn FileBytes>, request: ReadRequest) -> ReadRequest {
    ReadRequest {
        file,
        range: 0..u64::MAX,
        ..request
    }
}
