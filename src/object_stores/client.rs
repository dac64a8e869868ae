//! The HTTP client of all stores.
//!
//! `object_store` repeats requests that fail. This client makes more failures recognizable: answers
//! that stall, have another range, break off, or are web pages. It has no limit on the whole time
//! of a request, because a large file on a slow line, or before a slow query, takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use futures::TryStreamExt;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService, ReqwestConnector,
};
use object_store::{ClientOptions, Result};
use tokio::time::{sleep, timeout};

use super::failure::{cause, failed, unusable};
use super::readable_errors;
use super::request_info::{OtherRange, RequestInfo};
use super::retries::Retries;
use super::watched_body::WatchedBody;

/// How long the first connection to a server is retried, because its name may be mistyped.
const FIRST_CONTACT_TIME: Duration = Duration::from_secs(10);

/// The maximum time until a response to a request that reads.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// The maximum time until a response to a request that writes, after its body was sent. Completing
/// an upload of many parts takes minutes.
const WRITE_TIMEOUT: Duration = Duration::from_secs(300);

/// Requests with a body may take longer: as long as an upload at this speed.
const MIN_BYTES_PER_SECOND: u64 = 32 << 10;

/// The maximum size of a response that is parsed, such as a page of a listing. WebDAV servers list
/// a whole folder.
const MAX_REPLY_BYTES: usize = 128 << 20;

/// The part of the response to a failed request that is read, for its reason.
const MAX_REASON_BYTES: usize = 64 << 10;

/// The number of times a request is repeated if the response has another range.
const MAX_RANGE_REPEATS: u32 = 2;

const RANGE_PAUSE: Duration = Duration::from_millis(200);

const WEB_PAGE: &str =
    "the server answered with a web page, so it is not a store: check the endpoint and the proxy";

pub type HttpResult = std::result::Result<HttpResponse, HttpError>;

/// Creates clients.
#[derive(Debug)]
pub struct StoreConnector {
    /// Whether the query of a URL is part of the address of a file.
    pub is_web: bool,
}

impl HttpConnector for StoreConnector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        Ok(HttpClient::new(StoreService {
            is_web: self.is_web,
            client: ReqwestConnector::default().connect(options)?,
            has_answered: AtomicBool::new(false),
            has_ranges: AtomicBool::new(!self.is_web),
            first_refusal: OnceLock::new(),
            retries: Arc::default(),
        }))
    }
}

#[derive(Debug)]
struct StoreService {
    is_web: bool,
    client: HttpClient,
    has_answered: AtomicBool,
    /// Whether the server sends parts of files. Web servers have to show it.
    has_ranges: AtomicBool,
    first_refusal: OnceLock<Instant>,
    retries: Arc<Retries>,
}

#[async_trait::async_trait]
impl HttpService for StoreService {
    async fn call(&self, request: HttpRequest) -> HttpResult {
        let asked = RequestInfo::of(&request, self.is_web);
        let mut repeats = 0;
        loop {
            let response = self.answer(request.clone(), &asked).await?;
            let declared = response.headers().get("accept-ranges");
            if response.status() == 206 || declared.is_some_and(|it| it == "bytes") {
                self.has_ranges.store(true, Ordering::Relaxed);
            }
            let Some(other) = asked.other_range(&response) else {
                return self.content(response, asked).await;
            };
            if !self.is_web && asked.is_answered_by_page(&response) {
                return Err(failed(HttpErrorKind::Unknown, WEB_PAGE.to_owned()));
            }
            let is_unusual = self.has_ranges.load(Ordering::Relaxed);
            if is_unusual && repeats < MAX_RANGE_REPEATS {
                repeats += 1;
                self.retries.report(&asked.url, &asked.describe(&other));
                sleep(RANGE_PAUSE * repeats).await;
                continue;
            }
            // A server without ranges sends the whole file, which the reader can use.
            return match other {
                OtherRange::Whole => self.content(response, asked).await,
                _ => Err(failed(HttpErrorKind::Unknown, asked.describe(&other))),
            };
        }
    }
}

impl StoreService {
    /// Sends a request, and prepares its repetition by `object_store` if it failed.
    async fn answer(&self, request: HttpRequest, asked: &RequestInfo) -> HttpResult {
        let time = if asked.is_read {
            READ_TIMEOUT
        } else {
            WRITE_TIMEOUT + Duration::from_secs(asked.sent / MIN_BYTES_PER_SECOND)
        };
        let answered = timeout(time, self.client.execute(request)).await;
        let response = match answered {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.unanswered(&error, asked)),
            Err(_) => {
                let reason = format!("no answer within {} seconds", time.as_secs());
                self.retries.report(&asked.url, &reason);
                return Err(failed(HttpErrorKind::Timeout, reason));
            }
        };
        self.has_answered.store(true, Ordering::Relaxed);
        let status = response.status().as_u16();
        if !matches!(status, 429 | 503) {
            self.retries.accepted();
        }
        match status {
            200..=299 | 304 => Ok(response),
            300..=399 => match redirection(&response) {
                Some(reason) => Err(failed(HttpErrorKind::Unknown, reason)),
                None => Ok(response),
            },
            _ => self.refused(response, asked).await,
        }
    }

    /// Reads the reason of a refusal. Pauses if the request will be repeated.
    async fn refused(&self, response: HttpResponse, asked: &RequestInfo) -> HttpResult {
        let (mut parts, body) = response.into_parts();
        let body = start_of(body).await;
        let text = String::from_utf8_lossy(&body);
        let (code, reason) = readable_errors::reason(text.trim_start());
        // A server that waited too long for the request says so with this code.
        if code == "RequestTimeout" && parts.status == 400 {
            parts.status = 408.try_into().map_err(unusable)?;
        }
        let is_busy = matches!(parts.status.as_u16(), 429 | 503);
        let is_repeated = is_busy || parts.status.is_server_error() || parts.status == 408;
        if is_repeated && !asked.is_web_list {
            let said = readable_errors::in_parentheses(&code, &reason);
            let status = parts.status;
            let report = format!("the server answered {status}{said}");
            self.retries.report(&asked.url, &report);
        }
        if is_busy {
            let header = parts.headers.get("retry-after");
            let header = header.and_then(|header| header.to_str().ok());
            sleep(self.retries.pause(header)).await;
        }
        // `object_store` refuses bodies that are not UTF-8.
        let body = text.into_owned().into();
        Ok(HttpResponse::from_parts(parts, body))
    }

    /// The error for a request without an answer.
    fn unanswered(&self, error: &HttpError, asked: &RequestInfo) -> HttpError {
        let mut kind = error.kind();
        if kind == HttpErrorKind::Connect && !self.has_answered.load(Ordering::Relaxed) {
            let first = self.first_refusal.get_or_init(Instant::now);
            if first.elapsed() >= FIRST_CONTACT_TIME {
                kind = HttpErrorKind::Unknown;
            }
        }
        let reason = cause(error);
        let is_repeated = match kind {
            HttpErrorKind::Connect | HttpErrorKind::Request => true,
            HttpErrorKind::Timeout | HttpErrorKind::Interrupted => asked.is_read,
            _ => false,
        };
        if is_repeated {
            self.retries.report(&asked.url, &reason);
        }
        failed(kind, reason)
    }

    /// Prepares a successful response: watches its body, or reads all of it if it will be parsed.
    async fn content(&self, response: HttpResponse, asked: RequestInfo) -> HttpResult {
        if asked.is_head || !response.status().is_success() {
            return Ok(response);
        }
        let part = RequestInfo::part(&response);
        let (mut parts, body) = response.into_parts();
        if let Some(part) = &part
            && !parts.headers.contains_key("content-length")
        {
            let length = part.end - part.start;
            parts.headers.insert("content-length", length.into());
        }
        let (url, retries) = (asked.url.clone(), Arc::clone(&self.retries));
        let body = HttpResponseBody::new(WatchedBody::new(body, part, url, retries));
        if !asked.has_reply {
            return Ok(HttpResponse::from_parts(parts, body));
        }
        let Ok(reply) = timeout(WRITE_TIMEOUT, reply(body)).await else {
            let reason = format!(
                "no complete answer within {} seconds",
                WRITE_TIMEOUT.as_secs()
            );
            return Err(failed(HttpErrorKind::Timeout, reason));
        };
        let reply = reply?;
        if is_web_page(&reply) {
            return Err(failed(HttpErrorKind::Unknown, WEB_PAGE.to_owned()));
        }
        Ok(HttpResponse::from_parts(parts, reply.into()))
    }
}

/// Reads a body that is parsed. A response that breaks off counts as a failed request.
async fn reply(body: HttpResponseBody) -> std::result::Result<Bytes, HttpError> {
    let mut chunks = body.bytes_stream();
    let mut reply = BytesMut::new();
    while let Some(chunk) = chunks.try_next().await.map_err(|error| {
        let kind = match error.kind() {
            HttpErrorKind::Timeout => HttpErrorKind::Timeout,
            _ => HttpErrorKind::Interrupted,
        };
        failed(kind, cause(&error))
    })? {
        if reply.len() + chunk.len() > MAX_REPLY_BYTES {
            let limit = MAX_REPLY_BYTES >> 20;
            let reason = format!("the answer of the server is larger than {limit} MiB");
            return Err(failed(HttpErrorKind::Unknown, reason));
        }
        reply.extend_from_slice(&chunk);
    }
    Ok(reply.freeze())
}

/// Reads as much of the start of a refusal's body as arrives.
async fn start_of(body: HttpResponseBody) -> Vec<u8> {
    let mut start = Vec::new();
    let mut chunks = body.bytes_stream();
    let read = async {
        while start.len() < MAX_REASON_BYTES
            && let Ok(Some(chunk)) = chunks.try_next().await
        {
            start.extend_from_slice(&chunk);
        }
    };
    // If the reason does not arrive completely, the status has to suffice.
    let _ = timeout(READ_TIMEOUT, read).await;
    start.truncate(MAX_REASON_BYTES);
    start
}

fn is_web_page(reply: &[u8]) -> bool {
    let start = reply.trim_ascii_start();
    [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(tag))
    })
}

/// Describes a redirection that was not followed: requests with a body are not sent again.
fn redirection(response: &HttpResponse) -> Option<String> {
    let header = |name| response.headers().get(name)?.to_str().ok();
    if let Some(region) = header("x-amz-bucket-region") {
        return Some(format!(
            "the bucket is in the region '{region}': set AWS_REGION or the option 'aws.region'"
        ));
    }
    let place = header("location")?;
    let place = place.split('?').next().unwrap_or_default();
    Some(format!(
        "the server redirects the request to '{place}': name the address that it redirects to as \
         the endpoint, and check the region"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_is_no_reply_of_a_store() {
        for (reply, expected) in [
            ("\n <!DOCTYPE HTML><p>Log in", true),
            ("<html lang=en>", true),
            ("<?xml version=\"1.0\"?><ListBucketResult/>", false),
            ("{\"access_token\": \"<html\"}", false),
            ("", false),
        ] {
            assert_eq!(is_web_page(reply.as_bytes()), expected, "{reply}");
        }
    }

    #[test]
    fn a_redirection_says_what_to_set() {
        let response = |headers: &[(&'static str, &str)]| {
            let mut response = HttpResponse::new(HttpResponseBody::from(Vec::new()));
            for (name, value) in headers {
                let headers = response.headers_mut();
                headers.insert(*name, value.parse().unwrap());
            }
            redirection(&response)
        };
        let region = response(&[("x-amz-bucket-region", "eu-west-1")]).unwrap();
        assert!(region.contains("'eu-west-1': set AWS_REGION"), "{region}");
        let other = response(&[("location", "https://other/key?X-Signature=1")]).unwrap();
        assert!(other.contains("'https://other/key':"), "{other}");
        assert_eq!(response(&[]), None);
    }
}
