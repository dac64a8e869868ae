//! Numbers in properties and attributes.

use super::element::Element;
use corpus_markup::Tag;

/// The error for a value without any number.
pub(super) const NO_NUMBERS: &str = "expected numbers, got none";

/// The error for a value with fewer numbers than expected.
pub(super) fn missing_numbers(expected: usize, count: usize) -> String {
    format!("expected {expected} numbers, got {count}")
}
/// Parses a decimal number. Names such as `nan` and infinite values are rejected.
pub(super) fn number(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    // Most values are a few digits; handle them without the general parser.
    if bytes.len() <= 9 && bytes.iter().all(u8::is_ascii_digit) && !bytes.is_empty() {
        let value = bytes
            .iter()
            .fold(0u32, |value, digit| value * 10 + u32::from(digit - b'0'));
        return Some(f64::from(value));
    }
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    text.parse()
        .ok()
        .filter(|value: &f64| has_digit && value.is_finite())
}

/// Like [`number`], with an error message.
pub(super) fn parse_number(text: &str) -> Result<f64, String> {
    number(text).ok_or_else(|| format!("expected a number, got {}", excerpt(text)))
}

/// The number in an attribute, if the tag has it.
pub(super) fn attribute(tag: &Tag<'_>, name: &str, element: &mut Element<'_>) -> Option<f64> {
    let value = tag.attributes().value(name)?;
    element.keep(name, parse_number(value.trim_ascii()))
}

/// The words between white space and commas.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
}

/// The mean of the numbers between white space.
pub(super) fn mean(text: &str) -> Result<f64, String> {
    let (mut sum, mut count) = (0.0, 0u32);
    for word in words(text) {
        sum += parse_number(word)?;
        count += 1;
    }
    if count == 0 {
        return Err(NO_NUMBERS.to_owned());
    }
    Ok(sum / f64::from(count))
}

/// The beginning of a text, for a message.
pub(super) fn excerpt(text: &str) -> &str {
    const MAX_BYTES: usize = 40;
    text.get(..text.floor_char_boundary(MAX_BYTES))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{excerpt, mean, number, words};

    #[test]
    fn a_number_is_decimal() {
        for (text, value) in [
            ("0", 0.0),
            ("0012", 12.0),
            ("999999999", 999_999_999.0),
            ("1099511627776", 1_099_511_627_776.0),
            ("-3", -3.0),
            ("+3", 3.0),
            ("1.5", 1.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "e",
            "nan",
            "inf",
            "-infinity",
            "1e999",
            "0x10",
            "1_000",
            "12px",
            "١",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_separated_by_blanks_or_commas() {
        let all: Vec<_> = words(" 1\t2,3 , 4\n x ").collect();
        assert_eq!(all, ["1", "2", "3", "4", "x"]);
    }

    #[test]
    fn a_mean_needs_numbers() {
        assert_eq!(mean("1 2 6"), Ok(3.0));
        assert_eq!(mean(" "), Err(super::NO_NUMBERS.to_owned()));
        assert_eq!(mean("1 x"), Err("expected a number, got x".to_owned()));
    }

    #[test]
    fn an_excerpt_ends_with_a_character() {
        assert_eq!(excerpt("short"), "short");
        let long = "é".repeat(30);
        assert_eq!(excerpt(&long), "é".repeat(20));
        assert_eq!(excerpt(&format!("a{long}")), format!("a{}", "é".repeat(19)));
    }
}
