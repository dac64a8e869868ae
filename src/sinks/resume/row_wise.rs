//! Finds plans that work row by row: each of their rows comes from one file of one scan, so files
//! can be processed separately.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::Partitioning;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{ExecutionPlan, displayable};

use super::manifest::Input;
use crate::planner::RECOMPUTE;
use crate::planner::batch_size::BatchSizeExec;
use crate::planner::evaluate_once::EvaluateOnceExec;
use crate::sources::location::display_name;
use crate::sources::scan::ranges::{divide, undivided};
use crate::sources::scan::{RecordSource, batch_sizes};

/// Files are divided into ranges of about this size where possible, so that a few large files keep
/// all threads busy, and a killed run repeats little.
const RANGE_BYTES: u64 = 256 << 20;

/// A plan that works row by row, above one scan.
#[derive(Debug, Clone)]
pub struct RowWisePlan {
    plan: Arc<dyn ExecutionPlan>,
    scan: FileScanConfig,
    /// The scan without files. Copying the list of files for each input would take quadratic time.
    empty_scan: FileScanConfig,
}

/// A file or a range of one, in the form of the scan and of the manifests.
#[derive(Debug, Clone)]
pub struct ScannedInput {
    pub input: Input,
    pub file: PartitionedFile,
}

impl RowWisePlan {
    /// Divides a plan into one plan per scan. `None` if an operator, such as an aggregation or a
    /// join, needs rows of several files.
    pub fn all(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<Self>> {
        let plans = branches(plan)?;
        plans
            .into_iter()
            .map(|plan| {
                let scan = scan_of(&plan)?.clone();
                let is_indexed = scan
                    .file_source()
                    .downcast_ref::<RecordSource>()
                    .is_some_and(RecordSource::is_indexed);
                if scan.limit.is_some() || is_indexed {
                    return None;
                }
                let empty_scan = FileScanConfigBuilder::from(scan.clone())
                    .with_file_groups(Vec::new())
                    .build();
                Some(Self {
                    plan,
                    scan,
                    empty_scan,
                })
            })
            .collect()
    }

    /// The plan with all files.
    pub fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// Returns the plan without files.
    pub fn without_files(&self) -> Result<Arc<dyn ExecutionPlan>> {
        let scan = DataSourceExec::from_data_source(self.empty_scan.clone());
        with_scan(&self.plan, &(scan as Arc<dyn ExecutionPlan>))
    }

    /// Describes what the plan computes, without the files.
    pub fn text(&self) -> Result<String> {
        let plan = self.without_files()?;
        let mut text = displayable(plan.as_ref()).indent(true).to_string();
        if let Some(source) = self.source() {
            text.push_str(&source.description());
        }
        Ok(text)
    }

    /// Whether each file is one record, so that a part holds several files.
    pub fn files_are_records(&self) -> bool {
        self.source().is_some_and(RecordSource::files_are_records)
    }

    pub fn source(&self) -> Option<&RecordSource> {
        self.scan.file_source().downcast_ref()
    }

    /// Returns the inputs of the scan, ordered by file name. `number` is the index of this scan.
    pub fn inputs(&self, number: usize) -> Vec<ScannedInput> {
        let files = undivided(&self.scan).into_iter();
        let parts = files.flat_map(|file| {
            let parts = self.parts(&file);
            divide(&file, parts).collect::<Vec<_>>()
        });
        let inputs = parts.map(|file| {
            let meta = &file.object_meta;
            let input = Input {
                file: display_name(&self.scan.object_store_url, &meta.location),
                scan: number,
                range: file.range.as_ref().map(|_| file.range()),
                size: meta.size,
                modified: meta.last_modified.timestamp_micros(),
            };
            ScannedInput { input, file }
        });
        inputs.collect()
    }

    /// Returns the number of inputs into which a file is divided.
    fn parts(&self, file: &PartitionedFile) -> u64 {
        match self.source() {
            Some(source) => source.parts(file, RANGE_BYTES),
            None if self.scan.file_source().file_type() == "parquet" => {
                file.effective_size().div_ceil(RANGE_BYTES)
            }
            None => 1,
        }
    }

    /// Returns the plan for one input, with one partition. It adds the errors of records to
    /// `errors`.
    pub fn of(
        &self,
        input: &ScannedInput,
        errors: &Arc<AtomicU64>,
        config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut scan = FileScanConfigBuilder::from(self.empty_scan.clone())
            .with_file_groups(Vec::from([FileGroup::new(vec![input.file.clone()])]));
        if let Some(source) = self.source() {
            scan = scan.with_source(Arc::new(source.with_error_count(Arc::clone(errors))));
        }
        let scan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(scan.build());
        batch_sizes().optimize(with_scan(&self.plan, &scan)?, config)
    }
}

/// Replaces unions by their inputs, and removes operators that only move rows between partitions or
/// batches.
fn branches(plan: &Arc<dyn ExecutionPlan>) -> Option<Vec<Arc<dyn ExecutionPlan>>> {
    if plan.is::<DataSourceExec>() {
        return Some(Vec::from([Arc::clone(plan)]));
    }
    if plan.is::<UnionExec>() {
        let branches: Option<Vec<_>> = plan.children().into_iter().map(branches).collect();
        return Some(branches?.into_iter().flatten().collect());
    }
    let input = match plan.children().as_slice() {
        [input] => Arc::clone(*input),
        _ => return None,
    };
    let below = branches(&input)?;
    if only_moves_rows(plan) {
        return Some(below);
    }
    if !works_row_by_row(plan) {
        return None;
    }
    let with_input = |input| {
        Arc::clone(plan)
            .replace_children(vec![input], RECOMPUTE)
            .ok()
    };
    below.into_iter().map(with_input).collect()
}

fn only_moves_rows(plan: &Arc<dyn ExecutionPlan>) -> bool {
    if let Some(merge) = plan.downcast_ref::<CoalescePartitionsExec>() {
        return merge.fetch().is_none();
    }
    if let Some(repartition) = plan.downcast_ref::<RepartitionExec>() {
        return matches!(repartition.partitioning(), Partitioning::RoundRobinBatch(_));
    }
    plan.is::<CooperativeExec>() || plan.is::<BatchSizeExec>()
}

fn works_row_by_row(plan: &Arc<dyn ExecutionPlan>) -> bool {
    if let Some(filter) = plan.downcast_ref::<FilterExec>() {
        return filter.fetch().is_none();
    }
    plan.is::<ProjectionExec>() || plan.is::<EvaluateOnceExec>() || plan.is::<UnnestExec>()
}

fn scan_of(plan: &Arc<dyn ExecutionPlan>) -> Option<&FileScanConfig> {
    match plan.downcast_ref::<DataSourceExec>() {
        Some(scan) => scan.data_source().downcast_ref(),
        None => scan_of(plan.children().into_iter().next()?),
    }
}

/// Returns a plan with another scan.
fn with_scan(
    plan: &Arc<dyn ExecutionPlan>,
    scan: &Arc<dyn ExecutionPlan>,
) -> Result<Arc<dyn ExecutionPlan>> {
    if plan.is::<DataSourceExec>() {
        return Ok(Arc::clone(scan));
    }
    let [input] = plan.children()[..] else {
        return internal_err!("{} has several inputs", plan.name());
    };
    let input = with_scan(input, scan)?;
    Arc::clone(plan).replace_children(vec![input], RECOMPUTE)
}
