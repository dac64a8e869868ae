//! The built-in model: a weight for each character, pair and group of three near a boundary, and
//! for each sequence of scripts.
//!
//! The file has the following parts; numbers are little-endian:
//! - the bias (i16), and the weights (i8) of sequences of one, two and three scripts;
//! - the number of bytes (u32) of all known characters, these as UTF-8, and their weights (i8);
//! - the number (u32) of pairs, the differences of their sorted keys (LEB128), their weights (i8);
//! - the same for groups of three.
//!
//! A key has [`ID_BITS`] for each character, its number among the known characters from 1, and a 1
//! above them. A sequence has a weight for each boundary whose context contains all of it, in text
//! order.

use std::sync::LazyLock;

use super::symbols::{SCRIPTS, Symbol};

/// The number of characters on each side of a boundary that the model considers.
pub(super) const CONTEXT: usize = 3;

/// The number of boundaries that a sequence of `length` characters has a weight for.
const fn boundaries(length: usize) -> usize {
    2 * CONTEXT + 1 - length
}

const ID_BITS: u32 = 13;

/// Weights for consecutive boundaries; missing ones are 0.
type Weights = [i8; 8];

/// The sequences of scripts around a boundary.
const SCRIPT_CONTEXTS: usize = SCRIPTS.pow(2 * CONTEXT as u32);

/// Made by `benches/japanese_model.py`.
pub(super) const BYTES: &[u8] = include_bytes!("model.bin");

/// The built-in model.
pub(super) fn model() -> &'static Model {
    static MODEL: LazyLock<Model> = LazyLock::new(|| {
        // A test checks that the built-in model can be parsed.
        Model::parse(BYTES).unwrap_or_default()
    });
    &MODEL
}

/// The weights of the model.
#[derive(Default)]
pub(super) struct Model {
    /// The number of each known character of the Basic Multilingual Plane; 0 for others.
    ids: Vec<u16>,
    /// The weights of each known character, by its number.
    single: Vec<Weights>,
    sequences: Table,
    /// The bias and the weights of all sequences of scripts around a boundary.
    scripts: Vec<i16>,
}

impl Model {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        let bias = i16::from_le_bytes(input.take(2)?.try_into().ok()?);
        let scripts = script_scores(bias, &mut input)?;
        let length = input.number()?;
        let known = std::str::from_utf8(input.take(length)?).ok()?;
        let mut ids = vec![0; 1 << 16];
        let mut single = vec![Weights::default()];
        for (id, character) in (1..1 << ID_BITS).zip(known.chars()) {
            *ids.get_mut(character as usize)? = id;
            single.push(input.weights(1)?);
        }
        let mut sequences = Table::default();
        for length in 2..=3 {
            let count = input.number()?;
            let mut key = 0;
            let keys = (0..count).map(|_| {
                key += input.difference()?;
                Some(key)
            });
            let keys: Vec<u64> = keys.collect::<Option<_>>()?;
            sequences.reserve(count);
            for key in keys {
                sequences.insert(key, input.weights(length)?);
            }
        }
        input.0.is_empty().then_some(Self {
            ids,
            single,
            sequences,
            scripts,
        })
    }

    #[inline]
    fn id(&self, character: char) -> u64 {
        u64::from(self.ids.get(character as usize).copied().unwrap_or(0))
    }
}

/// Sums the weights of sequences for each possible context of scripts.
fn script_scores(bias: i16, input: &mut Input) -> Option<Vec<i16>> {
    let mut sequences = Vec::new();
    for length in 1..=3 {
        let count = SCRIPTS.pow(length as u32);
        let weights = input.take(count * boundaries(length))?;
        sequences.push((count, weights.chunks_exact(boundaries(length)).collect()));
    }
    let score = |context: usize| {
        let weights = sequences
            .iter()
            .flat_map(|(count, sequences): &(_, Vec<&[u8]>)| {
                // The first boundary with a weight has the sequence at the end of its context.
                let mut rest = context;
                (0..sequences[0].len()).map(move |boundary| {
                    let weight = sequences[rest % count][boundary];
                    rest /= SCRIPTS;
                    i16::from(weight.cast_signed())
                })
            });
        weights.fold(bias, i16::saturating_add)
    };
    Some((0..SCRIPT_CONTEXTS).map(score).collect())
}

/// The rest of the model's file.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    /// A number in LEB128.
    fn difference(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The weights of a sequence of `length` characters.
    fn weights(&mut self, length: usize) -> Option<Weights> {
        let mut weights = Weights::default();
        let taken = self.take(boundaries(length))?;
        for (weight, byte) in weights.iter_mut().zip(taken) {
            *weight = byte.cast_signed();
        }
        Some(weights)
    }
}

/// The weights of pairs and groups of three, by their keys: a hash table with linear probing, at
/// most three quarters full, because a smaller table stays in the cache. Keys are never 0.
#[derive(Default)]
struct Table {
    slots: Vec<(u64, Weights)>,
    used: usize,
    shift: u32,
}

impl Table {
    /// Reserves slots for more keys.
    fn reserve(&mut self, count: usize) {
        self.used += count;
        let slots = (self.used * 4 / 3 + 1).next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![(0, Weights::default()); slots]);
        self.shift = u64::BITS - slots.ilog2();
        for (key, weights) in old.into_iter().filter(|(key, _)| *key != 0) {
            self.insert(key, weights);
        }
    }

    fn insert(&mut self, key: u64, weights: Weights) {
        let mut slot = self.first_slot(key);
        while self.slots[slot].0 != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = (key, weights);
    }

    /// The first slot of a key, by Fibonacci hashing.
    #[inline]
    fn first_slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn get(&self, key: u64) -> Option<&Weights> {
        let mut slot = self.first_slot(key);
        loop {
            match self.slots.get(slot)? {
                (found, weights) if *found == key => return Some(weights),
                (0, _) => return None,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}

/// Scores the boundaries of a text, read character by character.
#[derive(Default)]
pub(super) struct Scorer {
    /// The partial scores of the next boundaries.
    pending: [i16; 8],
    /// The numbers of the last two characters.
    last: [u64; 2],
    /// The scripts of the last characters, as digits of a number.
    scripts: usize,
}

impl Scorer {
    /// Reads a character, or `None` beyond the ends of the text. Returns the score of the boundary
    /// before the last [`CONTEXT`] characters; above 0 if a word ends there.
    #[inline]
    pub fn push(&mut self, model: &Model, character: Option<char>) -> i16 {
        let symbol = Symbol::of(character);
        let id = model.id(symbol.character);
        let [before_last, last] = self.last;
        self.last = [last, id];
        // Sequences that end with the same character have weights from the same boundary on.
        add(&mut self.pending, model.single.get(id as usize));
        if last != 0 && id != 0 {
            add(&mut self.pending, model.sequences.get(key(&[last, id])));
            if before_last != 0 {
                let weights = model.sequences.get(key(&[before_last, last, id]));
                add(&mut self.pending, weights);
            }
        }
        self.scripts = (self.scripts * SCRIPTS + symbol.script as usize) % SCRIPT_CONTEXTS;
        let of_scripts = model.scripts.get(self.scripts).copied().unwrap_or(0);
        let score = self.pending[0].saturating_add(of_scripts);
        let [_, rest @ ..] = self.pending;
        self.pending = [0; 8];
        self.pending[..rest.len()].copy_from_slice(&rest);
        score
    }
}

#[inline]
fn add(scores: &mut [i16; 8], weights: Option<&Weights>) {
    for (score, weight) in scores.iter_mut().zip(weights.copied().unwrap_or_default()) {
        *score += i16::from(weight);
    }
}

/// The key of a pair or a group of three. The bit above the characters distinguishes them.
#[inline]
fn key(ids: &[u64]) -> u64 {
    ids.iter().fold(1, |key, id| key << ID_BITS | id)
}

#[cfg(test)]
impl Model {
    /// The score of the boundary in the middle of a context, by the definition of the file.
    pub fn score(&self, context: &[Option<char>]) -> i16 {
        let symbols: Vec<Symbol> = context.iter().copied().map(Symbol::of).collect();
        let mut score = i16::from_le_bytes([BYTES[0], BYTES[1]]);
        let mut of_length = &BYTES[2..];
        for length in 1..=3 {
            for (at, symbols) in symbols.windows(length).enumerate() {
                let boundary = boundaries(length) - 1 - at;
                let scripts = symbols.iter().fold(0, |number, symbol| {
                    number * SCRIPTS + symbol.script as usize
                });
                let weight = of_length[scripts * boundaries(length) + boundary];
                score += i16::from(weight.cast_signed());
                let ids: Vec<u64> = symbols
                    .iter()
                    .map(|symbol| self.id(symbol.character))
                    .collect();
                let weights = match ids.as_slice() {
                    ids if ids.contains(&0) => None,
                    [id] => self.single.get(*id as usize),
                    ids => self.sequences.get(key(ids)),
                };
                score += weights.map_or(0, |weights| i16::from(weights[boundary]));
            }
            of_length = &of_length[SCRIPTS.pow(length as u32) * boundaries(length)..];
        }
        score
    }
}
