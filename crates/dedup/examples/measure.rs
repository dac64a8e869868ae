//! Measures the error of the similarity estimated from signatures, by the length of texts, and the
//! speed of all functions on one core.
//!
//! ```text
//! cargo run --release -p corpus-dedup --example measure [-- FILE]
//! ```
//!
//! Documents are generated, unless a file is given, which has one document per line.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use corpus_bytes::random::Random;
use corpus_dedup::bands::Bands;
use corpus_dedup::components::{Components, IntegerIds, TextIds};
use corpus_dedup::hash::{hash64, hash128};
use corpus_dedup::jaccard::{estimated_jaccard, exact_jaccard};
use corpus_dedup::minhash::DEFAULT_BINS;
use corpus_dedup::simhash::simhash;
use corpus_dedup::{MinHasher, Shingles};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let (japanese, english) = (Language::japanese(), Language::english());
    print_errors(&japanese)?;
    match env::args().nth(1) {
        Some(path) => {
            let text = fs::read_to_string(&path)?;
            let documents: Vec<String> = text.lines().map(str::to_owned).collect();
            print_speeds(&path, &documents)?;
        }
        None => {
            for (name, language) in [("Japanese", &japanese), ("English", &english)] {
                for chars in [40, 200, 2000] {
                    let mut random = Random::seeded(1);
                    let count = 300_000 / chars;
                    let documents: Vec<String> = (0..count)
                        .map(|_| language.text(chars, &mut random))
                        .collect();
                    print_speeds(&format!("{name}, {chars} characters"), &documents)?;
                }
            }
        }
    }
    print_components()
}

/// Prints the error of the estimate next to that of 128 independent hash functions.
fn print_errors(language: &Language) -> Outcome {
    const PAIRS: usize = 4000;
    let shingles = Shingles::default();
    let bands = Bands::new(16, 8)?;
    println!("{DEFAULT_BINS} bins, shingles of {shingles}, {PAIRS} pairs per line");
    println!("characters  bias     RMSE    binomial  candidates  expected");
    for chars in [8, 12, 20, 40, 80, 120, 160, 250, 500, 1000, 3000] {
        let mut hasher = MinHasher::new(shingles, DEFAULT_BINS)?;
        let mut random = Random::seeded(chars as u64);
        let (mut bias, mut squares, mut binomial) = (0.0, 0.0, 0.0);
        let (mut candidates, mut expected) = (0.0, 0.0);
        for _ in 0..PAIRS {
            let first = language.text(chars, &mut random);
            let second = edited(&first, &mut random);
            let exact = exact_jaccard(&first, &second, shingles).unwrap_or(0.0);
            let first = hasher.signature(&first).ok_or("no shingles")?.to_vec();
            let second = hasher.signature(&second).ok_or("no shingles")?;
            let error = estimated_jaccard(&first, second).ok_or("no estimate")? - exact;
            bias += error;
            squares += error * error;
            binomial += exact * (1.0 - exact) / DEFAULT_BINS as f64;
            let keys = bands.keys(&first).zip(bands.keys(second));
            let (mut a, mut b) = keys.ok_or("too few values")?;
            candidates += f64::from(u8::from(a.any(|key| Some(key) == b.next())));
            expected += 1.0 - (1.0 - exact.powi(8)).powi(16);
        }
        let mean = |sum: f64| sum / PAIRS as f64;
        println!(
            "{chars:10}  {:+.4}  {:.4}  {:.4}    {:.3}       {:.3}",
            mean(bias),
            mean(squares).sqrt(),
            mean(binomial).sqrt(),
            mean(candidates),
            mean(expected)
        );
    }
    Ok(())
}

/// Prints the bytes of text that each function processes per second.
fn print_speeds(name: &str, documents: &[String]) -> Outcome {
    let bytes: usize = documents.iter().map(String::len).sum();
    println!(
        "\n{name}: {} documents, {:.1} MB",
        documents.len(),
        bytes as f64 / 1e6
    );
    let report = |what: &str, mut call: Box<dyn FnMut(&str) + '_>| {
        let time = fastest(|| documents.iter().for_each(|text| call(text)));
        println!(
            "{what:28} {:8.0} MB/s",
            bytes as f64 / 1e6 / time.as_secs_f64()
        );
    };
    report(
        "hash64",
        Box::new(|text| {
            black_box(hash64(text));
        }),
    );
    report(
        "hash128",
        Box::new(|text| {
            black_box(hash128(text));
        }),
    );
    for shingles in [Shingles::characters(5)?, Shingles::words(5)?] {
        let sum = |text: &str| {
            let mut sum = 0u64;
            shingles.for_each(text, |hash| sum = sum.wrapping_add(hash));
            black_box(sum);
        };
        report(&format!("shingles of {shingles}"), Box::new(sum));
        let mut hasher = MinHasher::new(shingles, DEFAULT_BINS)?;
        let sign = move |text: &str| {
            black_box(hasher.signature(text));
        };
        report(&format!("minhash of {shingles}"), Box::new(sign));
    }
    let shingles = Shingles::characters(3)?;
    let hash = |text: &str| {
        black_box(simhash(text, shingles));
    };
    report(&format!("simhash of {shingles}"), Box::new(hash));
    let compare = |text: &str| {
        black_box(exact_jaccard(text, text, shingles));
    };
    report("exact_jaccard with itself", Box::new(compare));
    Ok(())
}

/// Prints the speed and memory of connected components.
fn print_components() -> Outcome {
    const IDS: usize = 4_000_000;
    const EDGES: usize = 8_000_000;
    const BATCH: usize = 8192;
    let mut random = Random::seeded(3);
    let edges: Vec<(i64, i64)> = (0..EDGES)
        .map(|_| {
            let first = random.below(IDS);
            let second = first.saturating_sub(random.below(20));
            (
                hash64(&first.to_string()) as i64,
                hash64(&second.to_string()) as i64,
            )
        })
        .collect();
    let start = Instant::now();
    let mut components = Components::<IntegerIds>::default();
    for edges in edges.chunks(BATCH) {
        let (first, second): (Vec<i64>, Vec<i64>) = edges.iter().copied().unzip();
        let (first, second) = (
            components.add_nodes(&first)?,
            components.add_nodes(&second)?,
        );
        components.connect_all(first.into_iter().zip(second));
    }
    let memory = components.memory();
    let labels = components.finish();
    print_rate(
        "integers",
        edges.len(),
        start.elapsed(),
        memory,
        labels.len(),
    );
    let edges = &edges[..edges.len() / 8];
    let texts: Vec<(String, String)> = edges
        .iter()
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .collect();
    let start = Instant::now();
    let mut components = Components::<TextIds>::default();
    for (first, second) in &texts {
        components.add_edge(first, second)?;
    }
    let memory = components.memory();
    let labels = components.finish();
    print_rate("texts", edges.len(), start.elapsed(), memory, labels.len());
    Ok(())
}

fn print_rate(what: &str, edges: usize, time: Duration, memory: usize, ids: usize) {
    println!(
        "components of {what}: {:.1} million edges/s, {:.1} bytes for each of {ids} ids",
        edges as f64 / 1e6 / time.as_secs_f64(),
        memory as f64 / ids as f64
    );
}

/// Returns the shortest time of several runs, because other programs interrupt most of them.
fn fastest(mut run: impl FnMut()) -> Duration {
    let times = (0..25).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Words with frequencies by Zipf's law.
struct Language {
    words: Vec<String>,
    space: &'static str,
}

impl Language {
    fn japanese() -> Self {
        Self::new("", |random| match random.below(3) {
            0 => 'あ'..='ん',
            _ => '一'..='龠',
        })
    }

    fn english() -> Self {
        Self::new(" ", |_| 'a'..='z')
    }

    fn new(
        space: &'static str,
        letters: impl Fn(&mut Random) -> std::ops::RangeInclusive<char>,
    ) -> Self {
        let mut random = Random::seeded(7);
        let words = (0..30_000).map(|_| {
            let letters = letters(&mut random);
            let (start, end) = (*letters.start() as usize, *letters.end() as usize);
            let length = 1 + random.below(2) + random.below(if space.is_empty() { 3 } else { 9 });
            let letter = |_| char::from_u32((start + random.below(end - start + 1)) as u32);
            (0..length).filter_map(letter).collect()
        });
        Self {
            words: words.collect(),
            space,
        }
    }

    /// Returns a text of this many characters.
    fn text(&self, chars: usize, random: &mut Random) -> String {
        let mut text = String::new();
        let mut length = 0;
        while length < chars {
            let uniform = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let rank = (self.words.len() as f64).powf(uniform) as usize;
            let word = &self.words[rank.min(self.words.len()) - 1];
            text.push_str(word);
            text.push_str(self.space);
            length += word.chars().count() + self.space.len();
        }
        text.chars().take(chars).collect()
    }
}

/// Replaces characters of a text and cuts its end. The number varies, so that all similarities
/// occur.
fn edited(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let most = 1 + chars.len() / 12;
    for _ in 0..random.below(most + 1) {
        let at = random.below(chars.len());
        chars[at] = char::from_u32(0x3400 + random.below(5000) as u32).unwrap_or('X');
    }
    let cut = random.below(1 + chars.len() / 4);
    chars.truncate((chars.len() - cut).max(5));
    chars.into_iter().collect()
}
