//! Sinks of DataFusion that write the rows of a copy to files.

pub mod json_lines;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::common::runtime::SpawnedTask;
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::physical_plan::{FileSink, FileSinkConfig};
use datafusion::datasource::sink::DataSink;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use object_store::ObjectStore;

/// Writes files of one format. EXPLAIN shows its `Debug` text.
#[async_trait]
pub trait FileWriter: fmt::Debug + Send + Sync + 'static {
    /// Writes the batches of each file, which `feeder` sends. Returns the number of rows.
    async fn write(
        &self,
        schema: &SchemaRef,
        files: DemuxedStreamReceiver,
        feeder: SpawnedTask<Result<()>>,
        store: Arc<dyn ObjectStore>,
        context: &Arc<TaskContext>,
    ) -> Result<u64>;
}

/// Returns the sink of a copy. DataFusion divides its rows among the files.
pub fn file_sink(config: FileSinkConfig, writer: impl FileWriter) -> Arc<dyn DataSink> {
    Arc::new(Files { config, writer })
}

#[derive(Debug)]
struct Files<W> {
    config: FileSinkConfig,
    writer: W,
}

impl<W: FileWriter> DisplayAs for Files<W> {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.writer)
    }
}

#[async_trait]
impl<W: FileWriter> FileSink for Files<W> {
    fn config(&self) -> &FileSinkConfig {
        &self.config
    }

    async fn spawn_writer_tasks_and_join(
        &self,
        context: &Arc<TaskContext>,
        feeder: SpawnedTask<Result<()>>,
        files: DemuxedStreamReceiver,
        store: Arc<dyn ObjectStore>,
    ) -> Result<u64> {
        let schema = self.config.output_schema();
        let written = self.writer.write(schema, files, feeder, store, context);
        written.await
    }
}

#[async_trait]
impl<W: FileWriter> DataSink for Files<W> {
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
