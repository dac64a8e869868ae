//! The errors, each with advice.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use tantivy::directory::error::OpenReadError;

use corpus_staging::PathError;

pub type Result<T, E = SearchError> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum SearchError {
    /// The query has an error at this character, counted from 1.
    Query { position: usize, message: String },
    /// The options or the columns are unsuitable for an index.
    Settings(String),
    /// The folder does not contain a usable index.
    Index { path: PathBuf, message: String },
    /// The file system reported an error.
    Io { path: PathBuf, error: io::Error },
}

impl SearchError {
    pub fn index(path: &Path, message: impl Into<String>) -> Self {
        Self::Index {
            path: path.to_owned(),
            message: message.into(),
        }
    }

    pub fn io(path: &Path, error: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            error,
        }
    }

    pub fn incomplete(path: &Path, missing: &Path) -> Self {
        Self::index(
            path,
            format!(
                "the index is incomplete ({} is missing): copy the whole folder again, or build \
                 the index again",
                missing.display()
            ),
        )
    }

    /// Converts an error of Tantivy about an existing index, for `map_err`.
    pub fn damaged(path: &Path) -> impl Fn(TantivyError) -> Self + use<> {
        let path = path.to_owned();
        move |error| match error {
            TantivyError::IoError(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::StorageFull | io::ErrorKind::PermissionDenied
                ) =>
            {
                Self::io(&path, io::Error::new(error.kind(), error.to_string()))
            }
            TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath })
                if io_error.kind() == io::ErrorKind::PermissionDenied =>
            {
                let error = io::Error::new(io_error.kind(), io_error.to_string());
                Self::io(&path.join(filepath), error)
            }
            TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(missing)) => {
                Self::incomplete(&path, &missing)
            }
            error => Self::index(
                &path,
                format!("the index is damaged ({error}): build it again"),
            ),
        }
    }

    /// Converts an error of Tantivy while an index is written, for `map_err`.
    pub fn while_writing(path: &Path) -> impl Fn(TantivyError) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::index(&path, format!("the index cannot be written: {error}"))
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query { position, message } => {
                write!(f, "query, character {position}: {message}")
            }
            Self::Settings(message) => f.write_str(message),
            Self::Index { path, message } => write!(f, "{}: {message}", path.display()),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<PathError> for SearchError {
    fn from(error: PathError) -> Self {
        Self::io(&error.path, error.error)
    }
}
