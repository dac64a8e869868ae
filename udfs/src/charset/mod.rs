//! The charset of a page, and its text.
//!
//! A byte order mark decides. Then what can only be UTF-16 or UTF-32, valid UTF-8, and the escape
//! sequences of ISO-2022-JP. What remains is judged by likelihood: for every charset, how
//! surprising is the text that a sample of the bytes would be? What is declared, and the top-level
//! domain, make a charset more likely beforehand. So a declaration stands as long as the page
//! reads about as well with it as with anything else, and falls when it does not, and damaged
//! bytes cost every charset about the same.

mod declaration;
mod decode;
mod detect;
pub mod documents;
mod label;
mod languages;
mod multi_byte;
mod repeats;
mod sample;
mod single_byte;
pub mod sql;
#[cfg(test)]
mod tests;
mod top_level_domain;
mod wide;

pub use decode::decode;
pub use detect::{Detected, Source, decode_page, detect};
pub use label::Charset;
