//! Values that must never change, because they are stored in files. Those of signatures and
//! windows were computed with the programs in the README, and those of hashes with Python's xxhash.

#![allow(clippy::unwrap_used)]

use corpus_dedup::bands::Bands;
use corpus_dedup::hash::{hash64, hash128, sample_hash};
use corpus_dedup::simhash::simhash;
use corpus_dedup::{MinHasher, Shingles, Windows};

fn signature(text: &str, shingles: &str, bins: usize) -> Vec<u32> {
    let mut hasher = MinHasher::new(shingles.parse().unwrap(), bins).unwrap();
    hasher.signature(text).unwrap().to_vec()
}

/// One number for a whole signature.
fn fold(signature: &[u32]) -> u64 {
    let step = |folded: u64, value: &u32| folded.wrapping_mul(0x100_0000_01b3) ^ u64::from(*value);
    signature.iter().fold(0, step)
}

#[test]
fn hashes_never_change() {
    assert_eq!(hash64("文書"), 7_388_748_676_075_912_343);
    assert_eq!(hash128("文書"), 0x27ca_d103_31d7_2fa5_369b_dde5_b42e_9f12);
    assert_eq!(sample_hash("doc-1"), 0.754_358_242_715_976_7);
}

#[test]
fn signatures_never_change() {
    let tiny = signature("日本語の文書", "5 characters", 4);
    assert_eq!(tiny, [2_097_872_630, 689_519_737, 114_344_941, 578_048_996]);
    let short = signature("日本語の文書", "5 characters", 128);
    assert_eq!(fold(&short), 0xbf18_b07e_bbde_b10a);
    let english = signature(
        "The quick brown fox jumps over the lazy dog.",
        "5 characters",
        8,
    );
    assert_eq!(fold(&english), 0xa2e5_97b1_84b0_40b1);
    let odd = signature(&"a\u{301}🐈 ".repeat(3), "2 characters", 5);
    assert_eq!(fold(&odd), 0x7aca_5fb2_8bbc_e0a8);
    let letter = |at: u32| char::from_u32(0x4e00 + at * 7919 % 20_000).unwrap();
    let long: String = (0..2000).map(letter).collect();
    assert_eq!(
        fold(&signature(&long, "5 characters", 128)),
        0x7e16_d80d_718f_f902
    );
    let words = signature("to be or not to be", "2 words", 4);
    assert_eq!(words, [340_191_262, 689_553_643, 285_536_137, 601_782_362]);
}

#[test]
fn keys_and_simhashes_never_change() {
    let keys = Bands::new(2, 2).unwrap().keys(&[1, 2, 3, 4]).unwrap();
    assert_eq!(
        keys.collect::<Vec<_>>(),
        [17_856_881_380_917_102_865, 2_682_380_671_980_185_733]
    );
    let shingles = Shingles::characters(3).unwrap();
    assert_eq!(
        simhash("日本語の文書", shingles),
        Some(10_464_401_851_884_978_948)
    );
}

fn windows(text: &str, windows: &str) -> Vec<u128> {
    let windows: Windows = windows.parse().unwrap();
    let mut hashes = Vec::new();
    windows.for_each(text, None, |window| hashes.push(window.hash));
    hashes
}

fn fingerprints(text: &str, windows: &str) -> Vec<u64> {
    let windows: Windows = windows.parse().unwrap();
    let mut hashes = Vec::new();
    windows.fingerprints(text, |hash| hashes.push(hash));
    hashes
}

#[test]
fn windows_never_change() {
    let letter = |at: u32| char::from_u32(0x4e00 + at * 7919 % 20_000).unwrap();
    let long: String = (0..2000).map(letter).collect();
    let expected = [
        0xc6c8_bb3d_fa8e_8257_8ac5_2743_b680_1ace,
        0x606f_c9d7_3c1f_d57e_3c98_93b6_176f_2dc0,
    ];
    assert_eq!(windows("日本語の文書", "5 characters"), expected);
    let expected = [
        0xc067_3984_c70f_d328_1969_33f7_17cc_61a3,
        0x90af_6839_32ae_9093_3e0f_916a_8378_cdf1,
    ];
    assert_eq!(windows("to be or not", "3 words"), expected);
    assert_eq!(
        windows("TO be, or – ¬ｎｏｔ!", "3 normalized words"),
        expected
    );
    let step = |folded: u128, hash: u128| folded.wrapping_mul(0x100_0000_01b3) ^ hash;
    let folded = windows(&long, "1000 characters").into_iter().fold(0, step);
    assert_eq!(folded, 0x2aac_a395_5631_2bc2_b07d_2061_0edd_ac67);
}

#[test]
fn fingerprints_never_change() {
    let letter = |at: u32| char::from_u32(0x4e00 + at * 7919 % 20_000).unwrap();
    let long: String = (0..2000).map(letter).collect();
    let expected = [
        0xc6e9_6087_a9e4_1a63,
        0x5611_f0b6_60c5_bf2b,
        0xcc52_7c43_7d8e_268a,
        0xc6e9_6087_a9e4_1a63,
    ];
    assert_eq!(fingerprints("to be or not to be", "2 words"), expected);
    let step = |folded: u64, hash: u64| folded.wrapping_mul(0x100_0000_01b3) ^ hash;
    let folded = fingerprints(&long, "50 characters")
        .into_iter()
        .fold(0, step);
    assert_eq!(folded, 0xe3f9_ebe6_010b_759f);
}
