//! `interval_text`, which writes the intervals in values of any type as casts to text do.
//!
//! Parquet, CSV and JSON have no intervals. Arrow would write the difference of two timestamps as
//! `PT129600S`, or as an integer. Structs without fields become `{}`, because Parquet has none.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::value_text;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};
use crate::nested_types::replaced_type;

pub fn interval_text() -> ScalarUDF {
    AnyTyped::new(
        "interval_text",
        document(
            INTERNAL,
            "interval_text(value)",
            "Returns the value, with texts in place of intervals and structs without fields, also inside lists and structs.",
            "> SELECT interval_text([INTERVAL '1 day']);\n[1 day]",
            &[("value", "A value of any type.")],
        ),
        |given| Ok(given.to_vec()),
        |given| Ok(type_with_texts(&given[0]).unwrap_or_else(|| given[0].clone())),
        |args| with_texts(&args[0]),
    )
    .into()
}

/// Whether a type is that of intervals.
pub fn is_interval(kind: &DataType) -> bool {
    matches!(kind, DataType::Duration(_) | DataType::Interval(_))
}

/// Returns a type with texts in place of intervals and structs without fields. `None` if it has
/// neither.
pub fn type_with_texts(kind: &DataType) -> Option<DataType> {
    replaced_type(kind, &|part| {
        let is_empty = matches!(part, DataType::Struct(fields) if fields.is_empty());
        (is_empty || is_interval(part)).then_some(DataType::LargeUtf8)
    })
}

/// Returns the columns with texts in place of intervals and structs without fields.
pub fn batch_with_texts(batch: &RecordBatch) -> Result<RecordBatch> {
    let schema = batch.schema();
    let columns = batch.columns().iter().map(with_texts);
    let columns: Vec<ArrayRef> = columns.collect::<Result<_>>()?;
    let fields = schema.fields().iter().zip(&columns);
    let fields = fields.map(|(field, column)| -> Field {
        field
            .as_ref()
            .clone()
            .with_data_type(column.data_type().clone())
    });
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone());
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        Arc::new(schema),
        columns,
        &options,
    )?)
}

fn with_texts(values: &ArrayRef) -> Result<ArrayRef> {
    match type_with_texts(values.data_type()) {
        None => Ok(Arc::clone(values)),
        Some(DataType::LargeUtf8) => value_text::texts(values),
        Some(kind) => {
            let data = values.to_data();
            let children = data.child_data().iter();
            let children =
                children.map(|child| Ok(with_texts(&make_array(child.clone()))?.to_data()));
            let children = children.collect::<Result<_>>()?;
            let data = data.into_builder().data_type(kind).child_data(children);
            Ok(make_array(data.build()?))
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{AsArray, StructArray};
    use datafusion::arrow::buffer::NullBuffer;

    use super::super::null_masked::masked;
    use super::*;

    #[test]
    fn structs_without_fields_are_texts() {
        let nulls = NullBuffer::from(vec![true, false]);
        let structs: ArrayRef = Arc::new(StructArray::new_empty_fields(2, Some(nulls)));
        assert_eq!(masked(&structs).unwrap().len(), 2);
        let texts = with_texts(&structs).unwrap();
        let texts: Vec<Option<&str>> = texts.as_string::<i64>().iter().collect();
        assert_eq!(texts, [Some("{}"), None]);
    }
}
