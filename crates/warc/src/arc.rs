//! ARC, the predecessor of WARC: a line of fields, then the document.
//!
//! Version 1: `URL IP-address Archive-date Content-type Archive-length`. Version 2 has result
//! code, checksum, location, offset and filename before the length. The first record of a file
//! (`filedesc://…`) describes the file.

/// Maximum length of a URL-record line. Longer lines are not recognized.
pub const MAX_LINE_BYTES: usize = 16 << 10;

const NAMES_1: [&str; 5] = [
    "URL",
    "IP-address",
    "Archive-date",
    "Content-type",
    "Archive-length",
];
const NAMES_2: [&str; 10] = [
    "URL",
    "IP-address",
    "Archive-date",
    "Content-type",
    "Result-code",
    "Checksum",
    "Location",
    "Offset",
    "Filename",
    "Archive-length",
];
/// The number of blanks between the fields of version 1.
const MIN_BLANKS: usize = 4;
const FIELDS_AFTER_DATE_2: usize = 7;

pub struct Line<'a> {
    pub url: &'a [u8],
    pub ip: &'a [u8],
    pub date: &'a [u8],
    pub content_type: &'a [u8],
    /// Only in version 2: result code, checksum, location, offset, filename.
    more: Vec<&'a [u8]>,
    pub length: &'a [u8],
    /// The length of the line, with its line feed.
    pub size: usize,
}

impl<'a> Line<'a> {
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &'a [u8])> {
        let names: &[&str] = if self.more.is_empty() {
            &NAMES_1
        } else {
            &NAMES_2
        };
        let values = [self.url, self.ip, self.date, self.content_type]
            .into_iter()
            .chain(self.more.clone())
            .chain([self.length]);
        names.iter().copied().zip(values)
    }
}

/// Parses the URL-record line at the start of `text`.
///
/// Fields are located relative to the date, the only field that is easy to recognize: URLs and
/// content types may contain unescaped blanks.
pub fn line_at(text: &[u8]) -> Option<Line<'_>> {
    if !starts_with_scheme(text) {
        return None;
    }
    let end = memchr::memchr(b'\n', &text[..text.len().min(MAX_LINE_BYTES)])?;
    let line = text[..end].trim_ascii_end();
    if !line.last()?.is_ascii_digit() {
        return None;
    }
    let fields: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
    let date = (2..fields.len()).rfind(|at| is_date(fields[*at]) && is_address(fields[at - 1]))?;
    let (before, after) = (&fields[..date - 1], &fields[date + 1..]);
    let (length, after) = after.split_last()?;
    if after.is_empty() || !length.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let more = if after.len() + 1 >= FIELDS_AFTER_DATE_2 {
        after[after.len() + 2 - FIELDS_AFTER_DATE_2..].to_vec()
    } else {
        Vec::new()
    };
    Some(Line {
        url: span(line, before),
        ip: fields[date - 1],
        date: fields[date],
        content_type: span(line, &after[..after.len() - more.len()]),
        more,
        length,
        size: end + 1,
    })
}

/// Returns the part of the line that spans these adjacent fields.
fn span<'a>(line: &'a [u8], fields: &[&'a [u8]]) -> &'a [u8] {
    let Some(first) = fields.first() else {
        return &[];
    };
    let start = first.as_ptr() as usize - line.as_ptr() as usize;
    let length: usize = fields.iter().map(|field| field.len() + 1).sum();
    line.get(start..start + length - 1).unwrap_or_default()
}

/// Whether this looks like the first line of a record with damage in it.
pub fn looks_like_damaged_line(text: &[u8]) -> bool {
    if text.starts_with(b"dns:") {
        return true;
    }
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let line = text[..end].trim_ascii_end();
    let has_scheme = starts_with_scheme(line)
        && memchr::memmem::find(&line[..line.len().min(32)], b"://").is_some();
    let blanks = line.iter().filter(|b| **b == b' ').count();
    has_scheme || blanks >= MIN_BLANKS && line.last().is_some_and(u8::is_ascii_digit)
}

fn starts_with_scheme(text: &[u8]) -> bool {
    let text = &text[..text.len().min(32)];
    let Some(colon) = memchr::memchr(b':', text) else {
        return false;
    };
    text[0].is_ascii_alphabetic()
        && text[..colon]
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b))
}

fn is_date(field: &[u8]) -> bool {
    (12..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

fn is_address(field: &[u8]) -> bool {
    field == b"-"
        || !field.is_empty()
            && field
                .iter()
                .all(|b| b.is_ascii_hexdigit() || b".:".contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_1_with_blanks_in_the_url() {
        let line =
            line_at(b"http://a.example/?q=x y 1.2.3.4 20140216050221 text/html 1591\nHTTP/1.1")
                .unwrap();
        assert_eq!(line.url, b"http://a.example/?q=x y");
        assert_eq!(line.ip, b"1.2.3.4");
        assert_eq!(line.content_type, b"text/html");
        assert_eq!(line.length, b"1591");
        assert_eq!(line.pairs().count(), 5);
    }

    #[test]
    fn version_2() {
        let line =
            line_at(b"http://a.example/ 1.2.3.4 20140216050221 text/html 200 sum - 77 a.arc 15\n")
                .unwrap();
        let pairs: Vec<_> = line.pairs().collect();
        assert_eq!(pairs[4], ("Result-code", &b"200"[..]));
        assert_eq!(pairs[8], ("Filename", &b"a.arc"[..]));
        assert_eq!(pairs[9], ("Archive-length", &b"15"[..]));
        assert_eq!(line.content_type, b"text/html");
    }

    #[test]
    fn other_lines() {
        for line in [
            "Date: Sun, 16 Feb 2014 05:02:21\n",
            "http://a.example/ 1.2.3.4 20140216050221 text/html\n",
            "http://a.example/ 20140216050221 text/html 12\n",
            "http://a.example/ 1.2.3.4 20140216050221 text/html 12",
            "",
        ] {
            assert!(line_at(line.as_bytes()).is_none(), "{line}");
        }
    }
}
