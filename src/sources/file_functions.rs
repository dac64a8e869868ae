//! `read_parquet`, `read_csv`, `read_json` and their other names: the files of `FROM 'x.parquet'`
//! with the options of DuckDB.
//!
//! Several files are always united by the names of their columns. Options that have no equivalent
//! are refused with advice; options that only tune DuckDB's reader are accepted.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::format::{Item, StrftimeItems};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::{TableProvider, ViewTable, provider_as_source};
use datafusion::execution::context::SessionState;
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlanBuilder, cast, lit, when};
use datafusion::prelude::SessionContext;
use object_store::ObjectMeta;
use unicode_normalization::UnicodeNormalization;

use super::data_files::file_table::{FileList, FileSelection, FileTable, FoundFile};
use super::data_files::text_tables::csv::named;
use super::data_files::text_tables::csv::read_options::{
    DATE_FORMAT, IGNORE_ERRORS, SKIP, TIMESTAMP_FORMAT, TYPED_COLUMN, TYPED_COLUMNS,
};
use super::data_files::text_tables::json::is_array as is_json_array;
use super::data_files::text_tables::{add_long_columns, csv_form};
use super::data_files::{endings, nullable};
use super::location::Location;
use super::location::partition_values::{Folders, HiveOptions, PartitionColumns};
use super::table::arguments::{TableFunctionHelp, pairs, text, text_list};
use super::table::register::wait_for;
use crate::object_stores::{apply_store_options, is_store_option, take_store_options};
use crate::options::unknown_option;
use crate::planner::reopened_tables::TableOpening;
use crate::sql_types::renamed;
use corpus_bytes::compression::has_ending;

/// The format of a function's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Parquet,
    Csv,
    Json,
}

/// The functions, and the format of their files.
const FUNCTIONS: [(&str, Kind); 9] = [
    ("read_parquet", Kind::Parquet),
    ("parquet_scan", Kind::Parquet),
    ("read_csv", Kind::Csv),
    ("read_csv_auto", Kind::Csv),
    ("read_json", Kind::Json),
    ("read_json_auto", Kind::Json),
    ("read_ndjson", Kind::Json),
    ("read_ndjson_auto", Kind::Json),
    ("read_jsonl", Kind::Json),
];

/// Whether one of these functions has this name.
pub fn is_file_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

const DELIMITER: &str = "format.delimiter";
const HAS_HEADER: &str = "format.has_header";
const NEWLINE_DELIMITED: &str = "format.newline_delimited";

/// The default name of the column with the names of the files, as in DuckDB.
const FILENAME: &str = "filename";

/// Whether a value is the one that is supported for an option.
type IsDefault = fn(&str) -> bool;

/// Options with a single supported value, and advice for users of other values.
const FIXED: &[(&[&str], IsDefault, &str)] = &[
    (
        &["union_by_name"],
        is_true,
        "columns of several files are always united by name",
    ),
    (
        &["store_rejects", "rejects_limit"],
        is_false,
        "ignore_errors => true leaves out damaged records of CSV, and warns with their number",
    ),
    (
        &["auto_detect", "autodetect"],
        is_true,
        "columns are detected, or named with columns => {name: 'type'}",
    ),
    (
        &["encoding"],
        |text| ["utf-8", "utf8"].contains(&text.to_ascii_lowercase().as_str()),
        "files must be UTF-8; charset_decode(content, 'latin1') decodes others from read_files('…')",
    ),
    (
        &["records"],
        |text| is_true(text) || text == "auto",
        "records become columns; read_lines('…') has them as text",
    ),
    (
        &["maximum_depth"],
        |text| text == "-1",
        "nested values become lists and structs; to_json(column) writes one as JSON",
    ),
    (
        &["decimal_separator"],
        |text| text == ".",
        "read the column as text with all_varchar => true, and replace the separator in SELECT",
    ),
    (
        &["new_line"],
        |text| ["\\n", "\\r\\n", "\n", "\r\n"].contains(&text),
        "lines end with a line feed, or with a carriage return and a line feed",
    ),
    (
        &[
            "file_row_number",
            "binary_as_string",
            "convert_strings_to_integers",
        ],
        is_false,
        "leave it out and compute the column in SELECT: row_number() OVER (), CAST, or AS name",
    ),
    (
        &["allow_quoted_nulls"],
        is_true,
        "quoted values that equal nullstr are NULL, too",
    ),
];

/// Options that change nothing but the speed, the memory or the sample of DuckDB's reader.
const WITHOUT_EFFECT: &[&str] = &[
    "buffer_size",
    "field_appearance_threshold",
    "files_to_sniff",
    "map_inference_threshold",
    "max_line_size",
    "maximum_line_size",
    "maximum_object_size",
    "maximum_sample_files",
    "parallel",
    "sample_size",
    "strict_mode",
];

/// Options that are never possible, and what to do instead.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["auto_type_candidates", "force_not_null"],
        "name the types with types => {name: 'type'}, or cast the columns in SELECT",
    ),
    (
        &[
            "schema",
            "field_ids",
            "encryption_config",
            "explicit_cardinality",
            "can_have_nan",
            "debug_use_openssl",
        ],
        "leave it out",
    ),
];

/// Options of CSV and their names in DataFusion.
const CSV_CHARACTERS: &[(&[&str], &str)] = &[
    (&["delim", "sep", "delimiter", "separator"], DELIMITER),
    (&["quote"], "format.quote"),
    (&["escape"], "format.escape"),
    (&["comment"], "format.comment"),
];

/// Whether a format of dates or times has a part that does not exist, such as `%Q`.
fn has_unknown_part(format: &str) -> bool {
    StrftimeItems::new(format).any(|item| item == Item::Error)
}

fn is_true(text: &str) -> bool {
    ["true", "1"].contains(&text.to_ascii_lowercase().as_str())
}

fn is_false(text: &str) -> bool {
    ["false", "0"].contains(&text.to_ascii_lowercase().as_str())
}

/// Adds the functions to a session.
pub fn register(context: &SessionContext) {
    for (name, kind) in FUNCTIONS {
        context.register_udtf(name, Arc::new(FileFunction { name, kind }));
    }
}

/// Whether this is the name of one of these functions.
pub fn is_one(function: &str) -> bool {
    FUNCTIONS.iter().any(|(name, _)| *name == function)
}

/// The documentation of the functions.
pub fn help() -> impl Iterator<Item = TableFunctionHelp> {
    FUNCTIONS.iter().map(|(name, kind)| {
        let (format, options) = match kind {
            Kind::Parquet => ("Parquet", ""),
            Kind::Csv => (
                "CSV",
                "header, delim, quote, escape, comment, nullstr, columns, types, names, \
                 all_varchar, null_padding, skip, dateformat, timestampformat, ignore_errors, \
                 normalize_names, compression, ",
            ),
            Kind::Json => ("JSON", "columns, compression, "),
        };
        TableFunctionHelp {
            name: (*name).to_owned(),
            syntax: format!("{name}(location [, option => value] …)"),
            description: format!(
                "The rows of {format} files at a location (a file, folder, glob or URL, or an array \
                 of them), united by the names of columns. Options, as in DuckDB: {options}filename, \
                 hive_partitioning, hive_types, hive_types_autocast."
            ),
        }
    })
}

/// One function of [`FUNCTIONS`].
#[derive(Debug)]
struct FileFunction {
    name: &'static str,
    kind: Kind,
}

impl TableFunctionImpl for FileFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let name = self.name;
        let usage = || {
            plan_datafusion_err!(
                "{name}('location', option => value, …) takes constants: one location or an array \
                 of them, then options"
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        let Some(session) = args.session().as_any().downcast_ref::<SessionState>() else {
            return plan_err!("{name}() needs a session of DataFusion");
        };
        let options = FileOptions::new(name, self.kind, pairs(name, rest)?, session)?;
        wait_for(open(session, name, self.kind, &locations, options))
    }
}

/// The options of a call.
#[derive(Default)]
struct FileOptions {
    /// The options of DataFusion's format.
    format: HashMap<String, String>,
    store: HashMap<String, String>,
    /// The name of the column with the names of the files.
    filename: Option<String>,
    /// The names and types of all columns.
    columns: Option<Vec<Field>>,
    /// The names of the first columns.
    names: Vec<String>,
    all_text: bool,
    /// The types of some columns.
    types: Vec<Field>,
    /// The types of the first columns, without names.
    first_types: Vec<DataType>,
    /// The texts that represent NULL.
    null_texts: Vec<String>,
    has_plain_names: bool,
    /// How the keys of `key=value` folders become columns.
    hive: HiveOptions,
}

impl FileOptions {
    fn new(
        function: &str,
        kind: Kind,
        given: Vec<(String, ScalarValue)>,
        session: &SessionState,
    ) -> Result<Self> {
        let mut options = Self::default();
        for (name, value) in given {
            options.add(function, kind, &name, &value, session)?;
        }
        Ok(options)
    }

    fn add(
        &mut self,
        function: &str,
        kind: Kind,
        name: &str,
        value: &ScalarValue,
        session: &SessionState,
    ) -> Result<()> {
        let literal = Expr::Literal(value.clone(), None);
        let shown = text(&literal).unwrap_or_else(|| value.to_string());
        let expected =
            |what: &str| plan_err!("option '{name}' of {function} is {what}, not {shown}");
        let switch = || match shown.as_str() {
            text if is_true(text) => Some(true),
            text if is_false(text) => Some(false),
            _ => None,
        };
        let is = |names: &[&str]| names.contains(&name);
        if is_store_option(name) {
            self.store.insert(name.to_owned(), shown);
            return Ok(());
        }
        if is(WITHOUT_EFFECT) {
            return Ok(());
        }
        if let Some((_, is_default, advice)) = FIXED.iter().find(|(names, ..)| is(names)) {
            return if is_default(&shown) {
                Ok(())
            } else {
                plan_err!("{function} does not support {name} => {shown}: {advice}")
            };
        }
        if let Some((_, advice)) = REFUSED.iter().find(|(names, _)| is(names)) {
            return plan_err!("{function} does not support the option '{name}': {advice}");
        }
        match (name, kind) {
            (FILENAME, _) => {
                self.filename = match (value, switch()) {
                    (_, Some(true)) => Some(FILENAME.to_owned()),
                    (_, Some(false)) => None,
                    (value, None) if value.data_type().is_string() => Some(shown),
                    _ => return expected("true, false or the name of the column"),
                };
            }
            ("compression", _) if kind != Kind::Parquet => {
                let known = match shown.to_ascii_lowercase().as_str() {
                    "auto" | "auto_detect" | "none" | "uncompressed" => None,
                    "gzip" | "gz" => Some("gzip"),
                    "zstd" | "zst" => Some("zstd"),
                    "bzip2" | "bz2" => Some("bzip2"),
                    "xz" => Some("xz"),
                    _ => return expected("'auto', 'none', 'gzip', 'zstd', 'bzip2' or 'xz'"),
                };
                let known = known.map(|known| ("format.compression".to_owned(), known.to_owned()));
                self.format.extend(known);
            }
            ("columns", Kind::Csv | Kind::Json) => {
                self.columns = Some(columns(function, name, value, session)?);
            }
            ("hive_partitioning", _) => match switch() {
                Some(is_on) => self.hive.partitioning = Some(is_on),
                None => return expected("true or false"),
            },
            ("hive_types_autocast", _) => match switch() {
                Some(is_on) => self.hive.without_autocast = !is_on,
                None => return expected("true or false"),
            },
            ("hive_types", _) => {
                self.hive.types = columns(function, name, value, session)?;
            }
            ("normalize_names", Kind::Csv) => match switch() {
                Some(is_on) => self.has_plain_names = is_on,
                None => return expected("true or false"),
            },
            ("ignore_errors", Kind::Csv) => match switch() {
                Some(true) => {
                    self.format.insert(IGNORE_ERRORS.to_owned(), shown);
                }
                Some(false) => {}
                None => return expected("true or false"),
            },
            ("ignore_errors", Kind::Json) if switch() == Some(false) => {}
            ("ignore_errors", Kind::Json) => {
                return plan_err!(
                    "{function} does not support ignore_errors: read_lines('…') has the lines as \
                     text, and json_error(text) says which are damaged"
                );
            }
            ("skip", Kind::Csv) => {
                if shown.parse::<usize>().is_err() {
                    return expected("a number of lines");
                }
                self.format.insert(SKIP.to_owned(), shown);
            }
            ("dateformat" | "date_format", Kind::Csv) => {
                if has_unknown_part(&shown) {
                    return expected("a format of dates, such as %d/%m/%Y");
                }
                self.format.insert(DATE_FORMAT.to_owned(), shown);
            }
            ("timestampformat" | "timestamp_format", Kind::Csv) => {
                if has_unknown_part(&shown) {
                    return expected("a format of times, such as %d/%m/%Y %H:%M");
                }
                self.format.insert(TIMESTAMP_FORMAT.to_owned(), shown);
            }
            ("types" | "dtypes" | "column_types", Kind::Csv)
                if matches!(value, ScalarValue::List(_)) =>
            {
                for kind in text_list(&literal).unwrap_or_default() {
                    let Ok(data_type) = named_type(session, &kind) else {
                        return plan_err!(
                            "option '{name}' of {function} has the unknown type '{kind}'"
                        );
                    };
                    self.first_types.push(data_type);
                }
                let count = self.first_types.len().to_string();
                self.format.insert(TYPED_COLUMNS.to_owned(), count);
            }
            ("types" | "dtypes" | "column_types", Kind::Csv) => {
                self.types = columns(function, name, value, session)?;
                let names = self.types.iter().map(|field| field.name());
                let names = names.map(|name| (format!("{TYPED_COLUMN}{name}"), String::new()));
                self.format.extend(names);
            }
            ("format", Kind::Json) => {
                if !["auto", "newline_delimited", "nd", "array"].contains(&shown.as_str()) {
                    return expected("'auto', 'newline_delimited' or 'array'");
                }
            }
            ("header", Kind::Csv) => {
                let Some(header) = switch() else {
                    return expected("true or false");
                };
                self.format
                    .insert(HAS_HEADER.to_owned(), header.to_string());
            }
            ("null_padding", Kind::Csv) => {
                let Some(padding) = switch() else {
                    return expected("true or false");
                };
                self.format
                    .insert("format.truncated_rows".to_owned(), padding.to_string());
            }
            ("all_varchar", Kind::Csv) => {
                let Some(all_text) = switch() else {
                    return expected("true or false");
                };
                self.all_text = all_text;
            }
            ("names" | "column_names", Kind::Csv) => {
                let ScalarValue::List(_) = value else {
                    return expected("a list of names");
                };
                self.names = text_list(&literal).unwrap_or_default();
            }
            ("nullstr" | "null" | "na_values", Kind::Csv) => {
                let Some(texts) = text_list(&literal) else {
                    return expected("a text or a list of texts");
                };
                let patterns: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
                let pattern = format!("^({})$", patterns.join("|"));
                self.format.insert("format.null_regex".to_owned(), pattern);
                self.null_texts = texts;
            }
            (name, Kind::Csv)
                if CSV_CHARACTERS
                    .iter()
                    .any(|(names, _)| names.contains(&name)) =>
            {
                let character = match shown.as_str() {
                    "\\t" => "\t",
                    text => text,
                };
                if character.len() != 1 {
                    return expected("one character of ASCII");
                }
                let known = CSV_CHARACTERS
                    .iter()
                    .find(|(names, _)| names.contains(&name));
                let known = known.map(|(_, known)| ((*known).to_owned(), character.to_owned()));
                self.format.extend(known);
            }
            _ => return Err(unknown_option(function, name, &known_options(kind))),
        }
        Ok(())
    }
}

/// The names of the options of a format.
fn known_options(kind: Kind) -> Vec<&'static str> {
    let mut names = vec![
        FILENAME,
        "union_by_name",
        "hive_partitioning",
        "hive_types",
        "hive_types_autocast",
    ];
    if kind != Kind::Parquet {
        names.extend(["columns", "compression"]);
    }
    if kind == Kind::Csv {
        names.extend([
            "header",
            "delim",
            "sep",
            "quote",
            "escape",
            "comment",
            "nullstr",
            "names",
            "types",
            "all_varchar",
            "null_padding",
            "skip",
            "dateformat",
            "timestampformat",
            "ignore_errors",
            "normalize_names",
        ]);
    }
    if kind == Kind::Json {
        names.push("format");
    }
    names
}

/// Escapes a text to a pattern that matches only this text.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// Returns the columns that `{name: 'type', …}` declares.
fn columns(
    function: &str,
    option: &str,
    value: &ScalarValue,
    session: &SessionState,
) -> Result<Vec<Field>> {
    let ScalarValue::Struct(columns) = value else {
        return plan_err!(
            "option '{option}' of {function} is a struct of names and types, such as \
             {{id: 'BIGINT', text: 'VARCHAR'}}, not {value}"
        );
    };
    let fields = columns.fields().iter().zip(columns.columns());
    let fields = fields.map(|(field, kind)| {
        let name = field.name();
        let kind = ScalarValue::try_from_array(kind, 0)?;
        let Some(kind) = kind.try_as_str().flatten() else {
            return plan_err!("the type of the column '{name}' must be a text, such as 'VARCHAR'");
        };
        let Ok(data_type) = named_type(session, kind) else {
            return plan_err!("the column '{name}' has the unknown type '{kind}'");
        };
        Ok(Field::new(name, data_type, true))
    });
    fields.collect()
}

/// The type that a text names as in a cast, such as `STRUCT(a INTEGER)`.
fn named_type(session: &SessionState, kind: &str) -> Result<DataType> {
    let kind = with_angle_brackets(kind);
    let cast = format!("CAST(NULL AS {})", renamed(&kind).unwrap_or(kind));
    let cast = session.create_logical_expr(&cast, &DFSchema::empty())?;
    cast.get_type(&DFSchema::empty())
}

/// Writes `STRUCT(a INTEGER)` as `STRUCT<a INTEGER>`, which DataFusion parses.
fn with_angle_brackets(kind: &str) -> String {
    const STRUCT: &str = "STRUCT";
    let mut written = String::new();
    // Whether each open parenthesis is that of a struct.
    let mut open = Vec::new();
    for character in kind.chars() {
        match character {
            '(' => {
                let before = written.trim_end();
                let start = before.len().saturating_sub(STRUCT.len());
                let word = before.get(start..).unwrap_or_default();
                open.push(word.eq_ignore_ascii_case(STRUCT));
                let is_struct = open.last() == Some(&true);
                written.push(if is_struct { '<' } else { '(' });
            }
            ')' => {
                let is_struct = open.pop() == Some(true);
                written.push(if is_struct { '>' } else { ')' });
            }
            other => written.push(other),
        }
    }
    written
}

/// The names of the columns of CSV files, their delimiter, and whether they have a header.
type Form = (Vec<String>, Option<(u8, bool)>);

/// Files of the same form, their format and their columns.
type Group = (Arc<dyn FileFormat>, Schema, Vec<FoundFile>);

async fn open(
    session: &SessionState,
    function: &str,
    kind: Kind,
    locations: &[String],
    mut options: FileOptions,
) -> Result<Arc<dyn TableProvider>> {
    let locations = locations.iter().map(|location| Location::parse(location));
    let list = FileList {
        locations: locations.collect::<Result<Vec<_>>>()?,
        kept: FileSelection::NamedOr(match kind {
            Kind::Parquet => endings::PARQUET,
            Kind::Csv => endings::CSV,
            Kind::Json => endings::JSON,
        }),
    };
    let Some(first) = list.locations.first() else {
        return plan_err!("{function} needs a location: a file, a folder, a glob or a URL");
    };
    let store_url = first.store().clone();
    if let Some(other) = list.locations.iter().find(|it| *it.store() != store_url) {
        return plan_err!(
            "all locations of {function} must be in one object store, but '{}' is not: UNION ALL \
             two calls",
            other.as_str()
        );
    }
    let store_options = take_store_options(&mut options.store)?;
    apply_store_options(session, store_url.as_ref(), store_options)?;
    let files = list.files(session).await?;
    if files.is_empty() {
        let names: Vec<&str> = list.locations.iter().map(Location::as_str).collect();
        return plan_err!(
            "no files with rows for {function} at '{}'",
            names.join("', '")
        );
    }
    let is_tsv = |file: &FoundFile| has_ending(file.meta.location.as_ref(), endings::TABS);
    if kind == Kind::Csv && files.iter().all(is_tsv) {
        let delimiter = options.format.entry(DELIMITER.to_owned());
        delimiter.or_insert_with(|| "\t".to_owned());
    }
    let ending = match kind {
        Kind::Parquet => "parquet",
        Kind::Csv => "csv",
        Kind::Json => "json",
    };
    let Some(factory) = session.get_file_format_factory(ending) else {
        return plan_err!("this session cannot read {ending} files");
    };
    let store = session.runtime_env().object_store(&store_url)?;
    if !options.null_texts.is_empty() && options.format.contains_key(IGNORE_ERRORS) {
        return plan_err!(
            "{function} does not support ignore_errors with nullstr: read the columns with \
             all_varchar => true, and write TRY_CAST(nullif(name, 'NA') AS BIGINT)"
        );
    }
    let folders: Vec<&Folders> = files.iter().map(|file| &file.folders).collect();
    let partitions = PartitionColumns::common(&folders, &options.hive)?;

    // CSV columns are read by position, so files with different column names, delimiters or headers
    // become separate tables. Their columns are in the order of the files.
    let mut groups: Vec<(Form, Group)> = Vec::new();
    if let Some(columns) = &options.columns {
        if kind == Kind::Csv
            && let Some(first) = files.first()
        {
            let has_text_only = columns.iter().all(|column| column.data_type().is_string());
            if has_text_only {
                let header = options.format.entry(HAS_HEADER.to_owned());
                header.or_insert_with(|| true.to_string());
            }
            // A format that has looked for columns takes them by the names in headers.
            let format = factory.create(session, &options.format)?;
            let first = std::slice::from_ref(&first.meta);
            // Files without common columns are read with the declared ones.
            if format.infer_schema(session, &store, first).await.is_ok()
                && let Some((delimiter, has_header)) = csv_form(format.as_ref())
            {
                let delimiter = char::from(delimiter).to_string();
                options.format.insert(DELIMITER.to_owned(), delimiter);
                let header = has_header.to_string();
                options.format.insert(HAS_HEADER.to_owned(), header);
            }
        }
        if kind == Kind::Json
            && let Some(first) = files.first()
            && is_json_array(&store, &first.meta).await?
        {
            let is_lines = false.to_string();
            options
                .format
                .insert(NEWLINE_DELIMITED.to_owned(), is_lines);
        }
        let format = factory.create(session, &options.format)?;
        let schema = Schema::new(columns.clone());
        groups.push((Form::default(), (format, schema, files)));
    } else if kind == Kind::Csv {
        for file in files {
            let format = factory.create(session, &options.format)?;
            let schema = format.infer_schema(session, &store, std::slice::from_ref(&file.meta));
            let schema = schema.await?;
            let names = schema.fields().iter().map(|field| field.name().clone());
            let form = (names.collect(), csv_form(format.as_ref()));
            match groups.iter_mut().find(|(known, _)| *known == form) {
                Some((_, (known, merged, files))) => {
                    add_long_columns(known.as_ref(), format.as_ref());
                    *merged = common_types(merged, &schema);
                    files.push(file);
                }
                None => {
                    groups.push((form, (format, nullable(&schema), vec![file])));
                }
            }
        }
        unite_types(&mut groups);
    } else {
        let format = factory.create(session, &options.format)?;
        let metas: Vec<ObjectMeta> = files.iter().map(|file| file.meta.clone()).collect();
        let schema = format.infer_schema(session, &store, &metas).await?;
        let schema = match files.len() {
            1 => schema.as_ref().clone(),
            _ => nullable(&schema),
        };
        groups.push((Form::default(), (format, schema, files)));
    }

    let list = Arc::new(list);
    let is_only = groups.len() == 1;
    let mut tables: Vec<Arc<dyn TableProvider>> = Vec::new();
    for (_, (format, schema, files)) in groups {
        check_names(function, &schema, &options)?;
        let schema = with_types(schema, &options);
        let plain_names = options.has_plain_names.then(|| plain_names(&schema));
        let in_files = schema.fields().iter();
        let in_files = in_files.filter(|field| !partitions.replace(field.name()));
        let in_files = Schema::new(in_files.cloned().collect::<Vec<_>>());
        let table = FileTable {
            list: Arc::clone(&list),
            is_only,
            store: store_url.clone(),
            format,
            columns: match options.null_texts.as_slice() {
                [] => schema.clone(),
                _ => as_text(&schema),
            },
            filename: options.filename.clone(),
            partitions: partitions.clone(),
            opened: TableOpening::now(session),
            files,
        };
        let table = table.into_provider()?;
        let table: Arc<dyn TableProvider> = match options.null_texts.as_slice() {
            [] => table,
            nulls => with_nulls(session, table, &in_files, nulls, &options)?,
        };
        tables.push(
            match plain_names.as_ref().unwrap_or(&options.names).as_slice() {
                [] => table,
                names => with_names(table, names)?,
            },
        );
    }
    united(tables)
}

/// Returns a view with the rows of all tables, whose columns have the same names.
fn united(tables: Vec<Arc<dyn TableProvider>>) -> Result<Arc<dyn TableProvider>> {
    let mut tables = tables.into_iter();
    let (Some(first), rest) = (tables.next(), tables) else {
        return plan_err!("no files");
    };
    if rest.len() == 0 {
        return Ok(first);
    }
    let scan = |number: usize, table| {
        LogicalPlanBuilder::scan(format!("files{number}"), provider_as_source(table), None)
    };
    let mut union = scan(0, first)?;
    for (number, table) in rest.enumerate() {
        union = union.union_by_name(scan(number + 1, table)?.build()?)?;
    }
    Ok(Arc::new(ViewTable::new(union.build()?, None)))
}

fn as_text(schema: &Schema) -> Schema {
    let fields = schema.fields().iter();
    let fields: Vec<Field> = fields
        .map(|field| Field::new(field.name(), DataType::Utf8, true))
        .collect();
    Schema::new(fields)
}

/// Makes a view of a table with text columns: the texts `nulls` become NULL, and the others are
/// cast to `types`. DataFusion uses its own option for such texts only to infer types.
fn with_nulls(
    session: &SessionState,
    table: Arc<dyn TableProvider>,
    types: &Schema,
    nulls: &[String],
    options: &FileOptions,
) -> Result<Arc<dyn TableProvider>> {
    let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
    let columns = scan.schema().columns().into_iter();
    let columns = columns.map(|column| {
        let Ok(field) = types.field_with_name(&column.name) else {
            return Ok(Expr::Column(column));
        };
        let name = column.name.clone();
        // The reader turns empty texts into NULL.
        let text = coalesce(vec![Expr::Column(column), lit("")]);
        let is_empty_null = !field.data_type().is_string();
        let empty = is_empty_null.then(|| lit(""));
        let nulls = nulls.iter().map(|text| lit(text.as_str())).chain(empty);
        let is_null = text.clone().in_list(nulls.collect(), false);
        let null = lit(ScalarValue::Utf8(None));
        let mut value = when(is_null, null).otherwise(text)?;
        let format = match field.data_type() {
            DataType::Date32 => options.format.get(DATE_FORMAT),
            DataType::Timestamp(..) => options.format.get(TIMESTAMP_FORMAT),
            _ => None,
        };
        if let Some(format) = format {
            let parse = session.scalar_functions().get("strptime");
            let parse = parse.ok_or_else(|| plan_datafusion_err!("no function 'strptime'"))?;
            value = parse.call(vec![value, lit(format.as_str())]);
        }
        Ok(cast(value, field.data_type().clone()).alias(name))
    });
    let columns: Vec<Expr> = columns.collect::<Result<_>>()?;
    let plan = scan.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}

/// Merges the columns of two CSV files with the same names. A column with different types becomes
/// text.
fn common_types(one: &Schema, other: &Schema) -> Schema {
    let fields = one.fields().iter().zip(other.fields());
    let fields = fields.map(|(one, other)| {
        let data_type = common_type(one.data_type(), other.data_type());
        Field::new(one.name(), data_type, true)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

fn common_type(one: &DataType, other: &DataType) -> DataType {
    match (one, other) {
        (one, other) if one == other => one.clone(),
        (DataType::Null, other) => other.clone(),
        (one, DataType::Null) => one.clone(),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
            DataType::Float64
        }
        _ => DataType::Utf8,
    }
}

/// Gives the columns of the same name in files with different columns one type.
fn unite_types(groups: &mut [(Form, Group)]) {
    let mut types: BTreeMap<String, DataType> = BTreeMap::new();
    for (_, (_, schema, _)) in groups.iter() {
        for field in schema.fields() {
            let known = types.get(field.name());
            let common = known.map(|known| common_type(known, field.data_type()));
            let common = common.unwrap_or_else(|| field.data_type().clone());
            types.insert(field.name().clone(), common);
        }
    }
    for (_, (_, schema, _)) in groups {
        let fields = schema.fields().iter().map(|field| {
            let common = types.get(field.name()).unwrap_or(field.data_type());
            field.as_ref().clone().with_data_type(common.clone())
        });
        *schema = Schema::new(fields.collect::<Vec<_>>());
    }
}

/// Checks that the files have the columns in the options `names` and `types`.
fn check_names(function: &str, schema: &Schema, options: &FileOptions) -> Result<()> {
    if options.names.len() > schema.fields().len() {
        return plan_err!(
            "option 'names' of {function} has {} names, but the files have {} columns",
            options.names.len(),
            schema.fields().len()
        );
    }
    let mut types = options.types.iter();
    if options.first_types.len() > schema.fields().len() {
        return plan_err!(
            "option 'types' of {function} has {} types, but the files have {} columns",
            options.first_types.len(),
            schema.fields().len()
        );
    }
    match types.find(|field| schema.field_with_name(field.name()).is_err()) {
        Some(missing) => plan_err!(
            "option 'types' of {function} names the column '{}', which the files do not have",
            missing.name()
        ),
        None => Ok(()),
    }
}

/// Applies the options `types` and `all_varchar`.
fn with_types(schema: Schema, options: &FileOptions) -> Schema {
    let fields = schema.fields().iter().enumerate().map(|(place, field)| {
        let mut types = options.types.iter();
        let named = types.find(|it| it.name() == field.name());
        let given = named.map(Field::data_type);
        let field = field.as_ref().clone();
        match given.or_else(|| options.first_types.get(place)) {
            Some(given) => field.with_data_type(given.clone()),
            None if options.all_text => field.with_data_type(DataType::Utf8),
            None => field,
        }
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// Names columns as DuckDB's `normalize_names` does: in lower case, without accents and characters
/// beyond ASCII, with `_` for white space and before a digit or a word of SQL.
fn plain_names(schema: &Schema) -> Vec<String> {
    let plain = |field: &Arc<Field>| {
        let letters = field.name().nfkd().filter_map(|it| match it {
            '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' => Some(it.to_ascii_lowercase()),
            it if it.is_whitespace() => Some(' '),
            _ => None,
        });
        let letters: String = letters.collect();
        let words: Vec<&str> = letters.split_whitespace().collect();
        let name = words.join("_");
        let is_word = RESERVED.contains(&name.as_str());
        if is_word || name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
            format!("_{name}")
        } else {
            name
        }
    };
    let plain: Vec<String> = schema.fields().iter().map(plain).collect();
    named(plain.iter().map(String::as_str))
}

/// Words that are not names of columns without quotes.
const RESERVED: [&str; 72] = [
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "default",
    "deferrable",
    "desc",
    "describe",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "group",
    "having",
    "in",
    "initially",
    "intersect",
    "into",
    "lambda",
    "lateral",
    "leading",
    "left",
    "limit",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "pivot",
    "placing",
    "primary",
    "qualify",
    "references",
    "returning",
    "right",
    "select",
    "show",
    "some",
    "summarize",
    "symmetric",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "unpivot",
    "using",
    "when",
    "where",
];

/// Makes a view of a table whose first columns have other names.
fn with_names(table: Arc<dyn TableProvider>, names: &[String]) -> Result<Arc<dyn TableProvider>> {
    let scan = LogicalPlanBuilder::scan("files", provider_as_source(table), None)?;
    let columns = scan.schema().columns().into_iter().enumerate();
    let columns: Vec<Expr> = columns
        .map(|(number, column)| match names.get(number) {
            Some(name) => Expr::Column(column).alias(name),
            None => Expr::Column(column),
        })
        .collect();
    let plan = scan.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}
