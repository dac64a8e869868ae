//! The file and the range that a request asks for, to judge the response.

use std::ops::Range;

use object_store::client::{HttpRequest, HttpResponse};

/// The WebDAV method that lists a folder.
pub const LIST: &str = "PROPFIND";

/// A request, without its body and signature.
#[derive(Debug)]
pub struct RequestInfo {
    /// The URL without its query, which may contain a signature.
    pub url: String,
    pub is_head: bool,
    /// Whether the method only reads.
    pub is_read: bool,
    /// Whether this is a list of a folder on a web server, which most servers refuse.
    pub is_web_list: bool,
    /// Whether the response is for the client, and not the content of a file.
    pub has_reply: bool,
    /// The number of bytes that are sent.
    pub sent: u64,
    range: Option<RequestedRange>,
}

/// The range in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestedRange {
    /// The offset of the first byte, and of the last one.
    From(u64, Option<u64>),
    /// The last bytes of the file.
    Last,
}

/// How a response differs from the range that was requested.
#[derive(Debug, PartialEq, Eq)]
pub enum OtherRange {
    /// The server sends the whole file.
    Whole,
    /// The server sends these bytes.
    Part(Range<u64>),
    /// The server does not declare which bytes it sends.
    Undeclared,
}

impl RequestInfo {
    /// `is_web`: whether the query is part of the address of a file.
    pub fn of(request: &HttpRequest, is_web: bool) -> Self {
        let uri = request.uri().to_string();
        let (url, query) = uri.split_once('?').unwrap_or((&uri, ""));
        let method = request.method().as_str();
        let lists = |pair: &str| pair.starts_with("list-type=") || pair == "comp=list";
        let lists = !is_web && query.split('&').any(lists);
        let header = request.headers().get("range");
        Self {
            url: url.to_owned(),
            is_head: method == "HEAD",
            is_read: matches!(method, "GET" | "HEAD" | LIST),
            is_web_list: method == LIST,
            has_reply: method != "HEAD" && (method != "GET" || lists),
            sent: request.body().content_length() as u64,
            range: header.and_then(|header| RequestedRange::parse(header.to_str().ok()?)),
        }
    }

    /// The range that a partial response declares.
    pub fn part(response: &HttpResponse) -> Option<Range<u64>> {
        let (range, _) = declared_range(response)?;
        (response.status() == 206).then_some(range)
    }

    /// Returns how a successful response differs from the requested range. `None` if it does not.
    pub fn other_range(&self, response: &HttpResponse) -> Option<OtherRange> {
        let range = self.range?;
        match response.status().as_u16() {
            206 => match declared_range(response) {
                None => Some(OtherRange::Undeclared),
                Some((declared, size)) => {
                    (!range.is(&declared, size)).then_some(OtherRange::Part(declared))
                }
            },
            200 => Some(OtherRange::Whole),
            _ => None,
        }
    }

    /// Whether a response is a web page that ends before the range does. Proxies send such pages
    /// instead of files.
    pub fn is_answered_by_page(&self, response: &HttpResponse) -> bool {
        let header = |name| response.headers().get(name)?.to_str().ok();
        let is_html = header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        let length = header("content-length").and_then(|length| length.parse::<u64>().ok());
        let end = match self.range {
            Some(RequestedRange::From(first, last)) => last.unwrap_or(first),
            _ => 0,
        };
        is_html && length.is_some_and(|length| length <= end)
    }

    /// Describes a response with another range.
    pub fn describe(&self, other: &OtherRange) -> String {
        let wanted = match self.range {
            Some(RequestedRange::From(first, Some(last))) => format!("the bytes {first}-{last}"),
            Some(RequestedRange::From(first, None)) => format!("the bytes from {first} on"),
            _ => "the last bytes".to_owned(),
        };
        let sent = match other {
            OtherRange::Whole => "the whole file".to_owned(),
            OtherRange::Part(range) => {
                format!("the bytes {}-{}", range.start, range.end.saturating_sub(1))
            }
            OtherRange::Undeclared => "bytes without saying which (no Content-Range)".to_owned(),
        };
        format!("the server answered a request for {wanted} of the file with {sent}")
    }
}

impl RequestedRange {
    fn parse(header: &str) -> Option<Self> {
        let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
        if first.is_empty() {
            return Some(Self::Last);
        }
        let last = match last {
            "" => None,
            last => Some(last.parse().ok()?),
        };
        Some(Self::From(first.parse().ok()?, last))
    }

    /// Whether a range of a file of this size is the one that was requested.
    fn is(self, declared: &Range<u64>, size: Option<u64>) -> bool {
        match self {
            Self::Last => size.is_none_or(|size| declared.end == size),
            Self::From(first, last) => {
                let wanted = last.map(|last| last.saturating_add(1));
                let end = match (wanted, size) {
                    (Some(wanted), Some(size)) => Some(wanted.min(size)),
                    (wanted, size) => wanted.or(size),
                };
                declared.start == first && end.is_none_or(|end| declared.end == end)
            }
        }
    }
}

/// The range that a response declares, and the size of the file, if it is known.
fn declared_range(response: &HttpResponse) -> Option<(Range<u64>, Option<u64>)> {
    let header = response.headers().get("content-range")?.to_str().ok()?;
    let (range, size) = header.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let first: u64 = first.parse().ok()?;
    let end = last.parse::<u64>().ok()?.checked_add(1)?;
    (first < end).then_some((first..end, size.parse().ok()))
}

#[cfg(test)]
mod tests {
    use object_store::client::HttpResponseBody;

    use super::*;

    fn asked(method: &str, url: &str, range: Option<&str>) -> RequestInfo {
        let mut request = HttpRequest::new(Vec::new().into());
        *request.method_mut() = method.parse().unwrap();
        *request.uri_mut() = url.parse().unwrap();
        if let Some(range) = range {
            let headers = request.headers_mut();
            headers.insert("range", range.parse().unwrap());
        }
        RequestInfo::of(&request, url.starts_with("http://web/"))
    }

    fn response(status: u16, range: Option<&str>) -> HttpResponse {
        let mut response = HttpResponse::new(HttpResponseBody::from(Vec::new()));
        *response.status_mut() = status.try_into().unwrap();
        if let Some(range) = range {
            let headers = response.headers_mut();
            headers.insert("content-range", range.parse().unwrap());
        }
        response
    }

    #[test]
    fn replies_are_told_from_files() {
        for (method, url, expected) in [
            ("GET", "http://h/bucket/key", false),
            ("GET", "http://h/key?X-Amz-Signature=1", false),
            ("GET", "http://web/key?list-type=2", false),
            ("HEAD", "http://h/bucket/key", false),
            ("GET", "http://h/bucket?list-type=2&prefix=a", true),
            ("GET", "http://h/c?restype=container&comp=list", true),
            ("POST", "http://h/bucket/key?uploads=", true),
            ("PUT", "http://h/bucket/key", true),
            (LIST, "http://h/folder/", true),
        ] {
            assert_eq!(
                asked(method, url, None).has_reply,
                expected,
                "{method} {url}"
            );
        }
        assert_eq!(asked("GET", "http://h/a?secret=1", None).url, "http://h/a");
    }

    #[test]
    fn a_page_instead_of_a_file_is_shorter_than_the_range() {
        for (wanted, kind, expected) in [
            (Some("bytes=0-511"), "text/html; charset=utf-8", true),
            (Some("bytes=100-"), "text/html", true),
            (Some("bytes=99-"), "text/html", false),
            (Some("bytes=0-99"), "text/html", false),
            (Some("bytes=-9"), "text/html", false),
            (Some("bytes=0-511"), "text/plain", false),
            (None, "text/html", false),
        ] {
            let mut response = response(200, None);
            let headers = response.headers_mut();
            headers.insert("content-type", kind.parse().unwrap());
            headers.insert("content-length", 100.into());
            let asked = asked("GET", "http://h/a", wanted);
            assert_eq!(
                asked.is_answered_by_page(&response),
                expected,
                "{wanted:?} {kind}"
            );
        }
    }

    #[test]
    fn a_response_has_the_requested_range_or_another() {
        let whole = Some(OtherRange::Whole);
        let part = |range| Some(OtherRange::Part(range));
        for (wanted, status, declared, expected) in [
            (Some("bytes=0-511"), 206, Some("bytes 0-511/900"), None),
            (Some("bytes=0-511"), 206, Some("bytes 0-299/300"), None),
            (Some("bytes=0-511"), 206, Some("bytes 0-511/*"), None),
            (Some("bytes=5-"), 206, Some("bytes 5-899/900"), None),
            (Some("bytes=-9"), 206, Some("bytes 891-899/900"), None),
            (None, 200, None, None),
            (Some("bytes=9-"), 416, Some("bytes */9"), None),
            (
                Some("bytes=0-511"),
                206,
                Some("bytes 1-512/900"),
                part(1..513),
            ),
            (
                Some("bytes=0-511"),
                206,
                Some("bytes 0-99/900"),
                part(0..100),
            ),
            (Some("bytes=5-"), 206, Some("bytes 5-99/900"), part(5..100)),
            (Some("bytes=-9"), 206, Some("bytes 0-8/900"), part(0..9)),
            (
                Some("bytes=0-9"),
                206,
                Some("bytes 9-0/900"),
                Some(OtherRange::Undeclared),
            ),
            (Some("bytes=0-9"), 206, None, Some(OtherRange::Undeclared)),
            (Some("bytes=0-511"), 200, None, whole),
        ] {
            let asked = asked("GET", "http://h/a", wanted);
            let found = asked.other_range(&response(status, declared));
            assert_eq!(found, expected, "{wanted:?} {declared:?}");
        }
    }
}
