//! The built binary as users see it: arguments, exit codes, streams, files, signals.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use super::support::{Ran, corpus_sql, ran, run, wait_until};

/// A query that runs for hours.
const ENDLESS: &str = "SELECT sha512(CAST(value AS text)) FROM generate_series(1, 10000000000)";

#[test]
fn statements_from_arguments_files_and_stdin_run_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.sql");
    fs::write(
        &file,
        "\u{feff}SELECT 2; -- the second\nSELECT '${word:-;}' AS w;\n",
    )
    .unwrap();
    let mut child = corpus_sql()
        .args(["-c", "SELECT 1", "-f"])
        .arg(&file)
        .args(["-", "-c", "-- four\nSELECT 4;;", "--format", "csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"SELECT 3").unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.succeeded(), "1\n1\n2\n2\nw\n;\n3\n3\n4\n4\n");
    assert_eq!(ran.stderr, "");
}

#[test]
fn without_arguments_stdin_is_the_script() {
    let mut child = corpus_sql()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"SELECT 7 AS seven").unwrap();
    drop(stdin);
    let ran = ran(child.wait_with_output().unwrap());
    assert!(ran.succeeded().contains("| 7     |"), "{}", ran.stdout);
}

/// Sorts more than 32 MB on one thread.
fn sort(memory_limit: &str, temp_limit: &str) -> Ran {
    let sql = "EXPLAIN ANALYZE SELECT value, md5(CAST(value AS text)) AS h \
               FROM generate_series(1, 300000) ORDER BY h";
    let memory = format!("--memory-limit={memory_limit}");
    let temp = format!("--temp-limit={temp_limit}");
    run(["--quiet", "--threads", "1", &memory, &temp, "-c", sql])
}

#[test]
fn a_sort_that_exceeds_the_memory_limit_spills() {
    let spills = |limit| !sort(limit, "1GB").succeeded().contains("spill_count=0");
    assert!(!spills("1GB"));
    assert!(spills("32MB"));
}

#[test]
fn spilled_data_has_a_limit_of_its_own() {
    sort("32MB", "100KB").failed(1, ["limit for temporary files, 97.7 KB", "--temp-limit"]);
}

#[cfg(unix)]
#[test]
fn a_killed_copy_leaves_no_file_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.csv");
    let mut child = corpus_sql()
        .args([
            "--quiet",
            "-c",
            &format!("COPY ({ENDLESS}) TO '{}'", file.display()),
        ])
        .spawn()
        .unwrap();
    // Kill it once it has started to write.
    let has_begun = || fs::read_dir(folder.path()).unwrap().count() > 0;
    wait_until("the copy has a file", has_begun);
    interrupt(&child, "-KILL");
    child.wait().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(!file.exists());
}

#[test]
fn every_format() {
    for (format, expected) in [
        (
            "table",
            "+---+------+\n| n | t    |\n+---+------+\n| 1 | a,\"b |\n| 2 | NULL |\n+---+------+\n",
        ),
        (
            "vertical",
            "-[ row 1 ]-\nn | 1\nt | a,\"b\n-[ row 2 ]-\nn | 2\nt | NULL\n",
        ),
        (
            "markdown",
            "| n | t |\n| --- | --- |\n| 1 | a,\"b |\n| 2 | NULL |\n",
        ),
        ("csv", "n,t\n1,\"a,\"\"b\"\n2,\n"),
        ("tsv", "n\tt\n1\t\"a,\"\"b\"\n2\t\n"),
        (
            "json",
            "[\n{\"n\":1,\"t\":\"a,\\\"b\"},\n{\"n\":2,\"t\":null}\n]\n",
        ),
        (
            "ndjson",
            "{\"n\":1,\"t\":\"a,\\\"b\"}\n{\"n\":2,\"t\":null}\n",
        ),
    ] {
        let sql = "SELECT * FROM (VALUES (1, 'a,\"b'), (2, NULL)) AS v(n, t) ORDER BY n";
        assert_eq!(
            run(["--format", format, "-c", sql]).succeeded(),
            expected,
            "{format}"
        );
    }
}

#[test]
fn an_empty_result_keeps_its_format() {
    let sql = "SELECT 1 AS n WHERE false";
    for (format, expected) in [
        ("table", "+---+\n| n |\n+---+\n+---+\n"),
        ("csv", "n\n"),
        ("json", "[]\n"),
        ("ndjson", ""),
    ] {
        assert_eq!(
            run(["--format", format, "-c", sql]).succeeded(),
            expected,
            "{format}"
        );
    }
}

#[test]
fn results_go_to_a_file_that_appears_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.csv");
    let path = file.to_str().unwrap();
    let good = run(["--format", "csv", "-o", path, "-c", "SELECT 1 AS n"]);
    assert_eq!(good.succeeded(), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "n\n1\n");

    let bad = run([
        "--format",
        "csv",
        "-o",
        path,
        "-c",
        "SELECT 2 AS n; SELECT nothing",
    ]);
    bad.failed(1, ["nothing"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "n\n1\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn variables_are_set_and_missing_ones_are_named() {
    let quoted = run([
        "-v",
        "a=it's",
        "-v",
        "b=1 + 1",
        "--format",
        "csv",
        "-c",
        "SELECT '${a}' AS a, ${b} AS b",
    ]);
    assert_eq!(quoted.succeeded(), "a,b\nit's,2\n");
    run(["-c", "SELECT 1;\nSELECT ${missing}"]).failed(2, ["-c:2:", "'missing'", "-v missing="]);
    run(["-v", "1=2", "-c", "SELECT 1"]).failed(2, ["'1' is not a valid name"]);
}

#[test]
fn wrong_usage_exits_with_code_2() {
    run(["--nothing"]).failed(2, ["--nothing"]);
    run(["--format", "xls", "-c", "SELECT 1"]).failed(2, ["xls", "ndjson"]);
    run(["--threads", "0"]).failed(2, ["1 to 1024"]);
    run(["--memory-limit", "lots"]).failed(2, ["expected a number of bytes"]);
    run(["-f", "no/such/file.sql"]).failed(2, ["no/such/file.sql"]);
    run(["-f", "data-samples/files/papers.zip"]).failed(2, ["papers.zip", "utf-8"]);
    run(["-o", "no/such/folder/x", "-c", "SELECT 1"]).failed(2, ["no/such/folder/x"]);
    assert!(run(["--help"]).succeeded().contains("Examples:"));
    assert!(run(["--version"]).succeeded().starts_with("corpus-sql "));
}

#[test]
fn nobody_has_to_read_the_errors() {
    for arguments in [["-c", "SELECT nope"], ["-c", "SELECT 1"]] {
        let mut child = corpus_sql()
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(i32::from(arguments[1] != "SELECT 1")));
    }
}

#[test]
fn a_file_stops_at_its_first_failing_statement() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("job.sql");
    fs::write(
        &file,
        "SELECT 1 AS n;\n\nSELECT *\nFROM nothing;\nSELECT 3 AS n;",
    )
    .unwrap();
    let job = run(["--format", "csv", "-f", file.to_str().unwrap()]);
    job.failed(
        1,
        [
            "job.sql:4:",
            "'nothing' not found",
            "\nLINE 4: FROM nothing;\n             ^\n",
        ],
    );
    assert_eq!(job.stdout, "n\n1\n");
}

#[test]
fn tables_are_created_even_if_files_have_their_names() {
    let sql = "CREATE EXTERNAL TABLE queries STORED AS FILES LOCATION 'data-samples/files/'; \
               SELECT count(*) > 3 AS many FROM queries";
    assert_eq!(
        run(["--format", "csv", "-c", sql]).succeeded(),
        "many\ntrue\n"
    );
    run(["-c", "SELECT * FROM queries"]).failed(1, ["not found", "FROM 'queries/'"]);
    run(["-c", "SELECT * FROM nothing"]).failed(1, ["table 'nothing' not found"]);
    run(["-c", "SELECT * FROM 'none.parquet'"]).failed(1, ["no table or file 'none.parquet'"]);
}

#[test]
fn errors_about_argument_types_show_no_internals() {
    let job = run(["-c", "SELECT regexp_like(1, 'a')"]);
    job.failed(1, ["No function matches", "regexp_like(bigint, text)"]);
    for part in ["Internal error", "bug", "type_coercion"] {
        assert!(!job.stderr.contains(part), "{part}: {}", job.stderr);
    }
    let job = run(["-c", "SELECT html_document(1)"]);
    let error = "error: -c:1: argument 1 of html_document must be binary data or text, not Int64\n";
    assert!(job.stderr.starts_with(error), "{}", job.stderr);
}

#[test]
fn a_syntax_error_is_found_before_anything_runs() {
    let job = run(["--format", "csv", "-c", "SELECT 1;\n  SELEC 2; SELECT 3"]);
    job.failed(
        1,
        [
            "-c:2:",
            "syntax error",
            "\nLINE 2:   SELEC 2; SELECT 3\n          ^\n",
        ],
    );
    assert_eq!(job.stdout, "");
    run(["-c", "SELECT 1;\nSELECT 'open"]).failed(1, ["-c:2:", "Unterminated string"]);
}

/// Returns the excerpt of the script in an error.
fn excerpt(ran: &Ran) -> &str {
    let at = ran.stderr.find("LINE ").unwrap_or(ran.stderr.len());
    ran.stderr[at..].trim_end()
}

#[test]
fn errors_mark_their_place_in_the_script() {
    for (sql, expected) in [
        (
            "SELECT lentgh(1)",
            "LINE 1: SELECT lentgh(1)\n               ^",
        ),
        (
            "SELECT 1;\n SELECT a.x\nFROM range(3) a",
            "LINE 2:  SELECT a.x\n                ^",
        ),
        ("SELECT 1\nSELECT 2", "LINE 2: SELECT 2\n        ^"),
        (
            "SELECT '日本', (1 FROM range(2)",
            "LINE 1: SELECT '日本', (1 FROM range(2)\n                          ^",
        ),
        (
            "SELECT value AS v, v + x AS w, x FROM range(1)",
            "LINE 1: SELECT value AS v, v + x AS w, x FROM range(1)\n                               ^",
        ),
        (
            "FROM read_files('data-samples/web/', on_eror => 'skip')",
            "LINE 1: FROM read_files('data-samples/web/', on_eror => 'skip')\n\
             \u{20}                                            ^",
        ),
    ] {
        let failed = run(["-c", sql]);
        failed.failed(1, ["error: -c:"]);
        assert_eq!(excerpt(&failed), expected, "{}", failed.stderr);
    }
    // Its options are rewritten before it is parsed.
    let copy = "COPY (SELECT 1) TO 'x.csv' (FORMAT csv, HEADER) WHERE";
    run(["-c", copy]).failed(1, ["\n  in: COPY (SELECT 1)"]);
}

#[test]
fn places_are_those_of_the_file_when_variables_have_several_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("job.sql");
    let text =
        "SELECT '${text}' AS a, ${sql} AS b;\nSELECT nosuch,\n  '${text}', wrong FROM range(1);";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let failed = run(["-f", file, "-v", "text=one\ntwo", "-v", "sql=1"]);
    failed.failed(1, ["job.sql:2: no column 'nosuch'"]);
    assert_eq!(excerpt(&failed), "LINE 2: SELECT nosuch,\n               ^");
    let failed = run([
        "-f",
        file,
        "-v",
        "text=one\ntwo",
        "-v",
        "sql=1 +\n nosuch(1)",
    ]);
    let line = "LINE 1: SELECT '${text}' AS a, ${sql} AS b;\n                               ^";
    assert_eq!(excerpt(&failed), line, "{}", failed.stderr);
}

#[test]
fn errors_in_macros_and_tables_of_documents_have_no_wrong_place() {
    for sql in [
        "CREATE MACRO m(a) AS a + missing; SELECT m(value) FROM range(1)",
        "CREATE VIEW v AS SELECT 1 AS n; SELECT * FROM v WHERE 1 / 0 = n",
        "SELECT 'missing', CAST('a' AS bigint) FROM range(1)",
    ] {
        let failed = run(["-c", sql]);
        failed.failed(1, ["error: -c:1: ", "\n  in: "]);
        assert_eq!(excerpt(&failed), "", "{}", failed.stderr);
    }
}

#[test]
fn an_error_in_the_middle_of_a_result_fails() {
    let sql = "SELECT 1 / (500 - value) FROM generate_series(1, 1000)";
    run(["--format", "csv", "-c", sql]).failed(1, ["division by zero"]);
}

#[test]
fn a_closed_pipe_is_not_an_error_and_later_statements_run() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("after.csv");
    let sql = format!(
        "SELECT value FROM generate_series(1, 100000000); COPY (SELECT 1 AS n) TO '{}'",
        copy.display()
    );
    let mut child = corpus_sql()
        .args(["--format", "csv", "--quiet", "-c", &sql])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(
        (first.as_str(), ran.succeeded(), ran.stderr.as_str()),
        ("value\n", "", "")
    );
    assert_eq!(fs::read_to_string(copy).unwrap(), "n\n1\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    for format in ["table", "csv", "json"] {
        let output = corpus_sql()
            .args([
                "--format",
                format,
                "-c",
                "SELECT value FROM generate_series(1, 100000)",
            ])
            .stdout(full())
            .output()
            .unwrap();
        ran(output).failed(1, ["cannot write results to stdout", "No space left"]);
    }
    run(["-o", "/dev/full", "-c", "SELECT 1"]).failed(1, ["/dev/full", "No space left"]);
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.parquet");
    let sql = format!(
        "COPY (SELECT 1 / (99000 - value) AS n FROM generate_series(1, 100000)) TO '{}'",
        file.display()
    );
    run(["-c", &sql]).failed(1, ["division by zero"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_summary_counts_and_quiet_is_quiet() {
    let sql = "SELECT count(error) FROM read_files('data-samples/damaged')";
    let loud = run(["-c", sql]);
    loud.succeeded();
    for part in ["7 files", "6 errors", "1 × damaged tar header"] {
        loud.reports(part);
    }
    assert_eq!(run(["-q", "-c", sql]).stderr, "");
    assert_eq!(run(["-c", "SELECT 1"]).stderr, "");
}

#[test]
fn progress_is_shown_as_lines_without_a_terminal() {
    let sql = "SELECT count(*) FROM read_files('data-samples/files')";
    let shown = run(["--progress", "always", "-c", sql]);
    shown.succeeded();
    shown.reports("0 seconds:");
    let never = run(["--progress", "never", "-c", sql]);
    assert!(!never.stderr.contains("0 seconds:"), "{}", never.stderr);
}

/// Waits until the child has written something, so that its query is certainly running.
#[cfg(unix)]
fn wait_for_output(child: &mut Child) {
    let mut byte = [0];
    let stdout = child.stdout.as_mut().unwrap();
    stdout.read_exact(&mut byte).unwrap();
}

#[cfg(unix)]
fn interrupt(child: &Child, signal: &str) {
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(status.unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_query_ends_with_130() {
    for signal in ["-INT", "-TERM"] {
        let mut child = corpus_sql()
            .args(["--format", "csv", "-c", ENDLESS])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_output(&mut child);
        interrupt(&child, signal);
        // The pipe is read to its end, so that the child can write everything.
        let ran = ran(child.wait_with_output().unwrap());
        ran.failed(130, ["interrupted"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_copy_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["parquet", "csv", "json"] {
        let file = folder.path().join(format!("out.{extension}"));
        // The marker on stdout comes directly before the COPY starts.
        let sql = format!("SELECT 1; COPY ({ENDLESS}) TO '{}'", file.display());
        let mut child = corpus_sql()
            .args(["--format", "csv", "--progress", "always", "-c", &sql])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_output(&mut child);
        // The writer creates its file once it has collected enough rows.
        let has_begun = || fs::read_dir(folder.path()).unwrap().count() > 0;
        wait_until("the copy has a file", has_begun);
        interrupt(&child, "-INT");
        let ran = ran(child.wait_with_output().unwrap());
        ran.failed(130, ["interrupted"]);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{extension}"
        );
    }
}

#[test]
fn spill_folders_of_killed_runs_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let entries = || fs::read_dir(folder.path()).unwrap().count();
    let mut running = corpus_sql()
        .arg("--temp-dir")
        .arg(folder.path())
        .args(["-c", ENDLESS])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while entries() == 0 {
        assert_eq!(running.try_wait().unwrap(), None);
    }
    let other = |sql: &str| {
        let temp_dir = folder.path().to_string_lossy().into_owned();
        run(["-q", "--temp-dir", &temp_dir, "-c", sql])
            .succeeded()
            .to_owned()
    };
    other("SELECT 1");
    assert_eq!(entries(), 1, "the folder of a running process stays");
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!(entries(), 1);
    other("SELECT 1");
    assert_eq!(entries(), 0);
}

#[test]
fn a_temp_dir_that_cannot_be_used_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let folder = file.path().join("x").display().to_string();
    let ran = run(["--temp-dir", &folder, "-c", "SELECT 1"]);
    ran.failed(
        2,
        ["the folder for temporary files cannot be used", &folder],
    );
}

#[test]
fn two_runs_never_write_the_steps_of_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out").display().to_string();
    let script = |last: &str| {
        format!(
            "COPY (SELECT 1 AS a) TO '${{output}}/first.csv'; \
             COPY ({last}) TO '${{output}}/last.csv'"
        )
    };
    let variable = format!("output={output}");
    let mut first = corpus_sql()
        .args(["-q", "-v", &variable, "-c", &script(ENDLESS)])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("out/first.csv").exists() {
        assert_eq!(first.try_wait().unwrap(), None);
    }
    let short = script("SELECT 2 AS a");
    let second = || run(["-q", "-v", &variable, "-c", &short]);
    let message = format!("another run (process {}) is writing '{output}'", first.id());
    second().failed(1, [&message, "choose another folder"]);
    let other = format!("output={output}2");
    run(["-q", "-v", &other, "-c", &short]).succeeded();
    first.kill().unwrap();
    first.wait().unwrap();
    second().succeeded();
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["out", "out2"]);
    let last = folder.path().join("out/last.csv");
    assert_eq!(fs::read_to_string(last).unwrap(), "a\n2\n");
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn results_that_cannot_be_written_are_an_error() {
    let binary = corpus_sql().get_program().to_owned();
    let shell = |redirection: &str, arguments: &str| {
        let command = format!("\"$0\" -q {arguments} {redirection}");
        let shell = Command::new("sh")
            .arg("-c")
            .arg(command)
            .arg(&binary)
            .output();
        ran(shell.unwrap())
    };
    for format in ["table", "csv", "json", "parquet"] {
        let query = format!("--format {format} -c 'SELECT 1 AS a'");
        shell(">&-", &query).failed(1, ["cannot write results to stdout", "closed"]);
        shell(">/dev/full", &query).failed(1, ["cannot write results to stdout"]);
        assert_eq!(shell(">/dev/null", &query).succeeded(), "");
    }
    // There is no result, or the reader has enough.
    shell(">&-", "-c 'CREATE TABLE t (a INT)'").succeeded();
    let early = "--format csv -c 'SELECT * FROM range(1000000)'";
    assert_eq!(shell("| head -1", early).succeeded(), "range\n");
}
