//! Roman numerals, as lists and headings show them.

/// The largest Roman numeral: larger ones would need a fourth M.
const MAX_NUMBER: i64 = 3999;

const DIGITS: [(i64, &str); 13] = [
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

/// Returns a number in lower-case Roman numerals. `None` if it is outside 1 to 3999.
///
/// ```
/// assert_eq!(corpus_blocks::numerals::roman(1994).as_deref(), Some("mcmxciv"));
/// assert_eq!(corpus_blocks::numerals::roman(4000), None);
/// ```
pub fn roman(number: i64) -> Option<String> {
    if !(1..=MAX_NUMBER).contains(&number) {
        return None;
    }
    let mut rest = number;
    let mut text = String::new();
    for (value, digit) in DIGITS {
        while rest >= value {
            text.push_str(digit);
            rest -= value;
        }
    }
    Some(text)
}
