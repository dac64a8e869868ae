//! Numbers rows as they stream, in place of DataFusion's window operator.
//!
//! The window operator appends each batch to the remainder of the one before, which has no rows but
//! still references the buffers of its texts, so `row_number() OVER ()` over documents holds all of
//! them in memory.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{Int64Array, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::OrderingRequirements;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::window::StandardWindowExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::execution_plan::{
    CardinalityEffect, ChildrenPropertiesMode, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowUDFExpr};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, InputDistributionRequirements, PlanProperties,
    WindowExpr,
};
use futures::StreamExt;

use crate::tree_walk::TreeWalk;

/// Replaces windows of `row_number()` without PARTITION BY. It runs after DataFusion's rules,
/// because they need to know the window's order and distribution.
#[derive(Debug)]
pub struct StreamRowNumbers;

impl PhysicalOptimizerRule for StreamRowNumbers {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up_dyn(&mut |plan| {
            let numbers_rows = plan
                .downcast_ref::<BoundedWindowAggExec>()
                .is_some_and(|window| window.window_expr().iter().all(is_row_number));
            Ok(if numbers_rows {
                Transformed::yes(Arc::new(RowNumberExec::new(plan)) as _)
            } else {
                Transformed::no(plan)
            })
        })
        .data()
    }

    fn name(&self) -> &str {
        "stream_row_numbers"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a window expression numbers all rows in their order.
fn is_row_number(expr: &Arc<dyn WindowExpr>) -> bool {
    let expr = expr.as_any().downcast_ref::<StandardWindowExpr>();
    expr.is_some_and(|expr| {
        let function = expr.get_standard_func_expr().as_any();
        let function = function.downcast_ref::<WindowUDFExpr>();
        expr.partition_by().is_empty()
            && function.is_some_and(|function| function.fun().name() == "row_number")
    })
}

/// Appends the number of each row.
#[derive(Debug)]
pub struct RowNumberExec {
    /// The replaced operator. It provides everything except execution.
    window: Arc<dyn ExecutionPlan>,
    metrics: ExecutionPlanMetricsSet,
}

impl RowNumberExec {
    pub fn new(window: Arc<dyn ExecutionPlan>) -> Self {
        Self {
            window,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// The replaced operator.
    pub fn window(&self) -> &Arc<dyn ExecutionPlan> {
        &self.window
    }
}

impl DisplayAs for RowNumberExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("RowNumberExec")
    }
}

impl ExecutionPlan for RowNumberExec {
    fn name(&self) -> &str {
        "RowNumberExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.window.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.window.children()
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        self.window.required_input_ordering()
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        self.window.input_distribution_requirements()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.window.maintains_input_order()
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        let window = Arc::clone(&self.window).replace_children(children, options)?;
        Ok(Arc::new(Self::new(window)))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.window.apply_expressions(f)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let children = self.window.children();
        let [input] = children.as_slice() else {
            return internal_err!("RowNumberExec has one input");
        };
        let schema = self.schema();
        let metrics = BaselineMetrics::new(&self.metrics, partition);
        let mut rows = 0;
        let batches = input.execute(partition, context)?.map(move |batch| {
            let _timer = metrics.elapsed_compute().timer();
            let batch = number(&batch?, rows, &schema)?;
            rows += batch.num_rows() as i64;
            metrics.record_output(batch.num_rows());
            Ok(batch)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}

/// Appends row numbers to a batch that follows `rows` earlier rows.
fn number(batch: &RecordBatch, rows: i64, schema: &SchemaRef) -> Result<RecordBatch> {
    let numbers = Int64Array::from_iter_values(rows + 1..=rows + batch.num_rows() as i64);
    let mut columns = batch.columns().to_vec();
    // DataFusion's function is unsigned, and ours is not.
    let numbers = cast(&numbers, schema.field(columns.len()).data_type())?;
    // The query may contain several equal row numbers.
    columns.resize(schema.fields().len(), numbers);
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{ArrayRef, AsArray, StringViewArray};
    use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
    use datafusion::datasource::MemTable;

    use super::*;
    use crate::session::{SessionOptions, session};

    const BATCHES: i64 = 20;
    const ROWS: i64 = 10;

    /// Makes batches with texts that are too long to be inlined in their view.
    fn texts() -> MemTable {
        let fields = vec![Field::new("text", DataType::Utf8View, false)];
        let schema = Arc::new(Schema::new(fields));
        let batch = |batch| {
            let texts =
                (0..ROWS).map(|row| format!("a text with the number {}", batch * ROWS + row));
            let texts: ArrayRef = Arc::new(StringViewArray::from_iter_values(texts));
            RecordBatch::try_new(Arc::clone(&schema), vec![texts]).unwrap()
        };
        let batches = (0..BATCHES).map(batch).collect();
        MemTable::try_new(Arc::clone(&schema), vec![batches]).unwrap()
    }

    #[tokio::test]
    async fn numbered_batches_do_not_hold_the_texts_of_earlier_ones() {
        let options = SessionOptions {
            threads: Some(1),
            ..SessionOptions::default()
        };
        let session = session(&options).unwrap();
        session.register_table("texts", Arc::new(texts())).unwrap();
        let sql = "SELECT row_number() OVER () AS number, text FROM texts";
        let batches = session.sql(sql).await.unwrap().collect().await.unwrap();
        let mut number = 0;
        for batch in &batches {
            let texts = batch.column(1).as_string_view();
            let held: usize = texts.data_buffers().iter().map(|buffer| buffer.len()).sum();
            let needed: usize = texts.iter().flatten().map(str::len).sum();
            assert!(held <= 2 * needed, "{held} bytes held for {needed}");
            for found in batch.column(0).as_primitive::<Int64Type>().values() {
                number += 1;
                assert_eq!(*found, number);
            }
        }
        assert_eq!(number, BATCHES * ROWS);
    }
}
