//! Finds the meaning of glyphs in a TrueType or OpenType font: by its character map, reversed, and
//! by glyph names.

use std::borrow::Cow;
use std::collections::HashMap;

use super::cff::Glyphs;
use super::names::{self, BaseEncoding};
use super::{characters, glyph_order};

/// Maximum number of codes in a map. Glyph numbers have 16 bits, so a map with more codes is
/// damaged or hostile.
const MAX_CODES: usize = 1 << 17;

/// The maximum number of maps; fonts have a handful. Each costs up to `MAX_CODES`, however small
/// the file is, since maps may overlap.
const MAX_MAPS: usize = 32;

#[derive(Debug, Default)]
pub struct TrueType {
    /// Maps glyphs to characters, from a Unicode character map.
    characters: HashMap<u16, char>,
    /// Maps codes to glyphs, from the symbol map.
    symbols: HashMap<u32, u16>,
    /// Maps codes to glyphs, from the Macintosh map.
    macintosh: HashMap<u32, u16>,
    /// Whether the font has no character map, so that codes are glyphs.
    has_no_map: bool,
    /// Texts of several characters, from names such as "f_i".
    ligatures: HashMap<u16, String>,
}

impl TrueType {
    /// Parses a font as far as possible; `None` if it has no table.
    pub fn parse(data: &[u8]) -> Option<Self> {
        if !has_tables(data) {
            return None;
        }
        let mut font = Self::default();
        let cmap = table(data, b"cmap").unwrap_or_default();
        for i in 0..usize::from(u16_at(cmap, 2).unwrap_or(0)).min(MAX_MAPS) {
            let record = 4 + i * 8;
            let (Some(platform), Some(encoding), Some(offset)) = (
                u16_at(cmap, record),
                u16_at(cmap, record + 2),
                u32_at(cmap, record + 4),
            ) else {
                break;
            };
            let map = cmap
                .get(offset as usize..)
                .map(read_map)
                .unwrap_or_default();
            match (platform, encoding) {
                (3, 0) => font.symbols = map,
                (1, 0) => font.macintosh = map,
                (0, _) | (3, 1 | 10) => {
                    // If a glyph has several characters, take the lowest: Latin before its
                    // look-alikes.
                    let mut pairs: Vec<_> = map.into_iter().collect();
                    pairs.sort_unstable();
                    for (code, glyph) in pairs {
                        if let Some(c) = char::from_u32(code) {
                            font.characters.entry(glyph).or_insert(c);
                        }
                    }
                }
                _ => {}
            }
        }
        font.has_no_map = [&font.symbols, &font.macintosh]
            .iter()
            .all(|map| map.is_empty())
            && font.characters.is_empty();
        font.add_names(data);
        if let Some(Glyphs::Named(named)) = table(data, b"CFF ").and_then(Glyphs::parse) {
            font.add_named(named);
        }
        Some(font)
    }

    /// The glyph of a code in a simple font, as viewers choose it for fonts without an encoding.
    pub fn glyph_of_code(&self, code: u8) -> Option<u16> {
        let code = u32::from(code);
        [0xf000, 0, 0xf100, 0xf200]
            .iter()
            .find_map(|offset| self.symbols.get(&(code + offset)))
            .or_else(|| self.macintosh.get(&code))
            .copied()
            .or_else(|| self.has_no_map.then_some(code as u16))
            .filter(|&glyph| glyph != 0)
    }

    /// Whether the font has a Macintosh character map.
    pub fn is_macintosh(&self) -> bool {
        !self.macintosh.is_empty()
    }

    /// The text of a glyph, possibly a private-use character.
    pub fn text(&self, glyph: u16) -> Option<Cow<'_, str>> {
        let ligature = self.ligatures.get(&glyph).map(Cow::from);
        ligature.or_else(|| Some(Cow::Owned(self.characters.get(&glyph)?.to_string())))
    }

    /// The codes of glyphs in the symbol and Macintosh maps, with their usual encodings. Subset
    /// fonts may use arbitrary codes.
    pub fn own_codes(&self) -> HashMap<u16, (u8, BaseEncoding)> {
        let mut found = HashMap::new();
        let maps = [
            (&self.symbols, BaseEncoding::WinAnsi),
            (&self.macintosh, BaseEncoding::MacRoman),
        ];
        for (glyph, character) in &self.characters {
            if let 0xf000..=0xf0ff = u32::from(*character) {
                found.insert(*glyph, (*character as u32 as u8, BaseEncoding::WinAnsi));
            }
        }
        for (map, encoding) in maps {
            let mut codes: Vec<_> = map.iter().collect();
            codes.sort_unstable();
            for (code, glyph) in codes {
                found.entry(*glyph).or_insert((*code as u8, encoding));
            }
        }
        found
    }

    /// Adds the names of glyphs that no character map defines.
    fn add_names(&mut self, data: &[u8]) {
        let post = table(data, b"post").unwrap_or_default();
        match u32_at(post, 0) {
            Some(0x0001_0000) => {
                for glyph in 0..258 {
                    if let Some(c) = glyph_order::standard(glyph) {
                        self.characters.entry(glyph).or_insert(c);
                    }
                }
            }
            Some(0x0002_0000) => self.add_own_names(post),
            _ => {}
        }
    }

    /// Adds the names of a version 2 table. Each glyph has a number: the index of a standard name
    /// or, from 258, of a name in the table.
    fn add_own_names(&mut self, post: &[u8]) {
        let count = u16_at(post, 32).unwrap_or(0);
        let mut names = Vec::new();
        let mut at = 34 + usize::from(count) * 2;
        while let Some(&length) = post.get(at) {
            let Some(name) = post.get(at + 1..at + 1 + usize::from(length)) else {
                break;
            };
            names.push(name);
            at += 1 + usize::from(length);
        }
        let mut named: Vec<(u16, &[u8])> = Vec::new();
        for glyph in (0..count)
            .filter(|glyph| !self.characters.contains_key(glyph))
            .collect::<Vec<_>>()
        {
            let Some(number) = u16_at(post, 34 + usize::from(glyph) * 2) else {
                break;
            };
            match number.checked_sub(258) {
                Some(own) => named.extend(names.get(usize::from(own)).map(|name| (glyph, *name))),
                None => self
                    .characters
                    .extend(glyph_order::standard(number).map(|c| (glyph, c))),
            }
        }
        self.add_named(named);
    }

    fn add_named(&mut self, mut named: Vec<(u16, &[u8])>) {
        named.retain(|(glyph, _)| {
            let known = self.characters.get(glyph);
            known.is_none_or(|known| characters::is_private(*known))
        });
        for (glyph, text) in names::of_glyphs(named) {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => {
                    self.characters.insert(glyph, c);
                }
                _ => {
                    self.ligatures.insert(glyph, text);
                }
            }
        }
    }
}

/// Whether a font has a directory with at least one table whose content is in the file.
pub fn has_tables(data: &[u8]) -> bool {
    let Some((start, count)) = directory(data) else {
        return false;
    };
    (0..count).any(|i| {
        let index = u32_at(data, start + 12 + i * 16 + 8);
        index.is_some_and(|offset| (offset as usize) < data.len())
    })
}

/// The offset of the font, and its number of tables. In a collection, these are the first font's.
fn directory(data: &[u8]) -> Option<(usize, usize)> {
    let start = if data.starts_with(b"ttcf") {
        u32_at(data, 12)? as usize
    } else {
        0
    };
    let count = u16_at(data, start.checked_add(4)?)?;
    Some((start, count.into()))
}

fn table<'d>(data: &'d [u8], tag: &[u8; 4]) -> Option<&'d [u8]> {
    let (start, count) = directory(data)?;
    let record = (0..count)
        .map(|i| start + 12 + i * 16)
        .find(|&at| data.get(at..at + 4) == Some(tag))?;
    let offset = u32_at(data, record + 8)? as usize;
    let length = u32_at(data, record + 12)? as usize;
    data.get(offset..offset.checked_add(length)?.min(data.len()))
}

/// Reads a map from codes to glyphs.
fn read_map(map: &[u8]) -> HashMap<u32, u16> {
    let mut codes = HashMap::new();
    match u16_at(map, 0) {
        Some(0) => {
            for (code, &glyph) in (0..256).zip(map.get(6..).unwrap_or_default()) {
                codes.insert(code, u16::from(glyph));
            }
        }
        Some(4) => read_segments(map, &mut codes),
        Some(6) => {
            let first = u32::from(u16_at(map, 6).unwrap_or(0));
            let count = u32::from(u16_at(map, 8).unwrap_or(0));
            for i in 0..count {
                let Some(glyph) = u16_at(map, 10 + i as usize * 2) else {
                    break;
                };
                codes.insert(first + i, glyph);
            }
        }
        Some(12) => read_groups(map, &mut codes),
        _ => {}
    }
    codes
}

fn read_segments(map: &[u8], codes: &mut HashMap<u32, u16>) {
    let twice_count = usize::from(u16_at(map, 6).unwrap_or(0));
    let mut left = MAX_CODES;
    for segment in (0..twice_count).step_by(2) {
        let end_at = 14 + segment;
        let start_at = end_at + 2 + twice_count;
        let (delta_at, offset_at) = (start_at + twice_count, start_at + 2 * twice_count);
        let (Some(end), Some(start), Some(delta), Some(offset)) = (
            u16_at(map, end_at),
            u16_at(map, start_at),
            u16_at(map, delta_at),
            u16_at(map, offset_at),
        ) else {
            return;
        };
        for code in (start..=end).take(left) {
            let glyph = if offset == 0 {
                code.wrapping_add(delta)
            } else {
                let at = offset_at + usize::from(offset) + usize::from(code - start) * 2;
                match u16_at(map, at) {
                    Some(0) => 0,
                    Some(glyph) => glyph.wrapping_add(delta),
                    None => break,
                }
            };
            codes.insert(u32::from(code), glyph);
        }
        left = left.saturating_sub(usize::from(end.saturating_sub(start)) + 1);
    }
}

fn read_groups(map: &[u8], codes: &mut HashMap<u32, u16>) {
    let count = u32_at(map, 12).unwrap_or(0) as usize;
    let mut left = MAX_CODES;
    for i in 0..count {
        let at = 16 + i * 12;
        let (Some(start), Some(end), Some(glyph)) =
            (u32_at(map, at), u32_at(map, at + 4), u32_at(map, at + 8))
        else {
            return;
        };
        let pairs = (start..=end).zip(glyph..=u32::from(u16::MAX)).take(left);
        codes.extend(pairs.map(|(code, glyph)| (code, glyph as u16)));
        left = left.saturating_sub(end.saturating_sub(start) as usize + 1);
    }
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    data.get(at..at + 2)?
        .try_into()
        .ok()
        .map(u16::from_be_bytes)
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..at + 4)?
        .try_into()
        .ok()
        .map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests;
