//! Makes the errors of stores readable: without the XML, JSON or HTML around the reason, and with
//! the request.

use serde_json::Value;

use super::ENCODED_QUERY;

/// Codes for a bucket or container that does not exist.
const NO_BUCKET: &[&str] = &["NoSuchBucket", "ContainerNotFound", "InvalidBucketName"];

/// The maximum length of a displayed reason.
const MAX_REASON_CHARS: usize = 300;

/// The start of errors of `object_store`.
const GENERIC: [&str; 6] = [
    "Generic ",
    "Object at location ",
    "The operation lacked ",
    "Operation not supported: ",
    "Error performing ",
    "HTTP error: ",
];

/// The text of `object_store` before the path and the reason of a folder that cannot be listed.
const UNLISTED: &str =
    "Generic LocalFileSystem error: Unable to walk dir: IO error for operation on ";

/// Parts of errors of `object_store`, with better texts.
const UNUSABLE_ANSWERS: [(&str, &str); 6] = [
    (
        "Content-Length Header missing",
        "the server does not say how long the file is (no Content-Length): download it first",
    ),
    (
        "ETag Header missing",
        "the answer has no ETag, so it is not from a store: check the endpoint and the proxy",
    ),
    (
        "Got invalid list response",
        "the server sent a damaged list of files: check the endpoint and the proxy",
    ),
    (
        "Got invalid multipart response",
        "the server sent a damaged answer to an upload: check the endpoint and the proxy",
    ),
    (
        "Range request not supported by",
        "the server does not send parts of files, or sends a page in place of one: check the address, \
         and download the file first",
    ),
    (
        "Received non-partial response",
        "the server does not send parts of files, or sends a page in place of one: check the address, \
         and download the file first",
    ),
];

/// Returns the text of an error of a store as one sentence. `None` for other errors.
pub fn readable(text: &str) -> Option<String> {
    if let Some((what, folder)) = text.split_once(UNLISTED) {
        let what = what.trim_end_matches("Object Store error: ");
        return Some(format!("{what}{folder}"));
    }
    let begins = GENERIC.iter().filter_map(|start| text.find(start)).min()?;
    let (what, error) = text.split_at(begins);
    let what = what.trim_end_matches("Object Store error: ");
    let answered = answered(error);
    // A file that is named needs no URL, unless the server may be another one than expected.
    let needs_url = what.is_empty() || answered.is_none();
    let reason = answered.or_else(|| unanswered(error))?;
    let request = match request(error) {
        Some((method, url)) if needs_url && !what.contains(url) => format!(", to {method} {url}"),
        _ => String::new(),
    };
    Some(format!("{what}{reason}{request}"))
}

/// The sentence for an answer that is a refusal.
fn answered(error: &str) -> Option<String> {
    let Answer { status, body } = Answer::of(error)?;
    let (code, reason) = reason(body);
    let said = in_parentheses(&code, &reason);
    let missing = if NO_BUCKET.contains(&code.as_str()) {
        "there is no such bucket: "
    } else {
        ""
    };
    Some(format!("{missing}the store answered {status}{said}"))
}

/// The sentence for a request without an answer, or with one that cannot be used.
fn unanswered(error: &str) -> Option<String> {
    let unusable = UNUSABLE_ANSWERS.iter();
    let unusable = unusable.filter_map(|(start, better)| error.contains(start).then_some(*better));
    if let Some(better) = unusable.into_iter().next() {
        return Some(better.to_owned());
    }
    let (before, reason) = error.rsplit_once("HTTP error: ")?;
    let retries = before.split_once(", after ").map(|(_, rest)| rest);
    let retries = retries.and_then(|rest| rest.split_once(" retries"));
    let reason = reason.trim_end();
    Some(match retries {
        Some((count, _)) => format!("{reason} (after {count} retries)"),
        None => reason.to_owned(),
    })
}

/// The method and the URL of the request, without its query.
fn request(error: &str) -> Option<(&str, &str)> {
    let (_, request) = error.rsplit_once("Error performing ")?;
    let (request, _) = request.split_once(" in ")?;
    let (method, url) = request.split_once(' ')?;
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let url = url.split(ENCODED_QUERY).next().unwrap_or_default();
    let is_url = url.contains("://") && !url.contains(' ');
    is_url.then_some((method, url))
}

/// An answer in the text of an error.
pub struct Answer<'a> {
    /// The number and the name of the status.
    pub status: &'a str,
    /// XML, HTML or JSON, or nothing.
    pub body: &'a str,
}

impl<'a> Answer<'a> {
    pub fn of(text: &'a str) -> Option<Self> {
        let (_, answer) = text.split_once("status code: ")?;
        let (status, body) = answer.split_once(": ")?;
        let body = body.trim();
        let is_known = body.is_empty() || body.starts_with(['<', '{']);
        (is_known && status.len() <= MAX_REASON_CHARS).then_some(Self { status, body })
    }
}

/// Formats a code and a message as the end of a sentence.
pub fn in_parentheses(code: &str, reason: &str) -> String {
    match (code, reason) {
        ("", "") => String::new(),
        ("", reason) => format!(" ({reason})"),
        (code, "") => format!(" ({code})"),
        (code, reason) => format!(" ({code}: {reason})"),
    }
}

/// The code and the message in the body of an answer.
pub fn reason(body: &str) -> (String, String) {
    if body.starts_with('{') {
        let mut values = serde_json::Deserializer::from_str(body).into_iter::<Value>();
        let Some(Ok(answer)) = values.next() else {
            return Default::default();
        };
        let text = |path| answer.pointer(path).and_then(Value::as_str);
        let code = text("/error").map_or_else(String::new, shorten);
        let messages = ["/error/message", "/error_description", "/message"];
        let message = messages.into_iter().find_map(text).unwrap_or_default();
        return (code, shorten(message));
    }
    let text = |name| element(body, name).map_or_else(String::new, shorten);
    (text("Code"), text("Message"))
}

/// The first line of a text, up to a number of characters.
fn shorten(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    line.chars().take(MAX_REASON_CHARS).collect()
}

/// The text of an element in the body of an answer.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_sentences() {
        for (text, expected) in [
            (
                "cannot read 's3://none/a/': Generic S3 error: Error performing GET \
                 http://127.0.0.1:1/none?list-type=2 in 4ms - Server returned non-2xx status code: \
                 404 Not Found: <?xml version=\"1.0\"?>\n<Error><Code>NoSuchBucket</Code>\
                 <Message>The bucket does not exist</Message><BucketName>none</BucketName></Error>",
                "cannot read 's3://none/a/': there is no such bucket: the store answered 404 Not \
                 Found (NoSuchBucket: The bucket does not exist)",
            ),
            (
                "cannot write 'gs://b/x': Object at location x not found: Error performing PUT \
                 https://g/b/x in 1ms - Server returned non-2xx status code: 404 Not Found: \
                 {\"error\": {\"code\": 404, \"message\": \"No bucket\\nmore\"}}",
                "cannot write 'gs://b/x': the store answered 404 Not Found (No bucket)",
            ),
            (
                "Generic HTTP error: Error performing PUT http://h/x in 1ms, after 10 retries - \
                 Server returned non-2xx status code: 501 Unsupported method ('PUT'): \
                 <!DOCTYPE HTML><html><p>Long</p></html>",
                "the store answered 501 Unsupported method ('PUT'), to PUT http://h/x",
            ),
            (
                "Generic S3 error: Error performing GET http://h/b/k?X-Signature=1 in 9s, after 10 \
                 retries, max_retries: 10, retry_timeout: 180s  - HTTP error: error sending \
                 request: Connection refused (os error 111)",
                "error sending request: Connection refused (os error 111) (after 10 retries), to \
                 GET http://h/b/k",
            ),
            (
                "cannot read 's3://b/k': Generic S3 error: Error performing list request: Error \
                 performing GET http://h/b?prefix=k in 9s - HTTP error: it is refused",
                "cannot read 's3://b/k': it is refused, to GET http://h/b",
            ),
            (
                "cannot read 'http://h/k': Generic HTTP error: Error performing HEAD http://h/k \
                 in 9s - HTTP error: it is refused",
                "cannot read 'http://h/k': it is refused",
            ),
            (
                "cannot read 's3://b/': The operation lacked the necessary privileges to complete \
                 for path a: Error performing GET http://h/b/a in 1ms - Server returned non-2xx \
                 status code: 403 Forbidden: ",
                "cannot read 's3://b/': the store answered 403 Forbidden",
            ),
            (
                "Object Store error: Generic S3 error: Content-Length Header missing from response",
                "the server does not say how long the file is (no Content-Length): download it \
                 first",
            ),
            (
                "cannot read 'a/': Generic LocalFileSystem error: Unable to walk dir: IO error for \
                 operation on /a/closed: Permission denied (os error 13)",
                "cannot read 'a/': /a/closed: Permission denied (os error 13)",
            ),
            (
                "Generic HTTP error: HTTP error: the response ended after 7 bytes (it stalled)",
                "the response ended after 7 bytes (it stalled)",
            ),
        ] {
            assert_eq!(readable(text).as_deref(), Some(expected));
        }
        for text in [
            "Server returned non-2xx status code: 403 Forbidden: ",
            "Generic LocalFileSystem error: Unable to open file /a: Permission denied",
            "cannot read 'x': no such file",
            "line 7: <p>",
        ] {
            assert_eq!(readable(text), None, "{text}");
        }
    }
}
