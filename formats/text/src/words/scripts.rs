//! Scripts without spaces between words.

use crate::characters::{Class, class};

/// Appends the runs of one script of a text without white space and punctuation.
pub fn split<'a>(text: &'a str, words: &mut Vec<&'a str>) {
    if text.is_ascii() {
        words.push(text);
        return;
    }
    let mut start = 0;
    let mut run = None;
    for (at, character) in text.char_indices() {
        let script = script(character);
        // Marks and modifiers belong to the word that they are in, and so does the long vowel mark.
        let Some(script) = script else { continue };
        if let Some(run) = run
            && run != script
        {
            words.push(&text[start..at]);
            start = at;
        }
        run = Some(script);
    }
    words.push(&text[start..]);
}

/// What a run consists of; `None` for characters that never end one.
fn script(character: char) -> Option<Class> {
    if character == 'ー' {
        return None;
    }
    match class(character) {
        script @ (Class::Hiragana | Class::Katakana | Class::Han) => Some(script),
        Class::Letter | Class::Hangul | Class::Digit => Some(Class::Letter),
        _ => None,
    }
}
