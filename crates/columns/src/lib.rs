#![doc = include_str!("../README.md")]

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
