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
use datafusion::datasource::physical_plan::{
    ArrowSource, FileScanConfig, FileScanConfigBuilder, FileSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::parquet::arrow::ARROW_SCHEMA_META_KEY;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt};

use super::text_tables::contents::magic_of;

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

/// Plans a scan of Arrow files. DataFusion's plan needs a server that sends parts of files.
pub async fn arrow_scan(
    store: &Arc<dyn ObjectStore>,
    config: FileScanConfig,
) -> Result<Arc<dyn ExecutionPlan>> {
    let first = config
        .file_groups
        .iter()
        .find_map(|group| group.iter().next());
    let is_file = match first {
        Some(first) => {
            let head = magic_of(store, &first.object_meta).await?;
            head.starts_with(ARROW_MAGIC)
        }
        None => true,
    };
    let schema = config.file_source().table_schema().clone();
    let mut source: Arc<dyn FileSource> = if is_file {
        Arc::new(ArrowSource::new_file_source(schema))
    } else {
        Arc::new(ArrowSource::new_stream_file_source(schema))
    };
    if let Some(projection) = config.file_source().projection()
        && let Some(projected) = source.try_pushdown_projection(projection)?
    {
        source = projected;
    }
    let config = FileScanConfigBuilder::from(config).with_source(source);
    Ok(DataSourceExec::from_data_source(config.build()))
}

/// Returns the columns of an Arrow file, or fails if it has a type that cannot be read. `None` for
/// other and damaged files.
///
/// DataFusion reads the start of remote files, where Polars writes a message without its length.
pub async fn arrow_columns(
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
) -> Result<Option<SchemaRef>> {
    let mut parts = Parts {
        store,
        file,
        whole: None,
    };
    match parts.footer_or_message().await {
        Some((bytes, true)) => columns_in(root_as_footer(&bytes).ok().and_then(|it| it.schema())),
        Some((bytes, false)) => columns_in(schema_in(&bytes)),
        None => Ok(None),
    }
}

/// The parts of a file.
struct Parts<'a> {
    store: &'a Arc<dyn ObjectStore>,
    file: &'a ObjectMeta,
    /// The file, if the server sends no parts of it.
    whole: Option<Bytes>,
}

impl Parts<'_> {
    /// Returns the footer of an Arrow file, or the first message of a stream, and whether it is a
    /// footer.
    async fn footer_or_message(&mut self) -> Option<(Bytes, bool)> {
        let size = self.file.size;
        let head = self.read(0..size.min(HEAD_BYTES)).await?;
        if head.starts_with(ARROW_MAGIC) {
            let end = size.checked_sub(END_BYTES)?;
            let tail = self.read(end..size).await?;
            let start = end.checked_sub(length_at(&tail, 0)?)?;
            return Some((self.read(start..end).await?, true));
        }
        let start: usize = if head.starts_with(&MARK) { 8 } else { 4 };
        let length = length_at(&head, start - 4)?;
        let end = (start as u64).checked_add(length)?;
        if end > size {
            return None;
        }
        Some((self.read(start as u64..end).await?, false))
    }

    async fn read(&mut self, range: Range<u64>) -> Option<Bytes> {
        let location = &self.file.location;
        if self.whole.is_none() {
            match self.store.get_range(location, range.clone()).await {
                Ok(part) => return Some(part),
                // DataFusion's reader will also load the whole file.
                Err(Error::NotSupported { .. } | Error::Generic { .. }) => {
                    let whole = self.store.get(location).await.ok()?;
                    self.whole = Some(whole.bytes().await.ok()?);
                }
                Err(_) => return None,
            }
        }
        let (start, end) = (usize::try_from(range.start), usize::try_from(range.end));
        let whole = self.whole.as_ref()?;
        let part = whole.get(start.ok()?..end.ok()?)?;
        Some(whole.slice_ref(part))
    }
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
