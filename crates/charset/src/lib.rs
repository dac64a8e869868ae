#![doc = include_str!("../README.md")]

mod content_type;
mod declaration;
mod decode;
mod detect;
mod detected;
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
pub use detected::{Detected, Source};
pub use label::Charset;
