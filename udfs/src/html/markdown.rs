//! Paragraphs as Markdown.

use std::sync::Arc;

use corpus_html::extract::Kind;
use corpus_html::markdown::Markdown;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};

use super::SECTION;
use crate::arguments::{PARAGRAPH_COLUMNS, paragraphs};
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

const PARAGRAPHS: Parameter = Parameter::new(
    "paragraphs",
    paragraphs,
    "A list of structs with `path`, `kind` and `text`, as html_paragraphs returns them with the \
     mode 'bullets'.",
);

functions! {
    SECTION;

    /// Writes paragraphs as one text, with the marks of Markdown for headings, list items, quotes
    /// and preformatted text. Nothing is escaped.
    ///
    #[doc = " > SELECT html_markdown(html_paragraphs('<h2>Fruit</h2><ul><li>apples<li>pears', NULL, 'bullets'));"]
    /// ## Fruit
    ///
    /// - apples
    /// - pears
    html_markdown(PARAGRAPHS) -> DataType::LargeUtf8;
}

fn html_markdown(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(Arc::new(texts_of(&args[0])?))
}

fn texts_of(lists: &ArrayRef) -> Result<LargeStringArray> {
    let lists = lists.as_list::<i32>();
    let structs = lists.values().as_struct();
    let mut columns = Vec::with_capacity(PARAGRAPH_COLUMNS.len());
    for name in PARAGRAPH_COLUMNS {
        let column = structs.column_by_name(name);
        let column = column.ok_or_else(|| exec_datafusion_err!("there is no column '{name}'"))?;
        columns.push(cast(column, &DataType::LargeUtf8)?);
    }
    let value = |column: usize, row: usize| {
        let texts = columns[column].as_string::<i64>();
        (structs.is_valid(row) && texts.is_valid(row)).then(|| texts.value(row))
    };
    let offsets = lists.value_offsets();
    let text_of = |list: usize| {
        if lists.is_null(list) {
            return None;
        }
        let mut markdown = Markdown::default();
        for row in offsets[list] as usize..offsets[list + 1] as usize {
            let kind = value(1, row).and_then(Kind::from_name);
            if let Some(text) = value(2, row) {
                let path = value(0, row).unwrap_or_default();
                markdown.push(kind.unwrap_or(Kind::Text), path, text);
            }
        }
        Some(markdown.finish())
    };
    Ok((0..lists.len()).map(text_of).collect())
}
