//! Compiles the text of a query for Tantivy and for the highlights of snippets.
//!
//! ```text
//! lexer, operators  signs and words
//! parser            the tree, which is in ast
//! compile           the tree for an index: words (with terms, wildcard, expand), near, value
//! spans             runs what near has compiled
//! ```

mod ast;
mod compile;
mod expand;
mod lexer;
mod near;
mod operators;
mod parser;
mod spans;
mod terms;
mod value;
mod wildcard;
mod words;

pub use self::compile::{Highlight, Pattern, compile};
pub use self::parser::Operator;

#[cfg(test)]
mod tests;
