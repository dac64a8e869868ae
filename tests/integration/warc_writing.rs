//! `COPY … STORED AS WARC`: records that are read and written unchanged stay equal.

use std::fs;

use super::support::run;

const COLUMNS: &str = "warc_type, record_id, date, target_uri, content_type, ip_address, \
    payload_digest, block_digest, refers_to, truncated, content_length, headers, \
    encode(sha256(body), 'hex') AS body, body_truncated, error";

fn rows(file: &str) -> String {
    let sql = format!("SELECT {COLUMNS} FROM read_warc('{file}') ORDER BY record_id");
    run(["--quiet", "--format", "csv", "-c", &sql])
        .succeeded()
        .to_owned()
}

#[test]
fn records_written_unchanged_stay_equal() {
    let folder = tempfile::tempdir().unwrap();
    let source = "data-samples/warc/crawl.warc.gz";
    for extension in ["warc", "warc.gz", "warc.zst"] {
        let file = folder.path().join(format!("copy.{extension}"));
        let path = file.to_str().unwrap();
        let sql = format!("COPY (SELECT * FROM read_warc('{source}')) TO '{path}' STORED AS WARC");
        run(["-c", &sql]).succeeded();
        assert_eq!(rows(path), rows(source), "{extension}");
        let magic: &[u8] = match extension {
            "warc" => b"WARC/1.1\r\n",
            "warc.gz" => b"\x1f\x8b",
            _ => b"\x28\xb5\x2f\xfd",
        };
        assert!(fs::read(&file).unwrap().starts_with(magic), "{extension}");
    }
}

#[test]
fn each_record_is_a_separate_gzip_member() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subset.warc.gz");
    let path = file.to_str().unwrap();
    let sql = format!(
        "COPY (SELECT headers, body FROM read_warc('data-samples/warc/plain.warc') \
           WHERE warc_type <> 'request') TO '{path}' STORED AS WARC; \
         SELECT count(*) AS n, count(length) AS members, sum(length) AS bytes FROM read_warc('{path}')"
    );
    let out = run(["--quiet", "--format", "csv", "-c", &sql]);
    let size = fs::metadata(&file).unwrap().len();
    assert_eq!(out.succeeded(), format!("n,members,bytes\n3,3,{size}\n"));
}

#[test]
fn records_are_made_from_columns_and_from_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let parquet = folder.path().join("records.parquet");
    let warc = folder.path().join("records.warc");
    let made = folder.path().join("made.warc");
    let (parquet, warc, made) = (parquet.display(), warc.display(), made.display());
    let sql = format!(
        "COPY (SELECT * FROM read_warc('data-samples/warc/crawl.warc.gz')) TO '{parquet}'; \
         COPY (SELECT * FROM '{parquet}') TO '{warc}' STORED AS WARC; \
         COPY (SELECT 'resource' AS warc_type, 'http://a/' AS target_uri, 'text/plain' AS content_type, \
               'hello' AS body, TIMESTAMP '2024-01-02T03:04:05Z' AS date) TO '{made}' STORED AS WARC; \
         SELECT warc_type, target_uri, content_type, date, content_length, record_id IS NOT NULL AS id, \
           CAST(body AS text) AS body FROM read_warc('{made}')"
    );
    let out = run(["--quiet", "--format", "csv", "-c", &sql]);
    assert_eq!(
        out.succeeded(),
        "warc_type,target_uri,content_type,date,content_length,id,body\n\
         resource,http://a/,text/plain,2024-01-02T03:04:05Z,5,true,hello\n"
    );
    assert_eq!(
        rows(&warc.to_string()),
        rows("data-samples/warc/crawl.warc.gz")
    );
}

#[test]
fn rows_that_are_not_records_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc.gz");
    let copy = |select: &str| {
        let sql = format!("COPY ({select}) TO '{}' STORED AS WARC", path.display());
        run(["-c", &sql])
    };
    copy("SELECT 'response' AS warc_type, 1 AS colour").failed(1, ["'colour'", "target_uri"]);
    copy("SELECT 'x' AS body").failed(1, ["warc_type or headers"]);
    copy("SELECT * FROM read_warc('data-samples/damaged-warc')")
        .failed(1, ["warc_type IS NOT NULL"]);
    copy("SELECT 'response' AS warc_type, 'x' AS headers").failed(1, ["headers"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Returns the header of each record of an uncompressed archive.
fn headers(path: &std::path::Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let records = text.split("WARC/1.1\r\n").skip(1);
    let head = |record: &str| record.split("\r\n\r\n").next().unwrap().to_owned();
    records.map(head).collect()
}

#[test]
fn records_keep_their_order_on_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let body = "encode(sha512(CAST(value AS TEXT)), 'hex') || encode(sha512('x' || value), 'hex') \
                || encode(sha512('y' || value), 'hex') || encode(sha512('z' || value), 'hex')";
    for (format, columns, key) in [
        (
            "warc.gz",
            "'resource' AS warc_type, CAST(value AS TEXT) AS target_uri, body",
            "target_uri",
        ),
        (
            "warc",
            "'resource' AS warc_type, CAST(value AS TEXT) AS target_uri, body",
            "target_uri",
        ),
        ("seq", "CAST(value AS TEXT) AS key, body AS value", "key"),
    ] {
        let path = |name: &str| folder.path().join(format!("{name}.{format}"));
        let (first, second, third) = (path("a"), path("b"), path("c"));
        let sql = format!(
            "COPY (SELECT {columns} FROM (SELECT value, {body} AS body \
                   FROM generate_series(100001, 108000) ORDER BY value)) TO '{first}' {stored}; \
             COPY (SELECT * FROM '{first}') TO '{second}' {stored}; \
             COPY (SELECT * FROM '{first}' WHERE {key} NOT LIKE '%7') TO '{third}' {stored}",
            stored = if key == "key" { "" } else { "STORED AS WARC" },
            first = first.display(),
            second = second.display(),
            third = third.display(),
        );
        run(["--quiet", "--threads", "4", "-c", &sql]).succeeded();
        for (file, expected) in [(&second, 8000), (&third, 7200)] {
            let sql = format!("SELECT {key} AS k FROM '{}'", file.display());
            let out = run(["--quiet", "--threads", "1", "--format", "csv", "-c", &sql]);
            let keys: Vec<_> = out.succeeded().lines().skip(1).collect();
            assert_eq!(keys.len(), expected, "{format}");
            assert!(keys.is_sorted(), "{format}");
        }
    }
}

#[test]
fn a_changed_column_wins_over_the_headers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc");
    let write = |changes: &str| {
        let sql = format!(
            "COPY (SELECT * REPLACE ({changes}) FROM read_warc('data-samples/warc/plain.warc') \
                   WHERE warc_type = 'response') TO '{}' STORED AS WARC",
            path.display()
        );
        run(["--quiet", "-c", &sql]).succeeded();
        let headers = headers(&path);
        assert!(!headers.is_empty());
        headers
    };
    let unchanged = write("body AS body");
    for (column, expression, line) in [
        (
            "target_uri",
            "'http://new/'",
            "WARC-Target-URI: http://new/",
        ),
        ("warc_type", "'resource'", "WARC-Type: resource"),
        ("record_id", "'urn:x'", "WARC-Record-ID: <urn:x>"),
        (
            "date",
            "TIMESTAMP '2001-02-03T04:05:06Z'",
            "WARC-Date: 2001-02-03T04:05:06Z",
        ),
        (
            "date",
            "'2001-02-03T04:05:06Z'",
            "WARC-Date: 2001-02-03T04:05:06Z",
        ),
        ("content_type", "'text/plain'", "Content-Type: text/plain"),
        ("ip_address", "'1.2.3.4'", "WARC-IP-Address: 1.2.3.4"),
        ("refers_to", "'urn:y'", "WARC-Refers-To: <urn:y>"),
        ("truncated", "'time'", "WARC-Truncated: time"),
        ("body", "'hello'", "Content-Length: 5"),
    ] {
        let name = line.split(": ").next().unwrap();
        let without = |header: &String| {
            let lines = header.lines().filter(|line| !line.starts_with(name));
            let lines = lines.filter(|line| !line.contains("Digest") && !line.is_empty());
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let changed = write(&format!("{expression} AS {column}"));
        for (before, after) in unchanged.iter().zip(&changed) {
            assert!(after.lines().any(|found| found == line), "{line}: {after}");
            assert_eq!(without(before), without(after));
        }
    }
    for header in write("NULL AS target_uri") {
        assert!(!header.contains("WARC-Target-URI"), "{header}");
    }
}

#[test]
fn the_digests_of_a_changed_body_are_those_of_the_body() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc.gz");
    let check = |body: &str, expected: &str| {
        let sql = format!(
            "COPY (SELECT * REPLACE ({body} AS body) FROM read_warc('data-samples/warc/crawl.warc.gz')) \
             TO '{path}' STORED AS WARC; \
             SELECT DISTINCT warc_digest_ok(block_digest, body) AS block FROM read_warc('{path}') \
             WHERE block_digest IS NOT NULL",
            path = path.display()
        );
        let out = run(["--quiet", "--format", "csv", "-c", &sql]);
        assert_eq!(out.succeeded(), format!("block\n{expected}\n"), "{body}");
    };
    check("body", "true");
    check("'something else'", "true");
    check(
        "CASE WHEN warc_type = 'response' THEN arrow_cast('x', 'LargeBinary') ELSE body END",
        "true",
    );
}

#[test]
fn columns_of_wrong_types_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |columns: &str, target: &str, messages: [&str; 2]| {
        let sql = format!(
            "COPY (SELECT {columns}) TO '{}/{target}'",
            folder.path().display()
        );
        run(["--quiet", "-c", &sql]).failed(1, messages);
    };
    for column in [
        "target_uri",
        "record_id",
        "content_type",
        "ip_address",
        "payload_digest",
        "block_digest",
        "refers_to",
        "refers_to_target_uri",
        "profile",
        "truncated",
    ] {
        for value in ["5", "true", "X'00ff'", "DATE '2020-01-01'", "[1]"] {
            let columns = format!("'resource' AS warc_type, {value} AS {column}");
            refused(
                &columns,
                "x.warc",
                [&format!("the column {column} is "), "expected text"],
            );
        }
    }
    for (column, values, expected) in [
        ("body", ["5", "true", "1.5"], "expected binary or text"),
        ("date", ["5", "true", "1.5"], "expected a timestamp"),
        (
            "refers_to_date",
            ["5", "true", "1.5"],
            "expected a timestamp",
        ),
        ("headers", ["5", "'x'", "1.5"], "expected a list"),
        ("body_truncated", ["5", "'x'", "1.5"], "expected a boolean"),
    ] {
        for value in values {
            let columns = format!("'resource' AS warc_type, {value} AS {column}");
            refused(
                &columns,
                "x.warc",
                [&format!("the column {column} is "), expected],
            );
        }
    }
    for column in ["date", "refers_to_date"] {
        let columns = format!("'resource' AS warc_type, 'not a date' AS {column}");
        refused(&columns, "x.warc", [column, "not a date"]);
        let columns = format!(
            "'resource' AS warc_type, column1 AS {column} FROM (VALUES ('2020-01-01'), ('later'))"
        );
        refused(&columns, "x.warc", [column, "later"]);
    }
    let name = "'resource' AS warc_type, [{'name': 'a:b', 'value': 'c'}] AS headers";
    refused(name, "x.warc", ["'a:b'", "no colon"]);
    for value in ["5", "true", "1.5", "DATE '2020-01-01'"] {
        let columns = format!("'x' AS name, {value} AS content");
        refused(
            &columns,
            "x.files",
            ["the column content is ", "expected binary or text"],
        );
    }
    refused(
        "1.5 AS name, 'x' AS content",
        "x.files",
        ["the column name is ", "expected text"],
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A record whose digest does not match, because its body was damaged after writing.
const DAMAGED: &str = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:a>\r\n\
    WARC-Date: 2020-01-01\r\nWARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
    Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";

#[test]
fn records_that_a_query_passes_on_keep_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (source, copy) = (folder.path().join("a.warc"), folder.path().join("b.warc"));
    fs::write(&source, DAMAGED).unwrap();
    let write = |query: &str| {
        let query = query.replace("READ", &format!("read_warc('{}')", source.display()));
        let sql = format!("COPY ({query}) TO '{}' STORED AS WARC", copy.display());
        run(["--quiet", "-c", &sql]).succeeded();
        fs::read_to_string(&copy).unwrap()
    };
    for query in [
        "SELECT * FROM READ",
        "SELECT headers AS headers, body FROM (SELECT * FROM READ WHERE date IS NOT NULL ORDER BY date LIMIT 5)",
        "SELECT t.* FROM READ AS t JOIN (VALUES ('urn:a')) AS v(id) ON t.record_id = v.id",
        "SELECT * FROM READ UNION ALL SELECT * FROM READ WHERE warc_type = 'request'",
        "WITH r AS (SELECT * FROM READ) SELECT headers, body FROM r WHERE html_document(body) IS NOT NULL",
    ] {
        assert_eq!(write(query), DAMAGED, "{query}");
    }
    let right = DAMAGED.replace(&"A".repeat(32), "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
    for query in [
        "SELECT * REPLACE ('hello' AS body) FROM READ",
        "SELECT headers, arrow_cast('hello', 'LargeBinary') AS body FROM READ",
    ] {
        assert_eq!(write(query), right, "{query}");
    }
}
