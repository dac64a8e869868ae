//! Runs scripts: variables, statements, results, cancellation.

use std::collections::BTreeSet;
use std::sync::Arc;

use datafusion::common::utils::quote_identifier;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement as ParsedStatement;
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::interrupted;
use super::interrupts::{CLEAN_UP_TIMEOUT, Interrupts};
use super::observer::Observer;
use super::output::{Output, Shape};
use super::positional;
use super::script_commands::{Change, Extracted, Refused, extract};
use super::script_errors::Source;
use crate::allocator;
use crate::errors::message;
use crate::results::Format;
use crate::sinks::resume::Report;
use crate::sinks::run_lock;
use crate::sources::scan::counters::PlanCounters;
use crate::sources::table::register::UNKNOWN_FORMAT;
use crate::sql::dialect;
use crate::sql::dialect::variables;
use crate::sql::parameters;
use crate::sql::parameters::Parameters;
use crate::sql::syntax::literal;
use crate::statements::execution::{
    Event, Planned, ResultKind, StopSignal, Watchers, written_rows,
};
use crate::statements::place::Position;
use crate::statements::progress::{Progress, ProgressMode, TICK};
use crate::statements::script::{Failure, Script};
use crate::statements::show_functions;
use crate::statements::show_tables;
use crate::statements::split::{ScriptError, Statement, split};
use crate::statements::substitution::{SubstitutionError, substitute, substitute_without_columns};
use crate::statements::summary::Summary;
use crate::statements::variable_checks::{default_hint, default_note};
use crate::statements::variables::{OUTPUT, Substituted, Variables};

/// A session, with the state that its statements share.
pub struct Runner {
    /// The runtime for queries. It is separate from the caller's: a long step of a query would
    /// otherwise block Ctrl-C and progress.
    pub engine: Handle,
    pub context: SessionContext,
    pub variables: Variables,
    pub parameters: Parameters,
    pub output: Output,
    /// Whether statements come from the terminal, where `\set` sets variables.
    pub interactive: bool,
    pub quiet: bool,
    pub progress: ProgressMode,
    pub summary: Summary,
    pub observer: Observer,
    pub interrupts: Interrupts,
}

impl Runner {
    /// Checks the whole script, then runs it until the first failure.
    pub async fn run_script(&mut self, script: &Script) -> Result<(), Failure> {
        let (script, changes) = self.without_commands(script)?;
        let source = Source {
            script: &script,
            substituted: self.substitute(&script).await?,
            dialect: self.dialect(),
        };
        let defaults = &source.substituted.defaults;
        let statements = self.parse(&source)?;
        if !self.quiet
            && !self.observer.logs()
            && let Some(note) = default_note(defaults, self.interactive)
        {
            say!("{}: {note}", script.name);
        }
        let results = statements
            .iter()
            .filter(|(_, parsed)| is_query(parsed))
            .count();
        self.output
            .check_room_for(results)
            .map_err(Failure::Usage)?;
        let folder = source.substituted.folder(&script.text, OUTPUT);
        let lock = folder.map(|folder| run_lock::lock(&folder)).transpose();
        let _lock = lock
            .map_err(|error| Failure::Statement(format!("{}: {}", script.name, message(&error))))?;
        let number_of_statements = statements.len();
        let mut changes = changes.into_iter().peekable();
        for (done, (statement, parsed)) in statements.into_iter().enumerate() {
            self.observer
                .statement_begun(&script.name, statement.line, &statement.summary());
            let place = Position {
                line: statement.line,
                column: statement.column,
            };
            let place = source.substituted.place_in(&script.text, place);
            let statement_line = place.map_or(statement.line, |place| place.line);
            while let Some((_, change)) = changes.next_if(|(line, _)| *line < statement_line) {
                self.change(change)?;
            }
            self.run_statement(parsed)
                .await
                .map_err(|stopped| match stopped {
                    StatementEnd::Failed(error) => {
                        let hint = default_hint(&message(&error), defaults, self.interactive);
                        Failure::Statement(source.describe(&statement, &error) + &hint)
                    }
                    StatementEnd::Interrupted(parts) => {
                        Failure::Interrupted(interrupted::progress(
                            &parts,
                            (done, number_of_statements),
                            &self.context,
                            self.interactive,
                        ))
                    }
                })?;
            allocator::give_back_freed_memory();
        }
        self.remove_steps().await.map_err(|error| {
            let error = message(&error);
            Failure::Statement(format!("{}: cannot remove a step: {error}", script.name))
        })
    }

    /// Takes the commands out of a script. A session has executed its own already.
    fn without_commands(&self, script: &Script) -> Result<(Script, Vec<(usize, Change)>), Failure> {
        if self.interactive {
            return Ok((script.clone(), Vec::new()));
        }
        let extracted = extract(&script.text, self.dialect().as_ref());
        let Extracted { sql, changes } = extracted.map_err(|Refused { line, message }| {
            Failure::Usage(format!("{}:{line}: {message}", script.name))
        })?;
        let name = script.name.clone();
        Ok((Script { name, text: sql }, changes))
    }

    fn change(&mut self, change: Change) -> Result<(), Failure> {
        match change {
            Change::Format(format) => self.output.set_format(format).map_err(Failure::Usage),
            Change::Expand(expand) => {
                self.output.screen.expand = expand;
                Ok(())
            }
        }
    }

    /// Removes the files that only the statements of the script needed.
    async fn remove_steps(&mut self) -> Result<()> {
        let steps = self.summary.written.take_steps();
        if steps.is_empty() {
            return Ok(());
        }
        let context = self.context.clone();
        let task = self
            .engine
            .spawn(async move { steps.remove(&context).await });
        let removed = task
            .await
            .map_err(|error| DataFusionError::External(Box::new(error)))??;
        self.summary.written.add_removed_steps(removed);
        Ok(())
    }

    /// Creates a view of a file, folder or URL, named after it. Returns a hint for its use.
    pub async fn create_view(&mut self, location: &str) -> Result<String, Failure> {
        let (context, location) = (self.context.clone(), positional::location(location));
        let mut name = positional::view_name(&location);
        // A name such as `table` needs quotes.
        if dialect::parse(&context.state(), &format!("SELECT * FROM {name}")).is_err() {
            name.push('_');
        }
        let name = quote_identifier(&name).into_owned();
        let (view, quoted) = (name.clone(), literal(&location));
        let task = self.engine.spawn(async move {
            let location = literal(&location);
            let create = format!("CREATE VIEW {view} AS SELECT * FROM");
            let created = match dialect::sql(&context, &format!("{create} {location}")).await {
                Err(error) if message(&error).contains(UNKNOWN_FORMAT) => {
                    let files = format!("{create} read_files({location})");
                    dialect::sql(&context, &files).await
                }
                created => created,
            };
            created?.collect().await?;
            let view = dialect::sql(&context, &format!("SELECT * FROM {view}")).await?;
            // The bytes of files, which few people want to see.
            let content = view.schema().field_with_unqualified_name("content");
            Ok::<_, DataFusionError>(content.is_ok_and(|it| it.data_type().is_binary()))
        });
        let created = tokio::select! {
            created = task => created,
            () = self.interrupts.received() => return Err(Failure::Interrupted(String::new())),
        };
        match created {
            Ok(Ok(has_files)) => {
                let mut hint = format!("is the view {name}: SELECT * FROM {name} LIMIT 10;");
                if has_files {
                    let text = format!("SELECT title, text FROM documents({quoted})");
                    hint.push_str(&format!("\nthe text of its documents: {text} LIMIT 10;"));
                }
                Ok(hint)
            }
            Ok(Err(error)) => Err(Failure::Statement(message(&error))),
            Err(error) => Err(Failure::Statement(error.to_string())),
        }
    }

    /// Replaces the variables of the script.
    async fn substitute(&self, script: &Script) -> Result<Substituted, Failure> {
        let (context, variables) = (self.context.clone(), self.variables.clone());
        let (name, script) = (script.name.clone(), script.clone());
        let interactive = self.interactive;
        let task = self
            .engine
            .spawn(async move { substitute(&context, &script, &variables, interactive).await });
        let mut interrupts = self.interrupts.clone();
        let substituted = tokio::select! {
            substituted = task => substituted,
            () = interrupts.received() => return Err(Failure::Interrupted(String::new())),
        };
        match substituted {
            Ok(Ok(substituted)) => Ok(substituted),
            Ok(Err(SubstitutionError::Usage(message))) => Err(Failure::Usage(message)),
            Ok(Err(SubstitutionError::Input { error, hint })) => Err(Failure::Statement(format!(
                "{name}: {}{hint}",
                message(&error)
            ))),
            Err(error) => Err(Failure::Statement(error.to_string())),
        }
    }

    /// Fails if a parameter is set but used by no script.
    pub fn check_parameters(&self, scripts: &[Script]) -> Result<(), Failure> {
        if self.parameters.is_empty() {
            return Ok(());
        }
        let mut used = BTreeSet::new();
        for script in scripts {
            // Scripts that cannot be parsed fail when they run, with the line of the mistake.
            let substituted = substitute_without_columns(&script.text, &self.variables);
            let Ok(Substituted { sql, .. }) = substituted else {
                return Ok(());
            };
            match parameters::names(&sql, self.dialect().as_ref()) {
                Ok(names) => used.extend(names),
                Err(_) => return Ok(()),
            }
        }
        parameters::check_all_used(&used, &self.parameters).map_err(Failure::Usage)
    }

    /// Parses all statements before the first one runs, so that a typo in the last line is found
    /// immediately, not after hours.
    fn parse(&self, source: &Source<'_>) -> Result<Vec<(Statement, ParsedStatement)>, Failure> {
        let statements = split(&source.substituted.sql, source.dialect.as_ref());
        let statements = statements.map_err(|ScriptError { place, message }| {
            Failure::Statement(source.at_place(place, &message))
        })?;
        let state = self.context.state();
        statements
            .into_iter()
            .map(|statement| match self.parse_one(&state, &statement) {
                Ok(parsed) => Ok((statement, parsed)),
                Err(error) => Err(Failure::Statement(source.describe(&statement, &error))),
            })
            .collect()
    }

    fn parse_one(&self, state: &SessionState, statement: &Statement) -> Result<ParsedStatement> {
        let mut parsed = dialect::parse(state, &statement.in_place())?;
        parameters::bind(&mut parsed, &self.parameters)?;
        Ok(parsed)
    }

    /// The session's SQL dialect, according to its setting.
    pub fn dialect(&self) -> Box<dyn Dialect> {
        dialect::dialect(&self.context.state()).unwrap_or_else(|_| Box::new(GenericDialect {}))
    }

    async fn run_statement(&mut self, statement: ParsedStatement) -> Result<(), StatementEnd> {
        let (sender, mut events) = mpsc::channel(1);
        let context = self.context.clone();
        let stop = StopSignal::default();
        let watchers = Watchers {
            files: self.observer.watcher(),
            parts: self.observer.part_watcher(),
            stop: stop.clone(),
        };
        let mut task = self.engine.spawn(async move {
            let fill = |counters: PlanCounters| {
                if let Some(watcher) = &watchers.files {
                    counters.watch(watcher);
                }
                // It is the first event, so there is space for it.
                let _ = sender.try_send(Event::Recounted { counters });
            };
            let planned = Planned::new(&context, statement, &fill).await?;
            planned.run(&context, sender, watchers).await
        });
        let mut interrupts = self.interrupts.clone();
        let mut report = None;
        let shown = tokio::select! {
            shown = self.show(&mut events, &mut report) => Some(shown),
            () = interrupts.received() => None,
        };
        let Some(shown) = shown else {
            stop.request();
            task.abort();
            if self.interactive {
                // The task's writers remove unfinished files, unless they are stuck. Elsewhere, the
                // program waits for that at its end.
                let _ = timeout(CLEAN_UP_TIMEOUT, &mut task).await;
            }
            self.output.abandon();
            return Err(StatementEnd::Interrupted(interrupted::parts(
                report.as_deref(),
            )));
        };
        drop(events);
        if !matches!(shown, Ok(false)) {
            stop.request();
        }
        let executed = match task.await {
            Ok(executed) => executed,
            Err(error) => Err(DataFusionError::External(Box::new(error))),
        };
        let result = shown
            .and_then(|stopped_early| if stopped_early { Ok(()) } else { executed })
            .and_then(|()| self.output.end());
        if let Err(error) = result {
            self.output.abandon();
            return Err(StatementEnd::Failed(error));
        }
        Ok(())
    }

    /// Shows progress and results until the task ends. Returns `true` if the output was closed
    /// before the end of the results.
    async fn show(
        &mut self,
        events: &mut mpsc::Receiver<Event>,
        report: &mut Option<Arc<Report>>,
    ) -> Result<bool> {
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
                    report: planned_report,
                }) => {
                    *report = planned_report;
                    progress.watch(counters);
                    kind = planned_kind;
                    let state = self.context.state();
                    let settings = state.config_options();
                    if kind == ResultKind::Functions && self.output.format() == Format::Table {
                        let schema = show_functions::table_schema(&schema)?;
                        self.output.begin(&schema, Shape::Whole, settings)?;
                    } else if kind != ResultKind::WrittenCount && !schema.fields().is_empty() {
                        let shape = match kind {
                            ResultKind::Explanation => Shape::Plan,
                            _ => Shape::Fitted,
                        };
                        self.output.begin(&schema, shape, settings)?;
                    }
                }
                Some(Event::Recounted { counters }) => progress.watch(counters),
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
                    if kind == ResultKind::Functions && self.output.format() == Format::Table {
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
            say!("{}", show_tables::NO_TABLES);
        }
        self.summary.rows_returned += rows;
        self.summary.counts += progress.counts();
        progress.counters().warn_of_missing_responses();
        self.summary.statements += 1;
        self.observer.statement_ended(&self.summary);
        Ok(stopped_early)
    }
}

/// Why a statement did not end.
enum StatementEnd {
    Failed(DataFusionError),
    /// The progress until the interrupt.
    Interrupted(String),
}

fn is_query(statement: &ParsedStatement) -> bool {
    match statement {
        ParsedStatement::Statement(inner) => {
            matches!(**inner, SqlStatement::Query(_)) && !variables::is_change(statement)
        }
        _ => false,
    }
}
