//! The values of [`RecordError::reason`](corpus_bytes::record::RecordError). They are constant, so
//! that errors can be counted by reason; `detail` has the specifics.

/// The record has fewer bytes than the header declares, or the file ends inside a record or member.
pub const TRUNCATED: &str = "truncated record";
/// A gzip member, zstd frame or lz4 frame that cannot be decompressed.
pub const DAMAGED: &str = "damaged member";
/// A member whose decompressed data do not have the declared checksum or size.
pub const CRC_MISMATCH: &str = "crc mismatch";
/// Content-Length is missing, is not a number, or does not lead to the separator before the next
/// record. The body then extends to that separator.
pub const BAD_LENGTH: &str = "bad content-length";
/// A header with NUL bytes, which overwrote fields or the end of the record.
pub const DAMAGED_HEADER: &str = "damaged header";
/// A header block without an end. The record has no body.
pub const OVERSIZED_HEADER: &str = "oversized header";
/// Bytes before or between records that belong to no record.
pub const JUNK: &str = "junk between records";
/// Bytes after the last record.
pub const TRAILING_GARBAGE: &str = "trailing garbage";
/// The file contains no record.
pub const NOT_A_WARC: &str = "not a WARC";
/// A WACZ package, or one of its members, that cannot be opened.
pub const BAD_PACKAGE: &str = "damaged package";
