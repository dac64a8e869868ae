//! Help for users who do not know the names yet, and summaries of the written files.

use std::fs;

use super::support::run;

#[test]
fn show_tables_lists_the_tables_of_the_user() {
    let tables = |show: &str| {
        let sql = format!(
            "CREATE VIEW pages AS SELECT 1 AS a; CREATE VIEW urls AS SELECT 2 AS b; {show}"
        );
        run(["-q", "--format", "csv", "-c", &sql])
            .succeeded()
            .to_owned()
    };
    let all = tables("SHOW TABLES");
    assert!(all.contains("public,pages,VIEW\n"), "{all}");
    assert!(!all.contains("information_schema"), "{all}");
    let some = tables("SHOW TABLES LIKE 'u%'");
    assert!(some.contains("urls") && !some.contains("pages"), "{some}");
    let system = tables("SHOW TABLES FROM information_schema");
    assert!(
        system.contains("routines") && !system.contains("urls"),
        "{system}"
    );
}

#[test]
fn a_missing_query_file_names_the_nearest_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pages.sql", "zzzzzzzzzzzz.sql", "notes.txt"] {
        fs::write(folder.path().join(name), "SELECT 1").unwrap();
    }
    let missing = folder.path().join("page.sql");
    let ran = run(["-f", &missing.to_string_lossy()]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let near = ran.stderr.find("pages.sql");
    let far = ran.stderr.find("zzzzzzzzzzzz.sql");
    assert!(near.is_some() && near < far, "{}", ran.stderr);
    assert!(!ran.stderr.contains("notes.txt"), "{}", ran.stderr);

    let nowhere = folder.path().join("nosuch/page.sql");
    let ran = run(["-f", &nowhere.to_string_lossy()]);
    ran.reports("does not exist");
}

#[test]
fn a_summary_ends_with_what_was_written_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.parquet").display().to_string();
    let parts = folder.path().join("parts").display().to_string();
    let sql = format!(
        "COPY (SELECT 1 AS a) TO '{file}'; COPY (VALUES (1), (2)) TO '{parts}/' STORED AS CSV"
    );
    let ran = run(["-c", &sql]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<_> = ran.stderr.lines().rev().take(2).collect();
    let size = fs::metadata(&file).unwrap().len();
    let first = format!("1 row written to {file}, {size} B");
    assert_eq!(lines[1], first, "{}", ran.stderr);
    let second = format!("2 rows written to {parts}/, 1 file, ");
    assert!(lines[0].starts_with(&second), "{}", ran.stderr);

    // Files that were already in the folder are not counted.
    let more = format!("COPY (VALUES (3)) TO '{parts}/' STORED AS CSV");
    let ran = run(["-c", &more]);
    let last = format!("1 row written to {parts}/, 1 file, ");
    ran.reports(&last);
}

#[test]
fn a_summary_says_what_happened_to_rows() {
    let ran = run([
        "-c",
        "CREATE TABLE t AS SELECT unnest([1, 2, 3]) AS n; DELETE FROM t WHERE n > 1; UPDATE t SET n = 5; \
         INSERT INTO t VALUES (6), (7)",
    ]);
    ran.succeeded();
    let lines: Vec<_> = ran.stderr.lines().rev().take(3).collect();
    let expected = [
        "2 rows written to t",
        "1 row updated in t",
        "2 rows deleted from t",
    ];
    assert_eq!(lines, expected, "{}", ran.stderr);
}

#[test]
fn show_tables_says_what_to_do_when_there_are_none() {
    let ran = run(["--format", "csv", "-c", "SHOW TABLES"]);
    ran.succeeded();
    ran.reports("CREATE VIEW");
    for sql in [
        "CREATE VIEW a AS SELECT 1; SHOW TABLES",
        "SHOW TABLES LIKE 'none'",
    ] {
        let ran = run(["--format", "csv", "-c", sql]);
        ran.succeeded();
        assert!(!ran.stderr.contains("CREATE VIEW"), "{}", ran.stderr);
    }
}

#[test]
fn a_folder_of_other_files_names_their_readers() {
    let folder = tempfile::tempdir().unwrap();
    let location = folder.path().to_string_lossy();
    for (name, advice) in [
        (
            "page.html.gz",
            "documents('…') reads web pages that are files",
        ),
        ("pages.seq", "which read_sequencefile reads"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, "x").unwrap();
        let ran = run(["-c", &format!("SELECT url FROM web_pages('{location}')")]);
        ran.reports(advice);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn reset_gives_settings_their_defaults() {
    let sql = "SET corpus.max_record_bytes = '1MB'; SET corpus.on_error = 'skip'; \
               RESET corpus.max_record_bytes; SHOW corpus.max_record_bytes; \
               RESET CORPUS.ON_ERROR; SHOW corpus.on_error";
    let ran = run(["-q", "--format", "csv", "-c", sql]);
    let shown = ran.succeeded();
    assert!(shown.contains("128MiB") && shown.contains("row"), "{shown}");
    run(["-c", "RESET corpus.nosuch"]).failed(1, ["corpus.nosuch", "corpus.on_error"]);
    run(["-q", "-c", "RESET datafusion.execution.batch_size"]).succeeded();
}

#[test]
fn unknown_formats_are_never_replaced_by_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.csv");
    let copy = format!(
        "COPY (SELECT 1 AS a) TO '{}' STORED AS PARQET",
        file.display()
    );
    run(["-c", &copy]).failed(1, ["unknown format 'PARQET'; did you mean PARQUET?"]);
    assert!(!file.exists());
    let create = "CREATE EXTERNAL TABLE t STORED AS WARK LOCATION 'data-samples/web/'";
    run(["-c", create]).failed(1, ["unknown format 'WARK'; did you mean WARC?"]);
}

#[test]
fn functions_of_other_tools_are_suggested_by_meaning() {
    for (sql, meant) in [
        ("SELECT html_text('x')", "write html_document(data)"),
        ("SELECT parse_html('x')", "write html_parse(data)"),
        #[cfg(feature = "pdf")]
        ("SELECT pdf_text('x')", "write pdf_parse(data)['text']"),
        ("SELECT parse_url('x')", "write url_parts(url)"),
        ("SELECT detect_language('x')", "write language(text)"),
        ("SELECT htlm_links('x')", "did you mean html_links?"),
        ("SELECT lttb(2)", "no function 'lttb'; SHOW FUNCTIONS lists"),
        ("SELECT lgamma(2)", "write ln(factorial(number - 1))"),
        (
            "SELECT list_bit_and([1])",
            "write (SELECT bit_and(item) FROM unnest(list) AS u(item))",
        ),
        ("SELECT rank()", "write rank() OVER (ORDER BY column)"),
        ("SELECT collate_de('a')", "write ORDER BY lower(text)"),
        (
            "SELECT pg_table_is_visible(1)",
            "write FROM information_schema.tables",
        ),
        (
            "SELECT json_serialize_sql('SELECT 1')",
            "write EXPLAIN SELECT …",
        ),
        (
            "SELECT * FROM duckdb_indexes()",
            "write FROM duckdb_settings()",
        ),
        (
            "SELECT * FROM parquet_full_metadata('x.parquet')",
            "write FROM parquet_metadata('folder/x.parquet')",
        ),
        (
            "SELECT * FROM read_html('x')",
            "write FROM documents('folder/')",
        ),
        ("SELECT * FROM read_wark('x')", "did you mean read_warc?"),
        #[cfg(unix)]
        (
            "SELECT * FROM read_warc('/dev/null')",
            "is a pipe or a device",
        ),
        (
            "SELECT * FROM range(9) TABLESAMPLE (1) REPEATABLE (2)",
            "WHERE text_hash(url) % 100 = 0",
        ),
        ("SELECT * FROM csv_scan('x')", "FROM 'folder/*.csv'"),
        ("SELECT * FROM webpages('x')", "did you mean web_pages?"),
        ("SELECT * FROM nosuch('x')", "table functions: web_pages"),
    ] {
        run(["-c", sql]).failed(1, [meant]);
    }
}

#[test]
fn an_insert_into_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = format!(
        "CREATE EXTERNAL TABLE t (a BIGINT) STORED AS CSV LOCATION '{}/'",
        folder.path().display()
    );
    let insert = format!("{table}; INSERT INTO t VALUES (1)");
    run(["-c", &insert]).failed(1, ["INSERT INTO the files of 't'", "mode 'append'"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let memory = "CREATE TABLE m (a BIGINT); INSERT INTO m VALUES (1); SELECT a FROM m";
    let ran = run(["-q", "--format", "csv", "-c", memory]);
    assert!(ran.succeeded().ends_with("a\n1\n"), "{}", ran.stdout);
}

#[test]
fn patterns_on_bytes_work_in_views() {
    let sql = "CREATE VIEW v AS SELECT b SIMILAR TO 'a.*' AS s, b LIKE 'a%' AS l, \
               b NOT SIMILAR TO 'b' AS n FROM (SELECT x'61ff' AS b); \
               CREATE OR REPLACE VIEW w AS SELECT * FROM v WHERE s; SELECT * FROM w";
    let ran = run(["-q", "--format", "csv", "-c", sql]);
    assert_eq!(ran.succeeded(), "s,l,n\ntrue,true,true\n");
}
