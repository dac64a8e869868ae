//! Holds the files of a copy until all of them are complete.

use std::error::Error;
use std::fmt::Debug;
use std::io;

use async_trait::async_trait;
use datafusion::common::Result;
use parking_lot::Mutex;

/// The files of one copy: they appear together, or not at all.
#[async_trait]
pub trait Destination: Debug + Send + Sync {
    /// Checks the target, before the query runs.
    async fn begin(&self) -> Result<()>;

    /// Makes all files appear, and removes those that they replace.
    async fn complete(&self) -> Result<()>;

    /// Removes the written files, unless the copy is complete.
    fn abandon(&self);

    /// Returns the reason if the store refused a file.
    fn take_failure(&self) -> Option<String>;
}

/// The first error of a store: some of DataFusion's writers do not report it.
#[derive(Debug, Default)]
pub struct FirstFailure(Mutex<Option<String>>);

impl FirstFailure {
    pub fn note<T>(&self, result: object_store::Result<T>) -> object_store::Result<T> {
        result.inspect_err(|error| {
            self.0.lock().get_or_insert_with(|| reason(error));
        })
    }

    pub fn take(&self) -> Option<String> {
        self.0.lock().take()
    }
}

/// Returns the file system's error inside an error, or the error itself.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if let Some(error) = inner.downcast_ref::<io::Error>()
            && error.raw_os_error().is_some()
        {
            return error.to_string();
        }
        cause = inner.source();
    }
    error.to_string()
}
