//! The argument without an option: a statement, a file of statements, or data for a view.

use std::path::Path;

use corpus_bytes::compression::strip_compression_extension;

use super::args::Input;
use crate::jobs;
use crate::similar_names::nearest;
use crate::statements::script::Failure;

/// First words of statements.
const STATEMENTS: &[&str] = &[
    "alter",
    "analyze",
    "attach",
    "call",
    "copy",
    "create",
    "deallocate",
    "delete",
    "desc",
    "describe",
    "drop",
    "execute",
    "explain",
    "export",
    "from",
    "insert",
    "merge",
    "pivot",
    "pragma",
    "prepare",
    "reset",
    "select",
    "set",
    "show",
    "summarize",
    "table",
    "truncate",
    "unpivot",
    "update",
    "use",
    "values",
    "with",
];

/// Subcommands to suggest for a misspelled word.
const SUBCOMMANDS: &[&str] = &["jobs", "run", "ui"];

/// Separates data from statements. Arguments without an option become files, commands or data.
pub fn resolve(inputs: Vec<Input>) -> Result<(Option<String>, Vec<Input>), Failure> {
    let mut data = None;
    let mut resolved = Vec::with_capacity(inputs.len());
    for input in inputs {
        match input {
            Input::Positional(text) if text == "-" => resolved.push(Input::File(text)),
            Input::Positional(text) if is_data(&text) => data = Some(text),
            Input::Positional(text) if text.to_lowercase().ends_with(".sql") => {
                resolved.push(Input::File(text));
            }
            Input::Positional(text) if !is_statement(&text) => {
                return Err(Failure::Usage(unknown(&text)));
            }
            other => resolved.push(other),
        }
    }
    Ok((data, resolved))
}

/// Whether this is an existing file or folder without statements, a URL, or a pattern of paths.
fn is_data(text: &str) -> bool {
    let is_sql = text.to_lowercase().ends_with(".sql");
    let path = Path::new(text);
    if path.exists() {
        return path.is_dir() || !is_sql;
    }
    let is_word = !text.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ';' | '\''));
    is_word && !is_sql && (text.contains("://") || text.contains(['*', '?', '[']))
}

fn is_statement(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with("--") || text.starts_with("/*") || text.starts_with('(') {
        return true;
    }
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let word = word.to_lowercase();
    let is_known = STATEMENTS.contains(&&*word);
    // The parser explains a misspelled first word.
    let is_near = || nearest(&word, STATEMENTS.iter().copied()).is_some();
    let ends_word = |c: char| c.is_whitespace() || matches!(c, '*' | '(' | '\'' | '"' | ';');
    if rest.starts_with(ends_word) {
        is_known || is_near()
    } else {
        is_known && rest.is_empty()
    }
}

fn unknown(text: &str) -> String {
    let command = |suggestion: &str| {
        format!("'{text}' is not a file, folder, URL or statement; did you mean: {suggestion}")
    };
    if let Ok(job) = jobs::find(text) {
        return command(&format!("corpus-sql run {}", job.name));
    }
    if let Some(name) = nearest(text, SUBCOMMANDS.iter().copied()) {
        return command(&format!("corpus-sql {name}"));
    }
    let names = jobs::JOBS.iter().map(|job| job.name);
    if let Some(name) = nearest(text, names) {
        return command(&format!("corpus-sql run {name}"));
    }
    if text.contains(char::is_whitespace) {
        return format!("'{text}' is neither a statement nor an existing file or folder");
    }
    format!("no file or folder '{text}'")
}

/// Marks the names of files and folders that could be those of tables.
pub fn location(text: &str) -> String {
    let path = Path::new(text);
    if path.is_dir() && !text.ends_with(['/', '\\']) {
        format!("{text}/")
    } else if path.is_file() && !text.contains(['/', '.']) {
        format!("./{text}")
    } else {
        text.to_owned()
    }
}

/// The name of the view of a file or folder: the last part of its path without extensions, in
/// characters that need no quotes.
pub fn view_name(location: &str) -> String {
    let path = location
        .split(['?', '#'])
        .next()
        .filter(|_| location.contains("://"));
    let path = path.unwrap_or(location).trim_end_matches(['/', '\\']);
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = strip_compression_extension(file);
    let stem = match stem.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.contains(['*', '-', ' ']) => stem,
        _ => stem,
    };
    let mut name = String::new();
    for c in stem.to_lowercase().chars() {
        if c.is_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "data".to_owned(),
        Some(c) if c.is_numeric() => format!("_{name}"),
        Some(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_have_names_that_need_no_quotes() {
        for (location, name) in [
            ("crawl.warc.gz", "crawl"),
            ("data/CC-MAIN-2024-10.warc.gz", "cc_main_2024_10"),
            ("s3://bucket/a.b.parquet", "a_b"),
            ("https://example.org/x.csv.zst", "x"),
            ("scans/", "scans"),
            ("2024.csv", "_2024"),
            ("crawl/*.warc.gz", "data"),
            ("./", "data"),
            (".hidden", "hidden"),
            ("本.parquet", "本"),
            ("my scan (1).pdf", "my_scan_1"),
        ] {
            assert_eq!(view_name(location), name, "{location}");
        }
    }

    #[test]
    fn statements_are_distinguished_from_paths() {
        for sql in [
            "SELECT 1",
            "from x",
            "SHOW TABLES",
            "SELCT 1",
            "-- a\nSELECT 1",
            "(SELECT 1)",
            "VALUES(1)",
            "SELECT*FROM 'a.b'",
        ] {
            assert!(is_statement(sql), "{sql}");
            assert!(!is_data(sql), "{sql}");
        }
        for text in [
            "crawl/",
            "from/a",
            "jbos",
            "select.csv",
            "set-1.warc",
            "two words",
        ] {
            assert!(!is_statement(text), "{text}");
        }
        for text in ["s3://bucket/a", "crawl/*.gz", "src", "Cargo.toml"] {
            assert!(is_data(text), "{text}");
        }
    }

    #[test]
    fn misspelled_subcommands_and_bare_jobs_are_recognized() {
        assert!(unknown("jbos").ends_with("corpus-sql jobs"));
        assert!(unknown("warc_to_document").ends_with("corpus-sql run warc_to_document"));
        assert!(unknown("nosuch.warc.gz").starts_with("no file"));
    }
}
