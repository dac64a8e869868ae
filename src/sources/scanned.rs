//! The files that a plan reads, for programs that split a job by files.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;

use super::location::display_name;

/// Returns the paths or URLs of all files that a plan reads, sorted.
pub fn scanned_files(plan: &Arc<dyn ExecutionPlan>) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut plans = vec![plan];
    while let Some(plan) = plans.pop() {
        let scan = plan.downcast_ref::<DataSourceExec>();
        if let Some(config) = scan.and_then(|scan| scan.data_source().downcast_ref()) {
            let FileScanConfig {
                object_store_url,
                file_groups,
                ..
            } = config;
            let found = file_groups.iter().flat_map(|group| group.iter());
            files.extend(
                found.map(|file| display_name(object_store_url, &file.object_meta.location)),
            );
        }
        plans.extend(plan.children());
    }
    files
}
