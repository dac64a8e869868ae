//! Counts the records, files and errors at a location, by kind.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use axum::extract::State;
use serde_json::{Value, json};

use super::folder::{format_of, typed};
use super::messages::{Answer, Json, Problem, QueryParams};
use super::viewer::{Row, package_of, rows};
use super::{App, Shared};
use crate::shell::quote;
use crate::sql::syntax::literal;

/// The maximum number of kinds and of errors.
const MAX_GROUPS: usize = 100;

/// The extension of a file, without that of compression.
const EXTENSION: &str =
    r"lower(regexp_match(source_file, '\.([A-Za-z0-9]+)(\.(bz2|gz|lz4|xz|zst|zstd))?$')[1])";

/// The kind of an error: its text up to the details.
const ERROR_KIND: &str = "split_part(error, ':', 1)";

/// The maximum number of files that are named in a command.
const MAX_NAMED_FILES: u64 = 10;

/// The paths of packages, and of their members.
const PACKAGED: &str = r"\.(zip|tar|tgz|tar\.\w+)(!|$)";

/// Counts the records of a file, or the files of a folder and the errors of their records. Files
/// of search indexes do not count.
pub async fn counts(State(app): Shared, query: QueryParams) -> Answer {
    let path = query.text("path").unwrap_or_default();
    let is_file = app.folder.resolve(path)?.is_file();
    let location = literal(&if is_file {
        app.folder.name_in_sql(path)
    } else {
        app.folder.folder_in_sql(path)
    });
    let (table, kind) = match (is_file, format_of(path).as_deref()) {
        (true, Some("WARC")) => (format!("read_warc({location})"), "warc_type"),
        _ => (
            format!("read_files({location}, 'unpack', 'false')"),
            EXTENSION,
        ),
    };
    let counted = match app.folder.in_indexes(path) {
        Some(indexes) => format!("source_file !~ {}", literal(&indexes)),
        None => "true".to_owned(),
    };
    let sql = format!(
        "SELECT CAST({kind} AS text) AS kind, count(*) AS count FROM {table} WHERE {counted} \
         GROUP BY 1 ORDER BY count DESC, kind LIMIT {MAX_GROUPS}"
    );
    let groups = rows(&app, sql, None).await?;
    let name_of = |group: &Row| group.text(&["kind"]);
    let kinds = Row::each(&groups).map(|group| {
        let name = name_of(&group);
        let condition = match &name {
            Some(name) => format!("{kind} = {}", literal(name)),
            None => format!("{kind} IS NULL AND {counted}"),
        };
        let columns = match kind {
            EXTENSION => "source_file, size, modified",
            _ => "source_file, \"offset\", warc_type, target_uri, content_type, error",
        };
        let sql = format!("SELECT {columns} FROM {table} WHERE {condition}");
        json!({"kind": name, "count": group.number(&["count"]), "sql": typed(&sql)})
    });
    let kinds: Vec<_> = kinds.collect();
    let formats: BTreeSet<String> = if is_file {
        format_of(path).into_iter().collect()
    } else {
        let extensions = Row::each(&groups).filter_map(|group| name_of(&group));
        let formats = extensions.filter_map(|extension| format_of(&format!("a.{extension}")));
        formats.collect()
    };
    let mut errors = Vec::new();
    for format in formats {
        let (function, of) = match format.as_str() {
            "WARC" => ("read_warc", "web archives"),
            "SEQUENCEFILE" => ("read_sequencefile", "SequenceFiles"),
            "HOCR" => ("ocr_pages", "scanned pages"),
            "PDF" => ("pdf_documents", "PDFs"),
            "FILES" => ("read_files", "packages"),
            _ => continue,
        };
        let condition = match function {
            // The other files are those of the other functions.
            "read_files" => format!("source_file ~* {}", literal(PACKAGED)),
            _ => "true".to_owned(),
        };
        for mut error in errors_of(&app, function, &location, &condition).await? {
            error["of"] = of.into();
            errors.push(error);
        }
    }
    errors.sort_by_key(|error| Reverse(error["count"].as_i64()));
    Ok(Json(json!({"kinds": kinds, "errors": errors})))
}

/// The errors of a table function by their kind, with the command that reads those files again.
async fn errors_of(
    app: &App,
    function: &str,
    location: &str,
    condition: &str,
) -> Result<Vec<Value>, Problem> {
    let table = format!("{function}({location})");
    let sql = format!(
        "SELECT kind, CAST(sum(count) AS bigint) AS count, max(file) AS files, \
         array_agg(source_file) FILTER (WHERE file <= {MAX_NAMED_FILES}) AS names, \
         min(example) AS example \
         FROM (SELECT *, row_number() OVER (PARTITION BY kind ORDER BY source_file) AS file \
         FROM (SELECT {ERROR_KIND} AS kind, source_file, count(*) AS count, min(error) AS example \
         FROM {table} WHERE error IS NOT NULL AND {condition} GROUP BY kind, source_file)) \
         GROUP BY kind ORDER BY count DESC, kind LIMIT {MAX_GROUPS}"
    );
    let groups = rows(app, sql, None).await?;
    let errors = Row::each(&groups).map(|group| {
        let kind = group.text(&["kind"]).unwrap_or_default();
        let kind_is = format!("{ERROR_KIND} = {}", literal(&kind));
        let sql = format!("SELECT * FROM {table} WHERE {kind_is}");
        let again = match (group.number(&["files"]), group.json("names")) {
            (Some(files), Value::Array(names)) if files <= MAX_NAMED_FILES => {
                of_files(function, &names)
            }
            _ => sql.clone(),
        };
        json!({
            "error": kind,
            "example": group.text(&["example"]),
            "count": group.number(&["count"]),
            "sql": typed(&sql),
            "again": format!("corpus-sql -c {}", quote(&typed(&again))),
        })
    });
    Ok(errors.collect())
}

/// The statement that reads files again. Members of a package are read with it.
fn of_files(function: &str, names: &[Value]) -> String {
    let names: BTreeSet<&str> = names.iter().filter_map(Value::as_str).collect();
    let packages: BTreeSet<&str> = names.iter().map(|name| package_of(name).0).collect();
    let list = |names: &BTreeSet<&str>| {
        let names: Vec<_> = names.iter().map(|name| literal(name)).collect();
        names.join(", ")
    };
    let condition = if names == packages {
        String::new()
    } else {
        format!(" WHERE source_file IN ({})", list(&names))
    };
    let location = match packages.len() {
        1 => list(&packages),
        _ => format!("[{}]", list(&packages)),
    };
    format!("SELECT * FROM {function}({location}){condition}")
}
