//! Attributes, read from the source of a tag when somebody asks.

use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::bytes::{ENDS_ATTRIBUTE, ENDS_VALUE, SPACE, find_class, find_near, is, skip_class};
use super::references;
use corpus_bytes::work::count_steps;

/// Which attribute names may occur in a tag: one bit for each class of names, by first letter,
/// last letter and length. A name whose bit is not set does not occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen(u64);

impl Seen {
    /// Notes a name as it was written.
    #[inline]
    pub fn insert(&mut self, name: &[u8]) {
        self.0 |= bit(name);
    }

    /// May the tag have an attribute of that name?
    #[inline]
    pub fn may_have(self, name: &str) -> bool {
        self.0 & bit(name.as_bytes()) != 0
    }
}

/// Upper and lower case have the same bit.
#[inline]
fn bit(name: &[u8]) -> u64 {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else {
        return 0;
    };
    let mixed = u32::from(first | 0x20) * 5 + u32::from(last | 0x20) * 3 + name.len() as u32 * 11;
    1 << (mixed % 64)
}

/// An attribute as it stands in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// The name as written.
    pub name: &'a str,
    /// The value as written, without quotes; empty if there is none.
    pub raw: &'a str,
}

impl<'a> Attribute<'a> {
    /// The value with references decoded and newlines normalized.
    pub fn value(&self) -> Cow<'a, str> {
        references::decode_value(self.raw)
    }

    /// Is it of that name? ASCII case does not matter.
    fn is_named(&self, name: &str) -> bool {
        count_steps(1);
        self.name.eq_ignore_ascii_case(name)
            || (self.name.contains('\0')
                && self
                    .name
                    .replace('\0', "\u{FFFD}")
                    .eq_ignore_ascii_case(name))
    }
}

/// The attributes of a tag, unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RawAttributes<'a> {
    /// The bytes of the tag after its name, up to `>`.
    pub source: &'a str,
    pub seen: Seen,
}

impl<'a> RawAttributes<'a> {
    /// The first attribute of a name. (U+FFFD is NUL in the source, so its bit is another.)
    #[inline]
    pub fn get(&self, name: &str) -> Option<Attribute<'a>> {
        if !self.seen.may_have(name) && !name.contains('\u{FFFD}') {
            return None;
        }
        Scan::new(self.source).find(|attribute| attribute.is_named(name))
    }

    /// The decoded value of the first attribute of a name.
    #[inline]
    pub fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).map(|attribute| attribute.value())
    }

    /// All attributes in the order of the source, of several with one name only the first.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut names = Names::default();
        Scan::new(self.source).filter(move |attribute| names.is_new(attribute.name))
    }

    /// A number that is equal for equal attributes, in whatever order they stand.
    pub fn fingerprint(&self) -> u64 {
        self.iter().fold(0, |sum, attribute| {
            let mut hasher = DefaultHasher::new();
            attribute.name.to_ascii_lowercase().hash(&mut hasher);
            attribute.value().hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        })
    }
}

/// The names that came before: a list while they are few, a set when they are many.
#[derive(Default)]
struct Names<'a> {
    few: Vec<&'a str>,
    many: HashSet<String>,
}

impl<'a> Names<'a> {
    const FEW: usize = 16;

    fn is_new(&mut self, name: &'a str) -> bool {
        count_steps(self.few.len());
        if self
            .few
            .iter()
            .any(|other| other.eq_ignore_ascii_case(name))
        {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(name);
            return true;
        }
        self.many.insert(name.to_ascii_lowercase())
    }
}

/// Reads attributes one after the other, each of them once or more often.
struct Scan<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, at: 0 }
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        count_steps(1);
        let bytes = self.source.as_bytes();
        let part = |from: usize, to: usize| self.source.get(from..to).unwrap_or_default();
        let start = self.at
            + bytes
                .get(self.at..)?
                .iter()
                .position(|&byte| !is(byte, SPACE) && byte != b'/')?;
        let after_name = name_end(bytes, start);
        let name = part(start, after_name);
        let equals = skip_space(bytes, after_name);
        if bytes.get(equals) != Some(&b'=') {
            self.at = after_name;
            return Some(Attribute { name, raw: "" });
        }
        let (from, to, next) = value(bytes, skip_space(bytes, equals + 1));
        self.at = next;
        Some(Attribute {
            name,
            raw: part(from, to),
        })
    }
}

/// Where the name that starts there ends. Its first byte may be `=`.
#[inline]
fn name_end(bytes: &[u8], start: usize) -> usize {
    find_class(bytes, start + 1, ENDS_ATTRIBUTE)
}

#[inline]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&byte) if is(byte, SPACE) => skip_class(bytes, at, SPACE),
        _ => at,
    }
}

/// Where the value that starts there begins and ends, and where to go on. A quote that is never
/// closed takes all that is left and one byte more, which is beyond the end.
#[inline]
fn value(bytes: &[u8], at: usize) -> (usize, usize, usize) {
    match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => {
            let from = at + 1;
            let rest = bytes.get(from..).unwrap_or_default();
            let to = find_near(quote, rest).map_or(bytes.len(), |length| from + length);
            (from, to, to + 1)
        }
        _ => {
            let to = find_class(bytes, at, ENDS_VALUE);
            (at, to, to)
        }
    }
}

/// How a tag ends.
pub(super) struct TagEnd {
    /// Where `>` stands.
    pub(super) at: usize,
    pub(super) seen: Seen,
    pub(super) self_closing: bool,
}

/// Skips the attributes of a tag from behind its name on; none if the page ends before the tag.
#[inline(always)]
pub(super) fn skip(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    let mut seen = Seen::default();
    loop {
        count_steps(1);
        match *bytes.get(at)? {
            b'>' => {
                return Some(TagEnd {
                    at,
                    seen,
                    self_closing: false,
                });
            }
            b'/' => {
                at += 1;
                if *bytes.get(at)? == b'>' {
                    return Some(TagEnd {
                        at,
                        seen,
                        self_closing: true,
                    });
                }
            }
            byte if is(byte, SPACE) => at += 1,
            _ => {
                let after_name = name_end(bytes, at);
                seen.insert(bytes.get(at..after_name).unwrap_or_default());
                let equals = skip_space(bytes, after_name);
                at = if bytes.get(equals) == Some(&b'=') {
                    value(bytes, skip_space(bytes, equals + 1)).2
                } else {
                    after_name
                };
            }
        }
    }
}
