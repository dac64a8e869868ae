//! SQL functions of WARC records.

use std::sync::Arc;

use corpus_http::{header, parse_head};
use corpus_warc::cdxj::{Fields, cdxj_line, is_indexed, mime};
use corpus_warc::digest::{Algorithm, compute, payload, verify};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, LargeBinaryArray, LargeStringArray,
};
use datafusion::arrow::datatypes::{DataType, Int64Type, TimeUnit, TimestampMicrosecondType};
use datafusion::common::Result;

use crate::function::{Parameter, constant, functions};
use crate::settings::CorpusSettings;

const SECTION: &str = "WARC Functions";

const DIGEST: Parameter = Parameter::text("digest", "The declared digest, such as `sha1:…`.");

const DATA: Parameter = Parameter::bytes(
    "data",
    "The body for a block digest, the payload for a payload digest.",
);

const BODY: Parameter = Parameter::bytes("body", "The body of a response, request or revisit.");

const WARC_TYPE: Parameter = Parameter::text(
    "warc_type",
    "Columns of the WARC source in this order, and the file's name, whose folders are left out.",
);

const TARGET_URI: Parameter = Parameter::text("target_uri", "");

const DATE: Parameter = Parameter::new(
    "date",
    || DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
    "",
);

const CONTENT_TYPE: Parameter = Parameter::text("content_type", "");

const PAYLOAD_DIGEST: Parameter = Parameter::text("payload_digest", "");

const BODY_ARGUMENT: Parameter = Parameter::bytes("body", "");

const LENGTH: Parameter = Parameter::integer("length", "");

const OFFSET: Parameter = Parameter::integer("offset", "");

const FILE: Parameter = Parameter::text("file", "");

const ALGORITHM: Parameter = Parameter::text(
    "algorithm",
    "A constant: 'sha1', 'sha256', 'sha384', 'sha512' or 'md5'.",
)
.constant(|name| match Algorithm::parse(name) {
    Some(_) => Ok(()),
    None => Err(format!(
        "unknown algorithm '{name}': expected 'sha1', 'sha256', 'sha384', 'sha512' or 'md5'"
    )),
});

const DATA_ARGUMENT: Parameter = Parameter::bytes("data", "The data.");

functions! {
    SECTION;

    /// The line of a record in a CDXJ index, byte for byte as cdxj-indexer writes it; NULL for
    /// requests, warcinfo, and metadata of the crawler.
    ///
    #[doc = " > SELECT warc_cdxj(warc_type, target_uri, date, content_type, payload_digest, body, length, \"offset\", source_file)"]
    ///   FROM 'data-samples/warc/crawl.warc.gz' WHERE target_uri = 'http://www.example/old';
    #[doc = " example)/old 20231114221307 {\"url\": \"http://www.example/old\", \"mime\": \"text/html\", \"status\": \"301\", \"digest\": \"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\", \"length\": \"346\", \"offset\": \"2651\", \"filename\": \"crawl.warc.gz\"}"]
    warc_cdxj(WARC_TYPE, TARGET_URI, DATE, CONTENT_TYPE, PAYLOAD_DIGEST, BODY_ARGUMENT, LENGTH, OFFSET, FILE)
        -> DataType::LargeUtf8, costly;

    /// The digest of data, in the form of WARC headers.
    ///
    /// > SELECT warc_digest('sha1', 'text');
    /// sha1:G4XKBDFLGPTRYAWGKHN4QOSHJUZMM5XK
    warc_digest(ALGORITHM, DATA_ARGUMENT) -> DataType::LargeUtf8, costly;

    /// Whether data has a declared digest (SHA-1, SHA-2, MD5; base32, hex, base64). NULL for
    /// unreadable digests.
    ///
    #[doc = " > SELECT warc_digest_ok(block_digest, body), warc_digest_ok(payload_digest, warc_payload(body))"]
    ///   FROM 'data-samples/warc/crawl.warc.gz' WHERE target_uri = 'http://www.example/ja';
    /// true, true
    warc_digest_ok(DIGEST, DATA) -> DataType::Boolean, costly;

    /// The bytes after the HTTP head, as transferred, which the payload digest covers.
    ///
    /// > SELECT CAST(warc_payload(E'HTTP/1.1 200 OK\r\n\r\nhello') AS text);
    /// hello
    warc_payload(BODY) -> DataType::LargeBinary;
}

fn warc_digest_ok(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let declared = args[0].as_string::<i64>().iter();
    let data = args[1].as_binary::<i64>().iter();
    let checked: BooleanArray = declared
        .zip(data)
        .map(|(declared, data)| verify(declared?, data?))
        .collect();
    Ok(Arc::new(checked))
}

fn warc_payload(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let bodies = args[0].as_binary::<i64>().iter();
    let payloads: LargeBinaryArray = bodies.map(|body| body.map(payload)).collect();
    Ok(Arc::new(payloads))
}

fn warc_cdxj(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let records = Records(args);
    let lines: LargeStringArray = (0..args[0].len()).map(|row| records.line(row)).collect();
    Ok(Arc::new(lines))
}

/// The arguments of `warc_cdxj`, in order.
struct Records<'a>(&'a [ArrayRef]);

impl Records<'_> {
    fn text(&self, column: usize, row: usize) -> Option<&str> {
        let array = self.0[column].as_string::<i64>();
        array.is_valid(row).then(|| array.value(row))
    }

    fn number(&self, column: usize, row: usize) -> Option<u64> {
        let array = self.0[column].as_primitive::<Int64Type>();
        let valid = array.is_valid(row).then(|| array.value(row));
        valid.and_then(|number| u64::try_from(number).ok())
    }

    fn timestamp(&self, row: usize) -> Option<String> {
        let dates = self.0[2].as_primitive::<TimestampMicrosecondType>();
        let date = dates.is_valid(row).then(|| dates.value_as_datetime(row));
        Some(date.flatten()?.format("%Y%m%d%H%M%S").to_string())
    }

    fn body(&self, row: usize) -> &[u8] {
        let bodies = self.0[5].as_binary::<i64>();
        if bodies.is_valid(row) {
            bodies.value(row)
        } else {
            &[]
        }
    }

    fn line(&self, row: usize) -> Option<String> {
        let kind = self.text(0, row)?;
        let content_type = self.text(3, row);
        if !is_indexed(kind, content_type) {
            return None;
        }
        let body = self.body(row);
        let uri = self.text(1, row).map(|uri| uri.replace(' ', "%20"));
        let is_http = matches!(kind, "response" | "revisit")
            && uri
                .as_deref()
                .is_some_and(|uri| uri.starts_with("http:") || uri.starts_with("https:"))
            && !body.is_empty();
        let head = is_http.then(|| parse_head(body));
        let http_type = head
            .as_ref()
            .and_then(|head| header(&head.headers, "content-type"));
        let status = head.as_ref().and_then(|head| head.status);
        let digest = match self.text(4, row) {
            Some(declared) => Some(declared.to_owned()),
            None if kind == "revisit" => None,
            None => {
                let covered = if is_http { payload(body) } else { body };
                Some(compute(Algorithm::Sha1, covered))
            }
        };
        Some(cdxj_line(&Fields {
            url: uri.as_deref(),
            timestamp: &self.timestamp(row)?,
            mime: mime(kind, content_type, http_type),
            status: status.map(|status| status.to_string()).as_deref(),
            digest: digest.as_deref(),
            length: self.number(6, row)?,
            offset: self.number(7, row)?,
            filename: self.text(8, row)?.rsplit('/').next().unwrap_or_default(),
        }))
    }
}

fn warc_digest(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let algorithm = constant(&args[0]).and_then(Algorithm::parse);
    let data = args[1].as_binary::<i64>().iter();
    let digests: LargeStringArray = data.map(|data| Some(compute(algorithm?, data?))).collect();
    Ok(Arc::new(digests))
}
