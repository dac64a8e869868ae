//! Converts values between Arrow and Python.

use std::sync::Arc;

use bytes::Bytes;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryViewBuilder, FixedSizeListArray, GenericListArray,
    LargeBinaryArray, LargeStringArray, OffsetSizeTrait, StringViewBuilder,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{
    DataType, Field, Fields, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimeUnit, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::ScalarValue;
use datafusion::common::scalar::ScalarStructBuilder;
use datafusion::error::Result;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple,
};
use pyo3_arrow::PyScalar;

use crate::errors::{exception, usage};

/// The maximum nesting of lists and dictionaries.
const MAX_DEPTH: usize = 64;

/// Returns the value of a row as a Python object.
pub fn to_python<'py>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) || array.data_type().is_null() {
        return Ok(py.None().into_bound(py));
    }
    macro_rules! number {
        ($kind:ty) => {
            array
                .as_primitive::<$kind>()
                .value(row)
                .into_pyobject(py)?
                .into_any()
        };
    }
    let text = |text: &str| PyString::new(py, text).into_any();
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).into_any();
    Ok(match array.data_type() {
        DataType::Boolean => PyBool::new(py, array.as_boolean().value(row))
            .to_owned()
            .into_any(),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float16 => {
            let value = array.as_primitive::<Float16Type>().value(row).to_f32();
            value.into_pyobject(py)?.into_any()
        }
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::Binary => bytes(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(array.as_fixed_size_binary().value(row)),
        DataType::List(_) => list(py, array.as_list::<i32>(), row)?,
        DataType::LargeList(_) => list(py, array.as_list::<i64>(), row)?,
        DataType::FixedSizeList(..) => fixed_list(py, array.as_fixed_size_list(), row)?,
        DataType::Struct(fields) => {
            let values = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                values.set_item(field.name(), to_python(py, column.as_ref(), row)?)?;
            }
            values.into_any()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let values = PyDict::new(py);
            for entry in 0..entries.len() {
                let key = to_python(py, entries.column(0).as_ref(), entry)?;
                values.set_item(key, to_python(py, entries.column(1).as_ref(), entry)?)?;
            }
            values.into_any()
        }
        DataType::Dictionary(_, kind) => to_python(py, one(array, row, kind)?.as_ref(), 0)?,
        // Python's times have microseconds.
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => {
            let kind = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
            scalar(py, one(array, row, &kind)?)?
        }
        DataType::Timestamp(..)
        | DataType::Date32
        | DataType::Date64
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Duration(_) => scalar(py, array.slice(row, 1))?,
        other => {
            let shown = array_value_to_string(array, row);
            let shown = text(&shown.map_err(|error| exception(&error.into()))?);
            if other.is_decimal() {
                py.import("decimal")?.getattr("Decimal")?.call1((shown,))?
            } else {
                shown
            }
        }
    })
}

/// Returns the value of a row, cast to another type, as an array.
fn one(array: &dyn Array, row: usize, kind: &DataType) -> PyResult<ArrayRef> {
    cast(&array.slice(row, 1), kind).map_err(|error| exception(&error.into()))
}

/// Returns the only value of an array of dates or times, in Python's own types.
fn scalar(py: Python<'_>, array: ArrayRef) -> PyResult<Bound<'_, PyAny>> {
    let scalar = PyScalar::try_from_array_ref(array)?;
    scalar.into_pyobject(py)?.call_method0("as_py")
}

fn list<'py, O: OffsetSizeTrait>(
    py: Python<'py>,
    lists: &GenericListArray<O>,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let offsets = lists.value_offsets();
    let range = offsets[row].as_usize()..offsets[row + 1].as_usize();
    items(py, lists.values().as_ref(), range)
}

fn fixed_list<'py>(
    py: Python<'py>,
    lists: &FixedSizeListArray,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let values = lists.value(row);
    items(py, values.as_ref(), 0..values.len())
}

fn items<'py>(
    py: Python<'py>,
    values: &dyn Array,
    range: std::ops::Range<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let items = range.map(|at| to_python(py, values, at));
    Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Returns a Python object as a value of SQL.
pub fn from_python(value: &Bound<'_, PyAny>) -> PyResult<ScalarValue> {
    nested_value(value, 0)
}

fn nested_value(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<ScalarValue> {
    if depth > MAX_DEPTH {
        return Err(usage(format!(
            "lists and dictionaries are nested more than {MAX_DEPTH} deep"
        )));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(ScalarValue::LargeUtf8(Some(text.to_str()?.to_owned())));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(ScalarValue::BinaryView(Some(bytes.as_bytes().to_vec())));
    }
    if value.is_none() {
        return Ok(ScalarValue::Null);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(ScalarValue::Boolean(Some(value.extract()?)));
    }
    if value.is_instance_of::<PyInt>() {
        return match value.extract::<i64>() {
            Ok(number) => Ok(ScalarValue::Int64(Some(number))),
            Err(_) => Ok(ScalarValue::UInt64(Some(value.extract()?))),
        };
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(ScalarValue::Float64(Some(value.extract()?)));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(ScalarValue::BinaryView(Some(bytes.to_vec())));
    }
    if let Ok(fields) = value.cast::<PyDict>() {
        let mut builder = ScalarStructBuilder::new();
        for (name, value) in fields.iter() {
            let value = nested_value(&value, depth + 1)?;
            let field = Field::new(name.extract::<String>()?, value.data_type(), true);
            builder = builder.with_scalar(field, value);
        }
        return builder.build().map_err(|error| exception(&error));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values = value
            .try_iter()?
            .map(|item| nested_value(&item?, depth + 1));
        return list_of(values.collect::<PyResult<Vec<_>>>()?);
    }
    if value.get_type().name()? == "memoryview" {
        let bytes = value.call_method0("tobytes")?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes().to_vec();
        return Ok(ScalarValue::BinaryView(Some(bytes)));
    }
    Err(PyTypeError::new_err(format!(
        "expected None, bool, int, float, str, bytes, a list, a dict or an Arrow array, got {}",
        value.get_type().name()?
    )))
}

/// Returns a text or bytes as an array of one value of a function's argument type. Bytes of a
/// document remain bytes. `None` for other values and types.
pub fn array_of_one(value: &Bound<'_, PyAny>, kind: &DataType) -> Option<ArrayRef> {
    let text = value.cast::<PyString>().ok();
    let text = text.as_ref().and_then(|text| text.to_str().ok());
    let object = value.cast::<PyBytes>().ok();
    let bytes = text
        .map(str::as_bytes)
        .or(object.map(|object| object.as_bytes()))?;
    if let Some(object) = object
        && bytes.len() >= MIN_SHARED_BYTES
        && let Some(array) = shared_bytes(object, kind)
    {
        return Some(array);
    }
    Some(match (kind, text) {
        (DataType::LargeUtf8, Some(text)) => Arc::new(LargeStringArray::from_iter_values([text])),
        (DataType::LargeBinary, _) => Arc::new(LargeBinaryArray::from_iter_values([bytes])),
        // Lengths in views have 32 bits.
        (DataType::Utf8View | DataType::BinaryView, _) if u32::try_from(bytes.len()).is_err() => {
            Arc::new(LargeBinaryArray::from_iter_values([bytes]))
        }
        (DataType::Utf8View, Some(text)) => {
            let mut builder =
                StringViewBuilder::with_capacity(1).with_fixed_block_size(block_size(bytes));
            builder.append_value(text);
            Arc::new(builder.finish())
        }
        (DataType::Utf8View | DataType::BinaryView, _) => {
            let mut builder =
                BinaryViewBuilder::with_capacity(1).with_fixed_block_size(block_size(bytes));
            builder.append_value(bytes);
            Arc::new(builder.finish())
        }
        _ => return None,
    })
}

/// Shorter values are copied, because that is faster than sharing them.
const MIN_SHARED_BYTES: usize = 4096;

/// Returns bytes as an array of one value that shares their memory with Python.
fn shared_bytes(object: &Bound<'_, PyBytes>, kind: &DataType) -> Option<ArrayRef> {
    let shared = Bytes::from_owner(PyBackedBytes::from(object.clone()));
    let length = shared.len();
    match kind {
        DataType::LargeBinary => {
            let offsets = OffsetBuffer::from_lengths([length]);
            let array = LargeBinaryArray::try_new(offsets, shared.into(), None);
            Some(Arc::new(array.ok()?))
        }
        DataType::Utf8View | DataType::BinaryView => {
            let mut builder = BinaryViewBuilder::with_capacity(1);
            let block = builder.append_block(shared.into());
            let length = u32::try_from(length).ok()?;
            builder.try_append_view(block, 0, length).ok()?;
            Some(Arc::new(builder.finish()))
        }
        _ => None,
    }
}

/// Returns the size of a block that holds one value.
fn block_size(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).max(1)
}

/// Makes a list of values. Their types may differ if some are NULL.
fn list_of(values: Vec<ScalarValue>) -> PyResult<ScalarValue> {
    let mut kind = DataType::Null;
    for value in &values {
        let other = value.data_type();
        kind = common_type(&kind, &other).ok_or_else(|| {
            let names = [&kind, &other].map(corpus_columns::type_name);
            usage(format!(
                "a list has values of different types: {} and {}",
                names[0], names[1]
            ))
        })?;
    }
    let cast = values.iter().map(|value| value.cast_to(&kind));
    let values: Vec<_> = cast
        .collect::<Result<_>>()
        .map_err(|error| exception(&error))?;
    Ok(ScalarValue::List(ScalarValue::new_list_nullable(
        &values, &kind,
    )))
}

/// Returns the type to which both types can be cast without loss.
fn common_type(one: &DataType, other: &DataType) -> Option<DataType> {
    match (one, other) {
        (one, other) if one == other => Some(one.clone()),
        (DataType::Null, kind) | (kind, DataType::Null) => Some(kind.clone()),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
            Some(DataType::Float64)
        }
        (DataType::List(one), DataType::List(other)) => {
            let item = common_type(one.data_type(), other.data_type())?;
            Some(DataType::List(Arc::new(Field::new_list_field(item, true))))
        }
        (DataType::Struct(one), DataType::Struct(other)) if one.len() == other.len() => {
            let fields = one.iter().zip(other).map(|(one, other)| {
                let kind = common_type(one.data_type(), other.data_type())?;
                (one.name() == other.name()).then(|| Field::new(one.name(), kind, true))
            });
            Some(DataType::Struct(fields.collect::<Option<Fields>>()?))
        }
        _ => None,
    }
}
