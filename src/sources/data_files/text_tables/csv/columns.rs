//! The columns of CSV files.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter::repeat;
use std::sync::{Arc, LazyLock};

use bytes::{Bytes, BytesMut};
use datafusion::arrow::array::{Array, AsArray, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, TimeUnit};
use datafusion::catalog::Session;
use datafusion::common::config::CsvOptions;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::file_format::DEFAULT_SCHEMA_INFER_MAX_RECORD;
use datafusion::datasource::file_format::csv::CsvFormat;
use futures::{StreamExt, stream};
use object_store::{ObjectMeta, ObjectStore};
use regex::{Regex, bytes as bytes_regex};

use super::super::contents::{Contents, in_file};
use super::super::long_columns::LongColumns;
use super::dialect::{DetectedDialect, sample};
use super::fitting::Fitting;
use super::header::{name_columns, number_columns};
use super::read_options::ReadOptions;
use super::reader::reader_builder;
use super::record_ends::{MAX_SAMPLE_BYTES, RecordEnds};
use super::values::{Conversion, has_zone, is_to_the_minute};
use crate::planner::batch_size::MAX_NARROW_BYTES;
use crate::sources::data_files::spellings::respelled;

/// A timestamp without seconds, which Arrow takes for a text.
static MINUTE: LazyLock<Option<bytes_regex::Regex>> =
    LazyLock::new(|| bytes_regex::Regex::new(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?:[^:\d]|$)").ok());

/// The sample of a file ends with the first record that ends after this many bytes.
const MIN_SAMPLE_BYTES: usize = 1 << 20;

/// Returns the columns of files. The first one shows the delimiter and whether there is a header,
/// unless they are declared.
pub async fn schema(
    session: &dyn Session,
    format: &CsvFormat,
    detected: &DetectedDialect,
    read: &ReadOptions,
    store: &Arc<dyn ObjectStore>,
    objects: &[ObjectMeta],
    long: &LongColumns,
) -> Result<Schema> {
    let mut format = detected.applied_to(format);
    let options = format.options();
    let mut records_left = options
        .schema_infer_max_rec
        .unwrap_or(DEFAULT_SCHEMA_INFER_MAX_RECORD);
    let mut schemas = Vec::new();
    let mut known: Vec<FieldRef> = Vec::new();
    for object in objects {
        let contents = Contents::open(store, object).await?;
        let mut contents = contents.after_lines(read.skipped_lines);
        let mut records = RecordEnds::new(format.options());
        let head = head(&mut records, &mut contents).await;
        let mut head = head.map_err(|error| in_file(error, &contents.name))?;
        let length = head.len();
        head = detected.without_delimiter_line(head);
        if head.len() < length {
            records = RecordEnds::new(format.options());
            records.last_in(&head);
        }
        if head.is_empty() && read.skipped_lines > 0 {
            return plan_err!(
                "'{}' has no line after the first {}, which the option 'skip' leaves out",
                contents.name,
                read.skipped_lines
            );
        }
        let detecting = detected.look_at(session, &format, &head, records_left);
        detecting
            .await
            .map_err(|error| in_file(error, &contents.name))?;
        let before = format.options().clone();
        format = detected.applied_to(&format);
        let options = format.options();
        let has_other_escape = options.escape != before.escape;
        let has_other_ends = options.terminator != before.terminator;
        if options.delimiter != before.delimiter || has_other_escape || has_other_ends {
            records = RecordEnds::new(options);
            let whole = records.last_in(&head);
            // With another escape, the sample may end in a record. So may a long one with other
            // line ends.
            if has_other_escape || (has_other_ends && length >= MIN_SAMPLE_BYTES) {
                head.truncate(whole.unwrap_or(head.len()));
            }
        }
        if read.ignores_errors == Some(true) {
            let mut fitting = Fitting::new(options, None);
            head = [fitting.next(&head), fitting.last()].concat().into();
        }
        let has_header = options
            .has_header
            .unwrap_or(session.config_options().catalog.has_header);
        let chunks = stream::iter((!head.is_empty()).then(|| Ok(sample(&head, options))));
        let (schema, count) = format
            .infer_schema_from_stream(session, records_left, chunks)
            .await
            .map_err(|error| in_file(error, &contents.name))?;
        let schema = with_lossless_types(&schema, options, read, has_header, &head, count);
        let schema = with_names(&schema, has_header);
        let schema = Schema::new(respelled(schema.fields(), known.iter().cloned()));
        for field in schema.fields() {
            if known.iter().all(|known| known.name() != field.name()) {
                known.push(Arc::clone(field));
            }
        }
        let names = schema.fields().iter().map(|field| field.name().clone());
        let longest = records.longest.iter().copied().chain(repeat(0));
        long.extend(names.zip(longest.map(|bytes| bytes > MAX_NARROW_BYTES)));
        schemas.push(schema);
        records_left -= count;
        if records_left == 0 {
            break;
        }
    }
    Ok(merge(&schemas))
}

/// Returns the columns of all files. The type of a column without values is null.
fn merge(schemas: &[Schema]) -> Schema {
    let mut fields: Vec<Field> = Vec::new();
    let mut places = HashMap::new();
    for field in schemas.iter().flat_map(Schema::fields) {
        match places.entry(field.name().clone()) {
            Entry::Vacant(entry) => {
                entry.insert(fields.len());
                fields.push(field.as_ref().clone());
            }
            Entry::Occupied(entry) => {
                let merged = &mut fields[*entry.get()];
                merged.set_data_type(common_type(merged.data_type(), field.data_type()));
            }
        }
    }
    Schema::new(fields)
}

/// Makes columns without values texts, because later records may have any.
pub fn with_texts(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| {
        let field = field.as_ref().clone();
        match field.data_type() {
            DataType::Null => field.with_data_type(DataType::Utf8),
            _ => field,
        }
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// Returns a type for the values of both types.
pub fn common_type(one: &DataType, other: &DataType) -> DataType {
    match (one, other) {
        (one, other) if one == other => one.clone(),
        (DataType::Null, it) | (it, DataType::Null) => it.clone(),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
            DataType::Float64
        }
        (DataType::Date32, it @ DataType::Timestamp(..))
        | (it @ DataType::Timestamp(..), DataType::Date32) => it.clone(),
        (DataType::Timestamp(one, zone), DataType::Timestamp(other, other_zone)) => {
            // Units are in the order of their size.
            let zone = zone.as_ref().or(other_zone.as_ref());
            DataType::Timestamp(*one.max(other), zone.cloned())
        }
        _ => DataType::Utf8,
    }
}

/// Replaces the types of columns whose values in the sample they would change: numbers with leading
/// zeros are texts, and times with a zone keep it.
fn with_lossless_types(
    schema: &Schema,
    options: &CsvOptions,
    read: &ReadOptions,
    has_header: bool,
    sample: &[u8],
    records: usize,
) -> Schema {
    let has_formats = read.formatted().next().is_some();
    let has_minutes = MINUTE.as_ref().is_some_and(|it| it.is_match(sample));
    let is_candidate = |field: &&FieldRef| {
        has_formats
            || (has_minutes && *field.data_type() == DataType::Utf8)
            || matches!(Conversion::new(field.data_type(), true, read), Ok(Some(_)))
    };
    let candidates = schema.fields().iter().enumerate();
    let candidates = candidates.filter(|(_, field)| is_candidate(field));
    let places: Vec<usize> = candidates.map(|(place, _)| place).collect();
    // Samples that cannot be read fail when the table is read.
    let Some(texts) = texts(schema, &places, options, has_header, sample, records) else {
        return schema.clone();
    };
    let null = options.null_regex.as_deref().map(Regex::new);
    let null = null.and_then(Result::ok);
    let is_value = |text: &&str| null.as_ref().is_none_or(|null| !null.is_match(text));
    let mut fields: Vec<FieldRef> = schema.fields().iter().cloned().collect();
    for (place, texts) in places.iter().zip(texts.columns()) {
        let texts = texts.as_string::<i32>().iter();
        let texts: StringArray = texts.map(|text| text.filter(is_value)).collect();
        let field = schema.field(*place);
        let data_type = lossless(field.data_type(), &texts, read);
        fields[*place] = Arc::new(field.clone().with_data_type(data_type));
    }
    Schema::new(fields)
}

fn lossless(data_type: &DataType, texts: &StringArray, read: &ReadOptions) -> DataType {
    let has_values = texts.null_count() < texts.len();
    let fits = |data_type: &DataType| match Conversion::new(data_type, true, read) {
        Ok(Some(conversion)) => conversion.array(texts).is_ok(),
        _ => false,
    };
    // Whole numbers stay such.
    let is_open = |it: &DataType| *it != DataType::Float64 || *data_type == DataType::Utf8;
    let mut formatted = read.formatted().filter(is_open);
    if let Some(formatted) = formatted.find(|it| has_values && fits(it)) {
        return formatted;
    }
    let has_zone = || texts.iter().flatten().any(has_zone);
    let data_type = match data_type {
        // Later values may have fractions of seconds.
        DataType::Timestamp(unit, zone) => {
            let zone = zone.clone().or_else(|| has_zone().then(|| "UTC".into()));
            DataType::Timestamp(*unit.max(&TimeUnit::Microsecond), zone)
        }
        other => other.clone(),
    };
    let has_minutes = || {
        texts
            .iter()
            .flatten()
            .any(|it| is_to_the_minute(it.trim_ascii()))
    };
    let timestamp = DataType::Timestamp(TimeUnit::Microsecond, None);
    if data_type == DataType::Utf8 && has_minutes() && fits(&timestamp) {
        return timestamp;
    }
    match Conversion::new(&data_type, true, read) {
        Ok(None) => data_type,
        _ if fits(&data_type) => data_type,
        _ => DataType::Utf8,
    }
}

/// Returns the texts of some columns in a sample.
fn texts(
    schema: &Schema,
    places: &[usize],
    options: &CsvOptions,
    has_header: bool,
    sample: &[u8],
    records: usize,
) -> Option<RecordBatch> {
    let fields = schema.fields().iter();
    let fields = fields.map(|field| Field::new(field.name(), DataType::Utf8, true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let mut decoder = reader_builder(schema, options)
        .with_header(has_header)
        .with_batch_size(records)
        .with_projection(places.to_vec())
        .build_decoder();
    let mut rest = sample;
    while decoder.capacity() > 0 {
        // An empty input ends the last record.
        let length = decoder.decode(rest).ok()?;
        if length == 0 {
            break;
        }
        rest = &rest[length..];
    }
    decoder.flush().ok()?
}

/// Gives each column a unique name.
fn with_names(schema: &Schema, has_header: bool) -> Schema {
    let names = if has_header {
        name_columns(schema.fields().iter().map(|field| field.name().as_str()))
    } else {
        number_columns(schema.fields().len())
    };
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
    // A record that is cut, or has an open quote, is left out unless it is the only one.
    let is_cut = head.len() >= MAX_SAMPLE_BYTES || records.quoted_column().is_some();
    if is_cut && whole > 0 {
        head.truncate(whole);
    }
    Ok(head.freeze())
}

#[cfg(test)]
mod tests {

    use super::*;

    fn types(one: &DataType, text: &str) -> DataType {
        lossless(
            one,
            &StringArray::from(vec![None, Some(text)]),
            &ReadOptions::default(),
        )
    }

    #[test]
    fn values_that_a_type_would_change_are_texts() {
        let seconds = DataType::Timestamp(TimeUnit::Second, None);
        let microseconds = DataType::Timestamp(TimeUnit::Microsecond, None);
        let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        for (inferred, text, expected) in [
            (&DataType::Int64, "12", &DataType::Int64),
            (&DataType::Int64, "00123", &DataType::Utf8),
            (&DataType::Float64, "007", &DataType::Utf8),
            (&DataType::Date32, "2020-02-31", &DataType::Utf8),
            (&seconds, "2020-01-01 00:00:00", &microseconds),
            (&seconds, "2020-01-01T00:00:00Z", &utc),
            (&seconds, "2020-01-01T00:00:60", &DataType::Utf8),
        ] {
            assert_eq!(types(inferred, text), *expected, "{text}");
        }
    }

    #[test]
    fn columns_of_several_files_have_a_type_for_all_values() {
        let schema =
            |data_type: &DataType| Schema::new(vec![Field::new("v", data_type.clone(), true)]);
        let time = |unit| DataType::Timestamp(unit, None);
        for (one, other, expected) in [
            (DataType::Null, DataType::Null, DataType::Utf8),
            (DataType::Null, DataType::Int64, DataType::Int64),
            (DataType::Int64, DataType::Float64, DataType::Float64),
            (DataType::Int64, DataType::Utf8, DataType::Utf8),
            (DataType::Date32, DataType::Int64, DataType::Utf8),
            (
                DataType::Date32,
                time(TimeUnit::Second),
                time(TimeUnit::Second),
            ),
            (
                time(TimeUnit::Microsecond),
                time(TimeUnit::Second),
                time(TimeUnit::Microsecond),
            ),
        ] {
            for schemas in [[&one, &other], [&other, &one]] {
                let merged = with_texts(&merge(&schemas.map(schema)));
                assert_eq!(merged.field(0).data_type(), &expected, "{one} {other}");
            }
        }
    }
}
