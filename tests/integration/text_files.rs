//! The columns and values of CSV and JSON files.

use std::fs;
use std::io::Write;

use super::data_files::Files;
use super::support::run;

#[test]
fn a_key_that_an_object_has_twice_is_reported() {
    let files = Files::new(&[]);
    let lines = "{\"a\":1}\n{\"a\":1,\"b\":{\"c\":2,\"c\":3}}\n{\"a\":4,\"a\":5}\n";
    fs::write(files.path().join("twice.jsonl"), lines).unwrap();
    let ran = files.query("SELECT a, b['c'] AS c FROM '{}/twice.jsonl'");
    assert_eq!(ran.succeeded(), "a,c\n1,\n1,3\n5,\n");
    ran.reports("line 2 of '");
    ran.reports("twice.jsonl' has the key 'c' twice in one object: its last value is read");
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
    for extension in ["json", "jsonl", "ndjson"] {
        fs::write(files.path().join(format!("lines.{extension}")), &lines).unwrap();
        let sql = format!("SELECT count(late), max(late), max(a) FROM '{{}}/lines.{extension}'");
        let ran = files.query(&sql);
        assert_eq!(
            ran.succeeded().lines().nth(1),
            Some("1,x,2.5"),
            "{extension}"
        );
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
fn a_large_json_array_is_read_on_several_threads() {
    let files = Files::new(&[]);
    let text = "x".repeat(500);
    // Scans divide files above 10 MiB into ranges.
    let records = (0..24_000).map(|n| format!("{{\"n\": {n},\n \"text\": \"{text}\"}}"));
    let records: Vec<String> = records.collect();
    let array = format!("[\n{}\n]\n", records.join(",\n"));
    assert!(array.len() > 11 << 20);
    let path = files.path().join("array.json");
    fs::write(&path, array).unwrap();
    let sql = format!(
        "SELECT count(*), sum(n), sum(length(text)) FROM '{}'",
        path.display()
    );
    let ran = run(["-q", "--threads", "4", "--format", "csv", "-c", &sql]);
    assert_eq!(
        ran.succeeded().lines().nth(1),
        Some("24000,287988000,12000000")
    );
}

#[test]
fn escapes_in_json_are_the_characters_that_they_stand_for() {
    let text = "𠮷野家の𩸽 😀 \u{2f804} \\ud842";
    let escaped: String = text
        .encode_utf16()
        .map(|unit| match unit {
            0x5c => "\\\\".to_owned(),
            0x20..=0x7e => char::from_u32(unit.into()).unwrap().to_string(),
            unit => format!("\\u{unit:04x}"),
        })
        .collect();
    let record = format!("{{\"text\": \"{escaped}\", \"{escaped}\": 1}}\n");
    let files = Files::new(&[]);
    fs::write(files.path().join("lines.jsonl"), record.repeat(3)).unwrap();
    fs::write(
        files.path().join("array.json"),
        format!("[{record},{record}]"),
    )
    .unwrap();
    // Scans divide this one into ranges.
    fs::write(files.path().join("large.jsonl"), record.repeat(150_000)).unwrap();
    for (name, count) in [
        ("lines.jsonl", 3),
        ("array.json", 2),
        ("large.jsonl", 150_000),
    ] {
        let sql = format!(
            "SELECT count(*) FILTER (WHERE text = '{text}') AS texts, sum(\"{text}\") AS keys \
             FROM '{}/{name}'",
            files.path().display()
        );
        let ran = run(["-q", "--threads", "4", "--format", "csv", "-c", &sql]);
        assert_eq!(
            ran.succeeded(),
            format!("texts,keys\n{count},{count}\n"),
            "{name}"
        );
    }
}

#[test]
fn unpaired_surrogates_cost_only_themselves() {
    let files = Files::new(&[]);
    let lines = "{\"a\": \"x\\ud800y\"}\n{\"a\": \"\\udc00\"}\n{\"a\": \"z\"}\n";
    fs::write(files.path().join("lines.jsonl"), lines).unwrap();
    let ran = files.query("SELECT a FROM '{}/lines.jsonl'");
    assert_eq!(ran.succeeded(), "a\nx\u{fffd}y\n\u{fffd}\nz\n");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text_file() {
    let files = Files::new(&[]);
    let mark = "\u{feff}";
    fs::write(files.path().join("a.json"), format!("{mark}[{{\"a\": 1}}]")).unwrap();
    fs::write(
        files.path().join("a.jsonl"),
        format!("{mark}{{\"a\": 1}}\n"),
    )
    .unwrap();
    for name in ["a.json", "a.jsonl"] {
        let ran = files.query(&format!("SELECT a FROM '{{}}/{name}'"));
        assert_eq!(ran.succeeded(), "a\n1\n", "{name}");
    }
}

#[test]
fn scalars_of_several_types_are_texts() {
    let files = Files::new(&[]);
    let lines = "{\"a\": 1}\n{\"a\": \"x\"}\n{\"a\": true}\n{\"a\": null}\n{\"a\": 1.5}\n";
    fs::write(files.path().join("mixed.jsonl"), lines).unwrap();
    let ran = files.query("SELECT a FROM '{}/mixed.jsonl'");
    assert_eq!(ran.succeeded(), "a\n1\nx\ntrue\n\"\"\n1.5\n");
}

#[test]
fn texts_beside_lists_or_objects_are_texts() {
    let files = Files::new(&[]);
    let texts = r#"["a",1]"#;
    for (name, records) in [
        ("text_first.jsonl", [r#"{"t":"x"}"#, r#"{"t":["a",1]}"#]),
        ("list_first.jsonl", [r#"{"t":["a",1]}"#, r#"{"t":"x"}"#]),
    ] {
        // Longer than a batch and than the input of one call of a reader.
        let filler = format!("{{\"t\":\"{}\"}}\n", "f".repeat(2000));
        let lines = format!("{}\n{}{}\n", records[0], filler.repeat(10_000), records[1]);
        fs::write(files.path().join(name), lines).unwrap();
        let ran = files.query(&format!(
            "SELECT count(*), count(t) FROM '{{}}/{name}'; \
             SELECT t FROM '{{}}/{name}' WHERE length(t) < 100 ORDER BY t"
        ));
        let expected = format!("10002,10002\nt\n\"{}\"\nx\n", texts.replace('"', "\"\""));
        assert!(
            ran.succeeded().ends_with(&expected),
            "{name}: {}",
            ran.succeeded()
        );
    }
    fs::write(
        files.path().join("nested.json"),
        r#"[{"m":{"a":1},"l":[1,{"b":2}]},{"m":"x","l":[]},{"m":null,"l":"y"}]"#,
    )
    .unwrap();
    let ran = files.query("SELECT m FROM '{}/nested.json'; SELECT l FROM '{}/nested.json'");
    let expected = "m\n\"{\"\"a\"\":1}\"\nx\n\"\"\nl\n\"[1,{\"\"b\"\":2}]\"\n[]\ny\n";
    assert_eq!(ran.succeeded(), expected);
}

#[test]
fn objects_that_are_always_empty_are_texts() {
    let files = Files::new(&[]);
    let lines =
        "{\"m\":{},\"l\":[{},{}],\"s\":{\"x\":{},\"n\":1}}\n{\"m\":{},\"l\":[],\"s\":null}\n";
    fs::write(files.path().join("a.jsonl"), lines).unwrap();
    let ran = files.query(
        "COPY (SELECT * FROM '{}/a.jsonl') TO '{}/a.parquet';
         SELECT m, l::VARCHAR AS l, s::VARCHAR AS s FROM '{}/a.parquet'",
    );
    let rows = "{},\"['{}', '{}']\",\"{'x': '{}', 'n': 1}\"\n{},[],\n";
    assert!(ran.succeeded().ends_with(rows), "{}", ran.stdout);
}

#[test]
fn values_of_json_that_do_not_fit_are_reported_with_their_line_and_column() {
    let files = Files::new(&[]);
    let lines = "{\"n\":1,\"s\":\"a\"}\n".repeat(200_000) + "{\"n\":[2],\"s\":\"b\"}\n{\"n\":3}\n";
    fs::write(files.path().join("a.jsonl"), lines).unwrap();
    // In one partition, and in many.
    for threads in [1, 4] {
        let declared = |columns: &str| {
            files.query(&format!(
                "SET datafusion.execution.target_partitions = {threads};
                 SET datafusion.optimizer.repartition_file_min_size = 1000;
                 CREATE EXTERNAL TABLE t ({columns}) STORED AS JSON LOCATION '{{}}/a.jsonl';
                 SELECT count(n) AS n, max(length(CAST(n AS TEXT))) AS length FROM t"
            ))
        };
        let ran = declared("n BIGINT, s TEXT");
        ran.failed(
            1,
            [
                "a.jsonl': line 200001: ",
                "field 'n'",
                "declare the column as text",
            ],
        );
        let ran = declared("n TEXT, s TEXT");
        assert_eq!(ran.succeeded(), "n,length\n200002,3\n");
    }
}

#[test]
fn columns_of_json_are_in_the_order_of_their_fields() {
    let files = Files::new(&[]);
    let lines = "{\"url\": 1, \"document\": 2}\n{\"url\": 3, \"date\": 4, \"document\": 5}\n";
    fs::write(files.path().join("documents.jsonl"), lines).unwrap();
    let ran = files.query("SELECT * FROM '{}/documents.jsonl'");
    assert_eq!(ran.succeeded(), "url,document,date\n1,2,\n3,5,4\n");
}

#[test]
fn integers_in_json_keep_their_digits() {
    let files = Files::new(&[]);
    let lines = "{\"a\": 1, \"b\": {\"c\": [18446744073709551615]}}\n\
                 {\"a\": 9223372036854775808, \"b\": {\"c\": []}}\n\
                 {\"a\": -9223372036854775808, \"b\": {\"c\": [5]}}\n";
    fs::write(files.path().join("hashes.jsonl"), lines).unwrap();
    let ran = files.query("SELECT a, b['c'][1] AS c FROM '{}/hashes.jsonl'");
    let expected = "a,c\n1,18446744073709551615\n9223372036854775808,\n-9223372036854775808,5\n";
    assert_eq!(ran.succeeded(), expected);
}

#[test]
fn a_damaged_json_array_is_reported_with_its_file() {
    for (text, expected) in [
        ("[{\"a\":1},{\"a\":2},", "ends inside its JSON array"),
        ("[{\"a\":1},{\"a\":\"x]", "ends inside its JSON array"),
        ("[{\"a\":1}]x", "has text after its JSON array"),
        ("[{\"a\":1},\n{\"a\":}]", "record 2 of '"),
    ] {
        let files = Files::new(&[]);
        fs::write(files.path().join("array.json"), text).unwrap();
        let ran = files.query("SELECT * FROM '{}/array.json'");
        ran.failed(1, ["array.json'", expected]);
    }
}

#[test]
fn invalid_json_is_reported_with_its_file_and_line() {
    let files = Files::new(&[]);
    let lines = format!("{}{{\"a\":\n{{\"a\":3}}\n", "{\"a\":1}\n".repeat(20));
    fs::write(files.path().join("cut.jsonl"), lines).unwrap();
    let strict = "SET corpus.on_error = 'fail'; SELECT * FROM '{}/cut.jsonl'";
    for sql in [
        strict,
        "SELECT * FROM read_json('{}/cut.jsonl', ignore_errors => false)",
    ] {
        let ran = files.query(sql);
        ran.failed(1, ["line 21 of '", "cut.jsonl' is not valid JSON"]);
    }
    // Without a record, the file has another format.
    fs::write(files.path().join("page.jsonl"), "<html>\n<p>\n").unwrap();
    let ran = files.query("SELECT * FROM '{}/page.jsonl'");
    ran.failed(1, ["line 1 of '", "page.jsonl' is not valid JSON"]);
}

#[test]
fn damaged_lines_of_json_cost_only_themselves() {
    let files = Files::new(&[]);
    let good = |from: usize, to: usize| -> String {
        let lines =
            (from..to).map(|n| format!("{{\"n\":{n},\"m\":{{}},\"t\":\"{}\"}}\n", "x".repeat(99)));
        lines.collect()
    };
    let text = [
        good(0, 5000),
        "{\"n\":1,\"t\":\"open\n".to_owned(),
        good(5000, 5001),
        "\0\0\0\0{\"n\":2}\n[3]\n".to_owned(),
        good(5001, 20_000),
        "{\"n\":4,\"t\"".to_owned(),
    ];
    fs::write(files.path().join("a.jsonl"), text.concat()).unwrap();
    let strict = "SET corpus.on_error = 'fail';";
    for (setting, options, threads) in [
        ("", "", 1),
        ("", "", 4),
        (strict, ", ignore_errors => true", 4),
    ] {
        for columns in ["count(*) AS c", "sum(n) AS c", "count(m) AS c"] {
            let sql = format!(
                "{setting} SET datafusion.execution.target_partitions = {threads};
                 SET datafusion.optimizer.repartition_file_min_size = 1000;
                 SELECT {columns} FROM read_json('{}/a.jsonl'{options})",
                files.path().display()
            );
            let ran = run(["--format", "csv", "-c", &sql]);
            let expected = if columns.starts_with("sum") {
                "c\n199990000\n"
            } else {
                "c\n20000\n"
            };
            assert_eq!(ran.succeeded(), expected, "{columns} {threads}");
            ran.reports("a.jsonl' is not valid JSON (");
            ran.reports("4 errors");
            ran.reports("4 × line that is not valid JSON, left out");
            if threads == 1 {
                ran.reports("line 5001 of '");
            }
        }
    }
}

#[test]
fn columns_are_those_of_the_records_beside_damaged_lines() {
    let files = Files::new(&[]);
    // Arrow takes the tab, which JSON does not allow.
    let lines =
        "{\"n\":1.5,\"t\":\"a\tb\"}\n{\"n\":2,\"t\":\"c\"}\n{\"n\":3,\"t\":\"d\",\"u\":true}\n";
    fs::write(files.path().join("a.jsonl"), lines).unwrap();
    let ran = files.query("SELECT t, u FROM '{}/a.jsonl'");
    assert_eq!(ran.succeeded(), "t,u\na\tb,\nc,\nd,true\n");
    let ran = files.query("SELECT sum(n) AS n FROM '{}/a.jsonl'");
    ran.failed(1, ["a.jsonl': line 1: "]);
}

#[test]
fn jobs_read_the_lines_beside_damaged_ones() {
    let files = Files::new(&[]);
    let lines = "{\"id\":1,\"text\":\"a\"}\n{\"id\":2\n{\"id\":3,\"text\":\"a\"}\n";
    fs::write(files.path().join("in.jsonl"), lines).unwrap();
    let name = |name: &str| files.path().join(name).display().to_string();
    let ran = run(["run", "dedup_exact", &name("in.jsonl"), "-o", &name("out/")]);
    ran.succeeded();
    ran.reports("line 2 of '");
    ran.reports("line that is not valid JSON, left out");
    let ran = run([
        "run",
        "dedup_exact",
        &name("in.jsonl"),
        "-o",
        &name("other/"),
        "--fail-on-errors",
    ]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

#[test]
fn the_damaged_file_is_named_beside_arrays() {
    let files = Files::new(&[]);
    let write = |name, text: &str| fs::write(files.path().join(name), text).unwrap();
    write("a.jsonl", "{\"a\":1}\n");
    write("b.json", "[{\"a\":2}]");
    write("c.jsonl", "{\"a\":3}\n{\"a\":");
    let ran = files.query("SET corpus.on_error = 'fail'; SELECT * FROM '{}/'");
    ran.failed(1, ["c.jsonl'"]);
    assert!(!ran.stderr.contains("b.json"), "{}", ran.stderr);
}

#[test]
fn a_csv_file_of_another_charset_is_reported_as_such() {
    let files = Files::new(&[]);
    fs::write(files.path().join("latin.csv"), b"a,b\n1,caf\xe9\n").unwrap();
    let ran = files.query("SELECT * FROM '{}/latin.csv'");
    ran.failed(1, ["latin.csv': it is not UTF-8 (in ", "convert it"]);
}

#[test]
fn a_truncated_compressed_file_is_reported_as_such() {
    let files = Files::new(&[]);
    let text: String = (0..5000)
        .map(|n| format!("{{\"a\":\"{}\"}}\n", n * n))
        .collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    let cut = &compressed[..compressed.len() / 2];
    for name in ["cut.jsonl.gz", "cut.csv.gz"] {
        fs::write(files.path().join(name), cut).unwrap();
        let ran = files.query(&format!("SELECT * FROM '{{}}/{name}'"));
        ran.failed(1, [name, "is truncated", "download or copy it again"]);
    }
}

#[test]
fn values_of_csv_that_do_not_fit_are_reported_with_their_file_and_line() {
    let files = Files::new(&[]);
    let lines = format!("n\n{}abc\n", "1\n".repeat(3000));
    fs::write(files.path().join("late.csv"), lines).unwrap();
    let ran = files.query("SELECT max(n) FROM '{}/late.csv'");
    ran.failed(
        1,
        [
            "late.csv' with the types of its first records",
            "record 3001 has 'abc' in the column 'n' of type BIGINT",
            "it is not a whole number",
        ],
    );
    let declared = "CREATE EXTERNAL TABLE late (n TEXT) STORED AS CSV LOCATION '{}/late.csv'; \
                    SELECT max(n) AS n FROM late";
    assert_eq!(files.query(declared).succeeded(), "n\nabc\n");
}

#[test]
fn quoted_line_ends_do_not_hide_the_columns_of_a_csv_file() {
    let files = Files::new(&[]);
    // Chunks of any size end inside quotes.
    let long = format!("\"{}\"", "a\n".repeat(6000));
    let csv = format!("name,text\n{}", format!("x,{long}\n").repeat(30));
    fs::write(files.path().join("long.csv"), csv).unwrap();
    let ran = files.query("SELECT count(*), sum(length(text)) FROM '{}/long.csv'");
    assert_eq!(ran.succeeded().lines().nth(1), Some("30,360000"));
}

#[test]
fn carriage_returns_may_end_the_lines_of_csv() {
    let files = Files::new(&[]);
    let write = |name: &str, text: &str| fs::write(files.path().join(name), text).unwrap();
    write("a.csv", "a;b\r1;\"x\ry\"\r2;z\nz\r3;");
    let ran = files
        .query("SELECT a, replace(replace(b, chr(13), 'R'), chr(10), 'N') AS b FROM '{}/a.csv'");
    assert_eq!(ran.succeeded(), "a,b\n1,xRy\n2,zNz\n3,\n");
    let lines: String = (0..300_000).map(|n| format!("{n},text of {n}\r")).collect();
    write("long.csv", &format!("n,t\r{lines}"));
    let ran = files.query(
        "SET datafusion.execution.target_partitions = 4;
         SET datafusion.optimizer.repartition_file_min_size = 1000;
         SELECT count(*) AS c, sum(n) AS s, typeof(max(n)) AS t FROM '{}/long.csv'",
    );
    assert_eq!(ran.succeeded(), "c,s,t\n300000,44999850000,BIGINT\n");
}

#[test]
fn the_line_of_excel_names_the_delimiter_of_csv() {
    let files = Files::new(&[]);
    let write = |name: &str, text: &str| fs::write(files.path().join(name), text).unwrap();
    let lines: String = (0..200).map(|n| format!("{n}^x,{n}\r\n")).collect();
    write("a.csv", &format!("\u{feff}sep=^\r\nn^t\r\n{lines}"));
    write("b.csv", "n^t\n1000^y\n");
    for threads in [1, 4] {
        let ran = files.query(&format!(
            "SET datafusion.execution.target_partitions = {threads};
             SET datafusion.optimizer.repartition_file_min_size = 100;
             SELECT count(*) AS c, sum(n) AS s, max(t) AS t FROM '{{}}/'"
        ));
        assert_eq!(ran.succeeded(), "c,s,t\n201,20900,y\n", "{threads}");
    }
}
