//! A `COPY` that all executors write, one part per input: `exec` is their operator, `tasks` its
//! input and output.
//!
//! The client decides what has to be written, as it does without a cluster. Each task is a row of a
//! table in memory; the scheduler gives each executor the rows of its partitions. The operator
//! writes the part of each row and returns one row about it: neither inputs nor outputs cross a
//! shuffle. A task that is repeated finds the part of its earlier attempt, and leaves it.

mod exec;
mod tasks;

pub use exec::{Common, PartsNode, Place, WritePartsExec};
pub use tasks::{PartRow, TASKS, batch, rows, task_bytes};
