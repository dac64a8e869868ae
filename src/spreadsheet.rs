//! Rows as Excel files.

use std::sync::Arc;

use corpus_udfs::duckdb::value_text;
use corpus_xlsx::{Cell, Workbook};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Date32Array, Float64Array, Int64Array,
    LargeStringArray, RecordBatch,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Float64Type, Int64Type, Schema, TimeUnit,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::Result;

use crate::buffer::Buffer;
use crate::nested_as_json::flatten;

/// Widths of columns, in characters.
const TEXT_WIDTH: usize = 40;
const VALUE_WIDTH: usize = 12;
const TIME_WIDTH: usize = 20;

/// The number of digits that Excel preserves.
const SAFE_DIGITS: usize = 15;

/// A file with one sheet that is being written.
pub struct Spreadsheet {
    buffer: Buffer,
    columns: Vec<String>,
    workbook: Workbook<Buffer>,
}

impl Spreadsheet {
    /// Begins a file with these names of columns.
    pub fn new(schema: &Schema, columns: Vec<String>) -> Result<Self> {
        let widths = schema.fields().iter().map(|field| width(field.data_type()));
        let named = columns.iter().map(String::as_str).zip(widths);
        let buffer = Buffer::default();
        let workbook = Workbook::new(buffer.clone(), &named.collect::<Vec<_>>())?;
        Ok(Self {
            buffer,
            columns,
            workbook,
        })
    }

    /// Adds rows. Returns the next bytes of the file.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<Vec<u8>> {
        let batch = flatten(batch)?;
        let columns: Vec<Column> = batch
            .columns()
            .iter()
            .map(Column::new)
            .collect::<Result<_>>()?;
        for row in 0..batch.num_rows() {
            self.workbook
                .row(columns.iter().map(|column| column.cell(row)))?;
        }
        Ok(self.buffer.take())
    }

    /// Ends the file. Returns its last bytes.
    pub fn finish(self) -> Result<Vec<u8>> {
        let (buffer, cut) = self.workbook.finish()?;
        for (name, cut) in self.columns.iter().zip(cut) {
            if cut > 0 {
                let texts = if cut == 1 { "text" } else { "texts" };
                log::warn!(
                    "{cut} {texts} of the column {name} cut: a cell of Excel holds {} characters; \
                     write CSV or Parquet for whole texts",
                    corpus_xlsx::MAX_TEXT_UNITS
                );
            }
        }
        Ok(buffer.take())
    }
}

fn width(data_type: &DataType) -> usize {
    match data_type {
        DataType::Timestamp(..) => TIME_WIDTH,
        data_type if data_type.is_numeric() || data_type.is_temporal() => VALUE_WIDTH,
        DataType::Boolean => VALUE_WIDTH,
        _ => TEXT_WIDTH,
    }
}

/// The values of a column in the types of a sheet.
enum Column {
    Boolean(BooleanArray),
    Integer(Int64Array),
    Number(Float64Array),
    Date(Date32Array, Texts),
    Time(Int64Array, TimeUnit, Texts),
    /// Numbers as texts, because no type of a sheet can represent all of them.
    Digits(LargeStringArray),
    Text(LargeStringArray),
}

/// The texts of dates, if Excel cannot represent all of them.
type Texts = Option<LargeStringArray>;

impl Column {
    fn new(array: &ArrayRef) -> Result<Self> {
        let is_utc = |zone: &Option<Arc<str>>| {
            let zone = zone.as_deref();
            zone.is_none_or(|zone| matches!(zone, "UTC" | "Z" | "+00:00"))
        };
        let column = match array.data_type() {
            DataType::Dictionary(_, values) => return Self::new(&cast(array, values)?),
            DataType::RunEndEncoded(_, values) => {
                return Self::new(&cast(array, values.data_type())?);
            }
            DataType::Null => Self::Text(LargeStringArray::new_null(array.len())),
            DataType::Boolean => Self::Boolean(array.as_boolean().clone()),
            DataType::Float64 => Self::Number(array.as_primitive::<Float64Type>().clone()),
            DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32 => {
                let integers = cast(array, &DataType::Int64)?;
                Self::Integer(integers.as_primitive::<Int64Type>().clone())
            }
            kind if kind.is_numeric() => Self::Digits(texts(array)?),
            DataType::Date32 | DataType::Date64 => {
                let dates = cast(array, &DataType::Date32)?;
                Self::Date(dates.as_primitive::<Date32Type>().clone(), None)
            }
            DataType::Timestamp(unit, zone) if is_utc(zone) => {
                let unit = *unit;
                let numbers = cast(array, &DataType::Int64)?;
                Self::Time(numbers.as_primitive::<Int64Type>().clone(), unit, None)
            }
            _ => Self::Text(texts(array)?),
        };
        let mut rows = 0..array.len();
        let lacks_text = rows.any(|row| array.is_valid(row) && column.cell(row) == Cell::Empty);
        Ok(match column {
            Self::Date(values, _) if lacks_text => Self::Date(values, Some(texts(array)?)),
            Self::Time(values, unit, _) if lacks_text => {
                Self::Time(values, unit, Some(texts(array)?))
            }
            column => column,
        })
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Boolean(values) if values.is_valid(row) => Cell::Boolean(values.value(row)),
            Self::Integer(values) if values.is_valid(row) => Cell::Integer(values.value(row)),
            Self::Number(values) if values.is_valid(row) => Cell::Number(values.value(row)),
            Self::Date(values, texts) if values.is_valid(row) => {
                let date = Cell::date(values.value(row).into());
                date.unwrap_or_else(|| fallback(texts, row))
            }
            Self::Time(values, unit, texts) if values.is_valid(row) => {
                let time = milliseconds(values.value(row), *unit).and_then(Cell::time);
                time.unwrap_or_else(|| fallback(texts, row))
            }
            Self::Digits(values) if values.is_valid(row) => digits(values.value(row)),
            Self::Text(values) if values.is_valid(row) => Cell::Text(values.value(row)),
            _ => Cell::Empty,
        }
    }
}

fn fallback(texts: &Texts, row: usize) -> Cell<'_> {
    let texts = texts.as_ref();
    texts.map_or(Cell::Empty, |texts| Cell::Text(texts.value(row)))
}

/// The texts of an array, as in CSV.
fn texts(array: &ArrayRef) -> Result<LargeStringArray> {
    if matches!(
        array.data_type(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    ) {
        let texts = cast(array, &DataType::LargeUtf8)?;
        return Ok(texts.as_string::<i64>().clone());
    }
    if let DataType::Interval(_) | DataType::Duration(_) = array.data_type() {
        return Ok(value_text::texts(array)?.as_string::<i64>().clone());
    }
    let options = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(array, &options)?;
    let texts = (0..array.len()).map(|row| {
        let text = formatter.value(row).try_to_string()?;
        Ok(array.is_valid(row).then_some(text))
    });
    texts.collect()
}

/// A timestamp in milliseconds, `None` if it is more precise.
fn milliseconds(value: i64, unit: TimeUnit) -> Option<i64> {
    let per_millisecond = match unit {
        TimeUnit::Second => return value.checked_mul(1_000),
        TimeUnit::Millisecond => return Some(value),
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1_000_000,
    };
    (value % per_millisecond == 0).then_some(value / per_millisecond)
}

/// A number, or its text if it has too many digits.
fn digits(text: &str) -> Cell<'_> {
    let digits = text.trim_start_matches(['-', '0', '.']);
    let number = digits.bytes().filter(u8::is_ascii_digit).count();
    match text.parse() {
        Ok(value) if number <= SAFE_DIGITS => Cell::Number(value),
        _ => Cell::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{
        Decimal128Array, NullArray, TimestampMicrosecondArray, UInt64Array,
    };

    use super::*;

    fn cells(array: ArrayRef) -> Vec<String> {
        let column = Column::new(&array).unwrap();
        let cells = (0..array.len()).map(|row| format!("{:?}", column.cell(row)));
        cells.collect()
    }

    #[test]
    fn values_that_excel_would_change_are_texts() {
        let noon = 1_709_208_000_000_000;
        let times = vec![
            Some(noon),
            Some(noon + 1),
            Some(-9_000_000_000_000_000),
            None,
        ];
        assert_eq!(
            cells(Arc::new(TimestampMicrosecondArray::from(times))),
            [
                "Time(3918369600000)",
                "Text(\"2024-02-29T12:00:00.000001\")",
                "Text(\"1684-10-19T08:00:00\")",
                "Empty",
            ]
        );
        assert_eq!(
            cells(Arc::new(Date32Array::from(vec![19_782, -50_000]))),
            ["Date(45351)", "Text(\"1833-02-08\")"]
        );
        assert_eq!(
            cells(Arc::new(UInt64Array::from(vec![7, u64::MAX]))),
            ["Number(7.0)", "Text(\"18446744073709551615\")"]
        );
        assert_eq!(cells(Arc::new(NullArray::new(1))), ["Empty"]);
        let decimals = Decimal128Array::from(vec![Some(-1_050), Some(1_234_567_890_123_456)]);
        let decimals = decimals.with_precision_and_scale(20, 2).unwrap();
        assert_eq!(
            cells(Arc::new(decimals)),
            ["Number(-10.5)", "Text(\"12345678901234.56\")"]
        );
    }
}
