//! The columns of CSV files.

use std::iter::repeat;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::datasource::file_format::DEFAULT_SCHEMA_INFER_MAX_RECORD;
use datafusion::datasource::file_format::csv::CsvFormat;
use futures::{StreamExt, stream};
use object_store::{ObjectMeta, ObjectStore};

use super::super::contents::{Contents, in_file};
use super::super::sizes::LongColumns;
use super::header::named;
use super::record_ends::{MAX_SAMPLE_BYTES, RecordEnds};
use crate::planner::batch_size::MAX_NARROW_BYTES;

/// The sample of a file ends with the first record that ends after this many bytes.
const MIN_SAMPLE_BYTES: usize = 1 << 20;

pub async fn schema(
    session: &dyn Session,
    format: &CsvFormat,
    store: &Arc<dyn ObjectStore>,
    objects: &[ObjectMeta],
    long: &LongColumns,
) -> Result<SchemaRef> {
    let options = format.options();
    let mut records_left = options
        .schema_infer_max_rec
        .unwrap_or(DEFAULT_SCHEMA_INFER_MAX_RECORD);
    let mut schemas = Vec::new();
    for object in objects {
        let mut contents = Contents::open(store, object).await?;
        let mut records = RecordEnds::new(options);
        let head = head(&mut records, &mut contents).await;
        let head = head.map_err(|error| in_file(error, &contents.name))?;
        let chunks = stream::iter((!head.is_empty()).then_some(Ok(head)));
        let (schema, count) = format
            .infer_schema_from_stream(session, records_left, chunks)
            .await
            .map_err(|error| in_file(error, &contents.name))?;
        let schema = with_names(&schema);
        let names = schema.fields().iter().map(|field| field.name().clone());
        let longest = records.longest.iter().copied().chain(repeat(0));
        long.extend(names.zip(longest.map(|bytes| bytes > MAX_NARROW_BYTES)));
        schemas.push(schema);
        records_left -= count;
        if records_left == 0 {
            break;
        }
    }
    Ok(Arc::new(Schema::try_merge(schemas)?))
}

/// Gives each column a name of its own.
fn with_names(schema: &Schema) -> Schema {
    let names = named(schema.fields().iter().map(|field| field.name().as_str()));
    let fields = schema.fields().iter().zip(names);
    let fields = fields.map(|(field, name)| field.as_ref().clone().with_name(name));
    Schema::new(fields.collect::<Vec<_>>())
}

/// Returns the sample: the first complete records of a file.
async fn head(records: &mut RecordEnds, contents: &mut Contents) -> Result<Bytes> {
    let mut head = BytesMut::new();
    let mut whole = 0;
    while let Some(chunk) = contents.chunks.next().await {
        let chunk = chunk?;
        if let Some(end) = records.last_in(&chunk) {
            whole = head.len() + end;
        }
        head.extend_from_slice(&chunk);
        if whole >= MIN_SAMPLE_BYTES {
            head.truncate(whole);
            break;
        }
        if head.len() >= MAX_SAMPLE_BYTES {
            break;
        }
    }
    Ok(head.freeze())
}
