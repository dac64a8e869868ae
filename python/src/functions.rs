//! The scalar functions of SQL, called with Python's values or with Arrow arrays.

use std::sync::{Arc, OnceLock};

use corpus_sql::settings::CorpusSettings;
use corpus_udfs::Argument;
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
use crate::values::{array_of_one, from_python, to_python};

/// A scalar function. It takes Python's values, or Arrow arrays of the same length.
#[pyclass(module = "corpus_sql", frozen)]
pub struct Function {
    function: ScalarUDF,
    arguments: Vec<Argument>,
    /// The first argument that is checked if it is a constant.
    first_checked: Option<usize>,
    return_field: FieldRef,
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
        let arrays = arguments.iter().map(|argument| array(&argument));
        let arrays: Vec<Option<ArrayRef>> = arrays.collect::<PyResult<_>>()?;
        let Some(rows) = common_length(&arrays)? else {
            let values = self.single_values(arguments)?;
            let result = py.detach(|| self.call(values, 1));
            return to_python(py, result.map_err(|error| exception(&error))?.as_ref(), 0);
        };
        let values = arrays.into_iter().zip(arguments);
        let values = values.map(|(array, argument)| match array {
            Some(array) => Ok(ColumnarValue::Array(array)),
            None => from_python(&argument).map(ColumnarValue::Scalar),
        });
        let values = values.collect::<PyResult<Vec<_>>>()?;
        let results = self.call_on_arrays(py, &values, rows)?;
        Ok(Array(results).into_pyobject(py)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<corpus_sql.Function {}>", self.function.name())
    }
}

impl Function {
    fn new(function: ScalarUDF, returns: DataType, options: &Arc<ConfigOptions>) -> Self {
        let arguments = corpus_udfs::arguments_of(&function);
        Self {
            has_workers: function.name().starts_with("pdf_"),
            first_checked: arguments.iter().position(|argument| argument.is_checked),
            arguments,
            return_field: Arc::new(Field::new(function.name(), returns, true)),
            options: Arc::clone(options),
            function,
        }
    }

    /// Returns the number of arguments to pass. Trailing optional ones that are None are left out,
    /// because casting NULL takes longer than many functions.
    fn passed_count(&self, arguments: &Bound<'_, PyTuple>) -> usize {
        let given = arguments.len();
        let is_left_out = |position: &usize| {
            let known = self.arguments.get(*position);
            known.is_some_and(|known| known.is_optional)
                && arguments
                    .get_item(*position)
                    .is_ok_and(|value| value.is_none())
        };
        given - (0..given).rev().take_while(is_left_out).count()
    }

    /// Returns arguments of one row. Texts and bytes become arrays of the type that the function
    /// takes, so that they need no cast.
    fn single_values(&self, arguments: &Bound<'_, PyTuple>) -> PyResult<Vec<ColumnarValue>> {
        let values = arguments
            .iter()
            .enumerate()
            .take(self.passed_count(arguments));
        let values = values.map(|(position, value)| {
            let known = self.arguments.get(position);
            let variable = known.filter(|known| !known.is_checked);
            match variable.and_then(|known| array_of_one(&value, &known.data_type)) {
                Some(array) => Ok(ColumnarValue::Array(array)),
                None => from_python(&value).map(ColumnarValue::Scalar),
            }
        });
        values.collect()
    }

    /// Calls the function on batches of rows, and checks for Ctrl-C between them.
    fn call_on_arrays(
        &self,
        py: Python<'_>,
        values: &[ColumnarValue],
        rows: usize,
    ) -> PyResult<ArrayRef> {
        let batch_rows = if self.has_workers { 4 } else { 64 };
        let mut results = Vec::with_capacity(rows / batch_rows + 1);
        // Without rows, one call checks the arguments.
        for start in (0..rows.max(1)).step_by(batch_rows) {
            let count = batch_rows.min(rows - start);
            let slice = |value: &ColumnarValue| match value {
                ColumnarValue::Array(array) => ColumnarValue::Array(array.slice(start, count)),
                ColumnarValue::Scalar(value) => ColumnarValue::Scalar(value.clone()),
            };
            let part: Vec<_> = values.iter().map(slice).collect();
            let result = py.detach(|| self.call(part, count));
            results.push(result.map_err(|error| exception(&error))?);
            py.check_signals()?;
        }
        py.detach(|| concatenate(results))
            .map_err(|error| exception(&error))
    }

    fn call(&self, args: Vec<ColumnarValue>, rows: usize) -> Result<ArrayRef> {
        let given: Vec<DataType> = args.iter().map(ColumnarValue::data_type).collect();
        // Checks the arguments. The function casts them itself.
        self.function.coerce_types(&given)?;
        let arg_fields = given.into_iter();
        let arg_fields: Vec<FieldRef> = arg_fields
            .map(|kind| Arc::new(Field::new("", kind, true)))
            .collect();
        if self.first_checked.is_some_and(|first| first < args.len()) {
            let scalars = args.iter().map(|value| match value {
                ColumnarValue::Scalar(value) => Some(value),
                ColumnarValue::Array(_) => None,
            });
            let scalars: Vec<Option<&ScalarValue>> = scalars.collect();
            self.function.return_field_from_args(ReturnFieldArgs {
                arg_fields: &arg_fields,
                scalar_arguments: &scalars,
            })?;
        }
        let result = self.function.invoke_with_args(ScalarFunctionArgs {
            args,
            arg_fields,
            number_rows: rows,
            return_field: Arc::clone(&self.return_field),
            config_options: Arc::clone(&self.options),
        })?;
        result.into_array(rows)
    }
}

/// Returns the common length of all arrays among the arguments; `None` if there are none.
fn common_length(arrays: &[Option<ArrayRef>]) -> PyResult<Option<usize>> {
    let mut lengths = arrays.iter().flatten().map(|array| array.len());
    let first = lengths.next();
    match lengths.find(|length| Some(*length) != first) {
        Some(other) => Err(usage(format!(
            "the arrays have different lengths: {} and {other}",
            first.unwrap_or_default()
        ))),
        None => Ok(first),
    }
}

/// Returns an argument as an array if it is an Arrow array or a chunked array.
fn array(value: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let kind = value.get_type();
    // Calls with single values also get here, so the common types are checked first.
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
    let joined = concatenate(chunks).map_err(|error| exception(&error));
    joined.map(Some)
}

/// Concatenates arrays. A single one is not copied.
fn concatenate(arrays: Vec<ArrayRef>) -> Result<ArrayRef> {
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
    // The other functions replace functions of DataFusion.
    let own = corpus_udfs::functions().into_iter();
    let own = own.filter(|function| !corpus_udfs::is_internal(function));
    let own = own.filter_map(|function| {
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
        // An empty result gives the type in a form that other libraries know.
        let empty = Array(new_empty_array(&returns));
        described.set_item("empty", empty.into_pyobject(py)?)?;
        let call = Function::new(function, returns, options);
        described.set_item("call", call.into_pyobject(py)?)?;
        Ok(described)
    });
    described.collect()
}

/// Returns the Python type of a result.
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
