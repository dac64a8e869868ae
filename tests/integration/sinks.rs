//! `COPY … STORED AS SEQUENCEFILE` and `STORED AS FILES`.

use std::fs;
use std::path::Path;

use super::support::run;

fn copy(select: &str, target: &Path, format: &str) -> super::support::Ran {
    let sql = format!("COPY ({select}) TO '{}' {format}", target.display());
    run(["--quiet", "-c", &sql])
}

fn csv(sql: &str) -> String {
    run(["--quiet", "--format", "csv", "-c", sql])
        .succeeded()
        .to_owned()
}

fn pairs(file: &str) -> String {
    csv(&format!(
        "SELECT key, encode(sha256(value), 'hex') AS value, key_class, value_class, error \
         FROM read_sequencefile('{file}') ORDER BY key, value"
    ))
}

#[test]
fn pairs_that_are_written_unchanged_are_read_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let source = "data-samples/sequence/scans.seq";
    for codec in ["deflate", "gzip", "bzip2", "snappy", "lz4", "zstd"] {
        let file = folder.path().join(format!("{codec}.seq"));
        let select = format!("SELECT * FROM read_sequencefile('{source}')");
        let options = format!("OPTIONS (codec '{codec}')");
        copy(&select, &file, &options).succeeded();
        let written = file.to_str().unwrap();
        assert_eq!(pairs(written), pairs(source), "{codec}");
        let header = csv(&format!(
            "SELECT DISTINCT compression, codec FROM read_sequencefile('{written}')"
        ));
        let class = match codec {
            "deflate" => "DefaultCodec".to_owned(),
            "zstd" => "ZStandardCodec".to_owned(),
            "bzip2" => "BZip2Codec".to_owned(),
            name => format!("{}{}Codec", name[..1].to_uppercase(), &name[1..]),
        };
        assert!(header.ends_with(&format!(".{class}\n")), "{header}");
        assert!(header.contains("BLOCK,"), "{header}");
    }
}

#[test]
fn classes_follow_from_types() {
    let folder = tempfile::tempdir().unwrap();
    for (expression, class, read) in [
        ("'é'", "Text", "é"),
        ("X'00ff'", "BytesWritable", "00ff"),
        ("5", "LongWritable", "5"),
        ("CAST(-5 AS INT)", "IntWritable", "-5"),
        ("CAST(5 AS TINYINT UNSIGNED)", "LongWritable", "5"),
        ("1.5", "DoubleWritable", "1.5"),
        ("CAST(1.5 AS FLOAT)", "FloatWritable", "1.5"),
        ("true", "BooleanWritable", "true"),
        ("NULL", "NullWritable", ""),
    ] {
        let file = folder.path().join(format!("{class}-{read}.seq"));
        let select = format!("SELECT {expression} AS value, {expression} AS key");
        copy(&select, &file, "STORED AS SEQUENCEFILE").succeeded();
        let sql = format!(
            "SELECT key, value, value_class FROM read_sequencefile('{}')",
            file.display()
        );
        let expected =
            format!("key,value,value_class\n{read},{read},org.apache.hadoop.io.{class}\n");
        assert_eq!(csv(&sql), expected);
    }
}

#[test]
fn small_batches_share_blocks_and_a_file_of_no_rows_has_a_header() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.seq");
    let select = "SELECT value AS key, 'v' || value AS value FROM generate_series(1, 20000)";
    copy(select, &file, "").succeeded();
    let sql = format!(
        "SELECT count(*) AS n, sum(key) AS sum, count(DISTINCT value) AS values, \
           count(DISTINCT \"offset\") < 5 AS few_blocks FROM read_sequencefile('{}')",
        file.display()
    );
    assert_eq!(
        csv(&sql),
        "n,sum,values,few_blocks\n20000,200010000,20000,true\n"
    );

    let empty = folder.path().join("empty.seq");
    copy("SELECT 'x' AS key, 'y' AS value WHERE false", &empty, "").succeeded();
    assert!(fs::read(&empty).unwrap().starts_with(b"SEQ\x06"));
    let sql = format!("SELECT count(*) AS n FROM '{}'", empty.display());
    assert_eq!(csv(&sql), "n\n0\n");
}

#[test]
fn rows_that_are_not_pairs_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.seq");
    let refused = |select: &str, format: &str, messages: [&str; 2]| {
        copy(select, &path, format).failed(1, messages);
    };
    refused("SELECT 1 AS key", "", ["value is missing", "AS value"]);
    refused(
        "SELECT 1 AS key, 2 AS value, 3 AS colour",
        "",
        ["'colour'", "key and value"],
    );
    refused(
        "SELECT 1 AS key, [1] AS value",
        "",
        ["the column value is List", "CAST"],
    );
    refused(
        "SELECT * FROM (VALUES ('first', 'x'), ('second', NULL)) AS t(key, value)",
        "",
        ["the key 'second'", "WHERE"],
    );
    refused(
        "SELECT 1 AS key, 2 AS value",
        "OPTIONS (codec 'lzo')",
        ["'snappy'", "not 'lzo'"],
    );
    refused(
        "SELECT 1 AS key, 2 AS value",
        "OPTIONS (colour 'red')",
        ["no option 'colour'", "'codec'"],
    );
    refused(
        "SELECT 18446744073709551615 AS key, 2 AS value",
        "",
        ["the column key", "64"],
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn rows_become_files() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("unpacked/");
    let select = "SELECT * FROM (VALUES ('a.txt', 'first'), ('sub folder/日本 50%.html', ''), \
                  ('sub folder/c', 'third')) AS t(name, content)";
    copy(select, &target, "STORED AS FILES").succeeded();
    let read = |name: &str| fs::read_to_string(target.join(name)).unwrap();
    assert_eq!(read("a.txt"), "first");
    assert_eq!(read("sub folder/日本 50%.html"), "");
    assert_eq!(read("sub folder/c"), "third");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 2);

    // A second run adds files; bytes are written unchanged.
    let more = "SELECT X'00ff' AS content, 'bytes' AS name";
    copy(more, &target, "STORED AS FILES").succeeded();
    assert_eq!(fs::read(target.join("bytes")).unwrap(), b"\x00\xff");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 3);

    // Equal rows become one file, in one batch or in several.
    let equal = "SELECT 'equal' AS name, 'content' AS content FROM range(0, 20000)";
    copy(equal, &target, "STORED AS FILES").succeeded();
    assert_eq!(fs::read(target.join("equal")).unwrap(), b"content");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 4);
}

#[test]
fn files_are_written_under_their_names_and_only_into_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out/");
    let refused = |values: &str, message: &str| {
        let select = format!("SELECT * FROM (VALUES {values}) AS t(name, content)");
        copy(&select, &target, "STORED AS FILES").failed(1, [message]);
    };
    for name in ["../x", "/x", "", "a/../../x", "a//b", "."] {
        refused(&format!("('{name}', 'x')"), "invalid file name");
    }
    refused("(NULL, 'x')", "the column name is NULL");
    refused("('x', NULL)", "the content of the file 'x' is NULL");
    let name = format!("two rows have the name '{}x'", target.display());
    refused("('x', '1'), ('x', '2')", &name);
    let select = "SELECT 'x' AS name, 'y' AS text";
    copy(select, &target, "STORED AS FILES").failed(1, ["name and content"]);
    let select = "SELECT 'x' AS name, 'y' AS content";
    copy(select, &target, "STORED AS FILES OPTIONS (colour 'red')")
        .failed(1, ["no option 'colour'"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
