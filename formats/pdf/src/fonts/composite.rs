//! Composite fonts: codes of several bytes.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use hayro_syntax::object::Dict;

use super::cid::{CidMeanings, Encoding};
use super::pictures::Pictures;
use super::to_unicode::ToUnicode;
use super::widths::CidWidths;
use super::{Code, characters};

#[derive(Debug)]
pub struct Composite<'a> {
    encoding: Encoding,
    to_unicode: Option<ToUnicode>,
    widths: CidWidths,
    descendant: Dict<'a>,
    /// Read when the first code needs it.
    meanings: OnceCell<CidMeanings>,
    pictures: Option<Pictures>,
    keep_ligatures: bool,
    seen: RefCell<Seen>,
}

/// Codes that were looked up already.
#[derive(Debug)]
struct Seen {
    /// By code and its length.
    codes: HashMap<(u32, u8), SeenCode>,
    /// The latest codes, by their low bits: most lookups end here.
    latest: Vec<Option<((u32, u8), SeenCode)>>,
    texts: String,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            codes: HashMap::new(),
            latest: vec![None; LATEST],
            texts: String::new(),
        }
    }
}

/// So many of the latest codes are at hand.
const LATEST: usize = 256;

#[derive(Clone, Copy, Debug)]
struct SeenCode {
    /// Place in `Seen::texts`.
    text: (u32, u32),
    advance: f64,
    is_unknown: bool,
}

impl<'a> Composite<'a> {
    pub fn new(
        dict: &Dict<'_>,
        descendant: Dict<'a>,
        pictures: Option<Pictures>,
        keep_ligatures: bool,
    ) -> Self {
        let encoding = Encoding::of_font(dict);
        let widths = if encoding.vertical {
            CidWidths::vertical(&descendant)
        } else {
            CidWidths::horizontal(&descendant)
        };
        Self {
            encoding,
            to_unicode: ToUnicode::of_font(dict),
            widths,
            descendant,
            meanings: OnceCell::new(),
            pictures,
            keep_ligatures,
            seen: RefCell::new(Seen::default()),
        }
    }

    /// A Chinese font that claims to be simple.
    pub fn chinese(keep_ligatures: bool) -> Self {
        Self {
            encoding: Encoding::gbk(),
            to_unicode: None,
            widths: CidWidths::half_for_ascii(),
            descendant: Dict::empty(),
            meanings: OnceCell::new(),
            pictures: None,
            keep_ligatures,
            seen: RefCell::new(Seen::default()),
        }
    }

    pub fn is_vertical(&self) -> bool {
        self.encoding.vertical
    }

    pub fn decode(&self, mut bytes: &[u8], each: &mut dyn FnMut(Code<'_>)) {
        let seen = &mut *self.seen.borrow_mut();
        while !bytes.is_empty() {
            let (code, length, cid) = self.encoding.next(bytes);
            let key = (code, length as u8);
            let slot = code as usize % LATEST;
            let found = match seen.latest.get(slot) {
                Some(Some((known, found))) if *known == key => *found,
                _ => {
                    let found = match seen.codes.get(&key) {
                        Some(found) => *found,
                        None => {
                            let found = self.look_up(code, cid, &mut seen.texts);
                            seen.codes.insert(key, found);
                            found
                        }
                    };
                    if let Some(place) = seen.latest.get_mut(slot) {
                        *place = Some((key, found));
                    }
                    found
                }
            };
            let text = seen
                .texts
                .get(found.text.0 as usize..found.text.1 as usize)
                .unwrap_or_default();
            each(Code {
                text,
                advance: found.advance,
                is_space: length == 1 && code == 32,
                is_unknown: found.is_unknown,
            });
            bytes = bytes.get(length..).unwrap_or_default();
        }
    }

    fn look_up(&self, code: u32, cid: Option<u32>, texts: &mut String) -> SeenCode {
        let start = texts.len() as u32;
        let text = self.text(code, cid);
        let text = text.as_deref().unwrap_or("\u{fffd}");
        characters::push(texts, text, self.keep_ligatures);
        SeenCode {
            text: (start, texts.len() as u32),
            advance: self.widths.get(cid.unwrap_or(0)),
            is_unknown: !characters::is_meaningful(text),
        }
    }

    fn text(&self, code: u32, cid: Option<u32>) -> Option<String> {
        let mapped = self
            .to_unicode
            .as_ref()
            .and_then(|map| map.get(code).or_else(|| map.of_cid(cid?)));
        if mapped.as_deref().is_some_and(characters::is_meaningful) {
            return mapped;
        }
        let picture = mapped
            .as_deref()
            .and_then(|text| self.pictures?.meaning_of_private(text));
        if picture.is_some() {
            return picture;
        }
        let by_code = self.encoding.character(code).map(String::from);
        let meant = by_code.or_else(|| {
            let meanings = self
                .meanings
                .get_or_init(|| CidMeanings::new(&self.descendant, &self.encoding));
            meanings.get(cid?)
        });
        meant
            .filter(|text| characters::is_meaningful(text))
            .or(mapped)
    }
}
