//! Names that damage has changed in a single byte.

use hayro_syntax::object::{Dict, Name};

/// Finds a misspelt key: one that differs from `key` in a single byte. `None` if the dictionary has
/// `key` itself.
pub fn misspelt_key<'a>(dict: &Dict<'a>, key: &[u8]) -> Option<Name<'a>> {
    if dict.contains_key(key) {
        return None;
    }
    dict.keys().find(|found| is_misspelt(found, key))
}

/// Whether a name is another one apart from a single byte.
pub fn is_misspelt(name: &[u8], other: &[u8]) -> bool {
    let differences = name.iter().zip(other).filter(|(a, b)| a != b).count();
    name.len() == other.len() && differences == 1
}

#[cfg(test)]
mod tests {
    use hayro_syntax::object::FromBytes;

    use super::*;

    #[test]
    fn keys_with_one_other_byte_are_found() {
        for (dict, expected) in [
            ("<< /Contentr 1 /A 2 >>", true),
            ("<< /Co#00tents 1 >>", true),
            ("<< /Content 1 /Contentss 2 /Condendz 3 >>", false),
            ("<< /Contents 1 /Contentr 2 >>", false),
        ] {
            let dict = Dict::from_bytes(dict.as_bytes()).unwrap();
            assert_eq!(misspelt_key(&dict, b"Contents").is_some(), expected);
        }
    }
}
