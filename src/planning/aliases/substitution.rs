//! Marks the names in an expression that may be aliases.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, OneOrManyWithParens, Query, Value, Visit, VisitMut, Visitor,
    VisitorMut,
};

use super::rewrite::subscript;
use super::{REUSED, REUSED_IN_WHERE, UNUSABLE};

/// The maximum size of the expressions that the aliases of one SELECT expand to. Each use of an
/// alias copies its expression, so a chain of aliases can grow exponentially.
const MAX_EXPANDED_EXPRESSIONS: usize = 50_000;

/// The expression of an alias, in which earlier aliases are already marked.
pub struct Alias {
    expr: Expr,
    /// The number of expressions in it.
    size: usize,
    /// The names in it.
    names: HashSet<String>,
}

impl Alias {
    pub fn new(expr: Expr, normalize: &dyn Fn(&Ident) -> String) -> Self {
        let mut contents = Contents {
            normalize,
            size: 0,
            names: HashSet::new(),
        };
        let _ = expr.visit(&mut contents);
        let Contents { size, names, .. } = contents;
        Self { expr, size, names }
    }
}

struct Contents<'a> {
    normalize: &'a dyn Fn(&Ident) -> String,
    size: usize,
    names: HashSet<String>,
}

impl Visitor for Contents<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.size += 1;
        let name = match expr {
            Expr::Identifier(name) => Some(name),
            Expr::CompoundIdentifier(names) => names.first(),
            _ => None,
        };
        self.names.extend(name.map(self.normalize));
        ControlFlow::Continue(())
    }
}

/// The part of a SELECT that contains an expression.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    Select {
        /// The aliases that are defined after the expression.
        later: &'a HashSet<String>,
    },
    Where,
}

/// Replaces names by aliases that are known so far.
pub struct Substitution<'a> {
    normalize: &'a dyn Fn(&Ident) -> String,
    aliases: HashMap<String, Alias>,
    expanded: usize,
}

impl<'a> Substitution<'a> {
    pub fn new(normalize: &'a dyn Fn(&Ident) -> String) -> Self {
        Self {
            normalize,
            aliases: HashMap::new(),
            expanded: 0,
        }
    }

    /// Adds an alias. The first of several with the same name is used.
    pub fn define(&mut self, name: String, alias: Alias) {
        self.aliases.entry(name).or_insert(alias);
    }

    /// Marks the names in a part of the SELECT. Returns whether there are any.
    pub fn apply(&mut self, part: &mut impl VisitMut, place: Place<'_>) -> Result<bool> {
        let mut walk = Walk {
            substitution: self,
            place,
            queries: 0,
            parameters: Vec::new(),
            is_changed: false,
        };
        match part.visit(&mut walk) {
            ControlFlow::Continue(()) => Ok(walk.is_changed),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

struct Walk<'a, 'b> {
    substitution: &'a mut Substitution<'b>,
    place: Place<'a>,
    /// The number of queries around the current expression, inside the part of the SELECT.
    queries: usize,
    /// The parameters of each lambda function around the current expression.
    parameters: Vec<Vec<String>>,
    is_changed: bool,
}

impl Walk<'_, '_> {
    /// Returns what the planner chooses from: the name, and the expression of its alias.
    fn replacement(&mut self, name: &Expr, first: &Ident, field: Option<&Ident>) -> Result<Expr> {
        let substitution = &mut *self.substitution;
        let first = (substitution.normalize)(first);
        let unusable = |message: String| {
            let message = Expr::value(Value::SingleQuotedString(message));
            marked(name, UNUSABLE, message)
        };
        let mut parameters = self.parameters.iter().flatten();
        let Some(alias) = substitution.aliases.get(&first) else {
            return Ok(unusable(format!(
                "no column '{first}': the alias '{first}' is defined later in the same SELECT; \
                 move it before its use"
            )));
        };
        if let Some(parameter) = parameters.find(|parameter| alias.names.contains(*parameter)) {
            return Ok(unusable(format!(
                "the alias '{first}' contains the name '{parameter}', which is a parameter of the \
                 lambda function around it: rename the parameter"
            )));
        }
        substitution.expanded += alias.size;
        if substitution.expanded > MAX_EXPANDED_EXPRESSIONS {
            return Err(plan_datafusion_err!(
                "the aliases of a SELECT, written out, contain more than \
                 {MAX_EXPANDED_EXPRESSIONS} expressions: compute some of them in a subquery"
            ));
        }
        let operator = match self.place {
            Place::Select { .. } => REUSED,
            Place::Where => REUSED_IN_WHERE,
        };
        let value = match field {
            None => alias.expr.clone(),
            Some(field) => Expr::CompoundFieldAccess {
                root: Box::new(Expr::Nested(Box::new(alias.expr.clone()))),
                access_chain: vec![subscript((substitution.normalize)(field))],
            },
        };
        Ok(marked(name, operator, value))
    }

    /// Whether a name equals an alias, and is not a parameter of a lambda function.
    fn may_be_alias(&self, name: &Ident) -> bool {
        let name = (self.substitution.normalize)(name);
        let is_alias = match self.place {
            Place::Select { later } if later.contains(&name) => true,
            _ => self.substitution.aliases.contains_key(&name),
        };
        is_alias && !self.parameters.iter().flatten().any(|p| *p == name)
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
                    let rest: Vec<String> = rest.iter().map(self.substitution.normalize).collect();
                    let name = Expr::CompoundIdentifier(vec![first.clone(), field.clone()]);
                    let value = self.replacement(&name, &first, Some(&field))?;
                    match rest.is_empty() {
                        true => value,
                        false => Expr::CompoundFieldAccess {
                            root: Box::new(value),
                            access_chain: rest.into_iter().map(subscript).collect(),
                        },
                    }
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

impl VisitorMut for Walk<'_, '_> {
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
        if let Expr::Lambda(function) = expr {
            let parameters = match &function.params {
                OneOrManyWithParens::One(parameter) => std::slice::from_ref(parameter),
                OneOrManyWithParens::Many(parameters) => parameters,
            };
            let names = parameters.iter().map(|parameter| &parameter.name);
            let names = names.map(self.substitution.normalize).collect();
            self.parameters.push(names);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        if matches!(expr, Expr::Lambda(_)) {
            self.parameters.pop();
        }
        // An alias of this SELECT is unknown to the queries inside it.
        if self.queries > 0 {
            return ControlFlow::Continue(());
        }
        match self.replace(expr) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }
}

/// `(name OPERATOR value)`
fn marked(name: &Expr, operator: &str, value: Expr) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp {
        left: Box::new(name.clone()),
        op: BinaryOperator::Custom(operator.to_owned()),
        right: Box::new(value),
    }))
}
