//! Types of Arrow that the `arrow` crates do not know. They panic when they read a schema with one,
//! so the schema is checked first.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use data_encoding::BASE64;
use datafusion::arrow::datatypes::{DataType, FieldRef, SchemaRef};
use datafusion::arrow::ipc::convert::fb_to_schema;
use datafusion::arrow::ipc::{self, Precision, root_as_footer, root_as_message};
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::parquet::arrow::ARROW_SCHEMA_META_KEY;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

/// The start and the end of an Arrow file.
const ARROW_MAGIC: &[u8] = b"ARROW1";
/// The mark before the length of a message, which old files lack.
const MARK: [u8; 4] = [0xff; 4];
/// The mark and the length.
const HEAD_BYTES: u64 = 8;
/// The length of the footer, and the magic bytes.
const END_BYTES: u64 = 10;

/// Fails if the schema that the writer stored in a Parquet file has a type that cannot be read.
/// The metadata of the file stay in the session's cache.
pub async fn check_parquet(
    session: &dyn Session,
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
) -> Result<()> {
    let cache = session
        .runtime_env()
        .cache_manager
        .get_file_metadata_cache();
    let metadata = DFParquetMetadata::new(store.as_ref(), file)
        .with_file_metadata_cache(Some(cache))
        .fetch_metadata()
        .await?;
    let entries = metadata.file_metadata().key_value_metadata();
    let mut entries = entries.into_iter().flatten();
    let entry = entries.find(|entry| entry.key == ARROW_SCHEMA_META_KEY);
    let text = entry.and_then(|entry| entry.value.as_ref());
    let bytes = text.and_then(|text| BASE64.decode(text.as_bytes()).ok());
    match bytes.as_deref().map(without_length).and_then(schema_in) {
        Some(schema) => check(schema),
        None => Ok(()),
    }
}

/// Returns the columns of an Arrow file, or fails if it has a type that cannot be read. `None` for
/// other and damaged files, and for servers that send whole files only.
///
/// DataFusion reads the start of remote files, where Polars writes a message without its length.
pub async fn arrow_columns(
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
) -> Result<Option<SchemaRef>> {
    match footer_or_message(store, file).await {
        Some((bytes, true)) => columns_in(root_as_footer(&bytes).ok().and_then(|it| it.schema())),
        Some((bytes, false)) => columns_in(schema_in(&bytes)),
        None => Ok(None),
    }
}

/// Returns the footer of an Arrow file, or the first message of a stream, and whether it is a
/// footer.
async fn footer_or_message(
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
) -> Option<(Bytes, bool)> {
    let head = read(store, file, 0..file.size.min(HEAD_BYTES)).await?;
    if head.starts_with(ARROW_MAGIC) {
        let end = file.size.checked_sub(END_BYTES)?;
        let tail = read(store, file, end..file.size).await?;
        let start = end.checked_sub(length_at(&tail, 0)?)?;
        return Some((read(store, file, start..end).await?, true));
    }
    let start: usize = if head.starts_with(&MARK) { 8 } else { 4 };
    let length = length_at(&head, start - 4)?;
    let end = (start as u64).checked_add(length)?;
    if end > file.size {
        return None;
    }
    Some((read(store, file, start as u64..end).await?, false))
}

async fn read(store: &Arc<dyn ObjectStore>, file: &ObjectMeta, range: Range<u64>) -> Option<Bytes> {
    store.get_range(&file.location, range).await.ok()
}

fn schema_in(message: &[u8]) -> Option<ipc::Schema<'_>> {
    root_as_message(message).ok()?.header_as_schema()
}

fn columns_in(schema: Option<ipc::Schema<'_>>) -> Result<Option<SchemaRef>> {
    let Some(schema) = schema else {
        return Ok(None);
    };
    check(schema)?;
    Ok(Some(Arc::new(fb_to_schema(schema))))
}

fn without_length(bytes: &[u8]) -> &[u8] {
    match bytes.strip_prefix(&MARK) {
        Some(rest) => rest.get(4..).unwrap_or_default(),
        None => bytes,
    }
}

fn length_at(bytes: &[u8], place: usize) -> Option<u64> {
    let length = bytes.get(place..place + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(length).into())
}

/// Fails if a column has an unknown type.
fn check(schema: ipc::Schema<'_>) -> Result<()> {
    let fields = schema.fields();
    for column in fields.iter().flatten() {
        let mut open = vec![column];
        while let Some(field) = open.pop() {
            if let Some(kind) = unknown_type(&field) {
                return plan_err!(
                    "the column '{}' has the Arrow type {kind}, which cannot be read: write the file \
                     with another type, such as a decimal or text, or without this column",
                    column.name().unwrap_or_default()
                );
            }
            open.extend(field.children().iter().flatten());
        }
    }
    Ok(())
}

/// The type of a field, if it is not one of `arrow`.
fn unknown_type(field: &ipc::Field<'_>) -> Option<String> {
    if let Some(int) = field.type_as_int() {
        let sign = if int.is_signed() { "Int" } else { "UInt" };
        let bits = int.bitWidth();
        return (![8, 16, 32, 64].contains(&bits)).then(|| format!("{sign}{bits}"));
    }
    if let Some(float) = field.type_as_floating_point() {
        let known = [Precision::HALF, Precision::SINGLE, Precision::DOUBLE];
        let precision = float.precision();
        return (!known.contains(&precision)).then(|| format!("{precision:?}"));
    }
    let kind = field.type_type();
    let is_known = kind != ipc::Type::NONE && kind.variant_name().is_some();
    (!is_known).then(|| format!("{}", kind.0))
}

/// The type to which columns of a type must be cast because functions and writers do not support
/// it: dictionaries of views, as Polars writes categories. `None` for other types.
pub fn supported_type(of_file: &DataType) -> Option<DataType> {
    let item = |field: &FieldRef| {
        let item = supported_type(field.data_type())?;
        Some(Arc::new(field.as_ref().clone().with_data_type(item)))
    };
    match of_file {
        DataType::Dictionary(_, value) => match value.as_ref() {
            DataType::Utf8View => Some(DataType::LargeUtf8),
            DataType::BinaryView => Some(DataType::LargeBinary),
            _ => None,
        },
        DataType::List(field) => Some(DataType::List(item(field)?)),
        DataType::LargeList(field) => Some(DataType::LargeList(item(field)?)),
        DataType::FixedSizeList(field, length) => {
            Some(DataType::FixedSizeList(item(field)?, *length))
        }
        DataType::Struct(fields) => {
            let is_cast = fields.iter().any(|field| item(field).is_some());
            let fields = fields.iter();
            let fields = fields.map(|field| item(field).unwrap_or_else(|| Arc::clone(field)));
            is_cast.then(|| DataType::Struct(fields.collect()))
        }
        _ => None,
    }
}
