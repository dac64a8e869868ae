//! The targets of the `COPY` and `INSERT` statements of a run.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use datafusion::common::Result;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use futures::{StreamExt, TryStreamExt};
use indicatif::{HumanBytes, HumanCount};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use serde_json::{Value, json};

use crate::sinks::duplicate_ids::DuplicateIds;
use crate::sinks::error_rows;
use crate::sinks::resume::{Counts, Report};
use crate::sinks::target::{is_step, output_url};
use crate::sql::dialect::dml;

const WRITTEN: &str = "written to";

/// The maximum number of files listed in a target folder.
const MAX_FILES: usize = 100_000;

/// The maximum number of statements named in a summary; the rest are counted.
const MAX_NAMED_STATEMENTS: usize = 20;

/// The target of a statement.
#[derive(Debug)]
pub struct Target {
    /// The path or table, as the statement names it.
    name: String,
    /// What the statement does with rows, such as `written to`.
    done: &'static str,
    /// The location of local or remote files.
    url: Option<ListingTableUrl>,
    /// The files of a local folder before the statement runs.
    before: HashSet<FileVersion>,
    /// Whether only later statements of the script need the file.
    is_step: bool,
    /// The file, once it has been written.
    version: Option<FileVersion>,
    /// The counts of a search index, once it has been written.
    shared: Option<DuplicateIds>,
    /// The number of written rows with an error.
    error_rows: u64,
}

/// A file with its time and size. If they change, the file has been rewritten.
type FileVersion = (String, i64, u64);

/// The files that a statement wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub files: u64,
    pub bytes: u64,
}

impl Target {
    /// Returns the target of a statement that writes.
    pub async fn of(context: &SessionContext, plan: &LogicalPlan) -> Option<Self> {
        let (name, url, done) = match plan {
            LogicalPlan::Copy(copy) => {
                let url = output_url(&copy.output_url).ok();
                (copy.output_url.clone(), url, WRITTEN)
            }
            LogicalPlan::Dml(change) => {
                let done = dml::verb(change).unwrap_or(WRITTEN);
                (change.table_name.to_string(), None, done)
            }
            _ => return None,
        };
        let mut target = Self {
            name,
            done,
            url,
            before: HashSet::new(),
            is_step: matches!(plan, LogicalPlan::Copy(copy) if is_step(copy)),
            version: None,
            shared: None,
            error_rows: 0,
        };
        if let Some(files) = target.local_files(context).await {
            target.before = files.iter().map(version).collect();
        }
        Some(target)
    }

    /// Takes the counts of the plan that wrote the target.
    pub fn add_counts(&mut self, plan: &Arc<dyn ExecutionPlan>) {
        self.shared = DuplicateIds::of(plan);
        self.error_rows = error_rows::count(plan);
    }

    /// Measures the files written since the target was made. `None` for tables, for remote
    /// folders and where files cannot be listed.
    pub async fn size(&mut self, context: &SessionContext) -> Option<Size> {
        let url = self.url.as_ref()?;
        let store = context.runtime_env().object_store(url).ok()?;
        let files = match store.head(url.prefix()).await {
            Ok(file) => {
                self.version = Some(version(&file));
                vec![file]
            }
            Err(_) => {
                let mut files = self.local_files(context).await?;
                files.retain(|file| !self.before.contains(&version(file)));
                files
            }
        };
        (!files.is_empty()).then(|| Size {
            files: files.len() as u64,
            bytes: files.iter().map(|file| file.size).sum(),
        })
    }

    /// Lists the files of a local folder.
    async fn local_files(&self, context: &SessionContext) -> Option<Vec<ObjectMeta>> {
        let url = self.url.as_ref().filter(|url| url.scheme() == "file")?;
        let store = context.runtime_env().object_store(url).ok()?;
        let files: Vec<_> = store
            .list(Some(url.prefix()))
            .take(MAX_FILES + 1)
            .try_collect()
            .await
            .ok()?;
        (files.len() <= MAX_FILES).then_some(files)
    }
}

fn version(file: &ObjectMeta) -> FileVersion {
    let time = file.last_modified.timestamp_micros();
    (file.location.to_string(), time, file.size)
}

/// A file that is removed when its script has succeeded.
#[derive(Debug)]
struct Step {
    url: ListingTableUrl,
    version: FileVersion,
}

/// The steps of a script, in the order in which they were written.
#[derive(Debug, Default)]
pub struct Steps(Vec<Step>);

impl Steps {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the files, and returns their number. A file that has changed since it was written
    /// stays. An error names the first file that could not be removed.
    pub async fn remove(self, context: &SessionContext) -> Result<u64> {
        let mut removed = 0;
        for Step {
            url,
            version: written,
        } in self.0
        {
            let store = context.runtime_env().object_store(&url)?;
            let found = match store.head(url.prefix()).await {
                Ok(found) => found,
                Err(object_store::Error::NotFound { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            if version(&found) == written {
                store.delete(url.prefix()).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

/// The lines of a summary about what was written.
#[derive(Debug, Default)]
pub struct Written {
    steps: Steps,
    removed_steps: u64,
    lines: Vec<String>,
    unnamed: u64,
    values: Vec<Value>,
    error_rows: u64,
    errors_before: u64,
}

impl Written {
    /// Adds a statement.
    pub fn add(&mut self, rows: u64, target: &Target, size: Option<Size>, report: Option<&Report>) {
        let resumed = report.map_or(0, |report| report.error_rows.load(Ordering::Relaxed));
        let error_rows = target.error_rows + resumed;
        self.values
            .push(value(rows, target, size, report, error_rows));
        if let (true, Some(url), Some(version)) = (target.is_step, &target.url, &target.version) {
            let (url, version) = (url.clone(), version.clone());
            self.steps.0.push(Step { url, version });
            return;
        }
        let errors_before = report.map_or(0, |report| report.counts.lock().done_errors);
        self.error_rows += error_rows;
        self.errors_before += errors_before;
        if self.lines.len() >= MAX_NAMED_STATEMENTS {
            self.unnamed += 1;
            return;
        }
        if report.is_some_and(|report| report.is_unchanged) {
            let errors = with_errors(errors_before);
            self.lines
                .push(format!("{} was complete already{errors}", target.name));
            return;
        }
        let mut line = format!("{} {} {}", count_of(rows, "row"), target.done, target.name);
        if let Some(Size { files, bytes }) = size {
            let is_folder = files > 1 || target.name.ends_with('/');
            if is_folder {
                let _ = write!(line, ", {}", count_of(files, "file"));
            }
            let _ = write!(line, ", {}", HumanBytes(bytes));
        }
        self.lines.push(line);
        if let Some(shared) = target.shared {
            self.lines.extend(shared_documents(shared));
        }
        if let Some(report) = report {
            self.lines.extend(inputs(report));
        }
        if error_rows > 0 {
            self.lines
                .push(format!("  {} with errors", count_of(error_rows, "row")));
        }
    }

    /// The number of rows that were written as errors.
    pub fn error_rows(&self) -> u64 {
        self.error_rows
    }

    /// The number of unreadable records and rows with an error that earlier runs wrote.
    pub fn errors_before(&self) -> u64 {
        self.errors_before
    }

    /// Takes the steps that have not been removed.
    pub fn take_steps(&mut self) -> Steps {
        std::mem::take(&mut self.steps)
    }

    /// Adds to the number of removed steps.
    pub fn add_removed_steps(&mut self, removed: u64) {
        self.removed_steps += removed;
    }

    /// Returns an object per statement.
    pub fn values(&self) -> Vec<Value> {
        self.values.clone()
    }

    /// Returns one line per statement.
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        if self.unnamed > 0 {
            let _ = write!(text, "\nand {} more statements", HumanCount(self.unnamed));
        }
        if self.removed_steps > 0 {
            let steps = count_of(self.removed_steps, "file");
            let separator = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{separator}{steps} with steps removed");
        }
        text
    }
}

fn value(
    rows: u64,
    target: &Target,
    size: Option<Size>,
    report: Option<&Report>,
    error_rows: u64,
) -> Value {
    let mut value = json!({ "target": target.name, "rows": rows, "error_rows": error_rows });
    if target.is_step {
        value["step"] = true.into();
    }
    if let Some(Size { files, bytes }) = size {
        value["files"] = files.into();
        value["bytes"] = bytes.into();
    }
    if let Some(shared) = target.shared {
        value["replaced_documents"] = shared.replaced.into();
        value["duplicate_documents"] = shared.duplicates.into();
    }
    if let Some(report) = report {
        let counts = report.counts.lock().clone();
        value["complete_already"] = report.is_unchanged.into();
        value["inputs"] = json!({
            "done_before": counts.done,
            "errors_before": counts.done_errors,
            "new": counts.new,
            "changed": counts.changed,
            "failed_before": counts.failed,
            "outdated": counts.outdated,
            "no_longer_read": counts.gone,
            "dropped": counts.dropped,
        });
    }
    value
}

/// Returns lines about the documents of an index that have the same ids.
fn shared_documents(shared: DuplicateIds) -> impl Iterator<Item = String> {
    [
        (shared.replaced, "replaced by id"),
        (
            shared.duplicates,
            "with the id of another document, all kept",
        ),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, text)| format!("  {} {text}", count_of(number, "document")))
}

/// Returns lines about the inputs of a copy that continues an earlier run.
fn inputs(report: &Report) -> Vec<String> {
    let Counts {
        done,
        done_errors,
        new,
        changed,
        failed,
        outdated,
        difference,
        gone,
        dropped,
    } = report.counts.lock().clone();
    let outdated_text = format!(
        "written by {} before, again",
        difference.unwrap_or_default()
    );
    let done_text = format!("done before{}", with_errors(done_errors));
    let mut lines = Vec::new();
    for (number, text) in [
        (done, done_text.as_str()),
        (new, "processed"),
        (changed, "changed since, processed again"),
        (failed, "had errors, processed again"),
        (outdated, outdated_text.as_str()),
        (gone, "no longer read, rows kept"),
        (dropped, "no longer read, rows of the other query removed"),
    ] {
        if number > 0 {
            lines.push(format!("  {}: {text}", count_of(number, "input")));
        }
    }
    lines
}

/// Returns an addition to what was done before, if that has errors.
fn with_errors(number: u64) -> String {
    if number == 0 {
        return String::new();
    }
    format!(", with {}", count_of(number, "error"))
}

/// Returns a number and its thing: `1 row`, `2 rows`.
pub fn count_of(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", HumanCount(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_count_their_files_and_long_runs_are_cut() {
        let target = |name: &str| Target {
            name: name.to_owned(),
            done: WRITTEN,
            url: None,
            before: HashSet::new(),
            is_step: false,
            version: None,
            shared: None,
            error_rows: 0,
        };
        let mut written = Written::default();
        let size = |files, bytes| Some(Size { files, bytes });
        written.add(7, &target("a.parquet"), size(1, 3072), None);
        written.add(1, &target("b/"), size(1, 1), None);
        written.add(1200, &target("c"), size(3, 10), None);
        written.add(2, &target("s3://bucket/d/"), None, None);
        let expected = "7 rows written to a.parquet, 3.00 KiB\n\
                        1 row written to b/, 1 file, 1 B\n\
                        1,200 rows written to c, 3 files, 10 B\n\
                        2 rows written to s3://bucket/d/";
        assert_eq!(written.text(), expected);
        for _ in 0..MAX_NAMED_STATEMENTS {
            written.add(1, &target("e"), None, None);
        }
        assert!(written.text().ends_with("\nand 4 more statements"));
    }
}
