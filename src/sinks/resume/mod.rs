//! Lets a `COPY` continue where an earlier run stopped: `OPTIONS (mode 'resume')` or `--resume`.
//!
//! A query that works row by row writes a folder in parts, one for each file that it reads (several
//! small ones where each file is a record). A part appears when it is complete. Its metadata lists
//! its inputs, so the folder itself records which inputs are done, and the next run processes the
//! rest. The output of any other query is either complete or missing. Its metadata identifies the
//! query and its files, and the next run skips it if these are the same.
//!
//! - `manifest`: the job and inputs of a part, in its metadata
//! - `row_wise`: finds plans that work row by row, and makes the plan for one input
//! - `job`: identifies a query
//! - `decide`: decides what to do, from the existing parts and the inputs
//! - `part`: writes one part
//! - `folder`: lists, writes and replaces parts, locally and on object stores
//! - `store_lock`: keeps two runs from writing one folder of an object store
//! - `object`: files on a store, for the Parquet reader and writer
//! - `shared`: lets several processes write the parts of one run
//! - `exec`: the operator

pub(crate) mod decide;
pub(crate) mod exec;
pub(crate) mod folder;
mod job;
pub(crate) mod manifest;
mod object;
pub(crate) mod part;
pub(crate) mod row_wise;
#[cfg(feature = "cluster")]
mod shared;
mod store_lock;

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::config::{ConfigFileType, TableOptions, TableParquetOptions};
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::physical_plan::ExecutionPlan;

use self::exec::{LocalWriters, Parts, PartsExec, count_batch, count_schema};
use self::folder::Folder;
use self::job::{files_read, job_of_parts, job_of_whole, reads_memory};
use self::manifest::{KEY, Manifest};
use self::row_wise::RowWisePlan;
use super::error_rows::ERROR_COLUMN;
use super::target::{Mode, Target, output_url};
use crate::settings::{CorpusSettings, Resume};

pub use self::decide::Counts;
pub use self::exec::{PartEvent, PartWatcher, Report};

/// The option of a `COPY` that names a folder for the rows with an error.
const ERRORS_OPTION: &str = "format.errors";

/// The options of a `COPY` that can continue an earlier run.
#[derive(Debug)]
pub struct Request {
    retry_errors: bool,
    /// The folder for rows with an error.
    errors: Option<String>,
    /// Whether the statement itself requests it, and not only the session.
    is_explicit: bool,
}

impl Request {
    /// Removes the options of this module from the statement. `None` if the copy does not continue
    /// an earlier run.
    pub fn of(copy: &mut CopyTo, target: &Target, session: &dyn Session) -> Result<Option<Self>> {
        let errors = copy.options.remove(ERRORS_OPTION);
        let errors = errors.filter(|folder| !folder.is_empty());
        let setting = CorpusSettings::of(session.config_options()).resume;
        let (is_explicit, retry_errors) = match target.mode {
            Mode::Resume => (true, setting == Resume::Errors),
            Mode::RetryErrors => (true, true),
            Mode::Default if setting != Resume::Off => (false, setting == Resume::Errors),
            _ if errors.is_some() => {
                return plan_err!(
                    "OPTIONS (errors '…') needs mode 'resume', in the same options or by --resume"
                );
            }
            _ => return Ok(None),
        };
        let format = copy.file_type.get_ext();
        if !format.eq_ignore_ascii_case("parquet") {
            return if is_explicit || errors.is_some() {
                plan_err!("mode 'resume' writes Parquet, not {format}")
            } else {
                Ok(None)
            };
        }
        Ok(Some(Self {
            retry_errors,
            errors,
            is_explicit,
        }))
    }

    /// Plans the copy. Returns `None` if the whole output must be written, and adds the options for
    /// this to the statement.
    pub async fn plan(
        &self,
        copy: &mut CopyTo,
        target: &Target,
        input: Arc<dyn ExecutionPlan>,
        session: &dyn Session,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let plans = if target.is_folder && copy.partition_by.is_empty() {
            RowWisePlan::all(&input)
        } else {
            None
        };
        if let Some(plans) = plans.filter(|plans| !plans.is_empty()) {
            let parts = self.parts(copy, target, plans, &input, session)?;
            return Ok(Some(Arc::new(PartsExec::new(parts))));
        }
        if self.errors.is_some() {
            return plan_err!(
                "OPTIONS (errors '…') needs a folder as the target, and a query that works row by \
                 row: without GROUP BY, DISTINCT, ORDER BY, LIMIT, joins and window functions"
            );
        }
        let files = if reads_memory(&copy.input)? {
            None
        } else {
            files_read(&copy.input, &input, session).await?
        };
        let Some(files) = files else {
            return if self.is_explicit {
                plan_err!(
                    "mode 'resume' needs a query of files, so that it can detect whether they have \
                 changed"
                )
            } else {
                Ok(None)
            };
        };
        let job = job_of_whole(copy, &files, session)?;
        let store = session.runtime_env().object_store(&target.url)?;
        if let Some(errors) = folder::errors_if_complete(&store, target, &job).await? {
            return unchanged(errors).map(Some);
        }
        let manifest = Manifest::new(job, Vec::new());
        let text = manifest
            .text()
            .map_err(|error| plan_datafusion_err!("{error}"))?;
        copy.options.insert(format!("format.metadata::{KEY}"), text);
        Ok(None)
    }

    fn parts(
        &self,
        copy: &CopyTo,
        target: &Target,
        plans: Vec<RowWisePlan>,
        input: &Arc<dyn ExecutionPlan>,
        session: &dyn Session,
    ) -> Result<Parts> {
        let schema = input.schema();
        let runtime = session.runtime_env();
        let folder = |name: &str, url: &ListingTableUrl| {
            Folder::new(name.to_owned(), url, runtime.object_store(url)?)
        };
        let errors = match &self.errors {
            None => None,
            Some(name) => {
                let Ok(column) = schema.index_of(ERROR_COLUMN) else {
                    return plan_err!(
                        "OPTIONS (errors '{name}') needs a column '{ERROR_COLUMN}' in the query"
                    );
                };
                let slash = if name.ends_with('/') { "" } else { "/" };
                let url = output_url(&format!("{name}{slash}"))?;
                if overlap(&url, &target.url) {
                    return plan_err!("rows with errors need a folder outside of '{target}'");
                }
                Some((folder(name, &url)?, column))
            }
        };
        let format_options = copy
            .options
            .iter()
            .filter(|(key, _)| *key != "single_file_output");
        let format_options = format_options.map(|(key, value)| (key.clone(), value.clone()));
        let format_options: HashMap<String, String> = format_options.collect();
        let options = parquet_options(session.default_table_options(), &format_options)?;
        Ok(Parts {
            job: job_of_parts(&plans, &schema, &options, session)?,
            plans,
            schema,
            options,
            format_options,
            folder: folder(&target.text, &target.url)?,
            errors,
            retry_errors: self.retry_errors,
            report: Arc::default(),
            writers: Arc::new(LocalWriters),
        })
    }
}

/// Returns the options of the Parquet writer, from the session and a statement.
pub fn parquet_options(
    mut options: TableOptions,
    format_options: &HashMap<String, String>,
) -> Result<TableParquetOptions> {
    options.set_config_format(ConfigFileType::PARQUET);
    options.alter_with_string_hash_map(format_options)?;
    Ok(options.parquet)
}

/// Returns the report of a copy that continues an earlier run.
pub fn report(plan: &Arc<dyn ExecutionPlan>) -> Option<Arc<Report>> {
    if let Some(parts) = plan.downcast_ref::<PartsExec>() {
        return Some(Arc::clone(&parts.parts.report));
    }
    let schema = plan.schema();
    let errors = schema.metadata().get(UNCHANGED)?;
    Some(Arc::new(Report::unchanged(errors.parse().ok()?)))
}

/// Marks the plan of a copy whose output already exists. The value is the number of its rows with
/// an error.
const UNCHANGED: &str = "corpus_sql.unchanged";

/// Returns the plan of a copy that has nothing to write. It reports zero rows.
fn unchanged(errors: u64) -> Result<Arc<dyn ExecutionPlan>> {
    let metadata = HashMap::from([(UNCHANGED.to_owned(), errors.to_string())]);
    let schema = Arc::new(count_schema().with_metadata(metadata));
    let count = count_batch(Arc::clone(&schema), 0)?;
    Ok(MemorySourceConfig::try_new_exec(
        &[vec![count]],
        schema,
        None,
    )?)
}

/// Whether a folder is another one, or is in it.
fn overlap(one: &ListingTableUrl, other: &ListingTableUrl) -> bool {
    let (inner, outer) = (one.prefix(), other.prefix());
    one.object_store() == other.object_store()
        && (inner.prefix_matches(outer) || outer.prefix_matches(inner))
}
