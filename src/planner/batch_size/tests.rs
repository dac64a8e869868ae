//! The batch sizes in plans of many shapes, and the sizes of batches while queries run.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use corpus_udfs::function::{Function, Parameter};
use datafusion::arrow::array::{ArrayRef, RecordBatch};
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;
use tempfile::TempDir;

use super::*;
use crate::session::{SessionOptions, session};

const ROWS: usize = 20_000;

/// A session with tables in memory and in files: `texts` and `numbers` of 20,000 rows each.
struct Tables {
    context: SessionContext,
    folder: TempDir,
}

impl Tables {
    async fn new() -> Self {
        let options = SessionOptions {
            threads: Some(1),
            ..SessionOptions::default()
        };
        let tables = Self {
            context: session(&options).unwrap(),
            folder: TempDir::new().unwrap(),
        };
        let series = format!("generate_series(1, {ROWS})");
        let url = "'https://host.example/' || value AS url";
        for sql in [
            format!(
                "CREATE TABLE texts AS SELECT value AS id, {url}, \
                 repeat(value || ' words ', 30 + value % 10) AS document FROM {series}"
            ),
            format!(
                "CREATE TABLE numbers AS SELECT value AS id, value % 7 AS n, {url} FROM {series}"
            ),
            "COPY texts TO '{}/texts.parquet'".to_owned(),
            "COPY (SELECT id, url, repeat(md5(url), 2000) AS document FROM texts WHERE id <= 100) \
             TO '{}/books.parquet'"
                .to_owned(),
            "COPY (SELECT document, [document] AS parts FROM (SELECT \
             string_agg(md5(CAST(value AS VARCHAR)), '') AS document FROM generate_series(1, 100000))) \
             TO '{}/long.parquet'"
                .to_owned(),
            "COPY numbers TO '{}/numbers.parquet'".to_owned(),
            "COPY (SELECT * FROM texts WHERE id < 100) TO '{}/texts.json'".to_owned(),
            "COPY (SELECT * FROM texts WHERE id < 100) TO '{}/texts.csv'".to_owned(),
        ] {
            tables.run(&sql).await;
        }
        tables
    }

    /// Fills in the folders of a query: `{}` is that of the files, `{samples}` that of the samples.
    fn complete(&self, sql: &str) -> String {
        let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data-samples");
        let folder = self.folder.path().display();
        sql.replace("{}", &folder.to_string())
            .replace("{samples}", &samples.display().to_string())
    }

    async fn run(&self, sql: &str) -> String {
        let query = self.context.sql(&self.complete(sql)).await.unwrap();
        let batches = query.collect().await.unwrap();
        pretty_format_batches(&batches).unwrap().to_string()
    }

    async fn plan(&self, sql: &str) -> Arc<dyn ExecutionPlan> {
        let query = self.context.sql(&self.complete(sql)).await.unwrap();
        query.create_physical_plan().await.unwrap()
    }

    /// Formats the operators of a query with their batch sizes, and their inputs in parentheses.
    /// `to` marks where batches are gathered or split, `ungathered` the filters that pass on the
    /// remaining rows of each batch.
    async fn sizes(&self, sql: &str) -> String {
        sizes(&self.plan(sql).await, NARROW_BATCH_ROWS)
    }
}

fn sizes(plan: &Arc<dyn ExecutionPlan>, rows: usize) -> String {
    let change = plan.downcast_ref::<BatchSizeExec>();
    let rows = change.map_or(rows, BatchSizeExec::rows);
    let inputs: Vec<_> = plan
        .children()
        .into_iter()
        .map(|input| sizes(input, rows))
        .collect();
    let inputs = inputs.join(", ");
    let is_ungathered = plan.downcast_ref::<FilterExec>().is_some_and(|filter| {
        let is_ungathered = filter.batch_size() == NEVER_GATHERED_ROWS;
        assert!(is_ungathered || filter.batch_size() == rows);
        is_ungathered
    });
    match change.map(BatchSizeExec::output) {
        Some(Output::Unchanged) => inputs,
        Some(Output::Rows(output)) => format!("to {output} ({inputs})"),
        Some(Output::Gathered) => format!("gathered ({inputs})"),
        None => {
            let gathers = if is_ungathered { " ungathered" } else { "" };
            let name = plan.name().replace("Exec", "") + gathers;
            if inputs.is_empty() {
                format!("{name} {rows}")
            } else {
                format!("{name} {rows} ({inputs})")
            }
        }
    }
}

/// Queries with their operators.
const PLANS: &[(&str, &str)] = &[
    ("SELECT document FROM texts", "DataSource 256"),
    ("SELECT id FROM texts", "DataSource 8192"),
    (
        "SELECT n, count(*) FROM numbers GROUP BY n",
        "Projection 8192 (Aggregate 8192 (DataSource 8192))",
    ),
    (
        "SELECT url, document FROM '{}/texts.parquet' WHERE id > 3",
        "Filter ungathered 2048 (DataSource 2048)",
    ),
    (
        "SELECT url FROM '{}/texts.parquet' WHERE length(document) > 3",
        "Filter 2048 (DataSource 2048)",
    ),
    (
        "SELECT url, count(*) FROM '{}/texts.parquet' GROUP BY url",
        "Projection 8192 (Aggregate 8192 (DataSource 8192))",
    ),
    (
        "SELECT url, count(*) FROM '{}/texts.json' GROUP BY url",
        "Projection 8192 (Aggregate 8192 (DataSource 8192))",
    ),
    ("SELECT document FROM '{}/texts.json'", "DataSource 256"),
    (
        "SELECT url, count(*) FROM '{}/texts.csv' GROUP BY url",
        "Projection 8192 (Aggregate 8192 (to 8192 (DataSource 256)))",
    ),
    (
        "SELECT length(document) AS n, count(*) FROM texts GROUP BY 1 ORDER BY 1",
        "Projection 8192 (Sort 8192 (Aggregate 8192 (DataSource 256)))",
    ),
    (
        "SELECT length(document) AS n, count(*) FROM '{}/texts.parquet' GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (DataSource 2048))",
    ),
    // Parts of texts.
    (
        "SELECT left(document, -5) AS start, count(*) FROM texts GROUP BY 1",
        "Projection 256 (Aggregate 256 (DataSource 256))",
    ),
    (
        "SELECT substr(document, 5) AS rest, count(*) FROM texts GROUP BY 1",
        "Projection 256 (Aggregate 256 (DataSource 256))",
    ),
    (
        "SELECT substr(document, 5, 10) AS part, count(*) FROM texts GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (DataSource 256))",
    ),
    // Wide values inside expressions.
    (
        "SELECT sum(length(repeat(url, 1000))) FROM numbers",
        "Aggregate 256 (DataSource 256)",
    ),
    (
        "SELECT n, count(*) FROM numbers WHERE length(repeat(url, n)) > 100 GROUP BY n",
        "Projection 8192 (Aggregate 8192 (to 8192 (Filter 256 (DataSource 256))))",
    ),
    (
        "SELECT k, count(*) FROM (SELECT length(repeat(url, 1000)) AS k, id FROM numbers ORDER BY id) GROUP BY k",
        "Projection 8192 (Aggregate 8192 (to 8192 (Projection 256 (DataSource 256))))",
    ),
    // Larger rows.
    ("SELECT document FROM '{}/books.parquet'", "DataSource 32"),
    ("SELECT document FROM '{}/long.parquet'", "DataSource 1"),
    ("SELECT parts FROM '{}/long.parquet'", "DataSource 1"),
    (
        "SELECT unnest(parts) FROM '{}/long.parquet'",
        "Projection 256 (Unnest 256 (DataSource 1))",
    ),
    (
        "SELECT books.document FROM '{}/texts.parquet' AS texts JOIN '{}/books.parquet' AS books ON books.id = texts.id",
        "HashJoin 32 (DataSource 32, DataSource 32)",
    ),
    (
        "SELECT url FROM numbers WHERE id > (SELECT max(length(document)) FROM texts)",
        "ScalarSubquery 8192 (Filter 8192 (DataSource 8192), Projection 8192 (Aggregate 8192 (DataSource 256)))",
    ),
    (
        "SELECT length(document) AS n FROM '{}/texts.parquet'",
        "DataSource 256",
    ),
    (
        "SELECT document, count(*) FROM texts GROUP BY document",
        "Projection 256 (Aggregate 256 (DataSource 256))",
    ),
    (
        "SELECT max(document) FROM texts",
        "Aggregate 256 (DataSource 256)",
    ),
    (
        "SELECT id, document FROM texts ORDER BY url",
        "Projection 256 (Sort 256 (DataSource 256))",
    ),
    (
        "SELECT texts.document FROM '{}/numbers.parquet' AS numbers JOIN '{}/texts.parquet' AS texts ON texts.id = numbers.id",
        "HashJoin 2048 (DataSource 8192, DataSource 2048)",
    ),
    (
        "SELECT texts.document, n FROM (SELECT n, min(id) AS id FROM numbers GROUP BY n) AS firsts JOIN texts ON texts.id = firsts.id",
        "HashJoin 256 (Projection 8192 (Aggregate 8192 (DataSource 8192)), DataSource 256)",
    ),
    (
        "SELECT n, count(*) FROM (SELECT unnest(string_to_array(document, ' ')) AS word, id % 3 AS n FROM texts) GROUP BY n",
        "Projection 8192 (Aggregate 8192 (to 8192 (Projection 256 (Unnest 256 (Projection 256 (DataSource 256))))))",
    ),
    (
        "SELECT h, count(*) FROM (SELECT text_hash(word) AS h FROM (SELECT unnest(string_to_array(document, ' ')) AS word FROM texts)) GROUP BY h",
        "Projection 8192 (Aggregate 8192 (to 8192 (Projection 256 (Unnest 256 (Projection 256 (DataSource 256))))))",
    ),
    (
        "SELECT repeat(url, 1000) FROM (SELECT url, count(*) FROM numbers GROUP BY url)",
        "Projection 256 (to 256 (Aggregate 8192 (DataSource 8192)))",
    ),
    (
        "SELECT repeat(url, 1000) FROM numbers",
        "Projection 256 (DataSource 256)",
    ),
    (
        "SELECT repeat('x', 100000) FROM generate_series(1, 10000)",
        "Projection 256 (to 256 (LazyMemory 8192))",
    ),
    (
        "SELECT value % 10, count(*) FROM generate_series(1, 10000) GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (LazyMemory 8192))",
    ),
    (
        "SELECT target_uri FROM read_warc('{samples}/warc/') LIMIT 10",
        "DataSource 256",
    ),
    (
        "SELECT target_uri FROM read_warc('{samples}/warc/') ORDER BY date LIMIT 10",
        "Projection 8192 (Sort(TopK) 8192 (DataSource 8192))",
    ),
    (
        "SELECT target_uri, count(*) FROM read_warc('{samples}/warc/') GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (DataSource 8192))",
    ),
    // Each file may be a batch.
    (
        "SELECT content FROM read_files('{samples}/files/')",
        "gathered (DataSource 256)",
    ),
    (
        "SELECT content FROM read_files('{samples}/files/') LIMIT 3",
        "DataSource 256",
    ),
    (
        "SELECT source_file FROM read_files('{samples}/files/')",
        "DataSource 8192",
    ),
    (
        "SELECT target_uri, html_document(body) FROM read_warc('{samples}/warc/') WHERE warc_type = 'response'",
        "Projection 256 (EvaluateOnce 256 (DataSource 256))",
    ),
    (
        "SELECT content_type, avg(length(html_document(body))) FROM read_warc('{samples}/warc/') GROUP BY 1",
        "Aggregate 8192 (Projection 256 (EvaluateOnce 256 (DataSource 256)))",
    ),
    (
        "SELECT word['text'] AS word, count(*) FROM (SELECT unnest(hocr_words(value)) AS word FROM read_sequencefile('{samples}/sequence/scans.seq')) GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (Projection 8192 (Unnest 8192 (Projection 256 (EvaluateOnce 256 (DataSource 256))))))",
    ),
    (
        "COPY (SELECT url, document FROM texts) TO '{}/copy.parquet'",
        "CompleteCopy 8192 (DataSink 256 (DataSource 256))",
    ),
    (
        "COPY (SELECT url FROM texts) TO '{}/copy.parquet'",
        "CompleteCopy 8192 (DataSink 8192 (DataSource 8192))",
    ),
    (
        "SELECT id FROM numbers UNION ALL SELECT length(document) FROM texts",
        "Union 8192 (Projection 8192 (DataSource 8192), Projection 256 (DataSource 256))",
    ),
    (
        "SELECT url FROM numbers UNION ALL SELECT document FROM texts",
        "Union 256 (Projection 256 (DataSource 256), Projection 256 (DataSource 256))",
    ),
    (
        "SELECT unnest(parts) FROM '{}/long.parquet' UNION ALL SELECT document FROM '{}/long.parquet'",
        "Union 1 (Projection 256 (Unnest 256 (DataSource 1)), DataSource 1)",
    ),
    (
        "SELECT repeat(document, 2) FROM (SELECT document FROM texts UNION ALL SELECT document FROM '{}/books.parquet')",
        "Projection 32 (Union 32 (Projection 256 (DataSource 256), DataSource 32))",
    ),
    (
        "SELECT url FROM (SELECT url FROM numbers GROUP BY url) UNION ALL SELECT document FROM '{}/long.parquet'",
        "Union 1 (Projection 256 (to 256 (Aggregate 8192 (DataSource 8192))), DataSource 1)",
    ),
    (
        "SELECT *, row_number() OVER () FROM texts",
        "RowNumber 256 (DataSource 256)",
    ),
    (
        "SELECT n, row_number() OVER (PARTITION BY n ORDER BY id) FROM numbers",
        "Projection 8192 (BoundedWindowAgg 8192 (Sort 8192 (DataSource 8192)))",
    ),
    (
        "SELECT left(document, 200) AS start, count(*) FROM texts GROUP BY 1",
        "Projection 8192 (Aggregate 8192 (DataSource 256))",
    ),
    (
        "SELECT n FROM numbers WHERE id IN (SELECT length(document) FROM texts)",
        "HashJoin 8192 (Aggregate 8192 (to 8192 (Projection 256 (DataSource 256))), DataSource 8192)",
    ),
];

#[tokio::test]
async fn each_operator_has_the_batch_size_that_suits_its_rows() {
    let tables = Tables::new().await;
    let mut differences = String::new();
    for (sql, expected) in PLANS {
        let sizes = tables.sizes(sql).await;
        if sizes != *expected {
            let _ = writeln!(differences, "{sql}\n  expected {expected}\n  got {sizes}");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

static LARGEST: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Makes functions that return their argument and record the size of batches: `in_wide` and
/// `in_narrow`.
fn counters() -> [Function; 2] {
    const TEXT: Parameter = Parameter::text("text", "The text.");
    const NUMBER: Parameter = Parameter::integer("number", "The number.");
    let lines = ["Notes the rows."];
    [
        Function::new(
            "in_wide",
            "Tests",
            &lines,
            &[TEXT],
            DataType::LargeUtf8,
            |args, _| {
                LARGEST[0].fetch_max(args[0].len(), Ordering::Relaxed);
                Ok(ArrayRef::clone(&args[0]))
            },
        ),
        Function::new(
            "in_narrow",
            "Tests",
            &lines,
            &[NUMBER],
            DataType::Int64,
            |args, _| {
                LARGEST[1].fetch_max(args[0].len(), Ordering::Relaxed);
                Ok(ArrayRef::clone(&args[0]))
            },
        ),
    ]
}

/// Returns the largest batches that `in_wide` and `in_narrow` have received.
async fn largest_batches(tables: &Tables) -> [usize; 2] {
    for largest in &LARGEST {
        largest.store(0, Ordering::Relaxed);
    }
    let sql = "SELECT in_narrow(n), count(*) FROM (SELECT length(in_wide(document)) AS n \
               FROM '{}/texts.parquet') GROUP BY 1";
    tables.run(sql).await;
    [0, 1].map(|index| LARGEST[index].load(Ordering::Relaxed))
}

#[tokio::test]
async fn batches_are_small_where_rows_are_wide_unless_the_user_sets_a_size() {
    let tables = Tables::new().await;
    for function in counters() {
        tables.context.register_udf(function.into());
    }
    assert_eq!(
        largest_batches(&tables).await,
        [WIDE_BATCH_ROWS, NARROW_BATCH_ROWS]
    );
    tables
        .run("SET datafusion.execution.batch_size = 1000")
        .await;
    assert_eq!(largest_batches(&tables).await, [1000, 1000]);
    let sizes = tables
        .sizes("SELECT length(document), count(*) FROM texts GROUP BY 1")
        .await;
    assert!(!sizes.contains("to "), "{sizes}");
}

#[tokio::test]
async fn a_filter_of_wide_rows_passes_on_each_batch() {
    let tables = Tables::new().await;
    let largest = async |columns: &str| {
        let sql = format!("SELECT {columns} FROM texts WHERE id % 2 = 0");
        let batches = tables.context.sql(&sql).await.unwrap();
        let batches = batches.collect().await.unwrap();
        let rows = || batches.iter().map(RecordBatch::num_rows);
        assert_eq!(rows().sum::<usize>(), ROWS / 2);
        rows().max().unwrap()
    };
    assert_eq!(largest("id, document").await, WIDE_BATCH_ROWS / 2);
    assert!(largest("id").await > WIDE_BATCH_ROWS);
}

#[tokio::test]
async fn resized_batches_have_the_same_rows_in_the_same_order() {
    let tables = Tables::new().await;
    let queries = [
        "SELECT row_number() OVER () AS number, id, length(document) FROM texts",
        "SELECT id % 10 AS n, first_value(id), last_value(id), array_agg(length(document)) FROM texts GROUP BY 1 ORDER BY 1",
        "SELECT id, repeat(url, 30) FROM (SELECT id, url FROM texts ORDER BY length(document), id)",
        "SELECT id, document FROM '{}/texts.parquet' WHERE id % 100 = 3",
        "SELECT number, repeat(url, 30) FROM (SELECT row_number() OVER (ORDER BY url DESC) AS number, url FROM numbers)",
    ];
    let mut expected = Vec::new();
    tables
        .run("SET datafusion.execution.batch_size = 256")
        .await;
    for sql in queries {
        expected.push(tables.run(sql).await);
    }
    tables
        .run("SET datafusion.execution.batch_size = 8192")
        .await;
    for (sql, expected) in queries.iter().zip(expected) {
        assert!(tables.run(sql).await == expected, "{sql}");
    }
}
