//! The errors of model files.

use std::fmt;
use std::path::{Path, PathBuf};

/// The fault of a model, its place in the file, and what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelError {
    path: Option<PathBuf>,
    offset: Option<u64>,
    message: String,
}

impl ModelError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            path: None,
            offset: None,
            message: message.into(),
        }
    }

    pub(super) fn at(offset: u64, message: impl Into<String>) -> Self {
        Self {
            offset: Some(offset),
            ..Self::new(message)
        }
    }

    pub(super) fn of_file(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(formatter, "{}: ", path.display())?;
        }
        formatter.write_str(&self.message)?;
        if let Some(offset) = self.offset {
            write!(formatter, " (at byte {offset})")?;
        }
        Ok(())
    }
}

impl std::error::Error for ModelError {}
