//! Arbitrary bytes as a page of unknown charset, with an arbitrary declaration.

#![no_main]

use corpus_charset::{decode_page, detect};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Option<&str>, &[u8])| {
    let (declared, page) = input;
    let (text, detected) = decode_page(page, declared, None);
    assert_eq!(detected, detect(page, declared, None));
    assert!((0.0..=1.0).contains(&detected.confidence));
    assert!(text.len() <= 3 * page.len() + 3);
});
