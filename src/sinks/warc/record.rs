//! One WARC 1.1 record as bytes.
//!
//! The `warc` crate writes a map of headers, without order and repeats; what was read could not
//! be written again unchanged. So the little that there is to write is written here.

use chrono::{DateTime, SecondsFormat, Utc};
use uuid::Uuid;

/// What a record is made from. `headers` are taken as they are where they are those of a WARC
/// record; otherwise they are made from the other fields.
#[derive(Debug, Default)]
pub struct RecordFields<'a> {
    pub warc_type: Option<&'a str>,
    pub record_id: Option<&'a str>,
    /// Microseconds since the epoch.
    pub date: Option<i64>,
    pub target_uri: Option<&'a str>,
    pub content_type: Option<&'a str>,
    pub ip_address: Option<&'a str>,
    pub payload_digest: Option<&'a str>,
    pub block_digest: Option<&'a str>,
    pub refers_to: Option<&'a str>,
    pub truncated: Option<&'a str>,
    pub headers: Vec<(&'a str, &'a str)>,
    pub body: &'a [u8],
    /// The body was cut when it was read.
    pub body_truncated: bool,
}

/// A row that cannot be a record.
#[derive(Debug, PartialEq, Eq)]
pub struct NoType;

const TYPE: &str = "WARC-Type";
const ID: &str = "WARC-Record-ID";
const DATE: &str = "WARC-Date";
const TRUNCATED: &str = "WARC-Truncated";
const LENGTH: &str = "Content-Length";

impl RecordFields<'_> {
    /// Appends the record to `out`.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), NoType> {
        let mut headers = if self.header(TYPE).is_some() {
            self.kept_headers()
        } else {
            self.made_headers()?
        };
        if self.body_truncated && !has(&headers, TRUNCATED) {
            headers.push((TRUNCATED, "length".to_owned()));
        }
        // What a record must have.
        if !has(&headers, ID) {
            headers.push((ID, self.id()));
        }
        if !has(&headers, DATE) {
            headers.push((DATE, self.date()));
        }
        if !has(&headers, LENGTH) {
            headers.push((LENGTH, self.body.len().to_string()));
        }
        out.extend_from_slice(b"WARC/1.1\r\n");
        for (name, value) in &headers {
            out.extend_from_slice(one_line(name).as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(one_line(value).as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(self.body);
        out.extend_from_slice(b"\r\n\r\n");
        Ok(())
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| *value)
    }

    /// The headers as they were read; only the length has to be that of the body.
    fn kept_headers(&self) -> Vec<(&str, String)> {
        let mut headers: Vec<(&str, String)> = Vec::with_capacity(self.headers.len() + 3);
        for (name, value) in &self.headers {
            if !name.eq_ignore_ascii_case(LENGTH) {
                headers.push((name, (*value).to_owned()));
            } else if !has(&headers, LENGTH) {
                headers.push((name, self.body.len().to_string()));
            }
        }
        headers
    }

    fn made_headers(&self) -> Result<Vec<(&str, String)>, NoType> {
        let mut headers = vec![
            (TYPE, self.warc_type.ok_or(NoType)?.to_owned()),
            (ID, self.id()),
            (DATE, self.date()),
        ];
        for (name, value) in [
            ("WARC-Target-URI", self.target_uri.map(str::to_owned)),
            ("WARC-IP-Address", self.ip_address.map(str::to_owned)),
            (
                "WARC-Payload-Digest",
                self.payload_digest.map(str::to_owned),
            ),
            ("WARC-Block-Digest", self.block_digest.map(str::to_owned)),
            ("WARC-Refers-To", self.refers_to.map(bracketed)),
            (TRUNCATED, self.truncated.map(str::to_owned)),
            ("Content-Type", self.content_type.map(str::to_owned)),
        ] {
            headers.extend(value.map(|value| (name, value)));
        }
        Ok(headers)
    }

    fn id(&self) -> String {
        match self.record_id {
            Some(id) => bracketed(id),
            None => format!("<{}>", Uuid::new_v4().urn()),
        }
    }

    fn date(&self) -> String {
        let date = self.date.and_then(DateTime::from_timestamp_micros);
        let date = date.unwrap_or_else(Utc::now);
        let precision = match date.timestamp_subsec_micros() {
            0 => SecondsFormat::Secs,
            _ => SecondsFormat::Micros,
        };
        date.to_rfc3339_opts(precision, true)
    }
}

fn has(headers: &[(&str, String)], name: &str) -> bool {
    headers
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(name))
}

fn bracketed(uri: &str) -> String {
    if uri.starts_with('<') {
        uri.to_owned()
    } else {
        format!("<{uri}>")
    }
}

/// A line break in a field would begin another one, or the body.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fields: &RecordFields) -> String {
        let mut out = Vec::new();
        fields.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn headers_are_kept_in_order_with_repeats() {
        let fields = RecordFields {
            warc_type: Some("ignored"),
            headers: vec![
                ("Warc-Type", "response"),
                ("WARC-Concurrent-To", "<urn:a>"),
                ("content-length", "999"),
                ("WARC-Concurrent-To", "<urn:b>"),
                ("WARC-Date", "2020-01-01T00:00:00Z"),
                ("WARC-Record-ID", "<urn:c>"),
            ],
            body: b"body",
            ..RecordFields::default()
        };
        assert_eq!(
            written(&fields),
            "WARC/1.1\r\nWarc-Type: response\r\nWARC-Concurrent-To: <urn:a>\r\n\
             content-length: 4\r\nWARC-Concurrent-To: <urn:b>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:c>\r\n\r\nbody\r\n\r\n"
        );
    }

    #[test]
    fn headers_are_made_from_columns() {
        let fields = RecordFields {
            warc_type: Some("resource"),
            record_id: Some("urn:x"),
            date: Some(1_500_000),
            target_uri: Some("http://a/\r\nEvil: 1"),
            // Those of an ARC record are none of a WARC record.
            headers: vec![("URL", "http://a/")],
            body_truncated: true,
            ..RecordFields::default()
        };
        assert_eq!(
            written(&fields),
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\n\
             WARC-Date: 1970-01-01T00:00:01.500000Z\r\nWARC-Target-URI: http://a/  Evil: 1\r\n\
             WARC-Truncated: length\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        );
    }

    #[test]
    fn what_is_missing_is_made() {
        let fields = RecordFields {
            warc_type: Some("metadata"),
            ..RecordFields::default()
        };
        let text = written(&fields);
        assert!(text.contains("WARC-Record-ID: <urn:uuid:"), "{text}");
        assert!(text.contains("WARC-Date: 2"), "{text}");
        assert_eq!(RecordFields::default().write(&mut Vec::new()), Err(NoType));
    }
}
