//! Errors as people read them.

use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;

/// What a person needs of an error: the text, without the names of DataFusion's error kinds.
pub fn message(error: &DataFusionError) -> String {
    match error {
        DataFusionError::Context(context, cause) => format!("{context}: {}", message(cause)),
        DataFusionError::Plan(text)
        | DataFusionError::Execution(text)
        | DataFusionError::Configuration(text) => text.clone(),
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
