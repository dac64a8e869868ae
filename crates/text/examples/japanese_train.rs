//! Trains the model of `corpus_text::japanese`: `japanese_train MODEL < LINES`.
//!
//! A line consists of words, separated by U+001F. `benches/japanese_model.py` writes the lines, and
//! `src/japanese/model.rs` describes the format of the model. The same lines always result in the
//! same model.

use std::collections::HashMap;
use std::io::{self, Error};

use corpus_text::japanese::Symbol;

const CONTEXT: usize = 3;
const SCRIPTS: usize = 6;
const MAX_SEQUENCE: usize = 3;
const ID_BITS: u32 = 13;
/// The minimum number of occurrences of a sequence of characters in the model.
const MIN_COUNT: u32 = 3;
/// The maximum number of bigrams and trigrams in the model.
const MAX_SEQUENCES: usize = 68_000;
const PASSES: usize = 4;
/// The learning rate and the L1 penalty of FTRL-Proximal (McMahan et al. 2013).
const RATE: f32 = 0.2;
const PENALTY: f32 = 0.5;
/// The number that represents a weight of 1 in the file.
const SCALE: f32 = 24.0;

/// The symbols of a line, with padding at both ends.
struct Line {
    symbols: Vec<Symbol>,
    is_word_start: Vec<bool>,
}

impl Line {
    fn parse(line: &str) -> Self {
        let outside = || std::iter::repeat_n((Symbol::of(None), false), CONTEXT);
        let words = line.split('\u{1f}').flat_map(|word| {
            let symbols = word.chars().map(|character| Symbol::of(Some(character)));
            symbols.enumerate().map(|(at, symbol)| (symbol, at == 0))
        });
        let (symbols, is_word_start) = outside().chain(words).chain(outside()).unzip();
        Self {
            symbols,
            is_word_start,
        }
    }

    /// The positions at which the model decides whether a word ends.
    fn boundaries(&self) -> impl Iterator<Item = usize> + '_ {
        let is_japanese = |at: usize| self.symbols[at].script.is_japanese();
        (CONTEXT + 1..self.symbols.len() - CONTEXT)
            .filter(move |at| is_japanese(at - 1) && is_japanese(*at))
    }
}

/// A sequence of scripts or characters that has weights.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Sequence {
    /// Its length, and the scripts as digits of a number.
    Scripts(usize, usize),
    /// Its length, and its characters.
    Characters(usize, [char; MAX_SEQUENCE]),
}

impl Sequence {
    fn scripts(symbols: &[Symbol]) -> Self {
        let digits = symbols.iter().map(|symbol| symbol.script as usize);
        let number = digits.fold(0, |number, digit| number * SCRIPTS + digit);
        Self::Scripts(symbols.len(), number)
    }

    fn characters(symbols: &[Symbol]) -> Self {
        let mut characters = ['\0'; MAX_SEQUENCE];
        for (place, symbol) in characters.iter_mut().zip(symbols) {
            *place = symbol.character;
        }
        Self::Characters(symbols.len(), characters)
    }

    fn length(self) -> usize {
        match self {
            Self::Scripts(length, _) | Self::Characters(length, _) => length,
        }
    }

    /// The number of boundaries whose context contains the sequence.
    fn boundaries(self) -> usize {
        2 * CONTEXT + 1 - self.length()
    }
}

/// A weight, as the sums of FTRL-Proximal.
#[derive(Clone, Copy, Default)]
struct Weight {
    gradients: f32,
    squares: f32,
}

impl Weight {
    fn get(self) -> f32 {
        let excess = (self.gradients.abs() - PENALTY).max(0.0);
        -self.gradients.signum() * excess * RATE / (1.0 + self.squares.sqrt())
    }

    fn update(&mut self, gradient: f32) {
        let squares = self.squares + gradient * gradient;
        let change = (squares.sqrt() - self.squares.sqrt()) / RATE;
        self.gradients += gradient - change * self.get();
        self.squares = squares;
    }

    fn to_bytes(self) -> [u8; 1] {
        // The cast saturates.
        ((self.get() * SCALE).round() as i8).to_le_bytes()
    }
}

#[derive(Default)]
struct Trainer {
    bias: Weight,
    weights: Vec<Weight>,
    /// For each sequence, the index of its first weight and its number of occurrences.
    sequences: HashMap<Sequence, (usize, u32)>,
}

impl Trainer {
    fn new(lines: &[Line]) -> Self {
        let mut counts: HashMap<Sequence, u32> = HashMap::new();
        for length in 1..=MAX_SEQUENCE {
            for scripts in 0..SCRIPTS.pow(length as u32) {
                counts.insert(Sequence::Scripts(length, scripts), MIN_COUNT);
            }
            for symbols in lines.iter().flat_map(|line| line.symbols.windows(length)) {
                // Punctuation and other scripts occur only as single characters.
                if length == 1 || symbols.iter().any(|symbol| symbol.script.is_japanese()) {
                    *counts.entry(Sequence::characters(symbols)).or_default() += 1;
                }
            }
        }
        let mut trainer = Self::default();
        for (sequence, count) in counts {
            if count >= MIN_COUNT {
                let start = trainer.weights.len();
                trainer.sequences.insert(sequence, (start, count));
                trainer
                    .weights
                    .resize(start + sequence.boundaries(), Weight::default());
            }
        }
        trainer
    }

    /// For each length and each position in the line, the index of the first weight of the
    /// sequence.
    fn starts(&self, line: &Line) -> Vec<(usize, Vec<Option<usize>>)> {
        let lengths = (1..=MAX_SEQUENCE).flat_map(|length| {
            [Sequence::characters, Sequence::scripts].map(|sequence| {
                let windows = line.symbols.windows(length);
                let found = windows.map(|symbols| Some(self.sequences.get(&sequence(symbols))?.0));
                (length, found.collect())
            })
        });
        lengths.collect()
    }

    /// Trains on the boundaries of a line. Returns their total loss and their number.
    fn learn(&mut self, line: &Line) -> (f64, usize) {
        let starts = self.starts(line);
        let mut active = Vec::new();
        let (mut loss, mut boundaries) = (0.0, 0);
        for boundary in line.boundaries() {
            active.clear();
            for (length, starts) in &starts {
                let (first, last) = (boundary - CONTEXT, boundary + CONTEXT - length);
                let places = (first..=last).filter_map(|at| Some(starts[at]? + last - at));
                active.extend(places);
            }
            let sum: f32 = active.iter().map(|at| self.weights[*at].get()).sum();
            let probability = 1.0 / (1.0 + (-sum - self.bias.get()).exp());
            let gradient = probability - f32::from(u8::from(line.is_word_start[boundary]));
            self.bias.update(gradient);
            for at in &active {
                self.weights[*at].update(gradient);
            }
            loss -= f64::from(1.0 - gradient.abs()).max(1e-9).ln();
            boundaries += 1;
        }
        (loss, boundaries)
    }

    fn weights_of(&self, sequence: Sequence) -> &[Weight] {
        let start = self.sequences.get(&sequence).map(|(start, _)| *start);
        start.map_or(&[], |start| {
            &self.weights[start..start + sequence.boundaries()]
        })
    }

    /// Returns the sequences of characters with the largest weights, with their lengths, sorted.
    fn kept(&self) -> Vec<(usize, [char; MAX_SEQUENCE])> {
        let mut found = Vec::new();
        for (sequence, (_, count)) in &self.sequences {
            if let Sequence::Characters(length, characters) = *sequence {
                let weights = self.weights_of(*sequence).iter();
                let largest = weights.map(|weight| weight.get().abs()).fold(0.0, f32::max);
                let importance = largest * (*count as f32).powf(0.25);
                // The model stores only characters of the Basic Multilingual Plane.
                if largest * SCALE >= 0.5 && characters.iter().all(|one| *one <= '\u{ffff}') {
                    found.push((importance, length, characters));
                }
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.cmp(&other.2)));
        let (single, mut longer): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, length, _)| *length == 1);
        longer.truncate(MAX_SEQUENCES);
        let kept = single.into_iter().take((1 << ID_BITS) - 1).chain(longer);
        let mut kept: Vec<_> = kept
            .map(|(_, length, characters)| (length, characters))
            .collect();
        kept.sort_unstable();
        kept
    }

    fn to_bytes(&self) -> Vec<u8> {
        let bytes_of = |sequence| {
            self.weights_of(sequence)
                .iter()
                .flat_map(|weight| weight.to_bytes())
        };
        let mut bytes = ((self.bias.get() * SCALE).round() as i16)
            .to_le_bytes()
            .to_vec();
        for length in 1..=MAX_SEQUENCE {
            for scripts in 0..SCRIPTS.pow(length as u32) {
                bytes.extend(bytes_of(Sequence::Scripts(length, scripts)));
            }
        }
        let kept = self.kept();
        let known: String = kept
            .iter()
            .filter(|(length, _)| *length == 1)
            .map(|(_, characters)| characters[0])
            .collect();
        bytes.extend((known.len() as u32).to_le_bytes());
        bytes.extend(known.bytes());
        let ids: HashMap<char, u64> = known.chars().zip(1..).collect();
        for length in 1..=MAX_SEQUENCE {
            let keys =
                kept.iter()
                    .filter(|(own, _)| *own == length)
                    .filter_map(|(_, characters)| {
                        let mut ids = characters[..length]
                            .iter()
                            .map(|character| ids.get(character));
                        let key = ids.try_fold(1, |key, id| Some(key << ID_BITS | id?))?;
                        Some((key, Sequence::Characters(length, *characters)))
                    });
            let mut keys: Vec<(u64, Sequence)> = keys.collect();
            keys.sort_unstable();
            if length > 1 {
                bytes.extend((keys.len() as u32).to_le_bytes());
                let differences = keys.iter().scan(0, |last, (key, _)| {
                    Some(key - std::mem::replace(last, *key))
                });
                differences.for_each(|difference| write_leb128(difference, &mut bytes));
            }
            bytes.extend(
                keys.into_iter()
                    .flat_map(|(_, sequence)| bytes_of(sequence)),
            );
        }
        bytes
    }
}

fn write_leb128(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1);
    let path = path.ok_or_else(|| Error::other("usage: japanese_train MODEL < LINES"))?;
    let lines: io::Result<Vec<String>> = io::stdin().lines().collect();
    let lines: Vec<Line> = lines?.iter().map(|line| Line::parse(line)).collect();
    let mut trainer = Trainer::new(&lines);
    for pass in 1..=PASSES {
        let (mut loss, mut boundaries) = (0.0, 0);
        for line in &lines {
            let learned = trainer.learn(line);
            loss += learned.0;
            boundaries += learned.1;
        }
        eprintln!("pass {pass}: loss {:.5}", loss / boundaries as f64);
    }
    let bytes = trainer.to_bytes();
    eprintln!("{path}: {} bytes", bytes.len());
    std::fs::write(path, bytes)
}
