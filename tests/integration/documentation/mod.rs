//! Tests the documentation: some sections are generated from the code, the commands run, and the
//! targets of links exist. `UPDATE_EXPECTED=1` rewrites generated parts and the output of commands.
//!
//! ```text
//! pages      the pages
//! reference  generated parts
//! figures    the figures of README.md and docs/comparison.md
//! commands   commands and their output
//! ```

#[cfg(target_os = "linux")]
mod commands;
mod figures;
mod pages;
mod reference;

use std::collections::BTreeSet;

use corpus_sql::session::{SessionOptions, session};
use corpus_udfs::is_internal;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

use super::support::{root, run, use_built_binary_as_worker};
use pages::{lock_pages, pages};

#[test]
fn generated_parts_are_those_of_the_code() {
    let _lock = lock_pages();
    let parts = reference::parts();
    let mut found = BTreeSet::new();
    for page in pages() {
        let mut updated = page.text.clone();
        for (name, range) in page.generated_parts().into_iter().rev() {
            let part = parts.get(name);
            let part = part.unwrap_or_else(|| panic!("{}: no part '{name}'", page.name()));
            updated.replace_range(range, part);
            found.insert(name.to_owned());
        }
        page.check(&updated);
    }
    let missing: Vec<_> = parts.keys().filter(|name| !found.contains(*name)).collect();
    assert!(
        missing.is_empty(),
        "no page has the generated parts {missing:?}"
    );
}

#[test]
fn links_of_the_documentation_lead_to_files() {
    for page in pages() {
        for file in page.linked_files() {
            assert!(file.exists(), "{} links to {}", page.name(), file.display());
        }
    }
}

/// The statement and the result of an example: `> SELECT …;`, then a line per row, values
/// separated by `, `.
fn example(text: &str) -> (String, String) {
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with("```"))
        .collect();
    let end = lines.iter().position(|line| line.ends_with(';')).unwrap();
    let statement = lines[..=end].join("\n");
    let statement = statement.strip_prefix("> ").unwrap().to_owned();
    (statement, lines[end + 1..].join("\n"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_functions_are_true() {
    std::env::set_current_dir(root()).unwrap();
    use_built_binary_as_worker();
    for function in corpus_udfs::functions() {
        let documentation = function.documentation().unwrap();
        let (statement, expected) = example(documentation.sql_example.as_deref().unwrap());
        let context = session(&SessionOptions::default()).unwrap();
        let batches = context
            .sql(&statement)
            .await
            .unwrap()
            .collect()
            .await
            .unwrap();
        let options = FormatOptions::new().with_null("NULL");
        let mut rows = Vec::new();
        for batch in &batches {
            for row in 0..batch.num_rows() {
                let columns = batch.columns().iter();
                let values = columns.map(|column| {
                    let formatter = ArrayFormatter::try_new(column.as_ref(), &options).unwrap();
                    formatter.value(row).to_string()
                });
                rows.push(values.collect::<Vec<_>>().join(", "));
            }
        }
        assert_eq!(rows.join("\n"), expected, "{}", function.name());
    }
}

#[test]
fn show_functions_documents_all_functions_in_100_columns() {
    let ran = run(["-q", "-c", "SHOW FUNCTIONS"]);
    let shown = ran.succeeded();
    for line in shown.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let functions = corpus_udfs::functions();
    let listed = run([
        "-q",
        "--format",
        "csv",
        "-c",
        "SELECT name FROM corpus_functions()",
    ]);
    let names: BTreeSet<_> = listed.succeeded().lines().collect();
    let is_shown = |name: &str| names.contains(name);
    for function in &functions {
        let name = function.name();
        assert_eq!(is_shown(name), !is_internal(function), "{name}");
    }
    for name in ["read_warc", "read_pdf", "search", "generate_series"] {
        assert!(is_shown(name), "{name} is missing");
    }
    let html = run(["-q", "-c", "SHOW FUNCTIONS LIKE 'HTML%'"]);
    assert!(
        html.succeeded().contains("| html_links("),
        "{}",
        html.stdout
    );
    assert!(!html.stdout.contains("| http_"), "{}", html.stdout);
    let csv = run([
        "-q",
        "--format",
        "csv",
        "-c",
        "SHOW FUNCTIONS LIKE 'url_surt'",
    ]);
    let header = "name,kind,syntax,returns,description\nurl_surt,scalar,url_surt(url),text,";
    assert!(csv.succeeded().starts_with(header), "{}", csv.stdout);
}
