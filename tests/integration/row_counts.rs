//! The number of rows does not depend on the columns that a query reads.

use std::fs;
use std::path::PathBuf;

use corpus_sql::session::{SessionOptions, session};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::prelude::SessionContext;

use super::support::{files_in, root};

/// A folder of samples, the function that reads it, and the column with the payload.
const SOURCES: [(&str, &str, &str); 8] = [
    ("damaged-sequence", "read_sequencefile", "value"),
    ("sequence", "read_sequencefile", "value"),
    ("damaged-warc", "read_warc", "body"),
    ("warc", "read_warc", "body"),
    ("damaged", "read_files", "content"),
    ("files", "read_files", "content"),
    ("damaged-pdf", "read_pdf", "content"),
    ("book", "read_files", "content"),
];

/// The first column of the only row; `None` if the query fails.
async fn count(context: &SessionContext, sql: &str) -> Option<i64> {
    let batches = context.sql(sql).await.ok()?.collect().await.ok()?;
    let batch = batches.first().unwrap_or_else(|| panic!("no rows: {sql}"));
    Some(batch.column(0).as_primitive::<Int64Type>().value(0))
}

/// Makes copies of a file with a damaged byte in different places, which checksums detect. Returns
/// them with the file.
fn with_damaged_copies(file: PathBuf, folder: &tempfile::TempDir) -> Vec<PathBuf> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = fs::read(&file).unwrap();
    let mut files = vec![file];
    if bytes.is_empty() {
        return files;
    }
    for tenth in [5, 9] {
        let mut damaged = bytes.clone();
        damaged[bytes.len() * tenth / 10] ^= 0x10;
        let copy = folder.path().join(format!("{tenth}-{name}"));
        fs::write(&copy, damaged).unwrap();
        files.push(copy);
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_the_same_for_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&SessionOptions::default()).unwrap();
    let set = async |name: &str, value: &str| {
        let sql = format!("SET corpus.{name} = '{value}'");
        context.sql(&sql).await.unwrap();
    };
    let mut skipped = 0;
    for (samples, function, payload) in SOURCES {
        let files = files_in(&format!("data-samples/{samples}"), "");
        let files = files.into_iter().filter(|path| path.is_file());
        for file in files.flat_map(|file| with_damaged_copies(file, &folder)) {
            let table = format!("{function}('{}')", root().join(&file).display());
            let query = |columns: &str| format!("SELECT count(*){columns} FROM {table}");
            for limit in ["128MiB", "100"] {
                set("max_record_bytes", limit).await;
                set("on_error", "row").await;
                let all = count(&context, &query("")).await;
                for on_error in ["row", "skip", "fail"] {
                    set("on_error", on_error).await;
                    let rows = count(&context, &query("")).await;
                    for column in [payload, "error", "source_file"] {
                        let with = count(&context, &query(&format!(", count({column})"))).await;
                        assert_eq!(rows, with, "{table} {on_error} {limit} {column}");
                    }
                    skipped += usize::from(on_error == "skip" && rows < all);
                }
            }
        }
    }
    assert!(skipped > 20, "{skipped}");
}
