//! Views and prepared statements use the files that exist when they run, not when they were
//! defined.

use std::fs;
use std::path::Path;

use super::support::{Ran, corpus_sql, ran};

fn run_in(folder: &Path, sql: &str) -> Ran {
    let mut command = corpus_sql();
    command.current_dir(folder);
    ran(command
        .args(["-q", "--format", "csv", "-c", sql])
        .output()
        .unwrap())
}

#[test]
fn files_that_arrive_later_are_read() {
    for table in ["read_files('in/')", "read_files('in/*.txt')", "'in/*.hocr'"] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for extension in ["txt", "hocr"] {
            fs::write(folder.path().join(format!("in/a.{extension}")), "a").unwrap();
        }
        let extension = if table.contains("hocr") {
            "hocr"
        } else {
            "txt"
        };
        let count =
            format!("SELECT count(*) AS n FROM {table} WHERE source_file LIKE '%.{extension}'");
        let sql = format!(
            "CREATE VIEW v AS {count}; PREPARE p AS {count};
             COPY (SELECT 1 AS a) TO 'in/b.{extension}' STORED AS CSV;
             SELECT * FROM v; EXECUTE p; SELECT * FROM v; EXECUTE p"
        );
        let ran = run_in(folder.path(), &sql);
        assert_eq!(ran.succeeded(), "n\n2\n".repeat(4), "{table}");
    }
}

#[cfg(feature = "search")]
#[test]
fn an_index_that_was_built_again_is_searched() {
    let build = |word: &str| {
        format!(
            "COPY (SELECT value AS id, 'river {word}' AS document FROM range(0, 3))
             TO 'idx/' STORED AS SEARCH_INDEX OPTIONS (id 'id', text 'document', mode 'replace');"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let sql = format!(
        "{} CREATE VIEW v AS SELECT count(*) AS n FROM search('idx/', 'bank');
         {} SELECT * FROM v;",
        build("mouth").replace("'replace'", "'create'"),
        build("bank"),
    );
    assert_eq!(run_in(folder.path(), &sql).succeeded(), "n\n3\n");
}

/// Names in a view mean what they mean when it is used, as in DuckDB and PostgreSQL.
#[test]
fn what_is_created_again_is_read() {
    let cases = [
        (
            "CREATE TABLE t AS SELECT 1 AS a",
            "SELECT sum(a) AS s FROM t",
            "CREATE OR REPLACE TABLE t AS SELECT 100 AS a",
        ),
        (
            "CREATE VIEW t AS SELECT 1 AS a; CREATE VIEW u AS SELECT a + 0 AS a FROM t",
            "SELECT sum(u.a) AS s FROM u",
            "CREATE OR REPLACE VIEW t AS SELECT 60 AS a UNION ALL SELECT 40",
        ),
        (
            "CREATE TABLE t AS SELECT 1 AS a",
            "SELECT * FROM t",
            "DROP TABLE t; CREATE TABLE t AS SELECT 'b' AS b, 100 AS a",
        ),
        (
            "CREATE MACRO m() AS 1",
            "SELECT m() AS s",
            "CREATE OR REPLACE MACRO m() AS 100",
        ),
        (
            "SET VARIABLE x = 1",
            "SELECT getvariable('x') AS s",
            "SET VARIABLE x = 100",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (before, view, after) in cases {
        let sql = format!("{before}; CREATE VIEW v AS {view}; {after}; SELECT * FROM v");
        let ran = run_in(folder.path(), &sql);
        let rows = ran.succeeded();
        assert_eq!(rows.lines().nth(1), Some("100"), "{sql}: {rows}");
    }
}

#[test]
fn a_view_that_can_no_longer_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (sql, expected) in [
        (
            "CREATE TABLE t AS SELECT 1 AS a; CREATE VIEW v AS FROM t; DROP TABLE t; FROM v",
            "view 'v': table 't' not found",
        ),
        (
            "CREATE TABLE t AS SELECT 1 AS a; CREATE VIEW v AS FROM t;
             CREATE OR REPLACE TABLE t AS SELECT 1 AS b; FROM v",
            "the tables of the view 'v' no longer have its column 'a': create it again",
        ),
        (
            "CREATE VIEW v AS SELECT 1 AS a; CREATE OR REPLACE VIEW v AS SELECT a + 1 AS a FROM v",
            "the view 'v' would read itself",
        ),
        (
            "CREATE VIEW v AS SELECT 1 AS a; CREATE VIEW u AS FROM v; CREATE OR REPLACE VIEW v AS FROM u",
            "the view 'v' would read itself",
        ),
    ] {
        let ran = run_in(folder.path(), sql);
        assert_eq!(ran.code, Some(1), "{sql}");
        assert!(ran.stderr.contains(expected), "{sql}: {}", ran.stderr);
    }
}
