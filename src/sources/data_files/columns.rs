//! The columns of several files: those of all files, with types for the values in all of them.

use std::pin::pin;
use std::slice::from_ref;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use datafusion::catalog::Session;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::file_format::FileFormat;
use datafusion::error::DataFusionError;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::type_coercion::binary::type_union_coercion;
use futures::{Stream, StreamExt, TryStreamExt, future, stream};
use object_store::{ObjectMeta, ObjectStore};

use super::arrow_types::{arrow_columns, check_parquet};
use super::spellings::{differ_in_case, respelled};
use crate::sources::location::display_name;

/// The maximum number of files whose columns are found in parallel.
pub const MAX_PARALLEL_FILES: usize = 32;

/// Files of one format in a store.
pub struct SameFormatFiles<'a> {
    pub session: &'a dyn Session,
    pub store: &'a Arc<dyn ObjectStore>,
    pub store_url: &'a ObjectStoreUrl,
    pub files: &'a [ObjectMeta],
    pub format: &'a dyn FileFormat,
}

/// Returns the columns of files. A file without a column has NULLs there, so those of several files
/// are nullable.
pub async fn of_files(of: SameFormatFiles<'_>) -> Result<Schema> {
    let columns = match infer(&of).await {
        Ok(columns) if of.format.get_ext() == "parquet" && differ_in_case(&columns) => {
            unite_files(&of).await?
        }
        Ok(columns) => columns.as_ref().clone(),
        Err(error) if error.to_string().contains("Fail to merge schema") => {
            unite_files(&of).await?
        }
        Err(error) => return Err(with_file_name(error, &of).await),
    };
    Ok(match of.files.len() {
        1 => columns,
        _ => nullable(columns),
    })
}

/// Returns the merged columns of files.
async fn infer(of: &SameFormatFiles<'_>) -> Result<SchemaRef> {
    if ["parquet", "arrow"].contains(&of.format.get_ext().as_str()) {
        let mut schemas: Vec<_> = schemas(of)
            .map(|(file, schema)| Ok::<_, DataFusionError>((file, schema?)))
            .try_collect()
            .await?;
        // The order of columns is that of DataFusion's formats.
        schemas.sort_by(|(a, _), (b, _)| a.location.cmp(&b.location));
        let schemas = schemas.into_iter();
        let schemas = schemas.map(|(_, schema)| Arc::unwrap_or_clone(schema));
        return Ok(Arc::new(Schema::try_merge(schemas)?));
    }
    of.format.infer_schema(of.session, of.store, of.files).await
}

/// Returns the columns without the promise that they have no NULL.
pub fn nullable(schema: Schema) -> Schema {
    let fields = schema.fields.iter();
    let fields: Vec<Field> = fields
        .map(|field| field.as_ref().clone().with_nullable(true))
        .collect();
    Schema::new_with_metadata(fields, schema.metadata)
}

/// Gives columns that differ between files the type that UNION gives them.
async fn unite_files(of: &SameFormatFiles<'_>) -> Result<Schema> {
    // DataFusion's reader of Arrow files does not cast.
    let is_parquet = of.format.get_ext() == "parquet";
    let common: CommonType = if is_parquet {
        common_type
    } else {
        |one, other| (one == other).then(|| one.clone())
    };
    let mut columns: Vec<FieldRef> = Vec::new();
    let mut schemas = pin!(schemas(of));
    while let Some((file, schema)) = schemas.next().await {
        let schema = schema?;
        let fields = if is_parquet {
            respelled(schema.fields(), columns.iter().cloned())
        } else {
            schema.fields().clone()
        };
        if let Err([column, one, other]) = unite(&mut columns, &fields, common) {
            return plan_err!(
                "the column '{column}' of '{}' has the type {other}, and {one} in other files: read \
                 the file by itself, cast the column, and unite both with UNION ALL BY NAME",
                display_name(of.store_url, &file.location)
            );
        }
    }
    Ok(Schema::new(columns))
}

/// Returns the type of a column whose types in two files differ, or `None` if there is none.
type CommonType = fn(&DataType, &DataType) -> Option<DataType>;

/// Adds the fields of a file to those of others. Returns the name of a field without a common type,
/// and both types, as an error.
fn unite(
    known: &mut Vec<FieldRef>,
    fields: &Fields,
    common: CommonType,
) -> Result<(), [String; 3]> {
    for field in fields {
        let Some(known) = known.iter_mut().find(|it| it.name() == field.name()) else {
            known.push(Arc::clone(field));
            continue;
        };
        let (one, other) = (known.data_type(), field.data_type());
        let Some(common) = common(one, other) else {
            return Err([field.name().clone(), one.to_string(), other.to_string()]);
        };
        *known = Arc::new(known.as_ref().clone().with_data_type(common));
    }
    Ok(())
}

/// Returns the type that UNION gives values of two types. Structs get the fields of both.
fn common_type(one: &DataType, other: &DataType) -> Option<DataType> {
    match (one, other) {
        (DataType::Struct(one), DataType::Struct(other)) => {
            let mut fields = one.to_vec();
            unite(&mut fields, other, common_type).ok()?;
            Some(DataType::Struct(fields.into()))
        }
        (DataType::List(one), DataType::List(other)) => {
            let item = common_type(one.data_type(), other.data_type())?;
            let field = one.as_ref().clone().with_data_type(item);
            Some(DataType::List(Arc::new(field.with_nullable(true))))
        }
        // UNION casts texts to dates, which fails for others.
        (text, date) | (date, text) if text.is_string() && date.is_temporal() => Some(text.clone()),
        // UNION would take numbers for days since 1970.
        (number, date) | (date, number) if number.is_numeric() && date.is_temporal() => None,
        // UNION would make both decimals of 30 digits.
        (decimal, float) | (float, decimal) if decimal.is_decimal() && float.is_floating() => {
            Some(DataType::Float64)
        }
        _ => type_union_coercion(one, other),
    }
}

/// Adds the name of the damaged file to an error. The readers of Parquet and Arrow do not report
/// it.
async fn with_file_name(error: DataFusionError, of: &SameFormatFiles<'_>) -> DataFusionError {
    let message = error.to_string();
    let name_of = |file: &ObjectMeta| display_name(of.store_url, &file.location);
    if of.files.iter().any(|file| message.contains(&name_of(file))) {
        return error;
    }
    let schemas = schemas(of);
    let mut damaged = pin!(schemas.filter(|(_, schema)| future::ready(schema.is_err())));
    match damaged.next().await {
        Some((file, _)) => error.context(format!("cannot read '{}'", name_of(&file))),
        None => error,
    }
}

/// Returns each file with its columns.
fn schemas<'a>(
    of: &SameFormatFiles<'a>,
) -> impl Stream<Item = (ObjectMeta, Result<SchemaRef>)> + use<'a> {
    let (session, store, format) = (of.session, of.store, of.format);
    let schemas = stream::iter(of.files.to_vec()).map(move |file| async move {
        let known = match format.get_ext().as_str() {
            "parquet" => check_parquet(session, store, &file).await.map(|()| None),
            "arrow" => arrow_columns(store, &file).await,
            _ => Ok(None),
        };
        let schema = match known {
            Ok(Some(columns)) => Ok(columns),
            Ok(None) => format.infer_schema(session, store, from_ref(&file)).await,
            Err(error) => Err(error),
        };
        (file, schema)
    });
    schemas.buffered(MAX_PARALLEL_FILES)
}
