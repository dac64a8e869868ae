//! Makes the answers of stores readable, without the XML, JSON or HTML around the reason.

use serde_json::Value;

/// Codes for a bucket or container that does not exist.
const NO_BUCKET: &[&str] = &["NoSuchBucket", "ContainerNotFound", "InvalidBucketName"];

/// The maximum length of a displayed reason.
const MAX_REASON_CHARS: usize = 300;

/// The start of errors of `object_store`.
const GENERIC: [&str; 4] = [
    "Generic ",
    "Object at location ",
    "The operation lacked ",
    "Error performing ",
];

/// Returns the text of an error, with the store's answer as one sentence. `None` if it contains no
/// answer with a body.
pub fn readable(text: &str) -> Option<String> {
    let Answer {
        before,
        status,
        body,
    } = Answer::of(text)?;
    let begins = GENERIC.iter().filter_map(|start| before.find(start)).min();
    let what = before[..begins.unwrap_or(0)].trim_end_matches("Object Store error: ");
    let (code, reason) = reason(body);
    let said = in_parentheses(&code, &reason);
    let missing = if NO_BUCKET.contains(&code.as_str()) {
        "there is no such bucket: "
    } else {
        ""
    };
    Some(format!("{what}{missing}the store answered {status}{said}"))
}

/// An answer with a body in the text of an error.
pub struct Answer<'a> {
    pub before: &'a str,
    /// The number and the name of the status.
    pub status: &'a str,
    /// XML, HTML or JSON.
    pub body: &'a str,
}

impl<'a> Answer<'a> {
    pub fn of(text: &'a str) -> Option<Self> {
        let (before, answer) = text.split_once("status code: ")?;
        let (status, body) = answer.split_once(": ")?;
        let body = body.trim_start();
        let is_markup = body.starts_with(['<', '{']);
        (is_markup && status.len() <= MAX_REASON_CHARS).then_some(Self {
            before,
            status,
            body,
        })
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
        let code = text("/error").map_or_else(String::new, shortened);
        let messages = ["/error/message", "/error_description", "/message"];
        let message = messages.into_iter().find_map(text).unwrap_or_default();
        return (code, shortened(message));
    }
    let text = |name| element(body, name).map_or_else(String::new, shortened);
    (text("Code"), text("Message"))
}

/// The first line of a text, up to a number of characters.
fn shortened(text: &str) -> String {
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
                "the store answered 501 Unsupported method ('PUT')",
            ),
        ] {
            assert_eq!(readable(text).as_deref(), Some(expected));
        }
        for text in [
            "Server returned non-2xx status code: 403 Forbidden: ",
            "cannot read 'x': no such file",
            "line 7: <p>",
        ] {
            assert_eq!(readable(text), None, "{text}");
        }
    }
}
