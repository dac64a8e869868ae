//! Fonts: converts the codes in strings to characters and widths.
//!
//! Reads only the entries that text extraction needs. A font program is opened only if nothing else
//! defines the meaning of a code.
//!
//! ```text
//! simple        fonts whose codes have one byte
//! composite     fonts whose codes have several bytes
//! encoding      the encodings of simple fonts
//! names         the meanings of glyph names
//! to_unicode    the ToUnicode map
//! cid           codes to CIDs, and CIDs to characters
//! collection    character collections
//! charset       composite fonts whose codes are characters
//! program       embedded font programs
//! builtin       their encoding and widths
//! truetype      TrueType and OpenType
//! glyph_order   common orders of glyphs
//! cff           CFF and Type 1
//! symbol_fonts  symbol fonts
//! clues         guesses at undefined codes
//! characters    normalizes characters
//! radicals      radicals of Chinese characters
//! style         the name, weight, slant and height
//! widths        widths of codes and CIDs
//! ```

mod builtin;
mod cff;
mod characters;
mod charset;
mod cid;
mod clues;
mod collection;
mod composite;
mod encoding;
mod glyph_order;
mod names;
mod program;
mod radicals;
mod simple;
mod style;
mod symbol_fonts;
#[cfg(test)]
mod tests;
mod to_unicode;
mod truetype;
mod widths;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::object::dict::keys::{FONT_DESC, SUBTYPE};
use hayro_syntax::object::{Dict, Name, ObjectIdentifier};

use super::misspelt::misspelt_key;
pub use characters::{expand_ligatures, push};
pub use clues::{Clue, Habit};
use composite::Composite;
use simple::Simple;
use style::FontStyle;
use symbol_fonts::SymbolFont;

/// Maximum size of a stream of a font (its ToUnicode map, its program). Larger streams are not
/// read.
const MAX_STREAM_BYTES: u64 = 32 << 20;

/// The damage of a font that is missing or lacks an object that defines its codes.
pub const MISSING_FONT: &str = "a font, or part of it, is missing";

/// The damage of a font whose widths, by which words are separated, cannot all be read.
const DAMAGED_WIDTHS: &str = "the widths of a font are damaged";

/// The entries of a font that define its codes or the widths that separate words.
const ENTRIES: [&[u8]; 5] = [
    b"ToUnicode",
    b"Encoding",
    b"FontDescriptor",
    b"Widths",
    b"FirstChar",
];

/// The entries of a font descriptor for font programs.
const PROGRAMS: [&[u8]; 3] = [b"FontFile", b"FontFile2", b"FontFile3"];

/// A font, reduced to what text extraction needs.
#[derive(Debug)]
pub struct Font<'a> {
    pub style: FontStyle,
    /// Whether glyphs follow each other downwards.
    pub vertical: bool,
    /// The height of an em in units of the font size: 1, except for Type 3 fonts with their own
    /// units.
    pub em: f64,
    /// Whether the font's own matrix mirrors its glyphs.
    pub flipped: bool,
    /// Damage of a stream of the font that maps codes to characters.
    pub damage: Option<&'static str>,
    descriptor: Dict<'a>,
    program_damage: OnceCell<Option<&'static str>>,
    pub codes: Codes<'a>,
}

/// The glyphs of codes.
#[derive(Debug)]
pub enum Codes<'a> {
    Simple(Box<Simple<'a>>),
    Composite(Box<Composite<'a>>),
}

/// The glyph drawn for a code.
#[derive(Debug)]
pub struct Code<'t> {
    pub text: &'t str,
    /// In units of the font size; downwards is negative in vertical writing.
    pub advance: f64,
    /// Whether word spacing applies to it.
    pub is_space: bool,
    pub certainty: Certainty,
    /// The code in a simple font, the CID in a composite one.
    pub number: u32,
}

/// How reliable the text of a code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Declared by the ToUnicode map, the encoding, its glyph names, or the character collection.
    Known,
    /// Declared by the encoding of the embedded font program.
    BuiltIn,
    /// Derived from tables of the font program with another purpose, or from the usual order of
    /// glyphs.
    Inferred,
    /// A glyph is drawn, but its meaning is not known.
    Unknown,
}

impl<'a> Font<'a> {
    fn new(dict: &Dict<'a>, keep_ligatures: bool) -> Self {
        let subtype = dict.get::<Name<'_>>(SUBTYPE);
        let composite =
            if subtype.as_deref() == Some(b"Type0") || dict.contains_key(b"DescendantFonts") {
                let descendant = cid::descendant(dict);
                let style = FontStyle::new(dict, &descendant);
                let missing = descendant.keys().next().is_none().then_some(MISSING_FONT);
                let descriptor = descendant.get::<Dict<'a>>(FONT_DESC).unwrap_or_default();
                let composite = Composite::new(
                    dict,
                    descendant,
                    SymbolFont::named(&style.name),
                    keep_ligatures,
                );
                Some((style, composite, descriptor, missing))
            } else if simple::is_chinese(dict) {
                Some((
                    FontStyle::new(dict, dict),
                    Composite::chinese(keep_ligatures),
                    Dict::empty(),
                    None,
                ))
            } else {
                None
            };
        if let Some((style, composite, descriptor, missing)) = composite {
            return Self {
                style,
                vertical: composite.is_vertical(),
                damage: composite
                    .damage()
                    .or(missing)
                    .or_else(|| misspelt_entry(dict)),
                descriptor,
                program_damage: OnceCell::new(),
                em: 1.0,
                flipped: false,
                codes: Codes::Composite(Box::new(composite)),
            };
        }
        let style = FontStyle::new(dict, dict);
        let subtype = subtype.as_deref().unwrap_or_default();
        let simple = Simple::new(
            dict,
            subtype,
            SymbolFont::named(&style.name),
            keep_ligatures,
        );
        Self {
            style,
            vertical: false,
            damage: simple.damage.or_else(|| misspelt_entry(dict)),
            descriptor: dict.get::<Dict<'a>>(FONT_DESC).unwrap_or_default(),
            program_damage: OnceCell::new(),
            em: simple.em,
            flipped: subtype == b"Type3" && simple::is_flipped(dict),
            codes: Codes::Simple(Box::new(simple)),
        }
    }

    /// Clues to a code of unknown meaning, given its [`Code::number`].
    pub fn clue(&self, number: u32) -> Clue {
        match &self.codes {
            Codes::Simple(simple) => simple.clue(number as u8),
            Codes::Composite(composite) => composite.clue(number),
        }
    }

    /// Whether the entries of the ToUnicode map show this habit.
    pub fn shows(&self, habit: Habit) -> bool {
        match &self.codes {
            Codes::Simple(_) => false,
            Codes::Composite(composite) => composite.shows(habit),
        }
    }

    /// Damage of the font program. It matters for codes that the program defines, and for codes of
    /// unknown meaning.
    pub fn program_damage(&self) -> Option<&'static str> {
        let is_damaged =
            || is_embedded(&self.descriptor).then(|| program::is_damaged(&self.descriptor));
        let damage = || {
            // Decoding a program a second time is expensive.
            let is_known = match &self.codes {
                Codes::Composite(composite) => composite.has_damaged_program(),
                Codes::Simple(simple) => simple.has_damaged_program(),
            };
            is_known
                .or_else(is_damaged)?
                .then_some("the program of a font is damaged")
        };
        *self.program_damage.get_or_init(damage)
    }

    /// Calls `each` for every code of a string.
    #[cfg(test)]
    pub fn decode(&self, codes: &[u8], each: &mut dyn FnMut(Code<'_>)) {
        match &self.codes {
            Codes::Simple(simple) => codes.iter().for_each(|&code| each(simple.code(code))),
            Codes::Composite(composite) => composite.decode(codes, each),
        }
    }
}

/// The damage of a font without the object that it refers to for this entry.
fn missing_entry(font: &Dict<'_>, key: &[u8]) -> Option<&'static str> {
    font.get_ref(key).map(|_| MISSING_FONT)
}

/// The damage of a font with a misspelt entry that defines its codes.
fn misspelt_entry(font: &Dict<'_>) -> Option<&'static str> {
    let is_misspelt = ENTRIES.iter().any(|key| misspelt_key(font, key).is_some());
    is_misspelt.then_some("an entry of a font is damaged")
}

/// Whether a font descriptor has an embedded font program.
fn is_embedded(descriptor: &Dict<'_>) -> bool {
    PROGRAMS.iter().any(|key| descriptor.contains_key(key))
}

/// The fonts of a document. Each is read once.
#[derive(Debug)]
pub struct Fonts<'a> {
    /// By the address of the dictionary, which hayro does not move while the document is open.
    cache: HashMap<(*const u8, usize), Rc<Font<'a>>>,
    /// Fonts by reference, so that their dictionaries are not parsed again for each page.
    by_object: HashMap<ObjectIdentifier, Rc<Font<'a>>>,
    unknown: Option<Rc<Font<'a>>>,
    keep_ligatures: bool,
}

impl<'a> Fonts<'a> {
    pub fn new(keep_ligatures: bool) -> Self {
        Self {
            cache: HashMap::new(),
            by_object: HashMap::new(),
            unknown: None,
            keep_ligatures,
        }
    }

    /// The font of an object, if it was read before.
    pub fn known(&self, id: ObjectIdentifier) -> Option<Rc<Font<'a>>> {
        self.by_object.get(&id).cloned()
    }

    /// The font with this dictionary. `id` is its object number if it is an indirect object.
    pub fn get(&mut self, dict: &Dict<'a>, id: Option<ObjectIdentifier>) -> Rc<Font<'a>> {
        let data = dict.data();
        let keep_ligatures = self.keep_ligatures;
        let font = self
            .cache
            .entry((data.as_ptr(), data.len()))
            .or_insert_with(|| Rc::new(Font::new(dict, keep_ligatures)));
        if let Some(id) = id {
            self.by_object.insert(id, Rc::clone(font));
        }
        Rc::clone(font)
    }

    /// A substitute for a font that is missing from the file.
    pub fn unknown(&mut self) -> Rc<Font<'a>> {
        let keep_ligatures = self.keep_ligatures;
        let unknown = || {
            Rc::new(Font {
                damage: Some(MISSING_FONT),
                ..Font::new(&Dict::empty(), keep_ligatures)
            })
        };
        Rc::clone(self.unknown.get_or_insert_with(unknown))
    }
}
