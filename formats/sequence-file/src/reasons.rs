//! The fixed vocabulary of [`RecordError::reason`](corpus_bytes::record::RecordError): what
//! the summary of a run counts by. The particulars go into `detail`.

/// The header is none that a SequenceFile has.
pub const NOT_A_SEQUENCE_FILE: &str = "not a SequenceFile";
/// The header names a codec that cannot be read here.
pub const UNKNOWN_CODEC: &str = "unknown codec";
/// The file ends inside a record or a block.
pub const TRUNCATED: &str = "truncated record";
/// A length that cannot be, or that what follows contradicts.
pub const BAD_LENGTH: &str = "bad length";
/// Something else stands where a sync mark has to be.
pub const BAD_SYNC: &str = "bad sync mark";
/// Another file was appended to this one.
pub const CONCATENATED: &str = "concatenated file";
/// Compressed keys or values that cannot be decompressed, or contradict their lengths.
pub const DAMAGED: &str = "damaged block";
/// A key or value that is none of its class.
pub const BAD_WRITABLE: &str = "bad writable";
/// Text with bytes that are not UTF-8; they became U+FFFD.
pub const NOT_UTF8: &str = "text is not UTF-8";
/// A key or value of a class that the column's type cannot hold.
pub const OTHER_CLASS: &str = "other class than the column's";
/// The key is larger than `corpus.max_record_bytes`, and was cut there.
pub const LARGE_KEY: &str = "key too large";
