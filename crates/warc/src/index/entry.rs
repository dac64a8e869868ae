//! Parses one line of an index: CDXJ, JSON or CDX.

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};
use serde_json::Value;

use corpus_bytes::record_locations::{Expected, RecordLocation};
use corpus_bytes::step_counter::count_steps;

/// Maximum number of bytes of a line that a message shows.
const MAX_SHOWN_BYTES: usize = 80;

/// The letters of the CDX columns in use; see the header line ` CDX N b a m s k r M S V g`.
const KEY: [u8; 2] = *b"NA";
const URL: u8 = b'a';
const DIGEST: u8 = b'k';
const LENGTH: u8 = b'S';
/// Compressed archives have `V`, and some tools use `v` for uncompressed ones.
const OFFSET: [u8; 2] = *b"Vv";
const FILE: u8 = b'g';

/// The columns of CDX lines in a file without a header. In the longer lists, the last three columns
/// name the original of a revisit.
const HEADLESS: [&[u8]; 6] = [
    b"NbamskrVg",
    b"NbamskrMVg",
    b"NbamskrMSVg",
    b"NbamskrVg...",
    b"NbamskrMVg...",
    b"NbamskrMSVg...",
];

/// The columns of CDX lines, from the header line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    delimiter: u8,
    letters: Vec<u8>,
}

impl Layout {
    /// Parses a header line. Its first character is the delimiter of all lines.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let (delimiter, rest) = line.split_first()?;
        let columns = rest.strip_prefix(b"CDX")?.strip_prefix(&[*delimiter])?;
        if delimiter.is_ascii_alphanumeric() {
            return None;
        }
        let letters: Option<Vec<u8>> = columns
            .split(|byte| byte == delimiter)
            .filter(|column| !column.is_empty())
            .map(|column| match column.trim_ascii() {
                [letter] => Some(*letter),
                _ => None,
            })
            .collect();
        Some(Self {
            delimiter: *delimiter,
            letters: letters?,
        })
    }
}

/// A line of an index. Fields are parsed on request.
pub struct Entry<'a> {
    line: &'a [u8],
    kind: EntryFormat<'a>,
}

enum EntryFormat<'a> {
    /// `key timestamp {…}`, or an object alone.
    Json(&'a [u8]),
    Columns {
        columns: Vec<&'a [u8]>,
        letters: &'a [u8],
    },
}

impl<'a> Entry<'a> {
    pub fn new(line: &'a [u8], layout: Option<&'a Layout>) -> Self {
        let kind = match (json_start(line), layout) {
            (Some(start), _) => EntryFormat::Json(&line[start..]),
            (None, Some(layout)) => EntryFormat::Columns {
                // File names, in the last column, may contain the delimiter.
                columns: line
                    .splitn(layout.letters.len().max(1), |byte| {
                        *byte == layout.delimiter
                    })
                    .collect(),
                letters: &layout.letters,
            },
            (None, None) => {
                let columns: Vec<_> = line.split(|byte| *byte == b' ').collect();
                let letters = HEADLESS
                    .into_iter()
                    .find(|letters| letters.len() == columns.len());
                EntryFormat::Columns {
                    columns,
                    letters: letters.unwrap_or_default(),
                }
            }
        };
        Self { line, kind }
    }

    /// The canonical URL that lines are sorted by; empty if the line has none.
    pub fn key(&self) -> Cow<'a, [u8]> {
        match &self.kind {
            EntryFormat::Json(json) if json.len() == self.line.len() => {
                string_field(json, b"\"urlkey\"").unwrap_or_default()
            }
            EntryFormat::Json(_) => Cow::Borrowed(first_word(self.line)),
            EntryFormat::Columns { columns, letters } => {
                let key = KEY
                    .iter()
                    .find_map(|letter| column(columns, letters, *letter));
                // Without known columns, the key still shows which line is meant.
                Cow::Borrowed(key.unwrap_or_else(|| {
                    if letters.is_empty() {
                        first_word(self.line)
                    } else {
                        b""
                    }
                }))
            }
        }
    }

    /// The URL as it was captured.
    pub fn url(&self) -> Option<Cow<'a, str>> {
        let url = match &self.kind {
            EntryFormat::Json(json) => {
                string_field(json, b"\"url\"").or_else(|| string_field(json, b"\"original\""))?
            }
            EntryFormat::Columns { columns, letters } => {
                Cow::Borrowed(column(columns, letters, URL)?)
            }
        };
        Some(match url {
            // Faster than the lossy conversion, and nearly always enough.
            Cow::Borrowed(url) => match std::str::from_utf8(url) {
                Ok(url) => Cow::Borrowed(url),
                Err(_) => String::from_utf8_lossy(url),
            },
            Cow::Owned(url) => Cow::Owned(String::from_utf8_lossy(&url).into_owned()),
        })
    }

    /// Returns the URL and digest that the line declares for its record.
    pub fn expected(&self) -> Expected {
        let digest = match &self.kind {
            EntryFormat::Json(json) => string_field(json, b"\"digest\""),
            EntryFormat::Columns { columns, letters } => {
                column(columns, letters, DIGEST).map(Cow::Borrowed)
            }
        };
        Expected {
            url: self.url().filter(|url| !url.is_empty()).map(Into::into),
            digest: digest.map(|digest| String::from_utf8_lossy(&digest).into()),
        }
    }

    /// The archive, and the position of the record in it. An error is a message.
    pub fn location(&self) -> Result<(String, RecordLocation), String> {
        let location = match &self.kind {
            EntryFormat::Json(json) => location_in_json(json),
            EntryFormat::Columns { columns, letters } => location_in_columns(columns, letters),
        };
        location.ok_or_else(|| {
            let shown = String::from_utf8_lossy(&self.line[..self.line.len().min(MAX_SHOWN_BYTES)]);
            let hint = match &self.kind {
                EntryFormat::Columns {
                    columns,
                    letters: [],
                } => hint(self.line, columns.len()),
                _ => String::new(),
            };
            format!("not a line of CDXJ or CDX with filename and offset{hint}: '{shown}'")
        })
    }
}

fn hint(line: &[u8], columns: usize) -> String {
    if is_zipnum_summary(line) {
        return " (this is the summary of a ZipNum index; name its .cdx.gz files)".to_owned();
    }
    match columns {
        7 => " (7 columns have neither; index the archives with 9 or 11)".to_owned(),
        _ => String::new(),
    }
}

/// `key timestamp<tab>file<tab>offset<tab>length[<tab>number]`
fn is_zipnum_summary(line: &[u8]) -> bool {
    let fields: Vec<_> = line.split(|byte| *byte == b'\t').collect();
    let is_number = |field: &&[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    matches!(fields.len(), 4 | 5) && fields[2..].iter().all(is_number)
}

/// Returns the start of the JSON object: at the start of the line, or after a blank. Keys may
/// contain `{`.
fn json_start(line: &[u8]) -> Option<usize> {
    count_steps(line.len());
    memchr_iter(b'{', line).find(|at| match at.checked_sub(1) {
        Some(before) => matches!(line[before], b' ' | b'\t'),
        None => true,
    })
}

fn first_word(line: &[u8]) -> &[u8] {
    let end = memchr::memchr2(b' ', b'\t', line);
    &line[..end.unwrap_or(line.len())]
}

fn column<'a>(columns: &[&'a [u8]], letters: &[u8], letter: u8) -> Option<&'a [u8]> {
    let at = letters.iter().position(|other| *other == letter)?;
    let value = columns.get(at)?.trim_ascii();
    (!matches!(value, b"-" | b"")).then_some(value)
}

fn location_in_columns(columns: &[&[u8]], letters: &[u8]) -> Option<(String, RecordLocation)> {
    if columns.len() < letters.len() {
        return None;
    }
    let number = |letter: u8| -> Option<u64> {
        let value = column(columns, letters, letter)?;
        std::str::from_utf8(value).ok()?.parse().ok()
    };
    let file = column(columns, letters, FILE)?;
    let offset = OFFSET.into_iter().find_map(number)?;
    let length = number(LENGTH).filter(|length| *length > 0);
    let file = String::from_utf8_lossy(file).into_owned();
    Some((file, RecordLocation { offset, length }))
}

fn location_in_json(json: &[u8]) -> Option<(String, RecordLocation)> {
    let parsed = serde_json::from_slice(json);
    // An invalid byte, for example in a URL, does not prevent locating the record.
    let fields: Value = parsed
        .or_else(|_| serde_json::from_str(&String::from_utf8_lossy(json)))
        .ok()?;
    // Tools write numbers as strings or as numbers.
    let number = |name: &str| match fields.get(name)? {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_u64(),
        _ => None,
    };
    let file = fields.get("filename").and_then(Value::as_str)?;
    let offset = number("offset")?;
    let length = number("length").filter(|length| *length > 0);
    (!file.is_empty()).then(|| (file.to_owned(), RecordLocation { offset, length }))
}

/// The value of a string field, without parsing the object. The name includes its quotes.
fn string_field<'a>(json: &'a [u8], name: &[u8]) -> Option<Cow<'a, [u8]>> {
    count_steps(json.len());
    let value = memmem::find_iter(json, name).find_map(|at| {
        let after = &json[at + name.len()..];
        let rest = after.trim_ascii_start();
        count_steps(after.len() - rest.len());
        rest.strip_prefix(b":")?
            .trim_ascii_start()
            .strip_prefix(b"\"")
    })?;
    let end = memchr_iter(b'"', value).find(|at| {
        let escapes = value[..*at].iter().rev().take_while(|byte| **byte == b'\\');
        let escapes = escapes.count();
        count_steps(escapes + 1);
        escapes.is_multiple_of(2)
    })?;
    let text = &value[..end];
    if memchr::memchr(b'\\', text).is_none() {
        return Some(Cow::Borrowed(text));
    }
    let quoted = [b"\"", text, b"\""].concat();
    let unescaped: String = serde_json::from_str(&String::from_utf8_lossy(&quoted)).ok()?;
    Some(Cow::Owned(unescaped.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus_bytes::step_counter::assert_linear;

    fn parsed(
        line: &str,
        header: Option<&str>,
    ) -> (
        String,
        Option<String>,
        Result<(String, RecordLocation), String>,
    ) {
        let layout = header.map(|header| Layout::parse(header.as_bytes()).unwrap());
        let entry = Entry::new(line.as_bytes(), layout.as_ref());
        (
            String::from_utf8(entry.key().into_owned()).unwrap(),
            entry.url().map(Cow::into_owned),
            entry.location(),
        )
    }

    fn location(offset: u64, length: Option<u64>) -> Result<(String, RecordLocation), String> {
        Ok(("x.warc.gz".to_owned(), RecordLocation { offset, length }))
    }

    #[test]
    fn numbers_may_be_strings_missing_or_unknown() {
        for (fields, length) in [
            (r#""offset": "7", "length": "9""#, Some(9)),
            (r#""offset": 7, "length": 9"#, Some(9)),
            (r#""offset": 7"#, None),
            (r#""offset": 7, "length": "-""#, None),
            (r#""offset": 7, "length": 0"#, None),
            (r#""offset": 7, "length": -1"#, None),
        ] {
            let line = format!(r#"org,a)/ 2020 {{{fields}, "filename": "x.warc.gz"}}"#);
            let expected = ("org,a)/".to_owned(), None, location(7, length));
            assert_eq!(parsed(&line, None), expected, "{line}");
        }
    }

    #[test]
    fn cdx_lines_with_and_without_header() {
        let url = || Some("http://a.org/".to_owned());
        let key = || "org,a)/".to_owned();
        for (line, header, expected) in [
            (
                "org,a)/ 2020 http://a.org/ text/html 200 X - 7 x.warc.gz",
                None,
                None,
            ),
            (
                "org,a)/ 2020 http://a.org/ text/html 200 X - - 7 x.warc.gz",
                None,
                None,
            ),
            (
                "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 7 x.warc.gz",
                None,
                Some(9),
            ),
            (
                "org,a)/ 2020 http://a.org/ text/html 200 X - - - 7 x.warc.gz",
                None,
                None,
            ),
            (
                "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 7 x.warc.gz - - -",
                None,
                Some(9),
            ),
            (
                "x.warc.gz\t7\thttp://a.org/\torg,a)/",
                Some("\tCDX\tg\tV\ta\tN"),
                None,
            ),
            (
                "org,a)/|http://a.org/|9|-|7|x.warc.gz",
                Some("|CDX|N|a|S|V|v|g"),
                Some(9),
            ),
        ] {
            assert_eq!(
                parsed(line, header),
                (key(), url(), location(7, expected)),
                "{line}"
            );
        }
        let wget = parsed(
            "http://a.org/ 2020 http://a.org/ text/html 200 X - 7 x.warc.gz <urn:uuid:1>",
            Some(" CDX a b a m s k r V g u"),
        );
        assert_eq!(wget, (String::new(), url(), location(7, None)));
        let blank = parsed("org,a)/ 7 a b.warc", Some(" CDX N V g")).2.unwrap();
        assert_eq!(blank.0, "a b.warc");
    }

    #[test]
    fn objects_alone_have_a_key_too() {
        let line = r#"{"urlkey": "org,a)/", "url":"http:\/\/a.org\/", "filename": "x.warc.gz", "offset": "7"}"#;
        let url = Some("http://a.org/".to_owned());
        assert_eq!(
            parsed(line, None),
            ("org,a)/".to_owned(), url, location(7, None))
        );
    }

    #[test]
    fn the_url_is_that_of_its_field() {
        for (fields, expected) in [
            (
                r#""mime": "url", "url" : "http://a.org/\u00e9\"""#,
                Some("http://a.org/é\""),
            ),
            (r#""original": "http://a.org/""#, Some("http://a.org/")),
            (r#""url": """#, Some("")),
            (r#""url": null"#, None),
            (r#""url": "http://a.org/"#, None),
        ] {
            let line = format!("org,a)/{{x}} 2020 {{{fields}}}");
            assert_eq!(parsed(&line, None).1.as_deref(), expected, "{line}");
        }
        let line = b"org,a)/ 2020 {\"url\": \"\xff\", \"offset\": 7, \"filename\": \"x.warc.gz\"}";
        let entry = Entry::new(line, None);
        assert_eq!(entry.url().unwrap(), "\u{fffd}");
        assert_eq!(entry.location(), location(7, None));
    }

    #[test]
    fn a_line_says_what_its_record_is() {
        let cdx = "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 7 x.warc.gz";
        let json = r#"org,a)/ 2020 {"url": "http://a.org/", "digest": "sha1:X"}"#;
        for (line, digest) in [
            (cdx, Some("X")),
            (&cdx.replace(" X ", " - "), None),
            (json, Some("sha1:X")),
            (&json.replace("digest", "other"), None),
        ] {
            let expected = Expected {
                url: Some("http://a.org/".into()),
                digest: digest.map(Into::into),
            };
            assert_eq!(
                Entry::new(line.as_bytes(), None).expected(),
                expected,
                "{line}"
            );
        }
    }

    #[test]
    fn unusable_lines_are_errors() {
        for line in [
            "",
            "org,a)/ 2020",
            "org,a)/ 2020 {",
            r#"a b {"offset": "7"}"#,
            r#"a b {"offset": "7", "filename": ""}"#,
            r#"a b {"offset": "x", "filename": "x.warc.gz"}"#,
            "[1]",
            "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 - x.warc.gz",
            "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 7 -",
        ] {
            let error = parsed(line, None).2.unwrap_err();
            assert!(error.contains("not a line of CDXJ or CDX"), "{error}");
        }
        let summary = parsed("org,a)/ 2020\tindex.cdx.gz\t0\t1234\t1", None).2;
        assert!(summary.unwrap_err().contains("ZipNum"));
        assert_eq!(Layout::parse(b" CDX Nb a"), None);
        assert_eq!(Layout::parse(b"org,a)/ 2020"), None);
    }

    #[test]
    fn lines_are_linear() {
        let layout = Layout::parse(b" CDX N b a m s k r M S V g").unwrap();
        for part in [
            "a ",
            "{",
            " {",
            "\"url\"",
            "\"url\": ",
            "\\\"",
            "\\",
            "\"",
            "[",
            "{\"a\":",
            "1",
            "\t",
        ] {
            for start in [
                "",
                "org,a)/ 2020 {\"url\": \"",
                "{\"urlkey\": \"",
                "{\"filename\": ",
            ] {
                let line = |parts: usize| format!("{start}{}", part.repeat(parts));
                for layout in [None, Some(&layout)] {
                    assert_linear(part, line, |line| {
                        let entry = Entry::new(line.as_bytes(), layout);
                        drop((entry.key(), entry.url(), entry.location()));
                    });
                }
            }
        }
    }
}
