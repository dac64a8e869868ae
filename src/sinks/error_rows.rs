//! Counts the rows with an error that a copy writes, for the summary of the run.
//!
//! Functions such as `pdf_parse` return their errors as values, which no source counts.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::parquet::basic::Type as PhysicalType;
use datafusion::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::StreamExt;

use crate::operator::{no_expressions, one_input};
use crate::planner::RECOMPUTE;
use crate::tree_walk::TreeWalk;

/// The column with the error of a row, or NULL.
pub const ERROR_COLUMN: &str = "error";

const METRIC: &str = "error_rows";

/// The number of rows with an error.
pub fn error_rows(batch: &RecordBatch) -> usize {
    column(batch.schema_ref()).map_or(0, |at| batch.num_rows() - batch.column(at).null_count())
}

/// Counts the errors that the writers of a copy receive, if the query has a column with errors.
pub fn with_counters(writers: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    writers
        .transform_up_dyn(&mut |plan| match plan.downcast_ref::<DataSinkExec>() {
            Some(sink) if column(&sink.input().schema()).is_some() => {
                let input = Arc::new(ErrorRowsExec::new(Arc::clone(sink.input())));
                Ok(Transformed::yes(
                    plan.replace_children(vec![input], RECOMPUTE)?,
                ))
            }
            _ => Ok(Transformed::no(plan)),
        })
        .data()
}

/// The count of a plan that has run.
pub fn count(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    match plan.downcast_ref::<ErrorRowsExec>() {
        Some(exec) => {
            let count = exec.metrics.clone_inner().sum_by_name(METRIC);
            count.map_or(0, |count| count.as_usize() as u64)
        }
        None => plan.children().into_iter().map(count).sum(),
    }
}

/// The number of rows with an error in a Parquet file with statistics.
pub fn written_error_rows(metadata: &ParquetMetaData) -> u64 {
    let groups = metadata.row_groups().iter();
    groups
        .filter_map(|group| {
            let is_error = |column: &&ColumnChunkMetaData| {
                column.column_path().parts() == [ERROR_COLUMN]
                    && column.column_type() == PhysicalType::BYTE_ARRAY
            };
            let column = group.columns().iter().find(is_error)?;
            let rows = u64::try_from(group.num_rows()).ok()?;
            Some(rows.saturating_sub(column.statistics()?.null_count_opt()?))
        })
        .sum()
}

/// The position of the column, if it holds texts.
fn column(schema: &Schema) -> Option<usize> {
    let at = schema.index_of(ERROR_COLUMN).ok()?;
    schema.field(at).data_type().is_string().then_some(at)
}

/// Counts the rows that pass.
#[derive(Debug)]
pub struct ErrorRowsExec {
    input: Arc<dyn ExecutionPlan>,
    metrics: ExecutionPlanMetricsSet,
}

impl ErrorRowsExec {
    fn new(input: Arc<dyn ExecutionPlan>) -> Self {
        Self {
            input,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }
}

impl DisplayAs for ErrorRowsExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("ErrorRowsExec")
    }
}

impl ExecutionPlan for ErrorRowsExec {
    one_input!(ErrorRowsExec, input, |_, input| Ok(Self::new(input)));

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    no_expressions!();

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let counter = MetricBuilder::new(&self.metrics).counter(METRIC, partition);
        let batches = self.input.execute(partition, context)?;
        let batches = batches.inspect(move |batch| {
            if let Ok(batch) = batch {
                counter.add(error_rows(batch));
            }
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}
