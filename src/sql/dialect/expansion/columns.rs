//! Expands `*` with its clauses, `COLUMNS(…)` and `struct.*` to columns.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result, TableReference, plan_datafusion_err, plan_err};
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Function, Ident, ObjectName, RenameSelectItem, Select, SelectItem,
    SelectItemQualifiedWildcardKind, UnaryOperator, VisitorMut, WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::Token;
use regex::Regex;

use super::conditions::Name;
use super::unpack::Unpack;
use crate::sql::dialect::operators::like_regex;
use crate::sql::dialect::tokens::UNPACKED;
use crate::sql::syntax::{
    Names, and, arguments, call, function_name, in_known_case, last_name, literal_text, text,
    with_fields,
};
use crate::sql::walk::{has_expr, rewrite};

/// The function that expands to several columns.
pub const COLUMNS: &str = "columns";

/// The first argument of [`COLUMNS`] for all columns but those in the other arguments.
const ALL: &str = "*";

/// A column of the tables in FROM.
#[derive(Debug, Clone)]
pub struct Column {
    pub relation: Option<TableReference>,
    pub name: String,
    pub kind: DataType,
}

/// The wildcards to write out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Wildcards that DataFusion cannot expand.
    Special,
    /// All wildcards.
    Wildcards,
    /// The fields of structs in `unnest(record)`.
    Fields,
    /// All wildcards, and joins by names of columns whose case may differ.
    Named,
}

/// Parses `COLUMNS(*)`, `COLUMNS(* EXCLUDE (a, b))` and `COLUMNS(* REPLACE (a + 1 AS a))`. The
/// parser of expressions rejects these arguments.
pub fn parse(parser: &mut Parser<'_>) -> Option<std::result::Result<Expr, ParserError>> {
    let is_columns = matches!(
        &parser.peek_nth_token_ref(0).token,
        Token::Word(word)
            if word.quote_style.is_none() && is_columns(Some(&word.value.to_ascii_lowercase()))
    );
    if !is_columns || parser.peek_nth_token_ref(1).token != Token::LParen {
        return None;
    }
    if parser.peek_nth_token_ref(2).token != Token::Mul {
        return None;
    }
    let name = parser.next_token().to_string().to_ascii_lowercase();
    for _ in 0..2 {
        parser.next_token();
    }
    Some(parse_all(&name, parser))
}

fn parse_all(name: &str, parser: &mut Parser<'_>) -> std::result::Result<Expr, ParserError> {
    let mut arguments = vec![text(ALL)];
    if parser
        .parse_one_of_keywords(&[Keyword::EXCLUDE, Keyword::EXCEPT])
        .is_some()
    {
        let names = if parser.consume_token(&Token::LParen) {
            let names = parser.parse_comma_separated(Parser::parse_identifier)?;
            parser.expect_token(&Token::RParen)?;
            names
        } else {
            vec![parser.parse_identifier()?]
        };
        arguments.extend(names.iter().map(|name| text(&name.value)));
    }
    if parser.parse_keyword(Keyword::REPLACE) {
        parser.expect_token(&Token::LParen)?;
        let replaced = parser.parse_comma_separated(|parser| {
            let expr = Box::new(parser.parse_expr()?);
            parser.expect_keyword(Keyword::AS)?;
            let name = parser.parse_identifier()?;
            Ok(Expr::Named { expr, name })
        })?;
        parser.expect_token(&Token::RParen)?;
        arguments.extend(replaced);
    }
    parser.expect_token(&Token::RParen)?;
    Ok(call(name, arguments))
}

/// Expands the items of a SELECT that are several columns. `of_tables`: the columns of all
/// tables, also those that JOIN … USING leaves out of `*`.
pub fn write(
    select: &mut Select,
    columns: &[Column],
    of_tables: &[Column],
    kind: Kind,
    names: Names,
) -> Result<()> {
    let columns = Columns { columns, names };
    let of_tables = Columns {
        columns: of_tables,
        names,
    };
    let mut items = Vec::new();
    for item in std::mem::take(&mut select.projection) {
        match item {
            SelectItem::Wildcard(options) if is_written(&options, kind) => {
                items.extend(columns.with(columns.columns, &options)?);
            }
            SelectItem::QualifiedWildcard(
                SelectItemQualifiedWildcardKind::ObjectName(name),
                options,
            ) => items.extend(of_tables.qualify(&name, options, kind)?),
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(value), _) => {
                return plan_err!(
                    "{value}.* is not supported: give the value an alias in a query in FROM"
                );
            }
            SelectItem::UnnamedExpr(expr) if has_columns(&expr, names) => {
                items.extend(columns.expand_call(&expr, None)?);
            }
            SelectItem::ExprWithAlias { expr, alias } if has_columns(&expr, names) => {
                items.extend(columns.expand_call(&expr, Some(&alias))?);
            }
            item => items.push(item),
        }
    }
    select.projection = items;
    // The condition holds for each of the columns.
    if let Some(condition) = select.selection.take_if(|it| has_columns(it, names)) {
        let conditions = columns.expand_call(&condition, None)?.into_iter();
        let conditions = conditions.filter_map(|item| match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
            _ => None,
        });
        select.selection = conditions.fold(None, |all, next| Some(and(all, next)));
    }
    Ok(())
}

/// Whether a wildcard with these clauses is written out.
pub fn is_written(options: &WildcardAdditionalOptions, kind: Kind) -> bool {
    let is_qualified = match &options.opt_exclude {
        Some(ExcludeSelectItem::Single(name)) => name.0.len() > 1,
        Some(ExcludeSelectItem::Multiple(names)) => names.iter().any(|name| name.0.len() > 1),
        None => false,
    };
    let has_names = options.opt_exclude.is_some()
        || options.opt_except.is_some()
        || options.opt_replace.is_some();
    kind == Kind::Wildcards
        || options.opt_rename.is_some()
        || options.opt_ilike.is_some()
        || is_qualified
        || (kind == Kind::Named && has_names)
}

/// The name of a column in the case of its table.
fn exact(columns: &[Column], name: &str) -> Result<String> {
    let known = columns.iter().map(|column| column.name.as_str());
    match in_known_case(name, known) {
        Some(name) => Ok(name.to_owned()),
        None => plan_err!("no column '{name}' for * EXCLUDE, REPLACE or RENAME"),
    }
}

/// The columns after EXCLUDE, with the names of their tables.
fn exclude(
    columns: &[Column],
    options: &WildcardAdditionalOptions,
    names: Names,
) -> Result<Vec<(Option<String>, String)>> {
    let mut written: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &ObjectName| {
        let parts = name.0.iter().filter_map(|part| part.as_ident());
        written.push(parts.map(|part| names.of(part)).collect());
    };
    match &options.opt_exclude {
        None => {}
        Some(ExcludeSelectItem::Single(name)) => add(name),
        Some(ExcludeSelectItem::Multiple(names)) => names.iter().for_each(add),
    }
    if let Some(except) = &options.opt_except {
        written.push(vec![names.of(&except.first_element)]);
        let others = except.additional_elements.iter();
        written.extend(others.map(|name| vec![names.of(name)]));
    }
    let found = written.into_iter().map(|mut parts| {
        let name = exact(columns, &parts.pop().unwrap_or_default())?;
        Ok((parts.pop(), name))
    });
    found.collect()
}

struct Columns<'a> {
    columns: &'a [Column],
    names: Names,
}

impl Columns<'_> {
    /// The expression of a column: with its table if the name is not unique.
    fn expression(&self, column: &Column) -> Expr {
        let name = Ident::with_quote('"', &column.name);
        let same = self
            .columns
            .iter()
            .filter(|other| other.name == column.name);
        match &column.relation {
            Some(relation) if same.count() > 1 => {
                let mut parts: Vec<Ident> = relation
                    .to_vec()
                    .into_iter()
                    .map(|part| Ident::with_quote('"', part))
                    .collect();
                parts.push(name);
                Expr::CompoundIdentifier(parts)
            }
            _ => Expr::Identifier(name),
        }
    }

    /// Expands a wildcard with its clauses.
    fn with(
        &self,
        columns: &[Column],
        options: &WildcardAdditionalOptions,
    ) -> Result<Vec<SelectItem>> {
        let excluded = exclude(columns, options, self.names)?;
        let exact = |name: &Ident| exact(columns, &self.names.of(name));
        let replaced = options.opt_replace.iter().flat_map(|it| &it.items);
        let replaced: HashMap<String, &Expr> = replaced
            .map(|item| Ok((exact(&item.column_name)?, &item.expr)))
            .collect::<Result<_>>()?;
        let renamed = match &options.opt_rename {
            None => &[],
            Some(RenameSelectItem::Single(name)) => std::slice::from_ref(name),
            Some(RenameSelectItem::Multiple(names)) => names.as_slice(),
        };
        let renamed: HashMap<String, &Ident> = renamed
            .iter()
            .map(|name| Ok((exact(&name.ident)?, &name.alias)))
            .collect::<Result<_>>()?;
        let like = match &options.opt_ilike {
            Some(like) => Some(like_pattern(&like.pattern)?),
            None => None,
        };
        let is_excluded = |column: &Column| {
            let own = column.relation.as_ref().map(|relation| relation.table());
            let mut excluded = excluded.iter();
            excluded.any(|(table, name)| {
                *name == column.name && (table.is_none() || table.as_deref() == own)
            })
        };
        let kept = columns.iter().filter(|column| {
            !is_excluded(column) && like.as_ref().is_none_or(|like| like.is_match(&column.name))
        });
        Ok(kept
            .map(|column| {
                let expr = match replaced.get(&column.name) {
                    Some(expr) => (*expr).clone(),
                    None => self.expression(column),
                };
                let alias = match renamed.get(&column.name) {
                    Some(alias) => (*alias).clone(),
                    None => Ident::with_quote('"', &column.name),
                };
                let is_named = matches!(&expr, Expr::Identifier(name) if name.value == alias.value);
                if is_named {
                    SelectItem::UnnamedExpr(expr)
                } else {
                    SelectItem::ExprWithAlias { expr, alias }
                }
            })
            .collect())
    }

    /// `table.*` and `struct.*`.
    fn qualify(
        &self,
        name: &ObjectName,
        options: WildcardAdditionalOptions,
        kind: Kind,
    ) -> Result<Vec<SelectItem>> {
        let wanted = last_name(name).map(|name| self.names.of(name));
        let wanted = wanted.unwrap_or_default();
        let is_table = |column: &&Column| {
            column
                .relation
                .as_ref()
                .is_some_and(|table| table.table() == wanted)
        };
        let own: Vec<Column> = self.columns.iter().filter(is_table).cloned().collect();
        if !own.is_empty() {
            if is_written(&options, kind) {
                return self.with(&own, &options);
            }
            let name = SelectItemQualifiedWildcardKind::ObjectName(name.clone());
            return Ok(vec![SelectItem::QualifiedWildcard(name, options)]);
        }
        let known = self.columns.iter().map(|column| column.name.as_str());
        let name = in_known_case(&wanted, known);
        let Some(column) = self
            .columns
            .iter()
            .find(|it| Some(it.name.as_str()) == name)
        else {
            return plan_err!("no table or struct '{wanted}' for {wanted}.*");
        };
        let DataType::Struct(fields) = &column.kind else {
            return plan_err!(
                "{wanted}.* needs a table or a struct, and {wanted} is a column of another type"
            );
        };
        let value = self.expression(column);
        let fields: Vec<Column> = fields
            .iter()
            .map(|field| Column {
                relation: None,
                name: field.name().clone(),
                kind: field.data_type().clone(),
            })
            .collect();
        let items = Columns {
            columns: &fields,
            names: self.names,
        }
        .with(&fields, &options)?;
        let of_struct = |expr: Expr| match &expr {
            Expr::Identifier(name) if fields.iter().any(|field| field.name == name.value) => {
                with_fields(value.clone(), vec![name.value.clone()])
            }
            _ => expr,
        };
        let items = items.into_iter().map(|item| match item {
            SelectItem::UnnamedExpr(Expr::Identifier(alias)) => SelectItem::ExprWithAlias {
                expr: of_struct(Expr::Identifier(alias.clone())),
                alias,
            },
            SelectItem::ExprWithAlias { expr, alias } => SelectItem::ExprWithAlias {
                expr: of_struct(expr),
                alias,
            },
            other => other,
        });
        Ok(items.collect())
    }

    /// Repeats an expression with `COLUMNS(…)` for each of its columns.
    fn expand_call(&self, expr: &Expr, alias: Option<&Ident>) -> Result<Vec<SelectItem>> {
        let mut written = expr.clone();
        rewrite(&mut written, &mut Unpack(|call: &Expr| self.unpack(call)))?;
        if !has_columns(&written, self.names) {
            return Ok(vec![match alias {
                Some(alias) => SelectItem::ExprWithAlias {
                    expr: written,
                    alias: alias.clone(),
                },
                None => SelectItem::UnnamedExpr(written),
            }]);
        }
        let expr = &written;
        let mut items = Vec::new();
        let replaced = self.replaced(expr)?;
        for (column, alias) in self.select(expr, alias)? {
            let mut expr = expr.clone();
            let value = match replaced.get(&column.name) {
                Some(value) => value.clone(),
                None => self.expression(column),
            };
            let mut put = Put {
                value: &value,
                names: self.names,
            };
            rewrite(&mut expr, &mut put)?;
            items.push(SelectItem::ExprWithAlias { expr, alias });
        }
        if items.is_empty() {
            return plan_err!("no column for {expr}");
        }
        Ok(items)
    }

    /// The values of `COLUMNS(* REPLACE (value AS column))` by their columns.
    fn replaced(&self, expr: &Expr) -> Result<HashMap<String, Expr>> {
        let call = first_call(expr, self.names);
        let arguments = call.as_ref().and_then(arguments);
        let replaced = arguments.into_iter().flatten().filter_map(|it| match it {
            Expr::Named { expr, name } => Some((self.names.of(name), expr.as_ref().clone())),
            _ => None,
        });
        let exact = replaced.map(|(name, value)| Ok((exact(self.columns, &name)?, value)));
        exact.collect()
    }

    /// Expands `*COLUMNS(…)`. `None` for other expressions.
    fn unpack(&self, expr: &Expr) -> Result<Option<Vec<Expr>>> {
        let Expr::Function(function) = expr else {
            return Ok(None);
        };
        if function_name(function, self.names).as_deref() != Some(UNPACKED) {
            return Ok(None);
        }
        let selected = self.select(expr, None)?.into_iter();
        let columns: Vec<Expr> = selected
            .map(|(column, _)| self.expression(column))
            .collect();
        if columns.is_empty() {
            return plan_err!("no column for *COLUMNS(…) in {expr}");
        }
        Ok(Some(columns))
    }

    /// The columns of the first `COLUMNS(…)` in an expression, and their new names.
    fn select(&self, expr: &Expr, alias: Option<&Ident>) -> Result<Vec<(&Column, Ident)>> {
        let Some(function) = first_call(expr, self.names) else {
            return Ok(Vec::new());
        };
        let help = || {
            plan_datafusion_err!(
                "{function} is not supported: write COLUMNS(*), COLUMNS(* EXCLUDE (a) REPLACE (b + 1 AS b)), \
                 COLUMNS('a|b') with a regular expression, COLUMNS(['a', 'b']), or COLUMNS(lambda c: c LIKE \
                 'a%')"
            )
        };
        let arguments = arguments(&function).ok_or_else(help)?;
        let named = |column: &Column| match alias {
            Some(alias) => alias.clone(),
            None => Ident::with_quote('"', &column.name),
        };
        let kept = |is_kept: &dyn Fn(&Column) -> bool| {
            let kept = self.columns.iter().filter(|column| is_kept(column));
            kept.map(|column| (column, named(column))).collect()
        };
        let regex = |pattern: &Expr| {
            let pattern = literal_text(pattern).ok_or_else(help)?;
            Regex::new(pattern).map_err(|error| plan_datafusion_err!("{function}: {error}"))
        };
        match arguments.as_slice() {
            // * NOT LIKE
            [
                Expr::UnaryOp {
                    op: UnaryOperator::Not,
                    expr,
                },
            ] => {
                let pattern = regex(expr)?;
                Ok(kept(&|column| !pattern.is_match(&column.name)))
            }
            [Expr::Lambda(lambda)] => {
                let parameters = self.names.of_parameters(lambda);
                let [parameter] = parameters.as_slice() else {
                    return Err(help());
                };
                let mut kept = Vec::new();
                for column in self.columns {
                    let name = Name {
                        names: self.names,
                        parameter,
                        name: &column.name,
                    };
                    if name.meets(&lambda.body)? {
                        kept.push((column, named(column)));
                    }
                }
                Ok(kept)
            }
            [Expr::Array(list)] => {
                let mut wanted = Vec::new();
                for item in &list.elem {
                    let name = literal_text(item).ok_or_else(help)?;
                    let known = self.columns.iter().map(|column| column.name.as_str());
                    match in_known_case(name, known) {
                        Some(name) => wanted.push(name),
                        None => return plan_err!("no column '{name}' for {function}"),
                    }
                }
                // In the order of the table, as in DuckDB.
                Ok(kept(&|column| wanted.contains(&column.name.as_str())))
            }
            [first, excluded @ ..] if literal_text(first) == Some(ALL) => {
                let excluded = excluded.iter().filter_map(|it| literal_text(it));
                let excluded: Vec<String> = excluded
                    .map(|name| exact(self.columns, name))
                    .collect::<Result<_>>()?;
                Ok(kept(&|column| !excluded.contains(&column.name)))
            }
            [pattern] => {
                let pattern = regex(pattern)?;
                let kept = self.columns.iter().filter_map(|column| {
                    let captures = pattern.captures(&column.name)?;
                    let name = match alias {
                        // AS 'old_\1' refers to groups of the pattern.
                        Some(alias) => {
                            let mut name = alias.value.clone();
                            for (number, group) in captures.iter().enumerate() {
                                let group = group.map_or("", |group| group.as_str());
                                name = name.replace(&format!("\\{number}"), group);
                            }
                            Ident::with_quote('"', name)
                        }
                        None => named(column),
                    };
                    Some((column, name))
                });
                Ok(kept.collect())
            }
            _ => Err(help()),
        }
    }
}

/// The regular expression of a LIKE pattern, without regard to case.
fn like_pattern(pattern: &str) -> Result<Regex> {
    Regex::new(&like_regex(pattern, true)).map_err(|error| plan_datafusion_err!("* ILIKE: {error}"))
}

/// Whether a function expands to several columns.
fn is_columns(name: Option<&str>) -> bool {
    matches!(name, Some(COLUMNS | UNPACKED))
}

/// Whether an expression calls `COLUMNS`.
pub fn has_columns(expr: &Expr, names: Names) -> bool {
    first_call(expr, names).is_some()
}

/// The first call of [`COLUMNS`] in an expression.
fn first_call(expr: &Expr, names: Names) -> Option<Function> {
    let mut found = None;
    has_expr(expr, |part| {
        if let Expr::Function(function) = part
            && is_columns(function_name(function, names).as_deref())
        {
            found = Some(function.clone());
        }
        found.is_some()
    });
    found
}
/// Puts a column in the place of [`COLUMNS`].
struct Put<'a> {
    value: &'a Expr,
    names: Names,
}

impl VisitorMut for Put<'_> {
    type Break = DataFusionError;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if let Expr::Function(function) = expr
            && function_name(function, self.names).as_deref() == Some(COLUMNS)
        {
            *expr = self.value.clone();
        }
        ControlFlow::Continue(())
    }
}

/// The columns that an expression in UNPIVOT names.
pub fn names_of(expr: &Expr, columns: &[Column], names: Names) -> Result<Vec<String>> {
    if has_columns(expr, names) {
        let columns = Columns { columns, names };
        let selected = columns.select(expr, None)?.into_iter();
        return Ok(selected.map(|(column, _)| column.name.clone()).collect());
    }
    match expr {
        Expr::Identifier(name) => Ok(vec![names.of(name)]),
        Expr::CompoundIdentifier(parts) => Ok(parts
            .last()
            .map(|name| names.of(name))
            .into_iter()
            .collect()),
        other => plan_err!(
            "UNPIVOT takes columns, not {other}: write UNPIVOT (SELECT {other} AS a FROM t) ON a"
        ),
    }
}
