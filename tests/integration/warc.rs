//! Web archives in SQL: files have the same rows whether or not they are split into ranges.

use corpus_sql::session::{SessionOptions, session};
use datafusion::arrow::util::pretty::pretty_format_batches;

const ROWS: &str = "SELECT source_file, \"offset\", length, warc_type, target_uri, date, \
    octet_length(body) AS body_length, sha256(body) AS body, error \
    FROM read_warc(['data-samples/warc', 'data-samples/damaged-warc']) \
    ORDER BY source_file, \"offset\", record_id, target_uri, length";

async fn rows(threads: usize) -> (String, usize) {
    std::env::set_current_dir(super::support::root()).unwrap();
    let options = SessionOptions {
        threads: Some(threads),
        ..SessionOptions::default()
    };
    let context = session(&options).unwrap();
    // This setting splits even the smallest files.
    let cut_all = "SET datafusion.optimizer.repartition_file_min_size = 1";
    context.sql(cut_all).await.unwrap();
    let frame = context.sql(ROWS).await.unwrap();
    let plan = context
        .sql(&format!("EXPLAIN FORMAT INDENT {ROWS}"))
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    let plan = pretty_format_batches(&plan).unwrap().to_string();
    let batches = frame.collect().await.unwrap();
    let table = pretty_format_batches(&batches).unwrap().to_string();
    (table, plan.matches(":0..").count())
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_have_the_same_rows_as_the_whole() {
    let (serial, _) = rows(1).await;
    assert!(serial.lines().count() > 40, "{serial}");
    for threads in [2, 3, 5, 16, 61] {
        let (parallel, cut) = rows(threads).await;
        assert!(cut > 0, "no file was cut for {threads} threads");
        assert_eq!(serial, parallel, "{threads} threads");
    }
}
