//! The phrases of C4's rules, found in any case.

use std::iter::FusedIterator;

/// The phrases, in lower case. The first marks placeholder text, the second notes about scripts,
/// and those from [`FIRST_POLICY`] on mark terms and cookies. No phrase is the start of another.
const PHRASES: [&[u8]; 8] = [
    b"lorem ipsum",
    b"javascript",
    b"terms of use",
    b"privacy policy",
    b"cookie policy",
    b"uses cookies",
    b"use of cookies",
    b"use cookies",
];
const LOREM_IPSUM: usize = 0;
const JAVASCRIPT: usize = 1;
const FIRST_POLICY: usize = 2;

/// The length of the shortest phrase.
const MIN_PHRASE_BYTES: usize = 10;
const BLOCK_BYTES: usize = 4;
/// The distance between the blocks that are looked up. Every phrase contains at least one of them.
const STRIDE: usize = MIN_PHRASE_BYTES - BLOCK_BYTES + 1;

const BLOCK_HASH_BITS: u32 = 12;

/// For each block hash, a bit for each offset at which a phrase has a block with this hash.
static OFFSETS: [u8; 1 << BLOCK_HASH_BITS] = {
    let mut offsets = [0; 1 << BLOCK_HASH_BITS];
    let mut number = 0;
    while number < PHRASES.len() {
        let phrase = PHRASES[number];
        let mut offset = 0;
        while offset < STRIDE {
            let mut block = [0; BLOCK_BYTES];
            let mut at = 0;
            while at < BLOCK_BYTES {
                block[at] = phrase[offset + at];
                at += 1;
            }
            offsets[block_hash(block)] |= 1 << offset;
            offset += 1;
        }
        number += 1;
    }
    offsets
};

/// Returns the hash of a block, which ignores the case of letters.
#[inline]
const fn block_hash(block: [u8; BLOCK_BYTES]) -> usize {
    let lower = u32::from_le_bytes(block) | 0x2020_2020;
    (lower.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BLOCK_HASH_BITS)) as usize
}

/// A phrase in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundPhrase {
    pub start: usize,
    pub end: usize,
    number: usize,
}

/// The phrases in a text, in their order.
pub(super) struct Finder<'a> {
    text: &'a [u8],
    /// The start of the current block.
    block: usize,
    /// The possible offsets of the block in phrases, as bits.
    offsets: u8,
}

impl<'a> Finder<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut finder = Self {
            text: text.as_bytes(),
            block: 0,
            offsets: 0,
        };
        finder.look_up();
        finder
    }

    /// Sets the offsets of the current block. Returns `false` at the end of the text.
    #[inline]
    fn look_up(&mut self) -> bool {
        let rest = self.text.get(self.block..).unwrap_or_default();
        let Some(block) = rest.first_chunk() else {
            return false;
        };
        self.offsets = OFFSETS[block_hash(*block)];
        true
    }

    fn phrase_at(&self, start: usize) -> Option<FoundPhrase> {
        let rest = &self.text[start..];
        let number = PHRASES.iter().position(|phrase| {
            rest.get(..phrase.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(phrase))
        })?;
        Some(FoundPhrase {
            start,
            end: start + PHRASES[number].len(),
            number,
        })
    }
}

impl Iterator for Finder<'_> {
    type Item = FoundPhrase;

    fn next(&mut self) -> Option<FoundPhrase> {
        loop {
            while self.offsets != 0 {
                // The greatest offset belongs to the first phrase.
                let offset = self.offsets.ilog2();
                self.offsets &= !(1 << offset);
                let start = self.block.checked_sub(offset as usize);
                let found = start.and_then(|start| self.phrase_at(start));
                if found.is_some() {
                    return found;
                }
            }
            self.block += STRIDE;
            if !self.look_up() {
                return None;
            }
        }
    }
}

impl FusedIterator for Finder<'_> {}

/// The phrases in a line.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Phrases {
    pub has_lorem_ipsum: bool,
    pub has_javascript: bool,
    pub has_policy: bool,
}

impl Phrases {
    pub fn of(found: impl Iterator<Item = FoundPhrase>) -> Self {
        let mut phrases = Self::default();
        for phrase in found {
            match phrase.number {
                LOREM_IPSUM => phrases.has_lorem_ipsum = true,
                JAVASCRIPT => phrases.has_javascript = true,
                FIRST_POLICY.. => phrases.has_policy = true,
            }
        }
        phrases
    }
}

#[cfg(test)]
mod tests {
    use corpus_bytes::random::Random;

    use super::*;

    /// The definition: each phrase at each place.
    fn expected(text: &str) -> Vec<FoundPhrase> {
        let lower = text.to_ascii_lowercase();
        let starts = (0..lower.len()).flat_map(|start| {
            let rest = &lower.as_bytes()[start..];
            let starting = PHRASES.iter().enumerate();
            let numbers = starting.filter(move |(_, phrase)| rest.starts_with(phrase));
            numbers.map(move |(number, phrase)| FoundPhrase {
                start,
                end: start + phrase.len(),
                number,
            })
        });
        starts.collect()
    }

    #[test]
    fn phrases_are_found_at_every_place() {
        let mut random = Random(4);
        for phrase in PHRASES {
            let phrase = String::from_utf8_lossy(phrase);
            for before in 0..20 {
                for after in 0..8 {
                    let cased: String = phrase
                        .chars()
                        .map(|letter| match random.below(2) {
                            0 => letter,
                            _ => letter.to_ascii_uppercase(),
                        })
                        .collect();
                    let text = format!("{}{cased}{}", "x".repeat(before), "y".repeat(after));
                    assert_eq!(Finder::new(&text).count(), 1, "{text}");
                    assert!(Finder::new(&text).eq(expected(&text)), "{text}");
                    assert_eq!(Finder::new(&text[..before + phrase.len() - 1]).count(), 0);
                }
            }
        }
    }

    #[test]
    fn phrases_are_those_of_the_definition() {
        let parts = [
            "lorem ipsum",
            "javascript",
            "Terms of Use",
            "use ",
            "uses ",
            "cookies",
            "cookie policy",
            "policy",
            "privacy ",
            "of ",
            "é",
            "日本",
            "\0",
            "\u{212a}",
            "ſ",
            " ",
            "java",
            "SCRIPT",
        ];
        let mut random = Random(6);
        for _ in 0..2000 {
            let text: String = (0..random.below(12))
                .map(|_| parts[random.below(parts.len())])
                .collect();
            assert!(Finder::new(&text).eq(expected(&text)), "{text:?}");
        }
    }

    #[test]
    fn no_phrase_starts_another() {
        assert_eq!(
            PHRASES.map(<[u8]>::len).into_iter().min(),
            Some(MIN_PHRASE_BYTES)
        );
        for (at, phrase) in PHRASES.iter().enumerate() {
            let mut others = PHRASES.iter().enumerate().filter(|(other, _)| *other != at);
            assert!(!others.any(|(_, other)| other.starts_with(phrase)));
        }
    }
}
