//! Makes physical plans. Statements that write need more than DataFusion's planner.

use std::any::Any;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::listing::ListingTable;
use datafusion::datasource::source_as_provider;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};

use crate::boxed_methods::create_physical_plan;
use crate::connected_components::ConnectedComponentsPlanner;
use crate::planner::evaluate_once::{EvaluateOncePlanner, with_used_fields};
use crate::planner::lateral::LateralPlanner;
use crate::planner::materialized::MaterializedPlanner;
use crate::planner::reopened_tables::PlanCount;
use crate::sinks::copy::explained::{ExplainedCopyPlanner, with_explained_copy};
use crate::sinks::copy::plan_copy;
use crate::sources::data_files::file_table::ScannedFiles;
use crate::sql::expressions::with_checked_arithmetic;

/// Fails for an `INSERT` into an external table: DataFusion writes into the folder directly, where
/// a failure would leave an incomplete file.
fn refuse_insert_into_files(plan: &LogicalPlan) -> Result<()> {
    let LogicalPlan::Dml(insert) = plan else {
        return Ok(());
    };
    let table = source_as_provider(&insert.target)?;
    let table = table.as_ref() as &dyn Any;
    if !table.is::<ListingTable>() && !table.is::<ScannedFiles>() {
        return Ok(());
    }
    plan_err!(
        "INSERT INTO the files of '{}' is not supported, because a failed run would leave \
         unfinished files; add files with COPY (SELECT …) TO 'folder/' STORED AS … OPTIONS \
         (mode 'append')",
        insert.table_name
    )
}

fn physical_planner() -> DefaultPhysicalPlanner {
    DefaultPhysicalPlanner::with_extension_planners(vec![
        Arc::new(EvaluateOncePlanner),
        Arc::new(ConnectedComponentsPlanner),
        Arc::new(LateralPlanner),
        Arc::new(MaterializedPlanner),
        Arc::new(ExplainedCopyPlanner),
    ])
}

/// Plans queries that belong to a statement, such as those in options. They only read, and do not
/// count as statements.
#[derive(Debug)]
pub struct NestedQueryPlanner;

impl QueryPlanner for NestedQueryPlanner {
    create_physical_plan!(NestedQueryPlanner, plan);
}

impl NestedQueryPlanner {
    async fn plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = with_checked_arithmetic(plan.clone())?;
        physical_planner()
            .create_physical_plan(&plan, session)
            .await
    }
}

/// Creates physical plans.
#[derive(Debug)]
pub struct CorpusQueryPlanner;

impl QueryPlanner for CorpusQueryPlanner {
    create_physical_plan!(CorpusQueryPlanner, plan);
}

impl CorpusQueryPlanner {
    async fn plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        PlanCount::increment(session);
        let planner = physical_planner();
        refuse_insert_into_files(plan)?;
        let plan = with_used_fields(plan)?.unwrap_or_else(|| plan.clone());
        let plan = &with_checked_arithmetic(plan)?;
        if let LogicalPlan::Copy(copy) = plan {
            return plan_copy(copy.clone(), &planner, session).await;
        }
        let explained = with_explained_copy(plan);
        let plan = explained.as_ref().unwrap_or(plan);
        planner.create_physical_plan(plan, session).await
    }
}
