//! Reads the characters of texts, with full-width ones converted to ASCII.

/// The character that starts at an offset, folded, and the offset of the next one. `None` at the
/// end.
pub fn after(text: &str, at: usize) -> Option<(char, usize)> {
    let character = text[at..].chars().next()?;
    Some((fold(character), at + character.len_utf8()))
}

/// The character that ends at an offset, folded, and its offset. `None` at the start.
pub fn before(text: &str, at: usize) -> Option<(char, usize)> {
    let character = text[..at].chars().next_back()?;
    Some((fold(character), at - character.len_utf8()))
}

fn fold(character: char) -> char {
    match character {
        // From '！' to '～', in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xff01 + 0x21).unwrap_or(character)
        }
        '\u{3000}' | '\u{a0}' => ' ',
        _ => character,
    }
}

/// Whether a character is used as a hyphen between numbers.
pub fn is_hyphen(character: char) -> bool {
    matches!(
        character,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{30fc}' | '\u{ff70}' | '\u{2500}'
    )
}
