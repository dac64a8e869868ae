//! `COPY (SELECT …) TO 'subset.warc.gz' STORED AS WARC`: every row is a record.
//!
//! The columns are those that the WARC source has; `SELECT *` of it writes the records again.
//! A file that ends in `.gz` or `.zst` is compressed, one member or frame per record.

mod record;

use std::any::type_name;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{Schema, SchemaRef, TimestampMicrosecondType};
use datafusion::catalog::Session;
use datafusion::common::file_options::file_type::GetExt;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{Result, Statistics, exec_err, internal_err, not_impl_err, plan_err};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::write::BatchSerializer;
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::file_format::write::orchestration::spawn_writer_tasks_and_join;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSink, FileSinkConfig, FileSource};
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use libdeflater::{CompressionLvl, Compressor};
use object_store::{ObjectMeta, ObjectStore};
use parking_lot::Mutex;

use self::record::RecordFields;
use crate::settings::CorpusSettings;
use crate::sources::format::{ColumnType, data_type};
use crate::sources::scan::RecordSource;
use crate::sources::warc::WarcFormat;

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

#[derive(Debug, Default)]
pub struct WarcWriterFactory;

impl GetExt for WarcWriterFactory {
    fn get_ext(&self) -> String {
        "warc".to_owned()
    }
}

impl FileFormatFactory for WarcWriterFactory {
    fn create(
        &self,
        _session: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        if let Some(name) = options.keys().next() {
            return plan_err!("writing WARC has no option '{name}'");
        }
        Ok(Arc::new(WarcWriter))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(WarcWriter)
    }
}

/// The writing half of the format; what DataFusion would read with it, `sources::warc` reads.
#[derive(Debug)]
struct WarcWriter;

#[async_trait]
impl FileFormat for WarcWriter {
    fn get_ext(&self) -> String {
        "warc".to_owned()
    }

    fn get_ext_with_compression(&self, _compression: &FileCompressionType) -> Result<String> {
        Ok(self.get_ext())
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _session: &dyn Session,
        _store: &Arc<dyn ObjectStore>,
        _objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        not_impl_err!("archives are read as tables of the format WARC")
    }

    async fn infer_stats(
        &self,
        _session: &dyn Session,
        _store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        _object: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&schema))
    }

    async fn create_physical_plan(
        &self,
        _session: &dyn Session,
        _config: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        not_impl_err!("archives are read as tables of the format WARC")
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _session: &dyn Session,
        config: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if config.insert_op != InsertOp::Append {
            return not_impl_err!("WARC files are not overwritten in place");
        }
        check_columns(&input.schema())?;
        let sink = WarcSink {
            compression: Compression::of(&config.original_url),
            config,
        };
        Ok(Arc::new(DataSinkExec::new(input, Arc::new(sink), order)))
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        let settings = CorpusSettings::default();
        Arc::new(RecordSource::new(
            Arc::new(WarcFormat::default()),
            table_schema,
            settings,
        ))
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

struct WarcSink {
    config: FileSinkConfig,
    compression: Compression,
}

impl fmt::Debug for WarcSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name::<Self>())
    }
}

impl DisplayAs for WarcSink {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WarcSink(compression={:?})", self.compression)
    }
}

#[async_trait]
impl FileSink for WarcSink {
    fn config(&self) -> &FileSinkConfig {
        &self.config
    }

    async fn spawn_writer_tasks_and_join(
        &self,
        context: &Arc<TaskContext>,
        demux_task: SpawnedTask<Result<()>>,
        files: DemuxedStreamReceiver,
        store: Arc<dyn ObjectStore>,
    ) -> Result<u64> {
        let refused = Arc::new(Mutex::new(None));
        let serializer = Arc::new(RecordSerializer {
            compression: self.compression,
            refused: Arc::clone(&refused),
        });
        // The serializer compresses by itself, record by record.
        let compression = FileCompressionType::UNCOMPRESSED;
        spawn_writer_tasks_and_join(
            context,
            serializer,
            compression,
            None,
            store,
            demux_task,
            files,
        )
        .await
        .map_err(|error| refused.lock().take().unwrap_or(error))
    }
}

#[async_trait]
impl DataSink for WarcSink {
    fn metrics(&self) -> Option<MetricsSet> {
        None
    }

    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    async fn write_all(
        &self,
        data: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        FileSink::write_all(self, data, context).await
    }
}

/// Turns batches into records.
struct RecordSerializer {
    compression: Compression,
    /// The first error, which DataFusion's writers do not tell.
    refused: Arc<Mutex<Option<DataFusionError>>>,
}

impl BatchSerializer for RecordSerializer {
    fn serialize(&self, batch: RecordBatch, _initial: bool) -> Result<Bytes> {
        self.records(&batch).map_err(|error| {
            let told = DataFusionError::Execution(error.strip_backtrace());
            self.refused.lock().get_or_insert(error);
            told
        })
    }
}

impl RecordSerializer {
    fn records(&self, batch: &RecordBatch) -> Result<Bytes> {
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
        Ok(out.into())
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
