//! Types in messages, under the names that people write.

/// DataFusion's names of types, and their names in SQL.
const NAMES: &[(&str, &str)] = &[
    ("Utf8", "text"),
    ("LargeUtf8", "text"),
    ("Utf8View", "text"),
    ("Binary", "bytes"),
    ("LargeBinary", "bytes"),
    ("BinaryView", "bytes"),
    ("Boolean", "boolean"),
    ("Int8", "tinyint"),
    ("Int16", "smallint"),
    ("Int32", "int"),
    ("Int64", "bigint"),
    ("UInt8", "tinyint unsigned"),
    ("UInt16", "smallint unsigned"),
    ("UInt32", "int unsigned"),
    ("UInt64", "bigint unsigned"),
    ("Float32", "float"),
    ("Float64", "double"),
    ("Date32", "date"),
    ("Date64", "date"),
];

/// The starts of DataFusion's messages about types that do not fit.
const OPENINGS: [&str; 8] = [
    "No function matches the given name",
    "Cannot coerce",
    "Cannot infer common",
    "cannot choose between",
    "does not support type",
    "expected a list as first argument",
    "lambda must return boolean",
    "requires a boolean expression",
];

/// Gives types their names in a message about types. Other messages may quote values of the user.
pub fn named(text: &str) -> String {
    if !OPENINGS.iter().any(|opening| text.contains(opening)) {
        return text.to_owned();
    }
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, word) = rest.split_at(start);
        let end = word
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        named.push_str(before);
        let known = NAMES.iter().find(|(name, _)| *name == word);
        // Utf8("a") is a literal.
        match known.filter(|_| !after.starts_with('(')) {
            Some((_, name)) => named.push_str(name),
            None => named.push_str(word),
        }
        rest = after;
    }
    named.push_str(rest);
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_names_of_sql() {
        for (text, expected) in [
            (
                "No function matches the given name and argument types 'sqrt(Utf8View, List(Int64))'.",
                "No function matches the given name and argument types 'sqrt(text, List(bigint))'.",
            ),
            (
                "Cannot coerce arithmetic expression Int64_a + Boolean to valid types",
                "Cannot coerce arithmetic expression Int64_a + boolean to valid types",
            ),
            ("the file 'Int64' is damaged", "the file 'Int64' is damaged"),
        ] {
            assert_eq!(named(text), expected);
        }
    }
}
