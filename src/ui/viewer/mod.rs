//! The document of a row. A row names it by its file and offset, or holds it. The SQL in this
//! folder reads and parses it again.
//!
//! ```text
//! original  finds the document of a row
//! web       web pages
//! scan      images of scanned pages
//! book      the book of a scanned page
//! removed   rows that a job removed
//! ```

pub mod book;
mod original;
pub mod removed;
pub mod scan;
mod web;

use std::fs;
use std::sync::Arc;

use corpus_http::sniffed_type;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use serde_json::{Map, Value, json};

pub use self::original::package_of;
use self::original::{Kind, Original};
use self::scan::Names;
use super::messages::{Answer, Json, Problem, QueryParams};
use super::security::random_name;
use super::{App, cells};
use crate::sql::dialect;

/// The maximum number and size of the slow results that are kept for other pages of a document.
pub const MAX_PARSED: usize = 8;
pub const MAX_PARSED_BYTES: usize = 128 << 20;

/// The maximum size of the texts of an answer.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// The columns with a text, the best first.
const TEXTS: [&str; 8] = [
    "document",
    "main_text",
    "text",
    "markdown",
    "content",
    "body",
    "value",
    "snippet",
];

/// A row of a result.
pub struct Row(pub RecordBatch);

impl Row {
    /// Splits a batch into its rows.
    pub fn each(batch: &RecordBatch) -> impl Iterator<Item = Self> {
        (0..batch.num_rows()).map(|row| Self(batch.slice(row, 1)))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.column_by_name(name).is_some()
    }

    /// The text in the first of these columns that has one.
    pub fn text(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| {
            let column = self.value(name)?;
            let text = cast(column, &DataType::LargeUtf8).ok()?;
            let text = text.as_string_opt::<i64>()?;
            text.is_valid(0).then(|| text.value(0).to_owned())
        })
    }

    pub fn number(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| {
            let number = cast(self.value(name)?, &DataType::Int64).ok()?;
            let number = number.as_primitive_opt::<Int64Type>()?;
            number
                .is_valid(0)
                .then(|| u64::try_from(number.value(0)).ok())?
        })
    }

    /// The bytes in one of these columns.
    pub fn bytes(&self, names: &[&str]) -> Option<Vec<u8>> {
        let mut columns = names.iter().filter_map(|name| self.value(name));
        columns.find_map(|column| Some(cells::bytes(column, 0)?.to_vec()))
    }

    /// A column that is not NULL.
    fn value(&self, name: &str) -> Option<&ArrayRef> {
        self.0
            .column_by_name(name)
            .filter(|column| column.is_valid(0))
    }

    pub fn json(&self, name: &str) -> Value {
        let column = self.0.column_by_name(name);
        let mut room = MAX_ANSWER_BYTES;
        column.map_or(Value::Null, |column| {
            cells::value(column.as_ref(), 0, &mut room)
        })
    }
}

/// Returns the document of a row. NULL if it has none.
pub async fn document(app: &App, row: Row, query: &QueryParams) -> Answer {
    if removed::is_removed(&row) {
        return Ok(Json(removed::document(&row)));
    }
    original::check_place(app, &row, query)?;
    let found = original::find(app, &row, query).await?;
    Ok(Json(match found {
        Some(original) => shown(app, original, &row, query).await?,
        None => in_row_or_mails(app, &row).await?,
    }))
}

async fn shown(
    app: &App,
    original: Original,
    row: &Row,
    query: &QueryParams,
) -> Result<Value, Problem> {
    let page = match query.number("page")? {
        Some(page) => page,
        None => row.number(&["page"]).unwrap_or(1),
    };
    let for_page = |sql: &str| sql.replace("chosen_page", &page.max(1).to_string());
    let kind = original.kind();
    let found = match kind {
        Kind::Web => return web::document(app, original, query.text("charset")).await,
        Kind::Pdf => {
            let all = rows(
                app,
                include_str!("pdf_parsed.sql").to_owned(),
                Some(original.batch(None)?),
            );
            let all = match original.fact("source_file") {
                Some(file) => {
                    let offset = original.facts.get("offset").unwrap_or(&Value::Null);
                    parsed_once(app, file, &format!("{offset} {file}"), all).await?
                }
                None => all.await?,
            };
            let sql = for_page(include_str!("pdf.sql"));
            object(&rows(app, sql, Some(all)).await?)
        }
        Kind::Ocr => {
            let sql = for_page(include_str!("ocr.sql"));
            let mut found = parsed(app, &original, None, sql).await?;
            add_scan(app, &original, &mut found);
            found
        }
        Kind::Text | Kind::Bytes => {
            let is_of_row = query.text("offset").or(query.text("before")).is_none();
            return other(app, original, row, is_of_row).await;
        }
    };
    let kind = if kind == Kind::Pdf { "pdf" } else { "ocr" };
    Ok(Value::Object(original.with(kind, found)))
}

/// Adds the address of the image of a scanned page.
fn add_scan(app: &App, original: &Original, found: &mut Map<String, Value>) {
    let file = original.fact("source_file").unwrap_or_default();
    let number = |name: &str| found.get(name).and_then(Value::as_u64);
    let names = Names::new(
        original
            .fact("url")
            .unwrap_or_else(|| app.folder.inside(file)),
        found.get("image").and_then(Value::as_str),
        number("page_number")
            .or_else(|| number("page"))
            .unwrap_or(1),
    );
    let scan = scan::find(&app.scans, &app.folder, file, &names);
    let address = scan.map(|scan| app.frames.add_scan(scan));
    let name = found.insert("image".into(), json!(address));
    found.insert("image_name".into(), name.unwrap_or_default());
}

/// Returns the result of a query about a local file, which is kept for the next time. `what` names
/// the result.
async fn parsed_once(
    app: &App,
    file: &str,
    what: &str,
    query: impl Future<Output = Result<RecordBatch, Problem>>,
) -> Result<RecordBatch, Problem> {
    let Some(version) = version(file) else {
        return query.await;
    };
    let key = format!("{version} {what}");
    if let Some(found) = app.parsed.find(&key) {
        return Ok(found);
    }
    let found = query.await?;
    let bytes = found.get_array_memory_size();
    app.parsed.keep(key, bytes, found.clone());
    Ok(found)
}

/// The size and time of a local file or folder. `None` for others.
fn version(file: &str) -> Option<String> {
    let metadata = fs::metadata(package_of(file).0).ok()?;
    let modified = metadata.modified().ok()?;
    Some(format!("{} {modified:?}", metadata.len()))
}

/// Shows a text, mail or office file, or says what the bytes are. The row may already have the
/// parsed content, unless it is that of another record.
async fn other(
    app: &App,
    original: Original,
    row: &Row,
    is_of_row: bool,
) -> Result<Value, Problem> {
    let file = row.text(&["source_file"]);
    let is_whole_file = row.value("offset").or(row.value("attachment")).is_none();
    let is_mail = is_whole_file
        && file
            .as_deref()
            .is_some_and(|file| has_extension(file, ".eml"));
    let in_row = if is_of_row { text(row) } else { Value::Null };
    let read = match (in_row, file) {
        (Value::Null, _) if original.kind() == Kind::Text && !is_mail => return Ok(original.text()),
        (Value::Null, Some(file)) if is_whole_file => {
            let found = original::as_document(app, &file, None).await?;
            found.map_or(Value::Null, |row| text(&row))
        }
        (read, _) => read,
    };
    let (kind, read) = match read {
        Value::Object(read) => ("text", read),
        _ if original.is_declared_text() => {
            let sql = include_str!("text.sql").to_owned();
            ("text", parsed(app, &original, None, sql).await?)
        }
        _ => {
            let media_type = sniffed_type(&original.data, original.fact("media_type"));
            let known = ("media_type".to_owned(), json!(media_type));
            ("bytes", Map::from_iter([known]))
        }
    };
    Ok(Value::Object(original.with(kind, read)))
}

/// Returns the text of a row. For a row of an mbox file without text, reads its mail. NULL if there
/// is no text.
async fn in_row_or_mails(app: &App, row: &Row) -> Result<Value, Problem> {
    let is_mbox = |file: &String| has_extension(package_of(file).1.unwrap_or(file), ".mbox");
    let (found, file) = (text(row), row.text(&["source_file"]));
    match (found, file.filter(is_mbox), row.number(&["offset"])) {
        (Value::Null, Some(file), Some(at)) => {
            let found = original::as_document(app, &file, Some(at)).await?;
            Ok(found.map_or(Value::Null, |row| text(&row)))
        }
        (found, ..) => Ok(found),
    }
}

fn has_extension(file: &str, extension: &str) -> bool {
    file.to_ascii_lowercase().ends_with(extension)
}

/// The texts in a row that names no document. NULL if it has none.
fn text(row: &Row) -> Value {
    let Some(text) = row.text(&TEXTS) else {
        return Value::Null;
    };
    json!({
        "kind": "text",
        "title": row.text(&["title", "url", "source_file", "id", "key"]),
        "url": row.text(&["url"]),
        "text": text,
        "markdown": row.text(&["main_markdown", "markdown"]),
    })
}

/// Runs SQL over the table `shown`, which has the document as its only row.
async fn parsed(
    app: &App,
    original: &Original,
    charset: Option<&str>,
    sql: String,
) -> Result<Map<String, Value>, Problem> {
    let batch = rows(app, sql, Some(original.batch(charset)?)).await?;
    Ok(object(&batch))
}

/// Returns the first row as a JSON object.
pub fn object(batch: &RecordBatch) -> Map<String, Value> {
    let mut room = MAX_ANSWER_BYTES;
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.filter(|(field, _)| field.name() != "data");
    let columns = columns.map(|(field, column)| {
        let value = cells::value(column.as_ref(), 0, &mut room);
        (field.name().clone(), value)
    });
    columns.collect()
}

/// Returns the rows of a query, which may use the table `shown`. The query returns few rows.
pub async fn rows(
    app: &App,
    sql: String,
    shown: Option<RecordBatch>,
) -> Result<RecordBatch, Problem> {
    let context = app.context.clone();
    let collected = app.on_engine(async move {
        let frame = match shown {
            Some(batch) => planned_with(&context, sql, batch).await?,
            None => dialect::sql(&context, &sql).await?,
        };
        let schema = Arc::clone(frame.schema().inner());
        let batches = frame.collect().await?;
        let schema = batches.first().map_or(schema, RecordBatch::schema);
        Ok::<_, datafusion::error::DataFusionError>(concat_batches(&schema, &batches)?)
    });
    Ok(collected.await??)
}

/// Plans a query over a table of one row, which exists only in the plan.
async fn planned_with(
    context: &SessionContext,
    sql: String,
    batch: RecordBatch,
) -> datafusion::error::Result<datafusion::prelude::DataFrame> {
    let name = format!("shown_{}", random_name());
    let sql = sql.replace("FROM shown", &format!("FROM {name}"));
    let table = MemTable::try_new(batch.schema(), vec![vec![batch]])?;
    context.register_table(&name, Arc::new(table))?;
    let planned = dialect::sql(context, &sql).await;
    context.deregister_table(&name)?;
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_has_another_version() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        fs::write(&file, "a").unwrap();
        let member = format!("{}!a.pdf", file.display());
        let first = version(&member).unwrap();
        assert_eq!(version(&member).unwrap(), first);
        fs::write(&file, "ab").unwrap();
        assert_ne!(version(&member).unwrap(), first);
        assert_eq!(version("http://example/a.pdf"), None);
    }
}
