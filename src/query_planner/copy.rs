//! Plans a `COPY`: with its sink, and with a target that appears when it is complete.

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::format_as_file_type;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::PhysicalPlanner;

use super::timestamps::with_microseconds;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::sinks;
use crate::sinks::complete::HeldTarget;
use crate::sinks::format::SinkFactory;
use crate::sinks::resume;
use crate::sinks::target::{Target, is_like_glob, output_url};
use crate::sources::in_order::in_order;

/// Plans a copy. It configures its object store with `OPTIONS('aws.region' …)`, and leaves no files
/// behind when it fails.
pub async fn plan_copy(
    mut copy: CopyTo,
    planner: &dyn PhysicalPlanner,
    session: &dyn Session,
) -> Result<Arc<dyn ExecutionPlan>> {
    with_microseconds(&mut copy, session)?;
    let runtime = session.runtime_env();
    let store_options = take_store_options(&mut copy.options)?;
    let url = output_url(&copy.output_url)?;
    apply_store_options(session, url.get_url(), store_options)?;
    let format = sinks::format(&copy.file_type.get_ext());
    if let Some(fitted) = format
        .as_ref()
        .and_then(|known| known.for_query(&copy.input))
    {
        copy.file_type = format_as_file_type(Arc::new(SinkFactory::of(fitted)));
    }
    let keeps_order = format.as_ref().is_some_and(|format| format.keeps_order());
    if format.is_some_and(|format| !format.is_held_back()) {
        if is_like_glob(&copy.output_url) {
            copy.output_url = url.to_string();
        }
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
