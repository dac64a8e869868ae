//! Columns whose types are only known at run time, such as those of a source.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, LargeBinaryBuilder, LargeStringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use corpus_bytes::columns::{Column, ColumnType, SOURCE_FILE_COLUMN};
use corpus_bytes::record::Value;

use crate::cell::ColumnBuilder;
use crate::pairs::PairsColumn;

/// The size of values at which a batch of records ends, however few rows it has. It is about the
/// size of a processor's cache, because the values are read again immediately.
pub const MAX_BATCH_BYTES: usize = 2 << 20;

/// The Arrow schema of a format's columns.
pub fn schema(columns: &[Column]) -> SchemaRef {
    let fields: Fields = columns
        .iter()
        .map(|column| {
            let nullable = column.name != SOURCE_FILE_COLUMN.name;
            Field::new(column.name, data_type(column.kind), nullable)
        })
        .collect();
    Arc::new(Schema::new(fields))
}

/// Builds a column of a type that is known at run time, for one batch after the other.
pub enum RecordColumn {
    Text(LargeStringBuilder),
    /// The builder, and the numbers of offsets and bytes to allocate for the next batch.
    Bytes(LargeBinaryBuilder, [usize; 2]),
    Integer(Int64Builder),
    Double(Float64Builder),
    Boolean(BooleanBuilder),
    Timestamp(TimestampMicrosecondBuilder),
    Pairs(PairsColumn),
}

/// Evaluates an expression for the builder of a column, whatever its type.
macro_rules! each_builder {
    ($column:expr, $builder:ident => $expression:expr) => {
        match $column {
            RecordColumn::Text($builder) => $expression,
            RecordColumn::Bytes($builder, _) => $expression,
            RecordColumn::Integer($builder) => $expression,
            RecordColumn::Double($builder) => $expression,
            RecordColumn::Boolean($builder) => $expression,
            RecordColumn::Timestamp($builder) => $expression,
            RecordColumn::Pairs($builder) => $expression,
        }
    };
}

/// The Arrow type of a column.
pub fn data_type(kind: ColumnType) -> DataType {
    fn of<C: ColumnBuilder>(_column: &C) -> DataType {
        C::data_type()
    }
    each_builder!(&RecordColumn::new(kind), builder => of(builder))
}

impl RecordColumn {
    pub fn new(kind: ColumnType) -> Self {
        // 64-bit offsets: a batch of bodies, or a hash table of texts, may exceed 2 GiB.
        match kind {
            ColumnType::Text => Self::Text(LargeStringBuilder::new()),
            ColumnType::Bytes => Self::Bytes(LargeBinaryBuilder::new(), [0; 2]),
            ColumnType::Integer => Self::Integer(Int64Builder::new()),
            ColumnType::Double => Self::Double(Float64Builder::new()),
            ColumnType::Boolean => Self::Boolean(BooleanBuilder::new()),
            ColumnType::Timestamp => Self::Timestamp(TimestampMicrosecondBuilder::new()),
            ColumnType::Pairs => Self::Pairs(PairsColumn::default()),
        }
    }

    /// Appends a value, or NULL if it has another type, and returns its size.
    #[inline]
    pub fn append(&mut self, value: Value<'_>) -> usize {
        match (self, value) {
            (Self::Text(builder), Value::Text(text)) => {
                builder.append_value(text);
                text.len()
            }
            (Self::Bytes(builder, _), Value::Bytes(bytes)) => {
                builder.append_value(bytes);
                bytes.len()
            }
            (Self::Integer(builder), Value::Integer(number)) => {
                builder.append_value(number);
                8
            }
            (Self::Double(builder), Value::Double(number)) => {
                builder.append_value(number);
                8
            }
            (Self::Boolean(builder), Value::Boolean(flag)) => {
                builder.append_value(flag);
                1
            }
            (Self::Timestamp(builder), Value::Timestamp(time)) => {
                builder.append_value(time);
                8
            }
            (Self::Pairs(builder), Value::Pairs(pairs)) => {
                builder.append(pairs.iter().map(|(name, value)| (name, value)))
            }
            (column, value) => {
                debug_assert_eq!(value, Value::Null, "a value of a wrong type");
                each_builder!(column, builder => ColumnBuilder::append_null(builder));
                0
            }
        }
    }

    /// Reserves memory before the first value of a batch, so that values are not moved as the
    /// column grows. If the previous batch has been dropped, its memory is reused while it is in
    /// the cache.
    pub fn begin(&mut self) {
        if let Self::Bytes(builder, [offsets, bytes]) = self {
            *builder = LargeBinaryBuilder::with_capacity(*offsets, *bytes);
        }
    }

    /// Returns the values of the batch, and starts the next one.
    pub fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        if let Self::Bytes(builder, capacity) = self {
            // The next batch will be about as large. Its last value may exceed that.
            let bytes = builder.values_slice().len().min(MAX_BATCH_BYTES);
            *capacity = [builder.offsets_slice().len(), bytes + bytes / 8];
            return ColumnBuilder::finish(&mut std::mem::take(builder));
        }
        each_builder!(self, builder => ColumnBuilder::finish(builder))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;

    use super::*;

    const ALL: [ColumnType; 7] = [
        ColumnType::Text,
        ColumnType::Bytes,
        ColumnType::Integer,
        ColumnType::Double,
        ColumnType::Boolean,
        ColumnType::Timestamp,
        ColumnType::Pairs,
    ];

    #[test]
    fn columns_are_used_for_batch_after_batch() {
        let pairs = [("name".to_owned(), "value".to_owned())];
        let values = [
            (Value::Text("text"), 4),
            (Value::Bytes(b"bytes"), 5),
            (Value::Integer(1), 8),
            (Value::Double(0.5), 8),
            (Value::Boolean(true), 1),
            (Value::Timestamp(9), 8),
            (Value::Pairs(&pairs), 9),
        ];
        for (kind, (value, size)) in ALL.into_iter().zip(values) {
            let mut column = RecordColumn::new(kind);
            for _ in 0..2 {
                column.begin();
                assert_eq!(column.append(value), size);
                assert_eq!(column.append(Value::Null), 0);
                let array = column.finish().unwrap();
                assert_eq!(*array.data_type(), data_type(kind));
                assert!(array.is_valid(0) && array.is_null(1), "{kind:?}");
                assert_eq!(array.len(), 2);
            }
        }
    }

    #[test]
    fn a_batch_of_bytes_takes_the_memory_of_the_batch_before() {
        let mut column = RecordColumn::new(ColumnType::Bytes);
        column.append(Value::Bytes(&[b'x'; 1000]));
        assert_eq!(
            column.finish().unwrap().as_binary::<i64>().value(0).len(),
            1000
        );
        column.begin();
        let RecordColumn::Bytes(builder, capacity) = &column else {
            panic!("not bytes");
        };
        assert_eq!(*capacity, [2, 1125]);
        assert!(builder.values_slice().is_empty());
    }
}
