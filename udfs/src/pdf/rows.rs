//! Columns that are appended to row by row, whatever their types.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Float32Builder, Float64Builder, Int32Builder, LargeStringBuilder,
    TimestampMicrosecondBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields, TimeUnit};

/// The type of a column.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Integer,
    /// A place on a page, in points.
    Place,
    Number,
    Boolean,
    Text,
    Time,
}

/// A value of a row; NULL where there is none, or one of another type.
#[derive(Debug, Clone, Copy)]
pub enum Cell<'a> {
    Null,
    Integer(u32),
    Place(f32),
    Number(f64),
    Boolean(bool),
    Text(&'a str),
    /// Microseconds since 1970, UTC.
    Time(i64),
}

impl<'a> Cell<'a> {
    pub fn text(text: &'a Option<String>) -> Self {
        text.as_deref().map_or(Self::Null, Self::Text)
    }

    pub fn integer(number: Option<u32>) -> Self {
        number.map_or(Self::Null, Self::Integer)
    }

    pub fn time(time: Option<i64>) -> Self {
        time.map_or(Self::Null, Self::Time)
    }
}

/// The fields of a struct.
pub fn fields(columns: &[(&str, Kind)]) -> Fields {
    columns
        .iter()
        .map(|(name, kind)| Field::new(*name, kind.data_type(), true))
        .collect()
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Self::Integer => DataType::Int32,
            Self::Place => DataType::Float32,
            Self::Number => DataType::Float64,
            Self::Boolean => DataType::Boolean,
            Self::Text => DataType::LargeUtf8,
            Self::Time => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        }
    }

    fn column(self) -> Column {
        match self {
            Self::Integer => Column::Integer(Int32Builder::new()),
            Self::Place => Column::Place(Float32Builder::new()),
            Self::Number => Column::Number(Float64Builder::new()),
            Self::Boolean => Column::Boolean(BooleanBuilder::new()),
            Self::Text => Column::Text(LargeStringBuilder::new()),
            Self::Time => Column::Time(
                TimestampMicrosecondBuilder::new().with_data_type(Self::Time.data_type()),
            ),
        }
    }
}

enum Column {
    Integer(Int32Builder),
    Place(Float32Builder),
    Number(Float64Builder),
    Boolean(BooleanBuilder),
    Text(LargeStringBuilder),
    Time(TimestampMicrosecondBuilder),
}

impl Column {
    fn append(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Integer(column), Cell::Integer(number)) => {
                column.append_value(i32::try_from(number).unwrap_or(i32::MAX));
            }
            (Self::Integer(column), _) => column.append_null(),
            (Self::Place(column), Cell::Place(place)) => column.append_value(place),
            (Self::Place(column), _) => column.append_null(),
            (Self::Number(column), Cell::Number(number)) => column.append_value(number),
            (Self::Number(column), _) => column.append_null(),
            (Self::Boolean(column), Cell::Boolean(flag)) => column.append_value(flag),
            (Self::Boolean(column), _) => column.append_null(),
            (Self::Text(column), Cell::Text(text)) => column.append_value(text),
            (Self::Text(column), _) => column.append_null(),
            (Self::Time(column), Cell::Time(time)) => column.append_value(time),
            (Self::Time(column), _) => column.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Integer(column) => Arc::new(column.finish()),
            Self::Place(column) => Arc::new(column.finish()),
            Self::Number(column) => Arc::new(column.finish()),
            Self::Boolean(column) => Arc::new(column.finish()),
            Self::Text(column) => Arc::new(column.finish()),
            Self::Time(column) => Arc::new(column.finish()),
        }
    }
}

/// The columns of a struct.
pub struct Rows(Vec<Column>);

impl Rows {
    pub fn new(columns: &[(&str, Kind)]) -> Self {
        Self(columns.iter().map(|(_, kind)| kind.column()).collect())
    }

    /// A row of as many cells as there are columns.
    pub fn append<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        debug_assert_eq!(self.0.len(), N);
        for (column, cell) in self.0.iter_mut().zip(cells) {
            column.append(cell);
        }
    }

    pub fn finish(mut self) -> Vec<ArrayRef> {
        self.0.iter_mut().map(Column::finish).collect()
    }
}
