use std::collections::{HashMap, HashSet};

use super::*;

/// A text of few different words: many of its windows are equal.
fn repetitive(seed: u64, words: u64, different: u64) -> String {
    let mut text = String::new();
    for at in 0..words {
        let word = crate::hash::mix((seed << 32) + at + 1) % different;
        text.push_str(["ab", "c", "日本", "ä"][word as usize]);
        text.push(' ');
    }
    text
}

fn all(windows: Windows, text: &str, fingerprints: Option<&[u64]>) -> Vec<Window> {
    let mut found = Vec::new();
    windows.for_each(text, fingerprints, |window| found.push(window));
    found
}

fn fingerprints(windows: Windows, text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    windows.fingerprints(text, |hash| found.push(hash));
    found
}

#[test]
fn windows_are_equal_if_their_words_are() {
    let text = repetitive(1, 3000, 3);
    let words: Vec<&str> = text.split_whitespace().collect();
    for length in [1, 2, 5, 9, 1000] {
        let windows: Windows = format!("{length} words").parse().unwrap();
        let found = all(windows, &text, None);
        assert_eq!(found.len(), words.len() - length + 1);
        let mut hashes = HashMap::new();
        let mut texts = HashMap::new();
        for (window, words) in found.iter().zip(words.windows(length)) {
            assert_eq!(*hashes.entry(words).or_insert(window.hash), window.hash);
            assert_eq!(*texts.entry(window.hash).or_insert(words), words);
        }
    }
}

#[test]
fn equal_windows_have_a_fingerprint_that_is_passed_twice() {
    for spec in ["1 words", "2 words", "5 words", "8 words", "12 characters"] {
        let windows: Windows = spec.parse().unwrap();
        for (seed, different) in (0..60).map(|seed| (seed, 1 + seed % 4)) {
            let texts = [
                repetitive(seed, 40, different),
                repetitive(seed + 100, 40, different),
            ];
            let mut counts: HashMap<u64, u32> = HashMap::new();
            for hash in texts.iter().flat_map(|text| fingerprints(windows, text)) {
                *counts.entry(hash).or_default() += 1;
            }
            let mut shared: Vec<u64> = counts
                .iter()
                .filter(|(_, count)| **count > 1)
                .map(|(hash, _)| *hash)
                .collect();
            shared.sort_unstable();
            let repeated = |found: Vec<Window>| {
                let mut counts: HashMap<u128, u32> = HashMap::new();
                found
                    .iter()
                    .for_each(|window| *counts.entry(window.hash).or_default() += 1);
                counts.retain(|_, count| *count > 1);
                counts
            };
            let every = texts
                .iter()
                .flat_map(|text| all(windows, text, None))
                .collect();
            let listed = texts
                .iter()
                .flat_map(|text| all(windows, text, Some(&shared)))
                .collect();
            assert_eq!(repeated(every), repeated(listed), "{spec}, {seed}");
        }
    }
}

#[test]
fn few_places_have_a_fingerprint() {
    let text: String = (0..100_000u32).map(|at| format!("{at} ")).collect();
    for (spec, expected) in [("50 words", 0.074), ("13 words", 0.25), ("2 words", 0.67)] {
        let count = fingerprints(spec.parse().unwrap(), &text).len();
        let density = count as f64 / 100_000.0;
        assert!((density / expected - 1.0).abs() < 0.05, "{spec}: {density}");
    }
}

#[test]
fn repetitive_texts_have_few_fingerprints() {
    for phrase in ["a ", "tick tack tock ", "日本 "] {
        let text = phrase.repeat(10_000);
        let count = fingerprints("50 words".parse().unwrap(), &text).len();
        assert_eq!(count, 2, "{phrase}");
    }
}

#[test]
fn texts_shorter_than_a_window_have_none() {
    for (spec, text) in [
        ("3 words", " one two "),
        ("4 normalized characters", "あ、い、う"),
        ("1 words", ""),
    ] {
        let windows: Windows = spec.parse().unwrap();
        assert_eq!(all(windows, text, None), []);
        assert_eq!(fingerprints(windows, text), []);
    }
}

#[test]
fn normalized_units_ignore_form_and_punctuation() {
    let hashes = |spec: &str, text: &str| -> Vec<u128> {
        let windows = spec.parse().unwrap();
        all(windows, text, None)
            .iter()
            .map(|window| window.hash)
            .collect()
    };
    let words = "3 normalized words";
    assert_eq!(
        hashes(words, "“Well”, said – HE."),
        hashes(words, "well said\nhe")
    );
    assert_ne!(
        hashes(words, "well said she"),
        hashes(words, "well said he")
    );
    assert_ne!(
        hashes("3 words", "“Well”, said HE."),
        hashes("3 words", "well said he")
    );
    let characters = "4 normalized characters";
    assert_eq!(
        hashes(characters, "㍿ ガイ、ド"),
        hashes(characters, "株式会社ｶﾞｲﾄﾞ")
    );
}

#[test]
fn ranges_cut_words_with_the_space_after_them() {
    let windows: Windows = "2 words".parse().unwrap();
    let text = " はい\n\nb  c d\te ";
    let block = |windows, overlap, source| Block {
        position: 0,
        windows,
        overlap,
        source: Some(source),
    };
    let cut = |blocks: &[Block]| -> Vec<(usize, usize, i64)> {
        let ranges = windows.ranges(text, blocks);
        ranges
            .iter()
            .map(|range| (range.start, range.end, range.source.unwrap()))
            .collect()
    };
    assert_eq!(cut(&[]), []);
    assert_eq!(cut(&[block(0b1, 0, 1)]), [(1, 8, 1)]);
    assert_eq!(cut(&[block(0b1000, 0, 1)]), [(10, 14, 1)]);
    assert_eq!(cut(&[block(0b1001, 0, 1)]), [(1, 8, 1), (10, 14, 1)]);
    // Neighbors of one source are one range; others share nothing.
    assert_eq!(cut(&[block(0b10, 0, 1), block(0b1, 0, 1)]), [(1, 10, 1)]);
    assert_eq!(
        cut(&[block(0b10, 0, 2), block(0b1, 0, 1)]),
        [(1, 8, 1), (8, 10, 2)]
    );
    // Text that overlaps the equal window is kept.
    assert_eq!(cut(&[block(0b10, 1, 1)]), [(8, 10, 1)]);
    assert_eq!(cut(&[block(0b10, 2, 1)]), []);
    // A later window may cover what the overlap leaves.
    let three: Windows = "3 words".parse().unwrap();
    let ranges = three.ranges(text, &[block(0b1, 2, 1), block(0b10, 0, 2)]);
    let covered = TextRange {
        start: 5,
        end: 12,
        source: Some(2),
    };
    assert_eq!(ranges, [covered]);
    // Positions beyond the text.
    let beyond = Block {
        position: i64::MAX - 3,
        windows: u64::MAX,
        overlap: -4,
        source: None,
    };
    assert_eq!(
        windows.ranges(
            text,
            &[
                beyond,
                Block {
                    position: -70,
                    ..beyond
                }
            ]
        ),
        []
    );
    let end = Block {
        position: 4,
        windows: 1,
        ..beyond
    };
    assert_eq!(windows.ranges(text, &[end])[0].end, text.chars().count());
}

#[test]
fn removed_ranges_may_overlap_and_exceed_the_text() {
    assert_eq!(remove_ranges("日本語", vec![(2, 9), (-5, 1)]), "本");
    assert_eq!(remove_ranges("日本語", vec![(0, 2), (1, 2), (2, 2)]), "語");
    assert_eq!(remove_ranges("日本語", vec![(2, 1), (3, 8)]), "日本語");
    assert_eq!(remove_ranges("", vec![(0, 1)]), "");
}

#[test]
fn ranges_are_extracted_in_the_given_order() {
    let ranges = [(2, 9), (-5, 1), (1, 2), (1, 3), (2, 1), (8, 9), (1, 2)];
    let parts = ["語", "日", "本", "本語", "", "", "本"];
    assert_eq!(extract_ranges("日本語", &ranges), parts);
    assert_eq!(extract_ranges("", &[(0, 1)]), [""]);
    assert!(extract_ranges("text", &[]).is_empty());
}

#[test]
fn specifications_are_parsed_and_checked() {
    for text in [
        "50 words",
        "1 characters",
        "13 normalized words",
        "1000 normalized characters",
    ] {
        assert_eq!(text.parse::<Windows>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "50",
        "words",
        "0 words",
        "1001 words",
        "50 Words",
        "5 normalised words",
    ] {
        let error = text.parse::<Windows>().unwrap_err().to_string();
        assert!(error.contains("with N from 1 to 1000, got '"), "{error}");
    }
}

#[test]
fn different_windows_have_different_hashes() {
    // Sequences of two letters that collide in polynomials modulo a power of two.
    let morse = |flip: u32| -> String {
        let letter = |at: u32| {
            if (at.count_ones() + flip).is_multiple_of(2) {
                'a'
            } else {
                'b'
            }
        };
        (0..512).map(letter).collect()
    };
    let windows: Windows = "512 characters".parse().unwrap();
    let hashes: HashSet<u128> = [morse(0), morse(1)]
        .iter()
        .map(|text| all(windows, text, None)[0].hash)
        .collect();
    assert_eq!(hashes.len(), 2);
}
