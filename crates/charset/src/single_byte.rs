//! The surprise of a sample in each of the single-byte charsets.
//!
//! It is the sum of two parts: the letters themselves, in the language that suits them best, and
//! the pairs of neighbors (a capital or a symbol inside a word, mixed alphabets).

use std::sync::LazyLock;

use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5, ISO_8859_6, ISO_8859_7,
    ISO_8859_8, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16, KOI8_R, KOI8_U,
    MACINTOSH, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

use super::languages::{ALPHABETS, Alphabet, ENGLISH, Surprise, sorted, surprise_of};
use super::repeats::Repeats;
use super::sample::Sample;

/// The charsets, with the prior surprise of each.
static CHARSETS: [(&Encoding, f32); 27] = [
    (WINDOWS_1252, 0.0),
    (WINDOWS_1251, 1.0),
    (WINDOWS_1250, 1.5),
    (WINDOWS_1254, 2.5),
    (WINDOWS_1253, 3.0),
    (WINDOWS_1255, 3.0),
    (WINDOWS_1256, 3.0),
    (WINDOWS_874, 3.0),
    (WINDOWS_1257, 2.5),
    (ISO_8859_2, 2.5),
    (ISO_8859_7, 4.0),
    (KOI8_R, 3.5),
    (KOI8_U, 4.5),
    (ISO_8859_15, 3.5),
    (ISO_8859_8, 4.5),
    (WINDOWS_1258, 5.5),
    (ISO_8859_5, 5.5),
    (ISO_8859_6, 5.5),
    (IBM866, 5.5),
    (X_MAC_CYRILLIC, 4.5),
    (ISO_8859_4, 6.5),
    (ISO_8859_13, 6.5),
    (ISO_8859_3, 7.5),
    (ISO_8859_10, 7.5),
    (ISO_8859_14, 7.5),
    (ISO_8859_16, 7.5),
    (MACINTOSH, 12.0),
];

/// A charset and its meaning of the bytes from 0x80 on.
struct SingleByteCharset {
    encoding: &'static Encoding,
    rarity: f32,
    /// Indexed by byte.
    kinds: [CharacterKind; 256],
    /// Whether each byte is a letter of a non-Latin alphabet.
    foreign: [bool; 128],
    languages: Vec<Language>,
    /// For each byte from 0x80 on, its surprise in each of the languages.
    surprises: Vec<f32>,
    /// The least of these.
    least: [f32; 128],
}

/// A character of a charset, with its language-independent properties.
struct Character {
    character: char,
    lower: char,
    /// The surprise if the language does not use the character as a letter.
    as_other: f32,
}

impl Character {
    fn new(character: char) -> Self {
        Self {
            character,
            lower: character.to_lowercase().next().unwrap_or(character),
            as_other: surprise_of_other_character(character),
        }
    }
}

struct Language {
    is_latin: bool,
    is_english: bool,
}

/// The kind of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    /// Also every ASCII character that is not a letter.
    Punctuation,
    /// Ends a sentence or a quotation.
    Closing,
    AsciiLower,
    AsciiUpper,
    Lower,
    Upper,
    Caseless,
    /// Combines with the preceding letter.
    Mark,
    /// Rare in text, and rarer inside words.
    Symbol,
}

static READINGS: LazyLock<Vec<SingleByteCharset>> = LazyLock::new(|| {
    CHARSETS
        .iter()
        .map(|(encoding, rarity)| SingleByteCharset::new(encoding, *rarity))
        .collect()
});

impl SingleByteCharset {
    fn new(encoding: &'static Encoding, rarity: f32) -> Self {
        let bytes: [u8; 128] = std::array::from_fn(|index| 0x80 | index as u8);
        let text = encoding.decode_without_bom_handling(&bytes).0;
        let mut of_text = text.chars();
        let characters: [char; 128] =
            std::array::from_fn(|_| of_text.next().unwrap_or(char::REPLACEMENT_CHARACTER));
        let written = LETTERS
            .iter()
            .filter(|letters| letters.is_english() || can_write(&characters, letters.alphabet));
        let described = characters.map(Character::new);
        let (languages, by_language): (Vec<_>, Vec<_>) = written
            .map(|letters| Language::of(&described, letters))
            .unzip();
        let of_byte = |byte: usize| by_language.iter().map(move |surprises| surprises[byte]);
        let least = |byte| of_byte(byte).fold(f32::INFINITY, f32::min);
        Self {
            encoding,
            rarity,
            kinds: std::array::from_fn(|byte| CharacterKind::of_byte(byte as u8, &characters)),
            foreign: characters.map(is_foreign),
            languages,
            surprises: (0..characters.len()).flat_map(of_byte).collect(),
            least: std::array::from_fn(least),
        }
    }

    fn kind_of(&self, byte: u8) -> CharacterKind {
        self.kinds[usize::from(byte)]
    }

    /// The surprise of each distinct pair of neighbors, and of foreign letters inside words.
    fn surprise_of_pairs(&self, repeats: &Repeats<'_>, is_latin: bool) -> f32 {
        let pairs = repeats.pairs.iter().map(|[first, second]| {
            surprise_of_pair(self.kind_of(*first), self.kind_of(*second), is_latin)
        });
        let mixed_words = repeats.mixed_words(|byte| self.is_foreign(byte));
        pairs.sum::<f32>() + FOREIGN_WITHIN_WORD_SURPRISE * mixed_words as f32
    }

    fn is_foreign(&self, byte: u8) -> bool {
        self.foreign.get(usize::from(byte ^ 0x80)) == Some(&true)
    }

    fn surprise_of_neighbors(&self, sample: &Sample<'_>, is_latin: bool) -> f32 {
        let mut sum = 0.0;
        for piece in &sample.pieces {
            let mut before = CharacterKind::Punctuation;
            for byte in *piece {
                let kind = self.kind_of(*byte);
                sum += surprise_of_pair(before, kind, is_latin);
                before = kind;
            }
        }
        sum
    }
}

fn is_foreign(character: char) -> bool {
    character > '\u{24f}' && character.is_alphabetic() && !is_modifier(character)
}

/// Whether this is a spacing mark such as ˆ or ˇ. Unicode counts some of them as letters.
fn is_modifier(character: char) -> bool {
    ('\u{2b0}'..'\u{300}').contains(&character)
}

/// Whether nearly all letters of the alphabet are among the characters.
fn can_write(characters: &[char; 128], alphabet: &Alphabet) -> bool {
    let missing = |letter: &char| !characters.contains(letter);
    let count = alphabet.letters.chars().count();
    alphabet.letters.chars().filter(missing).count() * 4 <= count
}

/// The letters of an alphabet, sorted, with their surprises.
struct Letters {
    alphabet: &'static Alphabet,
    ranked: Vec<Surprise>,
}

/// The letters of all alphabets, English last.
static LETTERS: LazyLock<Vec<Letters>> = LazyLock::new(|| {
    ALPHABETS
        .iter()
        .chain([&ENGLISH])
        .map(Letters::of)
        .collect()
});

impl Letters {
    fn of(alphabet: &'static Alphabet) -> Self {
        let (share, decline) = if std::ptr::eq(alphabet, &ENGLISH) {
            (0.85, 300.0)
        } else if alphabet.is_latin {
            (0.85, 30.0)
        } else {
            (0.9, 60.0)
        };
        Self {
            alphabet,
            ranked: sorted(alphabet.letters, share, decline),
        }
    }

    fn is_english(&self) -> bool {
        std::ptr::eq(self.alphabet, &ENGLISH)
    }
}

impl Language {
    /// The language of an alphabet, and the surprise of each character in it.
    fn of(characters: &[Character; 128], letters: &Letters) -> (Self, [f32; 128]) {
        let is_english = letters.is_english();
        let is_latin = letters.alphabet.is_latin;
        let surprise = |of: &Character| match surprise_of(of.lower, &letters.ranked) {
            // In Latin alphabets, few words start with a non-ASCII letter.
            Some(surprise) if is_latin && of.lower != of.character => surprise + 1.5,
            Some(surprise) => surprise,
            None if is_english && "¦¨¬¯¸ˆ˜".contains(of.character) => {
                WESTERN_SYMBOL_SURPRISE
            }
            None => of.as_other,
        };
        let language = Self {
            is_latin,
            is_english,
        };
        (language, characters.each_ref().map(surprise))
    }
}

/// The surprise of a character that the language does not use as a letter.
fn surprise_of_other_character(character: char) -> f32 {
    match character {
        '\u{a0}' | '€' | '“' | '”' | '’' | '«' | '»' | '–' | '—' | '„' | '…' => {
            4.5
        }
        '‘' | '·' | '•' | '©' | '°' | '®' | '£' | '№' | '§' | '´' | '›' | '‹' | '¿' | '¡' => {
            6.0
        }
        '\u{80}'..'\u{a0}' | '¤' | char::REPLACEMENT_CHARACTER => 9.5,
        '\u{e000}'..'\u{f900}' => 10.0,
        _ if is_western_symbol(character) => WESTERN_SYMBOL_SURPRISE,
        _ if character.is_alphabetic() => 7.5,
        _ => 9.0,
    }
}

/// The surprise of rare windows-1252 symbols in English.
const WESTERN_SYMBOL_SURPRISE: f32 = 6.5;

/// Whether this is a windows-1252 symbol that occurs in English text now and then.
fn is_western_symbol(character: char) -> bool {
    matches!(
        character,
        '¢' | '¥' | '±' | '²' | '³' | '¶' | '¹' | '¼' | '½' | '¾' | '×' | '÷'
    )
}

impl CharacterKind {
    /// All kinds, in the order of their numbers.
    const ALL: [Self; 9] = [
        Self::Punctuation,
        Self::Closing,
        Self::AsciiLower,
        Self::AsciiUpper,
        Self::Lower,
        Self::Upper,
        Self::Caseless,
        Self::Mark,
        Self::Symbol,
    ];

    /// The kind of a byte, in a charset with these characters from 0x80 on.
    fn of_byte(byte: u8, characters: &[char; 128]) -> Self {
        match characters.get(usize::from(byte ^ 0x80)) {
            Some(character) => Self::of(*character),
            None if byte.is_ascii_lowercase() => Self::AsciiLower,
            None if byte.is_ascii_uppercase() => Self::AsciiUpper,
            None => Self::Punctuation,
        }
    }

    fn of(character: char) -> Self {
        match character {
            '\u{300}'..'\u{370}' | '\u{5b0}'..'\u{5c8}' | '\u{64b}'..'\u{653}' => Self::Mark,
            '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' => Self::Mark,
            'ª' | 'º' => Self::Punctuation,
            _ if is_modifier(character) => Self::Symbol,
            _ if character.is_lowercase() => Self::Lower,
            _ if character.is_uppercase() => Self::Upper,
            _ if character.is_alphabetic() => Self::Caseless,
            '”' | '»' | '…' => Self::Closing,
            _ if is_western_symbol(character) => Self::Symbol,
            _ if surprise_of_other_character(character) < 9.0 => Self::Punctuation,
            _ => Self::Symbol,
        }
    }

    const fn is_ascii_letter(self) -> bool {
        matches!(self, Self::AsciiLower | Self::AsciiUpper)
    }

    const fn is_other_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Caseless)
    }
}

/// The surprises of all pairs of kinds, in other alphabets and in Latin ones.
static PAIRS: [[[f32; CharacterKind::ALL.len()]; CharacterKind::ALL.len()]; 2] = {
    let mut pairs = [[[0.0; CharacterKind::ALL.len()]; CharacterKind::ALL.len()]; 2];
    let mut before = 0;
    while before < CharacterKind::ALL.len() {
        let mut after = 0;
        while after < CharacterKind::ALL.len() {
            let (first, second) = (CharacterKind::ALL[before], CharacterKind::ALL[after]);
            assert!(first as usize == before);
            pairs[0][before][after] = of_pair(first, second, false);
            pairs[1][before][after] = of_pair(first, second, true);
            after += 1;
        }
        before += 1;
    }
    pairs
};

/// The surprise of two adjacent characters, in addition to that of each.
fn surprise_of_pair(before: CharacterKind, after: CharacterKind, is_latin: bool) -> f32 {
    PAIRS[usize::from(is_latin)][before as usize][after as usize]
}

/// Computes an entry of `PAIRS`.
const fn of_pair(before: CharacterKind, after: CharacterKind, is_latin: bool) -> f32 {
    use CharacterKind::{
        AsciiLower, AsciiUpper, Caseless, Closing, Lower, Mark, Punctuation, Symbol, Upper,
    };
    match (before, after) {
        // ASCII pairs are the same in all charsets.
        (AsciiLower | AsciiUpper | Punctuation, AsciiLower | AsciiUpper | Punctuation) => 0.0,
        (Punctuation | Closing | Symbol, Mark) => 5.0,
        (AsciiLower | AsciiUpper, Mark) if !is_latin => 5.0,
        (Lower, Upper | AsciiUpper) | (AsciiLower, Upper) => 4.0,
        (Closing, AsciiLower | AsciiUpper | Lower | Upper | Caseless) => 2.0,
        (Punctuation | Symbol, Upper) => 1.5,
        (Symbol, other) | (other, Symbol) if !matches!(other, Punctuation | Closing) => 2.0,
        (Lower | Upper | Caseless, Lower | Upper | Caseless) if is_latin => 1.5,
        _ if is_latin => 0.0,
        _ if before.is_ascii_letter() && after.is_other_letter() => 3.0,
        _ if before.is_other_letter() && after.is_ascii_letter() => 3.0,
        _ => 0.0,
    }
}

/// A charset and the surprise of the sample when read in it.
#[derive(Debug, Clone, Copy)]
pub struct ScoredEncoding {
    pub encoding: &'static Encoding,
    pub surprise: f32,
}

/// The surprise of the sample in every charset. Neighbors can only add to it, so they are examined
/// only if the letters score at most `bound` plus a margin, or if the encoding is `wanted`.
/// Otherwise the result is a lower limit. Charsets that are not wanted and exceed `bound` by more
/// than `margin` are left out.
pub fn judge(
    sample: &Sample<'_>,
    counts: &[(usize, f32)],
    repeats: Option<&Repeats<'_>>,
    bound: f32,
    wanted: &[&'static Encoding],
    margin: f32,
) -> Vec<ScoredEncoding> {
    let is_wanted = |reading: &&SingleByteCharset| wanted.contains(&reading.encoding);
    let may_be_best = |reading: &&SingleByteCharset| reading.lower_limit(counts) <= bound + margin;
    let mut found: Vec<_> = READINGS
        .iter()
        .filter(|reading| is_wanted(reading) || may_be_best(reading))
        .map(|reading| {
            let text = reading.surprise_of_text(counts, sample);
            let repeated = repeats.map(|repeats| (repeats, reading.surprise_of_repeats(repeats)));
            let least = repeated.map_or(text, |(_, repeated)| {
                [text[0].min(repeated[0]), text[1].min(repeated[1])]
            });
            (reading, least[0].min(least[1]), text, repeated)
        })
        .collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut bound = bound;
    let mut judgements = Vec::with_capacity(found.len());
    for (reading, _, text, repeated) in found {
        let limit = if is_wanted(&reading) {
            f32::MAX
        } else {
            bound + EXACT_MARGIN.min(margin)
        };
        let exact = |[latin, other]: [f32; 2], neighbors: &dyn Fn(bool) -> f32| {
            let exact = |letters: f32, is_latin| {
                if letters > limit {
                    return letters;
                }
                letters + neighbors(is_latin)
            };
            exact(latin, true).min(exact(other, false))
        };
        let mut surprise = exact(text, &|is_latin| {
            reading.surprise_of_neighbors(sample, is_latin)
        });
        if let Some((repeats, letters)) = repeated {
            let pairs = |is_latin| reading.surprise_of_pairs(repeats, is_latin);
            surprise = surprise.min(exact(letters, &pairs));
        }
        bound = bound.min(surprise);
        judgements.push(ScoredEncoding {
            encoding: reading.encoding,
            surprise,
        });
    }
    judgements
}

/// Surprises up to this much above the best are exact, which is enough for the confidence.
const EXACT_MARGIN: f32 = 20.0;

/// Added for each letter of a language other than English on a page with hardly any.
const SPARSE_SURPRISE: f32 = 2.0;

/// The surprise of a language other than English on a page that repeats a few characters.
const FOREIGN_SURPRISE: f32 = 8.0;

/// The surprise of a foreign letter between two Latin ones, per distinct pair of these.
const FOREIGN_WITHIN_WORD_SURPRISE: f32 = 3.0;

/// The number of occurrences of each byte, indexed by the byte minus 0x80. Absent bytes are left
/// out.
pub fn counts_of(sample: &Sample<'_>) -> Vec<(usize, f32)> {
    let mut counts = [0_u32; 128];
    for byte in sample.pieces.iter().copied().flatten() {
        if let Some(count) = counts.get_mut(usize::from(byte ^ 0x80)) {
            *count += 1;
        }
    }
    let counts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    counts
        .map(|(index, count)| (index, *count as f32))
        .collect()
}

/// Whether the byte is a letter of a non-Latin alphabet. Always true for multi-byte charsets.
pub fn is_foreign_letter(encoding: &'static Encoding, byte: u8) -> bool {
    reading_of(encoding).is_none_or(|reading| reading.is_foreign(byte))
}

/// Whether the byte is neither a letter nor a mark on one.
pub fn is_symbol(encoding: &'static Encoding, byte: u8) -> bool {
    let is_letter = |kind: CharacterKind| kind.is_other_letter() || kind == CharacterKind::Mark;
    reading_of(encoding).is_some_and(|reading| !is_letter(reading.kind_of(byte)))
}

/// `None` for multi-byte charsets.
fn reading_of(encoding: &'static Encoding) -> Option<&'static SingleByteCharset> {
    READINGS.iter().find(|reading| reading.encoding == encoding)
}

impl SingleByteCharset {
    /// The surprise of the letters if every character is chosen independently: with Latin letters,
    /// and with other alphabets.
    fn surprise_of_text(&self, counts: &[(usize, f32)], sample: &Sample<'_>) -> [f32; 2] {
        let total: f32 = counts.iter().map(|(_, count)| count).sum();
        let for_other_languages = if sample.is_sparse {
            SPARSE_SURPRISE * total
        } else {
            0.0
        };
        self.least_surprise(counts, for_other_languages)
    }

    /// A lower limit of the surprise in any language.
    fn lower_limit(&self, counts: &[(usize, f32)]) -> f32 {
        let surprise =
            |(index, count): &(usize, f32)| count * self.least.get(*index).unwrap_or(&0.0);
        self.rarity + counts.iter().map(surprise).sum::<f32>()
    }

    /// The surprise of the letters if characters are chosen once and then repeated.
    fn surprise_of_repeats(&self, repeats: &Repeats<'_>) -> [f32; 2] {
        let least = self.least_surprise(&repeats.weights, FOREIGN_SURPRISE);
        least.map(|surprise| surprise + repeats.surprise)
    }

    /// The lowest surprise of the letters among the languages with Latin letters, and among the
    /// others.
    fn least_surprise(&self, counts: &[(usize, f32)], for_other_languages: f32) -> [f32; 2] {
        // The sums of all languages grow together, so that no addition depends on another.
        let width = self.languages.len();
        let mut sums = vec![0.0; width];
        for (index, count) in counts {
            let surprises = self.surprises.get(index * width..(index + 1) * width);
            for (sum, surprise) in sums.iter_mut().zip(surprises.unwrap_or_default()) {
                *sum += count * surprise;
            }
        }
        let mut least = [f32::INFINITY; 2];
        for (language, letters) in self.languages.iter().zip(sums) {
            let mut sum = self.rarity + letters;
            if !language.is_english {
                sum += for_other_languages;
            }
            let [latin, other] = &mut least;
            let place = if language.is_latin { latin } else { other };
            *place = place.min(sum);
        }
        least
    }
}
