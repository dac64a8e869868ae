//! Losses in a response, and their reasons.

/// A loss: one of a few fixed reasons, and the details.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// One of the constants below.
    pub reason: &'static str,
    /// A description for people.
    pub detail: String,
}

impl Failure {
    /// The head does not end within a mebibyte; the rest is treated as the body.
    pub const HEAD_TOO_LONG: &'static str = "head_too_long";
    /// The last chunk is shorter than its declared size.
    pub const CHUNK_TRUNCATED: &'static str = "chunk_truncated";
    /// The chunks stop in the middle; the rest was kept unchanged.
    pub const CHUNK_INVALID: &'static str = "chunk_invalid";
    /// A compressed body ends too early; everything decoded so far was kept.
    pub const CODING_TRUNCATED: &'static str = "coding_truncated";
    /// A compressed body is damaged. Everything decoded so far was kept or, if nothing was decoded,
    /// the raw body.
    pub const CODING_INVALID: &'static str = "coding_invalid";
    /// The body has a coding that is not decoded, and was kept unchanged.
    pub const CODING_UNSUPPORTED: &'static str = "coding_unsupported";
    /// The body was decoded, but its checksum does not match.
    pub const CHECKSUM_MISMATCH: &'static str = "checksum_mismatch";
    /// The body was cut at the limit.
    pub const BODY_TOO_LONG: &'static str = "body_too_long";
    /// Too many codings are declared, so none was decoded.
    pub const TOO_MANY_CODINGS: &'static str = "too_many_codings";

    pub fn new(reason: &'static str, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.reason, self.detail)
    }
}

impl std::error::Error for Failure {}
