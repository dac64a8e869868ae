//! Arbitrary bytes as a fastText model: it is rejected, or it predicts labels without a crash.

#![no_main]

use corpus_language::fasttext::Model;
use libfuzzer_sys::fuzz_target;

/// The magic number and the version of fastText models.
const START: [u8; 8] = [0xba, 0x16, 0x4f, 0x2f, 12, 0, 0, 0];

fuzz_target!(|data: &[u8]| {
    let model = [&START, data].concat();
    let Ok(model) = Model::from_bytes(&model) else {
        return;
    };
    for text in ["", "a", "some words of text", "日本語の文章です。", "\0\u{fffd}"] {
        for prediction in model.predict(text, 3, 0.0) {
            assert!(!prediction.probability.is_nan(), "{text}");
        }
    }
});
