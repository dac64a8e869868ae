//! Errors of requests, with reasons for users.

use std::error::Error;
use std::fmt;

use object_store::client::{HttpError, HttpErrorKind};

/// The reason of an error: the outermost text, and the innermost one.
pub fn cause(error: &HttpError) -> String {
    let Some(outer) = error.source() else {
        return error.to_string();
    };
    let mut inner = outer;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let (outer, inner) = (outer.to_string(), inner.to_string());
    if outer.contains(&inner) {
        outer
    } else {
        format!("{outer}: {inner}")
    }
}

/// Why a request failed.
#[derive(Debug)]
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Failure {}

/// An error with a reason for users.
pub fn failed(kind: HttpErrorKind, reason: String) -> HttpError {
    HttpError::new(kind, Failure(reason))
}

/// An error that is not retried.
pub fn unusable(error: impl Error + Send + Sync + 'static) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, error)
}
