//! Strings in PDF syntax.

/// A text string, as for titles and field values: in ASCII if possible, otherwise in UTF-16.
pub fn text(value: &str) -> String {
    if value.is_ascii() {
        return literal(value.as_bytes());
    }
    let units = std::iter::once(0xFEFF).chain(value.encode_utf16());
    hex(&units.flat_map(u16::to_be_bytes).collect::<Vec<u8>>())
}

/// A string in parentheses; the bytes have to be ASCII.
pub fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("(");
    for byte in bytes {
        match byte {
            b'(' | b')' | b'\\' => out.extend(['\\', char::from(*byte)]),
            b'\r' => out.push_str("\\r"),
            _ => out.push(char::from(*byte)),
        }
    }
    out.push(')');
    out
}

/// A string as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("<{digits}>")
}
