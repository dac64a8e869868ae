//! Keeps the last error of reading an index file, because Tantivy replaces it with its own error or
//! panics.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub struct Failures(Mutex<Option<io::Error>>);

impl Failures {
    fn lock(&self) -> MutexGuard<'_, Option<io::Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores an error, and returns a copy of it.
    pub fn keep(&self, error: io::Error) -> io::Error {
        let copy = io::Error::new(error.kind(), error.to_string());
        *self.lock() = Some(error);
        copy
    }

    /// Returns the error since the last call.
    pub fn take(&self) -> Option<io::Error> {
        self.lock().take()
    }
}
