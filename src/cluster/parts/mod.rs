//! A `COPY` written by all executors, one part per input. `exec` is their operator, `tasks` its
//! input and output.
//!
//! The client decides which parts to write, as it does without a cluster. Each task is a row of an
//! in-memory table; the scheduler gives each executor the rows of its partitions. The operator
//! writes the part of each row and returns one row about it: neither inputs nor outputs cross a
//! shuffle. A repeated task finds the part of its earlier attempt and keeps it.

mod exec;
mod tasks;

pub use exec::{PartsNode, SharedState, TargetFolder, WritePartsExec};
pub use tasks::{PartRow, TASKS, batch, rows, task_bytes};
