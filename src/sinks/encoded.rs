//! Writes files whose batches are encoded independently of each other.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::common::runtime::{JoinSet, SpawnedTask};
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::ObjectStore;
use object_store::buffered::BufWriter;
use tokio::sync::mpsc::Receiver;

use crate::file_sink::FileWriter;

/// Smaller batches are combined before they are encoded, because compression works better on larger
/// blocks.
const MIN_ENCODED_BYTES: usize = 1 << 20;

/// Turns batches into the bytes of a file.
pub trait Encoder: fmt::Debug + Send + Sync + 'static {
    /// Returns the first bytes of the file.
    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn encode(&self, batch: &RecordBatch) -> Result<Vec<u8>>;
}

/// Encodes several batches of a file in parallel, and writes them in their order.
#[derive(Debug)]
pub struct EncodedFiles<E>(Arc<E>);

impl<E: Encoder> EncodedFiles<E> {
    pub fn new(encoder: E) -> Self {
        Self(Arc::new(encoder))
    }
}

#[async_trait]
impl<E: Encoder> FileWriter for EncodedFiles<E> {
    async fn write(
        &self,
        _schema: &SchemaRef,
        mut files: DemuxedStreamReceiver,
        feeder: SpawnedTask<Result<()>>,
        store: Arc<dyn ObjectStore>,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let at_a_time = context.session_config().target_partitions();
        let mut writers = JoinSet::new();
        while let Some((path, batches)) = files.recv().await {
            let encoder = Arc::clone(&self.0);
            let out = BufWriter::new(Arc::clone(&store), path);
            writers.spawn(write_file(out, batches, encoder, at_a_time));
        }
        written_rows(writers, feeder).await
    }
}

/// Waits for the writers of all files, and for the task that feeds them. Returns the number of
/// rows.
pub async fn written_rows(
    mut writers: JoinSet<Result<u64>>,
    feeder: SpawnedTask<Result<()>>,
) -> Result<u64> {
    let join_error = |error| DataFusionError::ExecutionJoin(Box::new(error));
    let mut rows = 0;
    let mut failure = None;
    while let Some(written) = writers.join_next().await {
        match written.map_err(join_error)? {
            Ok(count) => rows += count,
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    // If a writer fails, the task that feeds it also fails, with a less specific error.
    let fed = feeder.join_unwind().await.map_err(join_error)?;
    match failure {
        Some(error) => Err(error),
        None => fed.map(|()| rows),
    }
}

async fn write_file<E: Encoder>(
    mut out: BufWriter,
    batches: Receiver<RecordBatch>,
    encoder: Arc<E>,
    at_a_time: usize,
) -> Result<u64> {
    let start = encoder.start();
    if !start.is_empty() {
        out.put(start.into()).await?;
    }
    let mut encoded = gather(batches)
        .map(|batch| {
            let encoder = Arc::clone(&encoder);
            SpawnedTask::spawn(async move {
                let batch = batch?;
                let bytes = encoder.encode(&batch)?;
                Ok((batch.num_rows() as u64, Bytes::from(bytes)))
            })
            .join_unwind()
        })
        .buffered(at_a_time)
        .map(|joined| {
            joined.unwrap_or_else(|error| Err(DataFusionError::ExecutionJoin(Box::new(error))))
        });
    let mut rows = 0;
    while let Some((count, bytes)) = encoded.try_next().await? {
        out.put(bytes).await?;
        rows += count;
    }
    tokio::io::AsyncWriteExt::shutdown(&mut out).await?;
    Ok(rows)
}

/// Combines small batches.
fn gather(batches: Receiver<RecordBatch>) -> impl Stream<Item = Result<RecordBatch>> {
    let gathered = futures::stream::unfold(batches, |mut batches| async move {
        let first = batches.recv().await?;
        let schema = first.schema();
        let mut size = first.get_array_memory_size();
        let mut together = vec![first];
        while size < MIN_ENCODED_BYTES {
            let Some(batch) = batches.recv().await else {
                break;
            };
            size += batch.get_array_memory_size();
            together.push(batch);
        }
        let batch = match together.as_slice() {
            [one] => Ok(one.clone()),
            _ => concat_batches(&schema, &together).map_err(DataFusionError::from),
        };
        Some((batch, batches))
    });
    gathered.boxed()
}
