//! Lists of lines.

use std::sync::Arc;

use corpus_columns::{Cell, ColumnBuilder, Texts, TextsColumn};
use corpus_text::lines::{join_short, repeats};
use datafusion::arrow::array::{AsArray, BooleanBuilder, ListBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};

use crate::arguments;
use crate::function::{Function, Returns, document};

pub fn text_join_short() -> Function {
    let documentation = document(
        "Text Functions",
        "text_join_short(lines, length)",
        "Appends short lines to the line before them. NULLs in the list are left out.",
        "> SELECT text_join_short(['これは長い文です', '。', 'ABC', ''], 2);\n[これは長い文です。, ABC]",
        &[
            ("lines", "A list of texts."),
            ("length", "The length of the longest line that is appended."),
        ],
    );
    let types = vec![arguments::texts(), DataType::Int64];
    let returns = Returns::of::<TextsColumn>();
    Function::new(
        "text_join_short",
        types,
        returns,
        documentation,
        |args, _| {
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
        },
    )
}

pub fn text_repeats() -> Function {
    let documentation = document(
        "Text Functions",
        "text_repeats(lines)",
        "Returns whether each line equals the line before it, passing over NULLs.",
        "> SELECT text_repeats(['Share', 'Share', NULL, 'Share', 'News']);
[false, true, NULL, true, false]",
        &[("lines", "A list of texts, such as lines or paragraphs.")],
    );
    let item = Field::new_list_field(DataType::Boolean, true);
    let returns = DataType::List(Arc::new(item));
    let types = vec![arguments::texts()];
    Function::new("text_repeats", types, returns, documentation, |args, _| {
        let mut lists = ListBuilder::new(BooleanBuilder::new());
        for lines in args[0].as_list::<i32>().iter() {
            match lines {
                Some(lines) => lists.append_value(repeats(lines.as_string::<i64>())),
                None => lists.append_null(),
            }
        }
        Ok(Arc::new(lists.finish()))
    })
}
