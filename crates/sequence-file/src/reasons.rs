//! The values of [`RecordError::reason`](corpus_bytes::record::RecordError), by which errors are
//! counted. `detail` has the specifics.

/// The file does not start with the header of a SequenceFile.
pub const NOT_A_SEQUENCE_FILE: &str = "not a SequenceFile";
/// The header names an unsupported codec.
pub const UNKNOWN_CODEC: &str = "unknown codec";
/// The file ends inside a record or a block.
pub const TRUNCATED: &str = "truncated record";
/// A length is impossible, or contradicts the data after it.
pub const BAD_LENGTH: &str = "bad length";
/// A sync mark is missing or wrong.
pub const BAD_SYNC: &str = "bad sync mark";
/// Another file was appended to this one.
pub const CONCATENATED: &str = "concatenated file";
/// Keys or values cannot be decompressed, or contradict their lengths.
pub const DAMAGED: &str = "damaged block";
/// A key or value does not have the format of its class.
pub const BAD_WRITABLE: &str = "bad writable";
/// Text is not UTF-8; invalid bytes became U+FFFD.
pub const NOT_UTF8: &str = "text is not UTF-8";
/// The column's type cannot hold keys or values of the file's class.
pub const OTHER_CLASS: &str = "other class than the column's";
/// The key exceeds the limit and was truncated.
pub const LARGE_KEY: &str = "key too large";
