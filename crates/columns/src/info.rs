//! Descriptions of columns for the documentation.

use std::fmt::Write as _;

use arrow_schema::{DataType, Field, Fields};

/// A column of a struct: its name, its type and its meaning.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColumnInfo {
    pub name: &'static str,
    pub data_type: DataType,
    /// One line, without a full stop.
    pub description: &'static str,
    /// Whether its texts are words or names, and not documents.
    pub is_short: bool,
    /// The columns of the structs in this column, or in the items of its lists.
    pub columns: &'static [ColumnInfo],
}

impl ColumnInfo {
    #[doc(hidden)]
    pub fn short(self) -> Self {
        Self {
            is_short: true,
            ..self
        }
    }

    /// The short name of the type, such as `list of text`.
    pub fn sql_type(&self) -> String {
        type_name(&self.data_type)
    }

    /// Lists the columns as a part of a sentence: `name (description), name and …`. A description
    /// that only repeats the name is left out.
    pub fn sentence(columns: &[Self]) -> String {
        let mut text = String::new();
        for (at, column) in columns.iter().enumerate() {
            let separator = match at {
                0 => "",
                _ if at + 1 == columns.len() => " and ",
                _ => ", ",
            };
            let _ = write!(text, "{separator}{}", column.name);
            let mut about = Vec::new();
            let description = lower_case_start(column.description);
            if description.strip_prefix("the ") != Some(column.name) {
                about.push(description);
            }
            if !column.columns.is_empty() {
                let names: Vec<_> = column.columns.iter().map(|column| column.name).collect();
                about.push(names.join(", "));
            }
            if !about.is_empty() {
                let _ = write!(text, " ({})", about.join(": "));
            }
        }
        text
    }
}

/// Lower-cases the first letter, to embed a sentence in another one: `The page` becomes `the page`,
/// but `URL` is unchanged.
fn lower_case_start(sentence: &str) -> String {
    let mut characters = sentence.chars();
    match (characters.next(), characters.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            let rest = &sentence[first.len_utf8()..];
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => sentence.to_owned(),
    }
}

/// The fields of a struct with these columns.
pub fn fields_of(columns: &[ColumnInfo]) -> Fields {
    columns
        .iter()
        .map(|column| Field::new(column.name, column.data_type.clone(), true))
        .collect()
}

/// The short name of a type, without the fields of structs.
pub fn type_name(kind: &DataType) -> String {
    let name = match kind {
        kind if kind.is_string() => "text",
        kind if kind.is_binary() => "bytes",
        DataType::FixedSizeBinary(_) => "bytes",
        kind if kind.is_integer() => "integer",
        kind if kind.is_floating() => "double",
        kind if kind.is_decimal() => "decimal",
        DataType::Boolean => "boolean",
        DataType::Timestamp(..) => "timestamp",
        DataType::Date32 | DataType::Date64 => "date",
        DataType::Time32(_) | DataType::Time64(_) => "time",
        DataType::Interval(_) | DataType::Duration(_) => "interval",
        DataType::Struct(_) => "struct",
        DataType::Map(..) => "map",
        DataType::Null => "null",
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => {
            return format!("list of {}", type_name(item.data_type()));
        }
        DataType::Dictionary(_, value) => return type_name(value),
        other => return other.to_string(),
    };
    name.to_owned()
}
