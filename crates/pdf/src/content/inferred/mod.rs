//! Infers the text of glyphs whose font does not declare any.
//!
//! Font-writing software has habits: the order of its glyphs, the numbers in their names. A habit
//! is assumed only if it turns the glyphs of a page into text that looks like some language.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::fonts::{Clue, Font, Habit, push};
use crate::glyphs::{Glyph, Glyphs};
use crate::quality;

/// The number of glyphs of a font to judge at a time, possibly from several pages.
const MAX_SAMPLE_GLYPHS: usize = 1000;
/// The number of samples without a result after which a font is abandoned.
const MAX_SAMPLES: u32 = 20;
/// The minimum evidence that a text is in some language rather than random, in half bits.
const MIN_EVIDENCE: i64 = 20;
/// Like [`MIN_EVIDENCE`], for a single word and for all-capitals text, which lower-case text in
/// another glyph order may resemble.
const MIN_EVIDENCE_SHORT_TEXT: i64 = 40;
/// Like [`MIN_EVIDENCE`], for a font in a document where another font has shown the same habit.
const MIN_FURTHER_EVIDENCE: i64 = 8;
/// A habit is ruled out if its evidence is this much weaker than the best habit's.
const EVIDENCE_MARGIN: i64 = 15;
/// The minimum evidence per character.
const MIN_EVIDENCE_PER_CHARACTER: i64 = 1;
/// The maximum mean length of words. In a longer "word", the space was taken for another character.
const MAX_MEAN_WORD_LENGTH: usize = 12;
/// The minimum number of different letters; fewer may be chance.
const MIN_DISTINCT_LETTERS: u32 = 5;
/// Minimum number of words with a non-ASCII character inside to decide which characters are not
/// ASCII.
const MIN_WORDS_BEYOND_ASCII: usize = 2;
/// The maximum number of known glyphs between two unknown ones of the same text.
const MAX_GLYPHS_BETWEEN: u32 = 4;

/// A glyph of unknown meaning on a page.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Index into `Glyphs::glyphs`.
    pub glyph: u32,
    /// Index into `Unknowns::fonts`.
    font: u32,
    /// The glyph's number, for [`Font::clue`].
    number: u32,
}

/// The unknown glyphs of a page.
#[derive(Debug, Default)]
pub struct Unknowns<'a> {
    pub glyphs: Vec<Unknown>,
    fonts: Vec<Rc<Font<'a>>>,
    /// Indexes into `fonts`, by address.
    indexes: HashMap<*const Font<'a>, u32>,
}

impl<'a> Unknowns<'a> {
    pub fn add(&mut self, glyph: u32, font: &Rc<Font<'a>>, number: u32) {
        let is_same = |last: &&Unknown| {
            let known = self.fonts.get(last.font as usize);
            known.is_some_and(|known| Rc::ptr_eq(known, font))
        };
        let font = match self.glyphs.last().filter(is_same) {
            Some(last) => last.font,
            None => *self.indexes.entry(Rc::as_ptr(font)).or_insert_with(|| {
                self.fonts.push(Rc::clone(font));
                self.fonts.len() as u32 - 1
            }),
        };
        self.glyphs.push(Unknown {
            glyph,
            font,
            number,
        });
    }
}

/// Facts about the fonts of a document, learned from its pages so far.
#[derive(Debug, Default)]
pub struct Habits {
    /// By the address of the font, which lives as long as the document.
    fonts: HashMap<*const Font<'static>, Judgement>,
    /// The habits that other fonts have shown.
    seen: Vec<Habit>,
}

#[derive(Debug)]
enum Judgement {
    /// Not enough text yet. Holds the current sample and the number of full samples before it.
    Open(Vec<Item>, u32),
    /// These habits agree with the text. A character is accepted if all of them yield it.
    Confirmed(Vec<Habit>),
    Rejected,
}

/// An element of a font's text.
#[derive(Clone, Copy, Debug)]
enum Item {
    Known(char),
    Unknown(Clue),
}

impl Habits {
    /// Sets the text of unknown glyphs that the habits of their fonts imply. Returns the indexes of
    /// these glyphs.
    pub fn infer(
        &mut self,
        unknowns: &mut Unknowns<'_>,
        glyphs: &mut Glyphs,
        keep_ligatures: bool,
    ) -> Vec<u32> {
        unknowns.glyphs.sort_by_key(|unknown| unknown.font);
        let by_font = unknowns.glyphs.chunk_by(|a, b| a.font == b.font);
        let mut fonts: Vec<&[Unknown]> = by_font.collect();
        // Fonts with much text come first: they show which habits to expect of fonts with little
        // text.
        fonts.sort_by_key(|unknown| std::cmp::Reverse(unknown.len()));
        let mut inferred = Vec::new();
        for unknown in fonts {
            let index = unknown.first().map_or(0, |unknown| unknown.font);
            let Some(font) = unknowns.fonts.get(index as usize) else {
                continue;
            };
            let Some(habits) = self.judge(font, unknown, glyphs) else {
                continue;
            };
            let mut characters = HashMap::new();
            for unknown in unknown {
                let Unknown { glyph, number, .. } = unknown;
                let character = characters
                    .entry(*number)
                    .or_insert_with(|| agree(&font.clue(*number), habits));
                if let (Some(c), Some(glyph)) = (character, glyphs.glyphs.get_mut(*glyph as usize))
                {
                    let from = glyphs.text.len() as u32;
                    push(&mut glyphs.text, c.encode_utf8(&mut [0; 4]), keep_ligatures);
                    glyph.text = from..glyphs.text.len() as u32;
                    inferred.push(unknown.glyph);
                }
            }
        }
        inferred
    }

    /// The habits of a font that its text confirms, if any.
    fn judge(
        &mut self,
        font: &Rc<Font<'_>>,
        unknown: &[Unknown],
        glyphs: &Glyphs,
    ) -> Option<&[Habit]> {
        let judgement = self
            .fonts
            .entry(Rc::as_ptr(font).cast())
            .or_insert_with(|| Judgement::new(font));
        for part in unknown.chunks(MAX_SAMPLE_GLYPHS) {
            let Judgement::Open(sample, samples) = judgement else {
                break;
            };
            collect(sample, font, part, glyphs);
            if let Some(habits) = confirm(sample, &self.seen) {
                let is_new = |habit: &Habit| !self.seen.contains(habit);
                let new: Vec<Habit> = habits.iter().copied().filter(is_new).collect();
                self.seen.extend(new);
                *judgement = Judgement::Confirmed(habits);
            } else if sample.len() >= MAX_SAMPLE_GLYPHS {
                sample.clear();
                *samples += 1;
                if *samples == MAX_SAMPLES {
                    *judgement = Judgement::Rejected;
                }
            }
        }
        match judgement {
            Judgement::Confirmed(habits) => Some(habits),
            _ => None,
        }
    }
}

impl Judgement {
    fn new(font: &Font<'_>) -> Self {
        let shown = Habit::ALL.into_iter().filter(|habit| font.shows(*habit));
        let shown: Vec<Habit> = shown.collect();
        if shown.is_empty() {
            Self::Open(Vec::new(), 0)
        } else {
            Self::Confirmed(shown)
        }
    }
}

/// The character on which all habits agree.
fn agree(clue: &Clue, habits: &[Habit]) -> Option<char> {
    let (first, others) = habits.split_first()?;
    let character = clue.character(*first)?;
    others
        .iter()
        .all(|habit| clue.character(*habit) == Some(character))
        .then_some(character)
}

/// Adds the glyphs of a page to a font's sample, with spaces for gaps, and with the known glyphs
/// between them.
fn collect(sample: &mut Vec<Item>, font: &Font<'_>, unknown: &[Unknown], glyphs: &Glyphs) {
    let mut next = 0;
    for unknown in unknown {
        if sample.len() >= MAX_SAMPLE_GLYPHS {
            return;
        }
        if next == 0 || unknown.glyph - next > MAX_GLYPHS_BETWEEN {
            sample.push(Item::Known(' '));
            next = unknown.glyph;
        }
        let mut before: Option<&Glyph> = None;
        let between = next.saturating_sub(1) as usize..=unknown.glyph as usize;
        for (index, glyph) in
            (next.saturating_sub(1)..).zip(glyphs.glyphs.get(between).unwrap_or_default())
        {
            if before.is_some_and(|before| before.is_apart_from(glyph)) {
                sample.push(Item::Known(' '));
            }
            before = Some(glyph);
            if index == unknown.glyph {
                sample.push(Item::Unknown(font.clue(unknown.number)));
            } else if index >= next {
                let text = glyph.text.start as usize..glyph.text.end as usize;
                let text = glyphs.text.get(text).unwrap_or_default();
                sample.extend(text.chars().next().map(Item::Known));
            }
        }
        next = unknown.glyph + 1;
    }
}

/// The habits that turn a sample into text of some language; several if they hardly differ.
fn confirm(sample: &[Item], seen: &[Habit]) -> Option<Vec<Habit>> {
    let scored: Vec<(Habit, Evidence)> = Habit::ALL
        .into_iter()
        .filter_map(|habit| Some((habit, evidence(sample, habit)?)))
        .collect();
    let (best, strongest) = scored
        .iter()
        .max_by_key(|(_, evidence)| evidence.half_bits)?;
    let (minimum, margin) = if seen.contains(best) {
        (MIN_FURTHER_EVIDENCE, MIN_FURTHER_EVIDENCE)
    } else if strongest.has_small_letters && strongest.words > 1 {
        (MIN_EVIDENCE, EVIDENCE_MARGIN)
    } else {
        (MIN_EVIDENCE_SHORT_TEXT, EVIDENCE_MARGIN)
    };
    let near = scored
        .iter()
        .filter(|(_, evidence)| evidence.half_bits > strongest.half_bits - margin);
    // Bullets and similar signs do not show which characters are beyond ASCII; characters inside
    // words do.
    let sibling = best
        .sibling()
        .filter(|_| strongest.words_beyond_ascii < MIN_WORDS_BEYOND_ASCII);
    let habits = near.map(|(habit, _)| *habit).chain(sibling);
    (strongest.half_bits >= minimum).then(|| habits.collect())
}

/// The evidence that a text is in some language rather than random.
struct Evidence {
    half_bits: i64,
    has_small_letters: bool,
    /// The number of different words.
    words: usize,
    /// The number of these words with a non-ASCII character between letters.
    words_beyond_ascii: usize,
}

/// The evidence of a word for a habit.
#[derive(PartialEq)]
enum WordKind {
    Word,
    /// Digits, or one character repeated: they look the same under any habit.
    Neutral,
    Nonsense,
}

fn kind(word: &str) -> WordKind {
    let count = word.chars().count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_line = word
        .as_bytes()
        .windows(3)
        .any(|bytes| matches!(bytes, [a, b, c] if a == b && b == c));
    if is_line || (letters == 0 && word.is_ascii()) {
        WordKind::Neutral
    } else if letters * 2 > count {
        WordKind::Word
    } else {
        WordKind::Nonsense
    }
}

/// Whether a word has a non-ASCII character between letters.
fn has_non_ascii_inside(word: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphabetic();
    let inner = word.find(letters).zip(word.rfind(letters));
    inner.is_some_and(|(first, last)| word.get(first..last).is_some_and(|part| !part.is_ascii()))
}

/// Evaluates the text that a habit produces; `None` if it does not look like text.
fn evidence(sample: &[Item], habit: Habit) -> Option<Evidence> {
    let mut text = String::new();
    let (mut codes, mut unknown, mut letters) = (0, 0, 0_u32);
    let mut has_small_letters = false;
    let (mut plain, mut accented) = (0, 0);
    for item in sample {
        let character = match item {
            Item::Known(c) => Some(*c),
            Item::Unknown(clue) => {
                codes += 1;
                let character = clue.character(habit);
                unknown += u32::from(character.is_none());
                if let Some(c) = character.filter(char::is_ascii_alphabetic) {
                    letters |= 1 << (c as u32 & 31);
                    has_small_letters |= c.is_ascii_lowercase();
                    plain += 1;
                } else if character.is_some_and(char::is_alphabetic) {
                    accented += 1;
                }
                character
            }
        };
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    // Words repeated on a page or on several pages count once.
    let mut seen = HashSet::new();
    let (words, others): (Vec<&str>, Vec<&str>) = text
        .split(' ')
        .filter(|word| kind(word) != WordKind::Neutral && seen.insert(*word))
        .partition(|word| kind(word) == WordKind::Word);
    let count = |words: &[&str]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    let (characters, nonsense) = (count(&words), count(&others));
    let sign = |c: char| !c.is_alphanumeric();
    let bare: Vec<&str> = words.iter().map(|word| word.trim_matches(sign)).collect();
    let half_bits = quality::evidence(&bare.join(" "));
    let is_text = unknown * 10 <= codes
        && letters.count_ones() >= MIN_DISTINCT_LETTERS
        && accented * 2 <= plain
        && nonsense * 5 <= characters
        && characters <= MAX_MEAN_WORD_LENGTH * words.len()
        && half_bits >= MIN_EVIDENCE_PER_CHARACTER * characters as i64;
    is_text.then_some(Evidence {
        half_bits,
        has_small_letters,
        words: words.len(),
        words_beyond_ascii: words
            .iter()
            .filter(|word| has_non_ascii_inside(word))
            .count(),
    })
}

#[cfg(test)]
mod tests;
