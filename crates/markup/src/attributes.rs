//! Attributes, parsed lazily from the source of a tag.

use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::bytes::{ENDS_ATTRIBUTE, ENDS_VALUE, SPACE, find_class, find_near, is, skip_class};
use super::references;
use corpus_bytes::step_counter::count_steps;

/// A filter for the attribute names of a tag. It has one bit for each class of names, determined by
/// first letter, last letter and length. A name whose bit is not set does not occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NameFilter(u64);

impl NameFilter {
    /// Adds a name as written.
    #[inline]
    pub fn insert(&mut self, name: &[u8]) {
        self.0 |= bit(name);
    }

    /// Whether the tag may have an attribute of this name.
    #[inline]
    pub fn may_have(self, name: &str) -> bool {
        self.0 & bit(name.as_bytes()) != 0
    }
}

/// The bit of a name. It is the same for upper and lower case.
#[inline]
fn bit(name: &[u8]) -> u64 {
    let (Some(&first), Some(&last)) = (name.first(), name.last()) else {
        return 0;
    };
    let mixed = u32::from(first | 0x20) * 5 + u32::from(last | 0x20) * 3 + name.len() as u32 * 11;
    1 << (mixed % 64)
}

/// An attribute as written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute<'a> {
    /// The name as written.
    pub name: &'a str,
    /// The value as written, without quotes. Empty if there is none.
    pub raw: &'a str,
}

impl<'a> Attribute<'a> {
    /// The value with decoded references and normalized newlines.
    pub fn value(&self) -> Cow<'a, str> {
        references::decode_value(self.raw)
    }

    /// Whether this is the attribute's name, which has U+FFFD for the NULs in the source.
    #[cold]
    fn is_named_with_nul(&self, name: &str) -> bool {
        count_steps(1);
        let written = self.name.replace('\0', "\u{FFFD}");
        written.eq_ignore_ascii_case(name)
    }
}

/// The unparsed attributes of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RawAttributes<'a> {
    /// The source of the tag from after its name up to `>`.
    pub source: &'a str,
    /// The names that may occur.
    pub names: NameFilter,
}

impl<'a> RawAttributes<'a> {
    /// The first attribute of this name. (U+FFFD may be NUL in the source, which has another bit.)
    #[inline(always)]
    pub fn get(&self, name: &str) -> Option<Attribute<'a>> {
        // Usually decided here. For a constant name, both checks are constants but for one bit.
        if !self.names.may_have(name) && name.bytes().all(|byte| byte.is_ascii()) {
            return None;
        }
        self.find(name)
    }

    fn find(&self, name: &str) -> Option<Attribute<'a>> {
        let mut scan = Scan::new(self.source);
        if !name.is_ascii() {
            return scan.find(|attribute| attribute.is_named_with_nul(name));
        }
        while let Some(place) = scan.next_place() {
            if place.is_named(self.source, name) {
                return Some(place.attribute(self.source));
            }
        }
        None
    }

    /// The decoded value of the first attribute of this name.
    #[inline(always)]
    pub fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).map(|attribute| attribute.value())
    }

    /// The decoded values of the first attributes of these names, which are ASCII, found in one
    /// scan.
    #[inline(always)]
    pub fn values<const N: usize>(&self, names: [&str; N]) -> [Option<Cow<'a, str>>; N] {
        let expected = names.iter().filter(|name| self.names.may_have(name));
        match expected.count() {
            0 => [const { None }; N],
            expected => self.find_values(names, expected),
        }
    }

    fn find_values<const N: usize>(
        &self,
        names: [&str; N],
        mut missing: usize,
    ) -> [Option<Cow<'a, str>>; N] {
        let mut values = [const { None }; N];
        let mut scan = Scan::new(self.source);
        while let Some(place) = scan.next_place() {
            let mut wanted = values.iter_mut().zip(names);
            let found =
                wanted.find(|(value, name)| value.is_none() && place.is_named(self.source, name));
            if let Some((value, _)) = found {
                *value = Some(place.attribute(self.source).value());
                missing = missing.saturating_sub(1);
                if missing == 0 {
                    break;
                }
            }
        }
        values
    }

    /// All attributes in source order. Only the first of several attributes with the same name.
    pub fn iter(&self) -> impl Iterator<Item = Attribute<'a>> + use<'a> {
        let mut names = DistinctNames::default();
        Scan::new(self.source).filter(move |attribute| names.is_new(attribute.name))
    }

    /// A number that is equal for equal attributes, regardless of their order.
    pub fn fingerprint(&self) -> u64 {
        self.iter().fold(0, |sum, attribute| {
            let mut hasher = DefaultHasher::new();
            attribute.name.to_ascii_lowercase().hash(&mut hasher);
            attribute.value().hash(&mut hasher);
            sum.wrapping_add(hasher.finish())
        })
    }
}

/// The names seen so far: a list while they are few, then a set.
#[derive(Default)]
struct DistinctNames<'a> {
    listed: Vec<&'a str>,
    further: HashSet<String>,
}

impl<'a> DistinctNames<'a> {
    const MAX_LISTED_ATTRIBUTES: usize = 16;

    fn is_new(&mut self, name: &'a str) -> bool {
        count_steps(self.listed.len());
        if self
            .listed
            .iter()
            .any(|other| other.eq_ignore_ascii_case(name))
        {
            return false;
        }
        if self.listed.len() < Self::MAX_LISTED_ATTRIBUTES {
            self.listed.push(name);
            return true;
        }
        self.further.insert(name.to_ascii_lowercase())
    }
}

/// An iterator over all attributes, including repeated ones.
struct Scan<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, at: 0 }
    }

    /// The place of the next attribute. (Always inlined, because most attributes are skipped.)
    #[inline(always)]
    fn next_place(&mut self) -> Option<Place> {
        count_steps(1);
        let bytes = self.source.as_bytes();
        let start = self.at
            + bytes
                .get(self.at..)?
                .iter()
                .position(|&byte| !is(byte, SPACE) && byte != b'/')?;
        let after_name = name_end(bytes, start);
        let value = value_after(bytes, after_name);
        let (from, to, next) = value.unwrap_or((after_name, after_name, after_name));
        self.at = next;
        Some(Place {
            name: start..after_name,
            value: from..to,
        })
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let place = self.next_place()?;
        Some(place.attribute(self.source))
    }
}

/// The place of an attribute in the source of its tag.
struct Place {
    name: Range<usize>,
    value: Range<usize>,
}

impl Place {
    /// Whether this is the attribute's name, ignoring ASCII case.
    #[inline]
    fn is_named(&self, source: &str, name: &str) -> bool {
        count_steps(1);
        let written = source.as_bytes().get(self.name.clone());
        written.is_some_and(|written| written.eq_ignore_ascii_case(name.as_bytes()))
    }

    fn attribute<'a>(&self, source: &'a str) -> Attribute<'a> {
        let part = |range: &Range<usize>| source.get(range.clone()).unwrap_or_default();
        Attribute {
            name: part(&self.name),
            raw: part(&self.value),
        }
    }
}

/// The end of the name at `start`. Its first byte may be `=`.
#[inline]
fn name_end(bytes: &[u8], start: usize) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = start + 1;
    // Letters are above 0x3F, and all bytes that end a name are below.
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let mut others = !(word | word << 1) & HIGH;
        while others != 0 {
            let found = at + others.trailing_zeros() as usize / 8;
            if bytes
                .get(found)
                .is_some_and(|&byte| is(byte, ENDS_ATTRIBUTE))
            {
                count_steps(found - start);
                return found;
            }
            others &= others - 1;
        }
        at += 8;
    }
    count_steps(at - start);
    find_class(bytes, at, ENDS_ATTRIBUTE)
}

#[inline]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&byte) if is(byte, SPACE) => skip_class(bytes, at, SPACE),
        _ => at,
    }
}

/// The value after a name that ends at `after_name`, as [`value`] returns it, if there is one.
#[inline(always)]
fn value_after(bytes: &[u8], after_name: usize) -> Option<(usize, usize, usize)> {
    let mut at = after_name + 1;
    // Nearly all values are written `="…"`.
    if !matches!(bytes.get(after_name..), Some([b'=', b'"', ..])) {
        let equals = skip_space(bytes, after_name);
        if bytes.get(equals) != Some(&b'=') {
            return None;
        }
        at = skip_space(bytes, equals + 1);
    }
    Some(value(bytes, at))
}

/// The start and end of the value at `at`, and the position after it. An unclosed quote takes the
/// rest; the position is then one byte past the end.
#[inline(always)]
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

/// The end of a tag.
pub(super) struct TagEnd {
    /// The position of `>`.
    pub(super) at: usize,
    pub(super) names: NameFilter,
    pub(super) self_closing: bool,
}

/// Skips the attributes of a tag, from after its name. `None` if the page ends inside the tag.
#[inline(always)]
pub(super) fn skip(bytes: &[u8], mut at: usize) -> Option<TagEnd> {
    let mut names = NameFilter::default();
    loop {
        count_steps(1);
        let mut byte = *bytes.get(at)?;
        // One space before each name is usual.
        if byte == b' ' {
            at += 1;
            byte = *bytes.get(at)?;
        }
        match byte {
            b'>' => {
                return Some(TagEnd {
                    at,
                    names,
                    self_closing: false,
                });
            }
            b'/' => {
                at += 1;
                if *bytes.get(at)? == b'>' {
                    return Some(TagEnd {
                        at,
                        names,
                        self_closing: true,
                    });
                }
            }
            byte if is(byte, SPACE) => at += 1,
            _ => {
                let after_name = name_end(bytes, at);
                names.insert(bytes.get(at..after_name).unwrap_or_default());
                at = value_after(bytes, after_name).map_or(after_name, |(_, _, next)| next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::{ENDS_ATTRIBUTE, find_class};
    use super::name_end;

    #[test]
    fn names_end_at_the_first_byte_that_ends_one() {
        for length in 1..20 {
            for at in 0..=length {
                for byte in 0..=255 {
                    let mut name = b"=data-x@y_Z:1.(x)[y]"[..length].to_vec();
                    name.insert(at, byte);
                    let expected = find_class(&name, 1, ENDS_ATTRIBUTE);
                    assert_eq!(name_end(&name, 0), expected, "{name:?}");
                }
            }
        }
    }
}
