//! The statements of the page: each runs in the background and writes its rows to a spool.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::DataFusionError;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect};
use futures::Stream;
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{OnceCell, mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::messages::Problem;
use super::read_only;
use super::sorting::Order;
use super::spool::{MAX_PART_ROWS, PART_BYTES, Space, Spool};
use super::{App, Warnings, cells};
use crate::errors::message;
use crate::sinks::run_lock;
use crate::sources::scan::counters::{Counts, PlanCounters};
use crate::sql::dialect;
use crate::sql::types::type_name;
use crate::statements::execution::{Event, Planned, ResultKind, StopSignal, Watchers};
use crate::statements::place::{self, Position};
use crate::statements::script::{Script, TYPED};
use crate::statements::split::{ScriptError, Statement as ScriptStatement, split};
use crate::statements::substitution::{SubstitutionError, substitute};
use crate::statements::variables::{OUTPUT, Substituted, Variables, declarations};
use crate::statements::written_targets::{Written, count_of};

/// The maximum number of statements whose rows are kept.
const MAX_STATEMENTS: usize = 24;

/// The maximum number of entries of the history.
const MAX_HISTORY_ENTRIES: usize = 500;

/// The maximum size of a statement in the history whose rows are gone.
const MAX_HISTORY_BYTES: usize = 10_000;

/// The maximum number of sorted views of one result.
const MAX_ORDERS: usize = 3;

/// The interval at which the state of a running statement is sent.
const STATE_INTERVAL: Duration = Duration::from_millis(200);

/// All statements of a page.
pub struct Statements {
    list: Mutex<List>,
    pub space: Arc<Space>,
    warnings: Arc<Warnings>,
}

#[derive(Default)]
struct List {
    /// The oldest first.
    kept: VecDeque<Arc<Statement>>,
    /// Statements whose rows are gone.
    earlier: VecDeque<Value>,
    last_id: u64,
    /// Whether the program ends.
    is_ended: bool,
}

/// The SQL of one request.
pub struct Statement {
    pub id: u64,
    sql: String,
    started: Instant,
    progress: Mutex<Progress>,
    task: OnceLock<AbortHandle>,
    stop: StopSignal,
    /// Whether it only reads. Unknown until it is parsed.
    only_reads: OnceLock<bool>,
    /// Whether the page that watched it is gone.
    is_left: AtomicBool,
    warnings: Arc<Warnings>,
    /// The number of warnings before it.
    earlier_warnings: u64,
    ended: watch::Sender<bool>,
    orders: Mutex<VecDeque<(Order, Arc<OnceCell<Spool>>)>>,
}

struct Progress {
    state: State,
    spool: Option<Arc<Spool>>,
    counters: PlanCounters,
    written: Written,
    /// The warnings that the program gave until the end.
    warnings: Vec<String>,
    seconds: f64,
    problem: Option<Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Running,
    Done,
    Stopped,
    Failed,
}

impl Statements {
    pub fn new(warnings: Arc<Warnings>) -> Self {
        Self {
            list: Mutex::default(),
            space: Arc::default(),
            warnings,
        }
    }

    /// Returns a statement by the id in an address.
    pub fn find(&self, id: &str) -> Result<Arc<Statement>, Problem> {
        let id = id.parse::<u64>().ok();
        let list = self.list.lock();
        let found = list.kept.iter().find(|kept| Some(kept.id) == id);
        found.cloned().ok_or_else(|| {
            Problem::not_found(if list.is_ended {
                "corpus-sql has ended: start it again, and open the address that it prints"
            } else {
                "there is no such statement; run it again"
            })
        })
    }

    /// Adds a statement. The oldest one that has ended makes room.
    fn add(&self, sql: String) -> Result<Arc<Statement>, Problem> {
        let mut list = self.list.lock();
        if list.kept.len() >= MAX_STATEMENTS && !list.forget_oldest() {
            return Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!("{MAX_STATEMENTS} statements are running; stop one of them"),
            ));
        }
        list.last_id += 1;
        let statement = Arc::new(Statement {
            id: list.last_id,
            sql,
            started: Instant::now(),
            progress: Mutex::new(Progress {
                state: State::Running,
                spool: None,
                counters: PlanCounters::default(),
                written: Written::default(),
                warnings: Vec::new(),
                seconds: 0.0,
                problem: None,
            }),
            task: OnceLock::new(),
            stop: StopSignal::default(),
            only_reads: OnceLock::new(),
            is_left: AtomicBool::new(false),
            warnings: Arc::clone(&self.warnings),
            earlier_warnings: self.warnings.count(),
            ended: watch::Sender::new(false),
            orders: Mutex::default(),
        });
        list.kept.push_back(Arc::clone(&statement));
        Ok(statement)
    }

    /// Stops and forgets a statement whose page is gone, unless it writes.
    fn leave(&self, statement: &Statement) {
        statement.is_left.store(true, Ordering::SeqCst);
        if statement.only_reads.get() == Some(&true) {
            statement.stop();
            self.list.lock().forget(statement.id);
        }
    }

    /// Stops a statement that runs, and forgets one that has ended.
    pub fn stop_or_forget(&self, id: &str) -> Result<(), Problem> {
        let statement = self.find(id)?;
        if statement.stop() {
            return Ok(());
        }
        self.list.lock().forget(statement.id);
        Ok(())
    }

    /// Stops everything, and removes all spools.
    pub fn end(&self) {
        let kept = {
            let mut list = self.list.lock();
            list.is_ended = true;
            std::mem::take(&mut list.kept)
        };
        for statement in kept {
            statement.stop();
        }
    }

    /// All statements, the newest first.
    pub fn history(&self) -> Value {
        let list = self.list.lock();
        let kept = list.kept.iter().rev().map(|kept| kept.summary());
        let earlier = list.earlier.iter().rev().cloned();
        kept.chain(earlier).collect()
    }
}

impl List {
    /// Forgets the oldest statement that has ended. Returns whether there was one.
    fn forget_oldest(&mut self) -> bool {
        let ended = self.kept.iter().find(|kept| !kept.is_running());
        let ended = ended.map(|kept| kept.id);
        if let Some(id) = ended {
            self.forget(id);
        }
        ended.is_some()
    }

    fn forget(&mut self, id: u64) {
        let at = self.kept.iter().position(|kept| kept.id == id);
        if let Some(statement) = at.and_then(|at| self.kept.remove(at)) {
            let mut summary = statement.summary();
            let end = statement.sql.floor_char_boundary(MAX_HISTORY_BYTES);
            summary["sql"] = Value::from(&statement.sql[..end]);
            self.earlier.push_back(summary);
            if self.earlier.len() > MAX_HISTORY_ENTRIES {
                self.earlier.pop_front();
            }
        }
    }
}

impl Statement {
    pub fn is_running(&self) -> bool {
        self.progress.lock().state == State::Running
    }

    /// Waits until it has ended.
    async fn ended(&self) {
        // Cannot fail, because the sender is a field of this statement.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// The rows, as far as they exist.
    pub fn spool(&self) -> Result<Arc<Spool>, Problem> {
        let spool = self.progress.lock().spool.clone();
        spool.ok_or_else(|| Problem::not_found("the statement has no rows"))
    }

    /// The row numbers in an order, which [`OnceCell::get_or_try_init`] finds.
    pub fn order(&self, order: Order) -> Arc<OnceCell<Spool>> {
        let mut orders = self.orders.lock();
        if let Some((_, rows)) = orders.iter().find(|(known, _)| *known == order) {
            return Arc::clone(rows);
        }
        if orders.len() >= MAX_ORDERS {
            orders.pop_front();
        }
        let rows = Arc::new(OnceCell::new());
        orders.push_back((order, Arc::clone(&rows)));
        rows
    }

    /// Stops it, if it runs.
    fn stop(&self) -> bool {
        if !self.end(State::Stopped, None) {
            return false;
        }
        self.stop.request();
        if let Some(task) = self.task.get() {
            task.abort();
        }
        true
    }

    /// Sets the final state, unless there is one.
    fn end(&self, state: State, problem: Option<Problem>) -> bool {
        let mut progress = self.progress.lock();
        if progress.state != State::Running {
            return false;
        }
        progress.state = state;
        progress.problem = problem;
        progress.warnings = self.warnings.after(self.earlier_warnings);
        progress.seconds = self.started.elapsed().as_secs_f64();
        self.ended.send_replace(true);
        true
    }

    fn summary(&self) -> Value {
        let progress = self.progress.lock();
        json!({
            "sql": self.sql,
            "state": progress.state,
            "rows": progress.spool.as_ref().map(|spool| spool.rows()),
            "seconds": self.seconds(&progress),
        })
    }

    fn seconds(&self, progress: &Progress) -> f64 {
        match progress.state {
            State::Running => self.started.elapsed().as_secs_f64(),
            _ => progress.seconds,
        }
    }

    /// The state, for the page.
    pub fn to_json(&self) -> Value {
        let progress = self.progress.lock();
        let counts = progress.counters.counts();
        let total = progress.counters.total_bytes();
        let bytes = counts.bytes.min(total);
        let columns = progress.spool.as_ref().map(|spool| columns(&spool.schema));
        let warnings = counts.errors.iter();
        let warnings = warnings.map(|(reason, count)| format!("{count} × {reason}"));
        let warnings = warnings.chain(progress.warnings.iter().cloned());
        json!({
            "state": progress.state,
            "columns": columns.unwrap_or_default(),
            "rows": progress.spool.as_ref().map_or(0, |spool| spool.rows()),
            "progress": {
                "text": progress_text(&counts, bytes, total),
                "share": (total > 0).then(|| bytes as f64 / total as f64),
            },
            "warnings": warnings.collect::<Vec<_>>(),
            "message": Some(progress.written.text()).filter(|text| !text.is_empty()),
            "seconds": self.seconds(&progress),
            "error": progress.problem.as_ref().map(Problem::to_json),
        })
    }
}

fn columns(schema: &Schema) -> Vec<Value> {
    let fields = schema.fields().iter();
    let fields =
        fields.map(|field| json!({"name": field.name(), "type": type_name(field.data_type())}));
    fields.collect()
}

fn progress_text(counts: &Counts, bytes: u64, total: u64) -> String {
    if counts.files == 0 {
        return String::new();
    }
    let records = count_of(counts.records, "record");
    match total {
        0 => records,
        _ => format!(
            "{records}, {} % of {} MB",
            bytes * 100 / total,
            total / 1_000_000
        ),
    }
}

/// Starts a script. Its result is that of the last statement that has one.
pub fn start(app: &Arc<App>, sql: String, variables: Variables) -> Result<Arc<Statement>, Problem> {
    check_values(&sql, &variables)?;
    let statement = app.statements.add(sql)?;
    let (app_of_task, running) = (Arc::clone(app), Arc::clone(&statement));
    let task = app.engine.spawn(async move {
        match run(&app_of_task, &running, &variables).await {
            Ok(()) => running.end(State::Done, None),
            Err(problem) => running.end(State::Failed, Some(problem)),
        };
    });
    statement.task.get_or_init(|| task.abort_handle());
    Ok(statement)
}

/// Fails if a variable has neither a value nor a default.
fn check_values(sql: &str, variables: &Variables) -> Result<(), Problem> {
    let declared = declarations(sql).map_err(|error| Problem::wrong(error.to_string()))?;
    let missing = declared
        .into_iter()
        .filter(|it| it.is_required && !variables.contains_key(&it.name));
    let missing: Vec<String> = missing.map(|variable| variable.name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!("the statement needs values for {}", missing.join(", "));
    Err(Problem {
        variables: missing,
        ..Problem::wrong(text)
    })
}

async fn run(app: &App, statement: &Statement, variables: &Variables) -> Result<(), Problem> {
    let script = Script {
        name: TYPED.to_owned(),
        text: statement.sql.clone(),
    };
    let substituted = substitute(&app.context, &script, variables, true);
    let source = Source {
        substituted: substituted.await.map_err(|error| match error {
            SubstitutionError::Usage(text) => Problem::wrong(text),
            SubstitutionError::Input { error, hint } => Problem::wrong(message(&error) + &hint),
        })?,
        context: &app.context,
        script,
    };
    let statements = split(&source.substituted.sql, source.dialect().as_ref());
    let statements =
        statements.map_err(|ScriptError { place, message }| source.at(Some(place), &message))?;
    if statements.is_empty() {
        return Err(Problem::wrong("there is no statement"));
    }
    let parsed = statements.into_iter().map(|part| {
        let parsed = dialect::parse(&app.context.state(), &part.in_place());
        let parsed = parsed.map_err(|error| source.problem(&part, &error))?;
        Ok((part, parsed))
    });
    let parsed = parsed.collect::<Result<Vec<_>, Problem>>()?;
    let only_reads = parsed.iter().all(|(_, parsed)| read_only::is_read(parsed));
    statement.only_reads.get_or_init(|| only_reads);
    if statement.is_left.load(Ordering::SeqCst) {
        app.statements.leave(statement);
    }
    let folder = source.substituted.folder(&source.script.text, OUTPUT);
    let folder = folder.filter(|_| !app.read_only);
    let lock = folder.map(|folder| run_lock::lock(&folder)).transpose();
    let _lock = lock.map_err(|error| Problem::wrong(message(&error)))?;
    for (part, parsed) in parsed {
        let ran = async {
            if app.read_only {
                read_only::check(&app.context.state(), &parsed).await?;
            }
            let (sender, receiver) = mpsc::channel(1);
            let fill = |counters: PlanCounters| {
                statement.progress.lock().counters = counters;
            };
            let planned = Planned::new(&app.context, parsed, &fill).await?;
            let watchers = Watchers {
                stop: statement.stop.clone(),
                ..Watchers::default()
            };
            let run = planned.run(&app.context, sender, watchers);
            let (ran, kept) = tokio::join!(run, keep(app, statement, receiver));
            kept.and(ran)
        };
        ran.await.map_err(|error| source.problem(&part, &error))?;
    }
    let steps = statement.progress.lock().written.take_steps();
    let removed = steps.remove(&app.context).await?;
    statement.progress.lock().written.add_removed_steps(removed);
    Ok(())
}

/// Writes the rows of a statement to its spool.
async fn keep(
    app: &App,
    statement: &Statement,
    mut events: mpsc::Receiver<Event>,
) -> Result<(), DataFusionError> {
    let mut keeps_rows = false;
    let mut waiting = Waiting::default();
    loop {
        let event = if waiting.batches.is_empty() {
            events.recv().await
        } else {
            match timeout(STATE_INTERVAL / 2, events.recv()).await {
                Ok(event) => event,
                Err(_) => {
                    waiting.write(app, statement)?;
                    continue;
                }
            }
        };
        if !matches!(event, Some(Event::Batch(_))) {
            waiting.write(app, statement)?;
        }
        let Some(event) = event else {
            return Ok(());
        };
        match event {
            Event::Planned {
                counters,
                schema,
                kind,
                ..
            } => {
                let is_empty = schema.fields().is_empty() || kind == ResultKind::WrittenCount;
                let spool = if is_empty {
                    None
                } else {
                    Some(Spool::create(&app.context, schema, &app.statements.space)?)
                };
                let mut progress = statement.progress.lock();
                progress.counters = counters;
                // The page shows the rows of the last statement that has some.
                keeps_rows = spool.is_some();
                progress.spool = spool.map(Arc::new).or(progress.spool.take());
            }
            Event::Recounted { counters } => statement.progress.lock().counters = counters,
            Event::Batch(batch) if keeps_rows => {
                waiting.add(batch);
                if waiting.is_full() {
                    waiting.write(app, statement)?;
                }
            }
            Event::Batch(_) => {}
            Event::Written {
                rows,
                target,
                size,
                report,
            } => {
                let written = &mut statement.progress.lock().written;
                written.add(rows, &target, size, report.as_deref());
            }
        }
    }
}

/// Batches to be written to a spool. Some queries return a few rows in each, of which a part of a
/// spool would be slow to read.
struct Waiting {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    last_written: Instant,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            rows: 0,
            bytes: 0,
            last_written: Instant::now(),
        }
    }
}

impl Waiting {
    fn add(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
    }

    /// Whether to write the batches now: there are enough, or the page has waited for them.
    fn is_full(&self) -> bool {
        self.rows >= MAX_PART_ROWS
            || self.bytes >= PART_BYTES
            || self.last_written.elapsed() >= STATE_INTERVAL / 2
    }

    fn write(&mut self, app: &App, statement: &Statement) -> Result<(), DataFusionError> {
        let batches = std::mem::take(&mut self.batches);
        (self.rows, self.bytes) = (0, 0);
        self.last_written = Instant::now();
        let (Some(first), Some(spool)) = (batches.first(), statement.progress.lock().spool.clone())
        else {
            return Ok(());
        };
        let statements = &app.statements;
        if statements.space.is_full() {
            statements.list.lock().forget_oldest();
        }
        spool.write(&concat_batches(first.schema_ref(), &batches)?)
    }
}

/// The text of a script, for the places of errors.
struct Source<'a> {
    script: Script,
    substituted: Substituted,
    context: &'a SessionContext,
}

impl Source<'_> {
    fn dialect(&self) -> Box<dyn Dialect> {
        let dialect = dialect::dialect(&self.context.state());
        dialect.unwrap_or_else(|_| Box::new(GenericDialect {}))
    }

    fn problem(&self, part: &ScriptStatement, error: &DataFusionError) -> Problem {
        let text = message(error);
        let place = place::of(error, &text, &part.in_place(), self.dialect().as_ref());
        self.at(place, &text)
    }

    /// A problem at a place in the SQL with its variables replaced.
    fn at(&self, place: Option<Position>, text: &str) -> Problem {
        let place = place.and_then(|place| self.substituted.place_in(&self.script.text, place));
        Problem {
            place,
            ..Problem::wrong(place::without_position(text))
        }
    }
}

/// The page that watches a statement, until it ends or this is dropped.
struct Watch {
    app: Arc<App>,
    statement: Arc<Statement>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.statement.is_running() {
            self.app.statements.leave(&self.statement);
        }
    }
}

/// Returns the states of a statement, one per line, up to the last one. If the connection ends
/// before, the page is gone.
pub fn states(
    app: Arc<App>,
    statement: Arc<Statement>,
) -> impl Stream<Item = Result<String, Infallible>> {
    let watch = Watch { app, statement };
    futures::stream::unfold(Some(watch), async |watch| {
        let watch = watch?;
        let ended = timeout(STATE_INTERVAL, watch.statement.ended()).await;
        let line = format!("{}\n", watch.statement.to_json());
        Some((Ok(line), ended.is_err().then_some(watch)))
    })
}

/// Returns rows for the page.
pub fn rows(spool: &Spool, from: u64, count: u64) -> Result<Vec<Value>, DataFusionError> {
    let mut rows = Vec::new();
    if count == 0 {
        return Ok(rows);
    }
    spool.read(from, None, |_, batch| {
        for row in 0..batch.num_rows() {
            if rows.len() as u64 == count {
                return Ok(false);
            }
            rows.push(cells::row(&batch, row));
        }
        Ok(true)
    })?;
    Ok(rows)
}
