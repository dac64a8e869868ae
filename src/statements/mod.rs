//! Runs scripts of statements, for the command line and for Python.
//!
//! ```text
//! script            the statements of a file, an option or the terminal
//! split             splits a script into statements
//! variables         ${name} in scripts
//! substitution      replaces variables by values and columns
//! variable_checks   misspelled and unused variables
//! document_columns  the columns of an input with texts and keys
//! own_output        refuses outputs that would replace inputs, or be read as such
//! place             the place in a statement that an error is about
//! execution         plans and runs a statement, and reports events
//! written_targets   the targets of COPY and INSERT
//! progress          the progress of a statement
//! summary           the counts of a run
//! titles            titles of result columns
//! reset             RESET corpus.…
//! stored_as         checks the format after STORED AS
//! show_functions    SHOW FUNCTIONS
//! show_tables       SHOW TABLES
//! ```

mod document_columns;
pub mod execution;
mod own_output;
pub mod place;
pub mod progress;
mod reset;
pub mod script;
pub mod show_functions;
pub mod show_tables;
pub mod split;
mod stored_as;
pub mod substitution;
pub mod summary;
mod titles;
pub mod variable_checks;
pub mod variables;
pub mod written_targets;
