//! What is done to every character before it becomes text.

/// Writes ligatures out unless they are to be kept.
pub fn written_out(c: char, keep_ligatures: bool) -> impl Iterator<Item = char> {
    let written: &'static str = match c {
        _ if keep_ligatures => "",
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => "",
    };
    written.chars().chain(written.is_empty().then_some(c))
}

/// Appends the text of a code: without ligatures, and with plain spaces.
pub fn push(out: &mut String, text: &str, keep_ligatures: bool) {
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' | '\u{a0}' => out.push(' '),
            c => out.extend(written_out(c, keep_ligatures)),
        }
    }
}

/// Whether a text is sure: not only characters that are private, unassigned or controls. None at all is sure, too.
pub fn is_meaningful(text: &str) -> bool {
    text.is_empty()
        || text
            .chars()
            .any(|c| !is_private(c) && c != '\u{fffd}' && (!c.is_control() || c.is_whitespace()))
}

pub fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}
