//! Statements of DuckDB and PostgreSQL that have another form here, rewritten before they are
//! parsed: `COPY … TO 'x' (FORMAT parquet)`, `COPY t FROM 'x'`, `CREATE FUNCTION f(x) AS …`,
//! `PRAGMA …`. Statements without an equivalent are refused with advice.

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::variables::{RESET_VARIABLE, SET_VARIABLE, setting_here};
use crate::sources::data_files::extensions;
use crate::sql::syntax::literal;

/// Names of options of `COPY` in other engines, with those of this dialect. Others are passed on as
/// they are.
const COPY_OPTIONS: &[(&str, &str)] = &[
    ("codec", "compression"),
    ("dateformat", "date_format"),
    ("delim", "delimiter"),
    ("header", "has_header"),
    ("null", "null_value"),
    ("nullstr", "null_value"),
    ("row_group_size", "max_row_group_size"),
    ("row_group_size_bytes", "max_row_group_bytes"),
    ("sep", "delimiter"),
    ("timestampformat", "timestamp_format"),
];

/// The levels that DuckDB uses if none is named. Parquet's writer has no default.
const PARQUET_LEVELS: &[(&str, &str)] = &[("brotli", "1"), ("gzip", "6"), ("zstd", "3")];

/// Statements about databases and extensions, and what to do instead.
const REFUSED: &[(&str, &str)] = &[
    (
        "ATTACH",
        "there are no databases to attach: query files directly, such as SELECT * FROM 'x.parquet'",
    ),
    ("ABORT", NO_TRANSACTIONS),
    (
        "ASSERT",
        "ASSERT is not supported: write SELECT CASE WHEN condition THEN true ELSE error('message') END",
    ),
    (
        "CACHE",
        "there is no cache of tables: keep the rows with CREATE TABLE t AS SELECT …",
    ),
    (
        "COMMENT",
        "tables and columns have no comments: leave COMMENT ON out",
    ),
    (
        "DECLARE",
        "variables are not declared: write SET VARIABLE x = 1, and getvariable('x')",
    ),
    (
        "DETACH",
        "there are no databases to detach: drop tables and views with DROP TABLE and DROP VIEW",
    ),
    (
        "DO",
        "there are no blocks of statements: write the statements one after another, with semicolons",
    ),
    (
        "EXPORT",
        "EXPORT is not supported: write each table with COPY table TO 'table.parquet'",
    ),
    (
        "FORCE",
        "there are no extensions and no database file: leave the statement out",
    ),
    ("GRANT", "there are no users: leave GRANT out"),
    (
        "IMPORT",
        "IMPORT is not supported: read each file with CREATE TABLE t AS SELECT * FROM 'x.parquet'",
    ),
    (
        "INSTALL",
        "there are no extensions to install: SHOW FUNCTIONS lists what is built in",
    ),
    (
        "LOAD",
        "there are no extensions to load: SHOW FUNCTIONS lists what is built in",
    ),
    (
        "MSCK",
        "folders such as key=value are found by each query: leave MSCK out",
    ),
    (
        "REFRESH",
        "files are listed by each query: leave REFRESH out",
    ),
    ("REVOKE", "there are no users: leave REVOKE out"),
    ("ROLLBACK", NO_TRANSACTIONS),
    ("SAVEPOINT", NO_TRANSACTIONS),
    (
        "USE",
        "there is one database: name tables of a schema as schema.table",
    ),
];

/// Extensions of DuckDB whose functions are part of the program, and the names of its database.
const HERE: [&str; 10] = [
    "autocomplete",
    "aws",
    "azure",
    "httpfs",
    "icu",
    "json",
    "main",
    "memory",
    "parquet",
    "public",
];

/// Settings and pragmas of DuckDB that change nothing here.
const WITHOUT_EFFECT: [&str; 7] = [
    "disable_object_cache",
    "disable_progress_bar",
    "enable_http_metadata_cache",
    "enable_object_cache",
    "enable_progress_bar",
    "preserve_insertion_order",
    "search_path",
];

/// A statement that does nothing.
const NOTHING: &str = "DROP TABLE IF EXISTS __nothing";

/// Whether `INSTALL`, `LOAD` or `USE` names something that every session has, such as `httpfs`.
fn names_what_is_here(words: &Words<'_>) -> bool {
    let name = match words.token(1) {
        Token::SingleQuotedString(text) => text.as_str(),
        _ => words.word(1).unwrap_or_default(),
    };
    words.tokens.len() == 2 && HERE.contains(&name.to_ascii_lowercase().as_str())
}

/// Words that begin statements of transactions without an effect here.
const TRANSACTION: [&str; 4] = ["BEGIN", "COMMIT", "END", "START"];

/// Statements that clean up a database or count its rows, without an effect in this dialect.
const CLEANING: [&str; 3] = ["ANALYZE", "CHECKPOINT", "VACUUM"];

const NO_TRANSACTIONS: &str = "there are no transactions, and each statement took effect when it ended: undo it with another one";

/// Objects that CREATE and ALTER have in other engines only, and what to do instead.
const NO_OBJECTS: &[(&str, &str)] = &[
    (
        "INDEX",
        "there are no indexes on tables: sort the table with CREATE TABLE … AS SELECT … ORDER BY, \
         or build a search index with COPY … TO 'x' STORED AS SEARCH_INDEX",
    ),
    (
        "SEQUENCE",
        "there are no sequences: number rows with row_number() OVER ()",
    ),
    (
        "TYPE",
        "there are no types to create: use VARCHAR for an ENUM, and STRUCT(a INT, b VARCHAR) in place",
    ),
    (
        "EXTENSION",
        "there are no extensions to create: SHOW FUNCTIONS lists what is built in",
    ),
    (
        "SECRET",
        "there are no secrets: keys of object stores are read from the environment, such as \
         AWS_ACCESS_KEY_ID",
    ),
];

/// Words that SHOW lists. Any other word is the name of a table.
const SHOWN: [&str; 5] = ["ALL", "COLUMNS", "FUNCTIONS", "TABLES", "VARIABLES"];

/// Returns the statement in this dialect, if it has another form here.
pub fn rewritten(sql: &str, tokens: &[TokenWithSpan]) -> Result<Option<String>> {
    let first = tokens
        .iter()
        .find(|token| !matches!(token.token, Token::Whitespace(_)));
    let first = match first.map(|token| &token.token) {
        Some(Token::Word(word)) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        _ => return Ok(None),
    };
    let words = || Words::new(sql, tokens);
    if ["INSTALL", "LOAD", "USE"].contains(&first.as_str()) && names_what_is_here(&words()) {
        return Ok(Some(NOTHING.to_owned()));
    }
    if TRANSACTION.contains(&first.as_str()) {
        if ["BEGIN", "START"].contains(&first.as_str()) {
            log::warn!("there are no transactions: each statement takes effect when it ends");
        }
        return Ok(Some(NOTHING.to_owned()));
    }
    if CLEANING.contains(&first.as_str()) {
        return Ok(Some(NOTHING.to_owned()));
    }
    if let Some((_, advice)) = REFUSED.iter().find(|(word, _)| *word == first) {
        return plan_err!("{advice}");
    }
    match first.as_str() {
        "ALTER" | "CREATE" => create(&words()),
        "CALL" => {
            let words = words();
            let call = words.text(1, words.tokens.len());
            Ok(Some(format!("SELECT * FROM {call}")))
        }
        "COPY" => copy(&words()),
        "EXPLAIN" => explained_copy(sql, tokens),
        "INSERT" => {
            check_insert(&words())?;
            Ok(None)
        }
        "PRAGMA" => pragma(&words()).map(Some),
        "RESET" | "SET" => setting(&words()),
        "SHOW" => Ok(show(&words())),
        "TRUNCATE" => Ok(truncate(&words())),
        _ => Ok(None),
    }
}

/// The tokens of a statement without white space and comments.
struct Words<'a> {
    sql: &'a str,
    tokens: Vec<Token>,
    /// The byte range of each token.
    ranges: Vec<(usize, usize)>,
}

impl<'a> Words<'a> {
    fn new(sql: &'a str, tokens: &[TokenWithSpan]) -> Self {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(sql.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let offset = |location: Location| {
            let line = usize::try_from(location.line.saturating_sub(1)).unwrap_or_default();
            let start = starts.get(line).copied().unwrap_or(sql.len());
            let column = usize::try_from(location.column.saturating_sub(1)).unwrap_or_default();
            let rest = sql.get(start..).unwrap_or_default();
            let bytes = rest.char_indices().nth(column).map(|(at, _)| at);
            start + bytes.unwrap_or(rest.len())
        };
        let kept = tokens.iter().filter(|token| {
            !matches!(
                token.token,
                Token::Whitespace(_) | Token::EOF | Token::SemiColon
            )
        });
        let (tokens, ranges) = kept
            .map(|token| {
                let range = (offset(token.span.start), offset(token.span.end));
                (token.token.clone(), range)
            })
            .unzip();
        Self {
            sql,
            tokens,
            ranges,
        }
    }

    fn token(&self, index: usize) -> &Token {
        self.tokens.get(index).unwrap_or(&Token::EOF)
    }

    /// Whether a token is this word, in any case and without quotes.
    fn is(&self, index: usize, word: &str) -> bool {
        self.word(index)
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    }

    fn word(&self, index: usize) -> Option<&str> {
        match self.token(index) {
            Token::Word(word) if word.quote_style.is_none() => Some(&word.value),
            _ => None,
        }
    }

    /// The text of the tokens in a range.
    fn text(&self, from: usize, to: usize) -> &'a str {
        let start = self
            .ranges
            .get(from)
            .map_or(self.sql.len(), |range| range.0);
        let end = match to.checked_sub(1).and_then(|last| self.ranges.get(last)) {
            Some(range) => range.1,
            None => self.sql.len(),
        };
        self.sql.get(start..end).unwrap_or_default()
    }

    /// The index of the parenthesis that closes the one at an index.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token {
                Token::LParen => depth += 1,
                Token::RParen => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The first token at depth 0 that is this word.
    fn find(&self, word: &str) -> Option<usize> {
        let mut index = 0;
        while index < self.tokens.len() {
            if *self.token(index) == Token::LParen {
                index = self.closing(index)?;
            } else if self.is(index, word) {
                return Some(index);
            }
            index += 1;
        }
        None
    }
}

/// Rewrites the COPY after EXPLAIN.
fn explained_copy(sql: &str, tokens: &[TokenWithSpan]) -> Result<Option<String>> {
    let is_before = |token: &TokenWithSpan| match &token.token {
        Token::Whitespace(_) => true,
        Token::Word(word) => {
            ["EXPLAIN", "ANALYZE", "VERBOSE"].contains(&&*word.value.to_ascii_uppercase())
        }
        _ => false,
    };
    let before = tokens.iter().take_while(|token| is_before(token)).count();
    let words = Words::new(sql, &tokens[before..]);
    if !words.is(0, "COPY") {
        return Ok(None);
    }
    let explain = &sql[..words.ranges[0].0];
    Ok(copy(&words)?.map(|copy| format!("{explain}{copy}")))
}

/// Rewrites options, columns, and `COPY t FROM 'x'`.
fn copy(words: &Words<'_>) -> Result<Option<String>> {
    if let Some(from) = words.find("FROM")
        && matches!(words.token(from + 1), Token::SingleQuotedString(_))
    {
        return copy_from(words, from).map(Some);
    }
    let from = words.find("FROM");
    if from.is_some_and(|from| words.is(from + 1, "STDIN")) {
        return plan_err!(
            "COPY reads files: write COPY t FROM 'x.csv', or INSERT INTO t VALUES (1, 'a')"
        );
    }
    let Some(to) = words.find("TO") else {
        return Ok(None);
    };
    let is_output = match words.token(to + 1) {
        Token::SingleQuotedString(file) => file == "/dev/stdout",
        _ => words.is(to + 1, "STDOUT"),
    };
    if is_output {
        return plan_err!(
            "COPY writes files: write the query alone, with --format csv on the command line"
        );
    }
    if !matches!(words.token(to + 1), Token::SingleQuotedString(_)) {
        return Ok(None);
    }
    let source = match words.token(2) {
        // COPY t (a, b) TO 'x'
        Token::LParen if to > 3 && *words.token(1) != Token::LParen => {
            let columns = words.text(2, to);
            let columns = columns.trim_start_matches('(').trim_end_matches(')');
            Some(format!("COPY (SELECT {columns} FROM {})", words.text(1, 2)))
        }
        _ => None,
    };
    let mut options = Options::after(words, to + 2)?;
    let is_bare = to + 2 == words.tokens.len();
    if let Token::SingleQuotedString(file) = words.token(to + 1)
        && is_tab_separated(file)
        && (options.is_some() || is_bare)
    {
        let options = options.get_or_insert_default();
        options.format.get_or_insert("csv");
        if !options.others.iter().any(|(name, _)| name == "delimiter") {
            options.set("delimiter", "\t");
        }
    }
    if source.is_none() && options.is_none() {
        return Ok(None);
    }
    if let Some(options) = &mut options {
        if options.has("newline_delimited", "false") {
            return plan_err!(
                "COPY writes JSON with one object per line: leave ARRAY out; jq -s . makes one array of the lines"
            );
        }
        let format = options.format.unwrap_or_else(|| words.text(to + 1, to + 2));
        let format = format.trim_matches('\'').to_ascii_lowercase();
        // The first row of a sheet has the names.
        if format.ends_with("xlsx") && options.has("has_header", "true") {
            options.others.retain(|(name, _)| name != "has_header");
        }
    }
    let mut copy = source.unwrap_or_else(|| words.text(0, to).to_owned());
    copy.push_str(&format!(" {}", words.text(to, to + 2)));
    match options {
        Some(options) => copy.push_str(&options.clauses()),
        None if to + 2 < words.tokens.len() => {
            copy.push_str(&format!(" {}", words.text(to + 2, words.tokens.len())));
        }
        None => {}
    }
    Ok(Some(copy))
}

/// Whether the extension of a file says that tabs separate its values.
fn is_tab_separated(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    [".tsv", ".tsv.gz", ".tsv.zst", ".tsv.bz2", ".tsv.xz"]
        .iter()
        .any(|extension| file.ends_with(extension))
}

/// `COPY t FROM 'x' (HEADER)` as an `INSERT` from the function that reads such a file.
fn copy_from(words: &Words<'_>, from: usize) -> Result<String> {
    let (table, file) = (words.text(1, from), words.text(from + 1, from + 2));
    if from + 2 == words.tokens.len() {
        return Ok(format!("INSERT INTO {table} SELECT * FROM {file}"));
    }
    let Some(options) = Options::after(words, from + 2)? else {
        return plan_err!(
            "'{}' is not an option of COPY: write COPY {table} FROM {file} (FORMAT csv, HEADER)",
            words.text(from + 2, words.tokens.len())
        );
    };
    let name = file.trim_end_matches('\'').to_ascii_lowercase();
    let extension = extensions::all().find(|extension| name.contains(&format!(".{extension}")));
    let format = options.format.map(str::to_ascii_lowercase);
    let format = format.as_deref().or(extension).unwrap_or("csv");
    let Some(function) = extensions::function_of(format) else {
        return plan_err!("COPY {table} FROM reads CSV, JSON and Parquet, not {format}");
    };
    let arguments: String = options
        .read
        .iter()
        .map(|(name, value)| format!(", {name} => {value}"))
        .collect();
    Ok(format!(
        "INSERT INTO {table} SELECT * FROM {function}({file}{arguments})"
    ))
}

/// The options of a `COPY`.
#[derive(Default)]
struct Options<'a> {
    format: Option<&'a str>,
    partitioned_by: Option<&'a str>,
    compression: Option<String>,
    level: Option<String>,
    others: Vec<(String, String)>,
    /// The same as arguments of the functions that read files.
    read: Vec<(String, String)>,
}

impl<'a> Options<'a> {
    /// Parses options in parentheses, and PostgreSQL's `CSV HEADER DELIMITER ';'`. `None` if there
    /// are none.
    fn after(words: &Words<'a>, from: usize) -> Result<Option<Self>> {
        let open = from + usize::from(words.is(from, "WITH"));
        if *words.token(open) == Token::LParen {
            let Some(close) = words.closing(open) else {
                return Ok(None);
            };
            if close + 1 != words.tokens.len() {
                return Ok(None);
            }
            return Self::parse(words, open + 1, close).map(Some);
        }
        if !["CSV", "HEADER", "DELIMITER", "NULL"]
            .iter()
            .any(|word| words.is(open, word))
        {
            return Ok(None);
        }
        let mut options = Self::default();
        let mut at = open;
        while at < words.tokens.len() {
            if words.is(at, "CSV") {
                options.format = Some("csv");
                at += 1;
                continue;
            }
            let as_word = usize::from(words.is(at + 1, "AS"));
            let has_value = matches!(words.token(at + 1 + as_word), Token::SingleQuotedString(_));
            let next = if has_value { at + 2 + as_word } else { at + 1 };
            if as_word == 1 {
                return plan_err!("leave AS out: {}", words.text(at, next));
            }
            options.add(words, at, next)?;
            at = next;
        }
        Ok(Some(options))
    }

    fn parse(words: &Words<'a>, mut from: usize, end: usize) -> Result<Self> {
        let mut options = Self::default();
        while from < end {
            let mut to = from;
            while to < end && *words.token(to) != Token::Comma {
                to = match words.token(to) {
                    Token::LParen => words.closing(to).map_or(end, |close| close + 1),
                    _ => to + 1,
                };
            }
            options.add(words, from, to)?;
            from = to + 1;
        }
        Ok(options)
    }

    fn add(&mut self, words: &Words<'a>, from: usize, to: usize) -> Result<()> {
        let Some(name) = words.word(from).map(str::to_ascii_lowercase) else {
            return plan_err!("'{}' is not an option of COPY", words.text(from, to));
        };
        let value = from + 1 + usize::from(*words.token(from + 1) == Token::Eq);
        let text = words.text(value, to);
        let plain = match words.token(value) {
            _ if value >= to => "true".to_owned(),
            Token::SingleQuotedString(text) => text.clone(),
            _ => text.to_owned(),
        };
        let is_on = !matches!(plain.to_ascii_lowercase().as_str(), "false" | "0" | "off");
        let plain = match plain.as_str() {
            "\\t" => "\t".to_owned(),
            _ => plain,
        };
        if name != "format" {
            let value = match words.token(value) {
                Token::SingleQuotedString(_) => literal(&plain),
                _ => plain.clone(),
            };
            self.read.push((name.clone(), value));
        }
        match name.as_str() {
            "force_quote" | "force_null" | "force_not_null" => {
                return plan_err!(
                    "COPY has no option {}: leave it out; values are quoted where they need it",
                    name.to_ascii_uppercase()
                );
            }
            "per_thread_output"
            | "file_size_bytes"
            | "filename_pattern"
            | "use_tmp_file"
            | "return_files"
            | "write_partition_columns"
            | "file_extension" => {
                return plan_err!(
                    "COPY has no option {}: leave it out; a folder gets a file for each thread",
                    name.to_ascii_uppercase()
                );
            }
            "format" => self.format = Some(text.trim_matches('\'')),
            "partition_by" => {
                let inner = text
                    .strip_prefix('(')
                    .and_then(|text| text.strip_suffix(')'));
                self.partitioned_by = Some(inner.unwrap_or(text));
            }
            "compression" | "codec" => self.compression = Some(plain.to_ascii_lowercase()),
            "compression_level" => self.level = Some(plain),
            "overwrite" | "overwrite_or_ignore" | "append" if !is_on => {}
            "overwrite" => self.set("mode", "replace"),
            // DuckDB keeps the other files of the folder; a silent removal would lose them.
            "overwrite_or_ignore" => {
                return plan_err!(
                    "OVERWRITE_OR_IGNORE is not supported: OVERWRITE replaces all files of the folder, \
                     APPEND keeps them"
                );
            }
            "append" => self.set("mode", "append"),
            // JSON as one array.
            "array" => self.set("newline_delimited", if is_on { "false" } else { "true" }),
            _ => {
                let here = COPY_OPTIONS.iter().find(|(other, _)| *other == name);
                let name = here.map_or(name.as_str(), |(_, here)| here);
                self.set(name, &plain);
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) {
        self.others.push((name.to_owned(), value.to_owned()));
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.others
            .iter()
            .any(|(known, given)| known == name && given == value)
    }

    /// Returns the equivalent clauses of `COPY`.
    fn clauses(mut self) -> String {
        if let Some(compression) = self.compression.take() {
            let is_parquet = self
                .format
                .is_some_and(|format| format.eq_ignore_ascii_case("parquet"));
            let default = PARQUET_LEVELS
                .iter()
                .find(|(codec, _)| is_parquet && *codec == compression);
            let level = self.level.take();
            let level = level.or_else(|| default.map(|(_, level)| (*level).to_owned()));
            let compression = match level {
                Some(level) => format!("{compression}({level})"),
                None => compression,
            };
            self.set("compression", &compression);
        }
        if let Some(level) = self.level.take() {
            self.set("compression_level", &level);
        }
        let mut clauses = String::new();
        if let Some(format) = self.format {
            clauses.push_str(&format!(" STORED AS {}", format.to_ascii_uppercase()));
        }
        if let Some(columns) = self.partitioned_by {
            clauses.push_str(&format!(" PARTITIONED BY ({columns})"));
        }
        if !self.others.is_empty() {
            let options = self.others.iter();
            let options =
                options.map(|(name, value)| format!("{} {}", literal(name), literal(value)));
            let options: Vec<String> = options.collect();
            clauses.push_str(&format!(" OPTIONS ({})", options.join(", ")));
        }
        clauses
    }
}

/// Rewrites `CREATE FUNCTION`, and refuses `CREATE` and `ALTER` of objects that do not exist here.
fn create(words: &Words<'_>) -> Result<Option<String>> {
    let skipped = ["OR", "REPLACE", "TEMP", "TEMPORARY", "UNIQUE", "PERSISTENT"];
    let mut object = 1;
    while skipped.iter().any(|word| words.is(object, word)) {
        object += 1;
    }
    if let Some((_, advice)) = NO_OBJECTS.iter().find(|(name, _)| words.is(object, name)) {
        return plan_err!("{advice}");
    }
    if words.is(object, "TABLE") && words.is(object + 2, "USING") {
        let table = words.text(object + 1, object + 2);
        return plan_err!(
            "tables are in memory: for files, write CREATE EXTERNAL TABLE {table} STORED AS PARQUET LOCATION \
             'folder/'"
        );
    }
    if words.is(object, "VIEW") && words.is(object + 2, "USING") {
        let view = words.text(object + 1, object + 2);
        return plan_err!("USING is not supported: write CREATE VIEW {view} AS FROM 'folder/'");
    }
    if words.is(object, "EXTERNAL") && words.is(object + 3, "OPTIONS") {
        let table = words.text(object + 2, object + 3);
        return plan_err!(
            "the format and the location are not options: write CREATE EXTERNAL TABLE {table} STORED AS PARQUET \
             LOCATION 'folder/'"
        );
    }
    if words.is(0, "ALTER") {
        if words.is(object, "TABLE") {
            if words.find("TYPE").is_some() && words.find("USING").is_some() {
                return plan_err!(
                    "ALTER COLUMN … TYPE has no USING: write CREATE OR REPLACE TABLE t AS SELECT * REPLACE (… AS a) FROM t"
                );
            }
            return Ok(None);
        }
        let kind = words.word(object).unwrap_or_default().to_uppercase();
        let name = words.text(object + 1, object + 2);
        return plan_err!(
            "ALTER {kind} is not supported: write CREATE OR REPLACE {kind} {name} AS …"
        );
    }
    if has_generated(words) {
        return plan_err!(
            "columns of tables are not computed: leave GENERATED out, and compute the column in a view, or with row_number()"
        );
    }
    check_function(words)?;
    if let Some(untyped) = without_types(words) {
        let tokens = Tokenizer::new(&GenericDialect {}, &untyped).tokenize_with_location();
        let tokens = tokens.map_err(ParserError::from)?;
        let created = create_function(&Words::new(&untyped, &tokens));
        return Ok(Some(created.unwrap_or(untyped)));
    }
    let created = named_columns(words, object).or_else(|| without_data(words));
    Ok(created.or_else(|| create_function(words)))
}

/// `CREATE TABLE t(a, b) AS SELECT …`, which names the columns without their types.
fn named_columns(words: &Words<'_>, object: usize) -> Option<String> {
    if !words.is(0, "CREATE") || !words.is(object, "TABLE") {
        return None;
    }
    let open = words
        .tokens
        .iter()
        .position(|token| *token == Token::LParen)?;
    let close = words.closing(open)?;
    if (object..open).any(|before| words.is(before, "AS")) {
        return None;
    }
    let is_name = |token: &Token| matches!(token, Token::Word(_) | Token::Comma);
    if !words.is(close + 1, "AS")
        || !words.tokens[open + 1..close].iter().all(is_name)
        || words.tokens[open + 1..close]
            .windows(2)
            .any(|pair| matches!(pair, [Token::Word(_), Token::Word(_)]))
    {
        return None;
    }
    let table = words.text(0, open);
    let columns = words.text(open, close + 1);
    let query = words.text(close + 2, words.tokens.len());
    Some(format!(
        "{table} AS SELECT * FROM ({query}) AS named{columns}"
    ))
}

/// Whether a column of a new table is declared as `GENERATED ALWAYS AS …` or `GENERATED BY …`.
fn has_generated(words: &Words<'_>) -> bool {
    let is_table = words.find("TABLE").is_some();
    let mut places = (0..words.tokens.len()).filter(|at| words.is(*at, "GENERATED"));
    is_table && places.any(|at| words.is(at + 1, "ALWAYS") || words.is(at + 1, "BY"))
}

/// `CREATE TABLE t AS SELECT … WITH NO DATA` as a query without rows.
fn without_data(words: &Words<'_>) -> Option<String> {
    let end = words.tokens.len();
    let is_without = end > 3
        && words.is(end - 3, "WITH")
        && words.is(end - 2, "NO")
        && words.is(end - 1, "DATA");
    let query = words.find("AS").filter(|_| is_without)? + 1;
    let (create, query) = (words.text(0, query), words.text(query, end - 3));
    Some(format!("{create} SELECT * FROM ({query}) LIMIT 0"))
}

/// `SET threads = 4` and `RESET threads`.
fn setting(words: &Words<'_>) -> Result<Option<String>> {
    let scoped = ["GLOBAL", "SESSION", "LOCAL"];
    let at = 1 + usize::from(scoped.iter().any(|word| words.is(1, word)));
    if words.is(at, "VARIABLE") {
        return variable(words, at + 1).map(Some);
    }
    if words.is(0, "SET") && words.is(at, "TIME") && words.is(at + 1, "ZONE") {
        let zone = words.text(at + 2, words.tokens.len());
        return Ok(Some(format!("SET datafusion.execution.time_zone = {zone}")));
    }
    let Some(name) = words.word(at).map(str::to_ascii_lowercase) else {
        return Ok(None);
    };
    let Some(here) = setting_here(&name) else {
        // Names of DataFusion have dots.
        let is_other = *words.token(at + 1) == Token::Period;
        let is_setting = *words.token(at + 1) == Token::Eq
            || words.is(at + 1, "TO")
            || (words.is(0, "RESET") && words.tokens.len() == at + 1);
        if is_other || !is_setting || name == "datafusion" {
            return Ok(None);
        }
        if WITHOUT_EFFECT.contains(&name.as_str()) {
            return Ok(Some(NOTHING.to_owned()));
        }
        return plan_err!(
            "no setting '{name}': SHOW ALL lists the settings; leave out those of other engines"
        );
    };
    if words.is(0, "RESET") {
        return Ok(Some(format!("RESET {here}")));
    }
    let value = at + 1 + usize::from(*words.token(at + 1) == Token::Eq || words.is(at + 1, "TO"));
    let mut text = words.text(value, words.tokens.len()).trim().to_owned();
    if here.ends_with("memory_limit") {
        // DataFusion's units are letters: 16G.
        text = text.to_ascii_uppercase().replace(' ', "");
        for (unit, letter) in [("GIB", "G"), ("GB", "G"), ("MIB", "M"), ("MB", "M")] {
            text = text.replace(unit, letter);
        }
    }
    Ok(Some(format!("SET {here} = {text}")))
}

/// `SET VARIABLE x = 1` and `RESET VARIABLE x` as calls of functions, which
/// [`variables`](super::variables) executes.
fn variable(words: &Words<'_>, at: usize) -> Result<String> {
    let name = match words.token(at) {
        Token::Word(name) => literal(&name.value),
        _ => return plan_err!("SET VARIABLE takes a name and a value: SET VARIABLE x = 1"),
    };
    if words.is(0, "RESET") {
        return Ok(format!("SELECT {RESET_VARIABLE}({name})"));
    }
    let is_assigned = *words.token(at + 1) == Token::Eq || words.is(at + 1, "TO");
    if !is_assigned || at + 2 >= words.tokens.len() {
        return plan_err!("SET VARIABLE takes a name and a value: SET VARIABLE x = 1");
    }
    let value = words.text(at + 2, words.tokens.len());
    Ok(format!("SELECT {SET_VARIABLE}({name}, ({value}))"))
}

/// Rewrites the SHOW statements of other engines.
fn show(words: &Words<'_>) -> Option<String> {
    let table = "SELECT table_catalog AS database, table_schema AS schema, table_name AS name FROM \
                 information_schema.tables WHERE table_schema <> 'information_schema'";
    if words.is(1, "ALL") && words.is(2, "TABLES") {
        return Some(table.to_owned());
    }
    if words.tokens.len() == 1 {
        return Some("SHOW TABLES".to_owned());
    }
    let is_from = words.is(2, "FROM") || words.is(2, "IN");
    if words.is(1, "COLUMNS") && is_from && words.tokens.len() > 3 {
        return Some(format!("DESCRIBE {}", words.text(3, words.tokens.len())));
    }
    if words.is(1, "DATABASES") {
        let sql = "SELECT DISTINCT catalog_name AS database_name FROM information_schema.schemata";
        return Some(sql.to_owned());
    }
    if words.is(1, "SCHEMAS") {
        let sql =
            "SELECT catalog_name AS database_name, schema_name FROM information_schema.schemata";
        return Some(sql.to_owned());
    }
    // SHOW t
    let Token::Word(name) = words.token(1) else {
        return None;
    };
    let is_known = name.quote_style.is_none()
        && SHOWN
            .iter()
            .any(|known| name.value.eq_ignore_ascii_case(known));
    if words.tokens.len() != 2 || is_known {
        return None;
    }
    Some(match setting_here(&name.value.to_ascii_lowercase()) {
        Some(here) if name.quote_style.is_none() => format!("SHOW {here}"),
        _ => format!("DESCRIBE {}", words.text(1, 2)),
    })
}

/// `TRUNCATE t` as `DELETE FROM t`.
fn truncate(words: &Words<'_>) -> Option<String> {
    let at = 1 + usize::from(words.is(1, "TABLE"));
    let name = words.text(at, words.tokens.len()).trim();
    (!name.is_empty()).then(|| format!("DELETE FROM {name}"))
}

/// Refuses macros of tables with types of parameters, and with several definitions.
fn check_function(words: &Words<'_>) -> Result<()> {
    let is_macro = ["FUNCTION", "MACRO"]
        .iter()
        .any(|word| words.find(word).is_some_and(|at| at < 4));
    let open = words.tokens.iter().position(|it| *it == Token::LParen);
    let Some((open, close)) = open.and_then(|open| Some((open, words.closing(open)?))) else {
        return Ok(());
    };
    if !is_macro || !words.is(close + 1, "AS") {
        return Ok(());
    }
    let has_type = (open..close).any(|at| {
        let type_name = words.word(at + 2).unwrap_or("DEFAULT");
        matches!(words.token(at), Token::LParen | Token::Comma)
            && words.word(at + 1).is_some()
            && !type_name.eq_ignore_ascii_case("DEFAULT")
    });
    if has_type && words.is(close + 2, "TABLE") {
        return plan_err!(
            "the parameters of macros of tables have no types: write CREATE MACRO f(x) AS TABLE SELECT CAST(x AS INTEGER)"
        );
    }
    // A query has commas, an expression has none.
    let mut at = if words.is(close + 2, "TABLE") {
        words.tokens.len()
    } else {
        close + 2
    };
    while at < words.tokens.len() {
        let is_next = *words.token(at) == Token::Comma && *words.token(at + 1) == Token::LParen;
        if is_next
            && words
                .closing(at + 1)
                .is_some_and(|end| words.is(end + 1, "AS"))
        {
            return plan_err!(
                "a macro has one definition: give parameters a default, as in CREATE MACRO f(a, b := 1) AS a + b"
            );
        }
        at = match words.token(at) {
            Token::LParen => words.closing(at).map_or(words.tokens.len(), |end| end + 1),
            _ => at + 1,
        };
    }
    Ok(())
}

/// `CREATE FUNCTION f(x) AS x + 1` is DuckDB's other name of `CREATE MACRO`. Bodies in quotes, as
/// in PostgreSQL, are left to the parser.
fn create_function(words: &Words<'_>) -> Option<String> {
    let replaces = words.is(1, "OR") && words.is(2, "REPLACE");
    let mut at = if replaces { 3 } else { 1 };
    if words.is(at, "TEMP") || words.is(at, "TEMPORARY") {
        at += 1;
    }
    // Macros live as long as the session, so all of them are temporary. The parser knows no
    // IF NOT EXISTS, and keeps the word TEMP in its place.
    let has_condition =
        words.is(at + 1, "IF") && words.is(at + 2, "NOT") && words.is(at + 3, "EXISTS");
    let is_other_macro = words.is(at, "MACRO") && (at > 1 || has_condition);
    if !words.is(at, "FUNCTION") && !is_other_macro {
        return None;
    }
    let condition = if has_condition { "TEMP " } else { "" };
    let name = if has_condition { at + 4 } else { at + 1 };
    let open = words
        .tokens
        .iter()
        .position(|token| *token == Token::LParen)?;
    let close = words.closing(open)?;
    let is_macro = words.is(close + 1, "AS")
        && !matches!(
            words.token(close + 2),
            Token::SingleQuotedString(_) | Token::DollarQuotedString(_)
        );
    is_macro.then(|| {
        let replace = if replaces { "OR REPLACE " } else { "" };
        let rest = words.text(name, words.tokens.len());
        format!("CREATE {replace}{condition}MACRO {rest}")
    })
}

/// `CREATE MACRO f(x INTEGER) AS x` and `CREATE FUNCTION f(x INT) RETURNS INT AS (x)`: casts the
/// parameters where they are used, and the result.
fn without_types(words: &Words<'_>) -> Option<String> {
    let open = words
        .tokens
        .iter()
        .position(|token| *token == Token::LParen)?;
    let close = words.closing(open)?;
    let start = words.find("AS").filter(|at| *at > close)?;
    let is_function = (1..open).any(|at| words.is(at, "FUNCTION") || words.is(at, "MACRO"));
    let result = match start - close {
        1 => None,
        _ if words.is(close + 1, "RETURNS") => Some(words.text(close + 2, start)),
        _ => return None,
    };
    let is_body = !matches!(
        words.token(start + 1),
        Token::SingleQuotedString(_) | Token::DollarQuotedString(_)
    );
    if !is_function || !is_body || words.is(start + 1, "TABLE") {
        return None;
    }
    let mut parameters = Vec::new();
    let mut types = Vec::new();
    let mut at = open + 1;
    while at < close {
        let mut end = at;
        while end < close && *words.token(end) != Token::Comma {
            end = match words.token(end) {
                Token::LParen => words.closing(end)? + 1,
                _ => end + 1,
            };
        }
        let is_default = |at| {
            matches!(words.token(at), Token::Assignment | Token::RArrow) || words.is(at, "DEFAULT")
        };
        let default = (at..end).find(|at| is_default(*at)).unwrap_or(end);
        let name = words.word(at)?;
        if default > at + 1 {
            types.push((name, words.text(at + 1, default)));
        }
        parameters.push(match words.text(default + 1, end) {
            "" => name.to_owned(),
            value => format!("{name} := {value}"),
        });
        at = end + 1;
    }
    if types.is_empty() && result.is_none() {
        return None;
    }
    let mut body = String::new();
    let mut written = words.ranges.get(start + 1)?.0;
    for at in start + 1..words.tokens.len() {
        let named = words
            .word(at)
            .filter(|_| *words.token(at - 1) != Token::Period);
        let typed = named.and_then(|name| {
            types
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
        });
        if let Some((name, kind)) = typed {
            let (from, to) = words.ranges[at];
            body.push_str(words.sql.get(written..from)?);
            body.push_str(&format!("CAST({name} AS {kind})"));
            written = to;
        }
    }
    body.push_str(words.sql.get(written..words.ranges.last()?.1)?);
    if let Some(result) = result {
        body = format!("CAST({body} AS {result})");
    }
    let (create, parameters) = (words.text(0, open), parameters.join(", "));
    Some(format!("{create}({parameters}) AS {body}"))
}

/// Rewrites a pragma as the statement that has its effect here.
fn pragma(words: &Words<'_>) -> Result<String> {
    let name = words.word(1).unwrap_or_default().to_ascii_lowercase();
    let argument = match words.token(3) {
        Token::SingleQuotedString(text) => text.clone(),
        _ => words.word(3).unwrap_or_default().to_owned(),
    };
    match name.as_str() {
        "table_info" if !argument.is_empty() => {
            let is_name = argument
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
            // Other names are those of files.
            let table = if is_name {
                argument
            } else {
                literal(&argument)
            };
            Ok(format!("DESCRIBE {table}"))
        }
        "create_fts_index" => plan_err!(
            "there are no indexes in tables: write COPY (SELECT …) TO 'index/' STORED AS SEARCH_INDEX, and FROM \
             search('index/', 'words')"
        ),
        "show_tables" | "show" if argument.is_empty() => Ok("SHOW TABLES".to_owned()),
        "functions" => Ok("SHOW FUNCTIONS".to_owned()),
        name if WITHOUT_EFFECT.contains(&name) => Ok(NOTHING.to_owned()),
        "version" => Ok("SELECT version() AS library_version".to_owned()),
        _ if setting_here(&name).is_some() && *words.token(2) == Token::Eq => {
            let set = setting(words)?;
            set.map_or_else(|| plan_err!("PRAGMA {name} needs a value"), Ok)
        }
        _ => plan_err!(
            "PRAGMA {name} is not supported: leave it out; SHOW ALL lists the settings, and SET name = value changes one"
        ),
    }
}

fn check_insert(words: &Words<'_>) -> Result<()> {
    if words.is(1, "OVERWRITE") {
        return plan_err!(
            "INSERT OVERWRITE is not supported: write COPY (SELECT …) TO 'folder/' (FORMAT parquet, OVERWRITE), or \
             CREATE OR REPLACE TABLE t AS SELECT …"
        );
    }
    let into = if words.is(1, "INTO") { 2 } else { 1 };
    if let Token::SingleQuotedString(file) = words.token(into) {
        return plan_err!(
            "rows cannot be inserted into a file: write COPY (SELECT …) TO '{file}', or add files to a \
             folder with COPY (SELECT …) TO 'folder/' OPTIONS (mode 'append')"
        );
    }
    if words.is(1, "OR") || words.find("CONFLICT").is_some() {
        return plan_err!(
            "INSERT does not change rows that conflict: write INSERT INTO t SELECT … FROM u ANTI JOIN t USING \
             (key), and UPDATE t SET … FROM u WHERE t.key = u.key for the others"
        );
    }
    let has_default = words.find("DEFAULT").is_some()
        || words.tokens.windows(2).any(|pair| {
            matches!(
                pair,
                [Token::LParen | Token::Comma, Token::Word(word)]
                    if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("DEFAULT")
            )
        });
    if has_default {
        return plan_err!(
            "DEFAULT is not supported in INSERT: name the other columns, such as INSERT INTO {} (a) VALUES (1)",
            words.text(into, into + 1)
        );
    }
    if words.find("RETURNING").is_some() {
        let table = words.text(into, into + 1);
        return plan_err!(
            "INSERT … RETURNING is not supported: leave RETURNING out, and query {table} after it"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(sql: &str) -> String {
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location();
        match rewritten(sql, &tokens.unwrap()) {
            Ok(rewritten) => rewritten.unwrap_or_else(|| sql.to_owned()),
            Err(error) => error.strip_backtrace(),
        }
    }

    #[test]
    fn options_of_copy_become_clauses() {
        for (sql, expected) in [
            (
                "COPY (SELECT (1) AS a) TO 'o.parquet' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000);",
                "COPY (SELECT (1) AS a) TO 'o.parquet' STORED AS PARQUET OPTIONS \
                 ('max_row_group_size' '100000', 'compression' 'zstd(3)')",
            ),
            (
                "copy t to 'd' with (format 'parquet', partition_by (a, \"B\"), overwrite, codec zstd, compression_level 3)",
                "copy t to 'd' STORED AS PARQUET PARTITIONED BY (a, \"B\") OPTIONS \
                 ('mode' 'replace', 'compression' 'zstd(3)')",
            ),
            (
                "COPY t TO 'ä.csv' (HEADER, DELIMITER '|', NULLSTR 'it''s', OVERWRITE false)",
                "COPY t TO 'ä.csv' OPTIONS ('has_header' 'true', 'delimiter' '|', 'null_value' 'it''s')",
            ),
            (
                "COPY t TO 'x' (PARTITION_BY a)",
                "COPY t TO 'x' PARTITIONED BY (a)",
            ),
            (
                "COPY t (a) FROM 'x.csv'",
                "INSERT INTO t (a) SELECT * FROM 'x.csv'",
            ),
            (
                "COPY t FROM 'x.csv' (FORMAT csv, HEADER, DELIMITER '\\t')",
                "INSERT INTO t SELECT * FROM read_csv('x.csv', header => true, delimiter => '\t')",
            ),
            (
                "COPY t (a, b) TO 'x.csv'",
                "COPY (SELECT a, b FROM t) TO 'x.csv'",
            ),
            (
                "COPY (SELECT 1) TO 'x.csv' WITH CSV HEADER DELIMITER ';'",
                "COPY (SELECT 1) TO 'x.csv' STORED AS CSV OPTIONS ('has_header' 'true', 'delimiter' ';')",
            ),
        ] {
            assert_eq!(rewrite(sql), expected);
        }
    }

    #[test]
    fn other_statements_stay_as_they_are() {
        for sql in [
            "COPY (SELECT 1) TO 'x.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')",
            "COPY (SELECT * FROM 'x') TO 'y'",
            "SELECT 'COPY t TO ''x'' (FORMAT csv)'",
            "CREATE FUNCTION f(x INT) RETURNS INT LANGUAGE SQL AS 'SELECT 1'",
            "CREATE MACRO f(x) AS x",
            "",
        ] {
            assert_eq!(rewrite(sql), sql);
        }
    }

    #[test]
    fn functions_are_macros_and_pragmas_are_statements() {
        for (sql, expected) in [
            (
                "CREATE FUNCTION f(x) AS x + 1",
                "CREATE MACRO f(x) AS x + 1",
            ),
            (
                "create or replace temp macro f(x) as table select x",
                "CREATE OR REPLACE MACRO f(x) as table select x",
            ),
            ("PRAGMA table_info('t')", "DESCRIBE t"),
            ("PRAGMA table_info('x.parquet')", "DESCRIBE 'x.parquet'"),
            ("PRAGMA show_tables", "SHOW TABLES"),
            (
                "PRAGMA threads=4",
                "SET datafusion.execution.target_partitions = 4",
            ),
            (
                "SET memory_limit = '2GB'",
                "SET datafusion.runtime.memory_limit = '2G'",
            ),
            (
                "RESET threads",
                "RESET datafusion.execution.target_partitions",
            ),
            ("TRUNCATE TABLE t", "DELETE FROM t"),
            ("SHOW t", "DESCRIBE t"),
            ("SHOW \"all\"", "DESCRIBE \"all\""),
            ("SHOW TABLES", "SHOW TABLES"),
            (
                "SHOW threads",
                "SHOW datafusion.execution.target_partitions",
            ),
            (
                "SET VARIABLE x = (SELECT 1)",
                "SELECT __set_variable('x', ((SELECT 1)))",
            ),
            ("RESET VARIABLE x", "SELECT __reset_variable('x')"),
            (
                "CREATE MACRO IF NOT EXISTS f(x) AS x",
                "CREATE TEMP MACRO f(x) AS x",
            ),
        ] {
            assert_eq!(rewrite(sql), expected);
        }
    }

    #[test]
    fn statements_without_a_form_are_refused_with_advice() {
        for (sql, advice) in [
            ("ATTACH 'x.db'", "query files directly"),
            ("EXPORT DATABASE 'd'", "COPY table TO"),
            ("PRAGMA enable_profiling", "SET name = value"),
            (
                "INSERT INTO 'x.parquet' SELECT 1",
                "COPY (SELECT …) TO 'x.parquet'",
            ),
            ("INSERT INTO t VALUES (1) RETURNING a", "query t after it"),
            ("COPY t FROM 'x' HEADING", "(FORMAT csv, HEADER)"),
            ("ROLLBACK", "undo it with another one"),
            ("CREATE UNIQUE INDEX i ON t (a)", "there are no indexes"),
            ("ALTER VIEW v RENAME TO w", "CREATE OR REPLACE VIEW v AS"),
            ("SET VARIABLE x", "SET VARIABLE x = 1"),
            (
                "COPY t TO 'x' (PER_THREAD_OUTPUT)",
                "has no option PER_THREAD_OUTPUT",
            ),
            (
                "COPY t TO 'x' (PARTITION_BY a, OVERWRITE_OR_IGNORE)",
                "APPEND keeps them",
            ),
            ("COPY t TO 'x' (1)", "'1' is not an option of COPY"),
            ("COPY t TO '/dev/stdout' (FORMAT csv)", "--format csv"),
            (
                "CREATE TABLE t USING parquet LOCATION 'x'",
                "EXTERNAL TABLE t STORED",
            ),
            (
                "INSERT OVERWRITE DIRECTORY 'x' SELECT 1",
                "(FORMAT parquet, OVERWRITE)",
            ),
        ] {
            let error = rewrite(sql);
            assert!(error.contains(advice), "{sql}: {error}");
        }
    }
}
