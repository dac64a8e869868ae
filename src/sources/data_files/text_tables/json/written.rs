//! Writes JSON lines.
//!
//! DataFusion's sink leaves out the keys whose value is NULL, so maps lose entries, and refuses
//! maps whose keys are not texts.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::json::writer::LineDelimited;
use datafusion::common::Result;
use datafusion::common::file_options::json_writer::JsonWriterOptions;
use datafusion::common::runtime::SpawnedTask;
use datafusion::datasource::file_format::write::BatchSerializer;
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::file_format::write::orchestration::spawn_writer_tasks_and_join;
use datafusion::datasource::physical_plan::{FileSink, FileSinkConfig};
use datafusion::datasource::sink::DataSink;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use object_store::ObjectStore;

use crate::nested_as_json::write_json;

/// A sink of JSON lines.
#[derive(Debug)]
pub struct JsonLines {
    pub config: FileSinkConfig,
    pub options: JsonWriterOptions,
}

impl DisplayAs for JsonLines {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JsonLines")
    }
}

#[async_trait]
impl FileSink for JsonLines {
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
        spawn_writer_tasks_and_join(
            context,
            Arc::new(Lines),
            self.options.compression.into(),
            self.options.compression_level,
            store,
            demux_task,
            files,
        )
        .await
    }
}

#[async_trait]
impl DataSink for JsonLines {
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

struct Lines;

impl BatchSerializer for Lines {
    fn serialize(&self, batch: RecordBatch, _is_first: bool) -> Result<Bytes> {
        let mut lines = Vec::new();
        write_json::<LineDelimited>(&batch, &mut lines)?;
        Ok(lines.into())
    }
}
