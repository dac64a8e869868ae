//! URLs with a query, such as signed ones. `object_store` encodes the `?` of a path.
//!
//! In the path of a file, the query is the last segment and begins with `?`. The client here moves
//! it into the query of the request. Signatures are often valid for GET only, so the size of such a
//! file is taken from a response with its first byte. So is that of a server without HEAD. If a
//! response does not declare its length, as of files that are compressed on the fly, it is counted.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures::TryStreamExt;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{ClientOptions, Result};
use parking_lot::Mutex;
use percent_encoding::percent_decode_str;

use super::client::{HttpResult, StoreConnector};
use super::failure::unusable;
use super::request_info::LIST;
use super::watched_body::WatchedBody;
use super::{ENCODED_QUERY, NAME_AFTER_QUERY};

/// The answers of servers that do not know HEAD, or do not allow it where they allow GET.
const FORBIDDEN: u16 = 403;
const METHOD_NOT_ALLOWED: u16 = 405;
const NOT_IMPLEMENTED: u16 = 501;

const LENGTH: &str = "content-length";

/// A response without a length is kept up to this size. A longer one is requested again.
const MAX_KEPT_BYTES: u64 = 8 << 20;

/// Creates clients that send queries.
#[derive(Debug)]
pub struct QueryConnector;

impl HttpConnector for QueryConnector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let client = StoreConnector { is_web: true }.connect(options)?;
        Ok(HttpClient::new(QueryService {
            client,
            counted: Mutex::default(),
        }))
    }
}

#[derive(Debug)]
struct QueryService {
    client: HttpClient,
    /// The lengths of long files that the server does not declare.
    counted: Mutex<HashMap<String, u64>>,
}

impl QueryService {
    async fn execute(&self, request: HttpRequest) -> HttpResult {
        let lists = request.method() == LIST;
        let response = self.client.execute(request).await?;
        // An answer such as 501 would be retried for minutes.
        if lists && !response.status().is_success() {
            return Err(unusable(NoListing(response.status().to_string())));
        }
        Ok(response)
    }

    /// Sends a request for a whole file. The response has a length.
    async fn whole(&self, request: HttpRequest) -> HttpResult {
        let response = self.execute(request.clone()).await?;
        if response.status() != 200 || response.headers().contains_key(LENGTH) {
            return Ok(response);
        }
        let url = request.uri().to_string();
        let name = url.split('?').next().unwrap_or_default();
        let known = self.counted.lock().get(&url).copied();
        let length = match known {
            Some(length) => return Ok(with_length(response, length, name)),
            None => match counted(response).await? {
                Counted::Kept(response) => return Ok(response),
                Counted::Long(length) => length,
            },
        };
        log::warn!(
            "the server does not say how long '{name}' is: it was downloaded once to count its \
             bytes, and is downloaded again to be read"
        );
        self.counted.lock().insert(url.clone(), length);
        let response = self.execute(request).await?;
        Ok(with_length(response, length, name))
    }
}

/// The bytes of a response without a length.
enum Counted {
    /// The response, with its length.
    Kept(HttpResponse),
    Long(u64),
}

/// Reads a response to its end.
async fn counted(response: HttpResponse) -> Result<Counted, HttpError> {
    let (mut parts, body) = response.into_parts();
    let mut chunks = body.bytes_stream();
    let mut kept = BytesMut::new();
    let mut length = 0;
    while let Some(chunk) = chunks.try_next().await? {
        length += chunk.len() as u64;
        if length <= MAX_KEPT_BYTES {
            kept.extend_from_slice(&chunk);
        }
    }
    if length > MAX_KEPT_BYTES {
        return Ok(Counted::Long(length));
    }
    parts.headers.insert(LENGTH, length.into());
    let body = HttpResponseBody::from(kept.freeze());
    Ok(Counted::Kept(HttpResponse::from_parts(parts, body)))
}

/// Declares the length of a response, whose end is then checked.
fn with_length(response: HttpResponse, length: u64, url: &str) -> HttpResponse {
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(LENGTH, length.into());
    let body = WatchedBody::new(body, Some(0..length), url.to_owned(), Arc::default());
    HttpResponse::from_parts(parts, HttpResponseBody::new(body))
}

#[async_trait]
impl HttpService for QueryService {
    async fn call(&self, mut request: HttpRequest) -> HttpResult {
        let url = with_query(&request.uri().to_string());
        let is_head = request.method() == "HEAD";
        match url {
            Some(url) => *request.uri_mut() = url.parse().map_err(unusable)?,
            None if is_head => {
                let response = self.execute(request.clone()).await?;
                let is_answered = match response.status().as_u16() {
                    200 => response.headers().contains_key(LENGTH),
                    FORBIDDEN | METHOD_NOT_ALLOWED | NOT_IMPLEMENTED => false,
                    _ => true,
                };
                if is_answered {
                    return Ok(response);
                }
            }
            None => {}
        }
        if !is_head {
            let is_whole = request.method() == "GET" && !request.headers().contains_key("range");
            return if is_whole {
                self.whole(request).await
            } else {
                self.execute(request).await
            };
        }
        *request.method_mut() = "GET".parse().map_err(unusable)?;
        let first_byte = "bytes=0-0".parse().map_err(unusable)?;
        request.headers_mut().insert("range", first_byte);
        let response = self.execute(request.clone()).await?;
        if response.status() == 200 && !response.headers().contains_key(LENGTH) {
            request.headers_mut().remove("range");
            return without_body(self.whole(request).await?);
        }
        without_body(response)
    }
}

/// The error for a server that does not list files.
#[derive(Debug)]
struct NoListing(String);

impl fmt::Display for NoListing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "it answered a request for a list of files with {}",
            self.0
        )
    }
}

impl std::error::Error for NoListing {}

/// Moves the query out of the path of a URL. `None` if the path has none.
fn with_query(url: &str) -> Option<String> {
    let (path, query) = url.rsplit_once(ENCODED_QUERY)?;
    if query.contains('/') {
        return None;
    }
    let query = percent_decode_str(query).decode_utf8().ok()?;
    let query = query.split(NAME_AFTER_QUERY).next().unwrap_or_default();
    Some(format!("{path}?{query}"))
}

/// Turns the response with the first byte of a file into a response to HEAD.
fn without_body(response: HttpResponse) -> HttpResult {
    let (mut parts, _body) = response.into_parts();
    let range = parts.headers.remove("content-range");
    let size = range
        .as_ref()
        .and_then(|range| range.to_str().ok()?.rsplit_once('/')?.1.parse::<u64>().ok());
    // An empty file has no first byte.
    if let (206 | 416, Some(size)) = (parts.status.as_u16(), size) {
        parts.headers.insert(LENGTH, size.into());
        parts.status = 200.try_into().map_err(unusable)?;
    }
    let body = HttpResponseBody::from(Bytes::new());
    Ok(HttpResponse::from_parts(parts, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_moves_to_its_place() {
        let url = |path: &str| with_query(&format!("https://host:81/{path}"));
        for (path, expected) in [
            ("a/b.pdf/%3Fx=1&y=a%252Fb", Some("/a/b.pdf?x=1&y=a%2Fb")),
            ("%3Fx=%C3%A9", Some("?x=é")),
            ("a.csv/%3Fx=%2523%23a.csv", Some("/a.csv?x=%23")),
            ("a/b.pdf", None),
            ("a/b%3Fx=1", None),
            ("a/%3Fx/b", None),
        ] {
            let expected = expected.map(|path| format!("https://host:81{path}"));
            assert_eq!(url(path), expected, "{path}");
        }
    }
}
