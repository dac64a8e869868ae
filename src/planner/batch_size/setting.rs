//! Input of the rule that DataFusion's setting lacks: the batch sizes that fit into memory, and
//! whether the user has set the batch size, even to the default.

use std::any::Any;

use datafusion::common::config::{
    ConfigEntry, ConfigExtension, ConfigNonZeroUsize, ConfigOptions, ExtensionOptions,
};
use datafusion::common::{Result, config_err};
use datafusion::logical_expr::{LogicalPlan, Statement};
use datafusion::prelude::SessionContext;

use super::{NARROW_BATCH_ROWS, WIDE_BATCH_ROWS};

const BATCH_SIZE: &str = "datafusion.execution.batch_size";

/// The numbers of rows per batch. Both are smaller if memory is scarce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchRows {
    /// The batch size for wide rows of unknown size.
    pub wide: usize,
    /// The batch size for narrow rows, and DataFusion's setting.
    pub narrow: usize,
}

impl Default for BatchRows {
    fn default() -> Self {
        Self {
            wide: WIDE_BATCH_ROWS,
            narrow: NARROW_BATCH_ROWS,
        }
    }
}

/// Internal state of the rule in a session's configuration. It is not a setting for users.
#[derive(Debug, Clone, Default)]
struct BatchSizeState {
    is_set_by_user: bool,
    rows: BatchRows,
}

impl ConfigExtension for BatchSizeState {
    const PREFIX: &'static str = "corpus_batch_size";
}

impl ExtensionOptions for BatchSizeState {
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
    let state = state_of(config);
    state.is_set_by_user || config.execution.batch_size.get() != state.rows.narrow
}

/// The batch sizes of the session.
pub fn batch_rows(config: &ConfigOptions) -> BatchRows {
    state_of(config).rows
}

/// Sets the batch sizes of the session.
pub fn set_batch_rows(config: &mut ConfigOptions, rows: BatchRows) -> Result<()> {
    config.execution.batch_size = ConfigNonZeroUsize::try_new(rows.narrow)?;
    let state = BatchSizeState {
        rows,
        ..state_of(config)
    };
    config.extensions.insert(state);
    Ok(())
}

fn state_of(config: &ConfigOptions) -> BatchSizeState {
    let state = config.extensions.get::<BatchSizeState>();
    state.cloned().unwrap_or_default()
}

/// Records whether a statement has set or reset the batch size. Called after each statement. A
/// reset restores the batch size chosen for the memory limit.
pub fn note(context: &SessionContext, statement: &LogicalPlan) -> Result<()> {
    let is_set_by_user = match statement {
        LogicalPlan::Statement(Statement::SetVariable(set)) if is_batch_size(&set.variable) => true,
        LogicalPlan::Statement(Statement::ResetVariable(reset))
            if is_batch_size(&reset.variable) =>
        {
            false
        }
        _ => return Ok(()),
    };
    let state = context.state_ref();
    let mut state = state.write();
    let options = state.config_mut().options_mut();
    let state = BatchSizeState {
        is_set_by_user,
        ..state_of(options)
    };
    let rows = state.rows;
    options.extensions.insert(state);
    if is_set_by_user {
        return Ok(());
    }
    set_batch_rows(options, rows)
}

fn is_batch_size(variable: &str) -> bool {
    variable.eq_ignore_ascii_case(BATCH_SIZE)
}
