//! The statements of a file, of an option or of the terminal, and how they can fail.

use std::fmt;

/// The name of statements that were typed in a session.
pub const TYPED: &str = "line";

/// Statements, and the name of their file or input in messages.
#[derive(Debug, Clone)]
pub struct Script {
    pub name: String,
    pub text: String,
}

/// Why a script ended early.
#[derive(Debug)]
pub enum Failure {
    /// A mistake that was found before anything ran.
    Usage(String),
    Statement(String),
    /// The number of records, files and rows with errors, if that is to be a failure.
    Errors(u64),
    /// An interrupt: the finished work and how to continue, in lines that begin with a line feed.
    Interrupted(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Statement(message) => f.write_str(message),
            Self::Errors(1) => {
                f.write_str("a record, file or row had an error; everything else is done")
            }
            Self::Errors(errors) => write!(
                f,
                "{errors} records, files or rows had errors; everything else is done"
            ),
            Self::Interrupted(progress) => write!(f, "interrupted{progress}"),
        }
    }
}
