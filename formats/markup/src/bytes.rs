//! Classes of bytes, and searches for nearby bytes.

use memchr::memchr;

use corpus_bytes::work::count_steps;

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

/// Finds a byte that is usually near. Tests eight bytes at a time first, because for short
/// distances the startup of memchr costs more than the search.
#[inline]
pub(crate) fn find_near(needle: u8, bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    let wanted = LOW * u64::from(needle);
    let mut rest = bytes;
    for step in 0..4 {
        let Some((chunk, after)) = rest.split_first_chunk::<8>() else {
            break;
        };
        let zero_where_equal = u64::from_le_bytes(*chunk) ^ wanted;
        let found = zero_where_equal.wrapping_sub(LOW) & !zero_where_equal & HIGH;
        if found != 0 {
            return Some(step * 8 + found.trailing_zeros() as usize / 8);
        }
        rest = after;
    }
    let found = memchr(needle, rest);
    count_steps(found.unwrap_or(rest.len()));
    found.map(|at| bytes.len() - rest.len() + at)
}

#[cfg(test)]
mod tests {
    use super::find_near;

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
}
