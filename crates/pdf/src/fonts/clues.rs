//! Guesses at the meaning of codes that the font does not define. Only the resulting text can
//! confirm them.

use super::glyph_order;
use super::names::BaseEncoding;

/// A habit of font-writing software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Glyphs are in Macintosh order: code 3 is a space, code + 29 is ASCII.
    Macintosh,
    /// The same, but Latin-1 follows ASCII.
    MacintoshLatin,
    /// Glyphs are in the order of the CFF standard strings: code 1 is a space, code + 31 is ASCII.
    Adobe,
    /// The same, but Latin-1 follows ASCII.
    AdobeLatin,
    /// Codes are characters.
    Codes,
    /// The codes of the font's own character map are characters.
    OwnCodes,
    /// The decimal numbers in glyph names are characters.
    Decimal,
    /// The hexadecimal numbers in glyph names are characters.
    Hexadecimal,
}

impl Habit {
    pub const ALL: [Self; 8] = [
        Self::Macintosh,
        Self::MacintoshLatin,
        Self::Adobe,
        Self::AdobeLatin,
        Self::Codes,
        Self::OwnCodes,
        Self::Decimal,
        Self::Hexadecimal,
    ];
}

impl Habit {
    /// The habit that differs only beyond ASCII.
    pub fn sibling(self) -> Option<Self> {
        match self {
            Self::Macintosh => Some(Self::MacintoshLatin),
            Self::MacintoshLatin => Some(Self::Macintosh),
            Self::Adobe => Some(Self::AdobeLatin),
            Self::AdobeLatin => Some(Self::Adobe),
            _ => None,
        }
    }
}

/// Clues to a code of unknown meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clue {
    /// The code, as a character.
    pub code: Option<char>,
    /// The glyph number in the full font that this one is a subset of.
    pub glyph: Option<u16>,
    /// The code in the font's own character map.
    pub own_code: Option<(u8, BaseEncoding)>,
    /// The number in the name of the glyph, read as decimal and as hexadecimal.
    pub numbers: [Option<u16>; 2],
}

impl Clue {
    /// The character that the code has under a habit.
    pub fn character(&self, habit: Habit) -> Option<char> {
        let number = |index: usize| {
            let number = self.numbers.get(index).copied().flatten()?;
            BaseEncoding::WinAnsi.character(number.into())
        };
        match habit {
            Habit::Macintosh => glyph_order::standard(self.glyph?),
            Habit::MacintoshLatin => glyph_order::latin(self.glyph?, 3),
            Habit::Adobe => glyph_order::adobe(self.glyph?),
            Habit::AdobeLatin => glyph_order::latin(self.glyph?, 1),
            Habit::Codes => self.code,
            Habit::OwnCodes => {
                let (code, encoding) = self.own_code?;
                encoding.character(code.into())
            }
            Habit::Decimal => number(0),
            Habit::Hexadecimal => number(1),
        }
        .filter(|c| !c.is_control())
    }
}
