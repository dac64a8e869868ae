//! A session in Python.

use std::path::PathBuf;
use std::sync::Arc;

use corpus_sql::session::SessionOptions;
use corpus_sql::session::sizes::{parse_memory, parse_size};
use corpus_sql::settings::Resume;
use corpus_sql::statements::execution::ResultKind;
use corpus_sql::statements::script::Script;
use corpus_sql::statements::summary::Summary;
use corpus_sql::statements::variables::{Variables, is_name};
use corpus_udfs::duckdb::without_hidden_fields;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::common::TableReference;
use datafusion::datasource::MemTable;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::engine::Engine;
use crate::errors::{DataError, exception, usage};
use crate::parameters::parameters;
use crate::progress::Display;
use crate::relation::Relation;
use crate::scripts;
use crate::statements;

/// A session: settings, tables and views, and the threads that queries run on. Several threads of
/// Python may use it.
#[pyclass(module = "corpus_sql._native", frozen)]
pub struct Session {
    engine: Arc<Engine>,
}

/// A size in bytes, such as 8000000000 or "8GB".
#[derive(FromPyObject)]
enum Size {
    Bytes(u64),
    Text(String),
}

impl Size {
    fn text(self) -> String {
        match self {
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Text(text) => text,
        }
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (
        threads, memory_limit, temp_dir, temp_limit, resume, cluster, progress, notebook
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keywords of connect()"
    )]
    fn new(
        py: Python<'_>,
        threads: Option<usize>,
        memory_limit: Option<Size>,
        temp_dir: Option<PathBuf>,
        temp_limit: Option<Size>,
        resume: bool,
        cluster: Option<&str>,
        progress: bool,
        notebook: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let wrong = |name: &str, reason: String| PyValueError::new_err(format!("{name}: {reason}"));
        if threads.is_some_and(|threads| !(1..=1024).contains(&threads)) {
            return Err(PyValueError::new_err(
                "threads: expected a number from 1 to 1024",
            ));
        }
        let memory_limit = memory_limit
            .map(|size| parse_memory(&size.text()))
            .transpose();
        let temp_limit = temp_limit.map(|size| parse_size(&size.text())).transpose();
        let options = SessionOptions {
            threads,
            memory_limit: memory_limit.map_err(|reason| wrong("memory_limit", reason))?,
            temp_dir,
            temp_limit: temp_limit.map_err(|reason| wrong("temp_limit", reason))?,
            resume: if resume { Resume::On } else { Resume::Off },
            #[cfg(feature = "cluster")]
            cluster: None,
        };
        let display = match (progress, notebook) {
            (false, _) => Display::None,
            (true, None) => Display::Terminal,
            (true, Some(make)) => Display::Notebook(make),
        };
        Ok(Self {
            engine: Engine::new(py, options, cluster, display)?,
        })
    }

    /// Runs SQL. Queries run when their rows are requested, other statements immediately.
    #[pyo3(signature = (sql, params=None))]
    fn sql(
        &self,
        py: Python<'_>,
        sql: &str,
        params: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Relation>> {
        let parameters = parameters(params)?;
        let statements = statements::parse(&self.engine, None, sql, &parameters)?;
        let mut result = None;
        for (statement, parsed) in statements {
            let planned = statements::plan(py, &self.engine, &statement, parsed)?;
            let writes = planned.kind() == ResultKind::WrittenCount;
            result = if writes {
                let mut summary = Summary::default();
                let ran = statements::run(py, &self.engine, planned, &mut summary)?;
                Some(scripts::relation(py, &self.engine, ran)?)
            } else if planned.schema().fields().is_empty() {
                None
            } else {
                Some(Relation::new(&self.engine, planned))
            };
        }
        Ok(result)
    }

    /// Makes data a table. A relation of this session becomes a view, other data is held in memory.
    fn register(&self, py: Python<'_>, name: &str, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let context = &self.engine.context;
        let failed = |error| exception(&error);
        self.engine.handle()?;
        let relation = data.cast::<Relation>().ok();
        let frame = relation.and_then(|relation| relation.get().frame_of(&self.engine));
        let table = match frame {
            Some(frame) => frame.into_view(),
            None => {
                let (schema, batches) = held(py, data)?;
                Arc::new(MemTable::try_new(schema, vec![batches]).map_err(failed)?)
            }
        };
        let name = TableReference::bare(name);
        context.deregister_table(name.clone()).map_err(failed)?;
        context.register_table(name, table).map_err(failed)?;
        Ok(())
    }

    /// Removes a table that `register` added, if it exists.
    fn unregister(&self, name: &str) -> PyResult<()> {
        let removed = self
            .engine
            .context
            .deregister_table(TableReference::bare(name));
        removed.map(drop).map_err(|error| exception(&error))
    }

    /// Runs a script with its variables. Returns a summary as JSON, and results.
    #[pyo3(signature = (name, text, variables, params=None))]
    fn run_script(
        &self,
        py: Python<'_>,
        name: String,
        text: String,
        variables: Variables,
        params: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Vec<Relation>)> {
        if let Some(name) = variables.keys().find(|name| !is_name(name)) {
            return Err(usage(format!("'{name}' is not a valid name of a variable")));
        }
        let script = Script { name, text };
        let parameters = parameters(params)?;
        scripts::run_script(py, &self.engine, &script, &variables, &parameters)
    }
}

/// Reads all rows of another library's object into memory.
fn held(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let kind = data.get_type();
    if !kind.hasattr("__arrow_c_stream__")? && !kind.hasattr("__arrow_c_array__")? {
        return Err(PyTypeError::new_err(format!(
            "expected an object with __arrow_c_stream__, such as a table of PyArrow or a data frame \
             of pandas or Polars, got {}",
            kind.name()?
        )));
    }
    let reader = data.extract::<AnyRecordBatch>()?.into_reader()?;
    let schema = reader.schema();
    let batches = py.detach(|| reader.collect::<Result<Vec<_>, ArrowError>>());
    let batches = batches.map_err(|error| DataError::new_err(error.to_string()))?;
    let batches = batches.into_iter().map(without_hidden_fields);
    let batches = batches
        .collect::<Result<_, _>>()
        .map_err(|error| exception(&error))?;
    Ok((schema, batches))
}
