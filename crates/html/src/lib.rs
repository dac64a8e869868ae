#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! native     an engine without a tree: a tokenizer and a stack of open elements
//! tree       an engine that walks html5ever's tree
//! events     the events that both engines emit
//! hidden     elements whose content is not shown
//! json_ld    values in JSON-LD
//! engine     selects the engine
//! extract    listeners: text, paragraphs, links, metadata
//! main_text  extracts the article of a page
//! markdown   writes paragraphs with the marks of Markdown
//! select     finds elements by CSS selector, in the tree
//! streamed   moves late parts of a streamed page to their places
//! ```

pub mod engine;
pub mod events;
pub mod extract;
mod hidden;
mod json_ld;
pub mod main_text;
pub mod markdown;
pub mod native;
pub mod select;
mod streamed;
#[cfg(test)]
mod testing;
pub mod tree;

/// The model of the blocks that [`extract::blocks`] returns.
pub use corpus_blocks;
pub use engine::Engine;
pub use events::{Attributes, Element, Events, Options};
