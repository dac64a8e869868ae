//! Lets statements be stopped while a join returns many rows for few that it reads.
//!
//! DataFusion ends a stopped task where rows are read from files, or pass between tasks. A cross
//! join of a million rows with a million others computes for hours between two of these.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec,
};

/// Returns the plan with joins that let other tasks, and the end of their own, have a turn after
/// some batches. This is no optimizer rule, so that EXPLAIN shows what it has always shown.
pub fn with_stoppable_joins(plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
    plan.transform_up(|plan| {
        Ok(if is_join(&*plan) {
            Transformed::yes(Arc::new(CooperativeExec::new(plan)) as Arc<dyn ExecutionPlan>)
        } else {
            Transformed::no(plan)
        })
    })
    .data()
}

fn is_join(plan: &dyn ExecutionPlan) -> bool {
    plan.downcast_ref::<CrossJoinExec>().is_some()
        || plan.downcast_ref::<NestedLoopJoinExec>().is_some()
        || plan.downcast_ref::<HashJoinExec>().is_some()
        || plan.downcast_ref::<SortMergeJoinExec>().is_some()
}
