//! From the text of a query to what Tantivy runs, and to what is highlighted.

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
