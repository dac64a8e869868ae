//! What WARC records need beside their framing: digests, and lines of CDXJ indexes.

pub mod cdxj;
pub mod digest;
pub mod sql;
