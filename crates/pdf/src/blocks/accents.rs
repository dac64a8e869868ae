//! Accents that fonts draw as separate characters, and typographic hyphens.

use std::borrow::Cow;

use unicode_normalization::char::compose;

/// Puts accents on their letters, and replaces typographic hyphens. Some fonts draw accents before
/// the letter, and use one glyph for all hyphens.
pub(super) fn tidy(word: &str) -> Cow<'_, str> {
    let is_odd = |c: char| combining(c).is_some() || is_hyphen(c);
    if word.is_ascii() || !word.contains(is_odd) {
        return Cow::Borrowed(word);
    }
    let mut tidied = String::with_capacity(word.len());
    let mut characters = word.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let composed = next
            .zip(combining(character))
            .and_then(|(letter, accent)| compose(add_dot(letter), accent));
        match composed {
            Some(composed) => {
                tidied.push(composed);
                characters.next();
            }
            None if is_hyphen(character) => tidied.push('-'),
            None => tidied.push(character),
        }
    }
    Cow::Owned(tidied)
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '\u{2010}' | '\u{2011}')
}

/// The letter with its dot. Accents on i and j replace the dot.
fn add_dot(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    }
}

/// The combining form of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '´' => '\u{301}',
        'ˋ' => '\u{300}',
        '¨' => '\u{308}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¸' => '\u{327}',
        'ˇ' => '\u{30c}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        _ => return None,
    })
}
