//! Implements `RESET corpus.…` as a `SET` to the default: DataFusion resets only its own settings.

use corpus_udfs::settings::CorpusSettings;
use datafusion::common::config::{ConfigExtension, ExtensionOptions};
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{ResetStatement, Statement};

use crate::sql::dialect;

/// Replaces `RESET corpus.…` with the corresponding `SET`. Returns other statements unchanged.
pub fn expand(context: &SessionContext, statement: Statement) -> Result<Statement> {
    let Statement::Reset(ResetStatement::Variable(name)) = &statement else {
        return Ok(statement);
    };
    let name = name.to_string().to_lowercase();
    let namespace = name.split('.').next().unwrap_or_default();
    if namespace != CorpusSettings::PREFIX {
        return Ok(statement);
    }
    let defaults = CorpusSettings::default().entries();
    let default = defaults.into_iter().find(|entry| entry.key == name);
    // SET reports an unknown name, and lists those that exist.
    let value = default.and_then(|entry| entry.value).unwrap_or_default();
    dialect::parse(&context.state(), &format!("SET {name} = '{value}'"))
}
