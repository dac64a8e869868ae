//! `regexp_extract` and `regexp_extract_all`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, LargeStringBuilder, ListBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use regex::{Regex, RegexBuilder};

use super::{SECTION, TEXT};
use crate::function::{Function, document};

const ARGUMENTS: [(&str, &str); 4] = [
    ("text", "The text."),
    ("pattern", "The regular expression."),
    (
        "group",
        "The number of the group in parentheses to return; 0 (default) is the whole match.",
    ),
    (
        "options",
        "'i': ignore case; 'c' (default): do not; 's': a dot matches line breaks, too; 'm': `^` and \
         `$` match at line breaks.",
    ),
];

pub fn regexp_extract() -> Function {
    let documentation = document(
        SECTION,
        "regexp_extract(text, pattern [, group] [, options])",
        "Returns the first match of a regular expression, or an empty text if there is none.",
        "> SELECT regexp_extract('page 12', '([a-z]+) ([0-9]+)', 2);\n12",
        &ARGUMENTS,
    );
    Function::new(
        "regexp_extract",
        vec![TEXT, TEXT, DataType::Int64, TEXT],
        TEXT,
        documentation,
        |args, _| {
            let mut matches = LargeStringBuilder::new();
            each("regexp_extract", args, |call| {
                let Some((text, pattern, group)) = call else {
                    matches.append_null();
                    return Ok(());
                };
                let found = group.and_then(|group| pattern.captures(text)?.get(group));
                matches.append_value(found.map_or("", |found| found.as_str()));
                Ok(())
            })?;
            Ok(Arc::new(matches.finish()))
        },
    )
    .optional(2)
}

pub fn regexp_extract_all() -> Function {
    let documentation = document(
        SECTION,
        "regexp_extract_all(text, pattern [, group] [, options])",
        "Returns all matches of a regular expression that do not overlap.",
        "> SELECT regexp_extract_all('a1b2', '([a-z])(.)', 2);\n[1, 2]",
        &ARGUMENTS,
    );
    let list = DataType::List(Arc::new(Field::new_list_field(TEXT, true)));
    Function::new(
        "regexp_extract_all",
        vec![TEXT, TEXT, DataType::Int64, TEXT],
        list,
        documentation,
        |args, _| {
            let mut lists = ListBuilder::new(LargeStringBuilder::new());
            each("regexp_extract_all", args, |call| {
                let Some((text, pattern, group)) = call else {
                    lists.append_null();
                    return Ok(());
                };
                let group = group.unwrap_or(0);
                if group >= pattern.captures_len() {
                    return exec_err!(
                        "regexp_extract_all: the pattern '{pattern}' has no group {group}"
                    );
                }
                for found in pattern.captures_iter(text) {
                    let found = found.get(group);
                    lists
                        .values()
                        .append_option(found.map(|found| found.as_str()));
                }
                lists.append(true);
                Ok(())
            })?;
            Ok(Arc::new(lists.finish()))
        },
    )
    .optional(2)
}

pub fn regexp_split() -> Function {
    let documentation = document(
        SECTION,
        "regexp_split_to_array(text, pattern [, options])",
        "Splits a text at the matches of a regular expression.",
        "> SELECT regexp_split_to_array('a1b2c', '[0-9]');\n[a, b, c]",
        &[ARGUMENTS[0], ARGUMENTS[1], ARGUMENTS[3]],
    );
    let list = DataType::List(Arc::new(Field::new_list_field(TEXT, true)));
    Function::new(
        "regexp_split_to_array",
        vec![TEXT, TEXT, TEXT],
        list,
        documentation,
        |args, _| {
            let groups: ArrayRef = Arc::new(Int64Array::new_null(args[0].len()));
            let [texts, patterns, options] = args else {
                return exec_err!(
                    "regexp_split_to_array takes 3 arguments, not {}",
                    args.len()
                );
            };
            let args = [texts, patterns, &groups, options].map(Arc::clone);
            let mut lists = ListBuilder::new(LargeStringBuilder::new());
            each("regexp_split_to_array", &args, |call| {
                if let Some((text, pattern, _)) = call {
                    for part in pattern.split(text) {
                        lists.values().append_value(part);
                    }
                }
                lists.append(call.is_some());
                Ok(())
            })?;
            Ok(Arc::new(lists.finish()))
        },
    )
    .optional(1)
}

/// A text, a pattern, and the group, which is `None` if it is NULL or negative.
type Call<'a> = (&'a str, &'a Regex, Option<usize>);

/// Calls a function for each row, with `None` if the text or the pattern is NULL. Equal patterns in
/// a row are compiled once.
fn each(
    function: &str,
    args: &[ArrayRef],
    mut row: impl FnMut(Option<Call<'_>>) -> Result<()>,
) -> Result<()> {
    let (texts, patterns) = (args[0].as_string::<i64>(), args[1].as_string::<i64>());
    let (groups, options): (&Int64Array, _) = (
        args[2].as_primitive::<Int64Type>(),
        args[3].as_string::<i64>(),
    );
    let mut compiled: Option<(&str, &str, Regex)> = None;
    for at in 0..texts.len() {
        if texts.is_null(at) || patterns.is_null(at) {
            row(None)?;
            continue;
        }
        let pattern = patterns.value(at);
        let option = if options.is_null(at) {
            ""
        } else {
            options.value(at)
        };
        let is_same = |(known, with, _): &(&str, &str, Regex)| *known == pattern && *with == option;
        if !compiled.as_ref().is_some_and(is_same) {
            compiled = Some((pattern, option, compile(function, pattern, option)?));
        }
        let group = match groups.is_null(at) {
            true => Some(0),
            false => usize::try_from(groups.value(at)).ok(),
        };
        if let Some((_, _, regex)) = &compiled {
            row(Some((texts.value(at), regex, group)))?;
        }
    }
    Ok(())
}

fn compile(function: &str, pattern: &str, options: &str) -> Result<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    for option in options.chars() {
        match option {
            'c' => builder.case_insensitive(false),
            'i' => builder.case_insensitive(true),
            's' => builder.dot_matches_new_line(true),
            'm' => builder.multi_line(true),
            other => {
                return exec_err!("{function}: expected the options i, c, s or m, got '{other}'");
            }
        };
    }
    builder
        .build()
        .map_err(|error| exec_datafusion_err!("{function}: {error}"))
}
