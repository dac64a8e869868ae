#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! native     an engine: a tokenizer and a stack of open elements, no tree
//! tree       another: html5ever's tree, walked
//! events     what both emit while they read a page
//! engine     which of them reads a page
//! extract    listeners: text, paragraphs, links, metadata
//! main_text  the article of a page
//! select     elements by CSS selector, in the tree
//! ```

pub mod engine;
pub mod events;
pub mod extract;
pub mod main_text;
pub mod native;
pub mod select;
pub mod tree;

pub use engine::Engine;
pub use events::{Attributes, Element, Events, Options};
