//! Hadoop's SequenceFiles: pairs of keys and values, of versions 4 to 6, compressed or not.
//!
//! ```text
//! header    classes, codec, metadata, the sync bytes
//! framing   where records and blocks start and end; damage
//! split     where the reader of a byte range starts
//! codec     decompression; zlib and chunks (Snappy, LZ4) help it
//! block     the records of a block
//! writable  keys and values of Hadoop's classes; vint, their lengths
//! reader    rows
//! ```
//!
//! **Types.** `key` and `value` have the types of the classes in the first file of the table, or
//! those that options say: text for Text, bytes for BytesWritable and for all classes that are
//! not known (then in their serialized form), and so on. Bytes hold the values of any class;
//! otherwise a file with other classes gives rows with `error`.
//!
//! **Errors of values** are known when values are read. They are not read for keys and counts;
//! asking for `error` reads and checks them.

mod block;
mod chunks;
mod codec;
mod columns;
mod framing;
mod header;
mod reader;
mod reasons;
mod split;
mod vint;
mod writable;
mod zlib;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::common::{Result, plan_err};

pub use self::codec::Codec;
pub use self::framing::ESCAPE;
pub use self::header::{Compression, Header, SYNC_SIZE};
pub use self::vint::write as write_vint;
pub use self::writable::Class;

use self::framing::Framing;
use self::reader::Reader;
use self::writable::Slot;
use super::format::RecordFormat;
use corpus_bytes::columns::{Column, ColumnType};
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader, Value};

const KEY_TYPE: &str = "key_type";
const VALUE_TYPE: &str = "value_type";

/// Pairs of keys and values.
#[derive(Debug, Clone, Default)]
pub struct SequenceFileFormat {
    /// The types of the columns, where they are settled.
    key: Option<ColumnType>,
    value: Option<ColumnType>,
}

impl SequenceFileFormat {
    fn key_type(&self) -> ColumnType {
        self.key.unwrap_or(ColumnType::Text)
    }

    fn value_type(&self) -> ColumnType {
        self.value.unwrap_or(ColumnType::Bytes)
    }

    fn open_looking_back(
        &self,
        request: ReadRequest,
        look_back: u64,
    ) -> Result<Box<dyn RecordReader>, RecordError> {
        let start = request.range.start;
        if request.range.is_empty() && request.file.size() > 0 {
            return Ok(Box::new(Nothing));
        }
        let header = match Header::read(request.file.as_ref()) {
            Ok(header) => header,
            Err(error) if start == 0 => return Err(error),
            // The first range reports it.
            Err(_) => return Ok(Box::new(Nothing)),
        };
        let slot = |class: &str, kind| Slot {
            class: Class::of(class),
            kind,
            limit: request.max_record_bytes,
        };
        let key = slot(&header.key_class, self.key_type());
        let value = slot(&header.value_class, self.value_type());
        let mut framing = Framing::new(Arc::clone(&request.file), &header);
        if start > 0 {
            split::go_before(&mut framing, start, look_back);
        }
        Ok(Box::new(Reader::new(header, framing, &request, key, value)))
    }
}

impl RecordFormat for SequenceFileFormat {
    fn name(&self) -> &'static str {
        "SEQUENCEFILE"
    }

    fn columns(&self) -> &'static [Column] {
        columns::of(self.key_type(), self.value_type())
    }

    fn endings(&self) -> &'static [&'static str] {
        &["seq", "sequencefile"]
    }

    fn splittable(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                KEY_TYPE,
                "'text', 'bytes', 'integer', 'double' or 'boolean': the type of the column key, \
                 which is otherwise that of the first file; bytes hold keys of all classes",
            ),
            (VALUE_TYPE, "the same for the column value"),
        ]
    }

    fn with_options(&self, options: &BTreeMap<String, String>) -> Result<Arc<dyn RecordFormat>> {
        let kind = |name: &str| {
            let value = options.get(name);
            value.map(|value| parse_type(name, value)).transpose()
        };
        Ok(Arc::new(Self {
            key: kind(KEY_TYPE)?,
            value: kind(VALUE_TYPE)?,
        }))
    }

    fn fitted_to(&self, first: &dyn FileBytes) -> Option<Arc<dyn RecordFormat>> {
        // What is wrong with the file is told when it is read.
        let header = Header::read(first).ok()?;
        let kind = |class: &str| Some(Class::of(class).column_type());
        Some(Arc::new(Self {
            key: self.key.or(kind(&header.key_class)),
            value: self.value.or(kind(&header.value_class)),
        }))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        self.open_looking_back(request, split::LOOK_BACK)
    }
}

fn parse_type(option: &str, value: &str) -> Result<ColumnType> {
    let name = |kind: &ColumnType| format!("{kind:?}").to_lowercase();
    let mut kinds = columns::KINDS.into_iter();
    match kinds.find(|kind| name(kind) == value.to_lowercase()) {
        Some(kind) => Ok(kind),
        None => {
            let names: Vec<_> = columns::KINDS.iter().map(name).collect();
            plan_err!(
                "option '{option}' is one of '{}', not '{value}'",
                names.join("', '")
            )
        }
    }
}

/// The rows of a range in which nothing starts.
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
