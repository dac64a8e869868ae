//! Results in files: formats by extension, compression, and contradictions between them.

use std::fs;

use super::support::{Ran, corpus_sql, ran, run};

const ROWS: &str = "SELECT value AS n, 'é' || value AS t FROM generate_series(1, 3) ORDER BY n";

/// Runs a query with `-o` in a new folder, and also returns the folder.
fn written(name: &str, sql: &str, options: &[&str]) -> (Ran, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let output = corpus_sql()
        .args(["-c", sql, "-o"])
        .arg(&file)
        .args(options)
        .output()
        .unwrap();
    (ran(output), folder)
}

#[test]
fn the_extension_names_the_format_and_files_are_read_back() {
    for name in [
        "a.csv",
        "a.tsv",
        "a.json",
        "a.jsonl",
        "a.ndjson.zst",
        "a.csv.gz",
        "a.parquet",
        "a.arrow",
    ] {
        let (ran, folder) = written(name, ROWS, &[]);
        assert_eq!(ran.succeeded(), "", "{name}");
        let file = folder.path().join(name).display().to_string();
        let from = match name {
            "a.tsv" => format!("read_csv('{file}', delim => '\t')"),
            _ => format!("'{file}'"),
        };
        let sql = format!("SELECT sum(n) AS n, max(t) AS t FROM {from}");
        let read = run(["--format", "csv", "-q", "-c", &sql]);
        assert_eq!(read.succeeded(), "n,t\n6,é3\n", "{name}");
    }
    let (ran, folder) = written("a.md", "SELECT 1 AS n", &[]);
    ran.succeeded();
    let text = fs::read_to_string(folder.path().join("a.md")).unwrap();
    assert_eq!(text, "| n |\n| --- |\n| 1 |\n");
}

#[test]
fn excel_files_are_packages_with_the_rows() {
    let sql = "SELECT '=1+1' AS t, 9007199254740993 AS n, DATE '2024-02-29' AS d, NULL AS e";
    let (ran, folder) = written("a.xlsx", sql, &[]);
    assert_eq!(ran.succeeded(), "");
    let package = folder.path().join("a.zip");
    fs::rename(folder.path().join("a.xlsx"), &package).unwrap();
    let sql = format!(
        "SELECT CAST(content AS text) AS xml FROM read_files('{}') \
         WHERE source_file LIKE '%sheet1.xml'",
        package.display()
    );
    let read = run(["--format", "ndjson", "-q", "-c", &sql]);
    let xml = read.succeeded().replace("\\\"", "\"");
    for cell in [
        "s=\"4\"><is><t xml:space=\"preserve\">=1+1</t>",
        ">9007199254740993</t>",
        "<c s=\"2\"><v>45351</v></c><c/></row></sheetData>",
    ] {
        assert!(xml.contains(cell), "{cell}: {xml}");
    }
}

#[test]
fn copies_are_excel_files_by_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.xlsx");
    let sql = format!(
        "COPY (SELECT 'é' AS t, [1, 2] AS l, value FROM generate_series(1, 3)) TO '{}'",
        file.display()
    );
    run(["-q", "-c", &sql]).succeeded();
    let package = folder.path().join("a.zip");
    fs::rename(file, &package).unwrap();
    let sql = format!(
        "SELECT CAST(content AS text) AS xml FROM read_files('{}') \
         WHERE source_file LIKE '%sheet1.xml'",
        package.display()
    );
    let read = run(["--format", "ndjson", "-q", "-c", &sql]);
    let xml = read.succeeded();
    assert!(
        xml.contains(">é</t>") && xml.contains(">[1,2]</t>"),
        "{xml}"
    );
    assert!(xml.contains("<row r=\\\"4\\\">"), "{xml}");
}

#[test]
fn texts_that_excel_cannot_hold_are_cut_with_a_warning() {
    let sql = "SELECT 1 AS n, repeat('x', 40000) AS t";
    let (ran, _folder) = written("a.xlsx", sql, &["-q"]);
    ran.succeeded();
    let warning = "warning: 1 text of the column t cut: a cell of Excel holds 32767 characters";
    ran.reports(warning);
    let (ran, folder) = written("a.xlsx", "SELECT * FROM generate_series(1, 1048576)", &[]);
    ran.failed(1, ["a.xlsx", "1048575 rows"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_byte_order_mark_begins_csv_once() {
    let sql = "SELECT 'é' AS a; SELECT 1 AS b";
    let (ran, folder) = written("a.csv", sql, &["--bom"]);
    ran.succeeded();
    let text = fs::read_to_string(folder.path().join("a.csv")).unwrap();
    assert_eq!(text, "\u{feff}a\né\nb\n1\n");
    let file = folder.path().join("a.csv").display().to_string();
    let read = run([
        "--format",
        "csv",
        "-q",
        "-c",
        &format!("SELECT a FROM '{file}' LIMIT 1"),
    ]);
    assert_eq!(read.succeeded(), "a\né\n");
    let (ran, _folder) = written("a.json", "SELECT 1", &["--bom"]);
    ran.failed(2, ["--bom is for csv and tsv", "json"]);
}

#[test]
fn binary_formats_go_to_pipes_and_hold_one_result() {
    let parquet = corpus_sql()
        .args(["--format", "parquet", "-c", ROWS])
        .output()
        .unwrap();
    assert!(parquet.status.success());
    assert!(parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1"));
    let (ran, folder) = written("a.parquet", "SELECT 1; SELECT 2", &[]);
    ran.failed(2, ["a.parquet", "holds one result", "COPY (SELECT …) TO"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let (ran, folder) = written(
        "a.parquet",
        "SET VARIABLE x = 5; SELECT getvariable('x'); RESET VARIABLE x",
        &[],
    );
    ran.succeeded();
    assert!(folder.path().join("a.parquet").exists());
    let (ran, folder) = written("a.parquet", "CREATE VIEW v AS SELECT 1", &[]);
    ran.failed(1, ["no statement has a result"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    for name in ["a.xls", "a.warc", "a.parqet"] {
        let (ran, _folder) = written(name, "SELECT 1", &[]);
        ran.failed(2, ["cannot write", name]);
    }
}

#[test]
fn times_are_times_in_parquet() {
    let query = "SELECT now() AS a, TIMESTAMP(9) '2020-01-01 00:00:00.5' AS b, \
        arrow_cast(TIMESTAMP '2020-01-01', 'Timestamp(s)') AS c, \
        [{'t': arrow_cast(TIME '10:00:00', 'Time32(s)')}] AS d, \
        arrow_cast(DATE '1650-01-02', 'Date64') AS e";
    let (ran, folder) = written("a.parquet", query, &[]);
    ran.succeeded();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let copied = file("b.parquet");
    run(["-c", &format!("COPY ({query}) TO '{copied}'")]).succeeded();
    for file in [file("a.parquet"), copied] {
        let sql =
            format!("SELECT typeof(a), typeof(b), typeof(d), b, c, d[1].t AS t, e FROM '{file}'");
        let read = run(["--format", "csv", "-q", "-c", &sql]);
        let values = "TIMESTAMP,TIMESTAMP,STRUCT(t TIME)[],2020-01-01T00:00:00.500,2020-01-01T00:00:00,10:00:00,1650-01-02";
        assert_eq!(read.succeeded().lines().nth(1), Some(values));
    }
}

#[test]
fn timestamps_of_csv_are_timestamps_in_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (csv, parquet) = (file("a.csv"), file("a.parquet"));
    fs::write(&csv, "t,z\n2024-01-01 10:00:00,2024-01-01T10:00:00Z\n").unwrap();
    let copy = format!("COPY (SELECT * FROM '{csv}') TO '{parquet}'");
    let read = format!("SELECT typeof(t), t, z FROM '{parquet}'");
    let ran = run(["--format", "csv", "-q", "-c", &copy, "-c", &read]);
    let values = "TIMESTAMP,2024-01-01T10:00:00,2024-01-01T10:00:00Z";
    assert_eq!(ran.succeeded().lines().last(), Some(values));
}

#[test]
fn intervals_are_texts_in_files() {
    let difference = "TIMESTAMP '2020-01-03 12:00' - TIMESTAMP '2020-01-01'";
    let warning = "the column 'd' has INTERVAL values";
    for (value, text) in [
        (difference.to_owned(), "2 days 12:00:00"),
        ("INTERVAL '14 months'".to_owned(), "1 year 2 months"),
        (
            format!("[{{'a': {difference}, 'b': 1}}]"),
            "[{'a': '2 days 12:00:00', 'b': 1}]",
        ),
    ] {
        let sql = format!("SELECT {value} AS d, 7 AS n");
        let (ran, folder) = written("a.parquet", &sql, &[]);
        ran.succeeded();
        assert!(ran.stderr.contains(warning), "{}", ran.stderr);
        let file = |name: &str| folder.path().join(name).display().to_string();
        let copy = format!("COPY ({sql}) TO '{}'", file("b.parquet"));
        let copied = run(["-c", &copy]);
        copied.succeeded();
        assert!(copied.stderr.contains(warning), "{}", copied.stderr);
        for name in ["a.parquet", "b.parquet"] {
            let read = format!("SELECT d::VARCHAR, n FROM '{}'", file(name));
            let read = run(["--format", "csv", "-q", "-c", &read]);
            assert_eq!(
                read.succeeded()
                    .lines()
                    .nth(1)
                    .map(|line| line.replace('"', "")),
                Some(format!("{text},7"))
            );
        }
    }
    let sql = format!("SELECT {difference} AS d");
    for (name, file) in [
        ("a.csv", "d\n2 days 12:00:00\n"),
        ("a.json", "{\"d\":\"2 days 12:00:00\"}\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join(name);
        let copy = format!("COPY ({sql}) TO '{}'", target.display());
        run(["-c", &copy]).succeeded();
        assert_eq!(fs::read_to_string(target).unwrap(), file);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_in_every_format() {
    for format in ["csv", "ndjson", "parquet", "arrow", "xlsx", "markdown"] {
        let sql = "SELECT value, md5(CAST(value AS text)) FROM generate_series(1, 100000)";
        run(["-o", "/dev/full", "--format", format, "-c", sql])
            .failed(1, ["/dev/full", "No space left"]);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = corpus_sql()
            .args(["--format", format, "-c", sql])
            .stdout(full)
            .output()
            .unwrap();
        ran(output).failed(1, ["stdout", "No space left"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_result_leaves_nothing() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    let endless = "SELECT sha512(CAST(value AS text)) AS h FROM generate_series(1, 10000000000)";
    for name in ["a.parquet", "a.csv.gz", "a.xlsx", "a.jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = corpus_sql()
            .args(["--progress", "always", "-c", endless, "-o"])
            .arg(folder.path().join(name))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The first line of progress appears while the query runs.
        let mut byte = [0];
        child
            .stderr
            .as_mut()
            .unwrap()
            .read_exact(&mut byte)
            .unwrap();
        let signal = ["-INT".to_owned(), child.id().to_string()];
        assert!(
            Command::new("kill")
                .args(signal)
                .status()
                .unwrap()
                .success()
        );
        let ran = ran(child.wait_with_output().unwrap());
        ran.failed(130, ["interrupted"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}
