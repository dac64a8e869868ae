//! Suggests replacements for unknown functions and formats, and for unsupported SQL.
//!
//! ```text
//! functions  functions of other engines
//! syntax     SQL that the parser accepts and DataFusion does not run
//! types      names of types
//! ```

mod functions;
mod syntax;
mod types;

use self::functions::is_misspelled;
pub use self::syntax::{unexpected, unsupported};
pub use self::types::named as with_named_types;
use super::document_tables::definition::tables;
use super::missing_names::list;
use super::types::type_name;
use crate::similar_names::nearest;
use crate::sinks::compression::EXTENSIONS;
use crate::sources::data_files::extensions;
use crate::sources::table::register::function_name;
use corpus_bytes::compression::has_extension;
use corpus_udfs::not_built;
use datafusion::arrow::datatypes::DataType;
use datafusion::functions_aggregate::all_default_aggregate_functions;
use datafusion::functions_window::all_default_window_functions;
use std::path::Path;

/// A part that a build can leave out, as its error names it.
const SEARCH_INDEXES: &str = "search indexes";

/// The message about a cast of bytes to text that are not UTF-8.
pub fn bytes_as_text(text: &str) -> Option<String> {
    text.contains("Encountered non UTF-8 data").then(|| {
        "cannot cast binary data to text: the bytes are not valid UTF-8; decode them with \
         charset_decode(bytes, charset); charset_detect(bytes) detects the charset"
            .to_owned()
    })
}

/// Advice for a call of a DataFusion text function with bytes, from its message. Our functions name
/// the wrong argument themselves.
pub fn bytes_argument(text: &str) -> Option<String> {
    let (_, call) = text.split_once("given name and argument types '")?;
    let (function, types) = call.split_once('\'')?.0.split_once('(')?;
    let is_ours = || {
        let functions = corpus_udfs::functions();
        functions.iter().any(|ours| ours.name() == function)
    };
    (types.contains("Binary") && !is_ours()).then(|| {
        format!(
            "{function} does not accept binary data: decode it with charset_decode(bytes, charset); \
             charset_detect(bytes) detects the charset"
        )
    })
}

/// Parts of messages of DataFusion that name no remedy, and what to write instead.
const REMEDIES: &[(&str, &str)] = &[
    (
        "Foreign key constraints are not currently supported",
        "FOREIGN KEY and REFERENCES are not supported: leave them out, and find rows without a partner with ANTI JOIN",
    ),
    (
        "Check constraints are not currently supported",
        "CHECK is not supported: leave it out, and filter the rows with WHERE before INSERT",
    ),
    (
        "Inserts without a source not supported",
        "INSERT needs values: write INSERT INTO t (a) VALUES (1), in which the other columns get their defaults",
    ),
    (
        "Unsupported LIMIT expression",
        "LIMIT takes a number: write SET VARIABLE n = (SELECT …), and LIMIT getvariable('n')",
    ),
    (
        "Aggregate can not be used as a sliding accumulator because `retract_batch` is not implemented: string_agg",
        "string_agg takes no sliding OVER: write array_to_string(array_agg(a) OVER (…), ',')",
    ),
    (
        "Aggregate can not be used as a sliding accumulator",
        "this aggregate takes no sliding OVER: aggregate array_agg(a) OVER (…), such as with list_aggregate(list, 'mode')",
    ),
    (
        "cannot take square root of a negative number",
        "sqrt takes no negative number: write CASE WHEN a >= 0 THEN sqrt(a) END",
    ),
    (
        "'to_char(Float64",
        "to_char takes dates and times: write format('{:,.2f}', number) for numbers",
    ),
    (
        "'to_char(Int64",
        "to_char takes dates and times: write format('{:,}', number) for numbers",
    ),
    (
        "'to_char(Decimal",
        "to_char takes dates and times: write format('{:,.2f}', number) for numbers",
    ),
    (
        "too many arguments for the macro histogram(",
        "histogram counts each value: write histogram(floor(a / 10) * 10) for groups of them",
    ),
    (
        "too many arguments for the macro map_concat(",
        "map_concat takes two maps: write map_concat(map_concat(a, b), c)",
    ),
    (
        "'system' to value of Boolean",
        "parse_filename takes no separator: leave it out, and write a name with /",
    ),
    (
        "Date part 'TIMEZONE",
        "times are in UTC, whose difference is 0: write a AT TIME ZONE 'Europe/Berlin' for another zone",
    ),
    (
        "Unsupported CAST from Date32 to Float64",
        "dates are always finite: write date IS NOT NULL",
    ),
    (
        "Expected: (, found: USING",
        "USING KEY is not supported: keep the last rows with DISTINCT ON or QUALIFY after WITH RECURSIVE",
    ),
    (
        "cannot read the path '$..",
        "paths have no '..': write json_tree(json) in FROM, and filter its keys",
    ),
    (
        "Utf8View to Map",
        "JSON is not cast to maps: write json_each(json) in FROM, with key and value",
    ),
    (
        "Utf8 to Map",
        "JSON is not cast to maps: write json_each(json) in FROM, with key and value",
    ),
    (
        "Aggregate ORDER BY is not implemented for window functions",
        "aggregates with an order, such as arg_max, have no OVER: write first_value(a) OVER (PARTITION BY k ORDER BY b \
         DESC), or aggregate in a query and join it",
    ),
    (
        "Deregistering new schemas is not supported",
        "schemas cannot be dropped: drop the tables of the schema with DROP TABLE schema.table",
    ),
    (
        "Conflicting ordering requirements in aggregate functions",
        "aggregates with different orders cannot be combined: write a query for each in FROM",
    ),
    (
        "'avg(boolean)'",
        "avg takes numbers: write avg(CAST(condition AS INTEGER))",
    ),
    (
        "'avg(Timestamp",
        "avg takes numbers: write to_timestamp(avg(epoch(time)))",
    ),
    (
        "'avg(Date",
        "avg takes numbers: write to_timestamp(avg(epoch(date)))",
    ),
    (
        "Cannot create filter with non-boolean predicate",
        "WHERE, HAVING and ON take a condition: write column = value, column IS NOT NULL or number <> 0",
    ),
    (
        "Only identifiers and literals are supported in tuples",
        "rows of expressions are compared with rows only: write a = 1 AND b = 2",
    ),
    (
        "There is only support Literal types for field at idx",
        "the distance of lag, lead and nth_value is the same for all rows: write a constant",
    ),
    (
        "Binary operator 'Colon'",
        "json:key is not supported: write json -> 'a' -> 'b', or json.a.b",
    ),
    (
        "CAST with format is not supported",
        "CAST takes no FORMAT: write strptime(text, '%m/%d/%Y')",
    ),
    (
        "CEIL with scale is not supported",
        "ceil takes one number: write ceil(number * 10) / 10",
    ),
    (
        "FLOOR with scale is not supported",
        "floor takes one number: write floor(number * 10) / 10",
    ),
    (
        "Unsupported Interval Expression with last_field",
        "an interval from one unit to another is not supported: write INTERVAL '1 year 2 months'",
    ),
    (
        "JSON NULL clause not supported",
        "ABSENT ON NULL and NULL ON NULL are not supported: leave them out; NULL is null in the JSON",
    ),
    (
        "Unsupported SQL type SERIAL",
        "SERIAL is not supported: use INTEGER, and number rows with row_number() OVER ()",
    ),
    (
        "Materialized views not supported",
        "MATERIALIZED is not supported: write CREATE TABLE v AS SELECT …, or CREATE VIEW",
    ),
    (
        "ANY in LIKE expression",
        "LIKE ANY is not supported: write a LIKE 'x%' OR a LIKE 'y%', or regexp_like(a, '^(x|y)')",
    ),
    (
        "DistributeBy partitioning",
        "DISTRIBUTE BY is not supported: leave it out, or write COPY … (PARTITION_BY (a))",
    ),
    ("SORT BY", "SORT BY is not supported: write ORDER BY"),
    ("CLUSTER BY", "CLUSTER BY is not supported: write ORDER BY"),
    (
        "EXPLAIN option ",
        "EXPLAIN takes ANALYZE, VERBOSE and FORMAT: write EXPLAIN ANALYZE SELECT …",
    ),
    (
        "requires all field_name arguments to be scalars",
        "a key in brackets is a constant: write map_extract_value(map, key) for the key of a column",
    ),
    (
        "comparison operation boolean",
        "a boolean is compared with true and false: write flag, NOT flag, or flag = true",
    ),
    (
        "Query DELETE FROM",
        "WITH takes queries only: select the rows, and write DELETE as a statement after it",
    ),
    (
        "Query UPDATE",
        "WITH takes queries only: write UPDATE as a statement before the query",
    ),
    (
        "'first_value(text, boolean)'",
        "first and last take one value: write first_value(a) IGNORE NULLS OVER (…), or first(a ORDER BY b) FILTER \
         (WHERE a IS NOT NULL)",
    ),
    (
        "Correlated scalar subquery must be aggregated",
        "a query in an expression that compares with the row around it returns one value: write max(value), LIMIT 1, or \
         a LEFT JOIN",
    ),
    (
        "Query INSERT INTO",
        "WITH follows the table of INSERT: write INSERT INTO t WITH … SELECT …",
    ),
    (
        "WINDOW FUNCTION is not supported here",
        "window functions are not allowed in WHERE: write QUALIFY condition",
    ),
    (
        "must appear in the GROUP BY clause or must be part of an aggregate function",
        "a column is neither in GROUP BY nor in an aggregate: write GROUP BY ALL, or any_value(column)",
    ),
    (
        "UNION queries have different number of columns",
        "the queries of UNION have different numbers of columns: write UNION ALL BY NAME, or NULL AS column",
    ),
    (
        "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
        "ORDER BY begins with the columns of DISTINCT ON, and then decides which row is kept: sort the result in a \
         query around it",
    ),
    (
        "Aggregate function calls cannot be nested",
        "aggregates cannot be nested: aggregate in a query in FROM first",
    ),
    (
        "Inconsistent data length across values list",
        "the rows of VALUES need a value for each column: name those that have one, as in INSERT INTO t (a, b) VALUES \
         (1, 2)",
    ),
    (
        "Unsupported SQL type ENUM",
        "ENUM is not supported: use VARCHAR, and check values with WHERE value NOT IN ('a', 'b')",
    ),
    (
        "Unsupported SQL type UNION",
        "UNION is not a type here: use JSON, or a STRUCT with a field for each type",
    ),
    (
        "Unsupported SQL type BIT",
        "BIT is not supported: use an integer and bit_count, &, | and xor, or BLOB",
    ),
    (
        "'date_part(List",
        "date_part takes one part: write {year: year(date), month: month(date)}",
    ),
    (
        "must either specify a row count or at least one column",
        "DataFusion cannot sort rows of which no column is used: leave ORDER BY out, or select a column",
    ),
    (
        "), found: EXCLUDE",
        "EXCLUDE is not supported in windows: for CURRENT ROW, subtract the row, as in sum(a) OVER (…) - a, and \
         join the table with itself for other aggregates and for TIES and GROUP",
    ),
    (
        "satisfy a call to 'map_keys' function",
        "element_at and map_extract take a map: write list[1] for an item, and record['a'] for a field",
    ),
    (
        "Expected a Map type, got",
        "element_at and map_extract take a map: write list[1] for an item, and record['a'] for a field",
    ),
    (
        "'repeat(List",
        "repeat takes texts: write flatten(array_repeat(list, 2))",
    ),
    (
        "'decode(",
        "decode takes bytes and an encoding: write CASE a WHEN 1 THEN 'one' ELSE 'other' END for values",
    ),
    (
        "Divide by zero",
        "division by zero: write a / nullif(b, 0), which is NULL in its place",
    ),
    (
        "Operator #>> is",
        "the operator #>> is not supported: write json ->> '$.a.b'",
    ),
    (
        "Operator #> is",
        "the operator #> is not supported: write json -> '$.a.b'",
    ),
    (
        "Binary operator 'AtArrow'",
        "the operator @> takes lists: write json_exists(json, '$.a'), or json ->> 'a' = 'x'",
    ),
    (
        "Expected: end of statement, found: ?",
        "the operator ? is not supported: write json_exists(json, '$.a')",
    ),
    (
        "'sum(Utf8",
        "sum takes numbers: write sum(TRY_CAST(text AS DOUBLE))",
    ),
    (
        "'sum(LargeUtf8",
        "sum takes numbers: write sum(TRY_CAST(text AS DOUBLE))",
    ),
    (
        "'avg(Utf8",
        "avg takes numbers: write avg(TRY_CAST(text AS DOUBLE))",
    ),
    (
        "'substr(Utf8, Utf8)'",
        "substring takes numbers: write regexp_extract(text, pattern) for a regular expression",
    ),
    (
        "'trunc(date",
        "trunc takes numbers: write date_trunc('month', date)",
    ),
    (
        "'array_element(Utf8",
        "array_extract takes a list: write text[2] for a character",
    ),
    (
        "'array_slice(Utf8",
        "array_slice takes a list: write text[2:3] for a part of a text",
    ),
    (
        "'array_element(Struct",
        "the fields of a struct have names: write record['a'], or record['c0'] for the first of row(…)",
    ),
    (
        "Field name must be a non-empty string",
        "the fields of a struct have names: write struct_extract(record, 'a')",
    ),
    (
        "'make_date(Int64)'",
        "make_date takes a year, a month and a day: write DATE '1970-01-01' + days for days since 1970",
    ),
    (
        "arrays_zip expects array arguments",
        "list_zip takes lists only: leave the last argument out; the shorter lists end with NULL",
    ),
    (
        "field position must not be zero",
        "split_part counts from 1: write split_part(text, ',', 1), or -1 for the last part",
    ),
    (
        "Cannot access field at argument 1: type List",
        "a list has no fields: write list[1]['field'], or http_header(headers, 'name') for headers",
    ),
    (
        "in LIKE expression",
        "LIKE takes texts: write CAST(a AS VARCHAR) LIKE '2%'",
    ),
    (
        "'avg(Interval",
        "avg takes numbers: write avg(epoch(interval)), in seconds",
    ),
    (
        "percentile_cont(Int32, List",
        "percentile_cont takes one share: write quantile_cont(a, [0.25, 0.5])",
    ),
    (
        "OVER and WITHIN GROUP clause cannot be used together",
        "WITHIN GROUP takes no OVER: write quantile_cont(a, 0.5) OVER (…)",
    ),
    (
        "Function 'map' expected at least one argument",
        "map takes keys and values: write MAP {} for an empty map",
    ),
    (
        "Failed to unify argument types of make_array",
        "the items of a list have different types: cast them to one type, and give the fields of structs the same \
         names",
    ),
    (
        "Unsupported CAST from Struct(",
        "structs are cast by the names of their fields: write {'a': 1, 'b': 'x'} in place of row(1, 'x')",
    ),
    (
        "LIMIT not supported in function arguments",
        "LIMIT is not supported in aggregates: write array_to_string(array_agg(a ORDER BY b)[1:2], ',')",
    ),
    (
        "Function factory has not been configured",
        "functions are macros here: write CREATE FUNCTION f(x) AS x + 1",
    ),
    (
        "SINGLE QUOTED BYTE STRING LITERAL",
        "b'…' is not supported: write 'abc'::BLOB for bytes, and integers for bits",
    ),
    (
        "is source dependent and cannot be evaluated directly",
        "input_file_name() is not supported: use the column filename",
    ),
    (
        "Clone not supported",
        "CLONE is not supported: write CREATE TABLE t AS SELECT * FROM u",
    ),
    (
        "failed to resolve catalog",
        "there is one database: name tables as schema.table",
    ),
    (
        "Column count doesn't match insert query",
        "INSERT has more or fewer values than columns: name both, as in INSERT INTO t (a, b) SELECT a, b FROM u",
    ),
    (
        "is not a variable which can be viewed with 'SHOW'",
        "SHOW takes TABLES, FUNCTIONS, ALL, or the name of a setting or table",
    ),
    (
        "Unsupported SQL type REGCLASS",
        "REGCLASS is not supported: compare table_name in information_schema.tables",
    ),
    (
        "has no type information",
        "a name cannot begin with @: write abs(number), or getvariable('name') for a variable",
    ),
    (
        "Hive formats not supported",
        "tables are in memory: write COPY (SELECT …) TO 'x.parquet', or CREATE EXTERNAL TABLE for files",
    ),
];

/// Returns advice to add to a message of DataFusion that names no remedy.
pub fn remedy(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let known = REMEDIES
        .iter()
        .find(|(part, _)| lower.contains(&part.to_lowercase()));
    let known = known.map(|(_, remedy)| (*remedy).to_owned());
    known.or_else(|| {
        let (_, name) = text.split_once("Unsupported SQL type ")?;
        Some(format!(
            "no type '{}': write VARCHAR, BIGINT, DOUBLE, BOOLEAN, DATE, TIMESTAMP, BLOB, JSON, DECIMAL(10, 2), \
             VARCHAR[] or STRUCT(a INTEGER)",
            name.lines().next().unwrap_or_default()
        ))
    })
}

/// The message about a value that cannot be cast: `Cannot cast string 'a' to value of Int32 type`.
pub fn failed_cast(text: &str) -> Option<String> {
    if let Some((_, rest)) = text.split_once("Error parsing timestamp from '") {
        let value = rest.rsplit_once("': ").map_or(rest, |(value, _)| value);
        return Some(format!(
            "cannot cast '{value}' to timestamp, which is written as 2024-01-31 12:30:00: TRY_CAST returns NULL \
             for such values, and strptime(text, format) reads other forms"
        ));
    }
    if let Some((_, rest)) = text.split_once("Can't cast value ") {
        let (value, kind) = rest.split_once(" to type ")?;
        let kind = kind
            .parse()
            .map_or_else(|_| kind.to_owned(), |kind| type_name(&kind));
        return Some(format!(
            "{value} does not fit {kind}: cast to BIGINT or DOUBLE; TRY_CAST returns NULL for such values"
        ));
    }
    let (_, rest) = text.split_once("Cannot cast string '")?;
    let (value, kind) = rest.rsplit_once("' to value of ")?;
    let kind = kind.split(" type").next()?;
    let kind = kind.parse().map_or_else(
        |_| kind.to_owned(),
        // Integers are cast by them, too.
        |kind: DataType| {
            if kind.is_floating() {
                "a number".to_owned()
            } else {
                type_name(&kind)
            }
        },
    );
    if value.starts_with('"') && value.ends_with('"') {
        return Some(format!(
            "cannot cast '{value}' to {kind}: strings in JSON have quotes, which json ->> 'key' and json_text \
             remove"
        ));
    }
    Some(format!(
        "cannot cast '{value}' to {kind}: TRY_CAST returns NULL for such values"
    ))
}

/// The message about a `COPY` whose target has an unknown file extension.
pub fn unknown_extension(text: &str) -> Option<String> {
    let (_, extension) = text.split_once("no registered file format with ext ")?;
    let extension = extension.trim();
    if cfg!(not(feature = "search")) && extension == "search_index" {
        return Some(not_built(SEARCH_INDEXES, "search"));
    }
    let sinks = crate::sinks::formats();
    let sinks = sinks.iter().map(|format| format.extension());
    let known: Vec<&str> = extensions::all().chain(sinks).collect();
    let suggestion = match nearest(extension, known.iter().copied()) {
        Some(near) => format!("; did you mean '.{near}'?"),
        None => "; name a format with STORED AS".to_owned(),
    };
    let extensions: Vec<String> = known
        .iter()
        .map(|extension| format!(".{extension}"))
        .collect();
    Some(format!(
        "no format for the extension '.{extension}'{suggestion}\n{}",
        list("extensions", &extensions)
    ))
}

/// The message about a `COPY` without a known format.
pub fn missing_format(text: &str) -> Option<String> {
    text.contains("Format not explicitly set").then(|| {
        format!(
            "no format to write: give the target an extension, such as '.parquet', or add STORED AS \
             with one of these\n{}",
            list("formats", &written_formats())
        )
    })
}

/// The message about an option that a file format does not have.
pub fn unknown_option(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Config value \"")?;
    let (name, rest) = rest.split_once("\" not found on ")?;
    let formats = ["Csv", "Json", "Parquet"];
    let format = formats
        .iter()
        .find(|format| rest.starts_with(&format!("{format}Options")))?;
    Some(format!(
        "COPY has no option '{name}' for {}: leave it out",
        format.to_uppercase()
    ))
}

/// The formats that a `COPY` can write.
pub fn written_formats() -> Vec<String> {
    let mut formats: Vec<String> = ["PARQUET", "CSV", "JSON", "ARROW"]
        .map(str::to_owned)
        .into();
    for format in crate::sinks::formats() {
        formats.push(format.name().to_owned());
    }
    formats
}

/// The message about an unknown format in `STORED AS`.
pub fn unknown_format(name: &str, known: &[String]) -> String {
    if cfg!(not(feature = "search")) && name.eq_ignore_ascii_case("search_index") {
        return not_built(SEARCH_INDEXES, "search");
    }
    let suggestion = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("; did you mean {near}?"),
        None => String::new(),
    };
    format!(
        "unknown format '{name}'{suggestion}\n{}",
        list("formats", known)
    )
}

/// The message about a location without files of a format, with the function for the files there.
pub fn other_files(text: &str) -> Option<String> {
    let (_, name) = text.rsplit_once(" other files are there): one is '")?;
    let name = name.strip_suffix('\'')?;
    let formats = crate::sources::formats::formats();
    let format = formats.iter().find(|format| {
        let extensions = format.extensions();
        !extensions.is_empty() && has_extension(name, extensions)
    })?;
    let function = function_name(format.as_ref());
    let job = match function.as_str() {
        "read_hocr" | "read_sequencefile" => {
            format!("; the jobs for scanned books read it with --source {function}")
        }
        "read_pdf" => "; the job pdf_to_document reads it".to_owned(),
        "read_warc" => "; the job warc_to_document reads it".to_owned(),
        _ => String::new(),
    };
    let advice = format!("which {function} reads{job}");
    if has_extension(name, &["html", "htm", "xhtml"]) {
        return Some(format!(
            "{text}: documents('…') reads web pages that are files, and a scanned page is a file {advice}"
        ));
    }
    Some(format!("{text}, {advice}"))
}

/// Whether a function reads files.
pub fn is_table_function(name: &str) -> bool {
    let formats = crate::sources::formats::formats();
    let mut functions = formats.iter().map(|format| function_name(format.as_ref()));
    tables().iter().any(|table| table.name == name) || functions.any(|function| function == name)
}

/// Returns the file that the name of a table may mean: one that `FROM 'file'` reads.
pub fn file_of(name: &str) -> Option<String> {
    let formats = crate::sources::formats::formats();
    let records = formats.iter().flat_map(|format| format.direct_extensions());
    let extensions: Vec<&str> = extensions::all().chain(records.copied()).collect();
    let compressions = EXTENSIONS.iter().map(|(extension, _)| *extension);
    [""].into_iter()
        .chain(compressions)
        .find_map(|compression| {
            let files = extensions.iter();
            let mut files = files.map(|extension| format!("{name}.{extension}{compression}"));
            files.find(|file| Path::new(file).is_file())
        })
}

fn is_aggregate(name: &str) -> bool {
    let mut known = all_default_aggregate_functions().into_iter();
    known.any(|known| known.name() == name || known.aliases().iter().any(|alias| alias == name))
}

fn is_window_function(name: &str) -> bool {
    let mut known = all_default_window_functions().into_iter();
    known.any(|known| known.name() == name && known.name() != "first_value")
}

/// The message about an unknown function, if its name is a known guess or resembles a function.
pub fn unknown_function(text: &str) -> Option<String> {
    let between = |text: &str, before: &str| {
        let (_, rest) = text.split_once(before)?;
        rest.split_once('\'').map(|(name, _)| name.to_lowercase())
    };
    if let Some(name) = between(text, "Invalid function '") {
        if cfg!(not(feature = "pdf")) && name.starts_with("pdf_") {
            return Some(not_built("PDF", "pdf"));
        }
        if let Some(meant) = functions::meant(functions::FUNCTIONS, &name) {
            return Some(format!("no function '{name}'; write {meant}"));
        }
        if let Some(aggregate) = name.strip_prefix("list_").filter(|name| is_aggregate(name)) {
            return Some(format!(
                "no function '{name}'; write (SELECT {aggregate}(item) FROM unnest(list) AS u(item))"
            ));
        }
        if is_window_function(&name) {
            return Some(format!(
                "no function '{name}' without a window; write {name}() OVER (ORDER BY column)"
            ));
        }
        if let Some(advice) = functions::explain(&name) {
            return Some(format!("no function '{name}': {advice}"));
        }
        // DataFusion proposes the most similar name, however different it is.
        let near = between(text, "Did you mean '").filter(|near| is_misspelled(&name, near));
        return Some(match near {
            Some(near) => format!("no function '{name}'; did you mean {near}?"),
            None => format!("no function '{name}'; SHOW FUNCTIONS lists those that exist"),
        });
    }
    let name = between(text, "table function '")?;
    if cfg!(not(feature = "search")) && name == "search" {
        return Some(not_built(SEARCH_INDEXES, "search"));
    }
    let formats = crate::sources::formats::formats();
    let known = formats.iter().map(|format| function_name(format.as_ref()));
    let tables = tables().iter().map(|table| table.name.to_owned());
    let known: Vec<String> = tables.chain(known).collect();
    let suggestion = match functions::meant(functions::TABLE_FUNCTIONS, &name) {
        Some(meant) => format!("; write FROM {meant}"),
        None => match known.iter().find(|known| is_misspelled(&name, known)) {
            Some(near) => format!("; did you mean {near}?"),
            None if ["duckdb_", "pragma_"]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                "; write FROM duckdb_settings(), duckdb_tables() or information_schema.columns"
                    .to_owned()
            }
            None => "; write FROM 'x.parquet', or one of these".to_owned(),
        },
    };
    Some(format!(
        "no table function '{name}'{suggestion}\n{}",
        list("table functions", &known)
    ))
}
