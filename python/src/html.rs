//! Results as HTML, for notebooks.

use std::fmt::Write as _;

use corpus_sql::results::cells::{Detail, one_line, rows};
use datafusion::arrow::array::{Array as _, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use pyo3::prelude::*;

use crate::errors::exception;

/// The maximum width of a cell, in characters of a terminal.
const MAX_CELL_WIDTH: usize = 160;

/// Returns the first rows of a result as a table. `has_more`: whether there are more rows.
pub fn table(schema: &SchemaRef, batches: &[RecordBatch], has_more: bool) -> PyResult<String> {
    let mut html = String::from("<table>\n<thead><tr>");
    for field in schema.fields() {
        let name = escape_html(field.name());
        let kind = escape_html(&corpus_columns::type_name(field.data_type()));
        // Writing to a string does not fail, here and below.
        let _ = write!(html, "<th>{name}<br><small>{kind}</small></th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for batch in batches {
        let rows = rows(batch, Detail::Short).map_err(|error| exception(&error))?;
        for (number, cells) in rows.iter().enumerate() {
            html.push_str("<tr>");
            for (cell, column) in cells.iter().zip(batch.columns()) {
                if column.is_null(number) || column.data_type().is_null() {
                    html.push_str("<td><i>NULL</i></td>")
                } else {
                    let text = escape_html(&one_line(cell, MAX_CELL_WIDTH));
                    let _ = write!(html, "<td>{text}</td>");
                }
            }
            html.push_str("</tr>\n");
        }
    }
    html.push_str("</tbody>\n</table>");
    if has_more {
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        let _ = write!(html, "\n<p>The first {rows} rows.</p>");
    }
    Ok(html)
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
