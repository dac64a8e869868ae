//! Reads the records of JSON files.
//!
//! DataFusion's own reader leaves escapes to the parser, which decodes some wrongly (`escapes`). It
//! fails on large arrays, because it divides them into ranges. Its errors do not name the file.

use std::sync::Arc;

use bytes::{Buf, Bytes};
use corpus_columns::record::MAX_BATCH_BYTES;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::json::ReaderBuilder;
use datafusion::arrow::json::reader::Decoder;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileOpenFuture, FileOpener, FileScanConfig, FileSource,
};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::apply_expression_roots;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_datasource::boundary_stream::AlignedBoundaryStream;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use memchr::memchr;
use object_store::ObjectStore;

use super::super::contents::{Contents, compression_of, in_file};
use super::text::lines_of;
use crate::sources::location::display_name;

/// The records of JSON files.
#[derive(Clone)]
pub struct JsonRecords {
    schema: TableSchema,
    projection: ProjectionExprs,
    batch_size: Option<usize>,
    metrics: ExecutionPlanMetricsSet,
    is_array: bool,
    payloads: Option<Vec<bool>>,
}

impl JsonRecords {
    /// `is_array`: whether each file is an array of records, not a record per line.
    pub fn new(schema: TableSchema, is_array: bool) -> Self {
        Self {
            projection: SplitProjection::unprojected(&schema).source,
            schema,
            batch_size: None,
            metrics: ExecutionPlanMetricsSet::new(),
            is_array,
            payloads: None,
        }
    }

    /// Sets which columns of the files may have long values.
    pub fn with_payloads(self, payloads: Option<Vec<bool>>) -> Self {
        Self { payloads, ..self }
    }

    pub fn payloads(&self) -> Option<&[bool]> {
        self.payloads.as_deref()
    }

    #[cfg(feature = "cluster")]
    pub fn is_array(&self) -> bool {
        self.is_array
    }
}

impl FileSource for JsonRecords {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        _partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let Some(batch_size) = self.batch_size else {
            return internal_err!("JSON is read without a batch size");
        };
        let columns = self.schema.file_schema();
        let projection = SplitProjection::new(columns, &self.projection);
        let opener = Opener {
            schema: Arc::new(columns.project(&projection.file_indices)?),
            files: config.object_store_url.clone(),
            store,
            batch_size,
            is_array: self.is_array,
        };
        ProjectionOpener::try_new(projection, Arc::new(opener), columns)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        let batch_size = Some(batch_size);
        Arc::new(Self {
            batch_size,
            ..self.clone()
        })
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.try_merge(projection)?;
        Ok(Some(Arc::new(Self {
            projection,
            ..self.clone()
        })))
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "json"
    }

    fn supports_repartitioning(&self) -> bool {
        !self.is_array
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        apply_expression_roots(self.projection.iter(), f)
    }
}

/// Opens a file, or the lines that start in a byte range of it.
#[derive(Clone)]
struct Opener {
    schema: SchemaRef,
    /// The store of the files.
    files: ObjectStoreUrl,
    store: Arc<dyn ObjectStore>,
    batch_size: usize,
    is_array: bool,
}

impl FileOpener for Opener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let opener = self.clone();
        Ok(Box::pin(async move {
            let decoder = ReaderBuilder::new(Arc::clone(&opener.schema))
                .with_batch_size(opener.batch_size)
                // A column with both numbers and texts becomes text.
                .with_coerce_primitive(true)
                .build_decoder()?;
            let name = display_name(&opener.files, &file.object_meta.location);
            let lines = opener.lines(file).await;
            let lines = lines.map_err(|error| in_file(error, &name))?;
            let batches = Batches {
                decoder,
                lines,
                chunk: Bytes::new(),
                decoded: 0,
            };
            let named = move |error| in_file(error, &name);
            Ok(batches.into_stream().map_err(named).boxed())
        }))
    }
}

impl Opener {
    /// Returns the text of a file or a range.
    async fn lines(&self, file: PartitionedFile) -> Result<BoxStream<'static, Result<Bytes>>> {
        let object = &file.object_meta;
        let mut range = file.range.as_ref();
        if let Some(part) = range
            && compression_of(&self.store, object).await?.is_some()
        {
            // The reader of the first range reads all of a compressed file.
            if part.start > 0 {
                return Ok(stream::empty().boxed());
            }
            range = None;
        }
        let Some(range) = range else {
            let contents = Contents::open(&self.store, object).await?;
            return Ok(lines_of(contents.chunks, true, self.is_array));
        };
        let offset = |number: i64| u64::try_from(number).unwrap_or_default();
        let chunks = AlignedBoundaryStream::new(
            Arc::clone(&self.store),
            object.location.clone(),
            offset(range.start),
            offset(range.end),
            object.size,
            b'\n',
        );
        let chunks = chunks.await?.map_err(DataFusionError::from).boxed();
        Ok(lines_of(chunks, range.start == 0, self.is_array))
    }
}

/// Parses text into batches of limited size.
struct Batches {
    decoder: Decoder,
    lines: BoxStream<'static, Result<Bytes>>,
    /// Text that is not parsed yet.
    chunk: Bytes,
    /// The number of bytes already decoded into the next batch.
    decoded: usize,
}

impl Batches {
    fn into_stream(self) -> BoxStream<'static, Result<RecordBatch>> {
        stream::try_unfold(self, |mut batches| async {
            let batch = batches.next().await?;
            Ok(batch.map(|batch| (batch, batches)))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if self.chunk.is_empty() {
                match self.lines.next().await {
                    Some(chunk) => self.chunk = chunk?,
                    None => return self.flush(),
                }
            }
            let part = self.part();
            let length = self.decoder.decode(&self.chunk[..part])?;
            self.chunk.advance(length);
            self.decoded += length;
            let is_full = length < part
                || (self.decoded >= MAX_BATCH_BYTES && !self.decoder.has_partial_record());
            if is_full && let Some(batch) = self.flush()? {
                return Ok(Some(batch));
            }
        }
    }

    /// Returns the number of bytes of the chunk to decode: the lines that fill the batch, or the
    /// whole chunk.
    fn part(&self) -> usize {
        let room = MAX_BATCH_BYTES.saturating_sub(self.decoded);
        let after = self.chunk.get(room..).unwrap_or_default();
        memchr(b'\n', after).map_or(self.chunk.len(), |end| room + end + 1)
    }

    fn flush(&mut self) -> Result<Option<RecordBatch>> {
        self.decoded = 0;
        Ok(self.decoder.flush()?)
    }
}
