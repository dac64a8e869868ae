//! Statements that are saved as a job: a file of SQL, and the command that runs it.

use std::fs::File;
use std::io::{self, Write};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::json;

use super::messages::{Answer, Json, Problem, body};
use super::{App, Shared};
use crate::shell::quote;
use crate::statements::substitution::substitute_without_columns;
use crate::statements::variables::{Variables, is_name};

/// The maximum length of a name.
const MAX_NAME_CHARS: usize = 100;

/// A job to save.
#[derive(Deserialize)]
struct SavedJob {
    name: String,
    sql: String,
    #[serde(default)]
    variables: Variables,
}

/// Writes a new file into the folder that was opened.
pub async fn save(State(app): Shared, bytes: Bytes) -> Answer {
    let job = body(&bytes)?;
    tokio::task::spawn_blocking(move || write(&app, &job)).await?
}

fn write(app: &App, job: &SavedJob) -> Answer {
    if app.read_only {
        return Err(Problem::forbidden("this page only reads (--read-only)"));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_fine = !job.name.is_empty() && !job.name.starts_with('-');
    if !is_fine || job.name.len() > MAX_NAME_CHARS || !job.name.chars().all(is_plain) {
        return Err(Problem::wrong(
            "the name of a job has letters, digits, _ and -, and at most 100 characters",
        ));
    }
    if let Some(name) = job.variables.keys().find(|name| !is_name(name)) {
        return Err(Problem::wrong(format!(
            "'{name}' is not a valid name: use letters, digits and _"
        )));
    }
    substitute_without_columns(&job.sql, &job.variables)
        .map_err(|error| Problem::wrong(error.to_string()))?;
    let file = format!("{}.sql", job.name);
    let folder = app.folder.resolve("").map_err(|_| {
        Problem::wrong(
            "jobs are saved in the folder that was opened, which must be on this machine",
        )
    })?;
    let path = app.folder.name_in_sql(&file);
    let mut command = format!("corpus-sql -f {}", quote(&path));
    for (name, value) in &job.variables {
        command.push_str(&format!(" -v {}", quote(&format!("{name}={value}"))));
    }
    let written = write_new(&folder.join(&file), &text(job, &command));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Problem::new(
            StatusCode::CONFLICT,
            format!("{path} exists; choose another name"),
        ),
        _ => Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("cannot write {path}: {error}"),
        ),
    })?;
    Ok(Json(json!({"path": path, "command": command})))
}

/// The SQL, after the command that runs it.
fn text(job: &SavedJob, command: &str) -> String {
    // A comment ends with its line.
    let command = command.replace(['\n', '\r'], " ");
    format!("--   {command}\n\n{}\n", job.sql.trim_end())
}

fn write_new(path: &std::path::Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
