//! The encoding and widths built into a font program, as read by hayro-font.

use std::cell::RefCell;

use hayro_font::Font;
use hayro_syntax::object::Dict;
use hayro_syntax::object::dict::keys::TO_UNICODE;

use super::names::{self, Meanings};

/// Opens the program of a simple font, or of the standard font that replaces it.
fn open<'a>(dict: &Dict<'a>) -> Option<Font<'a>> {
    // hayro-font allocates a list up to the first code, whatever number the file declares.
    let is_code = |key: &[u8]| !dict.contains_key(key) || dict.get::<u8>(key).is_some();
    if !is_code(b"FirstChar") || !is_code(b"LastChar") {
        return None;
    }
    names::load(dict)
}

/// The meanings of all codes.
pub fn meanings(dict: &Dict<'_>) -> Option<Meanings> {
    let meanings = names::all_codes(&open(dict)?);
    // The ToUnicode map of a font may define private-use characters differently from Adobe.
    Some(if dict.contains_key(TO_UNICODE) {
        meanings
    } else {
        names::without_private(meanings)
    })
}

/// The advances of all codes, in ems.
pub type Advances = [f32; 256];

/// The number of dictionaries whose advances are kept.
const MAX_KEPT_FONTS: usize = 32;

/// Longer dictionaries are not kept: those that repeat in many documents are short.
const MAX_KEPT_DICT_BYTES: usize = 256;

thread_local! {
    /// The advances of fonts of earlier documents. Many programs write the same dictionary for a
    /// standard font into all documents, and loading a standard font takes long.
    static ADVANCES: RefCell<Vec<(Vec<u8>, Option<Advances>)>> = const { RefCell::new(Vec::new()) };
}

/// The advances of all codes; `None` if there is no program.
pub fn advances(dict: &Dict<'_>) -> Option<Advances> {
    let data = dict.data();
    if data.len() > MAX_KEPT_DICT_BYTES || has_reference(data) {
        return read_advances(dict);
    }
    let known = ADVANCES.with_borrow(|kept| {
        let of_dict = kept.iter().find(|(known, _)| known == data);
        of_dict.map(|(_, advances)| *advances)
    });
    known.unwrap_or_else(|| {
        let advances = read_advances(dict);
        ADVANCES.with_borrow_mut(|kept| {
            if kept.len() >= MAX_KEPT_FONTS {
                kept.clear();
            }
            kept.push((data.to_vec(), advances));
        });
        advances
    })
}

fn read_advances(dict: &Dict<'_>) -> Option<Advances> {
    let font = open(dict)?;
    let advance = |code: usize| (font.code_advance(code as u32).x / 1000.0) as f32;
    Some(std::array::from_fn(advance))
}

/// Whether a dictionary may refer to other objects, whose content is not in its bytes.
fn has_reference(data: &[u8]) -> bool {
    let is_reference = |pair: &[u8]| matches!(pair, [0 | b'\t' | b'\n' | 12 | b'\r' | b' ', b'R']);
    data.windows(2).any(is_reference)
}

#[cfg(test)]
mod tests {
    use hayro_syntax::object::FromBytes;

    use super::*;

    fn of(dict: &str) -> Option<Advances> {
        advances(&Dict::from_bytes(dict.as_bytes()).unwrap())
    }

    #[test]
    fn kept_advances_are_those_of_the_font() {
        ADVANCES.with_borrow_mut(Vec::clear);
        let courier = "<</Type/Font/Subtype/Type1/BaseFont/Courier>>";
        let helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
        let expected = [courier, helvetica].map(|dict| {
            let dict = Dict::from_bytes(dict.as_bytes()).unwrap();
            read_advances(&dict)
        });
        assert_ne!(expected[0], expected[1]);
        for _ in 0..2 {
            assert_eq!([courier, helvetica].map(of), expected);
        }
        let kept =
            || ADVANCES.with_borrow(|kept| kept.iter().map(|(dict, _)| dict.len()).collect());
        let before: Vec<usize> = kept();
        assert_eq!(before, [courier.len(), helvetica.len()]);
        for number in 0..MAX_KEPT_FONTS {
            of(&courier.replace("Type1", &format!("Type1/Name/F{number}")));
        }
        assert!(kept().len() <= MAX_KEPT_FONTS);
    }

    #[test]
    fn fonts_of_several_objects_are_not_kept() {
        ADVANCES.with_borrow_mut(Vec::clear);
        for dict in [
            "<</Subtype/Type1/BaseFont/Courier/Encoding 5 0 R>>",
            "<</Subtype/Type1/BaseFont/Courier/Encoding 5 0\nR>>",
        ] {
            assert!(has_reference(dict.as_bytes()), "{dict}");
            of(dict);
        }
        ADVANCES.with_borrow(|kept| assert!(kept.is_empty()));
        assert!(!has_reference(b"<</Subtype/Type1/BaseFont/Roman>>"));
    }
}
