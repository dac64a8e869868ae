//! Classes of bytes, and searches for nearby bytes.

use memchr::memchr;
use wide::u8x16;

use corpus_bytes::step_counter::count_steps;

/// The number of bytes that are compared in one step.
const BLOCK: usize = 16;

/// White space in HTML and XML.
pub(crate) const SPACE: u8 = 1;
/// Ends the name of a tag.
pub(crate) const ENDS_NAME: u8 = 1 << 1;
/// Ends the name of an attribute.
pub(crate) const ENDS_ATTRIBUTE: u8 = 1 << 2;
/// Ends an unquoted value.
pub(crate) const ENDS_VALUE: u8 = 1 << 3;

/// The classes of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let spaces = [b' ', b'\n', b'\t', b'\r', 0x0C];
    let mut at = 0;
    while at < spaces.len() {
        classes[spaces[at] as usize] = SPACE | ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE;
        at += 1;
    }
    classes[b'/' as usize] = ENDS_NAME | ENDS_ATTRIBUTE;
    classes[b'>' as usize] = ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE;
    classes[b'=' as usize] = ENDS_ATTRIBUTE;
    classes
};

/// Whether a byte belongs to one of the classes.
#[inline]
pub(crate) fn is(byte: u8, classes: u8) -> bool {
    CLASSES
        .get(usize::from(byte))
        .is_some_and(|own| own & classes != 0)
}

/// The position of the first byte from `start` on that belongs to the classes, or the end.
#[inline]
pub(crate) fn find_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let found = rest.iter().position(|&byte| is(byte, classes));
    count_steps(found.unwrap_or(rest.len()));
    match found {
        Some(length) => start + length,
        None => bytes.len(),
    }
}

/// The position of the first byte from `start` on that does not belong to the classes, or the end.
#[inline]
pub(crate) fn skip_class(bytes: &[u8], start: usize, classes: u8) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let found = rest.iter().position(|&byte| !is(byte, classes));
    count_steps(found.unwrap_or(rest.len()));
    match found {
        Some(length) => start + length,
        None => bytes.len(),
    }
}

/// Finds a byte that is usually near.
#[inline(always)]
pub(crate) fn find_near(needle: u8, bytes: &[u8]) -> Option<usize> {
    find_in_blocks::<2>(needle, bytes)
}

/// Finds a byte that is usually in the first blocks of 16 bytes. Compares them before it calls
/// memchr, because a call takes longer than a short search.
#[inline(always)]
pub fn find_in_blocks<const BLOCKS: usize>(needle: u8, bytes: &[u8]) -> Option<usize> {
    let wanted = u8x16::splat(needle);
    let mut rest = bytes;
    for block in 0..BLOCKS {
        let Some((bytes, after)) = rest.split_first_chunk::<BLOCK>() else {
            break;
        };
        let found = u8x16::new(*bytes).simd_eq(wanted).to_bitmask();
        if found != 0 {
            return Some(block * BLOCK + found.trailing_zeros() as usize);
        }
        rest = after;
    }
    find_far(needle, rest).map(|at| bytes.len() - rest.len() + at)
}

/// The positions of a byte, as a set of bits.
#[inline(always)]
pub fn positions(needle: u8, bytes: &[u8; 64]) -> u64 {
    let wanted = u8x16::splat(needle);
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    blocks.iter().rev().fold(0, |later, block| {
        let found = u8x16::new(*block).simd_eq(wanted).to_bitmask();
        later << BLOCK | u64::from(found)
    })
}

pub(crate) fn find_far(needle: u8, bytes: &[u8]) -> Option<usize> {
    let found = memchr(needle, bytes);
    count_steps(found.unwrap_or(bytes.len()));
    found
}

/// The first `<` of some bytes.
#[derive(Clone, Copy)]
pub(crate) struct NearMarkup {
    pub(crate) at: usize,
    /// Whether there is no `&`, carriage return or NUL before it.
    pub(crate) is_plain: bool,
}

/// The number of blocks in which a text is examined while its end is searched. Nearly all texts
/// between tags are shorter.
const NEAR_BLOCKS: usize = 8;

/// Finds a `<` in the first blocks, and examines the bytes before it on the way.
#[inline(always)]
pub(crate) fn find_near_markup(bytes: &[u8]) -> Option<NearMarkup> {
    let mut is_plain = true;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().take(NEAR_BLOCKS).enumerate() {
        let block = u8x16::new(*block);
        let equal = |byte: u8| block.simd_eq(u8x16::splat(byte));
        let special = (equal(b'&') | equal(b'\r') | equal(b'\0')).to_bitmask();
        let found = equal(b'<').to_bitmask();
        if found != 0 {
            let before = found.wrapping_sub(1) & !found;
            return Some(NearMarkup {
                at: index * BLOCK + found.trailing_zeros() as usize,
                is_plain: is_plain && special & before == 0,
            });
        }
        is_plain &= special == 0;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{find_near, positions};

    #[test]
    fn the_first_occurrence_of_a_byte_is_found() {
        for length in 0..80 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(find_near(b'<', &bytes), None);
            bytes.extend_from_slice(b"<b<");
            assert_eq!(find_near(b'<', &bytes), Some(length));
            // Similar bytes do not match.
            bytes.fill(b'=');
            assert_eq!(find_near(b'<', &bytes), None);
            bytes.fill(b'<' | 0x80);
            assert_eq!(find_near(b'<', &bytes), None);
        }
    }
    #[test]
    fn all_occurrences_of_a_byte_are_found() {
        for at in 0..64 {
            let mut bytes = [b'='; 64];
            assert_eq!(positions(b'<', &bytes), 0);
            bytes[at] = b'<';
            assert_eq!(positions(b'<', &bytes), 1 << at);
            assert_eq!(positions(b'=', &bytes), !(1 << at));
            bytes[63] = b'<';
            assert_eq!(positions(b'<', &bytes), 1 << at | 1 << 63);
        }
    }
}
