#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! detect    detects languages, without files
//! fasttext  models of fastText
//! ```

pub mod detect;
pub mod fasttext;
