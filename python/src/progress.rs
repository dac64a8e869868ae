//! Shows the progress of queries that a method runs to completion, on a terminal or in a notebook.

use std::time::Instant;

use corpus_sql::sources::scan::counters::{Counts, PlanCounters};
use corpus_sql::statements::progress::{PROGRESS_DELAY, Progress, ProgressMode, TICK};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The place where a session shows progress.
pub enum Display {
    None,
    /// On stderr, like the command line.
    Terminal,
    /// In a notebook. Calling it makes the bar of one statement, a function that shows the finished
    /// share (or None) and a text.
    Notebook(Py<PyAny>),
}

impl Display {
    /// Returns the bar of one statement.
    pub fn bar(&self, py: Python<'_>) -> Bar {
        let now = Instant::now();
        let (mode, make, next) = match self {
            Self::None => (ProgressMode::Never, None, None),
            Self::Terminal => (ProgressMode::Auto, None, Some(now)),
            Self::Notebook(make) => {
                let make = Some(make.clone_ref(py));
                (ProgressMode::Never, make, Some(now + PROGRESS_DELAY))
            }
        };
        Bar {
            progress: Progress::new(mode),
            make,
            update: None,
            next,
        }
    }
}

/// The progress of one statement.
pub struct Bar {
    progress: Progress,
    /// Creates `update` once the statement has run for a moment.
    make: Option<Py<PyAny>>,
    /// Updates the notebook.
    update: Option<Py<PyAny>>,
    /// When to draw again; `None` if nothing is drawn.
    next: Option<Instant>,
}

impl Bar {
    pub fn watch(&mut self, counters: PlanCounters) {
        self.progress.watch(counters);
    }

    pub fn counts(&self) -> Counts {
        self.progress.counts()
    }

    /// Whether it is time for [`tick`](Self::tick).
    pub fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// Draws the progress. Fails if Ctrl-C was pressed meanwhile.
    pub fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        if !self.is_due() {
            return Ok(());
        }
        self.next = Some(Instant::now() + TICK);
        self.progress.tick();
        if self.update.is_none()
            && let Some(make) = self.make.take()
        {
            self.update = self.propagate_interrupt(py, make.call0(py))?;
        }
        self.show(py)
    }

    /// Draws the end of a statement that has succeeded.
    pub fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.progress.clear();
        self.show(py)
    }

    fn show(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Some(update) = self.update.take() {
            let updated = update.call1(py, (self.progress.share(), self.progress.line()));
            self.update = self.propagate_interrupt(py, updated)?.map(|_| update);
        }
        Ok(())
    }

    /// Propagates an interrupt. Any other error only ends the display, because the query is more
    /// important.
    fn propagate_interrupt(
        &mut self,
        py: Python<'_>,
        result: PyResult<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
            Err(_) => {
                self.next = None;
                Ok(None)
            }
        }
    }
}
