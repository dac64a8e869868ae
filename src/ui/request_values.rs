//! The values of a request: those after the question mark of its address, and those in its body.

use std::collections::HashMap;
use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use url::form_urlencoded;

use super::answers::Problem;

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
