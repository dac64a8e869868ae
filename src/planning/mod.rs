//! What happens between SQL and execution that DataFusion does not do by itself.

pub mod counters;
pub mod evaluate_once;
pub mod statement;
pub mod table_functions;

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};

use self::evaluate_once::EvaluateOncePlanner;
use self::statement::PlanCount;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::sinks::appears_at_once;
use crate::sinks::complete::HeldTarget;

/// Makes physical plans. A `COPY` configures its object store by `OPTIONS('aws.region' …)`, and
/// leaves nothing behind when it fails.
#[derive(Debug)]
pub struct CorpusQueryPlanner;

#[async_trait]
impl QueryPlanner for CorpusQueryPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        PlanCount::increment(session);
        let planner =
            DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(EvaluateOncePlanner)]);
        let LogicalPlan::Copy(copy) = plan else {
            return planner.create_physical_plan(plan, session).await;
        };
        let mut copy = copy.clone();
        let runtime = session.runtime_env();
        let store_options = take_store_options(&mut copy.options)?;
        let url = ListingTableUrl::parse(&copy.output_url)?;
        let registry = runtime.object_store_registry.as_ref();
        apply_store_options(registry, url.get_url(), store_options)?;
        if !appears_at_once(&copy.file_type.get_ext()) {
            let plan = LogicalPlan::Copy(copy);
            return planner.create_physical_plan(&plan, session).await;
        }
        let target = HeldTarget::register(&copy.output_url, runtime)?;
        copy.output_url = target.url.clone();
        let writers = planner
            .create_physical_plan(&LogicalPlan::Copy(copy), session)
            .await?;
        Ok(target.wrap(writers))
    }
}
