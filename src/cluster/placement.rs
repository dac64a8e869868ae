//! Divides plans: operators that read and compute run on the cluster, those that make files appear
//! run in the client.

use std::any::Any;
use std::sync::Arc;

use datafusion::catalog::Session;
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

use super::Cluster;
use super::job::ClusterExec;
use super::settings::distributable;
use super::writers::ClusterWriters;
use crate::boxed_methods::create_physical_plan;
use crate::planner::RECOMPUTE;
use crate::planner::batch_size::BatchSizeExec;
use crate::sinks::complete::CompleteCopyExec;
use crate::sinks::resume::exec::{Parts, PartsExec};
use crate::sources::scan::in_order::InOrderExec;

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
        self.placed(plan)
    }
}

impl ClusterPlanner {
    fn placed(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
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
        if plan.is::<CompleteCopyExec>() || plan.is::<DataSinkExec>() || is_above_sink {
            let inputs = plan.children().into_iter().cloned();
            let inputs = inputs.map(|input| self.placed(input));
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
        Ok(Arc::new(ClusterExec::try_new(
            self.cluster.clone(),
            merged,
        )?))
    }
}

fn reads_files(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let scan = plan.downcast_ref::<DataSourceExec>();
    let source = scan.map(|scan| scan.data_source().as_ref() as &dyn Any);
    source.is_some_and(|source| source.is::<FileScanConfig>())
        || plan.children().into_iter().any(reads_files)
}
