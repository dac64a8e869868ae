//! Glyphs whose font tells no meaning, and what the text that they make tells.
//!
//! Software that writes fonts has habits: the order of its glyphs, the numbers in their names. A habit is only
//! assumed where it turns the glyphs of a page into text that looks like some language.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::fonts::{Clue, Font, Habit, push};
use crate::glyphs::{Glyph, Glyphs};
use crate::quality;

/// Glyphs of a font that are kept to judge it; those of earlier pages count, too.
const MAX_SAMPLE: usize = 1000;
/// Samples without a result, after which a font is given up.
const MAX_SAMPLES: u32 = 20;
/// The least by which a text must look more like a language than like nothing, in half bits.
const MIN_EVIDENCE: i64 = 20;
/// The same for a single word, and for capitals, which small letters in another order may look like.
const MIN_EVIDENCE_OF_LITTLE: i64 = 40;
/// The same for a further font of a document, if another one has shown the same habit.
const MIN_FURTHER_EVIDENCE: i64 = 8;
/// Habits with less evidence than the best one by this much are ruled out.
const MARGIN: i64 = 15;
/// The least evidence per character.
const MIN_MEAN_EVIDENCE: i64 = 1;
/// Words are not longer on average. Where they are, the space is taken for another character.
const MAX_MEAN_WORD: usize = 12;
/// Fewer different letters may be chance.
const MIN_LETTERS: u32 = 5;
/// Words that show which characters are beyond ASCII.
const MIN_INNER: usize = 2;
/// A wider gap parts words, in ems.
const WORD_GAP: f32 = 0.2;
/// Known glyphs that may be between two unknown ones of the same text.
const MAX_BETWEEN: u32 = 4;

/// A glyph on the page without a known meaning.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Place in `Glyphs::glyphs`.
    pub glyph: u32,
    /// Place in `Unknowns::fonts`.
    font: u32,
    /// As [`Font::clue`] takes it.
    number: u32,
}

/// The unknown glyphs of a page.
#[derive(Debug, Default)]
pub struct Unknowns<'a> {
    pub glyphs: Vec<Unknown>,
    fonts: Vec<Rc<Font<'a>>>,
    /// Places in `fonts`, by address.
    places: HashMap<*const Font<'a>, u32>,
}

impl<'a> Unknowns<'a> {
    pub fn add(&mut self, glyph: u32, font: &Rc<Font<'a>>, number: u32) {
        let is_same = |last: &&Unknown| {
            let known = self.fonts.get(last.font as usize);
            known.is_some_and(|known| Rc::ptr_eq(known, font))
        };
        let font = match self.glyphs.last().filter(is_same) {
            Some(last) => last.font,
            None => *self.places.entry(Rc::as_ptr(font)).or_insert_with(|| {
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

/// What the pages so far have told of the fonts of a document.
#[derive(Debug, Default)]
pub struct Habits {
    /// By the addresses of fonts, which live as long as the document.
    fonts: HashMap<*const Font<'static>, Judgement>,
    /// Habits of other fonts.
    seen: Vec<Habit>,
}

#[derive(Debug)]
enum Judgement {
    /// Not enough text yet: the latest of it, and how often that was too much.
    Open(Vec<Item>, u32),
    /// These habits agree with the text; a character is taken if all of them tell the same.
    Confirmed(Vec<Habit>),
    Rejected,
}

/// A part of the text of a font.
#[derive(Clone, Copy, Debug)]
enum Item {
    Known(char),
    Unknown(Clue),
}

impl Habits {
    /// Gives unknown glyphs the text that the habits of their fonts make likely. Returns how many.
    pub fn infer(
        &mut self,
        unknowns: &mut Unknowns<'_>,
        glyphs: &mut Glyphs,
        keep_ligatures: bool,
    ) -> u32 {
        unknowns.glyphs.sort_by_key(|unknown| unknown.font);
        let by_font = unknowns.glyphs.chunk_by(|a, b| a.font == b.font);
        let mut fonts: Vec<&[Unknown]> = by_font.collect();
        // Fonts of much text tell what to expect of those with little.
        fonts.sort_by_key(|unknown| std::cmp::Reverse(unknown.len()));
        let mut inferred = 0;
        for unknown in fonts {
            let place = unknown.first().map_or(0, |unknown| unknown.font);
            let Some(font) = unknowns.fonts.get(place as usize) else {
                continue;
            };
            let Some(habits) = self.judge(font, unknown, glyphs) else {
                continue;
            };
            let mut characters = HashMap::new();
            for Unknown { glyph, number, .. } in unknown {
                let character = characters
                    .entry(*number)
                    .or_insert_with(|| agreed(&font.clue(*number), habits));
                if let (Some(c), Some(glyph)) = (character, glyphs.glyphs.get_mut(*glyph as usize))
                {
                    let from = glyphs.text.len() as u32;
                    push(&mut glyphs.text, c.encode_utf8(&mut [0; 4]), keep_ligatures);
                    glyph.text = from..glyphs.text.len() as u32;
                    inferred += 1;
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
        for part in unknown.chunks(MAX_SAMPLE) {
            let Judgement::Open(sample, samples) = judgement else {
                break;
            };
            collect(sample, font, part, glyphs);
            if let Some(habits) = confirmed(sample, &self.seen) {
                let is_new = |habit: &Habit| !self.seen.contains(habit);
                let new: Vec<Habit> = habits.iter().copied().filter(is_new).collect();
                self.seen.extend(new);
                *judgement = Judgement::Confirmed(habits);
            } else if sample.len() >= MAX_SAMPLE {
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

/// The character that all of these habits agree on.
fn agreed(clue: &Clue, habits: &[Habit]) -> Option<char> {
    let (first, others) = habits.split_first()?;
    let character = clue.character(*first)?;
    others
        .iter()
        .all(|habit| clue.character(*habit) == Some(character))
        .then_some(character)
}

/// Adds glyphs of a page to the text of a font: with spaces where there are gaps, and with what is between them.
fn collect(sample: &mut Vec<Item>, font: &Font<'_>, unknown: &[Unknown], glyphs: &Glyphs) {
    let mut next = 0;
    for unknown in unknown {
        if sample.len() >= MAX_SAMPLE {
            return;
        }
        if next == 0 || unknown.glyph - next > MAX_BETWEEN {
            sample.push(Item::Known(' '));
            next = unknown.glyph;
        }
        let mut before: Option<&Glyph> = None;
        let between = next.saturating_sub(1) as usize..=unknown.glyph as usize;
        for (place, glyph) in
            (next.saturating_sub(1)..).zip(glyphs.glyphs.get(between).unwrap_or_default())
        {
            if before.is_some_and(|before| is_apart(before, glyph)) {
                sample.push(Item::Known(' '));
            }
            before = Some(glyph);
            if place == unknown.glyph {
                sample.push(Item::Unknown(font.clue(unknown.number)));
            } else if place >= next {
                let text = glyph.text.start as usize..glyph.text.end as usize;
                let text = glyphs.text.get(text).unwrap_or_default();
                sample.extend(text.chars().next().map(Item::Known));
            }
        }
        next = unknown.glyph + 1;
    }
}

/// Whether two glyphs are of different words.
fn is_apart(before: &Glyph, after: &Glyph) -> bool {
    let (across, along) = (after.start.0 - before.end.0, after.start.1 - before.end.1);
    across.hypot(along) > WORD_GAP * before.size
}

/// The habits that turn a text into one of some language. More than one if they hardly differ.
fn confirmed(sample: &[Item], seen: &[Habit]) -> Option<Vec<Habit>> {
    let scored: Vec<(Habit, Evidence)> = Habit::ALL
        .into_iter()
        .filter_map(|habit| Some((habit, evidence(sample, habit)?)))
        .collect();
    let (best, most) = scored
        .iter()
        .max_by_key(|(_, evidence)| evidence.half_bits)?;
    let (least, margin) = if seen.contains(best) {
        (MIN_FURTHER_EVIDENCE, MIN_FURTHER_EVIDENCE)
    } else if most.has_small_letters && most.words > 1 {
        (MIN_EVIDENCE, MARGIN)
    } else {
        (MIN_EVIDENCE_OF_LITTLE, MARGIN)
    };
    let near = scored
        .iter()
        .filter(|(_, evidence)| evidence.half_bits > most.half_bits - margin);
    // Bullets and the like do not tell what is beyond ASCII; characters inside words do.
    let sibling = best.sibling().filter(|_| most.inner < MIN_INNER);
    let habits = near.map(|(habit, _)| *habit).chain(sibling);
    (most.half_bits >= least).then(|| habits.collect())
}

/// How much more a text looks like one of some language than like nothing.
struct Evidence {
    half_bits: i64,
    has_small_letters: bool,
    /// Different ones.
    words: usize,
    /// Those with a character beyond ASCII between letters.
    inner: usize,
}

/// What a word tells of the habit that made it.
#[derive(PartialEq)]
enum Kind {
    Word,
    /// Figures, or the same character again and again: they look alike in any order.
    Neutral,
    Nonsense,
}

fn kind(word: &str) -> Kind {
    let count = word.chars().count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_line = word
        .as_bytes()
        .windows(3)
        .any(|bytes| matches!(bytes, [a, b, c] if a == b && b == c));
    if is_line || (letters == 0 && word.is_ascii()) {
        Kind::Neutral
    } else if letters * 2 > count {
        Kind::Word
    } else {
        Kind::Nonsense
    }
}

/// Whether a character beyond ASCII is between letters.
fn has_inner(word: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphabetic();
    let inner = word.find(letters).zip(word.rfind(letters));
    inner.is_some_and(|(first, last)| word.get(first..last).is_some_and(|part| !part.is_ascii()))
}

/// What a habit makes of a text; `None` if that looks like no text.
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
    // Words that are repeated on a page, or page by page, count once.
    let mut seen = HashSet::new();
    let (words, others): (Vec<&str>, Vec<&str>) = text
        .split(' ')
        .filter(|word| kind(word) != Kind::Neutral && seen.insert(*word))
        .partition(|word| kind(word) == Kind::Word);
    let count = |words: &[&str]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    let (characters, nonsense) = (count(&words), count(&others));
    let sign = |c: char| !c.is_alphanumeric();
    let bare: Vec<&str> = words.iter().map(|word| word.trim_matches(sign)).collect();
    let half_bits = quality::evidence(&bare.join(" "));
    let is_text = unknown * 10 <= codes
        && letters.count_ones() >= MIN_LETTERS
        && accented * 2 <= plain
        && nonsense * 5 <= characters
        && characters <= MAX_MEAN_WORD * words.len()
        && half_bits >= MIN_MEAN_EVIDENCE * characters as i64;
    is_text.then_some(Evidence {
        half_bits,
        has_small_letters,
        words: words.len(),
        inner: words.iter().filter(|word| has_inner(word)).count(),
    })
}

#[cfg(test)]
mod tests;
