//! A table in memory with the numbers of its rows.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::memory::{
    MemoryCatalogProvider, MemorySchemaProvider, MemorySourceConfig,
};
use datafusion::catalog::{
    CatalogProvider, CatalogProviderList, SchemaProvider, Session, TableProvider,
};
use datafusion::common::{Constraints, Result, plan_datafusion_err};
use datafusion::datasource::MemTable;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::sql::sqlparser::ast::{Ident, ObjectName};
use parking_lot::Mutex;

use super::in_memory;

/// The catalog that has the table.
const CATALOG: &str = "__changes";

const SCHEMA: &str = "public";

/// The batches of each partition of a table.
pub type Batches = Vec<Vec<RecordBatch>>;

/// A table in memory with a last column that numbers its rows.
#[derive(Debug)]
pub struct Numbered {
    table: Arc<dyn TableProvider>,
    schema: SchemaRef,
    row: String,
    /// The batches of the last scan, to which the row numbers refer.
    scanned: Mutex<Option<Batches>>,
}

impl Numbered {
    pub fn new(table: Arc<dyn TableProvider>) -> Self {
        let schema = table.schema();
        let mut row = "__row".to_owned();
        while schema.fields().iter().any(|field| field.name() == &row) {
            row.insert(0, '_');
        }
        let number = Arc::new(Field::new(&row, DataType::UInt64, false));
        let fields: Vec<_> = schema.fields().iter().cloned().chain([number]).collect();
        Self {
            table,
            schema: Arc::new(Schema::new(fields)),
            row,
            scanned: Mutex::new(None),
        }
    }

    pub fn table(&self) -> &Arc<dyn TableProvider> {
        &self.table
    }

    /// The table in memory.
    pub fn memory(&self) -> Result<&MemTable> {
        let table = in_memory(&self.table);
        table.ok_or_else(|| plan_datafusion_err!("the table is not in memory"))
    }

    /// The keys of the table.
    pub fn keys(&self) -> Option<&Constraints> {
        self.table.constraints()
    }

    /// The name of the column with the numbers.
    pub fn row(&self) -> &str {
        &self.row
    }

    /// The batches whose rows the last scan has numbered.
    pub fn scanned(&self) -> Batches {
        self.scanned.lock().clone().unwrap_or_default()
    }
}

#[async_trait]
impl TableProvider for Numbered {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let partitions = self.memory()?.batches.clone();
        let mut batches = Vec::new();
        for partition in &partitions {
            batches.push(partition.read().await.clone());
        }
        let mut first = 0;
        let mut numbered = Vec::new();
        for partition in &batches {
            let partition = partition.iter().map(|batch| {
                let numbers = UInt64Array::from_iter_values(first..first + batch.num_rows() as u64);
                first += batch.num_rows() as u64;
                let mut columns = batch.columns().to_vec();
                columns.push(Arc::new(numbers) as ArrayRef);
                Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
            });
            numbered.push(partition.collect::<Result<Vec<_>>>()?);
        }
        *self.scanned.lock() = Some(batches);
        let schema = Arc::clone(&self.schema);
        Ok(MemorySourceConfig::try_new_exec(
            &numbered,
            schema,
            projection.cloned(),
        )?)
    }
}

/// Returns a session that also has a numbered table, and its name there. Names of other tables
/// mean the same.
pub fn with_table(
    state: &SessionState,
    name: &str,
    table: &Arc<Numbered>,
) -> Result<(SessionState, ObjectName)> {
    let schema = MemorySchemaProvider::new();
    schema.register_table(name.to_owned(), Arc::clone(table) as Arc<dyn TableProvider>)?;
    let catalog = MemoryCatalogProvider::new();
    catalog.register_schema(SCHEMA, Arc::new(schema))?;
    let mut state = state.clone();
    let others = Arc::clone(state.catalog_list());
    state.register_catalog_list(Arc::new(WithCatalog {
        others,
        catalog: Arc::new(catalog),
    }));
    let name = [CATALOG, SCHEMA, name].map(|part| Ident::with_quote('"', part));
    Ok((state, ObjectName::from(name.to_vec())))
}

/// The catalogs of a session, and [`CATALOG`].
#[derive(Debug)]
struct WithCatalog {
    others: Arc<dyn CatalogProviderList>,
    catalog: Arc<dyn CatalogProvider>,
}

impl CatalogProviderList for WithCatalog {
    fn register_catalog(
        &self,
        name: String,
        catalog: Arc<dyn CatalogProvider>,
    ) -> Option<Arc<dyn CatalogProvider>> {
        self.others.register_catalog(name, catalog)
    }

    fn catalog_names(&self) -> Vec<String> {
        self.others.catalog_names()
    }

    fn catalog(&self, name: &str) -> Option<Arc<dyn CatalogProvider>> {
        match name {
            CATALOG => Some(Arc::clone(&self.catalog)),
            name => self.others.catalog(name),
        }
    }
}
