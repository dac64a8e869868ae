//! The subcommands `jobs` and `run`, and arguments without an option.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::Stdio;

use corpus_sql::jobs::{JOBS, TASKS};
use corpus_sql::statements::variables;

use super::support::{Ran, corpus_sql, files_in, ran, run};

const PAGES: &str = "data-samples/web/";

#[test]
fn the_jobs_are_the_files_of_the_folder() {
    let files = files_in("queries", ".sql");
    let files: Vec<_> = files
        .iter()
        .map(|file| (file.file_stem().unwrap().to_str().unwrap(), file))
        .collect();
    let names: Vec<_> = files.iter().map(|(name, _)| *name).collect();
    assert_eq!(JOBS.iter().map(|job| job.name).collect::<Vec<_>>(), names);
    for (job, (_, file)) in JOBS.iter().zip(files) {
        assert_eq!(job.sql, fs::read_to_string(file).unwrap());
    }
}

#[test]
fn each_job_has_one_task_and_describes_itself_and_its_variables() {
    for job in JOBS {
        let tasks = TASKS
            .iter()
            .filter(|task| task.jobs().any(|other| other == job));
        assert_eq!(tasks.count(), 1, "{}", job.name);
        assert!(job.summary().len() > 10, "{}", job.name);
        assert!(
            job.examples().contains(&format!("run {}", job.name)),
            "{}",
            job.name
        );
        assert!(!job.examples().contains(" -v "), "{}", job.examples());
        let variables = job.variables();
        for variable in &variables {
            let name = &variable.name;
            assert!(!variable.about.is_empty(), "{}: {name}", job.name);
        }
        let names: BTreeSet<_> = variables
            .into_iter()
            .map(|variable| variable.name)
            .collect();
        assert_eq!(variables::names(job.sql).unwrap(), names, "{}", job.name);
    }
}

#[test]
fn jobs_are_listed_by_task() {
    let listed = run(["jobs"]);
    let listed = listed.succeeded();
    for job in JOBS {
        let line = format!("  {} ", job.name);
        let lines = listed.lines().filter(|other| other.starts_with(&line));
        assert_eq!(lines.count(), 1, "{}", job.name);
    }
    let place = |text: &str| listed.find(text).unwrap();
    assert!(place("web archives:") < place("  warc_to_document "));
    assert!(place("  warc_to_document ") < place("ocr:"));
    assert!(listed.contains("Text of web pages."), "{listed}");
}

#[test]
fn a_job_is_described_with_its_variables() {
    let described = run(["jobs", "filter_documents"]);
    let described = described.succeeded();
    for text in [
        "Filters documents of any language",
        "corpus-sql run filter_documents --resume documents.parquet -o filtered/ --languages en\n",
        "input ",
        "[default: data-samples/documents/]",
        "by_characters ",
        "the languages with rules by characters [default: ja,zh,ko,th,lo,km,my]",
        "max_duplicate_lines ",
        "shares of repeated paragraphs and lines [default: 0.3]",
        "max_top_3_gram ",
    ] {
        assert!(described.contains(text), "{text}: {described}");
    }
    // Names of stages look like variables, but belong to the description.
    let described = run(["jobs", "corpus"]);
    assert!(
        described
            .succeeded()
            .contains("\nsame_url    the page was crawled")
    );
    let required = run(["jobs", "merge_stats.sql"]);
    assert!(required.succeeded().contains("the files [required]"));
}

#[test]
fn run_does_what_the_file_does() {
    let folder = tempfile::tempdir().unwrap();
    let target = |name: &str| folder.path().join(name).display().to_string();
    let [file, job, options] = ["file", "job", "options"].map(|name| target(name) + ".parquet");
    let (input, output) = (format!("input={PAGES}"), format!("output={file}"));
    let query = "queries/warc_to_document.sql";
    run(["-f", query, "-v", &input, "-v", &output]).succeeded();
    run([
        "run",
        "warc_to_document",
        PAGES,
        "-o",
        &job,
        "--threads",
        "1",
    ])
    .succeeded();
    run([
        "run",
        "--quiet",
        "warc-to-document",
        "-v",
        &input,
        "--output",
        &options,
    ])
    .succeeded();
    let rows = |file: &str| {
        let sql = format!("SELECT * FROM '{file}' ORDER BY url");
        let rows = run(["-q", "--format", "csv", &sql]);
        rows.succeeded().to_owned()
    };
    assert!(rows(&file).lines().count() > 10);
    assert_eq!(rows(&file), rows(&job));
    assert_eq!(rows(&file), rows(&options));
}

#[test]
fn an_archive_without_responses_has_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (archive, output) = (path("x.warc.wet"), path("x.parquet"));
    let record = |kind, body: &str| {
        let length = body.len();
        format!("WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}\r\n\r\n")
    };
    let text = record("warcinfo", "a: b\r\n") + &record("conversion", "The text of a page.");
    fs::write(&archive, text).unwrap();
    let message = "no record of the input is an HTTP response";
    for job in ["warc_to_document", "warc_links"] {
        let ran = run(["run", job, &archive, "-o", &output]);
        ran.succeeded();
        ran.reports(message);
    }
    let ran = run(["run", "warc_to_document", PAGES, "-o", &output]);
    ran.succeeded();
    assert!(!ran.stderr.contains(message));
}

#[test]
fn a_job_with_two_inputs_asks_which_one_is_meant() {
    let advice = "otherwise write --documents pdfs.parquet --input …";
    run(["run", "pdf_rerun_failed", "pdfs.parquet"]).failed(2, [advice]);
    let index = "--index=data-samples/warc/crawl.cdxj";
    run(["run", "warc_by_index", "data-samples/warc/", index]).succeeded();
}

#[test]
fn a_function_that_reads_files_is_not_a_file() {
    let scans = "data-samples/files/scans/";
    run(["run", "hocr_cropping", "--source", "read_hocr", scans]).succeeded();
    let advice = "write corpus-sql run hocr_cropping books/a.seq";
    run(["run", "hocr_cropping", "--source", "books/a.seq"]).failed(2, [advice]);
}

#[test]
fn variables_are_options_of_run() {
    let query = "queries/warc_report.sql";
    let input = format!("input={PAGES}");
    let format = ["-q", "--format", "csv"];
    let of_file = ran(corpus_sql()
        .args(["-f", query, "-v", &input, "-v", "most=1"])
        .args(format)
        .output()
        .unwrap());
    for arguments in [
        ["run", "warc_report", PAGES, "--most", "1"],
        ["run", "warc_report", "--most=1", "--input", PAGES],
        ["run", "warc_report", PAGES, "-v", "most=1"],
    ] {
        let arguments = arguments.iter().chain(&format);
        let of_job = ran(corpus_sql().args(arguments).output().unwrap());
        assert_eq!(of_job.succeeded(), of_file.succeeded());
    }
    // For a job without the variable `output`, -o sets the file for results.
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("report.csv");
    let path = results.display().to_string();
    let arguments = ["run", "warc_report", PAGES, "--most", "1", "-o", &path];
    let written = ran(corpus_sql().args(arguments).args(format).output().unwrap());
    assert_eq!(written.succeeded(), "");
    assert_eq!(fs::read_to_string(results).unwrap(), of_file.stdout);
    // Options may also be before `run`.
    let before = ["--threads", "1", "-q", "run", "warc_report", PAGES];
    let after = ["--format", "csv", "--most", "1"];
    let moved = ran(corpus_sql().args(before).args(after).output().unwrap());
    assert_eq!(moved.succeeded(), of_file.stdout);
    let before = ["-q", "run", "--format", "csv", "warc_report", PAGES];
    let moved = ran(corpus_sql()
        .args(before)
        .args(["-v", "most=1"])
        .output()
        .unwrap());
    assert_eq!(moved.succeeded(), of_file.stdout);
    // Dashes may replace underscores.
    let dashes = "--max-duplicate-lines=0.3";
    run(["run", "filter_documents", "--print", dashes]).succeeded();
    let underscores = "--max_duplicate_lines=0.3";
    run(["run", "filter_documents", "--print", underscores]).succeeded();
}

#[test]
fn print_prints_the_file() {
    for job in JOBS {
        if job.name.starts_with("warc") {
            assert_eq!(run(["run", job.name, "--print"]).succeeded(), job.sql);
        }
    }
}

#[test]
fn unknown_jobs_and_variables_name_similar_ones() {
    run(["run", "warc_to_documant", PAGES]).failed(
        2,
        [
            "no job 'warc_to_documant'",
            "warc_to_document,",
            "corpus-sql jobs",
        ],
    );
    run(["run", "corpsu", "--languages", "ja"]).failed(2, ["'corpsu'", "corpus"]);
    run(["jobs", "minhash"]).failed(2, ["'minhash'", "dedup_minhash"]);
    let unknown = run(["run", "corpus", PAGES, "--langauges", "ja"]);
    unknown.failed(
        2,
        [
            "unknown option '--langauges' of the job corpus; did you mean '--languages'?",
            "variables: --input, --output, --blocked,",
        ],
    );
    run(["run", "corpus", "--theads", "2"]).failed(2, ["did you mean '--threads'?"]);
    run(["run", "corpus", "-v", "langauges=ja"]).failed(2, ["did you mean 'languages'?"]);
    run(["run", "--languages", "ja", "corpus"]).failed(2, ["directly after run"]);
    run(["run", "warc_to_document", "a.warc", "b.warc"]).failed(2, ["'b.warc'", "in quotes"]);
    let twice = ["run", "warc_report", "a", "--input", "b"];
    run(twice).failed(2, ["'input' is set twice"]);
    run(["run", "queries/corpus.sql"]).failed(2, ["corpus-sql -f queries/corpus.sql"]);
    run(["run"]).failed(2, ["corpus-sql run NAME"]);
}

#[test]
fn an_output_with_the_name_of_another_format_is_refused() {
    let refused = |output: &str, advice: &str| {
        run(["run", "warc_to_document", PAGES, "-o", output]).failed(2, [advice]);
    };
    refused(
        "x.csv",
        "name it 'x.parquet', and convert it with COPY (SELECT * FROM …) TO 'x.csv'",
    );
    refused("x.txt", "name it 'x.parquet'");
    refused("x.parquet.gz", "name it 'x.parquet'");
}

#[test]
fn input_of_another_kind_names_the_job_for_it() {
    let run_on = |job, input, advice: &str| {
        run(["run", job, input]).failed(1, [advice]);
    };
    run_on(
        "warc_to_document",
        "data-samples/damaged-pdf/",
        "which read_pdf reads; the job pdf_to_document reads it",
    );
    run_on(
        "pdf_to_document",
        "data-samples/web/",
        "which read_warc reads; the job warc_to_document reads it",
    );
}

#[test]
fn help_and_completions_know_the_jobs() {
    let help = run(["run", "--help"]);
    assert!(help.succeeded().contains(" warc_to_document,"));
    let help = run(["run", "corpus", "--help"]);
    let help = help.succeeded();
    for text in [
        "corpus-sql run corpus [INPUT] [-o OUTPUT]",
        "--languages <VALUE>",
        "[default: 0.65]",
        "--memory-limit <SIZE>",
        "corpus-sql run corpus --resume crawl/ -o corpus/ --languages ja",
    ] {
        assert!(help.contains(text), "{text}: {help}");
    }
    for shell in ["bash", "fish", "zsh", "powershell"] {
        let completions = run(["--generate", shell]);
        let completions = completions.succeeded();
        assert!(completions.contains("jobs"), "{shell}");
        // The other shells do not complete arguments without an option.
        if matches!(shell, "bash" | "zsh") {
            assert!(completions.contains("dedup_minhash"), "{shell}");
        }
    }
}

#[test]
fn an_argument_without_an_option_is_a_statement_or_a_file_of_statements() {
    let csv = ["-q", "--format", "csv"];
    let run_with = |arguments: &[&str]| -> Ran {
        ran(corpus_sql().args(csv).args(arguments).output().unwrap())
    };
    assert_eq!(run_with(&["SELECT 7 AS n"]).succeeded(), "n\n7\n");
    assert_eq!(run_with(&["-- a\nSELECT 7 AS n"]).succeeded(), "n\n7\n");
    let variable = ["SELECT ${a} AS n", "-v", "a=7"];
    assert_eq!(run_with(&variable).succeeded(), "n\n7\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.sql");
    fs::write(&file, "SELECT 8 AS n").unwrap();
    let file = file.display().to_string();
    assert_eq!(run_with(&[&file]).succeeded(), "n\n8\n");
    let both = [&file, "-c", "SELECT 9 AS n"];
    assert_eq!(run_with(&both).succeeded(), "n\n8\nn\n9\n");
    let missing = folder.path().join("b.sql").display().to_string();
    run_with(&[&missing]).failed(2, ["no file", "a.sql"]);

    run(["run"]).failed(2, ["corpus-sql run NAME", "corpus-sql jobs"]);
    run(["jbos"]).failed(2, ["'jbos'", "corpus-sql jobs"]);
    run(["warc_to_document"]).failed(2, ["corpus-sql run warc_to_document"]);
    run(["nosuch.warc.gz"]).failed(2, ["no file or folder 'nosuch.warc.gz'"]);
    run(["two words"]).failed(2, ["'two words' is neither"]);
    run(["SELECT", "1"]).failed(2, ["in quotes"]);
    run(["SELCT 1"]).failed(1, ["statement:1: syntax error"]);
}

#[test]
fn statements_on_stdin_see_the_file_as_a_view() {
    let piped = |data: &str, statement: &str| {
        let mut child = corpus_sql()
            .args(["--format", "csv", data])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(statement.as_bytes()).unwrap();
        drop(stdin);
        ran(child.wait_with_output().unwrap())
    };
    let first = files_in("data-samples/web", ".warc.gz").remove(0);
    let name = first.file_name().unwrap().to_string_lossy();
    let view = name.trim_end_matches(".warc.gz").replace('-', "_");
    let count = format!("SELECT count(*) > 0 AS found FROM {view}");
    let counted = piped(&first.display().to_string(), &count);
    assert_eq!(counted.succeeded(), "found\ntrue\n");
    let line = format!("is the view {view}: SELECT * FROM {view} LIMIT 10;");
    counted.reports(&line);
    let folder = piped(PAGES, "SELECT count(*) > 0 AS found FROM web");
    assert_eq!(folder.succeeded(), "found\ntrue\n");
    // A file is also accepted together with -c and -f.
    let command = run(["-q", "--format", "csv", PAGES, "-c", "SHOW TABLES"]);
    assert!(command.succeeded().contains("public,web,VIEW"));
    // Files of several formats are rows.
    let files = piped(
        "data-samples/files",
        "SELECT count(content) > 0 AS found FROM files",
    );
    assert_eq!(files.succeeded(), "found\ntrue\n");
    let text = "SELECT title, text FROM documents('data-samples/files/') LIMIT 10;";
    files.reports(text);
    let glob = "data-samples/web/nosuch*.warc";
    piped(glob, "SELECT 1").failed(1, ["nosuch"]);
}
