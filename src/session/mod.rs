//! Assembles a session: settings, memory, object stores, sources, functions. The command line, the
//! tests and users of the library all start here.
//!
//! ```text
//! sizes          threads, memory and disk space, as users write them
//! memory_pool    divides the memory limit among operators
//! spilled_files  the files of spilled data
//! query_planner  makes physical plans
//! ```

mod memory_pool;
mod query_planner;
pub mod sizes;
mod spilled_files;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use corpus_staging::{Staging, remove_abandoned};
use datafusion::catalog::{
    CatalogProviderList, DynamicFileCatalog, MemoryCatalogProviderList, TableProviderFactory,
    UrlTableFactory,
};
use datafusion::common::config::{ConfigNonZeroUsize, MaxRowGroupBytes};
use datafusion::common::utils::get_available_parallelism;
use datafusion::common::{Result, plan_err};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::disk_manager::{DEFAULT_MAX_TEMP_DIRECTORY_SIZE, DiskManagerBuilder};
use datafusion::execution::memory_pool::{MemoryPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::logical_expr::planner::ExprPlanner;
use datafusion::optimizer::{Analyzer, AnalyzerRule, Optimizer, OptimizerRule};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::FutureExt;

use self::memory_pool::SharedPool;
use self::query_planner::{CorpusQueryPlanner, NestedQueryPlanner};
use self::spilled_files::SpilledFiles;
#[cfg(feature = "cluster")]
use crate::cluster::{Cluster, ClusterPlanner, Status, client_config};
use crate::connected_components::{self, ConnectedComponentsFunction};
use crate::functions::{self, FunctionsFunction};
use crate::limits::Limits;
use crate::object_stores::LazyObjectStores;
use crate::planner::batch_size::set_batch_rows;
use crate::planner::build_side::BuildOnNarrowSide;
use crate::planner::correlated::CorrelatedQueries;
use crate::planner::empty_aggregates::EmptyAggregates;
use crate::planner::evaluate_once::EvaluateOnce;
use crate::planner::grouping_sets::GroupingSetKeys;
use crate::planner::in_subqueries::InSubqueries;
use crate::planner::inner_queries::NestedPlanner;
use crate::planner::lambdas::{LambdaParameterTypes, NumberLambdaParameters};
use crate::planner::lateral::{LateralColumns, LateralJoins};
use crate::planner::materialized::{RunForEachUse, ShareRows, UsedColumns};
use crate::planner::nested_aggregates::NestedAggregates;
use crate::planner::nullable_subqueries::NullableSubqueries;
use crate::planner::ordered_aggregates::OrderedAggregates;
use crate::planner::recursion_order::RecursionOrder;
use crate::planner::reopened_tables::PlanCount;
use crate::planner::repeated_names::UnambiguousFilters;
use crate::planner::row_numbers::StreamRowNumbers;
use crate::planner::semi_joins::GroupSemiJoinKeys;
use crate::planner::sort_keys::SortKeys;
use crate::planner::union_types::UnionTypes;
use crate::planner::unique_keys::UniqueKeys;
use crate::planner::window_frames::WindowFrames;
use crate::settings::{CorpusSettings, Resume};
use crate::sinks;
use crate::sinks::format::SinkFactory;
use crate::sources::data_files::named_files::NameFiles;
use crate::sources::data_files::text_tables::TextTables;
use crate::sources::formats::formats;
use crate::sources::scan::batch_sizes;
#[cfg(feature = "search")]
use crate::sources::search::{self, SearchFunction};
use crate::sources::table::register::{FileTableFactory, ListingTableWithStoreOptions, register};
use crate::sources::{file_facts, file_functions};
use crate::sql::aliases::AliasPlanner;
use crate::sql::dialect;
use crate::sql::dialect::prepared::Prepared;
use crate::sql::dialect::summarize::DESCRIBE;
use crate::sql::dialect::variables::Variables;
use crate::sql::dialect::views::Views;
use crate::sql::document_tables;
use crate::sql::expressions::{
    ArithmeticPlanner, BytesAsText, BytesPlanner, CheckedConstants, DifferenceParts, DuckDbCasts,
    DuckDbComparisons, DuckDbTypes, JsonValues, ListedTexts, NestedNulls, StructFieldPlanner,
    TextPartsPlanner,
};
use crate::sql::macros::Macros;
use crate::sql::summarize;
use crate::sql::summarize::{DescribeFunction, SummarizeFunction};
use crate::sql::table_functions::TableFunctionPlanner;
use crate::sql::virtual_columns::VirtualColumnPlanner;

/// The default share of the machine's memory that queries may use.
const MEMORY_SHARE: f64 = 0.7;

/// The default limit if the machine's memory is unknown.
const FALLBACK_MEMORY_BYTES: usize = 4 << 30;

/// The number of memory consumers that an out-of-memory error lists, largest first.
const NAMED_CONSUMERS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4);

/// The default limit of the parser's recursion, twice the levels of most nested expressions. Each
/// level takes up to 100 KB of the stack in debug builds.
const MAX_NESTED: usize = 128;

/// The name of folders with spilled data, in the temporary folder. They are staging folders: the
/// next session removes those of killed processes.
const SPILL_FOLDER: &str = "corpus-sql-spill";

/// The machine resources of a session. The default is all cores and 70 % of the memory.
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    /// The number of partitions processed in parallel.
    pub threads: Option<usize>,
    /// The bytes of memory that the process should use. Operators spill to disk before that.
    /// Sessions without a limit share that of the process.
    pub memory_limit: Option<usize>,
    /// The folder for spilled data.
    pub temp_dir: Option<PathBuf>,
    /// The maximum size of spilled data, in bytes.
    pub temp_limit: Option<u64>,
    /// The initial value of `corpus.resume`.
    pub resume: Resume,
    /// The cluster that runs queries, instead of this process.
    #[cfg(feature = "cluster")]
    pub cluster: Option<Cluster>,
}

impl SessionOptions {
    fn is_on_cluster(&self) -> bool {
        #[cfg(feature = "cluster")]
        return self.cluster.is_some();
        #[cfg(not(feature = "cluster"))]
        false
    }
}

#[cfg(feature = "cluster")]
impl SessionOptions {
    /// Lets a cluster run the queries.
    pub fn use_cluster(&mut self, cluster: Cluster, status: &Status) {
        // With two partitions per slot, no executor idles while another is busy with a long task.
        self.threads.get_or_insert(2 * status.slots.max(1));
        self.cluster = Some(cluster);
        // Executors write parts, which only a COPY that can be resumed does.
        if self.resume == Resume::Off {
            self.resume = Resume::On;
        }
    }
}

/// Creates a session with all formats, functions and rules.
pub fn session(options: &SessionOptions) -> Result<SessionContext> {
    let catalogs: Arc<dyn CatalogProviderList> = Arc::new(MemoryCatalogProviderList::new());
    let files = Arc::new(DynamicListTableFactory::default());
    let file_tables = FileTableFactory::new(Arc::clone(&files));
    let catalogs =
        DynamicFileCatalog::new(catalogs, Arc::new(file_tables) as Arc<dyn UrlTableFactory>);

    let spill = match SpillFolder::create(options.temp_dir.as_deref()) {
        Ok(spill) => Some(Arc::new(spill)),
        // DataFusion reports the usual folder when an operator spills.
        Err(_) if options.temp_dir.is_none() => None,
        Err(error) => return plan_err!("the folder for temporary files cannot be used: {error}"),
    };
    let stores = Arc::new(LazyObjectStores::default());
    let limits = limits(options);
    let mut config = config(options, limits)?
        .with_extension(Arc::clone(&stores))
        .with_extension(Arc::new(nested_planner()));
    if let Some(spill) = &spill {
        config = config.with_extension(Arc::clone(spill));
    }
    let mut builder = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime(options, limits, spill.as_deref(), stores)?)
        .with_default_features()
        .with_catalog_list(Arc::new(catalogs))
        .with_relation_planners(vec![Arc::new(TableFunctionPlanner)])
        .with_type_planner(Arc::new(DuckDbTypes))
        .with_analyzer_rules(analyzer_rules())
        .with_optimizer_rules(optimizer_rules(options))
        .with_physical_optimizer_rules(physical_optimizer_rules())
        .with_query_planner(query_planner(options));
    // The first planner that accepts an expression is used.
    let planners = builder.expr_planners().get_or_insert_default();
    planners.splice(0..0, expr_planners());
    let functions = corpus_udfs::duckdb::higher_order_functions();
    let known = builder.higher_order_functions().get_or_insert_default();
    known.extend(functions.into_iter().map(Arc::new));
    for name in ["PARQUET", "CSV", "JSON", "NDJSON", "ARROW"] {
        let factory: Arc<dyn TableProviderFactory> =
            Arc::new(ListingTableWithStoreOptions::default());
        builder = builder.with_table_factory(name.to_owned(), factory);
    }

    let mut state = builder.build();
    for format in sinks::formats() {
        for factory in SinkFactory::all(format) {
            state.register_file_format(Arc::new(factory), true)?;
        }
    }
    for factory in TextTables::all() {
        state.register_file_format(Arc::new(factory), true)?;
    }
    let context = SessionContext::new_with_state(state);
    files.session_store().with_state(context.state_weak_ref());
    for format in formats() {
        register(&context, format);
    }
    #[cfg(feature = "search")]
    context.register_udtf(search::NAME, Arc::new(SearchFunction));
    context.register_udtf(
        connected_components::NAME,
        Arc::new(ConnectedComponentsFunction),
    );
    file_functions::register(&context);
    file_facts::register(&context);
    document_tables::register(&context);
    context.register_udtf(summarize::NAME, Arc::new(SummarizeFunction));
    context.register_udtf(DESCRIBE, Arc::new(DescribeFunction));
    context.register_udtf(functions::NAME, Arc::new(FunctionsFunction));
    for function in corpus_udfs::functions() {
        context.register_udf(function);
    }
    let replacements = corpus_udfs::duckdb::replacements().into_iter();
    let replacements = replacements.chain(corpus_udfs::bytes::text_functions());
    for function in replacements.chain(corpus_udfs::text_or_list::functions()) {
        context.register_udf(function);
    }
    for function in corpus_udfs::duckdb::aggregates() {
        context.register_udaf(function);
    }
    for function in corpus_udfs::duckdb::window_functions() {
        context.register_udwf(function);
    }
    Ok(context)
}

/// Returns the planner of this process, or the one that sends plans to a cluster.
fn query_planner(options: &SessionOptions) -> Arc<dyn QueryPlanner + Send + Sync> {
    let planner = Arc::new(CorpusQueryPlanner);
    #[cfg(feature = "cluster")]
    if let Some(cluster) = options.cluster.clone() {
        return Arc::new(ClusterPlanner { planner, cluster });
    }
    let _ = options;
    planner
}

/// Returns the planners for queries inside options.
fn nested_planner() -> NestedPlanner {
    NestedPlanner {
        sql: |state, sql| {
            let plan = async move { dialect::plan(state, dialect::parse(state, sql)?).await };
            plan.boxed()
        },
        physical: Arc::new(NestedQueryPlanner),
    }
}

/// Returns the planners that run before DataFusion's.
fn expr_planners() -> [Arc<dyn ExprPlanner>; 6] {
    [
        Arc::new(AliasPlanner),
        Arc::new(VirtualColumnPlanner),
        Arc::new(BytesPlanner),
        Arc::new(ArithmeticPlanner),
        Arc::new(StructFieldPlanner),
        Arc::new(TextPartsPlanner),
    ]
}

/// Returns the analyzer rules. Bytes must become text before type coercion casts them.
fn analyzer_rules() -> Vec<Arc<dyn AnalyzerRule + Send + Sync>> {
    let first: [Arc<dyn AnalyzerRule + Send + Sync>; 19] = [
        Arc::new(GroupingSetKeys),
        Arc::new(LateralJoins),
        Arc::new(InSubqueries),
        Arc::new(CorrelatedQueries),
        Arc::new(OrderedAggregates),
        Arc::new(BytesAsText),
        Arc::new(UnionTypes),
        Arc::new(DuckDbCasts),
        Arc::new(DuckDbComparisons),
        Arc::new(WindowFrames),
        Arc::new(NestedAggregates),
        Arc::new(SortKeys),
        Arc::new(NullableSubqueries),
        Arc::new(NestedNulls),
        Arc::new(EmptyAggregates),
        Arc::new(ListedTexts),
        Arc::new(DifferenceParts),
        Arc::new(JsonValues),
        Arc::new(UniqueKeys),
    ];
    let mut rules = Analyzer::new().rules;
    rules.splice(..0, first);
    rules.push(Arc::new(LambdaParameterTypes));
    rules
}

/// Returns the optimizer rules. `EvaluateOnce` comes before DataFusion's, which would duplicate the
/// calls that it extracts. Constant arithmetic is checked before a rule evaluates it, and all other
/// arithmetic in the optimized plan.
fn optimizer_rules(options: &SessionOptions) -> Vec<Arc<dyn OptimizerRule + Send + Sync>> {
    let mut rules = Optimizer::new().rules;
    rules.insert(0, Arc::new(EvaluateOnce));
    rules.insert(1, Arc::new(CheckedConstants));
    if options.is_on_cluster() {
        rules.insert(0, Arc::new(RunForEachUse));
    } else {
        rules.insert(0, Arc::new(UsedColumns));
    }
    rules.push(Arc::new(LateralColumns));
    rules
}

/// Returns the rules for physical plans.
fn physical_optimizer_rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    for rule in &mut rules {
        if rule.name().starts_with("FilterPushdown") {
            *rule = Arc::new(UnambiguousFilters(Arc::clone(rule)));
        }
    }
    rules.insert(0, Arc::new(NumberLambdaParameters));
    // The rules after it distribute rows for the side that is held.
    let selected = rules
        .iter()
        .position(|rule| rule.name() == "join_selection");
    let after = selected.map_or(0, |at| at + 1);
    let hold_narrow_side = BuildOnNarrowSide::new(batch_sizes());
    rules.insert(after, Arc::new(hold_narrow_side));
    rules.insert(after + 1, Arc::new(GroupSemiJoinKeys));
    rules.push(Arc::new(RecursionOrder));
    rules.push(Arc::new(StreamRowNumbers));
    rules.push(Arc::new(batch_sizes()));
    rules.push(Arc::new(NameFiles));
    rules.push(Arc::new(ShareRows));
    rules
}

fn config(options: &SessionOptions, limits: Limits) -> Result<SessionConfig> {
    let mut config = SessionConfig::new()
        .with_information_schema(true)
        .with_option_extension(CorpusSettings {
            resume: options.resume,
            ..CorpusSettings::default()
        })
        .with_extension(Arc::new(PlanCount::default()))
        .with_extension(Arc::new(limits))
        .with_extension(Arc::new(Macros::default()))
        .with_extension(Arc::new(Views::default()))
        .with_extension(Arc::new(Variables::default()))
        .with_extension(Arc::new(Prepared::default()));
    if let Some(threads) = options.threads {
        config = config.with_target_partitions(threads.max(1));
    }
    let settings = config.options_mut();
    // Lets errors point to columns.
    settings.sql_parser.collect_spans = true;
    settings.sql_parser.recursion_limit = ConfigNonZeroUsize::try_new(MAX_NESTED)?;
    set_batch_rows(settings, limits.batch_rows)?;
    // Otherwise, a parser runs once for each selected field of its struct.
    settings.optimizer.enable_leaf_expression_pushdown = false;
    // Otherwise, each NaN is a separate group, or panics.
    settings.optimizer.enable_topk_aggregation = false;
    // As in DuckDB, the rows of a sorted query in FROM stay sorted.
    settings.sql_parser.enable_subquery_sort_elimination = false;
    // As in DuckDB, also with DESC.
    settings.sql_parser.default_null_ordering = "nulls_last".to_owned();
    // Otherwise, several threads that read a file would split it at line breaks inside quotes.
    settings.catalog.newlines_in_values = true;
    // Ends a spilled file after each batch. Several tasks may write files of one queue at a time,
    // and its reader waits for the end of the first file while its batch is in the second:
    // DataFusion 55 then hangs.
    settings.execution.max_spill_file_size_bytes = ConfigNonZeroUsize::try_new(1)?;
    // Each sort of each thread reserves this, whatever the limit is.
    settings.execution.sort_spill_reservation_bytes = limits.merge_bytes;
    // DataFusion ignores the limit on the size of row groups if several tasks write one file.
    settings.execution.parquet.allow_single_file_parallelism = false;
    settings.execution.parquet.max_row_group_bytes =
        MaxRowGroupBytes::try_new(limits.row_group_bytes).ok();
    // Each file that a COPY into a folder writes in parallel holds a row group.
    let files = &mut settings.execution.minimum_parallel_output_files;
    *files = ConfigNonZeroUsize::try_new(settings.execution.target_partitions.min(files.get()))?;
    // Without Arrow's metadata, other readers see plain string and binary columns instead of
    // Arrow's variants.
    settings.execution.parquet.skip_arrow_metadata = true;
    #[cfg(feature = "cluster")]
    if options.cluster.is_some() {
        config = client_config(config);
    }
    Ok(config)
}

/// The folder for spilled data. The session's configuration owns it; dropping it removes the
/// folder.
struct SpillFolder(Staging);

impl SpillFolder {
    fn create(temp_dir: Option<&Path>) -> corpus_staging::Result<Self> {
        let folder = temp_dir.map_or_else(std::env::temp_dir, Path::to_owned);
        let target = folder.join(SPILL_FOLDER);
        remove_abandoned(&target)?;
        Staging::beside(&target).map(Self)
    }
}

fn limits(options: &SessionOptions) -> Limits {
    let memory = options.memory_limit.unwrap_or_else(default_memory_limit);
    let threads = options.threads.unwrap_or_else(get_available_parallelism);
    Limits::new(memory, threads)
}

fn runtime(
    options: &SessionOptions,
    limits: Limits,
    spill: Option<&SpillFolder>,
    stores: Arc<LazyObjectStores>,
) -> Result<Arc<RuntimeEnv>> {
    let max_bytes = options
        .temp_limit
        .unwrap_or(DEFAULT_MAX_TEMP_DIRECTORY_SIZE);
    let mut disk = DiskManagerBuilder::default()
        .with_max_spill_merge_fan_in(limits.merged_files)
        .with_max_temp_directory_size(max_bytes);
    if let Some(SpillFolder(staging)) = spill {
        let files = SpilledFiles::new(staging.files(), max_bytes);
        disk = disk.with_temp_file_factory(Arc::new(files));
    }
    RuntimeEnvBuilder::new()
        .with_memory_pool(memory_pool(options, limits))
        .with_disk_manager_builder(disk)
        .with_object_store_registry(stores)
        // A cached listing would hide files that arrive while a session is open.
        .with_object_list_cache_limit(0)
        .build_arc()
}

/// Returns the pool of a session with its own limit. All other sessions of the process share one
/// pool, as they share the memory of the machine.
fn memory_pool(options: &SessionOptions, limits: Limits) -> Arc<dyn MemoryPool> {
    static PROCESS: OnceLock<Arc<dyn MemoryPool>> = OnceLock::new();
    let new = || -> Arc<dyn MemoryPool> {
        let pool = SharedPool::new(limits.counted_bytes);
        Arc::new(TrackConsumersPool::new(pool, NAMED_CONSUMERS))
    };
    match options.memory_limit {
        Some(_) => new(),
        None => Arc::clone(PROCESS.get_or_init(new)),
    }
}

/// 70 % of the machine's memory, or of the container's limit.
pub fn default_memory_limit() -> usize {
    let Ok(mut system) = sysinfo::System::new() else {
        return FALLBACK_MEMORY_BYTES;
    };
    system.refresh_memory();
    let machine = system.total_memory();
    let container = system.cgroup_limits().map(|limits| limits.total_memory);
    let total = match container {
        Some(limit) if limit > 0 => limit.min(machine),
        _ => machine,
    };
    (total as f64 * MEMORY_SHARE) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_share_the_memory_of_the_process() {
        let pool = |memory_limit| {
            let options = SessionOptions {
                memory_limit,
                ..SessionOptions::default()
            };
            let context = session(&options).unwrap();
            Arc::clone(&context.runtime_env().memory_pool)
        };
        let shared = pool(None);
        let other = std::thread::spawn(move || pool(None)).join().unwrap();
        assert!(Arc::ptr_eq(&shared, &other));
        let own = pool(Some(1 << 30));
        assert!(!Arc::ptr_eq(&shared, &own));
        assert!(!Arc::ptr_eq(&own, &pool(Some(1 << 30))));
    }
}
