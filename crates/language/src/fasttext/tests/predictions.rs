use corpus_bytes::random::Random;
use corpus_bytes::step_counter::assert_linear;

use super::super::{Model, Scratch};
use super::reference::probabilities;
use super::writer::{HIERARCHICAL, ONE_VS_ALL, SOFTMAX, Sketch, sketches};

const TEXTS: [&str; 12] = [
    "",
    " \t\r\n\0",
    "the end of la France",
    "日本 日本語と English の混在。",
    "__label__en the __label__unknown",
    "one\ntwo\x0bthree\u{a0}four a\u{a0}b",
    "the </s> of est",
    "é è e\u{301} 𠀋𠀋 ñ",
    "שלום עולם مرحبا بالعالم",
    "ภาษาไทยไม่มีช่องว่าง",
    "x",
    "\u{fffd}\u{0}\u{feff}abc",
];

fn model(sketch: &Sketch) -> Model {
    Model::from_bytes(&sketch.bytes()).unwrap()
}

#[test]
fn predictions_are_those_of_the_plain_way() {
    let random = &mut Random(7);
    let mut scratch = Scratch::default();
    for sketch in sketches(random) {
        let model = model(&sketch);
        for text in TEXTS {
            let found = model.predict_with(&mut scratch, text, 10, 0.0);
            let expected = probabilities(&sketch, text).unwrap_or_default();
            // fastText leaves out labels below 0.00001, if it finds them on a way through a tree.
            let unlikely = expected.values().filter(|wanted| **wanted < 1e-4).count();
            let fewest = expected.len() - usize::from(sketch.loss == HIERARCHICAL) * unlikely;
            assert!((fewest..=expected.len()).contains(&found.len()), "{text:?}");
            assert!(found.is_sorted_by(|left, right| left.probability >= right.probability));
            for prediction in found {
                let wanted = expected[prediction.label];
                // Between two steps of the table, rounding decides.
                let has_steps = ![SOFTMAX, HIERARCHICAL].contains(&sketch.loss);
                let tolerance = if has_steps { 0.01 } else { 1e-4 };
                let difference = (f64::from(prediction.probability) - wanted).abs();
                assert!(difference < tolerance, "{text:?}: {prediction:?}, {wanted}");
            }
        }
    }
}

#[test]
fn many_labels_are_those_of_the_plain_way() {
    let random = &mut Random(4);
    for (loss, count) in [
        (SOFTMAX, 75),
        (ONE_VS_ALL, 33),
        (SOFTMAX, 32),
        (HIERARCHICAL, 16),
    ] {
        let mut sketch = Sketch::new(random, loss);
        sketch.dimension = 20;
        sketch.labels = (0..count)
            .map(|number| (format!("__label__{number}"), 2 * count - number))
            .collect();
        sketch.fill(random);
        let model = model(&sketch);
        let expected = probabilities(&sketch, "the of est").unwrap();
        let found = model.predict("the of est", usize::MAX, 0.0);
        assert!(!found.is_empty());
        for prediction in found {
            let difference = f64::from(prediction.probability) - expected[prediction.label];
            let tolerance = if loss == ONE_VS_ALL { 0.01 } else { 1e-4 };
            assert!(difference.abs() < tolerance, "{prediction:?}");
        }
    }
}

#[test]
fn words_of_earlier_texts_change_nothing() {
    let random = &mut Random(12);
    for sketch in sketches(random) {
        let model = model(&sketch);
        let mut scratch = Scratch::default();
        for text in TEXTS.iter().cycle().take(3 * TEXTS.len()) {
            let again = model.predict_with(&mut scratch, text, 10, 0.0);
            assert_eq!(again, model.predict(text, 10, 0.0), "{text:?}");
        }
    }
}

#[test]
fn only_the_likeliest_labels_are_returned() {
    for loss in [SOFTMAX, HIERARCHICAL, ONE_VS_ALL] {
        let model = model(&Sketch::new(&mut Random(3), loss));
        let all = model.predict("the of", usize::MAX, 0.0);
        assert_eq!(all.len(), 5);
        for k in 0..5 {
            assert_eq!(model.predict("the of", k, 0.0), all[..k]);
        }
        let threshold = all[1].probability - 1e-3;
        assert_eq!(model.predict("the of", 5, threshold), all[..2]);
        assert_eq!(model.predict("the of", 5, 1.1), []);
    }
}

#[test]
fn a_model_says_what_it_is() {
    let model = model(&Sketch::new(&mut Random(3), SOFTMAX));
    let labels: Vec<&str> = model.labels().collect();
    assert_eq!(labels[0], "__label__en");
    assert_eq!(labels.len(), 5);
    assert_eq!(model.dimension(), 7);
}

#[test]
fn a_text_without_known_words_has_no_labels() {
    let mut sketch = Sketch::new(&mut Random(3), SOFTMAX);
    sketch.words[0] = "other".to_owned();
    let model = model(&sketch);
    assert_eq!(model.predict("unknown words", 1, 0.0), []);
    assert_eq!(model.predict("unknown the", 1, 0.0).len(), 1);
}

#[test]
fn many_buckets_are_found_without_a_table_of_all() {
    let mut sketch = Sketch::new(&mut Random(5), SOFTMAX);
    sketch.max_chars = 3;
    sketch.min_chars = 1;
    sketch.bucket = i32::MAX;
    let bucket = "abc".bytes().fold(2_166_136_261, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    }) % i32::MAX as u32;
    sketch.pruned = Some(vec![(bucket as i32, 0)]);
    sketch.fill(&mut Random(5));
    let model = model(&sketch);
    for text in ["abcd", "abd"] {
        let found = model.predict(text, 1, 0.0);
        let expected = probabilities(&sketch, text).unwrap()[found[0].label];
        assert!((f64::from(found[0].probability) - expected).abs() < 1e-4);
    }
    assert_ne!(model.predict("abcd", 1, 0.0), model.predict("abd", 1, 0.0));
}

#[test]
fn work_grows_with_the_text() {
    let random = &mut Random(11);
    let mut sketch = Sketch::new(random, SOFTMAX);
    (sketch.bucket, sketch.word_ngrams) = (100, 3);
    (sketch.min_chars, sketch.max_chars) = (1, 6);
    sketch.fill(random);
    let model = model(&sketch);
    for part in [
        "a",
        "a ",
        "日",
        "日本 ",
        "\0",
        " ",
        "</s",
        "__label__ ",
        "the of ",
    ] {
        assert_linear(
            part,
            |parts| part.repeat(parts),
            |text| {
                model.predict(text, 1, 0.0);
            },
        );
    }
}
