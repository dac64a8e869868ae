//! Numbers and dates that keep their value, or are errors.
//!
//! Arrow reads 1.5 as 1 in a column of integers, cuts digits of decimals, and drops the time of day
//! in a column of dates.
//! Columns whose values were all examined have no such values.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;

use super::super::decimals::rounded;

/// Reads some columns as texts, and converts them.
#[derive(Debug, Clone)]
pub struct CheckedColumns {
    /// The columns of the reader.
    pub read: SchemaRef,
    /// The columns of the table.
    schema: SchemaRef,
}

impl CheckedColumns {
    /// `is_checked`: whether values may not fit.
    pub fn new(schema: SchemaRef, is_checked: bool) -> Self {
        let read = schema.fields().iter().map(|field| {
            let field = field.as_ref().clone();
            if is_checked && is_lossy(field.data_type()) {
                field.with_data_type(DataType::Utf8)
            } else {
                field
            }
        });
        let read = Schema::new(read.collect::<Vec<Field>>());
        Self {
            read: Arc::new(read),
            schema,
        }
    }

    pub fn fields(&self) -> &Fields {
        self.read.fields()
    }

    /// Converts the rows of the reader.
    pub fn convert(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        if batch.num_columns() == 0 || self.read == self.schema {
            return Ok(batch);
        }
        let columns = batch.columns().iter().zip(self.schema.fields());
        let columns = columns.map(|(column, field)| {
            if column.data_type() == field.data_type() {
                return Ok(Arc::clone(column));
            }
            convert(column.as_string::<i32>(), field)
        });
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

/// Whether Arrow's reader may change values of a type.
fn is_lossy(data_type: &DataType) -> bool {
    data_type.is_numeric() && !data_type.is_floating()
        || matches!(data_type, DataType::Date32 | DataType::Date64)
}

fn convert(texts: &StringArray, field: &Field) -> Result<ArrayRef, ArrowError> {
    let data_type = field.data_type();
    let mut plain = Vec::with_capacity(texts.len());
    for text in texts {
        let has_time = |text: &str| text.contains([':', 'T', ' ']);
        if let Some(text) = text
            && !data_type.is_numeric()
            && has_time(text)
        {
            return Err(misfit(text, field));
        }
        plain.push(text.map(|text| match rounded(text, data_type) {
            Some(decimal) => decimal.into_owned(),
            None => whole(text, data_type),
        }));
    }
    let plain: StringArray = plain.into_iter().collect();
    let options = CastOptions {
        safe: true,
        ..CastOptions::default()
    };
    let array = cast_with_options(&plain, data_type, &options)?;
    let lost = (0..array.len()).find(|row| array.is_null(*row) && !texts.is_null(*row));
    match lost {
        None => Ok(array),
        Some(row) => Err(misfit(texts.value(row), field)),
    }
}

/// Returns whole numbers such as 5.0 and 1e3 as integers.
fn whole(text: &str, data_type: &DataType) -> String {
    /// Beyond this, floating-point numbers are not exact.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    if data_type.is_integer()
        && text.contains(['.', 'e', 'E'])
        && let Ok(number) = text.parse::<f64>()
        && number.fract() == 0.0
        && number.abs() < MAX_EXACT
    {
        return format!("{number:.0}");
    }
    text.to_owned()
}

fn misfit(text: &str, field: &Field) -> ArrowError {
    let (name, data_type) = (field.name(), field.data_type());
    ArrowError::JsonError(format!(
        "the field '{name}' has {text}, which does not fit the type {data_type}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: Option<&str>, data_type: DataType, is_checked: bool) -> Result<i64, String> {
        let schema = Arc::new(Schema::new(vec![Field::new("v", data_type, true)]));
        let columns = CheckedColumns::new(schema, is_checked);
        assert_eq!(columns.fields()[0].data_type(), &DataType::Utf8);
        let texts = Arc::new(StringArray::from(vec![None, text]));
        let batch = RecordBatch::try_new(Arc::clone(&columns.read), vec![texts]).unwrap();
        let batch = columns.convert(batch).map_err(|error| error.to_string())?;
        assert!(batch.column(0).is_null(0));
        let numbers = cast_with_options(batch.column(0), &DataType::Int64, &CastOptions::default());
        let numbers = numbers.unwrap();
        Ok(numbers
            .as_primitive::<datafusion::arrow::datatypes::Int64Type>()
            .value(1))
    }

    #[test]
    fn values_that_do_not_fit_are_errors() {
        for (text, data_type, expected) in [
            ("5", DataType::Int64, Some(5)),
            ("5.0", DataType::Int64, Some(5)),
            ("-1e3", DataType::Int32, Some(-1000)),
            ("1.5", DataType::Int64, None),
            ("1e300", DataType::Int64, None),
            ("300", DataType::Int8, None),
            ("-1", DataType::UInt64, None),
            ("x", DataType::Int64, None),
            ("2.5", DataType::Decimal128(5, 0), Some(3)),
            ("-1e2", DataType::Decimal128(5, 0), Some(-100)),
            ("x", DataType::Decimal128(5, 2), None),
            ("1970-01-03", DataType::Date32, Some(2)),
            ("1970-01-03T10:00:00", DataType::Date32, None),
            ("1970-02-30", DataType::Date32, None),
        ] {
            let found = convert(Some(text), data_type.clone(), true);
            match expected {
                Some(number) => assert_eq!(found, Ok(number), "{text}"),
                None => {
                    let error = found.unwrap_err();
                    let expected = format!("the field 'v' has {text}, which does not fit");
                    assert!(error.contains(&expected), "{error}");
                }
            }
        }
    }

    #[test]
    fn searched_columns_are_read_by_arrow() {
        let schema = Arc::new(Schema::new(vec![Field::new("v", DataType::Int64, true)]));
        assert_eq!(CheckedColumns::new(Arc::clone(&schema), false).read, schema);
    }
}
