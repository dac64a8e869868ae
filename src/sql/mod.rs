//! From text to a logical plan: the SQL of a session, beyond DataFusion's.
//!
//! ```text
//! dialect          parses and plans statements
//! macros           CREATE MACRO
//! parameters       values for $name
//! aliases          aliases that the same SELECT uses again
//! document_tables  the tables web_pages, documents and others, in SQL
//! virtual_columns  the columns filename and file_name
//! query_table      tables and queries that are given as texts
//! table_functions  named arguments; names scans after the calls of table functions
//! expressions      patterns on bytes, powers, fields of structs
//! summarize        SUMMARIZE
//! syntax           helpers for rewriting parsed SQL
//! walk             visits parsed SQL
//! identifiers      compares names
//! locations        byte offsets of lines and columns
//! missing_names    columns and fields that do not exist
//! types            names of types
//! suggestions      what to write instead of unknown functions and unsupported clauses
//! ```

pub mod aliases;
pub mod dialect;
pub mod document_tables;
pub mod expressions;
mod identifiers;
pub mod locations;
pub mod macros;
pub mod missing_names;
pub mod parameters;
pub mod query_table;
pub mod suggestions;
pub mod summarize;
pub mod syntax;
pub mod table_functions;
pub mod types;
pub mod virtual_columns;
pub mod walk;
