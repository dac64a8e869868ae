//! Normalizes characters before they become text.

use super::radicals;

/// Expands ligatures and replaces radicals by their characters, unless `keep_ligatures` is set.
pub fn expand_ligatures(c: char, keep_ligatures: bool) -> impl Iterator<Item = char> {
    let expansion: &'static str = match c {
        _ if keep_ligatures => "",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        '\u{2e80}'..='\u{2fd5}' => radicals::character(c),
        _ => "",
    };
    expansion.chars().chain(expansion.is_empty().then_some(c))
}

/// Appends the text of a code, with ligatures expanded and all spaces plain.
pub fn push(out: &mut String, text: &str, keep_ligatures: bool) {
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' | '\u{a0}' => out.push(' '),
            c => out.extend(expand_ligatures(c, keep_ligatures)),
        }
    }
}

/// Whether a text can be trusted: it is empty, or has a character that is not private-use, a
/// replacement or a control.
pub fn is_meaningful(text: &str) -> bool {
    text.is_empty()
        || text
            .chars()
            .any(|c| !is_private(c) && c != '\u{fffd}' && (!c.is_control() || c.is_whitespace()))
}

pub fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}
