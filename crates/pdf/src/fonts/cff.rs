//! Glyph names of CFF and Type 1 font programs, and character collections.

use hayro_cmap::CidFamily;
use skrifa::raw::ps::Sid;
use skrifa::raw::ps::cff::CffFontRef;
use skrifa::raw::ps::cff::dict::{Entry, entries};
use skrifa::raw::ps::type1::Type1Font;
use skrifa::raw::tables::cff::Cff as Table;
use skrifa::raw::{FontData, FontRead};

/// The names of glyphs in the font program, or the collection of their CIDs.
#[derive(Debug)]
pub enum Glyphs<'d> {
    /// The names of the glyphs.
    Named(Vec<(u16, &'d [u8])>),
    /// The character collection to which the CIDs belong.
    Collection(CidFamily),
}

impl<'d> Glyphs<'d> {
    pub fn parse(data: &'d [u8]) -> Option<Self> {
        let font = CffFontRef::new_cff(data, 0, None).ok()?;
        if font.is_cid() {
            return collection(data).map(Self::Collection);
        }
        let names = font.charset()?.iter().filter_map(|(glyph, name)| {
            let glyph = u16::try_from(glyph.to_u32()).ok()?;
            Some((glyph, font.string(name)?))
        });
        Some(Self::Named(names.collect()))
    }
}

/// Whether data are a CFF font.
pub fn is_cff(data: &[u8]) -> bool {
    CffFontRef::new_cff(data, 0, None).is_ok()
}

fn collection(data: &[u8]) -> Option<CidFamily> {
    let table = Table::read(FontData::new(data)).ok()?;
    let strings = table.strings();
    let text = |name: Sid| match name.resolve_standard() {
        Ok(text) => Some(text),
        Err(own) => strings.get(own),
    };
    entries(table.top_dicts().get(0)?, None).find_map(|entry| match entry {
        Ok(Entry::Ros {
            registry, ordering, ..
        }) => Some(CidFamily::from_registry_ordering(
            text(registry)?,
            text(ordering)?,
        )),
        _ => None,
    })
}

/// Applies `read` to the names that the program's encoding gives to codes 0 to 255.
pub fn names_of_codes<T>(data: &[u8], read: impl Fn(Option<&[u8]>) -> T) -> Vec<T> {
    if let Ok(font) = CffFontRef::new_cff(data, 0, None) {
        let (encoding, charset) = (font.encoding(), font.charset());
        let name = |code| font.string(charset.as_ref()?.string_id(encoding.as_ref()?.map(code)?)?);
        return (0..=255).map(|code| read(name(code))).collect();
    }
    let Ok(font) = Type1Font::new(data) else {
        return Vec::new();
    };
    let encoding = font.encoding();
    let name = |code| Some(encoding.as_ref()?.glyph_name(code)?.as_bytes());
    (0..=255).map(|code| read(name(code))).collect()
}
