//! Drops the records of a CSV file that have a different number of fields, and counts them.

use bytes::{Bytes, BytesMut};
use datafusion::common::config::CsvOptions;

use super::record_ends::{MAX_RECORD_BYTES, RecordEnds};

/// Passes on the records that have the expected number of fields.
pub struct Fitting {
    options: CsvOptions,
    /// The number of fields. `None` before the first record.
    fields: Option<usize>,
    /// The start of a record that the next chunk continues.
    rest: BytesMut,
    /// The state in the current record.
    ends: RecordEnds,
    pub left_out: usize,
}

impl Fitting {
    pub fn new(options: &CsvOptions, fields: Option<usize>) -> Self {
        Self {
            options: options.clone(),
            fields,
            rest: BytesMut::new(),
            ends: RecordEnds::new(options),
            left_out: 0,
        }
    }

    /// Returns the fitting records that end in the next chunk. The start of a record that is too
    /// long is among them, so that the reader reports it.
    pub fn next(&mut self, chunk: &[u8]) -> Bytes {
        let mut kept = BytesMut::with_capacity(chunk.len());
        let mut at = 0;
        while at < chunk.len() {
            let end = at + self.ends.first_in(&chunk[at..]);
            self.rest.extend_from_slice(&chunk[at..end]);
            at = end;
            if self.ends.is_at_start() {
                let record = self.rest.split();
                self.add(&record, &mut kept);
            } else if self.rest.len() > MAX_RECORD_BYTES {
                kept.extend_from_slice(&self.rest.split());
            }
        }
        kept.freeze()
    }

    /// Returns the last record, which may end without a line break.
    pub fn last(&mut self) -> Bytes {
        let record = self.rest.split();
        let mut kept = BytesMut::new();
        // The reader reports a quote that is never closed.
        if self.ends.quoted_column().is_some() {
            return record.freeze();
        }
        self.add(&record, &mut kept);
        kept.freeze()
    }

    fn add(&mut self, record: &[u8], kept: &mut BytesMut) {
        let ends = std::mem::replace(&mut self.ends, RecordEnds::new(&self.options));
        let fields = ends.longest.len();
        let is_comment = self
            .options
            .comment
            .is_some_and(|it| record.starts_with(&[it]));
        if record.trim_ascii().is_empty() || is_comment {
            kept.extend_from_slice(record);
            return;
        }
        let expected = *self.fields.get_or_insert(fields);
        let is_padded = self.options.truncated_rows == Some(true);
        if fields == expected || (is_padded && fields < expected) {
            kept.extend_from_slice(record);
        } else {
            self.left_out += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_another_number_of_fields_are_left_out() {
        for (text, expected, left_out) in [
            ("a,b\n1,2\n3\n4,5,6\n7,8", "a,b\n1,2\n7,8", 2),
            ("a,b\n\"1\n,\",2\n\"3\n\"\n", "a,b\n\"1\n,\",2\n", 1),
            ("a,b\n\n#x\n1,2\n", "a,b\n\n#x\n1,2\n", 0),
            ("a,b\n1,\"2\n3\n", "a,b\n1,\"2\n3\n", 0),
        ] {
            for size in [1, 3, 100] {
                let options = CsvOptions {
                    comment: Some(b'#'),
                    ..CsvOptions::default()
                };
                let mut fitting = Fitting::new(&options, None);
                let mut found = Vec::new();
                for chunk in text.as_bytes().chunks(size) {
                    found.extend_from_slice(&fitting.next(chunk));
                }
                found.extend_from_slice(&fitting.last());
                assert_eq!(String::from_utf8_lossy(&found), expected);
                assert_eq!(fitting.left_out, left_out, "{text:?}");
            }
        }
    }
}
