//! The speed of detection, compared with chardetng on the whole page.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use corpus_charset::{decode, decode_page, detect};

use crate::Labelled;

/// The fastest of this many runs counts: interference only slows a run down.
const RUNS: usize = 7;

/// Prints the timings. Returns the speedup over chardetng on pages that are not UTF-8.
pub fn print(labelled: &[Labelled]) -> f64 {
    let is_utf_8 = |text: &&Labelled| {
        let is_plain = !text.bytes.iter().any(|byte| matches!(byte, 0 | 0x1b));
        text.charset.name() == "UTF-8" || is_plain && text.bytes.is_ascii()
    };
    let (utf_8, other): (Vec<_>, Vec<_>) = labelled.iter().partition(is_utf_8);
    println!(
        "\n| | files | MB | detect, MB/s | chardetng, MB/s | speedup | decode, MB/s | detect and decode, MB/s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    row("valid UTF-8 and ASCII", &utf_8);
    row("everything else", &other)
}

fn row(name: &str, texts: &[&Labelled]) -> f64 {
    let size = texts.iter().map(|text| text.bytes.len()).sum::<usize>() as f64 / 1e6;
    let ours = time(texts, |text| {
        black_box(detect(&text.bytes, None, None).charset);
    });
    let whole = time(texts, |text| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&text.bytes, false);
        black_box(detector.guess(None, Utf8Detection::Allow));
    });
    let decoding = time(texts, |text| {
        black_box(decode(&text.bytes, text.charset));
    });
    let both = time(texts, |text| {
        black_box(decode_page(&text.bytes, None, None));
    });
    println!(
        "| {name} | {} | {size:.2} | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} |",
        texts.len(),
        size / ours,
        size / whole,
        whole / ours,
        size / decoding,
        size / both,
    );
    whole / ours
}

/// The total seconds for all texts, each with its best time.
fn time(texts: &[&Labelled], work: impl Fn(&Labelled)) -> f64 {
    let best = |text: &&Labelled| {
        let one = |_| {
            let start = Instant::now();
            work(text);
            start.elapsed()
        };
        (0..RUNS).map(one).min().unwrap_or_default()
    };
    texts.iter().map(best).sum::<Duration>().as_secs_f64()
}
