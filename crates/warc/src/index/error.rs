//! Errors of index files.

use std::error::Error;
use std::fmt;
use std::io;

/// The reason why an index file cannot be searched.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// Reading the file failed, or its compressed data are damaged.
    Io {
        error: io::Error,
        /// The offset of the line that could not be read to its end.
        offset: Option<u64>,
    },
    /// The file is a zip or WACZ package.
    Package,
    /// No line of the file has an archive and an offset.
    NotAnIndex {
        /// The error of the first line.
        fault: String,
        offset: u64,
    },
    /// The lines are declared to be sorted, but a line has a lower key than one before it.
    NotSorted { offset: u64 },
    /// The keys of the lines are not made by [`surt`](crate::surt).
    OtherKeys { expected: String, found: String },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { error, offset } => match offset {
                Some(offset) => write!(f, "{error} at byte {offset}"),
                None => write!(f, "{error}"),
            },
            Self::Package => f.write_str(
                "it is a zip or WACZ package: extract the CDX files in its folder 'indexes', and \
                 name those",
            ),
            Self::NotAnIndex { fault, offset } => write!(f, "{fault} at byte {offset}"),
            Self::NotSorted { offset } => write!(
                f,
                "the lines are not sorted by their bytes at byte {offset}: sort the file by \
                 'LC_ALL=C sort'"
            ),
            Self::OtherKeys { expected, found } => write!(
                f,
                "its keys are not those of url_surt: expected '{expected}', got '{found}'"
            ),
        }
    }
}

impl Error for IndexError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> Self {
        Self::Io {
            error,
            offset: None,
        }
    }
}
