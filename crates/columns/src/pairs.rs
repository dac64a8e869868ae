//! Columns of name and value pairs, such as headers.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields};

use crate::cell::{Cell, ColumnBuilder};
use crate::info::ColumnInfo;
use crate::list::{Lengths, item};

static PAIR: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, false),
    ])
});

/// The Arrow type of [`Pairs`]: a list of structs of name and value.
pub fn pairs_type() -> DataType {
    DataType::List(item(&PAIR))
}

/// Name and value pairs in their order, repeats kept.
pub struct Pairs<'a, N, V>(pub &'a [(N, V)]);

impl<N: AsRef<str>, V: AsRef<str>> Cell for Pairs<'_, N, V> {
    type Column = PairsColumn;

    #[inline]
    fn append_to(self, column: &mut PairsColumn) {
        column.append(self.0.iter().map(|(name, value)| (name, value)));
    }
}

/// Builds a column of [`Pairs`].
#[derive(Default)]
pub struct PairsColumn {
    lengths: Lengths,
    names: StringBuilder,
    values: StringBuilder,
}

impl PairsColumn {
    /// Appends a list of pairs and returns the number of bytes in them.
    pub fn append<N: AsRef<str>, V: AsRef<str>>(
        &mut self,
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> usize {
        let (mut length, mut bytes) = (0, 0);
        for (name, value) in pairs {
            let (name, value) = (name.as_ref(), value.as_ref());
            self.names.append_value(name);
            self.values.append_value(value);
            length += 1;
            bytes += name.len() + value.len();
        }
        self.lengths.append(Some(length));
        bytes
    }
}

impl ColumnBuilder for PairsColumn {
    fn data_type() -> DataType {
        pairs_type()
    }

    fn nested() -> &'static [ColumnInfo] {
        const fn column(name: &'static str, description: &'static str) -> ColumnInfo {
            ColumnInfo {
                name,
                data_type: DataType::Utf8,
                description,
                is_short: false,
                columns: &[],
            }
        }
        const COLUMNS: &[ColumnInfo] = &[column("name", "The name"), column("value", "The value")];
        COLUMNS
    }

    fn append_null(&mut self) {
        self.lengths.append(None);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.names.finish()),
            Arc::new(self.values.finish()),
        ];
        let pairs = StructArray::try_new(PAIR.clone(), columns, None)?;
        self.lengths.finish(item(&PAIR), Arc::new(pairs))
    }
}
