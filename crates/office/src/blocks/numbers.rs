//! The numbers of lists and headings as they are shown.

use corpus_blocks::numerals::roman;

/// The largest number written in letters or Roman numerals. Larger ones would be long.
const MAX_LETTERS: i64 = 4999;

/// Maximum length of the text around a number. Longer texts are dropped, because each heading
/// repeats them.
pub const MAX_AFFIX_BYTES: usize = 64;

/// Returns a number in the format of OpenDocument: `1`, `01`, `a`, `A`, `i` or `I`.
pub fn shown(number: i64, format: &str) -> String {
    let written = match format {
        "01" => Some(format!("{number:02}")),
        "a" | "A" => (1..=MAX_LETTERS).contains(&number).then(|| letters(number)),
        "i" | "I" => roman(number),
        _ => None,
    };
    match written {
        Some(written) if matches!(format, "A" | "I") => written.to_uppercase(),
        Some(written) => written,
        None => number.to_string(),
    }
}

/// `a` to `z`, then `aa`, `bb` and so on.
fn letters(number: i64) -> String {
    let index = u8::try_from((number - 1) % 26).unwrap_or_default();
    let count = usize::try_from((number - 1) / 26 + 1).unwrap_or_default();
    char::from(b'a' + index).to_string().repeat(count)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_have_formats() {
        for (number, format, expected) in [
            (7, "1", "7"),
            (7, "01", "07"),
            (26, "a", "z"),
            (28, "A", "BB"),
            (1994, "i", "mcmxciv"),
            (4, "I", "IV"),
            (0, "i", "0"),
            (i64::MAX, "a", "9223372036854775807"),
            (3, "一, 二, 三, ...", "3"),
        ] {
            assert_eq!(shown(number, format), expected, "{format}");
        }
    }
}
