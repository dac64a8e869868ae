//! `COPY (SELECT … AS key, … AS value) TO 'x.seq' STORED AS SEQUENCEFILE`: compressed in blocks,
//! as Hadoop writes and reads it.
//!
//! The types of the columns determine the classes of keys and values: text is Text, binary is
//! BytesWritable, and so on.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type, Schema, SchemaRef};
use datafusion::common::{Result, exec_err, internal_err, plan_err};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::error::DataFusionError;

use super::encoded::{EncodedFiles, Encoder};
use super::format::SinkFormat;
use crate::file_sink::file_sink;
use crate::options::{FormatOption, Options};
use corpus_bytes::columns::ColumnType;
use corpus_bytes::record::Value;
use corpus_columns::record::data_type;
use corpus_sequence_file::writer::{Block, Layout, WriteError};
use corpus_sequence_file::{Class, Codec};

const KEY: &str = "key";
const VALUE: &str = "value";

/// Columns of the source that describe where a record was read from; they are not written.
const OMITTED_COLUMNS: &[&str] = &[
    "source_file",
    "offset",
    "key_class",
    "value_class",
    "compression",
    "codec",
    "metadata",
    "value_truncated",
    "error",
];

const CODEC: FormatOption = FormatOption::one_of(
    "codec",
    &["deflate", "gzip", "bzip2", "snappy", "lz4", "zstd"],
    Some("deflate"),
    "the compression of blocks, where 'deflate' is Hadoop's DefaultCodec",
);

#[derive(Debug)]
pub struct SequenceFileSink;

impl SinkFormat for SequenceFileSink {
    fn name(&self) -> &'static str {
        "SEQUENCEFILE"
    }

    fn extension(&self) -> &'static str {
        "seq"
    }

    fn description(&self) -> &'static str {
        "`key` and `value`, compressed in blocks; Hadoop's classes follow from their types (text is \
         Text, binary BytesWritable, BIGINT LongWritable, …)."
    }

    fn options(&self) -> &'static [FormatOption] {
        &[CODEC]
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn sink(
        &self,
        schema: &SchemaRef,
        options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        let codec = match options.get(&CODEC) {
            Some("gzip") => Codec::Gzip,
            Some("bzip2") => Codec::Bzip2,
            Some("snappy") => Codec::Snappy,
            Some("lz4") => Codec::Lz4,
            Some("zstd") => Codec::Zstd,
            _ => Codec::Deflate,
        };
        for field in schema.fields() {
            let name = field.name().as_str();
            if name != KEY && name != VALUE && !OMITTED_COLUMNS.contains(&name) {
                return plan_err!(
                    "a SequenceFile cannot hold the column '{name}'; it is made from {KEY} and {VALUE}"
                );
            }
        }
        let layout = Layout::new(class(schema, KEY)?, class(schema, VALUE)?, codec);
        let encoder = BlockEncoder { layout };
        Ok(file_sink(config, EncodedFiles::new(encoder)))
    }
}

/// Returns the class in which a column is written.
fn class(schema: &Schema, column: &str) -> Result<Class> {
    let Ok(field) = schema.field_with_name(column) else {
        return plan_err!(
            "a SequenceFile is made from the columns {KEY} and {VALUE}, and {column} is missing: \
             SELECT … AS {KEY}, … AS {VALUE}"
        );
    };
    Ok(match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Class::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Class::Bytes,
        DataType::Boolean => Class::Boolean,
        DataType::Int32 => Class::Int,
        kind if kind.is_integer() => Class::Long,
        DataType::Float32 => Class::Float,
        DataType::Float64 => Class::Double,
        DataType::Null => Class::Null,
        kind => {
            return plan_err!(
                "the column {column} is {kind}, for which Hadoop has no class; CAST it to text, \
                 binary, a number or a boolean"
            );
        }
    })
}

#[derive(Debug)]
struct BlockEncoder {
    layout: Layout,
}

impl Encoder for BlockEncoder {
    fn start(&self) -> Vec<u8> {
        let mut header = Vec::new();
        self.layout.write_header(&mut header);
        header
    }

    fn encode(&self, batch: &RecordBatch) -> Result<Vec<u8>> {
        let keys = values(batch, KEY, self.layout.key)?;
        let values = values(batch, VALUE, self.layout.value)?;
        let mut block = Block::default();
        let mut out = Vec::new();
        for row in 0..batch.num_rows() {
            let appended = block.append(&self.layout, value(&keys, row), value(&values, row));
            appended.map_err(|error| refused(&error, &keys, row))?;
            if block.is_full() {
                block.write(&self.layout, &mut out)?;
            }
        }
        if !block.is_empty() {
            block.write(&self.layout, &mut out)?;
        }
        Ok(out)
    }
}

/// Adds the key of the row to an error.
fn refused(error: &WriteError, keys: &ArrayRef, row: usize) -> DataFusionError {
    let key = match value(keys, row) {
        Value::Null => "NULL".to_owned(),
        Value::Text(text) => format!("'{}'", text.chars().take(100).collect::<String>()),
        other => format!("{other:?}").chars().take(100).collect(),
    };
    DataFusionError::Execution(format!(
        "in the row with the key {key}, {error}; leave such rows out, for example with \
         WHERE {KEY} IS NOT NULL AND {VALUE} IS NOT NULL"
    ))
}

/// Casts a column to the type that `value` reads.
fn values(batch: &RecordBatch, column: &str, class: Class) -> Result<ArrayRef> {
    let Some(values) = batch.column_by_name(column) else {
        return internal_err!("the column {column} is gone");
    };
    if class == Class::Null {
        return Ok(Arc::clone(values));
    }
    let cast = cast(values, &data_type(class.column_type()));
    // Unsigned numbers may not fit Java's signed types.
    match cast {
        Ok(cast) if cast.null_count() == values.null_count() => Ok(cast),
        Ok(_) => {
            exec_err!("the column {column} has numbers that do not fit into 64 bits with a sign")
        }
        Err(error) => Err(DataFusionError::from(error).context(format!("the column {column}"))),
    }
}

fn value(column: &ArrayRef, row: usize) -> Value<'_> {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        kind if *kind == data_type(ColumnType::Text) => {
            Value::Text(column.as_string::<i64>().value(row))
        }
        kind if *kind == data_type(ColumnType::Bytes) => {
            Value::Bytes(column.as_binary::<i64>().value(row))
        }
        DataType::Int64 => Value::Integer(column.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => Value::Double(column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Value::Boolean(column.as_boolean().value(row)),
        _ => Value::Null,
    }
}
