//! The README is true: its tables are made from the code.
//! `UPDATE_EXPECTED=1` rewrites them.

use std::fmt::Write as _;
use std::fs;

use corpus_sql::settings::CorpusSettings;
use corpus_sql::sources::{formats, register::function_name};
use datafusion::common::config::ExtensionOptions;

use super::support::{files_in, root};

fn one_line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

fn sources() -> String {
    let mut table =
        "| `STORED AS` | function | columns | options |\n| --- | --- | --- | --- |\n".to_owned();
    for format in formats() {
        let columns: Vec<_> = format
            .columns()
            .iter()
            .map(|c| format!("`{}`", c.name))
            .collect();
        let options: Vec<_> = format
            .options()
            .iter()
            .map(|(name, help)| format!("`{name}`: {}", one_line(help)))
            .collect();
        let _ = writeln!(
            table,
            "| `{}` | `{}` | {} | {} |",
            format.name(),
            function_name(format.as_ref()),
            columns.join(", "),
            options.join("; ")
        );
    }
    table
}

fn functions() -> String {
    let mut table = "| function | what it does |\n| --- | --- |\n".to_owned();
    for function in corpus_udfs::functions() {
        let documentation = function.documentation().unwrap_or_else(|| {
            panic!("{} has no documentation", function.name());
        });
        assert!(
            documentation.sql_example.is_some(),
            "{} has no example",
            function.name()
        );
        let _ = writeln!(
            table,
            "| `{}` | {} |",
            documentation.syntax_example,
            one_line(&documentation.description)
        );
    }
    table
}

fn settings() -> String {
    let mut table = "| setting | default | what it is for |\n| --- | --- | --- |\n".to_owned();
    for entry in CorpusSettings::default().entries() {
        let _ = writeln!(
            table,
            "| `{}` | `{}` | {} |",
            entry.key,
            entry.value.unwrap_or_default(),
            one_line(entry.description)
        );
    }
    table
}

/// A query describes itself in the comment that it begins with, up to the first empty line.
fn queries() -> String {
    let mut table = "| query | what it does |\n| --- | --- |\n".to_owned();
    for file in files_in("queries", ".sql") {
        let text = fs::read_to_string(&file).unwrap();
        let description: Vec<_> = text
            .lines()
            .map_while(|line| line.strip_prefix("-- "))
            .collect();
        assert!(
            !description.is_empty(),
            "{} does not describe itself",
            file.display()
        );
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let _ = writeln!(table, "| `{name}` | {} |", one_line(&description.join(" ")));
    }
    table
}

#[test]
fn the_tables_of_the_readme_are_those_of_the_code() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut updated = readme.clone();
    for (name, table) in [
        ("sources", sources()),
        ("functions", functions()),
        ("settings", settings()),
        ("queries", queries()),
    ] {
        let begin = format!("<!-- {name}: made by the tests -->\n");
        let start = updated
            .find(&begin)
            .unwrap_or_else(|| panic!("README has no {begin}"))
            + begin.len();
        let end = start + updated[start..].find("<!-- end -->").unwrap();
        updated.replace_range(start..end, &table);
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, &updated).unwrap();
    } else {
        assert_eq!(
            readme, updated,
            "UPDATE_EXPECTED=1 cargo test documentation rewrites README"
        );
    }
}
