//! The encoding and widths built into a font program, as read by hayro-font.

use hayro_syntax::object::Dict;
use hayro_syntax::object::dict::keys::TO_UNICODE;

use super::names::{self, Meanings};

pub struct BuiltIn {
    pub meanings: Meanings,
    /// In ems.
    pub advances: Vec<f32>,
}

impl BuiltIn {
    /// Opens the program of a simple font, or of the standard font that replaces it.
    pub fn new(dict: &Dict<'_>) -> Option<Self> {
        // hayro-font allocates a list up to the first code, whatever number the file declares.
        let is_code = |key: &[u8]| !dict.contains_key(key) || dict.get::<u8>(key).is_some();
        if !is_code(b"FirstChar") || !is_code(b"LastChar") {
            return None;
        }
        let font = names::load(dict)?;
        let meanings = names::all_codes(&font);
        Some(Self {
            // The ToUnicode map of a font may define private-use characters differently from Adobe.
            meanings: if dict.contains_key(TO_UNICODE) {
                meanings
            } else {
                names::without_private(meanings)
            },
            advances: (0..256)
                .map(|code| (font.code_advance(code).x / 1000.0) as f32)
                .collect(),
        })
    }
}
