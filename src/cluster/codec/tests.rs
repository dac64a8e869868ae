use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use corpus_bytes::record::RecordError;
use corpus_bytes::record_locations::{Expected, NamedRecord, RecordLocation};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::physical_plan::{collect, displayable};

use super::*;
use crate::session::{SessionOptions, session};
use crate::sources::indexed::paths::UnknownSize;
use crate::sources::indexed::{KnownErrors, RecordPlaces};

/// Our operators that run on executors. A scan is DataFusion's operator with our source.
const ON_EXECUTORS: [&str; 5] = [
    "BatchSizeExec",
    "ConnectedComponentsExec",
    "EvaluateOnceExec",
    "RowNumberExec",
    "WritePartsExec",
];

/// Our operators that only planning sees.
const IN_PLANNING: [&str; 1] = ["FilterBarrier"];

fn operators_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            operators_in(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("impl ExecutionPlan for ") {
                found.insert(name.trim_end_matches(" {").to_owned());
            }
        }
    }
}

#[test]
fn every_operator_has_a_place() {
    let mut found = BTreeSet::new();
    operators_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    let placed: BTreeSet<String> = ON_EXECUTORS
        .iter()
        .chain(&CLIENT_OPERATORS)
        .chain(&IN_PLANNING)
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(found, placed);
}

/// Encodes and decodes a plan.
fn travelled(plan: &Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    let context = session(&SessionOptions::default()).unwrap().task_ctx();
    let bytes = job_bytes(plan).unwrap();
    plan_of(&bytes, &context, &CorpusCodec::default()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_are_the_same_after_the_journey() {
    let context = session(&SessionOptions {
        cluster: Some("nowhere:1".parse().unwrap()),
        ..SessionOptions::default()
    });
    let context = context.unwrap();
    let mut seen = BTreeSet::new();
    for sql in [
        "SELECT row_number() OVER (ORDER BY offset DESC) AS n, p['title'] AS title FROM (SELECT \
         offset, html_parse(body) AS p FROM read_warc('data-samples/web/') WHERE warc_type = \
         'response' AND content_length > 10) WHERE p['title'] IS NOT NULL LIMIT 5",
        "SELECT * FROM read_warc('data-samples/warc/', 'index', 'data-samples/warc/crawl.cdxj')",
        "SELECT key, value FROM read_sequencefile('data-samples/sequence/')",
        "SELECT pdf_parse(content)['text'] AS text FROM read_pdf('data-samples/pdf/')",
        "SELECT count(*) FROM read_files('data-samples/files/', 'unpack', 'false')",
        "SELECT * FROM connected_components('SELECT offset, length FROM \
         read_warc(''data-samples/web/'')', 'max_size', 3)",
    ] {
        let plan = context.sql(sql).await.unwrap().create_physical_plan().await;
        let plan = Arc::clone(plan.unwrap().children()[0]);
        let again = travelled(&plan);
        let text =
            |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).indent(true).to_string();
        assert_eq!(text(&again), text(&plan), "{sql}");
        seen.extend(
            ON_EXECUTORS
                .into_iter()
                .filter(|name| text(&plan).contains(name)),
        );
    }
    // The operator of parts has separate tests.
    assert_eq!(seen.len(), ON_EXECUTORS.len() - 1, "{seen:?}");
}

#[test]
fn a_scan_keeps_all_of_its_parts() {
    let options = |pairs: &[(&str, &str)]| -> HashMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let given = options(&[("index", "i.cdxj"), ("index_order", "sorted")]);
    let format = configured_format("WARC", &given).unwrap();
    let schema = corpus_columns::record::schema(format.columns());
    let schema = TableSchema::builder(schema).build();
    let source = RecordSource::new(Arc::clone(&format), schema, CorpusSettings::default());
    let places = [
        NamedRecord::from(RecordLocation {
            offset: 5,
            length: None,
        }),
        NamedRecord {
            location: RecordLocation {
                offset: 9,
                length: Some(3),
            },
            expected: Expected {
                url: Some("http://a.org/".into()),
                digest: None,
            },
        },
    ];
    let error = (7, RecordError::new("bad line in the index", "it is empty"));
    let files = vec![
        PartitionedFile::new("plain.warc.gz", 10).with_range(2, 8),
        PartitionedFile::new("a b.warc.gz", 20)
            .with_extension(RecordPlaces(Arc::from(places.clone()))),
        PartitionedFile::new("", 0).with_extension(KnownErrors {
            name: "index.cdxj".into(),
            errors: Arc::from([error.clone()]),
        }),
        PartitionedFile::new("listed.warc.gz", 1).with_extension(UnknownSize),
    ];
    let url = ObjectStoreUrl::parse("s3://bucket").unwrap();
    let config = FileScanConfigBuilder::new(url, Arc::new(source))
        .with_file_groups(vec![FileGroup::default(), FileGroup::new(files)])
        .with_limit(Some(4))
        .build();
    let scan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config);
    let again = travelled(&scan);
    let again = again.downcast_ref::<DataSourceExec>().unwrap();
    let (config, source) = again.downcast_to_file_source::<RecordSource>().unwrap();
    assert_eq!(source.description(), format!("{format:?}"));
    assert_eq!(config.object_store_url.as_str(), "s3://bucket/");
    assert_eq!(config.limit, Some(4));
    let files: Vec<_> = config.file_groups[1].iter().collect();
    assert_eq!(
        files[0]
            .range
            .as_ref()
            .map(|range| (range.start, range.end)),
        Some((2, 8))
    );
    assert!(files[0].extension::<RecordPlaces>().is_none());
    assert_eq!(*files[1].extension::<RecordPlaces>().unwrap().0, places);
    let known = files[2].extension::<KnownErrors>().unwrap();
    assert_eq!(&*known.name, "index.cdxj");
    assert!(files[3].extension::<UnknownSize>().is_some());
    assert_eq!(format!("{:?}", known.errors), format!("{:?}", [error]));
}

#[tokio::test(flavor = "multi_thread")]
async fn text_files_keep_their_compression_and_layout() {
    let folder = tempfile::tempdir().unwrap();
    let context = session(&SessionOptions::default()).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let rows = "SELECT value AS n, 'x' AS text FROM generate_series(1, 100)";
    for (name, format) in [
        ("a.csv", "CSV"),
        ("b.csv.gz", "CSV OPTIONS ('format.compression' 'gzip')"),
        ("c.jsonl", "JSON"),
        ("d.jsonl.zst", "JSON OPTIONS ('format.compression' 'zstd')"),
    ] {
        let copy = format!("COPY ({rows}) TO '{}' STORED AS {format}", path(name));
        context.sql(&copy).await.unwrap().collect().await.unwrap();
    }
    fs::write(
        path("e.json"),
        "[{\"text\": \"x\", \"n\": 1},\n{\"n\": 99}]",
    )
    .unwrap();
    for (name, expected) in [
        ("a.csv", 5050),
        ("b.csv.gz", 5050),
        ("c.jsonl", 5050),
        ("d.jsonl.zst", 5050),
        ("e.json", 100),
    ] {
        let sql = format!("SELECT n FROM '{}' WHERE n > 0", path(name));
        let plan = context
            .sql(&sql)
            .await
            .unwrap()
            .create_physical_plan()
            .await;
        let again = travelled(&plan.unwrap());
        let batches = collect(again, context.task_ctx()).await.unwrap();
        let numbers = batches
            .iter()
            .map(|batch| batch.column(0).as_primitive::<Int64Type>());
        let total: i64 = numbers.flatten().flatten().sum();
        assert_eq!(total, expected, "{name}");
    }
}

#[test]
fn another_version_is_refused() {
    let node = Node {
        version: "0.0.1 (revision 0)".to_owned(),
        operator: None,
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(node.encode_to_vec());
    let context = session(&SessionOptions::default()).unwrap().task_ctx();
    let converter = datafusion_proto::physical_plan::DefaultPhysicalProtoConverter {};
    let decoded = CorpusCodec::default().try_decode(&bytes, &[], &context, &converter);
    let error = decoded.unwrap_err().to_string();
    assert!(
        error.contains("0.0.1") && error.contains("same version"),
        "{error}"
    );
}
