//! Parts and chapters: headings such as `Part II` and `Chapter 3: Rivers`.

use super::marker::roman;

/// The words for parts of books, in lower case.
const PARTS: [&str; 7] = ["part", "teil", "partie", "parte", "deel", "часть", "book"];
/// The words for chapters.
const CHAPTERS: [&str; 8] = [
    "chapter",
    "kapitel",
    "chapitre",
    "capítulo",
    "capitulo",
    "capitolo",
    "hoofdstuk",
    "глава",
];
/// Numbers as words.
const NUMBERS: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
/// The maximum number of bytes of a number.
const MAX_NUMBER: usize = 9;

/// A division of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Division {
    Part,
    Chapter,
}

/// The division with whose word and number a text starts, and what follows them.
pub fn division(text: &str) -> Option<(Division, &str)> {
    let (word, rest) = text.trim_start().split_once(' ')?;
    let is_capital = word.chars().next().is_some_and(char::is_uppercase);
    let lower = word.to_lowercase();
    let division = if !is_capital {
        return None;
    } else if PARTS.contains(&&*lower) {
        Division::Part
    } else if CHAPTERS.contains(&&*lower) {
        Division::Chapter
    } else {
        return None;
    };
    let rest = rest.trim_start();
    let end = rest
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let lower = number.to_lowercase();
    let is_number = number.len() <= MAX_NUMBER
        && (number.bytes().all(|byte| byte.is_ascii_digit())
            || number.len() == 1 && number.starts_with(char::is_uppercase)
            || number.starts_with(char::is_uppercase) && roman(&lower).is_some()
            || NUMBERS.contains(&&*lower));
    (is_number && !number.is_empty()).then_some((division, rest))
}

/// Whether a text is only the number of a division: `Chapter 3`, `IV` or `12.`.
pub fn is_label(text: &str) -> bool {
    let is_blank = |rest: &str| !rest.contains(char::is_alphanumeric);
    let core = text.trim().trim_end_matches(['.', ':']);
    let is_number = core.len() <= MAX_NUMBER
        && !core.is_empty()
        && (core.bytes().all(|byte| byte.is_ascii_digit())
            || core.bytes().all(|byte| byte.is_ascii_uppercase()) && roman(core).is_some());
    is_number || division(text).is_some_and(|(_, rest)| is_blank(rest))
}
