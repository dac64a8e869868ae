//! Implements `SHOW FUNCTIONS [LIKE 'pattern']` as a query over `corpus_functions()`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::error::Result;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{ShowStatementFilter, Statement as SqlStatement};
use unicode_width::UnicodeWidthChar;

use crate::functions::NAME;

/// The columns of the table and their widths: 100 in total, including the lines between them.
const COLUMNS: [(&str, &str, usize); 3] = [
    ("syntax", "function", 32),
    ("returns", "returns", 14),
    ("description", "description", 44),
];

/// The query that answers the statement, if it is `SHOW FUNCTIONS`.
pub fn query(statement: &Statement) -> Option<String> {
    let Statement::Statement(statement) = statement else {
        return None;
    };
    let SqlStatement::ShowFunctions { filter } = statement.as_ref() else {
        return None;
    };
    let like = |pattern: &str| {
        let pattern = pattern.to_lowercase().replace('\'', "''");
        format!("WHERE name LIKE '{pattern}'")
    };
    let filter = match filter {
        None => String::new(),
        Some(
            ShowStatementFilter::Like(pattern)
            | ShowStatementFilter::ILike(pattern)
            | ShowStatementFilter::NoKeyword(pattern),
        ) => like(pattern),
        Some(ShowStatementFilter::Where(condition)) => format!("WHERE {condition}"),
    };
    Some(format!(
        "SELECT * FROM {NAME}() {filter} ORDER BY name, kind"
    ))
}

/// The schema of the table for terminals.
pub fn table_schema(schema: &Schema) -> Result<SchemaRef> {
    Ok(table(&RecordBatch::new_empty(Arc::new(schema.clone())))?.schema())
}

/// The rows of the table for terminals: some of the columns, with wrapped lines.
pub fn table(batch: &RecordBatch) -> Result<RecordBatch> {
    let columns = COLUMNS.iter().filter_map(|(column, title, width)| {
        let values = batch.column_by_name(column)?.as_string_opt::<i32>()?;
        let wrapped = values
            .iter()
            .map(|value| Some(wrap(value.unwrap_or_default(), *width)));
        Some((
            *title,
            Arc::new(wrapped.collect::<StringArray>()) as ArrayRef,
        ))
    });
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// Wraps text at white space, and words that are longer than a line.
fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let word_width: usize = word.chars().filter_map(UnicodeWidthChar::width).sum();
        if used > 0 && used + 1 + word_width > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let char_width = c.width().unwrap_or(0);
            if used + char_width > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += char_width;
        }
    }
    lines.push(line);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_are_no_wider_than_the_width() {
        for (text, expected) in [
            ("", ""),
            ("a b", "a b"),
            ("one two  three", "one\ntwo\nthree"),
            ("abcdefgh i", "abcde\nfgh i"),
            ("日本語文", "日本\n語文"),
        ] {
            assert_eq!(wrap(text, 5), expected, "{text}");
        }
    }
}
