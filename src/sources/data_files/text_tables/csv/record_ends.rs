//! The ends of records in CSV files. Quoted fields may contain line breaks.

use datafusion::common::config::CsvOptions;

/// The size at which the sample of a file ends, after its last complete record.
pub const MAX_SAMPLE_BYTES: usize = 16 << 20;

/// The maximum size of a record. A quote that is never closed makes the rest of a file one record.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// Finds the line breaks that end records, and the longest fields, in the chunks of a file.
pub struct RecordEnds {
    delimiter: u8,
    quote: u8,
    escape: Option<u8>,
    comment: Option<u8>,
    /// The byte that ends lines.
    terminator: u8,
    state: State,
    /// The column and the length of the current field.
    field: (usize, usize),
    /// The length of the longest field of each column.
    pub longest: Vec<usize>,
    /// The number of the current line.
    line: usize,
    /// The line in which the current record starts.
    pub record_line: usize,
    /// The size of the current record.
    pub record_bytes: usize,
}

#[derive(Clone, Copy)]
enum State {
    RecordStart,
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field, which ends the field or is the first half of an escaped
    /// quote.
    QuoteInQuoted,
    /// After the escape character in a quoted field.
    Escaped,
    Comment,
}

impl RecordEnds {
    pub fn new(options: &CsvOptions) -> Self {
        Self {
            delimiter: options.delimiter,
            quote: options.quote,
            escape: options.escape,
            comment: options.comment,
            terminator: options.terminator.unwrap_or(b'\n'),
            state: State::RecordStart,
            field: (0, 0),
            longest: Vec::new(),
            line: 1,
            record_line: 1,
            record_bytes: 0,
        }
    }

    /// Whether text follows the closing quote of a field, which shows another dialect.
    pub fn has_text_after_quote(&mut self, text: &[u8]) -> bool {
        text.iter().any(|&byte| {
            let before = self.state;
            self.state = self.after(byte);
            let is_text = matches!((before, self.state), (State::QuoteInQuoted, State::Plain));
            is_text && !matches!(byte, b'\r' | b' ' | b'\t' | b',' | b';' | b'|')
        })
    }

    /// Returns a text with spaces in place of line feeds outside of quotes that end no record.
    pub fn without_line_feeds(&mut self, text: &[u8]) -> Vec<u8> {
        let bytes = text.iter().map(|&byte| {
            self.state = self.after(byte);
            match (self.state, byte) {
                (State::Plain, b'\n') => b' ',
                _ => byte,
            }
        });
        bytes.collect()
    }

    /// Returns the column of the quoted field that has not ended yet, counted from 1.
    pub fn quoted_column(&self) -> Option<usize> {
        matches!(self.state, State::Quoted | State::Escaped).then_some(self.field.0 + 1)
    }

    /// Counts lines that are not part of the content.
    pub fn skip_lines(&mut self, lines: usize) {
        self.line += lines;
        self.record_line += lines;
    }

    /// Whether no record has begun since the last one ended.
    pub fn is_at_start(&self) -> bool {
        matches!(self.state, State::RecordStart)
    }

    /// Returns the offset after the first record that ends in a file, or the end of the file.
    pub fn first_in(&mut self, file: &[u8]) -> usize {
        for end in 1..=file.len() {
            if self.last_in(&file[end - 1..end]).is_some() {
                return end;
            }
        }
        self.end_field();
        file.len()
    }

    /// Returns the offset after the last record that ends in a chunk.
    pub fn last_in(&mut self, chunk: &[u8]) -> Option<usize> {
        let mut last = None;
        for (offset, &byte) in chunk.iter().enumerate() {
            self.state = self.after(byte);
            self.line += usize::from(byte == self.terminator);
            self.record_bytes += 1;
            match self.state {
                State::RecordStart => {
                    self.end_field();
                    self.field = (0, 0);
                    (self.record_line, self.record_bytes) = (self.line, 0);
                    last = Some(offset + 1);
                }
                State::FieldStart => {
                    self.end_field();
                    self.field = (self.field.0 + 1, 0);
                }
                State::Comment => {}
                _ => self.field.1 += 1,
            }
        }
        last
    }

    fn end_field(&mut self) {
        let (column, length) = self.field;
        match self.longest.get_mut(column) {
            Some(longest) => *longest = length.max(*longest),
            None => self.longest.push(length),
        }
    }

    fn after(&self, byte: u8) -> State {
        match self.state {
            State::Comment if byte != self.terminator => State::Comment,
            State::RecordStart if Some(byte) == self.comment => State::Comment,
            State::RecordStart | State::FieldStart if byte == self.quote => State::Quoted,
            State::Quoted if Some(byte) == self.escape => State::Escaped,
            State::Quoted if byte == self.quote => State::QuoteInQuoted,
            State::Quoted | State::Escaped => State::Quoted,
            State::QuoteInQuoted if byte == self.quote => State::Quoted,
            _ if byte == self.terminator => State::RecordStart,
            _ if byte == self.delimiter => State::FieldStart,
            _ => State::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str, options: &CsvOptions, chunk: usize) -> Vec<usize> {
        let mut records = RecordEnds::new(options);
        let mut start = 0;
        let mut found = Vec::new();
        for part in text.as_bytes().chunks(chunk) {
            found.extend(records.last_in(part).map(|end| start + end));
            start += part.len();
        }
        found
    }

    #[test]
    fn line_breaks_in_quotes_do_not_end_records() {
        let options = CsvOptions::default();
        for (text, expected) in [
            ("a,b\n1,2\n", vec![4, 8]),
            ("a,\"b\nc\"\n1,2", vec![8]),
            ("a,\"b\"\"\nc\"\n", vec![10]),
            ("a \"quote\n2,\"\n\"\n", vec![9, 15]),
            ("\"\n\n\n", vec![]),
        ] {
            for chunk in [1, 3] {
                let found = ends(text, &options, chunk);
                let is_expected = match chunk {
                    1 => found == expected,
                    _ => found.iter().all(|end| expected.contains(end)),
                };
                assert!(is_expected, "{text:?} in chunks of {chunk}: {found:?}");
            }
        }
    }

    #[test]
    fn the_longest_field_of_each_column_is_known() {
        let mut records = RecordEnds::new(&CsvOptions::default());
        records.last_in(b"a,b,c\n1,\"two, or\n\"\"more\",");
        records.last_in(b"three\nonly one\n");
        assert_eq!(records.longest, [8, 16, 5]);
    }

    #[test]
    fn an_open_quote_has_a_place() {
        for (text, record_line, column) in [
            ("a,b\n1,2\n", 3, None),
            ("a,b\n1,\"2\n3\n", 2, Some(2)),
            ("a,b\n\"1\n\",\"2\"\n\"", 4, Some(1)),
            ("a,b\n1,2\"\n", 3, None),
            ("a,b\n1,\"2\"", 2, None),
        ] {
            let mut records = RecordEnds::new(&CsvOptions::default());
            records.last_in(text.as_bytes());
            let found = (records.record_line, records.quoted_column());
            assert_eq!(found, (record_line, column), "{text:?}");
        }
    }

    #[test]
    fn escapes_and_comments_hide_quotes() {
        let options = CsvOptions {
            escape: Some(b'\\'),
            comment: Some(b'#'),
            ..CsvOptions::default()
        };
        assert_eq!(ends("\"a\\\"\nb\"\n", &options, 1), [8]);
        assert_eq!(ends("# \"x\n1,2\n", &options, 1), [5, 9]);
    }
}
