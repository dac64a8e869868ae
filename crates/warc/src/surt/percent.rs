//! Percent-encoding with the rules of Google's URL canonicalization.

/// Decodes until no escapes are left: `%2541` becomes `A`.
///
/// Escapes never overlap, so the order of decoding does not matter. One pass that checks the last
/// bytes after each byte has the result of repeated passes, in linear time.
pub fn unescape_repeatedly(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    for byte in bytes {
        decoded.push(*byte);
        while let [.., b'%', high, low] = decoded[..]
            && let (Some(high), Some(low)) = (hex_digit(high), hex_digit(low))
        {
            decoded.truncate(decoded.len() - 3);
            decoded.push(high << 4 | low);
        }
    }
    decoded
}

/// Encodes controls, blanks, `#`, `%` and bytes beyond ASCII.
pub fn escape_once(bytes: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%') {
            encoded.push(*byte);
        } else {
            let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
            encoded.extend_from_slice(&[b'%', HEX[high], HEX[low]]);
        }
    }
    encoded
}

fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescaping() {
        for (text, expected) in [
            ("%41%2541%252541", "AAA"),
            ("%%34%31", "A"),
            ("%4%31", "A"),
            ("%zz%", "%zz%"),
            ("100%", "100%"),
        ] {
            assert_eq!(unescape_repeatedly(text.as_bytes()), expected.as_bytes());
        }
        assert_eq!(
            unescape_repeatedly("%25".repeat(100_000).as_bytes()).len(),
            100_000
        );
        let nested = format!("%{}41", "25".repeat(500_000));
        assert_eq!(unescape_repeatedly(nested.as_bytes()), b"A");
    }

    #[test]
    fn escaping() {
        assert_eq!(escape_once(b"a b#%~\x7f\xe9"), b"a%20b%23%25~%7F%E9");
    }
}
