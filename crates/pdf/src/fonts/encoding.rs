//! The encodings of simple fonts.

use std::cell::OnceCell;

use hayro_syntax::object::dict::keys::ENCODING;
use hayro_syntax::object::{Array, Dict, Name, Object};
use unicode_normalization::UnicodeNormalization;

use super::missing_entry;
use super::names::{self, BaseEncoding, Meanings};
use super::truetype::TrueType;

/// The minimum number of lower-case letters in a text font of TeX.
const MIN_TEX_LETTERS: usize = 5;
/// The minimum number of lower-case letters in a font for titles, which have no comma or full stop.
const MIN_TITLE_LETTERS: usize = 12;
/// The codes of TeX's two text encodings (OT1 and T1) that differ from those of other fonts.
const KNUTH: &[(u8, &str)] = &[
    (11, "ff"),
    (12, "fi"),
    (13, "fl"),
    (14, "ffi"),
    (15, "ffl"),
    (25, "ß"),
    (26, "æ"),
    (27, "œ"),
    (28, "ø"),
    (34, "”"),
    (92, "“"),
    (123, "–"),
    (124, "—"),
];
const CORK: &[(u8, &str)] = &[
    (16, "“"),
    (17, "”"),
    (21, "–"),
    (22, "—"),
    (27, "ff"),
    (28, "fi"),
    (29, "fl"),
    (30, "ffi"),
    (31, "ffl"),
];

/// The `Encoding` entry of a simple font.
#[derive(Debug)]
pub struct Encoding {
    pub base: Option<BaseEncoding>,
    /// Glyph names by code.
    differences: Vec<Option<Vec<u8>>>,
    pub damage: Option<&'static str>,
    /// The meanings of the names; looked up on demand.
    meanings: OnceCell<Meanings>,
}

impl Encoding {
    pub fn of_font(dict: &Dict<'_>) -> Self {
        let mut base = None;
        let mut differences = Vec::new();
        let mut damage = None;
        let mut named = |name: &Name<'_>| {
            let misspelt = || {
                let encoding = BaseEncoding::misspelt(name)?;
                damage = Some("the name of a font's encoding is damaged");
                Some(encoding)
            };
            BaseEncoding::named(name).or_else(misspelt)
        };
        match dict.get::<Object<'_>>(ENCODING) {
            Some(Object::Name(name)) => base = named(&name),
            Some(Object::Dict(encoding)) => {
                base = encoding
                    .get::<Name<'_>>(b"BaseEncoding")
                    .and_then(|name| named(&name));
                differences = encoding
                    .get::<Array<'_>>(b"Differences")
                    .map_or_else(Vec::new, |a| read_differences(&a));
            }
            Some(_) => {}
            None => damage = missing_entry(dict, ENCODING),
        }
        Self {
            base,
            differences,
            damage,
            meanings: OnceCell::new(),
        }
    }

    /// The name that `Differences` gives to a code.
    pub fn name(&self, code: u8) -> Option<&[u8]> {
        self.differences.get(usize::from(code))?.as_deref()
    }

    /// The text of a code according to the encoding, ignoring the built-in encoding of the font.
    pub fn meaning(&self, code: u8) -> Option<&str> {
        let index = usize::from(code);
        let meanings = match (self.name(code), self.base) {
            (Some(_), _) => self.meanings.get_or_init(|| {
                let named = (0..=255_u8).zip(&self.differences);
                names::meanings(named.filter_map(|(code, name)| Some((code, name.as_deref()?))))
            }),
            (None, Some(base)) => base.meanings(),
            (None, None) => return None,
        };
        let text = meanings.get(index)?;
        (!text.is_empty()).then_some(text)
    }

    /// The meanings of codes in a font that is not embedded.
    pub fn fallback_meanings(&self, implied: Implied) -> Meanings {
        let meaning = |code: u8| {
            if self.has_informative_name(code) {
                None
            } else {
                implied.character(code)
            }
        };
        (0..=255)
            .map(|code| meaning(code).map(String::from).unwrap_or_default())
            .collect()
    }

    /// Adds the ligatures and dashes of TeX's text fonts, whose bitmaps are named by their codes.
    /// Leaves symbol fonts alone, which lack the comma, the full stop and some vowels.
    pub fn add_tex_ligatures(&self, meanings: &mut Meanings) {
        let has = |code: u8| self.name(code).is_some() && !self.has_informative_name(code);
        let letters = (b'a'..=b'z').filter(|code| has(*code)).count();
        let is_text = has(b',') || has(b'.');
        // Fonts for formulas have Greek letters beside those at the codes of ligatures.
        let is_title = letters >= MIN_TITLE_LETTERS
            && b"aeio".iter().all(|code| has(*code))
            && !(0..=10).chain(16..=26).chain(32..=39).any(has);
        if letters < MIN_TEX_LETTERS || !(is_text || is_title) {
            return;
        }
        // Knuth's encoding has ligatures where that of Cork has marks that hardly occur.
        let codes = if (11..=15).any(has) {
            KNUTH
        } else if (27..=31).any(has) {
            CORK
        } else {
            return;
        };
        for (code, text) in codes {
            if let Some(meaning) = meanings.get_mut(usize::from(*code)).filter(|_| has(*code)) {
                *meaning = (*text).to_owned();
            }
        }
    }

    /// Whether the name of a code adds information to the code, unlike "a65" for code 65.
    fn has_informative_name(&self, code: u8) -> bool {
        let name = self
            .name(code)
            .and_then(|name| std::str::from_utf8(name).ok());
        name.is_some_and(|name| {
            name.trim_start_matches(|c: char| !c.is_ascii_digit())
                .parse()
                != Ok(u32::from(code))
        })
    }

    /// The meanings of codes according to the glyphs that they draw.
    pub fn by_glyphs(
        &self,
        font: &TrueType,
        implied: Implied,
        widths: Option<&[f32; 256]>,
    ) -> Meanings {
        // A glyph without a character has the meaning of its code: in MacRoman if the font has a
        // Macintosh character map, otherwise in the implied encoding. Some programs write such a
        // map for any codes.
        let is_macintosh = font.is_macintosh()
            && !widths.is_some_and(|widths| {
                odd_letters(font, widths, BaseEncoding::WinAnsi)
                    < odd_letters(font, widths, BaseEncoding::MacRoman)
            });
        let by_code = |code| {
            if is_macintosh {
                BaseEncoding::MacRoman.character(u32::from(code))
            } else {
                implied.character(code)
            }
        };
        (0..=255_u8)
            .map(|code| {
                let numbered = self.name(code).and_then(numbered_glyph);
                let glyph = numbered.or_else(|| font.glyph_of_code(code));
                match glyph.and_then(|glyph| font.text(glyph)) {
                    Some(text) => text.into_owned(),
                    None if self.name(code).is_some() => String::new(),
                    None => by_code(code).map(String::from).unwrap_or_default(),
                }
            })
            .collect()
    }
}

/// The encoding of a font that declares none.
#[derive(Clone, Copy, Debug)]
pub struct Implied {
    encoding: BaseEncoding,
    /// Used for codes that `encoding` lacks.
    fallback: Option<BaseEncoding>,
}

impl Implied {
    pub const STANDARD: Self = Self {
        encoding: BaseEncoding::Standard,
        fallback: None,
    };

    /// The implied encoding of a TrueType font: the standard one, unless the font is symbolic or
    /// its widths fit WinAnsi.
    pub fn of_true_type(is_symbolic: bool, widths: Option<&[f32; 256]>) -> Self {
        let encoding = if is_symbolic || widths.is_some_and(are_win_ansi_widths) {
            BaseEncoding::WinAnsi
        } else {
            BaseEncoding::Standard
        };
        Self {
            encoding,
            fallback: Some(BaseEncoding::WinAnsi),
        }
    }

    pub fn character(self, code: u8) -> Option<char> {
        let code = u32::from(code);
        self.encoding
            .character(code)
            .or_else(|| self.fallback?.character(code))
    }
}

/// Whether accented letters of WinAnsiEncoding are as wide as their base letters. Other encodings
/// have other characters there.
fn are_win_ansi_widths(widths: &[f32; 256]) -> bool {
    const LETTERS: [(u8, &[u8]); 8] = [
        (b'A', b"\xc0\xc1\xc2\xc3\xc4\xc5"),
        (b'E', b"\xc8\xc9\xca\xcb"),
        (b'O', b"\xd2\xd3\xd4\xd5\xd6"),
        (b'U', b"\xd9\xda\xdb\xdc"),
        (b'a', b"\xe0\xe1\xe2\xe3\xe4\xe5"),
        (b'e', b"\xe8\xe9\xea\xeb"),
        (b'o', b"\xf2\xf3\xf4\xf5\xf6"),
        (b'u', b"\xf9\xfa\xfb\xfc"),
    ];
    let width = |code: u8| widths.get(usize::from(code)).copied().unwrap_or_default();
    let (mut same, mut other, mut kinds) = (0, 0, Vec::new());
    for (base, accented) in LETTERS {
        for code in accented.iter().filter(|code| width(**code) > 0.0) {
            if width(*code) == width(base) {
                same += 1;
                kinds.push(width(base));
            } else {
                other += 1;
            }
        }
    }
    // Equal widths of all letters prove nothing.
    kinds.dedup();
    same > 4 * other && kinds.len() > 1
}

/// The number of codes beyond ASCII that are accented letters in an encoding, although the font has
/// no base letter of the same width.
fn odd_letters(font: &TrueType, widths: &[f32; 256], encoding: BaseEncoding) -> usize {
    let width = |code: u8| {
        let width = widths.get(usize::from(code)).copied();
        width.filter(|_| font.glyph_of_code(code).is_some())
    };
    let is_odd = |code: &u8| {
        let letter = encoding.character(u32::from(*code));
        let base = letter.and_then(|letter| u8::try_from(letter.nfd().next()?).ok());
        base.is_some_and(|base| base.is_ascii_alphabetic() && width(base) != width(*code))
    };
    let used = (0x80..=0xff_u8).filter(|code| width(*code).is_some());
    used.filter(is_odd).count()
}

/// The glyph number in a name such as "g12", "glyph12" or "cid12".
fn numbered_glyph(name: &[u8]) -> Option<u16> {
    let name = std::str::from_utf8(name).ok()?;
    let digits = ["glyph", "gid", "cid", "g", "G"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))?;
    digits.parse().ok()
}

fn read_differences(array: &Array<'_>) -> Vec<Option<Vec<u8>>> {
    let mut names = vec![None; 256];
    let mut code = 0_i64;
    for item in array.iter::<Object<'_>>() {
        match item {
            Object::Number(number) => code = number.as_i64(),
            Object::Name(name) => {
                if let Some(place) = usize::try_from(code)
                    .ok()
                    .and_then(|code| names.get_mut(code))
                {
                    *place = Some(name.to_vec());
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    names
}
