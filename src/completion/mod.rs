//! Completion of SQL: columns, fields, tables, functions, keywords, and paths in quotes.

pub mod columns;
pub mod file_names;

use corpus_udfs::is_internal;
use datafusion::prelude::SessionContext;

use self::columns::{Columns, word_start};
use crate::sql::dialect::summarize::DESCRIBE;

/// Keywords that begin or join clauses. The parser knows hundreds more, most of which are also
/// names.
pub const KEYWORDS: &[&str] = &[
    "ALL",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "COPY",
    "CREATE",
    "CROSS",
    "DESC",
    "DESCRIBE",
    "DISTINCT",
    "DROP",
    "ELSE",
    "END",
    "EXCEPT",
    "EXISTS",
    "EXPLAIN",
    "EXTERNAL",
    "FILTER",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "ILIKE",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "LIMIT",
    "LOCATION",
    "NOT",
    "NULL",
    "OFFSET",
    "ON",
    "OPTIONS",
    "OR",
    "ORDER",
    "OVER",
    "PARTITION",
    "PARTITIONED",
    "QUALIFY",
    "RIGHT",
    "SELECT",
    "SET",
    "SHOW",
    "STORED",
    "TABLE",
    "THEN",
    "TO",
    "UNION",
    "UNNEST",
    "USING",
    "VALUES",
    "VIEW",
    "WHEN",
    "WHERE",
    "WITH",
];

/// A possible completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub text: String,
    pub kind: Kind,
}

/// The kind of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Column,
    Function,
    Keyword,
    Path,
    Table,
}

impl Kind {
    #[cfg(feature = "ui")]
    pub fn name(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Function => "function",
            Self::Keyword => "keyword",
            Self::Path => "path",
            Self::Table => "table",
        }
    }

    fn all(self, names: impl IntoIterator<Item = String>) -> impl Iterator<Item = Candidate> {
        let candidate = move |text| Candidate { text, kind: self };
        names.into_iter().map(candidate)
    }
}

/// Returns the candidates for the end of `before`, and the offset that they replace from.
pub fn complete(
    context: &SessionContext,
    columns: &Columns,
    before: &str,
    after: &str,
) -> (usize, Vec<Candidate>) {
    if let Some(start) = path_start(before, columns.earlier_lines()) {
        let Some(start) = start else {
            return (before.len(), Vec::new());
        };
        let path = &before[start..];
        let (offset, mut names) = file_names::matching(path);
        if path.contains("://") {
            names = columns.remote_names(&path.replace("''", "'"));
        }
        return (start + offset, Kind::Path.all(names).collect());
    }
    let start = word_start(before);
    let (before, word) = before.split_at(start);
    let is_field = before.ends_with(['.', '\'']);
    if word.is_empty() && !is_field {
        return (start, Vec::new());
    }
    let lower = word.to_lowercase();
    let mut names = columns.names(before, after);
    names.retain(|name| {
        name.trim_start_matches('"')
            .to_lowercase()
            .starts_with(&lower)
    });
    names.sort_unstable();
    names.dedup();
    let mut candidates: Vec<_> = Kind::Column.all(names).collect();
    if !is_field {
        candidates.extend(words(context, word));
    }
    (start, candidates)
}

/// Returns the start of the path at the end of a text. The inner `None` means that it is in an
/// earlier line.
fn path_start(before: &str, earlier_lines: &str) -> Option<Option<usize>> {
    let text = match earlier_lines {
        "" => before.to_owned(),
        earlier => format!("{}\n{before}", earlier.trim_end_matches('\n')),
    };
    let start = file_names::open_quote(&text)?;
    if file_names::is_subscript(&text[..start]) {
        return None;
    }
    Some((start + before.len()).checked_sub(text.len()))
}

/// The tables, functions and keywords that begin with `word`.
fn words(context: &SessionContext, word: &str) -> Vec<Candidate> {
    let lower = word.to_lowercase();
    let state = context.state();
    let scalar = state.scalar_functions().iter();
    let scalar = scalar.filter(|(_, function)| !is_internal(function));
    let functions = state.table_functions().keys();
    let functions = functions.chain(scalar.map(|(name, _)| name));
    let functions = functions.chain(state.aggregate_functions().keys());
    // Users mean the statement of this name.
    let functions = functions.filter(|name| *name != DESCRIBE);
    let functions = functions.map(|name| format!("{name}("));
    let mut names: Vec<_> = Kind::Table
        .all(table_names(context))
        .chain(Kind::Function.all(functions))
        .collect();
    names.retain(|name| name.text.to_lowercase().starts_with(&lower));
    names.sort_unstable_by(|a, b| a.text.cmp(&b.text));
    names.dedup();
    let upper = word.to_uppercase();
    let keywords = KEYWORDS.iter().filter(|k| k.starts_with(&upper));
    // Complete in the case of the typed letters.
    let is_lower = word.chars().all(char::is_lowercase);
    let keywords = keywords.map(|keyword| {
        if is_lower {
            keyword.to_lowercase()
        } else {
            (*keyword).to_owned()
        }
    });
    names.extend(Kind::Keyword.all(keywords));
    names
}

/// The tables of all schemas, without the information schema.
pub fn table_names(context: &SessionContext) -> Vec<String> {
    let mut names = Vec::new();
    for catalog in context.catalog_names() {
        let Some(catalog) = context.catalog(&catalog) else {
            continue;
        };
        for schema in catalog.schema_names() {
            if schema == "information_schema" {
                continue;
            }
            names.extend(
                catalog
                    .schema(&schema)
                    .into_iter()
                    .flat_map(|s| s.table_names()),
            );
        }
    }
    names.sort_unstable();
    names
}
