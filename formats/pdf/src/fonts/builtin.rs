//! Encodings and widths that a font program has built in, as hayro-font reads them.

use hayro_syntax::object::Dict;
use hayro_syntax::object::dict::keys::TO_UNICODE;

use super::names::{self, Meanings};

pub struct BuiltIn {
    pub meanings: Meanings,
    /// In ems.
    pub advances: Vec<f32>,
}

impl BuiltIn {
    /// Opens the program of a simple font, or the standard font that takes its place.
    pub fn new(dict: &Dict<'_>) -> Option<Self> {
        // hayro-font fills a list up to the first code, whatever the file says it is.
        let is_code = |key: &[u8]| !dict.contains_key(key) || dict.get::<u8>(key).is_some();
        if !is_code(b"FirstChar") || !is_code(b"LastChar") {
            return None;
        }
        let font = names::load(dict)?;
        let meanings = names::all_codes(&font);
        Some(Self {
            // A font's own map to Unicode may give private characters other meanings than Adobe does.
            meanings: match dict.contains_key(TO_UNICODE) {
                true => meanings,
                false => names::without_private(meanings),
            },
            advances: (0..256)
                .map(|code| (font.code_advance(code).x / 1000.0) as f32)
                .collect(),
        })
    }
}
