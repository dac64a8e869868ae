//! Folders and globs of Parquet and CSV files: every file is read once.

use std::fs;
use std::path::Path;

use super::support::{Ran, run};

struct Files(tempfile::TempDir);

impl Files {
    /// Writes CSV files, each with its own name as a row.
    fn new(names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("file\n{name}\n")).unwrap();
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn query(&self, sql: &str) -> Ran {
        let folder = self.path().display().to_string();
        run(["-q", "--format", "csv", "-c", &sql.replace("{}", &folder)])
    }

    /// The names in a table, sorted.
    fn names(&self, location: &str) -> Vec<String> {
        let sql = format!("SELECT file FROM '{{}}/{location}' ORDER BY file");
        let ran = self.query(&sql);
        ran.succeeded().lines().skip(1).map(str::to_owned).collect()
    }
}

#[test]
fn folders_and_globs_read_the_files_of_all_folders() {
    let files = Files::new(&["1.csv", "a/2.csv", "a/b/3.csv", "c d%/4.csv"]);
    let all = ["1.csv", "a/2.csv", "a/b/3.csv", "c d%/4.csv"];
    assert_eq!(files.names(""), all);
    assert_eq!(files.names("**/*.csv"), all);
    assert_eq!(files.names("*.csv"), ["1.csv"]);
    assert_eq!(files.names("*/*.csv"), ["a/2.csv", "c d%/4.csv"]);
    assert_eq!(files.names("a/**"), ["a/2.csv", "a/b/3.csv"]);
    assert_eq!(files.names("**/[13].csv"), ["1.csv", "a/b/3.csv"]);
    assert_eq!(files.names("a/2.csv"), ["a/2.csv"]);
}

#[test]
fn created_tables_read_the_files_of_all_folders() {
    let files = Files::new(&[
        "1.csv",
        "a/2.csv",
        "a/b/3.csv",
        "a/_SUCCESS",
        "[c] d%/4.csv",
    ]);
    for (location, expected) in [
        ("", "file\n1.csv\n[c] d%/4.csv\na/2.csv\na/b/3.csv\n"),
        ("a/*/*.csv", "file\na/b/3.csv\n"),
        ("a/b/", "file\na/b/3.csv\n"),
    ] {
        let ran = files.query(&format!(
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{{}}/{location}' OPTIONS ('format.has_header' 'true');
             SELECT file FROM t ORDER BY file"
        ));
        assert_eq!(ran.succeeded(), expected, "{location}");
    }
}

#[test]
fn folders_of_keys_and_values_become_columns() {
    let files = Files::new(&["year=2023/m=1/a.csv", "year=2024/m=2/b.csv"]);
    let all = "file,m,year\nyear=2023/m=1/a.csv,1,2023\nyear=2024/m=2/b.csv,2,2024\n";
    for location in ["", "**/*.csv"] {
        let sql = format!("SELECT file, m, year FROM '{{}}/{location}' ORDER BY file");
        assert_eq!(files.query(&sql).succeeded(), all, "{location}");
    }
    assert_eq!(files.names("year=2024/*/*.csv"), ["year=2024/m=2/b.csv"]);
}

#[test]
fn files_beside_folders_of_keys_and_values_are_read_once() {
    let files = Files::new(&["a.csv", "year=2023/b.csv", "c/year=2023/d.csv"]);
    assert_eq!(
        files.names(""),
        ["a.csv", "c/year=2023/d.csv", "year=2023/b.csv"]
    );
}

#[test]
fn hidden_and_unfinished_files_are_left_out() {
    let files = Files::new(&[
        "a.csv",
        ".b.csv",
        "_c.csv",
        "_temporary/d.csv",
        ".e/f.csv",
        "g.md",
    ]);
    assert_eq!(files.names(""), ["a.csv"]);
    assert_eq!(files.names("*.csv"), ["_c.csv", "a.csv"]);
}

#[test]
fn columns_of_all_folders_are_kept() {
    let files = Files::new(&[]);
    files.query("COPY (SELECT 1 AS x) TO '{}/a/1.parquet'; COPY (SELECT 2 AS x, 3 AS y) TO '{}/b/2.parquet'").succeeded();
    let rows = files.query("SELECT x, y FROM '{}/*/*.parquet' ORDER BY x");
    assert_eq!(rows.succeeded(), "x,y\n1,\n2,3\n");
}

#[test]
fn a_folder_of_several_formats_needs_a_glob() {
    let files = Files::new(&["a/b.csv"]);
    files
        .query("COPY (SELECT 1 AS x) TO '{}/1.parquet'")
        .succeeded();
    files
        .query("SELECT * FROM '{}/'")
        .failed(1, ["several formats (*.csv, *.parquet)", "/**/*.csv'"]);
    assert_eq!(files.names("**/*.csv"), ["a/b.csv"]);
}

#[test]
fn a_folder_of_archives_needs_no_function() {
    let rows = run([
        "-q",
        "--format",
        "csv",
        "-c",
        "SELECT count(*) > 1 AS many FROM 'data-samples/web/'",
    ]);
    assert_eq!(rows.succeeded(), "many\ntrue\n");
}

#[test]
fn missing_files_and_folders_are_reported() {
    let files = Files::new(&["a/b.csv"]);
    for (location, message) in [
        ("a/c.parquet", "no such file or folder"),
        ("c/", "no such file or folder"),
        ("a/*.parquet", "no files at"),
        ("c/*.csv", "no files at"),
    ] {
        let ran = files.query(&format!("SELECT * FROM '{{}}/{location}'"));
        ran.failed(1, [message, location]);
    }
}

#[test]
fn quoted_line_ends_do_not_divide_a_csv_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("texts.csv").display().to_string();
    let copy = format!(
        "COPY (SELECT 'title' || value AS title, 'first half' || chr(10) || 'second half' AS text \
         FROM range(2000)) TO '{path}'"
    );
    run(["-q", "-c", &copy]).succeeded();
    let sql = format!(
        "SET datafusion.optimizer.repartition_file_min_size = 1; \
         CREATE EXTERNAL TABLE t (title TEXT, text TEXT) STORED AS CSV LOCATION '{path}'; \
         SELECT count(*) FILTER (WHERE title LIKE 'title%' AND text LIKE '%second half') AS n, \
         count(*) AS rows FROM t"
    );
    let ran = run(["-q", "--threads", "4", "--format", "csv", "-c", &sql]);
    assert!(ran.succeeded().ends_with("2000,2000\n"), "{}", ran.stdout);
}

#[test]
fn fields_of_json_that_appear_late_are_read() {
    let files = Files::new(&[]);
    let mut lines = "{\"a\":1}\n".repeat(3000);
    lines.push_str("{\"a\":1,\"late\":\"x\"}\n{\"a\":2.5}");
    for ending in ["json", "jsonl", "ndjson"] {
        fs::write(files.path().join(format!("lines.{ending}")), &lines).unwrap();
        let sql = format!("SELECT count(late), max(late), max(a) FROM '{{}}/lines.{ending}'");
        let ran = files.query(&sql);
        assert_eq!(ran.succeeded().lines().nth(1), Some("1,x,2.5"), "{ending}");
    }
    // The second file is read although the first has more than 1,000 records.
    fs::create_dir(files.path().join("two")).unwrap();
    fs::write(files.path().join("two/1.jsonl"), &lines).unwrap();
    fs::write(files.path().join("two/2.jsonl"), "{\"other\":[true]}\n").unwrap();
    let ran = files.query("SELECT max(late), count(other) FROM '{}/two'");
    assert_eq!(ran.succeeded().lines().nth(1), Some("x,1"));
}

#[test]
fn a_file_may_be_one_json_array() {
    let files = Files::new(&[]);
    let records: Vec<String> = (0..2000).map(|n| format!("{{\"a\":{n}}}")).collect();
    let array = format!("\n[{},\n{{\"late\":\"x\"}}]\n", records.join(", "));
    fs::write(files.path().join("array.json"), array).unwrap();
    let ran = files.query("SELECT count(*), max(a), max(late) FROM '{}/array.json'");
    assert_eq!(ran.succeeded().lines().nth(1), Some("2001,1999,x"));
}

#[test]
fn invalid_json_is_reported_with_its_file_and_line() {
    let files = Files::new(&[]);
    let lines = format!("{}{{\"a\":\n{{\"a\":3}}\n", "{\"a\":1}\n".repeat(20));
    fs::write(files.path().join("cut.jsonl"), lines).unwrap();
    let ran = files.query("SELECT * FROM '{}/cut.jsonl'");
    ran.failed(1, ["line 21 of '", "cut.jsonl' is not valid JSON"]);
}

#[test]
fn quoted_line_ends_do_not_hide_the_columns_of_a_csv_file() {
    let files = Files::new(&[]);
    // Chunks of any size end inside of quotes.
    let long = format!("\"{}\"", "a\n".repeat(6000));
    let csv = format!("name,text\n{}", format!("x,{long}\n").repeat(30));
    fs::write(files.path().join("long.csv"), csv).unwrap();
    let ran = files.query("SELECT count(*), sum(length(text)) FROM '{}/long.csv'");
    assert_eq!(ran.succeeded().lines().nth(1), Some("30,360000"));
}

#[cfg(unix)]
#[test]
fn unusable_names_and_loops_of_links_cost_only_themselves() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let files = Files::new(&["1.csv", "a/2.csv", "z/3.csv"]);
    for name in [&b"line\nbreak.csv"[..], b"\xff.csv"] {
        fs::write(files.path().join(OsStr::from_bytes(name)), "file\nx\n").unwrap();
    }
    std::os::unix::fs::symlink("..", files.path().join("a/loop")).unwrap();
    assert_eq!(files.names(""), ["1.csv", "a/2.csv", "z/3.csv"]);
    for reader in ["read_lines", "read_files"] {
        let ran = files.query(&format!(
            "SELECT count(DISTINCT source_file) AS n FROM {reader}('{{}}')"
        ));
        assert_eq!(ran.succeeded(), "n\n3\n");
        assert!(ran.stderr.contains("unusable name"), "{}", ran.stderr);
        assert!(ran.stderr.contains("line\\nbreak.csv"), "{}", ran.stderr);
    }
}
