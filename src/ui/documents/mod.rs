//! The document of a row. A row names it by its file and offset, or holds it. The SQL in this
//! folder reads and parses it again.

mod original;
pub mod removed;
mod scan;
mod web;

use std::sync::Arc;

use axum::http::StatusCode;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryArray, RecordBatch, StringArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use serde_json::{Map, Value, json};

use self::original::{Kind, Original};
use super::answers::{Answer, Json, Problem};
use super::query::Query;
use super::security::random_name;
use super::{App, cells};
use crate::sql::dialect;
use crate::sql::syntax::literal;

/// The maximum size of a document.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

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
        names.iter().find_map(|name| {
            let column = self.value(name)?;
            let is_bytes = matches!(
                column.data_type(),
                DataType::Binary | DataType::LargeBinary | DataType::BinaryView
            );
            if !is_bytes {
                return None;
            }
            let bytes = cast(column, &DataType::LargeBinary).ok()?;
            Some(bytes.as_binary_opt::<i64>()?.value(0).to_vec())
        })
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

/// Returns the document of a row.
pub async fn document(app: &App, row: Row, query: &Query) -> Answer {
    if removed::is_removed(&row) {
        return Ok(Json(removed::document(&row)));
    }
    let found = original::find(app, &row, query.number("offset")?).await?;
    let mut answer = match found {
        Some(original) => shown(app, original, &row, query).await?,
        None => text(&row),
    };
    if answer.is_null() {
        answer = json!({"kind": null});
    }
    if let (Some(snippet), Some(object)) = (row.text(&["snippet"]), answer.as_object_mut()) {
        let words: Vec<_> = snippet.split("<b>").skip(1).collect();
        let words = words.iter().filter_map(|word| word.split("</b>").next());
        let words: Vec<_> = words.collect();
        object.insert("hit".into(), json!({"snippet": snippet, "words": words}));
    }
    Ok(Json(answer))
}

async fn shown(app: &App, original: Original, row: &Row, query: &Query) -> Result<Value, Problem> {
    let page = match query.number("page")? {
        Some(page) => page,
        None => row.number(&["page"]).unwrap_or(1),
    };
    let (kind, sql) = match original.kind() {
        Kind::Web => return web::document(app, original, query.text("charset")).await,
        Kind::Pdf => ("pdf", include_str!("pdf.sql")),
        Kind::Ocr => ("ocr", include_str!("ocr.sql")),
        Kind::Text | Kind::Bytes => return other(app, original, row).await,
    };
    let sql = sql.replace("chosen_page", &page.max(1).to_string());
    let mut found = parsed(app, &original, None, sql).await?;
    if kind == "ocr" {
        move_to_corner(&mut found);
        let name = found.get("image").and_then(Value::as_str);
        let image = scan::address(app, &original, name.unwrap_or_default()).await;
        let name = found.insert("image".into(), json!(image));
        found.insert("image_name".into(), name.unwrap_or_default());
    }
    Ok(Value::Object(original.with(kind, found)))
}

/// Shows a text, a mail, or a file of an office. The row may have what was read from it.
async fn other(app: &App, original: Original, row: &Row) -> Result<Value, Problem> {
    let file = row.text(&["source_file"]);
    let is_mail = (file.as_deref()).is_some_and(|file| file.to_ascii_lowercase().ends_with(".eml"));
    let read = match (text(row), file) {
        (Value::Null, _) if original.kind() == Kind::Text && !is_mail => return Ok(original.text()),
        (Value::Null, Some(file)) => text(&original::as_document(app, &file).await?),
        (read, _) => read,
    };
    match read {
        Value::Object(read) => Ok(Value::Object(original.with("text", read))),
        _ => Ok(Value::Null),
    }
}

/// Moves boxes so that those of the page start at 0.
fn move_to_corner(found: &mut Map<String, Value>) {
    let edge = |name| found.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let (left, top) = (edge("left_edge"), edge("top_edge"));
    found.retain(|name, _| !name.ends_with("_edge"));
    if left == 0.0 && top == 0.0 {
        return;
    }
    let lists = ["boxes", "blocks"].map(|name| found.get(name).cloned());
    for (name, list) in ["boxes", "blocks"].into_iter().zip(lists) {
        let Some(Value::Array(mut list)) = list else {
            continue;
        };
        for item in &mut list {
            for (edge, by) in [("x0", left), ("x1", left), ("y0", top), ("y1", top)] {
                if let Some(value) = item.get(edge).and_then(Value::as_f64) {
                    item[edge] = json!(value - by);
                }
            }
        }
        found.insert(name.into(), Value::Array(list));
    }
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
        "author": row.text(&["author"]),
        "lang": row.text(&["lang", "language"]),
    })
}

/// Runs SQL over the table `shown`, which has the document as its only row.
async fn parsed(
    app: &App,
    original: &Original,
    charset: Option<&str>,
    sql: String,
) -> Result<Map<String, Value>, Problem> {
    let text = |name: &str, text: Option<&str>| {
        let column: ArrayRef = Arc::new(StringArray::from(vec![text]));
        (Field::new(name, DataType::Utf8, true), column)
    };
    let data: ArrayRef = Arc::new(BinaryArray::from_vec(vec![original.data.as_slice()]));
    let columns = [
        (Field::new("data", DataType::Binary, true), data),
        text("declared", original.declared.as_deref()),
        text("chosen_charset", charset),
        text("url", original.url.as_deref()),
    ];
    let (fields, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    let batch = batch.map_err(|error| Problem::wrong(error.to_string()))?;
    let batch = rows(app, sql, Some(batch)).await?;
    Ok(object(&batch, 0))
}

/// Returns a row as a JSON object.
fn object(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    let mut room = MAX_ANSWER_BYTES;
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.filter(|(field, _)| field.name() != "data");
    let columns = columns.map(|(field, column)| {
        let value = cells::value(column.as_ref(), row, &mut room);
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

/// Fails if a document is too large to be shown.
fn check_size(bytes: usize) -> Result<(), Problem> {
    if bytes > MAX_DOCUMENT_BYTES {
        return Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "the document is larger than {} MiB",
                MAX_DOCUMENT_BYTES >> 20
            ),
        ));
    }
    Ok(())
}

/// A location in SQL.
fn in_sql(name: &str) -> String {
    literal(name)
}
