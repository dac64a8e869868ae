//! SQL functions of JSON, such as the metadata in WAT archives.
//!
//! ```text
//! find    finds values by a path
//! member  values whose key is a column
//! rows    `json_rows`, `json_tree_rows`
//! edit    rewrites JSON
//! ```

mod edit;
mod find;
pub mod member;
mod rows;

use std::borrow::Cow;
use std::sync::Arc;

use corpus_columns::{ColumnBuilder, ListOf};
use datafusion::arrow::array::builder::{LargeStringBuilder, ListBuilder};
use datafusion::arrow::array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray,
};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::logical_expr::ScalarUDF;

use crate::arguments::JSON_OR_NESTED;
use crate::function::{Parameter, Returns, constant, functions};
use crate::settings::CorpusSettings;
use crate::text_or_bytes::{TextOrBytes, texts_or_bytes};
use find::{Path, Pattern};
use rows::JsonRow;

const SECTION: &str = "JSON Functions";

const ABOUT_JSON: &str = "JSON, as text or as bytes in UTF-8.";

/// JSON, or a struct, a list or a map, as in DuckDB.
const JSON_ARGUMENT: Parameter = Parameter::new("json", || JSON_OR_NESTED, ABOUT_JSON);

/// JSON of functions that have another meaning for lists or structs, or none.
const JSON_TEXT_ARGUMENT: Parameter = Parameter::text_or_bytes("json", ABOUT_JSON);

const PATH_ARGUMENT: Parameter = Parameter::text(
    "path",
    "A key, or a path such as `'$.a[0].b'`, `$['a b']`, `$.\"a b\"` or `'/a/0/b'`. Items are counted \
     from 0. `'$'` is the whole, the default if optional. Missing values, and those of \
     another type, are NULL.",
)
.constant(|path| path.parse::<Path>().map(|_| ()));

const PATTERN_ARGUMENT: Parameter = Parameter::text(
    "path",
    "A path in which `[*]` is every item of an array, and `.*` every value of an object.",
)
.constant(|path| path.parse::<Pattern>().map(|_| ()));

const PATCH_ARGUMENT: Parameter = Parameter::text_or_bytes("patch", "The changes, as JSON.");

/// The maximum number of characters of a text in an error.
const MAX_SHOWN_CHARACTERS: usize = 40;

/// The path of the whole document, for a missing argument.
const WHOLE: &str = "$";

/// Returns JSON without white space between its parts. `None` if it is not valid.
pub fn compacted(json: &str) -> Option<String> {
    match find::error(json.as_bytes()) {
        Some(_) => None,
        None => find::compact(json.as_bytes()),
    }
}

/// Calls a function with the value at the path in each JSON; `None` if there is none.
fn for_each_value(
    args: &[ArrayRef],
    default_path: Option<&str>,
    mut visit: impl FnMut(Option<&[u8]>),
) -> Result<()> {
    let path = constant(&args[1]).or(default_path);
    let path = path.map(str::parse::<Path>).transpose();
    let path = path.map_err(|error| exec_datafusion_err!("{error}"))?;
    for json in texts_or_bytes(&args[0]) {
        let value = json
            .zip(path.as_ref())
            .and_then(|(json, path)| find::find(bytes(json), path));
        visit(value.as_deref());
    }
    Ok(())
}

fn bytes(json: TextOrBytes<'_>) -> &[u8] {
    match json {
        TextOrBytes::Bytes(bytes) => bytes,
        TextOrBytes::Text(text) => text.as_bytes(),
    }
}

/// Builds a column of the results of `parse` for the values at the path.
fn parse_column<T, C>(
    args: &[ArrayRef],
    default_path: Option<&str>,
    parse: fn(&[u8]) -> Option<T>,
) -> Result<ArrayRef>
where
    C: FromIterator<Option<T>> + Array + 'static,
{
    let mut values = Vec::with_capacity(args[0].len());
    for_each_value(args, default_path, |value| {
        values.push(value.and_then(parse))
    })?;
    Ok(Arc::new(values.into_iter().collect::<C>()))
}

fn texts() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::LargeUtf8, true)))
}

/// Builds a column of lists of texts. `fill` returns whether the value has such a list.
fn lists(args: &[ArrayRef], fill: fn(&[u8], &mut LargeStringBuilder) -> bool) -> Result<ArrayRef> {
    let mut lists = ListBuilder::new(LargeStringBuilder::new());
    for_each_value(args, Some(WHOLE), |value| {
        let is_list = value.is_some_and(|value| fill(value, lists.values()));
        lists.append(is_list);
    })?;
    Ok(Arc::new(lists.finish()))
}

pub use member::NAME as JSON_MEMBER;

/// The name of the function of `json.key`.
pub const JSON_FIELD: &str = "json_field";

/// The function of `json.key`.
pub fn json_field_function() -> Option<ScalarUDF> {
    functions()
        .into_iter()
        .find(|function| function.name() == JSON_FIELD)
}

functions! {
    SECTION;

    /// Returns the items of an array, each as JSON. `json_text(item, '$')` is the text of an item.
    ///
    /// > SELECT json_array('{"a": [1, "x", {"b": 2}]}', 'a');
    /// [1, "x", {"b": 2}]
    json_array(JSON_TEXT_ARGUMENT, PATH_ARGUMENT.optional()) -> texts();

    /// Returns a boolean.
    ///
    /// > SELECT json_boolean('{"truncated": true}', 'truncated');
    /// true
    json_boolean(JSON_ARGUMENT, PATH_ARGUMENT) -> DataType::Boolean;

    /// Returns a number.
    ///
    /// > SELECT json_double('{"scores": [0.25, 1]}', '$.scores[0]');
    /// 0.25
    json_double(JSON_ARGUMENT, PATH_ARGUMENT) -> DataType::Float64;

    /// Returns the mistake of JSON and its place, NULL if there is none. Values nested more than
    /// 200 levels deep are not read.
    ///
    /// > SELECT json_error('[1, 2');
    /// EOF while parsing a list at line 1 column 5
    json_error(JSON_TEXT_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns a value as JSON: strings with their quotes. `json -> 'key'` and `json ->> 'key'` are
    /// short for `json_extract` and `json_text`.
    ///
    /// > SELECT json_extract('{"a": [1, "x"]}', '$.a');
    /// [1,"x"]
    json_extract(JSON_ARGUMENT, PATH_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns all values that match a path with wildcards, each as JSON. `json -> '$.a[*]'` is
    /// short for it.
    ///
    /// > SELECT json_extract_all('{"a": [{"b": 1}, {"b": 2}]}', '$.a[*].b');
    /// [1, 2]
    json_extract_all(JSON_ARGUMENT, PATTERN_ARGUMENT) -> texts();

    /// Returns a value as JSON, as `json_extract` does, but text that is not JSON is an error.
    /// `json.key` is short for it.
    ///
    /// > SELECT json_field('{"a": {"b": 1}}', '$.a.b');
    /// 1
    json_field(JSON_TEXT_ARGUMENT, PATH_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns a whole number of up to 64 bits.
    ///
    /// > SELECT json_integer('{"size": 12}', 'size');
    /// 12
    json_integer(JSON_ARGUMENT, PATH_ARGUMENT) -> DataType::Int64;

    /// Returns the keys of an object in their order.
    ///
    /// > SELECT json_keys('{"url": 1, "date": 2}');
    /// [url, date]
    json_keys(JSON_ARGUMENT, PATH_ARGUMENT.optional()) -> texts();

    /// Returns the number of items of an array, or of keys of an object.
    ///
    /// > SELECT json_length('{"links": [1, 2]}', 'links');
    /// 2
    json_length(JSON_ARGUMENT, PATH_ARGUMENT.optional()) -> DataType::Int64;

    /// Changes JSON by a patch (RFC 7396): its values replace those of the same keys, and null
    /// removes them. The patch is the result for values that are not objects.
    ///
    /// > SELECT json_merge_patch('{"a": 1, "b": 2}', '{"b": null, "c": 3}');
    /// {"a":1,"c":3}
    json_merge_patch(JSON_ARGUMENT, PATCH_ARGUMENT) -> DataType::LargeUtf8;

    /// Writes JSON on several lines, with indents.
    ///
    /// > SELECT json_pretty('[1]') = '[' || chr(10) || '    1' || chr(10) || ']';
    /// true
    json_pretty(JSON_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns the values of an array or object, or another value itself. `FROM json_each(json)`
    /// has them as rows.
    ///
    /// > SELECT json_rows('{"a": 1, "b": [2]}')[2]['value'];
    /// [2]
    json_rows(JSON_ARGUMENT, PATH_ARGUMENT.optional()) -> Returns::of::<ListOf<JsonRow>>();

    /// Returns the types of JSON, in the form that `from_json` takes. Values of several types are
    /// JSON.
    ///
    /// > SELECT json_structure('{"a": 1, "b": ["x"]}');
    /// {"a":"UBIGINT","b":["VARCHAR"]}
    json_structure(JSON_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns a value as text: the characters of a string, and other values as JSON. NULL for null
    /// and missing values. Damage after the value does no harm; the first of repeated keys counts.
    /// Unpaired surrogates become U+FFFD.
    ///
    /// > SELECT json_text('{"head": {"title": "A \u00e9"}}', '$.head.title');
    /// A é
    json_text(JSON_ARGUMENT, PATH_ARGUMENT) -> DataType::LargeUtf8;

    /// Returns a value and all values in it. `FROM json_tree(json)` has them as rows.
    ///
    /// > SELECT json_tree_rows('{"a": {"b": 1}}')[3]['fullkey'];
    /// $.a.b
    json_tree_rows(JSON_ARGUMENT, PATH_ARGUMENT.optional()) -> Returns::of::<ListOf<JsonRow>>();

    /// Returns the type of a value: OBJECT, ARRAY, VARCHAR, UBIGINT, BIGINT (negative numbers),
    /// DOUBLE, BOOLEAN or NULL. NULL for missing values.
    ///
    /// > SELECT json_type('{"a": 1.5}', 'a');
    /// DOUBLE
    json_type(JSON_ARGUMENT, PATH_ARGUMENT.optional()) -> DataType::LargeUtf8;
}

fn json_extract(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, LargeStringArray>(args, None, find::compact)
}

fn json_field(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let path = constant(&args[1]);
    let parsed = path.map(str::parse::<Path>).transpose();
    let parsed = parsed.map_err(|error| exec_datafusion_err!("{error}"))?;
    let values = texts_or_bytes(&args[0]).map(|json| {
        let Some((json, parsed)) = json.zip(parsed.as_ref()) else {
            return Ok(None);
        };
        let json = bytes(json);
        if let Some(value) = find::find(json, parsed) {
            return Ok(find::compact(&value));
        }
        let Some(mistake) = find::error(json) else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(json);
        let shown: String = text.chars().take(MAX_SHOWN_CHARACTERS).collect();
        exec_err!(
            "'{shown}' is neither a struct nor JSON, and has no field at {}: {mistake}; json -> 'field' \
             is NULL for such texts, and SELECT filename … WHERE json_error(json) IS NOT NULL finds them",
            path.unwrap_or(WHOLE)
        )
    });
    Ok(Arc::new(values.collect::<Result<LargeStringArray>>()?))
}

/// Builds a column of the results of `write` for valid JSON.
fn write_column(args: &[ArrayRef], write: impl Fn(&[u8]) -> Option<String>) -> Result<ArrayRef> {
    let whole = Path::default();
    let texts = texts_or_bytes(&args[0]).map(|json| {
        let json = bytes(json?);
        match find::error(json) {
            Some(_) => None,
            None => write(&find::find(json, &whole)?),
        }
    });
    Ok(Arc::new(texts.collect::<LargeStringArray>()))
}

fn json_pretty(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    write_column(args, edit::pretty)
}

fn json_structure(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    write_column(args, edit::structure)
}

fn json_merge_patch(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let whole = Path::default();
    let pairs = texts_or_bytes(&args[0]).zip(texts_or_bytes(&args[1]));
    let merged = pairs.map(|(target, patch)| {
        let patch = find::find(bytes(patch?), &whole)?;
        let target = match target {
            Some(target) => find::find(bytes(target), &whole)?,
            None => Cow::Borrowed(b"null".as_slice()),
        };
        // As in DuckDB: RFC 7396 would remove the null values of the patch.
        if !target.starts_with(b"{") {
            return find::compact(&patch);
        }
        edit::merge(&target, &patch)
    });
    Ok(Arc::new(merged.collect::<LargeStringArray>()))
}

fn json_type(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, LargeStringArray>(args, Some(WHOLE), find::kind)
}

fn json_array(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    lists(args, |value, texts| {
        find::items(value, |item| {
            texts.append_value(String::from_utf8_lossy(item));
        })
    })
}

fn json_extract_all(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let pattern = constant(&args[1]).map(str::parse::<Pattern>).transpose();
    let pattern = pattern.map_err(|error| exec_datafusion_err!("{error}"))?;
    let mut lists = ListBuilder::new(LargeStringBuilder::new());
    for json in texts_or_bytes(&args[0]) {
        let found = json.zip(pattern.as_ref());
        if let Some((json, pattern)) = found {
            pattern.matches(bytes(json), |value| {
                lists.values().append_option(find::compact(value));
            });
        }
        lists.append(found.is_some());
    }
    Ok(Arc::new(lists.finish()))
}

fn json_rows(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    rows(args, false)
}

fn json_tree_rows(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    rows(args, true)
}

fn rows(args: &[ArrayRef], is_deep: bool) -> Result<ArrayRef> {
    let path = constant(&args[1]).unwrap_or(WHOLE).parse::<Path>();
    let path = path.map_err(|error| exec_datafusion_err!("{error}"))?;
    let path = path.to_string();
    let mut lists = ListOf::<JsonRow>::default();
    for_each_value(args, Some(WHOLE), |value| {
        match value.and_then(|value| rows::rows(value, &path, is_deep)) {
            Some(rows) => lists.append(rows),
            None => lists.append_null(),
        }
    })?;
    Ok(lists.finish()?)
}

fn json_boolean(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, BooleanArray>(args, None, find::boolean)
}

fn json_double(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, Float64Array>(args, None, find::double)
}

fn json_integer(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, Int64Array>(args, None, find::integer)
}

fn json_keys(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    lists(args, |value, texts| {
        // Other values have no keys.
        find::keys(value, |key| texts.append_value(key)) || !value.starts_with(b"{")
    })
}

fn json_length(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, Int64Array>(args, Some(WHOLE), |value| {
        find::length(value)?.try_into().ok()
    })
}

fn json_text(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    parse_column::<_, LargeStringArray>(args, None, find::text)
}

fn json_error(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let errors = texts_or_bytes(&args[0]).map(|json| find::error(bytes(json?)));
    Ok(Arc::new(errors.collect::<LargeStringArray>()))
}
