//! The option `normalize_names` of CSV.

use std::sync::Arc;

use datafusion::arrow::datatypes::{Field, Schema};
use unicode_normalization::UnicodeNormalization;

use crate::sources::data_files::text_tables::csv::name_columns;

/// Names columns as DuckDB's `normalize_names` does: in lower case, without accents and characters
/// beyond ASCII, with `_` for white space and before a digit or a word of SQL.
pub fn plain_names(schema: &Schema) -> Vec<String> {
    let plain = |field: &Arc<Field>| {
        let letters = field.name().nfkd().filter_map(|it| match it {
            '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => Some(it.to_ascii_lowercase()),
            it if it.is_whitespace() => Some(' '),
            _ => None,
        });
        let letters: String = letters.collect();
        let words: Vec<&str> = letters.split_whitespace().collect();
        let name = words.join("_");
        let is_word = RESERVED.contains(&name.as_str());
        if is_word || name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
            format!("_{name}")
        } else {
            name
        }
    };
    let plain: Vec<String> = schema.fields().iter().map(plain).collect();
    name_columns(plain.iter().map(String::as_str))
}

/// Words that are not names of columns without quotes.
const RESERVED: [&str; 72] = [
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "default",
    "deferrable",
    "desc",
    "describe",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "group",
    "having",
    "in",
    "initially",
    "intersect",
    "into",
    "lambda",
    "lateral",
    "leading",
    "left",
    "limit",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "pivot",
    "placing",
    "primary",
    "qualify",
    "references",
    "returning",
    "right",
    "select",
    "show",
    "some",
    "summarize",
    "symmetric",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "unpivot",
    "using",
    "when",
    "where",
];
