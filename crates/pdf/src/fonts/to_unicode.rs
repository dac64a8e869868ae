//! The ToUnicode map of a font.
//!
//! It is parsed leniently, because maps are often damaged and every readable entry helps. Ranges
//! are stored as ranges, so that a range of four billion codes costs nothing.

use hayro_cmap::{CMap, CMapName, load_embedded};
use hayro_syntax::object::dict::keys::TO_UNICODE;
use hayro_syntax::object::{Dict, Name, Object};

use super::characters::is_meaningful;
use super::{MAX_STREAM_BYTES, collection, missing_entry};
use crate::streams;

/// The damage of a font whose map cannot be parsed completely.
const DAMAGED: &str = "the ToUnicode map of a font is damaged";

/// Maximum length of a target. Longer targets are damaged.
const MAX_TARGET_UNITS: usize = 64;
/// Maximum number of ranges to sample.
const MAX_SAMPLES: usize = 256;
/// Maximum number of overlapping ranges searched for a code.
const MAX_OVERLAPS: usize = 8;

#[derive(Debug, Default)]
pub struct ToUnicode {
    /// Sorted by their first code.
    ranges: Vec<Range>,
    identity: bool,
    /// The map of the character collection on which this map is based. Its codes are CIDs.
    collection: Option<CMap>,
    /// Damage of its stream or its entries.
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
            return missing_entry(dict, TO_UNICODE).map(Self::unreadable);
        };
        match object {
            Object::Stream(stream) => {
                let Some(decoded) = streams::decode_small(&stream, MAX_STREAM_BYTES) else {
                    return Some(Self::unreadable("the ToUnicode map of a font is too large"));
                };
                let mut map = Self::parse(&decoded.data);
                if decoded.damage.is_some() {
                    map.damage = Some(DAMAGED);
                }
                if map.collection.is_none()
                    && let Some(name) = stream.dict().get::<Name<'_>>(b"UseCMap")
                {
                    map.collection = collection(&name);
                }
                Some(map)
            }
            Object::Name(name) => Self::predefined(&name),
            Object::Null(_) => None,
            _ => Some(Self::unreadable(DAMAGED)),
        }
        .filter(|map| map.damage.is_some() || !map.is_useless())
    }

    fn unreadable(damage: &'static str) -> Self {
        Self {
            damage: Some(damage),
            ..Self::default()
        }
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
        let mut parser = Parser {
            data,
            at: 0,
            is_damaged: false,
        };
        let mut ranges = Vec::new();
        let (mut base, mut name) = (None, None);
        let mut is_after_name = false;
        while let Some(token) = parser.token() {
            match token {
                Token::Word([b'/', word @ ..]) => name = Some(word),
                Token::Word(b"usecmap") => base = name,
                Token::Word(b"beginbfchar") => parser.characters(&mut ranges),
                Token::Word(b"beginbfrange") => parser.ranges(&mut ranges),
                Token::Word(word) if OTHER_SECTIONS.contains(&word) => parser.skip_section(),
                // Outside of sections, only the values of names are strings.
                Token::Hex(_) | Token::Damaged if !is_after_name => parser.is_damaged = true,
                _ => {}
            }
            is_after_name = matches!(token, Token::Word([b'/', ..]));
        }
        // The sort is stable: of two entries for a code, the later one is found first.
        ranges.sort_by_key(|range| range.first);
        Self {
            ranges,
            identity: false,
            collection: base.and_then(collection),
            damage: parser.is_damaged.then_some(DAMAGED),
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

/// The sections of a map that do not define characters.
const OTHER_SECTIONS: [&[u8]; 5] = [
    b"begincodespacerange",
    b"begincidrange",
    b"begincidchar",
    b"beginnotdefrange",
    b"beginnotdefchar",
];

enum Token<'d> {
    /// A hexadecimal string, decoded.
    Hex(Vec<u8>),
    /// An operator, a name or a number.
    Word(&'d [u8]),
    ArrayStart,
    ArrayEnd,
    /// A hexadecimal string with other characters, or without an end.
    Damaged,
}

struct Parser<'d> {
    data: &'d [u8],
    at: usize,
    /// Whether anything could not be parsed.
    is_damaged: bool,
}

impl<'d> Parser<'d> {
    fn token(&mut self) -> Option<Token<'d>> {
        loop {
            let c = *self.data.get(self.at)?;
            self.at += 1;
            match c {
                b'<' if self.data.get(self.at) == Some(&b'<') => self.at += 1,
                b'<' => return Some(self.hex().map_or(Token::Damaged, Token::Hex)),
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

    /// Parses the rest of a string; `None`, and nothing is consumed, if it is damaged.
    fn hex(&mut self) -> Option<Vec<u8>> {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_hexdigit() || is_space(c));
        if self.data.get(self.at) != Some(&b'>') {
            self.at = start;
            return None;
        }
        let digits = self.data[start..self.at]
            .iter()
            .filter_map(|&c| char::from(c).to_digit(16));
        let digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
        let odd = digits.len() % 2;
        // White space in place of a digit.
        if odd == 1 && digits.len() < self.at - start {
            self.at = start;
            return None;
        }
        self.at += 1;
        // With an odd number of digits, the first one is a byte, as in <9>.
        let head = digits[..odd].iter().copied();
        Some(
            head.chain(
                digits[odd..]
                    .chunks_exact(2)
                    .map(|pair| pair[0] << 4 | pair[1]),
            )
            .collect(),
        )
    }

    /// Skips an unparsable entry, up to the end of its line or of the section.
    fn skip_damage(&mut self) {
        self.is_damaged = true;
        let rest = &self.data[self.at..];
        let ends = |at: &usize| {
            let rest = &rest[*at..];
            matches!(rest, [b'\n' | b'\r', ..]) || rest.starts_with(b"end")
        };
        self.at += (0..rest.len()).find(ends).unwrap_or(rest.len());
    }

    /// The next part of an entry; `None` at the end of the section.
    fn part(&mut self, end: &[u8]) -> Option<Token<'d>> {
        match self.token() {
            Some(Token::Word(word)) if word == end => None,
            // A section with another end, or without one.
            Some(Token::Word([b'e', b'n', b'd', ..])) | None => {
                self.is_damaged = true;
                None
            }
            token => token,
        }
    }

    fn skip_section(&mut self) {
        while let Some(token) = self.token() {
            match token {
                Token::Word([b'e', b'n', b'd', ..]) => return,
                Token::Damaged => self.is_damaged = true,
                _ => {}
            }
        }
    }

    fn characters(&mut self, ranges: &mut Vec<Range>) {
        const END: &[u8] = b"endbfchar";
        while let Some(code) = self.part(END) {
            let Token::Hex(code) = code else {
                self.skip_damage();
                continue;
            };
            match self.part(END) {
                Some(Token::Hex(target)) => {
                    self.push(ranges, number(&code), number(&code), &target);
                }
                Some(_) => self.skip_damage(),
                None => {
                    self.is_damaged = true;
                    return;
                }
            }
        }
    }

    fn ranges(&mut self, ranges: &mut Vec<Range>) {
        const END: &[u8] = b"endbfrange";
        while let Some(first) = self.part(END) {
            let Token::Hex(first) = first else {
                self.skip_damage();
                continue;
            };
            let (last, target) = match self.part(END) {
                Some(Token::Hex(last)) => (last, self.part(END)),
                Some(_) => {
                    self.skip_damage();
                    continue;
                }
                None => {
                    self.is_damaged = true;
                    return;
                }
            };
            let (first, last) = (number(&first), number(&last));
            match target {
                Some(Token::Hex(target)) => self.push(ranges, first, last, &target),
                Some(Token::ArrayStart) => self.targets(ranges, first, last),
                Some(_) => self.skip_damage(),
                None => {
                    self.is_damaged = true;
                    return;
                }
            }
        }
    }

    /// Parses the array of the targets of a range.
    fn targets(&mut self, ranges: &mut Vec<Range>, first: Option<u32>, last: Option<u32>) {
        let mut code = first;
        loop {
            match self.token() {
                Some(Token::Hex(target)) => {
                    if code.is_some() && code <= last {
                        self.push(ranges, code, code, &target);
                    }
                    code = code.and_then(|code| code.checked_add(1));
                }
                Some(Token::ArrayEnd) => return,
                _ => return self.skip_damage(),
            }
        }
    }

    /// Adds an entry. Impossible codes or an overlong target count as damage.
    fn push(
        &mut self,
        ranges: &mut Vec<Range>,
        first: Option<u32>,
        last: Option<u32>,
        target: &[u8],
    ) {
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
        match (first, last) {
            (Some(first), Some(last)) if first <= last && target.len() <= MAX_TARGET_UNITS => {
                ranges.push(Range {
                    first,
                    last,
                    target,
                });
            }
            _ => self.is_damaged = true,
        }
    }
}

fn is_space(c: u8) -> bool {
    matches!(c, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'/' | b'-' | b'_' | b'.')
}

fn number(bytes: &[u8]) -> Option<u32> {
    (1..=4)
        .contains(&bytes.len())
        .then(|| bytes.iter().fold(0, |value, &b| value << 8 | u32::from(b)))
}
