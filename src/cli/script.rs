//! The statements of a file, of an option or of the terminal, and how they can fail.

use std::fmt;

/// Statements, and the name of their file or input in messages.
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
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Statement(message) => f.write_str(message),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}
