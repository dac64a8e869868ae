//! Plans a `COPY` with its sink, and with a target that appears when it is complete.
//!
//! ```text
//! columns    columns that the files cannot hold as they are
//! explained  EXPLAIN COPY
//! ranges     options of Parquet's writer that are out of range
//! ```

pub mod columns;
pub mod explained;
mod ranges;

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::format_as_file_type;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::logical_expr::{EmptyRelation, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::PhysicalPlanner;

use self::columns::{with_arrow_types, with_nested_as_text, with_null_folders, with_parquet_types};
use self::ranges::check_parquet_ranges;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::options::unknown_option;
use crate::sinks;
use crate::sinks::complete::HeldTarget;
use crate::sinks::compression::agree_with_name;
use crate::sinks::error_rows::with_counters;
use crate::sinks::format::SinkFactory;
use crate::sinks::resume;
use crate::sinks::target::{Mode, Target, is_like_glob, output_url};
use crate::sources::scan::in_order::in_order;

/// The name of a file without rows, in the pattern of DataFusion's names.
const NAME_WITHOUT_ROWS: &str = "0000000000000000_0";

/// Plans a copy. `OPTIONS('aws.region' …)` configure its object store. A failed copy leaves no
/// files.
pub async fn plan_copy(
    mut copy: CopyTo,
    planner: &dyn PhysicalPlanner,
    session: &dyn Session,
) -> Result<Arc<dyn ExecutionPlan>> {
    check_parquet_ranges(&copy, session)?;
    with_parquet_types(&mut copy, session)?;
    with_arrow_types(&mut copy)?;
    with_nested_as_text(&mut copy)?;
    with_null_folders(&mut copy, session)?;
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
        return with_counters(planner.create_physical_plan(&plan, session).await?);
    }
    let target = Target::of(&mut copy)?;
    agree_with_name(&mut copy, &target)?;
    target.check_replaced(&copy.file_type.get_ext())?;
    if let Some(request) = resume::Request::of(&mut copy, &target, session)? {
        let input = planner.create_physical_plan(&copy.input, session).await?;
        if let Some(plan) = request.plan(&mut copy, &target, input, session).await? {
            return Ok(plan);
        }
    }
    check_arrow_options(&copy)?;
    let writes_file = target.is_folder && target.mode != Mode::Append;
    let target = HeldTarget::register(target, runtime)?;
    copy.output_url = target.url.clone();
    let file_without_rows = match file_without_rows(&copy).filter(|_| writes_file) {
        Some(plan) => Some(planner.create_physical_plan(&plan, session).await?),
        None => None,
    };
    let writers = planner
        .create_physical_plan(&LogicalPlan::Copy(copy), session)
        .await?;
    let writers = if keeps_order {
        in_order(writers, session.config().target_partitions())?
    } else {
        writers
    };
    Ok(target.wrap(with_counters(writers)?, file_without_rows))
}

/// Returns an error for options of Arrow files, which DataFusion would ignore. The options of all
/// formats are removed before.
fn check_arrow_options(copy: &CopyTo) -> Result<()> {
    if copy.file_type.get_ext() != "arrow" {
        return Ok(());
    }
    let names = copy.options.keys();
    match names.filter_map(|name| name.strip_prefix("format.")).min() {
        Some(name) => Err(unknown_option("ARROW", name, &["keep", "mode"])),
        None => Ok(()),
    }
}

/// Plans one file without rows for the folder of a copy, so that it can be read as a table. `None`
/// for formats whose files do not store the columns, and for partitions.
fn file_without_rows(copy: &CopyTo) -> Option<LogicalPlan> {
    let extension = copy.file_type.get_ext();
    let holds_columns = matches!(extension.as_str(), "parquet" | "arrow");
    if !holds_columns || !copy.partition_by.is_empty() {
        return None;
    }
    let folder = copy.output_url.trim_end_matches('/');
    let input = LogicalPlan::EmptyRelation(EmptyRelation {
        produce_one_row: false,
        schema: Arc::clone(copy.input.schema()),
    });
    let mut file = copy.clone();
    file.input = Arc::new(input);
    file.output_url = format!("{folder}/{NAME_WITHOUT_ROWS}.{extension}");
    file.options
        .insert("single_file_output".to_owned(), "true".to_owned());
    Some(LogicalPlan::Copy(file))
}
