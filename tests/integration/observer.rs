//! Output of a run for job schedulers: log, state, summary, exit code.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Ran, run};

fn events(ran: &Ran) -> Vec<Value> {
    let lines = ran.stderr.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_log_has_a_line_per_event_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out");
    let variable = format!("output={}/", output.display());
    let ran = run([
        "--log",
        "json",
        "--resume",
        "-f",
        "queries/warc_records.sql",
        "-v",
        "input=data-samples/damaged-warc/",
        "-v",
        &variable,
    ]);
    ran.succeeded();
    let events = events(&ran);
    let of = |kind: &str| -> Vec<&Value> {
        events
            .iter()
            .filter(|event| event["event"] == kind)
            .collect()
    };
    for event in &events {
        assert!(event["time"].as_str().unwrap().ends_with('Z'), "{event}");
    }
    assert_eq!(events[0]["event"], "run_begun");
    assert_eq!(of("statement_begun").len(), 1);
    for kind in ["file_begun", "file_ended", "error", "part_written"] {
        assert_eq!(of(kind).len(), 4, "{kind}");
    }
    for ended in of("file_ended") {
        let of_file = of("error");
        let errors = of_file
            .iter()
            .filter(|error| error["file"] == ended["file"]);
        assert_eq!(ended["errors"], errors.count());
    }
    let page = of("error")
        .into_iter()
        .find(|error| error["file"].as_str().unwrap().ends_with("page.warc.gz"))
        .unwrap();
    assert_eq!(
        (page["offset"].as_u64(), &page["reason"]),
        (Some(0), &"not a WARC".into())
    );
    for part in of("part_written") {
        assert!(
            output.join(part["file"].as_str().unwrap()).exists(),
            "{part}"
        );
    }
    let end = events.last().unwrap();
    assert_eq!(
        (&end["event"], &end["state"]),
        (&"run_ended".into(), &"done".into())
    );
    assert_eq!(
        (end["records"].as_u64(), end["errors"].as_u64()),
        (Some(15), Some(4))
    );
    assert_eq!(end["written"][0]["inputs"]["new"], 4);
}

#[test]
fn summaries_replace_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("documents.parquet");
    let name = file.to_str().unwrap();
    for option in ["--summary", "--status"] {
        fs::write(&file, "PAR1").unwrap();
        run([option, name, "-c", "SELECT 1"]).failed(2, ["a file of another kind"]);
        assert_eq!(fs::read(&file).unwrap(), b"PAR1");
        // An earlier run may have written these.
        for content in ["", "{}"] {
            fs::write(&file, content).unwrap();
            run([option, name, "-c", "SELECT 1"]).succeeded();
        }
    }
}

#[test]
fn exit_codes_and_summaries_tell_the_ends_of_a_run_apart() {
    let folder = tempfile::tempdir().unwrap();
    let [summary, status] = ["summary.json", "status.json"].map(|name| folder.path().join(name));
    let (summary_name, status_name) = (summary.to_str().unwrap(), status.to_str().unwrap());
    let damaged = "SELECT count(*) FROM read_warc('data-samples/damaged-warc/')";
    let good = "SELECT count(*) FROM read_warc('data-samples/web/')";
    let table = "CREATE TABLE t AS SELECT error FROM read_warc('data-samples/damaged-warc/')";
    for (sql, flag, code, state) in [
        (good, "--fail-on-errors", 0, "done"),
        (damaged, "--quiet", 0, "done"),
        (damaged, "--fail-on-errors", 3, "done_with_errors"),
        (table, "--fail-on-errors", 3, "done_with_errors"),
        ("SELECT 1/0", "--fail-on-errors", 1, "failed"),
    ] {
        let options = [
            "--summary",
            summary_name,
            "--status",
            status_name,
            flag,
            "-c",
            sql,
        ];
        let ran = run(options);
        assert_eq!(ran.code, Some(code), "{sql}: {}", ran.stderr);
        for file in [&summary, &status] {
            let end = read(file);
            assert_eq!(
                (&end["state"], end["exit_code"].as_i64()),
                (&state.into(), Some(code.into()))
            );
            assert_eq!(end["error"].is_string(), code != 0, "{end}");
        }
    }
    // Only the two files are left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    // An unwritable path is reported before the run.
    let missing = folder.path().join("missing/summary.json");
    run(["--summary", missing.to_str().unwrap(), "-c", good]).failed(2, ["missing/summary.json"]);
}

#[test]
fn rows_written_with_errors_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let query = "SELECT source_file AS id, 'a' AS text, CASE WHEN size > 600 THEN 'large' END AS error \
                 FROM read_files('data-samples/files/')";
    let large = "SELECT count(*) FROM read_files('data-samples/files/') WHERE size > 600";
    let large = run(["-q", "--format", "csv", "-c", large]);
    let large = large.succeeded().lines().last().unwrap();
    let expected = format!("  {large} rows with errors");
    for target in [
        "'{}/rows.parquet'",
        "'{}/rows.jsonl'",
        "'{}/rows/' STORED AS PARQUET",
        "'{}/index' STORED AS SEARCH_INDEX",
        "'{}/resumed/' STORED AS PARQUET OPTIONS (mode 'resume')",
        "'{0}/good/' STORED AS PARQUET OPTIONS (mode 'resume', errors '{0}/bad/')",
    ] {
        let target = target.replace("{}", "{0}");
        let target = target.replace("{0}", folder.path().to_str().unwrap());
        let copy = format!("COPY ({query}) TO {target}");
        let ran = run(["--fail-on-errors", "-c", &copy]);
        ran.reports(&expected);
        ran.failed(3, ["had errors; everything else is done"]);
    }
    // Only texts are errors.
    let copy = format!(
        "COPY (SELECT 1 AS error) TO '{}/x.csv'",
        folder.path().display()
    );
    let ran = run(["--fail-on-errors", "-c", &copy]);
    assert!(!ran.stderr.contains("with errors"), "{}", ran.stderr);
    ran.succeeded();
}

#[test]
fn inputs_whose_rows_had_errors_are_processed_again() {
    let folder = tempfile::tempdir().unwrap();
    let copy = format!(
        "COPY (SELECT source_file, CASE WHEN size > 600 THEN 'large' END AS error \
         FROM read_files('data-samples/files/')) \
         TO '{}/rows/' STORED AS PARQUET OPTIONS (mode 'resume')",
        folder.path().display()
    );
    run(["-c", &copy]).succeeded();
    let again = run(["--retry-errors", "--resume", "-c", &copy]);
    again.reports("had errors, processed again");
    again.reports("done before");
}

#[test]
fn errors_of_earlier_runs_are_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let query = "SELECT source_file, CASE WHEN size > 600 THEN 'large' END AS error \
                 FROM read_files('data-samples/files/')";
    for (target, expected) in [
        ("rows/", "done before, with"),
        ("rows.parquet", "was complete already, with"),
    ] {
        let target = folder.path().join(target);
        let copy = format!("COPY ({query}) TO '{}' STORED AS PARQUET", target.display());
        let arguments = ["--resume", "--fail-on-errors", "-c", &copy];
        run(arguments).failed(3, ["had errors; everything else is done"]);
        let again = run(arguments);
        assert!(again.stderr.contains(expected), "{}", again.stderr);
        again.failed(3, ["had errors; everything else is done"]);
    }
}

#[test]
fn outputs_do_not_replace_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (
        folder.path().join("documents.parquet"),
        folder.path().display().to_string(),
    );
    let input = input.to_str().unwrap();
    let copy = format!("COPY (SELECT 'a' AS url, 'b' AS document) TO '{input}'");
    run(["-c", &copy]).succeeded();
    let before = fs::read(input).unwrap();
    run(["run", "dedup_exact", input, "-o", &output]).failed(2, ["would replace", input]);
    assert_eq!(fs::read(input).unwrap(), before);
    let inside = folder.path().join("deduplicated").display().to_string();
    run(["run", "dedup_exact", &output, "-o", &inside]).failed(2, ["its own output", &inside]);
    assert!(!Path::new(&inside).exists());
}

#[test]
fn manuals_and_completions_name_all_options() {
    for kind in ["man", "bash", "zsh", "fish", "powershell"] {
        let ran = run(["--generate", kind]);
        let text = ran.succeeded().replace('\\', "");
        for option in ["memory-limit", "retry-errors", "fail-on-errors"] {
            assert!(text.contains(option), "{kind}: {option}");
        }
    }
}
