//! The columns of files. CSV columns are read by position, so files with different column names,
//! delimiters or headers are read as separate tables, in the order of the files.

use std::collections::BTreeMap;
use std::slice::from_ref;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Result;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::execution::context::SessionState;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::{ObjectMeta, ObjectStore};

use super::options::{DELIMITER, ESCAPE, FileOptions, HAS_HEADER, Kind, NEWLINE_DELIMITED};
use crate::sources::data_files::columns::{SameFormatFiles, nullable, of_files};
use crate::sources::data_files::file_table::FoundFile;
use crate::sources::data_files::spellings::respelled;
use crate::sources::data_files::text_tables::csv::{CsvForm, common_type, with_texts};
use crate::sources::data_files::text_tables::json::spans_lines;
use crate::sources::data_files::text_tables::{add_long_columns, csv_columns, csv_form};

/// The names of the columns of CSV files, and their form.
type Form = (Vec<String>, Option<CsvForm>);

/// Files of the same form, their format and their columns.
pub struct Group {
    form: Form,
    pub format: Arc<dyn FileFormat>,
    pub schema: Schema,
    pub files: Vec<FoundFile>,
}

impl Group {
    fn only(format: Arc<dyn FileFormat>, schema: Schema, files: Vec<FoundFile>) -> Self {
        Self {
            form: Form::default(),
            format,
            schema,
            files,
        }
    }
}

/// Finds the columns of files.
pub struct ColumnSearch<'a> {
    pub session: &'a SessionState,
    pub factory: Arc<dyn FileFormatFactory>,
    pub store: Arc<dyn ObjectStore>,
    pub store_url: &'a ObjectStoreUrl,
}

impl ColumnSearch<'_> {
    /// Divides files into groups of the same form.
    pub async fn groups(
        &self,
        options: &mut FileOptions,
        files: Vec<FoundFile>,
    ) -> Result<Vec<Group>> {
        if let Some(columns) = options.columns.clone() {
            self.detect_form(options, &columns, &files).await?;
            let format = self.format(options)?;
            return Ok(vec![Group::only(format, Schema::new(columns), files)]);
        }
        if options.kind == Kind::Csv {
            return self.csv_groups(options, files).await;
        }
        let format = self.format(options)?;
        let metas: Vec<ObjectMeta> = files.iter().map(|file| file.meta.clone()).collect();
        let of = SameFormatFiles {
            session: self.session,
            store: &self.store,
            store_url: self.store_url,
            files: &metas,
            format: format.as_ref(),
        };
        let schema = of_files(of).await?;
        Ok(vec![Group::only(format, schema, files)])
    }

    fn format(&self, options: &FileOptions) -> Result<Arc<dyn FileFormat>> {
        self.factory.create(self.session, &options.format)
    }

    /// Sets the form of files with declared columns to that of the first one.
    async fn detect_form(
        &self,
        options: &mut FileOptions,
        columns: &[Field],
        files: &[FoundFile],
    ) -> Result<()> {
        let Some(first) = files.first() else {
            return Ok(());
        };
        match options.kind {
            Kind::Parquet => {}
            Kind::Json => {
                if spans_lines(&self.store, &first.meta).await? {
                    let is_lines = false.to_string();
                    let options = &mut options.format;
                    options.insert(NEWLINE_DELIMITED.to_owned(), is_lines);
                }
            }
            Kind::Csv => {
                if columns.iter().all(|column| column.data_type().is_string()) {
                    let header = options.format.entry(HAS_HEADER.to_owned());
                    header.or_insert_with(|| true.to_string());
                }
                // A format that has looked for columns takes them by the names in headers.
                let format = self.format(options)?;
                let first = from_ref(&first.meta);
                let found = format.infer_schema(self.session, &self.store, first);
                // Files without common columns are read with the declared ones.
                if found.await.is_ok()
                    && let Some(form) = csv_form(format.as_ref())
                {
                    let delimiter = char::from(form.delimiter).to_string();
                    options.format.insert(DELIMITER.to_owned(), delimiter);
                    let header = form.has_header.to_string();
                    options.format.insert(HAS_HEADER.to_owned(), header);
                    if let Some(escape) = form.escape {
                        let escape = char::from(escape).to_string();
                        options.format.insert(ESCAPE.to_owned(), escape);
                    }
                }
            }
        }
        Ok(())
    }

    async fn csv_groups(&self, options: &FileOptions, files: Vec<FoundFile>) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        for file in files {
            let format = self.format(options)?;
            let schema = format.infer_schema(self.session, &self.store, from_ref(&file.meta));
            let schema = schema.await?;
            let schema = csv_columns(format.as_ref()).unwrap_or_else(|| schema.as_ref().clone());
            let known = groups.iter().flat_map(|group| group.schema.fields());
            let schema = Schema::new(respelled(schema.fields(), known.cloned()));
            let names = schema.fields().iter().map(|field| field.name().clone());
            let form = (names.collect(), csv_form(format.as_ref()));
            match groups.iter_mut().find(|group| group.form == form) {
                Some(group) => {
                    add_long_columns(group.format.as_ref(), format.as_ref());
                    group.schema = common_types(&group.schema, &schema);
                    group.files.push(file);
                }
                None => groups.push(Group {
                    form,
                    format,
                    schema: nullable(schema),
                    files: vec![file],
                }),
            }
        }
        unite_types(&mut groups);
        Ok(groups)
    }
}

/// Merges the columns of two CSV files with the same names. A column with different types becomes
/// text.
fn common_types(one: &Schema, other: &Schema) -> Schema {
    let fields = one.fields().iter().zip(other.fields());
    let fields = fields.map(|(one, other)| {
        let data_type = common_type(one.data_type(), other.data_type());
        Field::new(one.name(), data_type, true)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// Gives the columns of the same name in files with different columns one type.
fn unite_types(groups: &mut [Group]) {
    let mut types: BTreeMap<String, DataType> = BTreeMap::new();
    for field in groups.iter().flat_map(|group| group.schema.fields()) {
        let known = types.get(field.name());
        let common = known.map(|known| common_type(known, field.data_type()));
        let common = common.unwrap_or_else(|| field.data_type().clone());
        types.insert(field.name().clone(), common);
    }
    for group in groups {
        let fields = group.schema.fields().iter().map(|field| {
            let common = types.get(field.name()).unwrap_or(field.data_type());
            field.as_ref().clone().with_data_type(common.clone())
        });
        group.schema = with_texts(&Schema::new(fields.collect::<Vec<_>>()));
    }
}
