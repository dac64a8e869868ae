//! Turns the text of a query into what Tantivy runs, and what snippets highlight.

mod ast;
mod compile;
mod expand;
mod lexer;
mod parser;
mod terms;
mod value;

pub use self::compile::{Highlight, Pattern, compile};
pub use self::parser::Operator;

#[cfg(test)]
mod tests;
