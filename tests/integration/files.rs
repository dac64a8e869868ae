//! Packages and compressed files that are truncated, garbled or hostile: every readable row is
//! returned, nothing panics, and resources stay bounded.

use std::fs;
use std::path::Path;

use corpus_bytes::test_data::gzip;
use corpus_sql::session::{SessionOptions, session};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::prelude::SessionContext;

use super::support::{root, run};

const MEMBERS: usize = 3;

/// Name, content length and error of each row.
type Row = (String, Option<i64>, Option<String>);

async fn rows(context: &SessionContext, file: &Path) -> Vec<Row> {
    let sql = format!(
        "SELECT regexp_replace(source_file, '.*[/!]', '') AS name, octet_length(content) AS length, error \
         FROM read_files('{}') ORDER BY source_file",
        file.display()
    );
    let batches = context.sql(&sql).await.unwrap().collect().await.unwrap();
    let mut rows = Vec::new();
    for batch in batches {
        let text = |column: usize| cast(batch.column(column), &DataType::LargeUtf8).unwrap();
        let (names, errors) = (text(0), text(2));
        let (names, errors) = (names.as_string::<i64>(), errors.as_string::<i64>());
        let lengths = batch.column(1).as_primitive::<Int64Type>();
        for row in 0..batch.num_rows() {
            let error = errors.iter().nth(row).flatten().map(str::to_owned);
            let length = lengths.iter().nth(row).flatten();
            rows.push((names.value(row).to_owned(), length, error));
        }
    }
    rows
}

fn sound(rows: &[Row]) -> usize {
    let whole = |row: &&Row| row.1 == Some(1400) && row.2.is_none();
    rows.iter().filter(whole).count()
}

#[tokio::test]
async fn a_tar_cut_anywhere_keeps_the_members_before_the_cut() {
    let context = session(&SessionOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.tar");
    let whole = sound_tar();
    // A header and 1400 bytes in three blocks.
    let member = 512 + 1536;
    for cut in (0..whole.len()).step_by(61) {
        fs::write(&file, &whole[..cut]).unwrap();
        let rows = rows(&context, &file).await;
        if cut < 512 {
            // The file is too short to be recognized as a tar, so it is one plain file.
            assert_eq!(rows.len(), 1, "cut at {cut}: {rows:?}");
            continue;
        }
        let complete = (0..MEMBERS)
            .filter(|n| cut >= n * member + 512 + 1400)
            .count();
        assert_eq!(sound(&rows), complete, "cut at {cut}: {rows:?}");
        let inside = cut < MEMBERS * member && cut % member != 0 && cut % member < 512 + 1400;
        let errors = rows.iter().filter(|row| row.2.is_some()).count();
        assert_eq!(errors, usize::from(inside), "cut at {cut}: {rows:?}");
    }
}

#[tokio::test]
async fn one_garbled_byte_costs_one_member_at_most() {
    let context = session(&SessionOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let zip = fs::read(root().join("data-samples/damaged/cut.zip")).unwrap();
    for (name, whole, lost) in [("garbled.tar", sound_tar(), 1), ("garbled.zip", zip, 2)] {
        let file = folder.path().join(name);
        for position in (0..whole.len()).step_by(37) {
            let mut garbled = whole.clone();
            garbled[position] ^= 0x55;
            fs::write(&file, &garbled).unwrap();
            let rows = rows(&context, &file).await;
            // If the first header is damaged, the file may not be recognized as a package.
            let first_header = position < 512;
            assert!(
                first_header || rows.len() + lost > MEMBERS,
                "byte {position} of {name}: {rows:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_bomb_is_cut_at_the_limit() {
    let context = session(&SessionOptions::default()).unwrap();
    context
        .sql("SET corpus.max_record_bytes = '1MiB'")
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let zeros = vec![0u8; 64 << 20];
    for (name, bytes) in [
        ("bomb.gz", gzip(&zeros)),
        ("bomb.zst", zstd::encode_all(zeros.as_slice(), 1).unwrap()),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let rows = rows(&context, &file).await;
        assert_eq!(rows[0].1, Some(1 << 20), "{name}");
        let error = rows[0].2.as_deref().unwrap_or_default();
        assert!(error.starts_with("content cut"), "{name}: {error}");
    }
}

#[tokio::test]
async fn strange_files_are_rows() {
    let context = session(&SessionOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, length) in [
        ("empty", &b""[..], 0),
        ("a [1] & ü%20.pdf", b"%PDF-", 5),
        ("zeros", &[0; 600], 600),
        ("gzip magic only.gz", b"\x1f\x8b\x08", 0),
        ("zip magic only.zip", b"PK\x03\x04", 0),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let rows = rows(&context, &file).await;
        assert_eq!(rows.len(), 1, "{name}: {rows:?}");
        assert_eq!(rows[0].1.unwrap_or(0), length, "{name}");
        assert_eq!(
            rows[0].2.is_some(),
            name.ends_with("only.gz") || name.ends_with("only.zip")
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_vanishes_or_is_a_dangling_link_does_not_fail_the_query() {
    let context = session(&SessionOptions::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "a").unwrap();
    std::os::unix::fs::symlink("nothing", folder.path().join("link.txt")).unwrap();
    assert!(!rows(&context, folder.path()).await.is_empty());

    // The file disappears after planning.
    let sql = format!(
        "SELECT content, error FROM read_files('{}')",
        folder.path().display()
    );
    let plan = context
        .sql(&sql)
        .await
        .unwrap()
        .create_physical_plan()
        .await
        .unwrap();
    fs::remove_file(folder.path().join("a.txt")).unwrap();
    let batches = datafusion::physical_plan::collect(plan, context.task_ctx())
        .await
        .unwrap();
    let error = batches[0].column(1).as_string::<i64>().value(0);
    assert!(error.starts_with("cannot open file"), "{error}");
}

/// Builds an intact tar with three members of 1400 bytes.
fn sound_tar() -> Vec<u8> {
    let mut tar = fs::read(root().join("data-samples/damaged/header.tar")).unwrap();
    tar[512 + 1536 + 100] ^= 0xff;
    tar
}

#[test]
fn files_excluded_by_a_join_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(name), "x".repeat(4 << 20)).unwrap();
    }
    let path = folder.path().display();
    let wanted = format!("SELECT concat('{path}/', column1) FROM (VALUES ('b'), ('d'))");
    let sql = format!(
        "SELECT octet_length(content) AS length FROM read_files('{path}') WHERE source_file IN ({wanted})"
    );
    let job = run(["--format", "csv", "-c", &sql]);
    assert_eq!(job.succeeded(), "length\n4194304\n");
    job.reports("3 files, 4.00 MiB read");
}
