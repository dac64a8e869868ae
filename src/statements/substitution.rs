//! Replaces the variables of a script, and those for columns with the columns of its inputs.

use datafusion::arrow::datatypes::Fields;
use datafusion::common::DataFusionError;
use datafusion::prelude::SessionContext;

use super::document_columns::{DocumentColumns, Inputs};
use super::own_output;
use super::script::Script;
use super::variable_checks::default_hint;
use super::variables::{self, Substituted, VariableError, Variables};
use crate::errors::message;
use crate::sql::dialect;
use crate::sql::syntax::literal;

/// Why the variables of a script cannot be replaced.
#[derive(Debug)]
pub enum SubstitutionError {
    /// A mistake in the script or in the values of its variables.
    Usage(String),
    /// An input cannot be opened.
    Input {
        error: Box<DataFusionError>,
        hint: String,
    },
}

/// Replaces the variables. Opens the inputs whose columns the script names.
pub async fn substitute(
    context: &SessionContext,
    script: &Script,
    variables: &Variables,
    interactive: bool,
) -> Result<Substituted, SubstitutionError> {
    let mistake = |VariableError { line, message }: VariableError| {
        SubstitutionError::Usage(format!("{}:{line}: {message}", script.name))
    };
    let mut inputs = Inputs::new();
    for (name, location) in variables::inputs(&script.text, variables).map_err(mistake)? {
        let given = |name: &str| variables.get(name).map(String::as_str);
        let columns = columns_of(context, &location).await.map_err(|error| {
            let defaults = if variables.contains_key(&name) {
                Vec::new()
            } else {
                vec![(name.clone(), location.clone())]
            };
            let hint = default_hint(&message(&error), &defaults, interactive);
            let error = Box::new(error);
            SubstitutionError::Input { error, hint }
        })?;
        let columns = DocumentColumns::new(&location, &columns, given("text"), given("id"));
        inputs.insert(name, columns);
    }
    let substituted = variables::substitute(&script.text, variables, &inputs).map_err(mistake)?;
    let refused = |message| SubstitutionError::Usage(format!("{}: {message}", script.name));
    own_output::check(&script.text, &substituted).map_err(refused)?;
    Ok(substituted)
}

/// Substitutes variables without columns of inputs, to check a script before its inputs exist.
pub fn substitute_without_columns(
    sql: &str,
    variables: &Variables,
) -> Result<Substituted, VariableError> {
    let named = variables::inputs(sql, variables)?;
    let inputs = named.into_iter();
    let inputs: Inputs = inputs
        .map(|(name, _)| (name, DocumentColumns::unknown()))
        .collect();
    variables::substitute(sql, variables, &inputs)
}

async fn columns_of(context: &SessionContext, location: &str) -> Result<Fields, DataFusionError> {
    let state = context.state();
    let query = format!("SELECT * FROM {}", literal(location));
    let query = dialect::parse(&state, &query)?;
    let plan = dialect::plan(&state, query).await?;
    Ok(plan.schema().fields().clone())
}
