//! The sections of the documentation that are generated from the code.

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
use corpus_sql::sql::document_tables::definition::{self, DocumentColumn, DocumentTable};
use corpus_udfs::{columns_of, is_internal, result_type};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::config::ExtensionOptions;
use datafusion::logical_expr::{Documentation, ScalarUDF};

use super::example;
use super::pages::{Page, pages};

/// The number of columns that a table of documents and a function must share to be linked.
const MIN_SHARED: usize = 3;

/// A line of a list: a name, sometimes a type, and a meaning.
type Row = Vec<String>;

/// Returns all generated parts, by their names. Each must appear on a page.
pub fn parts() -> BTreeMap<String, String> {
    let mut parts = BTreeMap::from([
        ("list of functions".to_owned(), list_of_functions()),
        ("settings".to_owned(), settings()),
        ("sources".to_owned(), sources()),
        ("sinks".to_owned(), sinks()),
        ("document tables".to_owned(), document_tables()),
        ("search options".to_owned(), options(search::OPTIONS)),
    ]);
    let mut sections: BTreeMap<&str, Vec<ScalarUDF>> = BTreeMap::new();
    for function in listed_functions() {
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

fn listed_functions() -> impl Iterator<Item = ScalarUDF> {
    let functions = corpus_udfs::functions().into_iter();
    functions.filter(|function| !is_internal(function))
}

fn documentation(function: &ScalarUDF) -> &Documentation {
    let name = function.name();
    let documentation = function.documentation();
    documentation.unwrap_or_else(|| panic!("{name} has no documentation"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Formats a Markdown list of names, types if there are any, and meanings.
fn list(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = write!(text, "- {}", row[0]);
        if let [_, kind, _] = &row[..] {
            let _ = write!(text, " ({kind})");
        }
        match row.last() {
            Some(meaning) if row.len() > 1 && !meaning.is_empty() => {
                let _ = writeln!(text, ": {}", one_line(meaning));
            }
            _ => text.push('\n'),
        }
    }
    text
}

/// Formats a list with a title, or nothing if it is empty.
fn titled_list(title: &str, rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    format!("\n{title}:\n\n{}", list(rows))
}

/// Returns the rows that several lists have, in the order of their first appearance. If a name has
/// several such meanings, only the most frequent one is shared.
fn shared_rows(lists: &[Vec<Row>]) -> Vec<Row> {
    let mut counted: Vec<(&Row, usize)> = Vec::new();
    for row in lists.iter().flatten() {
        match counted.iter_mut().find(|(other, _)| *other == row) {
            Some((_, count)) => *count += 1,
            None => counted.push((row, 1)),
        }
    }
    let most = |name: &str| {
        let of_name = counted.iter().filter(|(row, _)| row[0] == name);
        // Of equally frequent meanings, the first one is shared.
        of_name.rev().max_by_key(|(_, count)| *count)
    };
    let shared = counted
        .iter()
        .filter(|(row, count)| *count > 1 && most(&row[0]).is_some_and(|(other, _)| other == row));
    shared.map(|(row, _)| (*row).clone()).collect()
}

/// Reduces shared rows to their names. Adjacent rows of the same type and meaning become one row.
fn shortened(rows: &[Row], shared: &[Row]) -> Vec<Row> {
    let mut shown: Vec<Row> = Vec::new();
    for row in rows {
        let row = if shared.contains(row) {
            vec![row[0].clone()]
        } else {
            without_plain_meaning(row)
        };
        match shown.last_mut() {
            Some(before) if before[1..] == row[1..] => {
                before[0] = format!("{}, {}", before[0], row[0]);
            }
            _ => shown.push(row),
        }
    }
    shown
}

/// Returns a row without its meaning if that only repeats the name.
fn without_plain_meaning(row: &Row) -> Row {
    let mut row = row.clone();
    let plain = format!("The {}", row[0].trim_matches('`'));
    if let Some(meaning) = row.last_mut().filter(|meaning| **meaning == plain) {
        meaning.clear();
    }
    row
}

/// Documents the functions of one family, each with its arguments, result and example. Arguments
/// and columns that several functions share come first.
fn functions(members: &[ScalarUDF]) -> String {
    let shared = shared_rows(&members.iter().map(arguments).collect::<Vec<_>>());
    let all = corpus_udfs::functions();
    let shared_columns = shared_columns(members, &all);
    let mut text = titled_list("Shared arguments", &shared);
    text += &titled_list("Shared columns", &shortened(&shared_columns, &[]));
    for function in members {
        let documentation = documentation(function);
        let syntax = code(&documentation.syntax_example);
        let (returns, columns) = returns(function, &all, &shared_columns);
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
        text += &titled_list("Columns", &columns);
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

/// The arguments of a function: names as code, and descriptions. Arguments with self-explanatory
/// names are left out.
fn arguments(function: &ScalarUDF) -> Vec<Row> {
    let arguments = documentation(function).arguments.iter().flatten();
    arguments
        .filter(|(name, about)| one_line(about) != format!("The {name}."))
        .map(|(name, about)| vec![code(name), one_line(about)])
        .collect()
}

/// Returns the columns that several functions of a family describe in the same words.
fn shared_columns(members: &[ScalarUDF], all: &[ScalarUDF]) -> Vec<Row> {
    let listing = members
        .iter()
        .filter(|function| first_with_columns(function, all).is_none());
    let rows = listing.map(|function| {
        columns_of(function)
            .iter()
            .map(|column| column_row(column, all))
    });
    shared_rows(&rows.map(Iterator::collect).collect::<Vec<_>>())
}

/// Returns the first function with the same columns, which lists them, unless it is this function.
fn first_with_columns<'a>(function: &ScalarUDF, all: &'a [ScalarUDF]) -> Option<&'a ScalarUDF> {
    let columns = columns_of(function);
    let first = all.iter().find(|other| columns_of(other) == columns);
    first.filter(|first| !columns.is_empty() && first.name() != function.name())
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

/// Returns the result type for the end of a function's first line, and the columns of a struct. If
/// several functions have the same columns, the first one gets the list.
fn returns(function: &ScalarUDF, all: &[ScalarUDF], shared: &[Row]) -> (String, Vec<Row>) {
    let Some(kind) = result_type(function).or_else(|| fixed_type(function)) else {
        return (String::new(), Vec::new());
    };
    let columns = columns_of(function);
    if columns.is_empty() {
        return (format!(" → {}", plural(&kind)), Vec::new());
    }
    let structs = match kind {
        DataType::Struct(_) => "struct",
        _ => "list of structs",
    };
    if let Some(first) = first_with_columns(function, all) {
        let link = link(first, &pages());
        let returns = format!(" → {structs} with the columns of {link}");
        return (returns, Vec::new());
    }
    let columns = columns.iter().map(|column| column_row(column, all));
    let rows = shortened(&columns.collect::<Vec<_>>(), shared);
    (format!(" → {structs}"), rows)
}

/// Formats a column, with the columns of structs inside it.
fn column_row(column: &ColumnInfo, all: &[ScalarUDF]) -> Row {
    let mut meaning = column.description.to_owned();
    if !column.columns.is_empty() {
        let same = |other: &&ScalarUDF| columns_of(other) == column.columns;
        let _ = match all.iter().find(same) {
            Some(other) => write!(meaning, ", with the columns of {}", link(other, &pages())),
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
fn source_columns(format: &dyn RecordFormat) -> Vec<Row> {
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
    for function in listed_functions() {
        let section = documentation(&function).doc_section.label;
        let link = link(&function, &pages);
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

/// Links from a page of the reference to the section of a function.
fn link(function: &ScalarUDF, pages: &[Page]) -> String {
    let name = function.name();
    let section = documentation(function).doc_section.label;
    let has_section = |page: &&Page| {
        let parts = page.generated_parts();
        parts.iter().any(|(part, _)| *part == section)
    };
    let page = pages.iter().find(has_section);
    let page = page.unwrap_or_else(|| panic!("no page has the part '{section}'"));
    let file = page.path.file_name().unwrap().to_string_lossy();
    format!("[`{name}`]({file}#{name})")
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
    let row = |option: &FormatOption| vec![code(option.name), option.help()];
    titled_list("Options", &options.iter().map(row).collect::<Vec<_>>())
}

/// Describes the file names that select a format.
fn found_by(format: &dyn RecordFormat) -> String {
    let list = |extensions: &[&str]| {
        let extensions: Vec<_> = extensions
            .iter()
            .map(|extension| format!("`.{extension}`"))
            .collect();
        extensions.join(", ")
    };
    let (in_folders, direct) = (format.extensions(), format.direct_extensions());
    let direct = list(direct);
    match in_folders {
        [] if direct.is_empty() => "Takes all files of a folder.".to_owned(),
        [] => format!("Takes all files of a folder. `FROM 'file'` takes {direct}."),
        extensions if list(extensions) == direct => format!("Extensions: {direct}."),
        extensions => format!(
            "Extensions: {}. `FROM 'file'` takes {direct}.",
            list(extensions)
        ),
    }
}

/// The formats that can be read.
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
        let about = list(&shortened(&source_columns(format), &[])) + &options(format.options());
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

/// Table functions that parse the records of a source. Columns that the function which parses the
/// records also has refer to it.
fn document_tables() -> String {
    let tables = definition::tables();
    let functions = corpus_udfs::functions();
    let pages = pages();
    let mut lists = Vec::new();
    for table in tables {
        // Reversed, because `max_by_key` returns the last of several maxima.
        let function = functions
            .iter()
            .rev()
            .max_by_key(|other| columns_in(other, table));
        let function = function.filter(|function| columns_in(function, table) >= MIN_SHARED);
        let rows = table.columns.iter().map(|column| {
            let parsed = function.filter(|function| has_column(function, column));
            let about = match parsed {
                Some(function) => format!("As in {}", link(function, &pages)),
                None => column.about.clone(),
            };
            vec![code(column.name), about]
        });
        lists.push(rows.collect::<Vec<Row>>());
    }
    let mut shared = shared_rows(&lists);
    shared.retain(|row| !row[1].starts_with("As in "));
    let mut text = titled_list("Shared columns", &shortened(&shared, &[]));
    for (table, rows) in tables.iter().zip(&lists) {
        let (name, reader) = (table.name, table.reader);
        let _ = write!(
            text,
            "\n### {name}\n\n{} Location and options of [`{reader}`](sources.md).\n\n{}{}",
            table.about,
            list(&shortened(rows, &shared)),
            options(&table.options),
        );
    }
    text.push('\n');
    text
}

fn has_column(function: &ScalarUDF, column: &DocumentColumn) -> bool {
    let mut columns = columns_of(function).iter();
    columns.any(|other| other.name == column.name && other.description == column.about)
}

/// The number of columns of a table that a function returns.
fn columns_in(function: &ScalarUDF, table: &DocumentTable) -> usize {
    let columns = table.columns.iter();
    columns
        .filter(|column| has_column(function, column))
        .count()
}

/// Formats that `COPY` writes.
fn sinks() -> String {
    let mut text = String::new();
    for format in corpus_sql::sinks::formats() {
        let _ = write!(
            text,
            "\n### {}\n\nExtension: `.{}`. {}\n{}",
            format.name(),
            format.extension(),
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
            vec![name, entry.description.to_owned()]
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
            vec![link, job.summary()]
        })
        .collect();
    list(&rows)
}
