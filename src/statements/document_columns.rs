//! The columns of documents that a file of SQL works on, whatever they are called.
//!
//! A job over documents names the columns with their texts and keys `"${input.text}"` and
//! `"${input.id}"`. They are those of `-v text=…` and `-v id=…`, or the first usual name that the
//! input has. The SQL that runs names these columns, so that a plan is what a user would write.

use std::collections::BTreeMap;

use datafusion::arrow::datatypes::{DataType, Field, Fields};

use crate::sql::syntax::{literal, quoted_name};
use crate::sql::types::type_name;

/// The usual names of columns with texts; the first that an input has counts.
const TEXTS: [&str; 3] = ["text", "content", "document"];

/// The default names of columns with keys.
const KEYS: [&str; 2] = ["url", "id"];

/// The columns of each variable that names documents.
pub type Inputs = BTreeMap<String, DocumentColumns>;

/// The columns of one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentColumns {
    /// The name of the column with the text, or the reason why it is missing.
    text: Result<String, String>,
    id: Result<String, String>,
    all: Vec<String>,
}

impl DocumentColumns {
    /// Chooses the columns with the text and the key. `text` and `id` are those that the user
    /// names.
    pub fn new(location: &str, fields: &Fields, text: Option<&str>, id: Option<&str>) -> Self {
        let all: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
        let chosen = |variable: &str, named: Option<&str>, usual: &[&str]| {
            let found = match named {
                Some(name) => find(&all, name),
                None => usual.iter().find_map(|name| find(&all, name)),
            };
            found.cloned().ok_or_else(|| {
                let (missing, advice) = match named {
                    Some(name) => (format!("'{name}'"), String::new()),
                    None => (
                        usual.join(" or "),
                        format!(": name the column with -v {variable}=…"),
                    ),
                };
                let all = all.join(", ");
                format!("'{location}' has no column {missing}{advice}; its columns: {all}")
            })
        };
        let has_texts = |name: &&str| {
            let column = find(&all, name).and_then(|name| kind_of(fields, name));
            column.is_some_and(is_text)
        };
        let texts: Vec<&str> = TEXTS.into_iter().filter(has_texts).collect();
        let usual = if texts.is_empty() { &TEXTS } else { &texts[..] };
        let text = chosen("text", text, usual).and_then(|name| match kind_of(fields, &name) {
            Some(kind) if !is_text(kind) => Err(format!(
                "the column {name} of '{location}' is {}, not text: name another one with -v text=…, \
                 or make a text of it first, such as {}",
                type_name(kind),
                if kind.is_nested() {
                    format!("array_to_string({name}, chr(10))")
                } else {
                    format!("CAST({name} AS VARCHAR)")
                }
            )),
            _ => Ok(name),
        });
        Self {
            text,
            id: chosen("id", id, &KEYS),
            all,
        }
    }

    /// Returns placeholder columns, for when only the syntax of the file matters.
    pub fn unknown() -> Self {
        let columns = [TEXTS[0], KEYS[0]].map(|name| Field::new(name, DataType::Utf8, true));
        Self::new("", &columns.into_iter().collect(), None, None)
    }

    /// The value of `${input.part}`:
    ///
    /// - `text`, `id`: a name
    /// - `row`: a struct of all columns but the text
    /// - `columns`: the names of all columns, in quotes
    /// - `columns from row, text`: the same columns, out of the struct `row` and the column `text`
    /// - `columns … except a, b`: those with other names
    pub fn value(&self, part: &str) -> Result<String, String> {
        match part {
            "text" => return self.text.clone(),
            "id" => return self.id.clone(),
            "row" => return self.row(),
            _ => {}
        }
        let (part, left_out) = part.split_once(" except ").unwrap_or((part, ""));
        let left_out = left_out.split(',').map(str::trim);
        let left_out: Vec<&str> = left_out.filter(|name| !name.is_empty()).collect();
        let columns = self.all.iter();
        let columns = columns.filter(|column| !left_out.contains(&column.as_str()));
        let sources = match part.trim().strip_prefix("columns") {
            Some("") => {
                return Ok(columns
                    .map(|name| quoted_name(name))
                    .collect::<Vec<_>>()
                    .join(", "));
            }
            Some(from) => from.trim().strip_prefix("from "),
            None => None,
        };
        let Some((row, text)) = sources.and_then(|sources| sources.split_once(',')) else {
            return Err(format!(
                "documents have no '{part}': expected text, id, row, columns or columns from ROW, \
                 TEXT, the last two with or without except NAME, …"
            ));
        };
        let (row, text, of_text) = (row.trim(), text.trim(), self.text.clone()?);
        let columns = columns.map(|name| {
            if *name == of_text {
                format!("{text} AS {}", quoted_name(name))
            } else {
                format!(
                    "{row}[{}] AS {}",
                    literal(field_name(name)),
                    quoted_name(name)
                )
            }
        });
        Ok(columns.collect::<Vec<_>>().join(", "))
    }

    fn row(&self) -> Result<String, String> {
        let text = self.text.clone()?;
        let is_key = self.id.as_ref() == Ok(&text);
        let fields = self.all.iter().filter(|name| **name != text || is_key);
        let fields =
            fields.map(|name| format!("{}, {}", literal(field_name(name)), quoted_name(name)));
        Ok(format!(
            "named_struct({})",
            fields.collect::<Vec<_>>().join(", ")
        ))
    }

    /// The number of underscores that names of the file need in addition to their first one, to
    /// differ from all columns.
    pub fn own_underscores(&self) -> usize {
        let leading = |name: &String| name.bytes().take_while(|byte| *byte == b'_').count();
        self.all.iter().map(leading).max().unwrap_or(0)
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, value) => value.is_string(),
        kind => kind.is_string() || kind.is_null(),
    }
}

/// The name of a column in a struct, where names must not be empty.
fn field_name(column: &str) -> &str {
    if column.is_empty() { " " } else { column }
}

/// Finds a column by name, and ignores case if that is unambiguous.
fn find<'a>(columns: &'a [String], name: &str) -> Option<&'a String> {
    let exact = columns.iter().find(|column| *column == name);
    exact.or_else(|| {
        columns
            .iter()
            .find(|column| column.to_lowercase() == name.to_lowercase())
    })
}

fn kind_of<'a>(fields: &'a Fields, name: &str) -> Option<&'a DataType> {
    fields.find(name).map(|(_, field)| field.data_type())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn columns(all: &[&str], text: Option<&str>, id: Option<&str>) -> DocumentColumns {
        let fields = all
            .iter()
            .map(|name| Field::new(*name, DataType::Utf8, true));
        DocumentColumns::new("a.parquet", &fields.collect(), text, id)
    }

    #[test]
    fn the_first_usual_name_counts_unless_another_is_given() {
        for (all, text, id, expected) in [
            (&["url", "document"][..], None, None, ("document", "url")),
            (&["id", "text", "document"], None, None, ("text", "id")),
            (&["content", "id", "url"], None, None, ("content", "url")),
            (&["Id", "Text"], None, None, ("Text", "Id")),
            (
                &["text", "body", "id"],
                Some("BODY"),
                Some("text"),
                ("body", "text"),
            ),
            (&["text", "TEXT", "id"], Some("TEXT"), None, ("TEXT", "id")),
        ] {
            let found = columns(all, text, id);
            let found = (found.value("text").unwrap(), found.value("id").unwrap());
            assert_eq!((found.0.as_str(), found.1.as_str()), expected, "{all:?}");
        }
    }

    #[test]
    fn a_missing_column_is_an_error_where_it_is_named() {
        let found = columns(&["url", "body"], None, None);
        assert_eq!(
            found.value("text").unwrap_err(),
            "'a.parquet' has no column text or content or document: name the column with \
             -v text=…; its columns: url, body"
        );
        assert_eq!(found.value("id").unwrap(), "url");
        let found = columns(&["url", "text"], None, Some("key"));
        assert_eq!(
            found.value("id").unwrap_err(),
            "'a.parquet' has no column 'key'; its columns: url, text"
        );
        assert_eq!(found.value("text").unwrap(), "text");
    }

    #[test]
    fn a_text_is_no_list() {
        let list = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
        let lists = Field::new("text", list, true);
        let texts = Field::new("document", DataType::Utf8, true);
        let fields: Fields = [lists.clone(), texts].into_iter().collect();
        let found = DocumentColumns::new("a.parquet", &fields, None, None);
        assert_eq!(found.value("text").unwrap(), "document");
        let expected = "the column text of 'a.parquet' is text[], not text: name another one with \
                        -v text=…, or make a text of it first, such as array_to_string(text, chr(10))";
        let found = DocumentColumns::new("a.parquet", &fields, Some("text"), None);
        assert_eq!(found.value("text").unwrap_err(), expected);
        let found = DocumentColumns::new("a.parquet", &[lists].into_iter().collect(), None, None);
        assert_eq!(found.value("text").unwrap_err(), expected);
    }

    #[test]
    fn a_text_is_neither_bytes_nor_a_number() {
        for (kind, shown) in [(DataType::BinaryView, "bytes"), (DataType::Int64, "bigint")] {
            let field = Field::new("text", kind, true);
            let found =
                DocumentColumns::new("a.parquet", &[field].into_iter().collect(), None, None);
            let error = found.value("text").unwrap_err();
            assert!(error.contains(&format!("is {shown}, not text")), "{error}");
            assert!(error.ends_with("CAST(text AS VARCHAR)"), "{error}");
        }
        let key = Box::new(DataType::Int32);
        let words = DataType::Dictionary(key, Box::new(DataType::Utf8));
        let fields = [Field::new("text", words, true)].into_iter().collect();
        let found = DocumentColumns::new("a.parquet", &fields, None, None);
        assert_eq!(found.value("text").unwrap(), "text");
    }

    #[test]
    fn names_of_the_file_get_more_underscores_than_any_column_has() {
        for (all, expected) in [
            (&["url", "text"][..], 0),
            (&["url", "text", "_id"], 1),
            (&["url", "text", "__"], 2),
        ] {
            assert_eq!(columns(all, None, None).own_underscores(), expected);
        }
    }

    #[test]
    fn all_columns_can_be_packed_and_unpacked() {
        let found = columns(&["it's", "text", "a\"b"], None, Some("it's"));
        assert_eq!(
            found.value("row").unwrap(),
            "named_struct('it''s', \"it's\", 'a\"b', \"a\"\"b\")"
        );
        assert_eq!(
            found.value("columns from input, kept except a\"b").unwrap(),
            "input['it''s'] AS \"it's\", kept AS \"text\""
        );
        assert_eq!(
            found.value("columns").unwrap(),
            "\"it's\", \"text\", \"a\"\"b\""
        );
        assert_eq!(
            found.value("columns except text, it's").unwrap(),
            "\"a\"\"b\""
        );
        let found = columns(&["", "text"], None, Some("text"));
        let row = "named_struct(' ', \"\", 'text', \"text\")";
        assert_eq!(found.value("row").unwrap(), row);
        let unpacked = "input[' '] AS \"\", kept AS \"text\"";
        assert_eq!(found.value("columns from input, kept").unwrap(), unpacked);
        for wrong in ["columns from input", "texts", "column", ""] {
            let error = found.value(wrong).unwrap_err();
            assert!(error.contains("expected text, id"), "{error}");
        }
    }
}
