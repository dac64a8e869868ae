//! White space.

use std::borrow::Cow;

/// Replaces each run of white space by one space, or by one newline if `keep_lines` and the run
/// has a line end. White space at the ends of the text goes.
///
/// ```
/// use corpus_text::normalize::collapse_space;
///
/// assert_eq!(collapse_space("  a \t b \n\n c ", false), "a b c");
/// assert_eq!(collapse_space("  a \t b \n\n c ", true), "a b\nc");
/// ```
pub fn collapse_space(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let trimmed = text.trim();
    if is_collapsed(trimmed, keep_lines) {
        return Cow::Borrowed(trimmed);
    }
    let mut result = String::with_capacity(trimmed.len());
    let mut separator = None;
    for character in trimmed.chars() {
        if character.is_whitespace() {
            separator = if keep_lines && is_line_end(character) {
                Some('\n')
            } else {
                separator.or(Some(' '))
            };
        } else {
            result.extend(separator.take());
            result.push(character);
        }
    }
    Cow::Owned(result)
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_collapsed(text: &str, keep_lines: bool) -> bool {
    let mut after_space = false;
    text.chars().all(|character| {
        let is_space = character.is_whitespace();
        let is_usual = character == ' ' || keep_lines && character == '\n';
        let is_fine = !is_space || is_usual && !after_space;
        after_space = is_space;
        is_fine
    })
}
