//! Supervised models of [fastText](https://fasttext.cc), as its library reads them: dense (.bin)
//! and quantized (.ftz), with all its losses, n-grams of words and of characters, and pruned
//! dictionaries.
//!
//! Labels and probabilities are those of the library, except for rounding.
//!
//! ```text
//! model       models and predictions
//! input       the fields of a file
//! arguments   the header of a file
//! dictionary  words and labels
//! matrix      matrices, dense or quantized
//! features    the vector of a text
//! buckets     rows of n-grams
//! word_cache  sums of rows of recent words
//! output      probabilities of labels
//! tree        hierarchical softmax
//! best        the likeliest labels
//! error       errors of files
//! ```

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

pub use dictionary::LABEL_PREFIX;
pub use error::ModelError;
pub use model::{Model, Prediction, Scratch};
