//! Features of characters for the model.

use crate::characters::{Class, class};

/// The scripts that the model distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// White space, punctuation, symbols, and the ends of the text.
    Other,
    Hiragana,
    Katakana,
    Han,
    /// Letters of other scripts.
    Letter,
    Digit,
}

/// The number of scripts.
pub(super) const SCRIPTS: usize = 6;

impl Script {
    /// The script of a character.
    pub fn of(character: char) -> Self {
        match class(character) {
            Class::Hiragana => Self::Hiragana,
            Class::Katakana => Self::Katakana,
            Class::Han => Self::Han,
            Class::Letter | Class::Hangul => Self::Letter,
            Class::Digit => Self::Digit,
            _ => Self::Other,
        }
    }

    /// Whether words in this script follow each other without spaces in Japanese.
    pub fn is_japanese(self) -> bool {
        matches!(self, Self::Hiragana | Self::Katakana | Self::Han)
    }
}

/// A character, reduced to the features of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    /// `a` for all letters of other scripts, `0` for all digits, a space for white space and
    /// beyond the ends of a text.
    pub character: char,
    pub script: Script,
}

impl Symbol {
    /// The symbol of a character, or of a place beyond the ends of the text.
    ///
    /// ```
    /// use corpus_text::japanese::Symbol;
    ///
    /// assert_eq!(Symbol::of(Some('７')), Symbol::of(Some('0')));
    /// assert_eq!(Symbol::of(None), Symbol::of(Some('\n')));
    /// ```
    pub fn of(character: Option<char>) -> Self {
        let character = character.unwrap_or(' ');
        let script = Script::of(character);
        let character = match script {
            Script::Letter => 'a',
            Script::Digit => '0',
            Script::Other if character.is_whitespace() => ' ',
            _ => character,
        };
        Self { character, script }
    }
}
