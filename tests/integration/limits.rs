//! Queries under `--memory-limit`.

use super::support::{Ran, corpus_sql, ran};

/// A join with texts on both sides, each side larger than the limit.
const JOIN: &str = "
    SELECT a.id, length(a.text) AS one, length(b.text) AS other
    FROM (SELECT value AS id, repeat(CAST(value AS VARCHAR), 600) AS text FROM range(0, 60000)) AS a
    JOIN (SELECT value + 100 AS id, repeat('y', 4000) AS text FROM range(0, 60000)) AS b
    ON b.id = a.id";

fn limited(arguments: &[&str]) -> Ran {
    limited_with(2, arguments)
}

fn limited_with(threads: usize, arguments: &[&str]) -> Ran {
    let threads = threads.to_string();
    let limits = ["--threads", &threads, "--memory-limit", "200MB"];
    ran(corpus_sql().args(limits).args(arguments).output().unwrap())
}

#[test]
fn a_join_that_exceeds_the_limit_is_sorted_instead() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("joined.parquet").display().to_string();
    let copy = format!("COPY ({JOIN}) TO '{path}'");
    let sum = format!("SELECT count(*), sum(one), sum(other) FROM '{path}'");
    for threads in [1, 2] {
        let ran = limited_with(threads, &["--format", "csv", "-c", &copy, "-c", &sum]);
        let rows = ran.succeeded().lines().last();
        assert_eq!(rows, Some("59900,173220000,239600000"));
        ran.reports("59,900 rows written");
    }

    // Rows are printed only once, below one header.
    let ran = limited(&["-q", "--format", "csv", "-c", JOIN]);
    let lines: Vec<_> = ran.succeeded().lines().collect();
    assert_eq!((lines.len(), lines[0]), (59_901, "id,one,other"));
}

#[test]
fn a_query_that_cannot_do_with_the_limit_says_what_to_change() {
    let sql = "SELECT length(string_agg(repeat('x', 1000), '')) FROM range(0, 400000)";
    let ran = limited(&["-q", "-c", sql]);
    ran.failed(1, ["resources exhausted", "raise --memory-limit"]);
}

#[test]
fn the_message_about_a_join_remains_if_hash_joins_are_off() {
    let off = "SET datafusion.optimizer.prefer_hash_join = false";
    let ran = limited(&["-q", "--format", "csv", "-c", off, "-c", JOIN]);
    assert_eq!(ran.succeeded().lines().count(), 59_901);
}
