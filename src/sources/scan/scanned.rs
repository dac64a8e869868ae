//! The files that a plan reads, for programs that divide a job by files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;

use super::RecordSource;
use super::ranges::{divide, undivided};
use crate::sources::indexed::{KnownErrors, RecordPlaces};
use crate::sources::location::display_name;

/// Returns the paths or URLs of all files that a plan reads, sorted.
pub fn scanned_files(plan: &Arc<dyn ExecutionPlan>) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for scan in scans(plan) {
        let found = scan.file_groups.iter().flat_map(|group| group.iter());
        files.extend(
            found.map(|file| display_name(&scan.object_store_url, &file.object_meta.location)),
        );
    }
    files
}

/// Returns the scans of files in a plan.
fn scans(plan: &Arc<dyn ExecutionPlan>) -> Vec<&FileScanConfig> {
    let mut scans = Vec::new();
    let mut plans = vec![plan];
    while let Some(plan) = plans.pop() {
        let scan = plan.downcast_ref::<DataSourceExec>();
        scans.extend(scan.and_then(|scan| scan.data_source().downcast_ref::<FileScanConfig>()));
        plans.extend(plan.children());
    }
    scans
}

/// A scan that several programs can share.
#[derive(Debug)]
pub struct SharedScan {
    /// Options that set explicitly what would otherwise depend on the first file of the scan.
    pub options: Vec<(&'static str, String)>,
    /// Files, or ranges of them. Together they have exactly the rows of the scan.
    pub parts: Vec<(String, Option<Range<u64>>)>,
}

impl SharedScan {
    /// Divides the only scan of a plan into files, and large files into ranges of about `size`
    /// bytes. `None` if the plan has no scan or several, or if it reads more than files: the places
    /// that an index names, or the errors of a list.
    pub fn of(plan: &Arc<dyn ExecutionPlan>, size: u64) -> Option<Self> {
        let [scan] = scans(plan)[..] else {
            return None;
        };
        let source: &RecordSource = scan.file_source().downcast_ref()?;
        if source.is_indexed() {
            return None;
        }
        let mut parts = Vec::new();
        for file in undivided(scan) {
            if file.extension::<KnownErrors>().is_some()
                || file.extension::<RecordPlaces>().is_some()
            {
                return None;
            }
            let name = display_name(&scan.object_store_url, &file.object_meta.location);
            for part in divide(&file, source.parts(&file, size)) {
                let (start, end) = part.range();
                let range = part.range.is_some().then_some(start..end);
                parts.push((name.clone(), range));
            }
        }
        Some(Self {
            options: source.format().configuration(),
            parts,
        })
    }
}
