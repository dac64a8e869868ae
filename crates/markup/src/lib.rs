#![doc = include_str!("../README.md")]

pub mod attributes;
mod bytes;
pub mod ending;
mod name;
mod raw_text;
pub mod references;
mod tokenizer;
pub mod xhtml;

pub use attributes::{Attribute, NameFilter, RawAttributes};
pub use bytes::{find_in_blocks, positions};
pub use name::{KNOWN, Name};
pub use tokenizer::{Syntax, Tag, Token, Tokenizer};
