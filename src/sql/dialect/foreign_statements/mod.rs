//! Statements of DuckDB and PostgreSQL that have another form here, rewritten before they are
//! parsed: `COPY … TO 'x' (FORMAT parquet)`, `COPY t FROM 'x'`, `CREATE FUNCTION f(x) AS …`,
//! `PRAGMA …`. Statements without an equivalent are refused with advice.
//!
//! ```text
//! words      the words of a statement before it is parsed
//! settings   SET, RESET, SHOW and PRAGMA
//! copy       COPY
//! create     CREATE and ALTER
//! functions  CREATE FUNCTION and CREATE MACRO
//! insert     INSERT
//! ```

use datafusion::common::{Result, plan_err};
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

mod copy;
mod create;
mod functions;
mod insert;
mod settings;
mod words;

use self::words::Words;

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

/// Extensions and databases of DuckDB whose contents every session has.
const BUILT_IN: [&str; 10] = [
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

/// A statement that does nothing.
const NO_OPERATION: &str = "DROP TABLE IF EXISTS __nothing";

/// Words that begin statements of transactions without an effect here.
const TRANSACTIONS: [&str; 4] = ["BEGIN", "COMMIT", "END", "START"];

/// Statements that clean up a database or count its rows, without an effect in this dialect.
const CLEANING: [&str; 3] = ["ANALYZE", "CHECKPOINT", "VACUUM"];

const NO_TRANSACTIONS: &str = "there are no transactions, and each statement took effect when it ended: undo it with another one";

/// Returns the statement in this dialect, if it has another form here.
pub fn rewrite(sql: &str, tokens: &[TokenWithSpan]) -> Result<Option<String>> {
    let first = tokens
        .iter()
        .find(|token| !matches!(token.token, Token::Whitespace(_)));
    let first = match first.map(|token| &token.token) {
        Some(Token::Word(word)) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        _ => return Ok(None),
    };
    let words = || Words::new(sql, tokens);
    if ["INSTALL", "LOAD", "USE"].contains(&first.as_str()) && names_built_in(&words()) {
        return Ok(Some(NO_OPERATION.to_owned()));
    }
    if TRANSACTIONS.contains(&first.as_str()) {
        if ["BEGIN", "START"].contains(&first.as_str()) {
            log::warn!("there are no transactions: each statement takes effect when it ends");
        }
        return Ok(Some(NO_OPERATION.to_owned()));
    }
    if CLEANING.contains(&first.as_str()) {
        return Ok(Some(NO_OPERATION.to_owned()));
    }
    if let Some((_, advice)) = REFUSED.iter().find(|(word, _)| *word == first) {
        return plan_err!("{advice}");
    }
    match first.as_str() {
        "ALTER" | "CREATE" => create::rewrite(&words()),
        "CALL" => {
            let words = words();
            let call = words.text(1, words.tokens.len());
            Ok(Some(format!("SELECT * FROM {call}")))
        }
        "COPY" => copy::rewrite(&words()),
        "EXPLAIN" => copy::rewrite_explained(sql, tokens),
        "INSERT" => {
            insert::check(&words())?;
            Ok(None)
        }
        "PRAGMA" => settings::pragma(&words()).map(Some),
        "RESET" | "SET" => settings::set(&words()),
        "SHOW" => Ok(settings::show(&words())),
        "TRUNCATE" => Ok(truncate(&words())),
        _ => Ok(None),
    }
}

/// Whether `INSTALL`, `LOAD` or `USE` names something that every session has, such as `httpfs`.
fn names_built_in(words: &Words<'_>) -> bool {
    let name = match words.token(1) {
        Token::SingleQuotedString(text) => text.as_str(),
        _ => words.word(1).unwrap_or_default(),
    };
    words.tokens.len() == 2 && BUILT_IN.contains(&name.to_ascii_lowercase().as_str())
}

/// `TRUNCATE t` as `DELETE FROM t`.
fn truncate(words: &Words<'_>) -> Option<String> {
    let at = 1 + usize::from(words.is(1, "TABLE"));
    let name = words.text(at, words.tokens.len()).trim();
    (!name.is_empty()).then(|| format!("DELETE FROM {name}"))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    fn rewrite(sql: &str) -> String {
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location();
        match super::rewrite(sql, &tokens.unwrap()) {
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
                "COPY t FROM 'x.jsonl.gz'",
                "INSERT INTO t BY NAME SELECT * FROM 'x.jsonl.gz'",
            ),
            (
                "COPY t (b, a) FROM 'x' (FORMAT json)",
                "INSERT INTO t (b, a) SELECT b, a FROM read_json('x')",
            ),
            (
                "COPY t FROM 'x.csv' (FORMAT csv, HEADER, DELIMITER E'\\t')",
                "INSERT INTO t SELECT * FROM read_csv('x.csv', header => true, delimiter => '\t')",
            ),
            (
                "COPY t (a, b) TO 'x.csv'",
                "COPY (SELECT a, b FROM t) TO 'x.csv'",
            ),
            (
                "COPY t TO 'x.csv' (ESCAPE '\\')",
                "COPY t TO 'x.csv' OPTIONS ('escape' '\\', 'double_quote' 'false')",
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
