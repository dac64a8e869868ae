//! Lists and structs as JSON, for formats without them.

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use corpus_udfs::duckdb::batch_with_texts;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::arrow::json::WriterBuilder as JsonBuilder;
use datafusion::arrow::json::writer::{JsonFormat, LineDelimited};
use datafusion::error::Result;

/// Converts lists and structs to JSON, and intervals to texts, because CSV has no such types.
pub fn flatten(batch: &RecordBatch) -> Result<RecordBatch> {
    let batch = batch_with_texts(batch)?;
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
    writer.write(&for_json(&batch_with_texts(batch)?)?)?;
    Ok(writer.finish()?)
}

/// Gives repeated names a number, because the last one would hide the others, and maps keys of
/// text, because JSON has no others.
fn for_json(batch: &RecordBatch) -> Result<RecordBatch> {
    let schema = batch.schema();
    let mut used: HashSet<String> = HashSet::new();
    let mut fields = Vec::with_capacity(batch.num_columns());
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        let mut name = field.name().clone();
        let mut number = 0;
        while used.contains(&name) {
            number += 1;
            name = format!("{}_{number}", field.name());
        }
        used.insert(name.clone());
        let kind = with_text_keys(field.data_type());
        let column = if kind == *field.data_type() {
            Arc::clone(column)
        } else {
            cast(column, &kind)?
        };
        fields.push(field.as_ref().clone().with_name(name).with_data_type(kind));
        columns.push(column);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(
        schema, columns, &options,
    )?)
}

/// A type whose maps have texts as keys.
fn with_text_keys(kind: &DataType) -> DataType {
    let changed = |field: &FieldRef| {
        let kind = with_text_keys(field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(kind))
    };
    match kind {
        DataType::List(item) => DataType::List(changed(item)),
        DataType::LargeList(item) => DataType::LargeList(changed(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(changed).collect()),
        DataType::Map(entries, is_sorted) => {
            let DataType::Struct(fields) = entries.data_type() else {
                return kind.clone();
            };
            let fields = fields.iter().enumerate().map(|(place, field)| {
                if place == 0 && !field.data_type().is_string() {
                    Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8))
                } else {
                    changed(field)
                }
            });
            let fields = DataType::Struct(fields.collect());
            let entries = entries.as_ref().clone().with_data_type(fields);
            DataType::Map(Arc::new(entries), *is_sorted)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::builder::Int64Builder;
    use datafusion::arrow::array::{Int64Array, MapBuilder, StringBuilder};

    use super::*;

    #[test]
    fn names_differ_and_keys_are_texts() {
        let mut maps = MapBuilder::new(None, Int64Builder::new(), StringBuilder::new());
        maps.keys().append_value(7);
        maps.values().append_value("x");
        maps.append(true).unwrap();
        let number = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
        let batch = RecordBatch::try_from_iter([
            ("id", number()),
            ("id", number()),
            ("m", Arc::new(maps.finish()) as ArrayRef),
        ]);
        assert_eq!(
            json_lines(&batch.unwrap()).unwrap(),
            "{\"id\":1,\"id_1\":1,\"m\":{\"7\":\"x\"}}\n"
        );
    }
}
