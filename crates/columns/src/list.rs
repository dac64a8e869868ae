//! Columns of lists.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeStringBuilder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};

use crate::cell::{Cell, ColumnBuilder};
use crate::info::ColumnInfo;
use crate::row::{Columns, Row};

/// The lengths of lists whose items are built elsewhere.
pub(crate) struct Lengths {
    lengths: Vec<usize>,
    nulls: NullBufferBuilder,
}

impl Default for Lengths {
    fn default() -> Self {
        Self {
            lengths: Vec::new(),
            nulls: NullBufferBuilder::new(0),
        }
    }
}

impl Lengths {
    /// Appends a list of this many items, or NULL.
    #[inline]
    pub fn append(&mut self, length: Option<usize>) {
        self.lengths.push(length.unwrap_or(0));
        self.nulls.append(length.is_some());
    }

    /// Builds the lists from all items, one after the other.
    pub fn finish(&mut self, item: FieldRef, items: ArrayRef) -> Result<ArrayRef, ArrowError> {
        let offsets = OffsetBuffer::from_lengths(std::mem::take(&mut self.lengths));
        let lists = ListArray::try_new(item, offsets, items, self.nulls.finish())?;
        Ok(Arc::new(lists))
    }
}

/// The field of the items in a list of structs.
pub(crate) fn item(fields: &Fields) -> FieldRef {
    Arc::new(Field::new_list_field(
        DataType::Struct(fields.clone()),
        true,
    ))
}

/// A column of lists of structs.
#[derive(Default)]
pub struct ListColumn<C> {
    lengths: Lengths,
    /// The number of items in the list that is being built.
    length: usize,
    /// The columns of the items.
    pub columns: C,
}

/// The column of lists of a row type.
pub type ListOf<R> = ListColumn<<R as Row>::Columns>;

impl<C: Columns> ListColumn<C> {
    /// Appends an item to the current list.
    #[inline]
    pub fn push<R: Row<Columns = C>>(&mut self, row: R) {
        row.append_to(&mut self.columns);
        self.length += 1;
    }

    /// Ends the current list, which may be empty.
    pub fn end_list(&mut self) {
        let length = std::mem::take(&mut self.length);
        self.lengths.append(Some(length));
    }

    /// Appends a list of items.
    pub fn append<R: Row<Columns = C>>(&mut self, rows: impl IntoIterator<Item = R>) {
        rows.into_iter().for_each(|row| self.push(row));
        self.end_list();
    }
}

impl<C: Columns> ColumnBuilder for ListColumn<C> {
    fn data_type() -> DataType {
        DataType::List(item(C::fields()))
    }

    fn nested() -> &'static [ColumnInfo] {
        &C::description().columns
    }

    fn append_null(&mut self) {
        self.lengths.append(None);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let items = StructArray::try_new(C::fields().clone(), self.columns.finish()?, None)?;
        self.lengths.finish(item(C::fields()), Arc::new(items))
    }
}

/// Builds a column of [`Texts`].
pub type TextsColumn = ListBuilder<StringBuilder>;

/// A list of short texts (`Utf8`).
pub struct Texts<I>(pub I);

impl<I: IntoIterator<Item: AsRef<str>>> Cell for Texts<I> {
    type Column = TextsColumn;

    #[inline]
    fn append_to(self, column: &mut TextsColumn) {
        let texts = column.values();
        self.0.into_iter().for_each(|text| texts.append_value(text));
        column.append(true);
    }
}

impl ColumnBuilder for TextsColumn {
    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
    }

    fn append_null(&mut self) {
        Self::append_null(self);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(Self::finish(self)))
    }
}

/// Builds a column of [`TextRows`].
pub type TextRowsColumn = ListBuilder<ListBuilder<LargeStringBuilder>>;

/// A list of lists of texts or NULL: the rows of a table.
#[derive(Debug, Clone, Copy)]
pub struct TextRows<'a>(pub &'a [Vec<Option<String>>]);

impl Cell for TextRows<'_> {
    type Column = TextRowsColumn;

    fn append_to(self, column: &mut TextRowsColumn) {
        let rows = column.values();
        for row in self.0 {
            let texts = rows.values();
            row.iter()
                .for_each(|text| texts.append_option(text.as_deref()));
            rows.append(true);
        }
        column.append(true);
    }
}

impl ColumnBuilder for TextRowsColumn {
    fn data_type() -> DataType {
        let list = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
        list(list(DataType::LargeUtf8))
    }

    fn append_null(&mut self) {
        Self::append_null(self);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(Self::finish(self)))
    }
}

/// A list of numbers.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'a>(pub &'a [f64]);

impl Cell for Numbers<'_> {
    type Column = ListBuilder<Float64Builder>;

    #[inline]
    fn append_to(self, column: &mut Self::Column) {
        column.values().append_slice(self.0);
        column.append(true);
    }
}

impl ColumnBuilder for ListBuilder<Float64Builder> {
    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)))
    }

    fn append_null(&mut self) {
        Self::append_null(self);
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(Self::finish(self)))
    }
}
