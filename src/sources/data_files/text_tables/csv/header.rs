//! Reads CSV files by the names in their headers. DataFusion's source reads the columns of all
//! files by their place in the table.

use std::collections::HashSet;
use std::io::Cursor;
use std::sync::Arc;

use bytes::BytesMut;
use datafusion::arrow::csv::reader::Format;
use datafusion::arrow::datatypes::{FieldRef, Schema};
use datafusion::common::config::CsvOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::common::{Result, ScalarValue, internal_err, plan_err};
use datafusion::datasource::physical_plan::{CsvSource, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Column, Literal};
use futures::StreamExt;
use object_store::{ObjectMeta, ObjectStore};

use super::super::contents::Contents;
use super::record_ends::{MAX_SAMPLE_BYTES, RecordEnds};

/// Names columns as DuckDB does: `column0` if a header leaves the name out, which pandas does for
/// its index, and `a_1` for the second `a`.
pub fn named<'a>(header: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut used = HashSet::new();
    let mut names = Vec::new();
    for (place, name) in header.enumerate() {
        let name = if name.is_empty() {
            format!("column{place}")
        } else {
            name.to_owned()
        };
        let mut unique = name.clone();
        let mut number = 1;
        while !used.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        names.push(unique);
    }
    names
}

/// Returns the names of the columns in the order of a file. Without a header, there are none.
async fn names_in(
    store: &Arc<dyn ObjectStore>,
    object: &ObjectMeta,
    options: &CsvOptions,
) -> Result<Vec<String>> {
    let mut contents = Contents::open(store, object).await?;
    let mut records = RecordEnds::new(options);
    let mut head = BytesMut::new();
    while let Some(chunk) = contents.chunks.next().await {
        let chunk = chunk?;
        head.extend_from_slice(&chunk);
        if records.last_in(&chunk).is_some() || head.len() >= MAX_SAMPLE_BYTES {
            break;
        }
    }
    let mut format = Format::default()
        .with_header(true)
        .with_delimiter(options.delimiter)
        .with_quote(options.quote);
    if let Some(escape) = options.escape {
        format = format.with_escape(escape);
    }
    if let Some(comment) = options.comment {
        format = format.with_comment(comment);
    }
    if let Some(terminator) = options.terminator {
        format = format.with_terminator(terminator);
    }
    let (header, _) = format.infer_schema(Cursor::new(head), Some(0))?;
    Ok(named(
        header.fields().iter().map(|field| field.name().as_str()),
    ))
}

/// Returns a source for one file if its header has the columns of the table in another order, or
/// only some of them: the others are NULL. `None` if the table's source can read the file.
pub async fn source_for(
    source: &Arc<dyn FileSource>,
    batch_rows: Option<usize>,
    store: &Arc<dyn ObjectStore>,
    object: &ObjectMeta,
) -> Result<Option<Arc<dyn FileSource>>> {
    let Some(csv) = source.downcast_ref::<CsvSource>() else {
        return internal_err!("expected a source of CSV, got {}", source.file_type());
    };
    if !csv.has_header() || object.size == 0 {
        return Ok(None);
    }
    let options = options_of(csv);
    let names = names_in(store, object, &options).await?;
    let table = csv.table_schema();
    let columns = table.file_schema().fields();
    if columns.iter().map(|column| column.name()).eq(&names) {
        return Ok(None);
    }
    let fields = names.iter().map(|name| field_of(columns, name));
    let fields: Vec<FieldRef> = fields.collect::<Result<_>>()?;
    let schema = TableSchema::builder(Arc::new(Schema::new(fields)))
        .with_table_partition_cols(table.table_partition_cols().clone())
        .with_virtual_columns(table.virtual_columns().clone())
        .build();
    let mut own: Arc<dyn FileSource> = Arc::new(CsvSource::new(schema).with_csv_options(options));
    if let Some(rows) = batch_rows {
        own = own.with_batch_size(rows);
    }
    let Some(projection) = csv.projection() else {
        return Ok(Some(own));
    };
    let moved = projection.clone().try_map_exprs(|expr| {
        expr.transform_up(|expr| moved(expr, columns, &names))
            .data()
    })?;
    own.try_pushdown_projection(&moved)
}

/// Replaces a column of the table by that of a file.
fn moved(
    expr: Arc<dyn PhysicalExpr>,
    columns: &[FieldRef],
    names: &[String],
) -> Result<Transformed<Arc<dyn PhysicalExpr>>> {
    let Some(column) = expr.downcast_ref::<Column>() else {
        return Ok(Transformed::no(expr));
    };
    let Some(field) = columns.get(column.index()) else {
        // Columns that are not in the files follow those of the files.
        let index = column.index() - columns.len() + names.len();
        return Ok(Transformed::yes(Arc::new(Column::new(
            column.name(),
            index,
        ))));
    };
    let place = names.iter().position(|name| name == field.name());
    Ok(Transformed::yes(match place {
        Some(place) => Arc::new(Column::new(field.name(), place)),
        None => Arc::new(Literal::new(ScalarValue::try_from(field.data_type())?)),
    }))
}

fn field_of(columns: &[FieldRef], name: &str) -> Result<FieldRef> {
    match columns.iter().find(|column| column.name() == name) {
        Some(column) => Ok(Arc::clone(column)),
        None => plan_err!(
            "the column '{name}' is not in the first files: declare the columns in CREATE EXTERNAL \
             TABLE, or read this file alone"
        ),
    }
}

fn options_of(csv: &CsvSource) -> CsvOptions {
    CsvOptions {
        has_header: Some(csv.has_header()),
        delimiter: csv.delimiter(),
        quote: csv.quote(),
        terminator: csv.terminator(),
        escape: csv.escape(),
        comment: csv.comment(),
        newlines_in_values: Some(csv.newlines_in_values()),
        truncated_rows: Some(csv.truncate_rows()),
        ..CsvOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_columns_have_different_names() {
        let header = ["", "a", "a", "a_1", "", "column0"];
        let names = named(header.into_iter());
        let expected = ["column0", "a", "a_1", "a_1_1", "column4", "column0_1"];
        assert_eq!(names, expected);
    }
}
