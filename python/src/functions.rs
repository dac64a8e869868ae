//! The scalar functions of SQL, called with Python's values or with Arrow arrays.

use std::sync::{Arc, OnceLock};

use corpus_sql::settings::CorpusSettings;
use datafusion::arrow::array::{Array as _, ArrayRef, new_empty_array};
use datafusion::arrow::compute::concat;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::ScalarValue;
use datafusion::config::ConfigOptions;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3_arrow::input::AnyArray;

use crate::arrays::Array;
use crate::engine::check_process;
use crate::errors::{exception, usage};
use crate::values::{from_python, single, to_python};

/// A scalar function. It takes Python's values, or Arrow arrays of the same length.
#[pyclass(module = "corpus_sql", frozen)]
pub struct Function {
    function: ScalarUDF,
    options: Arc<ConfigOptions>,
    has_workers: bool,
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*arguments))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.has_workers {
            check_process()?;
        }
        let mut values = Vec::with_capacity(arguments.len());
        let mut rows = None;
        for argument in arguments {
            let value = match array(&argument)? {
                Some(array) => {
                    let length = *rows.get_or_insert(array.len());
                    if length != array.len() {
                        return Err(usage(format!(
                            "the arrays have different lengths: {length} and {}",
                            array.len()
                        )));
                    }
                    ColumnarValue::Array(array)
                }
                None => ColumnarValue::Scalar(from_python(&argument)?),
            };
            values.push(value);
        }
        if rows.is_none() {
            let scalars = values.into_iter().map(|value| match value {
                ColumnarValue::Scalar(value) => single(value),
                array => array,
            });
            values = scalars.collect();
        }
        match rows {
            Some(rows) => Ok(Array(self.call_on_arrays(py, &values, rows)?)
                .into_pyobject(py)?
                .into_any()),
            None => {
                let result = py.detach(|| self.call(values, 1));
                to_python(py, result.map_err(|error| exception(&error))?.as_ref(), 0)
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("<corpus_sql.Function {}>", self.function.name())
    }
}

impl Function {
    /// Calls the function with some rows at a time, so that Ctrl-C is noticed between them.
    fn call_on_arrays(
        &self,
        py: Python<'_>,
        values: &[ColumnarValue],
        rows: usize,
    ) -> PyResult<ArrayRef> {
        let most = if self.has_workers { 4 } else { 64 };
        let mut results = Vec::with_capacity(rows / most + 1);
        // Without rows, a call checks the arguments.
        for start in (0..rows.max(1)).step_by(most) {
            let count = most.min(rows - start);
            let slice = |value: &ColumnarValue| match value {
                ColumnarValue::Array(array) => ColumnarValue::Array(array.slice(start, count)),
                ColumnarValue::Scalar(value) => ColumnarValue::Scalar(value.clone()),
            };
            let part: Vec<_> = values.iter().map(slice).collect();
            let result = py.detach(|| self.call(part, count));
            results.push(result.map_err(|error| exception(&error))?);
            py.check_signals()?;
        }
        py.detach(|| joined(results))
            .map_err(|error| exception(&error))
    }

    fn call(&self, values: Vec<ColumnarValue>, rows: usize) -> Result<ArrayRef> {
        let given: Vec<DataType> = values.iter().map(ColumnarValue::data_type).collect();
        let types = self.function.coerce_types(&given)?;
        let arg_fields: Vec<FieldRef> = types
            .into_iter()
            .map(|kind| Arc::new(Field::new("", kind, true)))
            .collect();
        let casts = values.into_iter().zip(&arg_fields);
        let args = casts
            .map(
                |(value, field)| match value.data_type() == *field.data_type() {
                    true => Ok(value),
                    false => value.cast_to(field.data_type(), None),
                },
            )
            .collect::<Result<Vec<_>>>()?;
        let scalars: Vec<Option<&ScalarValue>> = args
            .iter()
            .map(|value| match value {
                ColumnarValue::Scalar(value) => Some(value),
                ColumnarValue::Array(_) => None,
            })
            .collect();
        let return_field = self.function.return_field_from_args(ReturnFieldArgs {
            arg_fields: &arg_fields,
            scalar_arguments: &scalars,
        })?;
        let result = self.function.invoke_with_args(ScalarFunctionArgs {
            args,
            arg_fields,
            number_rows: rows,
            return_field,
            config_options: Arc::clone(&self.options),
        })?;
        result.into_array(rows)
    }
}

/// Returns an argument that is an Arrow array, or a chunked one.
fn array(value: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let kind = value.get_type();
    // Calls with single values pass here, too, so the usual types are recognized first.
    let py = value.py();
    if kind.is(py.get_type::<pyo3::types::PyString>())
        || kind.is(py.get_type::<pyo3::types::PyBytes>())
        || value.is_none()
    {
        return Ok(None);
    }
    if !kind.hasattr(pyo3::intern!(py, "__arrow_c_array__"))?
        && !kind.hasattr(pyo3::intern!(py, "__arrow_c_stream__"))?
    {
        return Ok(None);
    }
    let (chunks, field) = value
        .extract::<AnyArray>()?
        .into_chunked_array()?
        .into_inner();
    if chunks.is_empty() {
        return Ok(Some(new_empty_array(field.data_type())));
    }
    let joined = joined(chunks).map_err(|error| exception(&error));
    joined.map(Some)
}

/// Makes one array of several. A single one is not copied.
fn joined(arrays: Vec<ArrayRef>) -> Result<ArrayRef> {
    match arrays.as_slice() {
        [array] => Ok(Arc::clone(array)),
        arrays => {
            let parts: Vec<_> = arrays.iter().map(AsRef::as_ref).collect();
            Ok(concat(&parts)?)
        }
    }
}

/// Returns all functions, each with its documentation.
#[pyfunction]
pub fn functions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    static OPTIONS: OnceLock<Arc<ConfigOptions>> = OnceLock::new();
    let options = OPTIONS.get_or_init(|| {
        let mut options = ConfigOptions::default();
        options.extensions.insert(CorpusSettings::default());
        Arc::new(options)
    });
    // Those of another kind replace a function of DataFusion.
    let own = corpus_udfs::functions().into_iter().filter_map(|function| {
        let returns = corpus_udfs::result_type(&function)?;
        Some((function, returns))
    });
    let described = own.map(|(function, returns)| {
        let described = PyDict::new(py);
        described.set_item("name", function.name())?;
        if let Some(text) = function.documentation() {
            described.set_item("syntax", text.syntax_example.trim())?;
            described.set_item("description", text.description.trim())?;
            described.set_item("section", text.doc_section.label)?;
            described.set_item("example", text.sql_example.as_deref())?;
            described.set_item("arguments", text.arguments.clone().unwrap_or_default())?;
        }
        described.set_item("returns", corpus_columns::type_name(&returns))?;
        described.set_item("shape", shape(&returns))?;
        // An empty result has its type in a form that other libraries know.
        let empty = Array(new_empty_array(&returns));
        described.set_item("empty", empty.into_pyobject(py)?)?;
        let has_workers = function.name().starts_with("pdf_");
        let options = Arc::clone(options);
        described.set_item(
            "call",
            Function {
                function,
                options,
                has_workers,
            }
            .into_pyobject(py)?,
        )?;
        Ok(described)
    });
    described.collect()
}

/// The Python type of a result.
fn shape(kind: &DataType) -> String {
    match kind {
        DataType::Boolean => "bool".to_owned(),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "str".to_owned(),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_) => "bytes".to_owned(),
        DataType::List(item) | DataType::LargeList(item) => {
            format!("list[{}]", shape(item.data_type()))
        }
        DataType::Struct(_) => "dict[str, Any]".to_owned(),
        kind if kind.is_integer() => "int".to_owned(),
        kind if kind.is_floating() => "float".to_owned(),
        _ => "Any".to_owned(),
    }
}
