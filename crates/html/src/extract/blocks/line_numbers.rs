//! Removes the line numbers of code, which only belong to its layout.

use std::borrow::Cow;

/// Minimum number of numbered lines; fewer may be code that looks like numbers.
const MIN_LINES: usize = 3;

/// Removes the numbers from code in which each line follows its number: `1`, a line, `2`, ...
pub fn without_numbers(code: &str) -> Cow<'_, str> {
    if !code.starts_with("1\n") {
        return code.into();
    }
    let mut lines = Vec::new();
    let mut number = 0;
    let mut has_line = false;
    for line in code.split('\n').filter(|line| !line.is_empty()) {
        if line.parse() == Ok(number + 1) {
            // A number without a line belongs to a blank line.
            if number > 0 && !has_line {
                lines.push("");
            }
            number += 1;
            has_line = false;
        } else if has_line {
            return code.into();
        } else {
            lines.push(line);
            has_line = true;
        }
    }
    // Without lines, these are only numbers.
    if number < MIN_LINES || lines.iter().all(|line| line.is_empty()) {
        return code.into();
    }
    lines.join("\n").into()
}

/// Removes the common indent of all lines, which separated them from their numbers.
pub fn without_common_indent(code: &str) -> String {
    let lines = || code.split('\n');
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let filled = lines().filter(|line| !line.trim().is_empty());
    let common = filled.map(indent).min().unwrap_or_default();
    let line = |line: &'_ str| line.get(common..).unwrap_or_default().to_owned();
    lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether code consists of line numbers only. A single number counts only if it is declared as
/// one.
pub fn are_numbers(code: &str, is_declared: bool) -> bool {
    let mut last: Option<usize> = None;
    let mut lines = code.split_whitespace();
    let is_next = |line: &str| {
        let number = line.parse().ok();
        let is_next = number.is_some() && last.is_none_or(|last| number == last.checked_add(1));
        last = number;
        is_next
    };
    lines.all(is_next) && (is_declared || code.split_whitespace().nth(1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_lines_are_removed() {
        assert_eq!(without_numbers("1\na\n2\n3\n  b\n4\n5\nc"), "a\n\n  b\n\nc");
        for code in [
            "1\na\n2\nb",
            "1\n2\n3\n4",
            "1\na\nb\n2\nc\n3\nd",
            "2\na\n3\nb\n4\nc",
            "1",
        ] {
            assert_eq!(without_numbers(code), code);
        }
    }

    #[test]
    fn numbers_beside_lines_are_recognized() {
        assert!(are_numbers("1\n2\n3", false));
        assert!(are_numbers("9 10", false));
        assert!(are_numbers("1", true));
        for code in ["", "1", "1\n3", "1\na", "2\n1"] {
            assert!(!are_numbers(code, false), "{code}");
        }
    }
}
