//! Supervised models of [fastText](https://fasttext.cc), as its library reads them: dense (.bin)
//! and quantized (.ftz), with all its losses, n-grams of words and of characters, and pruned
//! dictionaries.
//!
//! Labels and probabilities are those of the library, except for rounding.

mod arguments;
mod best;
mod buckets;
mod dictionary;
mod error;
mod features;
mod input;
mod matrix;
mod model;
mod output;
#[cfg(test)]
mod tests;
mod tree;
mod word_cache;

pub use error::ModelError;
pub use model::{Model, Prediction, Scratch};
