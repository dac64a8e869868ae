//! Divides plans: operators that read and compute run on the cluster, those that make files appear
//! run in the client.

use std::any::Any;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::SessionState;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;

use super::Cluster;
use super::job::ClusterExec;
use super::settings::distributable;
use super::writers::ClusterWriters;
use crate::boxed_methods::create_physical_plan;
use crate::planner::RECOMPUTE;
use crate::planner::batch_size::{BatchSizeExec, Output};
use crate::sinks::complete::CompleteCopyExec;
use crate::sinks::error_rows::ErrorRowsExec;
use crate::sinks::resume::exec::{Parts, PartsExec};
use crate::sources::scan::in_order::InOrderExec;
use crate::tree_walk::TreeWalk;

/// Plans with another planner, then divides the plan.
#[derive(Debug)]
pub struct ClusterPlanner {
    pub planner: Arc<dyn QueryPlanner + Send + Sync>,
    pub cluster: Cluster,
}

impl QueryPlanner for ClusterPlanner {
    create_physical_plan!(ClusterPlanner, plan);
}

impl ClusterPlanner {
    async fn plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let state = session
            .as_any()
            .downcast_ref::<SessionState>()
            .map(distributable);
        let session = state
            .as_ref()
            .map_or(session, |state| state as &dyn Session);
        let plan = self.planner.create_physical_plan(plan, session).await?;
        self.placed(plan, session.config().batch_size(), None)
    }
}

impl ClusterPlanner {
    /// `batch_size` is that of the session, `batch_rows` that of an operator above.
    fn placed(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        batch_size: usize,
        batch_rows: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if !reads_files(&plan) {
            // The plan reads settings, lists of tables and functions, or in-memory tables.
            return Ok(plan);
        }
        if plan.is::<AnalyzeExec>() {
            return plan_err!(
                "EXPLAIN ANALYZE measures operators in one process: run it without --cluster"
            );
        }
        if let Some(parts) = plan.downcast_ref::<PartsExec>() {
            let writers = ClusterWriters::try_new(self.cluster.clone(), &parts.parts)?;
            return Ok(Arc::new(PartsExec::new(Parts {
                writers: Arc::new(writers),
                ..parts.parts.clone()
            })));
        }
        let sized = plan.downcast_ref::<BatchSizeExec>();
        let is_above_sink = sized.is_some_and(|sized| sized.input().is::<DataSinkExec>());
        let counts = plan.is::<ErrorRowsExec>();
        if plan.is::<CompleteCopyExec>() || plan.is::<DataSinkExec>() || counts || is_above_sink {
            let batch_rows = sized.map(BatchSizeExec::rows).or(batch_rows);
            let inputs = plan.children().into_iter().cloned();
            let inputs = inputs.map(|input| self.placed(input, batch_size, batch_rows));
            let inputs = inputs.collect::<Result<_>>()?;
            return plan.replace_children(inputs, RECOMPUTE);
        }
        // The client merges partitions, in their order.
        let merged = match plan.downcast_ref::<CoalescePartitionsExec>() {
            Some(merge) if merge.fetch().is_none() => Arc::clone(merge.input()),
            _ if plan.is::<InOrderExec>() => match plan.children().as_slice() {
                [input] => Arc::clone(input),
                _ => plan,
            },
            _ => plan,
        };
        let sized = match batch_rows {
            Some(rows) => with_batch_rows(merged, rows)?,
            None => merged,
        };
        Ok(Arc::new(ClusterExec::try_new(
            self.cluster.clone(),
            sized,
            batch_size,
        )?))
    }
}

/// Gives all stages of a plan the batch size of an operator above. If the settings of the job had
/// this size, the scheduler would divide single partitions of a stage, whose tasks would then all
/// return the same rows.
fn with_batch_rows(plan: Arc<dyn ExecutionPlan>, rows: usize) -> Result<Arc<dyn ExecutionPlan>> {
    let sized = |plan: &Arc<dyn ExecutionPlan>| -> Arc<dyn ExecutionPlan> {
        if plan.is::<BatchSizeExec>() {
            Arc::clone(plan)
        } else {
            Arc::new(BatchSizeExec::new(
                Arc::clone(plan),
                rows,
                Output::Unchanged,
            ))
        }
    };
    let plan = plan.transform_up_dyn(&mut |node| {
        let ends_stage = node.is::<RepartitionExec>()
            || node.is::<CoalescePartitionsExec>()
            || node.is::<SortPreservingMergeExec>();
        if !ends_stage {
            return Ok(Transformed::no(node));
        }
        let inputs = node.children().into_iter().map(sized).collect();
        Ok(Transformed::yes(node.replace_children(inputs, RECOMPUTE)?))
    });
    Ok(sized(&plan.data()?))
}

fn reads_files(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let scan = plan.downcast_ref::<DataSourceExec>();
    let source = scan.map(|scan| scan.data_source().as_ref() as &dyn Any);
    source.is_some_and(|source| source.is::<FileScanConfig>())
        || plan.children().into_iter().any(reads_files)
}
