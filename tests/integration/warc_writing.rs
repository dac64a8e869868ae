//! `COPY … STORED AS WARC`: what is read and written unchanged compares equal.

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
fn what_is_written_unchanged_is_read_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let source = "data-samples/warc/crawl.warc.gz";
    for ending in ["warc", "warc.gz", "warc.zst"] {
        let file = folder.path().join(format!("copy.{ending}"));
        let path = file.to_str().unwrap();
        let sql = format!("COPY (SELECT * FROM read_warc('{source}')) TO '{path}' STORED AS WARC");
        run(["-c", &sql]).succeeded();
        assert_eq!(rows(path), rows(source), "{ending}");
        let magic: &[u8] = match ending {
            "warc" => b"WARC/1.1\r\n",
            "warc.gz" => b"\x1f\x8b",
            _ => b"\x28\xb5\x2f\xfd",
        };
        assert!(fs::read(&file).unwrap().starts_with(magic), "{ending}");
    }
}

#[test]
fn each_record_is_a_member_of_its_own() {
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
fn what_is_no_record_is_refused() {
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
