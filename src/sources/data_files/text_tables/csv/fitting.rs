//! Leaves out the records of a CSV file that have another number of fields, and counts them.

use bytes::{Bytes, BytesMut};
use datafusion::common::config::CsvOptions;

use super::record_ends::RecordEnds;

/// The records that have the expected number of fields.
pub struct Fitting {
    options: CsvOptions,
    /// The number of fields. `None` until the first record is there.
    fields: Option<usize>,
    /// The start of a record whose end is not there yet.
    rest: BytesMut,
    pub left_out: usize,
}

impl Fitting {
    pub fn new(options: &CsvOptions, fields: Option<usize>) -> Self {
        Self {
            options: options.clone(),
            fields,
            rest: BytesMut::new(),
            left_out: 0,
        }
    }

    /// Returns the fitting records that end in the next chunk.
    pub fn next(&mut self, chunk: &[u8]) -> Bytes {
        self.rest.extend_from_slice(chunk);
        let content = self.rest.split();
        let mut kept = BytesMut::with_capacity(content.len());
        let mut at = 0;
        while at < content.len() {
            let mut records = RecordEnds::new(&self.options);
            let end = at + records.first_in(&content[at..]);
            if !records.is_at_start() {
                self.rest.extend_from_slice(&content[at..]);
                break;
            }
            self.add(&content[at..end], records.longest.len(), &mut kept);
            at = end;
        }
        kept.freeze()
    }

    /// Returns the last record, which may end without a line break.
    pub fn last(&mut self) -> Bytes {
        let record = self.rest.split();
        let mut records = RecordEnds::new(&self.options);
        records.first_in(&record);
        let mut kept = BytesMut::new();
        // The reader reports a quote that is never closed.
        if records.quoted_column().is_some() {
            return record.freeze();
        }
        self.add(&record, records.longest.len(), &mut kept);
        kept.freeze()
    }

    fn add(&mut self, record: &[u8], fields: usize, kept: &mut BytesMut) {
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
