//! The book of a scanned page. Its pages are measured as the job hocr_cropping measures them.

use serde_json::{Map, Value, json};

use super::original::{check_place, file_of, package_of};
use super::{Row, object, parsed_once, rows};
use crate::sql::syntax::literal;
use crate::ui::App;
use crate::ui::folder::format_of;
use crate::ui::messages::{Answer, Json, QueryParams};

/// Returns the measures of a page beside those of its book. Empty if the book is not known.
pub async fn measures(app: &App, row: &Row, query: &QueryParams) -> Answer {
    check_place(app, row, query)?;
    let page = query.number("page")?.unwrap_or(1);
    let Some((file, key, source)) = source(row) else {
        return Ok(Json(Value::Object(Map::new())));
    };
    let sql = include_str!("book.sql").replace("pages_of_the_book", &format!("({source})"));
    let pages = parsed_once(app, &file, &source, rows(app, sql, None)).await?;
    let sql = format!(
        "SELECT * FROM shown WHERE page_key = {} AND page = {page}",
        literal(&key)
    );
    let found = rows(app, sql, Some(pages)).await?;
    Ok(Json(match found.num_rows() {
        0 => json!({}),
        _ => Value::Object(object(&found)),
    }))
}

/// Returns the file of a page, its key, and a query for the pages of its book. Keys of a book are
/// equal up to the last slash.
fn source(row: &Row) -> Option<(String, String, String)> {
    let file = file_of(row)?;
    let (package, member) = package_of(&file);
    let (key, columns, table) = match format_of(member.unwrap_or(package)).as_deref() {
        Some("SEQUENCEFILE") => {
            let columns = ("CAST(key AS text)", "value");
            (row.text(&["key", "url"])?, columns, "read_sequencefile")
        }
        None | Some("HOCR") => (file.clone(), ("source_file", "content"), "read_hocr"),
        _ => return None,
    };
    let book = &key[..key.rfind(['/', '!'])?];
    let location = match (table, member) {
        ("read_hocr", None) => format!("{book}/"),
        _ => package.to_owned(),
    };
    let (name, data) = columns;
    let source = format!(
        "SELECT {name} AS page_key, {data} AS data FROM {table}({}) \
         WHERE regexp_replace({name}, '[/!][^/!]*$', '') = {}",
        literal(&location),
        literal(book)
    );
    Some((location, key, source))
}
