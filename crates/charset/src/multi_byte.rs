//! The surprise of a sample in each of the multi-byte charsets.

use std::sync::LazyLock;

use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8};

use super::languages::{
    HALF_WIDTH_KANA, JAPANESE, KOREAN, SIMPLIFIED, Surprise, TRADITIONAL, ranked,
};
use super::repeats::surprise_of_repetitions;
use super::sample::{BYTES_PER_PLACE, Sample};
use super::single_byte::Judgement;

/// The surprise of invalid bytes. It is finite, because pages get damaged.
const INVALID: f32 = 16.0;
/// In UTF-8 every damaged byte is invalid, even between ASCII characters.
const INVALID_IN_UTF_8: f32 = 10.0;
/// The surprise of a page that ends in the middle of a character.
const CUT_OFF: f32 = 7.0;
/// The surprise of characters that are rare in any text: supplementary planes of a table and
/// private use.
const RARE: f32 = 14.0;
/// The surprise of an East Asian charset on a page that repeats a few characters.
const FOREIGN: f32 = 8.0;
/// The surprise of a page that lists rare characters.
const LIST: f32 = 40.0;
/// The surprise of the first half-width katakana of a word.
const FIRST_OF_HALF_WIDTH: f32 = 4.5;

/// A charset with at most two bytes per common character, and the surprise of every byte pair.
struct Reading {
    encoding: &'static Encoding,
    rarity: f32,
    /// The surprise of each character on a page that lists them all.
    of_list: f32,
    /// Indexed by the first byte minus 0x80, then by the second byte.
    pairs: Vec<f32>,
    /// Half-width katakana, indexed by their Shift_JIS byte minus 0x80.
    half_width: Vec<f32>,
}

/// Properties of a charset beyond its character table.
struct Profile {
    encoding: &'static Encoding,
    rarity: f32,
    frequent: &'static str,
    /// The share of a text that consists of the frequent characters.
    share: f32,
    /// The first bytes of the more common and of the rarer Chinese characters, or of Hangul.
    first_level: std::ops::RangeInclusive<u8>,
    second_level: std::ops::RangeInclusive<u8>,
    /// The lowest second byte that belongs to these levels.
    second_byte_from: u8,
    /// The surprise of kana, which Chinese and Korean charsets contain but texts do not use.
    kana: f32,
}

static PROFILES: [Profile; 5] = [
    Profile {
        encoding: SHIFT_JIS,
        rarity: 0.5,
        frequent: JAPANESE,
        share: 0.75,
        first_level: 0x88..=0x98,
        second_level: 0x99..=0xea,
        second_byte_from: 0x40,
        kana: 5.5,
    },
    Profile {
        encoding: EUC_JP,
        rarity: 0.5,
        frequent: JAPANESE,
        share: 0.75,
        first_level: 0xb0..=0xcf,
        second_level: 0xd0..=0xf4,
        second_byte_from: 0xa1,
        kana: 5.5,
    },
    Profile {
        encoding: GB18030,
        rarity: 0.5,
        frequent: SIMPLIFIED,
        share: 0.45,
        first_level: 0xb0..=0xd7,
        second_level: 0xd8..=0xf7,
        second_byte_from: 0xa1,
        kana: 10.0,
    },
    Profile {
        encoding: BIG5,
        rarity: 0.5,
        frequent: TRADITIONAL,
        share: 0.45,
        first_level: 0xa4..=0xc6,
        second_level: 0xc9..=0xf9,
        second_byte_from: 0x40,
        kana: 11.0,
    },
    Profile {
        encoding: EUC_KR,
        rarity: 0.5,
        frequent: KOREAN,
        share: 0.65,
        first_level: 0xb0..=0xc8,
        second_level: 0xca..=0xfd,
        second_byte_from: 0xa1,
        kana: 11.0,
    },
];

static READINGS: LazyLock<Vec<Reading>> =
    LazyLock::new(|| PROFILES.iter().map(Reading::new).collect());

/// Replaces the character number of invalid bytes.
const NONE: u32 = u32::MAX;

/// Replaces the character number of several bytes that start a UTF-8 character but do not finish
/// it.
const CUT: u32 = u32::MAX - 1;

/// The surprise of the sample in every multi-byte charset. With `has_repeats`, repetitions of a
/// character add little.
pub fn judge(sample: &Sample<'_>, has_repeats: bool) -> Vec<Judgement> {
    let mut judgements = Vec::with_capacity(1 + PROFILES.len());
    judgements.extend(judge_utf_8(sample, has_repeats));
    judgements.extend(READINGS.iter().map(|reading| {
        let mut surprise = reading.surprise(sample);
        if has_repeats {
            let once = surprise_of_repeated(|add| reading.read(sample, add));
            surprise = surprise.min(FOREIGN + once);
        }
        Judgement {
            encoding: reading.encoding,
            surprise: reading.rarity + surprise,
        }
    }));
    judgements
}

/// The surprise in UTF-8. `None` if there is neither a valid sequence nor a cut one of two bytes or
/// more: such a page is not UTF-8, even if it declares it.
fn judge_utf_8(sample: &Sample<'_>, has_repeats: bool) -> Option<Judgement> {
    let mut has_sequences = false;
    let mut surprise = 0.0;
    read_utf_8(sample, |character, added| {
        has_sequences |= character != NONE;
        surprise += added;
    });
    if !has_sequences {
        return None;
    }
    if has_repeats {
        let once = surprise_of_repeated(|add| read_utf_8(sample, add));
        surprise = surprise.min(once);
    }
    Some(Judgement {
        encoding: UTF_8,
        surprise,
    })
}

/// The surprise of the distinct characters, plus a little for each repetition.
fn surprise_of_repeated(read: impl FnOnce(&mut dyn FnMut(u32, f32))) -> f32 {
    let mut invalid = 0.0;
    let mut characters: Vec<(u32, f32)> = Vec::new();
    read(&mut |character, surprise| {
        if matches!(character, NONE | CUT) {
            invalid += surprise;
        } else {
            characters.push((character, surprise));
        }
    });
    characters.sort_unstable_by_key(|(character, _)| *character);
    let all = characters.len();
    // A single character counts no more than all others together.
    let groups = characters.chunk_by(|a, b| a.0 == b.0).filter_map(|group| {
        let (_, surprise) = group.first()?;
        let weight = group.len().min(1 + all - group.len());
        Some((*surprise, group.len() as f32, weight as f32))
    });
    let counted: f32 = groups
        .clone()
        .map(|(surprise, _, weight)| surprise * weight)
        .sum();
    invalid + counted + surprise_of_repetitions(groups.map(|(_, count, weight)| (count, weight)))
}

/// Calls `add` with the number and the surprise of every non-ASCII character.
///
/// Other charsets so rarely produce valid sequences that the ranges of characters are enough.
fn read_utf_8(sample: &Sample<'_>, mut add: impl FnMut(u32, f32)) {
    for piece in &sample.pieces {
        for chunk in piece.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '\0'..='\u{7f}' => {}
                    // Extended alphabets, phonetics and rarely used scripts.
                    '\u{180}'..='\u{217}' | '\u{21c}'..='\u{2ff}' => add(character.into(), 9.0),
                    '\u{460}'..='\u{58f}' | '\u{660}'..='\u{7ff}' => add(character.into(), 9.0),
                    '\u{80}'..='\u{7ff}' => add(character.into(), 4.5),
                    '\u{800}'..='\u{ffff}' => add(character.into(), 7.5),
                    _ => add(character.into(), 10.0),
                }
            }
            match chunk.invalid() {
                [] => {}
                [_] => add(NONE, INVALID_IN_UTF_8),
                [..] => add(CUT, INVALID_IN_UTF_8),
            }
        }
    }
}

impl Reading {
    fn new(profile: &Profile) -> Self {
        let frequent = Frequent::of(profile);
        let mut pairs = Vec::with_capacity(128 << 8);
        for first in 0x80..=0xff {
            for second in 0x00..=0xff {
                pairs.push(profile.surprise_of_pair(first, second, &frequent));
            }
        }
        let mut half_width = vec![INVALID; 128];
        for (character, surprise) in ranked(HALF_WIDTH_KANA, 0.97, 30.0) {
            let index = u32::from(character) - 0xff61 + 0x21;
            if let Some(place) = half_width.get_mut(index as usize) {
                *place = surprise;
            }
        }
        Self {
            encoding: profile.encoding,
            rarity: profile.rarity,
            of_list: (pairs.iter().filter(|surprise| **surprise < INVALID).count() as f32).ln(),
            pairs,
            half_width,
        }
    }

    /// The surprise of the sample. If the page lists rare characters, the page itself is
    /// surprising, but all its characters are equally likely.
    fn surprise(&self, sample: &Sample<'_>) -> f32 {
        let mut as_usual = 0.0;
        let mut as_list = LIST;
        self.read(sample, |_, surprise| {
            as_usual += surprise;
            as_list += if surprise < INVALID {
                self.of_list
            } else {
                surprise
            };
        });
        as_usual.min(as_list)
    }

    /// Calls `add` with the bytes and the surprise of every non-ASCII character.
    fn read(&self, sample: &Sample<'_>, mut add: impl FnMut(u32, f32)) {
        for piece in &sample.pieces {
            self.read_piece(piece, &mut add);
        }
    }

    fn read_piece(&self, piece: &[u8], mut add: impl FnMut(u32, f32)) {
        let mut rest = piece;
        let mut after_half_width = false;
        while let Some((&first, tail)) = rest.split_first() {
            if first.is_ascii() {
                after_half_width = false;
                rest = tail;
                continue;
            }
            let Some(step) = self.character(first, tail, after_half_width) else {
                if piece.len() < BYTES_PER_PLACE {
                    add(NONE, self.surprise_of_end(first));
                }
                break;
            };
            let (bytes, tail) = rest.split_at_checked(step.length).unwrap_or((rest, &[]));
            let number = || {
                bytes
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | u32::from(*byte))
            };
            let is_valid = step.surprise < INVALID;
            add(if is_valid { number() } else { NONE }, step.surprise);
            after_half_width = step.is_half_width;
            rest = tail;
        }
    }

    /// The surprise of a page whose last byte could start a character.
    fn surprise_of_end(&self, first: u8) -> f32 {
        let from = usize::from(first & 0x7f) << 8;
        let pairs = self.pairs.get(from..from + 256).unwrap_or_default();
        let begins_character = pairs.iter().any(|surprise| *surprise < INVALID);
        if begins_character { CUT_OFF } else { INVALID }
    }

    /// The character that starts with `first`; `None` if the bytes end in the middle of it.
    fn character(&self, first: u8, tail: &[u8], after_half_width: bool) -> Option<Step> {
        if self.encoding == SHIFT_JIS {
            if let 0xa1..=0xdf = first {
                return Some(self.half_width(first, 1, after_half_width));
            }
            if let 0x80 | 0xa0 | 0xfd..=0xff = first {
                return Some(Step::new(INVALID, 1));
            }
        }
        let second = *tail.first()?;
        if self.encoding == EUC_JP {
            match (first, second) {
                (0x8e, 0xa1..=0xdf) => return Some(self.half_width(second, 2, after_half_width)),
                (0x8f, 0xa1..=0xfe) => return Some(Step::new(RARE, 3)),
                _ => {}
            }
        }
        if self.encoding == GB18030 && matches!((first, second), (0x81..=0xfe, b'0'..=b'9')) {
            let third = *tail.get(1)?;
            let surprise = if third < 0x81 { INVALID } else { RARE };
            return Some(Step::new(surprise, if third < 0x81 { 1 } else { 4 }));
        }
        let index = usize::from(first & 0x7f) << 8 | usize::from(second);
        let surprise = self.pairs.get(index).copied().unwrap_or(INVALID);
        // Decoders keep an ASCII byte that does not complete a character.
        let length = if surprise == INVALID && second.is_ascii() {
            1
        } else {
            2
        };
        Some(Step::new(surprise, length))
    }

    fn half_width(&self, byte: u8, length: usize, is_next: bool) -> Step {
        let surprise = self.half_width.get(usize::from(byte & 0x7f)).copied();
        let surprise = surprise.unwrap_or(INVALID);
        Step {
            surprise: if is_next {
                surprise
            } else {
                FIRST_OF_HALF_WIDTH + surprise
            },
            length,
            is_half_width: true,
        }
    }
}

/// The surprises of the frequent characters of a charset, in the order of characters.
struct Frequent(Vec<Surprise>);

impl Frequent {
    fn of(profile: &Profile) -> Self {
        let mut surprises = ranked(profile.frequent, profile.share, 12.0);
        // Stable, so that the first of two equal characters counts.
        surprises.sort_by_key(|(character, _)| *character);
        surprises.dedup_by_key(|(character, _)| *character);
        Self(surprises)
    }

    fn surprise_of(&self, character: char) -> Option<f32> {
        let found = self.0.binary_search_by_key(&character, |(known, _)| *known);
        found
            .ok()
            .and_then(|at| self.0.get(at))
            .map(|found| found.1)
    }
}

struct Step {
    surprise: f32,
    length: usize,
    is_half_width: bool,
}

impl Step {
    fn new(surprise: f32, length: usize) -> Self {
        Self {
            surprise,
            length,
            is_half_width: false,
        }
    }
}

impl Profile {
    fn surprise_of_pair(&self, first: u8, second: u8, frequent: &Frequent) -> f32 {
        let Some(character) = self.character(first, second) else {
            return INVALID;
        };
        if let Some(surprise) = frequent.surprise_of(character) {
            return surprise;
        }
        match character {
            'ぁ'..='ヺ' | 'ー' => self.kana,
            '、' | '。' | '，' | '・' | '「' | '」' | '：' | '！' | '？' | '“' | '”' => {
                5.0
            }
            '　' => 4.0,
            '\u{ff01}'..='\u{ff5e}' | '\u{3000}'..='\u{303f}' | '…' | '―' | '—' | '·' => 7.0,
            '\u{e000}'..='\u{f8ff}' => RARE,
            '\u{3400}'..='\u{9fff}' | '가'..='힣' | '\u{f900}'..='\u{faff}' => {
                self.surprise_of_level(first, second)
            }
            _ => 9.5,
        }
    }

    fn surprise_of_level(&self, first: u8, second: u8) -> f32 {
        if second < self.second_byte_from {
            RARE
        } else if self.first_level.contains(&first) {
            8.5
        } else if self.second_level.contains(&first) {
            12.0
        } else {
            RARE
        }
    }

    /// The character that the two bytes encode together.
    fn character(&self, first: u8, second: u8) -> Option<char> {
        let mut text = [0; 16];
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let bytes = [first, second];
        let (result, _, length) =
            decoder.decode_to_utf8_without_replacement(&bytes, &mut text, true);
        if result != DecoderResult::InputEmpty {
            return None;
        }
        let mut characters = str::from_utf8(text.get(..length)?).ok()?.chars();
        let character = characters.next()?;
        characters.next().is_none().then_some(character)
    }
}
