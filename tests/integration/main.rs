//! All integration tests in one binary. They run in the root folder of the project.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[cfg(feature = "cluster")]
mod cluster;
mod command_line;
mod copy_target;
mod corpus_report;
mod csv_values;
mod data_files;
// The pages show the command line of a build without a cluster.
mod document_tables;
#[cfg(all(
    feature = "cloud",
    feature = "pdf",
    feature = "search",
    feature = "ui",
    not(feature = "cluster")
))]
mod documentation;
mod empty_files;
mod explain;
mod file_functions;
mod files;
mod html_paragraph_filters;
#[cfg(feature = "cloud")]
mod http;
mod jobs;
mod limits;
mod long_statements;
mod modules;
mod newcomers;
mod observer;
mod queries;
mod results;
mod resume;
mod row_counts;
#[cfg(feature = "search")]
mod search;
#[cfg(feature = "search")]
mod search_rows;
mod sinks;
mod slt;
mod support;
mod text_files;
#[cfg(feature = "ui")]
mod ui;
mod variables;
mod views;
mod warc;
mod warc_index;
mod warc_writing;
