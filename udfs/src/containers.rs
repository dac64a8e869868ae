//! Detects files of many documents that are passed by mistake to functions for single ones.

/// Describes a file of many documents, and names the table function that reads it; `None` for other
/// bytes.
pub fn advice(bytes: &[u8]) -> Option<&'static str> {
    if is_sequence_file(bytes) {
        return Some(
            "this is a SequenceFile with many documents; read it with read_sequencefile and pass \
             its column value",
        );
    }
    is_web_archive(bytes).then_some(
        "this is a web archive with many documents; read it with read_warc and pass \
         http_response(body)['body']",
    )
}

/// Whether a SequenceFile starts with these bytes.
pub fn is_sequence_file(start: &[u8]) -> bool {
    const NEWEST_VERSION: u8 = 6;
    matches!(start, [b'S', b'E', b'Q', version, ..] if *version <= NEWEST_VERSION)
}

/// Whether a web archive that is not compressed starts with these bytes.
pub fn is_web_archive(start: &[u8]) -> bool {
    matches!(start, [b'W', b'A', b'R', b'C', b'/', b'0' | b'1', b'.', ..])
        || start.starts_with(b"filedesc://")
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn files_of_many_documents() {
        for (start, function) in [
            (&b"SEQ\x06\x19org"[..], "read_sequencefile"),
            (b"SEQ\x04", "read_sequencefile"),
            (b"WARC/1.1\r\n", "read_warc"),
            (b"WARC/0.17\r\n", "read_warc"),
            (b"filedesc://a.arc 0", "read_warc"),
        ] {
            assert!(advice(start).is_some_and(|text| text.contains(function)));
        }
        for other in [
            &b""[..],
            b"SEQ",
            b"SEQUENCE",
            b"WARC",
            b"<html>",
            b"%PDF-1.4",
        ] {
            assert_eq!(advice(other), None, "{other:?}");
        }
    }
}
