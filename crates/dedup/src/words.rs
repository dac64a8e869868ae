//! Finds and hashes the words of a text, much faster than [`str::split_whitespace`].
//!
//! A loop that searches for the end of each word, and a hash function that branches on the length,
//! would be mispredicted at nearly every word. So the edges of words are read from one bit per
//! byte, a block of bytes at a time, and words are hashed in groups of similar length.

use std::array;

/// The number of bytes in a block.
const BLOCK_BYTES: usize = u64::BITS as usize;

/// The number of words hashed at a time.
const BATCH_WORDS: usize = 64;

/// Maximum number of starts and ends of words that are stored.
const MAX_EDGES: usize = 2 * BATCH_WORDS + BLOCK_BYTES + EDGES_AT_ONCE;

/// The number of edges written without a branch.
const EDGES_AT_ONCE: usize = 8;

/// Returns the hashes of the words of a text. The words are those of [`str::split_whitespace`].
#[inline]
pub(crate) fn word_hashes<T, H>(text: &str, hash: H) -> WordHashes<'_, T, H>
where
    T: Copy + Default,
    H: Fn(&[u8]) -> T,
{
    WordHashes {
        blocks: Blocks::new(text),
        hash,
        edges: [0; MAX_EDGES],
        edge_count: 0,
        hashes: [T::default(); BATCH_WORDS],
        next: 0,
        count: 0,
    }
}

#[derive(Debug)]
pub(crate) struct WordHashes<'a, T, H> {
    blocks: Blocks<'a>,
    hash: H,
    /// Alternating starts and ends of words. The first one is a start.
    edges: [usize; MAX_EDGES],
    edge_count: usize,
    /// The hashes of a batch of words.
    hashes: [T; BATCH_WORDS],
    /// The number of hashes returned.
    next: usize,
    count: usize,
}

impl<T: Copy, H: Fn(&[u8]) -> T> Iterator for WordHashes<'_, T, H> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.next == self.count && !self.hash_batch() {
            return None;
        }
        let hash = self.hashes[self.next];
        self.next += 1;
        Some(hash)
    }
}

impl<T: Copy, H: Fn(&[u8]) -> T> WordHashes<'_, T, H> {
    /// Hashes the next words. Returns whether there are any.
    #[inline(never)]
    fn hash_batch(&mut self) -> bool {
        while self.edge_count < 2 * BATCH_WORDS
            && self.blocks.next(&mut self.edges, &mut self.edge_count)
        {}
        let count = (self.edge_count / 2).min(BATCH_WORDS);
        let (words, _) = self.edges[..2 * count].as_chunks();
        let mut groups = Groups::default();
        for (word, [start, end]) in words.iter().enumerate() {
            groups.add(word, end - start);
        }
        let bytes = self.blocks.text.as_bytes();
        for (group, &count) in groups.words.iter().zip(&groups.counts) {
            for &word in &group[..count] {
                let [start, end] = words[usize::from(word)];
                self.hashes[usize::from(word)] = (self.hash)(&bytes[start..end]);
            }
        }
        self.edges.copy_within(2 * count..self.edge_count, 0);
        self.edge_count -= 2 * count;
        (self.next, self.count) = (0, count);
        count > 0
    }
}

/// The numbers of the words of a batch, grouped by length. XXH3 has a branch for each group.
#[derive(Debug)]
struct Groups {
    words: [[u8; BATCH_WORDS]; GROUPS],
    counts: [usize; GROUPS],
}

const GROUPS: usize = 4;

/// The maximum lengths of words in all groups but the last, in bytes.
const MAX_LENGTHS: [usize; GROUPS - 1] = [3, 8, 16];

impl Default for Groups {
    fn default() -> Self {
        Self {
            words: [[0; BATCH_WORDS]; GROUPS],
            counts: [0; GROUPS],
        }
    }
}

impl Groups {
    #[inline(always)]
    fn add(&mut self, word: usize, length: usize) {
        let exceeded = MAX_LENGTHS.map(|max| usize::from(length > max));
        let group: usize = exceeded.into_iter().sum();
        self.words[group][self.counts[group]] = word as u8;
        self.counts[group] += 1;
    }
}

/// Reads a text by blocks.
#[derive(Debug)]
struct Blocks<'a> {
    text: &'a str,
    /// The start of the next block.
    at: usize,
    /// Whether the last byte before it belongs to a word.
    in_word: bool,
    /// A bit for each byte of the next block that belongs to white space starting before it.
    space: u64,
}

impl<'a> Blocks<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            in_word: false,
            space: 0,
        }
    }

    /// Adds the starts and ends of words in the next block. Returns whether there was a block. The
    /// last block always contains the end of the text.
    #[inline]
    fn next(&mut self, edges: &mut [usize; MAX_EDGES], count: &mut usize) -> bool {
        let Some(rest) = self.text.as_bytes().get(self.at..) else {
            return false;
        };
        let words = match rest.first_chunk::<BLOCK_BYTES>() {
            Some(block) => self.words(block),
            None => {
                let mut block = [b' '; BLOCK_BYTES];
                block[..rest.len()].copy_from_slice(rest);
                self.words(&block)
            }
        };
        // The bits that differ from the previous bit.
        let mut changes = words ^ (words << 1 | u64::from(self.in_word));
        self.in_word = words >> (BLOCK_BYTES - 1) != 0;
        let mut next = *count;
        *count += changes.count_ones() as usize;
        while changes != 0 {
            // A branch for each edge would be mispredicted at the end of nearly every block.
            for edge in &mut edges[next..next + EDGES_AT_ONCE] {
                *edge = self.at + changes.trailing_zeros() as usize;
                changes &= changes.wrapping_sub(1);
            }
            next += EDGES_AT_ONCE;
        }
        self.at += BLOCK_BYTES;
        true
    }

    /// Returns a bit for each byte of the block: whether it belongs to a word.
    #[inline]
    fn words(&mut self, block: &[u8; BLOCK_BYTES]) -> u64 {
        // Unlike `is_ascii_whitespace`, `is_whitespace` includes the vertical tab.
        let is_space = |byte: u8| byte == b' ' || byte.wrapping_sub(b'\t') <= b'\r' - b'\t';
        let mut spaces = bits(block.map(is_space)) | std::mem::take(&mut self.space);
        if !block.is_ascii() {
            spaces |= self.wide_spaces(block);
        }
        !spaces
    }

    /// Returns the bits of white space that is not ASCII.
    fn wide_spaces(&mut self, block: &[u8; BLOCK_BYTES]) -> u64 {
        // These are U+0085, U+00A0, U+1680, U+2000 to U+205F, and U+3000. Most characters that
        // start with the same byte are not white space, so the second byte is compared as well.
        let next = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let next: [u8; BLOCK_BYTES] = array::from_fn(|at| next.get(at).copied().unwrap_or(b' '));
        let is_candidate = |at: usize| match block[at] {
            0xc2 => matches!(next[at], 0x85 | 0xa0),
            0xe1 => next[at] == 0x9a,
            0xe2 => matches!(next[at], 0x80 | 0x81),
            0xe3 => next[at] == 0x80,
            _ => false,
        };
        let mut candidates = bits(array::from_fn(is_candidate));
        let mut spaces = 0u128;
        while candidates != 0 {
            let at = candidates.trailing_zeros() as usize;
            let found = self.text.get(self.at + at..);
            if let Some(c) = found.and_then(|found| found.chars().next())
                && c.is_whitespace()
            {
                spaces |= ((1 << c.len_utf8()) - 1) << at;
            }
            candidates &= candidates - 1;
        }
        self.space = (spaces >> BLOCK_BYTES) as u64;
        spaces as u64
    }
}

/// Packs flags into bits.
#[inline(always)]
fn bits(flags: [bool; BLOCK_BYTES]) -> u64 {
    let bytes = flags.map(u8::from);
    let (chunks, _) = bytes.as_chunks::<8>();
    let pack =
        |chunk: &[u8; 8]| u64::from_le_bytes(*chunk).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    chunks
        .iter()
        .rev()
        .fold(0, |bits, chunk| bits << 8 | pack(chunk))
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    fn assert_words(text: &str) {
        let expected = text.split_whitespace().map(|word| xxh3_64(word.as_bytes()));
        assert!(word_hashes(text, xxh3_64).eq(expected), "{text:?}");
    }

    /// Tests all characters, so that no white space is missed.
    #[test]
    fn words_are_those_of_the_standard_library() {
        let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let spread: String = all.chars().flat_map(|c| [c, 'a', c, c, '語']).collect();
        for text in [
            "",
            " ",
            "a",
            " a",
            "a ",
            "\u{3000}日本\u{a0}語é\u{2003}",
            &all,
            &spread,
        ] {
            assert_words(text);
        }
    }

    #[test]
    fn words_and_spaces_may_cross_blocks_and_batches() {
        for space in [
            " ",
            "\u{b}",
            "\u{85}",
            "\u{a0}",
            "\u{1680}",
            "\u{205f}",
            "\u{3000}",
            "\u{3000} \u{2009}",
        ] {
            for before in 0..2 * BLOCK_BYTES {
                let start = "x".repeat(before);
                assert_words(&start);
                assert_words(&format!("{start}{space}"));
                assert_words(&format!("{start}{space}é"));
                assert_words(&format!("{space}{start}{space}{start}‘a’、い{space}"));
            }
        }
        for words in [
            0,
            1,
            2,
            BATCH_WORDS - 1,
            BATCH_WORDS,
            BATCH_WORDS + 1,
            2 * BATCH_WORDS,
            3 * BATCH_WORDS,
        ] {
            for length in [1, 3, 4, 8, 9, 16, 17, 300] {
                let mut text = format!("{}\n", "y".repeat(length)).repeat(words);
                assert_words(&text);
                text.push('z');
                assert_words(&text);
            }
        }
    }
}
