//! From codes to CIDs, and from CIDs to characters where the font has no map to Unicode.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, WritingMode, load_embedded};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};

use super::clues::Clue;
use super::program::{self, Program};
use super::{MOST_BYTES, glyph_order, is_embedded};
use crate::content::streams;

/// The CID font of a composite font.
pub fn descendant<'a>(dict: &Dict<'a>) -> Dict<'a> {
    let fonts = dict.get::<Array<'a>>(b"DescendantFonts");
    fonts
        .and_then(|fonts| fonts.iter::<Dict<'a>>().next())
        .unwrap_or_default()
}

/// How the strings of a composite font are split into codes.
#[derive(Debug)]
pub struct Encoding {
    /// None for the identity of two bytes.
    map: Option<Rc<CMap>>,
    pub vertical: bool,
    /// What the codes are where they are characters themselves.
    charset: Option<Charset>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charset {
    /// UTF-16 or UCS-2.
    Unicode,
    Gbk,
}

impl Encoding {
    pub fn of_font(dict: &Dict<'_>) -> Self {
        match dict.get::<Object<'_>>(b"Encoding") {
            Some(Object::Name(name)) => Self::predefined(&name),
            Some(Object::Stream(stream)) => {
                Self::embedded(&stream).unwrap_or_else(|| Self::predefined(b"Identity-H"))
            }
            _ => Self::predefined(b"Identity-H"),
        }
    }

    fn predefined(name: &[u8]) -> Self {
        let map = if name.starts_with(b"Identity") {
            None
        } else {
            load_embedded(CMapName::from_bytes(name))
                .and_then(|data| CMap::parse(data, load_embedded))
                .map(Rc::new)
        };
        let unicode =
            name.starts_with(b"Uni") && (contains(name, b"UCS2") || contains(name, b"UTF16"));
        Self {
            map,
            vertical: name.ends_with(b"V"),
            charset: unicode.then_some(Charset::Unicode),
        }
    }

    /// Text in GBK: a byte is ASCII, or two are a character.
    pub fn gbk() -> Self {
        Self {
            map: None,
            vertical: false,
            charset: Some(Charset::Gbk),
        }
    }

    fn embedded(stream: &Stream<'_>) -> Option<Self> {
        let map = CMap::parse(&streams::decode_small(stream, MOST_BYTES)?, load_embedded)?;
        let vertical = map.metadata().writing_mode == Some(WritingMode::Vertical)
            || stream.dict().get::<i32>(b"WMode") == Some(1);
        Some(Self {
            map: Some(Rc::new(map)),
            vertical,
            charset: None,
        })
    }

    /// The next code, its length, and its CID.
    pub fn next(&self, bytes: &[u8]) -> (u32, usize, Option<u32>) {
        let Some(map) = &self.map else {
            return match *bytes {
                [ascii @ 0..0x80, ..] if self.charset == Some(Charset::Gbk) => {
                    (u32::from(ascii), 1, None)
                }
                [high, low, ..] => {
                    let code = u32::from(high) << 8 | u32::from(low);
                    (code, 2, Some(code))
                }
                _ => (bytes.first().map_or(0, |&b| u32::from(b)), 1, None),
            };
        };
        let mut code = 0;
        for (&byte, length) in bytes.iter().zip(1..=4_u8) {
            code = code << 8 | u32::from(byte);
            if let Some(cid) = map.lookup_cid_code(code, length) {
                return (code, usize::from(length), Some(cid));
            }
        }
        // A code that the map lacks; nearly all have two bytes.
        match *bytes {
            [high, low, ..] if high >= 0x80 => (u32::from(high) << 8 | u32::from(low), 2, None),
            [0, low, ..] => (u32::from(low), 2, None),
            _ => (bytes.first().map_or(0, |&b| u32::from(b)), 1, None),
        }
    }

    /// The character of a code that is one itself.
    pub fn character(&self, code: u32) -> Option<char> {
        if self.charset? == Charset::Gbk {
            let bytes = (code as u16).to_be_bytes();
            let bytes = if code < 0x80 { &bytes[1..] } else { &bytes[..] };
            return encoding_rs::GBK
                .decode_without_bom_handling(bytes)
                .0
                .chars()
                .next();
        }
        let units = [(code >> 16) as u16, code as u16];
        let units = if code > 0xffff {
            &units[..]
        } else {
            &units[1..]
        };
        char::decode_utf16(units.iter().copied()).next()?.ok()
    }

    fn family(&self) -> Option<CidFamily> {
        let collection = self
            .map
            .as_ref()?
            .metadata()
            .character_collection
            .as_ref()?;
        Some(collection.family.clone())
    }
}

fn contains(name: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(name, part).is_some()
}

/// What CIDs mean without a map to Unicode: by their collection, or by the font program.
#[derive(Debug)]
pub struct CidMeanings<'a> {
    collection: Option<CMap>,
    descriptor: Dict<'a>,
    /// Parsed when the collection does not know a CID.
    program: OnceCell<Option<Program>>,
    /// From CIDs to glyphs; the same where empty.
    glyphs: Vec<u16>,
    /// The font is one that came with Windows, and not embedded: CIDs count its glyphs.
    of_windows: bool,
}

impl<'a> CidMeanings<'a> {
    pub fn new(descendant: &Dict<'a>, encoding: &Encoding) -> Self {
        let family = family_of(descendant)
            .filter(|family| family.ucs2_cmap().is_some())
            .or_else(|| encoding.family());
        let collection = family.and_then(|family| program::collection(&family));
        let descriptor = descendant
            .get::<Dict<'a>>(b"FontDescriptor")
            .unwrap_or_default();
        let name = |key: &[u8], value: &[u8]| {
            descendant
                .get::<Name<'_>>(key)
                .is_some_and(|name| &*name == value)
        };
        let base_font = descendant.get::<Name<'_>>(b"BaseFont");
        let of_windows = collection.is_none()
            && !is_embedded(&descriptor)
            && name(b"Subtype", b"CIDFontType2")
            && !base_font.is_some_and(|name| glyph_order::is_unusual(name.as_str()));
        let glyphs = descendant
            .get::<Stream<'_>>(b"CIDToGIDMap")
            .and_then(|stream| streams::decode_small(&stream, 1 << 17))
            .map(|data| {
                data.chunks_exact(2)
                    .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                    .collect()
            })
            .unwrap_or_default();
        Self {
            collection,
            descriptor,
            program: OnceCell::new(),
            glyphs,
            of_windows,
        }
    }

    /// What the character collection says.
    pub fn get(&self, cid: u32) -> Option<String> {
        lookup(self.collection.as_ref()?, cid)
    }

    /// What the glyph of a CID means by the font program, or by the order of glyphs in fonts of Windows.
    pub fn inferred(&self, cid: u32) -> Option<String> {
        let glyph = self.glyph(cid)?;
        match self.program() {
            Some(program) => program.text(cid, glyph).map(Cow::into_owned),
            None if self.of_windows => glyph_order::windows(glyph).map(String::from),
            None => None,
        }
    }

    pub fn clue(&self, cid: u32) -> Clue {
        let glyph = self.glyph(cid);
        let of_program = glyph.and_then(|glyph| Some((self.program()?, glyph)));
        Clue {
            code: char::from_u32(cid),
            glyph: of_program
                .and_then(|(program, glyph)| program.numbers.get(&glyph).copied())
                .or(glyph),
            own_code: of_program
                .and_then(|(program, glyph)| program.own_codes.get(&glyph).copied()),
            numbers: [None; 2],
        }
    }

    fn program(&self) -> Option<&Program> {
        self.program
            .get_or_init(|| Program::of_descriptor(&self.descriptor))
            .as_ref()
    }

    fn glyph(&self, cid: u32) -> Option<u16> {
        match self.glyphs.is_empty() {
            true => u16::try_from(cid).ok(),
            false => self.glyphs.get(cid as usize).copied(),
        }
    }
}

/// The text of a CID in the map of a character collection.
pub fn lookup(collection: &CMap, cid: u32) -> Option<String> {
    match collection.lookup_bf_string(cid)? {
        BfString::Char(c) => Some(c.to_string()),
        BfString::String(text) => Some(text),
    }
}

fn family_of(descendant: &Dict<'_>) -> Option<CidFamily> {
    let info = descendant.get::<Dict<'_>>(b"CIDSystemInfo")?;
    let registry = info.get::<PdfString<'_>>(b"Registry")?;
    let ordering = info.get::<PdfString<'_>>(b"Ordering")?;
    Some(CidFamily::from_registry_ordering(
        registry.as_bytes(),
        ordering.as_bytes(),
    ))
}
