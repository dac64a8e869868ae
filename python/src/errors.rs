//! Errors as Python exceptions, with the messages of the command line.

use corpus_sql::errors::{Cause, cause, message};
use datafusion::error::DataFusionError;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, create_exception};

create_exception!(
    corpus_sql,
    Error,
    PyException,
    "Any error of corpus_sql. Its subclasses distinguish the causes."
);
create_exception!(
    corpus_sql,
    SqlError,
    Error,
    "A mistake in a statement, its parameters, or the arguments of a function."
);
create_exception!(
    corpus_sql,
    DataError,
    Error,
    "Data that a query does not tolerate. `file` and `offset` locate it, if they are known."
);
create_exception!(
    corpus_sql,
    IoError,
    Error,
    "A file, folder or object store that cannot be read or written."
);

/// Converts an error of a query.
pub fn exception(error: &DataFusionError) -> PyErr {
    let text = message(error);
    match cause(error) {
        Cause::Sql => SqlError::new_err(text),
        Cause::Io => IoError::new_err(text),
        Cause::Data => data_error(text),
        Cause::Other => Error::new_err(text),
    }
}

fn data_error(text: String) -> PyErr {
    Python::attach(|py| {
        let made = DataError::type_object(py).call1((&text,));
        let located = made.and_then(|error| {
            let place = text.split_once(" at offset ").and_then(|(file, rest)| {
                let (offset, _) = rest.split_once(':')?;
                Some((file, offset.parse::<u64>().ok()?))
            });
            error.setattr("file", place.map(|(file, _)| file))?;
            error.setattr("offset", place.map(|(_, offset)| offset))?;
            Ok(error)
        });
        located.map_or_else(|error| error, PyErr::from_value)
    })
}

/// Makes an exception for a mistake that is detected before anything runs.
pub fn usage(text: impl Into<String>) -> PyErr {
    SqlError::new_err(text.into())
}
