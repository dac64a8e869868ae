//! Records named by a table with archives, offsets and lengths, such as Common Crawl's columnar
//! index.

use corpus_bytes::record_locations::{Expected, Findings, NamedRecord, RecordLocation};
use datafusion::arrow::array::{Array, AsArray, LargeStringArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::catalog::Session;
use datafusion::common::Result;
use futures::StreamExt;

use crate::sources::location::query::{ColumnKind, NestedQuery, QueryColumn};

/// The name of the option. Its error rows have it as their file name.
pub const RECORDS: &str = "records";

/// The names of columns in Common Crawl's index, in CDXJ, and in `read_warc` itself.
const COLUMNS: [QueryColumn; 5] = [
    QueryColumn {
        names: &["warc_filename", "filename", "source_file"],
        required: Some("the names of archives"),
        kind: ColumnKind::Text,
    },
    QueryColumn {
        names: &["warc_record_offset", "offset"],
        required: Some("the offsets of records"),
        kind: ColumnKind::Number,
    },
    QueryColumn {
        names: &["warc_record_length", "length"],
        required: None,
        kind: ColumnKind::Number,
    },
    QueryColumn {
        names: &["url", "target_uri"],
        required: None,
        kind: ColumnKind::Text,
    },
    QueryColumn {
        names: &["content_digest", "digest", "payload_digest"],
        required: None,
        kind: ColumnKind::Text,
    },
];

/// Plans the query of the option `records`, or one for the file or table that it names.
pub async fn plan(session: &dyn Session, text: &str) -> Result<NestedQuery> {
    let query = NestedQuery::plan(session, text).await?;
    query.select(RECORDS, &COLUMNS)
}

/// Finds the records that a query names. Unusable rows become faults with their row numbers.
pub async fn find(session: &dyn Session, query: &NestedQuery) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut batches = query.run(session).await?;
    let mut row = 0;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        add(&batch, row, &mut findings);
        row += batch.num_rows() as u64;
    }
    Ok(findings)
}

fn add(batch: &RecordBatch, first_row: u64, findings: &mut Findings) {
    let [archives, urls, digests] = [0, 3, 4].map(|at| batch.column(at).as_string::<i64>());
    let [offsets, lengths] = [1, 2].map(|at| batch.column(at).as_primitive::<Int64Type>());
    let text = |column: &LargeStringArray, row: usize| {
        column.is_valid(row).then(|| Box::from(column.value(row)))
    };
    for row in 0..batch.num_rows() {
        let archive = archives.is_valid(row).then(|| archives.value(row));
        let archive = archive.filter(|archive| !archive.is_empty());
        let offset = offsets.is_valid(row).then(|| offsets.value(row));
        let offset = offset.and_then(|offset| u64::try_from(offset).ok());
        let (Some(archive), Some(offset)) = (archive, offset) else {
            let missing = match archive {
                None => "the name of the archive",
                Some(_) => "the offset",
            };
            let message = format!("row {} lacks {missing}", first_row + row as u64 + 1);
            findings.add_fault(first_row + row as u64, message);
            continue;
        };
        let length = lengths.is_valid(row).then(|| lengths.value(row));
        let length = length.and_then(|length| u64::try_from(length).ok());
        let location = RecordLocation {
            offset,
            length: length.filter(|length| *length > 0),
        };
        let expected = Expected {
            url: text(urls, row),
            digest: text(digests, row),
        };
        findings.add(archive, NamedRecord { location, expected });
    }
}
