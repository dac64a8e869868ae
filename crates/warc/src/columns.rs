//! The columns of a record, in their order.

use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

pub const SOURCE_FILE: usize = 0;
/// The offset of the record; in a compressed file, that of its unit.
pub const OFFSET: usize = 1;
/// The number of bytes in the file, as CDX files have it. In a compressed file, the size of its
/// units (NULL if it shares one with other records, or if damage hides its end); in an uncompressed
/// one, that of header and body without the blank lines after them.
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
        .about("The offset of the record; in a compressed file, that of its member or frame"),
    Column::late("length", ColumnType::Integer).about(
        "The number of bytes of the record in the file, as in CDX files; NULL if several \
         records share a compressed member, or if damage hides the end",
    ),
    Column::early("warc_type", ColumnType::Text)
        .about("The type of the record, such as 'response', from WARC-Type"),
    Column::early("record_id", ColumnType::Text)
        .about("The identifier of the record, from WARC-Record-ID"),
    Column::early("date", ColumnType::Timestamp).about("When the record was made, from WARC-Date"),
    Column::early("target_uri", ColumnType::Text)
        .about("The address of the document, from WARC-Target-URI"),
    Column::early("content_type", ColumnType::Text).about("The declared type of the body"),
    Column::early("ip_address", ColumnType::Text)
        .about("The address of the server, from WARC-IP-Address"),
    Column::early("payload_digest", ColumnType::Text)
        .about("The digest of the payload, as declared; see warc_digest_ok"),
    Column::early("block_digest", ColumnType::Text)
        .about("The digest of the body, as declared; see warc_digest_ok"),
    Column::early("refers_to", ColumnType::Text)
        .about("The record that this one is about, from WARC-Refers-To"),
    Column::early("truncated", ColumnType::Text)
        .about("Why the crawler cut the body, from WARC-Truncated"),
    Column::early("content_length", ColumnType::Integer)
        .about("The declared length of the body; NULL if it is not a number"),
    Column::early("headers", ColumnType::Pairs).about("All header fields in order"),
    Column::payload("body", ColumnType::Bytes)
        .about("The body of the record; of a response, the HTTP head and body"),
    Column::late("body_truncated", ColumnType::Boolean)
        .about("Whether `body` was cut at corpus.max_record_bytes"),
    ERROR_COLUMN,
];
