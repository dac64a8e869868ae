//! Folders `key=value` above files. The keys become columns of the table, as in Hive and Spark; the
//! types of these columns follow from the values, as in DuckDB.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{NaiveDate, NaiveDateTime};
use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, TimeUnit};
use datafusion::catalog::Session;
use datafusion::common::cast::as_boolean_array;
use datafusion::common::{DFSchema, Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion::logical_expr::Expr;
use datafusion::logical_expr::utils::conjunction;
use object_store::path::Path;

use super::Location;
use corpus_udfs::duckdb::type_name;

/// The value that represents NULL, as in Hive and Spark.
pub const NULL_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Another value that represents NULL, in columns that are not text, as in DuckDB.
const NULL_WORD: &str = "NULL";

/// The forms of the values of a column of timestamps.
const TIMESTAMP_FORMS: [&str; 2] = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f"];

/// The `key=value` folders above a file. The first of several folders with the same key counts, in
/// any case.
pub type Folders = BTreeMap<String, String>;

/// Returns the `key=value` folders above a file of a location.
pub fn folders_above(location: &Location, file: &Path) -> Folders {
    let mut found = Folders::new();
    for folder in location.folders(file) {
        if let Some((key, value)) = folder.split_once('=')
            && !key.is_empty()
        {
            let key = decode(key);
            if !found.keys().any(|known| known.eq_ignore_ascii_case(&key)) {
                found.insert(key, decode(value));
            }
        }
    }
    found
}

/// Decodes the name of a folder: special characters are percent-encoded.
fn decode(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

/// Whether and how keys become columns, with the names of DuckDB's options.
#[derive(Debug, Default)]
pub struct HiveOptions {
    /// The keys that `PARTITIONED BY` names. Files without one of them have NULL.
    pub keys: Option<Vec<String>>,
    /// Whether keys become columns. By default, if all files have the same ones.
    pub partitioning: Option<bool>,
    /// The types of some columns.
    pub types: Vec<Field>,
    /// Whether the other columns are text.
    pub without_autocast: bool,
}

/// The columns of the keys, sorted by the keys as in DuckDB.
#[derive(Debug, Clone, Default)]
pub struct PartitionColumns {
    keys: Vec<String>,
    fields: Vec<FieldRef>,
}

impl PartitionColumns {
    /// Returns a column for each key, if all files have the same ones or if the keys are named.
    pub fn common(files: &[&Folders], options: &HiveOptions) -> Result<Self> {
        if let Some(keys) = &options.keys {
            return Ok(Self::of(keys.clone(), files, options));
        }
        if options.partitioning == Some(false) && !options.types.is_empty() {
            return plan_err!(
                "hive_types needs the keys of folders as columns: leave out hive_partitioning => \
                 false, or hive_types"
            );
        }
        let first = files.first().copied();
        let other = |first: &Folders| files.iter().find(|it| !it.keys().eq(first.keys())).copied();
        let keys: Vec<String> = match (first, first.and_then(other), options.partitioning) {
            (None, ..) | (.., Some(false)) | (_, Some(_), None) => Vec::new(),
            (Some(first), Some(other), Some(true)) => {
                return plan_err!(
                    "hive_partitioning => true needs the same keys in the folders of all files, \
                     but some have {} and others {}: name the files of one kind by a glob",
                    names(first.keys()),
                    names(other.keys())
                );
            }
            (Some(first), ..) => first.keys().cloned().collect(),
        };
        let mut given = options.types.iter();
        if let Some(unknown) = given.find(|field| !keys.contains(field.name())) {
            return plan_err!(
                "option 'hive_types' names '{}', which is not a key of the folders of all files: \
                 expected {}",
                unknown.name(),
                names(keys.iter())
            );
        }
        Ok(Self::of(keys, files, options))
    }

    fn of(keys: Vec<String>, files: &[&Folders], options: &HiveOptions) -> Self {
        let fields = keys.iter().map(|key| {
            let mut given = options.types.iter();
            let data_type = match given.find(|field| field.name() == key) {
                Some(field) => field.data_type().clone(),
                None if options.without_autocast => DataType::Utf8,
                None => type_of(files.iter().filter_map(|folders| folders.get(key))),
            };
            Arc::new(Field::new(key, data_type, true))
        });
        Self {
            fields: fields.collect(),
            keys,
        }
    }

    pub fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// Whether a column with this name has the values of folders instead of its own, as in DuckDB.
    pub fn replace(&self, name: &str) -> bool {
        let mut keys = self.keys.iter();
        keys.any(|key| key.eq_ignore_ascii_case(name))
    }

    /// Names the columns whose names are taken as the second of two columns: `id_1`.
    pub fn rename_taken(&mut self, is_taken: impl Fn(&str) -> bool) {
        for field in &mut self.fields {
            if is_taken(field.name()) {
                let names = (1..).map(|number| format!("{}_{number}", field.name()));
                let free = names.into_iter().find(|name| !is_taken(name));
                let name = free.unwrap_or_default();
                *field = Arc::new(field.as_ref().clone().with_name(name));
            }
        }
    }

    /// The values for the files in some folders.
    pub fn values(&self, folders: &Folders) -> Result<Vec<ScalarValue>> {
        let columns = self.keys.iter().zip(&self.fields);
        let values = columns.map(|(key, field)| {
            let data_type = field.data_type();
            let value = folders.get(key).filter(|value| !is_null(value, data_type));
            let Some(value) = value else {
                return ScalarValue::try_new_null(data_type);
            };
            ScalarValue::try_from_string(value.clone(), data_type).map_err(|_| {
                plan_datafusion_err!(
                    "the value of the folder '{key}={value}' is not of the type {}: name another \
                     type, such as hive_types => {{{key}: 'VARCHAR'}}",
                    type_name(data_type)
                )
            })
        });
        values.collect()
    }

    /// Whether a filter reads only these columns, so that it selects files.
    pub fn has_all_of(&self, filter: &Expr) -> bool {
        let read = filter.column_refs();
        let has = |name: &str| self.fields.iter().any(|field| field.name() == name);
        !read.is_empty() && !filter.is_volatile() && read.iter().all(|column| has(&column.name))
    }

    /// Returns the files that the filters on these columns keep, with their values.
    pub fn select<F>(
        &self,
        session: &dyn Session,
        files: Vec<F>,
        folders: impl Fn(&F) -> &Folders,
        filters: &[Expr],
    ) -> Result<Vec<(F, Vec<ScalarValue>)>> {
        let values = files.iter().map(|file| self.values(folders(file)));
        let values: Vec<Vec<ScalarValue>> = values.collect::<Result<_>>()?;
        let filters = filters.iter().filter(|filter| self.has_all_of(filter));
        let keep = match conjunction(filters.cloned()) {
            Some(filter) if !files.is_empty() => self.matching_rows(session, &values, filter)?,
            _ => BooleanArray::from(vec![true; files.len()]),
        };
        let files = files.into_iter().zip(values).zip(keep.iter());
        let kept = files.filter(|(_, keep)| *keep == Some(true));
        Ok(kept.map(|(file, _)| file).collect())
    }

    /// Evaluates a filter for all files together.
    fn matching_rows(
        &self,
        session: &dyn Session,
        rows: &[Vec<ScalarValue>],
        filter: Expr,
    ) -> Result<BooleanArray> {
        let column =
            |place: usize| ScalarValue::iter_to_array(rows.iter().map(|row| row[place].clone()));
        let columns = (0..self.fields.len()).map(column);
        let columns: Vec<ArrayRef> = columns.collect::<Result<_>>()?;
        let schema = Arc::new(Schema::new(self.fields.clone()));
        let filter_schema = DFSchema::try_from(Arc::clone(&schema))?;
        let predicate = session.create_physical_expr(filter, &filter_schema)?;
        let batch = RecordBatch::try_new(schema, columns)?;
        let result = predicate.evaluate(&batch)?.into_array(rows.len())?;
        Ok(as_boolean_array(&result)?.clone())
    }
}

fn names<'a>(keys: impl Iterator<Item = &'a String>) -> String {
    let keys: Vec<&str> = keys.map(String::as_str).collect();
    match keys.as_slice() {
        [] => "none".to_owned(),
        keys => keys.join(", "),
    }
}

fn is_null(value: &str, data_type: &DataType) -> bool {
    value == NULL_VALUE || (value == NULL_WORD && !data_type.is_string())
}

/// Returns the type that all values have: whole numbers, dates or timestamps. Otherwise text.
/// Numbers in another form, such as `01`, are text, as in DuckDB.
fn type_of<'a>(values: impl Iterator<Item = &'a String> + Clone) -> DataType {
    let values = values.filter(|value| !is_null(value, &DataType::Null));
    if values.clone().next().is_none() {
        return DataType::Utf8;
    }
    let is_number = |text: &String| text.parse().is_ok_and(|it: i64| it.to_string() == *text);
    let is_date = |text: &String| {
        text.starts_with(|it: char| it.is_ascii_digit())
            && text.find('-') == Some(4)
            && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
    };
    let is_timestamp = |text: &String| {
        let mut forms = TIMESTAMP_FORMS.iter();
        forms.any(|form| NaiveDateTime::parse_from_str(text, form).is_ok())
    };
    if values.clone().all(is_number) {
        DataType::Int64
    } else if values.clone().all(is_date) {
        DataType::Date32
    } else if values.clone().all(is_timestamp) {
        DataType::Timestamp(TimeUnit::Nanosecond, None)
    } else {
        DataType::Utf8
    }
}
