//! The effects of `COPY` and `--output` on their target: files appear when they are complete, and
//! replace those of an earlier run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::support::{Ran, corpus_sql, names, ran, run, wait_until};

/// A query that runs for hours, but writes early.
const ENDLESS: &str = "SELECT value AS key, encode(sha512(CAST(value AS TEXT)), 'hex') || \
                       encode(sha512('x' || value), 'hex') AS value \
                       FROM generate_series(1, 1000000000000)";

const ROWS: &str = "SELECT value AS key, 'v' || value AS value FROM generate_series(1, 5000)";

fn copy(select: &str, target: &Path, options: &str) -> Ran {
    let sql = format!("COPY ({select}) TO '{}' {options}", target.display());
    run(["--quiet", "--threads", "2", "-c", &sql])
}

/// The content of each file in a folder and its subfolders.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                drop(files.insert(path.clone(), fs::read(path).unwrap()))
            }
        }
    }
    files
}

fn count(target: &Path, format: &str) -> String {
    let sql = format!(
        "CREATE EXTERNAL TABLE t STORED AS {format} LOCATION '{}'; SELECT count(*) AS n FROM t",
        target.display()
    );
    let ran = run(["--quiet", "--format", "csv", "-c", &sql]);
    ran.succeeded().replace("n\n", "").trim().to_owned()
}

#[test]
fn columns_without_an_alias_are_named_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("names.csv");
    let select = "SELECT s.a, max(t.n), t.n + 1, upper(t.x), t.n \
                  FROM (SELECT 1 AS n, 'x' AS x, {a: 2} AS s) AS t GROUP BY ALL";
    copy(select, &target, "").succeeded();
    let expected = "a,max(t.n),t.n + 1,upper(t.x),n\n2,1,2,X,1\n";
    assert_eq!(fs::read_to_string(target).unwrap(), expected);
}

#[test]
fn a_second_run_replaces_the_files_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    for (format, partitions) in [
        ("PARQUET", ""),
        ("CSV", ""),
        ("JSON", ""),
        ("SEQUENCEFILE", ""),
        ("PARQUET", "PARTITIONED BY (value)"),
    ] {
        let target = folder.path().join(format!("{format}{}/", partitions.len()));
        let select = match partitions {
            "" => ROWS,
            _ => "SELECT value AS key, value % 5 AS value FROM generate_series(1, 5000)",
        };
        for _ in 0..2 {
            copy(select, &target, &format!("STORED AS {format} {partitions}")).succeeded();
        }
        assert_eq!(count(&target, format), "5000", "{format}");
        // The new output has fewer files and another format.
        copy("SELECT 1 AS a", &target, "STORED AS CSV").succeeded();
        let left = files(&target);
        assert_eq!(left.len(), 1, "{left:?}");
        copy("SELECT 1 AS a WHERE false", &target, "STORED AS CSV").succeeded();
        assert_eq!(names(&target), [""; 0]);
    }
    assert_eq!(names(folder.path()).len(), 5);
}

#[test]
fn files_of_others_are_replaced_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out/");
    copy("SELECT 1 AS a", &target, "STORED AS CSV").succeeded();
    fs::write(target.join("notes.txt"), "mine").unwrap();
    let before = files(folder.path());
    copy("SELECT 2 AS a", &target, "STORED AS CSV").failed(1, ["notes.txt", "append", "replace"]);
    for (mode, message) in [("create", "exists"), ("sideways", "unknown mode")] {
        let options = format!("STORED AS CSV OPTIONS (mode '{mode}')");
        copy("SELECT 2 AS a", &target, &options).failed(1, [message]);
    }
    assert_eq!(files(folder.path()), before);

    let append = "STORED AS CSV OPTIONS (MODE 'append')";
    copy("SELECT 2 AS a", &target, append).succeeded();
    let after = files(folder.path());
    assert_eq!(after.len(), 3);
    assert!(before.iter().all(|(path, content)| after[path] == *content));

    copy(
        "SELECT 3 AS a",
        &target,
        "STORED AS CSV OPTIONS (mode 'replace')",
    )
    .succeeded();
    let left = files(folder.path());
    assert_eq!(left.into_values().collect::<Vec<_>>(), [b"a\n3\n"]);

    // A single file, and a target that is not a regular file.
    let file = folder.path().join("x.csv");
    copy("SELECT 1 AS a", &file, "OPTIONS (mode 'create')").succeeded();
    copy("SELECT 2 AS a", &file, "OPTIONS (mode 'create')").failed(1, ["exists"]);
    copy("SELECT 2 AS a", &file, "OPTIONS (mode 'append')").failed(1, ["needs a folder"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\n1\n");
    copy("SELECT 2 AS a", &file, "").succeeded();
    assert_eq!(fs::read_to_string(&file).unwrap(), "a\n2\n");
    copy("SELECT 1 AS a", &file.join(""), "STORED AS CSV").failed(1, ["x.csv"]);
    assert_eq!(names(folder.path()), ["out", "x.csv"]);
}

#[test]
fn a_failed_run_leaves_the_old_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let bad = "SELECT value AS key, CAST(1 / (value - 4000) AS TEXT) AS value \
               FROM generate_series(1, 5000)";
    for (target, options) in [
        ("out/", "STORED AS PARQUET"),
        ("parts/", "STORED AS CSV PARTITIONED BY (value)"),
        ("seq/", "STORED AS SEQUENCEFILE"),
        ("file.csv", ""),
        ("new/folder/x.parquet", ""),
    ] {
        let path = folder.path().join(target);
        copy(bad, &path, options).failed(1, ["zero"]);
        assert_eq!(names(folder.path()), [""; 0], "{target}");
    }
    let out = folder.path().join("out/");
    copy(ROWS, &out, "STORED AS PARQUET").succeeded();
    let before = files(folder.path());
    copy(bad, &out, "STORED AS PARQUET").failed(1, ["zero"]);
    copy(bad, &out, "STORED AS PARQUET OPTIONS (mode 'append')").failed(1, ["zero"]);
    assert_eq!(files(folder.path()), before);
}

/// A limit on the file size simulates a full disk: writes fail in the middle.
#[cfg(unix)]
#[test]
fn a_refused_write_leaves_the_old_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let limited = |target: &str, options: &str| {
        let path = folder.path().join(target);
        let sql = format!(
            "COPY (SELECT value, md5(CAST(value AS TEXT)) AS m FROM generate_series(1, 100000)) \
             TO '{}' {options}",
            path.display()
        );
        let binary = env!("CARGO_BIN_EXE_corpus-sql");
        let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" --quiet -c \"$1\"";
        let shell = ["-c", script, binary, &sql];
        let ran = Command::new("sh").args(shell).output().unwrap();
        super::support::ran(ran).failed(1, ["cannot write", target, "too large"]);
    };
    limited("out/", "STORED AS CSV");
    limited("x.csv", "");
    assert_eq!(names(folder.path()), [""; 0]);
    let out = folder.path().join("out/");
    copy(ROWS, &out, "STORED AS CSV").succeeded();
    let before = files(folder.path());
    limited("out/", "STORED AS CSV");
    assert_eq!(files(folder.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_comes_with_advice() {
    let sql = "SELECT value FROM generate_series(1, 100000)";
    let ran = run(["--quiet", "--format", "csv", "-o", "/dev/full", "-c", sql]);
    ran.failed(
        1,
        [
            "cannot write results to /dev/full",
            "No space left",
            "another disk",
        ],
    );
}

/// Starts a run, and waits until it has a staging folder.
fn start(args: &[&str], parent: &Path) -> (Child, String) {
    let known = names(parent);
    let mut command = corpus_sql();
    command.args(["--quiet", "--threads", "2"]).args(args);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut staging = None;
    wait_until("a staging folder has an index", || {
        assert!(child.try_wait().unwrap().is_none(), "{args:?} ended");
        staging = names(parent).into_iter().find(|name| {
            let is_new = name.contains(".part-") && !known.contains(name);
            is_new && parent.join(name).join("index").is_dir()
        });
        staging.is_some()
    });
    (child, staging.unwrap())
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_next_run_removes_leftovers_of_killed_ones() {
    for (target, options) in [
        ("x.seq", ""),
        ("x.parquet", ""),
        ("out/", "STORED AS CSV"),
        #[cfg(feature = "search")]
        (
            "idx/",
            "STORED AS SEARCH_INDEX OPTIONS (id 'key', text 'value')",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(target);
        let endless = format!("COPY ({ENDLESS}) TO '{}' {options}", path.display());
        let (killed, left) = start(&["-c", &endless], folder.path());
        kill(killed);
        let (alive, other) = start(&["-c", &endless], folder.path());
        // A run removes the leftovers of the killed run, but not those of running ones.
        assert!(!names(folder.path()).contains(&left), "{target}");
        copy(ROWS, &path, options).succeeded();
        let target = target.trim_end_matches('/');
        assert_eq!(names(folder.path()), [target, &other]);
        kill(alive);
        let options = options.replace("(id", "(mode 'replace', id");
        copy(ROWS, &path, &options).succeeded();
        assert_eq!(names(folder.path()), [target]);
    }
}

#[test]
fn the_next_output_removes_leftovers_of_a_killed_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    let output = path.to_str().unwrap();
    let (killed, _) = start(&["-o", output, "-c", ENDLESS], folder.path());
    kill(killed);
    // Similar names are kept.
    for name in [
        "x.csv.part-1",
        "x.csv.part-1-a",
        "y.csv.part-1-1",
        "x.csv#1",
    ] {
        fs::write(folder.path().join(name), "mine").unwrap();
    }
    fs::create_dir(folder.path().join("x.csv.part-2-2")).unwrap();
    let lock = folder.path().join("x.csv.part-2-2/lock");
    fs::write(&lock, "my own").unwrap();
    run([
        "--quiet",
        "--format",
        "csv",
        "-o",
        output,
        "-c",
        "SELECT 1 AS a",
    ])
    .succeeded();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a\n1\n");
    assert_eq!(fs::read_to_string(&lock).unwrap(), "my own");
    assert_eq!(names(folder.path()).len(), 6, "{:?}", names(folder.path()));
}

#[test]
fn files_that_appear_one_by_one_are_staged_too() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out/");
    fs::create_dir(&target).unwrap();
    let endless = format!(
        "COPY (SELECT 'f' || (key % 10) || '/' || key AS name, value AS content FROM ({ENDLESS})) \
         TO '{}' STORED AS FILES",
        target.display()
    );
    let (killed, left) = start(&["-c", &endless], &target);
    kill(killed);
    let staging = target.join(&left);
    let is_whole =
        |path: &PathBuf| path.starts_with(&staging) || !path.to_string_lossy().contains('#');
    assert!(files(&target).keys().all(is_whole));
    copy(
        "SELECT 'a' AS name, 'b' AS content",
        &target,
        "STORED AS FILES",
    )
    .succeeded();
    assert!(!names(&target).contains(&left));
    // Readers ignore unfinished files.
    fs::create_dir_all(folder.path().join("out.part-1-1/files")).unwrap();
    fs::write(folder.path().join("out.part-1-1/files/0"), "partial").unwrap();
    let sql = format!(
        "SELECT count(*) AS n FROM read_files('{}')",
        folder.path().display()
    );
    let found = run(["--quiet", "--format", "csv", "-c", &sql]);
    let complete = files(&target).len();
    assert_eq!(found.succeeded(), format!("n\n{complete}\n"));
}

#[test]
fn names_that_look_like_globs_are_literal() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("notes.txt"), "keep").unwrap();
    fs::create_dir(root.join("data")).unwrap();
    fs::write(root.join("data/more.txt"), "keep").unwrap();
    for name in [
        "part[1].parquet",
        "part[2].parquet",
        "what?.csv",
        "a*b.parquet",
        "[x].warc.gz",
    ] {
        for options in ["", "OPTIONS (mode 'replace')"] {
            let select = if name.contains("warc") {
                "SELECT * FROM read_warc('data-samples/web/')"
            } else {
                ROWS
            };
            copy(select, &root.join(name), options).succeeded();
            assert!(root.join(name).is_file(), "{name}");
        }
    }
    copy(ROWS, &root.join("of[3]/"), "STORED AS PARQUET").succeeded();
    assert!(root.join("of[3]").is_dir());
    let files = "SELECT 'x.txt' AS name, 'x' AS content";
    copy(files, &root.join("x[1].files"), "").succeeded();
    let mut expected = vec!["[x].warc.gz", "a*b.parquet", "data", "notes.txt", "of[3]"];
    expected.extend([
        "part[1].parquet",
        "part[2].parquet",
        "what?.csv",
        "x[1].files",
    ]);
    assert_eq!(names(root), expected);
    assert_eq!(names(&root.join("data")), ["more.txt"]);
}

#[test]
fn the_extension_before_that_of_the_compression_names_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (name, start) in [
        ("x.csv.gz", &b"\x1f\x8b"[..]),
        ("x.jsonl.zst", b"\x28\xb5\x2f\xfd"),
        ("x.ndjson.bz2", b"BZh"),
        ("x.json.xz", b"\xfd7zXZ"),
    ] {
        copy(ROWS, &root.join(name), "").succeeded();
        let bytes = fs::read(root.join(name)).unwrap();
        assert!(bytes.starts_with(start), "{name}");
        let sql = format!("SELECT count(*) FROM '{}'", root.join(name).display());
        let ran = run(["--quiet", "--format", "csv", "-c", &sql]);
        assert!(ran.succeeded().ends_with("5000\n"), "{name}");
    }
    let records = "SELECT * FROM read_warc('data-samples/web/')";
    for name in ["x.warc.gz", "x.warc.zst"] {
        copy(records, &root.join(name), "").succeeded();
        let sql = format!(
            "SELECT count(*) FROM read_warc('{}')",
            root.join(name).display()
        );
        let ran = run(["--quiet", "--format", "csv", "-c", &sql]);
        assert!(ran.succeeded().ends_with("19\n"), "{name}");
    }
    copy(ROWS, &root.join("x.parquet.gz"), "").failed(1, ["compressed inside: name it '"]);
}

#[test]
fn the_name_of_a_compressed_file_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let codecs = [
        (".gz", "gzip", &b"\x1f\x8b"[..]),
        (".zst", "zstd", b"\x28\xb5\x2f\xfd"),
        (".bz2", "bzip2", b"BZh"),
        (".xz", "xz", b"\xfd7zXZ"),
    ];
    for (format, name) in [("JSON", "x.jsonl"), ("JSON", "x.json"), ("CSV", "x.csv")] {
        for (extension, codec, magic) in codecs {
            let options = format!("STORED AS {format} OPTIONS (compression '{codec}')");
            let plain = root.join(name);
            let advice = format!("{name}{extension}'");
            copy(ROWS, &plain, &options).failed(1, [codec, advice.as_str()]);
            assert!(!plain.exists());

            let target = root.join(format!("{name}{extension}"));
            for options in [
                options.clone(),
                format!("STORED AS {format}"),
                String::new(),
            ] {
                copy(ROWS, &target, &options).succeeded();
                let bytes = fs::read(&target).unwrap();
                assert!(bytes.starts_with(magic), "{} {options}", target.display());
                fs::remove_file(&target).unwrap();
            }
            for other in [
                "uncompressed",
                if codec == "zstd" { "gzip" } else { "zstd" },
            ] {
                let options = format!("STORED AS {format} OPTIONS (compression '{other}')");
                copy(ROWS, &target, &options).failed(1, [extension, other]);
            }

            let parts = root.join(format!("parts of {name}{extension}/"));
            copy(ROWS, &parts, &options).succeeded();
            assert!(
                names(&parts).iter().all(|part| part.ends_with(extension)),
                "{:?}",
                names(&parts)
            );
        }
        let plain = root.join(name);
        copy(
            ROWS,
            &plain,
            &format!("STORED AS {format} OPTIONS (compression 'uncompressed')"),
        )
        .succeeded();
        assert!(fs::read(&plain).unwrap().is_ascii());
    }
}

#[test]
fn options_in_parentheses_are_those_of_duckdb() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.parquet");
    for codec in ["zstd", "gzip", "snappy", "'brotli'"] {
        let options = format!("(FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE 1000)");
        copy(ROWS, &file, &options).succeeded();
    }
    let parts = folder.path().join("parts");
    let select = "SELECT 1 AS a, 2 AS b";
    for _ in 0..2 {
        let options = "(FORMAT parquet, CODEC zstd, PARTITION_BY (a), OVERWRITE)";
        copy(select, &parts, options).succeeded();
    }
    assert_eq!(files(&parts).len(), 1, "the second run replaces the first");
    let text = folder.path().join("x.csv");
    copy(
        select,
        &text,
        "WITH (FORMAT csv, HEADER true, DELIMITER '|')",
    )
    .succeeded();
    assert_eq!(fs::read_to_string(&text).unwrap(), "a|b\n1|2\n");
    copy(select, &text, "(FORMAT csv, NOSUCH 1)").failed(1, ["nosuch"]);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_open_files_stay() {
    use std::os::unix::fs::FileTypeExt;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run_in = |args: &[&str]| {
        let mut command = corpus_sql();
        command.current_dir(folder.path());
        ran(command.arg("-q").args(args).output().unwrap())
    };
    for args in [
        ["-o", "link.csv", "-c", "SELECT 1 AS a"],
        ["--summary", "link.csv", "-c", "SELECT 1 AS a"],
        ["--status", "link.csv", "-c", "SELECT 1 AS a"],
        ["-c", "COPY (SELECT 1 AS a) TO 'link.csv'", "-c", "SELECT 1"],
    ] {
        fs::write(path("real.csv"), "").unwrap();
        let _ = fs::remove_file(path("link.csv"));
        std::os::unix::fs::symlink("real.csv", path("link.csv")).unwrap();
        run_in(&args).succeeded();
        assert!(path("link.csv").is_symlink(), "{args:?}");
        assert_ne!(fs::read(path("real.csv")).unwrap(), b"", "{args:?}");
    }

    let made = Command::new("mkfifo").arg(path("pipe.csv")).status();
    assert!(made.unwrap().success());
    let pipe = path("pipe.csv");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    run_in(&["--summary", "pipe.csv", "-c", "SELECT 1"]).succeeded();
    assert!(reader.join().unwrap().contains("\"records\""));
    let copied = run_in(&["-c", "COPY (SELECT 1 AS a) TO 'pipe.csv'"]);
    assert!(
        copied.stderr.contains("it is a pipe or a device"),
        "{}",
        copied.stderr
    );
    assert!(path("pipe.csv").metadata().unwrap().file_type().is_fifo());

    let out = fs::File::create(path("out.txt")).unwrap();
    let mut command = corpus_sql();
    command.args([
        "-q",
        "--format",
        "csv",
        "--summary",
        "/dev/stdout",
        "-c",
        "SELECT 1 AS a",
    ]);
    command.stdout(out).status().unwrap();
    let shown = fs::read_to_string(path("out.txt")).unwrap();
    assert!(shown.starts_with("a\n1\n{"), "{shown}");
}
