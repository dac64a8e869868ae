//! Recognizes that a store rejects the credentials themselves, and not only the access to one
//! object.
//!
//! All further requests then fail, too. A run that went on would record an error for each of its
//! files.

use std::io;
use std::sync::{Arc, OnceLock};

use super::answers::{element, readable};

/// Why a store rejects all requests, once it has done so.
pub type Rejection = Arc<OnceLock<String>>;

/// The codes that the stores send, in the body of a response with status 400, 401 or 403.
const CODES: &[&str] = &[
    // Amazon S3 and compatible stores.
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "RequestTimeTooSkewed",
    "SignatureDoesNotMatch",
    "TokenRefreshRequired",
    // Azure.
    "AuthenticationFailed",
    "InvalidAuthenticationInfo",
    // Google.
    "AuthenticationRequired",
    "UserProjectAccountProblem",
];

/// Converts an error of a store, and notes it if it concerns all requests.
pub fn failure(error: &object_store::Error, noted: &Rejection) -> io::Error {
    let text = error.to_string();
    io::Error::other(match rejection(&text) {
        Some(reason) => noted.get_or_init(|| reason).clone(),
        None => readable(&text).unwrap_or(text),
    })
}

/// Describes a rejection of the credentials, from the text of an error. `None` for other errors.
pub fn rejection(text: &str) -> Option<String> {
    let code = element(text, "Code").filter(|code| CODES.contains(code))?;
    let said = element(text, "Message").map_or_else(String::new, |text| format!(": {text}"));
    Some(format!(
        "the store rejects the credentials ({code}{said}); renew them, and run the command again"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str) -> String {
        format!("400 Bad Request: <Error><Code>{code}</Code><Message>It says why</Message></Error>")
    }

    #[test]
    fn rejected_credentials_are_told_from_a_forbidden_object() {
        for code in ["ExpiredToken", "InvalidAccessKeyId", "AuthenticationFailed"] {
            let text = rejection(&error(code)).unwrap();
            assert!(text.contains(&format!("({code}: It says why)")), "{text}");
        }
        for text in [
            &error("AccessDenied"),
            &error("SlowDown"),
            "<Code>ExpiredToken",
            "",
        ] {
            assert_eq!(rejection(text), None, "{text}");
        }
    }
}
