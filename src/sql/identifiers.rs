//! How the names in SQL are compared.

use datafusion::common::config::SqlParserOptions;
use datafusion::sql::sqlparser::ast::{Ident, LambdaFunction, OneOrManyWithParens};

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
