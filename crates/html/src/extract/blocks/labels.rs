//! The labels of list items that are part of the text.

/// The signs that Word shows as bullets in fonts of symbols.
const BULLETS: [char; 6] = ['o', '§', 'Ø', 'ü', 'v', 'q'];
/// Longer labels are neither bullets nor numbers.
pub const MAX_LABEL_BYTES: usize = 5;

/// The number of an item by its label, such as `1)`. A letter counts from `a`.
pub fn number_of_label(label: &str) -> Option<i64> {
    let label = label.trim().trim_matches(['.', ')', '(', '[', ']']);
    match *label.as_bytes() {
        [letter @ b'a'..=b'z'] if label != "o" => Some(i64::from(letter - b'a') + 1),
        [letter @ b'A'..=b'Z'] => Some(i64::from(letter - b'A') + 1),
        _ => label.parse().ok(),
    }
}

/// The label at the start of a text, such as `· ` or `1. `.
pub fn label_of(text: &str) -> Option<&str> {
    let (label, _) = text.split_once(' ')?;
    let mut characters = label.chars();
    let first = characters.next()?;
    let is_sign =
        characters.next().is_none() && (!first.is_alphanumeric() || BULLETS.contains(&first));
    let is_number = label.len() <= MAX_LABEL_BYTES
        && label.strip_suffix(['.', ')']).is_some_and(|number| {
            number.chars().all(char::is_alphanumeric)
                && (number.bytes().all(|byte| byte.is_ascii_digit()) || number.len() == 1)
        });
    (is_sign || is_number).then_some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_bullets_and_numbers() {
        for (text, label) in [
            ("· Apples", Some("·")),
            ("o Green", Some("o")),
            ("12. First", Some("12.")),
            ("b) Second", Some("b)")),
            ("I went", None),
            ("etc. and", None),
            ("·", None),
        ] {
            assert_eq!(label_of(text), label, "{text}");
        }
    }
}
