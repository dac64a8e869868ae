//! Plans and executes one statement, and reports its progress as events. The receiver shows them:
//! the command line on a terminal, the Python package as values.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{SchemaRef, UInt64Type};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{DataFrame, SessionContext};
use datafusion::sql::parser::Statement as ParsedStatement;
use futures::StreamExt;
use tokio::sync::mpsc;

use super::reset;
use super::show_functions;
use super::show_tables;
use super::stored_as;
use super::titles::{Titles, rename};
use super::written_targets::{Size, Target};
use crate::allocator::give_back_freed_memory;
use crate::planner::batch_size::note_setting;
pub use crate::planner::stoppable_joins::StopSignal;
use crate::planner::stoppable_joins::{StopOnDrop, with_stoppable_joins};
use crate::sinks::resume::{self, PartWatcher};
use crate::sources::scan::counters::PlanCounters;
use crate::sources::scan::events::Watcher;
use crate::sql::dialect;

/// The time that a repeated run waits for the memory of the failed one.
const MAX_RELEASE_TIME: Duration = Duration::from_secs(5);

const RELEASE_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// A message from the task that executes a statement to the one that shows its results.
pub enum Event {
    Planned {
        counters: PlanCounters,
        schema: SchemaRef,
        kind: ResultKind,
        /// The report of a copy that continues an earlier run.
        report: Option<Arc<resume::Report>>,
    },
    /// Other counters show the progress: those of the rows of a new table, or of a repeated run.
    Recounted {
        counters: PlanCounters,
    },
    Batch(RecordBatch),
    /// A statement that writes has finished.
    Written {
        rows: u64,
        target: Box<Target>,
        size: Option<Size>,
        report: Option<Arc<resume::Report>>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    Rows,
    /// Rows that are shown in full.
    Explanation,
    /// The list of functions.
    Functions,
    /// The list of tables.
    Tables,
    /// The number of rows written.
    WrittenCount,
}

/// Watchers of details that the events lack, and the handle that stops the statement.
#[derive(Default)]
pub struct Watchers {
    pub files: Option<Watcher>,
    pub parts: Option<PartWatcher>,
    /// Ends joins that compute without yielding, because aborting their task does not stop them.
    pub stop: StopSignal,
}

/// A statement with its logical plan.
#[derive(Debug, Clone)]
pub struct Planned {
    state: SessionState,
    plan: LogicalPlan,
    titles: Titles,
    kind: ResultKind,
    /// The counters of the rows of a new table.
    filled: Option<PlanCounters>,
}

impl Planned {
    /// Plans a statement. Those without results, such as `SET` and `CREATE TABLE`, are executed.
    /// `fill` gets the counters of a new table before its rows are computed.
    pub async fn new(
        context: &SessionContext,
        statement: ParsedStatement,
        fill: &(dyn Fn(PlanCounters) + Sync),
    ) -> Result<Self> {
        stored_as::check(context, &statement)?;
        let shows_all_tables = show_tables::shows_all(&statement);
        let statement = show_tables::expand(context, statement)?;
        let statement = reset::expand(context, statement)?;
        let titles = Titles::of(&statement);
        let state = context.state();
        let functions = show_functions::query(&statement);
        let plan = match &functions {
            Some(query) => state.create_logical_plan(query).await?,
            None => dialect::plan(&state, statement).await?,
        };
        let kind = match &plan {
            _ if functions.is_some() => ResultKind::Functions,
            _ if shows_all_tables => ResultKind::Tables,
            LogicalPlan::Copy(_) | LogicalPlan::Dml(_) => ResultKind::WrittenCount,
            LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) => ResultKind::Explanation,
            _ => ResultKind::Rows,
        };
        let setting = matches!(plan, LogicalPlan::Statement(_)).then(|| plan.clone());
        let mut filled = None;
        let mut start = |rows: &_| {
            let counters = PlanCounters::of(rows);
            fill(counters.clone());
            filled = Some(counters);
        };
        let frame = dialect::execute(context, plan, &mut start).await?;
        if let Some(setting) = setting {
            note_setting(context, &setting)?;
        }
        let (state, plan) = frame.into_parts();
        Ok(Self {
            state,
            plan,
            titles,
            kind,
            filled,
        })
    }

    /// A query that has no statement.
    pub fn of_frame(frame: DataFrame) -> Self {
        let (state, plan) = frame.into_parts();
        Self {
            state,
            plan,
            titles: Titles::default(),
            kind: ResultKind::Rows,
            filled: None,
        }
    }

    pub fn kind(&self) -> ResultKind {
        self.kind
    }

    /// The columns of the result; empty if the statement has no result.
    pub fn schema(&self) -> SchemaRef {
        self.titles.applied_to(self.plan.schema().inner())
    }

    /// The query, for other queries that use it.
    pub fn frame(&self) -> DataFrame {
        DataFrame::new(self.state.clone(), self.plan.clone())
    }

    /// Runs the statement. A query can run several times.
    pub async fn run(
        &self,
        context: &SessionContext,
        events: mpsc::Sender<Event>,
        watchers: Watchers,
    ) -> Result<()> {
        let mut run = Run {
            events,
            titles: &self.titles,
            kind: self.kind,
            filled: self.filled.clone(),
            target: Target::of(context, &self.plan).await.map(Box::new),
            watchers,
            is_repeated: false,
            has_shown_rows: false,
        };
        let (mut state, plan) = (self.state.clone(), self.plan.clone());
        let pool = Arc::clone(&state.runtime_env().memory_pool);
        let reserved = pool.reserved();
        match run.run(context, state.clone(), plan.clone()).await {
            Err(error) if !run.has_shown_rows && join_exceeded_memory(&error) => {
                let options = state.config_mut().options_mut();
                options.optimizer.prefer_hash_join = false;
                // DataFusion does not sort for the joins of a single partition.
                let partitions = options.execution.target_partitions.max(2);
                options.execution.target_partitions = partitions;
                run.is_repeated = true;
                freed(pool.as_ref(), reserved).await;
                run.run(context, state, plan).await
            }
            ran => ran,
        }
    }
}

/// Waits until the tasks of a failed run have released their memory, which the next run needs.
async fn freed(pool: &dyn MemoryPool, reserved: usize) {
    let deadline = Instant::now() + MAX_RELEASE_TIME;
    while pool.reserved() > reserved && Instant::now() < deadline {
        tokio::time::sleep(RELEASE_CHECK_INTERVAL).await;
    }
    give_back_freed_memory();
}

/// Whether a query exceeded the memory limit while a hash join, which cannot spill, was among the
/// largest consumers. Joins that sort need less.
fn join_exceeded_memory(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::ResourcesExhausted(text) => text.contains("HashJoin"),
        _ => false,
    }
}

/// State that all attempts to run one statement share.
struct Run<'a> {
    events: mpsc::Sender<Event>,
    titles: &'a Titles,
    kind: ResultKind,
    filled: Option<PlanCounters>,
    target: Option<Box<Target>>,
    watchers: Watchers,
    is_repeated: bool,
    has_shown_rows: bool,
}

impl Run<'_> {
    async fn run(
        &mut self,
        context: &SessionContext,
        state: SessionState,
        plan: LogicalPlan,
    ) -> Result<()> {
        let frame = DataFrame::new(state, plan);
        let task_context = Arc::new(frame.task_ctx());
        // Other tasks may compute on after the last row that is needed.
        let ended = StopOnDrop(StopSignal::default());
        let stops = [self.watchers.stop.clone(), ended.0.clone()];
        let plan = with_stoppable_joins(frame.create_physical_plan().await?, &stops)?;
        let schema = self.titles.applied_to(&plan.schema());
        let report = resume::report(&plan);
        let filled = self.filled.take();
        let mut counters = filled.unwrap_or_else(|| PlanCounters::of(&plan));
        if let Some(watcher) = &self.watchers.files {
            counters.watch(watcher);
        }
        if let (Some(report), Some(watcher)) = (&report, &self.watchers.parts) {
            report.watch(watcher.clone());
        }
        if let Some(report) = &report {
            counters = counters.without(Arc::clone(&report.done_bytes));
        }
        let planned = if self.is_repeated {
            Event::Recounted { counters }
        } else {
            Event::Planned {
                counters,
                schema: Arc::clone(&schema),
                kind: self.kind,
                report: report.clone(),
            }
        };
        // After an interrupt the receiver is gone; stop.
        if self.events.send(planned).await.is_err() {
            return Ok(());
        }
        let mut batches = execute_stream(Arc::clone(&plan), task_context)?;
        let mut rows = 0;
        while let Some(batch) = batches.next().await {
            let batch = rename(batch?, &schema)?;
            self.has_shown_rows = true;
            if self.target.is_some() {
                rows += written_rows(&batch);
            }
            if self.events.send(Event::Batch(batch)).await.is_err() {
                return Ok(());
            }
        }
        if let Some(mut target) = self.target.take() {
            let size = target.size(context).await;
            target.add_counts(&plan);
            let written = Event::Written {
                rows,
                target,
                size,
                report,
            };
            // After an interrupt the receiver may be gone; nobody reads the summary then.
            let _ = self.events.send(written).await;
        }
        Ok(())
    }
}

/// The number of rows in the result of a statement that writes.
pub fn written_rows(batch: &RecordBatch) -> u64 {
    match batch.columns().first() {
        Some(counts) => match counts.as_primitive_opt::<UInt64Type>() {
            Some(counts) => counts.iter().flatten().sum(),
            None => 0,
        },
        None => 0,
    }
}
