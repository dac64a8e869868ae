//! The operator that changes the batch size of the operators below it.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::small::SmallBatches;
use crate::operator::{no_expressions, one_input};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::BatchCoalescer;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{Stream, StreamExt};

/// The emitted batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The batches of the input.
    Unchanged,
    /// Gather or split batches to this number of rows.
    Rows(usize),
    /// Gather small batches as long as the next one is ready.
    Gathered,
}

/// Runs its input with another batch size.
#[derive(Debug)]
pub struct BatchSizeExec {
    input: Arc<dyn ExecutionPlan>,
    /// The batch size of the input.
    rows: usize,
    output: Output,
    metrics: ExecutionPlanMetricsSet,
}

impl BatchSizeExec {
    pub fn new(input: Arc<dyn ExecutionPlan>, rows: usize, output: Output) -> Self {
        Self {
            input,
            rows,
            output,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    pub fn input(&self) -> &Arc<dyn ExecutionPlan> {
        &self.input
    }

    /// The batch size of the input.
    #[cfg(any(test, feature = "cluster"))]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[cfg(any(test, feature = "cluster"))]
    pub fn output(&self) -> Output {
        self.output
    }
}

impl DisplayAs for BatchSizeExec {
    fn fmt_as(&self, format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        let separator = match format {
            DisplayFormatType::TreeRender => "\n",
            _ => {
                f.write_str("BatchSizeExec: ")?;
                ", "
            }
        };
        write!(f, "rows={}", self.rows)?;
        match self.output {
            Output::Unchanged => Ok(()),
            Output::Rows(rows) => write!(f, "{separator}output_rows={rows}"),
            Output::Gathered => write!(f, "{separator}small batches gathered"),
        }
    }
}

impl ExecutionPlan for BatchSizeExec {
    one_input!(BatchSizeExec, input, |exec, input| {
        Ok(Self::new(input, exec.rows, exec.output))
    });

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
        let config = context.session_config().clone().with_batch_size(self.rows);
        let context = TaskContext::new(
            context.task_id(),
            context.session_id(),
            config,
            context.scalar_functions().clone(),
            context.higher_order_functions().clone(),
            context.aggregate_functions().clone(),
            context.window_functions().clone(),
            context.runtime_env(),
        );
        let input = self.input.execute(partition, Arc::new(context))?;
        let rows = match self.output {
            Output::Unchanged => return Ok(input),
            Output::Rows(rows) => rows,
            Output::Gathered => return Ok(Box::pin(SmallBatches::new(input))),
        };
        // Batches that are large enough are passed on unchanged.
        let coalescer = BatchCoalescer::new(self.schema(), rows)
            .with_biggest_coalesce_batch_size((rows > self.rows).then_some(rows / 2));
        Ok(Box::pin(Resized {
            input,
            coalescer,
            has_ended: false,
            metrics: BaselineMetrics::new(&self.metrics, partition),
        }))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        match inputs {
            [input] => Ok(Arc::clone(input)),
            _ => internal_err!("BatchSizeExec has one input"),
        }
    }

    fn supports_limit_pushdown(&self) -> bool {
        true
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}

/// Gathers or splits the batches of a stream.
struct Resized {
    input: SendableRecordBatchStream,
    coalescer: BatchCoalescer,
    has_ended: bool,
    metrics: BaselineMetrics,
}

impl Resized {
    fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        loop {
            if let Some(batch) = self.coalescer.next_completed_batch() {
                return Poll::Ready(Some(Ok(batch)));
            }
            if self.has_ended {
                return Poll::Ready(None);
            }
            let added = match ready!(self.input.poll_next_unpin(context)) {
                Some(Ok(batch)) => {
                    let _timer = self.metrics.elapsed_compute().timer();
                    self.coalescer.push_batch(batch)
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.has_ended = true;
                    self.coalescer.finish_buffered_batch()
                }
            };
            if let Err(error) = added {
                return Poll::Ready(Some(Err(error.into())));
            }
        }
    }
}

impl Stream for Resized {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let batch = self.poll_batch(context);
        self.metrics.record_poll(batch)
    }
}

impl RecordBatchStream for Resized {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}
