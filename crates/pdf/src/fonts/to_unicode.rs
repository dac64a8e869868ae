//! The ToUnicode map of a font.
//!
//! It is parsed leniently: such maps are often damaged, and each readable entry helps. Ranges are
//! stored as such, so that one of four billion codes costs nothing.

use hayro_cmap::{CMap, CMapName, load_embedded};
use hayro_syntax::object::dict::keys::TO_UNICODE;
use hayro_syntax::object::{Dict, Name, Object};

use super::characters::is_meaningful;
use super::{MAX_STREAM_BYTES, collection, missing_entry};
use crate::streams;

/// Longer targets are damaged.
const MAX_TARGET_UNITS: usize = 64;
/// The number of ranges to sample.
const MAX_SAMPLES: usize = 256;
/// The number of overlapping ranges to search for a code.
const MAX_OVERLAPS: usize = 8;

#[derive(Debug, Default)]
pub struct ToUnicode {
    /// Sorted by their first code.
    ranges: Vec<Range>,
    identity: bool,
    /// The map of the character collection on which this map is based. Its codes are CIDs.
    collection: Option<CMap>,
    /// Damage of its stream.
    pub damage: Option<&'static str>,
}

#[derive(Debug)]
struct Range {
    first: u32,
    last: u32,
    /// The UTF-16 text of the first code; its last unit is incremented for each further code. Empty
    /// if the text belongs to another glyph.
    target: Vec<u16>,
}

impl ToUnicode {
    /// The map of a font; `None` if the font has none, or a useless one.
    pub fn of_font(dict: &Dict<'_>) -> Option<Self> {
        let Some(object) = dict.get::<Object<'_>>(TO_UNICODE) else {
            return missing_entry(dict, TO_UNICODE).map(|damage| Self {
                damage: Some(damage),
                ..Self::default()
            });
        };
        match object {
            Object::Stream(stream) => {
                let decoded = streams::decode_small(&stream, MAX_STREAM_BYTES)?;
                let mut map = Self::parse(&decoded.data);
                map.damage = decoded
                    .damage
                    .map(|_| "the ToUnicode map of a font is damaged");
                if map.collection.is_none()
                    && let Some(name) = stream.dict().get::<Name<'_>>(b"UseCMap")
                {
                    map.collection = collection(&name);
                }
                Some(map)
            }
            Object::Name(name) => Self::predefined(&name),
            _ => None,
        }
        .filter(|map| map.damage.is_some() || !map.is_useless())
    }

    fn predefined(name: &Name<'_>) -> Option<Self> {
        let identity = name.starts_with(b"Identity");
        let collection = collection(name);
        (identity || collection.is_some()).then_some(Self {
            ranges: Vec::new(),
            identity,
            collection,
            damage: None,
        })
    }

    pub fn parse(data: &[u8]) -> Self {
        let mut parser = Parser { data, at: 0 };
        let mut ranges = Vec::new();
        let (mut base, mut name) = (None, None);
        while let Some(token) = parser.token() {
            match token {
                Token::Word([b'/', word @ ..]) => name = Some(word),
                Token::Word(b"usecmap") => base = name,
                Token::Word(b"beginbfchar") => parser.characters(&mut ranges),
                Token::Word(b"beginbfrange") => parser.ranges(&mut ranges),
                _ => {}
            }
        }
        // The sort is stable: of two entries for a code, the later one is found first.
        ranges.sort_by_key(|range| range.first);
        Self {
            ranges,
            identity: false,
            collection: base.and_then(collection),
            damage: None,
        }
    }

    /// Whether the map has no entries, only empty entries, or the same character for all codes.
    fn is_useless(&self) -> bool {
        if self.identity || self.collection.is_some() {
            return false;
        }
        let Some(first) = self.ranges.iter().find(|range| !range.target.is_empty()) else {
            return true;
        };
        let same = |range: &Range| range.first == range.last && range.target == first.target;
        self.ranges.len() >= 4 && self.ranges.iter().all(same)
    }

    /// The text of a code, if the map defines one. A mapping to U+0000 or U+FFFD does not count.
    pub fn get(&self, code: u32) -> Option<String> {
        if self.identity {
            return char::from_u32(code)
                .map(String::from)
                .filter(|text| is_meaningful(text));
        }
        let end = self.ranges.partition_point(|range| range.first <= code);
        let range = self.ranges[..end]
            .iter()
            .rev()
            .take(MAX_OVERLAPS)
            .find(|range| code <= range.last)?;
        if range.target.is_empty() {
            return Some(String::new());
        }
        let mut units = range.target.clone();
        let last = units.last_mut()?;
        *last = last.checked_add(u16::try_from(code - range.first).ok()?)?;
        let text: String = char::decode_utf16(units)
            .filter_map(Result::ok)
            .filter(|&c| c != '\0')
            .collect();
        (!text.is_empty() && text != "\u{fffd}").then_some(text)
    }
}

impl ToUnicode {
    /// Some of the codes that map to a single character.
    pub fn samples(&self) -> impl Iterator<Item = (u32, char)> {
        self.ranges.iter().take(MAX_SAMPLES).filter_map(|range| {
            let [unit] = range.target[..] else {
                return None;
            };
            Some((range.first, char::from_u32(unit.into())?))
        })
    }

    /// The text of a CID in the character collection on which the map is based.
    pub fn of_cid(&self, cid: u32) -> Option<String> {
        collection::lookup(self.collection.as_ref()?, cid)
    }
}

/// The predefined map from a collection's CIDs to Unicode, such as `Adobe-Japan1-UCS2`.
fn collection(name: &[u8]) -> Option<CMap> {
    let is_map = name.starts_with(b"Adobe-") && name.ends_with(b"-UCS2");
    let data = is_map.then(|| load_embedded(CMapName::from_bytes(name)))??;
    CMap::parse(data, load_embedded)
}

enum Token<'d> {
    /// A hexadecimal string, decoded.
    Hex(Vec<u8>),
    /// An operator, a name or a number.
    Word(&'d [u8]),
    ArrayStart,
    ArrayEnd,
}

struct Parser<'d> {
    data: &'d [u8],
    at: usize,
}

impl<'d> Parser<'d> {
    fn token(&mut self) -> Option<Token<'d>> {
        loop {
            let c = *self.data.get(self.at)?;
            self.at += 1;
            match c {
                b'<' if self.data.get(self.at) == Some(&b'<') => self.at += 1,
                b'<' => return Some(Token::Hex(self.hex())),
                b'[' => return Some(Token::ArrayStart),
                b']' => return Some(Token::ArrayEnd),
                b'%' => self.skip_while(|c| c != b'\n' && c != b'\r'),
                b'(' => self.skip_while(|c| c != b')'),
                c if is_word(c) => {
                    let start = self.at - 1;
                    self.skip_while(is_word);
                    return Some(Token::Word(&self.data[start..self.at]));
                }
                _ => {}
            }
        }
    }

    fn skip_while(&mut self, skips: impl Fn(u8) -> bool) {
        let rest = &self.data[self.at..];
        self.at += rest.iter().position(|&c| !skips(c)).unwrap_or(rest.len());
    }

    fn hex(&mut self) -> Vec<u8> {
        let start = self.at;
        self.skip_while(|c| c != b'>');
        let digits = self.data[start..self.at]
            .iter()
            .filter_map(|&c| char::from(c).to_digit(16));
        self.at = (self.at + 1).min(self.data.len());
        let digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
        // With an odd number of digits, the first one is a byte, as in <9>.
        let odd = digits.len() % 2;
        let head = digits[..odd].iter().copied();
        head.chain(
            digits[odd..]
                .chunks_exact(2)
                .map(|pair| pair[0] << 4 | pair[1]),
        )
        .collect()
    }

    fn characters(&mut self, ranges: &mut Vec<Range>) {
        while let Some(Token::Hex(code)) = self.token() {
            let Some(Token::Hex(target)) = self.token() else {
                return;
            };
            push(ranges, number(&code), number(&code), &target);
        }
    }

    fn ranges(&mut self, ranges: &mut Vec<Range>) {
        while let Some(Token::Hex(first)) = self.token() {
            let Some(Token::Hex(last)) = self.token() else {
                return;
            };
            let (first, last) = (number(&first), number(&last));
            match self.token() {
                Some(Token::Hex(target)) => push(ranges, first, last, &target),
                Some(Token::ArrayStart) => {
                    let mut code = first;
                    while let Some(Token::Hex(target)) = self.token() {
                        if code.is_some() && code <= last {
                            push(ranges, code, code, &target);
                        }
                        code = code.and_then(|code| code.checked_add(1));
                    }
                }
                _ => return,
            }
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'/' | b'-' | b'_' | b'.')
}

fn number(bytes: &[u8]) -> Option<u32> {
    (1..=4)
        .contains(&bytes.len())
        .then(|| bytes.iter().fold(0, |value, &b| value << 8 | u32::from(b)))
}

fn push(ranges: &mut Vec<Range>, first: Option<u32>, last: Option<u32>, target: &[u8]) {
    let (Some(first), Some(last)) = (first, last) else {
        return;
    };
    // Targets consist of two-byte units; an odd first byte is a unit, too.
    let odd = target.len() % 2;
    let head = target[..odd].iter().map(|&b| u16::from(b));
    let target: Vec<u16> = head
        .chain(
            target[odd..]
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]])),
        )
        .collect();
    if first <= last && target.len() <= MAX_TARGET_UNITS {
        ranges.push(Range {
            first,
            last,
            target,
        });
    }
}
