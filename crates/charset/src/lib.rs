#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! detect            the steps of detection
//! detection         its result
//! declaration       charsets that a page declares
//! content_type      charsets that HTTP declares
//! label             the names of charsets
//! top_level_domain  charsets that are likely for a domain
//! utf_16_and_32     UTF-16 and UTF-32
//! judge             ranks the other charsets
//! sample            the part of a page that is judged
//! repeats           how varied a sample is
//! single_byte       the likelihood of single-byte charsets
//! multi_byte        the likelihood of multi-byte charsets
//! languages         letters by frequency
//! decode            decodes bytes
//! ```

mod content_type;
mod declaration;
mod decode;
mod detect;
mod detection;
mod judge;
mod label;
mod languages;
mod multi_byte;
mod repeats;
mod sample;
mod single_byte;
#[cfg(test)]
mod tests;
mod top_level_domain;
mod utf_16_and_32;

pub use content_type::{charset_of, media_type_of};
pub use decode::decode;
pub use detect::{decode_page, decode_text, detect};
pub use detection::{Detected, Source};
pub use label::Charset;
