//! The meanings of glyph names and standard encodings. The tables are those of hayro-font, queried
//! with Type 3 fonts that consist of an encoding only.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use hayro_font::hayro_cmap::BfString;
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Dict, FromBytes};

use crate::misspelt::is_misspelt;

/// Maximum length of a glyph name. Longer names are damaged.
const MAX_NAME_BYTES: usize = 127;

/// The text of each code of a simple font; empty if unknown.
pub type Meanings = Vec<String>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseEncoding {
    Standard,
    WinAnsi,
    MacRoman,
    MacExpert,
}

impl BaseEncoding {
    const NAMES: [(&[u8], Self); 4] = [
        (b"StandardEncoding", Self::Standard),
        (b"WinAnsiEncoding", Self::WinAnsi),
        (b"MacRomanEncoding", Self::MacRoman),
        (b"MacExpertEncoding", Self::MacExpert),
    ];

    pub fn named(name: &[u8]) -> Option<Self> {
        let mut names = Self::NAMES.into_iter();
        names.find_map(|(known, encoding)| (known == name).then_some(encoding))
    }

    /// The encoding whose name differs from this damaged name in a single byte.
    pub fn misspelt(name: &[u8]) -> Option<Self> {
        let mut names = Self::NAMES.into_iter();
        names.find_map(|(known, encoding)| is_misspelt(name, known).then_some(encoding))
    }

    pub fn meanings(self) -> &'static Meanings {
        static TABLES: [OnceLock<Meanings>; 4] = [const { OnceLock::new() }; 4];
        let name = match self {
            Self::Standard => "Standard",
            Self::WinAnsi => "WinAnsi",
            Self::MacRoman => "MacRoman",
            Self::MacExpert => "MacExpert",
        };
        TABLES[self as usize].get_or_init(|| {
            query(format!("<</Subtype/Type3/Encoding<</BaseEncoding/{name}Encoding>>>>").as_bytes())
        })
    }
}

impl BaseEncoding {
    pub fn character(self, code: u32) -> Option<char> {
        self.meanings().get(code as usize)?.chars().next()
    }
}

/// The meanings of glyph names, indexed by their codes.
pub fn meanings<'n>(names: impl Iterator<Item = (u8, &'n [u8])>) -> Meanings {
    let mut dict = b"<</Subtype/Type3/Encoding<</Differences[".to_vec();
    // Most names are single letters, which mean themselves.
    let mut letters = Vec::new();
    for (code, name) in names {
        let name = &*normalize(name);
        if let [letter] = name
            && letter.is_ascii_alphabetic()
        {
            letters.push((code, char::from(*letter)));
            continue;
        }
        dict.extend_from_slice(format!("{code}/").as_bytes());
        for &c in name {
            if c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-') {
                dict.push(c);
            } else {
                dict.extend_from_slice(format!("#{c:02X}").as_bytes());
            }
        }
        dict.push(b' ');
    }
    dict.extend_from_slice(b"]>>>>");
    let mut meanings = query(&dict);
    for (code, letter) in letters {
        let code = usize::from(code);
        if meanings.len() <= code {
            meanings.resize(code + 1, String::new());
        }
        if let Some(meaning) = meanings.get_mut(code) {
            *meaning = letter.to_string();
        }
    }
    meanings
}

/// The texts of named glyphs, without those whose name has no meaning.
pub fn of_glyphs(mut named: Vec<(u16, &[u8])>) -> Vec<(u16, String)> {
    // A hostile font may give many glyphs the same long name.
    named.retain(|(_, name)| name.len() <= MAX_NAME_BYTES);
    let mut texts = Vec::new();
    for chunk in named.chunks(256) {
        let meanings = meanings((0..=255).zip(chunk.iter().map(|(_, name)| *name)));
        let found = chunk.iter().zip(meanings);
        texts.extend(
            found
                .filter(|(_, text)| !text.is_empty())
                .map(|((glyph, _), text)| (*glyph, text)),
        );
    }
    texts
}

/// The number in a name that only counts, such as "g12", "cid00012" or "G1A", parsed as decimal and
/// as hexadecimal.
pub fn numbers(name: &[u8]) -> [Option<u16>; 2] {
    let Some(name) = std::str::from_utf8(name)
        .ok()
        .filter(|name| !name.is_empty())
    else {
        return [None; 2];
    };
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    // A hexadecimal number may start with a letter, after a prefix of one letter.
    let after_letter = name.get(1..).unwrap_or_default();
    let hexadecimal = [after_letter, digits]
        .into_iter()
        .find(|digits| digits.len() >= 2 && digits.bytes().all(|c| c.is_ascii_hexdigit()))
        .and_then(|digits| u16::from_str_radix(digits, 16).ok());
    [digits.parse().ok(), hexadecimal]
}

/// Converts names to the spelling of the Adobe Glyph List.
fn normalize(name: &[u8]) -> Cow<'_, [u8]> {
    match name {
        [b'u', b'n', b'i', digits @ ..]
            if digits.len() >= 4 && digits.iter().all(u8::is_ascii_hexdigit) =>
        {
            Cow::Owned([b"uni", &*digits.to_ascii_uppercase()].concat())
        }
        _ => ibm_name(name).map_or(Cow::Borrowed(name), Cow::Borrowed),
    }
}

/// Names used by IBM printers for letters, digits and common signs: "LA010000" is a, "ND010000" is
/// 1.
fn ibm_name(name: &[u8]) -> Option<&[u8]> {
    let [kind, key, tens, ones, b'0', b'0', b'0', b'0'] = name else {
        return None;
    };
    let number = tens
        .wrapping_sub(b'0')
        .checked_mul(10)?
        .checked_add(ones.wrapping_sub(b'0'))?;
    const DIGITS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "zero",
    ];
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let found: &str = match (kind, key, number) {
        (b'L', b'A'..=b'Z', 1 | 2) => {
            let index = usize::from(key - b'A') + if number == 2 { 26 } else { 0 };
            return LETTERS.get(index..=index);
        }
        (b'N', b'D', 1..=10) => DIGITS.get(usize::from(number) - 1)?,
        (b'S', b'P', 1) => "space",
        (b'S', b'P', 2) => "exclam",
        (b'S', b'P', 4) => "quotedbl",
        (b'S', b'P', 5) => "quotesingle",
        (b'S', b'P', 6) => "parenleft",
        (b'S', b'P', 7) => "parenright",
        (b'S', b'P', 8) => "comma",
        (b'S', b'P', 9) => "underscore",
        (b'S', b'P', 10) => "hyphen",
        (b'S', b'P', 11) => "period",
        (b'S', b'P', 12) => "slash",
        (b'S', b'P', 13) => "colon",
        (b'S', b'P', 14) => "semicolon",
        (b'S', b'P', 15) => "question",
        (b'S', b'M', 1) => "numbersign",
        (b'S', b'M', 2) => "percent",
        (b'S', b'M', 3) => "ampersand",
        (b'S', b'M', 4) => "asterisk",
        (b'S', b'M', 5) => "at",
        (b'S', b'A', 1) => "plus",
        (b'S', b'A', 4) => "equal",
        (b'S', b'C', 3) => "dollar",
        _ => return None,
    };
    Some(found.as_bytes())
}

/// The meanings of codes in the built-in encoding of a standard font.
pub fn standard_font(name: &str) -> Meanings {
    query(format!("<</Subtype/Type1/BaseFont/{name}>>").as_bytes())
}

/// The meanings of codes in a font that consists of a dictionary only.
fn query(dict: &[u8]) -> Meanings {
    let font = Dict::from_bytes(dict).and_then(|dict| load(&dict));
    font.map(|font| without_private(all_codes(&font)))
        .unwrap_or_default()
}

/// Replaces the private-use characters that Adobe assigns to some names.
pub fn without_private(mut meanings: Meanings) -> Meanings {
    for text in meanings.iter_mut().filter(|text| !text.is_ascii()) {
        if text.contains(|c| public(c).is_some()) {
            *text = text.chars().map(|c| public(c).unwrap_or(c)).collect();
        }
    }
    meanings
}

/// The public equivalent of one of Adobe's private-use characters: old-style figures, small
/// capitals, parts of brackets.
fn public(c: char) -> Option<char> {
    const PARTS: [char; 25] = [
        '⏐', '⎯', '®', '©', '™', '⎛', '⎜', '⎝', '⎡', '⎢', '⎣', '⎧', '⎨', '⎩', '⎪', '⎮', '⎞', '⎟',
        '⎠', '⎤', '⎥', '⎦', '⎫', '⎬', '⎭',
    ];
    match c {
        '\u{f721}'..='\u{f7ff}' => char::from_u32(u32::from(c) - 0xf700),
        '\u{f8e6}'..='\u{f8fe}' => PARTS.get(u32::from(c) as usize - 0xf8e6).copied(),
        '\u{f6d9}' => Some('©'),
        '\u{f6da}' => Some('®'),
        '\u{f6db}' => Some('™'),
        _ => None,
    }
}

/// Loads a font with hayro-font.
pub fn load<'a>(dict: &Dict<'a>) -> Option<Font<'a>> {
    let fonts: FontResolverFn = Arc::new(|query: &FontQuery| {
        Some(match query {
            FontQuery::Standard(font) => font.get_font_data(),
            FontQuery::Fallback(query) => query.pick_standard_font().get_font_data(),
        })
    });
    let cmaps: CMapResolverFn = Arc::new(hayro_cmap::load_embedded);
    FontCache::new().font(dict, &fonts, &cmaps)
}

/// The text that hayro-font returns for each code of a simple font.
pub fn all_codes(font: &Font<'_>) -> Meanings {
    let meaning = |code| match font.glyph(font.map_code(code), code) {
        FontGlyph::Outline(glyph) => glyph.as_unicode(),
        FontGlyph::Type3(glyph) => glyph.as_unicode(),
    };
    (0..256)
        .map(|code| match meaning(code) {
            Some(BfString::Char(c)) => c.to_string(),
            Some(BfString::String(text)) => text,
            None => String::new(),
        })
        .collect()
}
