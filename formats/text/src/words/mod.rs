//! Words of a text, for statistics.
//!
//! White space separates words, and punctuation around and between them is split off, mark by
//! mark, as tokenizers for English do it: `"Well," she said` has the words `"`, `Well`, `,`, `"`,
//! `she`, `said`. The rules follow those of spaCy's blank English pipeline closely, because the
//! thresholds of published filters were tuned with it; `README.md` lists the differences.
//!
//! Scripts that put no spaces between words are split where the script changes, so that
//! `日本語を書く` has the words 日本語, を, 書, く. These are not linguistic words, but a run of one
//! script is of about their length, and needs no dictionary.

mod affixes;
mod contractions;
mod scripts;

use affixes::{find_infix, prefix_length, suffix_length};
use contractions::contraction;
pub use contractions::is_abbreviation;

/// The words of a text in their order, as slices of it.
///
/// ```
/// let words: Vec<_> = corpus_text::words::words("It's “fine”, e.g. 日本語を.").collect();
/// assert_eq!(words, ["It", "'s", "“", "fine", "”", ",", "e.g.", "日本語", "を", "."]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut words = Words {
        text,
        position: 0,
        pending: Vec::new(),
    };
    std::iter::from_fn(move || words.next_word())
}

struct Words<'a> {
    text: &'a str,
    position: usize,
    /// The words of the current chunk, in reverse order.
    pending: Vec<&'a str>,
}

impl<'a> Words<'a> {
    #[inline]
    fn next_word(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.pending.pop() {
                return Some(word);
            }
            let (chunk, is_alphanumeric) = self.next_chunk()?;
            if is_alphanumeric && is_one_word(chunk) {
                return Some(chunk);
            }
            if let Some((word, mark)) = word_and_mark(chunk) {
                self.pending.push(mark);
                return Some(word);
            }
            split_chunk(chunk, &mut self.pending);
            self.pending.reverse();
        }
    }

    /// The next run of characters without white space, and whether it has only letters and digits
    /// of ASCII.
    #[inline]
    fn next_chunk(&mut self) -> Option<(&'a str, bool)> {
        let bytes = self.text.as_bytes();
        let mut start = self.position;
        while let Some(length) = space_length(bytes, start) {
            start += length;
        }
        let mut is_alphanumeric = true;
        let mut end = start;
        while let Some(byte) = bytes.get(end) {
            match KINDS[usize::from(*byte)] {
                Kind::Alphanumeric => {}
                Kind::Space => break,
                Kind::MayStartSpace if space_length(bytes, end).is_some() => break,
                _ => is_alphanumeric = false,
            }
            end += 1;
        }
        self.position = end;
        (start < end).then(|| (&self.text[start..end], is_alphanumeric))
    }
}

/// What a byte means when chunks are looked for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Alphanumeric,
    Space,
    /// A white space character beyond ASCII may start with it.
    MayStartSpace,
    Other,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Kind::Alphanumeric,
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Kind::Space,
            0xc2 | 0xe1..=0xe3 => Kind::MayStartSpace,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// Whether letters and digits are one word for sure; nearly all are.
#[inline]
fn is_one_word(chunk: &str) -> bool {
    let bytes = chunk.as_bytes();
    let has_unit = bytes[0].is_ascii_digit() && bytes[bytes.len() - 1].is_ascii_alphabetic();
    let is_contraction = bytes.len() == 6 && chunk.eq_ignore_ascii_case("cannot");
    !has_unit && !is_contraction
}

/// Splits a plain word from the one mark after it, the most frequent kind of chunk with a mark.
#[inline]
fn word_and_mark(chunk: &str) -> Option<(&str, &str)> {
    let (last, word) = chunk.as_bytes().split_last()?;
    let is_plain = match last {
        b',' | b';' | b':' | b'!' | b'?' | b')' => true,
        // After a capital it may belong to an initial, and it may belong to an abbreviation.
        b'.' => {
            word.last().is_some_and(u8::is_ascii_lowercase)
                && (word.len() > 6 || !is_abbreviation(chunk))
        }
        _ => false,
    };
    if !is_plain || word.is_empty() || !word.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (word, mark) = chunk.split_at(word.len());
    is_one_word(word).then_some((word, mark))
}

/// The length of the white space character at a position, if there is one. Positions inside of a
/// character never match, because all patterns begin with a leading byte.
#[inline]
fn space_length(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Some(1),
        byte if byte < 0xc2 => None,
        0xc2 if matches!(bytes.get(at + 1), Some(0x85 | 0xa0)) => Some(2),
        0xe1 if bytes.get(at + 1..at + 3) == Some(&[0x9a, 0x80]) => Some(3),
        0xe2 => match bytes.get(at + 1..at + 3)? {
            [0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf] | [0x81, 0x9f] => Some(3),
            _ => None,
        },
        0xe3 if bytes.get(at + 1..at + 3) == Some(&[0x80, 0x80]) => Some(3),
        _ => None,
    }
}

/// Appends the words of a chunk.
fn split_chunk<'a>(chunk: &'a str, words: &mut Vec<&'a str>) {
    let mut rest = chunk;
    let mut suffixes: Vec<&'a str> = Vec::new();
    loop {
        if is_abbreviation(rest) || is_address(rest) {
            words.push(rest);
            rest = "";
        } else if let Some(at) = contraction(rest) {
            words.push(&rest[..at]);
            words.push(&rest[at..]);
            rest = "";
        }
        if rest.is_empty() {
            break;
        }
        let prefix = prefix_length(rest);
        if prefix > 0 {
            words.push(&rest[..prefix]);
            rest = &rest[prefix..];
        }
        let suffix = suffix_length(rest);
        if suffix > 0 {
            let at = rest.len() - suffix;
            suffixes.push(&rest[at..]);
            rest = &rest[..at];
        }
        if prefix == 0 && suffix == 0 {
            split_infixes(rest, words);
            break;
        }
    }
    words.extend(suffixes.into_iter().rev());
}

/// Addresses stay whole.
fn is_address(chunk: &str) -> bool {
    let separator = memchr::memchr(b':', chunk.as_bytes())
        .filter(|at| chunk.as_bytes()[*at..].starts_with(b"://"));
    match separator {
        Some(at) => {
            at >= 2 && !chunk.ends_with(['.', ',', ')', '"', '\'', '>', ';', ':', '!', '?'])
        }
        None => chunk.starts_with("www.") && chunk.ends_with(|last: char| last.is_alphanumeric()),
    }
}

fn split_infixes<'a>(text: &'a str, words: &mut Vec<&'a str>) {
    let mut start = 0;
    let mut from = 0;
    while let Some((at, length)) = find_infix(text, from) {
        if at > start {
            scripts::split(&text[start..at], words);
        }
        words.push(&text[at..at + length]);
        start = at + length;
        from = start;
    }
    if start < text.len() {
        scripts::split(&text[start..], words);
    }
}

#[cfg(test)]
mod tests;
