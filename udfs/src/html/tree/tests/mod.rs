//! Tests of the tree engine.

mod guards;
mod oracle;
mod soup;
