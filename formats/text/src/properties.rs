//! What the rules ask about characters, in one table: a lookup costs less than the questions.

use std::sync::LazyLock;

use crate::characters::{Class, class};

/// The answers about one character. Those about several are combined by `&` and `|`.
pub type Properties = u8;

/// The mask of the script: characters of different scripts are different words.
pub const SCRIPT: Properties = 0b111;
/// A character that belongs to the word it is in: marks and modifiers, and the long vowel mark.
pub const NO_SCRIPT: Properties = 0;
/// A mark that may split a word.
pub const INFIX: Properties = 1 << 3;
/// Punctuation, as rules count it.
pub const PUNCTUATION: Properties = 1 << 4;
pub const ALPHABETIC: Properties = 1 << 5;
pub const ENDS_SENTENCE: Properties = 1 << 6;

/// Characters from here on are rare, and looked up without the table.
const TABLE_END: u32 = 0x1_0000;

static TABLE: LazyLock<Box<[Properties]>> = LazyLock::new(|| {
    let all = (0..TABLE_END).map(|code| char::from_u32(code).map_or(0, compute));
    all.collect()
});

/// The table, for several lookups.
#[derive(Clone, Copy)]
pub struct Table(&'static [Properties]);

impl Default for Table {
    fn default() -> Self {
        Self(&TABLE)
    }
}

impl Table {
    #[inline]
    pub fn get(self, character: char) -> Properties {
        match self.0.get(character as usize) {
            Some(properties) => *properties,
            None => compute(character),
        }
    }
}

fn compute(character: char) -> Properties {
    let flags = [
        (INFIX, crate::words::may_split(character)),
        (PUNCTUATION, is_punctuation(character)),
        (ALPHABETIC, character.is_alphabetic()),
        (ENDS_SENTENCE, ends_sentence(character)),
    ];
    flags
        .into_iter()
        .filter(|(_, holds)| *holds)
        .fold(script(character), |all, (flag, _)| all | flag)
}

fn script(character: char) -> Properties {
    if character == 'ー' {
        return NO_SCRIPT;
    }
    match class(character) {
        Class::Letter | Class::Hangul | Class::Digit => 1,
        Class::Hiragana => 2,
        Class::Katakana => 3,
        Class::Han => 4,
        _ => NO_SCRIPT,
    }
}

/// Whether a character is punctuation or a control. Currency signs and pictures beyond ASCII are
/// not.
fn is_punctuation(character: char) -> bool {
    match class(character) {
        Class::Punctuation => true,
        Class::Symbol => character.is_ascii() || matches!(character, '━' | '►' | '∶' | '´'),
        Class::Other => character.is_control(),
        _ => false,
    }
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
