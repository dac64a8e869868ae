//! Empty lines in CSV files with one column, which are NULL, as in DuckDB. Arrow's reader skips
//! them, so the lines get quotes.

use bytes::{Bytes, BytesMut};
use datafusion::common::config::CsvOptions;
use memchr::{memchr, memmem};

use super::record_ends::RecordEnds;

/// Puts quotes into empty lines.
pub struct EmptyLines {
    quote: u8,
    has_comments: bool,
    ends: RecordEnds,
    /// Whether a line has been found that is not empty. Those before it have no header.
    is_begun: bool,
}

impl EmptyLines {
    /// `None` if the lines are not records of one column. `at_start`: whether the chunks begin at
    /// the start of the file.
    pub fn new(options: &CsvOptions, columns: usize, at_start: bool) -> Option<Self> {
        let has_lines = options.terminator.is_none_or(|it| it == b'\n');
        (columns == 1 && has_lines).then(|| Self {
            quote: options.quote,
            has_comments: options.comment.is_some(),
            ends: RecordEnds::new(options),
            is_begun: !at_start,
        })
    }

    /// Returns the chunk with quotes in its empty lines.
    pub fn fill(&mut self, chunk: Bytes) -> Bytes {
        let Some(last) = chunk.last() else {
            return chunk;
        };
        let may_be_empty = chunk.starts_with(b"\n")
            || chunk.starts_with(b"\r\n")
            || memmem::find(&chunk, b"\n\n").is_some()
            || memmem::find(&chunk, b"\n\r\n").is_some();
        let is_quoted = self.ends.quoted_column().is_some();
        let is_plain = !self.has_comments && !is_quoted && memchr(self.quote, &chunk).is_none();
        if !may_be_empty {
            self.is_begun = true;
            // Without quotes, the last byte shows whether a line has ended.
            let seen = if is_plain {
                std::slice::from_ref(last)
            } else {
                &*chunk
            };
            self.ends.last_in(seen);
            return chunk;
        }
        let mut filled = BytesMut::with_capacity(chunk.len() + 16);
        for line in chunk.split_inclusive(|byte| *byte == b'\n') {
            let is_empty = self.ends.is_at_start() && matches!(line, b"\n" | b"\r\n");
            if is_empty && self.is_begun {
                filled.extend_from_slice(&[self.quote, self.quote]);
            }
            self.is_begun |= !is_empty;
            self.ends.last_in(line);
            filled.extend_from_slice(line);
        }
        filled.freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_outside_of_quotes_are_filled() {
        for (text, expected) in [
            ("a\n1\n\n3\n", "a\n1\n\"\"\n3\n"),
            ("\n\na\n\n\n1", "\n\na\n\"\"\n\"\"\n1"),
            ("a\n\"x\n\ny\"\n\nz", "a\n\"x\n\ny\"\n\"\"\nz"),
            ("a\n1\n2\n", "a\n1\n2\n"),
        ] {
            for size in [1, 2, 3, 100] {
                let mut lines = EmptyLines::new(&CsvOptions::default(), 1, true).unwrap();
                let mut found = Vec::new();
                for chunk in text.as_bytes().chunks(size) {
                    found.extend_from_slice(&lines.fill(Bytes::copy_from_slice(chunk)));
                }
                assert_eq!(String::from_utf8_lossy(&found), expected, "{size}");
            }
        }
        let mut lines = EmptyLines::new(&CsvOptions::default(), 1, true).unwrap();
        let filled = lines.fill(Bytes::from_static(b"a\r\n\r\n1\r\n"));
        assert_eq!(filled.as_ref(), b"a\r\n\"\"\r\n1\r\n");
    }
}
