//! Formats errors for users.

use std::collections::HashSet;
use std::path::Path;

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

use crate::object_stores::{credentials, readable_errors};
use crate::sql::{missing_names, suggestions};

/// The bytes of a long error message that are kept at its start and at its end.
const MAX_MESSAGE_HALF_BYTES: usize = 2000;

/// Returns the text of an error for users: without the names of DataFusion's error kinds and
/// operators, and with advice if memory or disk space ran out. A value of megabytes is cut out.
pub fn message(error: &DataFusionError) -> String {
    let text = explain(error);
    if text.len() <= 2 * MAX_MESSAGE_HALF_BYTES {
        return text;
    }
    let start = text.floor_char_boundary(MAX_MESSAGE_HALF_BYTES);
    let end = text.ceil_char_boundary(text.len() - MAX_MESSAGE_HALF_BYTES);
    format!("{} … {}", &text[..start], &text[end..])
}

fn explain(error: &DataFusionError) -> String {
    if let DataFusionError::ResourcesExhausted(text) = error.find_root() {
        return exhausted(text);
    }
    let text = description(error);
    if let Some(limit) = spill_limit(&text) {
        return format!(
            "the query spilled more than the limit for temporary files, {limit}: raise it with \
             --temp-limit, or raise --memory-limit, so that less is spilled"
        );
    }
    if let Some(rejection) = credentials::rejection(&text) {
        return match text.split_once(": ") {
            Some((what, _)) if what.starts_with("cannot ") => format!("{what}: {rejection}"),
            _ => rejection,
        };
    }
    if text.contains("HTTP error: builder error") {
        return format!(
            "{}: the endpoint is http, not https, which AWS_ALLOW_HTTP, AZURE_ALLOW_HTTP or the \
             option allow_http forbids",
            text.split(": Generic ").next().unwrap_or_default()
        );
    }
    if let Some(answer) = readable_errors::readable(&text) {
        return answer;
    }
    if !is_full_disk(&text) {
        text
    } else if text.contains("cannot write") || text.contains("cannot be written") {
        format!("{text}; free some space there, or write to another disk")
    } else {
        format!(
            "the disk for temporary files is full: {text}; choose a folder on a larger disk with \
             --temp-dir, or raise --memory-limit, so that less is spilled"
        )
    }
}

/// The origin of an error, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The statement.
    Sql,
    /// The data that the statement reads.
    Data,
    /// A file system or an object store.
    Io,
    /// A limit, or the program itself.
    Other,
}

/// Returns the origin of an error.
pub fn cause(error: &DataFusionError) -> Cause {
    /// The beginnings of our messages about files, which have no separate kind of error.
    const ABOUT_FILES: &[&str] = &[
        "cannot read",
        "cannot write",
        "no such file",
        "no files",
        "no table or file",
    ];
    let root = error.find_root();
    let texts = [message(error), message(root)];
    let is_about_files = |text: &String| ABOUT_FILES.iter().any(|start| text.starts_with(start));
    if texts.iter().any(is_about_files) {
        return Cause::Io;
    }
    match root {
        DataFusionError::SQL(..)
        | DataFusionError::Plan(_)
        | DataFusionError::Configuration(_)
        | DataFusionError::SchemaError(..)
        | DataFusionError::NotImplemented(_)
        | DataFusionError::Diagnostic(..)
        | DataFusionError::Collection(_) => Cause::Sql,
        DataFusionError::IoError(_) | DataFusionError::ObjectStore(_) => Cause::Io,
        DataFusionError::Execution(_)
        | DataFusionError::ArrowError(..)
        | DataFusionError::ParquetError(_) => Cause::Data,
        _ => Cause::Other,
    }
}

/// Returns the limit from DataFusion's message about too much spilled data.
fn spill_limit(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("exceeded the allowable limit of ")?;
    rest.split_once(". ").map(|(limit, _)| limit)
}

/// Whether a message is about a full disk.
pub fn is_full_disk(text: &str) -> bool {
    FULL_DISK.iter().any(|reason| text.contains(reason))
}

/// The operating system's messages about a full disk.
const FULL_DISK: &[&str] = &[
    "No space left on device",
    "Disk quota exceeded",
    "(os error 28)",
];

/// The prefixes of DataFusion's memory consumers, each with the user's name for the operation and
/// with advice to reduce its memory.
const CONSUMERS: &[(&str, &str, &str)] = &[
    ("ExternalSorter", "sorting", SMALLER_BATCHES),
    ("TopK", "ORDER BY with LIMIT", "lower the LIMIT"),
    (
        "GroupedHashAggregate",
        "GROUP BY or DISTINCT",
        GROUP_BY_LESS,
    ),
    ("Aggregate", "an aggregate function", GROUP_BY_LESS),
    (
        "PartialHashAggregate",
        "GROUP BY or DISTINCT",
        GROUP_BY_LESS,
    ),
    ("FinalHashAggregate", "GROUP BY or DISTINCT", GROUP_BY_LESS),
    ("HashJoin", "a join", SORTED_JOIN),
    (
        "NestedLoopJoin",
        "a join without equal columns",
        "compare columns with =",
    ),
    ("CrossJoin", "a join without condition", "add a condition"),
    ("SMJ", "a join", SMALLER_BATCHES),
    ("SortMergeJoin", "a join", SMALLER_BATCHES),
    (
        "Parquet",
        "writing Parquet",
        "SET datafusion.execution.parquet.max_row_group_bytes to a smaller value",
    ),
    (
        "ArrowColumnWriter",
        "writing Parquet",
        "write fewer partitions in parallel",
    ),
    ("Window", "a window function", SMALLER_BATCHES),
];

const SMALLER_BATCHES: &str = "SET datafusion.execution.batch_size to a smaller value";
const GROUP_BY_LESS: &str = "group by a hash of long texts, such as md5(…)";
const SORTED_JOIN: &str = "SET datafusion.optimizer.prefer_hash_join = false";

/// Returns the message for a query that exceeds the memory limit.
fn exhausted(text: &str) -> String {
    let parts = || {
        let (_, rest) = text.split_once("Failed to allocate additional ")?;
        let (needed, rest) = rest.split_once(" for ")?;
        let consumer = rest.split_once(" with ").map_or(rest, |(name, _)| name);
        let limit = rest
            .split_once("pool_size: ")
            .and_then(|(_, limit)| limit.split_once(')'));
        Some((needed, consumer, limit?.0))
    };
    let Some((needed, consumer, limit)) = parts() else {
        // This is another limit, such as that of the disk. Its message names its setting.
        return format!("resources exhausted: {text}");
    };
    let known = CONSUMERS
        .iter()
        .find(|(name, ..)| consumer.starts_with(name));
    let (operation, help) = match known {
        Some((_, operation, help)) => (*operation, *help),
        None => ("the query", SMALLER_BATCHES),
    };
    format!(
        "resources exhausted: {operation} needs {needed} more memory, and --memory-limit leaves \
         {limit} for all operations together; raise --memory-limit, use fewer --threads, or {help}"
    )
}

fn description(error: &DataFusionError) -> String {
    if let DataFusionError::Plan(text)
    | DataFusionError::NotImplemented(text)
    | DataFusionError::Internal(text) = error
        && let Some(remedy) = suggestions::remedy(text)
    {
        return remedy;
    }
    match error {
        // The name of a planner rule does not help users.
        DataFusionError::Context(context, cause)
            if !context.contains(' ') || context.starts_with("Optimizer rule ") =>
        {
            description(cause)
        }
        DataFusionError::Context(context, cause) => format!("{context}: {}", description(cause)),
        DataFusionError::Plan(text) => missing_table(text)
            .or_else(|| suggestions::bytes_argument(text))
            .or_else(|| suggestions::unknown_extension(text))
            .or_else(|| suggestions::unknown_function(text))
            .or_else(|| suggestions::other_files(text))
            .or_else(|| unsupported(text))
            .unwrap_or_else(|| with_operands(suggestions::with_named_types(wrong_arguments(text)))),
        DataFusionError::Configuration(text) => suggestions::missing_format(text)
            .or_else(|| suggestions::unknown_option(text))
            .or_else(|| suggestions::remedy(text))
            .unwrap_or_else(|| text.clone()),
        DataFusionError::Execution(text)
            if text.starts_with("Table '") && text.ends_with("' already exists") =>
        {
            format!("{text}: write CREATE OR REPLACE, or IF NOT EXISTS")
        }
        // Other messages may be those of the user.
        DataFusionError::Execution(text)
            if text.starts_with("Cannot access field at ")
                || text == "field position must not be zero" =>
        {
            suggestions::remedy(text).unwrap_or_else(|| text.clone())
        }
        DataFusionError::Execution(text) => text.clone(),
        // A message that says what to write needs no introduction.
        DataFusionError::NotImplemented(text) if text.contains(": write ") => text.clone(),
        DataFusionError::NotImplemented(text) | DataFusionError::Internal(text) => {
            unsupported(text).unwrap_or_else(|| error.strip_backtrace())
        }
        DataFusionError::SchemaError(schema, _) => ambiguous(schema)
            .or_else(|| missing_names::missing_columns([schema.as_ref()]))
            .unwrap_or_else(|| error.strip_backtrace()),
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
                if let Some(remedy) = suggestions::remedy(text) {
                    return remedy;
                }
                let plain = suggestions::unexpected(text);
                let advice = missing_semicolon(text).unwrap_or_default();
                format!("syntax error: {advice}{}", plain.as_ref().unwrap_or(text))
            }
            ParserError::RecursionLimitExceeded => "the statement is nested too deeply".to_owned(),
        },
        DataFusionError::Diagnostic(_, error) => description(error),
        DataFusionError::Shared(error) => description(error),
        DataFusionError::Collection(errors) => {
            let schema_errors: Option<Vec<_>> = errors.iter().map(schema_error).collect();
            schema_errors
                .and_then(missing_names::missing_columns)
                .unwrap_or_else(|| {
                    let mut messages: Vec<_> = errors.iter().map(description).collect();
                    let mut known = HashSet::new();
                    messages.retain(|message| known.insert(message.clone()));
                    messages.join("; ")
                })
        }
        other => {
            let text = other.strip_backtrace();
            suggestions::bytes_as_text(&text)
                .or_else(|| suggestions::failed_cast(&text))
                .or_else(|| suggestions::remedy(&text))
                .unwrap_or(text)
        }
    }
}

/// Adds advice to the message about texts in calculations.
fn with_operands(text: String) -> String {
    let is_arithmetic = text.starts_with("Cannot coerce arithmetic expression");
    if is_arithmetic && text.contains(" text") && text.contains("Interval(") {
        format!("{text}: write text::TIMESTAMP + INTERVAL 1 DAY")
    } else if is_arithmetic && text.contains(" text - text ") {
        format!(
            "{text}: write text::TIMESTAMP - text::TIMESTAMP for times, and text::DOUBLE for numbers"
        )
    } else if is_arithmetic && text.contains(" text") {
        format!("{text}: write TRY_CAST(text AS DOUBLE), or || to join texts")
    } else if text.starts_with("Cannot coerce arithmetic expression Timestamp(") {
        format!("{text}: write timestamp + INTERVAL '1 day', or epoch(timestamp) for a number")
    } else if text.starts_with("Cannot coerce arithmetic expression List(") {
        format!("{text}: write [1] || [2] to join lists, and list_transform for each item")
    } else {
        text
    }
}

/// Returns the message about a part of a statement that DataFusion does not run.
fn unsupported(text: &str) -> Option<String> {
    let text = suggestions::unsupported(text)?;
    Some(suggestions::remedy(&text).unwrap_or(text))
}

/// Returns the message for a name that several columns have.
fn ambiguous(error: &SchemaError) -> Option<String> {
    match error {
        SchemaError::AmbiguousReference { field } => {
            let name = &field.name;
            Some(format!(
                "several tables have a column '{name}': name the table, as in t.{name}, or join with USING \
                 ({name})"
            ))
        }
        SchemaError::DuplicateUnqualifiedField { name } => Some(format!(
            "two columns are named '{name}': give one of them another name"
        )),
        _ => None,
    }
}

/// Returns advice if a statement follows another one without a semicolon.
fn missing_semicolon(text: &str) -> Option<String> {
    const FIRST_WORDS: &[&str] = &[
        "COPY", "CREATE", "DESCRIBE", "DROP", "EXPLAIN", "INSERT", "SELECT", "SET", "SHOW", "WITH",
    ];
    let (_, found) = text.split_once("Expected: end of statement, found: ")?;
    let word = found.split(' ').next()?;
    if ["-", "/"].contains(&word) {
        return Some("the names of files are in single quotes, as in FROM 'folder/'; ".to_owned());
    }
    if word == "\\" {
        return Some("a semicolon ends the statement before a command such as \\gx; ".to_owned());
    }
    let is_first = FIRST_WORDS
        .iter()
        .any(|first| first.eq_ignore_ascii_case(word));
    is_first.then(|| format!("a semicolon is missing before {word}? "))
}

/// Returns the schema error inside wrappers.
fn schema_error(error: &DataFusionError) -> Option<&SchemaError> {
    match error {
        DataFusionError::SchemaError(error, _) => Some(error),
        DataFusionError::Diagnostic(_, error) | DataFusionError::Context(_, error) => {
            schema_error(error)
        }
        _ => None,
    }
}

/// The beginnings of the names of catalogs in PostgreSQL and SQLite.
const CATALOGS: [&str; 3] = ["pg_", "sqlite_", "sys."];

/// Returns the message for a missing table, whose name may be meant as that of a file.
fn missing_table(text: &str) -> Option<String> {
    let table = text.strip_prefix("table '")?.strip_suffix("' not found")?;
    let name = table
        .strip_prefix("datafusion.public.")
        .or_else(|| table.strip_prefix("datafusion."))
        .unwrap_or(table);
    Some(if Path::new(name).is_dir() {
        format!(
            "table '{name}' not found; the names of files and folders are in single quotes: FROM \
             '{name}/'"
        )
    } else if Path::new(name).extension().is_some() && Path::new(name).exists() {
        format!("table '{name}' not found; the names of files are in single quotes: FROM '{name}'")
    } else if Path::new(name).exists() {
        format!("table '{name}' not found; to read the file '{name}', use read_files('{name}')")
    } else if CATALOGS.iter().any(|catalog| name.starts_with(catalog)) {
        format!("table '{name}' not found; write FROM information_schema.tables, or SHOW TABLES")
    } else if suggestions::is_table_function(name) {
        format!("'{name}' is a table function: write FROM {name}('folder/')")
    } else if let Some(file) = suggestions::file_of(name) {
        format!("table '{name}' not found; for the file, write FROM '{file}'")
    } else if name.contains(['.', '/']) {
        format!("no table or file '{name}'")
    } else {
        format!("table '{name}' not found; SHOW TABLES lists those that exist")
    })
}

/// Returns the useful part of an error about argument types: the message of one of our functions,
/// or the list of signatures. The rest is names of errors, and a request to report a bug.
fn wrong_arguments(text: &str) -> &str {
    let part = || {
        let (said, signatures) = text.split_at(text.find("No function matches the given name")?);
        let Some((_, own)) = said.split_once("user-defined coercion failed with: ") else {
            return Some(signatures);
        };
        let own = own.trim_end_matches([' ', '.']);
        Some(own.strip_prefix("Error during planning: ").unwrap_or(own))
    };
    part().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn long_values_are_cut_out() {
        let text = format!(
            "record 1 has '{}' in the column 'ä'",
            "日本".repeat(100_000)
        );
        let error = DataFusionError::Execution(text);
        let shown = message(&error);
        assert!(shown.len() <= 2 * MAX_MESSAGE_HALF_BYTES + " … ".len());
        assert!(shown.starts_with("record 1 has '日本"), "{shown}");
        assert!(shown.ends_with("本' in the column 'ä'"), "{shown}");
        let short = DataFusionError::Execution("record 1".to_owned());
        assert_eq!(message(&short), "record 1");
    }

    #[test]
    fn memory_errors_name_the_operation_and_the_setting() {
        let pool = "with 9.3 MB already allocated for this reservation - 7.7 KB remain available \
                    for the total memory pool: fair(pool_size: 19.1 MB)";
        for (consumer, operation, help) in [
            ("ExternalSorterMerge[1]", "sorting", "batch_size"),
            ("TopK[0]", "ORDER BY with LIMIT", "LIMIT"),
            (
                "GroupedHashAggregateStream[0] (count(1))",
                "GROUP BY",
                "md5",
            ),
            ("HashJoinInput", "a join", "prefer_hash_join"),
            (
                "ParquetSink(SerializedFileWriter)",
                "writing Parquet",
                "row_group",
            ),
            ("SomethingNew[3]", "the query", "batch_size"),
        ] {
            let error = DataFusionError::ResourcesExhausted(format!(
                "Additional allocation failed for {consumer} with top memory consumers as:\n  \
                 {consumer}#2 consumed 1 KB\nError: Failed to allocate additional 412.0 KB for \
                 {consumer} {pool}"
            ));
            let text = message(&error.context("Not enough memory to continue external sort"));
            assert!(text.starts_with("resources exhausted: "), "{text}");
            for part in [
                operation,
                help,
                "412.0 KB",
                "19.1 MB",
                "--memory-limit",
                "--threads",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(!text.contains(consumer), "{text}");
        }
        let text = message(&DataFusionError::ResourcesExhausted(
            "disk limit".to_owned(),
        ));
        assert_eq!(text, "resources exhausted: disk limit");
    }

    #[test]
    fn the_cause_of_an_error_is_found_inside_of_wrappers() {
        for (error, expected) in [
            (DataFusionError::Plan("no column".to_owned()), Cause::Sql),
            (
                DataFusionError::Plan("no such file or folder: 'x'".to_owned()),
                Cause::Io,
            ),
            (io::Error::from(io::ErrorKind::TimedOut).into(), Cause::Io),
            (
                DataFusionError::Execution("a.warc at offset 7: cut".to_owned()),
                Cause::Data,
            ),
            (
                DataFusionError::ResourcesExhausted("memory".to_owned()),
                Cause::Other,
            ),
        ] {
            assert_eq!(cause(&error), expected, "{error}");
            assert_eq!(cause(&error.context("while x")), expected);
        }
    }

    #[test]
    fn rejected_credentials_come_with_advice() {
        let body = "Generic S3 error: Error performing PUT http://s3/a/b in 1ms - Server returned non-2xx status \
                    code: 400 Bad Request: <Error><Code>ExpiredToken</Code><Message>Expired.</Message></Error>";
        let error = || DataFusionError::Execution(format!("cannot write 's3://a/b': {body}"));
        assert_eq!(
            message(&error()),
            "cannot write 's3://a/b': the store rejects the credentials (ExpiredToken: Expired.); renew them, \
             and run the command again"
        );
        let listing = message(&DataFusionError::Execution(body.to_owned()));
        assert!(
            listing.starts_with("the store rejects the credentials"),
            "{listing}"
        );
    }

    #[test]
    fn a_full_disk_comes_with_advice() {
        let full = || DataFusionError::from(io::Error::from_raw_os_error(28));
        let spilling = message(&full());
        assert!(spilling.contains("--temp-dir"), "{spilling}");
        let writing = message(&full().context("cannot write results to x"));
        assert!(
            writing.starts_with("cannot write results to x: "),
            "{writing}"
        );
        assert!(writing.ends_with("write to another disk"), "{writing}");
    }
}
