//! The generated parts of the documentation, made from the code.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use corpus_bytes::columns::Column;
use corpus_columns::record::schema;
use corpus_columns::{ColumnInfo, type_name};
use corpus_sql::jobs::{TASKS, Task, first_sentence};
use corpus_sql::options::FormatOption;
use corpus_sql::settings::CorpusSettings;
use corpus_sql::sources::format::RecordFormat;
use corpus_sql::sources::search;
use corpus_sql::sources::table::register::function_name;
use corpus_udfs::{columns_of, result_type};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::config::ExtensionOptions;
use datafusion::logical_expr::{Documentation, ScalarUDF};

use super::example;
use super::figures::figures;
use super::pages::{Page, pages};

/// The maximum length of column descriptions that are repeated for each function.
const MAX_REPEATED_BYTES: usize = 40;

/// Returns all generated parts, by their names. Each must appear on a page.
pub fn parts() -> BTreeMap<String, String> {
    let mut parts = BTreeMap::from([
        ("figures".to_owned(), figures()),
        ("list of functions".to_owned(), list_of_functions()),
        ("settings".to_owned(), settings()),
        ("sources".to_owned(), sources()),
        ("sinks".to_owned(), sinks()),
        ("document tables".to_owned(), document_tables()),
        ("search options".to_owned(), options(search::OPTIONS)),
    ]);
    let mut sections: BTreeMap<&str, Vec<ScalarUDF>> = BTreeMap::new();
    for function in corpus_udfs::functions() {
        let section = documentation(&function).doc_section.label;
        sections.entry(section).or_default().push(function);
    }
    for (section, members) in sections {
        parts.insert(section.to_owned(), functions(&members));
    }
    for task in TASKS {
        parts.insert(format!("queries {}", task.name), queries(task));
    }
    parts
}

fn documentation(function: &ScalarUDF) -> &Documentation {
    let name = function.name();
    let documentation = function.documentation();
    documentation.unwrap_or_else(|| panic!("{name} has no documentation"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats a Markdown table.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n", header.join(" | "));
    let _ = writeln!(text, "|{}", " --- |".repeat(header.len()));
    for row in rows {
        let cells: Vec<_> = row
            .iter()
            .map(|cell| one_line(cell).replace('|', "\\|"))
            .collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Formats a Markdown list of names and their meanings.
fn list(rows: &[(String, String)]) -> String {
    let row = |(name, about): &(String, String)| format!("- {name}: {}\n", one_line(about));
    rows.iter().map(row).collect()
}

/// Documents the functions of one family, each with its arguments, result and example. Arguments
/// that several functions share come first.
fn functions(members: &[ScalarUDF]) -> String {
    let mut text = String::new();
    let shared = shared_arguments(members);
    if !shared.is_empty() {
        let _ = write!(text, "\nShared arguments:\n\n{}", list(&shared));
    }
    for function in members {
        let documentation = documentation(function);
        let syntax = code(&documentation.syntax_example);
        let (returns, columns) = returns(function, members);
        let description = without_columns(&documentation.description, function);
        let _ = write!(
            text,
            "\n### {}\n\n{syntax}{returns}\n\n{description}\n",
            function.name()
        );
        let mut own = arguments(function);
        own.retain(|argument| !shared.contains(argument));
        if !own.is_empty() {
            let _ = write!(text, "\n{}", list(&own));
        }
        if !columns.is_empty() {
            let _ = write!(text, "\nColumns:\n\n{columns}");
        }
        let example_text = documentation.sql_example.as_deref();
        let example_text =
            example_text.unwrap_or_else(|| panic!("{} has no example", function.name()));
        let (statement, result) = example(example_text);
        let _ = write!(text, "\n```sql\n{statement}\n");
        for line in result.lines() {
            let _ = writeln!(text, "{}", format!("-- {line}").trim_end());
        }
        text.push_str("```\n");
    }
    text.push('\n');
    text
}

/// The arguments of a function: names as code, and descriptions.
fn arguments(function: &ScalarUDF) -> Vec<(String, String)> {
    let arguments = documentation(function).arguments.iter().flatten();
    arguments
        .map(|(name, about)| (code(name), one_line(about)))
        .collect()
}

/// Returns the arguments that several functions describe in the same words. If a name has several
/// such descriptions, only the most frequent one is shared.
fn shared_arguments(members: &[ScalarUDF]) -> Vec<(String, String)> {
    let mut counted: Vec<((String, String), usize)> = Vec::new();
    for argument in members.iter().flat_map(arguments) {
        let known = counted.iter_mut().find(|(other, _)| *other == argument);
        match known {
            Some((_, count)) => *count += 1,
            None => counted.push((argument, 1)),
        }
    }
    // The sort is stable, so the first of equally frequent descriptions stays first.
    counted.sort_by_key(|(_, count)| Reverse(*count));
    let mut shared: Vec<(String, String)> = Vec::new();
    for (argument, _) in counted.into_iter().filter(|(_, count)| *count > 1) {
        if shared.iter().all(|(name, _)| *name != argument.0) {
            shared.push(argument);
        }
    }
    shared
}

/// Returns the description without the sentence that lists the columns, because a list shows them.
fn without_columns(description: &str, function: &ScalarUDF) -> String {
    let columns = ColumnInfo::sentence(columns_of(function));
    let sentences =
        ["a struct", "a list of structs"].map(|kind| format!(" Returns {kind} of {columns}."));
    let mut sentences = sentences.iter();
    let short = sentences.find_map(|sentence| description.strip_suffix(sentence.as_str()));
    one_line(short.unwrap_or(description))
}

/// Returns the result type for the end of a function's first line, and a list of the columns of a
/// struct. If several functions have the same columns, the first one gets the list.
fn returns(function: &ScalarUDF, members: &[ScalarUDF]) -> (String, String) {
    let Some(kind) = result_type(function).or_else(|| fixed_type(function)) else {
        return (String::new(), String::new());
    };
    let columns = columns_of(function);
    if columns.is_empty() {
        return (format!(" → {}", plural(&kind)), String::new());
    }
    let structs = match kind {
        DataType::Struct(_) => "struct",
        _ => "list of structs",
    };
    let first = members.iter().find(|other| columns_of(other) == columns);
    if let Some(first) = first.filter(|first| first.name() != function.name()) {
        let name = first.name();
        let returns = format!(" → {structs} with the columns of [{name}](#{name})");
        return (returns, String::new());
    }
    let rows: Vec<_> = columns
        .iter()
        .map(|column| {
            let first = first_with(column, function, members);
            (column_row(column, members), first)
        })
        .collect();
    (format!(" → {structs}"), columns_of_rows(&rows))
}

/// Returns the name of the first earlier function with the same column.
fn first_with<'a>(
    column: &ColumnInfo,
    function: &ScalarUDF,
    members: &'a [ScalarUDF],
) -> Option<&'a str> {
    let mut before = members
        .iter()
        .take_while(|other| other.name() != function.name());
    before
        .find(|other| columns_of(other).contains(column))
        .map(|other| other.name())
}

/// A list of columns: their names, types if there are any, and meanings.
fn columns_of_rows(rows: &[(Vec<String>, Option<&str>)]) -> String {
    let mut text = String::new();
    for row in shortened(rows) {
        let [name, kind @ .., meaning] = &row[..] else {
            continue;
        };
        let _ = write!(text, "- {name}");
        if let [kind] = kind {
            let _ = write!(text, " ({kind})");
        }
        if !meaning.is_empty() {
            let _ = write!(text, ": {}", one_line(meaning));
        }
        text.push('\n');
    }
    text
}

/// Shortens rows about columns, each with the name of an earlier list that also has it. Adjacent
/// columns that such a list or their names explain become one row.
fn shortened(rows: &[(Vec<String>, Option<&str>)]) -> Vec<Vec<String>> {
    let mut shown: Vec<Vec<String>> = Vec::new();
    for run in rows.chunk_by(|(_, a), (_, b)| a == b) {
        let rows = run.iter().map(|(row, _)| row);
        let length: usize = rows
            .clone()
            .filter_map(|row| row.last())
            .map(String::len)
            .sum();
        match run[0].1 {
            Some(first) if length > MAX_REPEATED_BYTES => {
                let mut cells = Vec::new();
                for at in 0..run[0].0.len() - 1 {
                    let mut cell: Vec<_> = rows.clone().map(|row| row[at].clone()).collect();
                    cell.dedup();
                    cells.push(cell.join(", "));
                }
                cells.push(format!("As in [{first}](#{first})"));
                shown.push(cells);
            }
            _ => {
                for row in rows {
                    add_row(&mut shown, row.clone());
                }
            }
        }
    }
    shown
}

/// Adds a row about a column, without its meaning if that only repeats the name.
fn add_row(shown: &mut Vec<Vec<String>>, mut row: Vec<String>) {
    let name = row[0].trim_matches('`').to_owned();
    if let Some(meaning) = row
        .last_mut()
        .filter(|text| **text == format!("The {name}"))
    {
        meaning.clear();
    }
    let is_plain = row.last().is_some_and(String::is_empty);
    match shown.last_mut() {
        Some(before) if is_plain && before[1..] == row[1..] => {
            before[0] = format!("{}, {}", before[0], row[0]);
        }
        _ => shown.push(row),
    }
}

/// Formats a column, with the columns of structs inside it.
fn column_row(column: &ColumnInfo, members: &[ScalarUDF]) -> Vec<String> {
    let mut meaning = column.description.to_owned();
    if !column.columns.is_empty() {
        let same = |other: &&ScalarUDF| columns_of(other) == column.columns;
        let _ = match members.iter().find(same) {
            Some(other) => write!(meaning, ", with the columns of [{0}](#{0})", other.name()),
            None => {
                let names = column.columns.iter().map(|column| code(column.name));
                write!(meaning, ": {}", names.collect::<Vec<_>>().join(", "))
            }
        };
    }
    vec![code(column.name), plural(&column.data_type), meaning]
}

/// Returns the result type of a function that is not made by `corpus_udfs::function`.
fn fixed_type(function: &ScalarUDF) -> Option<DataType> {
    function.return_type(&[DataType::Binary]).ok()
}

fn plural(kind: &DataType) -> String {
    type_name(kind).replace("list of struct", "list of structs")
}

/// The columns of a source, without those that all sources have.
fn source_columns(format: &dyn RecordFormat) -> Vec<Vec<String>> {
    let schema = schema(format.columns());
    let row = |(field, column): (&Arc<Field>, &Column)| {
        let pairs = match field.data_type() {
            DataType::List(_) => ": `name`, `value`",
            _ => "",
        };
        let meaning = column.description;
        assert!(!meaning.is_empty(), "{}: {}", format.name(), column.name);
        vec![
            code(field.name()),
            format!("{}{pairs}", plural(field.data_type())),
            meaning.to_owned(),
        ]
    };
    let fields = schema.fields().iter();
    let columns = fields.zip(format.columns());
    columns
        .filter(|(field, _)| !matches!(field.name().as_str(), "source_file" | "error"))
        .map(row)
        .collect()
}

/// Lists all functions by section, with links to their pages.
fn list_of_functions() -> String {
    let pages = pages();
    let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
    for function in corpus_udfs::functions() {
        let name = function.name();
        let section = documentation(&function).doc_section.label;
        let has_section = |page: &&Page| {
            let parts = page.generated_parts();
            parts.iter().any(|(part, _)| *part == section)
        };
        let page = pages.iter().find(has_section);
        let page = page.unwrap_or_else(|| panic!("no page has the part '{section}'"));
        let file = page.path.file_name().unwrap().to_string_lossy();
        let link = format!("[`{name}`]({file}#{name})");
        let known = sections.iter_mut().find(|(other, _)| *other == section);
        match known {
            Some((_, links)) => links.push(link),
            None => sections.push((section, vec![link])),
        }
    }
    let line =
        |(section, links): &(&str, Vec<String>)| (*section).to_owned() + ": " + &links.join(", ");
    let lines: Vec<_> = sections.iter().map(line).collect();
    format!("- {}\n", lines.join("\n- "))
}

#[test]
fn first_sentences_end_in_one_period() {
    for (text, expected) in [
        (
            "Reads hOCR, ALTO or PAGE XML (any version). More.",
            "Reads hOCR, ALTO or PAGE XML.",
        ),
        ("Parses a message (RFC 5322)", "Parses a message."),
        ("Takes a (b), c (d): e.", "Takes a, c."),
    ] {
        assert_eq!(first_sentence(text), expected);
    }
}

fn options(options: &[FormatOption]) -> String {
    if options.is_empty() {
        return String::new();
    }
    let row = |option: &FormatOption| (code(option.name), option.help());
    let rows: Vec<_> = options.iter().map(row).collect();
    format!("\nOptions:\n\n{}", list(&rows))
}

/// Describes the file names by which a format is selected.
fn found_by(format: &dyn RecordFormat) -> String {
    let list = |endings: &[&str]| {
        let endings: Vec<_> = endings
            .iter()
            .map(|ending| format!("`.{ending}`"))
            .collect();
        endings.join(", ")
    };
    let (in_folders, direct) = (format.endings(), format.direct_endings());
    let direct = list(direct);
    match in_folders {
        [] if direct.is_empty() => "Takes all files of a folder.".to_owned(),
        [] => format!("Takes all files of a folder. `FROM 'file'` takes {direct}."),
        endings if list(endings) == direct => format!("Endings: {direct}."),
        endings => format!("Endings: {}. `FROM 'file'` takes {direct}.", list(endings)),
    }
}

/// Formats that are read.
fn sources() -> String {
    let mut text = String::new();
    let mut described: Vec<(String, &str)> = Vec::new();
    for format in corpus_sql::sources::formats::formats() {
        let format: &dyn RecordFormat = format.as_ref();
        let (name, function) = (format.name(), function_name(format));
        let _ = write!(
            text,
            "\n### {name}\n\n`{function}(location [, option => value] …)`\n\n{}",
            found_by(format),
        );
        let rows: Vec<_> = source_columns(format)
            .into_iter()
            .map(|row| (row, None::<&str>))
            .collect();
        let about = columns_of_rows(&rows) + &options(format.options());
        let known = described.iter().find(|(other, _)| *other == about);
        if let Some((_, first)) = known {
            let anchor = first.to_lowercase();
            let _ = writeln!(text, " Columns and options of [{first}](#{anchor}).");
            continue;
        }
        let _ = write!(text, "\n\n{about}");
        described.push((about, name));
    }
    text.push('\n');
    text
}

/// Table functions that parse the records of a source.
fn document_tables() -> String {
    let mut text = String::new();
    let tables = corpus_sql::sql::document_tables::definition::tables();
    let mut described: Vec<(Vec<String>, &str)> = Vec::new();
    for about in tables {
        let (name, reader) = (about.name, about.reader);
        let columns = about.columns.iter();
        let rows: Vec<_> = columns
            .map(|column| {
                let row = vec![code(column.name), column.about.clone()];
                let first = described.iter().find(|(other, _)| *other == row);
                (row, first.map(|(_, table)| *table))
            })
            .collect();
        let _ = write!(
            text,
            "\n### {name}\n\n{} Location and options of [`{reader}`](sources.md).\n\n{}{}",
            about.about,
            columns_of_rows(&rows),
            options(&about.options),
        );
        described.extend(rows.into_iter().map(|(row, _)| (row, name)));
    }
    text.push('\n');
    text
}

/// Formats that `COPY` writes.
fn sinks() -> String {
    let mut text = String::new();
    for format in corpus_sql::sinks::formats() {
        let _ = write!(
            text,
            "\n### {}\n\nEnding: `.{}`. {}\n{}",
            format.name(),
            format.ending(),
            one_line(format.description()),
            options(format.options()),
        );
    }
    text.push('\n');
    text
}

fn settings() -> String {
    let rows: Vec<_> = CorpusSettings::default()
        .entries()
        .into_iter()
        .map(|entry| {
            let value = entry.value.unwrap_or_default();
            let name = code(&format!("{} = {value}", entry.key));
            (name, entry.description.to_owned())
        })
        .collect();
    list(&rows)
}

/// A list of the jobs of a task, with links to their files.
fn queries(task: &Task) -> String {
    let rows: Vec<_> = task
        .jobs()
        .map(|job| {
            let name = job.name;
            let link = format!("[`{name}`](../../queries/{name}.sql)");
            (link, job.summary())
        })
        .collect();
    list(&rows)
}
