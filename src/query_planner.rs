//! Makes physical plans, where statements that write need more than DataFusion's planner.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::file_format::format_as_file_type;
use datafusion::datasource::listing::{ListingTable, ListingTableUrl};
use datafusion::datasource::source_as_provider;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};

use crate::connected_components::ConnectedComponentsPlanner;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::planning::evaluate_once::EvaluateOncePlanner;
use crate::planning::statement::PlanCount;
use crate::sinks;
use crate::sinks::complete::HeldTarget;
use crate::sinks::format::SinkFactory;
use crate::sinks::resume;
use crate::sinks::target::Target;
use crate::sources::in_order::in_order;

/// Fails for an `INSERT` into an external table: DataFusion writes into the folder directly, where
/// a failure would leave an incomplete file.
fn refuse_insert_into_files(plan: &LogicalPlan) -> Result<()> {
    let LogicalPlan::Dml(insert) = plan else {
        return Ok(());
    };
    let table = source_as_provider(&insert.target)?;
    match (table.as_ref() as &dyn Any).downcast_ref::<ListingTable>() {
        None => Ok(()),
        Some(_) => plan_err!(
            "INSERT INTO the files of '{}' is not supported, because a failed run would leave \
             unfinished files; add files with COPY (SELECT …) TO 'folder/' STORED AS … OPTIONS \
             (mode 'append')",
            insert.table_name
        ),
    }
}

/// Creates physical plans. A `COPY` configures its object store with `OPTIONS('aws.region' …)`, and
/// leaves no files behind when it fails.
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
        let planner = DefaultPhysicalPlanner::with_extension_planners(vec![
            Arc::new(EvaluateOncePlanner),
            Arc::new(ConnectedComponentsPlanner),
        ]);
        refuse_insert_into_files(plan)?;
        let LogicalPlan::Copy(copy) = plan else {
            return planner.create_physical_plan(plan, session).await;
        };
        let mut copy = copy.clone();
        let runtime = session.runtime_env();
        let store_options = take_store_options(&mut copy.options)?;
        let url = ListingTableUrl::parse(&copy.output_url)?;
        let registry = runtime.object_store_registry.as_ref();
        apply_store_options(registry, url.get_url(), store_options)?;
        let format = sinks::format(&copy.file_type.get_ext());
        if let Some(fitted) = format
            .as_ref()
            .and_then(|known| known.for_query(&copy.input))
        {
            copy.file_type = format_as_file_type(Arc::new(SinkFactory::of(fitted)));
        }
        let keeps_order = format.as_ref().is_some_and(|format| format.keeps_order());
        if format.is_some_and(|format| !format.is_held_back()) {
            let plan = LogicalPlan::Copy(copy);
            return planner.create_physical_plan(&plan, session).await;
        }
        let target = Target::of(&mut copy)?;
        if let Some(request) = resume::Request::of(&mut copy, &target, session)? {
            let input = planner.create_physical_plan(&copy.input, session).await?;
            if let Some(plan) = request.plan(&mut copy, &target, input, session).await? {
                return Ok(plan);
            }
        }
        let target = HeldTarget::register(target, runtime)?;
        copy.output_url = target.url.clone();
        let writers = planner
            .create_physical_plan(&LogicalPlan::Copy(copy), session)
            .await?;
        let writers = match keeps_order {
            true => in_order(writers, session.config().target_partitions())?,
            false => writers,
        };
        Ok(target.wrap(writers))
    }
}
