//! Makes formats available in SQL: `CREATE EXTERNAL TABLE … STORED AS X`, `read_x('…')`, and `FROM
//! 'file.x'`.

use std::collections::HashMap;
use std::future::Future;
use std::path::Path as FilePath;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::catalog::{
    Session, TableFunctionArgs, TableFunctionImpl, TableProviderFactory, UrlTableFactory,
};
use datafusion::common::{GetExt, Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::listing_table_factory::ListingTableFactory;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::SessionContext;
use futures::future::BoxFuture;
use object_store::ObjectMeta;
use tokio::runtime::{Builder, Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use url::Url;

use super::arguments::{TableFunctionHelp, options, text_list};
use super::{Lifetime, RecordTable, TableOptions};
use crate::boxed_methods::create;
use crate::object_stores::{apply_store_options, take_store_options};
use crate::options::{FormatOption, Options, help_of};
use crate::sources::data_files;
use crate::sources::data_files::extensions::{ARROW, PARQUET};
use crate::sources::data_files::named_files::with_name;
use crate::sources::format::RecordFormat;
use crate::sources::formats::formats;
use crate::sources::formats::recognize::choose;
use crate::sources::indexed::paths::PATHS;
use crate::sources::location::file_names::may_be_file;
use crate::sources::location::partition_values::HiveOptions;
use crate::sources::location::{Location, with_name_after_query, without_query};
use crate::sources::scan::ON_ERROR;
use crate::sources::scan::ranges;
use crate::sources::scan::ranges::RANGE;
use corpus_bytes::compression::has_extension;

/// The name of a format's table function.
pub fn function_name(format: &dyn RecordFormat) -> String {
    format!("read_{}", format.name().to_ascii_lowercase())
}

/// Adds a format to a session: `STORED AS X` and `read_x('…')`.
pub fn register(context: &SessionContext, format: Arc<dyn RecordFormat>) {
    let name = function_name(format.as_ref());
    let factory = Arc::new(RecordTableFactory(Arc::clone(&format)));
    context
        .state_ref()
        .write()
        .table_factories_mut()
        .insert(format.name().to_owned(), factory);
    context.register_udtf(&name, Arc::new(RecordTableFunction(format)));
}

const HIVE_PARTITIONING: FormatOption = FormatOption::one_of(
    "hive_partitioning",
    &["true", "false"],
    None,
    "whether folders `key=value` become columns, instead of only if all files have the same keys",
);

const HIVE_TYPES_AUTOCAST: FormatOption = FormatOption::boolean(
    "hive_types_autocast",
    true,
    "whether numbers and dates in the names of folders have these types, and are not text",
);

/// The options of a format, and those of all sources.
pub fn options_of(format: &dyn RecordFormat) -> Vec<FormatOption> {
    let shared = [ON_ERROR, PATHS, HIVE_PARTITIONING, HIVE_TYPES_AUTOCAST];
    let mut options = [format.options(), &shared].concat();
    if format.splittable() {
        options.push(RANGE);
    }
    options
}

/// The documentation of a format's table function.
pub fn help(format: &dyn RecordFormat) -> TableFunctionHelp {
    let columns: Vec<&str> = format.columns().iter().map(|column| column.name).collect();
    let options = help_of(&options_of(format));
    TableFunctionHelp {
        name: function_name(format),
        syntax: format!("{}(location [, option => value] …)", function_name(format)),
        description: format!(
            "The records of {} files at a location (a file, folder, glob or URL, or an array of \
             them): {}.{options}",
            format.name(),
            columns.join(", ")
        ),
    }
}

/// Options of other engines for damaged records.
pub const ERROR_OPTIONS: [&str; 2] = ["ignore_errors", "skip_errors"];

/// Opens a table with the options of a statement or a table function.
async fn open_table(
    session: &dyn Session,
    format: &dyn RecordFormat,
    locations: &[String],
    mut options: HashMap<String, String>,
    keys: Option<Vec<String>>,
    lifetime: Lifetime,
) -> Result<Arc<dyn TableProvider>> {
    let store_options = take_store_options(&mut options)?;
    let mut names = options.keys();
    if let Some(name) = names.find(|name| ERROR_OPTIONS.contains(&name.as_str())) {
        return plan_err!(
            "{} has no option '{name}': write on_error => 'skip' to leave out records that cannot \
             be read",
            format.name()
        );
    }
    let options = Options::check(format.name(), &options_of(format), &options)?;
    // Options have already been checked to have one of the allowed values.
    let table_options = TableOptions {
        paths: options.get(&PATHS).map(str::to_owned),
        range: options.get(&RANGE).map(ranges::parse).transpose()?,
        on_error: options.get(&ON_ERROR).and_then(|text| text.parse().ok()),
        hive: HiveOptions {
            keys,
            partitioning: options
                .get(&HIVE_PARTITIONING)
                .and_then(|text| text.parse().ok()),
            without_autocast: !options.is_true(&HIVE_TYPES_AUTOCAST),
            types: Vec::new(),
        },
    };
    let format = format.with_options(&options)?;
    if table_options.range.is_some() {
        ranges::check_use(format.as_ref())?;
    }
    let locations = locations
        .iter()
        .map(|location| Location::parse(location))
        .collect::<Result<Vec<_>>>()?;
    if let Some(first) = locations.first() {
        apply_store_options(session, first.store().as_ref(), store_options)?;
    }
    let table = RecordTable::open(session, format, locations, table_options, lifetime);
    Ok(Arc::new(table.await?))
}

/// The columns that `PARTITIONED BY` names.
fn named_keys(statement: &CreateExternalTable) -> Option<Vec<String>> {
    let keys = &statement.table_partition_cols;
    (!keys.is_empty()).then(|| keys.clone())
}

/// `CREATE EXTERNAL TABLE … STORED AS <format>`.
#[derive(Debug)]
pub struct RecordTableFactory(pub Arc<dyn RecordFormat>);

impl TableProviderFactory for RecordTableFactory {
    create!(RecordTableFactory, open);
}

impl RecordTableFactory {
    async fn open(
        &self,
        session: &dyn Session,
        statement: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        let name = self.0.name();
        if !statement.schema.fields().is_empty() {
            return plan_err!(
                "the columns of {name} are fixed: leave the column list out and choose in SELECT"
            );
        }
        if statement.unbounded || !statement.order_exprs.is_empty() {
            return plan_err!("{name} supports neither UNBOUNDED nor WITH ORDER");
        }
        open_table(
            session,
            self.0.as_ref(),
            &statement.locations,
            statement.options.clone(),
            named_keys(statement),
            Lifetime::Session,
        )
        .await
    }
}

/// `read_<format>('location' | ['location', …], option => value, …)`.
#[derive(Debug)]
pub struct RecordTableFunction(pub Arc<dyn RecordFormat>);

impl TableFunctionImpl for RecordTableFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let format = self.0.as_ref();
        let name = function_name(format);
        let usage = || {
            plan_datafusion_err!(
                "{name}('location', option => value, …) takes constants: one location or an array \
                 of them, then options"
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        let options = options(&name, rest)?.into_iter().collect();
        wait_for(open_table(
            args.session(),
            format,
            &locations,
            options,
            None,
            Lifetime::Statement,
        ))
    }
}

/// Blocks on a future, because table functions are planned synchronously but have to read files.
/// The wait is on a separate thread, with a stack of its own. Meanwhile the runtime, which may have
/// one thread only, continues on another one.
pub fn wait_for<T: Send>(future: impl Future<Output = Result<T>> + Send) -> Result<T> {
    let runtime = Handle::try_current().ok();
    let runtime = runtime.filter(|it| it.runtime_flavor() != RuntimeFlavor::CurrentThread);
    let is_shared = runtime.is_some();
    let wait = move || match runtime {
        Some(runtime) => runtime.block_on(future),
        None => Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(future),
    };
    let on_thread = || {
        std::thread::scope(|scope| match scope.spawn(wait).join() {
            Ok(result) => result,
            Err(_) => exec_err!("looking up the tables of a table function failed"),
        })
    };
    if is_shared {
        block_in_place(on_thread)
    } else {
        on_thread()
    }
}

/// `FROM 'file'`: our formats by their extensions, then those of DataFusion.
#[derive(Debug)]
pub struct FileTableFactory {
    formats: Vec<Arc<dyn RecordFormat>>,
    others: Arc<DynamicListTableFactory>,
}

impl FileTableFactory {
    pub fn new(others: Arc<DynamicListTableFactory>) -> Self {
        Self {
            formats: formats(),
            others,
        }
    }

    fn session(&self) -> Result<SessionState> {
        self.others
            .session_store()
            .get_session()
            .upgrade()
            .and_then(|session| session.read().as_any().downcast_ref().cloned())
            .ok_or_else(|| plan_datafusion_err!("the session is gone"))
    }
}

#[async_trait]
impl UrlTableFactory for FileTableFactory {
    async fn try_new(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        self.boxed_open(name).await
    }
}

impl FileTableFactory {
    /// Holds a session while it waits, see `boxed_methods`.
    fn boxed_open<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<Arc<dyn TableProvider>>>> {
        Box::pin(self.open(name))
    }

    async fn open(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if !may_be_file(name) {
            return Ok(None);
        }
        let formats = self.formats.iter();
        let path = without_query(name);
        let formats: Vec<_> = formats
            .filter(|format| has_extension(path, format.direct_extensions()))
            .cloned()
            .collect();
        if !formats.is_empty() {
            return self.open_records(name, formats).await.map(Some);
        }
        let location = Location::parse(name);
        let with_query = with_name_after_query(name);
        // DataFusion's own tables take maximums of Parquet for those of NaN, too, and fields of
        // NULL in Arrow for values.
        let has_table = has_extension(path, PARQUET) || has_extension(path, ARROW);
        let is_ours = |location: &Location| location.names_keys() || has_table;
        if let Ok(location) = &location
            && (location.may_be_many() || with_query.is_none() && is_ours(location))
        {
            return self.open_many(name, location).await;
        }
        let encoded = with_query.or_else(|| Location::literal_url(name));
        let others = self.others.try_new(encoded.as_deref().unwrap_or(name));
        let opened = others.await;
        if let Some(table) = opened.map_err(|error| with_name(error, name))? {
            if table.schema().fields().is_empty()
                && let Ok(location) = &location
            {
                data_files::warn_of_empty_files(location, &self.files(location).await?);
            }
            return Ok(Some(table));
        }
        if !is_file(name) {
            return Ok(None);
        }
        // Reports the error if the file cannot be read.
        self.files(&location?).await?;
        unknown_format(name)
    }

    async fn files(&self, location: &Location) -> Result<Vec<ObjectMeta>> {
        let session = self.session()?;
        let store = session.runtime_env().object_store(location.store())?;
        location.files(&store, &[]).await
    }

    /// Opens files with one of our formats.
    async fn open_records(
        &self,
        name: &str,
        formats: Vec<Arc<dyn RecordFormat>>,
    ) -> Result<Arc<dyn TableProvider>> {
        let session = self.session()?;
        let format = choose(&session, formats, name).await?;
        let options = HashMap::new();
        let location = [name.to_owned()];
        open_table(
            &session,
            format.as_ref(),
            &location,
            options,
            None,
            Lifetime::Statement,
        )
        .await
    }

    /// Opens a folder, a glob, or a file in folders `key=value`.
    async fn open_many(
        &self,
        name: &str,
        location: &Location,
    ) -> Result<Option<Arc<dyn TableProvider>>> {
        let files = match self.files(location).await {
            Ok(files) => files,
            Err(error) if is_file(name) => return Err(error),
            Err(_) => return Ok(None),
        };
        let has_extension_of = |format: &Arc<dyn RecordFormat>, file: &ObjectMeta| {
            has_extension(file.location.as_ref(), format.direct_extensions())
        };
        let formats = self.formats.iter();
        let formats: Vec<_> = formats
            .filter(|format| files.iter().all(|file| has_extension_of(format, file)))
            .cloned()
            .collect();
        if !formats.is_empty() {
            return self.open_records(name, formats).await.map(Some);
        }
        // DataFusion knows the extensions that our sinks write, too.
        let mut files = files;
        files.retain(|file| !self.formats.iter().any(|it| has_extension_of(it, file)));
        if let Some(table) = data_files::open(&self.session()?, location, &files).await? {
            return Ok(Some(table));
        }
        if is_file(name) {
            unknown_format(name)
        } else {
            Ok(None)
        }
    }
}

/// Whether a name can only be a file. Its error message is then better than "no such table".
fn is_file(name: &str) -> bool {
    name.contains('/') || (name.contains('.') && FilePath::new(name).exists())
}

/// Part of the message about a name with an unknown format.
pub const UNKNOWN_FORMAT: &str = "does not show its format";

/// The extensions of files that are documents, not tables.
const DOCUMENT_EXTENSIONS: [&str; 8] =
    ["docx", "eml", "epub", "htm", "html", "mbox", "odt", "xhtml"];

fn unknown_format<T>(name: &str) -> Result<T> {
    let extension = FilePath::new(name).extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    if DOCUMENT_EXTENSIONS.contains(&extension.as_str()) {
        return plan_err!(
            "the name '{name}' {UNKNOWN_FORMAT}: use documents('{name}') for its text"
        );
    }
    plan_err!(
        "the name '{name}' {UNKNOWN_FORMAT}: use read_files('{name}') for its content, \
         read_lines('{name}') for its lines, or CREATE EXTERNAL TABLE … STORED AS …"
    )
}

/// DataFusion's own formats, with the same options of object stores as ours.
#[derive(Debug, Default)]
pub struct ListingTableWithStoreOptions(ListingTableFactory);

impl TableProviderFactory for ListingTableWithStoreOptions {
    create!(ListingTableWithStoreOptions, open);
}

impl ListingTableWithStoreOptions {
    async fn open(
        &self,
        session: &dyn Session,
        statement: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        let mut statement = statement.clone();
        let store_options = take_store_options(&mut statement.options)?;
        for location in &mut statement.locations {
            if let Some(encoded) = with_name_after_query(location) {
                *location = encoded;
            }
        }
        if let Some(location) = statement.locations.first() {
            let literal = Location::literal_url(location);
            let location = literal.as_ref().unwrap_or(location);
            let url: Url = ListingTableUrl::parse(location)?.get_url().clone();
            apply_store_options(session, &url, store_options)?;
        }
        if let Some(table) = united_files(session, &statement).await? {
            return Ok(table);
        }
        let extension = extension_of(&statement);
        let mut locations = Vec::new();
        for location in std::mem::take(&mut statement.locations) {
            match data_files::expand(session, &location, &extension).await? {
                Some(all) => locations.extend(all),
                None => locations.push(Location::literal_url(&location).unwrap_or(location)),
            }
        }
        statement.locations = locations;
        self.0.create(session, &statement).await
    }
}

/// Opens files as `read_parquet` and others do. DataFusion reads the values of folders `key=value`
/// as text, and refuses files with different types of a column.
async fn united_files(
    session: &dyn Session,
    statement: &CreateExternalTable,
) -> Result<Option<Arc<dyn TableProvider>>> {
    let declared = statement.schema.as_arrow();
    let keys = named_keys(statement);
    let is_key = |field: &&Arc<Field>| keys.iter().flatten().any(|key| key == field.name());
    let has_all_keys = keys
        .iter()
        .flatten()
        .all(|key| declared.field_with_name(key).is_ok());
    let is_plain = (declared.fields().is_empty() || (keys.is_some() && has_all_keys))
        && statement.order_exprs.is_empty()
        && statement.constraints.is_empty()
        && !statement.unbounded;
    let (Some(session), true) = (session.as_any().downcast_ref::<SessionState>(), is_plain) else {
        return Ok(None);
    };
    let locations = statement.locations.iter();
    let Ok(locations) = locations.map(|it| Location::parse(it)).collect() else {
        return Ok(None);
    };
    let of_files = declared.fields().iter().filter(|field| !is_key(field));
    let of_files = Schema::new(of_files.cloned().collect::<Vec<_>>());
    let types = declared.fields().iter().filter(is_key);
    let hive = HiveOptions {
        types: types.map(|field| field.as_ref().clone()).collect(),
        keys,
        ..HiveOptions::default()
    };
    let columns = (!declared.fields().is_empty()).then_some(of_files);
    let file_type = statement.file_type.to_lowercase();
    let options = &statement.options;
    data_files::created(session, locations, &file_type, options, columns, &hive).await
}

/// Returns the extension that DataFusion expects of the files in a folder.
fn extension_of(statement: &CreateExternalTable) -> String {
    let extension = statement.file_type.to_lowercase();
    let options = &statement.options;
    let compression = ["format.compression", "compression"].map(|name| options.get(name));
    let compression = compression.into_iter().flatten().next();
    match compression.map(|it| FileCompressionType::from_str(it)) {
        Some(Ok(compression)) => format!("{extension}{}", compression.get_ext()),
        _ => extension,
    }
}
