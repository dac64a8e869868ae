//! The surprise of a sample in each of the multi-byte charsets.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};

use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8};

use super::languages::{
    HALF_WIDTH_KANA, JAPANESE, KOREAN, SIMPLIFIED, Surprise, TRADITIONAL, position_of, ranked,
    sorted,
};
use super::repeats::surprise_of_repetitions;
use super::sample::{BYTES_PER_PLACE, Sample};
use super::single_byte::ScoredEncoding;

/// The surprise of invalid bytes. It is finite, because pages get damaged.
const INVALID_SURPRISE: f32 = 16.0;
/// In UTF-8 every damaged byte is invalid, even between ASCII characters.
const INVALID_IN_UTF_8_SURPRISE: f32 = 10.0;
/// The surprise of a page that ends in the middle of a character.
const CUT_OFF_SURPRISE: f32 = 7.0;
/// The surprise of characters that are rare in any text: supplementary planes of a table and
/// private use.
const RARE_SURPRISE: f32 = 14.0;
/// The surprise of an East Asian charset on a page that repeats a few characters.
const FOREIGN_SURPRISE: f32 = 8.0;
/// The surprise of a page that lists rare characters.
const LIST_SURPRISE: f32 = 40.0;
/// The surprise of the first half-width katakana of a word.
const FIRST_HALF_WIDTH_SURPRISE: f32 = 4.5;

/// A charset with at most two bytes per common character, and the surprise of every byte pair.
struct MultiByteCharset {
    profile: &'static Profile,
    /// The surprise of each character on a page that lists them all.
    of_list: f32,
    /// The frequent characters and their surprises, in the order of characters.
    frequent: Vec<Surprise>,
    /// The surprises of the pairs of each kind, then of the frequent characters.
    surprises: Vec<f32>,
    /// Indexes of `surprises` for the pairs of bytes, indexed by the first byte minus 0x80, then by
    /// the second byte. Each is computed when first needed: texts have few of the pairs. (An index
    /// is a quarter the size of a surprise, so more of them fit in caches.)
    indexes: Vec<[AtomicU8; 256]>,
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
    /// The number of byte pairs that encode a character.
    characters: u16,
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
        characters: 9604,
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
        characters: 7399,
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
        characters: 23940,
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
        characters: 18590,
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
        characters: 17048,
    },
];

static READINGS: LazyLock<Vec<MultiByteCharset>> =
    LazyLock::new(|| PROFILES.iter().map(MultiByteCharset::new).collect());

/// Replaces an index that was not computed yet.
const UNKNOWN: u8 = u8::MAX;

/// Replaces the character number of invalid bytes.
const NONE: u32 = u32::MAX;

/// Replaces the character number of several bytes that start a UTF-8 character but do not finish
/// it.
const CUT: u32 = u32::MAX - 1;

/// The surprise of the sample in every multi-byte charset. With `has_repeats`, repetitions of a
/// character add little. Charsets that are not `wanted` and exceed the least surprise by more than
/// `margin` get a lower limit.
pub fn judge(
    sample: &Sample<'_>,
    has_repeats: bool,
    wanted: &[&'static Encoding],
    margin: f32,
) -> Vec<ScoredEncoding> {
    let mut least = f32::INFINITY;
    let mut utf_8 = None;
    let mut surprises = [0.0; PROFILES.len()];
    // Wanted charsets come first, because they are likely.
    for first in [true, false] {
        let limit = |least: f32| if first { f32::INFINITY } else { least + margin };
        if wanted.contains(&UTF_8) == first {
            utf_8 = judge_utf_8(sample, has_repeats, limit(least));
            least = least.min(utf_8.unwrap_or(f32::INFINITY));
        }
        for (reading, surprise) in READINGS.iter().zip(&mut surprises) {
            if wanted.contains(&reading.profile.encoding) == first {
                *surprise = reading.judge(sample, has_repeats, limit(least));
                least = least.min(*surprise);
            }
        }
    }
    let encodings = READINGS.iter().map(|reading| reading.profile.encoding);
    let utf_8 = utf_8.map(|surprise| (UTF_8, surprise));
    let found = utf_8.into_iter().chain(encodings.zip(surprises));
    found
        .map(|(encoding, surprise)| ScoredEncoding { encoding, surprise })
        .collect()
}

/// The surprise in UTF-8, or of the part of the sample that already exceeds the limit. `None` if
/// there is neither a valid sequence nor a truncated one of at least two bytes: such a page is not
/// UTF-8, even if it declares it.
fn judge_utf_8(sample: &Sample<'_>, has_repeats: bool, limit: f32) -> Option<f32> {
    let mut has_sequences = false;
    let mut surprise = 0.0;
    for piece in &sample.pieces {
        read_utf_8(piece, |character, added| {
            has_sequences |= character != NONE;
            surprise += added;
        });
        if surprise > limit {
            break;
        }
    }
    if !has_sequences {
        return None;
    }
    if has_repeats {
        let once = surprise_of_repeated(|add| {
            let pieces = sample.pieces.iter();
            pieces.for_each(|piece| read_utf_8(piece, &mut *add));
        });
        surprise = surprise.min(once);
    }
    Some(surprise)
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

/// Calls `add` with the number and the surprise of every non-ASCII character of a piece.
///
/// Other charsets so rarely produce valid sequences that the ranges of characters are enough.
fn read_utf_8(piece: &[u8], mut add: impl FnMut(u32, f32)) {
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
            [_] => add(NONE, INVALID_IN_UTF_8_SURPRISE),
            [..] => add(CUT, INVALID_IN_UTF_8_SURPRISE),
        }
    }
}

impl MultiByteCharset {
    fn new(profile: &'static Profile) -> Self {
        let mut half_width = vec![INVALID_SURPRISE; 128];
        for (character, surprise) in ranked(HALF_WIDTH_KANA, 0.97, 30.0) {
            let index = u32::from(character) - 0xff61 + 0x21;
            if let Some(place) = half_width.get_mut(index as usize) {
                *place = surprise;
            }
        }
        let frequent = sorted(profile.frequent, profile.share, 12.0);
        let kinds = PairKind::ALL.iter().map(|kind| kind.surprise(profile));
        let surprises = kinds.chain(frequent.iter().map(|(_, surprise)| *surprise));
        Self {
            profile,
            of_list: f32::from(profile.characters).ln(),
            surprises: surprises.collect(),
            frequent,
            indexes: (0..128)
                .map(|_| [const { AtomicU8::new(UNKNOWN) }; 256])
                .collect(),
            half_width,
        }
    }

    /// The index of the surprise of a pair whose first byte is at least 0x80.
    #[inline]
    fn index(&self, first: u8, second: u8) -> u8 {
        let index = &self.indexes[usize::from(first & 0x7f)][usize::from(second)];
        // Threads that compute the same index store the same value.
        match index.load(Ordering::Relaxed) {
            UNKNOWN => {
                let computed = self.profile.index([first, second], &self.frequent);
                index.store(computed, Ordering::Relaxed);
                computed
            }
            known => known,
        }
    }

    fn judge(&self, sample: &Sample<'_>, has_repeats: bool, limit: f32) -> f32 {
        let mut surprise = self.surprise(sample, limit);
        if has_repeats {
            let once = surprise_of_repeated(|add| self.read(sample, add));
            surprise = surprise.min(FOREIGN_SURPRISE + once);
        }
        self.profile.rarity + surprise
    }

    /// The surprise of the sample, or of a part of it that exceeds the limit. If the page lists
    /// rare characters, the page itself is surprising, but all its characters are equally likely.
    fn surprise(&self, sample: &Sample<'_>, limit: f32) -> f32 {
        let mut as_usual = 0.0;
        let mut as_list = LIST_SURPRISE;
        for piece in &sample.pieces {
            self.read_piece(piece, |_, surprise| {
                as_usual += surprise;
                as_list += if surprise < INVALID_SURPRISE {
                    self.of_list
                } else {
                    surprise
                };
            });
            if as_usual.min(as_list) > limit {
                break;
            }
        }
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
            let is_valid = step.surprise < INVALID_SURPRISE;
            add(if is_valid { number() } else { NONE }, step.surprise);
            after_half_width = step.is_half_width;
            rest = tail;
        }
    }

    /// The surprise of a page whose last byte could start a character.
    fn surprise_of_end(&self, first: u8) -> f32 {
        let begins_character =
            (0..=u8::MAX).any(|second| self.index(first, second) != PairKind::Invalid as u8);
        if begins_character {
            CUT_OFF_SURPRISE
        } else {
            INVALID_SURPRISE
        }
    }

    /// The character that starts with `first`; `None` if the bytes end in the middle of it.
    #[inline(always)]
    fn character(
        &self,
        first: u8,
        tail: &[u8],
        after_half_width: bool,
    ) -> Option<DecodedCharacter> {
        if self.profile.encoding == SHIFT_JIS {
            if let 0xa1..=0xdf = first {
                return Some(self.half_width(first, 1, after_half_width));
            }
            if let 0x80 | 0xa0 | 0xfd..=0xff = first {
                return Some(DecodedCharacter::new(INVALID_SURPRISE, 1));
            }
        }
        let second = *tail.first()?;
        if self.profile.encoding == EUC_JP {
            match (first, second) {
                (0x8e, 0xa1..=0xdf) => return Some(self.half_width(second, 2, after_half_width)),
                (0x8f, 0xa1..=0xfe) => return Some(DecodedCharacter::new(RARE_SURPRISE, 3)),
                _ => {}
            }
        }
        if self.profile.encoding == GB18030 && matches!((first, second), (0x81..=0xfe, b'0'..=b'9'))
        {
            let third = *tail.get(1)?;
            let surprise = if third < 0x81 {
                INVALID_SURPRISE
            } else {
                RARE_SURPRISE
            };
            return Some(DecodedCharacter::new(
                surprise,
                if third < 0x81 { 1 } else { 4 },
            ));
        }
        let kind = self.index(first, second);
        let surprise = self.surprises[usize::from(kind)];
        // Decoders keep an ASCII byte that does not complete a character.
        let keeps_second = kind == PairKind::Invalid as u8 && second.is_ascii();
        Some(DecodedCharacter::new(
            surprise,
            if keeps_second { 1 } else { 2 },
        ))
    }

    fn half_width(&self, byte: u8, length: usize, is_next: bool) -> DecodedCharacter {
        let surprise = self.half_width.get(usize::from(byte & 0x7f)).copied();
        let surprise = surprise.unwrap_or(INVALID_SURPRISE);
        DecodedCharacter {
            surprise: if is_next {
                surprise
            } else {
                FIRST_HALF_WIDTH_SURPRISE + surprise
            },
            length,
            is_half_width: true,
        }
    }
}

struct DecodedCharacter {
    surprise: f32,
    length: usize,
    is_half_width: bool,
}

impl DecodedCharacter {
    fn new(surprise: f32, length: usize) -> Self {
        Self {
            surprise,
            length,
            is_half_width: false,
        }
    }
}

/// A kind of pair that is not a frequent character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PairKind {
    Invalid,
    /// A Chinese character or Hangul of the more common, the rarer or no level.
    FirstLevel,
    SecondLevel,
    Rare,
    Kana,
    IdeographicSpace,
    Punctuation,
    Symbol,
    Other,
}

impl PairKind {
    /// All kinds, in the order of their numbers.
    const ALL: [Self; 9] = [
        Self::Invalid,
        Self::FirstLevel,
        Self::SecondLevel,
        Self::Rare,
        Self::Kana,
        Self::IdeographicSpace,
        Self::Punctuation,
        Self::Symbol,
        Self::Other,
    ];

    fn surprise(self, profile: &Profile) -> f32 {
        match self {
            Self::Invalid => INVALID_SURPRISE,
            Self::FirstLevel => 8.5,
            Self::SecondLevel => 12.0,
            Self::Rare => RARE_SURPRISE,
            Self::Kana => profile.kana,
            Self::IdeographicSpace => 4.0,
            Self::Punctuation => 5.0,
            Self::Symbol => 7.0,
            Self::Other => 9.5,
        }
    }
}

impl Profile {
    /// The index of the surprise of a pair.
    #[cold]
    fn index(&self, pair: [u8; 2], frequent: &[Surprise]) -> u8 {
        let Some(character) = character_of(self.encoding, pair) else {
            return PairKind::Invalid as u8;
        };
        match position_of(character, frequent) {
            Some(position) => (PairKind::ALL.len() + position) as u8,
            None => self.kind_of_pair(pair, character) as u8,
        }
    }

    fn kind_of_pair(&self, [first, second]: [u8; 2], character: char) -> PairKind {
        match character {
            'ぁ'..='ヺ' | 'ー' => PairKind::Kana,
            '、' | '。' | '，' | '・' | '「' | '」' | '：' | '！' | '？' | '“' | '”' => {
                PairKind::Punctuation
            }
            '　' => PairKind::IdeographicSpace,
            '\u{ff01}'..='\u{ff5e}' | '\u{3000}'..='\u{303f}' | '…' | '―' | '—' | '·' => {
                PairKind::Symbol
            }
            '\u{e000}'..='\u{f8ff}' => PairKind::Rare,
            '\u{3400}'..='\u{9fff}' | '가'..='힣' | '\u{f900}'..='\u{faff}' => {
                self.level(first, second)
            }
            _ => PairKind::Other,
        }
    }

    fn level(&self, first: u8, second: u8) -> PairKind {
        if second < self.second_byte_from {
            PairKind::Rare
        } else if self.first_level.contains(&first) {
            PairKind::FirstLevel
        } else if self.second_level.contains(&first) {
            PairKind::SecondLevel
        } else {
            PairKind::Rare
        }
    }
}

/// The character that two bytes encode together.
fn character_of(encoding: &'static Encoding, pair: [u8; 2]) -> Option<char> {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, _, length) = decoder.decode_to_utf8_without_replacement(&pair, &mut text, true);
    if result != DecoderResult::InputEmpty {
        return None;
    }
    let mut characters = str::from_utf8(text.get(..length)?).ok()?.chars();
    let character = characters.next()?;
    characters.next().is_none().then_some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_characters_of_a_charset_are_counted() {
        for profile in &PROFILES {
            let firsts = 0x80..=u8::MAX;
            let pairs = firsts.flat_map(|first| (0..=u8::MAX).map(move |second| [first, second]));
            let characters = pairs.filter_map(|pair| character_of(profile.encoding, pair));
            let name = profile.encoding.name();
            assert_eq!(characters.count(), profile.characters.into(), "{name}");
        }
    }

    #[test]
    fn indexes_fit_into_a_byte() {
        for reading in READINGS.iter() {
            assert!(reading.surprises.len() <= usize::from(UNKNOWN));
            for first in 0x80..=u8::MAX {
                for second in 0..=u8::MAX {
                    let index = reading.index(first, second);
                    assert!(usize::from(index) < reading.surprises.len());
                    assert_eq!(index, reading.index(first, second));
                }
            }
        }
    }
}
