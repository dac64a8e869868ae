//! The encodings of simple fonts.

use std::cell::OnceCell;

use hayro_syntax::object::dict::keys::ENCODING;
use hayro_syntax::object::{Array, Dict, Name, Object};

use super::names::{self, BaseEncoding, Meanings};
use super::truetype::TrueType;

/// What the `Encoding` of a simple font says.
#[derive(Debug)]
pub struct Encoding {
    pub base: Option<BaseEncoding>,
    /// Glyph names by code.
    differences: Vec<Option<Vec<u8>>>,
    /// What the names mean; looked up when a code needs it.
    meanings: OnceCell<Meanings>,
}

impl Encoding {
    pub fn of_font(dict: &Dict<'_>) -> Self {
        let mut base = None;
        let mut differences = Vec::new();
        match dict.get::<Object<'_>>(ENCODING) {
            Some(Object::Name(name)) => base = BaseEncoding::named(&name),
            Some(Object::Dict(encoding)) => {
                base = encoding
                    .get::<Name<'_>>(b"BaseEncoding")
                    .and_then(|name| BaseEncoding::named(&name));
                differences = encoding
                    .get::<Array<'_>>(b"Differences")
                    .map_or_else(Vec::new, |a| read_differences(&a));
            }
            _ => {}
        }
        Self {
            base,
            differences,
            meanings: OnceCell::new(),
        }
    }

    /// The name that the encoding itself gives to a code.
    pub fn name(&self, code: u8) -> Option<&[u8]> {
        self.differences.get(usize::from(code))?.as_deref()
    }

    /// What a code means by the names of the encoding, without the font's own.
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

    /// What codes mean in a font whose program nobody has.
    pub fn usual(&self, subtype: &[u8]) -> Meanings {
        let base = if subtype == b"TrueType" {
            BaseEncoding::WinAnsi
        } else {
            BaseEncoding::Standard
        };
        let meaning = |(code, text): (u8, &String)| {
            if self.has_own_name(code) {
                String::new()
            } else {
                text.clone()
            }
        };
        (0..=255).zip(base.meanings()).map(meaning).collect()
    }

    /// Whether the name of a code tells more than the code, as "a65" does not for 65.
    fn has_own_name(&self, code: u8) -> bool {
        let name = self
            .name(code)
            .and_then(|name| std::str::from_utf8(name).ok());
        name.is_some_and(|name| {
            name.trim_start_matches(|c: char| !c.is_ascii_digit())
                .parse()
                != Ok(u32::from(code))
        })
    }

    /// What codes mean by the glyphs that they draw.
    pub fn by_glyphs(&self, font: &TrueType) -> Meanings {
        // Glyphs without a character have the meaning of their code. It is one of the Macintosh where the font has
        // a map for that.
        let codes = if font.is_macintosh() {
            BaseEncoding::MacRoman
        } else {
            BaseEncoding::WinAnsi
        }
        .meanings();
        (0..=255_u8)
            .map(|code| {
                let numbered = self.name(code).and_then(numbered_glyph);
                let glyph = numbered.or_else(|| font.glyph_of_code(code));
                match glyph.and_then(|glyph| font.character(glyph)) {
                    Some(c) => c.to_string(),
                    None if self.name(code).is_some() => String::new(),
                    None => codes.get(usize::from(code)).cloned().unwrap_or_default(),
                }
            })
            .collect()
    }
}

/// Names such as "g12", "glyph12" and "cid12" that count the glyphs of the font.
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
