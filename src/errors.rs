//! Errors as people read them.

use std::path::Path;

use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

/// What a person needs of an error: the text, without the names of DataFusion's error kinds.
pub fn message(error: &DataFusionError) -> String {
    match error {
        // The name of a rule of the planner is of no use to anybody.
        DataFusionError::Context(context, cause) if !context.contains(' ') => message(cause),
        DataFusionError::Context(context, cause) => format!("{context}: {}", message(cause)),
        DataFusionError::Plan(text) => {
            missing_table(text).unwrap_or_else(|| wrong_arguments(text).to_owned())
        }
        DataFusionError::Execution(text) | DataFusionError::Configuration(text) => text.clone(),
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
                format!("syntax error: {text}")
            }
            ParserError::RecursionLimitExceeded => "the statement is nested too deeply".to_owned(),
        },
        DataFusionError::Diagnostic(_, error) => message(error),
        DataFusionError::Shared(error) => message(error),
        DataFusionError::Collection(errors) => {
            let messages: Vec<_> = errors.iter().map(message).collect();
            messages.join("; ")
        }
        other => other.strip_backtrace(),
    }
}

/// The error about a missing table, which may be meant as a file.
fn missing_table(text: &str) -> Option<String> {
    let table = text.strip_prefix("table '")?.strip_suffix("' not found")?;
    let name = table.strip_prefix("datafusion.public.").unwrap_or(table);
    Some(if Path::new(name).exists() {
        format!("table '{name}' not found; for the files at '{name}' say read_files('{name}')")
    } else if name.contains(['.', '/']) {
        format!("there is no table or file '{name}'")
    } else {
        format!("table '{name}' not found")
    })
}

/// Of the error about arguments of wrong types that part which is meant for people: what a function
/// of ours says of itself, or which arguments there may be. Around it stand the names of errors, and
/// a request to report a bug.
fn wrong_arguments(text: &str) -> &str {
    let part = || {
        let (said, signatures) = text.split_at(text.find("No function matches the given name")?);
        let Some((_, own)) = said.split_once("user-defined coercion failed with: ") else {
            return Some(signatures);
        };
        let own = own.trim_end_matches([' ', '.']);
        Some(own.strip_prefix("Error during planning: ").unwrap_or(own))
    };
    part().unwrap_or(text)
}
