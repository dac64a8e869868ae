//! Fonts: from the codes in strings to characters and widths.
//!
//! Only what text needs is read. Font programs are not opened unless nothing else tells what a code means.

mod builtin;
mod cff;
mod characters;
mod charset;
mod cid;
mod clues;
mod composite;
mod encoding;
mod glyph_order;
mod names;
mod pictures;
mod program;
mod simple;
mod style;
#[cfg(test)]
mod tests;
mod to_unicode;
mod truetype;
mod widths;

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::object::dict::keys::SUBTYPE;
use hayro_syntax::object::{Dict, Name};

use super::content::Habits;
pub use characters::{push, written_out};
pub use clues::{Clue, Habit};
use composite::Composite;
use pictures::Pictures;
use simple::Simple;
use style::FontStyle;

/// Larger streams of a font (its map to Unicode, its program) are not read.
const MOST_BYTES: u64 = 32 << 20;

#[derive(Debug)]
pub struct Font<'a> {
    pub style: FontStyle,
    /// Glyphs follow each other downwards.
    pub vertical: bool,
    /// The height of an em in units of the font size; 1 but for Type 3 fonts in units of their own.
    pub em: f64,
    /// The font's own matrix mirrors its glyphs.
    pub flipped: bool,
    codes: Codes<'a>,
}

#[derive(Debug)]
enum Codes<'a> {
    Simple(Box<Simple<'a>>),
    Composite(Box<Composite<'a>>),
}

/// What one code draws.
#[derive(Debug)]
pub struct Code<'t> {
    pub text: &'t str,
    /// In units of the font size, downwards negative in vertical writing.
    pub advance: f64,
    /// Word spacing applies to it.
    pub is_space: bool,
    pub certainty: Certainty,
    /// The code of a simple font, or the CID of a composite one.
    pub number: u32,
}

/// How the text of a code is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// By a map to Unicode, an encoding, names of glyphs in it, or a character collection.
    Known,
    /// By tables of the font program that are meant for other things, or by its glyphs' usual order.
    Inferred,
    /// There is something to draw, but nobody knows what it means.
    Unknown,
}

impl<'a> Font<'a> {
    fn new(dict: &Dict<'a>, keep_ligatures: bool) -> Self {
        let subtype = dict.get::<Name<'_>>(SUBTYPE);
        let composite =
            if subtype.as_deref() == Some(b"Type0") || dict.contains_key(b"DescendantFonts") {
                let descendant = cid::descendant(dict);
                let style = FontStyle::new(dict, &descendant);
                let composite = Composite::new(
                    dict,
                    descendant,
                    Pictures::named(&style.name),
                    keep_ligatures,
                );
                Some((style, composite))
            } else if simple::is_chinese(dict) {
                Some((
                    FontStyle::new(dict, dict),
                    Composite::chinese(keep_ligatures),
                ))
            } else {
                None
            };
        if let Some((style, composite)) = composite {
            return Self {
                style,
                vertical: composite.is_vertical(),
                em: 1.0,
                flipped: false,
                codes: Codes::Composite(Box::new(composite)),
            };
        }
        let style = FontStyle::new(dict, dict);
        let subtype = subtype.as_deref().unwrap_or_default();
        let simple = Simple::new(dict, subtype, Pictures::named(&style.name), keep_ligatures);
        Self {
            style,
            vertical: false,
            em: simple.em,
            flipped: subtype == b"Type3" && simple::is_flipped(dict),
            codes: Codes::Simple(Box::new(simple)),
        }
    }

    /// What is known of a code, by its [`Code::number`], whose meaning is not.
    pub fn clue(&self, number: u32) -> Clue {
        match &self.codes {
            Codes::Simple(simple) => simple.clue(number as u8),
            Codes::Composite(composite) => composite.clue(number),
        }
    }

    /// Whether the map to Unicode, as far as it goes, shows a habit of who wrote the font.
    pub fn shows(&self, habit: Habit) -> bool {
        match &self.codes {
            Codes::Simple(_) => false,
            Codes::Composite(composite) => composite.shows(habit),
        }
    }

    /// Goes through the codes of a string.
    pub fn decode(&self, codes: &[u8], each: &mut dyn FnMut(Code<'_>)) {
        match &self.codes {
            Codes::Simple(simple) => codes.iter().for_each(|&code| each(simple.code(code))),
            Codes::Composite(composite) => composite.decode(codes, each),
        }
    }
}

/// Whether a font descriptor comes with the font's program.
fn is_embedded(descriptor: &Dict<'_>) -> bool {
    [&b"FontFile"[..], b"FontFile2", b"FontFile3"]
        .iter()
        .any(|key| descriptor.contains_key(key))
}

/// The fonts of a document; each is read once.
#[derive(Debug)]
pub struct Fonts<'a> {
    /// By where the dictionary lies in memory, which hayro does not move while the document is open.
    known: HashMap<(*const u8, usize), Rc<Font<'a>>>,
    unknown: Option<Rc<Font<'a>>>,
    /// What the text of their unknown codes has told.
    pub habits: Habits,
    keep_ligatures: bool,
}

impl<'a> Fonts<'a> {
    pub fn new(keep_ligatures: bool) -> Self {
        Self {
            known: HashMap::new(),
            unknown: None,
            habits: Habits::default(),
            keep_ligatures,
        }
    }

    pub fn get(&mut self, dict: &Dict<'a>) -> Rc<Font<'a>> {
        let data = dict.data();
        let keep_ligatures = self.keep_ligatures;
        let font = self
            .known
            .entry((data.as_ptr(), data.len()))
            .or_insert_with(|| Rc::new(Font::new(dict, keep_ligatures)));
        Rc::clone(font)
    }

    /// In place of a font that the file lacks.
    pub fn unknown(&mut self) -> Rc<Font<'a>> {
        let keep_ligatures = self.keep_ligatures;
        Rc::clone(
            self.unknown
                .get_or_insert_with(|| Rc::new(Font::new(&Dict::empty(), keep_ligatures))),
        )
    }
}
