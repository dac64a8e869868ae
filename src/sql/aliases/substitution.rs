//! Marks the names in an expression that may be aliases.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Query, Value, VisitMut, VisitorMut,
};

use super::{REUSED, REUSED_IN_WHERE, UNUSABLE};
use crate::sql::identifiers::LambdaScopes;
use crate::sql::syntax::{Contents, Names, with_fields};
use crate::sql::walk::{rewrite, step};

/// The maximum size of the expressions that the aliases of one SELECT expand to. Each use of an
/// alias copies its expression, so a chain of aliases can grow exponentially.
const MAX_EXPANDED_EXPRESSIONS: usize = 50_000;

/// The expression of an alias, in which earlier aliases are already marked.
struct Alias {
    expr: Expr,
    contents: Contents,
}

/// The part of a SELECT that contains an expression.
#[derive(Clone, Copy)]
pub enum Clause<'a> {
    Select {
        /// The aliases that are defined after the expression.
        later: &'a HashSet<String>,
    },
    Where,
}

/// Replaces names by aliases that are known so far.
pub struct Substitution {
    names: Names,
    aliases: HashMap<String, Alias>,
    expanded: usize,
}

impl Substitution {
    pub fn new(names: Names) -> Self {
        Self {
            names,
            aliases: HashMap::new(),
            expanded: 0,
        }
    }

    /// Adds an alias. The first of several with the same name is used.
    pub fn define(&mut self, name: String, expr: Expr, contents: Contents) {
        let alias = Alias { expr, contents };
        self.aliases.entry(name).or_insert(alias);
    }

    /// Marks the names in a part of the SELECT. Returns whether there are any.
    pub fn apply(&mut self, part: &mut impl VisitMut, place: Clause<'_>) -> Result<bool> {
        let mut walk = Walk {
            substitution: self,
            place,
            queries: 0,
            lambdas: LambdaScopes::default(),
            is_changed: false,
        };
        rewrite(part, &mut walk)?;
        Ok(walk.is_changed)
    }
}

struct Walk<'a> {
    substitution: &'a mut Substitution,
    place: Clause<'a>,
    /// The number of queries around the current expression, inside the part of the SELECT.
    queries: usize,
    lambdas: LambdaScopes,
    is_changed: bool,
}

impl Walk<'_> {
    /// Returns the alternatives for the planner: the name, and the expression of its alias.
    fn replacement(&mut self, name: &Expr, first: &Ident, field: Option<&Ident>) -> Result<Expr> {
        let substitution = &mut *self.substitution;
        let first = substitution.names.of(first);
        let unusable = |message: String| {
            let message = Expr::value(Value::SingleQuotedString(message));
            mark(name, UNUSABLE, message)
        };
        let mut parameters = self.lambdas.names();
        let Some(alias) = substitution.aliases.get(&first) else {
            return Ok(unusable(format!(
                "no column '{first}': the alias '{first}' is defined later in the same SELECT; \
                 move it before its use"
            )));
        };
        if let Some(parameter) =
            parameters.find(|parameter| alias.contents.names.contains(*parameter))
        {
            return Ok(unusable(format!(
                "the alias '{first}' contains the name '{parameter}', which is a parameter of the \
                 lambda function around it: rename the parameter"
            )));
        }
        substitution.expanded += alias.contents.size;
        if substitution.expanded > MAX_EXPANDED_EXPRESSIONS {
            return Err(plan_datafusion_err!(
                "the aliases of a SELECT, written out, contain more than \
                 {MAX_EXPANDED_EXPRESSIONS} expressions: compute some of them in a subquery"
            ));
        }
        let operator = match self.place {
            Clause::Select { .. } => REUSED,
            Clause::Where => REUSED_IN_WHERE,
        };
        let fields = field.map(|field| substitution.names.of(field));
        let value = with_fields(alias.expr.clone(), fields.into_iter().collect());
        Ok(mark(name, operator, value))
    }

    /// Whether a name equals an alias, and is not a parameter of a lambda function.
    fn may_be_alias(&self, name: &Ident) -> bool {
        let name = self.substitution.names.of(name);
        let is_alias = match self.place {
            Clause::Select { later } if later.contains(&name) => true,
            _ => self.substitution.aliases.contains_key(&name),
        };
        is_alias && !self.lambdas.contain(&name)
    }

    fn replace(&mut self, expr: &mut Expr) -> Result<()> {
        let replacement = match expr {
            Expr::Identifier(name) if self.may_be_alias(name) => {
                let name = name.clone();
                self.replacement(expr, &name, None)?
            }
            Expr::CompoundIdentifier(names) => match names.as_slice() {
                [first, field, rest @ ..] if self.may_be_alias(first) => {
                    let (first, field) = (first.clone(), field.clone());
                    let rest = rest.iter().map(|name| self.substitution.names.of(name));
                    let rest = rest.collect();
                    let name = Expr::CompoundIdentifier(vec![first.clone(), field.clone()]);
                    with_fields(self.replacement(&name, &first, Some(&field))?, rest)
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        *expr = replacement;
        self.is_changed = true;
        Ok(())
    }
}

impl VisitorMut for Walk<'_> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<DataFusionError> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<DataFusionError> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.enter(expr, self.substitution.names);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        self.lambdas.leave(expr);
        // An alias of this SELECT is unknown to the queries inside it.
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        step(self.replace(expr))
    }
}

/// `(name OPERATOR value)`
fn mark(name: &Expr, operator: &str, value: Expr) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp {
        left: Box::new(name.clone()),
        op: BinaryOperator::Custom(operator.to_owned()),
        right: Box::new(value),
    }))
}
