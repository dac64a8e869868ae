//! `regexp_extract` and `regexp_extract_all`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, LargeStringBuilder, ListBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use regex::{Regex, RegexBuilder};

use super::texts::map;
use super::{SECTION, TEXT};
use crate::function::{Parameter, functions};
use crate::settings::CorpusSettings;

const TEXT_ARGUMENT: Parameter = Parameter::text("text", "The text.");

const PATTERN: Parameter = Parameter::text("pattern", "The regular expression.");

const GROUP: Parameter = Parameter::integer(
    "group",
    "The number of the group in parentheses to return; 0 (default) is the whole match.",
)
.optional();

const OPTIONS: Parameter = Parameter::text(
    "options",
    "'i': ignore case; 'c' (default): do not; 's': a dot matches line breaks, too; 'm': `^` and \
     `$` match at line breaks.",
)
.optional();

functions! {
    SECTION;

    /// Puts a backslash before characters with a meaning in regular expressions.
    ///
    /// > SELECT regexp_escape('a.b');
    /// a\.b
    regexp_escape(TEXT_ARGUMENT) -> TEXT;

    /// Returns the first match of a regular expression, or an empty text if there is none.
    ///
    /// > SELECT regexp_extract('page 12', '([a-z]+) ([0-9]+)', 2);
    /// 12
    regexp_extract(TEXT_ARGUMENT, PATTERN, GROUP, OPTIONS) -> TEXT;

    /// Returns all matches of a regular expression that do not overlap.
    ///
    /// > SELECT regexp_extract_all('a1b2', '([a-z])(.)', 2);
    /// [1, 2]
    regexp_extract_all(TEXT_ARGUMENT, PATTERN, GROUP, OPTIONS)
        -> DataType::List(Arc::new(Field::new_list_field(TEXT, true)));

    /// Splits a text at the matches of a regular expression.
    ///
    /// > SELECT regexp_split_to_array('a1b2c', '[0-9]');
    /// [a, b, c]
    regexp_split_to_array(TEXT_ARGUMENT, PATTERN, OPTIONS)
        -> DataType::List(Arc::new(Field::new_list_field(TEXT, true)));
}

fn regexp_escape(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    map(&args[0], |text| {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            // `\<` and `\>` are the ends of words.
            let is_plain = character.is_ascii_alphanumeric() || "_<>".contains(character);
            if character.is_ascii() && !is_plain {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        Ok(escaped)
    })
}

fn regexp_extract(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
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
}

fn regexp_extract_all(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(LargeStringBuilder::new());
    each("regexp_extract_all", args, |call| {
        let Some((text, pattern, group)) = call else {
            lists.append_null();
            return Ok(());
        };
        let group = group.unwrap_or(0);
        if group >= pattern.captures_len() {
            return exec_err!("regexp_extract_all: the pattern '{pattern}' has no group {group}");
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
}

fn regexp_split_to_array(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let groups: ArrayRef = Arc::new(Int64Array::new_null(args[0].len()));
    let args = [&args[0], &args[1], &groups, &args[2]].map(Arc::clone);
    let mut lists = ListBuilder::new(LargeStringBuilder::new());
    each("regexp_split_to_array", &args, |call| {
        if let Some((text, pattern, _)) = call {
            split(text, pattern, |part| lists.values().append_value(part));
        }
        lists.append(call.is_some());
        Ok(())
    })?;
    Ok(Arc::new(lists.finish()))
}

/// Splits a text as DuckDB does: an empty match ends after the next character.
fn split(text: &str, pattern: &Regex, mut add: impl FnMut(&str)) {
    if text.is_empty() && pattern.as_str().is_empty() {
        return;
    }
    let mut start = 0;
    while start < text.len()
        && let Some(found) = pattern.find_at(text, start)
    {
        let is_empty = found.end() == start;
        let first = text[start..].chars().next().map_or(0, char::len_utf8);
        let (end, next) = match is_empty {
            true => (start + first, start + first),
            false => (found.start(), found.end()),
        };
        if is_empty && end == text.len() {
            break;
        }
        add(&text[start..end]);
        start = next;
    }
    add(&text[start..]);
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
        let group = if groups.is_null(at) {
            Some(0)
        } else {
            usize::try_from(groups.value(at)).ok()
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
