//! What was lost of a response, and why.

/// One of a few fixed reasons, and the particulars.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub reason: &'static str,
    pub detail: String,
}

impl Failure {
    /// The head has no end within a mebibyte; what follows is taken for the body.
    pub const HEAD_TOO_LONG: &'static str = "head_too_long";
    /// The last chunk is shorter than its size says.
    pub const CHUNK_TRUNCATED: &'static str = "chunk_truncated";
    /// The chunks stop in the middle; the rest was kept as it is.
    pub const CHUNK_INVALID: &'static str = "chunk_invalid";
    /// A compressed body ends too early; what could be decoded was kept.
    pub const CODING_TRUNCATED: &'static str = "coding_truncated";
    /// A compressed body is damaged; what could be decoded was kept, the raw body if nothing could.
    pub const CODING_INVALID: &'static str = "coding_invalid";
    /// Decoded without trouble, but the checksum says otherwise.
    pub const CHECKSUM_MISMATCH: &'static str = "checksum_mismatch";
    /// The body was cut at the limit.
    pub const BODY_TOO_LONG: &'static str = "body_too_long";
    /// So many codings are stated that none was undone.
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
