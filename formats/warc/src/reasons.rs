//! The fixed vocabulary of [`RecordError::reason`](corpus_bytes::record::RecordError): what
//! the summary of a run counts by. The particulars go into `detail`.

/// Fewer bytes than the header states, or the file ends inside a record or a member.
pub const TRUNCATED: &str = "truncated record";
/// A gzip member, zstd frame or lz4 frame that cannot be decompressed.
pub const DAMAGED: &str = "damaged member";
/// A member that decompresses to something else than its checksum or its size says.
pub const CRC_MISMATCH: &str = "crc mismatch";
/// Content-Length is missing, no number, or contradicted by what follows. The body then goes
/// up to the next record.
pub const BAD_LENGTH: &str = "bad content-length";
/// A header block without end. The record has no body.
pub const OVERSIZED_HEADER: &str = "oversized header";
/// Bytes before or between records that belong to none.
pub const JUNK: &str = "junk between records";
/// Bytes behind the last record.
pub const TRAILING_GARBAGE: &str = "trailing garbage";
/// The file has no record at all.
pub const NOT_A_WARC: &str = "not a WARC";
/// A WACZ package, or one of its members, that cannot be opened.
pub const BAD_PACKAGE: &str = "damaged package";
