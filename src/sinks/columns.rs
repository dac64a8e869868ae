//! Converts the columns of a query to the types of a written format.
//!
//! Conversions that would change a value are errors. Arrow's casts do not report them: they
//! reinterpret numbers as binary, and replace values that do not fit by NULL.

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::error::DataFusionError;

use corpus_bytes::columns::ColumnType;
use corpus_columns::record::data_type;

/// The maximum length of a value shown in an error.
const MAX_SHOWN_CHARS: usize = 100;

/// Checks during planning that a column, if it exists, can be written as `kind`.
pub fn check_type(schema: &Schema, name: &str, kind: ColumnType) -> Result<()> {
    let Ok(field) = schema.field_with_name(name) else {
        return Ok(());
    };
    let found = field.data_type();
    if is_accepted(found, kind) {
        return Ok(());
    }
    let (expected, advice) = match kind {
        ColumnType::Text => ("text", format!("CAST({name} AS TEXT)")),
        ColumnType::Bytes => ("binary or text", format!("CAST({name} AS TEXT)")),
        ColumnType::Timestamp => ("a timestamp", format!("to_timestamp({name})")),
        ColumnType::Boolean => ("a boolean", format!("CAST({name} AS BOOLEAN)")),
        ColumnType::Integer => ("an integer", format!("CAST({name} AS BIGINT)")),
        ColumnType::Double => ("a number", format!("CAST({name} AS DOUBLE)")),
        ColumnType::Pairs => (
            "a list of structs of name and value",
            "the column of read_warc".to_owned(),
        ),
    };
    plan_err!("the column {name} is {found}, expected {expected}: use {advice}")
}

fn is_accepted(found: &DataType, kind: ColumnType) -> bool {
    use DataType as T;
    let is_text = matches!(found, T::Utf8 | T::LargeUtf8 | T::Utf8View);
    match (found, kind) {
        (T::Null, _) => true,
        (T::Dictionary(_, values), _) => is_accepted(values, kind),
        (_, ColumnType::Text) => is_text,
        (T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_), ColumnType::Bytes) => {
            true
        }
        (_, ColumnType::Bytes) => is_text,
        (T::Timestamp(..) | T::Date32 | T::Date64, ColumnType::Timestamp) => true,
        (_, ColumnType::Timestamp) => is_text,
        (T::Boolean, ColumnType::Boolean) => true,
        (found, ColumnType::Integer) => found.is_integer(),
        (found, ColumnType::Double) => found.is_numeric(),
        (T::List(_) | T::LargeList(_) | T::FixedSizeList(..), ColumnType::Pairs) => true,
        _ => false,
    }
}

/// Returns a column converted to `kind`, or `None` if the batch has no such column. A value that
/// cannot be converted is an error.
pub fn column(batch: &RecordBatch, name: &str, kind: ColumnType) -> Result<Option<ArrayRef>> {
    let Some(column) = batch.column_by_name(name) else {
        return Ok(None);
    };
    let target = data_type(kind);
    let converted = cast(column, &target)
        .map_err(|error| DataFusionError::from(error).context(format!("the column {name}")))?;
    if converted.logical_null_count() > column.logical_null_count() {
        let lost = (0..column.len()).find(|row| column.is_valid(*row) && converted.is_null(*row));
        let value = lost
            .map(|row| array_value_to_string(column, row))
            .transpose()?;
        let shown: String = value
            .unwrap_or_default()
            .chars()
            .take(MAX_SHOWN_CHARS)
            .collect();
        return exec_err!("the column {name} has a value that is not {target}: '{shown}'");
    }
    Ok(Some(converted))
}
