//! Compares the engine with html5ever's tree.

mod hostile_pages;
mod oracle;
mod pages_of_rules;
mod references_and_attributes;
mod shown_text;
mod soup;
