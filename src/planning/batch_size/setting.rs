//! What the rule needs besides DataFusion's setting: how many rows of documents fit into memory,
//! and whether the user has set the batch size, which may be to the default.

use std::any::Any;

use datafusion::common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use datafusion::common::{Result, config_err};
use datafusion::logical_expr::{LogicalPlan, Statement};
use datafusion::prelude::SessionContext;

use super::{FEW_ROWS, MANY_ROWS};

const BATCH_SIZE: &str = "datafusion.execution.batch_size";

/// A mark in the settings of a session. It is not a setting itself.
#[derive(Debug, Clone)]
struct BatchSizeMark {
    is_set_by_user: bool,
    few_rows: usize,
}

impl Default for BatchSizeMark {
    fn default() -> Self {
        Self {
            is_set_by_user: false,
            few_rows: FEW_ROWS,
        }
    }
}

impl ConfigExtension for BatchSizeMark {
    const PREFIX: &'static str = "corpus_batch_size";
}

impl ExtensionOptions for BatchSizeMark {
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
    mark(config).is_set_by_user || config.execution.batch_size.get() != MANY_ROWS
}

/// The batch size for wide rows.
pub fn few_rows(config: &ConfigOptions) -> usize {
    mark(config).few_rows
}

/// Sets the batch size for wide rows, which is smaller than [`FEW_ROWS`] if memory is scarce.
pub fn set_few_rows(config: &mut ConfigOptions, few_rows: usize) {
    let mark = BatchSizeMark {
        few_rows,
        ..mark(config)
    };
    config.extensions.insert(mark);
}

fn mark(config: &ConfigOptions) -> BatchSizeMark {
    let mark = config.extensions.get::<BatchSizeMark>();
    mark.cloned().unwrap_or_default()
}

/// Notes that a statement sets or resets the batch size. Called for each statement that has run.
pub fn note(context: &SessionContext, statement: &LogicalPlan) {
    let is_set_by_user = match statement {
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
    let mark = BatchSizeMark {
        is_set_by_user,
        ..mark(options)
    };
    options.extensions.insert(mark);
}

fn is_batch_size(variable: &str) -> bool {
    variable.eq_ignore_ascii_case(BATCH_SIZE)
}
