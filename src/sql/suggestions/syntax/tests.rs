use datafusion::prelude::SessionContext;

use super::*;
use crate::errors::message;
use crate::session::{SessionOptions, session};
use crate::sql::dialect;

/// The text after FROM.
const TABLES: &[&str] = &[
    "t PIVOT (sum(a) FOR s IN ('x', 'y'))",
    "t UNPIVOT (v FOR n IN (a, b))",
    "t MATCH_RECOGNIZE (PATTERN (x) DEFINE x AS a > 1)",
    "JSON_TABLE('[1]', '$[*]' COLUMNS (x INT PATH '$'))",
    "OPENJSON('[1]')",
    "XMLTABLE('/a' PASSING s COLUMNS x INT PATH 'b')",
    "TABLE(f(1))",
    "t TABLESAMPLE (10 PERCENT)",
    "unnest([1, 2]) WITH ORDINALITY",
    "unnest([1, 2]) WITH OFFSET",
    "t FOR SYSTEM_TIME AS OF '2026-01-01'",
    "t ASOF JOIN t u MATCH_CONDITION (t.a >= u.a) ON t.b = u.b",
    "t CROSS APPLY f(a)",
    "t OUTER APPLY f(a)",
    "t STRAIGHT_JOIN t u",
    "t SEMI JOIN t u ON t.a = u.a",
    "t LEFT ANTI JOIN t u USING (a)",
    "t GLOBAL LEFT JOIN t u ON t.a = u.a",
    "t LATERAL VIEW explode(l) x AS y",
    "t, LATERAL unnest(l) u",
    "t CROSS JOIN unnest(l) u",
    "ROWS FROM (f(1))",
    "t USE INDEX (x)",
    "t PARTITION (p)",
    "t WITH (NOLOCK)",
    "a.b.c.d.e",
    "range(a => 1)",
    "SEMANTIC_VIEW(x DIMENSIONS y)",
];

/// The text after SELECT.
const LISTS: &[&str] = &[
    "TOP 5 a FROM t",
    "a INTO u FROM t",
    "a FROM t START WITH a = 1 CONNECT BY PRIOR a = b",
    "a FROM t PREWHERE a > 1",
    "a FROM t FORMAT JSON",
    "a FROM t SETTINGS x = 1",
    "a FROM t LIMIT 1 BY a",
    "a FROM t FOR UPDATE",
    "a FROM t FETCH FIRST 1 ROW WITH TIES",
    "a FROM t FOR XML AUTO",
    "a, count(*) FROM t GROUP BY a WITH ROLLUP",
    "a, count(*) FROM t GROUP BY a WITH TOTALS",
    "a, count(*) FROM t GROUP BY GROUPING SETS (a, ROLLUP (b))",
    "AS STRUCT a FROM t",
    "a FROM t SORT BY a",
    "a FROM t CLUSTER BY a",
    "a FROM t DISTRIBUTE BY a",
    "a FROM t ORDER BY a WITH FILL FROM 1 TO 5",
    "a FROM t ORDER BY a USING >",
    "* RENAME (a AS z) FROM t",
    "* ILIKE 'a%' FROM t",
    "COLUMNS('a.*') FROM t",
    "t.* EXCEPT (a) FROM t",
    "a FROM t |> WHERE a > 1",
    "a FROM t |> AGGREGATE sum(a) GROUP BY b |> LIMIT 1",
    "DISTINCT ON (a) * FROM t",
    "SQL_CALC_FOUND_ROWS a FROM t",
    "a FROM t WHERE CURRENT OF c",
    "a FROM t LOCK IN SHARE MODE",
    "a FROM t OPTION (RECOMPILE)",
    "sum(a) OVER w FROM t WINDOW w AS (x)",
];

/// Expressions.
const EXPRESSIONS: &[&str] = &[
    "s RLIKE 'a'",
    "s REGEXP 'a'",
    "s NOT RLIKE 'a'",
    "s SIMILAR TO 'a' ESCAPE 'b'",
    "s LIKE ANY ('a', 'b')",
    "s ILIKE ALL ('a', 'b')",
    "MATCH (s) AGAINST ('x')",
    "CONVERT(INT, a)",
    "CONVERT(s USING utf8)",
    "s COLLATE nocase",
    "s IS JSON",
    "s IS NORMALIZED",
    "s IS NFC NORMALIZED",
    "a = ANY(l)",
    "a > ALL(l)",
    "a = ANY (SELECT a FROM t)",
    "a IN (SELECT a FROM t)",
    "EXISTS (SELECT a FROM t)",
    "a IN UNNEST(l)",
    "s -> 'x'",
    "s ->> 'x'",
    "s #> '{x}'",
    "s #>> '{x}'",
    "s @> 'x'",
    "s @? '$.x'",
    "s ? 'x'",
    "s:a.b",
    "l && l",
    "l @> l",
    "a // b",
    "a DIV b",
    "a <=> b",
    "a ** b",
    "a <-> b",
    "a !~~ b",
    "!!a",
    "@a",
    "|/ a",
    "||/ a",
    "~a",
    "!a",
    "a!",
    "a OPERATOR(pg_catalog.+) b",
    "INTERVAL a DAY",
    "INTERVAL '1' YEAR TO MONTH",
    "INTERVAL '1' DAY (3)",
    "EXTRACT(foo FROM d)",
    "TRIM(LEADING 'x' FROM s)",
    "POSITION('a' IN s)",
    "OVERLAY(s PLACING 'x' FROM 1)",
    "SUBSTRING(s FROM 1 FOR 2)",
    "SUBSTRING(s SIMILAR 'a' ESCAPE 'b')",
    "CEIL(d TO DAY)",
    "FLOOR(a, 2)",
    "CAST(a AS foo)",
    "CAST(s AS JSON)",
    "CAST(s AS DATE FORMAT 'YYYY')",
    "TRY_CAST(a AS ENUM('x'))",
    "SAFE_CAST(a AS INT64)",
    "a::foo",
    "a::int[][]",
    "STRUCT<x INT>(1)",
    "STRUCT(a AS x)",
    "ROW(a, b)",
    "(a, b)",
    "(a, b) = (1, 2)",
    "(a, b) IN ((1, 2))",
    "PRIOR a",
    "GROUPING(a)",
    "count(DISTINCT a, b)",
    "count(t.*)",
    "f(a => 1)",
    "concat(s => 1)",
    "max(*)",
    "sum(a) WITHIN GROUP (ORDER BY a)",
    "listagg(s, ',') WITHIN GROUP (ORDER BY s)",
    "group_concat(s SEPARATOR ',')",
    "array_agg(a LIMIT 1)",
    "array_agg(a ORDER BY a HAVING MAX b)",
    "any_value(a HAVING MAX b)",
    "first_value(a) IGNORE NULLS OVER (ORDER BY a)",
    "sum(a) OVER (ORDER BY a GROUPS 1 PRECEDING)",
    "sum(a) OVER (ORDER BY a EXCLUDE TIES)",
    "lag(a) FILTER (WHERE a > 1) OVER (ORDER BY a)",
    "B'01'",
    "N'a'",
    "U&'a'",
    "X'a'",
    "$$a$$",
    "?",
    "$1",
    ":name",
    "@@version",
    "l[1:2:1]",
    "l[:2]",
    "l[*]",
    "s.*",
    "x -> x + 1",
    "lambda x: x + 1",
    "d AT TIME ZONE s",
    "(d, d) OVERLAPS (d, d)",
    "ARRAY(SELECT a FROM t)",
    "ARRAY[[1], [2]]",
    "NEXT VALUE FOR q",
    "a IS OF (INT)",
    "a BETWEEN SYMMETRIC 1 AND 2",
    "a IS DISTINCT FROM b",
    "a NOTNULL",
    "CASE a WHEN THEN 1 END",
    "TIMESTAMP 'nonsense'",
    "DATE('2026-01-01')",
    "POINT '1,2'",
    "JSON '{}'",
    "{'a': 1}",
    "MAP {'a': 1}",
    "[x for x in l]",
    "CURRENT_USER",
    "XMLELEMENT(NAME a)",
    "JSON_OBJECT('a' : 1)",
    "JSON_ARRAY(1 NULL ON NULL)",
    "f(SELECT 1)",
    "t",
    "a.b.c",
];

/// Statements.
const STATEMENTS: &[&str] = &[
    "CREATE INDEX i ON t (a)",
    "ALTER TABLE t ADD COLUMN z INT",
    "UPDATE t SET a = 1 FROM u",
    "DELETE FROM t USING u WHERE a = 1",
    "DELETE FROM t, u",
    "MERGE INTO t USING t u ON t.a = u.a WHEN MATCHED THEN DELETE",
    "TRUNCATE TABLE t",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "START TRANSACTION READ ONLY",
    "BEGIN EXCLUSIVE TRANSACTION",
    "SAVEPOINT x",
    "GRANT SELECT ON t TO u",
    "REVOKE SELECT ON t FROM u",
    "USE x",
    "SHOW COLUMNS FROM t",
    "SHOW CREATE TABLE t",
    "SHOW VARIABLES",
    "CREATE FUNCTION f(x INT) RETURNS INT RETURN x + 1",
    "CREATE PROCEDURE p AS BEGIN SELECT 1; END",
    "CALL f()",
    "DECLARE c CURSOR FOR SELECT 1",
    "VACUUM t",
    "ANALYZE TABLE t COMPUTE STATISTICS",
    "OPTIMIZE TABLE t",
    "KILL 1",
    "COPY t FROM 'x.csv'",
    "LOAD DATA INPATH 'x' INTO TABLE t",
    "UNLOAD (SELECT 1) TO 's3://x/y'",
    "CREATE SEQUENCE q",
    "CREATE TYPE x AS ENUM ('a')",
    "CREATE DOMAIN x AS INT",
    "CREATE ROLE r",
    "CREATE SCHEMA IF NOT EXISTS z",
    "CREATE EXTENSION x",
    "CREATE TRIGGER g BEFORE INSERT ON t EXECUTE FUNCTION f()",
    "CREATE POLICY p ON t",
    "CREATE STAGE x",
    "COMMENT ON TABLE t IS 'x'",
    "EXPLAIN (FORMAT JSON) SELECT 1",
    "EXPLAIN QUERY PLAN SELECT 1",
    "CACHE TABLE x AS SELECT 1",
    "INSERT INTO t VALUES (1, 2) ON CONFLICT DO NOTHING",
    "INSERT INTO t (a) VALUES (1) RETURNING a",
    "INSERT INTO t AS z VALUES (1)",
    "INSERT OR REPLACE INTO t VALUES (1)",
    "INSERT LOW_PRIORITY INTO t VALUES (1)",
    "INSERT OVERWRITE TABLE t SELECT 1",
    "INSERT INTO t PARTITION (a = 1) SELECT 1",
    "INSERT INTO t SET a = 1",
    "REPLACE INTO t VALUES (1)",
    "CREATE TEMPORARY TABLE z (a INT)",
    "CREATE TABLE z (a INT GENERATED ALWAYS AS (1) STORED)",
    "CREATE TABLE z (a INT REFERENCES t (a), CHECK (a > 1))",
    "CREATE TABLE z (a INT) PARTITION BY a",
    "CREATE TABLE z (a INT) PARTITIONED BY (b INT) STORED AS PARQUET",
    "CREATE TABLE z LIKE t",
    "CREATE TABLE z CLONE t",
    "CREATE TABLE z (a foo)",
    "CREATE TABLE z (a INT) ENGINE = MergeTree ORDER BY a",
    "CREATE MATERIALIZED VIEW z AS SELECT 1",
    "CREATE VIEW z (a COMMENT 'x') AS SELECT 1",
    "CREATE VIEW z AS SELECT 1 WITH NO SCHEMA BINDING",
    "CREATE VIRTUAL TABLE z USING fts5(a)",
    "DROP INDEX i",
    "DROP TABLE t, u",
    "DROP TABLE t CASCADE",
    "SET x = (1, 2)",
    "SET x = ARRAY[1]",
    "SET datafusion.execution.batch_size = -f",
    "SET NAMES 'utf8'",
    "SET TIME ZONE LOCAL",
    "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "PREPARE p AS SELECT $1 + 1",
    "EXECUTE nosuch(1)",
    "DEALLOCATE nosuch",
    "INSTALL httpfs",
    "LOAD httpfs",
    "ATTACH 'x.db' AS x",
    "DETACH x",
    "PRAGMA table_info(t)",
    "LISTEN x",
    "LOCK TABLES t READ",
    "FLUSH TABLES",
    "RAISE 'x'",
    "WITH x AS (SELECT 1), x AS (SELECT 2) SELECT * FROM x",
    "WITH x AS (INSERT INTO t VALUES (1)) SELECT * FROM x",
    "WITH x AS MATERIALIZED (SELECT 1) SELECT * FROM x",
    "VALUES (1), (1, 2)",
    "TABLE t",
    "SELECT 1 UNION DISTINCT BY NAME SELECT 2",
    "SELECT 1 MINUS SELECT 2",
    "SELECT 1 INTERSECT ALL SELECT 1",
    "(SELECT 1) LIMIT 1 OFFSET a",
    "DESCRIBE nosuch",
    "CREATE MACRO m(x) AS TABLE SELECT 1",
];

async fn error_of(context: &SessionContext, sql: &str) -> Option<String> {
    let ran = async {
        let frame = dialect::sql(context, sql).await?;
        frame.collect().await
    };
    ran.await.err().map(|error| message(&error))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_message_shows_a_syntax_tree() {
    let context = session(&SessionOptions::default()).unwrap();
    let table = "CREATE TABLE t AS SELECT 1 AS a, 2 AS b, 'x' AS s, [1, 2] AS l, now() AS d";
    assert_eq!(error_of(&context, table).await, None);
    let tables = TABLES.iter().map(|sql| format!("SELECT * FROM {sql}"));
    let lists = LISTS.iter().map(|sql| format!("SELECT {sql}"));
    let expressions = EXPRESSIONS.iter().map(|sql| format!("SELECT {sql} FROM t"));
    let conditions = EXPRESSIONS
        .iter()
        .map(|sql| format!("SELECT a FROM t WHERE {sql}"));
    let statements = STATEMENTS.iter().map(|sql| (*sql).to_owned());
    let mut shown = Vec::new();
    let all = tables.chain(lists).chain(expressions).chain(conditions);
    for sql in all.chain(statements) {
        let Some(message) = error_of(&context, &sql).await else {
            continue;
        };
        let signs = [
            "Ident {", "Span", "Some(", "Value {", "ast node", " { ", "sqltorel",
        ];
        if signs.iter().any(|sign| message.contains(sign)) {
            shown.push(format!("{sql}\n    {message}"));
        }
    }
    assert!(
        shown.is_empty(),
        "{} messages:\n{}",
        shown.len(),
        shown.join("\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_say_what_to_write() {
    let context = session(&SessionOptions::default()).unwrap();
    let table = "CREATE TABLE t AS SELECT 1 AS a, 2 AS b, 'x' AS s, [1, 2] AS l";
    assert_eq!(error_of(&context, table).await, None);
    for (sql, start) in [
        (
            "SELECT * FROM t ASOF JOIN t u MATCH_CONDITION (t.a >= u.a) ON t.b = u.b",
            "MATCH_CONDITION is not supported: write a ASOF JOIN b ON",
        ),
        (
            "SELECT (SELECT count(*) FROM (SELECT 1 FROM range(3) r WHERE r.value > t.a UNION ALL SELECT 2)) FROM t",
            "a query inside of this one compares",
        ),
        (
            "SELECT * FROM t CROSS APPLY range(1)",
            "CROSS APPLY is not supported",
        ),
    ] {
        let message = error_of(&context, sql).await.unwrap();
        assert!(message.starts_with(start), "{sql}: {message}");
    }
}

#[test]
fn messages_without_a_syntax_tree_stay() {
    for text in [
        "Cannot cast 'Some text' to Int64",
        "No function matches the given name",
        "Invalid function 'IFF'",
        "the file (Read) has { braces }",
    ] {
        assert_eq!(unsupported(text), None, "{text}");
    }
}
