//! Ends joins when their statement is stopped.
//!
//! DataFusion ends a stopped task where rows are read from files, or pass between tasks. A join of
//! a million rows with a million others computes for hours without either. A join that
//! returns many rows is wrapped in a [`CooperativeExec`]. A join that returns few rows evaluates
//! its filter often; the filter fails after a stop.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{FieldRef, Schema};
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{
    CrossJoinExec, HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder, SortMergeJoinExec,
};

use crate::tree_walk::TreeWalk;

/// The operator whose input runs on a cluster.
const ON_CLUSTER: &str = "ClusterExec";

/// A request to stop a statement. Clones are the same request.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Requests a stop when it is dropped.
pub struct StopOnDrop(pub StopSignal);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Returns the plan with joins that end after any of the requests. This is not an optimizer rule,
/// so that the output of EXPLAIN does not change. Joins of a cluster stay as they are: they end
/// with their job.
pub fn with_stoppable_joins(
    plan: Arc<dyn ExecutionPlan>,
    stops: &[StopSignal],
) -> Result<Arc<dyn ExecutionPlan>> {
    if plan.exists_dyn(&|node| Ok(node.name() == ON_CLUSTER))? {
        return Ok(plan);
    }
    plan.transform_up_dyn(&mut |plan| {
        Ok(match stoppable(&plan, stops)? {
            Some(join) => {
                Transformed::yes(Arc::new(CooperativeExec::new(join)) as Arc<dyn ExecutionPlan>)
            }
            None => Transformed::no(plan),
        })
    })
    .data()
}

/// Returns a join whose filter ends it. `None` for other operators.
fn stoppable(
    plan: &Arc<dyn ExecutionPlan>,
    stops: &[StopSignal],
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let filtered = |filter: Option<&JoinFilter>| filter.map(|filter| with_stops(filter, stops));
    if plan.is::<CrossJoinExec>() {
        return Ok(Some(Arc::clone(plan)));
    }
    if let Some(join) = plan.downcast_ref::<NestedLoopJoinExec>() {
        let filter = filtered(join.filter());
        let join = NestedLoopJoinExecBuilder::from(join).with_filter(filter);
        return Ok(Some(Arc::new(join.build()?)));
    }
    if let Some(join) = plan.downcast_ref::<HashJoinExec>() {
        let filter = filtered(join.filter());
        return Ok(Some(join.builder().with_filter(filter).build_exec()?));
    }
    if let Some(join) = plan.downcast_ref::<SortMergeJoinExec>() {
        let join = SortMergeJoinExec::try_new(
            Arc::clone(join.left()),
            Arc::clone(join.right()),
            join.on().to_vec(),
            filtered(join.filter().as_ref()),
            join.join_type(),
            join.sort_options().to_vec(),
            join.null_equality(),
        );
        return Ok(Some(Arc::new(join?)));
    }
    Ok(None)
}

fn with_stops(filter: &JoinFilter, stops: &[StopSignal]) -> JoinFilter {
    let expression = Stoppable {
        inner: Arc::clone(filter.expression()),
        stops: stops.into(),
    };
    JoinFilter::new(
        Arc::new(expression),
        filter.column_indices().to_vec(),
        Arc::clone(filter.schema()),
    )
}

/// An expression that fails after a request to stop.
#[derive(Debug, Clone)]
struct Stoppable {
    inner: Arc<dyn PhysicalExpr>,
    stops: Arc<[StopSignal]>,
}

impl PartialEq for Stoppable {
    fn eq(&self, other: &Self) -> bool {
        self.inner.eq(&other.inner)
    }
}

impl Eq for Stoppable {}

impl Hash for Stoppable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl fmt::Display for Stoppable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PhysicalExpr for Stoppable {
    fn return_field(&self, input_schema: &Schema) -> Result<FieldRef> {
        self.inner.return_field(input_schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        if self.stops.iter().any(StopSignal::is_requested) {
            return exec_err!("the statement was stopped");
        }
        self.inner.evaluate(batch)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.inner]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let mut children = children.into_iter();
        let inner = children.next().unwrap_or_else(|| Arc::clone(&self.inner));
        let stops = Arc::clone(&self.stops);
        Ok(Arc::new(Self { inner, stops }))
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_sql(f)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::{collect, displayable};
    use datafusion::prelude::{SessionConfig, SessionContext};

    use super::*;

    #[tokio::test]
    async fn joins_end_when_their_statement_is_stopped() {
        let both = "a.v % 10 = b.v % 10 AND a.v * b.v = 9";
        for (name, condition, matches, prefer_hash_join) in [
            ("NestedLoopJoinExec", "a.v * b.v = 9", 3, true),
            ("HashJoinExec", both, 1, true),
            ("SortMergeJoinExec", both, 1, false),
        ] {
            let mut config = SessionConfig::new().with_target_partitions(2);
            config.options_mut().optimizer.prefer_hash_join = prefer_hash_join;
            let context = SessionContext::new_with_config(config);
            let numbers = "generate_series(1, 100) AS";
            let sql = format!("SELECT a.v FROM {numbers} a(v) JOIN {numbers} b(v) ON {condition}");
            for is_stopped in [false, true] {
                let frame = context.sql(&sql).await.unwrap();
                let plan = frame.create_physical_plan().await.unwrap();
                let (other, own) = (StopSignal::default(), StopSignal::default());
                let plan = with_stoppable_joins(plan, &[other, own.clone()]).unwrap();
                let shown = displayable(plan.as_ref()).indent(false).to_string();
                assert!(shown.contains(&format!("{name}: ")), "{shown}");
                assert!(shown.contains("filter=v@0 * v@1 = 9"), "{shown}");
                if is_stopped {
                    drop(StopOnDrop(own));
                }
                match collect(plan, context.task_ctx()).await {
                    Ok(batches) => {
                        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
                        assert_eq!((rows, is_stopped), (matches, false), "{name}");
                    }
                    Err(error) => assert!(is_stopped && error.to_string().contains("was stopped")),
                }
            }
        }
    }
}
