//! The README is up to date: its tables are generated from the code. `UPDATE_EXPECTED=1` rewrites
//! them.

use std::fmt::Write as _;
use std::fs;

use corpus_sql::session::{SessionOptions, session};
use corpus_sql::settings::CorpusSettings;
use corpus_sql::sources::{formats, register::function_name};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::config::ExtensionOptions;

use super::support::{files_in, root, run, use_built_binary_as_worker};

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

fn sinks() -> String {
    let mut table =
        "| `STORED AS` | ending | what it writes | options |\n| --- | --- | --- | --- |\n"
            .to_owned();
    for format in corpus_sql::sinks::formats() {
        let options = format.options().iter();
        let options: Vec<_> = options
            .map(|(name, help)| format!("`{name}`: {}", one_line(help)))
            .collect();
        let _ = writeln!(
            table,
            "| `{}` | `.{}` | {} | {} |",
            format.name(),
            format.ending(),
            one_line(format.description()),
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

/// Each query is described by the comment at its start, up to the first empty line.
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
fn the_tables_of_the_readme_match_the_code() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut updated = readme.clone();
    for (name, table) in [
        ("sources", sources()),
        ("sinks", sinks()),
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

/// The statement and the result of an example: `> SELECT …;`, followed by a line per row with
/// values separated by `, `.
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
async fn the_examples_of_functions_have_the_documented_results() {
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
    let names = corpus_udfs::functions();
    let tables = ["read_warc", "read_pdf", "search", "generate_series"];
    let names = names.iter().map(|function| function.name()).chain(tables);
    for name in names {
        assert!(shown.contains(&format!("| {name}(")), "{name} is missing");
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
