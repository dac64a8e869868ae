//! Counts the documents of a search index that share ids, from the metrics of the plan that wrote
//! it.

use std::sync::Arc;

use datafusion::physical_plan::ExecutionPlan;

/// The names of the metrics of a written index.
pub const REPLACED_METRIC: &str = "replaced_documents";
pub const DUPLICATES_METRIC: &str = "duplicate_documents";

/// The documents of an index that share ids with those that a statement wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DuplicateIds {
    /// Documents that new ones have replaced.
    pub replaced: u64,
    /// Documents whose ids also belong to other documents.
    pub duplicates: u64,
}

impl DuplicateIds {
    /// Returns the counts of a plan that has run. `None` if it does not write an index.
    pub fn of(plan: &Arc<dyn ExecutionPlan>) -> Option<Self> {
        let metrics = plan.metrics().unwrap_or_default();
        let count = |name| Some(metrics.sum_by_name(name)?.as_usize() as u64);
        match (count(REPLACED_METRIC), count(DUPLICATES_METRIC)) {
            (Some(replaced), Some(duplicates)) => Some(Self {
                replaced,
                duplicates,
            }),
            _ => plan.children().into_iter().find_map(Self::of),
        }
    }
}
