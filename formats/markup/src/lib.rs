#![doc = include_str!("../README.md")]

pub mod attributes;
mod bytes;
mod known;
mod name;
mod raw_text;
pub mod references;
mod tokenizer;

pub use attributes::{Attribute, NameFilter, RawAttributes};
pub use known::KNOWN;
pub use name::Name;
pub use tokenizer::{Syntax, Tag, Token, Tokenizer};
