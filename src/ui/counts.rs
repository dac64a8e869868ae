//! Counts of what is in a place: by kind, and by error.

use axum::http::StatusCode;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use serde_json::{Value, json};

use super::App;
use super::answers::{Answer, Json, Problem};
use super::documents::rows;
use super::places::format_of;
use crate::shell::quoted;
use crate::sql::syntax::literal;

/// The maximum number of kinds and of errors.
const MAX_GROUPS: usize = 100;

/// The ending of a file, without that of compression.
const ENDING: &str =
    r"lower(regexp_match(source_file, '\.([A-Za-z0-9]+)(\.(gz|zst|bz2|xz|lz4))?$')[1])";

/// Counts the records of a file, or the files of a folder and the errors of their records.
pub async fn counts(app: &App, path: &str) -> Answer {
    let is_file = app.folder.resolve(path)?.is_file();
    let location = match (is_file, path) {
        (true, _) => literal(&app.folder.name_in_sql(path)),
        (false, "") => literal(&app.folder.name_of_root()),
        (false, path) => literal(&format!("{}/", app.folder.name_in_sql(path))),
    };
    let (table, kind) = match (is_file, format_of(path).as_deref()) {
        (true, Some("WARC")) => (format!("read_warc({location})"), "warc_type"),
        _ => (format!("read_files({location}, 'unpack', 'false')"), ENDING),
    };
    let groups = groups(app, &table, kind, "true").await?;
    let kinds = groups.iter().map(|(name, count)| {
        let condition = match name {
            Some(name) => format!("{kind} = {}", literal(name)),
            None => format!("{kind} IS NULL"),
        };
        let columns = match kind {
            ENDING => "source_file, size, modified",
            _ => "source_file, \"offset\", warc_type, target_uri, content_type, error",
        };
        let sql = format!("SELECT {columns} FROM {table} WHERE {condition}");
        json!({"kind": name, "count": count, "sql": sql})
    });
    let kinds: Vec<_> = kinds.collect();
    let mut formats: Vec<String> = if is_file {
        format_of(path).into_iter().collect()
    } else {
        let endings = groups.iter().filter_map(|(name, _)| name.as_deref());
        endings
            .filter_map(|ending| format_of(&format!("a.{ending}")))
            .collect()
    };
    formats.sort_unstable();
    formats.dedup();
    let mut errors = Vec::new();
    for format in formats {
        let table = match format.as_str() {
            "WARC" => format!("read_warc({location})"),
            "SEQUENCEFILE" => format!("read_sequencefile({location})"),
            "HOCR" => format!("ocr_pages({location})"),
            "PDF" => format!("pdf_documents({location})"),
            "FILES" => format!("read_files({location})"),
            _ => continue,
        };
        errors.extend(errors_of(app, &table).await?);
    }
    Ok(Json(json!({"kinds": kinds, "errors": errors})))
}

async fn errors_of(app: &App, table: &str) -> Result<Vec<Value>, Problem> {
    let groups = groups(app, table, "error", "error IS NOT NULL").await?;
    let errors = groups.into_iter().filter_map(|(error, count)| {
        let error = error?;
        let sql = format!("SELECT * FROM {table} WHERE error = {}", literal(&error));
        let again = format!("corpus-sql -c {}", quoted(&sql));
        Some(json!({"error": error, "count": count, "sql": sql, "again": again}))
    });
    Ok(errors.collect())
}

/// The numbers of rows by a text.
async fn groups(
    app: &App,
    table: &str,
    kind: &str,
    condition: &str,
) -> Result<Vec<(Option<String>, i64)>, Problem> {
    let sql = format!(
        "SELECT CAST({kind} AS text) AS kind, count(*) AS count FROM {table} WHERE {condition} \
         GROUP BY 1 ORDER BY count DESC, kind LIMIT {MAX_GROUPS}"
    );
    let batch = rows(app, sql, None).await?;
    let wrong = || Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "unexpected counts");
    pairs(&batch).ok_or_else(wrong)
}

fn pairs(batch: &RecordBatch) -> Option<Vec<(Option<String>, i64)>> {
    let names = datafusion::arrow::compute::cast(
        batch.column(0),
        &datafusion::arrow::datatypes::DataType::Utf8,
    );
    let names = names.ok()?;
    let names = names.as_string_opt::<i32>()?.iter();
    let counts = batch.column(1).as_primitive_opt::<Int64Type>()?.values();
    let names = names.map(|name| name.map(str::to_owned));
    Some(names.zip(counts.iter().copied()).collect())
}
