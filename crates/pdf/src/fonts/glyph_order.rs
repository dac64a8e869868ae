//! Common orders of glyphs. Most TrueType fonts use that of the Macintosh.

use std::sync::OnceLock;

use encoding_rs::MACINTOSH;
use skrifa::raw::ps::Sid;

use super::names;

/// The characters of glyphs 226 to 257.
const LAST_CHARACTERS: [char; 32] = [
    'Ł', 'ł', 'Š', 'š', 'Ž', 'ž', '¦', 'Ð', 'ð', 'Ý', 'ý', 'Þ', 'þ', '−', '×', '¹', '²', '³', '½',
    '¼', '¾', '₣', 'Ğ', 'ğ', 'İ', 'Ş', 'ş', 'Ć', 'ć', 'Č', 'č', 'đ',
];

/// The last standard string that every Latin font of Adobe has.
const LAST_ADOBE_GLYPH: u8 = 228;

/// The character of a glyph in the standard Macintosh order of 258 glyphs.
pub fn standard(glyph: u16) -> Option<char> {
    let byte = match glyph {
        3..=97 => glyph + 29,
        98..=225 => glyph + 30,
        226..=257 => return LAST_CHARACTERS.get(usize::from(glyph - 226)).copied(),
        _ => return None,
    };
    MACINTOSH
        .decode_without_bom_handling(&[u8::try_from(byte).ok()?])
        .0
        .chars()
        .next()
}

/// The character of a glyph in the fonts of Windows: the standard order, and Cyrillic after it.
pub fn windows(glyph: u16) -> Option<char> {
    match glyph {
        570..=633 => char::from_u32(u32::from(glyph) - 570 + 0x410),
        _ => standard(glyph),
    }
}

/// The character of a glyph in a font whose glyphs are in Unicode order, starting with a space.
pub fn latin(glyph: u16, space: u16) -> Option<char> {
    const ASCII: u16 = 95;
    // Latin-1 and Latin Extended-A.
    const OTHERS: u16 = 0x180 - 0xa0;
    let character = match glyph.checked_sub(space)? {
        nth @ 0..ASCII => nth + 0x20,
        nth if nth < ASCII + OTHERS => nth - ASCII + 0xa0,
        _ => return None,
    };
    char::from_u32(character.into())
}

/// The character of a glyph in the order of the CFF standard strings, which fonts of Adobe use.
pub fn adobe(glyph: u16) -> Option<char> {
    static MEANINGS: OnceLock<names::Meanings> = OnceLock::new();
    let meanings = MEANINGS.get_or_init(|| {
        let names = (0..=LAST_ADOBE_GLYPH).map(|glyph| Sid::new(glyph.into()).resolve_standard());
        names::meanings((0..=LAST_ADOBE_GLYPH).zip(names.map(Result::unwrap_or_default)))
    });
    meanings.get(usize::from(glyph))?.chars().next()
}

/// Whether a Windows font has a glyph order unlike the others.
pub fn has_own_order(font_name: &str) -> bool {
    const FAMILIES: [&str; 8] = [
        "Calibri",
        "Cambria",
        "Candara",
        "Consolas",
        "Constantia",
        "Corbel",
        "Segoe",
        "Gill",
    ];
    FAMILIES.iter().any(|family| font_name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::{adobe, latin, standard, windows};

    #[test]
    fn the_standard_order_is_that_of_the_macintosh() {
        let found: Vec<_> = [2, 3, 36, 97, 98, 225, 226, 257, 258]
            .iter()
            .map(|&glyph| standard(glyph))
            .collect();
        let expected = [
            None,
            Some(' '),
            Some('A'),
            Some('~'),
            Some('Ä'),
            Some('ˇ'),
            Some('Ł'),
            Some('đ'),
            None,
        ];
        assert_eq!(found, expected);
        assert_eq!((windows(570), windows(633)), (Some('А'), Some('я')));
    }

    #[test]
    fn other_orders() {
        let found: Vec<_> = [0, 1, 34, 66, 228, 229].map(adobe).into();
        let expected = [None, Some(' '), Some('A'), Some('a'), Some('ž'), None];
        assert_eq!(found, expected);
        let found: Vec<_> = [2, 3, 36, 97, 98, 171, 321, 322]
            .map(|glyph| latin(glyph, 3))
            .into();
        let expected = [
            None,
            Some(' '),
            Some('A'),
            Some('~'),
            Some('\u{a0}'),
            Some('é'),
            Some('ſ'),
            None,
        ];
        assert_eq!(found, expected);
    }
}
