//! `COPY` that continues an earlier run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::support::{Ran, corpus_sql, run};

const LINES: &str = "SELECT regexp_replace(source_file, '.*/', '') AS file, text AS line, \
                     CASE WHEN starts_with(text, 'bad') THEN text END AS error \
                     FROM read_lines('IN/') WHERE text <> 'skipped'";

/// A folder with inputs, and the output of a job over them.
struct Job {
    folder: tempfile::TempDir,
    select: String,
    options: &'static str,
    arguments: Vec<&'static str>,
    threads: &'static str,
}

impl Job {
    fn new(select: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        let inputs = folder.path().join("in").display().to_string();
        Self {
            select: select.replace("IN", &inputs),
            folder,
            options: "mode 'resume'",
            arguments: Vec::new(),
            threads: "2",
        }
    }

    fn input(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join("in").join(name), text).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn statement(&self) -> String {
        let options = self.options.replace("ERRORS", &self.path("errors/"));
        format!(
            "COPY ({}) TO '{}' STORED AS PARQUET OPTIONS ({options})",
            self.select,
            self.path("out/")
        )
    }

    fn run(&self) -> Ran {
        let mut command = corpus_sql();
        command
            .args(["--threads", self.threads])
            .args(&self.arguments);
        super::support::ran(command.args(["-c", &self.statement()]).output().unwrap())
    }

    /// The rows in a folder, sorted.
    fn rows(&self, folder: &str) -> Vec<String> {
        if parts(&self.folder.path().join(folder)).is_empty() {
            return Vec::new();
        }
        let sql = format!("SELECT * FROM '{}/' ORDER BY 1, 2", self.path(folder));
        let ran = run(["-q", "--format", "csv", "-c", &sql]);
        ran.succeeded().lines().skip(1).map(str::to_owned).collect()
    }
}

/// Returns the names of the files in a folder, with the times when they were written.
fn parts(folder: &Path) -> BTreeMap<String, SystemTime> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeMap::new();
    };
    let part = |entry: fs::DirEntry| {
        let written = entry.metadata().unwrap().modified().unwrap();
        (entry.file_name().into_string().unwrap(), written)
    };
    entries.map(|entry| part(entry.unwrap())).collect()
}

/// Counts the parts that were written between two states of a folder.
fn written(before: &BTreeMap<String, SystemTime>, after: &BTreeMap<String, SystemTime>) -> usize {
    let is_new = |(name, time): &(&String, &SystemTime)| before.get(*name) != Some(*time);
    after.iter().filter(is_new).count()
}

fn set_modified(path: &str, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    file.set_modified(time).unwrap();
}

#[test]
fn each_input_has_a_part_and_only_new_and_changed_ones_are_processed() {
    let job = Job::new(LINES);
    for number in 0..5 {
        job.input(&format!("{number}.txt"), &format!("a{number}\nb{number}\n"));
    }
    job.run().succeeded();
    let out = job.folder.path().join("out");
    let first = parts(&out);
    assert_eq!(first.len(), 5, "{first:?}");
    assert_eq!(job.rows("out").len(), 10);

    let again = job.run();
    again.reports("5 inputs: done before");
    assert_eq!(parts(&out), first);

    job.input("5.txt", "new\n");
    job.input("3.txt", "longer than before\n");
    // The size stays the same, only the time changes.
    set_modified(&job.path("in/2.txt"), 1_000_000_000);
    let third = job.run();
    for line in ["3 inputs: done", "1 input: processed", "2 inputs: changed"] {
        third.reports(line);
    }
    let after = parts(&out);
    assert_eq!((written(&first, &after), after.len()), (3, 6));
    assert_eq!(
        job.rows("out"),
        [
            "0.txt,a0,",
            "0.txt,b0,",
            "1.txt,a1,",
            "1.txt,b1,",
            "2.txt,a2,",
            "2.txt,b2,",
            "3.txt,longer than before,",
            "4.txt,a4,",
            "4.txt,b4,",
            "5.txt,new,"
        ]
    );

    // The rows of inputs that no longer exist are kept.
    fs::remove_file(job.path("in/0.txt")).unwrap();
    let fourth = job.run();
    fourth.reports("1 input: no longer read, rows kept");
    assert_eq!(parts(&out), after);
}

#[test]
fn a_job_continues_from_the_parts_of_another() {
    let job = Job::new(LINES);
    job.input("a.txt", "a\n");
    job.input("b.txt", "b\n");
    job.run().succeeded();
    let second = format!(
        "COPY (SELECT file, 1 + length(line) AS n FROM '{}') TO '{}' STORED AS PARQUET",
        job.path("out/"),
        job.path("next/")
    );
    for _ in 0..2 {
        run(["--resume", "-c", &second]).succeeded();
        assert_eq!(job.rows("next"), ["a.txt,2", "b.txt,2"]);
    }
    for name in parts(&job.folder.path().join("next")).into_keys() {
        assert_eq!(name.matches(".parquet").count(), 1, "{name}");
    }
    // Both branches of a union are read part by part.
    let both = second.replace("'next/", "'both/").replace(
        " FROM ",
        &format!(
            " FROM '{}' UNION ALL SELECT file, 0 FROM ",
            job.path("out/")
        ),
    );
    run(["--resume", "-c", &both.replace("/next/", "/both/")]).succeeded();
    assert_eq!(
        job.rows("both"),
        ["a.txt,0", "a.txt,2", "b.txt,0", "b.txt,2"]
    );
    assert_eq!(parts(&job.folder.path().join("both")).len(), 4);
}

#[test]
fn the_number_of_threads_and_the_spelling_of_the_location_do_not_matter() {
    let mut job = Job::new(LINES);
    job.input("a.txt", "a\n");
    job.input("b.txt", "b\n");
    job.run().succeeded();
    job.select = job.select.replace("/in/'", "/in/*.txt'");
    job.threads = "1";
    let ran = job.run();
    ran.reports("2 inputs: done before");
}

#[test]
fn another_query_or_setting_writes_all_parts_again_and_says_so() {
    let mut job = Job::new(LINES);
    job.input("a.txt", "a\nskipped\n");
    job.input("b.txt", "b\n");
    job.run().succeeded();
    job.select = job.select.replace("text <> 'skipped'", "text <> 'b'");
    let ran = job.run();
    ran.reports("2 inputs: written by another query before, again");
    assert_eq!(job.rows("out"), ["a.txt,a,", "a.txt,skipped,"]);
    job.arguments = vec!["-c", "SET corpus.on_error = 'skip'"];
    let ran = job.run();
    ran.reports("2 inputs: written by other settings before, again");
}

#[test]
fn rows_with_errors_go_to_their_folder_and_a_retry_replaces_them() {
    let mut job = Job::new(LINES);
    job.options = "mode 'resume', errors 'ERRORS'";
    job.input("good.txt", "a\nb\n");
    // Percent-encoded, the name of its part would be longer than file systems allow.
    let mixed = format!("{}.txt", "混".repeat(30));
    job.input(&mixed, "c\nbad d\ne\n");
    let ran = job.run();
    ran.reports("1 row with errors");
    assert_eq!(
        job.rows("out"),
        [
            "good.txt,a,".to_owned(),
            "good.txt,b,".to_owned(),
            format!("{mixed},c,"),
            format!("{mixed},e,")
        ]
    );
    assert_eq!(job.rows("errors"), [format!("{mixed},bad d,bad d")]);
    let before = parts(&job.folder.path().join("out"));

    // Without the mode 'retry_errors', nothing changes.
    job.run().succeeded();
    assert_eq!(parts(&job.folder.path().join("out")), before);

    job.select = job.select.replace("'bad'", "'worse'");
    job.options = "mode 'retry_errors', errors 'ERRORS'";
    let ran = job.run();
    for line in [
        "1 input: done before",
        "1 input: had errors, processed again",
    ] {
        ran.reports(line);
    }
    assert_eq!(written(&before, &parts(&job.folder.path().join("out"))), 1);
    assert_eq!(job.rows("errors"), [""; 0]);
    assert_eq!(job.rows("out").len(), 5);

    // The rest of the job continues as before the retry.
    job.select = job.select.replace("'worse'", "'bad'");
    job.options = "mode 'resume', errors 'ERRORS'";
    let ran = job.run();
    ran.reports("2 inputs: done before");
}

#[test]
fn a_folder_without_errors_is_a_table() {
    let mut job = Job::new(LINES);
    job.options = "mode 'resume', errors 'ERRORS'";
    job.input("good.txt", "a\nb\n");
    let errors = job.folder.path().join("errors");
    for _ in 0..2 {
        job.run().succeeded();
        let sql = format!("SELECT count(error) AS n FROM '{}/'", job.path("errors"));
        assert_eq!(
            run(["-q", "--format", "csv", "-c", &sql]).succeeded(),
            "n\n0\n"
        );
        assert_eq!(parts(&errors).len(), 1);
    }
    job.input("bad.txt", "bad c\n");
    job.run().reports("1 row with errors");
    assert_eq!(job.rows("errors"), ["bad.txt,bad c,bad c"]);
    assert_eq!(parts(&errors).len(), 1);
}

#[test]
fn errors_that_an_earlier_run_has_written_among_the_other_rows_are_reported() {
    let mut job = Job::new(LINES);
    job.input("mixed.txt", "a\nbad b\n");
    job.run().succeeded();
    job.options = "mode 'resume', errors 'ERRORS'";
    let ran = job.run();
    ran.reports("out/' (1 of them): they stay there; --retry-errors moves them to '");
    assert_eq!((job.rows("out").len(), job.rows("errors").len()), (2, 0));

    job.options = "mode 'retry_errors', errors 'ERRORS'";
    let ran = job.run();
    assert!(!ran.stderr.contains("they stay there"), "{}", ran.stderr);
    assert_eq!(job.rows("out"), ["mixed.txt,a,"]);
    assert_eq!(job.rows("errors"), ["mixed.txt,bad b,bad b"]);
}

#[test]
fn a_part_of_several_files_keeps_the_rows_of_those_that_have_not_changed() {
    let mut job = Job::new(
        "SELECT regexp_replace(source_file, '.*/', '') AS file, content, \
         ['x', CAST(size AS VARCHAR)] AS list, \
         CASE WHEN size = 3 THEN 'three bytes' END AS error FROM read_files('IN/')",
    );
    job.options = "mode 'resume', errors 'ERRORS'";
    let size = |number: usize| if number % 10 == 7 { 3 } else { 5 };
    for number in 0..60 {
        job.input(&format!("{number:02}.bin"), &"x".repeat(size(number)));
    }
    job.run().succeeded();
    let before = parts(&job.folder.path().join("out"));
    assert!((2..60).contains(&before.len()), "{before:?}");
    assert_eq!((job.rows("out").len(), job.rows("errors").len()), (54, 6));

    // 07 is repaired, 08 changes, 09 is removed, and 60 is new.
    job.input("07.bin", "mended");
    job.input("08.bin", "changed");
    fs::remove_file(job.path("in/09.bin")).unwrap();
    job.input("60.bin", "new file");
    let ran = job.run();
    for line in [
        "57 inputs: done before",
        "1 input: processed",
        "2 inputs: changed since",
        "1 input: no longer read, rows kept",
    ] {
        ran.reports(line);
    }
    let rows = job.rows("out");
    assert_eq!((rows.len(), job.rows("errors").len()), (56, 5));
    let all = "07.bin,6d656e646564,\"[\"\"x\"\",\"\"6\"\"]\",";
    assert!(rows.contains(&all.to_owned()), "{rows:?}");

    job.options = "mode 'retry_errors', errors 'ERRORS'";
    let ran = job.run();
    ran.reports("5 inputs: had errors, processed again");
    assert_eq!((job.rows("out").len(), job.rows("errors").len()), (56, 5));
    assert_eq!(job.rows("out"), rows);
}

#[test]
fn folders_with_other_files_are_refused() {
    let job = Job::new(LINES);
    job.input("a.txt", "a\n");
    fs::create_dir(job.path("out")).unwrap();
    for (name, content) in [("notes.txt", "mine"), ("data.parquet", "garbage")] {
        fs::write(job.path(&format!("out/{name}")), content).unwrap();
        job.run().failed(1, [name]);
        assert_eq!(
            fs::read(job.path(&format!("out/{name}"))).unwrap(),
            content.as_bytes()
        );
        fs::remove_file(job.path(&format!("out/{name}"))).unwrap();
    }
    // Bookkeeping files of other programs are not data.
    fs::write(job.path("out/_SUCCESS"), "").unwrap();
    job.run().succeeded();
    fs::remove_file(job.path("out/_SUCCESS")).unwrap();

    // A query of other files must not add to the folder.
    let other = Job::new(&LINES.replace("AS line,", "AS line, 1 AS one,"));
    other.input("b.txt", "b\n");
    let sql = other
        .statement()
        .replace(&other.path("out/"), &job.path("out/"));
    run(["-c", &sql]).failed(1, ["was written by another query", "does not read"]);
    assert_eq!(job.rows("out"), ["a.txt,a,"]);

    // Without the mode, output that took hours is not replaced.
    let sql = format!(
        "COPY (SELECT 1 AS a) TO '{}' STORED AS PARQUET",
        job.path("out/")
    );
    run(["-c", &sql]).failed(1, ["--resume", "mode 'replace'"]);
    assert_eq!(job.rows("out"), ["a.txt,a,"]);
}

#[test]
fn output_of_other_queries_is_skipped_while_nothing_has_changed() {
    let mut job = Job::new("SELECT text, count(*) AS n FROM read_lines('IN/') GROUP BY text");
    job.input("a.txt", "a\nb\na\n");
    let complete = |ran: &Ran| ran.stderr.contains("was complete already");
    for target in ["out/", "single.parquet"] {
        job.options = "mode 'resume'";
        let run = |job: &Job| {
            let sql = job
                .statement()
                .replace(&job.path("out/"), &job.path(target));
            let ran = run(["--threads", "2", "-c", &sql]);
            ran.succeeded();
            ran
        };
        assert!(!complete(&run(&job)), "{target}");
        assert!(complete(&run(&job)), "{target}");
        set_modified(&job.path("in/a.txt"), 1_100_000_000);
        assert!(!complete(&run(&job)), "{target}: other files");
        job.select = job.select.replace("count(*)", "1 + count(*)");
        assert!(!complete(&run(&job)), "{target}: another query");
        let killed = job.path(&format!("{}.part-1-0", target.trim_end_matches('/')));
        fs::create_dir(&killed).unwrap();
        fs::write(format!("{killed}/lock"), "").unwrap();
        assert!(complete(&run(&job)), "{target}");
        assert!(!fs::exists(killed).unwrap(), "{target}: a killed run");
        set_modified(&job.path("in/a.txt"), 1_200_000_000);
    }
    // In-memory tables may have changed.
    let sql = "CREATE TABLE t AS SELECT 1 AS a; COPY (SELECT * FROM t) TO 'TARGET' OPTIONS (MODE)";
    let sql = sql.replace("TARGET", &job.path("memory.parquet"));
    run(["-c", &sql.replace("MODE", "mode 'resume'")]).failed(1, ["needs a query of files"]);
    for _ in 0..2 {
        let ran = run(["--resume", "-c", &sql.replace(" OPTIONS (MODE)", "")]);
        ran.succeeded();
        assert!(!complete(&ran), "{}", ran.stderr);
    }
}

#[test]
fn options_that_cannot_be_met_are_errors_at_planning() {
    let job = Job::new(LINES);
    job.input("a.txt", "a\n");
    let copy = |select: &str, format: &str, options: &str| {
        let target = job.path("out/");
        run([
            "-c",
            &format!("COPY ({select}) TO '{target}' STORED AS {format} OPTIONS ({options})"),
        ])
    };
    let lines = &job.select;
    copy(lines, "CSV", "mode 'resume'").failed(1, ["writes Parquet, not csv"]);
    copy(lines, "PARQUET", "errors 'e/'").failed(1, ["needs mode 'resume'"]);
    let grouped = format!("SELECT error, count(*) FROM ({lines}) GROUP BY error");
    copy(&grouped, "PARQUET", "mode 'resume', errors 'e/'").failed(1, ["row by row"]);
    let unnamed = format!("SELECT line FROM ({lines})");
    copy(&unnamed, "PARQUET", "mode 'resume', errors 'e/'").failed(1, ["column 'error'"]);
    let same = format!("mode 'resume', errors '{}'", job.path("out"));
    copy(lines, "PARQUET", &same).failed(1, ["a folder outside of"]);
    let inner = format!("mode 'resume', errors '{}/failed'", job.path("out"));
    copy(lines, "PARQUET", &inner).failed(1, ["a folder outside of"]);
    copy(lines, "PARQUET", "mode 'resume', errors ''").succeeded();
}

#[test]
fn a_second_run_into_the_same_folder_is_refused() {
    let job = Job::new(LINES);
    job.input("a.txt", "a\n");
    // A running COPY holds such a staging folder.
    let running = corpus_staging::Staging::beside(&job.folder.path().join("out")).unwrap();
    job.run()
        .failed(1, ["another run is writing", "wait until it ends"]);
    assert_eq!(parts(&job.folder.path().join("out")).len(), 0);
    drop(running);
    job.run().succeeded();
    assert_eq!(job.rows("out"), ["a.txt,a,"]);
    let names = parts(job.folder.path()).into_keys();
    assert_eq!(names.collect::<Vec<_>>(), ["in", "out"]);
}

#[test]
fn answers_from_statistics_are_given_anew_when_files_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir(folder.path().join("in")).unwrap();
    let write = |name: &str, rows: u32| {
        let target = path(&format!("in/{name}"));
        let sql = format!("COPY (SELECT value FROM range({rows})) TO '{target}'");
        run(["-q", "-c", &sql]).succeeded();
    };
    let queries = [
        "count(*)",
        "max(value)",
        "count(*) + (SELECT count(*) FROM 'IN')",
    ];
    let results = || {
        let mut results = Vec::new();
        for (number, query) in queries.iter().enumerate() {
            let target = path(&format!("{number}.parquet"));
            let query = query.replace("IN", &path("in/"));
            let from = path("in/");
            let copy = format!("COPY (SELECT {query} AS n FROM '{from}') TO '{target}'");
            let again = run(["--resume", "-c", &copy]);
            again.succeeded();
            let unchanged = again.stderr.contains("was complete already");
            let ran = run(["-q", "--format", "csv", "-c", &format!("FROM '{target}'")]);
            let value: u32 = ran.succeeded().lines().nth(1).unwrap().parse().unwrap();
            results.push((value, unchanged));
        }
        results
    };
    write("a.parquet", 10);
    assert_eq!(results(), [(10, false), (9, false), (20, false)]);
    assert_eq!(results(), [(10, true), (9, true), (20, true)]);
    write("b.parquet", 30);
    assert_eq!(results(), [(40, false), (29, false), (80, false)]);
}
