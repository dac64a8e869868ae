//! Superscripts and subscripts in plain text: `10⁻⁴`, `H₂O`, `x^(n+1)`, `x_i`.

use crate::characters::joins_lines;

/// The position of a script relative to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Super,
    Sub,
}

/// Maximum number of bytes examined before a script: enough for a word.
const MAX_WORD_BYTES: usize = 32;
/// Longer scripts are small print rather than exponents or indexes, and are not rewritten.
const MAX_SCRIPT_BYTES: usize = 96;

/// Endings of ordinal numbers.
const ORDINALS: &[&str] = &[
    "st", "nd", "rd", "th", "e", "er", "re", "ère", "ere", "ème", "eme", "me", "ieme", "ième",
    "de", "nde", "os", "as", "o", "a", "ra", "er", "ro", "da", "do", "to", "ta", "va", "vo", "mo",
    "te", "ste", "le", "ος", "η", "ο", "й", "я", "е", "го",
];

/// Endings of abbreviations, as in `Mme` and `Bros`.
const ABBREVIATIONS: &[&str] = &[
    "th", "st", "nd", "rd", "me", "mes", "lle", "lles", "er", "re", "ère", "ème", "gr", "ve", "te",
    "os", "as", "ts", "ls",
];

/// Returns the replacement of a script, given the text before it on the line; `None` to keep it
/// unchanged. `has_base` means that it directly follows a character.
pub fn rewrite(before: &str, script: &str, position: Script, has_base: bool) -> Option<String> {
    if script.len() > MAX_SCRIPT_BYTES || script.contains(['\n', '\t']) {
        return None;
    }
    if let Some(number) = in_unicode(script, position) {
        return Some(number);
    }
    if !has_base || !script.contains(char::is_alphanumeric) || is_reference(script) {
        return None;
    }
    if position == Script::Super {
        if script.eq_ignore_ascii_case("tm") {
            return Some("™".to_owned());
        }
        if script.eq_ignore_ascii_case("sm") {
            return Some("℠".to_owned());
        }
        if is_ending(before, script) {
            return None;
        }
    }
    if script.contains(' ') {
        return Some(format!(" {script}"));
    }
    let sign = match position {
        Script::Super => '^',
        Script::Sub => '_',
    };
    Some(if is_atom(script) || is_in_parentheses(script) {
        format!("{sign}{script}")
    } else {
        format!("{sign}({script})")
    })
}

/// A number in the superscript or subscript characters of Unicode. Lists of numbers are numbers.
pub fn in_unicode(script: &str, position: Script) -> Option<String> {
    let mut has_value = false;
    let mut written = String::with_capacity(3 * script.len());
    for character in script.chars() {
        has_value |= !matches!(character, '(' | ')' | ',' | ' ');
        written.push(unicode(character, position)?);
    }
    has_value.then_some(written)
}

fn unicode(character: char, position: Script) -> Option<char> {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    const SUBSCRIPTS: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    let is_super = position == Script::Super;
    let digits = if is_super { &SUPERSCRIPTS } else { &SUBSCRIPTS };
    if let Some(digit) = character.to_digit(10) {
        return digits.get(digit as usize).copied();
    }
    Some(match character {
        ',' | ' ' => character,
        '+' if is_super => '⁺',
        '-' | '−' | '–' | '‐' | '‑' if is_super => '⁻',
        '=' if is_super => '⁼',
        '(' if is_super => '⁽',
        ')' if is_super => '⁾',
        '+' => '₊',
        '-' | '−' | '–' | '‐' | '‑' => '₋',
        '=' => '₌',
        '(' => '₍',
        ')' => '₎',
        _ => return None,
    })
}

/// Whether a script refers to a note: `[1]`, `*2`, `†`, `注1`.
fn is_reference(script: &str) -> bool {
    script.starts_with(['[', '*', '†', '‡', '§', '¶', '#', '※']) || script.chars().any(joins_lines)
}

/// Whether a script is the ending of an ordinal or abbreviation, which is also set on the line.
fn is_ending(before: &str, script: &str) -> bool {
    let lower = script.to_lowercase();
    let lower = lower.trim_end_matches('.');
    let start = before.ceil_char_boundary(before.len().saturating_sub(MAX_WORD_BYTES));
    let before = before.get(start..).unwrap_or_default();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    if word.ends_with(char::is_numeric) {
        return ORDINALS.contains(&lower);
    }
    let is_roman = !word.is_empty() && word.chars().all(|c| "IVXLCDM".contains(c));
    let is_long = word.chars().nth(1).is_some();
    match lower {
        "e" | "er" | "o" | "a" | "r" | "re" if is_roman || is_long => true,
        "o" | "os" => matches!(word, "n" | "N"),
        "r" => word == "D",
        _ => ABBREVIATIONS.contains(&lower),
    }
}

/// Whether a script is one name or number, so that it needs no parentheses.
fn is_atom(script: &str) -> bool {
    let unsigned = script.strip_prefix(['+', '-', '−', '–']).unwrap_or(script);
    let is_part = |c: char| (c.is_alphanumeric() && !is_script(c)) || matches!(c, '.' | '′' | '\'');
    !unsigned.is_empty() && unsigned.chars().all(is_part)
}

/// Whether this is a character that [`unicode`] returns.
fn is_script(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '⁰'..='₎')
}

/// Whether a text is in a pair of parentheses.
fn is_in_parentheses(text: &str) -> bool {
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inside.is_some_and(|inside| !inside.contains(['(', ')']))
}

#[cfg(test)]
mod tests {
    use super::Script::{Sub, Super};
    use super::*;

    #[track_caller]
    fn assert_written(position: Script, cases: &[(&str, &str, &str)]) {
        for (before, script, expected) in cases {
            let has_base = before.ends_with(|c: char| !c.is_whitespace());
            let written = rewrite(before, script, position, has_base);
            let text = format!("{before}{}", written.as_deref().unwrap_or(script));
            assert_eq!(text, *expected, "{before} {script}");
        }
    }

    #[test]
    fn numbers_become_superscript_digits() {
        assert_written(
            Super,
            &[
                ("10", "−4", "10⁻⁴"),
                ("10", "-4", "10⁻⁴"),
                ("2", "10", "2¹⁰"),
                ("Na", "+", "Na⁺"),
                ("", "14", "¹⁴"),
                ("word", "1, 2", "word¹, ²"),
                ("f", "(3)", "f⁽³⁾"),
            ],
        );
    }

    #[test]
    fn other_exponents_follow_a_caret() {
        assert_written(
            Super,
            &[
                ("x", "n", "x^n"),
                ("x", "n+1", "x^(n+1)"),
                ("10", "0.5", "10^0.5"),
                ("e", "−x", "e^−x"),
                ("f", "(n)", "f^(n)"),
                ("e", "(a)(b)", "e^((a)(b))"),
                ("10", "10²", "10^(10²)"),
                ("2", "n", "2^n"),
                ("word", "a note", "word a note"),
            ],
        );
    }

    #[test]
    fn ordinals_abbreviations_and_references_stay() {
        assert_written(
            Super,
            &[
                ("1", "st", "1st"),
                ("the 22", "ND", "the 22ND"),
                ("XX", "e", "XXe"),
                ("V", "e", "Ve"),
                ("n", "o", "no"),
                ("M", "lle", "Mlle"),
                ("n", "th", "nth"),
                ("word", "[1]", "word[1]"),
                ("word", "*", "word*"),
                ("word", "*1", "word*1"),
                ("語", "注1", "語注1"),
                ("Brand", "TM", "Brand™"),
                ("", "a", "a"),
            ],
        );
    }

    #[test]
    fn subscripts_are_lowered() {
        assert_written(
            Sub,
            &[
                ("H", "2", "H₂"),
                ("x", "i", "x_i"),
                ("x", "i,j", "x_(i,j)"),
                ("V", "max", "V_max"),
            ],
        );
    }
}
