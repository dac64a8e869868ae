//! `COPY (SELECT …) TO 'subset.warc.gz' STORED AS WARC`: every row is a record.
//!
//! The columns are those that the WARC source has; `SELECT *` of it writes the records again.
//! A file that ends in `.gz` or `.zst` is compressed, one member or frame per record.

mod record;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{Schema, SchemaRef, TimestampMicrosecondType};
use datafusion::common::{Result, exec_err, internal_err, plan_err};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::error::DataFusionError;
use libdeflater::{CompressionLvl, Compressor};

use self::record::RecordFields;
use super::encoded::{EncodedFiles, Encoder};
use super::format::{SinkFormat, SinkOptions};
use crate::sources::format::{ColumnType, data_type};

/// Columns that make a record, and their types.
const WRITTEN: &[(&str, ColumnType)] = &[
    ("warc_type", ColumnType::Text),
    ("record_id", ColumnType::Text),
    ("date", ColumnType::Timestamp),
    ("target_uri", ColumnType::Text),
    ("content_type", ColumnType::Text),
    ("ip_address", ColumnType::Text),
    ("payload_digest", ColumnType::Text),
    ("block_digest", ColumnType::Text),
    ("refers_to", ColumnType::Text),
    ("truncated", ColumnType::Text),
    ("headers", ColumnType::Pairs),
    ("body", ColumnType::Bytes),
    ("body_truncated", ColumnType::Boolean),
];

/// Columns of the source that say where a record was; they are left out.
const LEFT_OUT: &[&str] = &["source_file", "offset", "length", "content_length", "error"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    fn of(path: &str) -> Self {
        match path.rsplit('.').next() {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstd,
            _ => Self::None,
        }
    }
}

#[derive(Debug)]
pub struct WarcSink;

impl SinkFormat for WarcSink {
    fn name(&self) -> &'static str {
        "WARC"
    }

    fn ending(&self) -> &'static str {
        "warc"
    }

    fn description(&self) -> &'static str {
        "One record per row: of `headers`, if the rows have them, otherwise of `warc_type`, \
         `target_uri`, `date` and so on; `body` is its content. The ending `.gz` or `.zst` \
         compresses each record by itself."
    }

    fn sink(
        &self,
        schema: &SchemaRef,
        _options: &SinkOptions,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        check_columns(schema)?;
        let compression = Compression::of(&config.original_url);
        let encoder = RecordEncoder { compression };
        Ok(Arc::new(EncodedFiles::new(config, encoder)))
    }
}

/// A column that has no place in a record would be lost without a word.
fn check_columns(schema: &Schema) -> Result<()> {
    let known = |name: &str| WRITTEN.iter().any(|(written, _)| *written == name);
    for field in schema.fields() {
        let name = field.name().as_str();
        if !known(name) && !LEFT_OUT.contains(&name) {
            let names: Vec<_> = WRITTEN.iter().map(|(name, _)| *name).collect();
            return plan_err!(
                "a WARC record has no place for the column '{name}'; it is made from {}",
                names.join(", ")
            );
        }
    }
    let has = |name| schema.field_with_name(name).is_ok();
    if !has("warc_type") && !has("headers") {
        return plan_err!("a WARC record needs the column warc_type or headers");
    }
    Ok(())
}

/// Turns batches into records.
#[derive(Debug)]
struct RecordEncoder {
    compression: Compression,
}

impl Encoder for RecordEncoder {
    fn encode(&self, batch: &RecordBatch) -> Result<Vec<u8>> {
        let columns = Columns::of(batch)?;
        let mut out = Vec::new();
        let mut record = Vec::new();
        for row in 0..batch.num_rows() {
            record.clear();
            if columns.fields(row).write(&mut record).is_err() {
                return exec_err!(
                    "a row has neither warc_type nor headers, so that no record can be made of \
                     it; where damage is read along, add WHERE warc_type IS NOT NULL"
                );
            }
            match self.compression {
                Compression::None => out.extend_from_slice(&record),
                Compression::Gzip => gzip(&record, &mut out)?,
                Compression::Zstd => out.extend_from_slice(&zstd::bulk::compress(&record, 0)?),
            }
        }
        Ok(out)
    }
}

fn gzip(record: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let start = out.len();
    out.resize(start + compressor.gzip_compress_bound(record.len()), 0);
    match compressor.gzip_compress(record, &mut out[start..]) {
        Ok(length) => {
            out.truncate(start + length);
            Ok(())
        }
        Err(error) => internal_err!("libdeflate has less room than it asked for: {error}"),
    }
}

/// The columns of a batch that make records, in the types that are read below.
struct Columns(HashMap<&'static str, ArrayRef>);

impl Columns {
    fn of(batch: &RecordBatch) -> Result<Self> {
        let mut columns = HashMap::new();
        for (name, kind) in WRITTEN {
            let Some(column) = batch.column_by_name(name) else {
                continue;
            };
            let column = cast(column, &data_type(*kind)).map_err(|error| {
                DataFusionError::from(error).context(format!("the column {name}"))
            })?;
            columns.insert(*name, column);
        }
        Ok(Self(columns))
    }

    fn fields(&self, row: usize) -> RecordFields<'_> {
        let column = |name: &str| self.0.get(name).filter(|column| column.is_valid(row));
        let text = |name: &str| column(name).map(|column| column.as_string::<i64>().value(row));
        RecordFields {
            warc_type: text("warc_type"),
            record_id: text("record_id"),
            date: column("date")
                .map(|column| column.as_primitive::<TimestampMicrosecondType>().value(row)),
            target_uri: text("target_uri"),
            content_type: text("content_type"),
            ip_address: text("ip_address"),
            payload_digest: text("payload_digest"),
            block_digest: text("block_digest"),
            refers_to: text("refers_to"),
            truncated: text("truncated"),
            headers: column("headers")
                .and_then(|column| pairs_of(column, row))
                .unwrap_or_default(),
            body: column("body").map_or(&[], |column| column.as_binary::<i64>().value(row)),
            body_truncated: column("body_truncated")
                .is_some_and(|column| column.as_boolean().value(row)),
        }
    }
}

/// The pairs of a row, of a column that was cast to the type of the source's `headers`.
fn pairs_of(column: &ArrayRef, row: usize) -> Option<Vec<(&str, &str)>> {
    let lists = column.as_list_opt::<i32>()?;
    let structs = lists.values().as_struct_opt()?;
    let names = structs.column_by_name("name")?.as_string_opt::<i32>()?;
    let values = structs.column_by_name("value")?.as_string_opt::<i32>()?;
    let offsets = lists.value_offsets();
    let range = offsets[row] as usize..offsets[row + 1] as usize;
    Some(
        range
            .map(|at| (names.value(at), values.value(at)))
            .collect(),
    )
}
