//! Element names as numbers, which are compared, matched and copied without access to text.

mod known;

use std::borrow::Cow;
use std::fmt;

use super::bytes::{ENDS_NAME, find_class, is};
pub use known::KNOWN;

/// The name of an element. Names known in HTML are small numbers, so that a `match` becomes a jump
/// table. Other names of up to 15 bytes are stored in full, longer ones as a prefix and a hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u128);

/// The lowest byte of a name that is too long to be stored in full.
const LONG: u128 = 0xFF;

/// Maximum length of a name that is stored in full.
const MAX_STORED_BYTES: usize = 15;

/// Number of bytes stored of a longer name.
const PREFIX_BYTES: usize = 7;

impl Name {
    const fn known(number: u8) -> Self {
        Self(number as u128)
    }

    /// The name with an index below [`KNOWN`], as [`Self::index`] returns it.
    pub const fn with_index(index: u8) -> Self {
        Self::known(index)
    }

    /// The name with this text. ASCII letters become lower case.
    #[allow(clippy::should_implement_trait)]
    pub fn from_str(name: &str) -> Self {
        Self::of(name.bytes().map(|byte| byte.to_ascii_lowercase()))
    }

    fn of(bytes: impl Iterator<Item = u8>) -> Self {
        let mut builder = Builder::default();
        bytes.for_each(|byte| builder.push(byte));
        builder.finish()
    }

    /// Parses a tag's name and returns it in lower case, with its length.
    #[inline]
    pub(super) fn read(tag: &[u8]) -> (Self, usize) {
        Self::read_known(tag).unwrap_or_else(|| Self::read_bytes(tag))
    }

    /// Parses a known name of up to eight letters, which nearly all names are.
    #[inline]
    fn read_known(tag: &[u8]) -> Option<(Self, usize)> {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        // Makes letters lower case, and no other character a letter.
        const LOWER_CASE: u64 = 0x2020_2020_2020_2020;
        let word = u64::from_be_bytes(*tag.first_chunk()?);
        // Letters are above 0x3F, and all bytes that end a name are below.
        let others = !(word | word << 1) & HIGH;
        let length = others.leading_zeros() as usize / 8;
        if length == 0 || !is(*tag.get(length)?, ENDS_NAME) {
            return None;
        }
        let packed = (word | LOWER_CASE) >> (64 - 8 * length);
        match known::number_of(u128::from(packed)) {
            0 => None,
            number => Some((Self::known(number), length)),
        }
    }

    /// Parses a name byte by byte.
    fn read_bytes(tag: &[u8]) -> (Self, usize) {
        let mut packed = 0;
        for (at, &byte) in tag.iter().enumerate().take(MAX_STORED_BYTES + 1) {
            if is(byte, ENDS_NAME) {
                return (Self::packed(packed), at);
            }
            if at == MAX_STORED_BYTES || byte == 0 {
                break;
            }
            packed = pack(packed, byte.to_ascii_lowercase());
        }
        Self::read_unusual(tag)
    }

    /// Parses names that are long or contain NULs.
    #[cold]
    fn read_unusual(tag: &[u8]) -> (Self, usize) {
        let length = find_class(tag, 0, ENDS_NAME);
        let name = tag.get(..length).unwrap_or(tag);
        let name = String::from_utf8_lossy(name).replace('\0', "\u{FFFD}");
        (Self::from_str(&name), length)
    }

    #[inline]
    fn packed(packed: u128) -> Self {
        match known::number_of(packed) {
            0 => Self(packed << 8),
            number => Self::known(number),
        }
    }

    /// A number below [`KNOWN`] that is unique for names with a constant, and 0 for others.
    #[inline]
    pub const fn index(self) -> usize {
        if self.0 < LONG { self.0 as usize } else { 0 }
    }

    /// Whether [`Self::text`] returns only a prefix.
    pub const fn is_cut(self) -> bool {
        self.0 > LONG && self.0 & 0xFF == LONG
    }

    /// The name as text. Of names longer than 15 bytes without a constant, only a prefix.
    pub fn text(self) -> Cow<'static, str> {
        if self.0 < LONG {
            return Cow::Borrowed(known::text(self.0 as u8));
        }
        let bytes = self.0.to_be_bytes();
        let stored = if self.0 & 0xFF == LONG {
            bytes.get(..PREFIX_BYTES)
        } else {
            bytes.get(..MAX_STORED_BYTES)
        };
        let stored: Vec<u8> = stored
            .into_iter()
            .flatten()
            .copied()
            .filter(|byte| *byte != 0)
            .collect();
        Cow::Owned(String::from_utf8_lossy(&stored).into_owned())
    }
}

/// Appends a byte to a packed name.
const fn pack(packed: u128, byte: u8) -> u128 {
    packed << 8 | byte as u128
}

/// Builds a name byte by byte.
#[derive(Default)]
struct Builder {
    packed: u128,
    length: usize,
    hash: u64,
}

impl Builder {
    fn push(&mut self, byte: u8) {
        if self.length < MAX_STORED_BYTES {
            self.packed = pack(self.packed, byte);
        }
        self.length += 1;
        // FNV-1a.
        self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }

    fn finish(self) -> Name {
        if self.length <= MAX_STORED_BYTES {
            return Name::packed(self.packed);
        }
        let prefix = self.packed >> (8 * (MAX_STORED_BYTES - PREFIX_BYTES));
        Name(prefix << 72 | u128::from(self.hash) << 8 | LONG)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_are_known_whatever_their_case() {
        assert_eq!(Name::from_str("DiV"), Name::DIV);
        assert_eq!(Name::from_str("annotation-XML"), Name::ANNOTATION_XML);
        assert_eq!(Name::DIV.text(), "div");
        assert_ne!(Name::DIV, Name::DL);
        assert_eq!(Name::of("div".bytes()), Name::DIV);
        assert_ne!(Name::of("Div".bytes()), Name::DIV);
    }

    #[test]
    fn other_names_keep_their_text_up_to_fifteen_bytes() {
        for name in ["x", "x-tab", "fifteen-letters", "œuvre", "a:b"] {
            assert_eq!(Name::from_str(name).text(), name);
            assert_eq!(Name::from_str(name).index(), 0);
        }
        let (one, other) = (
            Name::from_str("sixteen-letters!"),
            Name::from_str("sixteen-letters?"),
        );
        assert_ne!(one, other);
        assert_eq!(one, Name::from_str("SIXTEEN-LETTERS!"));
        assert_eq!(one.text(), "sixteen");
        assert!(one.is_cut() && !Name::from_str("fifteen-letters").is_cut() && !Name::DIV.is_cut());
        assert_eq!(one.index(), 0);
    }

    #[test]
    fn a_name_ends_at_space_slash_or_bracket() {
        assert_eq!(Name::read(b"TD class"), (Name::TD, 2));
        assert_eq!(Name::read(b"br/>"), (Name::BR, 2));
        assert_eq!(Name::read(b"p"), (Name::P, 1));
        let long = "my-very-long-element-name";
        assert_eq!(
            Name::read(format!("{long}\tx").as_bytes()),
            (Name::from_str(long), long.len())
        );
        assert_eq!(Name::read(b"fifteen-letters>").1, 15);
        assert_eq!(Name::read(b"d\0v>"), (Name::from_str("d\u{FFFD}v"), 3));
        assert_eq!(
            Name::read(b"fifteen-letters>").0,
            Name::from_str("fifteen-letters")
        );
    }

    #[test]
    fn known_names_are_the_same_byte_by_byte() {
        let names = [
            "a",
            "P",
            "dIv",
            "h1",
            "SECTION",
            "textarea",
            "blockquote",
            "x-y",
        ];
        for name in names.map(str::as_bytes) {
            for at in 0..name.len() {
                for byte in 0..=255 {
                    // The byte is inserted before a letter, or replaces it.
                    for rest in [&name[at..], &name[at + 1..]] {
                        let tag = [&name[..at], &[byte], rest, b"> and more"].concat();
                        assert_eq!(Name::read(&tag), Name::read_bytes(&tag), "{tag:?}");
                    }
                }
            }
            let tag = [name, b" and more"].concat();
            assert_eq!(Name::read(&tag), Name::read_bytes(&tag));
        }
        assert_eq!(Name::read_known(b"Textarea>"), Some((Name::TEXTAREA, 8)));
        assert_eq!(Name::read_known(b"td\tclass"), Some((Name::TD, 2)));
    }
}
