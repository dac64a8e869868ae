//! The checksum inside a small JSON file, stored as the value of a key. It is computed with zeros
//! in its place. Programs that do not know the checksum can still read the file.

/// The value before the checksum is known.
pub const OPEN: &str = "crc32:00000000";

/// The number of hexadecimal digits of a checksum.
pub(super) const CRC_DIGITS: usize = 8;

/// Returns the place of the digits. Quotation marks in JSON strings are escaped, so no string can
/// look like a key.
fn digits_offset(text: &str, key: &str) -> Option<usize> {
    let start = format!("\"{key}\": \"crc32:");
    let at = text.find(&start)? + start.len();
    let digits = text.get(at..at + CRC_DIGITS)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(at)
}

fn sum(text: &str, offset: usize) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&text.as_bytes()[..offset]);
    hasher.update(&[b'0'; CRC_DIGITS]);
    hasher.update(&text.as_bytes()[offset + CRC_DIGITS..]);
    format!("{:08x}", hasher.finalize())
}

/// Returns the text with its checksum, if it has a place for it.
pub fn seal(text: &str, key: &str) -> String {
    let mut sealed = text.to_owned();
    if let Some(at) = digits_offset(text, key) {
        sealed.replace_range(at..at + CRC_DIGITS, &sum(text, at));
    }
    sealed
}

/// Returns the text of an object with its checksum. Adds the key, or replaces its value, which must
/// not contain a quotation mark.
pub fn seal_object(text: &str, key: &str) -> String {
    if digits_offset(text, key).is_some() {
        return seal(text, key);
    }
    let start = format!("\"{key}\": \"");
    if let Some(at) = text.find(&start)
        && let Some(length) = text[at + start.len()..].find('"')
    {
        let value = at + start.len()..at + start.len() + length;
        let mut text = text.to_owned();
        text.replace_range(value, OPEN);
        return seal(&text, key);
    }
    match text.trim_end().strip_suffix('}') {
        Some(open) => {
            let open = open.trim_end();
            seal(&format!("{open},\n  \"{key}\": \"{OPEN}\"\n}}\n"), key)
        }
        None => text.to_owned(),
    }
}

/// Whether the text is the one that was sealed; `None` if it has no checksum.
pub fn is_intact(text: &str, key: &str) -> Option<bool> {
    let at = digits_offset(text, key)?;
    Some(text[at..at + CRC_DIGITS] == sum(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_sealed_text_is_noticed() {
        let sealed = seal_object("{\n  \"a\": [1, 2]\n}\n", "seal");
        assert_eq!(is_intact(&sealed, "seal"), Some(true));
        let replaced = seal_object("{\n  \"seal\": \"other\",\n  \"a\": 1\n}\n", "seal");
        assert_eq!(is_intact(&replaced, "seal"), Some(true), "{replaced}");
        assert!(!replaced.contains("other"));
        // Seal again, with the existing place.
        let again = seal_object(&sealed.replace("[1", "[7"), "seal");
        assert_ne!(again, sealed);
        assert_eq!(is_intact(&again, "seal"), Some(true));
        let key = sealed.find("\"seal\"").unwrap();
        for (at, byte) in sealed.bytes().enumerate() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = byte ^ 1;
            let changed = String::from_utf8(changed).unwrap();
            let intact = is_intact(&changed, "seal");
            // Without the key, the text is accepted, as if an older program had written it.
            let is_key = (key..key + "\"seal\": \"crc32:".len()).contains(&at);
            assert_eq!(intact, if is_key { None } else { Some(false) }, "{changed}");
        }
        assert_eq!(is_intact("{}", "seal"), None);
        assert_eq!(
            is_intact("{\"a\": \"\\\"seal\\\": \\\"crc32:00000000\"}", "seal"),
            None
        );
    }
}
