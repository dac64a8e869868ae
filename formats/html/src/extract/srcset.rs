//! The addresses of a `srcset`: `small.png 480w, large.png 2x`.

/// The addresses, without what is said of their sizes.
pub fn addresses(srcset: &str) -> impl Iterator<Item = &str> {
    let mut rest = srcset;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let (address, behind) = rest.split_at_checked(end)?;
        let without_comma = address.trim_end_matches(',');
        // A comma in an address, as in `data:`, does not end it; one behind it does.
        rest = if without_comma.len() < address.len() {
            behind
        } else {
            behind.get(end_of_descriptors(behind)..).unwrap_or_default()
        };
        Some(without_comma)
    })
}

/// Where the comma behind the descriptors is. In parentheses there may be others.
fn end_of_descriptors(text: &str) -> usize {
    let mut in_parentheses = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::addresses;

    #[test]
    fn commas_part_candidates_only_behind_white_space() {
        for (srcset, expected) in [
            ("", &[][..]),
            (" , ", &[]),
            ("a.png", &["a.png"]),
            ("a.png 1x, b.png 2x", &["a.png", "b.png"]),
            ("a.png, b.png", &["a.png", "b.png"]),
            ("a,b.png 1x ,c.png", &["a,b.png", "c.png"]),
            ("a 1x f(2,3), b", &["a", "b"]),
            (
                "data:image/png;base64,AA== 1x, b",
                &["data:image/png;base64,AA==", "b"],
            ),
        ] {
            assert_eq!(
                addresses(srcset).collect::<Vec<_>>(),
                expected,
                "{srcset:?}"
            );
        }
    }
}
