//! Kinds of marks that several rule sets ask for.

use crate::characters::{Class, class};

/// Whether a word has no letters and digits, but only punctuation and controls. Currency signs and
/// pictures beyond ASCII are no punctuation.
pub fn is_punctuation(word: &str) -> bool {
    word.chars().all(|character| match class(character) {
        Class::Punctuation => true,
        Class::Symbol => character.is_ascii() || matches!(character, '━' | '►' | '∶' | '´'),
        Class::Other => character.is_control(),
        _ => false,
    })
}

/// Whether a character ends a sentence, in any script.
pub fn ends_sentence(character: char) -> bool {
    match character {
        '.' | '!' | '?' => true,
        _ if character.is_ascii() => false,
        '。' | '．' | '！' | '？' | '｡' | '‼' | '‽' | '⁇' | '⁈' | '⁉' | '⸮' | '⸼' | '⹓' | '⹔' => {
            true
        }
        '﹒' | '﹖' | '﹗' => true,
        // Armenian, Arabic, Syriac, Nko, Samaritan, Indic, Myanmar, Ethiopic, Khmer, Mongolian, Lao…
        '։' | '؝' | '؞' | '؟' | '۔' | '܀' | '܁' | '܂' | '߹' | '࠷' | '࠹' | '࠽' | '࠾' | '।' | '॥'
        | '၊' | '။' | '፧' | '።' | '፨' | '᙮' | '᜵' | '᜶' | '។' | '៕' | '៖' | '៙' | '៚' | '᠃'
        | '᠉' | '᥄' | '᥅' | '᪨' | '᪩' | '᪪' | '᪫' | '᭚' | '᭛' | '᭞' | '᭟' | '᭽' | '᭾' | '᰻'
        | '᰼' | '᱾' | '᱿' => true,
        '꓿' | '꘎' | '꘏' | '꛳' | '꛷' | '꡶' | '꡷' | '꣎' | '꣏' | '꤯' | '꧈' | '꧉' | '꩝' | '꩞' | '꩟'
        | '꫰' | '꫱' | '꯫' => true,
        _ => false,
    }
}
