//! The built-in model, which finds the languages that the words of a script may be in.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::script::Script;
use crate::fasttext::{LABEL_PREFIX, Model, Scratch};

/// Made by `benches/language_model.py`.
const BYTES: &[u8] = include_bytes!("model.ftz");

/// A language with its probability among those of the script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub language: &'static str,
    pub probability: f32,
}

/// Returns the model. A test checks that it can be parsed.
fn model() -> Option<&'static Model> {
    static MODEL: OnceLock<Option<Model>> = OnceLock::new();
    MODEL.get_or_init(|| Model::from_bytes(BYTES).ok()).as_ref()
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Returns the language and the script of a label such as `__label__de_Latn`.
fn parts(label: &'static str) -> Option<(&'static str, &'static str)> {
    label.strip_prefix(LABEL_PREFIX)?.split_once('_')
}

/// Returns the languages that words may be in, the likeliest first.
pub(super) fn candidates(words: &str, script: Script) -> Vec<Candidate> {
    let Some(model) = model().filter(|_| !words.is_empty()) else {
        return Vec::new();
    };
    // Keeps frequent words from text to text.
    let predictions =
        SCRATCH.with_borrow_mut(|scratch| model.predict_with(scratch, words, usize::MAX, 0.0));
    let mut candidates: Vec<Candidate> = predictions
        .iter()
        .filter_map(|found| {
            let (language, of_script) = parts(found.label)?;
            (of_script == script.code()).then_some(Candidate {
                language,
                probability: found.probability,
            })
        })
        .collect();
    let sum: f32 = candidates.iter().map(|found| found.probability).sum();
    for candidate in &mut candidates {
        candidate.probability /= sum;
    }
    candidates
}

/// All languages of the model, with the codes of their scripts.
pub(super) fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    model()
        .into_iter()
        .flat_map(Model::labels)
        .filter_map(parts)
}
