#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! words        splits text into words
//! japanese     splits Japanese text into words
//! sentences    splits text into sentences
//! lines        lines and paragraphs
//! parts        parts of a text with their positions
//! normalize    Unicode forms, width, invisible characters, white space
//! characters   counts characters by class
//! properties   the properties of characters
//! repetition   repeated lines, paragraphs and sequences of words
//! compression  compression ratios
//! quality      the quality rules of published corpora
//! pii          personal data
//! boilerplate  passages that many pages repeat
//! word_list    searches a text for the words of a list
//! lists        the syntax of lists, and lists in the crate
//! url          parts of URLs, registered domains and block lists
//! hashing      fast hash tables of small texts
//! ```

pub mod boilerplate;
pub mod characters;
pub mod compression;
mod hashing;
pub mod japanese;
pub mod lines;
pub mod lists;
pub mod normalize;
pub mod parts;
pub mod pii;
mod properties;
pub mod quality;
pub mod repetition;
pub mod sentences;
pub mod url;
pub mod word_list;
pub mod words;
