//! How SQL reaches a format: `CREATE EXTERNAL TABLE … STORED AS X`, `read_x('…')`, and
//! `FROM 'file.x'`.

use std::collections::HashMap;
use std::future::Future;
use std::path::Path as FilePath;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{
    Session, TableFunctionArgs, TableFunctionImpl, TableProviderFactory, UrlTableFactory,
};
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::datasource::TableProvider;
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::listing_table_factory::ListingTableFactory;
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::CreateExternalTable;
use datafusion::prelude::SessionContext;
use object_store::ObjectMeta;
use tokio::runtime::{Builder, Handle, RuntimeFlavor};
use url::Url;

use super::arguments::{TableFunctionHelp, text, text_list};
use super::format::RecordFormat;
use super::formats;
use super::location::{Location, with_name_after_query, without_query};
use super::paths::PATHS;
use super::ranges::{self, RANGE};
use super::recognize::choose;
use super::table::{Lifetime, RecordTable};
use crate::object_stores::{apply_store_options, take_store_options};
use crate::options::{FormatOption, Options, help_of};
use corpus_bytes::compression::has_ending;

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

/// The options of a format, and those of all sources.
fn options_of(format: &dyn RecordFormat) -> Vec<FormatOption> {
    let mut options = [format.options(), &[PATHS]].concat();
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
        syntax: format!("{}(location [, option, value] …)", function_name(format)),
        description: format!(
            "The records of {} files at a location (a file, folder, glob or URL, or an array of \
             them): {}.{options}",
            format.name(),
            columns.join(", ")
        ),
    }
}

/// Opens a table with the options of a statement or a table function.
async fn open_table(
    session: &dyn Session,
    format: &dyn RecordFormat,
    locations: &[String],
    mut options: HashMap<String, String>,
    lifetime: Lifetime,
) -> Result<Arc<dyn TableProvider>> {
    let store_options = take_store_options(&mut options)?;
    let options = Options::check(format.name(), &options_of(format), &options)?;
    let paths = options.get(&PATHS).map(str::to_owned);
    let range = options.get(&RANGE).map(ranges::parse).transpose()?;
    let format = format.with_options(&options)?;
    if range.is_some() {
        ranges::check_use(format.as_ref())?;
    }
    let locations = locations
        .iter()
        .map(|location| Location::parse(location))
        .collect::<Result<Vec<_>>>()?;
    if let Some(first) = locations.first() {
        apply_store_options(session, first.store().as_ref(), store_options)?;
    }
    let table = RecordTable::open(
        session,
        format,
        locations,
        paths.as_deref(),
        range,
        lifetime,
    );
    Ok(Arc::new(table.await?))
}

/// `CREATE EXTERNAL TABLE … STORED AS <format>`.
#[derive(Debug)]
pub struct RecordTableFactory(pub Arc<dyn RecordFormat>);

#[async_trait]
impl TableProviderFactory for RecordTableFactory {
    async fn create(
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
        let partitions = &statement.table_partition_cols;
        open_table(
            session,
            self.0.as_ref(),
            &statement.locations,
            statement.options.clone(),
            Lifetime::Session {
                partition_columns: (!partitions.is_empty()).then(|| partitions.clone()),
            },
        )
        .await
    }
}

/// `read_<format>('location' | ['location', …], 'option', 'value', …)`.
#[derive(Debug)]
pub struct RecordTableFunction(pub Arc<dyn RecordFormat>);

impl TableFunctionImpl for RecordTableFunction {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let format = self.0.as_ref();
        let usage = || {
            plan_datafusion_err!(
                "{}('location', 'option', 'value', …) takes string literals: one location or \
                 an array of them, then pairs of option and value",
                function_name(format)
            )
        };
        let (first, rest) = args.exprs().split_first().ok_or_else(usage)?;
        let locations = text_list(first).ok_or_else(usage)?;
        let rest: Vec<String> = rest
            .iter()
            .map(|expr| text(expr).ok_or_else(usage))
            .collect::<Result<_>>()?;
        if !rest.len().is_multiple_of(2) {
            return Err(usage());
        }
        let options = rest
            .chunks_exact(2)
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect();
        wait_for(open_table(
            args.session(),
            format,
            &locations,
            options,
            Lifetime::Statement,
        ))
    }
}

/// Waits for a future: table functions are planned synchronously but have to look at files. The
/// wait is on a separate thread, so that the runtime can drive what it waits for.
pub fn wait_for<T: Send>(future: impl Future<Output = Result<T>> + Send) -> Result<T> {
    let runtime = Handle::try_current().ok();
    let wait = move || match runtime {
        Some(runtime) if runtime.runtime_flavor() != RuntimeFlavor::CurrentThread => {
            runtime.block_on(future)
        }
        _ => Builder::new_current_thread()
            .enable_all()
            .build()?
            .block_on(future),
    };
    std::thread::scope(|scope| match scope.spawn(wait).join() {
        Ok(result) => result,
        Err(_) => exec_err!("looking up the tables of a table function failed"),
    })
}

/// `FROM 'file'`: our formats by their endings, then those of DataFusion.
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
        let formats = self.formats.iter();
        let path = without_query(name);
        let formats: Vec<_> = formats
            .filter(|format| has_ending(path, format.direct_endings()))
            .cloned()
            .collect();
        if !formats.is_empty() {
            let session = self.session()?;
            let format = choose(&session, formats, name).await?;
            let location = [name.to_owned()];
            let table = open_table(
                &session,
                format.as_ref(),
                &location,
                HashMap::new(),
                Lifetime::Statement,
            );
            return Ok(Some(table.await?));
        }
        let encoded = with_name_after_query(name);
        let others = self.others.try_new(encoded.as_deref().unwrap_or(name));
        if let Some(table) = others.await? {
            return Ok(Some(table));
        }
        // A name that can only be a file deserves a better message than "no such table". Names
        // without a dot may be tables that are just being created, whatever files exist.
        if name.contains('/') || (name.contains('.') && FilePath::new(name).exists()) {
            let location = Location::parse(name)?;
            let store = self
                .session()?
                .runtime_env()
                .object_store(location.store())?;
            let files = location.files(&store, &[]).await?;
            if let Some(pattern) = pattern_of_data(name, &files)
                && let Some(table) = self.others.try_new(&pattern).await?
            {
                return Ok(Some(table));
            }
            return plan_err!(
                "the name '{name}' does not show its format: use read_files('{name}') for its content, \
                 read_lines('{name}') for its lines, or CREATE EXTERNAL TABLE … STORED AS …"
            );
        }
        Ok(None)
    }
}

/// The pattern of the files with data in a folder, if they have one ending, and only files such as
/// Spark's `_SUCCESS` have another one.
fn pattern_of_data(folder: &str, files: &[ObjectMeta]) -> Option<String> {
    let names = files.iter().filter_map(|file| file.location.filename());
    let mut data = names.filter(|name| !name.starts_with(['_', '.']));
    let ending = |name: &str| FilePath::new(name).extension()?.to_str().map(str::to_owned);
    let first = ending(data.next()?)?;
    data.all(|name| ending(name).as_ref() == Some(&first))
        .then(|| format!("{}/**/*.{first}", folder.trim_end_matches('/')))
}

/// DataFusion's own formats, with the options of object stores that ours have.
#[derive(Debug, Default)]
pub struct ListingTableWithStoreOptions(ListingTableFactory);

#[async_trait]
impl TableProviderFactory for ListingTableWithStoreOptions {
    async fn create(
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
            let url: Url = ListingTableUrl::parse(location)?.get_url().clone();
            apply_store_options(session, &url, store_options)?;
        }
        self.0.create(session, &statement).await
    }
}
