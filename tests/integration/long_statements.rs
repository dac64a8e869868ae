//! Statements that programs write: long chains of operators, and deep nesting.

use std::fs;

use super::support::{Ran, corpus_sql, ran};

/// Runs a statement from a file: it may be too long for an argument.
fn run(sql: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("long.sql");
    fs::write(&file, sql).unwrap();
    let mut command = corpus_sql();
    command.args(["-q", "--format", "csv", "-f"]).arg(file);
    ran(command.output().unwrap())
}

fn chain(operator: &str, count: usize, term: impl Fn(usize) -> String) -> String {
    let terms: Vec<String> = (0..count).map(term).collect();
    terms.join(&format!(" {operator} "))
}

#[test]
fn long_chains_keep_order_and_results() {
    let ids = chain("+", 200, |_| "id".to_owned());
    let ones = chain("+", 50, |_| "one".to_owned());
    let texts = chain("||", 200, |_| "s".to_owned());
    let cases = chain("+", 50, |number| {
        format!("CASE WHEN s LIKE '%{number}' THEN 1 ELSE 0 END")
    });
    let ran = run(&format!(
        "SELECT {ids} AS sum, big + {ones} AS total, length({texts}) AS characters, {cases} AS cases
         FROM (VALUES (1, 1e16, 1e0, 'a7'), (2, 1e0, 1e0, 'b')) AS t(id, big, one, s)
         ORDER BY id"
    ));
    let rows: Vec<&str> = ran.succeeded().lines().skip(1).collect();
    // In another order, the sum of the ones would change the large number.
    assert_eq!(rows, ["200,1e16,400,1", "400,51.0,200,0"]);
}

#[test]
fn long_conditions_select_the_right_rows() {
    let differ = chain("AND", 1000, |number| format!("s <> 'a{number}'"));
    let match_one = chain("OR", 300, |number| format!("s LIKE '%c{number}'"));
    let ran = run(&format!(
        "SELECT s FROM (VALUES ('a7'), ('b'), ('c9')) AS t(s) WHERE {differ} AND ({match_one})"
    ));
    assert_eq!(ran.succeeded(), "s\nc9\n");
}

#[test]
fn sums_in_long_chains_are_checked() {
    let ids = chain("+", 200, |_| "id".to_owned());
    let largest = i64::MAX;
    run(&format!("SELECT {ids} FROM (VALUES ({largest})) AS t(id)"))
        .failed(1, ["does not fit BIGINT"]);
}

#[test]
fn nested_statements_run() {
    let nested = |start: &str, inner: &str, end: &str, levels: usize| {
        format!("{}{inner}{}", start.repeat(levels), end.repeat(levels))
    };
    for (value, expected) in [
        (nested("replace(", "'a'", ", 'a', 'a')", 100), "a"),
        (nested("(1 + ", "0", ")", 50), "50"),
        (
            nested("CASE WHEN false THEN 0 ELSE ", "1", " END", 100),
            "1",
        ),
    ] {
        let ran = run(&format!("SELECT {value} AS value"));
        assert_eq!(ran.succeeded(), format!("value\n{expected}\n"));
    }
    let tables = nested("SELECT * FROM (", "SELECT 1 AS value", ")", 50);
    assert_eq!(run(&tables).succeeded(), "value\n1\n");
}

#[test]
fn deep_nesting_is_an_error() {
    for (before, start, inner, end, after) in [
        ("", "SELECT * FROM (", "SELECT 1", ")", ""),
        ("", "SELECT (", "SELECT 1", ")", ""),
        ("", "WITH a AS (", "SELECT 1", ") SELECT 1", ""),
        ("", "EXPLAIN ", "SELECT 1", "", ""),
        ("SELECT ", "(", "1", ")", ""),
        ("SELECT ", "[", "1", "]", ""),
        ("SELECT ", "NOT ", "true", "", ""),
        ("SELECT ", "- ", "1", "", ""),
        ("SELECT ", "abs(", "1", ")", ""),
        ("SELECT ", "CASE WHEN true THEN 1 ELSE ", "1", " END", ""),
        ("SELECT ", "EXISTS (SELECT 1 WHERE ", "true", ")", ""),
        ("SELECT CAST(NULL AS ", "ARRAY<", "INT", ">", ")"),
        ("SELECT CAST(NULL AS ", "", "INT", "[]", ")"),
    ] {
        let (start, end) = (start.repeat(10_000), end.repeat(10_000));
        run(&format!("{before}{start}{inner}{end}{after}")).failed(1, ["nested too deeply"]);
    }
}
