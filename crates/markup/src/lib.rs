#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! tokenizer   tags, text and comments
//! name        names of elements
//! attributes  attributes of a tag
//! references  character references
//! raw_text    the end of scripts and the like
//! bytes       classes of bytes
//! ending      detects truncated documents
//! xhtml       XHTML as HTML
//! ```

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
