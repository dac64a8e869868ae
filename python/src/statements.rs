//! Runs statements to completion: all statements of scripts, and the writing ones of `sql()`.

use corpus_sql::errors::{Cause, cause, message};
use corpus_sql::sql::dialect;
use corpus_sql::sql::parameters;
use corpus_sql::sql::parameters::Parameters;
use corpus_sql::statements::execution::{Event, Planned, ResultKind, Watchers, written_rows};
use corpus_sql::statements::place;
use corpus_sql::statements::split::{ScriptError, Statement, split};
use corpus_sql::statements::summary::Summary;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::DataFusionError;
use datafusion::sql::parser::Statement as ParsedStatement;
use datafusion::sql::sqlparser::dialect::Dialect;
use pyo3::prelude::*;
use tokio::sync::mpsc;

use crate::engine::Engine;
use crate::errors::{Error, exception, usage};
use crate::waiting::{CLEAN_UP_TIMEOUT, SIGNAL_INTERVAL, within};

/// Splits and parses statements, and fills in their parameters.
pub fn parse(
    engine: &Engine,
    name: Option<&str>,
    sql: &str,
    parameters: &Parameters,
) -> PyResult<Vec<(Statement, ParsedStatement)>> {
    let start = |line: usize| name.map_or(String::new(), |name| format!("{name}:{line}: "));
    let state = engine.context.state();
    let dialect = dialect::dialect(&state).map_err(|error| exception(&error))?;
    let statements = split(sql, dialect.as_ref()).map_err(|error: ScriptError| {
        let excerpt = place::excerpt(sql, error.place, EXCERPT_WIDTH);
        let excerpt = excerpt.map_or(String::new(), |excerpt| format!("\n{excerpt}"));
        usage(format!(
            "{}{}{excerpt}",
            start(error.place.line),
            error.message
        ))
    })?;
    if !parameters.is_empty() {
        let used = parameters::names(sql, dialect.as_ref()).map_err(|error| exception(&error))?;
        parameters::check_all_used(&used, parameters).map_err(usage)?;
    }
    let parsed = statements.into_iter().map(|statement| {
        let parsed = dialect::parse(&state, &statement.in_place()).and_then(|mut parsed| {
            parameters::bind(&mut parsed, parameters)?;
            Ok(parsed)
        });
        match parsed {
            Ok(parsed) => Ok((statement, parsed)),
            Err(error) => Err(usage(format!(
                "{}{}",
                start(statement.line),
                message_with_position(&error, &statement, dialect.as_ref())
            ))),
        }
    });
    parsed.collect()
}

/// The width of the line of a statement in an error.
const EXCERPT_WIDTH: usize = 100;

/// The message of an error, with its place in the statement if that is certain.
fn message_with_position(
    error: &DataFusionError,
    statement: &Statement,
    dialect: &dyn Dialect,
) -> String {
    let text = message(error);
    let sql = statement.in_place();
    let excerpt = place::of(error, &text, &sql, dialect)
        .and_then(|place| place::excerpt(&sql, place, EXCERPT_WIDTH));
    match excerpt {
        Some(excerpt) => format!("{}\n{excerpt}", place::without_position(&text)),
        None => text,
    }
}

/// Plans a statement, and runs it if it has no results.
pub fn plan(
    py: Python<'_>,
    engine: &Engine,
    statement: &Statement,
    parsed: ParsedStatement,
) -> PyResult<Planned> {
    let context = engine.context.clone();
    let planned = engine.run(py, async move {
        Ok(Planned::new(&context, parsed, &|_| {}).await)
    })?;
    planned.map_err(|error| match cause(&error) {
        Cause::Sql => match dialect::dialect(&engine.context.state()) {
            Ok(dialect) => usage(message_with_position(&error, statement, dialect.as_ref())),
            Err(_) => exception(&error),
        },
        _ => exception(&error),
    })
}

/// The rows of a finished statement.
pub struct StatementRows {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

/// Runs a statement to its end, and adds its counts to a summary.
pub fn run(
    py: Python<'_>,
    engine: &Engine,
    planned: Planned,
    summary: &mut Summary,
) -> PyResult<StatementRows> {
    let handle = engine.handle()?;
    let (sender, mut events) = mpsc::channel(1);
    let context = engine.context.clone();
    let kind = planned.kind();
    let watchers = Watchers::default();
    let stop = watchers.stop.clone();
    let mut task = handle.spawn(async move { planned.run(&context, sender, watchers).await });
    let mut bar = engine.display.bar(py);
    let mut ran = StatementRows {
        schema: SchemaRef::new(Schema::empty()),
        batches: Vec::new(),
    };
    loop {
        let event = py.detach(|| within(handle, SIGNAL_INTERVAL, events.recv()));
        if let Err(interrupt) = py.check_signals().and_then(|()| bar.tick(py)) {
            stop.request();
            task.abort();
            // Gives the writers time to remove unfinished files, unless they are stuck.
            let _ = py.detach(|| within(handle, CLEAN_UP_TIMEOUT, &mut task));
            return Err(interrupt);
        }
        match event {
            None => {}
            Some(None) => break,
            Some(Some(Event::Planned {
                counters, schema, ..
            })) => {
                ran.schema = schema;
                bar.watch(counters);
            }
            Some(Some(Event::Recounted { counters })) => bar.watch(counters),
            Some(Some(Event::Batch(batch))) => {
                if kind == ResultKind::WrittenCount {
                    summary.rows_written += written_rows(&batch);
                    summary.wrote = true;
                } else {
                    summary.rows_returned += batch.num_rows() as u64;
                }
                ran.batches.push(batch);
            }
            Some(Some(Event::Written {
                rows,
                target,
                size,
                report,
            })) => {
                summary.written.add(rows, &target, size, report.as_deref());
            }
        }
    }
    summary.counts += bar.counts();
    summary.statements += 1;
    match py.detach(|| handle.block_on(task)) {
        Ok(Ok(())) => {
            bar.finish(py)?;
            Ok(ran)
        }
        Ok(Err(error)) => Err(exception(&error)),
        Err(error) => Err(Error::new_err(format!("internal error: {error}"))),
    }
}
