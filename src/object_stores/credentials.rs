//! Detects that a store rejects the credentials themselves, not only access to one object.
//!
//! All further requests would fail, too, and the run would record an error for each file.

use std::io;
use std::sync::{Arc, OnceLock};

use super::readable_errors::{Answer, in_parentheses, readable, reason};

/// The reason why a store rejects all requests, once it has done so.
pub type Rejection = Arc<OnceLock<String>>;

/// The codes that the stores send, in the body of a response with status 400, 401 or 403. Google
/// also answers 401 without a code.
const CODES: &[&str] = &[
    // Amazon S3 and compatible stores.
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "SignatureDoesNotMatch",
    "TokenRefreshRequired",
    // Azure.
    "AuthenticationFailed",
    "AuthorizationFailure",
    "InvalidAuthenticationInfo",
    // Google, and the servers that issue its tokens.
    "AuthenticationRequired",
    "UserProjectAccountProblem",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
];

/// The codes for requests that were signed at another time.
const CLOCK_CODES: &[&str] = &["RequestTimeTooSkewed", "RequestExpired"];

/// Converts an error of a store. Stores it in `noted` if it concerns all requests.
pub fn failure(error: &object_store::Error, noted: &Rejection) -> io::Error {
    let text = error.to_string();
    io::Error::other(match rejection(&text) {
        Some(reason) => noted.get_or_init(|| reason).clone(),
        None => readable(&text).unwrap_or(text),
    })
}

/// Describes a rejection of the credentials, from the text of an error. `None` for other errors.
pub fn rejection(text: &str) -> Option<String> {
    let answer = Answer::of(text)?;
    let (code, reason) = reason(answer.body);
    // Answers in HTML are from web servers, and may concern a single file.
    let is_unauthorized = answer.status.starts_with("401") && answer.body.starts_with('{');
    let said = in_parentheses(&code, &reason);
    if CLOCK_CODES.contains(&code.as_str()) {
        return Some(format!(
            "the store rejects requests from a wrong clock{said}; set the clock of this machine, \
             and run the command again"
        ));
    }
    (is_unauthorized || CODES.contains(&code.as_str())).then(|| {
        format!("the store rejects the credentials{said}; renew them, and run the command again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str) -> String {
        format!(
            "status code: 400 Bad Request: <Error><Code>{code}</Code><Message>It says why</Message></Error>"
        )
    }

    #[test]
    fn rejected_credentials_are_told_from_a_forbidden_object() {
        for code in ["ExpiredToken", "InvalidAccessKeyId", "AuthenticationFailed"] {
            let text = rejection(&error(code)).unwrap();
            assert!(text.contains(&format!("({code}: It says why)")), "{text}");
        }
        let text = rejection(&error("RequestTimeTooSkewed")).unwrap();
        assert!(text.contains("set the clock of this machine"), "{text}");
        for (answer, said) in [
            (
                "401 Unauthorized: {\"error\": {\"code\": 401, \"message\": \"Invalid Credentials\"}}",
                "(Invalid Credentials)",
            ),
            (
                "400 Bad Request: {\"error\": \"invalid_grant\", \"error_description\": \"Invalid JWT\"}",
                "(invalid_grant: Invalid JWT)",
            ),
        ] {
            let text = rejection(&format!("status code: {answer}")).unwrap();
            assert!(text.contains(said), "{text}");
        }
        for text in [
            &error("AccessDenied"),
            &error("SlowDown"),
            "status code: 400 Bad Request: <Code>ExpiredToken",
            "status code: 401 Unauthorized: <html>Log in</html>",
            "status code: 403 Forbidden: {\"error\": {\"message\": \"No access\"}}",
            "",
        ] {
            assert_eq!(rejection(text), None, "{text}");
        }
    }
}
