//! Symbol fonts. Their codes are not letters, whatever their encoding says, and their ToUnicode
//! maps often contain only private-use characters.

use std::sync::OnceLock;

use super::names;

/// The Wingdings signs that occur in texts: bullets, boxes, ticks and arrows.
const WINGDINGS: [(u8, char); 34] = [
    (0x20, ' '),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x46, '☞'),
    (0x4a, '☺'),
    (0x6c, '●'),
    (0x6d, '❍'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x70, '❐'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x73, '⬧'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '⬥'),
    (0x9e, '·'),
    (0x9f, '•'),
    (0xa1, '○'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xb2, '✧'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfe, '☑'),
];

/// A symbol font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolFont {
    Wingdings,
    /// Greek letters and mathematical signs.
    Symbol,
}

impl SymbolFont {
    pub fn named(font_name: &str) -> Option<Self> {
        // Wingdings 2 and 3 have other signs.
        if font_name.starts_with("Wingdings") && !font_name.contains(['2', '3']) {
            Some(Self::Wingdings)
        } else if font_name.starts_with("Symbol") {
            Some(Self::Symbol)
        } else {
            None
        }
    }

    pub fn meaning(self, code: u8) -> Option<String> {
        match self {
            Self::Wingdings => WINGDINGS
                .iter()
                .find(|(known, _)| *known == code)
                .map(|(_, sign)| sign.to_string()),
            Self::Symbol => {
                static SYMBOL: OnceLock<names::Meanings> = OnceLock::new();
                let meanings = SYMBOL.get_or_init(|| names::standard_font("Symbol"));
                meanings
                    .get(usize::from(code))
                    .filter(|text| !text.is_empty())
                    .cloned()
            }
        }
    }

    /// The meaning of a private-use character that represents a code, from U+F000.
    pub fn meaning_of_private(self, text: &str) -> Option<String> {
        let mut chars = text.chars();
        let (Some(c @ '\u{f020}'..='\u{f0ff}'), None) = (chars.next(), chars.next()) else {
            return None;
        };
        self.meaning((u32::from(c) & 0xff) as u8)
    }
}
