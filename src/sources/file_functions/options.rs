//! The options of DuckDB's functions for files.

use std::collections::HashMap;

use chrono::format::{Item, StrftimeItems};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::{Expr, ExprSchemable};

use crate::foreign_types::type_here;
use crate::object_stores::is_store_option;
use crate::options::unknown_option;
use crate::sources::data_files::text_tables::csv::read_options::{
    DATE_FORMAT, DECIMAL_COMMA, IGNORE_ERRORS, SKIP, TIMESTAMP_FORMAT, TYPED_COLUMN, TYPED_COLUMNS,
};
use crate::sources::location::partition_values::HiveOptions;
use crate::sources::table::arguments::{text, text_list};

/// The format of a function's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Parquet,
    Csv,
    Json,
}

pub const DELIMITER: &str = "format.delimiter";
pub const ESCAPE: &str = "format.escape";
pub const HAS_HEADER: &str = "format.has_header";
pub const NEWLINE_DELIMITED: &str = "format.newline_delimited";

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
        "ignore_errors => true leaves out damaged records, and warns with their number",
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
        &["new_line"],
        |text| ["\\n", "\\r", "\\r\\n", "\n", "\r", "\r\n"].contains(&text),
        "lines end with a line feed, a carriage return, or both",
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
    (&["escape"], ESCAPE),
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

/// A call: its function, and its options.
pub struct FileOptions {
    pub function: &'static str,
    pub kind: Kind,
    /// The options of DataFusion's format.
    pub format: HashMap<String, String>,
    pub store: HashMap<String, String>,
    /// The name of the column with the names of the files.
    pub filename: Option<String>,
    /// The names and types of all columns.
    pub columns: Option<Vec<Field>>,
    /// The names of the first columns.
    pub names: Vec<String>,
    all_text: bool,
    /// The types of some columns.
    types: Vec<Field>,
    /// The types of the first columns, without names.
    first_types: Vec<DataType>,
    /// The texts that represent NULL.
    pub null_texts: Vec<String>,
    pub has_plain_names: bool,
    /// How the keys of `key=value` folders become columns.
    pub hive: HiveOptions,
}

/// An option of a call.
struct Given<'a> {
    function: &'static str,
    name: &'a str,
    value: &'a ScalarValue,
    /// The value as text.
    text: String,
}

impl Given<'_> {
    fn expected<T>(&self, what: &str) -> Result<T> {
        let (name, function, text) = (self.name, self.function, &self.text);
        plan_err!("option '{name}' of {function} is {what}, not {text}")
    }

    fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.name)
    }

    fn switch(&self) -> Option<bool> {
        match self.text.as_str() {
            text if is_true(text) => Some(true),
            text if is_false(text) => Some(false),
            _ => None,
        }
    }

    fn is_on(&self) -> Result<bool> {
        let is_on = self.switch();
        is_on.map_or_else(|| self.expected("true or false"), Ok)
    }

    fn texts(&self) -> Option<Vec<String>> {
        text_list(&Expr::Literal(self.value.clone(), None))
    }

    /// The columns that `{name: 'type', …}` declares.
    fn columns(&self, session: &SessionState) -> Result<Vec<Field>> {
        columns(self.function, self.name, self.value, session)
    }
}

impl FileOptions {
    pub fn new(
        function: &'static str,
        kind: Kind,
        given: Vec<(String, ScalarValue)>,
        session: &SessionState,
    ) -> Result<Self> {
        let mut options = Self {
            function,
            kind,
            format: HashMap::new(),
            store: HashMap::new(),
            filename: None,
            columns: None,
            names: Vec::new(),
            all_text: false,
            types: Vec::new(),
            first_types: Vec::new(),
            null_texts: Vec::new(),
            has_plain_names: false,
            hive: HiveOptions::default(),
        };
        for (name, value) in &given {
            let literal = Expr::Literal(value.clone(), None);
            let given = Given {
                function,
                name,
                value,
                text: text(&literal).unwrap_or_else(|| value.to_string()),
            };
            options.add(&given, session)?;
        }
        Ok(options)
    }

    fn add(&mut self, given: &Given<'_>, session: &SessionState) -> Result<()> {
        let Given { function, name, .. } = given;
        if is_store_option(name) {
            self.store.insert((*name).to_owned(), given.text.clone());
            return Ok(());
        }
        if given.is(WITHOUT_EFFECT) {
            return Ok(());
        }
        if let Some((_, is_default, advice)) = FIXED.iter().find(|(names, ..)| given.is(names)) {
            return if is_default(&given.text) {
                Ok(())
            } else {
                let text = &given.text;
                plan_err!("{function} does not support {name} => {text}: {advice}")
            };
        }
        if let Some((_, advice)) = REFUSED.iter().find(|(names, _)| given.is(names)) {
            return plan_err!("{function} does not support the option '{name}': {advice}");
        }
        let is_known = self.add_common(given, session)?
            || match self.kind {
                Kind::Parquet => false,
                Kind::Csv => {
                    self.add_of_text(given, session)?
                        || self.add_csv(given, session)?
                        || self.add_csv_character(given)?
                }
                Kind::Json => self.add_of_text(given, session)? || add_json(given)?,
            };
        if is_known {
            Ok(())
        } else {
            Err(unknown_option(function, name, &known_options(self.kind)))
        }
    }

    fn set(&mut self, option: &str, value: impl Into<String>) {
        self.format.insert(option.to_owned(), value.into());
    }

    /// Adds an option of all functions. Returns whether it is one, as do the methods below.
    fn add_common(&mut self, given: &Given<'_>, session: &SessionState) -> Result<bool> {
        match given.name {
            FILENAME => {
                self.filename = match given.switch() {
                    Some(true) => Some(FILENAME.to_owned()),
                    Some(false) => None,
                    None if given.value.data_type().is_string() => Some(given.text.clone()),
                    None => return given.expected("true, false or the name of the column"),
                };
            }
            "hive_partitioning" => self.hive.partitioning = Some(given.is_on()?),
            "hive_types_autocast" => self.hive.without_autocast = !given.is_on()?,
            "hive_types" => self.hive.types = given.columns(session)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds an option of CSV and JSON.
    fn add_of_text(&mut self, given: &Given<'_>, session: &SessionState) -> Result<bool> {
        match given.name {
            "compression" => {
                let known = match given.text.to_ascii_lowercase().as_str() {
                    "auto" | "auto_detect" | "none" | "uncompressed" => None,
                    "gzip" | "gz" => Some("gzip"),
                    "zstd" | "zst" => Some("zstd"),
                    "bzip2" | "bz2" => Some("bzip2"),
                    "xz" => Some("xz"),
                    _ => return given.expected("'auto', 'none', 'gzip', 'zstd', 'bzip2' or 'xz'"),
                };
                if let Some(known) = known {
                    self.set("format.compression", known);
                }
            }
            "columns" => self.columns = Some(given.columns(session)?),
            "ignore_errors" => {
                let is_on = given.is_on()?;
                // For JSON, a setting decides if the option is not given.
                if is_on || self.kind == Kind::Json {
                    self.set(IGNORE_ERRORS, is_on.to_string());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add_csv(&mut self, given: &Given<'_>, session: &SessionState) -> Result<bool> {
        let text = given.text.as_str();
        match given.name {
            "normalize_names" => self.has_plain_names = given.is_on()?,
            "skip" if text.parse::<usize>().is_err() => {
                return given.expected("a number of lines");
            }
            "skip" => self.set(SKIP, text),
            "decimal_separator" => match text {
                "." => {}
                "," => self.set(DECIMAL_COMMA, true.to_string()),
                _ => return given.expected("'.' or ','"),
            },
            "dateformat" | "date_format" if has_unknown_part(text) => {
                return given.expected("a format of dates, such as %d/%m/%Y");
            }
            "dateformat" | "date_format" => self.set(DATE_FORMAT, text),
            "timestampformat" | "timestamp_format" if has_unknown_part(text) => {
                return given.expected("a format of times, such as %d/%m/%Y %H:%M");
            }
            "timestampformat" | "timestamp_format" => self.set(TIMESTAMP_FORMAT, text),
            "types" | "dtypes" | "column_types" => self.add_types(given, session)?,
            "header" => self.set(HAS_HEADER, given.is_on()?.to_string()),
            "null_padding" => self.set("format.truncated_rows", given.is_on()?.to_string()),
            "all_varchar" => self.all_text = given.is_on()?,
            "names" | "column_names" => {
                let ScalarValue::List(_) = given.value else {
                    return given.expected("a list of names");
                };
                self.names = given.texts().unwrap_or_default();
            }
            "nullstr" | "null" | "na_values" => {
                let Some(texts) = given.texts() else {
                    return given.expected("a text or a list of texts");
                };
                let patterns: Vec<String> = texts.iter().map(|text| escape(text)).collect();
                self.set("format.null_regex", format!("^({})$", patterns.join("|")));
                self.null_texts = texts;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds the types of the first columns, or of named ones.
    fn add_types(&mut self, given: &Given<'_>, session: &SessionState) -> Result<()> {
        let ScalarValue::List(_) = given.value else {
            self.types = given.columns(session)?;
            let names = self.types.iter().map(|field| field.name());
            let names = names.map(|name| (format!("{TYPED_COLUMN}{name}"), String::new()));
            self.format.extend(names);
            return Ok(());
        };
        for kind in given.texts().unwrap_or_default() {
            let Ok(data_type) = named_type(session, &kind) else {
                let (name, function) = (given.name, given.function);
                return plan_err!("option '{name}' of {function} has the unknown type '{kind}'");
            };
            self.first_types.push(data_type);
        }
        self.set(TYPED_COLUMNS, self.first_types.len().to_string());
        Ok(())
    }

    fn add_csv_character(&mut self, given: &Given<'_>) -> Result<bool> {
        let mut options = CSV_CHARACTERS.iter();
        let Some((_, option)) = options.find(|(names, _)| given.is(names)) else {
            return Ok(false);
        };
        let character = match given.text.as_str() {
            "\\t" => "\t",
            text => text,
        };
        if character.len() != 1 {
            return given.expected("one character of ASCII");
        }
        self.set(option, character);
        Ok(true)
    }

    /// Checks that the files have the columns in the options `names` and `types`.
    pub fn check_names(&self, schema: &Schema) -> Result<()> {
        let function = self.function;
        if self.names.len() > schema.fields().len() {
            return plan_err!(
                "option 'names' of {function} has {} names, but the files have {} columns",
                self.names.len(),
                schema.fields().len()
            );
        }
        let mut types = self.types.iter();
        if self.first_types.len() > schema.fields().len() {
            return plan_err!(
                "option 'types' of {function} has {} types, but the files have {} columns",
                self.first_types.len(),
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
    pub fn typed(&self, schema: &Schema) -> Schema {
        let fields = schema.fields().iter().enumerate().map(|(place, field)| {
            let mut types = self.types.iter();
            let named = types.find(|it| it.name() == field.name());
            let given = named.map(Field::data_type);
            let field = field.as_ref().clone();
            match given.or_else(|| self.first_types.get(place)) {
                Some(given) => field.with_data_type(given.clone()),
                None if self.all_text => field.with_data_type(DataType::Utf8),
                None => field,
            }
        });
        Schema::new(fields.collect::<Vec<_>>())
    }
}

/// Checks an option of JSON.
fn add_json(given: &Given<'_>) -> Result<bool> {
    match given.name {
        "format" => {
            const FORMATS: [&str; 5] = ["auto", "newline_delimited", "nd", "array", "unstructured"];
            if !FORMATS.contains(&given.text.as_str()) {
                return given.expected("'auto', 'newline_delimited', 'array' or 'unstructured'");
            }
        }
        "dateformat" | "date_format" | "timestampformat" | "timestamp_format" => {
            return plan_err!(
                "{} does not support the option '{}': texts in JSON stay texts, so write \
                 strptime(column, '%Y-%m-%d') in SELECT",
                given.function,
                given.name
            );
        }
        _ => return Ok(false),
    }
    Ok(true)
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
        names.extend(["columns", "compression", "ignore_errors"]);
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
            "decimal_separator",
            "dateformat",
            "timestampformat",
            "normalize_names",
        ]);
    }
    if kind == Kind::Json {
        names.push("format");
    }
    names
}

/// Escapes a text to a pattern that matches only this text.
fn escape(text: &str) -> String {
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
    let cast = format!("CAST(NULL AS {})", type_here(&kind).unwrap_or(kind));
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
