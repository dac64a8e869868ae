//! Composite fonts, whose codes may have several bytes.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use hayro_syntax::object::Dict;

use super::cid::{CidMeanings, Encoding};
use super::clues::{Clue, Habit};
use super::symbol_fonts::SymbolFont;
use super::to_unicode::ToUnicode;
use super::widths::CidWidths;
use super::{Certainty, Code, DAMAGED_WIDTHS, characters};

#[derive(Debug)]
pub struct Composite<'a> {
    encoding: Encoding,
    to_unicode: Option<ToUnicode>,
    widths: CidWidths,
    descendant: Dict<'a>,
    /// Loaded when the first code needs it.
    meanings: OnceCell<CidMeanings<'a>>,
    symbol_font: Option<SymbolFont>,
    keep_ligatures: bool,
    cache: RefCell<Cache>,
}

/// A cache of decoded codes.
#[derive(Debug)]
struct Cache {
    /// By code and length.
    codes: HashMap<(u32, u8), CachedCode>,
    /// The latest codes, indexed by their low bits: most lookups end here.
    latest: Vec<Option<((u32, u8), CachedCode)>>,
    texts: String,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            codes: HashMap::new(),
            latest: vec![None; LATEST_CODES],
            texts: String::new(),
        }
    }
}

/// Minimum number of letters and digits that prove a habit.
const MIN_HABIT_SAMPLES: u32 = 5;

/// The number of slots for the latest codes.
const LATEST_CODES: usize = 256;

#[derive(Clone, Copy, Debug)]
struct CachedCode {
    /// A range of `Cache::texts`.
    text: (u32, u32),
    advance: f64,
    certainty: Certainty,
}

impl<'a> Composite<'a> {
    pub fn new(
        dict: &Dict<'_>,
        descendant: Dict<'a>,
        symbol_font: Option<SymbolFont>,
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
            symbol_font,
            keep_ligatures,
            cache: RefCell::new(Cache::default()),
        }
    }

    /// A Chinese font that claims to be simple; its strings are in GBK.
    pub fn chinese(keep_ligatures: bool) -> Self {
        Self {
            encoding: Encoding::gbk(),
            to_unicode: None,
            widths: CidWidths::half_for_ascii(),
            descendant: Dict::empty(),
            meanings: OnceCell::new(),
            symbol_font: None,
            keep_ligatures,
            cache: RefCell::new(Cache::default()),
        }
    }

    /// Damage of the font's maps.
    pub fn damage(&self) -> Option<&'static str> {
        let of_map = self.to_unicode.as_ref().and_then(|map| map.damage);
        of_map
            .or(self.encoding.damage)
            .or(self.widths.are_damaged.then_some(DAMAGED_WIDTHS))
            .or(self.widths.missing)
    }

    /// Whether the font program is damaged; `None` if it was not needed yet, or cannot be read.
    pub fn has_damaged_program(&self) -> Option<bool> {
        self.meanings.get()?.has_damaged_program()
    }

    pub fn is_vertical(&self) -> bool {
        self.encoding.vertical
    }

    pub fn decode(&self, mut bytes: &[u8], each: &mut dyn FnMut(Code<'_>)) {
        let cache = &mut *self.cache.borrow_mut();
        while !bytes.is_empty() {
            let (code, length, cid) = self.encoding.next(bytes);
            let key = (code, length as u8);
            let slot = code as usize % LATEST_CODES;
            let found = match cache.latest.get(slot) {
                Some(Some((known, found))) if *known == key => *found,
                _ => {
                    let found = match cache.codes.get(&key) {
                        Some(found) => *found,
                        None => {
                            let found = self.look_up(code, cid, &mut cache.texts);
                            cache.codes.insert(key, found);
                            found
                        }
                    };
                    if let Some(index) = cache.latest.get_mut(slot) {
                        *index = Some((key, found));
                    }
                    found
                }
            };
            let text = cache
                .texts
                .get(found.text.0 as usize..found.text.1 as usize)
                .unwrap_or_default();
            each(Code {
                text,
                advance: found.advance,
                is_space: length == 1 && code == 32,
                certainty: found.certainty,
                number: cid.unwrap_or(code),
            });
            bytes = bytes.get(length..).unwrap_or_default();
        }
    }

    fn look_up(&self, code: u32, cid: Option<u32>, texts: &mut String) -> CachedCode {
        let start = texts.len() as u32;
        let (text, certainty) = self.text(code, cid);
        characters::push(texts, &text, self.keep_ligatures);
        CachedCode {
            text: (start, texts.len() as u32),
            advance: self.widths.get(cid.unwrap_or(0)),
            certainty,
        }
    }

    fn text(&self, code: u32, cid: Option<u32>) -> (String, Certainty) {
        let mapped = self
            .to_unicode
            .as_ref()
            .and_then(|map| map.get(code).or_else(|| map.of_cid(cid?)));
        let is_meaningful = |text: &String| characters::is_meaningful(text);
        if let Some(mapped) = mapped.clone().filter(is_meaningful) {
            return (mapped, Certainty::Known);
        }
        let symbol = mapped
            .as_deref()
            .and_then(|text| self.symbol_font?.meaning_of_private(text));
        let by_code = || self.encoding.character(code).map(String::from);
        let known = symbol
            .or_else(by_code)
            .or_else(|| self.meanings().get(cid?));
        if let Some(known) = known.filter(is_meaningful) {
            return (known, Certainty::Known);
        }
        let inferred = cid.and_then(|cid| {
            let own_symbol = || {
                self.symbol_font?
                    .meaning(self.meanings().clue(cid).own_code?.0)
            };
            self.meanings().inferred(cid).or_else(own_symbol)
        });
        match inferred.filter(is_meaningful) {
            Some(inferred) => (inferred, Certainty::Inferred),
            None => (
                mapped.unwrap_or_else(|| "\u{fffd}".to_owned()),
                Certainty::Unknown,
            ),
        }
    }

    fn meanings(&self) -> &CidMeanings<'a> {
        self.meanings
            .get_or_init(|| CidMeanings::new(&self.descendant, &self.encoding))
    }

    /// Whether the entries of the ToUnicode map show this habit.
    pub fn shows(&self, habit: Habit) -> bool {
        let Some(map) = self
            .to_unicode
            .as_ref()
            .filter(|_| self.encoding.is_identity())
        else {
            return false;
        };
        let (mut same, mut other) = (0, 0);
        for (cid, character) in map.samples().filter(|(_, c)| c.is_ascii_alphanumeric()) {
            if self.clue(cid).character(habit) == Some(character) {
                same += 1;
            } else {
                other += 1;
            }
        }
        same >= MIN_HABIT_SAMPLES && other * 10 <= same
    }

    /// Clues to a CID of unknown meaning.
    pub fn clue(&self, cid: u32) -> Clue {
        self.meanings().clue(cid)
    }
}
