//! The columns of a record, in their order.

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

pub const SOURCE_FILE: usize = 0;
/// The offset of the record; in a compressed file, the offset of its unit.
pub const OFFSET: usize = 1;
/// The number of bytes in the file, as in CDX files. In a compressed file, the size of its units
/// (NULL if it shares a unit with other records, or if damage hides its end); in an uncompressed
/// file, the size of header and body without the blank lines after them.
pub const LENGTH: usize = 2;
pub const WARC_TYPE: usize = 3;
pub const RECORD_ID: usize = 4;
pub const DATE: usize = 5;
pub const TARGET_URI: usize = 6;
pub const CONTENT_TYPE: usize = 7;
pub const IP_ADDRESS: usize = 8;
pub const PAYLOAD_DIGEST: usize = 9;
pub const BLOCK_DIGEST: usize = 10;
pub const REFERS_TO: usize = 11;
/// The reason in the header.
pub const TRUNCATED: usize = 12;
/// The declared length; NULL if it is not a number.
pub const CONTENT_LENGTH: usize = 13;
pub const HEADERS: usize = 14;
pub const BODY: usize = 15;
/// Whether the body was cut at the size limit of the reader.
pub const BODY_TRUNCATED: usize = 16;
pub const ERROR: usize = 17;

pub const COLUMNS: &[Column] = &[
    SOURCE_FILE_COLUMN,
    Column::early("offset", ColumnType::Integer)
        .about("The offset of the record, or of its compressed member or frame"),
    Column::late("length", ColumnType::Integer).about(
        "The bytes of the record in the file, as in CDX files; NULL if records share a compressed \
         member, or damage hides the end",
    ),
    Column::early("warc_type", ColumnType::Text).about("WARC-Type, such as 'response'"),
    Column::early("record_id", ColumnType::Text).about("WARC-Record-ID"),
    Column::early("date", ColumnType::Timestamp).about("WARC-Date"),
    Column::early("target_uri", ColumnType::Text)
        .about("WARC-Target-URI, the address of the document"),
    Column::early("content_type", ColumnType::Text).about("The declared type of the body"),
    Column::early("ip_address", ColumnType::Text).about("WARC-IP-Address"),
    Column::early("payload_digest", ColumnType::Text)
        .about("The declared digest of the payload; see warc_digest_ok"),
    Column::early("block_digest", ColumnType::Text)
        .about("The declared digest of the body; see warc_digest_ok"),
    Column::early("refers_to", ColumnType::Text).about("WARC-Refers-To"),
    Column::early("truncated", ColumnType::Text).about(
        "WARC-Truncated: why the crawler cut the body; 'segment' if other records continue it",
    ),
    Column::early("content_length", ColumnType::Integer).about("The declared length of the body"),
    Column::early("headers", ColumnType::Pairs).about("All header fields in order"),
    Column::payload("body", ColumnType::Bytes)
        .about("The body; of a response, the HTTP head and body"),
    Column::late("body_truncated", ColumnType::Boolean)
        .about("Whether `body` was cut at corpus.max_record_bytes"),
    ERROR_COLUMN,
];
