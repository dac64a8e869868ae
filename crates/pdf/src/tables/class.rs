//! The kind of content in the entries of a table.

/// The content of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Mostly digits.
    Number,
    /// Signs that replace a number, such as a dash.
    Mark,
    Text,
}

impl Class {
    pub(super) fn of(text: &str) -> Self {
        let (mut digits, mut letters, mut other) = (0, 0, 0);
        for character in text.chars() {
            if character.is_numeric() {
                digits += 1;
            } else if character.is_alphabetic() {
                letters += 1;
            } else {
                other += 1;
            }
        }
        if digits > 0 && letters <= 2.max(digits / 2) {
            Self::Number
        } else if letters == 0 && other > 0
            || matches!(
                text.trim_matches(['(', ')', '.'])
                    .to_ascii_lowercase()
                    .as_str(),
                "x" | "na" | "n/a" | "nd" | "n.a" | "nil" | "s" | "d" | "z"
            )
        {
            Self::Mark
        } else {
            Self::Text
        }
    }

    pub(super) fn is_value(self) -> bool {
        self != Self::Text
    }
}

/// Whether a text is a year, a half-year or a quarter.
pub(super) fn is_year(text: &str) -> bool {
    if let Some(quarter) = text.strip_prefix('Q') {
        return matches!(quarter, "1" | "2" | "3" | "4");
    }
    if let Some(half) = text.strip_prefix('H') {
        return matches!(half, "1" | "2");
    }
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    matches!(digits.get(..2), Some([1, 8 | 9] | [2, 0])) && digits.len() >= 4
}
