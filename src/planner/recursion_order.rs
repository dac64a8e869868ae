//! The rows of a recursive query in the order of its steps, as in DuckDB.
//!
//! One stream makes them. DataFusion deals its batches, one for each step, out to all threads: a
//! list of days is out of order.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::physical_expr::Partitioning;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::recursive_query::RecursiveQueryExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::work_table::WorkTableExec;

use crate::tree_walk::TreeWalk;

/// Keeps the rows of recursive queries in one stream.
#[derive(Debug)]
pub struct RecursionOrder;

impl PhysicalOptimizerRule for RecursionOrder {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up_dyn(&mut |plan| {
            let dealt = plan.downcast_ref::<RepartitionExec>();
            let dealt = dealt.filter(|dealt| {
                matches!(dealt.partitioning(), Partitioning::RoundRobinBatch(_))
                    && is_recursion(dealt.input())
            });
            Ok(match dealt {
                Some(dealt) => Transformed::yes(Arc::clone(dealt.input())),
                None => Transformed::no(plan),
            })
        })
        .data()
    }

    fn name(&self) -> &str {
        "recursion_order"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a plan returns the rows of a recursive query or of one of its steps, in their order.
fn is_recursion(plan: &Arc<dyn ExecutionPlan>) -> bool {
    if plan.is::<RecursiveQueryExec>() || plan.is::<WorkTableExec>() {
        return true;
    }
    match (
        plan.children().as_slice(),
        plan.maintains_input_order().first(),
    ) {
        ([input], Some(true)) => is_recursion(input),
        _ => false,
    }
}
