//! The names of columns in the headers of CSV files.

use std::collections::HashSet;
use std::io::Cursor;

use bytes::{Bytes, BytesMut};
use datafusion::arrow::csv::reader::Format;
use datafusion::common::Result;
use datafusion::common::config::CsvOptions;
use futures::StreamExt;

use super::super::contents::Contents;
use super::record_ends::{MAX_SAMPLE_BYTES, RecordEnds};

/// Names columns as DuckDB does: `column0` if a header leaves the name out, which pandas does for
/// its index, and `a_1` for the second `a`.
pub fn name_columns<'a>(header: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut used = HashSet::new();
    let mut names = Vec::new();
    for (place, name) in header.enumerate() {
        let name = if name.is_empty() {
            format!("column{place}")
        } else {
            name.to_owned()
        };
        let mut unique = name.clone();
        let mut number = 1;
        while !used.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        names.push(unique);
    }
    names
}

/// Names the columns of a file without a header as DuckDB does: `column0`, or `column00` if there
/// are more than ten.
pub fn number_columns(columns: usize) -> Vec<String> {
    let digits = columns.saturating_sub(1).to_string().len();
    let names = (0..columns).map(|place| format!("column{place:0digits$}"));
    names.collect()
}

/// Returns the names of the columns in the order of a file, and the bytes read for them. An empty
/// file has no names.
pub async fn names_in(
    contents: &mut Contents,
    options: &CsvOptions,
) -> Result<(Vec<String>, Bytes)> {
    let mut records = RecordEnds::new(options);
    let mut head = BytesMut::new();
    while let Some(chunk) = contents.chunks.next().await {
        let chunk = chunk?;
        head.extend_from_slice(&chunk);
        if records.last_in(&chunk).is_some() || head.len() >= MAX_SAMPLE_BYTES {
            break;
        }
    }
    let head = head.freeze();
    let mut format = Format::default()
        .with_header(true)
        .with_delimiter(options.delimiter)
        .with_quote(options.quote);
    if let Some(escape) = options.escape {
        format = format.with_escape(escape);
    }
    if let Some(comment) = options.comment {
        format = format.with_comment(comment);
    }
    if let Some(terminator) = options.terminator {
        format = format.with_terminator(terminator);
    }
    let (header, _) = format.infer_schema(Cursor::new(&head), Some(0))?;
    let names = header.fields().iter().map(|field| field.name().as_str());
    Ok((name_columns(names), head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_a_header_have_numbers() {
        assert_eq!(number_columns(2), ["column0", "column1"]);
        assert_eq!(number_columns(11)[10], "column10");
        assert_eq!(number_columns(11)[0], "column00");
    }

    #[test]
    fn all_columns_have_different_names() {
        let header = ["", "a", "a", "a_1", "", "column0"];
        let names = name_columns(header.into_iter());
        let expected = ["column0", "a", "a_1", "a_1_1", "column4", "column0_1"];
        assert_eq!(names, expected);
    }
}
