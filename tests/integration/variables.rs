//! Variables of scripts on the command line: misspelled names, and notes about default inputs.

use std::fs;

use super::support::{corpus_sql, ran, root, run};

const QUERY: &str = "queries/files_report.sql";

#[test]
fn a_variable_that_no_statement_uses_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let query = root().join("queries/warc_to_document.sql");
    let refused = ran(corpus_sql()
        .current_dir(folder.path())
        .arg("-f")
        .arg(&query)
        .args(["-v", "inptu=crawl/", "-v", "output=x.parquet"])
        .output()
        .unwrap());
    refused.failed(
        2,
        [
            "'inptu'",
            "did you mean 'input'?",
            "variables: errors, input, output",
        ],
    );
    assert_eq!(refused.stdout, "");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    run(["-c", "SELECT 1 -- ${x}", "-v", "x=1"]).failed(2, ["'x'", "no variables"]);
    run(["-c", "SELECT '$${x}'", "-v", "x=1"]).failed(2, ["'x'"]);
    run(["-c", "SELECT ${b:-2}", "-v", "x=1", "-v", "y=1"])
        .failed(2, ["'x'", "'y'", "variables: b"]);
}

#[test]
fn one_of_several_scripts_has_to_use_a_variable() {
    let both = [
        "-q",
        "--format",
        "csv",
        "-c",
        "SELECT ${a} AS a",
        "SELECT ${b:-2} AS b",
        "-v",
        "a=1",
    ];
    assert_eq!(run(both).succeeded(), "a\n1\nb\n2\n");
    // The mistake is found before anything runs.
    let wrong = run(["-c", "SELECT 1", "-c", "SELECT ${a:-1}", "-v", "A=1"]);
    wrong.failed(2, ["'A'", "did you mean 'a'?"]);
    assert_eq!(wrong.stdout, "");
}

#[test]
fn a_variable_has_one_value() {
    let twice = run(["-c", "SELECT ${a}", "-v", "a=1", "-v", "a=2"]);
    twice.failed(2, ["'a'", "twice", "'1'", "'2'"]);
    run(["-c", "SELECT ${a}", "-v", "a=1", "-v", "a=1"]).succeeded();
}

#[test]
fn a_default_input_is_named_in_one_line() {
    let ran = run(["-f", QUERY]);
    ran.succeeded();
    let notes: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("default"))
        .collect();
    assert_eq!(notes.len(), 1, "{}", ran.stderr);
    for part in [QUERY, "'data-samples/files'", "-v input="] {
        assert!(notes[0].contains(part), "{part}: {}", notes[0]);
    }
    assert_eq!(run(["-q", "-f", QUERY]).stderr, "");
    let chosen = run(["-f", QUERY, "-v", "input=data-samples/files"]);
    assert!(!chosen.stderr.contains("default"), "{}", chosen.stderr);
    // Other defaults are not mentioned.
    assert_eq!(run(["-c", "SELECT ${most:-20}"]).stderr, "");
}

#[test]
fn in_another_folder_the_message_says_how_to_choose_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = |arguments: &[&str]| {
        ran(corpus_sql()
            .current_dir(folder.path())
            .args(["-q", "-f"])
            .arg(root().join(QUERY))
            .args(arguments)
            .output()
            .unwrap())
    };
    elsewhere(&[]).failed(
        1,
        ["'data-samples/files'", "default of 'input'", "-v input="],
    );
    let missing = ran(corpus_sql()
        .current_dir(folder.path())
        .args(["-q", "-c", "SELECT * FROM read_warc('no/such/folder/')"])
        .output()
        .unwrap());
    missing.failed(1, ["no such file or folder: 'no/such/folder/'"]);
    let chosen = elsewhere(&["-v", "input=no/such/folder"]);
    chosen.failed(1, ["'no/such/folder'"]);
    assert!(!chosen.stderr.contains("default"), "{}", chosen.stderr);
}

#[test]
fn parameters_are_texts_that_are_never_read_as_sql() {
    let ran = |sql: &str, parameters: &[&str]| {
        let mut command = corpus_sql();
        command.args(["-q", "--format", "csv", "-c", sql]);
        for parameter in parameters {
            command.args(["-p", parameter]);
        }
        ran(command.output().unwrap())
    };
    let shown = ran(
        "SELECT $name AS a; SELECT $name || '!' AS b",
        &["name=it's $x -- y"],
    );
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert_eq!(shown.stdout, "a\nit's $x -- y\nb\nit's $x -- y!\n");
    let shown = ran(
        "SELECT 1 + $n::int AS n FROM read_files($path) LIMIT $n::int",
        &["n=1", "path=data-samples/files/"],
    );
    assert_eq!(shown.stdout, "n\n2\n", "{}", shown.stderr);

    ran("SELECT $inptu", &["input=1"]).failed(2, ["$input", "did you mean $inptu?"]);
    ran("SELECT 1", &["a=1"]).failed(2, ["$a", "no parameters"]);
    ran("SELECT $a", &[]).failed(1, ["$a has no value", "-p a="]);
    ran("SELECT $a", &["a=1", "a=2"]).failed(2, ["parameter 'a' is set twice"]);
}
