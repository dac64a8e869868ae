//! WARC and ARC files: plain, gzip, zstd, lz4, and WACZ packages of them.
//!
//! ```text
//! (window  raw bytes of the file, buffered: one folder up)
//! codec    gzip, zstd_frames, lz4_frames: the framing of one unit (member, frame)
//! units    the units of a file one after the other, also behind damage
//! split    where a byte range of a compressed file starts
//! text     the text of the units in segments, within which a record may go on
//! heads    recognizes the first line of a record
//! head_end where heads end
//! framing  where bodies end
//! head     the fields of a head; arc and date help it
//! reader   rows
//! index    CDXJ and CDX, by which single records are read
//! ```
//!
//! What is decompressed in place of a file (a file compressed twice, a deflated member of a
//! package) is read by the same code through `nested`.
//!
//! **Offsets and ranges.** `offset` is that of the record in an uncompressed file and of the
//! unit that holds its first byte in a compressed one. In a package, and in a file compressed
//! twice, it is that within the member or the file inside. Which range of a compressed file owns
//! a record is told in `split`. In an uncompressed file bodies can hold whole archives, so that
//! nothing but the way from the file's start tells what is a record: every range walks it, by
//! jumping from head to head. Files compressed twice, and deflated members of packages, belong
//! to the range in which they start.

mod arc;
mod buffer;
mod codec;
mod columns;
mod date;
mod detect;
mod framing;
mod gzip;
mod head;
mod head_end;
mod heads;
mod index;
mod lz4_frames;
mod nested;
mod plain;
mod reader;
mod reasons;
mod split;
mod text;
mod units;
mod wacz;
mod zstd_frames;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use datafusion::common::{Result, plan_datafusion_err, plan_err};

use self::buffer::Buffer;
use self::detect::Format;
pub use self::head::header_value;
use self::index::{CdxIndex, IndexOrder};
use self::plain::Plain;
use self::reader::Reader;
use self::text::{Source, Text};
use self::units::{Next, Units};
use super::format::RecordFormat;
use super::indexed::{NO_RECORD, RecordIndex};
use corpus_bytes::columns::Column;
use corpus_bytes::compression::strip_compression_ending;
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_bytes::window::Window;

/// The option that names an index.
const INDEX: &str = "index";
/// The option that declares the order of its lines.
const INDEX_ORDER: &str = "index_order";

/// So much of a file is read to tell what it is.
const START: usize = 64 << 10;

/// The ranges into which an uncompressed file is cut at most.
const MAX_PLAIN_RANGES: u64 = 16;

/// Web archives: every record is a row.
#[derive(Debug, Clone, Default)]
pub struct WarcFormat {
    /// The records are those that this index names.
    index: Option<Arc<CdxIndex>>,
}

impl RecordFormat for WarcFormat {
    fn name(&self) -> &'static str {
        "WARC"
    }

    fn columns(&self) -> &'static [Column] {
        columns::COLUMNS
    }

    fn endings(&self) -> &'static [&'static str] {
        &[
            "warc",
            "arc",
            "wet",
            "wat",
            "wacz",
            "warc.open",
            "warc.gz.open",
            "arc.gz.open",
        ]
    }

    /// In an uncompressed file every range walks from the file's start.
    fn max_ranges(&self, name: &str) -> u64 {
        match strip_compression_ending(name) == name {
            true => MAX_PLAIN_RANGES,
            false => u64::MAX,
        }
    }

    fn splittable(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                INDEX,
                "CDXJ or CDX files (a file, folder, glob or URL): only the records that they name \
                 are read, and of these only what a filter on target_uri or url_surt(target_uri) \
                 leaves; the location is the folder, or the URL, that their file names are below",
            ),
            (
                INDEX_ORDER,
                "`sorted` declares that an index is sorted (`LC_ALL=C sort`) and has the keys of \
                 url_surt, so that large files are bisected; `any` reads all lines, also from \
                 remote files of more than 256 MiB, which are an error by default",
            ),
        ]
    }

    fn with_options(&self, options: &BTreeMap<String, String>) -> Result<Arc<dyn RecordFormat>> {
        let order = match options.get(INDEX_ORDER) {
            Some(text) => IndexOrder::parse(text).ok_or_else(|| {
                plan_datafusion_err!("option '{INDEX_ORDER}' is 'sorted' or 'any', not '{text}'")
            })?,
            None => IndexOrder::default(),
        };
        let Some(location) = options.get(INDEX).cloned() else {
            return match options.contains_key(INDEX_ORDER) {
                true => plan_err!("option '{INDEX_ORDER}' needs the option '{INDEX}'"),
                false => Ok(Arc::new(Self::default())),
            };
        };
        let index = Some(Arc::new(CdxIndex { location, order }));
        Ok(Arc::new(Self { index }))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        open(request).map_err(|error| RecordError::io(&error))
    }

    fn index(&self) -> Option<Arc<dyn RecordIndex>> {
        let index = self.index.clone()?;
        Some(index)
    }

    fn open_record(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        open_record(request)
    }
}

/// A reader for the records of a request. An error means that the file could not be read at
/// all; what is wrong with its content is told in rows.
fn open(request: ReadRequest) -> io::Result<Box<dyn RecordReader>> {
    open_nested(request, Nesting::File)
}

/// A reader for the record that starts where the range does. An error means that no record, and no
/// compressed unit, starts there.
fn open_record(request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
    let io_error = |error| RecordError::io(&error);
    let start = request.range.start;
    let mut head = vec![0; heads::PROBE];
    let count = request.file.read_at(start, &mut head).map_err(io_error)?;
    let format = match detect::by_magic(&head[..count]) {
        Some(format) if format != Format::Zip => format,
        _ => return Err(no_record(start, &head[..count])),
    };
    let codec = detect::codec(format, request.file.as_ref()).map_err(io_error)?;
    let text = match codec {
        Some(codec) => {
            let mut units = Units::new(Window::new(request.file.clone(), start), codec);
            units.restart(start);
            Text::new(Source::Units(Box::new(units)), request.range.end)
        }
        None => {
            let mut plain = Plain::new(request.file.clone(), false);
            plain.jump(start);
            Text::new(Source::Plain(plain), request.range.end).at(start)
        }
    };
    Ok(reader_of(text, request))
}

fn no_record(offset: u64, bytes: &[u8]) -> RecordError {
    let found = match bytes {
        [] => "the file ends before it".to_owned(),
        bytes => format!("there is {}", reader::show(bytes)),
    };
    RecordError::new(NO_RECORD, format!("at byte {offset}: {found}"))
}

/// What the file of a request really is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nesting {
    File,
    /// Part of a package, at any offset of which it can be read.
    Member,
    /// Decompressed on the way: it has no known size, and going back means starting anew.
    Inflated,
}

fn open_nested(request: ReadRequest, nesting: Nesting) -> io::Result<Box<dyn RecordReader>> {
    if request.range.is_empty() {
        return Ok(Box::new(nested::Nothing));
    }
    let start = nested::Prefix::read(request.file.as_ref(), START)?;
    let format = detect::detect(&request.file, start.bytes())?;
    if format == Format::Zip && nesting == Nesting::File {
        return Ok(Box::new(wacz::Package::open(request)?));
    }
    let Some(codec) = detect::codec(format, request.file.as_ref())? else {
        let source = Source::Plain(Plain::new(
            request.file.clone(),
            nesting == Nesting::Inflated,
        ));
        return Ok(reader(source, request));
    };
    if nesting != Nesting::Inflated && holds_compressed_file(start, format)? {
        return match request.range.start {
            0 => open_nested(nested::inflated(request, format), Nesting::Inflated),
            _ => Ok(Box::new(nested::Nothing)),
        };
    }
    let mut units = Units::new(Window::new(request.file.clone(), 0), codec);
    let range = &request.range;
    if range.start > 0 && !split::move_to_first_sync_point(&mut units, range.start, range.end) {
        return Ok(Box::new(nested::Nothing));
    }
    Ok(reader(Source::Units(Box::new(units)), request))
}

fn reader(source: Source, request: ReadRequest) -> Box<dyn RecordReader> {
    let text = Text::new(source, request.range.end);
    reader_of(text, request)
}

fn reader_of(text: Text, request: ReadRequest) -> Box<dyn RecordReader> {
    Box::new(Reader::new(
        text,
        request.name,
        request.range,
        request.max_record_bytes,
    ))
}

/// Whether the first text of the file is compressed itself: downloads are at times compressed
/// by the server on top.
fn holds_compressed_file(start: nested::Prefix, format: Format) -> io::Result<bool> {
    let Some(codec) = detect::codec(format, &start)? else {
        return Ok(false);
    };
    let mut units = Units::new(Window::new(Arc::new(start), 0), codec);
    let mut text = Buffer::default();
    while text.len() < codec::MAGIC_SIZE {
        let Next::Unit(_) = units.begin() else {
            break;
        };
        let mut end = None;
        while end.is_none() && text.len() < codec::MAGIC_SIZE {
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

/// The whole of a file that is made by decompressing that of a request.
fn whole(file: Arc<dyn FileBytes>, request: ReadRequest) -> ReadRequest {
    ReadRequest {
        file,
        range: 0..u64::MAX,
        ..request
    }
}
