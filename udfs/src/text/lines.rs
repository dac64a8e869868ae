//! Lists of lines.

use std::sync::Arc;

use corpus_columns::{Cell, ColumnBuilder, Texts, TextsColumn};
use corpus_text::lines::{join_short, repeats};
use datafusion::arrow::array::{ArrayRef, AsArray, BooleanBuilder, ListBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::Result;

use crate::arguments;
use crate::function::{Parameter, Returns, functions};
use crate::settings::CorpusSettings;

const LINES: Parameter = Parameter::new("lines", arguments::texts, "A list of texts.");

const LENGTH: Parameter =
    Parameter::integer("length", "The length of the longest line that is appended.");

const LINES_ARGUMENT: Parameter = Parameter::new(
    "lines",
    arguments::texts,
    "A list of texts, such as lines or paragraphs.",
);

fn booleans() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Boolean, true)))
}

functions! {
    "Text Functions";

    /// Appends short lines to the line before them, and drops NULLs.
    ///
    /// > SELECT text_join_short(['これは長い文です', '。', 'ABC', ''], 2);
    /// [これは長い文です。, ABC]
    text_join_short(LINES, LENGTH) -> Returns::of::<TextsColumn>();

    /// Returns whether each line equals the line before it, passing over NULLs.
    ///
    /// > SELECT text_repeats(['Share', 'Share', NULL, 'Share', 'News']);
    /// [false, true, NULL, true, false]
    text_repeats(LINES_ARGUMENT) -> booleans();
}

fn text_join_short(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut joined = TextsColumn::default();
    let lengths = args[1].as_primitive::<Int64Type>();
    for (lines, length) in args[0].as_list::<i32>().iter().zip(lengths) {
        let Some((lines, length)) = lines.zip(length) else {
            ColumnBuilder::append_null(&mut joined);
            continue;
        };
        let lines = lines.as_string::<i64>().iter().flatten();
        let length = usize::try_from(length).unwrap_or(0);
        Texts(join_short(lines, length)).append_to(&mut joined);
    }
    Ok(ColumnBuilder::finish(&mut joined)?)
}

fn text_repeats(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(BooleanBuilder::new());
    for lines in args[0].as_list::<i32>().iter() {
        match lines {
            Some(lines) => lists.append_value(repeats(lines.as_string::<i64>())),
            None => lists.append_null(),
        }
    }
    Ok(Arc::new(lists.finish()))
}
