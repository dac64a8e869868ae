//! The addresses of a `srcset`, such as `small.png 480w, large.png 2x`.

/// The addresses without their descriptors.
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
        let (address, rest_of_candidate) = rest.split_at_checked(end)?;
        let without_comma = address.trim_end_matches(',');
        // A comma inside an address, as in `data:`, does not end it; one at its end does.
        rest = if without_comma.len() < address.len() {
            rest_of_candidate
        } else {
            rest_of_candidate
                .get(end_of_descriptors(rest_of_candidate)..)
                .unwrap_or_default()
        };
        Some(without_comma)
    })
}

/// The position of the comma after the descriptors. Commas in parentheses do not count.
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
    fn commas_separate_candidates_only_after_white_space() {
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
