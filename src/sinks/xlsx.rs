//! `COPY (SELECT …) TO 'x.xlsx'`: files for Excel and other spreadsheets.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
use datafusion::common::runtime::{JoinSet, SpawnedTask};
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::execution::TaskContext;
use object_store::ObjectStore;
use object_store::buffered::BufWriter;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc::Receiver;

use super::encoded::written_rows;
use super::format::SinkFormat;
use crate::file_sink::{FileWriter, file_sink};
use crate::options::Options;
use crate::spreadsheet::Spreadsheet;

#[derive(Debug)]
pub struct XlsxSink;

impl SinkFormat for XlsxSink {
    fn name(&self) -> &'static str {
        "XLSX"
    }

    fn extension(&self) -> &'static str {
        "xlsx"
    }

    fn description(&self) -> &'static str {
        "All columns, for Excel: one sheet with a header, up to 1,048,575 rows and 32,767 characters per cell. \
         Lists and structs are JSON."
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn sink(
        &self,
        _schema: &SchemaRef,
        _options: &Options,
        config: FileSinkConfig,
    ) -> Result<Arc<dyn DataSink>> {
        Ok(file_sink(config, XlsxFiles))
    }
}

#[derive(Debug)]
struct XlsxFiles;

#[async_trait]
impl FileWriter for XlsxFiles {
    async fn write(
        &self,
        schema: &SchemaRef,
        mut files: DemuxedStreamReceiver,
        feeder: SpawnedTask<Result<()>>,
        store: Arc<dyn ObjectStore>,
        _context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let mut writers = JoinSet::new();
        while let Some((path, batches)) = files.recv().await {
            let out = BufWriter::new(Arc::clone(&store), path);
            writers.spawn(write_file(out, Arc::clone(schema), batches));
        }
        written_rows(writers, feeder).await
    }
}

async fn write_file(
    mut out: BufWriter,
    schema: SchemaRef,
    mut batches: Receiver<RecordBatch>,
) -> Result<u64> {
    let fields = schema.fields().iter();
    let names = fields.map(|field| field.name().clone()).collect();
    let mut spreadsheet = Spreadsheet::new(&schema, names)?;
    let mut rows = 0;
    while let Some(batch) = batches.recv().await {
        rows += batch.num_rows() as u64;
        out.put(spreadsheet.rows(&batch)?.into()).await?;
    }
    out.put(spreadsheet.finish()?.into()).await?;
    out.shutdown().await?;
    Ok(rows)
}
