//! The parameters of a statement, from Python's values.

use corpus_sql::sql::parameters::{Parameters, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDate, PyDateTime, PyDict, PyFloat, PyInt, PyList, PyString,
    PyTuple, PyTzInfoAccess,
};

/// Takes a dictionary for `$name`, or a list for `$1`, `$2` ….
pub fn parameters(given: Option<&Bound<'_, PyAny>>) -> PyResult<Parameters> {
    let Some(given) = given else {
        return Ok(Parameters::new());
    };
    if let Ok(given) = given.cast::<PyDict>() {
        let pairs = given
            .iter()
            .map(|(name, value)| Ok((name.extract()?, parameter(&value)?)));
        return pairs.collect();
    }
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let values = given.try_iter()?.enumerate();
        let pairs = values.map(|(at, value)| Ok(((at + 1).to_string(), parameter(&value?)?)));
        return pairs.collect();
    }
    Err(PyTypeError::new_err(format!(
        "params: expected a dict for $name, or a list for $1, $2 …, got {}",
        given.get_type().name()?
    )))
}

fn parameter(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let number: i128 = value.extract()?;
        let fits = i64::try_from(number).is_ok() || u64::try_from(number).is_ok();
        return if fits {
            Ok(Value::Integer(number))
        } else {
            Err(PyValueError::new_err(format!(
                "{number} does not fit into 64 bits"
            )))
        };
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::Text(value.extract()?));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Value::Bytes(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Value::Bytes(bytes.to_vec()));
    }
    if let Ok(time) = value.cast::<PyDateTime>() {
        let text: String = time.call_method0("isoformat")?.extract()?;
        return Ok(match time.get_tzinfo() {
            Some(_) => Value::TimestampWithZone(text),
            None => Value::Timestamp(text),
        });
    }
    if value.is_instance_of::<PyDate>() {
        return Ok(Value::Date(value.call_method0("isoformat")?.extract()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values = value.try_iter()?.map(|value| parameter(&value?));
        return values.collect::<PyResult<_>>().map(Value::List);
    }
    if value.hasattr("__fspath__")? {
        return Ok(Value::Text(value.call_method0("__fspath__")?.extract()?));
    }
    Err(PyTypeError::new_err(format!(
        "a parameter can be None, bool, int, float, str, bytes, a date, a datetime, a path, or a \
         list of these, not {}",
        value.get_type().name()?
    )))
}
