//! Scripts of several statements.

use std::sync::Arc;
use std::time::Instant;

use corpus_sql::jobs;
use corpus_sql::sql::parameters::Parameters;
use corpus_sql::statements::execution::{Planned, ResultKind};
use corpus_sql::statements::script::{Failure, Script};
use corpus_sql::statements::substitution::{SubstitutionError, substitute};
use corpus_sql::statements::summary::Summary;
use corpus_sql::statements::variable_checks::check_all_used;
use corpus_sql::statements::variables::Variables;
use datafusion::arrow::array::RecordBatch;
use pyo3::prelude::*;

use crate::engine::Engine;
use crate::errors::{exception, usage};
use crate::relation::Relation;
use crate::statements::{StatementRows, parse, plan, run};

/// Makes a relation from existing rows.
pub fn relation(py: Python<'_>, engine: &Arc<Engine>, ran: StatementRows) -> PyResult<Relation> {
    let batches = if ran.batches.is_empty() {
        vec![RecordBatch::new_empty(ran.schema)]
    } else {
        ran.batches
    };
    let context = engine.context.clone();
    let frame = engine.run(py, async move { context.read_batches(batches) })?;
    Ok(Relation::new(engine, Planned::of_frame(frame)))
}

/// Returns the name and the SQL of a job.
#[pyfunction]
pub fn job(name: &str) -> PyResult<(&'static str, &'static str)> {
    let job = jobs::find(name).map_err(usage)?;
    Ok((job.name, job.sql))
}

/// Runs a script like `-f` of the command line. Returns the summary as JSON, and the results of its
/// queries, which are held in memory.
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
    let context = engine.context.clone();
    let (asked, given) = (script.clone(), variables.clone());
    let substituted = engine.run(py, async move {
        Ok(substitute(&context, &asked, &given, false).await)
    })?;
    let substituted = substituted.map_err(|error| match error {
        SubstitutionError::Usage(message) => usage(message),
        SubstitutionError::Input { error, .. } => exception(&error),
    })?;
    let statements = parse(engine, Some(&script.name), &substituted.sql, parameters)?;
    let mut summary = Summary::default();
    let mut results = Vec::new();
    for (statement, parsed) in statements {
        let ran = plan(py, engine, &statement, parsed).and_then(|planned| {
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
    let steps = summary.written.take_steps();
    let context = engine.context.clone();
    let removed = engine.run(py, async move { steps.remove(&context).await })?;
    summary.written.add_removed_steps(removed);
    Ok((summary.to_json(started.elapsed()).to_string(), results))
}

/// Adds a note to an exception, which Python prints below it. Python 3.10 has no notes.
fn add_note(py: Python<'_>, error: &PyErr, note: &str) {
    let noted = error.value(py).call_method1("add_note", (note,));
    // Ignore errors, because the exception is more important than its note.
    drop(noted);
}
