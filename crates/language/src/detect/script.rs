//! The scripts of letters.

use std::sync::OnceLock;

macro_rules! scripts {
    ($($name:ident $code:literal $weight:literal $language:expr;)*) => {
        /// A script that helps to distinguish languages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Script {
            $($name,)*
        }

        impl Script {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code of ISO 15924.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// The weight of a letter, relative to a letter of an alphabet.
            pub fn weight(self) -> usize {
                match self {
                    $(Self::$name => $weight,)*
                }
            }

            /// The language that nearly all texts in the script are in, if there is one.
            pub fn language(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => $language,)*
                }
            }
        }
    };
}

scripts! {
    Latin "Latn" 1 None;
    Cyrillic "Cyrl" 1 None;
    Arabic "Arab" 1 None;
    Devanagari "Deva" 1 None;
    Bengali "Beng" 1 None;
    Han "Hani" 3 None;
    Hebrew "Hebr" 1 Some("he");
    Kana "Jpan" 2 Some("ja");
    Hangul "Hang" 2 Some("ko");
    Greek "Grek" 1 Some("el");
    Armenian "Armn" 1 Some("hy");
    Georgian "Geor" 1 Some("ka");
    Thai "Thai" 1 Some("th");
    Lao "Laoo" 1 Some("lo");
    Khmer "Khmr" 1 Some("km");
    Myanmar "Mymr" 1 Some("my");
    Tibetan "Tibt" 1 Some("bo");
    Ethiopic "Ethi" 2 Some("am");
    Sinhala "Sinh" 1 Some("si");
    Tamil "Taml" 1 Some("ta");
    Telugu "Telu" 1 Some("te");
    Kannada "Knda" 1 Some("kn");
    Malayalam "Mlym" 1 Some("ml");
    Gujarati "Gujr" 1 Some("gu");
    Gurmukhi "Guru" 1 Some("pa");
    Oriya "Orya" 1 Some("or");
    Thaana "Thaa" 1 Some("dv");
    Syriac "Syrc" 1 Some("syr");
    Cherokee "Cher" 2 Some("chr");
    Inuktitut "Cans" 2 Some("iu");
    Tifinagh "Tfng" 1 Some("zgh");
    Nko "Nkoo" 1 Some("nqo");
    OlChiki "Olck" 1 Some("sat");
    Mongolian "Mong" 1 Some("mn");
    Yi "Yiii" 3 Some("ii");
}

/// First and last characters beyond ASCII, in ascending order.
const RANGES: &[(u32, u32, Script)] = &[
    (0xaa, 0x24f, Script::Latin),
    (0x250, 0x2af, Script::Latin),
    (0x370, 0x3ff, Script::Greek),
    (0x400, 0x52f, Script::Cyrillic),
    (0x531, 0x58a, Script::Armenian),
    (0x591, 0x5f4, Script::Hebrew),
    (0x600, 0x6ff, Script::Arabic),
    (0x700, 0x74f, Script::Syriac),
    (0x750, 0x77f, Script::Arabic),
    (0x780, 0x7bf, Script::Thaana),
    (0x7c0, 0x7ff, Script::Nko),
    (0x8a0, 0x8ff, Script::Arabic),
    (0x900, 0x97f, Script::Devanagari),
    (0x980, 0x9ff, Script::Bengali),
    (0xa00, 0xa7f, Script::Gurmukhi),
    (0xa80, 0xaff, Script::Gujarati),
    (0xb00, 0xb7f, Script::Oriya),
    (0xb80, 0xbff, Script::Tamil),
    (0xc00, 0xc7f, Script::Telugu),
    (0xc80, 0xcff, Script::Kannada),
    (0xd00, 0xd7f, Script::Malayalam),
    (0xd80, 0xdff, Script::Sinhala),
    (0xe00, 0xe7f, Script::Thai),
    (0xe80, 0xeff, Script::Lao),
    (0xf00, 0xfff, Script::Tibetan),
    (0x1000, 0x109f, Script::Myanmar),
    (0x10a0, 0x10ff, Script::Georgian),
    (0x1100, 0x11ff, Script::Hangul),
    (0x1200, 0x139f, Script::Ethiopic),
    (0x13a0, 0x13ff, Script::Cherokee),
    (0x1400, 0x167f, Script::Inuktitut),
    (0x1780, 0x17ff, Script::Khmer),
    (0x1800, 0x18af, Script::Mongolian),
    (0x1c50, 0x1c7f, Script::OlChiki),
    (0x1c80, 0x1c8f, Script::Cyrillic),
    (0x1c90, 0x1cbf, Script::Georgian),
    (0x1e00, 0x1eff, Script::Latin),
    (0x1f00, 0x1fff, Script::Greek),
    (0x2d00, 0x2d2f, Script::Georgian),
    (0x2d30, 0x2d7f, Script::Tifinagh),
    (0x2d80, 0x2ddf, Script::Ethiopic),
    (0x2de0, 0x2dff, Script::Cyrillic),
    (0x3005, 0x3007, Script::Han),
    (0x3041, 0x309f, Script::Kana),
    (0x30a1, 0x30ff, Script::Kana),
    (0x3131, 0x318f, Script::Hangul),
    (0x31f0, 0x31ff, Script::Kana),
    (0x3400, 0x4dbf, Script::Han),
    (0x4e00, 0x9fff, Script::Han),
    (0xa000, 0xa4cf, Script::Yi),
    (0xa640, 0xa69f, Script::Cyrillic),
    (0xa720, 0xa7ff, Script::Latin),
    (0xa8e0, 0xa8ff, Script::Devanagari),
    (0xa960, 0xa97f, Script::Hangul),
    (0xaa60, 0xaa7f, Script::Myanmar),
    (0xab30, 0xab6f, Script::Latin),
    (0xab70, 0xabbf, Script::Cherokee),
    (0xac00, 0xd7ff, Script::Hangul),
    (0xf900, 0xfaff, Script::Han),
    (0xfb00, 0xfb06, Script::Latin),
    (0xfb1d, 0xfb4f, Script::Hebrew),
    (0xfb50, 0xfdff, Script::Arabic),
    (0xfe70, 0xfefe, Script::Arabic),
    (0xff21, 0xff5a, Script::Latin),
    (0xff66, 0xff9d, Script::Kana),
    (0x20000, 0x3ffff, Script::Han),
];

/// Signs that belong to the preceding letter although they are not letters in Unicode: virama,
/// nukta.
const SIGNS: [char; 4] = ['\u{93c}', '\u{94d}', '\u{9bc}', '\u{9cd}'];

impl Script {
    /// Returns the script of a letter; `None` for other characters and unknown scripts.
    #[inline]
    pub fn of(character: char) -> Option<Self> {
        if character.is_ascii() {
            return character.is_ascii_alphabetic().then_some(Self::Latin);
        }
        Self::of_wide(character)
    }

    fn of_wide(character: char) -> Option<Self> {
        static TABLE: OnceLock<Vec<Option<Script>>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            let characters = (0..TABLE_SIZE).map(char::from_u32);
            characters
                .map(|found| found.and_then(Self::search))
                .collect()
        });
        match table.get(character as usize) {
            Some(script) => *script,
            None => Self::search(character),
        }
    }

    fn search(character: char) -> Option<Self> {
        if !character.is_alphabetic() && !SIGNS.contains(&character) {
            return None;
        }
        let code = u32::from(character);
        let after = RANGES.partition_point(|(first, ..)| *first <= code);
        let (_, last, script) = RANGES.get(after.checked_sub(1)?)?;
        (code <= *last).then_some(*script)
    }
}

/// The number of characters whose scripts are in a table: nearly all that occur.
const TABLE_SIZE: u32 = 0x10000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_sorted_and_do_not_overlap() {
        assert!(RANGES.iter().all(|(first, last, _)| first <= last));
        assert!(RANGES.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn letters_have_scripts() {
        for (letters, script) in [
            ("aZéßŁỹﬁＡ", Script::Latin),
            ("жЁӣ", Script::Cyrillic),
            ("漢々𠮷", Script::Han),
            ("ひカｶー", Script::Kana),
            ("한ㄱ", Script::Hangul),
            ("हिन्दी", Script::Devanagari),
            ("عربي", Script::Arabic),
            ("ไทย", Script::Thai),
        ] {
            for letter in letters.chars() {
                assert_eq!(Script::of(letter), Some(script), "{letter}");
            }
        }
        for other in "1 .×÷€、。「＋\u{fffd}\0٣۔๕€😀".chars() {
            assert_eq!(Script::of(other), None, "{other}");
        }
    }
}
