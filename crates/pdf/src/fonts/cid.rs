//! Converts codes to CIDs, and CIDs to characters if the font has no ToUnicode map.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use hayro_cmap::{CMap, CMapName, CidFamily, WritingMode, load_embedded};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};

use super::charset::Charset;
use super::clues::Clue;
use super::collection;
use super::program::Program;
use super::{MAX_STREAM_BYTES, glyph_order, is_embedded, missing_entry};
use crate::streams;

/// The damage of a font whose strings may be split wrongly.
const DAMAGED: &str = "the encoding of a font is damaged";

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
    /// `None` for the two-byte identity, and if the map is unknown.
    map: Option<Rc<CMap>>,
    pub vertical: bool,
    /// The charset of the codes, if they are characters themselves.
    charset: Option<Charset>,
    /// Whether the charset, not the map, splits strings. The map then converts UTF-16 to CIDs.
    is_split_by_charset: bool,
    pub damage: Option<&'static str>,
}

impl Encoding {
    pub fn of_font(dict: &Dict<'_>) -> Self {
        match dict.get::<Object<'_>>(b"Encoding") {
            Some(Object::Name(name)) => Self::predefined(&name),
            Some(Object::Stream(stream)) => {
                let decoded = streams::decode_small(&stream, MAX_STREAM_BYTES);
                let is_damaged = decoded.as_ref().is_none_or(|map| map.damage.is_some());
                let embedded = decoded.and_then(|decoded| Self::embedded(&stream, &decoded.data));
                let is_damaged = is_damaged || embedded.is_none();
                Self {
                    damage: is_damaged.then_some(DAMAGED),
                    ..embedded.unwrap_or_else(|| Self::predefined(b"Identity-H"))
                }
            }
            Some(_) => Self::predefined(b"Identity-H"),
            None => Self {
                damage: missing_entry(dict, b"Encoding"),
                ..Self::predefined(b"Identity-H")
            },
        }
    }

    fn predefined(name: &[u8]) -> Self {
        let load = |name: &[u8]| collection::predefined(CMapName::from_bytes(name));
        let map = if name.starts_with(b"Identity") {
            None
        } else {
            load(name)
        };
        let charset = Charset::of_map(name);
        let is_split_by_charset = map.is_none() && charset.is_some();
        let is_known = map.is_some() || charset.is_some() || name.starts_with(b"Identity");
        Self {
            map: map.or_else(|| load(&charset?.name_in_utf_16(name))),
            vertical: name.ends_with(b"V"),
            charset,
            is_split_by_charset,
            damage: (!is_known).then_some("the encoding of a font is unknown"),
        }
    }

    /// The encoding of text in GBK: one byte for ASCII, two for any other character.
    pub fn gbk() -> Self {
        Self {
            map: None,
            vertical: false,
            charset: Some(Charset::Gbk),
            is_split_by_charset: true,
            damage: None,
        }
    }

    fn embedded(stream: &Stream<'_>, data: &[u8]) -> Option<Self> {
        let map = CMap::parse(data, load_embedded)?;
        let vertical = map.metadata().writing_mode == Some(WritingMode::Vertical)
            || stream.dict().get::<i32>(b"WMode") == Some(1);
        let charset = map.metadata().name.as_deref().and_then(Charset::of_map);
        Some(Self {
            map: Some(Rc::new(map)),
            vertical,
            charset,
            is_split_by_charset: false,
            damage: None,
        })
    }

    /// Whether codes are CIDs.
    pub fn is_identity(&self) -> bool {
        self.map.is_none() && self.charset.is_none()
    }

    /// The next code, its length in bytes, and its CID.
    pub fn next(&self, bytes: &[u8]) -> (u32, usize, Option<u32>) {
        match (&self.map, self.charset) {
            (map, Some(charset)) if self.is_split_by_charset => {
                let (code, length) = charset.next(bytes);
                let cid = match (map, charset) {
                    (Some(map), _) => self.character(code).and_then(|c| cid_of(map, c)),
                    (None, Charset::Gbk) => (length > 1).then_some(code),
                    (None, _) => None,
                };
                (code, length, cid)
            }
            (Some(map), charset) => next_in(map, bytes).unwrap_or_else(|| {
                // The map lacks this code. Nearly all codes have two bytes.
                let (code, length) = match (charset, bytes) {
                    (Some(charset), _) => charset.next(bytes),
                    (None, &[high, low, ..]) if high >= 0x80 || high == 0 => {
                        (u32::from(high) << 8 | u32::from(low), 2)
                    }
                    _ => (bytes.first().map_or(0, |&b| u32::from(b)), 1),
                };
                (code, length, None)
            }),
            (None, _) => match *bytes {
                [high, low, ..] => {
                    let code = u32::from(high) << 8 | u32::from(low);
                    (code, 2, Some(code))
                }
                _ => (bytes.first().map_or(0, |&b| u32::from(b)), 1, None),
            },
        }
    }

    /// The character of a code that is itself a character.
    pub fn character(&self, code: u32) -> Option<char> {
        self.charset?.character(code)
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

fn next_in(map: &CMap, bytes: &[u8]) -> Option<(u32, usize, Option<u32>)> {
    let mut code = 0;
    bytes.iter().zip(1..=4_u8).find_map(|(&byte, length)| {
        code = code << 8 | u32::from(byte);
        let cid = map.lookup_cid_code(code, length)?;
        Some((code, usize::from(length), Some(cid)))
    })
}

/// The CID of a character, given a map for UTF-16.
fn cid_of(map: &CMap, character: char) -> Option<u32> {
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units);
    let code = units
        .iter()
        .fold(0, |code, &unit| code << 16 | u32::from(unit));
    map.lookup_cid_code(code, 2 * units.len() as u8)
}

/// The meaning of CIDs without a ToUnicode map: from their collection, or from the font program.
#[derive(Debug)]
pub struct CidMeanings<'a> {
    collection: Option<Rc<CMap>>,
    descriptor: Dict<'a>,
    /// Parsed when the collection lacks a CID.
    program: OnceCell<Option<Program>>,
    /// Maps CIDs to glyphs; if empty, CIDs are glyph numbers.
    glyphs: Vec<u16>,
    has_damaged_glyphs: bool,
    /// Whether the font is one of Windows and not embedded, so that CIDs are glyph numbers of that
    /// font.
    is_windows_font: bool,
}

impl<'a> CidMeanings<'a> {
    pub fn new(descendant: &Dict<'a>, encoding: &Encoding) -> Self {
        let own = family_of(descendant);
        // The CIDs of a collection without a map, such as Adobe-KR, are not glyph numbers.
        let is_unknown = matches!(
            &own,
            Some(CidFamily::Custom { registry, .. }) if registry == b"Adobe"
        );
        let family = own
            .filter(|family| family.ucs2_cmap().is_some())
            .or_else(|| encoding.family());
        let collection = family.and_then(|family| collection::map_of(&family));
        let descriptor = descendant
            .get::<Dict<'a>>(b"FontDescriptor")
            .unwrap_or_default();
        let name = |key: &[u8], value: &[u8]| {
            descendant
                .get::<Name<'_>>(key)
                .is_some_and(|name| &*name == value)
        };
        let base_font = descendant.get::<Name<'_>>(b"BaseFont");
        let is_windows_font = collection.is_none()
            && !is_unknown
            && !is_embedded(&descriptor)
            && name(b"Subtype", b"CIDFontType2")
            && !base_font.is_some_and(|name| glyph_order::has_own_order(name.as_str()));
        let map = descendant.get::<Stream<'_>>(b"CIDToGIDMap");
        let is_missing = descendant.get_ref(b"CIDToGIDMap").is_some()
            && descendant.get::<Object<'_>>(b"CIDToGIDMap").is_none();
        let has_map = map.is_some() || is_missing;
        let map = map.and_then(|stream| streams::decode_small(&stream, 1 << 17));
        let has_damaged_glyphs = has_map && map.as_ref().is_none_or(|map| map.damage.is_some());
        let glyphs = map.map_or_else(Vec::new, |map| {
            let pairs = map.data.chunks_exact(2);
            pairs
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                .collect()
        });
        Self {
            collection,
            descriptor,
            program: OnceCell::new(),
            glyphs,
            has_damaged_glyphs,
            is_windows_font,
        }
    }

    /// The text of a CID according to the character collection.
    pub fn get(&self, cid: u32) -> Option<String> {
        collection::lookup(self.collection.as_ref()?, cid)
    }

    /// The text of a CID's glyph according to the font program, or to the glyph order of Windows
    /// fonts.
    pub fn inferred(&self, cid: u32) -> Option<String> {
        let glyph = self.glyph(cid)?;
        match self.program() {
            Some(program) => program.text(cid, glyph).map(Cow::into_owned),
            None if self.is_windows_font => glyph_order::windows(glyph).map(String::from),
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

    /// Whether the font program, or the map to its glyphs, is damaged; `None` if the program was
    /// not needed yet, or cannot be read.
    pub fn has_damaged_program(&self) -> Option<bool> {
        let is_damaged = self.program.get()?.as_ref()?.is_damaged;
        Some(is_damaged || self.has_damaged_glyphs)
    }

    fn program(&self) -> Option<&Program> {
        self.program
            .get_or_init(|| Program::of_descriptor(&self.descriptor))
            .as_ref()
    }

    fn glyph(&self, cid: u32) -> Option<u16> {
        if self.glyphs.is_empty() {
            u16::try_from(cid).ok()
        } else {
            self.glyphs.get(cid as usize).copied()
        }
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
