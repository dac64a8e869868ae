//! `COPY (SELECT …) TO 'subset.warc.gz' STORED AS WARC`: every row is a record.
//!
//! The columns are those of the WARC source; `SELECT *` from it writes the records again.
//! A file that ends in `.gz` or `.zst` is compressed, one member or frame per record.

use std::sync::Arc;

use corpus_bytes::columns::ColumnType;
use corpus_warc::write::{BadDate, Cell, FIELDS, NoRecord, RecordFields};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Schema, SchemaRef, TimestampMicrosecondType};
use datafusion::common::{Result, exec_datafusion_err, exec_err, internal_err, plan_err};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use libdeflater::{CompressionLvl, Compressor};

use super::columns::{check_type, column};
use super::encoded::{EncodedFiles, Encoder};
use super::format::SinkFormat;
use crate::file_sink::file_sink;
use crate::options::Options;
use crate::planner::lineage::is_passed_on;

/// Columns of a record that are not single header fields.
const OTHER_COLUMNS: [(&str, ColumnType); 3] = [
    (HEADERS, ColumnType::Pairs),
    (BODY, ColumnType::Bytes),
    (BODY_TRUNCATED, ColumnType::Boolean),
];

const HEADERS: &str = "headers";
const BODY: &str = "body";
const BODY_TRUNCATED: &str = "body_truncated";

/// Returns all columns that make up a record, with their types.
fn written() -> impl Iterator<Item = (&'static str, ColumnType)> {
    let fields = FIELDS.iter().map(|field| (field.column, field.kind));
    fields.chain(OTHER_COLUMNS)
}

/// Columns of the source that describe where a record was read from; they are not written.
const OMITTED_COLUMNS: &[&str] = &["source_file", "offset", "length", "content_length", "error"];

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

#[derive(Debug, Default)]
pub struct WarcSink {
    /// Whether the query returns `body` of the source unchanged.
    body_kept: bool,
}

impl SinkFormat for WarcSink {
    fn name(&self) -> &'static str {
        "WARC"
    }

    fn extension(&self) -> &'static str {
        "warc"
    }

    fn description(&self) -> &'static str {
        "One record per row, of the columns of `read_warc`, of which `warc_type` or `headers` is \
         needed; for revisits also of `refers_to_target_uri`, `refers_to_date` and `profile`. The \
         extension `.gz` or `.zst` compresses each record by itself."
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn for_query(&self, query: &LogicalPlan) -> Option<Arc<dyn SinkFormat>> {
        let body_kept = is_passed_on(query, BODY);
        Some(Arc::new(Self { body_kept }))
    }

    fn sink(
        &self,
        schema: &SchemaRef,
        _options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        check_columns(schema)?;
        let compression = Compression::of(&config.original_url);
        let encoder = RecordEncoder {
            compression,
            body_kept: self.body_kept,
        };
        Ok(file_sink(config, EncodedFiles::new(encoder)))
    }
}

/// Checks that every column belongs to a record. Others would be silently lost.
fn check_columns(schema: &Schema) -> Result<()> {
    let known = |name: &str| written().any(|(written, _)| written == name);
    for field in schema.fields() {
        let name = field.name().as_str();
        if !known(name) && !OMITTED_COLUMNS.contains(&name) {
            let names: Vec<_> = written().map(|(name, _)| name).collect();
            return plan_err!(
                "a WARC record cannot hold the column '{name}'; it is made from {}",
                names.join(", ")
            );
        }
    }
    let has = |name| schema.field_with_name(name).is_ok();
    if !has("warc_type") && !has(HEADERS) {
        return plan_err!("a WARC record needs the column warc_type or headers");
    }
    written().try_for_each(|(name, kind)| check_type(schema, name, kind))
}

/// Turns batches into records.
#[derive(Debug)]
struct RecordEncoder {
    compression: Compression,
    body_kept: bool,
}

impl Encoder for RecordEncoder {
    fn encode(&self, batch: &RecordBatch) -> Result<Vec<u8>> {
        let columns = Columns::of(batch)?;
        let mut out = Vec::new();
        let mut record = Vec::new();
        for row in 0..batch.num_rows() {
            record.clear();
            let fields = columns.fields(row, self.body_kept)?;
            fields
                .write(&mut record)
                .map_err(|error| refused(&error, &fields))?;
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
        Err(error) => internal_err!("the buffer is smaller than libdeflate's own bound: {error}"),
    }
}

/// Formats the error of a row that cannot be written as a record, with the row's identity.
fn refused(error: &NoRecord, fields: &RecordFields) -> DataFusionError {
    match error {
        NoRecord::NoType => exec_datafusion_err!(
            "a row has neither warc_type nor headers, so it cannot become a record; if the input has \
             damaged records, add WHERE warc_type IS NOT NULL"
        ),
        NoRecord::Date(BadDate(micros)) => exec_datafusion_err!(
            "the date of the record {} is {micros} microseconds from 1970, and WARC has only the \
             years 0 to 9999",
            fields.name()
        ),
    }
}

/// The columns of a batch that make records, in the types that `fields` reads.
struct Columns {
    fields: [Option<ArrayRef>; FIELDS.len()],
    headers: Option<ArrayRef>,
    body: Option<ArrayRef>,
    body_truncated: Option<ArrayRef>,
}

impl Columns {
    fn of(batch: &RecordBatch) -> Result<Self> {
        let mut fields = [const { None }; FIELDS.len()];
        for (field, known) in FIELDS.iter().zip(&mut fields) {
            *known = column(batch, field.column, field.kind)?;
        }
        let [headers, body, body_truncated] = OTHER_COLUMNS;
        Ok(Self {
            fields,
            headers: column(batch, headers.0, headers.1)?,
            body: column(batch, body.0, body.1)?,
            body_truncated: column(batch, body_truncated.0, body_truncated.1)?,
        })
    }

    fn fields(&self, row: usize, body_kept: bool) -> Result<RecordFields<'_>> {
        let valid = |column: &'_ Option<ArrayRef>| {
            column.as_ref().is_some_and(|column| column.is_valid(row))
        };
        let mut cells = [Cell::Absent; FIELDS.len()];
        for (cell, column) in cells.iter_mut().zip(&self.fields) {
            *cell = column
                .as_ref()
                .map_or(Cell::Absent, |column| cell_of(column, row));
        }
        let headers = match &self.headers {
            Some(column) if column.is_valid(row) => pairs_of(column, row)?,
            _ => Vec::new(),
        };
        let body = self.body.as_ref().filter(|_| valid(&self.body));
        Ok(RecordFields {
            cells,
            headers,
            body: body.map(|column| column.as_binary::<i64>().value(row)),
            body_truncated: valid(&self.body_truncated)
                && self
                    .body_truncated
                    .as_ref()
                    .is_some_and(|column| column.as_boolean().value(row)),
            body_kept,
        })
    }
}

fn cell_of(column: &ArrayRef, row: usize) -> Cell<'_> {
    if column.is_null(row) {
        Cell::Null
    } else if let Some(texts) = column.as_string_opt::<i64>() {
        Cell::Text(texts.value(row))
    } else {
        Cell::Date(column.as_primitive::<TimestampMicrosecondType>().value(row))
    }
}

/// Returns the pairs of a row. The column was cast to the type of the source's `headers`.
fn pairs_of(column: &ArrayRef, row: usize) -> Result<Vec<(&str, &str)>> {
    let lists = column.as_list::<i32>();
    let structs = lists.values().as_struct();
    let [names, values] = [structs.column(0), structs.column(1)].map(AsArray::as_string::<i32>);
    let offsets = lists.value_offsets();
    let range = offsets[row] as usize..offsets[row + 1] as usize;
    range
        .map(|at| {
            let is_valid = structs.is_valid(at) && names.is_valid(at);
            let name = if is_valid { names.value(at) } else { "NULL" };
            if !is_valid || name.contains(':') {
                return exec_err!(
                    "'{name}' is not the name of a header field: names in {HEADERS} are not NULL, \
                     and have no colon"
                );
            }
            let value = if values.is_valid(at) {
                values.value(at)
            } else {
                ""
            };
            Ok((name, value))
        })
        .collect()
}
