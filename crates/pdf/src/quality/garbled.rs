//! Measures how much of a text is garbled: characters with no meaning, or with a wrong one.

use std::iter::Sum;

use corpus_bytes::windows_1252::CHARACTERS_FROM_0X80;

use super::east_asian;
use super::letters::{self, OTHER_LETTER, SPACE};

/// The number of characters judged at a time, since a page may be garbled in part.
const PIECE_CHARACTERS: u32 = 64;

/// Garbled text has more surprise per character than text in any language, in half bits.
const MAX_SURPRISE_PER_CHARACTER: u32 = 11;

/// A piece is garbled if its surprise exceeds that maximum by this much, in half bits. So short
/// pieces must be very strange.
const MIN_EXCESS_SURPRISE: u32 = 32;

/// The surprise of cases that the table of kinds does not cover, in half bits.
const REPEATED_SURPRISE: u32 = 4;
const SAME_SCRIPT_SURPRISE: u32 = 8;
const OTHER_SCRIPT_SURPRISE: u32 = 18;
const UNCOMMON_SURPRISE: u32 = 20;
const INNER_CAPITAL_SURPRISE: u32 = 6;

/// The number of characters in a text, and how many of them are garbled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Garbled {
    bad: u32,
    all: u32,
}

impl Garbled {
    /// The share of garbled characters, from 0 to 1.
    pub fn share(self) -> f32 {
        if self.all == 0 {
            return 0.0;
        }
        (self.bad as f32 / self.all as f32).min(1.0)
    }
}

impl Sum for Garbled {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            bad: sum.bad.saturating_add(part.bad),
            all: sum.all.saturating_add(part.all),
        })
    }
}

/// Measures how much of a text is garbled: unknown characters, pieces that look like no language,
/// and misread bytes. The page drew `characters`, of which `unmapped` have no known meaning, even
/// if the text omits them.
pub fn garbled(text: &str, characters: u32, unmapped: u32) -> Garbled {
    let mut judge = Judge::default();
    judge.read_text(text);
    judge.end_word();
    judge.end_piece();
    // Spaces are often not drawn, so the text may have more characters than the page.
    let left_out = unmapped.min(characters).saturating_sub(judge.unknown);
    Garbled {
        bad: (judge.unknown + judge.garbled).saturating_add(left_out),
        all: judge.characters.saturating_add(left_out),
    }
}

/// The number of characters that cannot be right: in pieces that look like no language, in misread
/// bytes, for private use. U+FFFD does not count, because it represents unknown characters.
pub fn implausible(text: &str) -> u32 {
    let mut judge = Judge::default();
    judge.read_text(text);
    judge.end_word();
    judge.end_piece();
    let mut unknown = judge.unknown as usize;
    if unknown > 0 {
        let replaced = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER);
        unknown = unknown.saturating_sub(replaced.count());
    }
    judge
        .garbled
        .saturating_add(u32::try_from(unknown).unwrap_or(u32::MAX))
}

/// The evidence that a text is in some language rather than random, in half bits.
pub fn evidence(text: &str) -> i64 {
    let mut judge = Judge::default();
    judge.read_text(text);
    let known = judge.characters - judge.unknown;
    let expected = i64::from(known) * i64::from(MAX_SURPRISE_PER_CHARACTER);
    expected - i64::from(judge.surprise)
}

#[derive(Default)]
struct Judge {
    /// The total surprise of all characters.
    surprise: u32,
    /// The number of characters without spaces.
    characters: u32,
    unknown: u32,
    garbled: u32,
    before: Option<Before>,
    piece: Piece,
    word: Word,
    misread: Misread,
}

/// The previous character, and whether the next one directly follows it.
struct Before {
    character: char,
    kind: usize,
    is_adjacent: bool,
}

#[derive(Default)]
struct Piece {
    characters: u32,
    surprise: u32,
    /// The number of its characters that are already counted as garbled.
    garbled: u32,
}

/// A sequence of letters.
#[derive(Default)]
struct Word {
    letters: u32,
    of_latin_1: u32,
}

/// Detects UTF-8 that was decoded as Latin-1 or windows-1252.
#[derive(Default)]
struct Misread {
    /// The number of bytes missing from the current character, and its length.
    missing: u32,
    length: u32,
}

impl Judge {
    /// Reads a text. The loop is here, once, so that the compiler inlines [`Self::read`].
    fn read_text(&mut self, text: &str) {
        text.chars().for_each(|c| self.read(c));
    }

    fn read(&mut self, c: char) {
        let kind = letters::kind(c);
        if kind == SPACE {
            self.space();
            return;
        }
        self.characters = self.characters.saturating_add(1);
        if is_unknown(c) {
            self.unknown += 1;
            self.space();
            return;
        }
        let surprise = self.surprise(c, kind);
        // Scripts without spaces need this limit, too.
        if self.piece.characters >= 2 * PIECE_CHARACTERS {
            self.end_piece();
        }
        self.piece.surprise += surprise;
        self.surprise = self.surprise.saturating_add(surprise);
        self.piece.characters += 1;
        self.before = Some(Before {
            character: c,
            kind,
            is_adjacent: true,
        });
        if letters::is_letter(kind) {
            self.word.letters += 1;
            self.word.of_latin_1 += u32::from(matches!(c, 'À'..='ÿ'));
        } else {
            self.end_word();
        }
        let misread = self.misread.read(c);
        self.garble(misread);
    }

    fn space(&mut self) {
        self.end_word();
        self.misread = Misread::default();
        if let Some(before) = &mut self.before {
            before.is_adjacent = false;
        }
        if self.piece.characters >= PIECE_CHARACTERS {
            self.end_piece();
        }
    }

    fn surprise(&self, c: char, kind: usize) -> u32 {
        let Some(before) = &self.before else {
            return letters::surprise(SPACE, kind);
        };
        // Dot leaders, lines of dashes, doubled letters.
        if before.character == c {
            return REPEATED_SURPRISE;
        }
        let kind_before = if before.is_adjacent {
            before.kind
        } else {
            SPACE
        };
        if kind == OTHER_LETTER {
            if east_asian::is_in_large_block(c) && !east_asian::is_common(c) {
                return UNCOMMON_SURPRISE;
            }
            let is_same = letters::script(before.character) == letters::script(c);
            return match kind_before {
                OTHER_LETTER if !is_same => OTHER_SCRIPT_SURPRISE,
                OTHER_LETTER => SAME_SCRIPT_SURPRISE,
                _ => letters::surprise(kind_before, kind).min(OTHER_SCRIPT_SURPRISE),
            };
        }
        let is_capital_inside =
            before.is_adjacent && c.is_uppercase() && before.character.is_lowercase();
        letters::surprise(kind_before, kind) + u32::from(is_capital_inside) * INNER_CAPITAL_SURPRISE
    }

    fn garble(&mut self, characters: u32) {
        self.garbled += characters;
        self.piece.garbled += characters;
    }

    /// Ends a word. A word of accented letters only is garbled: it was in another alphabet, or is
    /// misread UTF-8.
    fn end_word(&mut self) {
        let Word {
            letters,
            of_latin_1,
        } = std::mem::take(&mut self.word);
        if of_latin_1 >= 3 && of_latin_1 * 4 >= letters * 3 {
            self.garble(letters);
        }
    }

    fn end_piece(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        if piece.surprise > piece.characters * MAX_SURPRISE_PER_CHARACTER + MIN_EXCESS_SURPRISE {
            self.garbled += piece.characters.saturating_sub(piece.garbled);
        }
    }
}

impl Misread {
    /// Reads a character. Returns the number of characters that are now known to be misread.
    fn read(&mut self, c: char) -> u32 {
        // No byte of a misread character is ASCII.
        if c.is_ascii() {
            self.missing = 0;
            return 0;
        }
        if self.missing > 0 && is_continuation(c) {
            self.missing -= 1;
            return if self.missing == 0 { self.length } else { 0 };
        }
        self.missing = match c {
            'Â'..='ß' => 1,
            'à'..='ï' => 2,
            'ð'..='ô' => 3,
            _ => 0,
        };
        self.length = self.missing + 1;
        0
    }
}

/// Whether a byte from 0x80 to 0xBF decodes to this character in Latin-1 or windows-1252.
fn is_continuation(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{BF}') || CHARACTERS_FROM_0X80.contains(&c)
}

/// Whether a character has no meaning: replacement, private-use, non-characters and controls.
fn is_unknown(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
    let is_noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    c == char::REPLACEMENT_CHARACTER || is_private || is_noncharacter || c.is_control()
}
