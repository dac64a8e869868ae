//! Finds words of ASCII letters and digits, eight bytes at a time.

use super::contractions::is_abbreviation;
use super::{KINDS, LETTER, SPACE};
use crate::hashing::Term;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x80 * ONES;
const BLOCK_BYTES: usize = 8;

/// Returns which of eight bytes are letters, and which are neither letters nor digits. The result
/// for a byte is its high bit; the first byte is the lowest.
#[inline]
fn classify(block: u64) -> (u64, u64) {
    let low = block & !HIGH_BITS;
    // Adding to seven bits sets the high bit of bytes from `first` on, and carries nothing.
    let from = |bytes: u64, first: u8| bytes + u64::from(0x80 - first) * ONES;
    let lower = low | (0x20 * ONES);
    let ascii = !block & HIGH_BITS;
    let letters = from(lower, b'a') & !from(lower, b'z' + 1) & ascii;
    let digits = from(low, b'0') & !from(low, b'9' + 1) & ascii;
    (letters, HIGH_BITS & !(letters | digits))
}

/// The item at the start of a text.
pub(super) enum AsciiStart<'a> {
    /// A plain word, and whether it has a letter.
    Word(Term<'a>, bool),
    /// A mark that is a separate word.
    Mark(Term<'a>),
    /// Anything else.
    Other,
}

/// Finds a word that is certainly not split: it is followed by white space, or by a single mark at
/// the end of its chunk. `text` starts with a chunk, or after the plain word of a chunk.
#[inline]
pub(super) fn start(text: &str) -> AsciiStart<'_> {
    let bytes = text.as_bytes();
    let Some(block) = bytes.first_chunk::<BLOCK_BYTES>() else {
        return AsciiStart::Other;
    };
    let block = u64::from_le_bytes(*block);
    let (letters, others) = classify(block);
    let length = others.trailing_zeros() as usize / 8;
    if length == 0 {
        return if is_mark(bytes[0]) && ends_chunk(bytes, 1) {
            AsciiStart::Mark(Term::new(&text[..1]))
        } else {
            AsciiStart::Other
        };
    }
    let (term, has_letter) = if length < BLOCK_BYTES {
        let mask = (1 << (8 * length)) - 1;
        (
            Term::short(&text[..length], block & mask),
            letters & mask != 0,
        )
    } else {
        let (length, has_letter) = long_word(bytes, letters != 0);
        (Term::new(&text[..length]), has_letter)
    };
    if ends(text, term.text()) && is_whole(term.text()) {
        AsciiStart::Word(term, has_letter)
    } else {
        AsciiStart::Other
    }
}

/// The length of a word whose first block is plain, and whether it has a letter.
#[inline]
fn long_word(bytes: &[u8], mut has_letter: bool) -> (usize, bool) {
    let mut length = BLOCK_BYTES;
    while let Some(block) = bytes[length..].first_chunk::<BLOCK_BYTES>() {
        let (letters, others) = classify(u64::from_le_bytes(*block));
        let plain = others.trailing_zeros() as usize / 8;
        if plain < BLOCK_BYTES {
            has_letter |= letters & ((1 << (8 * plain)) - 1) != 0;
            return (length + plain, has_letter);
        }
        has_letter |= letters != 0;
        length += BLOCK_BYTES;
    }
    for byte in &bytes[length..] {
        if !byte.is_ascii_alphanumeric() {
            break;
        }
        has_letter |= byte.is_ascii_alphabetic();
        length += 1;
    }
    (length, has_letter)
}

/// Whether a chunk of the text ends at a position.
#[inline]
fn ends_chunk(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(byte) => KINDS[usize::from(*byte)] == SPACE,
        None => true,
    }
}

/// Whether a word ends its chunk, or only a single mark follows that does not belong to it.
#[inline]
fn ends(text: &str, word: &str) -> bool {
    let (bytes, length) = (text.as_bytes(), word.len());
    if ends_chunk(bytes, length) {
        return true;
    }
    let mark = bytes[length];
    if !is_mark(mark) || !ends_chunk(bytes, length + 1) {
        return false;
    }
    // A dot may belong to an initial after a capital letter, and otherwise to an abbreviation.
    mark != b'.'
        || bytes[length - 1].is_ascii_lowercase()
            && length > 1
            && !is_abbreviation(&text[..=length])
}

/// Whether a mark is a separate word, after a plain word or alone.
#[inline]
fn is_mark(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b':' | b'!' | b'?' | b')' | b'.')
}

/// Whether letters and digits are certainly one word, as nearly always.
#[inline]
pub(super) fn is_whole(word: &str) -> bool {
    let bytes = word.as_bytes();
    let has_unit = bytes[0].is_ascii_digit() && bytes[bytes.len() - 1].is_ascii_alphabetic();
    let is_contraction = bytes.len() == 6 && word.eq_ignore_ascii_case("cannot");
    !has_unit && !is_contraction
}

/// The kinds of the bytes of a plain word, for [`super::Word::new`].
#[inline]
pub(super) fn kinds(has_letter: bool) -> u8 {
    if has_letter { LETTER } else { super::DIGIT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=255u8 {
            for place in 0..8 {
                for around in [b'a', b'0', b' ', 0xff, 0x7f, 0] {
                    let mut block = [around; 8];
                    block[place] = byte;
                    let (letters, others) = classify(u64::from_le_bytes(block));
                    for (at, byte) in block.iter().enumerate() {
                        let bit = 0x80 << (8 * at);
                        assert_eq!(letters & bit != 0, byte.is_ascii_alphabetic(), "{block:?}");
                        assert_eq!(others & bit == 0, byte.is_ascii_alphanumeric(), "{block:?}");
                    }
                    assert_eq!((letters | others) & !HIGH_BITS, 0);
                }
            }
        }
    }
}
