//! The numbers of lists and headings as they are shown.

/// Larger numbers are written in digits, because letters and Roman numerals would be long.
const MAX_NUMERAL: i64 = 4999;

/// Longer texts around numbers are left out, because each heading repeats them.
pub const MAX_AFFIX_BYTES: usize = 64;

/// Returns a number in the format of OpenDocument: `1`, `01`, `a`, `A`, `i` or `I`.
pub fn shown(number: i64, format: &str) -> String {
    let is_short = (1..=MAX_NUMERAL).contains(&number);
    match format {
        "01" => format!("{number:02}"),
        "a" if is_short => letters(number),
        "A" if is_short => letters(number).to_uppercase(),
        "i" if is_short => roman(number),
        "I" if is_short => roman(number).to_uppercase(),
        _ => number.to_string(),
    }
}

/// `a` to `z`, then `aa`, `bb` and so on.
fn letters(number: i64) -> String {
    let index = u8::try_from((number - 1) % 26).unwrap_or_default();
    let count = usize::try_from((number - 1) / 26 + 1).unwrap_or_default();
    char::from(b'a' + index).to_string().repeat(count)
}

fn roman(mut number: i64) -> String {
    const NUMERALS: [(i64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut written = String::new();
    for (value, numeral) in NUMERALS {
        while number >= value {
            written.push_str(numeral);
            number -= value;
        }
    }
    written
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
