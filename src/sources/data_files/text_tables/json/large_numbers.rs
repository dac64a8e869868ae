//! Numbers beyond the range of DOUBLE, such as 1e400.

/// Replaces an infinite number. Both make a column DOUBLE.
const SMALL: &[u8] = b"0.5";

/// Replaces numbers that are infinite as DOUBLE. `None` if a record has none.
pub fn with_small_numbers(record: &[u8]) -> Option<Vec<u8>> {
    let in_number = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
    let mut replaced = Vec::with_capacity(record.len());
    let mut is_changed = false;
    let mut is_quoted = false;
    let mut rest = record;
    while let Some(first) = rest.first() {
        let length = match first {
            b'\\' if is_quoted => 2,
            b'"' => {
                is_quoted = !is_quoted;
                1
            }
            b'-' | b'0'..=b'9' if !is_quoted => {
                let end = rest.iter().position(|byte| !in_number(byte));
                end.unwrap_or(rest.len())
            }
            _ => 1,
        };
        let (part, after) = rest.split_at(length.min(rest.len()));
        let number = std::str::from_utf8(part).ok().filter(|_| !is_quoted);
        let number = number.and_then(|part| part.parse::<f64>().ok());
        if number.is_some_and(f64::is_infinite) {
            replaced.extend_from_slice(SMALL);
            is_changed = true;
        } else {
            replaced.extend_from_slice(part);
        }
        rest = after;
    }
    is_changed.then_some(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_infinite_numbers_outside_of_strings_are_replaced() {
        let digits = "9".repeat(400);
        for (record, expected) in [
            (
                r#"{"a": 1e400, "b": [-1.5E999]}"#,
                Some(r#"{"a": 0.5, "b": [0.5]}"#),
            ),
            (&*format!("[{digits}, 1]"), Some("[0.5, 1]")),
            (r#"{"a\"1e400": "1e400, \\", "b": 1e300}"#, None),
            ("[1e400", Some("[0.5")),
            ("\"\\", None),
            ("[inf, -, 1e400e]", None),
        ] {
            let found = with_small_numbers(record.as_bytes());
            let found = found.map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), expected, "{record}");
        }
    }
}
