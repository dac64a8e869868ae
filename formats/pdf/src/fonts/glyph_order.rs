//! The order of glyphs that TrueType fonts share: the one of the Macintosh, which the fonts of Windows keep to.

use encoding_rs::MACINTOSH;

/// Glyphs 226 to 257.
const LAST: [char; 32] = [
    'Ł', 'ł', 'Š', 'š', 'Ž', 'ž', '¦', 'Ð', 'ð', 'Ý', 'ý', 'Þ', 'þ', '−', '×', '¹', '²', '³', '½',
    '¼', '¾', '₣', 'Ğ', 'ğ', 'İ', 'Ş', 'ş', 'Ć', 'ć', 'Č', 'č', 'đ',
];

/// The character of a glyph in the standard order of 258 glyphs.
pub fn standard(glyph: u16) -> Option<char> {
    let byte = match glyph {
        3..=97 => glyph + 29,
        98..=225 => glyph + 30,
        226..=257 => return LAST.get(usize::from(glyph - 226)).copied(),
        _ => return None,
    };
    MACINTOSH
        .decode_without_bom_handling(&[u8::try_from(byte).ok()?])
        .0
        .chars()
        .next()
}

/// The character of a glyph in the fonts that came with Windows: the standard order, and Cyrillic further on.
pub fn windows(glyph: u16) -> Option<char> {
    match glyph {
        570..=633 => char::from_u32(u32::from(glyph) - 570 + 0x410),
        _ => standard(glyph),
    }
}

/// Fonts of Windows that have an order of their own.
pub fn is_unusual(font_name: &str) -> bool {
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
    use super::{standard, windows};

    #[test]
    fn glyphs_are_in_the_order_of_the_macintosh() {
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
}
