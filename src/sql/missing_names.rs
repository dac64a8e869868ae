//! Errors about missing columns and fields: suggests the intended name, and lists known names.

use datafusion::common::utils::datafusion_strsim::levenshtein;
use datafusion::common::utils::quote_identifier;
use datafusion::common::{Column, SchemaError};

use crate::similar_names::nearest;

/// Lists of names are wrapped at this width, which fits a terminal with indentation.
const MAX_LIST_WIDTH: usize = 92;

/// Column names that newcomers try, and the columns that they mean, best first.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (
        &["url", "uri", "link", "href", "address", "page"],
        &["target_uri", "url"],
    ),
    (
        &[
            "text", "html", "content", "document", "body", "data", "bytes", "payload", "value",
        ],
        &["body", "content", "document", "value"],
    ),
    (
        &["filename", "file_name", "path", "file", "name", "source"],
        &["source_file", "name"],
    ),
    (
        &["mime", "mime_type", "mimetype", "media_type", "type"],
        &["content_type"],
    ),
    (
        &[
            "timestamp",
            "time",
            "datetime",
            "crawled",
            "fetched",
            "created",
            "mtime",
        ],
        &["date", "modified"],
    ),
    (&["id", "uuid", "record"], &["record_id"]),
    (&["record_type", "rec_type", "kind"], &["warc_type"]),
    (&["line", "lines", "row"], &["text"]),
    (&["bytes", "length", "content_length"], &["size", "length"]),
];

/// Names that newcomers try for the result of a function: the names, columns that must exist, and
/// the expression.
const EXPRESSIONS: &[(&[&str], [&str; 2], &str)] = &[
    (
        &["status", "status_code", "http_status", "code"],
        ["target_uri", "body"],
        "http_response(body)['status']",
    ),
    (
        &["headers", "http_headers", "header"],
        ["target_uri", "body"],
        "http_response(body)['headers']",
    ),
    (
        &["language", "detected_language"],
        ["document", "lang"],
        "language(document)['language'], or 'lang', which the page declares",
    ),
    (
        &["title", "page_title"],
        ["target_uri", "body"],
        "html_meta(http_response(body)['body'])['title']",
    ),
];

/// Names that are not columns anywhere, and their replacements.
const NO_COLUMNS: &[(&[&str], &str)] = &[
    (
        &[
            "rowid",
            "row_id",
            "rownum",
            "row_number",
            "line_number",
            "lineno",
            "_rowid_",
            "ctid",
        ],
        "row_number() OVER ()",
    ),
    (
        &["current_user", "session_user", "user"],
        "a text: there are no users",
    ),
    (&["localtimestamp"], "now()"),
    (&["localtime"], "CAST(now() AS TIME)"),
];

/// Columns that users expect of PDF files, which have the columns of other files.
const PDF_EXPRESSIONS: &[(&[&str], &str)] = &[
    (&["title"], "pdf_parse(content)['title']"),
    (&["author"], "pdf_parse(content)['author']"),
    (&["text", "body", "document"], "pdf_parse(content)['text']"),
    (&["pages", "page_count"], "pdf_parse(content)['pages']"),
];

/// The beginnings of the names of table functions whose files have no column with their names.
const FILE_FUNCTIONS: [&str; 4] = ["read_parquet(", "parquet_scan(", "read_csv", "read_json"];

/// Sorts candidates by their distance from `name`.
pub fn sort_by_distance(name: &str, candidates: &mut [String]) {
    let name = name.to_lowercase();
    candidates.sort_by_cached_key(|candidate| {
        (
            levenshtein(&name, &candidate.to_lowercase()),
            candidate.clone(),
        )
    });
}

/// The message about missing columns, from one or several errors. `None` if an error has another
/// cause.
pub fn missing_columns<'a>(errors: impl IntoIterator<Item = &'a SchemaError>) -> Option<String> {
    let mut lines = Vec::new();
    let mut lists: Vec<Vec<String>> = Vec::new();
    for error in errors {
        let SchemaError::FieldNotFound {
            field,
            valid_fields,
        } = error
        else {
            return None;
        };
        let line = missing_column(field, valid_fields);
        if !lines.contains(&line) {
            lines.push(line);
        }
        let mut names = Vec::new();
        for column in in_relation(field, valid_fields) {
            let name = quote_identifier(&column.name).into_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() && !lists.contains(&names) {
            lists.push(names);
        }
    }
    lines.extend(lists.iter().map(|names| list("columns", names)));
    Some(lines.join("\n"))
}

/// The columns of the table to which a qualified name refers, or all columns.
fn in_relation<'a>(field: &Column, valid: &'a [Column]) -> Vec<&'a Column> {
    let of_table = |column: &&Column| column.relation == field.relation;
    let columns: Vec<_> = valid.iter().filter(of_table).collect();
    if field.relation.is_some() && !columns.is_empty() {
        columns
    } else {
        valid.iter().collect()
    }
}

fn missing_column(field: &Column, valid: &[Column]) -> String {
    let name = field.flat_name();
    if let Some((_, expression)) = NO_COLUMNS
        .iter()
        .find(|(names, _)| names.contains(&field.name.to_lowercase().as_str()))
    {
        return format!("no column '{name}'; write {expression}");
    }
    if let Some(place) = field
        .name
        .strip_prefix('#')
        .filter(|it| it.parse::<usize>().is_ok())
    {
        return format!(
            "no column '{name}'; write the name of column {place}, or ORDER BY {place}"
        );
    }
    if valid.is_empty() {
        return format!("no column '{name}': the query reads no table; quote text as '{name}'");
    }
    let columns = in_relation(field, valid);
    let of_files = || {
        columns.iter().any(|column| {
            let table = column
                .relation
                .as_ref()
                .map_or("", |relation| relation.table());
            table.contains(['.', '/']) || FILE_FUNCTIONS.iter().any(|name| table.starts_with(name))
        })
    };
    if ["filename", "file_name"].contains(&field.name.as_str()) && of_files() {
        return format!(
            "no column '{name}'; read_parquet, read_csv and read_json add it: FROM \
             read_parquet('…', filename => true)"
        );
    }
    if let Some(suggestion) = suggestion(&field.name, &columns) {
        return format!("no column '{name}'; did you mean {suggestion}?");
    }
    match columns.iter().find_map(|column| folder_of_glob(column)) {
        Some(folder) => format!(
            "no column '{name}'; folders such as {name}=value are columns of FROM '{folder}'"
        ),
        // Only names in double quotes have such characters.
        None if quote_identifier(&field.name).starts_with('"') => {
            format!(
                "no column '{name}'; a text has single quotes: '{}'",
                field.name
            )
        }
        None => format!("no column '{name}'"),
    }
}

/// The folder before the first star of a glob that selects folders, from which a column is read.
fn folder_of_glob(column: &Column) -> Option<String> {
    let glob = column.relation.as_ref()?.table();
    let (before, after) = glob.split_once('*')?;
    let (folder, _) = before.rsplit_once('/')?;
    after.contains('/').then(|| format!("{folder}/"))
}

fn suggestion(name: &str, columns: &[&Column]) -> Option<String> {
    let wanted = name.to_lowercase();
    let exists = |name: &str| columns.iter().any(|column| column.name == name);
    let quoted = |name: &str| {
        let quoted = quote_identifier(name);
        if quoted.starts_with('"') {
            quoted.into_owned()
        } else {
            format!("'{quoted}'")
        }
    };
    if let Some(column) = columns
        .iter()
        .find(|column| column.name.to_lowercase() == wanted)
    {
        return Some(quoted(&column.name));
    }
    // The fields of an unnested struct have the name of the struct before theirs.
    if let Some(column) = columns
        .iter()
        .find(|column| column.name.to_lowercase().ends_with(&format!(".{wanted}")))
    {
        return Some(quoted(&column.name));
    }
    let is_pdf = columns.iter().any(|column| {
        let relation = column.relation.as_ref();
        relation.is_some_and(|relation| relation.table().starts_with("read_pdf"))
    });
    if is_pdf
        && let Some((_, expression)) = PDF_EXPRESSIONS
            .iter()
            .find(|(names, _)| names.contains(&wanted.as_str()))
    {
        return Some((*expression).to_owned());
    }
    let expression = EXPRESSIONS.iter().find(|(names, needed, _)| {
        names.contains(&wanted.as_str()) && needed.iter().all(|column| exists(column))
    });
    if let Some((_, _, expression)) = expression {
        return Some((*expression).to_owned());
    }
    let synonym = SYNONYMS
        .iter()
        .filter(|(names, _)| names.contains(&wanted.as_str()))
        .flat_map(|(_, columns)| *columns)
        .find(|column| exists(column));
    if let Some(column) = synonym {
        return Some(quoted(column));
    }
    nearest(name, columns.iter().map(|column| column.name.as_str())).map(quoted)
}

/// The message about a missing struct field.
pub fn missing_field(value: &str, name: &str, fields: &[&str]) -> String {
    let suggestion = match nearest(name, fields.iter().copied()) {
        Some(field) => format!("; did you mean '{field}'?"),
        None => String::new(),
    };
    let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
    format!(
        "no field '{name}' in {value}{suggestion}\n{}",
        list("fields", &fields)
    )
}

/// A wrapped list of names with a title.
pub fn list(title: &str, names: &[String]) -> String {
    let mut text = format!("  {title}:");
    let mut width = text.len();
    for (index, name) in names.iter().enumerate() {
        let comma = if index + 1 < names.len() { "," } else { "" };
        let length = name.chars().count() + comma.len() + 1;
        if width + length > MAX_LIST_WIDTH {
            text.push_str("\n   ");
            width = 3;
        }
        text.push(' ');
        text.push_str(name);
        text.push_str(comma);
        width += length;
    }
    text
}
