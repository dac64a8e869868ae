//! How the names in SQL are compared.

use datafusion::common::config::SqlParserOptions;
use datafusion::sql::sqlparser::ast::{Expr, Ident, LambdaFunction, OneOrManyWithParens};

/// Returns the known name that `name` means, as in DuckDB: the same one, or the only one that
/// differs in case.
pub fn in_known_case<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    let known = known.into_iter();
    if let Some(same) = known.clone().find(|it| *it == name) {
        return Some(same);
    }
    let lower = name.to_lowercase();
    let mut similar = known.filter(|it| it.to_lowercase() == lower);
    let first = similar.next()?;
    similar.all(|other| other == first).then_some(first)
}

/// How names are compared.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    lower_case: bool,
}

/// The names of identifiers: only quoted ones keep their case.
pub const FOLDED: Names = Names { lower_case: true };

impl Names {
    pub fn new(options: &SqlParserOptions) -> Self {
        Self {
            lower_case: options.enable_ident_normalization,
        }
    }

    /// Returns the name of an identifier, as the planner compares it.
    pub fn of(self, identifier: &Ident) -> String {
        match identifier.quote_style {
            None if self.lower_case => identifier.value.to_lowercase(),
            _ => identifier.value.clone(),
        }
    }

    /// Returns the names of the parameters of a lambda function.
    pub fn of_parameters(self, function: &LambdaFunction) -> Vec<String> {
        let parameters = match &function.params {
            OneOrManyWithParens::One(parameter) => std::slice::from_ref(parameter),
            OneOrManyWithParens::Many(parameters) => parameters,
        };
        let names = parameters.iter().map(|parameter| &parameter.name);
        names.map(|name| self.of(name)).collect()
    }
}

/// The parameters of each lambda function around the current expression of a visitor.
#[derive(Default)]
pub struct LambdaScopes(Vec<Vec<String>>);

impl LambdaScopes {
    /// To be called before an expression is visited.
    pub fn enter(&mut self, expr: &Expr, names: Names) {
        if let Expr::Lambda(function) = expr {
            self.0.push(names.of_parameters(function));
        }
    }

    /// To be called after an expression is visited.
    pub fn leave(&mut self, expr: &Expr) {
        if matches!(expr, Expr::Lambda(_)) {
            self.0.pop();
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &String> + Clone {
        self.0.iter().flatten()
    }

    pub fn contain(&self, name: &str) -> bool {
        self.names().any(|parameter| parameter == name)
    }
}
