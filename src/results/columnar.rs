//! Results as Parquet and Arrow files, with the settings of `COPY`.

use std::io::Write;
use std::sync::Arc;

use corpus_udfs::duckdb::{batch_with_texts, type_with_texts};
use corpus_udfs::settings::{CorpusSettings, ParquetTimestamps};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::arrow::ipc::CompressionType;
use datafusion::arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use datafusion::config::{ConfigOptions, TableParquetOptions};
use datafusion::error::{DataFusionError, Result};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::file::properties::WriterPropertiesBuilder;

use super::ResultWriter;
use crate::buffer::Buffer;
use crate::sinks::copy::columns::{arrow_type, parquet_type, warn_of_intervals};

/// Converts the rows of a result to the columns of its file.
fn conform(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| {
        if column.data_type() == field.data_type() {
            Ok(Arc::clone(column))
        } else {
            cast(column, field.data_type())
        }
    });
    let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

/// Returns the columns of a file. All are nullable, because batches may contain NULLs where their
/// plan declares none. `written` returns the type that the file has in place of another one.
fn file_schema(schema: &Schema, written: impl Fn(&DataType) -> Option<DataType>) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| {
        let field = field.as_ref().clone().with_nullable(true);
        match written(field.data_type()) {
            Some(written) => field.with_data_type(written),
            None => field,
        }
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The schema and the writer, set by the first result. There is no second result.
type Begun<W> = Option<(SchemaRef, W)>;

fn not_begun() -> DataFusionError {
    DataFusionError::Internal("rows before their columns".to_owned())
}

pub struct ParquetWriter {
    options: TableParquetOptions,
    timestamps: ParquetTimestamps,
    buffer: Buffer,
    file: Begun<ArrowWriter<Buffer>>,
}

impl ParquetWriter {
    pub fn new(settings: &ConfigOptions) -> Self {
        let timestamps = CorpusSettings::of(settings).parquet_timestamps;
        Self {
            options: TableParquetOptions {
                global: settings.execution.parquet.clone(),
                ..TableParquetOptions::default()
            },
            timestamps,
            buffer: Buffer::default(),
            file: None,
        }
    }
}

impl ResultWriter for ParquetWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        warn_of_intervals(schema.fields());
        let schema = file_schema(schema, type_with_texts);
        let schema = file_schema(&schema, |kind| parquet_type(kind, self.timestamps));
        let skips_schema = self.options.global.skip_arrow_metadata;
        if !skips_schema {
            self.options.arrow_schema(&schema);
        }
        let properties = WriterPropertiesBuilder::try_from(&self.options)?.build();
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            .with_skip_arrow_metadata(skips_schema);
        let buffer = self.buffer.clone();
        let writer = ArrowWriter::try_new_with_options(buffer, Arc::clone(&schema), options)?;
        self.file = Some((schema, writer));
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        let (schema, writer) = self.file.as_mut().ok_or_else(not_begun)?;
        writer.write(&conform(&batch_with_texts(batch)?, schema)?)?;
        self.buffer.pass_on(out)
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if let Some((_, writer)) = self.file.take() {
            writer.close()?;
        }
        self.buffer.pass_on(out)
    }
}

#[derive(Default)]
pub struct ArrowFileWriter {
    buffer: Buffer,
    file: Begun<FileWriter<Buffer>>,
}

impl ResultWriter for ArrowFileWriter {
    fn begin(&mut self, schema: &Schema, _out: &mut dyn Write) -> Result<()> {
        let schema = file_schema(schema, arrow_type);
        let options =
            IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME))?;
        let buffer = self.buffer.clone();
        let writer = FileWriter::try_new_with_options(buffer, &schema, options)?;
        self.file = Some((schema, writer));
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch, out: &mut dyn Write) -> Result<()> {
        let (schema, writer) = self.file.as_mut().ok_or_else(not_begun)?;
        writer.write(&conform(batch, schema)?)?;
        self.buffer.pass_on(out)
    }

    fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if let Some((_, mut writer)) = self.file.take() {
            writer.finish()?;
        }
        self.buffer.pass_on(out)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use bytes::Bytes;
    use datafusion::arrow::array::{ArrayRef, Int64Array, TimestampNanosecondArray};
    use datafusion::arrow::datatypes::{DataType, TimeUnit};
    use datafusion::arrow::ipc::reader::FileReader;
    use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReader;

    use super::*;

    fn batch() -> RecordBatch {
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None]));
        let times: ArrayRef = Arc::new(TimestampNanosecondArray::from(vec![1_000, 2_000]));
        RecordBatch::try_from_iter([("n", numbers), ("t", times)]).unwrap()
    }

    fn written(mut writer: impl ResultWriter) -> Vec<u8> {
        let mut out = Vec::new();
        writer.begin(&batch().schema(), &mut out).unwrap();
        for _ in 0..2 {
            writer.batch(&batch(), &mut out).unwrap();
        }
        writer.end(&mut out).unwrap();
        out
    }

    #[test]
    fn files_have_all_rows() {
        let mut settings = ConfigOptions::default();
        settings.extensions.insert(CorpusSettings::default());
        let parquet = Bytes::from(written(ParquetWriter::new(&settings)));
        let batches = ParquetRecordBatchReader::try_new(parquet, 10).unwrap();
        let batches: Vec<_> = batches.map(|batch| batch.unwrap()).collect();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 4);
        let time = batches[0].schema().field(1).data_type().clone();
        assert_eq!(time, DataType::Timestamp(TimeUnit::Microsecond, None));

        let arrow = written(ArrowFileWriter::default());
        let batches: Vec<_> = FileReader::try_new(Cursor::new(arrow), None)
            .unwrap()
            .map(|batch| batch.unwrap())
            .collect();
        assert_eq!(batches.len(), 2);
        assert_eq!(batches[1].columns(), batch().columns());
    }
}
