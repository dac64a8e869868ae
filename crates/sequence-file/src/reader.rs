//! Records as owned values.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::columns::ColumnTypes;
use crate::header::Header;
use crate::pull::PullReader;
use crate::record::Record;
use crate::split::LOOK_BACK_BYTES;
use corpus_bytes::file::FileBytes;
use corpus_bytes::local::LocalFile;
use corpus_bytes::record::{ColumnSet, ReadRequest, RecordError, RecordReader};

const DEFAULT_MAX_RECORD_BYTES: usize = 128 << 20;

/// Options of reading a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Maximum size of a key or value. Longer ones are truncated.
    pub max_record_bytes: usize,
    /// Reads the records that start in this range of the file. Together, the readers of adjacent
    /// ranges return each record once.
    pub range: Option<Range<u64>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_record_bytes: DEFAULT_MAX_RECORD_BYTES,
            range: None,
        }
    }
}

/// Iterates over the records of a file.
///
/// Damage never ends the iteration: it is reported in [`Record::error`], and the records after it
/// follow.
pub struct Reader {
    header: Header,
    records: Option<PullReader>,
}

impl Reader {
    /// Opens a local file with the default options.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let file = LocalFile::open(path.as_ref(), Arc::default());
        let file = file.map_err(|error| RecordError::io(&error))?;
        Self::from_file(Arc::new(file), &Options::default())
    }

    /// Reads a file wherever it is stored.
    pub fn from_file(file: Arc<dyn FileBytes>, options: &Options) -> Result<Self, RecordError> {
        let header = Header::read(file.as_ref())?;
        let request = ReadRequest {
            range: options.range.clone().unwrap_or(0..file.size()),
            file,
            name: "".into(),
            max_record_bytes: options.max_record_bytes,
            modified: None,
            columns: ColumnSet::ALL,
        };
        let types = ColumnTypes::of(&header);
        let records = PullReader::open(request, types, LOOK_BACK_BYTES)?;
        Ok(Self { header, records })
    }

    /// Returns the header of the file: its classes, compression and metadata.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl Iterator for Reader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let records = self.records.as_mut()?;
        if !records.advance() {
            return None;
        }
        records.load(true);
        Some(records.take_record())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, Reading, framings, layouts, pair};
    use crate::writable::Datum;

    /// The iterator and the engine's interface return the same records, in ranges, too.
    #[test]
    fn records_equal_rows() {
        let pairs: Vec<_> = (0..10)
            .map(|n| pair(&format!("key {n}"), &vec![b'v'; 9 * n]))
            .collect();
        for layout in layouts() {
            let mut bytes = layout.file(&pairs);
            bytes.extend(b"trailing garbage");
            let rows = Reading::of(&layout).read(&bytes);
            let size = bytes.len() as u64;
            let file: Arc<dyn FileBytes> = Arc::new(Memory(bytes.into()));
            let mut records = Vec::new();
            for range in [0..size / 2, size / 2..size] {
                let options = Options {
                    range: Some(range),
                    ..Options::default()
                };
                records.extend(Reader::from_file(Arc::clone(&file), &options).unwrap());
            }
            assert_eq!(records.len(), rows.len());
            for (record, row) in records.iter().zip(&rows) {
                assert_eq!(record.offset, row.offset);
                assert_eq!((&record.key, &record.value), (&row.key, &row.value));
                let reason = record.error.as_ref().map(|error| error.reason);
                assert_eq!(reason, row.reason, "{layout:?}");
            }
        }
    }

    #[test]
    fn the_limit_cuts_values() {
        let pairs = [pair("k", b"0123456"), pair("l", b"01234567")];
        for layout in framings() {
            let file = Arc::new(Memory(layout.file(&pairs).into()));
            let options = Options {
                max_record_bytes: 7,
                ..Options::default()
            };
            let reader = Reader::from_file(file, &options).unwrap();
            assert_eq!(reader.header().version, 6);
            let cut: Vec<_> = reader.map(|record| (record.value, record.is_cut)).collect();
            let value = Datum::Bytes(b"0123456".to_vec());
            assert_eq!(cut, [(value.clone(), false), (value, true)]);
        }
    }
}
