//! Views read the tables, views, macros and variables that have the names in them when they are
//! used. DataFusion's views keep those that existed when they were created.

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, TableReference, plan_datafusion_err, plan_err};
use datafusion::datasource::ViewTable;
use datafusion::execution::SessionState;
use datafusion::logical_expr::{
    DdlStatement, Expr, LogicalPlan, LogicalPlanBuilder, TableProviderFilterPushDown, TableType,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{CreateView, Statement as SqlStatement};
use parking_lot::{Mutex, RwLock};

use crate::boxed_methods::scan;
use crate::sql::syntax::{Names, table_reference};

tokio::task_local! {
    /// The views that the running statement has planned.
    static PLANNED: Mutex<HashMap<String, Progress>>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Running,
    Done,
}

/// The statements that create the views of a session, by their texts.
#[derive(Debug, Default)]
pub struct Views(RwLock<HashMap<String, Statement>>);

/// A view that a session has created.
#[derive(Debug)]
struct View {
    created: Statement,
    definition: String,
    columns: Vec<String>,
    planned: RwLock<Arc<ViewTable>>,
}

/// Plans a statement. If it creates a view, no query in it may read that view.
pub async fn planning<T>(
    state: &SessionState,
    statement: &Statement,
    plan: impl Future<Output = Result<T>>,
) -> Result<T> {
    let name = match created(statement) {
        Some(view) => {
            let names = Names::new(&state.config_options().sql_parser);
            Some(key(state, table_reference(&view.name, names)?))
        }
        None => None,
    };
    let tracked = async {
        let note = |progress| {
            if let Some(name) = &name {
                PLANNED.with(|planned| planned.lock().insert(name.clone(), progress));
            }
        };
        note(Progress::Running);
        let result = plan.await;
        note(Progress::Done);
        result
    };
    match PLANNED.try_with(|_| ()) {
        Ok(()) => tracked.await,
        Err(_) => PLANNED.scope(Mutex::default(), tracked).await,
    }
}

/// Lets planning on another thread see the views that this statement has planned so far.
pub fn within_statement<T>(plan: impl Future<Output = T>) -> impl Future<Output = T> {
    let planned = PLANNED.try_with(|planned| planned.lock().clone());
    PLANNED.scope(Mutex::new(planned.unwrap_or_default()), plan)
}

/// Remembers the statement of a `CREATE VIEW`, whose text `SHOW CREATE TABLE` shows.
pub fn define(state: &SessionState, statement: Statement, plan: &mut LogicalPlan) {
    let LogicalPlan::Ddl(DdlStatement::CreateView(view)) = plan else {
        return;
    };
    let Some(text) = created(&statement).map(ToString::to_string) else {
        return;
    };
    if let Some(views) = state.config().get_extension::<Views>() {
        views.0.write().insert(text.clone(), statement);
    }
    view.definition = Some(text);
}

/// Replaces DataFusion's view, which was just created, by one that is planned again at each use.
pub async fn register(context: &SessionContext, name: TableReference) -> Result<()> {
    let state = context.state();
    let table = context.table_provider(name.clone()).await?;
    let (Some(definition), Some(plan)) = (table.get_table_definition(), table.get_logical_plan())
    else {
        return Ok(());
    };
    let views = state.config().get_extension::<Views>();
    let Some(created) = views.and_then(|views| views.0.write().remove(definition)) else {
        return Ok(());
    };
    let view = View {
        created,
        definition: definition.to_owned(),
        columns: names_of(&plan),
        planned: RwLock::new(Arc::new(ViewTable::new(plan.into_owned(), None))),
    };
    context.deregister_table(name.clone())?;
    context.register_table(name, Arc::new(view))?;
    Ok(())
}

/// Plans the views that a statement reads.
pub async fn refresh(state: &SessionState, statement: &Statement) -> Result<()> {
    for name in state.resolve_table_references(statement)? {
        let Ok(schema) = state.schema_for_ref(name.clone()) else {
            continue;
        };
        if !schema.table_exist(name.table()) {
            continue;
        }
        let key = key(state, name.clone());
        match PLANNED.try_with(|planned| planned.lock().get(&key).copied()) {
            Ok(Some(Progress::Done)) => continue,
            Ok(Some(Progress::Running)) => {
                return plan_err!("the view '{}' would read itself", name.table());
            }
            Ok(None) | Err(_) => {}
        }
        let Some(table) = schema.table(name.table()).await? else {
            continue;
        };
        if let Some(view) = table.downcast_ref::<View>() {
            let plan = Box::pin(super::plan_query(state, view.created.clone())).await;
            view.update(plan.map_err(|error| error.context(format!("view '{}'", name.table())))?)?;
        }
    }
    Ok(())
}

impl View {
    fn update(&self, plan: LogicalPlan) -> Result<()> {
        let LogicalPlan::Ddl(DdlStatement::CreateView(view)) = plan else {
            return Ok(());
        };
        let mut input = Arc::unwrap_or_clone(view.input);
        if names_of(&input) != self.columns {
            let found = input.schema().columns();
            let kept = self.columns.iter().map(|name| {
                let column = found.iter().find(|column| column.name() == name);
                let column = column.ok_or_else(|| {
                    plan_datafusion_err!(
                        "the tables of the view '{}' no longer have its column '{name}': create it again",
                        view.name.table()
                    )
                })?;
                Ok(Expr::Column(column.clone()))
            });
            let kept = kept.collect::<Result<Vec<_>>>()?;
            input = LogicalPlanBuilder::from(input).project(kept)?.build()?;
        }
        *self.planned.write() = Arc::new(ViewTable::new(input, None));
        Ok(())
    }

    async fn scan_planned(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let planned = self.planned();
        planned.scan(session, projection, filters, limit).await
    }

    fn planned(&self) -> Arc<ViewTable> {
        Arc::clone(&self.planned.read())
    }
}

impl TableProvider for View {
    fn schema(&self) -> SchemaRef {
        self.planned().schema()
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    fn get_table_definition(&self) -> Option<&str> {
        Some(&self.definition)
    }

    fn get_logical_plan(&self) -> Option<Cow<'_, LogicalPlan>> {
        Some(Cow::Owned(self.planned().logical_plan().clone()))
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.planned().supports_filters_pushdown(filters)
    }

    scan!(View, scan_planned);
}

fn created(statement: &Statement) -> Option<&CreateView> {
    match statement {
        Statement::Statement(statement) => match statement.as_ref() {
            SqlStatement::CreateView(view) => Some(view),
            _ => None,
        },
        _ => None,
    }
}

fn names_of(plan: &LogicalPlan) -> Vec<String> {
    let fields = plan.schema().fields().iter();
    fields.map(|field| field.name().clone()).collect()
}

/// The whole name of a table.
fn key(state: &SessionState, name: TableReference) -> String {
    let catalog = &state.config_options().catalog;
    let name = name.resolve(&catalog.default_catalog, &catalog.default_schema);
    name.to_string()
}
