#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! block       blocks and tables
//! text        text with inline marks
//! builder     collects blocks, and nests tables
//! layout      separates tables of data from layout
//! pages       finds the blocks of pages of lines
//! places      the places of the cells of tables
//! markdown    writes Markdown
//! plain_text  writes plain text
//! rows        tables as grids of texts
//! select      a part of the blocks
//! scripts     superscripts and subscripts in plain text
//! tex         formulas of Word and MathML as TeX
//! numerals    Roman numerals
//! characters  scripts without spaces, and from right to left
//! hyphens     words hyphenated at line ends
//! ```

pub mod block;
pub mod builder;
pub mod characters;
pub mod hyphens;
mod layout;
pub mod markdown;
pub mod numerals;
pub mod pages;
mod places;
pub mod plain_text;
pub mod rows;
pub mod scripts;
pub mod select;
pub mod tex;
pub mod text;

pub use block::{Block, Bounds, Cell, Item, Kind, Picture, Table};
pub use builder::Builder;
pub use text::{Mark, MarkKind, Text};
