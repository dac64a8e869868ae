#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! bytes -> isolation -> engine -> Info, Page, Page, …
//!          a worker     open        hayro-syntax opens the file; odd_tokens and object_streams help it
//!          process      pages       the page tree
//!                       unreadable  whether the file has to be mended further
//!                       structure   metadata, outline, links, form fields
//!                       content     what a page draws: glyphs and their places
//!                       fonts       what codes mean
//!                       layout      words, lines, blocks, reading order
//! ```
//!
//! `model` is what goes from one to the next, `glyphs` what goes from `content` to `layout`;
//! `budget` bounds a document from within; `quality` judges its text.

mod budget;
mod content;
pub mod engine;
mod fonts;
mod glyphs;
pub mod isolation;
mod layout;
pub mod model;
mod object_streams;
mod odd_tokens;
mod open;
mod pages;
mod panics;
pub mod quality;
mod structure;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod unreadable;

pub use isolation::{Isolation, Outcome, StartError, read_in_thread as read};
pub use model::*;
