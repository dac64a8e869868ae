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
