//! `parquet_metadata`, `parquet_schema`, `parquet_file_metadata`, `parquet_kv_metadata` and
//! `sniff_csv`: the metadata of files, with the columns of DuckDB.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, new_empty_array};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::catalog::{MemTable, TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::datasource::physical_plan::parquet::metadata::DFParquetMetadata;
use datafusion::execution::context::SessionState;
use datafusion::parquet::arrow::arrow_reader::statistics::StatisticsConverter;
use datafusion::parquet::arrow::parquet_to_arrow_schema;
use datafusion::parquet::basic::ConvertedType;
use datafusion::parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, RowGroupMetaData,
};
use datafusion::parquet::file::statistics::Statistics;
use datafusion::parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use datafusion::prelude::SessionContext;

use super::data_files::extensions;
use super::data_files::file_table::{FileList, FileSelection, FoundFile};
use super::data_files::text_tables::csv_form;
use super::location::{Location, display_name};
use super::table::arguments::{TableFunctionHelp, session_of, text_list};
use super::table::register::wait_for;
use corpus_udfs::duckdb::type_name;

/// A function of this module.
#[derive(Debug, Clone, Copy)]
enum Facts {
    Chunks,
    Schema,
    File,
    KeyValues,
    Sniffed,
}

/// The functions: the name, the facts, and the meaning of a row.
const FUNCTIONS: [(&str, Facts, &str); 5] = [
    (
        "parquet_metadata",
        Facts::Chunks,
        "The columns of the row groups of Parquet files: sizes, compression and statistics",
    ),
    (
        "parquet_schema",
        Facts::Schema,
        "The types that Parquet files declare, with those inside of others",
    ),
    (
        "parquet_file_metadata",
        Facts::File,
        "The number of rows and row groups of Parquet files, and the program that wrote them",
    ),
    (
        "parquet_kv_metadata",
        Facts::KeyValues,
        "The keys and values in the metadata of Parquet files",
    ),
    (
        "sniff_csv",
        Facts::Sniffed,
        "The delimiter, the escape, the header and the columns that read_csv detects in CSV files",
    ),
];

/// Adds the functions to a session.
pub fn register(context: &SessionContext) {
    for (name, facts, _) in FUNCTIONS {
        context.register_udtf(name, Arc::new(FactsFunction { name, facts }));
    }
}

/// The documentation of the functions.
pub fn help() -> impl Iterator<Item = TableFunctionHelp> {
    FUNCTIONS.iter().map(|(name, facts, about)| {
        let names: Vec<&str> = match facts {
            Facts::Chunks => names(CHUNKS),
            Facts::Schema => names(TYPES),
            Facts::File => names(FILES),
            Facts::KeyValues => names(KEY_VALUES),
            Facts::Sniffed => names(SNIFFED),
        };
        TableFunctionHelp {
            name: (*name).to_owned(),
            syntax: format!("{name}(location)"),
            description: format!(
                "{about}, at a location (a file, folder, glob or URL, or an array of them): {}.",
                names.join(", ")
            ),
        }
    })
}

#[derive(Debug)]
struct FactsFunction {
    name: &'static str,
    facts: Facts,
}

impl TableFunctionImpl for FactsFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let name = self.name;
        let locations = match args.exprs() {
            [locations] => text_list(locations),
            _ => None,
        };
        let Some(locations) = locations else {
            return plan_err!("{name}('location') takes a location, or an array of them, only");
        };
        let session = session_of(&args, name)?;
        let batch = wait_for(read(session, self.facts, &locations))?;
        let table = MemTable::try_new(batch.schema(), vec![vec![batch]])?;
        Ok(Arc::new(table))
    }
}

async fn read(session: &SessionState, facts: Facts, locations: &[String]) -> Result<RecordBatch> {
    let locations = locations.iter().map(|location| Location::parse(location));
    let list = FileList {
        locations: locations.collect::<Result<Vec<_>>>()?,
        kept: FileSelection::NamedOr(match facts {
            Facts::Sniffed => extensions::CSV,
            _ => extensions::PARQUET,
        }),
    };
    let Some(store_url) = list.locations.first().map(|first| first.store().clone()) else {
        return plan_err!("expected a location: a file, a folder, a glob or a URL");
    };
    let store = session.runtime_env().object_store(&store_url)?;
    let found = list.files(session).await?;
    if matches!(facts, Facts::Sniffed) {
        let mut files = Vec::new();
        for FoundFile { meta, .. } in found {
            let name = display_name(&store_url, &meta.location);
            let Some(factory) = session.get_file_format_factory("csv") else {
                return plan_err!("this session cannot read csv files");
            };
            let format = factory.create(session, &HashMap::new())?;
            let objects = [meta];
            let columns = format.infer_schema(session, &store, &objects).await?;
            let Some(form) = csv_form(format.as_ref()) else {
                return plan_err!("this session cannot read csv files");
            };
            files.push(Sniff {
                name,
                delimiter: char::from(form.delimiter),
                escape: form.escape.map_or('"', char::from),
                has_header: form.has_header,
                columns: columns.as_ref().clone(),
            });
        }
        return table(SNIFFED, &files);
    }
    let mut files = Vec::new();
    for FoundFile { meta, .. } in found {
        let name = display_name(&store_url, &meta.location);
        let metadata = DFParquetMetadata::new(store.as_ref(), &meta);
        let metadata = metadata.fetch_metadata().await;
        let metadata = metadata.map_err(|error| error.context(format!("cannot read '{name}'")))?;
        files.push(File {
            name: Arc::from(name),
            size: meta.size,
            metadata,
        });
    }
    match facts {
        Facts::Chunks => {
            let mut chunks = Vec::new();
            for file in &files {
                chunks.extend(file.chunks()?);
            }
            table(CHUNKS, &chunks)
        }
        Facts::Schema => {
            let mut types = Vec::new();
            for file in &files {
                let root = file.meta().schema_descr().root_schema_ptr();
                file.types(root, &mut 0, &mut types);
            }
            table(TYPES, &types)
        }
        Facts::KeyValues => {
            let pairs = files.iter().flat_map(|file| {
                let pairs = file.meta().key_value_metadata().into_iter().flatten();
                pairs.map(|pair| (Arc::clone(&file.name), pair.key.clone(), pair.value.clone()))
            });
            table(KEY_VALUES, &pairs.collect::<Vec<_>>())
        }
        Facts::File | Facts::Sniffed => table(FILES, &files),
    }
}

/// A column: its name, its type, and its value in a row.
type Column<R> = (&'static str, DataType, fn(&R) -> ScalarValue);

fn names<R>(columns: &[Column<R>]) -> Vec<&'static str> {
    columns.iter().map(|(name, ..)| *name).collect()
}

fn table<R>(columns: &[Column<R>], rows: &[R]) -> Result<RecordBatch> {
    let fields = columns.iter();
    let fields: Vec<Field> = fields
        .map(|(name, data_type, _)| Field::new(*name, data_type.clone(), true))
        .collect();
    let arrays = columns.iter().map(|(_, data_type, value)| match rows {
        [] => Ok(new_empty_array(data_type)),
        rows => ScalarValue::iter_to_array(rows.iter().map(value)),
    });
    let arrays: Vec<ArrayRef> = arrays.collect::<Result<_>>()?;
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}

fn text(value: impl Display) -> ScalarValue {
    ScalarValue::Utf8(Some(value.to_string()))
}

fn text_or_null(value: Option<&str>) -> ScalarValue {
    ScalarValue::Utf8(value.map(str::to_owned))
}

fn number(value: impl TryInto<i64>) -> ScalarValue {
    ScalarValue::Int64(value.try_into().ok())
}

fn number_or_null(value: Option<impl TryInto<i64>>) -> ScalarValue {
    ScalarValue::Int64(value.and_then(|value| value.try_into().ok()))
}

const TEXT: DataType = DataType::Utf8;
const NUMBER: DataType = DataType::Int64;

/// A Parquet file.
struct File {
    name: Arc<str>,
    size: u64,
    metadata: Arc<ParquetMetaData>,
}

const FILES: &[Column<File>] = &[
    ("file_name", TEXT, |it| text(&it.name)),
    ("created_by", TEXT, |it| {
        text_or_null(it.meta().created_by())
    }),
    ("num_rows", NUMBER, |it| number(it.meta().num_rows())),
    ("num_row_groups", NUMBER, |it| {
        number(it.metadata.num_row_groups())
    }),
    ("format_version", NUMBER, |it| number(it.meta().version())),
    ("file_size_bytes", NUMBER, |it| number(it.size)),
];

/// The name of a file, a key and its value.
type KeyValue = (Arc<str>, String, Option<String>);

const KEY_VALUES: &[Column<KeyValue>] = &[
    ("file_name", TEXT, |it| text(&it.0)),
    ("key", DataType::Binary, |it| {
        ScalarValue::Binary(Some(it.1.as_bytes().to_vec()))
    }),
    ("value", DataType::Binary, |it| {
        ScalarValue::Binary(it.2.as_ref().map(|value| value.as_bytes().to_vec()))
    }),
];

impl File {
    fn meta(&self) -> &FileMetaData {
        self.metadata.file_metadata()
    }

    fn chunks(&self) -> Result<Vec<Chunk>> {
        let described = self.meta().schema_descr();
        let fields = parquet_to_arrow_schema(described, None)?;
        let mut chunks = Vec::new();
        for (group_number, group) in self.metadata.row_groups().iter().enumerate() {
            for (number, column) in group.columns().iter().enumerate() {
                let [min, max] = bounds(described, &fields, group, column)?;
                chunks.push(Chunk {
                    file: Arc::clone(&self.name),
                    metadata: Arc::clone(&self.metadata),
                    group: group_number,
                    number,
                    min,
                    max,
                });
            }
        }
        Ok(chunks)
    }

    fn types(&self, of: TypePtr, number: &mut usize, types: &mut Vec<Declared>) {
        types.push(Declared {
            file: Arc::clone(&self.name),
            of: Arc::clone(&of),
            number: *number,
        });
        *number += 1;
        if of.is_group() {
            for field in of.get_fields() {
                self.types(Arc::clone(field), number, types);
            }
        }
    }
}

/// The smallest and the largest value of a column of a row group, as texts.
fn bounds(
    described: &SchemaDescriptor,
    fields: &Schema,
    group: &RowGroupMetaData,
    column: &ColumnChunkMetaData,
) -> Result<[Option<String>; 2]> {
    let Some(statistics) = column.statistics() else {
        return Ok([None, None]);
    };
    let [name] = column.column_path().parts() else {
        return Ok(match column.column_descr().converted_type() {
            ConvertedType::NONE
            | ConvertedType::UTF8
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => inner_bounds(statistics),
            _ => [None, None],
        });
    };
    let converter = StatisticsConverter::try_new(name, fields, described)?;
    let options = FormatOptions::new().with_timestamp_format(Some("%Y-%m-%d %H:%M:%S%.f"));
    let shown = |array: ArrayRef| -> Result<Option<String>> {
        let formatter = ArrayFormatter::try_new(array.as_ref(), &options)?;
        let is_null = array.is_null(0);
        Ok((!is_null).then(|| formatter.value(0).to_string()))
    };
    Ok([
        shown(converter.row_group_mins([group])?)?,
        shown(converter.row_group_maxes([group])?)?,
    ])
}

/// Like [`bounds`], for columns inside of others whose values are written as they are.
fn inner_bounds(statistics: &Statistics) -> [Option<String>; 2] {
    macro_rules! bounds {
        ($statistics:expr) => {
            [
                $statistics.min_opt().map(ToString::to_string),
                $statistics.max_opt().map(ToString::to_string),
            ]
        };
    }
    match statistics {
        Statistics::Boolean(it) => bounds!(it),
        Statistics::Int32(it) => bounds!(it),
        Statistics::Int64(it) => bounds!(it),
        Statistics::Float(it) => bounds!(it),
        Statistics::Double(it) => bounds!(it),
        other => [other.min_bytes_opt(), other.max_bytes_opt()].map(|bytes| {
            let text = std::str::from_utf8(bytes?).ok()?;
            Some(text.to_owned())
        }),
    }
}

/// A column of a row group.
struct Chunk {
    file: Arc<str>,
    metadata: Arc<ParquetMetaData>,
    /// The numbers of the row group and of the column.
    group: usize,
    number: usize,
    min: Option<String>,
    max: Option<String>,
}

impl Chunk {
    fn group(&self) -> &RowGroupMetaData {
        self.metadata.row_group(self.group)
    }

    fn column(&self) -> &ColumnChunkMetaData {
        self.group().column(self.number)
    }

    fn exact(&self, is_exact: fn(&Statistics) -> bool) -> ScalarValue {
        ScalarValue::Boolean(self.column().statistics().map(is_exact))
    }
}

const CHUNKS: &[Column<Chunk>] = &[
    ("file_name", TEXT, |it| text(&it.file)),
    ("row_group_id", NUMBER, |it| number(it.group)),
    ("row_group_num_rows", NUMBER, |it| {
        number(it.group().num_rows())
    }),
    ("row_group_num_columns", NUMBER, |it| {
        number(it.group().num_columns())
    }),
    ("row_group_bytes", NUMBER, |it| {
        number(it.group().total_byte_size())
    }),
    ("column_id", NUMBER, |it| number(it.number)),
    ("file_offset", NUMBER, |it| {
        number(it.column().file_offset())
    }),
    ("num_values", NUMBER, |it| number(it.column().num_values())),
    ("path_in_schema", TEXT, |it| {
        text(it.column().column_path().parts().join(", "))
    }),
    ("type", TEXT, |it| text(it.column().column_type())),
    ("stats_min", TEXT, |it| text_or_null(it.min.as_deref())),
    ("stats_max", TEXT, |it| text_or_null(it.max.as_deref())),
    ("stats_null_count", NUMBER, |it| {
        number_or_null(
            it.column()
                .statistics()
                .and_then(Statistics::null_count_opt),
        )
    }),
    ("stats_distinct_count", NUMBER, |it| {
        number_or_null(
            it.column()
                .statistics()
                .and_then(Statistics::distinct_count_opt),
        )
    }),
    ("stats_min_value", TEXT, |it| {
        text_or_null(it.min.as_deref())
    }),
    ("stats_max_value", TEXT, |it| {
        text_or_null(it.max.as_deref())
    }),
    ("compression", TEXT, |it| {
        // The crate adds a level that the file does not have.
        let name = it.column().compression().to_string();
        text(name.split('(').next().unwrap_or_default())
    }),
    ("encodings", TEXT, |it| {
        let encodings = it.column().encodings().map(|encoding| encoding.to_string());
        text(encodings.collect::<Vec<_>>().join(", "))
    }),
    ("index_page_offset", NUMBER, |it| {
        number_or_null(it.column().index_page_offset())
    }),
    ("dictionary_page_offset", NUMBER, |it| {
        number_or_null(it.column().dictionary_page_offset())
    }),
    ("data_page_offset", NUMBER, |it| {
        number(it.column().data_page_offset())
    }),
    ("total_compressed_size", NUMBER, |it| {
        number(it.column().compressed_size())
    }),
    ("total_uncompressed_size", NUMBER, |it| {
        number(it.column().uncompressed_size())
    }),
    ("bloom_filter_offset", NUMBER, |it| {
        number_or_null(it.column().bloom_filter_offset())
    }),
    ("bloom_filter_length", NUMBER, |it| {
        number_or_null(it.column().bloom_filter_length())
    }),
    ("min_is_exact", DataType::Boolean, |it| {
        it.exact(Statistics::min_is_exact)
    }),
    ("max_is_exact", DataType::Boolean, |it| {
        it.exact(Statistics::max_is_exact)
    }),
    ("row_group_compressed_bytes", NUMBER, |it| {
        number(it.group().compressed_size())
    }),
];

/// A type that a file declares.
struct Declared {
    file: Arc<str>,
    of: TypePtr,
    number: usize,
}

impl Declared {
    fn of_primitive(&self, value: fn(&Type) -> ScalarValue, null: ScalarValue) -> ScalarValue {
        if self.of.is_primitive() {
            value(&self.of)
        } else {
            null
        }
    }

    /// A number of a decimal.
    fn of_decimal(&self, value: fn(&Type) -> i32) -> ScalarValue {
        let kind = self.of.get_basic_info().converted_type();
        let is_decimal = self.of.is_primitive() && kind == ConvertedType::DECIMAL;
        number_or_null(is_decimal.then(|| value(&self.of)))
    }
}

const TYPES: &[Column<Declared>] = &[
    ("file_name", TEXT, |it| text(&it.file)),
    ("name", TEXT, |it| text(it.of.name())),
    ("type", TEXT, |it| {
        it.of_primitive(|of| text(of.get_physical_type()), text_or_null(None))
    }),
    ("type_length", TEXT, |it| match it.of.as_ref() {
        Type::PrimitiveType { type_length, .. } if *type_length > 0 => text(type_length),
        _ => text_or_null(None),
    }),
    ("repetition_type", TEXT, |it| {
        let info = it.of.get_basic_info();
        match info.has_repetition() {
            true => text(info.repetition()),
            false => text("REQUIRED"),
        }
    }),
    ("num_children", NUMBER, |it| {
        number_or_null(it.of.is_group().then(|| it.of.get_fields().len()))
    }),
    ("converted_type", TEXT, |it| {
        match it.of.get_basic_info().converted_type() {
            ConvertedType::NONE => text_or_null(None),
            kind => text(kind),
        }
    }),
    ("scale", NUMBER, |it| it.of_decimal(Type::get_scale)),
    ("precision", NUMBER, |it| it.of_decimal(Type::get_precision)),
    ("field_id", NUMBER, |it| {
        let info = it.of.get_basic_info();
        number_or_null(info.has_id().then(|| info.id()))
    }),
    ("logical_type", TEXT, |it| {
        match it.of.get_basic_info().logical_type_ref() {
            Some(kind) => text(format!("{kind:?}")),
            None => text_or_null(None),
        }
    }),
    ("column_id", NUMBER, |it| number(it.number)),
];

/// The dialect and the columns that `read_csv` detects in a file.
struct Sniff {
    name: String,
    delimiter: char,
    escape: char,
    has_header: bool,
    columns: Schema,
}

const SNIFFED: &[Column<Sniff>] = &[
    ("delimiter", TEXT, |it| text(it.delimiter)),
    ("quote", TEXT, |_| text('"')),
    ("escape", TEXT, |it| text(it.escape)),
    ("hasheader", DataType::Boolean, |it| it.has_header.into()),
    ("columns", TEXT, |it| text(it.shown_columns())),
    ("prompt", TEXT, |it| {
        text(format!(
            "FROM read_csv('{}', delim => '{}', header => {}, columns => {});",
            it.name.replace('\'', "''"),
            it.delimiter
                .to_string()
                .replace('\'', "''")
                .replace('\t', "\\t"),
            it.has_header,
            it.shown_columns()
        ))
    }),
];

impl Sniff {
    fn shown_columns(&self) -> String {
        let fields = self.columns.fields().iter().map(|field| {
            let name = field.name().replace('\'', "''");
            format!("'{name}': '{}'", type_name(field.data_type()))
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
    }
}
