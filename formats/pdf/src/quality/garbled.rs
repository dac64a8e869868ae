//! How much of a text is no text: characters that the file gives no meaning, or a wrong one.

use std::iter::Sum;

use super::east_asian;
use super::letters::{self, OTHER_LETTER, SPACE};

/// Text is judged in pieces of so many characters, so that a page may be garbled in part.
const PIECE: u32 = 64;

/// More surprise per character than texts of any language have, in half bits.
const SURPRISING: u32 = 11;

/// A piece is garbled if it has so many half bits more than that. Short ones have to be strange.
const SURE: u32 = 32;

/// What costs more or less than the table of kinds says, in half bits.
const REPEATED: u32 = 4;
const SAME_SCRIPT: u32 = 8;
const OTHER_SCRIPT: u32 = 18;
const UNCOMMON: u32 = 20;
const CAPITAL_AFTER_SMALL: u32 = 6;

/// How many characters of a text there are, and how many of them are garbled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Garbled {
    bad: u32,
    all: u32,
}

impl Garbled {
    /// From 0 to 1.
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

/// How much of a text is garbled: characters that are unknown, pieces that look like no language,
/// and misread bytes. `characters` were drawn, of which `unmapped` have no known meaning (also when
/// the text leaves them out).
pub fn garbled(text: &str, characters: u32, unmapped: u32) -> Garbled {
    let mut judge = Judge::default();
    text.chars().for_each(|c| judge.read(c));
    judge.end_word();
    judge.end_piece();
    // Spaces are often not drawn, so that the text may have more characters.
    let left_out = unmapped.min(characters).saturating_sub(judge.unknown);
    Garbled {
        bad: (judge.unknown + judge.garbled).saturating_add(left_out),
        all: judge.characters.saturating_add(left_out),
    }
}

/// How much more a text looks like one of some language than like nothing, in half bits.
pub fn evidence(text: &str) -> i64 {
    let mut judge = Judge::default();
    text.chars().for_each(|c| judge.read(c));
    let known = judge.characters - judge.unknown;
    let expected = i64::from(known) * i64::from(SURPRISING);
    expected - i64::from(judge.surprise)
}

#[derive(Default)]
struct Judge {
    /// Of all characters.
    surprise: u32,
    /// Other than spaces.
    characters: u32,
    unknown: u32,
    garbled: u32,
    before: Option<Before>,
    piece: Piece,
    word: Word,
    misread: Misread,
}

/// The character before, and whether it stands side by side with what comes.
struct Before {
    character: char,
    kind: usize,
    is_adjacent: bool,
}

#[derive(Default)]
struct Piece {
    characters: u32,
    surprise: u32,
    /// Those that are counted as garbled already.
    garbled: u32,
}

/// Letters between other characters.
#[derive(Default)]
struct Word {
    letters: u32,
    of_latin_1: u32,
}

/// UTF-8 that was read as Latin 1 or windows-1252.
#[derive(Default)]
struct Misread {
    /// How many bytes still belong to the character, and how many it has.
    wanted: u32,
    length: u32,
}

impl Judge {
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
        // Not all scripts have spaces.
        if self.piece.characters >= 2 * PIECE {
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
        if self.piece.characters >= PIECE {
            self.end_piece();
        }
    }

    fn surprise(&self, c: char, kind: usize) -> u32 {
        let Some(before) = &self.before else {
            return letters::surprise(SPACE, kind);
        };
        // Leaders of dots, lines of dashes, doubled letters.
        if before.character == c {
            return REPEATED;
        }
        let kind_before = if before.is_adjacent {
            before.kind
        } else {
            SPACE
        };
        if kind == OTHER_LETTER {
            if east_asian::is_one_of_many(c) && !east_asian::is_common(c) {
                return UNCOMMON;
            }
            let is_same = letters::script(before.character) == letters::script(c);
            return match kind_before {
                OTHER_LETTER if !is_same => OTHER_SCRIPT,
                OTHER_LETTER => SAME_SCRIPT,
                _ => letters::surprise(kind_before, kind).min(OTHER_SCRIPT),
            };
        }
        let is_capital_inside =
            before.is_adjacent && before.character.is_lowercase() && c.is_uppercase();
        letters::surprise(kind_before, kind) + u32::from(is_capital_inside) * CAPITAL_AFTER_SMALL
    }

    fn garble(&mut self, characters: u32) {
        self.garbled += characters;
        self.piece.garbled += characters;
    }

    /// Words of accented letters are none: they were written in another alphabet, or in UTF-8.
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
        if piece.surprise > piece.characters * SURPRISING + SURE {
            self.garbled += piece.characters.saturating_sub(piece.garbled);
        }
    }
}

impl Misread {
    /// How many characters are misread for sure, now that this one came.
    fn read(&mut self, c: char) -> u32 {
        if self.wanted > 0 && is_continuation(c) {
            self.wanted -= 1;
            return if self.wanted == 0 { self.length } else { 0 };
        }
        self.wanted = match c {
            'Â'..='ß' => 1,
            'à'..='ï' => 2,
            'ð'..='ô' => 3,
            _ => 0,
        };
        self.length = self.wanted + 1;
        0
    }
}

/// What bytes from 0x80 to 0xBF are in Latin 1 and windows-1252.
fn is_continuation(c: char) -> bool {
    const WINDOWS: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
    matches!(c, '\u{80}'..='\u{BF}') || WINDOWS.contains(c)
}

/// Characters that mean nothing: those for what is unknown, for private use, and controls.
fn is_unknown(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
    let is_none = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    c == char::REPLACEMENT_CHARACTER || is_private || is_none || c.is_control()
}
