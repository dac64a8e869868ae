//! Properties of characters in one table: a lookup costs less than computing them.

use std::sync::LazyLock;

use crate::characters::{Class, class};

/// The properties of a character, as bits. `&` and `|` combine the properties of several
/// characters.
pub type Properties = u8;

/// The mask of the script: a word ends where the script changes.
pub const SCRIPT: Properties = 0b111;
/// A character of any script, which belongs to the word around it: marks, modifiers, and the long
/// vowel mark.
pub const NO_SCRIPT: Properties = 0;
/// A mark that may split a word.
pub const INFIX: Properties = 1 << 3;
/// Punctuation, as rules count it.
pub const PUNCTUATION: Properties = 1 << 4;
pub const ALPHABETIC: Properties = 1 << 5;
pub const ENDS_SENTENCE: Properties = 1 << 6;
/// A character that may be split off at an end of a word, sometimes depending on its neighbors.
pub const AFFIX: Properties = 1 << 7;

/// The first character that is not in the table. Characters from here on are rare.
const TABLE_END: u32 = 0x1_0000;

static TABLE: LazyLock<Box<[Properties]>> = LazyLock::new(|| {
    let all = (0..TABLE_END).map(|code| char::from_u32(code).map_or(0, compute));
    all.collect()
});

/// A reference to the table, for several lookups.
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
        (INFIX, may_split(character)),
        (PUNCTUATION, is_punctuation(character)),
        (ALPHABETIC, character.is_alphabetic()),
        (ENDS_SENTENCE, ends_sentence(character)),
        (AFFIX, may_be_affix(character)),
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

/// Whether a character may be a mark that splits a word in two. Its neighbors decide.
pub fn may_split(character: char) -> bool {
    match character {
        '.' | '+' | '*' | '^' | ',' | '-' | '~' | ':' | '<' | '>' | '=' | '/' => true,
        _ if character.is_ascii() => false,
        '…' | '–' | '—' => true,
        // Scripts without spaces have marks between words that touch them.
        _ => is_pictogram(character) || (character >= '\u{3000}' && is_mark(character)),
    }
}

fn may_be_affix(character: char) -> bool {
    matches!(character, '.' | '%' | '=' | '§' | '+') || is_mark(character) || is_currency(character)
}

pub fn is_currency(character: char) -> bool {
    matches!(
        character,
        '$' | '£' | '€' | '¥' | '฿' | '﷼' | '\u{20a0}'..='\u{20c0}'
    )
}

/// Whether a mark is split off at both ends of a word.
pub fn is_mark(character: char) -> bool {
    match character {
        ',' | ':' | ';' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '_' | '#'
        | '*' | '&' | '\'' | '"' | '`' => true,
        _ if character.is_ascii() => false,
        '…' | '¿' | '؟' | '¡' | '。' | '？' | '！' | '，' | '、' | '；' | '：' | '～' | '·'
        | '।' | '،' | '۔' | '؛' | '٪' | '—' | '–' | '”' | '“' | '‘' | '´' | '’' | '‚' | '„'
        | '»' | '«' | '・' | '‹' | '›' => true,
        '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' => true,
        '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' => true,
        '\u{ff5b}'..='\u{ff65}' | '⟦' | '⟧' => true,
        _ => is_pictogram(character),
    }
}

/// Whether a character is a dingbat, an emoji or another symbol.
fn is_pictogram(character: char) -> bool {
    matches!(character,
        '©' | '®' | '°' | '¦' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{23ff}'
        | '\u{2500}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3012}' | '\u{3020}' | '\u{1f000}'..='\u{1faff}')
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
        // Armenian, Arabic, Syriac, Nko, Samaritan, Indic, Myanmar, Ethiopic, Khmer, Mongolian,
        // Lao…
        '։' | '؝' | '؞' | '؟' | '۔' | '܀' | '܁' | '܂' | '߹' | '࠷' | '࠹' | '࠽' | '࠾' | '।' | '॥'
        | '၊' | '။' | '፧' | '።' | '፨' | '᙮' | '᜵' | '᜶' | '។' | '៕' | '៖' | '៙' | '៚' | '᠃'
        | '᠉' | '᥄' | '᥅' | '᪨' | '᪩' | '᪪' | '᪫' | '᭚' | '᭛' | '᭞' | '᭟' | '᭽' | '᭾' | '᰻'
        | '᰼' | '᱾' | '᱿' => true,
        '꓿' | '꘎' | '꘏' | '꛳' | '꛷' | '꡶' | '꡷' | '꣎' | '꣏' | '꤯' | '꧈' | '꧉' | '꩝' | '꩞' | '꩟'
        | '꫰' | '꫱' | '꯫' => true,
        _ => false,
    }
}
