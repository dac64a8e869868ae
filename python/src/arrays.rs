//! Arrow data in Python: an array, and a batch of rows. Other libraries read them through Arrow's
//! PyCapsule interface, without a copy.

use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, RecordBatch, StructArray};
use datafusion::arrow::datatypes::Field;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use pyo3_arrow::ffi::to_array_pycapsules;

use crate::values::to_python;

/// An Arrow array. `pyarrow.array(…)`, `polars.Series(…)` and other libraries take it without a
/// copy.
#[pyclass(module = "corpus_sql", frozen)]
pub struct Array(pub ArrayRef);

impl Array {
    fn position(&self, index: isize) -> PyResult<usize> {
        let length = self.0.len();
        let position = if index < 0 {
            index + length as isize
        } else {
            index
        };
        usize::try_from(position)
            .ok()
            .filter(|position| *position < length)
            .ok_or_else(|| PyIndexError::new_err("array index out of range"))
    }
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.as_ref(), self.position(index)?)
    }

    /// The values as a list of Python objects.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.0.len()).map(|row| to_python(py, self.0.as_ref(), row));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let field = Arc::new(Field::new("", self.0.data_type().clone(), true));
        Ok(to_array_pycapsules(
            py,
            field,
            self.0.as_ref(),
            requested_schema,
        )?)
    }

    fn __repr__(&self) -> String {
        let kind = corpus_columns::type_name(self.0.data_type());
        format!("<corpus_sql.Array of {} × {kind}>", self.0.len())
    }
}

/// Some rows of a result. `pyarrow.record_batch(…)`, `polars.DataFrame(…)` and other libraries take
/// them without a copy.
#[pyclass(module = "corpus_sql", frozen)]
pub struct Batch(pub RecordBatch);

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.0.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The column with this name.
    fn __getitem__(&self, name: &str) -> PyResult<Array> {
        let column = self.0.column_by_name(name).cloned();
        column
            .map(Array)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// The rows as a list of dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let schema = self.0.schema();
        let rows = (0..self.0.num_rows()).map(|row| {
            let values = PyDict::new(py);
            for (field, column) in schema.fields().iter().zip(self.0.columns()) {
                values.set_item(field.name(), to_python(py, column.as_ref(), row)?)?;
            }
            Ok(values)
        });
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let field = Field::new_struct("", self.0.schema().fields().clone(), false);
        let rows = StructArray::from(self.0.clone());
        Ok(to_array_pycapsules(
            py,
            Arc::new(field),
            &rows,
            requested_schema,
        )?)
    }

    fn __repr__(&self) -> String {
        let rows = self.0.num_rows();
        format!(
            "<corpus_sql.Batch of {rows} rows: {}>",
            self.columns().join(", ")
        )
    }
}

/// The rows of a batch as tuples.
pub fn tuples<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let rows = (0..batch.num_rows()).map(|row| {
        let values = batch
            .columns()
            .iter()
            .map(|column| to_python(py, column.as_ref(), row));
        PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
    });
    rows.collect()
}
