//! Restricts access to the page of this process, in a browser on this machine.
//!
//! - The token protects against other users of the machine, and against other pages.
//! - The check of the host protects against other sites whose names resolve to this machine.
//! - The policy of the content keeps the page from loading anything else.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use uuid::Uuid;

use super::messages::Problem;

/// The policy of the page. Documents have a stricter one.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The policy of the HTML of documents: no scripts, no network, no origin.
pub const DOCUMENT_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Headers of all answers that have no other value for them.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_DNS_PREFETCH_CONTROL, "off"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The token and the host that requests must name.
pub struct Access {
    pub token: String,
    /// The values of `Host` that name this server.
    hosts: [String; 2],
}

impl Access {
    pub fn new(port: u16) -> Self {
        Self {
            token: random_name(),
            hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")),
        }
    }

    /// Refuses requests to other hosts, and requests to the interface without the token or from
    /// other pages.
    pub fn check(&self, request: &Request) -> Result<(), Problem> {
        let headers = request.headers();
        let host = only(headers, header::HOST).unwrap_or_default();
        if !self.hosts.iter().any(|own| own == host) {
            return Err(Problem::forbidden("the request is for another host"));
        }
        if !request.uri().path().starts_with("/api/") {
            return Ok(());
        }
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let origin = headers.contains_key(header::ORIGIN);
        if origin && !only(headers, header::ORIGIN).is_some_and(is_own) {
            return Err(Problem::forbidden("requests of other pages are refused"));
        }
        let site = headers.contains_key("sec-fetch-site");
        let fetched = only(headers, HeaderName::from_static("sec-fetch-site"));
        if site && !matches!(fetched, Some("same-origin" | "none")) {
            return Err(Problem::forbidden("requests of other pages are refused"));
        }
        let token = only(headers, header::AUTHORIZATION);
        let token = token.and_then(|value| value.strip_prefix("Bearer "));
        match token {
            Some(token) if is_equal(token, &self.token) => Ok(()),
            _ => Err(Problem::forbidden(
                "the token is missing or wrong: open the address that corpus-sql ui printed",
            )),
        }
    }
}

/// The value of a header that is given once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Compares two texts in a time that depends on the length only.
fn is_equal(a: &str, b: &str) -> bool {
    let differences = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// A name that nobody can guess.
pub fn random_name() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

/// Adds the headers that restrict the page.
pub fn restrict(response: &mut Response) {
    for (name, value) in HEADERS {
        let headers = response.headers_mut();
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_as_a_whole() {
        let access = Access::new(1);
        assert_eq!(access.token.len(), 64);
        assert_ne!(access.token, Access::new(1).token);
        assert!(is_equal("ab", "ab"));
        for other in ["", "a", "abc", "aB", "b"] {
            assert!(!is_equal(other, "ab"), "{other}");
        }
    }
}
