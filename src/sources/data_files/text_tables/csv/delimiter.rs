//! Detects the delimiter of CSV files, which is often a semicolon, a tab or a vertical bar.

use datafusion::common::config::CsvOptions;

use super::record_ends::RecordEnds;

/// Delimiters other than the default, the most frequent first.
const OTHERS: [u8; 3] = [b';', b'\t', b'|'];

/// The number of records that must have the same number of fields.
const MAX_RECORDS: usize = 10;

/// The number of bytes after which records are not examined.
const MAX_BYTES: usize = 64 << 10;

/// Detects the delimiter in the first bytes of a file: the one that divides all of the first
/// records into the same number of fields, and into the most. On a tie, or without such a
/// delimiter, it is the comma (or the default that is set).
pub fn of(head: &[u8], options: &CsvOptions) -> u8 {
    let columns = |delimiter: u8| {
        let fields = fields(head, options, delimiter);
        let first = fields.first().copied().unwrap_or_default();
        let is_same = fields.iter().all(|fields| *fields == first);
        if is_same { first } else { 0 }
    };
    let mut best = (options.delimiter, columns(options.delimiter).max(1));
    for delimiter in OTHERS {
        let columns = columns(delimiter);
        if columns > best.1 {
            best = (delimiter, columns);
        }
    }
    best.0
}

/// The number of fields of each of the first records.
fn fields(head: &[u8], options: &CsvOptions, delimiter: u8) -> Vec<usize> {
    let options = CsvOptions {
        delimiter,
        ..options.clone()
    };
    let is_cut = head.len() > MAX_BYTES;
    let mut rest = &head[..head.len().min(MAX_BYTES)];
    let mut counts = Vec::new();
    while counts.len() < MAX_RECORDS && !rest.is_empty() {
        let mut records = RecordEnds::new(&options);
        let (record, others) = rest.split_at(records.first_in(rest));
        if is_cut && others.is_empty() && !counts.is_empty() {
            break;
        }
        if !record.trim_ascii().is_empty() {
            counts.push(records.longest.len());
        }
        rest = others;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_those_of_the_first_records() {
        for (head, expected) in [
            ("a,b;c\n1,2;3\n", b','),
            ("a,b;c;d\n1,2;3;4\n", b';'),
            ("a;b, c\n1;2\n", b';'),
            ("a;b;c,d\n1;2,5;3\n4;5;6\n", b';'),
            ("a,b\nx;y,z\n", b','),
            ("a,b\n1,2,3\n", b','),
            ("a;b\n1;2,5\n", b';'),
            ("a;b\n1;2", b';'),
            ("a;b\n1;2\n\n", b';'),
            ("a\tb\n1\tx,y\n", b'\t'),
            ("a|b\n\"x|y\nz\"|2\n", b'|'),
            ("text\none; two\n", b','),
            ("a;b\n1;2\n1;2;3\n", b','),
            ("\"a;b\"\n1\n", b','),
            ("", b','),
        ] {
            let found = of(head.as_bytes(), &CsvOptions::default());
            assert_eq!(char::from(found), char::from(expected), "{head:?}");
        }
    }
}
