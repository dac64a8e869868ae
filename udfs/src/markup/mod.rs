//! Markup as a stream: a pull tokenizer for HTML and XML over a text in memory, element names,
//! attributes that are read on demand, and character references. It builds nothing and knows
//! nothing of nesting: who calls it does.

pub mod attributes;
mod bytes;
mod known;
mod name;
mod raw_text;
pub mod references;
mod tokenizer;

pub use attributes::{Attribute, RawAttributes, Seen};
pub use known::KNOWN;
pub use name::Name;
pub use tokenizer::{Syntax, Tag, Token, Tokenizer};
