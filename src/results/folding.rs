//! Finds parts that a table can leave out if it does not fit its terminal: columns with one value
//! in all shown rows, and the common folder of paths.

use std::collections::BTreeMap;

use datafusion::arrow::datatypes::DataType;
use unicode_width::UnicodeWidthStr;

use super::cells::{MAX_SHORT_BYTES, Row, one_line};

/// The columns with paths of files.
const PATHS: [&str; 2] = ["source_file", "filename"];

/// The maximum width of a value in the note about folded columns.
const MAX_NOTED_WIDTH: usize = 60;

/// A row with its NULLs, which its texts do not show.
#[derive(Debug, Clone, Default)]
pub struct ShownRow {
    pub cells: Row,
    pub is_null: Vec<bool>,
}

/// Whether equal texts of a type mean equal values. Bytes are shown as their length.
pub fn is_comparable(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_comparable(values),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => false,
        kind => !kind.is_nested(),
    }
}

/// Whether a column is NULL in all rows.
pub fn is_null<'a>(mut rows: impl Iterator<Item = &'a ShownRow>, column: usize) -> bool {
    rows.all(|row| row.is_null[column])
}

/// Whether a column has the same value in several rows. Truncated values may differ.
pub fn is_constant<'a>(mut rows: impl Iterator<Item = &'a ShownRow>, column: usize) -> bool {
    let Some(first) = rows.next() else {
        return false;
    };
    let is_whole = first.cells[column].len() < MAX_SHORT_BYTES;
    let mut others = rows.peekable();
    is_whole
        && others.peek().is_some()
        && others.all(|row| {
            row.cells[column] == first.cells[column] && row.is_null[column] == first.is_null[column]
        })
}

/// The common folder of the paths in each column; empty for columns without paths.
pub fn common_folders<'a>(
    names: &[String],
    rows: impl Iterator<Item = &'a ShownRow> + Clone,
) -> Vec<&'a str> {
    let columns = names.iter().enumerate().map(|(column, name)| {
        if !PATHS.contains(&name.as_str()) {
            return "";
        }
        let paths = rows.clone().filter(|row| !row.is_null[column]);
        common_folder(paths.map(|row| row.cells[column].as_str()))
    });
    columns.collect()
}

/// The longest folder that all paths begin with, with a slash at its end. Empty if it is trivial.
fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = paths.next() else {
        return "";
    };
    let folder_of = |path: &'a str| path.rfind('/').map_or("", |end| &path[..=end]);
    let mut folder = folder_of(first.strip_suffix('/').unwrap_or(first));
    for path in paths {
        while !folder.is_empty() && (!path.starts_with(folder) || path == folder) {
            folder = folder_of(folder.strip_suffix('/').unwrap_or_default());
        }
    }
    // `/` and `s3://` are not informative.
    let is_trivial = folder.trim_end_matches('/').is_empty() || folder.ends_with(":/");
    if is_trivial || folder.ends_with("://") {
        ""
    } else {
        folder
    }
}

/// Lists folded columns with their values, in lines of at most `width`.
pub fn note(folded: &[(&str, &str)], is_partial: bool, width: usize) -> String {
    let rows = if is_partial { "rows shown" } else { "rows" };
    let mut by_value: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (name, value) in folded {
        if !by_value.contains_key(value) {
            order.push(value);
        }
        by_value.entry(value).or_default().push(name);
    }
    let items = order.iter().filter_map(|value| {
        let names = by_value.get(value)?.join(", ");
        Some(format!("{names} = {}", one_line(value, MAX_NOTED_WIDTH)))
    });
    wrap(&format!("in all {rows}: "), items, "; ", width)
}

/// Joins items in lines of at most `width`, unless one is wider itself.
fn wrap(start: &str, items: impl Iterator<Item = String>, separator: &str, width: usize) -> String {
    const INDENT: &str = "  ";
    let mut text = start.to_owned();
    let mut used = start.width();
    let mut items = items.peekable();
    let mut is_line_start = true;
    while let Some(mut item) = items.next() {
        if items.peek().is_some() {
            item.push_str(separator);
        }
        let needed = item.trim_end().width();
        if !is_line_start && used + needed > width {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(INDENT);
            used = INDENT.len();
        }
        used += item.width();
        text.push_str(&item);
        is_line_start = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(cells: &[&[Option<&str>]]) -> Vec<ShownRow> {
        let row = |cells: &&[Option<&str>]| ShownRow {
            cells: cells
                .iter()
                .map(|c| c.unwrap_or("NULL").to_owned())
                .collect(),
            is_null: cells.iter().map(Option::is_none).collect(),
        };
        cells.iter().map(row).collect()
    }

    #[test]
    fn constants_are_equal_in_several_rows() {
        let long = "x".repeat(MAX_SHORT_BYTES);
        let shown = rows(&[
            &[Some("a"), None, Some("NULL"), Some(&long)],
            &[Some("a"), None, None, Some(&long)],
        ]);
        let constant = |column| is_constant(shown.iter(), column);
        assert_eq!([0, 1, 2, 3].map(constant), [true, true, false, false]);
        assert_eq!(
            [0, 1, 2].map(|column| is_null(shown.iter(), column)),
            [false, true, false]
        );
        assert!(!is_constant(shown[..1].iter(), 0));
    }

    #[test]
    fn the_common_folder_is_that_of_all_paths() {
        for (paths, folder) in [
            (&["/a/b/c.pdf", "/a/b/d/e.pdf"][..], "/a/b/"),
            (&["/a/b/c.pdf"], "/a/b/"),
            (&["/a/bc", "/a/b"], "/a/"),
            (&["/x/a", "/y/a"], ""),
            (&["a", "b"], ""),
            (&["s3://one/a", "s3://two/a"], ""),
            (&["s3://one/a/b", "s3://one/c"], "s3://one/"),
            (&["/a/b/", "/a/b/c"], "/a/"),
            (&["/日/本/x", "/日/木/x"], "/日/"),
        ] {
            assert_eq!(common_folder(paths.iter().copied()), folder, "{paths:?}");
        }
    }

    #[test]
    fn only_columns_of_paths_have_folders() {
        let names = ["source_file".to_owned(), "url".to_owned()];
        let shown = rows(&[&[Some("/a/b"), Some("/a/b")], &[None, Some("/a/c")]]);
        assert_eq!(common_folders(&names, shown.iter()), ["/a/", ""]);
    }

    #[test]
    fn notes_group_columns_by_value_and_wrap() {
        let folded = [("error", "NULL"), ("type", "response"), ("ip", "NULL")];
        assert_eq!(
            note(&folded, false, 80),
            "in all rows: error, ip = NULL; type = response"
        );
        assert_eq!(
            note(&folded, true, 40),
            "in all rows shown: error, ip = NULL;\n  type = response"
        );
    }
}
