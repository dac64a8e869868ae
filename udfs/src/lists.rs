//! Columns of lists, of name and value pairs and of structs; several columns of text.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    ArrayRef, LargeStringBuilder, ListArray, ListBuilder, StringBuilder, StringViewBuilder,
    StructArray, StructBuilder,
};
use datafusion::arrow::buffer::{Buffer, NullBuffer, OffsetBuffer};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;

static PAIR: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, false),
    ])
});

/// The type of a list of name and value pairs.
pub static PAIRS: LazyLock<DataType> = LazyLock::new(|| list_of(&PAIR));

pub fn list_of(fields: &Fields) -> DataType {
    DataType::List(item(fields))
}

fn item(fields: &Fields) -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(fields.clone()), true))
}

/// Builds a column of [`PAIRS`].
pub struct PairsBuilder(ListBuilder<StructBuilder>);

impl Default for PairsBuilder {
    fn default() -> Self {
        Self(ListBuilder::new(StructBuilder::from_fields(
            PAIR.clone(),
            0,
        )))
    }
}

impl PairsBuilder {
    pub fn append<N: AsRef<str>, V: AsRef<str>>(
        &mut self,
        pairs: Option<impl IntoIterator<Item = (N, V)>>,
    ) {
        let is_valid = pairs.is_some();
        let structs = self.0.values();
        for (name, value) in pairs.into_iter().flatten() {
            for (column, text) in [name.as_ref(), value.as_ref()].into_iter().enumerate() {
                if let Some(texts) = structs.field_builder::<StringBuilder>(column) {
                    texts.append_value(text);
                }
            }
            structs.append(true);
        }
        self.0.append(is_valid);
    }

    pub fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// The lengths of the lists of a column, whose items are built beside.
#[derive(Default)]
pub struct ListLengths {
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl ListLengths {
    /// A list of so many items, or NULL.
    pub fn append(&mut self, length: Option<usize>) {
        self.lengths.push(length.unwrap_or(0));
        self.valid.push(length.is_some());
    }

    /// The column, of the fields of all items one after the other.
    pub fn finish(self, fields: &Fields, columns: Vec<ArrayRef>) -> Result<ListArray> {
        let items = StructArray::try_new(fields.clone(), columns, None)?;
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        let nulls = NullBuffer::from(self.valid);
        Ok(ListArray::try_new(
            item(fields),
            offsets,
            Arc::new(items),
            Some(nulls),
        )?)
    }
}

/// A column of texts that are parts of larger ones, which they share.
#[derive(Default)]
pub struct SharedTexts(StringViewBuilder);

impl SharedTexts {
    /// Appends the given parts of `whole`, which may overlap. It must be smaller than 4 GiB.
    pub fn append(
        &mut self,
        whole: String,
        parts: impl Iterator<Item = Option<Range<usize>>>,
    ) -> Result<()> {
        let block = self.0.append_block(Buffer::from_vec(whole.into_bytes()));
        for part in parts {
            match part {
                Some(part) => {
                    let length = part.len() as u32;
                    self.0.try_append_view(block, part.start as u32, length)?;
                }
                None => self.0.append_null(),
            }
        }
        Ok(())
    }

    pub fn append_null(&mut self) {
        self.0.append_null();
    }

    pub fn finish(&mut self) -> ArrayRef {
        Arc::new(self.0.finish())
    }
}

/// Several columns of text, by their places.
pub struct TextColumns<const N: usize>([LargeStringBuilder; N]);

impl<const N: usize> Default for TextColumns<N> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| LargeStringBuilder::new()))
    }
}

impl<const N: usize> TextColumns<N> {
    pub fn append(&mut self, values: [Option<&str>; N]) {
        for (column, value) in self.0.iter_mut().zip(values) {
            column.append_option(value);
        }
    }

    pub fn finish(&mut self) -> [ArrayRef; N] {
        let columns = self.0.each_mut();
        columns.map(|column| Arc::new(column.finish()) as ArrayRef)
    }
}
