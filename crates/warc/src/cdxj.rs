//! Lines of CDXJ indexes, byte for byte as cdxj-indexer (1.5.0) writes them:
//! `key timestamp {"url": …}`.
//!
//! The rules: records of type response, revisit, resource and metadata are indexed, except resource
//! and metadata records whose content type is exactly `application/warc-fields`. A field without a
//! value is omitted (no `-` or null). All values are strings, even numbers.
//!
//! ```
//! use corpus_warc::cdxj::{Fields, cdxj_line};
//!
//! let line = cdxj_line(&Fields {
//!     url: Some("http://example.org/"),
//!     timestamp: "20200101000000",
//!     length: 1228,
//!     offset: 784,
//!     filename: "a.warc.gz",
//!     ..Fields::default()
//! });
//! let start = r#"org,example)/ 20200101000000 {"url": "http://example.org/", "length": "1228""#;
//! assert!(line.starts_with(start));
//! ```

use crate::surt;

/// The fields of a line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fields<'a> {
    pub url: Option<&'a str>,
    /// 14 digits.
    pub timestamp: &'a str,
    /// See [`mime`].
    pub mime: Option<&'a str>,
    /// The HTTP status of responses, and of revisits with an HTTP header.
    pub status: Option<&'a str>,
    /// The payload digest in the record's header, with `sha1:`. If the header has none, it must be
    /// computed from the payload, except for revisits.
    pub digest: Option<&'a str>,
    pub length: u64,
    pub offset: u64,
    /// The name of the archive, without folders.
    pub filename: &'a str,
}

/// Returns the line of a record, without a line end.
pub fn cdxj_line(fields: &Fields) -> String {
    let (length, offset) = (fields.length.to_string(), fields.offset.to_string());
    let pairs = [
        ("url", fields.url),
        ("mime", fields.mime),
        ("status", fields.status),
        ("digest", fields.digest),
        ("length", Some(&length)),
        ("offset", Some(&offset)),
        ("filename", Some(fields.filename)),
    ];
    let mut line = surt(fields.url.unwrap_or_default());
    line.push(' ');
    line.push_str(fields.timestamp);
    line.push_str(" {");
    let mut separator = "";
    for (name, value) in pairs {
        if let Some(value) = value {
            line.push_str(separator);
            push_quoted(&mut line, name);
            line.push_str(": ");
            push_quoted(&mut line, value);
            separator = ", ";
        }
    }
    line.push('}');
    line
}

/// Escapes like Python's `json.dumps`: characters beyond ASCII as UTF-16.
fn push_quoted(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            '\u{8}' => line.push_str("\\b"),
            '\u{c}' => line.push_str("\\f"),
            ' '..='\u{7f}' => line.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    line.push('"');
}

/// Whether a record has a line in an index.
pub fn is_indexed(warc_type: &str, content_type: Option<&str>) -> bool {
    match warc_type {
        "response" | "revisit" => true,
        "resource" | "metadata" => content_type != Some("application/warc-fields"),
        _ => false,
    }
}

/// Returns the mime field, from the content types of the record and of its HTTP header.
pub fn mime<'a>(
    warc_type: &str,
    content_type: Option<&'a str>,
    http_content_type: Option<&'a str>,
) -> Option<&'a str> {
    let value = match warc_type {
        "revisit" => return Some("warc/revisit"),
        "response" => http_content_type?,
        _ => content_type?,
    };
    let ends = |c: char| c == ';' || c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}');
    value.split(ends).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cdxj_indexer() {
        let fields = Fields {
            url: Some("http://example.com/"),
            timestamp: "20170306040206",
            mime: Some("text/html"),
            status: Some("200"),
            digest: Some("sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK"),
            length: 1228,
            offset: 784,
            filename: "example.warc.gz",
        };
        assert_eq!(
            cdxj_line(&fields),
            r#"com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", "length": "1228", "offset": "784", "filename": "example.warc.gz"}"#
        );
        let bare = Fields {
            timestamp: "2",
            filename: "é\u{1f600}\"\\\u{1}\u{7f}",
            ..Fields::default()
        };
        assert_eq!(
            cdxj_line(&bare),
            "- 2 {\"length\": \"0\", \"offset\": \"0\", \"filename\": \"\\u00e9\\ud83d\\ude00\\\"\\\\\\u0001\u{7f}\"}"
        );
    }

    #[test]
    fn rules() {
        let fields = Some("application/warc-fields");
        assert!(is_indexed("response", fields) && is_indexed("revisit", None));
        assert!(is_indexed("metadata", None) && !is_indexed("metadata", fields));
        assert!(!is_indexed("request", None) && !is_indexed("warcinfo", None));
        assert!(!is_indexed("conversion", None));
        assert_eq!(mime("revisit", None, None), Some("warc/revisit"));
        assert_eq!(
            mime("response", Some("x"), Some("text/html;a")),
            Some("text/html")
        );
        assert_eq!(mime("response", Some("x"), Some("")), Some(""));
        assert_eq!(mime("response", Some("x"), None), None);
        assert_eq!(mime("resource", Some("a/b c"), None), Some("a/b"));
    }
}
