//! The values of requests, and answers as JSON.

use std::collections::HashMap;
use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use datafusion::error::DataFusionError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::form_urlencoded;

use crate::errors::message;
use crate::statements::place::Position;

/// A JSON value as an answer.
#[derive(Debug)]
pub struct Json(pub Value);

/// The answer of a request.
pub type Answer = Result<Json, Problem>;

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (kind, self.0.to_string()).into_response()
    }
}

/// The error of a request.
#[derive(Debug, Clone)]
pub struct Problem {
    pub status: StatusCode,
    pub message: String,
    /// Where in the SQL it is.
    pub place: Option<Position>,
    /// The variables of the SQL that need values.
    pub variables: Vec<String>,
    /// The place outside of the opened folder that must be allowed first.
    pub outside: Option<String>,
}

impl Problem {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            place: None,
            variables: Vec::new(),
            outside: None,
        }
    }

    pub fn wrong(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// The description in answers.
    pub fn to_json(&self) -> Value {
        let mut error = json!({"message": self.message});
        if let Some(Position { line, column }) = self.place {
            error["line"] = json!(line);
            error["column"] = json!(column);
        }
        if !self.variables.is_empty() {
            error["variables"] = json!(self.variables);
        }
        if let Some(outside) = &self.outside {
            error["outside"] = json!(outside);
        }
        error
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let answer = Json(json!({"error": self.to_json()}));
        (self.status, answer).into_response()
    }
}

impl From<DataFusionError> for Problem {
    fn from(error: DataFusionError) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message(&error))
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(error: tokio::task::JoinError) -> Self {
        let message = if error.is_cancelled() {
            "the session has ended".to_owned()
        } else {
            format!("a task failed: {error}")
        };
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

/// Reads the body of a request.
pub fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(bytes)
        .map_err(|error| Problem::wrong(format!("the request is not as expected: {error}")))
}

/// The values after the question mark of an address.
pub struct QueryParams(HashMap<String, String>);

impl<S: Sync> FromRequestParts<S> for QueryParams {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = form_urlencoded::parse(query.as_bytes());
        Ok(Self(pairs.into_owned().collect()))
    }
}

impl QueryParams {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn required(&self, name: &str) -> Result<&str, Problem> {
        let text = self.text(name);
        text.ok_or_else(|| Problem::wrong(format!("{name} is missing")))
    }

    pub fn number(&self, name: &str) -> Result<Option<u64>, Problem> {
        let number = self.text(name).map(str::parse);
        let number = number.transpose();
        number.map_err(|_| Problem::wrong(format!("{name} is not a number")))
    }
}
