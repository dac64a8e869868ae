//! The addresses of the interface.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::json;

use super::folder::typed;
use super::messages::{Answer, Json, Problem, QueryParams, body};
use super::sorting::{self, Order};
use super::viewer::{self, Row};
use super::{App, Shared, cells, counts, funnel, page, saved_jobs, statements};
use crate::completion::complete;
use crate::sql::types::type_name;
use crate::statements::variables::Variables;

/// The maximum size of a request.
const MAX_BODY_BYTES: usize = 4 << 20;

/// The maximum number of rows of an answer.
const MAX_PAGE_ROWS: u64 = 1000;

/// The maximum size of the values of a row that is shown as a whole.
const MAX_ROW_BYTES: usize = 16 << 20;

/// The maximum number of completions.
const MAX_CANDIDATES: usize = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(page::index))
        .route("/{file}", get(page::file))
        .route("/frame/{key}", get(frame))
        .route("/api/session", get(session))
        .route("/api/places", get(places))
        .route("/api/counts", get(counts::counts))
        .route("/api/script", get(script))
        .route("/api/completions", get(completions))
        .route("/api/jobs", post(saved_jobs::save))
        .route("/api/funnel", get(funnel::funnel))
        .route("/api/threshold", get(funnel::threshold))
        .route("/api/history", get(history))
        .route("/api/statements", post(start))
        .route("/api/statements/{id}", get(statement).delete(stop))
        .route("/api/statements/{id}/states", get(states))
        .route("/api/statements/{id}/rows", get(rows))
        .route("/api/statements/{id}/rows/{row}", get(row))
        .route("/api/statements/{id}/rows/{row}/document", get(document))
        .route("/api/statements/{id}/rows/{row}/book", get(book))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .fallback(async || Problem::not_found("there is no such address"))
        .method_not_allowed_fallback(async || {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            Problem::new(status, "this address has no such method")
        })
}

async fn session(State(app): Shared) -> Json {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "location": app.folder.location(),
        "folder": app.folder.real_path(),
        "sql": app.folder.first_statement().map(|sql| typed(&sql)),
        "read_only": app.read_only,
    }))
}

async fn places(State(app): Shared, query: QueryParams) -> Answer {
    let path = query.text("path").unwrap_or_default().to_owned();
    let listed = tokio::task::spawn_blocking(move || app.folder.places(&path, &app.context));
    let (places, more) = listed.await??;
    Ok(Json(json!({"places": places, "more": more})))
}

/// Returns the statements of a file, for the editor.
async fn script(State(app): Shared, query: QueryParams) -> Answer {
    let path = query.required("path")?;
    let file = app.folder.resolve(path)?;
    let cannot = |reason: String| Problem::wrong(format!("cannot read '{path}': {reason}"));
    let metadata = tokio::fs::metadata(&file).await;
    let metadata = metadata.map_err(|error| cannot(error.to_string()))?;
    // A longer one could not be run.
    if !metadata.is_file() || metadata.len() > MAX_BODY_BYTES as u64 {
        return Err(cannot(format!(
            "it is not a file of up to {} MiB",
            MAX_BODY_BYTES >> 20
        )));
    }
    let text = tokio::fs::read_to_string(file).await;
    let text = text.map_err(|error| cannot(error.to_string()))?;
    Ok(Json(json!({"sql": text})))
}

async fn completions(State(app): Shared, query: QueryParams) -> Answer {
    let sql = query.text("sql").unwrap_or_default().to_owned();
    let at = query.number("at")?.and_then(|at| usize::try_from(at).ok());
    let completed = tokio::task::spawn_blocking(move || {
        let offset = |at| sql.char_indices().nth(at).map(|(offset, _)| offset);
        let offset = at.and_then(offset).unwrap_or(sql.len());
        let (before, after) = sql.split_at(offset);
        let columns = app.columns();
        let (start, candidates) = complete(&app.context, &columns, before, after);
        let items = candidates.iter().take(MAX_CANDIDATES);
        let items = items.map(|item| json!({"text": item.text, "kind": item.kind.name()}));
        json!({"from": before[..start].chars().count(), "items": items.collect::<Vec<_>>()})
    });
    Ok(Json(completed.await?))
}

async fn history(State(app): Shared) -> Json {
    Json(json!({"statements": app.statements.history()}))
}

/// A script to run.
#[derive(Deserialize)]
struct Started {
    sql: String,
    #[serde(default)]
    variables: Variables,
}

async fn start(State(app): Shared, bytes: Bytes) -> Answer {
    let Started { sql, variables } = body(&bytes)?;
    app.forget_columns();
    let statement = statements::start(&app, sql, variables)?;
    Ok(Json(json!({"id": statement.id.to_string()})))
}

async fn statement(State(app): Shared, Path(id): Path<String>) -> Answer {
    Ok(Json(app.statements.find(&id)?.to_json()))
}

async fn states(State(app): Shared, Path(id): Path<String>) -> Result<Response, Problem> {
    let statement = app.statements.find(&id)?;
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    let states = Body::from_stream(statements::states(app, statement));
    Ok((kind, states).into_response())
}

async fn stop(State(app): Shared, Path(id): Path<String>) -> Answer {
    app.statements.stop_or_forget(&id)?;
    Ok(Json(json!({})))
}

async fn rows(State(app): Shared, Path(id): Path<String>, query: QueryParams) -> Answer {
    let from = query.number("from")?.unwrap_or(0);
    let count = query.number("count")?.unwrap_or(100).min(MAX_PAGE_ROWS);
    let statement = app.statements.find(&id)?;
    let spool = statement.spool()?;
    let Some(column) = query.number("sort")? else {
        let rows = move || statements::rows(&spool, from, count);
        let rows = tokio::task::spawn_blocking(rows).await??;
        return Ok(Json(json!({"from": from, "rows": rows})));
    };
    if statement.is_running() {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "rows can be sorted once the statement has ended",
        ));
    }
    // Names of columns may repeat.
    let index = usize::try_from(column).ok();
    let index = index.filter(|index| *index < spool.schema.fields().len());
    let missing = || Problem::wrong(format!("there is no column {column}"));
    let order = Order {
        column: index.ok_or_else(missing)?,
        descending: query.text("descending") == Some("true"),
    };
    let cell = statement.order(order);
    let sort = cell.get_or_try_init(|| async {
        let (context, source) = (app.context.clone(), Arc::clone(&spool));
        let space = Arc::clone(&app.statements.space);
        let sort = async move { sorting::sort(&context, source, order, &space).await };
        Ok::<_, Problem>(app.on_engine(sort).await??)
    });
    sort.await?;
    let rows = tokio::task::spawn_blocking(move || {
        let order = cell
            .get()
            .ok_or_else(|| Problem::not_found("the sorted rows are gone: sort again"))?;
        Ok::<_, Problem>(sorting::rows(&spool, order, from, count)?)
    });
    let (rows, numbers) = rows.await??;
    Ok(Json(
        json!({"from": from, "rows": rows, "numbers": numbers}),
    ))
}

/// Reads a row of a statement.
async fn row_of(app: &App, id: &str, row: u64) -> Result<Row, Problem> {
    let spool = app.statements.find(id)?.spool()?;
    let missing = || Problem::not_found("there is no such row");
    if row >= spool.rows() {
        return Err(missing());
    }
    let read = tokio::task::spawn_blocking(move || spool.rows_at(&[row]));
    let batch = read.await??.pop();
    batch.map(Row).ok_or_else(missing)
}

async fn document(
    State(app): Shared,
    Path((id, row)): Path<(String, u64)>,
    query: QueryParams,
) -> Answer {
    let row = row_of(&app, &id, row).await?;
    viewer::document(&app, row, &query).await
}

async fn book(
    State(app): Shared,
    Path((id, row)): Path<(String, u64)>,
    query: QueryParams,
) -> Answer {
    let row = row_of(&app, &id, row).await?;
    viewer::book::measures(&app, &row, &query).await
}

async fn frame(State(app): Shared, Path(key): Path<String>) -> Result<Response, Problem> {
    app.frames.answer(&key).await
}

async fn row(State(app): Shared, Path((id, row)): Path<(String, u64)>) -> Answer {
    let Row(batch) = row_of(&app, &id, row).await?;
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let mut room = MAX_ROW_BYTES;
    let columns = columns.map(|(field, column)| {
        let mut object = cells::whole(column.as_ref(), 0, &mut room);
        object["name"] = json!(field.name());
        object["type"] = json!(type_name(field.data_type()));
        object
    });
    Ok(Json(json!({"columns": columns.collect::<Vec<_>>()})))
}
