//! Results as HTML, for notebooks.

use std::fmt::Write as _;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use pyo3::prelude::*;

use crate::errors::exception;

/// Cells are cut after this many characters.
const MAX_CELL_CHARS: usize = 200;

/// Returns the first rows of a result as a table. `has_more` says that there are others.
pub fn table(schema: &SchemaRef, batches: &[RecordBatch], has_more: bool) -> PyResult<String> {
    let mut html = String::from("<table>\n<thead><tr>");
    for field in schema.fields() {
        let kind = corpus_columns::type_name(field.data_type());
        // Writing to a string does not fail, here and below.
        let _ = write!(
            html,
            "<th>{}<br><small>{}</small></th>",
            escaped(field.name()),
            escaped(&kind)
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    let options = FormatOptions::default().with_display_error(true);
    for batch in batches {
        let formatters = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column.as_ref(), &options))
            .collect::<Result<Vec<_>, _>>();
        let formatters = formatters.map_err(|error| exception(&error.into()))?;
        for row in 0..batch.num_rows() {
            html.push_str("<tr>");
            for (column, formatter) in batch.columns().iter().zip(&formatters) {
                match column.is_null(row) || column.data_type().is_null() {
                    true => html.push_str("<td><i>NULL</i></td>"),
                    false => {
                        let text = formatter.value(row).to_string();
                        let _ = write!(html, "<td>{}</td>", escaped(&cut(&text)));
                    }
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

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CELL_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
