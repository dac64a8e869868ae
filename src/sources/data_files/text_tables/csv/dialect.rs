//! Detects the dialect of CSV files from the first ones: the delimiter, whether there is a header,
//! whether a backslash escapes quotes, as Spark writes them, and whether lines end with a carriage
//! return, as in old files of Macs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::{Buf, Bytes};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::common::config::CsvOptions;
use datafusion::datasource::file_format::csv::CsvFormat;
use futures::stream;
use memchr::{memchr, memmem};

use super::delimiter;
use super::record_ends::RecordEnds;

pub const BACKSLASH: u8 = b'\\';

const CARRIAGE_RETURN: u8 = b'\r';

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The detected dialect of files. `None` if an option declares it.
#[derive(Debug)]
pub struct DetectedDialect {
    delimiter: Option<OnceLock<u8>>,
    has_header: Option<OnceLock<bool>>,
    /// The escape, if there is one.
    escape: Option<OnceLock<u8>>,
    /// The byte that ends lines, if it is not a line feed.
    terminator: Option<OnceLock<u8>>,
    /// Whether a file has a line that names the delimiter.
    has_delimiter_line: AtomicBool,
}

impl DetectedDialect {
    pub fn new(format: &CsvFormat, has_declared_delimiter: bool) -> Self {
        let has_declared_header = format.options().has_header.is_some();
        Self {
            delimiter: (!has_declared_delimiter).then(OnceLock::new),
            has_header: (!has_declared_header).then(OnceLock::new),
            escape: format.options().escape.is_none().then(OnceLock::new),
            terminator: format.options().terminator.is_none().then(OnceLock::new),
            has_delimiter_line: AtomicBool::new(false),
        }
    }

    /// Whether a file has a line that names the delimiter.
    pub fn has_delimiter_line(&self) -> bool {
        self.has_delimiter_line.load(Ordering::Relaxed)
    }

    /// Returns the file without the line that names the delimiter.
    pub fn without_delimiter_line(&self, mut head: Bytes) -> Bytes {
        if let Some(line) = DelimiterLine::at_start_of(&head) {
            self.has_delimiter_line.store(true, Ordering::Relaxed);
            if let Some(delimiter) = &self.delimiter {
                delimiter.get_or_init(|| line.delimiter);
            }
            head.advance(line.length);
        }
        head
    }

    /// Returns the format with the detected delimiter and header.
    pub fn applied_to(&self, format: &CsvFormat) -> CsvFormat {
        let mut applied = copy(format);
        if let Some(delimiter) = self.delimiter.as_ref().and_then(OnceLock::get) {
            applied = applied.with_delimiter(*delimiter);
        }
        if let Some(has_header) = self.has_header.as_ref().and_then(OnceLock::get) {
            applied = applied.with_has_header(*has_header);
        }
        if let Some(escape) = self.escape.as_ref().and_then(OnceLock::get) {
            applied = applied.with_escape(Some(*escape));
        }
        if let Some(terminator) = self.terminator.as_ref().and_then(OnceLock::get) {
            applied = applied.with_terminator(Some(*terminator));
        }
        applied
    }

    /// Examines the first records of a file, unless another file has been examined already. Any
    /// file shows the escape.
    pub async fn look_at(
        &self,
        session: &dyn Session,
        format: &CsvFormat,
        head: &Bytes,
        max_records: usize,
    ) -> Result<()> {
        if head.is_empty() {
            return Ok(());
        }
        if let Some(terminator) = &self.terminator
            && terminator.get().is_none()
            && ends_with_carriage_returns(head, format.options())
        {
            terminator.get_or_init(|| CARRIAGE_RETURN);
        }
        let format = &self.applied_to(format);
        if let Some(escape) = &self.escape
            && escape.get().is_none()
            && has_escaped_quotes(head, format.options())
        {
            escape.get_or_init(|| BACKSLASH);
        }
        if let Some(delimiter) = &self.delimiter {
            let format = self.applied_to(format);
            delimiter.get_or_init(|| delimiter::of(head, format.options()));
        }
        if let Some(known) = &self.has_header
            && known.get().is_none()
        {
            let default = session.config_options().catalog.has_header;
            let format = self.applied_to(format);
            let has_header = default && has_header(session, &format, head, max_records).await?;
            known.get_or_init(|| has_header);
        }
        Ok(())
    }
}

/// Returns a sample in which DataFusion finds the types of columns: it takes both carriage returns
/// and line feeds for ends of lines.
pub fn sample(head: &Bytes, options: &CsvOptions) -> Bytes {
    if options.terminator != Some(CARRIAGE_RETURN) {
        return head.clone();
    }
    RecordEnds::new(options).without_line_feeds(head).into()
}

/// The first line `sep=;` of a file, by which Excel knows the delimiter.
pub struct DelimiterLine {
    delimiter: u8,
    /// The length of the line and of a byte order mark before it.
    pub length: usize,
}

impl DelimiterLine {
    pub fn at_start_of(file: &[u8]) -> Option<Self> {
        let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
        let (name, rest) = text.split_at_checked(b"sep=".len())?;
        let (delimiter, end) = rest.split_first()?;
        let end_length = match end {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => return None,
        };
        name.eq_ignore_ascii_case(b"sep=").then(|| Self {
            delimiter: *delimiter,
            length: file.len() - end.len() + end_length,
        })
    }
}

/// Whether the first line that ends outside of quotes ends with a carriage return without a line
/// feed after it.
fn ends_with_carriage_returns(head: &[u8], options: &CsvOptions) -> bool {
    // If line feeds end lines, the search stops after the first line.
    let line = &head[..RecordEnds::new(options).first_in(head)];
    if memchr(CARRIAGE_RETURN, line).is_none() {
        return false;
    }
    let options = CsvOptions {
        terminator: Some(CARRIAGE_RETURN),
        ..options.clone()
    };
    let (first, rest) = head.split_at(RecordEnds::new(&options).first_in(head));
    // Programs that convert line ends twice write several carriage returns before a line feed.
    let next = rest.iter().find(|byte| **byte != CARRIAGE_RETURN);
    memchr(b'\n', first).is_none() && first.ends_with(b"\r") && next.is_some_and(|it| *it != b'\n')
}

/// Whether a backslash may escape a quote in a part of a file: text follows both.
pub fn may_escape_quotes(part: &[u8], options: &CsvOptions) -> bool {
    let is_end =
        |byte: u8| [options.quote, options.delimiter].contains(&byte) || byte.is_ascii_whitespace();
    let escaped = [BACKSLASH, options.quote];
    let mut places = memmem::find_iter(part, &escaped);
    places.any(|at| part.get(at + 2).is_some_and(|byte| !is_end(*byte)))
}

/// Whether a backslash escapes quotes: text follows closing quotes unless it does.
fn has_escaped_quotes(head: &[u8], options: &CsvOptions) -> bool {
    if memmem::find(head, &[BACKSLASH, options.quote]).is_none() {
        return false;
    }
    let is_odd = |escape: Option<u8>| {
        let options = CsvOptions {
            escape,
            ..options.clone()
        };
        RecordEnds::new(&options).has_text_after_quote(head)
    };
    is_odd(None) && !is_odd(Some(BACKSLASH))
}

fn copy(format: &CsvFormat) -> CsvFormat {
    CsvFormat::default().with_options(format.options().clone())
}

/// Whether the first record names the columns. It does not if it has values, such as numbers, that
/// fit the types of the columns below.
async fn has_header(
    session: &dyn Session,
    format: &CsvFormat,
    head: &Bytes,
    max_records: usize,
) -> Result<bool> {
    let first = types(session, format, false, head, 1).await;
    let rest = types(session, format, true, head, max_records).await;
    // Records that cannot be read fail when the columns are inferred.
    let (Ok((first, _)), Ok((rest, count))) = (first, rest) else {
        return Ok(true);
    };
    let rest = if count == 0 { &first } else { &rest };
    Ok(!is_record(&first, rest))
}

/// The types of the columns in the first records, and the number of these.
async fn types(
    session: &dyn Session,
    format: &CsvFormat,
    has_header: bool,
    head: &Bytes,
    max_records: usize,
) -> Result<(Schema, usize)> {
    let format = copy(format).with_has_header(has_header);
    let chunks = stream::iter([Ok(sample(head, format.options()))]);
    format
        .infer_schema_from_stream(session, max_records, chunks)
        .await
}

/// Whether the types of the first record show that it is a record of values, like the others.
fn is_record(first: &Schema, others: &Schema) -> bool {
    let pairs = first.fields().iter().zip(others.fields());
    let mut pairs = pairs.map(|(first, other)| (first.data_type(), other.data_type()));
    let mut has_typed = false;
    let fits = pairs.all(|(first, other)| {
        if first.is_null() || other.is_null() || other.is_string() {
            return true;
        }
        has_typed = true;
        match (first, other) {
            (DataType::Int64, DataType::Float64)
            | (DataType::Date32 | DataType::Timestamp(..), DataType::Timestamp(..)) => true,
            (first, other) => first == other,
        }
    });
    fits && has_typed
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;

    use super::*;

    #[test]
    fn backslashes_escape_quotes_if_text_would_follow_closing_ones() {
        for (head, expected) in [
            ("a,b\n1,\"say \\\"x\\\", y\"\n", true),
            ("a,b\n1,\"ends\\\"\"\n2,\"\\\\\\\"x\\\"\"\r\n", true),
            ("a,b\n1,\"C:\\\"\n2,\"x\"\"y\"\n", false),
            ("a,b\n1,5\\\" disk\n", false),
            ("a,b\n1,\"C:\\\"\n2,\"x\"y\n", false),
            ("a;b\n1;\"C:\\\";\"x\" \n", false),
        ] {
            let found = has_escaped_quotes(head.as_bytes(), &CsvOptions::default());
            assert_eq!(found, expected, "{head:?}");
        }
    }

    #[test]
    fn the_first_line_shows_whether_carriage_returns_end_lines() {
        for (head, expected) in [
            ("a,b\r1,2\r", true),
            ("a,b\r1,\"x\r\ny\"\r2,z\nz\r", true),
            ("\"a\nb\",c\r1,2\r", false),
            ("a,b\r\n1,2\r\n", false),
            ("a,b\r\r\n1,2\r\r\n", false),
            ("a,b\n1,x\r2\n", false),
            ("a,b\r", false),
            ("a,b", false),
        ] {
            let found = ends_with_carriage_returns(head.as_bytes(), &CsvOptions::default());
            assert_eq!(found, expected, "{head:?}");
        }
    }

    #[test]
    fn a_line_may_name_the_delimiter() {
        for (head, expected) in [
            ("sep=;\na;b\n", Some((b';', 6))),
            ("\u{feff}SEP=\t\r\na\tb", Some((b'\t', 10))),
            ("sep=,\r", Some((b',', 6))),
            ("sep=;", None),
            ("sep=;a\n", None),
            ("a;sep=;\n", None),
        ] {
            let found = DelimiterLine::at_start_of(head.as_bytes());
            let found = found.map(|line| (line.delimiter, line.length));
            assert_eq!(found, expected, "{head:?}");
        }
    }

    #[tokio::test]
    async fn first_records_with_values_of_their_columns_are_no_headers() {
        let context = SessionContext::new();
        for (head, expected) in [
            ("a,b\nc,d\n", true),
            ("a,b\n", true),
            ("1,2\n", false),
            ("1,a\n2,b\n", false),
            ("a,1\nb,2\n", false),
            ("id,2020\n1,5\n", true),
            ("x,\n1,2\n", true),
            (",1\n,2\n", false),
            ("1.5,a\n2,b\n", true),
            ("1,a\n2.5,b\n", false),
            ("1,a\nx,b\n", true),
            ("2024-01-01,a\n2024-01-02 10:00:00,b\n", false),
            ("true,a\nfalse,b\n", false),
            ("a,b\n1,2\n1,2,3\n", true),
        ] {
            let head = Bytes::from_static(head.as_bytes());
            let format = CsvFormat::default();
            let found = has_header(&context.state(), &format, &head, 1000).await;
            assert_eq!(found.unwrap(), expected, "{head:?}");
        }
    }
}
