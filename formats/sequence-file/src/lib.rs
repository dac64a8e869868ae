#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! header    classes, codec, metadata, the sync bytes
//! framing   where records and blocks start and end; damage
//! split     where the reader of a byte range starts
//! codec     decompression; chunks (Snappy, LZ4) helps it
//! block     the records of a block
//! writable  keys and values of Hadoop's classes; vint, their lengths
//! pull      records, column by column, for an engine
//! writer    blocks of a new file
//! ```

mod block;
mod chunks;
mod codec;
pub mod columns;
mod framing;
mod header;
mod pull;
pub mod reasons;
mod split;
mod vint;
mod writable;
pub mod writer;
mod zlib;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use self::codec::Codec;
pub use self::columns::ColumnTypes;
pub use self::header::{Compression, Header, SYNC_SIZE};
pub use self::writable::Class;

use self::framing::Framing;
use self::pull::PullReader;
use self::writable::Slot;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};

/// Starts to read a file or range, one record and column at a time.
///
/// The columns are those of [`columns::of`]. An error is one of the file as a whole.
pub fn open(
    request: ReadRequest,
    types: ColumnTypes,
) -> Result<Box<dyn RecordReader>, RecordError> {
    open_looking_back(request, types, split::LOOK_BACK)
}

fn open_looking_back(
    request: ReadRequest,
    types: ColumnTypes,
    look_back: u64,
) -> Result<Box<dyn RecordReader>, RecordError> {
    let start = request.range.start;
    if request.range.is_empty() && request.file.size() > 0 {
        return Ok(Box::new(Nothing));
    }
    let header = match Header::read(request.file.as_ref()) {
        Ok(header) => header,
        Err(error) if start == 0 => return Err(error),
        // The reader of the first range reports it.
        Err(_) => return Ok(Box::new(Nothing)),
    };
    let slot = |class: &str, kind| Slot {
        class: Class::of(class),
        kind,
        limit: request.max_record_bytes,
    };
    let key = slot(&header.key_class, types.key);
    let value = slot(&header.value_class, types.value);
    let mut framing = Framing::new(Arc::clone(&request.file), &header);
    if start > 0 {
        split::go_before(&mut framing, start, look_back);
    }
    Ok(Box::new(PullReader::new(
        header, framing, &request, key, value,
    )))
}

/// Reads a range in which no record starts.
struct Nothing;

impl RecordReader for Nothing {
    fn advance(&mut self) -> bool {
        false
    }

    fn load(&mut self, _payload: bool) {}

    fn value(&self, _column: usize) -> Value<'_> {
        Value::Null
    }

    fn error(&self) -> Option<&RecordError> {
        None
    }

    fn offset(&self) -> u64 {
        0
    }
}
