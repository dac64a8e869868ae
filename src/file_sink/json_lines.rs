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
use datafusion::execution::TaskContext;
use object_store::ObjectStore;

use super::FileWriter;
use crate::nested_as_json::write_json;

/// A writer of JSON lines.
pub struct JsonLines(pub JsonWriterOptions);

impl fmt::Debug for JsonLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JsonLines")
    }
}

#[async_trait]
impl FileWriter for JsonLines {
    async fn write(
        &self,
        _schema: &SchemaRef,
        files: DemuxedStreamReceiver,
        feeder: SpawnedTask<Result<()>>,
        store: Arc<dyn ObjectStore>,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let Self(options) = self;
        let (compression, level) = (options.compression.into(), options.compression_level);
        let lines = Arc::new(Lines);
        spawn_writer_tasks_and_join(context, lines, compression, level, store, feeder, files).await
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
