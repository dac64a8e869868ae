//! The characters of symbol fonts, which Word writes as codes from F020 to F0FF.

/// The letters of the font Symbol, starting at `A` and at `a`.
const GREEK: [&str; 2] = ["ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"];
const SYMBOL: &[(u8, char)] = &[
    (0x22, '∀'),
    (0x24, '∃'),
    (0x2D, '−'),
    (0xA3, '≤'),
    (0xA5, '∞'),
    (0xAB, '↔'),
    (0xAC, '←'),
    (0xAD, '↑'),
    (0xAE, '→'),
    (0xAF, '↓'),
    (0xB0, '°'),
    (0xB1, '±'),
    (0xB3, '≥'),
    (0xB4, '×'),
    (0xB5, '∝'),
    (0xB6, '∂'),
    (0xB7, '•'),
    (0xB8, '÷'),
    (0xB9, '≠'),
    (0xBA, '≡'),
    (0xBB, '≈'),
    (0xBC, '…'),
    (0xC7, '∩'),
    (0xC8, '∪'),
    (0xCE, '∈'),
    (0xCF, '∉'),
    (0xD1, '∇'),
    (0xD5, '∏'),
    (0xD6, '√'),
    (0xD7, '⋅'),
    (0xDB, '⇔'),
    (0xDE, '⇒'),
    (0xE5, '∑'),
    (0xF2, '∫'),
];
/// Characters that have the same code in the font Symbol as in ASCII.
const AS_IN_ASCII: &str = " !#%&()+,./0123456789:;<=>?[]_{|}";
const WINGDINGS: &[(u8, char)] = &[
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0xA7, '▪'),
    (0xA8, '◻'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];

/// A font whose characters are symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolFont {
    Symbol,
    Wingdings,
}

impl SymbolFont {
    /// The font with a name; `None` for other fonts.
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |other: &str| name.eq_ignore_ascii_case(other);
        match () {
            () if is_named("symbol") => Some(Self::Symbol),
            () if is_named("wingdings") => Some(Self::Wingdings),
            () => None,
        }
    }

    /// The meaning of a private-use character. Returns other characters unchanged.
    pub fn private(self, character: char) -> char {
        match character {
            '\u{F020}'..='\u{F0FF}' => self.meaning(character),
            _ => character,
        }
    }

    /// The meaning of a code. Returns unknown codes unchanged.
    pub fn meaning(self, character: char) -> char {
        let code = match u32::from(character) {
            code @ 0x20..=0xFF => code,
            code @ 0xF020..=0xF0FF => code - 0xF000,
            _ => return character,
        };
        let code = u8::try_from(code).unwrap_or_default();
        let of = |table: &[(u8, char)]| {
            let entry = table.iter().find(|(known, _)| *known == code);
            entry.map(|(_, meaning)| *meaning)
        };
        let greek = |letters: &str, first| letters.chars().nth(usize::from(code - first));
        let [capitals, small] = GREEK;
        let found = match (self, code) {
            (Self::Wingdings, _) => of(WINGDINGS),
            (_, b'A'..=b'Z') => greek(capitals, b'A'),
            (_, b'a'..=b'z') => greek(small, b'a'),
            _ if AS_IN_ASCII.as_bytes().contains(&code) => Some(char::from(code)),
            _ => of(SYMBOL),
        };
        found.unwrap_or(character)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::SymbolFont;

    #[test]
    fn symbols_have_a_meaning() {
        for (font, character, expected) in [
            ("Symbol", '\u{F061}', 'α'),
            ("Symbol", '\u{F057}', 'Ω'),
            ("symbol", '\u{F07A}', 'ζ'),
            ("Symbol", 'Z', 'Ζ'),
            ("Symbol", '\u{F0B3}', '≥'),
            ("Symbol", '\u{F035}', '5'),
            ("Symbol", '\u{F0FF}', '\u{F0FF}'),
            ("Wingdings", '\u{F0FC}', '✓'),
            ("Symbol", '→', '→'),
        ] {
            let font = SymbolFont::named(font).unwrap();
            assert_eq!(font.meaning(character), expected, "{font:?} {character:?}");
        }
        assert_eq!(SymbolFont::Symbol.private('a'), 'a');
        assert_eq!(SymbolFont::named("Arial"), None);
    }
}
