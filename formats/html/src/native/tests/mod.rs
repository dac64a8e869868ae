//! The engine beside html5ever, whose tree is walked.

mod hostile_pages;
mod oracle;
mod pages_of_rules;
mod references_and_attributes;
mod soup;
