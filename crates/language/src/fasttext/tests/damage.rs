use std::collections::HashMap;

use corpus_bytes::random::Random;

use super::super::Model;
use super::writer::{HIERARCHICAL, SOFTMAX, Sketch, Table, sketches};

fn error(bytes: &[u8]) -> String {
    match Model::from_bytes(bytes) {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string(),
    }
}

fn changed(change: impl FnOnce(&mut Sketch)) -> String {
    let mut sketch = Sketch::new(&mut Random(9), HIERARCHICAL);
    change(&mut sketch);
    error(&sketch.bytes())
}

#[test]
fn other_files_are_named() {
    assert_eq!(error(b""), "the model is empty; copy or download it again");
    let expected = "; expected a .bin or .ftz file of a supervised model";
    for (start, hint) in [
        (
            &b"\x1f\x8b\x08\x00"[..],
            " but a gzip file: decompress it first",
        ),
        (
            b"<!DOCTYPE html>",
            " but HTML or XML, such as the error page of a download",
        ),
        (
            b"version https://git-lfs",
            " but a pointer of Git LFS: fetch the file itself",
        ),
        (b"12345", ""),
    ] {
        let message = format!("not a fastText model{hint}{expected}");
        assert_eq!(error(start), message);
    }
    assert!(error(b"12").contains("truncated"));
}

#[test]
fn missing_files_and_folders_are_named() {
    let missing = Model::open("/missing/model.bin").err().unwrap().to_string();
    assert!(
        missing.starts_with("/missing/model.bin: cannot read the model: "),
        "{missing}"
    );
    let folder = Model::open(".").err().unwrap();
    assert!(folder.to_string().contains("not a file"), "{folder}");
}

#[test]
fn wrong_heads_are_explained() {
    for (message, wanted) in [
        (changed(|sketch| sketch.version = 13), "version 13"),
        (changed(|sketch| sketch.kind = 2), "no labels"),
        (changed(|sketch| sketch.kind = 9), "kind of model is 9"),
        (changed(|sketch| sketch.loss = 0), "the loss is 0"),
        (changed(|sketch| sketch.dimension = 0), "dimension is 0"),
        (changed(|sketch| sketch.max_chars = 1 << 30), "at most 64"),
        (changed(|sketch| sketch.word_ngrams = 65), "at most 64"),
        (changed(|sketch| sketch.bucket = -1), "bucket is -1"),
        (changed(|sketch| sketch.bucket = 1), "does not fit"),
        (changed(|sketch| sketch.labels.clear()), "no labels"),
        (changed(|sketch| sketch.labels[0].1 = -1), "occurs -1 times"),
        (
            changed(|sketch| sketch.pruned = Some(vec![(1, 0)])),
            "n-gram 1 of 0 has row 0 of 1",
        ),
    ] {
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn numbers_that_are_none_are_found() {
    let message = changed(|sketch| {
        if let Table::Dense(rows) = &mut sketch.output {
            rows[2][3] = f32::NAN;
        }
    });
    assert!(message.contains("the output matrix has a value that is not a number"));
}

#[test]
fn words_with_one_hash_do_not_take_quadratic_time() {
    let mut sketch = Sketch::new(&mut Random(9), SOFTMAX);
    let mut words = vec![String::new()];
    let mut start = 2_166_136_261;
    while words.len() < 1000 {
        let (pair, end) = colliding_pair(start);
        words = words
            .iter()
            .flat_map(|word| pair.iter().map(move |part| format!("{word}{part}")))
            .collect();
        start = end;
    }
    sketch.words = words;
    assert!(error(&sketch.bytes()).contains("too many words have the same hash"));
}

/// Returns two different strings that lead from this hash to the same one, and the result.
fn colliding_pair(start: u32) -> ([String; 2], u32) {
    let mut seen = HashMap::new();
    // Neighbors have different hashes.
    for number in (0u32..).map(|number| number.wrapping_mul(0x9e37_79b9)) {
        let digits = [28, 24, 20, 16, 12, 8, 4, 0].map(|shift| b'a' + (number >> shift & 15) as u8);
        let hash = digits.iter().fold(start, |hash, byte| {
            (hash ^ u32::from(*byte)).wrapping_mul(16_777_619)
        });
        if let Some(earlier) = seen.insert(hash, digits) {
            let pair = [earlier, digits];
            return (
                pair.map(|digits| String::from_utf8_lossy(&digits).into_owned()),
                hash,
            );
        }
    }
    unreachable!("there are more parts than hashes")
}

#[test]
fn cut_models_are_errors() {
    for sketch in sketches(&mut Random(21)).iter().step_by(11) {
        let bytes = sketch.bytes();
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 300) {
            let message = error(&bytes[..length]);
            assert!(message.contains("truncated") || length == 0, "{message}");
        }
        // The file is shorter than it was when it was opened.
        let read = Model::from_reader(&bytes[..bytes.len() / 2], bytes.len() as u64);
        assert!(read.is_err());
    }
}

#[test]
fn garbled_models_end_in_errors_or_predictions() {
    let random = &mut Random(33);
    let sketches = sketches(&mut Random(21));
    let (mut errors, mut predictions) = (0, 0);
    for sketch in sketches.iter().step_by(5) {
        let bytes = sketch.bytes();
        for _ in 0..200 {
            let mut garbled = bytes.clone();
            for _ in 0..=random.below(4) {
                // Mostly in the header and the dictionary, which determine sizes.
                let range = if random.below(4) > 0 {
                    400
                } else {
                    bytes.len()
                };
                let at = random.below(range.min(bytes.len()));
                garbled[at] = match random.below(3) {
                    0 => garbled[at] ^ 1 << random.below(8),
                    1 => 0xff,
                    _ => random.next_u64() as u8,
                };
            }
            if random.below(8) == 0 {
                garbled.truncate(random.below(bytes.len()));
            }
            let Ok(model) = Model::from_bytes(&garbled) else {
                errors += 1;
                continue;
            };
            let labels = model.predict("the of 日本 est la", 3, 0.0);
            assert!(labels.len() <= 3);
            predictions += usize::from(!labels.is_empty());
        }
    }
    assert!(errors > 100 && predictions > 100, "{errors} {predictions}");
}
