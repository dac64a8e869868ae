//! Arbitrary text: its parts cover it in order, and no rule, mask or signature crashes.

#![no_main]

use corpus_dedup::simhash::simhash;
use corpus_dedup::{MinHasher, Shingles};
use corpus_language::detect::detect;
use corpus_text::normalize::{Form, collapse_space, normalize, remove_citations, repair_mojibake, unify_width};
use corpus_text::parts::paragraphs;
use corpus_text::pii::{self, Kind};
use corpus_text::sentences::sentences;
use corpus_text::words::words;
use libfuzzer_sys::fuzz_target;

/// Whether the parts follow one another in the text.
fn are_in_order<'a>(text: &str, parts: impl Iterator<Item = &'a str>) -> bool {
    let mut rest = text;
    for part in parts {
        let Some(start) = rest.find(part) else {
            return false;
        };
        rest = &rest[start + part.len()..];
    }
    true
}

fuzz_target!(|data: &[u8]| {
    let text = &*String::from_utf8_lossy(data);
    assert!(are_in_order(text, paragraphs(text)), "paragraphs");
    assert!(are_in_order(text, sentences(text)), "sentences");
    assert!(are_in_order(text, words(text)), "words");
    let normal = normalize(text, Form::Nfkc);
    assert_eq!(normalize(&normal, Form::Nfkc), normal);
    let _ = (unify_width(text), remove_citations(text), repair_mojibake(text), collapse_space(text, true));
    let _ = (pii::mask(text, &Kind::ALL), detect(text));
    if let Ok(shingles) = Shingles::characters(5) {
        let _ = simhash(text, shingles);
        let hasher = MinHasher::new(shingles, 64);
        let _ = hasher.map(|mut hasher| hasher.signature(text).map(<[u32]>::to_vec));
    }
});
