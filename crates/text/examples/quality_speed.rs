//! Measures the quality rules, in MB of UTF-8 per second on one core, on generated texts, or on the
//! texts in the given files (a file may contain several texts, separated by NUL bytes):
//!
//!     cargo run --release -p corpus-text --example quality_speed [FILE…]

use std::hint::black_box;
use std::io;
use std::time::UNIX_EPOCH;

use corpus_bytes::random::Random;
use corpus_text::quality::{
    C4Rules, FineWebInput, c4, characters, fineweb, gopher, gopher_repetition, quality,
};
use corpus_text::words::words;

/// The size of the text that each measurement reads.
const CORPUS_BYTES: usize = 8_000_000;
/// The mean size of a generated text of size 1.
const TEXT_BYTES: usize = 2_000;
/// The number of rounds. The fastest one counts, because other programs can only slow a round down.
const ROUNDS: usize = 3;

fn main() -> io::Result<()> {
    println!(
        "{:28} {}",
        "",
        RULES.map(|(name, _)| format!("{name:>11}")).concat()
    );
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let content = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        let texts: Vec<_> = content.split('\0').map(str::to_owned).collect();
        measure(file.rsplit('/').next().unwrap_or(file), &texts);
    }
    if !files.is_empty() {
        return Ok(());
    }
    for (name, invent) in [
        ("English", english as fn(&mut Random) -> Vec<String>),
        ("Japanese", japanese),
        ("mixed", mixed),
    ] {
        let vocabulary = invent(&mut Random(11));
        let space = if name == "Japanese" { "" } else { " " };
        for size in [1, 4, 16] {
            let mut random = Random(7);
            let texts: Vec<_> = (0..CORPUS_BYTES / TEXT_BYTES / size)
                .map(|_| text(&vocabulary, space, size * TEXT_BYTES, &mut random))
                .collect();
            measure(&format!("{name}, size {size}"), &texts);
        }
    }
    for (name, part, count) in [
        ("one character", "a", 10_000_000),
        ("one Japanese character", "あ", 3_000_000),
        ("one line", "word and word, ", 700_000),
        ("empty lines", "\n", 5_000_000),
        ("one letter per line", "a\n", 3_000_000),
        ("marks", "(.", 1_000_000),
        ("brackets", "[1", 1_000_000),
    ] {
        measure(name, &[part.repeat(count)]);
    }
    Ok(())
}

type Rule = (&'static str, fn(&str));

const RULES: [Rule; 7] = [
    ("words", |text| {
        black_box(words(text).count());
    }),
    ("gopher", |text| {
        black_box(gopher(text));
    }),
    ("repetition", |text| {
        black_box(gopher_repetition(text));
    }),
    ("c4", |text| {
        black_box(c4(text, &C4Rules::default()));
    }),
    ("fineweb", |text| {
        black_box(fineweb(text));
    }),
    ("all", |text| {
        black_box(quality(text, &C4Rules::default(), FineWebInput::Text));
    }),
    ("characters", |text| {
        black_box(characters(text));
    }),
];

fn measure(name: &str, texts: &[String]) {
    let bytes: usize = texts.iter().map(String::len).sum();
    print!("{name:28}");
    for (_, rule) in RULES {
        let seconds = (0..ROUNDS)
            .map(|_| {
                let start = cpu_seconds();
                texts.iter().for_each(|text| rule(text));
                cpu_seconds() - start
            })
            .fold(f64::INFINITY, f64::min);
        print!(" {:10.1}", bytes as f64 / seconds / 1e6);
    }
    println!();
}

/// Returns the CPU time of this thread, if the system reports it, otherwise the wall-clock time.
fn cpu_seconds() -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    match nanoseconds {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64()),
    }
}

/// Lines of sentences, with an empty line after some of them.
fn text(vocabulary: &[String], space: &str, bytes: usize, random: &mut Random) -> String {
    let is_spaced = !space.is_empty();
    let mut text = String::new();
    while text.len() < bytes {
        for _ in 0..1 + random.below(4) {
            for place in 0..4 + random.below(20) {
                if place > 0 {
                    text.push_str(space);
                }
                // Frequencies decrease with the rank, as in natural language.
                let share = random.below(1 << 20) as f64 / (1 << 20) as f64;
                let rank = (vocabulary.len() as f64).powf(share) as usize - 1;
                text.push_str(&vocabulary[rank]);
                if random.below(12) == 0 {
                    text.push_str(if is_spaced { "," } else { "、" });
                }
            }
            text.push_str(if is_spaced { ". " } else { "。" });
        }
        text.push_str(if random.below(3) == 0 { "\n\n" } else { "\n" });
    }
    text
}

fn english(random: &mut Random) -> Vec<String> {
    let common = [
        "the", "of", "and", "to", "in", "a", "that", "it", "with", "It's", "don't",
    ];
    let invented = (0..12_000).map(|_| {
        let length = 2 + random.below(5) + random.below(6);
        letters("eetaoinshrdlucmfwypvbgk", length, random)
    });
    common
        .map(str::to_owned)
        .into_iter()
        .chain(invented)
        .collect()
}

fn japanese(random: &mut Random) -> Vec<String> {
    let common = [
        "の", "は", "を", "に", "が", "と", "です", "ます", "した", "から",
    ];
    let invented = (0..12_000).map(|_| {
        let kanji = random.below(3);
        let range = |start: u32, count, random: &mut Random| {
            char::from_u32(start + random.below(count) as u32).unwrap_or('一')
        };
        let mut word: String = (0..kanji).map(|_| range(0x4e00, 2500, random)).collect();
        let start = if random.below(6) == 0 { 0x30a2 } else { 0x3042 };
        word.extend((0..1 + random.below(3)).map(|_| range(start, 80, random)));
        word
    });
    common
        .map(str::to_owned)
        .into_iter()
        .chain(invented)
        .collect()
}

/// Words with accents, numbers, addresses and some Japanese.
fn mixed(random: &mut Random) -> Vec<String> {
    let mut words = japanese(random);
    words.truncate(2_000);
    words.extend(english(random).into_iter().take(4_000));
    for _ in 0..4_000 {
        let length = 2 + random.below(9);
        words.push(letters("eeaonrstéèüöäßłжде", length, random));
    }
    for number in 0..500 {
        words.push(format!("{}", number * 7 % 1999));
        words.push(format!("https://a{number}.example/b?c={number}"));
        words.push(format!("well-known-{number}"));
    }
    for at in (1..words.len()).rev() {
        words.swap(at, random.below(at + 1));
    }
    words
}

fn letters(alphabet: &str, count: usize, random: &mut Random) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..count)
        .map(|_| alphabet[random.below(alphabet.len())])
        .collect()
}
