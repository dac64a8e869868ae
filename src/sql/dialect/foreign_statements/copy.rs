//! `COPY` as DuckDB and PostgreSQL write it: `COPY … TO 'x' (FORMAT parquet)`, `COPY t FROM 'x'`.

use corpus_udfs::duckdb::in_chrono;
use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::words::Words;
use crate::sources::data_files::extensions;
use crate::sql::syntax::literal;

/// Names of options of `COPY` in other engines, and their names here. Other options are passed on
/// unchanged.
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
];

/// The levels that DuckDB uses if none is named. Parquet's writer has no default.
const PARQUET_LEVELS: &[(&str, &str)] = &[("brotli", "1"), ("gzip", "6"), ("zstd", "3")];

/// Rewrites the COPY after EXPLAIN.
pub fn rewrite_explained(sql: &str, tokens: &[TokenWithSpan]) -> Result<Option<String>> {
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
    Ok(rewrite(&words)?.map(|copy| format!("{explain}{copy}")))
}

/// Rewrites options, columns, and `COPY t FROM 'x'`.
pub fn rewrite(words: &Words<'_>) -> Result<Option<String>> {
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

/// `COPY t FROM 'x' (HEADER)` as an `INSERT` from the function that reads the format.
fn copy_from(words: &Words<'_>, from: usize) -> Result<String> {
    let (table, file) = (words.text(1, from), words.text(from + 1, from + 2));
    let name = file.trim_end_matches('\'').to_ascii_lowercase();
    let extension = extensions::all().find(|extension| name.contains(&format!(".{extension}")));
    if from + 2 == words.tokens.len() {
        let is_json = extension.and_then(extensions::function_of) == Some(READ_JSON);
        let insert = insert_into(words, from, is_json);
        return Ok(format!("{insert} FROM {file}"));
    }
    let Some(options) = Options::after(words, from + 2)? else {
        return plan_err!(
            "'{}' is not an option of COPY: write COPY {table} FROM {file} (FORMAT csv, HEADER)",
            words.text(from + 2, words.tokens.len())
        );
    };
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
    let insert = insert_into(words, from, function == READ_JSON);
    Ok(format!("{insert} FROM {function}({file}{arguments})"))
}

const READ_JSON: &str = "read_json";

/// The start of the INSERT. The objects of JSON name their columns. The rows of other files have
/// those of the table in order.
fn insert_into(words: &Words<'_>, from: usize, is_json: bool) -> String {
    let table = words.text(1, from);
    let columns = table.split_once('(').map(|(_, columns)| columns.trim_end());
    match columns.and_then(|columns| columns.strip_suffix(')')) {
        Some(columns) if is_json => format!("INSERT INTO {table} SELECT {columns}"),
        None if is_json => format!("INSERT INTO {table} BY NAME SELECT *"),
        _ => format!("INSERT INTO {table} SELECT *"),
    }
}

/// The options of a `COPY`.
#[derive(Default)]
struct Options<'a> {
    format: Option<&'a str>,
    partitioned_by: Option<&'a str>,
    compression: Option<String>,
    level: Option<String>,
    others: Vec<(String, String)>,
    /// The options as arguments of the functions that read files.
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
            let has_value = matches!(
                words.token(at + 1 + as_word),
                Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_)
            );
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
                    Token::LBrace => words.after_brace(to).unwrap_or(end),
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
            Token::SingleQuotedString(text) | Token::EscapedStringLiteral(text) => text.clone(),
            _ => text.to_owned(),
        };
        let is_on = !matches!(plain.to_ascii_lowercase().as_str(), "false" | "0" | "off");
        let plain = match plain.as_str() {
            "\\t" => "\t".to_owned(),
            _ => plain,
        };
        if name != "format" {
            let value = match words.token(value) {
                Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) => literal(&plain),
                _ => plain.clone(),
            };
            self.read.push((name.clone(), value));
        }
        let is_character = plain.len() == 1 && plain.is_ascii();
        match name.as_str() {
            "delimiter" | "delim" | "sep" | "quote" | "escape" if !is_character => {
                return plan_err!(
                    "{} must be one ASCII character, such as ';' or '\\t', not '{plain}'",
                    name.to_ascii_uppercase()
                );
            }
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
            "compression" | "codec" => {
                self.compression = match plain.to_ascii_lowercase().as_str() {
                    "none" => Some("uncompressed".to_owned()),
                    codec => Some(codec.to_owned()),
                };
            }
            "kv_metadata" => self.add_metadata(words, value, to)?,
            "parquet_version" => match plain.to_ascii_lowercase().as_str() {
                "v1" => self.set("writer_version", "1.0"),
                "v2" => self.set("writer_version", "2.0"),
                _ => return plan_err!("PARQUET_VERSION is v1 or v2, not {plain}"),
            },
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
            "escape" => {
                self.set("escape", &plain);
                if plain != "\"" {
                    self.set("double_quote", "false");
                }
            }
            // JSON as one array.
            "array" => self.set("newline_delimited", if is_on { "false" } else { "true" }),
            "timestampformat" | "timestamp_format" => {
                self.set("timestamp_format", &in_chrono(&plain, "+00", ""));
            }
            _ => {
                let here = COPY_OPTIONS.iter().find(|(other, _)| *other == name);
                let name = here.map_or(name.as_str(), |(_, here)| here);
                self.set(name, &plain);
            }
        }
        Ok(())
    }

    /// Adds the entries of `{key: 'value', …}`.
    fn add_metadata(&mut self, words: &Words<'a>, open: usize, end: usize) -> Result<()> {
        let mut at = open;
        while at == open || at + 1 < end {
            let key = match words.token(at + 1) {
                Token::Word(word) => Some(&word.value),
                Token::SingleQuotedString(text) => Some(text),
                _ => None,
            };
            let value = match words.token(at + 3) {
                Token::SingleQuotedString(text) => Some(text),
                Token::Number(number, _) => Some(number),
                _ => None,
            };
            let is_entry = matches!(words.token(at), Token::LBrace | Token::Comma)
                && *words.token(at + 2) == Token::Colon
                && matches!(words.token(at + 4), Token::Comma | Token::RBrace);
            let (true, Some((key, value))) = (is_entry, key.zip(value)) else {
                return plan_err!(
                    "KV_METADATA takes texts and numbers: write (KV_METADATA {{source: 'crawl', version: 2}})"
                );
            };
            // DataFusion would change the key, or refuse it without its name.
            if key.contains("::") || key.contains(char::is_uppercase) {
                return plan_err!(
                    "the key '{key}' of KV_METADATA has upper case or '::', which are not supported"
                );
            }
            self.set(&format!("format.metadata::{key}"), value);
            at += 4;
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
