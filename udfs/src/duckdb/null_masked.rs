//! `null_masked`, which removes the values under NULL of nested columns.
//!
//! CASE and `nullif` declare structs and lists NULL, but leave their fields and items in place, and
//! PyArrow writes zeros for the fields. DataFusion's functions of fields and lists would find them.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, StructArray, UInt64Array, make_array,
};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

pub fn null_masked() -> ScalarUDF {
    AnyTyped::new(
        "null_masked",
        document(
            INTERNAL,
            "null_masked(value)",
            "Returns the value.",
            "> SELECT null_masked([1]);\n[1]",
            &[("value", "A struct, a list or a map.")],
        ),
        |given| Ok(given.to_vec()),
        |types| Ok(types[0].clone()),
        |args| masked(&without_hidden(&args[0])?),
    )
    .into()
}

pub fn masked(values: &ArrayRef) -> Result<ArrayRef> {
    let Some(nulls) = values.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return Ok(Arc::clone(values));
    };
    Ok(match values.data_type() {
        DataType::Struct(fields) => {
            let (fields, nulls) = (fields.clone(), nulls.clone());
            let columns = values.as_struct().columns().iter();
            let columns = columns.map(|column| with_nulls(column, &nulls));
            let columns = columns.collect::<Result<_>>()?;
            let length = values.len();
            Arc::new(StructArray::try_new_with_length(
                fields,
                columns,
                Some(nulls),
                length,
            )?)
        }
        _ => {
            let places = (0..values.len() as u64).zip(nulls.iter());
            let places = places.map(|(place, is_valid)| is_valid.then_some(place));
            take(values, &places.collect::<UInt64Array>(), None)?
        }
    })
}

/// Removes the values under NULL in the structs of a batch.
pub fn without_hidden_fields(batch: RecordBatch) -> Result<RecordBatch> {
    let has_structs = |field: &FieldRef| field.data_type().is_nested();
    if !batch.schema_ref().fields().iter().any(has_structs) {
        return Ok(batch);
    }
    let columns = batch.columns().iter().map(without_hidden);
    let columns = columns.collect::<Result<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        batch.schema(),
        columns,
        &options,
    )?)
}

/// Removes the values under NULL in structs, also in lists.
fn without_hidden(values: &ArrayRef) -> Result<ArrayRef> {
    let parts: Vec<&ArrayRef> = match values.data_type() {
        DataType::Struct(_) => values.as_struct().columns().iter().collect(),
        DataType::List(_) => vec![values.as_list::<i32>().values()],
        DataType::LargeList(_) => vec![values.as_list::<i64>().values()],
        _ => return Ok(Arc::clone(values)),
    };
    let cleaned = parts.iter().map(|part| without_hidden(part));
    let cleaned: Vec<ArrayRef> = cleaned.collect::<Result<_>>()?;
    let mut values = Arc::clone(values);
    if parts
        .iter()
        .zip(&cleaned)
        .any(|(part, new)| !Arc::ptr_eq(part, new))
    {
        let parts = cleaned.iter().map(|part| part.to_data()).collect();
        let data = values.to_data().into_builder().child_data(parts);
        values = make_array(data.build()?);
    }
    match values.data_type() {
        DataType::Struct(_) => masked(&values),
        _ => Ok(values),
    }
}

/// Adds the NULLs of a struct to a field.
fn with_nulls(column: &ArrayRef, nulls: &NullBuffer) -> Result<ArrayRef> {
    if column.data_type().is_null() {
        return Ok(Arc::clone(column));
    }
    let nulls = NullBuffer::union(column.nulls(), Some(nulls));
    let data = column.to_data().into_builder().nulls(nulls).build()?;
    masked(&make_array(data))
}
