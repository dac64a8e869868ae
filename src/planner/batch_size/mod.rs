//! Chooses the batch size of each operator.
//!
//! Operators collect batches by the number of rows: 8,192 documents of half a megabyte are 4 GB.
//! But with 256 rows, joins and aggregations of numbers are several times slower. The size
//! therefore depends on the rows: [`NARROW_BATCH_ROWS`] if all columns are narrow, otherwise
//! [`WIDE_BATCH_ROWS`], or a number computed from the average row size if statistics report it.
//!
//! ```text
//! width      whether the values of a column or an expression are narrow
//! operators  the widths of the columns of an operator, from those of its inputs
//! mod        a rule after all others: the batch size of each operator
//! setting    whether the user has set a batch size
//! exec       the operator between two sizes: it runs its input with another batch size, and
//!            gathers or cuts the batches for the operator above
//! small      gathers the batches of small files
//! ```
//!
//! Other wide batches are never gathered, and a LIMIT reads no more rows than without this rule. A
//! batch size that the user has set applies to all operators.

mod exec;
mod operators;
mod setting;
mod small;
#[cfg(test)]
mod tests;
mod width;

use std::sync::Arc;

use corpus_columns::record::MAX_BATCH_BYTES;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::datasource::physical_plan::FileSource;
use datafusion::datasource::sink::DataSinkExec;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::analyze::AnalyzeExec;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::execution_plan::EmissionType;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::joins::{CrossJoinExec, HashJoinExec, NestedLoopJoinExec};
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::memory::LazyMemoryExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::scalar_subquery::ScalarSubqueryExec;
use datafusion::physical_plan::unnest::UnnestExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

pub use self::exec::{BatchSizeExec, Output};
pub use self::setting::{BatchRows, note as note_setting, set_batch_rows};
pub use self::width::MAX_NARROW_BYTES;
use self::width::Width;
use super::RECOMPUTE;
use super::evaluate_once::EvaluateOnceExec;
use super::lateral::LateralExec;
use super::row_numbers::RowNumberExec;

/// The maximum batch size for narrow rows. Merging spilled rows holds batches of each spilled file,
/// so sessions with little memory use smaller batches.
pub const NARROW_BATCH_ROWS: usize = 8192;

/// The maximum batch size for wide rows of unknown size: 128 MiB if each has half a megabyte.
pub const WIDE_BATCH_ROWS: usize = 256;

/// The maximum batch size for wide rows whose average size is known. Operators that gather short
/// texts allocate at least 1 MiB per batch for them.
const MAX_KNOWN_ROWS: usize = 2048;

/// The batch size for rows that fill a batch alone. A job may hold several versions of each row.
const MIN_ROWS: usize = 1;

/// The batch size of a filter that never gathers: it passes on batches that are larger than half.
const NEVER_GATHERED_ROWS: usize = 1;

/// Returns which columns of a source are payloads, or `None` if the source does not know.
pub type PayloadColumns = fn(&dyn FileSource) -> Option<Vec<bool>>;

/// Whether each file of a source may be a row, and therefore a batch.
pub type FilesAreRows = fn(&dyn FileSource) -> bool;

/// The rule. It runs after all others, because they do not know the operators that it adds.
#[derive(Debug)]
pub struct BatchSizes {
    payloads: PayloadColumns,
    files_are_rows: FilesAreRows,
}

impl BatchSizes {
    pub fn new(payloads: PayloadColumns, files_are_rows: FilesAreRows) -> Self {
        Self {
            payloads,
            files_are_rows,
        }
    }

    /// Whether a plan returns long values, such as documents.
    pub fn returns_wide_rows(&self, plan: &Arc<dyn ExecutionPlan>) -> bool {
        !width::is_narrow(&self.measure(plan, BatchRows::default()).widths)
    }

    fn measure(&self, plan: &Arc<dyn ExecutionPlan>, rows: BatchRows) -> Node {
        // The rule may run again on a part of a plan.
        if let Some(sized) = plan.downcast_ref::<BatchSizeExec>() {
            return self.measure(sized.input(), rows);
        }
        let inputs: Vec<_> = plan
            .children()
            .into_iter()
            .map(|input| self.measure(input, rows))
            .collect();
        let columns: Vec<_> = inputs.iter().map(|input| input.widths.as_slice()).collect();
        let widths = operators::widths(plan.as_ref(), &columns, self.payloads);
        let has_hidden_wide_values =
            operators::has_hidden_wide_values(plan.as_ref(), &columns, self.payloads);
        let wide = inputs
            .iter()
            .filter(|input| !width::is_narrow(&input.widths));
        let wide_rows = match least_rows(wide).or_else(|| least_rows(inputs.iter())) {
            // Elements of lists are much smaller than the rows of the files.
            Some(_) if plan.is::<UnnestExec>() => rows.wide,
            Some(least) => least,
            None => wide_rows_of_scan(plan.as_ref(), &widths, rows),
        };
        Node {
            plan: Arc::clone(plan),
            files_are_rows: operators::reads(plan.as_ref(), self.files_are_rows),
            wide_rows,
            narrow_rows: rows.narrow,
            has_hidden_wide_values,
            widths,
            inputs,
        }
    }
}

impl PhysicalOptimizerRule for BatchSizes {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if setting::is_fixed(config) {
            return Ok(plan);
        }
        let session = setting::batch_rows(config);
        let node = self.measure(&plan, session);
        let (plan, rows) = node.with_sizes(Demand::none(session))?;
        Ok(if rows == session.narrow {
            plan
        } else {
            resize(plan, rows, Output::Unchanged)
        })
    }

    fn name(&self) -> &str {
        "batch_sizes"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Returns the number of rows whose size is about that of a source's batch, or less if memory is
/// scarce. The size of wide values that are computed from narrow rows is unknown.
fn wide_rows_of_scan(plan: &dyn ExecutionPlan, widths: &[Width], rows: BatchRows) -> usize {
    let batch_bytes = MAX_BATCH_BYTES / WIDE_BATCH_ROWS * rows.wide;
    let max_rows = if width::is_narrow(widths) {
        rows.wide
    } else {
        MAX_KNOWN_ROWS.min(rows.narrow)
    };
    match operators::average_row(plan) {
        Some(bytes) => (batch_bytes / bytes.max(1)).clamp(MIN_ROWS, max_rows),
        None => rows.wide,
    }
}

fn least_rows<'a>(nodes: impl Iterator<Item = &'a Node>) -> Option<usize> {
    nodes.map(|node| node.wide_rows).min()
}

/// The needs of the operators above.
#[derive(Debug, Clone, Copy)]
struct Demand {
    /// A LIMIT needs few rows.
    is_limited: bool,
    /// The batch size of the next operator above that receives the batches unchanged.
    max_rows: usize,
    /// The batches end in an operator that is faster with large batches.
    is_gathered: bool,
}

impl Demand {
    fn none(session: BatchRows) -> Self {
        Self {
            is_limited: false,
            max_rows: session.narrow,
            is_gathered: false,
        }
    }
}

/// An operator with the widths of its columns.
struct Node {
    plan: Arc<dyn ExecutionPlan>,
    /// Whether it returns a batch for each file.
    files_are_rows: bool,
    /// The batch size if its rows are wide.
    wide_rows: usize,
    /// The batch size if its rows are narrow: the session's.
    narrow_rows: usize,
    has_hidden_wide_values: bool,
    widths: Vec<Width>,
    inputs: Vec<Node>,
}

impl Node {
    /// Inserts operators that change the batch size. Returns the plan with its batch size.
    fn with_sizes(self, demand: Demand) -> Result<(Arc<dyn ExecutionPlan>, usize)> {
        let rows = self.rows(demand);
        let passes_batches_on = passes_batches_on(self.plan.as_ref());
        let is_limited = demand.is_limited || needs_few_rows(self.plan.as_ref());
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (index, input) in self.inputs.into_iter().enumerate() {
            let is_held = holds_input(self.plan.as_ref(), index) && !self.has_hidden_wide_values;
            let max_rows = if is_held {
                self.narrow_rows
            } else if rows == self.wide_rows && operators::is_union(self.plan.as_ref()) {
                // Wide rows of one input must not shrink the batches of the others.
                input.wide_rows
            } else {
                rows
            };
            let input_demand = Demand {
                is_limited: is_limited && !holds_input(self.plan.as_ref(), index),
                max_rows,
                is_gathered: demand.is_gathered || !passes_batches_on,
            };
            let is_narrow = width::is_narrow(&input.widths);
            let (plan, input_rows) = input.with_sizes(input_demand)?;
            if input_rows == rows {
                inputs.push(plan);
                continue;
            }
            let output = if input_rows > max_rows {
                Output::Rows(max_rows)
            } else if input_rows < rows && is_narrow && input_demand.is_gathered {
                Output::Rows(rows)
            } else {
                Output::Unchanged
            };
            inputs.push(resize(plan, input_rows, output));
        }
        let mut plan = self.plan;
        // A filter has a separate batch size. Gathering wide rows would copy them, and hold the
        // bytes of several batches.
        if let Some(filter) = plan.downcast_ref::<FilterExec>() {
            let filter_rows = if width::is_narrow(&self.widths) {
                rows
            } else {
                NEVER_GATHERED_ROWS
            };
            plan = Arc::new(
                FilterExecBuilder::from(filter)
                    .with_batch_size(filter_rows)
                    .build()?,
            );
        }
        if !inputs.is_empty() {
            plan = plan.replace_children(inputs, RECOMPUTE)?;
        }
        if self.files_are_rows && rows == self.wide_rows && !is_limited {
            plan = Arc::new(BatchSizeExec::new(plan, rows, Output::Gathered));
        }
        Ok((plan, rows))
    }

    /// The batch size of the operator.
    fn rows(&self, demand: Demand) -> usize {
        let plan = self.plan.as_ref();
        let rows = if self.is_wide() || demand.is_limited || needs_few_rows(plan) {
            self.wide_rows
        } else {
            self.narrow_rows
        };
        if plan.is::<AnalyzeExec>() {
            self.narrow_rows
        } else if passes_batches_on(plan) && !plan.is::<LazyMemoryExec>() {
            rows.min(demand.max_rows)
        } else {
            rows
        }
    }

    /// Whether the operator handles wide values.
    fn is_wide(&self) -> bool {
        // Small batches also spread the calls over more threads.
        if self.has_hidden_wide_values || self.plan.is::<LateralExec>() {
            return true;
        }
        let is_wide = |widths: &[Width]| !width::is_narrow(widths);
        let mut inputs = self.inputs.iter().map(|input| input.widths.as_slice());
        if let Some(aggregate) = self.plan.downcast_ref::<AggregateExec>() {
            let input = inputs.next().unwrap_or_default();
            return operators::collects_wide_values(aggregate, input, &self.widths);
        }
        // The elements of a batch of lists are not larger than the lists, and a subquery has one
        // row.
        let is_exempt = self.plan.is::<UnnestExec>() || self.plan.is::<ScalarSubqueryExec>();
        is_wide(&self.widths) || !is_exempt && inputs.any(is_wide)
    }
}

/// Runs a plan with another batch size, unless it does so itself.
fn resize(plan: Arc<dyn ExecutionPlan>, rows: usize, output: Output) -> Arc<dyn ExecutionPlan> {
    if output == Output::Unchanged && plan.is::<BatchSizeExec>() {
        plan
    } else {
        Arc::new(BatchSizeExec::new(plan, rows, output))
    }
}

/// Whether an operator stops before it has read the rows of one large batch.
fn needs_few_rows(plan: &dyn ExecutionPlan) -> bool {
    let is_limit = |skip: usize, fetch: Option<usize>| {
        fetch.is_some_and(|rows| rows.saturating_add(skip) < NARROW_BATCH_ROWS)
    };
    if let Some(limit) = plan.downcast_ref::<GlobalLimitExec>() {
        return is_limit(limit.skip(), limit.fetch());
    }
    if let Some(limit) = plan.downcast_ref::<LocalLimitExec>() {
        return is_limit(0, Some(limit.fetch()));
    }
    // A sort or an aggregation with a limit reads all of its input.
    (passes_batches_on(plan) || has_build_side(plan)) && is_limit(0, plan.fetch())
}

/// Whether an operator returns the batches of its input, or parts of them. Other operators build
/// new batches.
fn passes_batches_on(plan: &dyn ExecutionPlan) -> bool {
    plan.children().is_empty()
        || plan.is::<ProjectionExec>()
        || plan.is::<EvaluateOnceExec>()
        || plan.is::<FilterExec>()
        || plan.is::<UnnestExec>()
        || operators::is_union(plan)
        || plan.is::<RepartitionExec>()
        || plan.is::<CoalescePartitionsExec>()
        || plan.is::<CooperativeExec>()
        || plan.is::<RowNumberExec>()
        || plan.is::<GlobalLimitExec>()
        || plan.is::<LocalLimitExec>()
        || plan.is::<ScalarSubqueryExec>()
        || plan.is::<AnalyzeExec>()
        || plan.is::<DataSinkExec>()
}

/// Whether an operator collects all rows of an input before it continues. The batch size of that
/// input then does not matter.
fn holds_input(plan: &dyn ExecutionPlan, index: usize) -> bool {
    if plan.is::<ScalarSubqueryExec>() {
        return index > 0;
    }
    if has_build_side(plan) {
        index == 0
    } else {
        !passes_batches_on(plan) && plan.pipeline_behavior() == EmissionType::Final
    }
}

/// Whether an operator is a join that holds its first input.
fn has_build_side(plan: &dyn ExecutionPlan) -> bool {
    plan.is::<HashJoinExec>() || plan.is::<NestedLoopJoinExec>() || plan.is::<CrossJoinExec>()
}
