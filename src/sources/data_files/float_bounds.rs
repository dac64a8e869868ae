//! Hides the maximums of floating-point columns of Parquet files. They leave out NaN, which is
//! greater than all numbers in SQL: `x > 5` and `ORDER BY x DESC LIMIT 1` would miss it, and a
//! column of 1 and NaN would be the constant 1.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::stats::Precision;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::ParquetFileReaderFactory;
use datafusion::parquet::arrow::arrow_reader::ArrowReaderOptions;
use datafusion::parquet::arrow::async_reader::AsyncFileReader;
use datafusion::parquet::basic::{LogicalType, Type};
use datafusion::parquet::errors::Result as ParquetResult;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use datafusion::parquet::file::page_index::column_index::ColumnIndexMetaData;
use datafusion::parquet::file::statistics::Statistics as ChunkStatistics;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::future::BoxFuture;
use futures::{FutureExt, TryFutureExt};

/// Removes the maximums of floating-point columns from the statistics of a file.
pub fn without_float_maximums(mut statistics: Statistics, columns: &Schema) -> Statistics {
    let fields = columns.fields().iter();
    for (column, field) in statistics.column_statistics.iter_mut().zip(fields) {
        if field.data_type().is_floating() {
            column.max_value = Precision::Absent;
        }
    }
    statistics
}

/// Opens files without the maximums of floating-point columns in their row groups and pages.
#[derive(Debug)]
pub struct WithoutFloatMaximums(pub Arc<dyn ParquetFileReaderFactory>);

impl ParquetFileReaderFactory for WithoutFloatMaximums {
    fn create_reader(
        &self,
        partition: usize,
        file: PartitionedFile,
        footer_bytes: Option<usize>,
        metrics: &ExecutionPlanMetricsSet,
    ) -> Result<Box<dyn AsyncFileReader + Send>> {
        let reader = self
            .0
            .create_reader(partition, file, footer_bytes, metrics)?;
        Ok(Box::new(Reader(reader)))
    }
}

struct Reader(Box<dyn AsyncFileReader + Send>);

impl AsyncFileReader for Reader {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, ParquetResult<Bytes>> {
        self.0.get_bytes(range)
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, ParquetResult<Vec<Bytes>>> {
        self.0.get_byte_ranges(ranges)
    }

    fn get_metadata<'a>(
        &'a mut self,
        options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, ParquetResult<Arc<ParquetMetaData>>> {
        let metadata = self.0.get_metadata(options);
        metadata
            .and_then(async |metadata| hide_maximums(metadata))
            .boxed()
    }
}

fn hide_maximums(metadata: Arc<ParquetMetaData>) -> ParquetResult<Arc<ParquetMetaData>> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let floats: Vec<usize> = (0..columns.len())
        .filter(|&column| {
            columns[column].physical_type() == Type::FLOAT
                || columns[column].physical_type() == Type::DOUBLE
                || columns[column].logical_type_ref() == Some(&LogicalType::Float16)
        })
        .collect();
    if floats.is_empty() {
        return Ok(metadata);
    }
    let mut metadata = Arc::unwrap_or_clone(metadata).into_builder();
    let mut groups = Vec::new();
    for group in metadata.take_row_groups() {
        let mut chunks = group.columns().to_vec();
        for &column in &floats {
            chunks[column] = without_maximum(&chunks[column])?;
        }
        groups.push(group.into_builder().set_column_metadata(chunks).build()?);
    }
    let mut index = metadata.take_column_index();
    for group in index.iter_mut().flatten() {
        for &column in &floats {
            if let Some(pages) = group.get_mut(column) {
                *pages = ColumnIndexMetaData::NONE;
            }
        }
    }
    let metadata = metadata.set_row_groups(groups).set_column_index(index);
    Ok(Arc::new(metadata.build()))
}

/// The metadata of a column in a row group, without its maximum and its index of pages.
fn without_maximum(chunk: &ColumnChunkMetaData) -> ParquetResult<ColumnChunkMetaData> {
    let mut without = chunk
        .clone()
        .into_builder()
        .set_column_index_offset(None)
        .set_column_index_length(None);
    if let Some(statistics) = chunk.statistics() {
        let (distinct, nulls) = (statistics.distinct_count_opt(), statistics.null_count_opt());
        let is_old = statistics.is_min_max_deprecated();
        without = without.set_statistics(match statistics {
            ChunkStatistics::Float(values) => {
                let minimum = values.min_opt().copied();
                ChunkStatistics::float(minimum, None, distinct, nulls, is_old)
            }
            ChunkStatistics::Double(values) => {
                let minimum = values.min_opt().copied();
                ChunkStatistics::double(minimum, None, distinct, nulls, is_old)
            }
            ChunkStatistics::FixedLenByteArray(values) => {
                let minimum = values.min_opt().cloned();
                ChunkStatistics::fixed_len_byte_array(minimum, None, distinct, nulls, is_old)
            }
            others => others.clone(),
        });
    }
    without.build()
}
