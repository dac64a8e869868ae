//! Helpers for the rewriting of parsed SQL.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, TableReference, plan_err};
use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, BinaryOperator, CaseWhen, CastKind, DataType, Expr, Function, FunctionArg,
    FunctionArgExpr, FunctionArgumentList, FunctionArguments, GroupByExpr, Ident, ObjectName,
    Query, Select, SelectFlavor, SelectItem, SetExpr, Subscript, TableAlias, TableAliasColumnDef,
    TableFactor, TableWithJoins, UnaryOperator, Value, VisitMut, Visitor, VisitorMut,
    WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use datafusion::sql::sqlparser::tokenizer::Token;

pub use super::identifiers::{Names, in_known_case};
use crate::sql::walk::find;

/// Rewrites `a.b['c'].d` to `a.b['c']['d']`, so that every identifier in an expression is the name
/// of a column or table. DataFusion supports the first form after a name only.
pub struct FieldsAsSubscripts(pub Names);

impl VisitorMut for FieldsAsSubscripts {
    type Break = DataFusionError;

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        join_names(expr);
        if let Expr::CompoundFieldAccess { access_chain, .. } = expr {
            for access in access_chain.iter_mut() {
                if let Some(field) = field(access) {
                    *access = subscript(self.0.of(field));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Makes one name of those at the start of `a.b['c']`: `a` may be a table.
pub fn join_names(expr: &mut Expr) {
    if let Expr::CompoundFieldAccess { root, access_chain } = expr
        && let Expr::Identifier(first) = root.as_ref()
    {
        let fields: Vec<Ident> = access_chain.iter().map_while(field).cloned().collect();
        if !fields.is_empty() {
            access_chain.drain(..fields.len());
            let identifiers = std::iter::once(first.clone()).chain(fields).collect();
            **root = Expr::CompoundIdentifier(identifiers);
        }
    }
}

/// Names of the function that returns a row for an empty list, too.
const UNNEST_OUTER: [&str; 2] = ["unnest_outer", "explode_outer"];

/// Rewrites `FROM t` to `SELECT * FROM t`, and `unnest_outer(list)` to
/// `unnest(list_or_null(list))`.
pub struct Shorthands(pub Names);

impl VisitorMut for Shorthands {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        select_all(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Function(function) = expr else {
            return ControlFlow::Continue(());
        };
        let name = function_name(function, self.0);
        if name.is_some_and(|name| UNNEST_OUTER.contains(&name.as_str())) {
            let mut inner = function.clone();
            inner.name = ObjectName::from(vec![Ident::new("list_or_null")]);
            function.name = ObjectName::from(vec![Ident::new("unnest")]);
            function.args = argument_list(vec![argument(Expr::Function(inner))]);
        }
        ControlFlow::Continue(())
    }
}

/// Writes the `SELECT *` that `FROM t` leaves out.
pub fn select_all(select: &mut Select) {
    if select.flavor == SelectFlavor::FromFirstNoSelect {
        select.flavor = SelectFlavor::Standard;
        let all = WildcardAdditionalOptions::default();
        select.projection = vec![SelectItem::Wildcard(all)];
    }
}

fn field(access: &AccessExpr) -> Option<&Ident> {
    match access {
        AccessExpr::Dot(Expr::Identifier(field)) => Some(field),
        _ => None,
    }
}

/// The call of a function.
pub fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    let arguments = arguments.into_iter().map(argument);
    Expr::Function(Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: argument_list(arguments.collect()),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

/// An expression as an argument.
pub fn argument(value: Expr) -> FunctionArg {
    FunctionArg::Unnamed(FunctionArgExpr::Expr(value))
}

/// Arguments in parentheses.
pub fn argument_list(args: Vec<FunctionArg>) -> FunctionArguments {
    FunctionArguments::List(FunctionArgumentList {
        duplicate_treatment: None,
        args,
        clauses: Vec::new(),
    })
}

/// The arguments of a call if all are plain expressions.
pub fn arguments(function: &Function) -> Option<Vec<&Expr>> {
    match &function.args {
        FunctionArguments::List(list) => plain_arguments(&list.args),
        _ => None,
    }
}

/// The values of arguments if all are plain expressions.
pub fn plain_arguments(arguments: &[FunctionArg]) -> Option<Vec<&Expr>> {
    arguments.iter().map(plain_argument).collect()
}

/// The value of an argument without a name.
pub fn plain_argument(argument: &FunctionArg) -> Option<&Expr> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => Some(value),
        _ => None,
    }
}

/// The name of a function without a schema.
pub fn function_name(function: &Function, names: Names) -> Option<String> {
    single_name(&function.name).map(|name| names.of(name))
}

/// A name without a schema. `None` for qualified names.
pub fn single_name(name: &ObjectName) -> Option<&Ident> {
    match name.0.as_slice() {
        [part] => part.as_ident(),
        _ => None,
    }
}

/// A name without its schema.
pub fn last_name(name: &ObjectName) -> Option<&Ident> {
    name.0.last()?.as_ident()
}

/// The text of a literal.
pub fn literal_text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The digits of a literal number.
pub fn literal_number(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(number, _) => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// The item of a SELECT whose number is a key of ORDER BY or GROUP BY.
pub fn numbered_item<'a>(key: &Expr, items: &'a [SelectItem]) -> Option<&'a SelectItem> {
    let number: usize = literal_number(key)?.parse().ok()?;
    items.get(number.checked_sub(1)?)
}

/// A text as an expression.
pub fn text(value: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(value.to_owned()))
}

/// A whole number as an expression.
pub fn integer(value: i64) -> Expr {
    Expr::value(Value::Number(value.to_string(), false))
}

/// `CAST(value AS data_type)`
pub fn cast(value: Expr, data_type: DataType) -> Expr {
    Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(value),
        data_type,
        array: false,
        format: None,
    }
}

/// `NOT condition`
pub fn not(condition: Expr) -> Expr {
    Expr::UnaryOp {
        op: UnaryOperator::Not,
        expr: Box::new(condition),
    }
}

/// An operator between two expressions, in parentheses.
pub fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp {
        left: Box::new(left),
        op,
        right: Box::new(right),
    }))
}

/// `CASE WHEN condition THEN result END`.
pub fn value_if(condition: Expr, result: Expr) -> Expr {
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition, result }],
        else_result: None,
    }
}

/// Both conditions joined by AND, or only the second one.
pub fn and(one: Option<Expr>, other: Expr) -> Expr {
    match one {
        Some(one) => binary(
            Expr::Nested(Box::new(one)),
            BinaryOperator::And,
            Expr::Nested(Box::new(other)),
        ),
        None => other,
    }
}

pub fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Nested(inner) => conjuncts(inner),
        Expr::BinaryOp {
            left,
            op: BinaryOperator::And,
            right,
        } => {
            let mut parts = conjuncts(left);
            parts.extend(conjuncts(right));
            parts
        }
        other => vec![other],
    }
}

/// Parses a query that this program writes itself.
pub fn parse_query(sql: &str) -> Result<Query, DataFusionError> {
    let mut parser = Parser::new(&GenericDialect {}).try_with_sql(sql)?;
    let query = parser.parse_query()?;
    parser.expect_token(&Token::EOF)?;
    Ok(*query)
}

/// The alias of a table in FROM.
pub fn table_alias(name: Ident) -> TableAlias {
    TableAlias {
        explicit: true,
        name,
        columns: Vec::new(),
        at: None,
    }
}

/// A column in the alias of a table.
pub fn alias_column(name: Ident) -> TableAliasColumnDef {
    TableAliasColumnDef {
        name,
        data_type: None,
    }
}

/// A query as a table in FROM.
pub fn derived(query: Query, alias: Option<TableAlias>) -> TableFactor {
    TableFactor::Derived {
        lateral: false,
        subquery: Box::new(query),
        alias,
        sample: None,
    }
}

/// Puts a table into `SELECT * FROM t …`, in the place of `t`.
pub fn selected_from(table: TableFactor, sql: &str) -> Result<Query, DataFusionError> {
    let mut query = parse_query(sql)?;
    let SetExpr::Select(select) = query.body.as_mut() else {
        return plan_err!("not a SELECT: {sql}");
    };
    if let Some(first) = select.from.first_mut() {
        first.relation = table;
    }
    Ok(query)
}

/// A table in FROM, and those that it is joined with.
pub fn joined(table: &TableWithJoins) -> impl Iterator<Item = &TableFactor> {
    let joined = table.joins.iter().map(|join| &join.relation);
    std::iter::once(&table.relation).chain(joined)
}

/// Like [`joined`], for changes.
pub fn joined_mut(table: &mut TableWithJoins) -> impl Iterator<Item = &mut TableFactor> {
    let joined = table.joins.iter_mut().map(|join| &mut join.relation);
    std::iter::once(&mut table.relation).chain(joined)
}

/// Whether a SELECT has GROUP BY.
pub fn is_grouped(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
        GroupByExpr::All(_) => true,
    }
}

/// The name by which the columns of a table are qualified: its alias, or its own name. `None` for
/// files and queries without an alias.
pub fn table_name(table: &TableFactor) -> Option<Ident> {
    match table {
        TableFactor::Table { name, alias, .. } => match alias {
            Some(alias) => Some(alias.name.clone()),
            None => {
                let name = last_name(name)?;
                (name.quote_style != Some('\'')).then(|| name.clone())
            }
        },
        TableFactor::Derived { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::Pivot { alias, .. }
        | TableFactor::Unpivot { alias, .. } => alias.as_ref().map(|alias| alias.name.clone()),
        _ => None,
    }
}

/// The name of a table as DataFusion compares it.
pub fn table_reference(name: &ObjectName, names: Names) -> Result<TableReference, DataFusionError> {
    let parts = name.0.iter().map(|part| match part.as_ident() {
        Some(part) => Ok(names.of(part)),
        None => plan_err!("'{name}' is not the name of a table"),
    });
    let parts: Vec<String> = parts.collect::<Result<_, DataFusionError>>()?;
    match parts.as_slice() {
        [table] => Ok(TableReference::bare(table.as_str())),
        [schema, table] => Ok(TableReference::partial(schema.as_str(), table.as_str())),
        [catalog, schema, table] => Ok(TableReference::full(
            catalog.as_str(),
            schema.as_str(),
            table.as_str(),
        )),
        _ => plan_err!("'{name}' is not the name of a table"),
    }
}

/// Returns a text as a literal of SQL. sqlparser's own formatting takes two quotes in a text for
/// one that is escaped already.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns the name of a column in quotes.
pub fn quoted_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// `['name']`
pub fn subscript(name: String) -> AccessExpr {
    let index = Expr::value(Value::SingleQuotedString(name));
    AccessExpr::Subscript(Subscript::Index { index })
}

/// `value['a']['b']`, or the value itself.
pub fn with_fields(value: Expr, fields: Vec<String>) -> Expr {
    if fields.is_empty() {
        return value;
    }
    Expr::CompoundFieldAccess {
        root: Box::new(Expr::Nested(Box::new(value))),
        access_chain: fields.into_iter().map(subscript).collect(),
    }
}

/// The names in an expression, and its size.
pub struct Contents {
    names_of: Names,
    /// The number of expressions.
    pub size: usize,
    /// The names of columns and tables.
    pub names: HashSet<String>,
}

impl Contents {
    pub fn of(part: &mut impl VisitMut, names_of: Names) -> Self {
        let mut contents = Self {
            names_of,
            size: 0,
            names: HashSet::new(),
        };
        find(part, &mut contents);
        contents
    }
}

impl Visitor for Contents {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.size += 1;
        let name = match expr {
            Expr::Identifier(name) => Some(name),
            Expr::CompoundIdentifier(names) => names.first(),
            _ => None,
        };
        self.names.extend(name.map(|name| self.names_of.of(name)));
        ControlFlow::Continue(())
    }
}

/// The titles of columns without an alias: their expressions as written, before any rewrite.
pub struct Titles(Vec<Option<Ident>>);

impl Titles {
    pub fn of(select: &Select) -> Self {
        Self(select.projection.iter().map(title).collect())
    }

    /// Gives the expressions that have changed since then their titles, if they have no alias.
    pub fn apply_changed(&self, select: &mut Select) {
        for (number, item) in select.projection.iter_mut().enumerate() {
            if self.0.get(number) != Some(&title(item)) {
                self.apply(number, item);
            }
        }
    }

    /// Gives a rewritten expression its title, if it has no alias.
    pub fn apply(&self, number: usize, item: &mut SelectItem) {
        if let Some(Some(title)) = self.0.get(number) {
            name_item(item, title.clone());
        }
    }
}

/// The titles of each SELECT around the current expression of a visitor.
#[derive(Default)]
pub struct TitleStack(Vec<(Titles, usize)>);

impl TitleStack {
    /// Enters a SELECT. `changes`: the number of expressions changed so far.
    pub fn enter(&mut self, select: &Select, changes: usize) {
        self.0.push((Titles::of(select), changes));
    }

    /// Leaves a SELECT. If it was changed, its columns keep their titles.
    pub fn leave(&mut self, select: &mut Select, changes: usize) {
        if let Some((titles, before)) = self.0.pop()
            && before != changes
        {
            titles.apply_changed(select);
        }
    }
}

/// Gives an item an alias, if it has none.
pub fn name_item(item: &mut SelectItem, alias: Ident) {
    if let SelectItem::UnnamedExpr(expr) = item {
        let expr = expr.clone();
        *item = SelectItem::ExprWithAlias { expr, alias };
    }
}

/// The name of a column without an alias; `None` for an aliased item, or one of several columns.
pub fn title(item: &SelectItem) -> Option<Ident> {
    let SelectItem::UnnamedExpr(expr) = item else {
        return None;
    };
    match expr {
        Expr::Identifier(name) => Some(name.clone()),
        Expr::CompoundIdentifier(names) => names.last().cloned(),
        // Without an alias, it returns a column for each field of a struct.
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("unnest") => {
            None
        }
        other => Some(Ident::with_quote('"', other.to_string())),
    }
}
