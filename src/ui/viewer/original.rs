//! Finds the document of a row: the record of an archive or SequenceFile, a file, a member of a
//! package, or bytes in the row.

use std::path::Path;
use std::sync::Arc;

use axum::http::StatusCode;
use datafusion::arrow::array::{ArrayRef, BinaryArray, RecordBatch, StringArray};
use serde_json::{Map, Value, json};

use super::{Row, has_extension, object, rows};
use crate::sql::syntax::literal;
use crate::ui::folder::format_of;
use crate::ui::messages::{Problem, QueryParams};
use crate::ui::{App, cells};

/// The maximum size of a document.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

/// The number of bytes from which the kind of a document is detected.
const START_BYTES: usize = 4096;

/// The distances before an offset from which records are searched. Readers begin at records or
/// marks, which can be far apart.
const DISTANCES: [u64; 4] = [0, 64 << 10, 1 << 20, u64::MAX];

/// A file, a pair of a SequenceFile, and a part of a document.
const FILE: &str = "SELECT source_file, error, content AS data FROM found_row";
const PAIR: &str = "SELECT source_file, \"offset\", CAST(key AS text) AS url, error, value AS data, \
    count(*) OVER () AS pairs FROM found_row LIMIT 1";
const PART: &str = "SELECT source_file, \"offset\", name AS title, media_type, error, \
    content AS data FROM found_row";

const SEVERAL_PAIRS: &str = "several records of this block have the key of the row: add the column \
    value to the statement";

/// The columns that hold a document as bytes.
const BYTES: [&str; 5] = ["content", "body", "value", "data", "html"];

/// A document as it is in its file.
pub struct Original {
    pub data: Vec<u8>,
    /// Facts about it, for the page. Those with a text: `url`, `source_file`, `media_type`, and
    /// `declared`, the charset of its HTTP head.
    pub facts: Map<String, Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Web,
    Pdf,
    Ocr,
    Text,
    Bytes,
}

/// Returns the document of a row, or a neighbouring record: that at another offset of its file, or
/// the last one before an offset.
pub async fn find(app: &App, row: &Row, query: &QueryParams) -> Result<Option<Original>, Problem> {
    let of_row = row.number(&["offset"]);
    let in_row = || {
        let data = row.bytes(&BYTES)?;
        Some(Original::new(data, row.text(&["url"])))
    };
    let Some(file) = file_of(row) else {
        return Ok(in_row());
    };
    let (package, member) = package_of(&file);
    let offset = match query.number("before")? {
        Some(at) => Some(before(app, &file, at).await?),
        None => query.number("offset")?,
    };
    if let (Some(name), None) = (row.text(&["attachment"]), offset) {
        let condition = format!("{}{}", equal("name", Some(&name)), at_offset(of_row));
        let part = first(app, PART, "document_parts", &file, "", &condition, 1).await?;
        return document_of(part, &file).map(Some);
    }
    let found = match (
        format_of(member.unwrap_or(package)).as_deref(),
        offset.or(of_row),
    ) {
        (Some("WARC"), Some(at)) => {
            // That of a neighbour is not known.
            let url = row.text(&["target_uri", "url"]);
            let condition = equal("target_uri", url.as_deref().filter(|_| offset.is_none()));
            record(app, &file, at, &condition).await?
        }
        (Some("SEQUENCEFILE"), Some(at)) => {
            let key = row.text(&["key", "url"]);
            let condition = equal("CAST(key AS text)", key.as_deref());
            let found = pair(app, &file, at, &condition).await?;
            if Row(found.clone()).number(&["pairs"]) != Some(1) {
                let missing = || Problem::wrong(SEVERAL_PAIRS);
                return in_row().ok_or_else(missing).map(Some);
            }
            document_of(Some(found), &file)?
        }
        (None | Some("HOCR" | "PDF"), None) if !is_part(row, &file) => {
            // `read_documents` does not unpack office files.
            let reader = match member {
                Some(_) => "read_files",
                None => "read_documents",
            };
            document_of(first(app, FILE, reader, &file, "", "", 1).await?, &file)?
        }
        // Lines, pages of wikis and mails have their text in the row. Other files hold many
        // documents.
        _ => return Ok(in_row()),
    };
    Ok(Some(found))
}

/// Whether a row is of a mail of a mailbox, or of an attachment, whose place in the file it lacks.
fn is_part(row: &Row, file: &str) -> bool {
    let is_other = |kind: String| kind != "eml";
    has_extension(file, ".mbox")
        || has_extension(file, ".eml") && row.text(&["kind"]).is_some_and(is_other)
}

/// The file of a row. An index has it as the document's address.
pub fn file_of(row: &Row) -> Option<String> {
    if let Some(file) = row.text(&["source_file"]) {
        return Some(file);
    }
    row.text(&["snippet"])?;
    let url = row.text(&["url"])?;
    Path::new(package_of(&url).0).is_file().then_some(url)
}

/// Fails if the file of a row is outside of the folder that was opened, unless the page allows its
/// place.
pub fn check_place(app: &App, row: &Row, query: &QueryParams) -> Result<(), Problem> {
    let Some(file) = file_of(row) else {
        return Ok(());
    };
    let outside = app.folder.outside(package_of(&file).0);
    let Some(outside) = outside.filter(|outside| query.text("outside") != Some(outside)) else {
        return Ok(());
    };
    let message = format!("the row names {file}, which is outside of the folder that was opened");
    Err(Problem {
        outside: Some(outside),
        ..Problem::forbidden(message)
    })
}

/// Splits the name of a file into its package and its name there, such as `a.zip!b.txt`. Names of
/// files may have that sign, too.
pub fn package_of(file: &str) -> (&str, Option<&str>) {
    let mut ends = file.match_indices('!').map(|(at, _)| at);
    let first = ends.clone().next();
    if first.is_none() || Path::new(file).is_file() {
        return (file, None);
    }
    let end = ends
        .find(|end| Path::new(&file[..*end]).is_file())
        .or(first);
    end.map_or((file, None), |end| (&file[..end], Some(&file[end + 1..])))
}

/// Returns the record of an archive at an offset, with the places of its neighbours. Records that
/// share a compressed member have one offset.
async fn record(app: &App, file: &str, offset: u64, condition: &str) -> Result<Original, Problem> {
    let condition = format!("{}{condition}", at_offset(Some(offset)));
    let (sql, range) = (include_str!("record.sql"), range(file, offset, offset));
    let found = first(app, sql, "read_warc", file, &range, &condition, 1).await?;
    let mut record = document_of(found, file)?;
    if !range.is_empty() {
        let length = record.facts.get("length").and_then(Value::as_u64);
        let next = length.map(|length| offset + length);
        let next = next.filter(|next| is_inside(file, *next));
        record
            .facts
            .insert("has_previous".into(), json!(offset > 0));
        record.facts.insert("next".into(), json!(next));
    }
    Ok(record)
}

/// Returns the pair of a SequenceFile at an offset. Pairs of a block have one offset.
async fn pair(app: &App, file: &str, offset: u64, condition: &str) -> Result<RecordBatch, Problem> {
    let condition = format!("{}{condition}", at_offset(Some(offset)));
    let mut found = None;
    for distance in DISTANCES {
        let range = range(file, offset.saturating_sub(distance), offset);
        found = first(app, PAIR, "read_sequencefile", file, &range, &condition, 2).await?;
        if found.is_some() || range.is_empty() {
            break;
        }
    }
    found.ok_or_else(|| gone(file))
}

/// The option to read what starts from an offset to another. A member of a package has no ranges.
fn range(file: &str, from: u64, to: u64) -> String {
    match package_of(file).1 {
        Some(_) => String::new(),
        None => format!(", 'range', '{from}-{}'", to + 1),
    }
}

/// Runs SQL over the first rows of a file that a table function reads and a condition selects.
async fn first(
    app: &App,
    sql: &str,
    function: &str,
    file: &str,
    options: &str,
    condition: &str,
    limit: usize,
) -> Result<Option<RecordBatch>, Problem> {
    // Packages have other files. A range is that of one file.
    let of_file = match options {
        "" => equal("source_file", Some(file)),
        _ => String::new(),
    };
    let row = format!(
        "(SELECT * FROM {function}({}{options}) WHERE true{of_file}{condition} LIMIT {limit})",
        literal(package_of(file).0)
    );
    let found = rows(app, sql.replace("found_row", &row), None).await?;
    Ok((found.num_rows() > 0).then_some(found))
}

/// The condition that an expression has a value, if that is known.
fn equal(expression: &str, value: Option<&str>) -> String {
    let condition = |value| format!(" AND {expression} = {}", literal(value));
    value.map(condition).unwrap_or_default()
}

fn at_offset(offset: Option<u64>) -> String {
    let condition = |offset| format!(" AND \"offset\" = {offset}");
    offset.map(condition).unwrap_or_default()
}

/// Returns the offset of the last record of an archive before an offset.
async fn before(app: &App, file: &str, at: u64) -> Result<u64, Problem> {
    for distance in DISTANCES.into_iter().skip(1).filter(|_| at > 0) {
        let sql = format!(
            "SELECT max(\"offset\") AS \"offset\" FROM read_warc({}, 'range', '{}-{at}')",
            literal(file),
            at.saturating_sub(distance)
        );
        let found = Row(rows(app, sql, None).await?);
        if let Some(offset) = found.number(&["offset"]) {
            return Ok(offset);
        }
    }
    Err(gone(file))
}

/// Returns the row of the table `documents` for a file, or for a mail in it, that only its
/// functions can read.
pub async fn as_document(
    app: &App,
    file: &str,
    offset: Option<u64>,
) -> Result<Option<Row>, Problem> {
    let sql = "SELECT * FROM found_row";
    let found = first(app, sql, "documents", file, "", &at_offset(offset), 1).await?;
    Ok(found.map(Row))
}

/// Whether an offset is before the end of a file. That of a remote file is not known.
fn is_inside(file: &str, at: u64) -> bool {
    std::fs::metadata(file).map_or(true, |metadata| at < metadata.len())
}

/// The error about a row whose document is not in its file.
fn gone(file: &str) -> Problem {
    Problem::not_found(format!(
        "{file} has no document of this row: the file has changed, or the row is not from it"
    ))
}

/// Makes a document of a row of a file.
fn document_of(found: Option<RecordBatch>, file: &str) -> Result<Original, Problem> {
    let batch = found.ok_or_else(|| gone(file))?;
    let data = batch.column_by_name("data").and_then(|column| {
        let text = || cells::text(column, 0).map(str::as_bytes);
        cells::bytes(column, 0).or_else(text)
    });
    let data = data.unwrap_or_default().to_vec();
    if data.len() > MAX_DOCUMENT_BYTES {
        let text = format!(
            "the document is larger than {} MiB",
            MAX_DOCUMENT_BYTES >> 20
        );
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text));
    }
    let facts = object(&batch);
    Ok(Original { data, facts })
}

impl Original {
    fn new(data: Vec<u8>, url: Option<String>) -> Self {
        Self {
            data,
            facts: Map::from_iter([("url".to_owned(), json!(url))]),
        }
    }

    /// A text among the facts.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }

    /// The document as a table of one row.
    pub fn batch(&self, charset: Option<&str>) -> Result<RecordBatch, Problem> {
        let text = |text: Option<&str>| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
        let data: ArrayRef = Arc::new(BinaryArray::from_vec(vec![self.data.as_slice()]));
        let columns = [
            ("data", data),
            ("declared", text(self.fact("declared"))),
            ("chosen_charset", text(charset)),
            ("url", text(self.fact("url"))),
        ];
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        batch.map_err(|error| Problem::wrong(error.to_string()))
    }

    /// Detects the kind of the document by its bytes.
    pub fn kind(&self) -> Kind {
        let start = &self.data[..self.data.len().min(START_BYTES)];
        let text = String::from_utf8_lossy(start).to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if has(&["%pdf-"]) {
            return Kind::Pdf;
        }
        if has(&["ocr_page", "ocrx_", "ocr_carea", "<alto", "<pcgts"]) {
            return Kind::Ocr;
        }
        let is_html = |kind: &str| matches!(kind, "text/html" | "application/xhtml+xml");
        let is_declared = self.fact("media_type").is_some_and(is_html);
        if is_declared || has(&["<html", "<!doctype html", "<body"]) {
            return Kind::Web;
        }
        if start.contains(&0) || std::str::from_utf8(&self.data).is_err() {
            Kind::Bytes
        } else {
            Kind::Text
        }
    }

    /// Whether the document is declared as text.
    pub fn is_declared_text(&self) -> bool {
        let media_type = self.fact("media_type").unwrap_or_default();
        let kinds = ["xml", "json", "javascript"];
        media_type.starts_with("text/") || kinds.iter().any(|kind| media_type.contains(kind))
    }

    /// The document as text.
    pub fn text(self) -> Value {
        let text = String::from_utf8_lossy(&self.data).into_owned();
        let answer = Map::from_iter([("text".to_owned(), json!(text))]);
        Value::Object(self.with("text", answer))
    }

    /// Adds the facts about the file to the parsed values.
    pub fn with(self, kind: &str, mut parsed: Map<String, Value>) -> Map<String, Value> {
        let size = self.data.len();
        for (name, value) in self.facts {
            let is_missing = parsed.get(&name).is_none_or(Value::is_null);
            if is_missing {
                parsed.insert(name, value);
            }
        }
        parsed.insert("kind".into(), json!(kind));
        parsed.insert("bytes".into(), json!(size));
        parsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_the_bytes() {
        for (data, kind) in [
            (&b"\n%PDF-1.7"[..], Kind::Pdf),
            (b"<!DOCTYPE html><div class='ocr_page'>", Kind::Ocr),
            (b"<?xml version='1.0'?><alto xmlns='a'>", Kind::Ocr),
            (b"<PcGts>", Kind::Ocr),
            (b"<HTML><p>a", Kind::Web),
            (b"a < b", Kind::Text),
            (b"", Kind::Text),
            (b"\0\x01", Kind::Bytes),
            (b"\xff\xd8\xff", Kind::Bytes),
        ] {
            assert_eq!(Original::new(data.to_vec(), None).kind(), kind, "{data:?}");
        }
        let mut declared = Original::new(b"<p>a".to_vec(), None);
        let media_type = ("media_type".to_owned(), json!("text/html"));
        declared.facts.extend([media_type]);
        assert_eq!(declared.kind(), Kind::Web);
    }

    #[test]
    fn names_of_files_may_look_like_members() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["a!b.txt", "c!d.zip"] {
            std::fs::write(path(name), "").unwrap();
        }
        assert_eq!(
            package_of(&path("a!b.txt")),
            (path("a!b.txt").as_str(), None)
        );
        let member = path("c!d.zip!e!f.txt");
        assert_eq!(
            package_of(&member),
            (path("c!d.zip").as_str(), Some("e!f.txt"))
        );
        assert_eq!(
            package_of("http://h/a.zip!b!c"),
            ("http://h/a.zip", Some("b!c"))
        );
        assert_eq!(package_of("a.txt"), ("a.txt", None));
    }
}
