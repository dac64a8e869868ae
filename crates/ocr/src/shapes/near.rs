//! Comparisons and searches over distances so short that a call of `memcmp` or `memchr` would cost
//! more.

use corpus_bytes::step_counter::count_steps;
use corpus_markup::find_in_blocks;

/// Finds a byte that is usually within 64 bytes.
#[inline(always)]
pub(super) fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    find_in_blocks::<4>(byte, bytes)
}

/// `strip_prefix` for short prefixes.
#[inline(always)]
pub(super) fn strip_near<'b>(bytes: &'b [u8], prefix: &[u8]) -> Option<&'b [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    count_steps(prefix.len() / 8 + 1);
    is_same(head, prefix).then_some(rest)
}

/// `strip_prefix` for short prefixes.
#[inline(always)]
pub(super) fn strip_near_str<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    strip_near(text.as_bytes(), prefix.as_bytes())?;
    text.get(prefix.len()..)
}

/// Compares texts of the same length. Tags usually differ near their ends, which are compared
/// first. Blocks may overlap.
#[inline(always)]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    if let (Some(end_of_a), Some(end_of_b)) = (a.last_chunk::<16>(), b.last_chunk::<16>()) {
        return end_of_a == end_of_b
            && a.first_chunk::<16>() == b.first_chunk::<16>()
            && (a.len() <= 32 || has_same_blocks(a, b));
    }
    if let (Some(end_of_a), Some(end_of_b)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) {
        return end_of_a == end_of_b && a.first_chunk::<8>() == b.first_chunk::<8>();
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

fn has_same_blocks(a: &[u8], b: &[u8]) -> bool {
    let (blocks_of_a, blocks_of_b) = (a.as_chunks::<16>().0, b.as_chunks::<16>().0);
    blocks_of_a.iter().zip(blocks_of_b).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_bytes_are_found() {
        for length in 0..90 {
            let text: Vec<u8> = (0..length).map(|at| at ^ 0xbc).collect();
            for byte in 0..=255 {
                let expected = text.iter().position(|other| *other == byte);
                assert_eq!(find_near(byte, &text), expected, "{byte} of {length}");
            }
            let same = vec![b'<'; usize::from(length)];
            assert_eq!(find_near(b'<', &same), (length > 0).then_some(0));
        }
    }

    #[test]
    fn short_prefixes_are_stripped() {
        let text = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for length in 0..text.len() {
            let (prefix, rest) = text.split_at(length);
            assert_eq!(strip_near_str(text, prefix), Some(rest));
            assert_eq!(strip_near_str(prefix, text), None);
            for at in 0..length {
                let mut other = prefix.to_owned();
                other.replace_range(at..at + 1, "_");
                assert_eq!(strip_near_str(text, &other), None, "{other}");
            }
        }
    }
}
