#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! ```text
//! cell    single values, and the columns that hold them
//! list    columns of lists
//! pairs   columns of name and value pairs
//! row     structs whose fields become columns
//! record  columns whose types are known at run time
//! info    descriptions for the documentation
//! ```

mod cell;
mod info;
mod list;
mod pairs;
pub mod record;
mod row;

pub use cell::{Cell, ColumnBuilder, Hash128, Hash128Column, Short, Timestamp, timestamp_type};
pub use info::{ColumnInfo, type_name};
pub use list::{ListColumn, ListOf, Numbers, TextRows, TextRowsColumn, Texts, TextsColumn};
pub use pairs::{Pairs, PairsColumn, pairs_type};
pub use row::{Columns, Description, Row, StructColumn, StructOf};

/// Items that the macro [`row!`] refers to.
#[doc(hidden)]
pub mod private {
    pub use arrow_array::ArrayRef;
    pub use arrow_schema::ArrowError;
    pub use std::sync::LazyLock;

    pub use crate::row::describe;
}
