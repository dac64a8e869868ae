//! Counters of a running plan, and the total size of its files.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_plan::ExecutionPlan;

use super::events::Watcher;
use crate::sources::data_files::text_tables::json::damage::{Damage, REASON};
use crate::sources::data_files::text_tables::json::source::JsonRecords;
use crate::sources::scan::RecordSource;
use crate::sources::scan::batches::ScanCounters;

/// The values of the counters at one moment.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    pub files: u64,
    pub records: u64,
    pub bytes: u64,
    /// Records and files with errors, by reason.
    pub errors: BTreeMap<&'static str, u64>,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.records += other.records;
        self.bytes += other.bytes;
        for (reason, count) in other.errors {
            *self.errors.entry(reason).or_default() += count;
        }
    }
}

/// The live counters of the scans of a plan.
#[derive(Debug, Default, Clone)]
pub struct PlanCounters {
    scans: Vec<Arc<ScanCounters>>,
    /// The scans for HTTP responses.
    of_responses: Vec<Arc<ScanCounters>>,
    /// The damaged lines of JSON files.
    damaged: Vec<Arc<Damage>>,
    total_bytes: u64,
    /// The number of bytes that are not read after all.
    skipped_bytes: Arc<AtomicU64>,
}

impl PlanCounters {
    pub fn of(plan: &Arc<dyn ExecutionPlan>) -> Self {
        let mut counters = Self::default();
        let mut plans = vec![plan];
        while let Some(plan) = plans.pop() {
            counters.add_scan(plan.as_ref());
            plans.extend(plan.children());
        }
        counters
    }

    fn add_scan(&mut self, plan: &dyn ExecutionPlan) {
        let Some(scan) = plan.downcast_ref::<DataSourceExec>() else {
            return;
        };
        let json = scan.downcast_to_file_source::<JsonRecords>();
        self.damaged
            .extend(json.and_then(|(_, json)| json.damage().cloned()));
        let Some((config, source)) = scan.downcast_to_file_source::<RecordSource>() else {
            return;
        };
        self.scans.push(Arc::clone(source.counters()));
        if reads_responses(source.filters()) {
            self.of_responses.push(Arc::clone(source.counters()));
        }
        self.total_bytes += size(config);
    }

    /// Sends the events of the scans to a watcher.
    pub fn watch(&self, watcher: &Watcher) {
        for scan in &self.scans {
            // A plan that runs again keeps its watcher.
            let _ = scan.watcher.set(watcher.clone());
        }
    }

    /// Warns of input without HTTP responses, after the plan has run. Its records would be left out
    /// without a word.
    pub fn warn_of_missing_responses(&self) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let has_none = |scan: &Arc<ScanCounters>| {
            count(&scan.records) > 0 && count(&scan.rows) == 0 && scan.errors.lock().is_empty()
        };
        if self.of_responses.iter().any(has_none) {
            log::warn!(
                "no record of the input is an HTTP response, so there are no pages; \
                 documents('…') and read_warc('…') have the records of WET and WAT files, and \
                 resource records"
            );
        }
    }

    /// Subtracts bytes that need not be read. Their number may become known later.
    pub fn without(mut self, skipped_bytes: Arc<AtomicU64>) -> Self {
        self.skipped_bytes = skipped_bytes;
        self
    }

    /// The bytes that the plan's sources will read.
    pub fn total_bytes(&self) -> u64 {
        let skipped = self.skipped_bytes.load(Ordering::Relaxed);
        self.total_bytes.saturating_sub(skipped)
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for scan in &self.scans {
            counts += Counts {
                files: scan.files.load(Ordering::Relaxed),
                records: scan.records.load(Ordering::Relaxed),
                bytes: scan.bytes.load(Ordering::Relaxed),
                errors: scan.errors.lock().clone(),
            };
        }
        let damaged: u64 = self.damaged.iter().map(|damage| damage.lines()).sum();
        if damaged > 0 {
            counts.errors.insert(REASON, damaged);
        }
        counts
    }
}

/// Whether filters select the HTTP responses of web archives, and nothing else.
fn reads_responses(filters: &[Arc<dyn PhysicalExpr>]) -> bool {
    let is_head = |filter: &Arc<dyn PhysicalExpr>| {
        let columns = collect_columns(filter);
        columns
            .iter()
            .all(|column| matches!(column.name(), "warc_type" | "content_type" | "truncated"))
    };
    let selects = |filter: &Arc<dyn PhysicalExpr>| filter.to_string().contains("= response");
    filters.iter().all(is_head) && filters.iter().any(selects)
}

fn size(config: &FileScanConfig) -> u64 {
    let files = config.file_groups.iter().flat_map(|group| group.iter());
    files.map(|file| file.effective_size()).sum()
}
