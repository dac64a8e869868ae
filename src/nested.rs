//! Lists and structs as JSON, for formats without them.

use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::json::WriterBuilder as JsonBuilder;
use datafusion::arrow::json::writer::{JsonFormat, LineDelimited};
use datafusion::error::Result;

/// Converts lists and structs to JSON, because CSV has no such types.
pub fn flatten(batch: &RecordBatch) -> Result<RecordBatch> {
    let schema = batch.schema();
    let mut fields = Vec::with_capacity(batch.num_columns());
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        if column.data_type().is_nested() {
            fields.push(Field::new(field.name(), DataType::Utf8, true));
            columns.push(as_json(column)?);
        } else {
            fields.push(field.as_ref().clone());
            columns.push(Arc::clone(column));
        }
    }
    Ok(RecordBatch::try_new(
        Arc::new(Schema::new(fields)),
        columns,
    )?)
}

/// Converts each value to JSON text; NULL stays NULL.
fn as_json(column: &ArrayRef) -> Result<ArrayRef> {
    let batch = RecordBatch::try_from_iter_with_nullable([("v", Arc::clone(column), true)])?;
    let lines = json_lines(&batch)?;
    let values: StringArray = lines
        .lines()
        .enumerate()
        .map(|(row, line)| {
            let value = line.strip_prefix("{\"v\":")?.strip_suffix('}')?;
            (!column.is_null(row)).then_some(value)
        })
        .collect();
    Ok(Arc::new(values))
}

/// Returns the rows as JSON, one per line.
pub fn json_lines(batch: &RecordBatch) -> Result<String> {
    let mut bytes = Vec::new();
    write_json::<LineDelimited>(batch, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes the rows as JSON.
pub fn write_json<F: JsonFormat>(batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
    let mut writer = JsonBuilder::new()
        .with_explicit_nulls(true)
        .build::<_, F>(out);
    writer.write(batch)?;
    Ok(writer.finish()?)
}
