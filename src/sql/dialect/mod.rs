//! The SQL of a session: DataFusion's generic dialect, lambda functions, which its higher-order
//! functions need (`array_filter(lines, line -> line <> '')`), powers (`2 ^ 3`), macros,
//! `SUMMARIZE`, `DESCRIBE` of table functions, `unnest_outer`, and aliases that the same SELECT
//! uses again ([`aliases`]).
//!
//! ```text
//! foreign_statements  statements of DuckDB and PostgreSQL that have another form here
//! tokens              clauses that the parser does not know
//! rewrites            clauses that mean the same as others here
//! expansion           parts of a SELECT that depend on the columns of FROM
//! operators           operators with another meaning
//! comprehensions      [x * 2 FOR x IN list]
//! named_arguments     read_csv('x.csv', header = true)
//! nesting             limits nested expressions, types and queries
//! variables           SET VARIABLE, getvariable('x')
//! prepared            PREPARE, EXECUTE and DEALLOCATE
//! describe            DESCRIBE
//! summarize           SUMMARIZE
//! dml                 UPDATE, DELETE and INSERT
//! alter               ALTER TABLE
//! copies              formats and partitions of written files
//! main_schema         FROM main.t
//! lambda_lists        lists in lambda functions
//! lateral             LATERAL may be left out
//! multisets           EXCEPT ALL and INTERSECT ALL
//! column_case         column names in another case
//! repeated_columns    names that repeat
//! implied_names       names of columns without an alias
//! default_names       names of columns of VALUES and range
//! missing_fields      errors of structs that lack a field
//! views               views are planned again when they are used
//! with_queries        the queries of WITH
//! nested_with         queries of WITH whose names repeat
//! ```

mod alter;
mod column_case;
mod comprehensions;
mod copies;
mod default_names;
mod describe;
pub mod dml;
mod expansion;
mod foreign_statements;
mod implied_names;
mod lambda_lists;
mod lateral;
mod main_schema;
mod missing_fields;
mod multisets;
mod named_arguments;
mod nested_with;
mod nesting;
mod operators;
pub mod prepared;
mod repeated_columns;
mod rewrites;
pub mod summarize;
mod tokens;
pub mod variables;
pub mod views;
mod with_queries;

use std::any::TypeId;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::TableProvider;
use datafusion::common::{
    Constraint, DFSchema, Result, TableReference, not_impl_err, plan_datafusion_err, plan_err,
};
use datafusion::config::Dialect as DialectName;
use datafusion::datasource::{MemTable, provider_as_source};
use datafusion::execution::SessionState;
use datafusion::logical_expr::{
    DdlStatement, Expr, LogicalPlan, LogicalPlanBuilder, Projection, TableType,
};
use datafusion::physical_plan::{ExecutionPlan, collect_partitioned};
use datafusion::prelude::{DataFrame, SessionContext};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::{Expr as SqlExpr, ObjectType, Statement as SqlStatement};
use datafusion::sql::sqlparser::dialect::{Dialect, GenericDialect, dialect_from_str};
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Tokenizer;

use self::alter::Altered;
use self::lambda_lists::LambdaLists;
use self::lateral::ImplicitLateral;
use self::multisets::Multisets;
use self::named_arguments::NamedByEquals;
use self::rewrites::Equivalents;
pub use self::rewrites::SERIES;
use self::with_queries::with_queries;
use super::aliases;
use super::expressions;
use super::macros;
use super::query_table::QueryTable;
use super::syntax::{FieldsAsSubscripts, Names, Shorthands, table_reference};
use super::virtual_columns;
use super::walk::rewrite_statement;
use crate::planner::lateral::{with_lateral_joins, with_unnested_lists};
use crate::planner::materialized::materialize;
use crate::sources::location::file_names::QuotedNames;
use crate::sources::table::register::wait_for;

/// The generic dialect with lambda functions.
#[derive(Debug)]
pub struct CorpusDialect;

/// Defines methods that delegate to [`GenericDialect`].
macro_rules! delegate {
    ($($name:ident)*) => {
        $(fn $name(&self) -> bool {
            GenericDialect.$name()
        })*
    };
}

impl Dialect for CorpusDialect {
    /// The parser treats it as the generic dialect wherever it asks for the type.
    fn dialect(&self) -> TypeId {
        TypeId::of::<GenericDialect>()
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn parse_statement(
        &self,
        parser: &mut Parser,
    ) -> Option<std::result::Result<SqlStatement, ParserError>> {
        macros::parse_drop(parser)
            .or_else(|| summarize::parse(parser))
            .or_else(|| describe::parse(parser))
    }

    fn parse_prefix(
        &self,
        parser: &mut Parser,
    ) -> Option<std::result::Result<SqlExpr, ParserError>> {
        operators::parse_prefix(parser)
            .or_else(|| comprehensions::parse(parser))
            .or_else(|| expansion::parse(parser))
    }

    fn parse_infix(
        &self,
        parser: &mut Parser,
        left: &SqlExpr,
        precedence: u8,
    ) -> Option<std::result::Result<SqlExpr, ParserError>> {
        operators::parse_infix(parser, left, precedence)
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<std::result::Result<u8, ParserError>> {
        operators::precedence(parser)
    }

    fn supports_order_by_all(&self) -> bool {
        true
    }

    fn supports_trailing_commas(&self) -> bool {
        true
    }

    fn supports_create_table_like_parenthesized(&self) -> bool {
        true
    }

    fn supports_notnull_operator(&self) -> bool {
        true
    }

    fn supports_factorial_operator(&self) -> bool {
        true
    }

    fn is_delimited_identifier_start(&self, character: char) -> bool {
        GenericDialect.is_delimited_identifier_start(character)
    }

    fn is_identifier_start(&self, character: char) -> bool {
        GenericDialect.is_identifier_start(character)
    }

    fn is_identifier_part(&self, character: char) -> bool {
        GenericDialect.is_identifier_part(character)
    }

    // All methods that `GenericDialect` overrides. sqlparser has a macro for this, but it works in
    // sqlparser's own source folder only.
    delegate! {
        supports_unicode_string_literal
        supports_partition_by_after_order_by
        supports_array_join_syntax
        supports_group_by_expr
        supports_group_by_with_modifier
        supports_left_associative_joins_without_parens
        supports_connect_by
        supports_match_recognize
        supports_pipe_operator
        supports_start_transaction_modifier
        supports_window_function_null_treatment_arg
        supports_dictionary_syntax
        supports_window_clause_named_window_reference
        supports_parenthesized_set_variables
        supports_select_wildcard_except
        support_map_literal_syntax
        allow_extract_custom
        allow_extract_single_quotes
        supports_extract_comma_syntax
        supports_create_view_comment_syntax
        supports_parens_around_table_factor
        supports_values_as_table_factor
        supports_create_index_with_clause
        supports_explain_with_utility_options
        supports_limit_comma
        supports_update_order_by
        supports_from_first_select
        supports_projection_trailing_commas
        supports_asc_desc_in_column_definition
        supports_try_convert
        supports_bitwise_shift_operators
        supports_comment_on
        supports_load_extension
        supports_named_fn_args_with_assignment_operator
        supports_struct_literal
        supports_empty_projections
        supports_nested_comments
        supports_multiline_comment_hints
        supports_user_host_grantee
        supports_string_escape_constant
        supports_array_typedef_with_brackets
        supports_match_against
        supports_set_names
        supports_comma_separated_set_assignments
        supports_filter_during_aggregation
        supports_select_wildcard_exclude
        supports_data_type_signed_suffix
        supports_interval_options
        supports_quote_delimited_string
        supports_select_wildcard_replace
        supports_select_wildcard_ilike
        supports_select_wildcard_rename
        supports_optimize_table
        supports_install
        supports_detach
        supports_prewhere
        supports_with_fill
        supports_limit_by
        supports_interpolate
        supports_settings
        supports_select_format
        supports_comment_optimizer_hint
        supports_constraint_keyword_without_name
        supports_key_column_option
        supports_comma_separated_trim
        supports_cte_without_as
        supports_select_item_multi_column_alias
        supports_xml_expressions
    }
}

/// Returns the dialect that the setting `datafusion.sql_parser.dialect` names.
pub fn dialect(state: &SessionState) -> Result<Box<dyn Dialect>> {
    let name = state.config().options().sql_parser.dialect;
    if name == DialectName::Generic {
        return Ok(Box::new(CorpusDialect));
    }
    dialect_from_str(name).ok_or_else(|| plan_datafusion_err!("unknown SQL dialect: {name}"))
}

/// Parses one statement in the dialect of a session.
pub fn parse(state: &SessionState, sql: &str) -> Result<Statement> {
    let dialect = dialect(state)?;
    let tokenize = |sql: &str| {
        let tokens = Tokenizer::new(dialect.as_ref(), sql).tokenize_with_location();
        tokens.map_err(ParserError::from)
    };
    let recursion_limit = state.config().options().sql_parser.recursion_limit.get();
    let mut tokens = tokenize(sql)?;
    nesting::check(&tokens, recursion_limit)?;
    if let Some(sql) = foreign_statements::rewrite(sql, &tokens)? {
        tokens = tokenize(&sql)?;
    }
    let mut statements = DFParserBuilder::new(tokens::rewrite(tokens))
        .with_dialect(dialect.as_ref())
        .with_recursion_limit(recursion_limit)
        .build()?
        .parse_statements()?;
    match (statements.pop_front(), statements.is_empty()) {
        (Some(statement), true) => Ok(statement),
        (None, _) => Err(plan_datafusion_err!("no statement")),
        (Some(_), false) => not_impl_err!("more than one statement"),
    }
}

/// Plans a statement that [`parse`] returned. `CREATE MACRO`, `DROP MACRO`, `SET VARIABLE`,
/// `PREPARE` and `ALTER TABLE … RENAME TO` take effect here.
pub async fn plan(state: &SessionState, statement: Statement) -> Result<LogicalPlan> {
    let Some(mut statement) = prepared::execute(state, statement).await? else {
        return LogicalPlanBuilder::empty(false).build();
    };
    main_schema::leave_out(state, &mut statement)?;
    if macros::execute(state, &statement)? || variables::execute(state, &statement).await? {
        return LogicalPlanBuilder::empty(false).build();
    }
    dml::defaults::in_insert(state, &mut statement).await?;
    drop_others(state, &mut statement).await?;
    if let Some(plan) = dml::plan(state, &statement).await? {
        return Ok(plan);
    }
    if is_existing_view(state, &mut statement).await? || drops_no_schema(state, &statement) {
        return LogicalPlanBuilder::empty(false).build();
    }
    match alter::alter(state, &statement).await? {
        Altered::Other => {}
        Altered::Done => return LogicalPlanBuilder::empty(false).build(),
        Altered::Statement(changed) => {
            let (altered, kept) = *changed;
            return kept.put(plan_query(state, altered).await?);
        }
    }
    plan_query(state, statement).await
}

/// Plans the query of a table function, which cannot be asynchronous.
pub fn plan_waiting(state: &SessionState, statement: Statement) -> Result<LogicalPlan> {
    wait_for(views::within_statement(plan(state, statement)))
}

/// Plans a statement that changes neither the session nor rows that exist.
async fn plan_query(state: &SessionState, statement: Statement) -> Result<LogicalPlan> {
    let planned = Box::pin(plan_corrected(state, statement.clone()));
    let mut plan = views::planning(state, &statement, planned).await?;
    views::define(state, statement, &mut plan);
    Ok(plan)
}

/// Plans a statement, or what it means if it has an error that is allowed in this dialect.
async fn plan_corrected(state: &SessionState, mut statement: Statement) -> Result<LogicalPlan> {
    macros::expand_own(state, &mut statement)?;
    let names = Names::new(&state.config_options().sql_parser);
    let mut planned = plan_written(state, statement.clone()).await;
    for _ in 0..column_case::MAX_CORRECTED {
        let unsorted = match &planned {
            Ok(plan) if column_case::sorts_by_unknown(plan) => {
                match column_case::with_selected_order(&statement) {
                    Some(selected) => plan_written(state, selected).await.err(),
                    None => None,
                }
            }
            _ => None,
        };
        let Some(error) = planned.as_ref().err().or(unsorted.as_ref()) else {
            break;
        };
        let Some(corrected) = column_case::correct(error, &statement, names)? else {
            break;
        };
        statement = corrected;
        planned = plan_written(state, statement.clone()).await;
    }
    if let Err(error) = &planned
        && let Some(named) = missing_fields::as_subscripts(error, &statement, names)?
    {
        planned = plan_written(state, named).await;
    }
    if let Err(error) = &planned
        && let Some(renamed) = nested_with::renamed(error, &statement, names)?
    {
        planned = plan_written(state, renamed).await;
    }
    planned
}

/// Plans a statement without calls of macros that a session has created.
async fn plan_written(state: &SessionState, mut statement: Statement) -> Result<LogicalPlan> {
    variables::replace(state, &mut statement)?;
    rewrite_statement(&mut statement, &mut Multisets)?;
    let names = Names::new(&state.config_options().sql_parser);
    default_names::give(&mut statement, names)?;
    describe::write_table_infos(state, &mut statement).await?;
    expansion::expand(state, &mut statement).await?;
    let mut planned = plan_expanded(state, statement.clone()).await;
    let has_fields = match &planned {
        Err(error) => expansion::is_about_field(error, &statement),
        Ok(plan) => expansion::unnests_struct(plan),
    };
    if has_fields {
        let before = statement.clone();
        expansion::expand_fields(state, &mut statement).await?;
        if statement != before {
            planned = plan_expanded(state, statement.clone()).await;
        }
    }
    let has_names = match &planned {
        Err(error) => column_case::is_about_case(error),
        Ok(plan) => expansion::replaces_nothing(&statement, plan),
    };
    if has_names {
        let before = statement.clone();
        expansion::expand_named(state, &mut statement).await?;
        if statement != before {
            planned = plan_expanded(state, statement.clone()).await;
        }
    }
    let has_repeated = match &planned {
        Err(error) => {
            repeated_columns::is_about_names(error) || repeated_columns::is_about_number(error)
        }
        Ok(plan) => repeated_columns::makes_repeated(plan),
    };
    if !has_repeated {
        return planned;
    }
    match repeated_columns::named(state, statement).await? {
        Some(named) => plan_expanded(state, named).await,
        None => planned,
    }
}

/// Whether a statement is `CREATE VIEW IF NOT EXISTS` of a view that exists. DataFusion knows no
/// such condition, which is removed.
async fn is_existing_view(state: &SessionState, statement: &mut Statement) -> Result<bool> {
    let Statement::Statement(inner) = statement else {
        return Ok(false);
    };
    let SqlStatement::CreateView(view) = inner.as_mut() else {
        return Ok(false);
    };
    if !std::mem::take(&mut view.if_not_exists) {
        return Ok(false);
    }
    let names = Names::new(&state.config_options().sql_parser);
    let view = table_reference(&view.name, names)?;
    let schema = state.schema_for_ref(view.clone())?;
    Ok(schema.table_exist(view.table()))
}

/// Whether a statement is `DROP SCHEMA IF EXISTS` of a schema that does not exist, for which
/// DataFusion fails.
fn drops_no_schema(state: &SessionState, statement: &Statement) -> bool {
    let Statement::Statement(statement) = statement else {
        return false;
    };
    let SqlStatement::Drop {
        object_type: ObjectType::Schema,
        if_exists: true,
        names,
        ..
    } = statement.as_ref()
    else {
        return false;
    };
    let catalog = &state.config_options().catalog.default_catalog;
    let catalog = state.catalog_list().catalog(catalog);
    let known = catalog.map_or_else(Vec::new, |catalog| catalog.schema_names());
    !names
        .iter()
        .any(|name| known.contains(&name.to_string().to_lowercase()))
}

/// Drops all tables or views of a `DROP` but the last. DataFusion takes one.
async fn drop_others(state: &SessionState, statement: &mut Statement) -> Result<()> {
    let Statement::Statement(inner) = statement else {
        return Ok(());
    };
    let SqlStatement::Drop {
        object_type: object_type @ (ObjectType::Table | ObjectType::View),
        if_exists,
        names,
        ..
    } = inner.as_mut()
    else {
        return Ok(());
    };
    if names.len() < 2 {
        return Ok(());
    }
    let Some(last) = names.pop() else {
        return Ok(());
    };
    let known = Names::new(&state.config_options().sql_parser);
    let (wanted, other) = match object_type {
        ObjectType::Table => (TableType::Base, "view"),
        _ => (TableType::View, "table"),
    };
    let mut found = Vec::new();
    for name in names.iter().chain([&last]) {
        let name = table_reference(name, known)?;
        let schema = state.schema_for_ref(name.clone());
        match existing_table(state, &name).await {
            Ok(table) if table.table_type() == wanted => found.push((schema?, name)),
            Ok(_) => return plan_err!("'{name}' is a {other}: drop it with another DROP"),
            Err(_) if *if_exists => {}
            Err(error) => return Err(error),
        }
    }
    let last_name = table_reference(&last, known)?;
    for (schema, name) in found {
        if name != last_name {
            schema.deregister_table(name.table())?;
        }
    }
    *names = vec![last];
    Ok(())
}

/// Plans a query over the tables of a statement, for their columns. Names may not repeat in it.
async fn plan_tables(state: &SessionState, mut statement: Statement) -> Result<LogicalPlan> {
    expansion::expand(state, &mut statement).await?;
    plan_expanded(state, statement).await
}

/// Plans a statement whose columns are named.
async fn plan_expanded(state: &SessionState, mut statement: Statement) -> Result<LogicalPlan> {
    let options = state.config_options();
    let names = Names::new(&options.sql_parser);
    rewrites::in_statement(&mut statement)?;
    let is_table_of_query = is_table_of_query(&statement);
    rewrite_statement(&mut statement, &mut Equivalents::new(names))?;
    rewrite_statement(&mut statement, &mut QuotedNames::new(state))?;
    copies::complete(&mut statement);
    rewrite_statement(&mut statement, &mut FieldsAsSubscripts(names))?;
    macros::expand(state, &CorpusDialect, &mut statement)?;
    rewrite_statement(&mut statement, &mut QueryTable(names))?;
    rewrite_statement(&mut statement, &mut Shorthands(names))?;
    rewrite_statement(&mut statement, &mut NamedByEquals)?;
    rewrite_statement(&mut statement, &mut ImplicitLateral(names))?;
    aliases::rewrite(&mut statement, names)?;
    virtual_columns::rewrite(&mut statement, names)?;
    implied_names::give(&mut statement, names)?;
    rewrite_statement(&mut statement, &mut LambdaLists::default())?;
    let queries = with_queries(&mut statement, names)?;
    views::refresh(state, &statement).await?;
    let plan = state.statement_to_plan(statement).await?;
    let plan = materialize(plan, &queries)?;
    let plan = with_lateral_joins(with_unnested_lists(plan)?)?;
    let plan = expressions::before_view(plan, options)?;
    let mut plan = dml::insert::check(plan)?;
    match &mut plan {
        LogicalPlan::DescribeTable(table) => return describe::describe(table),
        LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)) if is_table_of_query => {
            table.input = Arc::new(with_nullability(&table.input, |_| true)?);
        }
        _ => {}
    }
    Ok(plan)
}

/// Whether a statement is `CREATE TABLE … AS SELECT …` without types of columns.
fn is_table_of_query(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(table) => matches!(
            table.as_ref(),
            SqlStatement::CreateTable(table) if table.query.is_some() && table.columns.is_empty()
        ),
        _ => false,
    }
}

/// Declares which columns of a new table are nullable. DataFusion makes them NOT NULL if their
/// first values, such as literals, are never NULL.
fn with_nullability(
    input: &Arc<LogicalPlan>,
    is_nullable: impl Fn(&str) -> bool,
) -> Result<LogicalPlan> {
    let schema = input.schema();
    let fields = schema.iter().map(|(relation, field)| {
        let is_nullable = is_nullable(field.name());
        let field = field.as_ref().clone().with_nullable(is_nullable);
        (relation.cloned(), Arc::new(field))
    });
    let nullable = DFSchema::new_with_metadata(fields.collect(), schema.metadata().clone())?;
    let columns = schema.columns().into_iter().map(Expr::Column).collect();
    let projection =
        Projection::try_new_with_schema(columns, Arc::clone(input), Arc::new(nullable))?;
    Ok(LogicalPlan::Projection(projection))
}

/// Returns the table of a name.
async fn existing_table(
    state: &SessionState,
    name: &TableReference,
) -> Result<Arc<dyn TableProvider>> {
    let schema = state.schema_for_ref(name.clone())?;
    match schema.table(name.table()).await? {
        Some(table) => Ok(table),
        // The planner's message, to which suggestions are added later.
        None => {
            let catalog = &state.config_options().catalog;
            let name = name
                .clone()
                .resolve(&catalog.default_catalog, &catalog.default_schema);
            plan_err!("table '{name}' not found")
        }
    }
}

/// Parses and plans one statement, as the command line does. [`SessionContext::sql`] does the same
/// without lambda functions and without the use of aliases in their own SELECT.
pub async fn sql(context: &SessionContext, sql: &str) -> Result<DataFrame> {
    let state = context.state();
    let plan = plan(&state, parse(&state, sql)?).await?;
    execute(context, plan, &mut |_| {}).await
}

/// Executes a plan as [`SessionContext::execute_logical_plan`] does. The columns of a new table are
/// nullable as in its plan: DataFusion loses that. `fill` gets the plan of the table's rows before
/// it runs.
pub async fn execute(
    context: &SessionContext,
    mut plan: LogicalPlan,
    fill: &mut (dyn FnMut(&Arc<dyn ExecutionPlan>) + Send),
) -> Result<DataFrame> {
    if let LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)) = &mut plan {
        let exists = context.table_exist(table.name.clone())?;
        if !exists || table.or_replace {
            let input = table.input.as_ref().clone();
            let rows = DataFrame::new(context.state(), input);
            let task = Arc::new(rows.task_ctx());
            let rows = rows.create_physical_plan().await?;
            // Only now are all types known.
            let planned = table.input.schema().fields().iter();
            let found = rows.schema();
            let fields = found.fields().iter().zip(planned);
            let fields = fields.enumerate().map(|(number, (field, planned))| {
                let is_nullable = field.is_nullable() || planned.is_nullable();
                let is_in_key = table.constraints.iter().any(|constraint| {
                    matches!(constraint, Constraint::PrimaryKey(key) if key.contains(&number))
                });
                let field = field.as_ref().clone();
                field.with_nullable(is_nullable && !is_in_key)
            });
            let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
            fill(&rows);
            let mut partitions = collect_partitioned(rows, task).await?;
            let batches: Vec<&RecordBatch> = partitions.iter().flatten().collect();
            dml::keys::check(
                &table.name.to_string(),
                &schema,
                &table.constraints,
                &batches,
            )?;
            for batch in partitions.iter_mut().flatten() {
                dml::keys::check_nulls(&schema, batch)?;
                *batch = RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec())?;
            }
            if partitions.is_empty() {
                partitions.push(Vec::new());
            }
            let rows = provider_as_source(Arc::new(MemTable::try_new(schema, partitions)?));
            table.input = Arc::new(LogicalPlanBuilder::scan("rows", rows, None)?.build()?);
        }
    }
    let view = match &plan {
        LogicalPlan::Ddl(DdlStatement::CreateView(view)) => Some(view.name.clone()),
        _ => None,
    };
    let rows = context.execute_logical_plan(plan).await?;
    if let Some(view) = view {
        views::register(context, view).await?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::prelude::SessionContext;

    #[test]
    fn statements_parse_as_in_the_generic_dialect() {
        let state = SessionContext::new().state();
        for sql in [
            "SELECT E'a\\nb', {a: 1}, [1, 2], x::text, MAP {'a': 1} FROM t",
            "SELECT * EXCLUDE (a) FROM t QUALIFY row_number() OVER (ORDER BY b) = 1",
            "SELECT * EXCEPT (a), count(*) FILTER (WHERE a > 1) FROM (VALUES (1)) AS t GROUP BY ALL",
            "FROM t SELECT a /* one /* two */ */ LIMIT 1",
            "COPY (SELECT 1) TO 'x.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)')",
            "CREATE EXTERNAL TABLE t STORED AS WARC LOCATION 'x'",
            "SELECT \"quoted\", `quoted` FROM t WHERE a LIKE 'x' AND NOT b ~ 'y'",
        ] {
            let generic = state.sql_to_statement(sql, &DialectName::Generic).unwrap();
            assert_eq!(parse(&state, sql).unwrap(), generic, "{sql}");
        }
    }

    #[test]
    fn lambdas_are_parsed() {
        let state = SessionContext::new().state();
        for sql in [
            "SELECT array_filter(a, x -> x > 1) FROM t",
            "SELECT array_transform(a, (x) -> {v: x, w: length(x)}) FROM t",
        ] {
            parse(&state, sql).unwrap();
        }
        assert!(parse(&state, "SELECT 1; SELECT 2").is_err());
        assert!(parse(&state, "").is_err());
    }
}
