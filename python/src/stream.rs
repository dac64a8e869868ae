//! A running query whose batches Python requests one by one.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use corpus_sql::errors::message;
use corpus_sql::sources::scan::counters::PlanCounters;
use corpus_sql::statements::execution::{Event, Planned, StopSignal, Watchers};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StructArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::common::exec_datafusion_err;
use datafusion::error::DataFusionError;
use futures::FutureExt;
use parking_lot::Mutex;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayReader, to_stream_pycapsule};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::arrays::Batch;
use crate::engine::Engine;
use crate::errors::{Error, exception};
use crate::progress::Bar;
use crate::waiting::{SIGNAL_INTERVAL, within};

/// The batches of a query. It runs as fast as they are requested, and ends when this is dropped.
pub struct Rows {
    engine: Arc<Engine>,
    schema: SchemaRef,
    events: mpsc::Receiver<Event>,
    task: Option<JoinHandle<Result<(), DataFusionError>>>,
    stop: StopSignal,
    bar: Option<Bar>,
    /// When the consumer last looked for Ctrl-C.
    signals_checked: Instant,
}

impl Rows {
    /// Starts a query, and waits until it is planned. The bar is drawn while a thread waits for
    /// rows.
    pub fn start(
        engine: &Arc<Engine>,
        planned: &Arc<Planned>,
        bar: Option<Bar>,
    ) -> Result<Self, StreamEnd> {
        let (sender, events) = mpsc::channel(1);
        let context = engine.context.clone();
        let planned = Arc::clone(planned);
        let handle = engine.handle()?;
        let watchers = Watchers::default();
        let stop = watchers.stop.clone();
        let task = handle.spawn(async move { planned.run(&context, sender, watchers).await });
        let mut rows = Self {
            engine: Arc::clone(engine),
            schema: SchemaRef::new(Schema::empty()),
            events,
            task: Some(task),
            stop,
            bar,
            signals_checked: Instant::now(),
        };
        match wait(handle, rows.events.recv(), &mut rows.bar)? {
            Some(Event::Planned {
                schema, counters, ..
            }) => {
                rows.schema = schema;
                rows.watch(counters);
            }
            _ => rows.end(handle)?,
        }
        Ok(rows)
    }

    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn watch(&mut self, counters: PlanCounters) {
        if let Some(bar) = &mut self.bar {
            bar.watch(counters);
        }
    }

    /// Waits for the next batch; `None` at the end.
    pub fn next(&mut self) -> Result<Option<RecordBatch>, StreamEnd> {
        let handle = self.engine.handle()?.clone();
        loop {
            let is_due = self.bar.as_ref().is_some_and(Bar::is_due)
                || self.signals_checked.elapsed() >= SIGNAL_INTERVAL;
            let event = match self.events.try_recv() {
                Ok(event) if !is_due => Some(event),
                received => {
                    self.signals_checked = Instant::now();
                    match received {
                        Ok(event) => wait(&handle, ready(Some(event)), &mut self.bar)?,
                        Err(_) => wait(&handle, self.events.recv(), &mut self.bar)?,
                    }
                }
            };
            match event {
                Some(Event::Batch(batch)) if batch.num_rows() > 0 => return Ok(Some(batch)),
                Some(Event::Recounted { counters }) => self.watch(counters),
                Some(_) => {}
                None => break,
            }
        }
        self.end(&handle).map(|()| None)
    }

    /// Waits for the end of the task, and returns the error of the query.
    fn end(&mut self, handle: &Handle) -> Result<(), StreamEnd> {
        let Some(task) = self.task.take() else {
            return Ok(());
        };
        match wait(handle, task, &mut self.bar)? {
            Ok(Ok(())) => Ok(self.finish_bar()?),
            Ok(Err(error)) => Err(StreamEnd::Query(error)),
            Err(error) => Err(StreamEnd::Query(DataFusionError::ExecutionJoin(Box::new(
                error,
            )))),
        }
    }
}

impl Rows {
    fn finish_bar(&mut self) -> PyResult<()> {
        match &mut self.bar {
            Some(bar) if is_python_thread() => Python::attach(|py| bar.finish(py)),
            _ => Ok(()),
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            self.stop.request();
            task.abort();
        }
    }
}

/// The reason why a query ended early. It becomes an exception only in calls from Python, because
/// other threads must not take the interpreter's lock.
pub enum StreamEnd {
    Query(DataFusionError),
    Raised(PyErr),
}

impl From<PyErr> for StreamEnd {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<StreamEnd> for PyErr {
    fn from(stopped: StreamEnd) -> Self {
        match stopped {
            StreamEnd::Query(error) => exception(&error),
            StreamEnd::Raised(error) => error,
        }
    }
}

/// Waits for a future without blocking other Python threads, and checks for Ctrl-C. Consumers of
/// Arrow streams call this from any thread, with or without the interpreter's lock.
fn wait<T: Send>(
    handle: &Handle,
    future: impl Future<Output = T> + Send,
    bar: &mut Option<Bar>,
) -> PyResult<T> {
    if !is_python_thread() {
        return Ok(handle.block_on(future));
    }
    let mut future = std::pin::pin!(future.fuse());
    Python::attach(|py| {
        loop {
            let done = py.detach(|| within(handle, SIGNAL_INTERVAL, &mut future));
            if let Some(bar) = bar {
                bar.tick(py)?;
            }
            // Checked even if the future is ready, because a library may take many batches in a
            // row.
            py.check_signals()?;
            if let Some(done) = done {
                return Ok(done);
            }
        }
    })
}

/// Whether Python knows the current thread. Threads of other libraries must not take the
/// interpreter's lock, because the thread that holds it may wait for them.
#[expect(unsafe_code, reason = "PyO3 has no safe function for this")]
fn is_python_thread() -> bool {
    // SAFETY: reads a value of the current thread, which needs no lock.
    !unsafe { pyo3::ffi::PyGILState_GetThisThreadState() }.is_null()
}

/// The reason why a stream ended early, for our method that has passed it to another library.
pub type FailureSlot = Arc<Mutex<Option<StreamEnd>>>;

/// The batches of a query for Arrow's C interface.
pub struct Reader {
    rows: Rows,
    /// Receives the exception, because an Arrow error cannot carry its class. Without this slot,
    /// Ctrl-C is raised again once the other library has returned.
    failure: Option<FailureSlot>,
}

impl Reader {
    pub fn new(rows: Rows, failure: Option<FailureSlot>) -> Self {
        Self { rows, failure }
    }

    /// Makes the capsule that `__arrow_c_stream__` returns.
    pub fn into_capsule<'py>(
        self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        to_stream_pycapsule(py, Box::new(self), requested_schema).map_err(PyErr::from)
    }

    fn arrow_error(&self, stopped: StreamEnd) -> ArrowError {
        let text = match &stopped {
            StreamEnd::Query(error) => message(error),
            StreamEnd::Raised(_) => "interrupted".to_owned(),
        };
        match (&self.failure, stopped) {
            (Some(slot), stopped) => *slot.lock() = Some(stopped),
            (None, StreamEnd::Raised(error)) => raise_again(&error),
            (None, StreamEnd::Query(_)) => {}
        }
        // The message becomes a C string, which cannot contain NUL.
        let text = text.replace('\0', " ");
        ArrowError::ExternalError(Box::new(exec_datafusion_err!("{text}")))
    }
}

/// Raises Ctrl-C again, to take effect after the library that reads the stream has returned.
fn raise_again(error: &PyErr) {
    Python::attach(|py| {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            let thread = py.import("_thread");
            let raised = thread.and_then(|thread| thread.call_method0("interrupt_main"));
            // Ignore a failure: the consumer's own error also ends the statement.
            drop(raised);
        }
    });
}

impl Iterator for Reader {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rows.next() {
            Ok(batch) => batch.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef)),
            Err(error) => Some(Err(self.arrow_error(error))),
        }
    }
}

impl ArrayReader for Reader {
    fn field(&self) -> FieldRef {
        let schema = self.rows.schema();
        let kind = DataType::Struct(schema.fields().clone());
        let field = Field::new("", kind, false).with_metadata(schema.metadata().clone());
        Arc::new(field)
    }
}

/// The batches of a running query. Leaving the loop, or deleting this, ends the query.
#[pyclass(module = "corpus_sql", frozen)]
pub struct Batches(Mutex<Option<Rows>>);

impl Batches {
    pub fn new(rows: Rows) -> Self {
        Self(Mutex::new(Some(rows)))
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        // Take the rows out, so that no lock is held while this thread waits.
        let Some(mut rows) = self.0.lock().take() else {
            return Ok(None);
        };
        let batch = py.detach(|| rows.next())?;
        if batch.is_some() {
            *self.0.lock() = Some(rows);
        }
        Ok(batch.map(Batch))
    }

    /// Ends the query.
    fn close(&self) {
        self.0.lock().take();
    }

    /// The batches that are left, for other libraries. They can be taken once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let rows = self.0.lock().take();
        let rows = rows.ok_or_else(|| Error::new_err("the batches have been read already"))?;
        Reader::new(rows, None).into_capsule(py, requested_schema)
    }
}
