//! Finds the meaning of glyphs in the tables of an embedded font program.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use hayro_cmap::CMap;
use hayro_syntax::object::{Dict, Stream};

use super::cff::Glyphs;
use super::names::{self, BaseEncoding};
use super::truetype::TrueType;
use super::{MAX_STREAM_BYTES, PROGRAMS, cff, characters, collection, truetype};
use crate::streams;

#[derive(Debug)]
pub struct Program {
    /// Whether its stream is damaged, or it cannot be parsed.
    pub is_damaged: bool,
    pub tables: TrueType,
    /// By glyph: the code in a character map that is not for Unicode.
    pub own_codes: HashMap<u16, (u8, BaseEncoding)>,
    /// By glyph: the number in a name without other meaning.
    pub numbers: HashMap<u16, u16>,
    texts: HashMap<u16, String>,
    /// Maps the CIDs of the program's character collection to characters.
    collection: Option<Rc<CMap>>,
}

impl Program {
    pub fn of_descriptor(descriptor: &Dict<'_>) -> Option<Self> {
        let stream = [&b"FontFile2"[..], b"FontFile3"]
            .iter()
            .find_map(|key| descriptor.get::<Stream<'_>>(*key))?;
        let decoded = streams::decode_small(&stream, MAX_STREAM_BYTES)?;
        let data = decoded.data;
        let program = if data.first() == Some(&1) {
            Self::of_cff(&data)
        } else {
            let tables = TrueType::parse(&data);
            Self {
                is_damaged: tables.is_none(),
                ..Self::of_tables(tables.unwrap_or_default())
            }
        };
        Some(Self {
            is_damaged: program.is_damaged || decoded.damage.is_some(),
            ..program
        })
    }

    fn of_tables(tables: TrueType) -> Self {
        Self {
            is_damaged: false,
            own_codes: tables.own_codes(),
            tables,
            numbers: HashMap::new(),
            texts: HashMap::new(),
            collection: None,
        }
    }

    fn of_cff(data: &[u8]) -> Self {
        let mut program = Self::of_tables(TrueType::default());
        match Glyphs::parse(data) {
            Some(Glyphs::Named(named)) => {
                let number =
                    |(glyph, name): &(u16, &[u8])| Some((*glyph, names::numbers(name)[0]?));
                program.numbers = named.iter().filter_map(number).collect();
                program.texts = names::of_glyphs(named).into_iter().collect();
            }
            Some(Glyphs::Collection(family)) => program.collection = collection::map_of(&family),
            None => program.is_damaged = true,
        }
        program
    }

    pub fn text(&self, cid: u32, glyph: u16) -> Option<Cow<'_, str>> {
        let named = || self.texts.get(&glyph).map(Cow::from);
        let collected = || collection::lookup(self.collection.as_ref()?, cid).map(Cow::Owned);
        let tabled = self.tables.text(glyph);
        tabled
            .filter(|text| characters::is_meaningful(text))
            .or_else(named)
            .or_else(collected)
    }
}

/// Whether the embedded font program is missing, its stream damaged, or it is not a font.
pub fn is_damaged(descriptor: &Dict<'_>) -> bool {
    let stream = PROGRAMS
        .iter()
        .find_map(|key| descriptor.get::<Stream<'_>>(*key));
    let decoded = stream.and_then(|stream| streams::decode_small(&stream, MAX_STREAM_BYTES));
    decoded.is_none_or(|decoded| decoded.damage.is_some() || !is_font(&decoded.data))
}

fn is_font(data: &[u8]) -> bool {
    let is_type_1 = data.starts_with(b"%!") || data.starts_with(&[0x80, 1]);
    is_type_1 || cff::is_cff(data) || truetype::has_tables(data)
}

/// The numbers in the glyph names of the built-in encoding of a Type 1 or CFF font, by code.
pub fn numbers_of_codes(descriptor: &Dict<'_>) -> Vec<[Option<u16>; 2]> {
    let stream = [&b"FontFile"[..], b"FontFile3"]
        .iter()
        .find_map(|key| descriptor.get::<Stream<'_>>(*key));
    let data = stream.and_then(|stream| streams::decode_small(&stream, MAX_STREAM_BYTES));
    data.map_or_else(Vec::new, |data| {
        cff::names_of_codes(&data.data, |name| name.map_or([None; 2], names::numbers))
    })
}
