//! The generated parts of the documentation, made from the code.

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

/// The length up to which the description of an argument is repeated for each function.
const MAX_REPEATED_BYTES: usize = 60;

/// All generated parts, by their names. Each has to be on some page.
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

/// A table of Markdown.
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

/// The functions of one family, each with its arguments, result and example. A long description of
/// an argument is written once.
fn functions(members: &[ScalarUDF]) -> String {
    let mut text = String::new();
    let mut described: BTreeMap<(&String, String), &str> = BTreeMap::new();
    for function in members {
        let documentation = documentation(function);
        let syntax = &documentation.syntax_example;
        let description = without_columns(&documentation.description, function);
        let _ = write!(
            text,
            "\n### {}\n\n```sql\n{syntax}\n```\n\n{description}\n",
            function.name()
        );
        let arguments = documentation.arguments.iter().flatten();
        let arguments: Vec<_> = arguments
            .map(|(name, about)| {
                let about = one_line(about);
                let first = *described
                    .entry((name, about.clone()))
                    .or_insert(function.name());
                let is_repeated = first != function.name() && about.len() > MAX_REPEATED_BYTES;
                let meaning = if is_repeated {
                    format!("As in [{first}](#{first}).")
                } else {
                    about
                };
                vec![code(name), meaning]
            })
            .collect();
        if !arguments.is_empty() {
            let _ = write!(text, "\n{}", table(&["argument", "meaning"], &arguments));
        }
        let _ = write!(text, "\n{}", returns(function, members));
        let example_text = documentation.sql_example.as_deref();
        let example_text =
            example_text.unwrap_or_else(|| panic!("{} has no example", function.name()));
        let (statement, result) = example(example_text);
        let _ = write!(
            text,
            "\n```sql\n{statement}\n```\n\n```text\n{result}\n```\n"
        );
    }
    text.push('\n');
    text
}

/// The description without the sentence that lists the columns: they are in a table.
fn without_columns(description: &str, function: &ScalarUDF) -> String {
    let columns = ColumnInfo::sentence(columns_of(function));
    let sentences =
        ["a struct", "a list of structs"].map(|kind| format!(" Returns {kind} of {columns}."));
    let mut sentences = sentences.iter();
    let short = sentences.find_map(|sentence| description.strip_suffix(sentence.as_str()));
    one_line(short.unwrap_or(description))
}

/// What a function returns; the columns of a struct in a table. Where several functions have the
/// same columns, the first one has the table.
fn returns(function: &ScalarUDF, members: &[ScalarUDF]) -> String {
    let Some(kind) = result_type(function).or_else(|| fixed_type(function)) else {
        return String::new();
    };
    let columns = columns_of(function);
    if columns.is_empty() {
        return format!("Returns: {}.\n", plural(&kind));
    }
    let structs = match kind {
        DataType::Struct(_) => "a struct",
        _ => "a list of structs",
    };
    let first = members.iter().find(|other| columns_of(other) == columns);
    if let Some(first) = first.filter(|first| first.name() != function.name()) {
        let name = first.name();
        return format!("Returns: {structs} with the columns of [{name}](#{name}).\n");
    }
    let rows: Vec<_> = columns
        .iter()
        .map(|column| column_row(column, members))
        .collect();
    let columns = table(&["column", "type", "meaning"], &rows);
    format!("Returns: {structs}.\n\n{columns}")
}

/// A column, with the columns of the structs in it.
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

/// The type of a function that is not made by `corpus_udfs::function`.
fn fixed_type(function: &ScalarUDF) -> Option<DataType> {
    function.return_type(&[DataType::Binary]).ok()
}

fn plural(kind: &DataType) -> String {
    type_name(kind).replace("list of struct", "list of structs")
}

/// The columns of a source.
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
    fields.zip(format.columns()).map(row).collect()
}

/// All functions, with links to their pages.
fn list_of_functions() -> String {
    let pages = pages();
    let rows: Vec<_> = corpus_udfs::functions()
        .iter()
        .map(|function| {
            let name = function.name();
            let documentation = documentation(function);
            let section = documentation.doc_section.label;
            let has_section = |page: &&Page| {
                let parts = page.generated_parts();
                parts.iter().any(|(part, _)| *part == section)
            };
            let page = pages.iter().find(has_section);
            let page = page.unwrap_or_else(|| panic!("no page has the part '{section}'"));
            let file = page.path.file_name().unwrap().to_string_lossy();
            let link = format!("[`{name}`]({file}#{name})");
            vec![link, first_sentence(&documentation.description)]
        })
        .collect();
    table(&["function", "what it does"], &rows)
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
    let row = |option: &FormatOption| vec![code(option.name), option.help()];
    let rows: Vec<_> = options.iter().map(row).collect();
    format!("\n{}", table(&["option", "meaning"], &rows))
}

/// By which names of files a format is found.
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
    for format in corpus_sql::sources::formats::formats() {
        let format: &dyn RecordFormat = format.as_ref();
        let (name, function) = (format.name(), function_name(format));
        let columns = source_columns(format);
        let _ = write!(
            text,
            "\n### {name}\n\n```sql\n{function}(location [, option => value] …)\n```\n\n{}\n\n{}{}",
            found_by(format),
            table(&["column", "type", "meaning"], &columns),
            options(format.options()),
        );
    }
    text.push('\n');
    text
}

/// Table functions that parse the records of a source.
fn document_tables() -> String {
    let mut text = String::new();
    for about in corpus_sql::sql::document_tables::definition::tables() {
        let (name, reader) = (about.name, about.reader);
        let columns = about.columns.iter();
        let columns: Vec<_> = columns
            .map(|column| vec![code(column.name), column.about.clone()])
            .collect();
        let _ = write!(
            text,
            "\n### {name}\n\n```sql\n{name}(location [, option => value] …)\n```\n\n{} Location and \
             options are those of [`{reader}`](sources.md).\n\n{}{}",
            about.about,
            table(&["column", "meaning"], &columns),
            options(&about.options),
        );
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
            vec![code(&entry.key), code(&value), entry.description.to_owned()]
        })
        .collect();
    table(&["setting", "default", "what it is for"], &rows)
}

/// A table of the jobs of a task, with links to their files.
fn queries(task: &Task) -> String {
    let rows: Vec<_> = task
        .jobs()
        .map(|job| {
            let name = job.name;
            let link = format!("[`{name}.sql`](../../queries/{name}.sql)");
            vec![link, job.summary()]
        })
        .collect();
    table(&["query", "what it does"], &rows)
}
