//! Whether the user has set the batch size. Its value alone does not say so: it may be the default.

use std::any::Any;

use datafusion::common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use datafusion::common::{Result, config_err};
use datafusion::logical_expr::{LogicalPlan, Statement};
use datafusion::prelude::SessionContext;

use super::MANY_ROWS;

const BATCH_SIZE: &str = "datafusion.execution.batch_size";

/// A mark in the settings of a session. It is not a setting itself.
#[derive(Debug, Clone, Default)]
struct UserBatchSize {
    is_set: bool,
}

impl ConfigExtension for UserBatchSize {
    const PREFIX: &'static str = "corpus_batch_size";
}

impl ExtensionOptions for UserBatchSize {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, _value: &str) -> Result<()> {
        config_err!("unknown setting {}.{key}", Self::PREFIX)
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        Vec::new()
    }
}

/// Whether all operators run with the batch size of the session.
pub fn is_fixed(config: &ConfigOptions) -> bool {
    let mark = config.extensions.get::<UserBatchSize>();
    mark.is_some_and(|mark| mark.is_set) || config.execution.batch_size.get() != MANY_ROWS
}

/// Notes that a statement sets or resets the batch size. Called for each statement that has run.
pub fn note(context: &SessionContext, statement: &LogicalPlan) {
    let is_set = match statement {
        LogicalPlan::Statement(Statement::SetVariable(set)) if is_batch_size(&set.variable) => true,
        LogicalPlan::Statement(Statement::ResetVariable(reset))
            if is_batch_size(&reset.variable) =>
        {
            false
        }
        _ => return,
    };
    let state = context.state_ref();
    let mut state = state.write();
    let options = state.config_mut().options_mut();
    options.extensions.insert(UserBatchSize { is_set });
}

fn is_batch_size(variable: &str) -> bool {
    variable.eq_ignore_ascii_case(BATCH_SIZE)
}
