//! `EXPLAIN` of a `COPY`, and the batch sizes that it shows.

use super::support::{names, run};

const LINES: &str = "SELECT source_file, text, CASE WHEN text = '' THEN 'empty' END AS error \
                     FROM read_lines('data-samples/documents/pages.jsonl')";

fn explain(statement: &str) -> String {
    let sql = format!("EXPLAIN FORMAT INDENT {statement}");
    let ran = run(["-q", "--threads", "1", "-c", &sql]);
    ran.succeeded().to_owned()
}

#[test]
fn a_copy_is_explained_with_its_options_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let errors = path("errors/");
    for (options, operator) in [
        ("mode 'resume'".to_owned(), "PartsExec"),
        (format!("mode 'resume', errors '{errors}'"), "errors="),
        ("mode 'retry_errors'".to_owned(), "PartsExec"),
        ("mode 'create'".to_owned(), "CompleteCopyExec"),
        ("compression 'zstd(3)'".to_owned(), "DataSinkExec"),
    ] {
        let target = path("out/");
        let plan = explain(&format!(
            "COPY ({LINES}) TO '{target}' STORED AS PARQUET OPTIONS ({options})"
        ));
        assert!(plan.contains(operator), "{options}: {plan}");
        assert!(plan.contains("CopyTo: format=parquet"), "{options}: {plan}");
        assert_eq!(names(folder.path()), [""; 0], "{options}");
    }
}

#[test]
fn wrong_options_of_an_explained_copy_are_reported() {
    let sql = format!("EXPLAIN COPY ({LINES}) TO 'out/' STORED AS PARQUET OPTIONS (mode 'often')");
    let ran = run(["-q", "-c", &sql]);
    assert!(ran.succeeded().contains("unknown mode 'often'"));
}

#[test]
fn an_analyzed_copy_appears_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("lines.parquet").display().to_string();
    let analyze = |select: &str| {
        let sql = format!("EXPLAIN ANALYZE COPY ({select}) TO '{lines}'");
        run(["-q", "-c", &sql])
    };
    analyze("SELECT 1 / (value - 5000) AS x FROM generate_series(1, 10000)")
        .failed(1, ["division by zero"]);
    assert_eq!(names(folder.path()), [""; 0]);
    let ran = analyze(LINES);
    let plan = ran.succeeded();
    assert!(plan.contains("output_rows="), "{plan}");
    assert_eq!(names(folder.path()), ["lines.parquet"]);
    let sql = format!("SELECT count(*) > 1 AS is_complete FROM '{lines}'");
    let ran = run(["-q", "--format", "csv", "-c", &sql]);
    assert_eq!(ran.succeeded(), "is_complete\ntrue\n");
}

#[test]
fn the_plan_shows_where_the_batch_size_changes() {
    let documents = "SELECT target_uri, http_response(body)['status'] AS status \
                     FROM read_warc('data-samples/warc/crawl.warc.gz')";
    let counts = format!("SELECT status, count(*) FROM ({documents}) GROUP BY status");
    assert!(explain(documents).contains("BatchSizeExec: rows=256"));
    let plan = explain(&counts);
    assert!(
        plan.contains("BatchSizeExec: rows=256, output_rows=8192"),
        "{plan}"
    );
    let narrow = "SELECT content_type, count(*) FROM read_warc('data-samples/warc/crawl.warc.gz') \
                  GROUP BY 1";
    assert!(!explain(narrow).contains("BatchSizeExec"));
}

#[test]
fn a_batch_size_of_the_user_applies_to_all_operators() {
    let changes = |settings: &str| {
        let explain =
            "EXPLAIN FORMAT INDENT SELECT text FROM read_lines('data-samples/documents/')";
        let ran = run(["-q", "-c", &format!("{settings} {explain}")]);
        ran.succeeded().contains("BatchSizeExec")
    };
    assert!(changes(""));
    assert!(!changes("SET datafusion.execution.batch_size = 100;"));
    // Setting the default value also counts as setting it.
    assert!(!changes("SET datafusion.execution.batch_size = 8192;"));
    let reset =
        "SET datafusion.execution.batch_size = 8192; RESET datafusion.execution.batch_size;";
    assert!(changes(reset));
}

#[test]
fn equal_keys_of_subqueries_are_looked_up_once() {
    let folder = tempfile::tempdir().unwrap();
    let (few, many) = (
        folder.path().join("few.parquet"),
        folder.path().join("many.parquet"),
    );
    for (path, rows) in [(&few, 100), (&many, 20_000)] {
        let path = path.display();
        let sql = format!("COPY (SELECT value, value % 10 AS key FROM range({rows})) TO '{path}'");
        run(["-q", "-c", &sql]).succeeded();
    }
    let (few, many) = (few.display(), many.display());
    for (outer, inner) in [(&few, &many), (&many, &few), (&many, &many)] {
        for condition in [
            format!("key IN (SELECT key FROM '{inner}')"),
            format!("key NOT IN (SELECT key FROM '{inner}')"),
            format!("value < 0 OR key IN (SELECT key FROM '{inner}')"),
            format!(
                "EXISTS (SELECT 1 FROM '{inner}' AS inner WHERE inner.key + 1 = outer.key + 1)"
            ),
        ] {
            let sql = format!(
                "EXPLAIN ANALYZE SELECT count(*) FROM '{outer}' AS outer WHERE {condition}"
            );
            let ran = run(["-q", "--threads", "2", "-c", &sql]);
            let plan = ran.succeeded();
            let join = plan.lines().find(|line| line.contains("HashJoinExec"));
            // The metric includes the number of pairs: (pairs/rows).
            let (_, fanout) = join.unwrap().split_once("avg_fanout=").unwrap();
            let pairs = fanout.split_once('(').unwrap().1.split_once('/').unwrap().0;
            assert!(!pairs.contains(" M"), "{condition}: {plan}");
        }
    }
}
