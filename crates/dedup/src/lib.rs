#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! words       finds and hashes words
//! shingles    sequences of n characters or words
//! hash        hashes of texts and ids
//! minhash     MinHash signatures
//! simhash     SimHash
//! bands       locality-sensitive hashing
//! jaccard     the Jaccard similarity of sets of shingles
//! windows     long passages that texts share
//! components  connected components
//! ```

pub mod bands;
pub mod components;
pub mod hash;
pub mod jaccard;
pub mod minhash;
pub mod shingles;
pub mod simhash;
pub mod windows;
mod words;

pub use minhash::MinHasher;
pub use shingles::Shingles;
pub use windows::Windows;

use std::fmt;

/// A parameter outside the allowed range. The message lists the allowed values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterError(String);

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParameterError {}

/// Checks that a parameter is from 1 to `max`.
fn check_range(name: &str, value: usize, max: usize) -> Result<usize, ParameterError> {
    if (1..=max).contains(&value) {
        return Ok(value);
    }
    let message = format!("{name}: expected a number from 1 to {max}, got {value}");
    Err(ParameterError(message))
}
