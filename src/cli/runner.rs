//! Runs scripts: variables, statements, results, cancellation.

use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{SchemaRef, UInt64Type};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{DataFrame, SessionContext};
use datafusion::sql::parser::Statement as ParsedStatement;
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};
use futures::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::args::ProgressMode;
use super::observer::Observer;
use super::output::Output;
use super::progress::{Progress, Summary, TICK};
use super::reset;
use super::results::Format;
use super::script::{Failure, Script};
use super::show_functions;
use super::show_tables;
use super::statements::{ScriptError, Statement, split};
use super::stored_as;
use super::titles::{Titles, rename};
use super::variable_checks::{default_hint, default_note};
use super::variables::{Substituted, VariableError, Variables, substitute};
use super::written::{Size, Target};
use crate::allocator;
use crate::errors::message;
use crate::planning::batch_size::note_setting;
use crate::sinks::resume::{self, PartWatcher};
use crate::sources::counters::PlanCounters;
use crate::sources::events::Watcher;
use crate::sql_dialect;

/// How long a stopped statement may take to clean up.
pub const CLEAN_UP_TIME: Duration = Duration::from_secs(2);

/// A session, with the state that its statements share.
pub struct Runner {
    /// The runtime for queries. It is separate from the caller's: a long step of a query would
    /// otherwise block Ctrl-C and progress.
    pub engine: Handle,
    pub context: SessionContext,
    pub variables: Variables,
    pub output: Output,
    /// Whether statements come from the terminal, where `\set` sets variables.
    pub interactive: bool,
    pub quiet: bool,
    pub progress: ProgressMode,
    pub summary: Summary,
    pub observer: Observer,
}

/// A message from the task that executes a statement to the one that shows its results.
enum Event {
    Planned {
        counters: PlanCounters,
        schema: SchemaRef,
        kind: ResultKind,
    },
    /// The statement runs again, by another plan. Nothing was shown before.
    PlannedAgain {
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
enum ResultKind {
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

impl Runner {
    /// Checks the whole script, then runs it until the first failure.
    pub async fn run_script(&mut self, script: &Script) -> Result<(), Failure> {
        let at = |line: usize| format!("{}:{line}", script.name);
        let Substituted { sql, defaults } = substitute(&script.text, &self.variables).map_err(
            |VariableError { line, message }| Failure::Usage(format!("{}: {message}", at(line))),
        )?;
        let statements = self.parse(script, &sql)?;
        if !self.quiet
            && !self.observer.logs()
            && let Some(note) = default_note(&defaults, self.interactive)
        {
            eprintln!("{}: {note}", script.name);
        }
        for (statement, parsed) in statements {
            self.observer
                .statement_begun(&script.name, statement.line, &statement.summary());
            self.run_statement(parsed)
                .await
                .map_err(|failure| match failure {
                    Failure::Statement(message) => Failure::Statement(format!(
                        "{}: {message}\n  in: {}{}",
                        at(statement.line),
                        statement.summary(),
                        default_hint(&message, &defaults, self.interactive),
                    )),
                    other => other,
                })?;
            allocator::give_back_freed_memory();
        }
        Ok(())
    }

    /// Parses all statements before the first one runs, so that a typo in the last line is found
    /// immediately, not after hours.
    fn parse(
        &self,
        script: &Script,
        sql: &str,
    ) -> Result<Vec<(Statement, ParsedStatement)>, Failure> {
        let at = |line: usize| format!("{}:{line}", script.name);
        let dialect = self.dialect();
        let statements =
            split(sql, dialect.as_ref()).map_err(|ScriptError { line, message }| {
                Failure::Statement(format!("{}: {message}", at(line)))
            })?;
        let state = self.context.state();
        statements
            .into_iter()
            .map(
                |statement| match sql_dialect::parse(&state, &statement.in_place()) {
                    Ok(parsed) => Ok((statement, parsed)),
                    Err(error) => Err(Failure::Statement(format!(
                        "{}: {}\n  in: {}",
                        at(statement.line),
                        message(&error),
                        statement.summary()
                    ))),
                },
            )
            .collect()
    }

    /// The session's SQL dialect, according to its setting.
    pub fn dialect(&self) -> Box<dyn Dialect> {
        sql_dialect::dialect(&self.context.state()).unwrap_or_else(|_| Box::new(GenericDialect {}))
    }

    async fn run_statement(&mut self, statement: ParsedStatement) -> Result<(), Failure> {
        let (sender, mut events) = mpsc::channel(1);
        let execution = execute(
            self.context.clone(),
            statement,
            sender,
            self.observer.watcher(),
            self.observer.part_watcher(),
        );
        let mut task = self.engine.spawn(execution);
        let shown = tokio::select! {
            shown = self.show(&mut events) => Some(shown),
            () = interrupted() => None,
        };
        let Some(shown) = shown else {
            task.abort();
            // The task's writers remove unfinished files, unless they are stuck.
            let _ = timeout(CLEAN_UP_TIME, &mut task).await;
            self.output.abandon();
            return Err(Failure::Interrupted);
        };
        drop(events);
        let executed = match task.await {
            Ok(executed) => executed,
            Err(error) => Err(DataFusionError::External(Box::new(error))),
        };
        let result = shown
            .and_then(|stopped_early| if stopped_early { Ok(()) } else { executed })
            .and_then(|()| self.output.end());
        if let Err(error) = result {
            self.output.abandon();
            return Err(Failure::Statement(message(&error)));
        }
        Ok(())
    }

    /// Shows progress and results until the task ends. Returns `true` if the output was closed
    /// before the end of the results.
    async fn show(&mut self, events: &mut mpsc::Receiver<Event>) -> Result<bool> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut progress = Progress::new(self.progress);
        let mut kind = ResultKind::Rows;
        let mut rows = 0;
        let mut stopped_early = false;
        loop {
            let event = tokio::select! {
                event = events.recv() => event,
                _ = ticks.tick() => {
                    progress.tick();
                    self.observer.tick(&self.summary.counts, progress.counters());
                    continue;
                }
            };
            match event {
                None => break,
                Some(Event::Planned {
                    counters,
                    schema,
                    kind: planned_kind,
                }) => {
                    progress.watch(counters);
                    kind = planned_kind;
                    if kind == ResultKind::Functions && self.output.format == Format::Table {
                        let schema = show_functions::table_schema(&schema)?;
                        self.output.begin(&schema, true)?;
                    } else if kind != ResultKind::WrittenCount && !schema.fields().is_empty() {
                        self.output
                            .begin(&schema, kind == ResultKind::Explanation)?;
                    }
                }
                Some(Event::PlannedAgain { counters }) => progress.watch(counters),
                Some(Event::Batch(batch)) if kind == ResultKind::WrittenCount => {
                    self.summary.rows_written += written_rows(&batch);
                    self.summary.wrote = true;
                }
                Some(Event::Written {
                    rows,
                    target,
                    size,
                    report,
                }) => {
                    let written = &mut self.summary.written;
                    written.add(rows, &target, size, report.as_deref());
                }
                Some(Event::Batch(batch)) => {
                    if self.output.draws_now() {
                        progress.clear();
                    }
                    rows += batch.num_rows() as u64;
                    if kind == ResultKind::Functions && self.output.format == Format::Table {
                        self.output.batch(&show_functions::table(&batch)?)?;
                    } else {
                        self.output.batch(&batch)?;
                    }
                    if !self.output.is_open() {
                        stopped_early = true;
                        break;
                    }
                }
            }
        }
        progress.clear();
        if kind == ResultKind::Tables && rows == 0 && !self.quiet {
            eprintln!("{}", show_tables::NO_TABLES);
        }
        self.summary.rows_returned += rows;
        self.summary.counts += progress.counts();
        self.summary.statements += 1;
        self.observer.statement_ended(&self.summary);
        Ok(stopped_early)
    }
}

/// Plans and runs one statement.
async fn execute(
    context: SessionContext,
    statement: ParsedStatement,
    events: mpsc::Sender<Event>,
    watcher: Option<Watcher>,
    part_watcher: Option<PartWatcher>,
) -> Result<()> {
    stored_as::check(&context, &statement)?;
    let shows_all_tables = show_tables::shows_all(&statement);
    let statement = show_tables::expand(&context, statement)?;
    let statement = reset::expand(&context, statement)?;
    let titles = Titles::of(&statement);
    let state = context.state();
    let functions = show_functions::query(&statement);
    let plan = match &functions {
        Some(query) => state.create_logical_plan(query).await?,
        None => sql_dialect::plan(&state, statement).await?,
    };
    let kind = match &plan {
        _ if functions.is_some() => ResultKind::Functions,
        _ if shows_all_tables => ResultKind::Tables,
        LogicalPlan::Copy(_) | LogicalPlan::Dml(_) => ResultKind::WrittenCount,
        LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) => ResultKind::Explanation,
        _ => ResultKind::Rows,
    };
    let target = Target::of(&context, &plan).await.map(Box::new);
    let mut run = Run {
        events,
        titles,
        kind,
        target,
        watcher,
        part_watcher,
        is_repeated: false,
        has_shown_rows: false,
    };
    let setting = matches!(plan, LogicalPlan::Statement(_)).then(|| plan.clone());
    let frame = context.execute_logical_plan(plan).await?;
    if let Some(setting) = setting {
        note_setting(&context, &setting);
    }
    let (mut state, plan) = frame.into_parts();
    let ran = run.run(&context, state.clone(), plan.clone()).await;
    let uses_hash_joins = state.config().options().optimizer.prefer_hash_join;
    match ran {
        Err(error) if uses_hash_joins && !run.has_shown_rows && join_exceeded_memory(&error) => {
            state.config_mut().options_mut().optimizer.prefer_hash_join = false;
            run.is_repeated = true;
            run.run(&context, state, plan).await
        }
        ran => ran,
    }
}

/// Whether a query failed because a hash join, which cannot spill, needed more than the memory limit.
/// Joins that sort need less.
fn join_exceeded_memory(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::ResourcesExhausted(text) => text.contains(" for HashJoin"),
        _ => false,
    }
}

/// What the attempts to run one statement have in common.
struct Run {
    events: mpsc::Sender<Event>,
    titles: Titles,
    kind: ResultKind,
    target: Option<Box<Target>>,
    watcher: Option<Watcher>,
    part_watcher: Option<PartWatcher>,
    is_repeated: bool,
    has_shown_rows: bool,
}

impl Run {
    async fn run(
        &mut self,
        context: &SessionContext,
        state: SessionState,
        plan: LogicalPlan,
    ) -> Result<()> {
        let frame = DataFrame::new(state, plan);
        let task_context = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await?;
        let schema = self.titles.applied_to(&plan.schema());
        let report = resume::report(&plan);
        let mut counters = PlanCounters::of(&plan);
        if let Some(watcher) = &self.watcher {
            counters.watch(watcher);
        }
        if let (Some(report), Some(watcher)) = (&report, &self.part_watcher) {
            report.watch(watcher.clone());
        }
        if let Some(report) = &report {
            counters = counters.without(Arc::clone(&report.done_bytes));
        }
        let planned = match self.is_repeated {
            true => Event::PlannedAgain { counters },
            false => Event::Planned {
                counters,
                schema: Arc::clone(&schema),
                kind: self.kind,
            },
        };
        // After an interrupt the receiver is gone; stop.
        if self.events.send(planned).await.is_err() {
            return Ok(());
        }
        let mut batches = execute_stream(plan, task_context)?;
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
        if let Some(target) = self.target.take() {
            let size = target.size(context).await;
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

fn written_rows(batch: &RecordBatch) -> u64 {
    match batch.columns().first() {
        Some(counts) => match counts.as_primitive_opt::<UInt64Type>() {
            Some(counts) => counts.iter().flatten().sum(),
            None => 0,
        },
        None => 0,
    }
}

/// Waits for Ctrl-C, or for a request to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // If signals cannot be received, leave it to the system to end the process.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
