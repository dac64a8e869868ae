//! A query per row: `search()` with a column of the table before it.

use super::support::{Ran, run};

fn sql(statements: &str) -> Ran {
    run(["--quiet", "--format", "csv", "-c", statements])
}

/// Forty documents with the words `all`, `evenN` or `oddN`, and `wordN`.
fn documents() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let index = folder.path().join("index").display().to_string();
    sql(&format!(
        "COPY (SELECT value AS id, concat('all word', value, CASE value % 2 WHEN 0 THEN ' even' ELSE ' odd' END) AS text \
         FROM generate_series(1, 40)) TO '{index}' STORED AS SEARCH_INDEX OPTIONS (id 'id')"
    ))
    .succeeded();
    (folder, index)
}

const QUERIES: &str = "(VALUES (1, 'word7'), (2, 'even'), (3, NULL), (4, 'nothing'), (5, '(broken')) \
                       AS q(number, text)";

/// Returns the ids of the hits of each query, in their order, and the error of a query.
fn found(from: &str) -> String {
    let found = sql(&format!(
        "SELECT q.number, h.id, h.query_error IS NOT NULL AS broken FROM {from} ORDER BY 1, 2"
    ));
    let lines = found.succeeded().lines().skip(1);
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_row_gets_the_hits_of_its_query() {
    let (_folder, index) = documents();
    let expected = "1,7,false 2,2,false 2,4,false 2,6,false 5,,true";
    for join in ["CROSS JOIN LATERAL", ", LATERAL", "CROSS JOIN", ",", "JOIN"] {
        let on = if join == "JOIN" { "ON true" } else { "" };
        let from = format!("{QUERIES} {join} search('{index}', q.text, 3) AS h {on}");
        assert_eq!(found(&from), expected, "{join}");
        // Columns without a table, expressions, and types of text.
        let from = format!("{QUERIES} {join} search('{index}', text::varchar || '', 3) h {on}");
        assert_eq!(found(&from), expected, "{join}");
    }
}

#[test]
fn a_left_join_keeps_rows_without_hits() {
    let (_folder, index) = documents();
    let from = format!("{QUERIES} LEFT JOIN LATERAL search('{index}', q.text, 2) AS h ON true");
    assert_eq!(
        found(&from),
        "1,7,false 2,2,false 2,4,false 3,,false 4,,false 5,,true"
    );
}

#[test]
fn hits_are_those_of_a_search_with_the_same_query() {
    let (_folder, index) = documents();
    for (query, options) in [
        ("even OR word3", "NULL"),
        ("word1*", "5"),
        ("odd word3", "NULL, 'operator', 'or', 'offset', '2'"),
        (
            "\"all word4\"",
            "3, 'snippet', 'text', 'snippet_length', '5'",
        ),
        ("id:[3 TO 9]", "4"),
    ] {
        let columns = "id, text, score, snippet";
        let single = format!("SELECT {columns} FROM search('{index}', '{query}', {options})");
        let per_row = format!(
            "SELECT h.id, h.text, score, snippet FROM (SELECT '{query}' AS query) AS q, \
             LATERAL search('{index}', query, {options}) AS h"
        );
        assert_eq!(
            sql(&single).succeeded(),
            sql(&per_row).succeeded(),
            "{query}"
        );
    }
}

#[test]
fn the_error_of_a_query_says_what_is_wrong() {
    let (_folder, index) = documents();
    let ran = sql(&format!(
        "SELECT query_error, score, snippet, id FROM {QUERIES}, LATERAL search('{index}', text) \
         WHERE number = 5"
    ));
    let error = ran.succeeded();
    assert!(error.contains("query, character"), "{error}");
    assert!(error.trim_end().ends_with(",,,"), "{error}");
}

#[test]
fn conditions_aliases_and_counts() {
    let (_folder, index) = documents();
    for (select, expected) in [
        // Conditions on both sides, and on both of them.
        (
            "q.number, id FROM {q} JOIN LATERAL search('{i}', text) ON id = 7 WHERE number < 5",
            "1,7",
        ),
        (
            "number, id FROM {q}, LATERAL search('{i}', text, 9) WHERE id > number * 6 AND number < 3 \
             ORDER BY id",
            "1,7 2,14 2,16 2,18",
        ),
        // Queries that select no column of the hits, and no column at all.
        (
            "number, count(*) FROM {q}, search('{i}', text) GROUP BY 1 ORDER BY 1",
            "1,1 2,20 5,1",
        ),
        ("count(*) FROM {q}, search('{i}', text)", "22"),
        (
            "count(DISTINCT query_error) FROM {q}, search('{i}', text)",
            "1",
        ),
        // Renamed columns, and a second call with a hit of the first.
        (
            "a FROM {q}, LATERAL search('{i}', text, 1) AS h(a, b, c, d, e) WHERE number = 1",
            "7",
        ),
        (
            "b.id FROM {q}, LATERAL search('{i}', q.text, 1) AS a, \
             LATERAL search('{i}', concat('word', a.id + 1)) AS b WHERE number = 1",
            "8",
        ),
        // Inside other statements.
        (
            "* FROM (SELECT id FROM {q}, search('{i}', q.text) WHERE number = 1)",
            "7",
        ),
        (
            "1 WHERE EXISTS (SELECT 1 FROM {q}, search('{i}', q.text) h WHERE h.id = 7)",
            "1",
        ),
    ] {
        let select = select.replace("{q}", QUERIES).replace("{i}", &index);
        let ran = sql(&format!("SELECT {select}"));
        let lines = ran.succeeded().lines().skip(1).collect::<Vec<_>>();
        assert_eq!(lines.join(" "), expected, "{select}");
    }
}

#[test]
fn views_and_prepared_statements_see_the_index_of_their_time() {
    let (_folder, index) = documents();
    let ran = sql(&format!(
        "CREATE VIEW found AS SELECT q.number, h.id FROM {QUERIES}, LATERAL search('{index}', q.text) h;
         PREPARE again AS SELECT count(*) AS n FROM {QUERIES}, LATERAL search('{index}', q.text) h;
         SELECT count(*) AS n FROM found;
         COPY (SELECT 99 AS id, 'even more even' AS text) TO '{index}' \
         STORED AS SEARCH_INDEX OPTIONS (mode 'append');
         SELECT count(*) AS n FROM found;
         EXECUTE again"
    ));
    let out = ran.succeeded();
    let counts: Vec<_> = out
        .lines()
        .filter(|line| line.parse::<u32>().is_ok())
        .collect();
    // The second number counts the copied rows.
    assert_eq!(
        (counts.first(), counts.last()),
        (Some(&"22"), Some(&"23")),
        "{out}"
    );
    assert_eq!(
        counts.iter().filter(|count| **count == "23").count(),
        2,
        "{out}"
    );
}

#[test]
fn unusable_calls_are_explained() {
    let (_folder, index) = documents();
    for (from, messages) in [
        (
            format!("{QUERIES}, LATERAL search('{index}', q.number) h"),
            ["has to be text, not Int64", "::text"],
        ),
        (
            format!("{QUERIES}, LATERAL search('{index}', q.txt) h"),
            ["no table before it in FROM", "q.txt"],
        ),
        (
            format!("search('{index}', \"flood\")"),
            ["no table before it in FROM", "single quotes"],
        ),
        (
            format!("{QUERIES} LEFT JOIN LATERAL search('{index}', q.text) h ON h.id = q.number"),
            ["ON true", "WHERE"],
        ),
        (
            format!("{QUERIES}, LATERAL search(q.text, 'word')"),
            ["search('index', 'query'", "constants"],
        ),
        (
            format!("{QUERIES}, LATERAL search('no/such/index', q.text)"),
            ["no/such/index", "no such folder"],
        ),
        (
            format!("{QUERIES}, LATERAL (SELECT id FROM search('{index}', q.text) LIMIT 1) h"),
            ["column as argument", "directly in FROM"],
        ),
    ] {
        sql(&format!("SELECT * FROM {from}")).failed(1, messages);
    }
    let subquery =
        format!("SELECT (SELECT max(score) FROM search('{index}', q.text)) FROM {QUERIES}");
    sql(&subquery).failed(1, ["column as argument", "directly in FROM"]);
}

#[test]
fn many_queries_are_answered_in_batches() {
    let (_folder, index) = documents();
    let queries = "(SELECT value AS n, concat('word', value % 50) AS text, repeat('x', 2000) AS wide \
                   FROM generate_series(1, 10000)) AS q";
    let ran = sql(&format!(
        "SELECT count(*) AS n, count(DISTINCT q.n) AS queries, sum(length(wide)) AS length \
         FROM {queries}, LATERAL search('{index}', q.text, 10) AS h WHERE h.id = q.n % 50"
    ));
    assert_eq!(ran.succeeded(), "n,queries,length\n8000,8000,16000000\n");
    // Each query finds all documents, and each row is wide.
    let ran = sql(&format!(
        "SELECT count(*) AS n, sum(length(wide)) AS length FROM {queries}, \
         LATERAL search('{index}', CASE WHEN n > 0 THEN 'all' END) AS h WHERE q.n <= 1000"
    ));
    assert_eq!(ran.succeeded(), "n,length\n40000,80000000\n");
}

#[test]
fn only_the_needed_columns_of_hits_are_read() {
    let (_folder, index) = documents();
    let plan = |select: &str| {
        let ran = sql(&format!(
            "EXPLAIN SELECT {select} FROM {QUERIES}, LATERAL search('{index}', q.text, 3) AS h"
        ));
        let plan = ran.succeeded().to_owned();
        let from = plan
            .find("columns=[")
            .map(|at| at + "columns=[".len())
            .unwrap();
        plan[from..].split(']').next().unwrap().to_owned()
    };
    assert_eq!(plan("*"), "id, text, score, snippet, query_error");
    assert_eq!(plan("q.number, h.id"), "id");
    assert_eq!(plan("h.score + 1, upper(h.text)"), "text, score");
    assert_eq!(plan("count(*)"), "");
}
