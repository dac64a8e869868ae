//! Identifies a query by its plan, the settings that results depend on, and, if its output is
//! written as a whole, its files.

use std::any::Any;
use std::sync::Arc;

use corpus_dedup::hash::hash128;
use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::common::config::{ExtensionOptions, TableParquetOptions};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::{MemTable, source_as_provider};
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::placeholder_row::PlaceholderRowExec;

use super::manifest::{Input, Job};
use super::row_wise::RowWisePlan;
use crate::planner::materialized::MaterializedRowsExec;
use crate::settings::CorpusSettings;
use crate::sources::location::display_name;
use crate::sources::scan::RecordSource;
use crate::tree_walk::{PlanWalk, TreeWalk};

/// Settings under `corpus.` that results do not depend on.
const WITHOUT_EFFECT: [&str; 2] = ["corpus.resume", "corpus.pdf_isolation"];

fn hash(text: &str) -> String {
    format!("{:032x}", hash128(text))
}

/// Returns the job of a copy that is written in parts. It does not depend on the files.
pub fn job_of_parts(
    plans: &[RowWisePlan],
    schema: &Schema,
    options: &TableParquetOptions,
    session: &dyn Session,
) -> Result<Job> {
    let texts: Result<Vec<_>> = plans.iter().map(RowWisePlan::text).collect();
    Ok(job(&texts?.join("\n"), schema, options, session))
}

/// Returns the job of a copy that is written as a whole, from these files.
pub fn job_of_whole(copy: &CopyTo, files: &[Input], session: &dyn Session) -> Result<Job> {
    let mut text = copy.input.display_indent().to_string();
    for file in files {
        text.push_str(&format!("\n{} {} {}", file.file, file.size, file.modified));
    }
    let mut written: Vec<_> = copy.options.iter().collect();
    written.sort();
    text.push_str(&format!("\n{written:?}"));
    let schema = copy.input.schema().as_arrow();
    Ok(job(&text, schema, &TableParquetOptions::default(), session))
}

fn job(text: &str, schema: &Schema, options: &TableParquetOptions, session: &dyn Session) -> Job {
    let fields = schema.fields().iter();
    let columns: Vec<_> = fields
        .map(|field| format!("{} {}", field.name(), field.data_type()))
        .collect();
    let compression = options.global.compression.as_deref().unwrap_or_default();
    let settings = CorpusSettings::of(session.config_options());
    let settings: Vec<_> = settings
        .entries()
        .into_iter()
        .filter(|entry| !WITHOUT_EFFECT.contains(&entry.key.as_str()))
        .map(|entry| format!("{}={}", entry.key, entry.value.unwrap_or_default()))
        .collect();
    Job {
        query: hash(&format!("{text}\n{compression}")),
        settings: hash(&settings.join("\n")),
        columns: hash(&columns.join("\n")),
        revision: corpus_udfs::REVISION,
    }
}

/// Whether a query reads in-memory tables, whose changes would not be detected.
pub fn reads_memory(query: &LogicalPlan) -> Result<bool> {
    query.exists_dyn(&|plan| match plan {
        LogicalPlan::TableScan(scan) => {
            let table = source_as_provider(&scan.source)?;
            Ok((table.as_ref() as &dyn Any).is::<MemTable>())
        }
        _ => Ok(false),
    })
}

/// Returns the files that a query reads. `None` if it reads anything else, except for constant
/// rows.
pub async fn files_read(
    query: &LogicalPlan,
    plan: &Arc<dyn ExecutionPlan>,
    session: &dyn Session,
) -> Result<Option<Vec<Input>>> {
    let tables = tables_read(query)?;
    let mut plans = vec![Arc::clone(plan)];
    // Planning answers `count(*)` from statistics, and the files are then missing from the plan.
    if scans(plan) < tables.len() {
        for table in tables {
            plans.push(table.scan(session, None, &[], None).await?);
        }
    }
    let mut files = Vec::new();
    for plan in &plans {
        match files_of(plan) {
            Some(found) => files.extend(found),
            None => return Ok(None),
        }
    }
    files.sort();
    files.dedup();
    Ok(Some(files))
}

/// Returns the tables that a query reads, one for each reference.
fn tables_read(query: &LogicalPlan) -> Result<Vec<Arc<dyn TableProvider>>> {
    let mut tables = Vec::new();
    query.apply_with_subqueries_dyn(&mut |plan| {
        if let LogicalPlan::TableScan(scan) = plan {
            tables.push(source_as_provider(&scan.source)?);
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}

/// The number of scans of files in a plan.
fn scans(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let below: usize = plan.children().into_iter().map(scans).sum();
    let scan = plan.downcast_ref::<DataSourceExec>();
    let is_of_files = scan.is_some_and(|scan| scan.data_source().is::<FileScanConfig>());
    below + usize::from(is_of_files)
}

/// The files of all scans of a plan.
fn files_of(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<Input>> {
    let mut files = Vec::new();
    let mut open = vec![plan];
    while let Some(plan) = open.pop() {
        let children = plan.children();
        if !children.is_empty() {
            open.extend(children);
            continue;
        }
        if plan.is::<EmptyExec>()
            || plan.is::<PlaceholderRowExec>()
            // The files are those of the operator that runs the query.
            || plan.is::<MaterializedRowsExec>()
        {
            continue;
        }
        let scan = plan.downcast_ref::<DataSourceExec>()?;
        if scan.data_source().is::<MemorySourceConfig>() {
            continue;
        }
        let scan = scan.data_source().downcast_ref::<FileScanConfig>()?;
        let source = scan.file_source().downcast_ref::<RecordSource>();
        if source.is_some_and(RecordSource::is_indexed) {
            return None;
        }
        for file in scan.file_groups.iter().flat_map(FileGroup::iter) {
            let meta = &file.object_meta;
            files.push(Input {
                file: display_name(&scan.object_store_url, &meta.location),
                scan: 0,
                range: None,
                size: meta.size,
                modified: meta.last_modified.timestamp_micros(),
            });
        }
    }
    Some(files)
}
