//! `read_parquet`, `read_csv` and `read_json`, also under their other names: the files of
//! `FROM 'x.parquet'` with the options of DuckDB.
//!
//! Several files are always united by the names of their columns. Options that have no equivalent
//! are refused with advice; options that only tune DuckDB's reader are accepted.
//!
//! ```text
//! options        the options of DuckDB
//! column_groups  files with the same columns
//! plain_names    the option `normalize_names`
//! views          views with other names, or of several tables
//! ```

mod column_groups;
mod options;
mod plain_names;
mod views;

use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl};
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::execution::context::SessionState;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionContext;

use super::data_files::extensions;
use super::data_files::file_table::{FileList, FileSelection, FileTable, FoundFile};
use super::data_files::text_tables::csv::read_options::IGNORE_ERRORS;
use super::location::Location;
use super::location::partition_values::{Folders, PartitionColumns};
use super::table::arguments::{TableFunctionHelp, pairs, session_of, text_list};
use super::table::register::wait_for;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::planner::reopened_tables::TableOpening;
use column_groups::{ColumnSearch, Group};
use corpus_bytes::compression::has_extension;
use options::{DELIMITER, FileOptions, Kind};
use plain_names::plain_names;
use views::{as_text, unite, with_names, with_nulls};

/// The functions, and the format of their files.
const FUNCTIONS: [(&str, Kind); 9] = [
    ("read_parquet", Kind::Parquet),
    ("parquet_scan", Kind::Parquet),
    ("read_csv", Kind::Csv),
    ("read_csv_auto", Kind::Csv),
    ("read_json", Kind::Json),
    ("read_json_auto", Kind::Json),
    ("read_ndjson", Kind::Json),
    ("read_ndjson_auto", Kind::Json),
    ("read_jsonl", Kind::Json),
];

/// Whether one of these functions has this name.
pub fn is_file_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// Adds the functions to a session.
pub fn register(context: &SessionContext) {
    for (name, kind) in FUNCTIONS {
        context.register_udtf(name, Arc::new(FileFunction { name, kind }));
    }
}

/// The documentation of the functions.
pub fn help() -> impl Iterator<Item = TableFunctionHelp> {
    FUNCTIONS.iter().map(|(name, kind)| {
        let (format, options) = match kind {
            Kind::Parquet => ("Parquet", ""),
            Kind::Csv => (
                "CSV",
                "header, delim, quote, escape, comment, nullstr, columns, types, names, \
                 all_varchar, null_padding, skip, decimal_separator, dateformat, timestampformat, ignore_errors, \
                 normalize_names, compression, ",
            ),
            Kind::Json => ("JSON", "columns, ignore_errors, compression, "),
        };
        TableFunctionHelp {
            name: (*name).to_owned(),
            syntax: format!("{name}(location [, option => value] …)"),
            description: format!(
                "The rows of {format} files at a location (a file, folder, glob or URL, or an array \
                 of them), united by the names of columns. Options, as in DuckDB: {options}filename, \
                 hive_partitioning, hive_types, hive_types_autocast."
            ),
        }
    })
}

/// One function of [`FUNCTIONS`].
#[derive(Debug)]
struct FileFunction {
    name: &'static str,
    kind: Kind,
}

impl TableFunctionImpl for FileFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let name = self.name;
        let usage = || {
            plan_datafusion_err!(
                "{name}('location', option => value, …) takes constants: one location or an array \
                 of them, then options"
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        let session = session_of(&args, name)?;
        let options = FileOptions::new(name, self.kind, pairs(name, rest)?, session)?;
        wait_for(open(session, &locations, options))
    }
}

async fn open(
    session: &SessionState,
    locations: &[String],
    mut options: FileOptions,
) -> Result<Arc<dyn TableProvider>> {
    let (function, kind) = (options.function, options.kind);
    let (list, store_url) = file_list(locations, function, kind)?;
    let store_options = take_store_options(&mut options.store)?;
    apply_store_options(session, store_url.as_ref(), store_options)?;
    let files = list.files(session).await?;
    if files.is_empty() {
        let names: Vec<&str> = list.locations.iter().map(Location::as_str).collect();
        return plan_err!(
            "no files with rows for {function} at '{}'",
            names.join("', '")
        );
    }
    let is_tsv = |file: &FoundFile| has_extension(file.meta.location.as_ref(), extensions::TABS);
    if kind == Kind::Csv && files.iter().all(is_tsv) {
        let delimiter = options.format.entry(DELIMITER.to_owned());
        delimiter.or_insert_with(|| "\t".to_owned());
    }
    let extension = match kind {
        Kind::Parquet => "parquet",
        Kind::Csv => "csv",
        Kind::Json => "json",
    };
    let Some(factory) = session.get_file_format_factory(extension) else {
        return plan_err!("this session cannot read {extension} files");
    };
    let search = ColumnSearch {
        session,
        factory,
        store: session.runtime_env().object_store(&store_url)?,
        store_url: &store_url,
    };
    if !options.null_texts.is_empty() && options.format.contains_key(IGNORE_ERRORS) {
        return plan_err!(
            "{function} does not support ignore_errors with nullstr: read the columns with \
             all_varchar => true, and write TRY_CAST(nullif(name, 'NA') AS BIGINT)"
        );
    }
    let folders: Vec<&Folders> = files.iter().map(|file| &file.folders).collect();
    let partitions = PartitionColumns::common(&folders, &options.hive)?;
    let groups = search.groups(&mut options, files).await?;
    let opening = Opening {
        session,
        store_url,
        list: Arc::new(list),
        options,
        partitions,
        is_only: groups.len() == 1,
    };
    let tables = groups.into_iter().map(|group| opening.table(group));
    unite(tables.collect::<Result<_>>()?)
}

/// The files at these locations, and their object store.
fn file_list(
    locations: &[String],
    function: &str,
    kind: Kind,
) -> Result<(FileList, ObjectStoreUrl)> {
    let locations = locations.iter().map(|location| Location::parse(location));
    let list = FileList {
        locations: locations.collect::<Result<Vec<_>>>()?,
        kept: FileSelection::NamedOr(match kind {
            Kind::Parquet => extensions::PARQUET,
            Kind::Csv => extensions::CSV,
            Kind::Json => extensions::JSON,
        }),
    };
    let Some(first) = list.locations.first() else {
        return plan_err!("{function} needs a location: a file, a folder, a glob or a URL");
    };
    let store_url = first.store().clone();
    if let Some(other) = list.locations.iter().find(|it| *it.store() != store_url) {
        return plan_err!(
            "all locations of {function} must be in one object store, but '{}' is not: UNION ALL \
             two calls",
            other.as_str()
        );
    }
    Ok((list, store_url))
}

/// The session, the files and the options from which a call opens its tables.
struct Opening<'a> {
    session: &'a SessionState,
    store_url: ObjectStoreUrl,
    list: Arc<FileList>,
    options: FileOptions,
    partitions: PartitionColumns,
    /// Whether all files have one form.
    is_only: bool,
}

impl Opening<'_> {
    /// The table of files of one form.
    fn table(&self, group: Group) -> Result<Arc<dyn TableProvider>> {
        let options = &self.options;
        options.check_names(&group.schema)?;
        let schema = options.typed(&group.schema);
        let plain_names = options.has_plain_names.then(|| plain_names(&schema));
        let in_files = schema.fields().iter();
        let in_files = in_files.filter(|field| !self.partitions.replace(field.name()));
        let in_files = Schema::new(in_files.cloned().collect::<Vec<_>>());
        let nulls = options.null_texts.as_slice();
        let table = FileTable {
            list: Arc::clone(&self.list),
            is_only: self.is_only,
            store: self.store_url.clone(),
            format: group.format,
            columns: if nulls.is_empty() {
                schema
            } else {
                as_text(&schema)
            },
            filename: options.filename.clone(),
            partitions: self.partitions.clone(),
            opened: TableOpening::now(self.session),
            files: group.files,
        };
        let mut table = table.into_provider()?;
        if !nulls.is_empty() {
            table = with_nulls(self.session, table, &in_files, nulls, options)?;
        }
        match plain_names.as_ref().unwrap_or(&options.names).as_slice() {
            [] => Ok(table),
            names => with_names(table, names),
        }
    }
}
