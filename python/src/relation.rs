//! A query in Python. It runs when its rows are requested, and again for each use.

use std::collections::HashMap;
use std::sync::Arc;

use corpus_sql::results::{Hints, Screen, table_writer};
use corpus_sql::sources::scan::scanned::{SharedScan, scanned_files};
use corpus_sql::statements::execution::{Planned, ResultKind, written_rows};
use corpus_sql::statements::summary::Summary;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Int64Type, SchemaRef};
use datafusion::datasource::file_format::format_as_file_type;
use datafusion::error::DataFusionError;
use datafusion::functions_aggregate::count::count_all;
use datafusion::logical_expr::LogicalPlanBuilder;
use datafusion::prelude::DataFrame;
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use pyo3_arrow::ffi::to_schema_pycapsule;

use crate::arrays::tuples;
use crate::engine::Engine;
use crate::errors::{exception, usage};
use crate::html;
use crate::statements;
use crate::stream::{Batches, FailureSlot, Reader, Rows};

/// Names and values of options.
type ScanOptions = Vec<(&'static str, String)>;

/// Files, with the value of the option `range` if they are divided.
type ScanParts = Vec<(String, Option<String>)>;

/// The number of rows in `repr()` and in a notebook's output.
const PREVIEW_ROWS: usize = 20;

/// The result of a query. The query runs when its rows are requested, and again for each use.
#[pyclass(module = "corpus_sql._native", frozen)]
pub struct Relation {
    engine: Arc<Engine>,
    planned: Arc<Planned>,
    preview: Mutex<Option<Arc<Preview>>>,
    /// The rows that `fetchone` has not returned yet.
    cursor: Mutex<Option<Cursor>>,
}

/// The rows after the last one that `fetchone` returned.
struct Cursor {
    rows: Rows,
    /// The rows that are left of the current batch.
    batch: Option<RecordBatch>,
}

/// The first rows of a result.
struct Preview {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    has_more: bool,
}

impl Relation {
    pub fn new(engine: &Arc<Engine>, planned: Planned) -> Self {
        Self {
            engine: Arc::clone(engine),
            planned: Arc::new(planned),
            preview: Mutex::new(None),
            cursor: Mutex::new(None),
        }
    }

    /// Returns the query if it belongs to this session.
    pub fn frame_of(&self, engine: &Arc<Engine>) -> Option<DataFrame> {
        Arc::ptr_eq(&self.engine, engine).then(|| self.planned.frame())
    }

    fn rows(&self, py: Python<'_>) -> PyResult<Rows> {
        Ok(py.detach(|| Rows::start(&self.engine, &self.planned, None))?)
    }

    /// Returns the rows for a method that reads all of them, with a progress bar.
    fn all_rows(&self, py: Python<'_>) -> PyResult<Rows> {
        let bar = Some(self.engine.display.bar(py));
        Ok(py.detach(|| Rows::start(&self.engine, &self.planned, bar))?)
    }

    /// Returns the screen that rows must fit, or `None` for a plan, which is shown in full.
    fn fit_screen(&self, screen: Screen) -> Option<Screen> {
        (self.planned.kind() != ResultKind::Explanation).then_some(screen)
    }

    fn first_rows(&self, py: Python<'_>) -> PyResult<Arc<Preview>> {
        if let Some(preview) = self.preview.lock().as_ref() {
            return Ok(Arc::clone(preview));
        }
        let mut rows = self.all_rows(py)?;
        let (mut batches, mut missing) = (Vec::new(), PREVIEW_ROWS);
        let mut has_more = false;
        while let Some(batch) = py.detach(|| rows.next())? {
            has_more = batch.num_rows() > missing;
            let taken = batch.slice(0, missing.min(batch.num_rows()));
            missing -= taken.num_rows();
            batches.push(taken);
            if has_more {
                break;
            }
        }
        let schema = Arc::clone(rows.schema());
        let preview = Arc::new(Preview {
            schema,
            batches,
            has_more,
        });
        *self.preview.lock() = Some(Arc::clone(&preview));
        Ok(preview)
    }
}

/// The batches of a query for another library, which can be read once, and the reason if they ended
/// early.
///
/// Python passes it on, not this crate. Otherwise, a library that releases the interpreter's lock
/// and then calls `Reader` would do so below a call for which PyO3 assumes the lock.
#[pyclass(module = "corpus_sql._native", frozen)]
pub struct Stream {
    reader: Mutex<Option<Reader>>,
    failure: FailureSlot,
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = self.reader.lock().take();
        let reader = reader.ok_or_else(|| usage("the rows have been read already"))?;
        reader.into_capsule(py, requested_schema)
    }

    /// Returns the exception that ended the query. An Arrow error cannot carry its class.
    fn failure(&self) -> Option<PyErr> {
        self.failure.lock().take().map(PyErr::from)
    }
}

#[pymethods]
impl Relation {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.planned.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The types of the columns, by name.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let types = PyDict::new(py);
        for field in self.planned.schema().fields() {
            types.set_item(field.name(), corpus_columns::type_name(field.data_type()))?;
        }
        Ok(types)
    }

    /// Runs the query, and returns its batches one by one.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Batches> {
        self.rows(py).map(Batches::new)
    }

    /// Runs the query for another library, which takes the batches one by one.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        Reader::new(self.rows(py)?, None).into_capsule(py, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.planned.schema().as_ref())?)
    }

    fn fetchall<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut rows = self.all_rows(py)?;
        let all = PyList::empty(py);
        while let Some(batch) = py.detach(|| rows.next())? {
            for row in tuples(py, &batch)? {
                all.append(row)?;
            }
        }
        Ok(all)
    }

    fn fetchone<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let taken = self.cursor.lock().take();
        let mut cursor = match taken {
            Some(cursor) => cursor,
            None => Cursor {
                rows: self.rows(py)?,
                batch: None,
            },
        };
        let batch = match cursor.batch.take() {
            Some(batch) => Some(batch),
            None => py.detach(|| cursor.rows.next())?,
        };
        let mut row = None;
        if let Some(batch) = batch {
            row = tuples(py, &batch.slice(0, 1))?.into_iter().next();
            let rest = batch.slice(1, batch.num_rows() - 1);
            cursor.batch = (rest.num_rows() > 0).then_some(rest);
        }
        *self.cursor.lock() = Some(cursor);
        Ok(row)
    }

    fn count(&self, py: Python<'_>) -> PyResult<i64> {
        let failed = |error| exception(&error);
        let counted = self
            .planned
            .frame()
            .aggregate(Vec::new(), vec![count_all()]);
        let planned = Planned::of_frame(counted.map_err(failed)?);
        let ran = statements::run(py, &self.engine, planned, &mut Summary::default())?;
        let counts = ran
            .batches
            .iter()
            .map(|batch| batch.column(0).as_primitive::<Int64Type>());
        Ok(counts.flat_map(|counts| counts.values().iter()).sum())
    }

    /// Returns the paths and URLs of the files that the query reads.
    fn files(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let frame = self.planned.frame();
        let planned = async move { frame.create_physical_plan().await };
        let plan = self.engine.run(py, planned)?;
        Ok(scanned_files(&plan).into_iter().collect())
    }

    /// Divides the scan of the query into files, and large files into ranges of about `size` bytes.
    /// Returns options and parts for calls of the same table function, or None.
    fn parts(&self, py: Python<'_>, size: u64) -> PyResult<Option<(ScanOptions, ScanParts)>> {
        let frame = self.planned.frame();
        let planned = async move { frame.create_physical_plan().await };
        let plan = self.engine.run(py, planned)?;
        Ok(SharedScan::of(&plan, size).map(|scan| {
            let parts = scan.parts.into_iter();
            let texts = parts.map(|(file, range)| {
                (
                    file,
                    range.map(|range| format!("{}-{}", range.start, range.end)),
                )
            });
            (scan.options, texts.collect())
        }))
    }

    /// Runs the query for a library that one of our methods calls.
    fn stream(&self, py: Python<'_>) -> PyResult<Stream> {
        let failure = FailureSlot::default();
        let reader = Reader::new(self.all_rows(py)?, Some(Arc::clone(&failure)));
        Ok(Stream {
            reader: Mutex::new(Some(reader)),
            failure,
        })
    }

    /// Returns the rows as the command line shows them.
    fn text(&self, py: Python<'_>, max_rows: usize, width: Option<usize>) -> PyResult<String> {
        let mut screen = screen();
        screen.max_rows = max_rows.max(1);
        screen.width = width.unwrap_or(screen.width);
        let screen = self.fit_screen(screen);
        let mut rows = self.all_rows(py)?;
        let schema = Arc::clone(rows.schema());
        drawn(screen, &schema, || Ok(py.detach(|| rows.next())?))
    }

    /// Writes the rows as Parquet, with options of `COPY`, and returns their number.
    fn write_parquet(
        &self,
        py: Python<'_>,
        path: String,
        partition_by: Vec<String>,
        options: HashMap<String, String>,
    ) -> PyResult<u64> {
        let options = options.into_iter();
        let texts = options
            .map(|(name, value)| (qualify(&name), value))
            .collect();
        let (context, frame) = (self.engine.context.clone(), self.planned.frame());
        let planned = async move {
            let (state, plan) = frame.into_parts();
            let factory = state.get_file_format_factory("parquet");
            let factory =
                factory.ok_or_else(|| DataFusionError::Plan("no format PARQUET".to_owned()))?;
            let kind = format_as_file_type(factory);
            let copy =
                LogicalPlanBuilder::copy_to(plan, path, kind, texts, partition_by)?.build()?;
            Ok(Planned::of_frame(context.execute_logical_plan(copy).await?))
        };
        let planned = self.engine.run(py, planned)?;
        let ran = statements::run(py, &self.engine, planned, &mut Summary::default())?;
        Ok(ran.batches.iter().map(written_rows).sum())
    }

    /// Returns the first rows as text.
    fn preview_text(&self, py: Python<'_>) -> PyResult<String> {
        let preview = self.first_rows(py)?;
        let mut batches = preview.batches.iter().cloned();
        let screen = self.fit_screen(screen());
        let mut text = drawn(screen, &preview.schema, || Ok(batches.next()))?;
        if preview.has_more {
            text.push_str(&format!("the first {PREVIEW_ROWS} rows"));
        }
        Ok(text.trim_end().to_owned())
    }

    /// Returns the first rows as HTML.
    fn preview_html(&self, py: Python<'_>) -> PyResult<String> {
        let preview = self.first_rows(py)?;
        html::table(&preview.schema, &preview.batches, preview.has_more)
    }
}

/// Returns the name of an option in a plan, as `COPY` does.
fn qualify(name: &str) -> String {
    if name.contains('.') {
        name.to_owned()
    } else {
        format!("format.{name}")
    }
}

/// Returns a screen of the terminal's size, or of the usual size without a terminal.
fn screen() -> Screen {
    let screen = Screen {
        hints: Hints::Python,
        ..Screen::default()
    };
    screen.measured()
}

/// Draws a table as the command line does.
fn drawn(
    screen: Option<Screen>,
    schema: &SchemaRef,
    mut next: impl FnMut() -> PyResult<Option<RecordBatch>>,
) -> PyResult<String> {
    let failed = |error| exception(&error);
    let mut text = Vec::new();
    let mut writer = table_writer(screen);
    writer.begin(schema, &mut text).map_err(failed)?;
    while let Some(batch) = next()? {
        writer.batch(&batch, &mut text).map_err(failed)?;
    }
    writer.end(&mut text).map_err(failed)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
