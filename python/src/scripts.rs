//! Statements that run to their end: scripts, and those of `sql()` that write.

use std::sync::Arc;
use std::time::Instant;

use corpus_sql::cli::execution::{Event, Planned, ResultKind, Watchers, written_rows};
use corpus_sql::cli::progress::Summary;
use corpus_sql::cli::script::{Failure, Script};
use corpus_sql::cli::statements::{ScriptError, Statement, split};
use corpus_sql::cli::variable_checks::check_all_used;
use corpus_sql::cli::variables::{Variables, substitute};
use corpus_sql::errors::message;
use corpus_sql::parameters::{self, Parameters};
use corpus_sql::sql_dialect;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::sql::parser::Statement as ParsedStatement;
use pyo3::prelude::*;
use tokio::sync::mpsc;

use crate::engine::{CLEAN_UP_TIME, Engine, SIGNAL_INTERVAL, within};
use crate::errors::{Error, exception, usage};
use crate::relation::Relation;

/// Splits and parses statements, and puts their parameters in.
pub fn parse(
    engine: &Engine,
    name: Option<&str>,
    sql: &str,
    parameters: &Parameters,
) -> PyResult<Vec<(Statement, ParsedStatement)>> {
    let place = |line: usize| name.map_or(String::new(), |name| format!("{name}:{line}: "));
    let state = engine.context.state();
    let dialect = sql_dialect::dialect(&state).map_err(|error| exception(&error))?;
    let statements = split(sql, dialect.as_ref())
        .map_err(|ScriptError { line, message }| usage(format!("{}{message}", place(line))))?;
    if !parameters.is_empty() {
        let used = parameters::names(sql, dialect.as_ref()).map_err(|error| exception(&error))?;
        parameters::check_all_used(&used, parameters).map_err(usage)?;
    }
    let parsed = statements.into_iter().map(|statement| {
        let parsed = sql_dialect::parse(&state, &statement.in_place()).and_then(|mut parsed| {
            parameters::bind(&mut parsed, parameters)?;
            Ok(parsed)
        });
        match parsed {
            Ok(parsed) => Ok((statement, parsed)),
            Err(error) => Err(usage(format!(
                "{}{}",
                place(statement.line),
                message(&error)
            ))),
        }
    });
    parsed.collect()
}

/// Plans a statement. One without results runs.
pub fn plan(py: Python<'_>, engine: &Engine, statement: ParsedStatement) -> PyResult<Planned> {
    let context = engine.context.clone();
    engine.run(py, async move { Planned::new(&context, statement).await })
}

/// The rows of a statement that has run to its end.
pub struct Ran {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

/// Runs a statement to its end, and adds what it read and wrote to a summary.
pub fn run(
    py: Python<'_>,
    engine: &Engine,
    planned: Planned,
    summary: &mut Summary,
) -> PyResult<Ran> {
    let handle = engine.handle()?;
    let (sender, mut events) = mpsc::channel(1);
    let context = engine.context.clone();
    let kind = planned.kind();
    let mut task =
        handle.spawn(async move { planned.run(&context, sender, Watchers::default()).await });
    let mut bar = engine.display.bar(py);
    let mut ran = Ran {
        schema: SchemaRef::new(Schema::empty()),
        batches: Vec::new(),
    };
    loop {
        let event = py.detach(|| within(handle, SIGNAL_INTERVAL, events.recv()));
        if let Err(interrupt) = py.check_signals().and_then(|()| bar.tick(py)) {
            task.abort();
            // Its writers remove unfinished files, unless they are stuck.
            let _ = py.detach(|| within(handle, CLEAN_UP_TIME, &mut task));
            return Err(interrupt);
        }
        match event {
            Err(_) => {}
            Ok(None) => break,
            Ok(Some(Event::Planned {
                counters, schema, ..
            })) => {
                ran.schema = schema;
                bar.watch(counters);
            }
            Ok(Some(Event::PlannedAgain { counters })) => bar.watch(counters),
            Ok(Some(Event::Batch(batch))) => {
                if kind == ResultKind::WrittenCount {
                    summary.rows_written += written_rows(&batch);
                    summary.wrote = true;
                } else {
                    summary.rows_returned += batch.num_rows() as u64;
                }
                ran.batches.push(batch);
            }
            Ok(Some(Event::Written {
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

/// Makes a relation of rows that are there already.
pub fn relation(py: Python<'_>, engine: &Arc<Engine>, ran: Ran) -> PyResult<Relation> {
    let batches = match ran.batches.is_empty() {
        true => vec![RecordBatch::new_empty(ran.schema)],
        false => ran.batches,
    };
    let context = engine.context.clone();
    let frame = engine.run(py, async move { context.read_batches(batches) })?;
    Ok(Relation::new(engine, Planned::of_frame(frame)))
}

/// Runs a script as the command line does with `-f`. Returns the summary as JSON, and the results
/// of the queries in it, which are held in memory.
pub fn run_script(
    py: Python<'_>,
    engine: &Arc<Engine>,
    script: &Script,
    variables: &Variables,
    parameters: &Parameters,
) -> PyResult<(String, Vec<Relation>)> {
    let started = Instant::now();
    let check = check_all_used(std::slice::from_ref(script), variables);
    check.map_err(|failure: Failure| usage(failure.to_string()))?;
    let substituted = substitute(&script.text, variables)
        .map_err(|error| usage(format!("{}:{}: {error}", script.name, error.line)))?;
    let statements = parse(engine, Some(&script.name), &substituted.sql, parameters)?;
    let mut summary = Summary::default();
    let mut results = Vec::new();
    for (statement, parsed) in statements {
        let ran = plan(py, engine, parsed).and_then(|planned| {
            let has_rows =
                planned.kind() != ResultKind::WrittenCount && !planned.schema().fields().is_empty();
            let ran = run(py, engine, planned, &mut summary)?;
            Ok(has_rows.then_some(ran))
        });
        let place = format!(
            "in {}:{}: {}",
            script.name,
            statement.line,
            statement.summary()
        );
        let ran = ran.inspect_err(|error| add_note(py, error, &place))?;
        if let Some(ran) = ran {
            results.push(relation(py, engine, ran)?);
        }
    }
    Ok((summary.to_json(started.elapsed()).to_string(), results))
}

/// Adds a line to what Python prints for an exception. Python 3.10 has no notes.
fn add_note(py: Python<'_>, error: &PyErr, note: &str) {
    let noted = error.value(py).call_method1("add_note", (note,));
    // The exception is more important than its note.
    drop(noted);
}
