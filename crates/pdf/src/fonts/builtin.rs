//! The encoding and widths built into a font program, as read by hayro-font.

use std::cell::RefCell;

use hayro_font::Font;
use hayro_syntax::object::dict::keys::{BASE_FONT, ENCODING, SUBTYPE, TO_UNICODE};
use hayro_syntax::object::{Dict, Name, Object};

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

/// The number of fonts whose advances are kept.
const MAX_KEPT_FONTS: usize = 64;

/// Maximum length of a cache key. Font descriptions that recur in many documents are short.
const MAX_KEY_BYTES: usize = 4 << 10;

thread_local! {
    /// The advances of fonts of earlier documents. Many documents use the same standard fonts with
    /// the same encodings, and loading a standard font takes long.
    static ADVANCES: RefCell<Vec<(Vec<u8>, Option<Advances>)>> = const { RefCell::new(Vec::new()) };
}

/// The advances of all codes; `None` if there is no program.
pub fn advances(dict: &Dict<'_>) -> Option<Advances> {
    let Some(key) = key(dict) else {
        return read_advances(dict);
    };
    let known = ADVANCES.with_borrow(|kept| {
        let of_font = kept.iter().find(|(known, _)| *known == key);
        of_font.map(|(_, advances)| *advances)
    });
    known.unwrap_or_else(|| {
        let advances = read_advances(dict);
        ADVANCES.with_borrow_mut(|kept| {
            if kept.len() >= MAX_KEPT_FONTS {
                kept.clear();
            }
            kept.push((key, advances));
        });
        advances
    })
}

/// The cache key: the entries that determine the advances of a font (type, name, encoding). `None`
/// if they are too long.
fn key(dict: &Dict<'_>) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    for name in [SUBTYPE, BASE_FONT] {
        key.extend_from_slice(&dict.get::<Name<'_>>(name)?);
        key.push(b' ');
    }
    match dict.get::<Object<'_>>(ENCODING) {
        Some(Object::Name(encoding)) => key.extend_from_slice(&encoding),
        Some(Object::Dict(encoding)) => key.extend_from_slice(encoding.data()),
        None if !dict.contains_key(ENCODING) => {}
        _ => return None,
    }
    let is_known = |name: &Name<'_>| {
        [SUBTYPE, BASE_FONT, ENCODING, TO_UNICODE, b"Type", b"Name"].contains(&&**name)
    };
    let is_short = key.len() <= MAX_KEY_BYTES && !has_reference(&key);
    (is_short && dict.keys().all(|name| is_known(&name))).then_some(key)
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
        let kept = || ADVANCES.with_borrow(|kept| kept.len());
        assert_eq!(kept(), 2);
        for other in ["/Name/F1", "/Type/Font/Name/F2"] {
            of(&courier.replace("/Type/Font", other));
        }
        assert_eq!(kept(), 2);
        for number in 0..=MAX_KEPT_FONTS {
            of(&courier.replace("Courier", &format!("Courier-{number}")));
        }
        assert!(kept() <= MAX_KEPT_FONTS);
    }

    #[test]
    fn fonts_with_the_same_key_have_the_same_encoding() {
        let of = |dict: &str| key(&Dict::from_bytes(dict.as_bytes()).unwrap());
        let plain = "<</Subtype/Type1/BaseFont/Courier>>";
        let keys = [
            of(plain),
            of("<</Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"),
            of("<</Subtype/Type1/BaseFont/Courier/Encoding<</Differences[1/a]>>>>"),
            of("<</Subtype/Type1/BaseFont/Courier/Encoding<</Differences[2/a]>>>>"),
            of("<</Subtype/TrueType/BaseFont/Courier>>"),
        ];
        for (place, key) in keys.iter().enumerate() {
            assert!(key.is_some() && !keys[..place].contains(key), "{place}");
        }
        assert_eq!(of("<</BaseFont/Courier/Name/F1/Subtype/Type1>>"), of(plain));
        for dict in [
            "<</Subtype/Type1/BaseFont/Courier/Encoding 5 0 R>>",
            "<</Subtype/Type1/BaseFont/Courier/Encoding<</Differences 5 0 R>>>>",
            "<</Subtype/Type1/BaseFont/Courier/FontDescriptor<<>>>>",
            "<</Subtype/Type1/BaseFont/Courier/FirstChar 7>>",
            "<</Subtype/Type1>>",
        ] {
            assert_eq!(of(dict), None, "{dict}");
        }
        assert!(!has_reference(b"<</Subtype/Type1/BaseFont/Roman>>"));
    }
}
