//! A copy whose output is there already.

use std::fmt;
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};

use super::exec::{Report, count_batch, count_properties};

/// Does nothing.
#[derive(Debug)]
pub struct UnchangedExec {
    target: String,
    pub report: Arc<Report>,
    properties: Arc<PlanProperties>,
}

impl UnchangedExec {
    pub fn new(target: String) -> Self {
        Self {
            target,
            report: Arc::new(Report::unchanged()),
            properties: count_properties(),
        }
    }
}

impl DisplayAs for UnchangedExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "UnchangedExec: {}", self.target)
    }
}

impl ExecutionPlan for UnchangedExec {
    fn name(&self) -> &str {
        "UnchangedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn for<'a> FnMut(&'a Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        _partition: usize,
        _context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let batch = count_batch(self.schema(), 0)?;
        let batches = futures::stream::once(async move { Ok(batch) });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            self.schema(),
            batches,
        )))
    }
}
