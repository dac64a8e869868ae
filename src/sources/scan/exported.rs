//! Exports the counters of a scan as metrics, in which form they return from another process.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use datafusion::physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder};
use parking_lot::Mutex;

use super::counters::Counts;
use crate::sources::scan::batches::ScanCounters;

/// The prefix of the metrics' names.
const PREFIX: &str = "corpus_";
const FILES: &str = "corpus_files";
const RECORDS: &str = "corpus_records";
const BYTES: &str = "corpus_bytes";
/// The prefix of the metrics that count errors by reason.
const ERRORS: &str = "corpus_errors: ";

/// The metrics of one scan.
#[derive(Debug, Default)]
pub struct ExportedCounters(Mutex<BTreeMap<String, Count>>);

impl ExportedCounters {
    /// Sets the metrics to the current counts.
    pub fn update(&self, counters: &ScanCounters, metrics: &ExecutionPlanMetricsSet) {
        let mut exported = self.0.lock();
        let mut set = |name: String, value: u64| {
            let count = exported.entry(name.clone());
            let count = count.or_insert_with(|| MetricBuilder::new(metrics).global_counter(name));
            let value = usize::try_from(value).unwrap_or(usize::MAX);
            count.add(value.saturating_sub(count.value()));
        };
        set(FILES.to_owned(), counters.files.load(Ordering::Relaxed));
        set(RECORDS.to_owned(), counters.records.load(Ordering::Relaxed));
        set(BYTES.to_owned(), counters.bytes.load(Ordering::Relaxed));
        for (reason, count) in counters.errors.lock().iter() {
            set(format!("{ERRORS}{reason}"), *count);
        }
    }
}

impl ScanCounters {
    /// Adds the counts of another process.
    pub fn add(&self, counts: &Counts) {
        self.files.fetch_add(counts.files, Ordering::Relaxed);
        self.records.fetch_add(counts.records, Ordering::Relaxed);
        // The rows of other processes are unknown; this prevents a warning that there are none.
        self.rows.fetch_add(counts.records, Ordering::Relaxed);
        self.bytes.fetch_add(counts.bytes, Ordering::Relaxed);
        let mut errors = self.errors.lock();
        for (reason, count) in &counts.errors {
            *errors.entry(reason).or_default() += count;
        }
    }
}

/// Adds a metric to counts, if it is one of these metrics.
pub fn add_metric(counts: &mut Counts, name: &str, value: u64) {
    if !name.starts_with(PREFIX) {
        return;
    }
    match name {
        FILES => counts.files += value,
        RECORDS => counts.records += value,
        BYTES => counts.bytes += value,
        _ => {
            if let Some(reason) = name.strip_prefix(ERRORS) {
                *counts.errors.entry(constant(reason)).or_default() += value;
            }
        }
    }
}

/// Returns a reason of errors with a static lifetime, as in the process that reported it. Leaking
/// is fine: there are few reasons, and each is leaked once.
pub fn constant(reason: &str) -> &'static str {
    static REASONS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut reasons = REASONS.lock();
    if let Some(known) = reasons.iter().find(|known| **known == reason) {
        return known;
    }
    let reason: &'static str = Box::leak(reason.into());
    reasons.push(reason);
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_return_as_metrics() {
        let counters = ScanCounters::default();
        counters.files.store(2, Ordering::Relaxed);
        counters.bytes.store(100, Ordering::Relaxed);
        let metrics = ExecutionPlanMetricsSet::new();
        let exported = ExportedCounters::default();
        exported.update(&counters, &metrics);
        counters.records.store(7, Ordering::Relaxed);
        counters.errors.lock().insert("bad crc", 3);
        exported.update(&counters, &metrics);
        exported.update(&counters, &metrics);
        let mut counts = Counts::default();
        for metric in metrics.clone_inner().iter() {
            let value = metric.value();
            add_metric(&mut counts, value.name(), value.as_usize() as u64);
        }
        let expected = Counts {
            files: 2,
            records: 7,
            bytes: 100,
            errors: [("bad crc", 3)].into(),
        };
        assert_eq!(counts, expected);
    }
}
