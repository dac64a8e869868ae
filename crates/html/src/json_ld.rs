//! Values in JSON-LD. This is not a JSON parser, because pages contain broken JSON.

use memchr::memmem;

/// The texts after a key, which includes its quotation marks, as they are written; of a list, the
/// first one.
pub fn values<'j>(json: &'j str, key: &'static str) -> impl Iterator<Item = &'j str> {
    let places = memmem::find_iter(json.as_bytes(), key);
    places.filter_map(move |at| {
        let rest = json.get(at + key.len()..)?.trim_start();
        let rest = rest.strip_prefix(':')?;
        let value = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '[');
        Some(value.strip_prefix('"')?.split_once('"')?.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_key() {
        let json = r#"{"a": "1", "b" :["2", "3"], "a":4, "a", "c": "a", "a":
            "5", "a": "6"#;
        assert_eq!(values(json, "\"a\"").collect::<Vec<_>>(), ["1", "5"]);
        assert_eq!(values(json, "\"b\"").collect::<Vec<_>>(), ["2"]);
    }
}
