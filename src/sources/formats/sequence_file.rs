//! Hadoop's SequenceFiles: pairs of keys and values, of versions 4 to 6, compressed or not.
//!
//! **Types.** Options or the classes in the first file of the table set the types of `key` and
//! `value`: text for Text, bytes for BytesWritable, and so on. Values of unknown classes are their
//! serialized bytes. A column of bytes can hold values of any class; for other types, a file with
//! other classes yields rows with `error`.
//!
//! **Errors of values** are found when values are read. Queries for keys and counts do not read
//! them; queries for `error` read and check them.

use std::sync::Arc;

use datafusion::common::Result;

use crate::options::{FormatOption, Options};
use crate::sources::format::RecordFormat;
use corpus_bytes::columns::{Column, ColumnType};
use corpus_bytes::file::FileBytes;
use corpus_bytes::record::{ReadRequest, RecordError, RecordReader};
use corpus_sequence_file::{ColumnTypes, Header, columns};

/// The names of [`columns::KINDS`].
const TYPES: &[&str; columns::KINDS.len()] = &["text", "bytes", "integer", "double", "boolean"];

const KEY_TYPE: FormatOption = FormatOption::one_of(
    "key_type",
    TYPES,
    None,
    "the type of key, instead of that of the first file; bytes hold all",
);

const VALUE_TYPE: FormatOption =
    FormatOption::one_of("value_type", TYPES, None, "the same for value");

/// A table of keys and values.
#[derive(Debug, Clone, Default)]
pub struct SequenceFileFormat {
    /// The types of the columns, if they are known already.
    key: Option<ColumnType>,
    value: Option<ColumnType>,
}

impl SequenceFileFormat {
    fn types(&self) -> ColumnTypes {
        let default = ColumnTypes::default();
        ColumnTypes {
            key: self.key.unwrap_or(default.key),
            value: self.value.unwrap_or(default.value),
        }
    }
}

impl RecordFormat for SequenceFileFormat {
    fn name(&self) -> &'static str {
        "SEQUENCEFILE"
    }

    fn columns(&self) -> &'static [Column] {
        columns::of(self.types())
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["seq", "sequencefile"]
    }

    fn splittable(&self) -> bool {
        true
    }

    fn options(&self) -> &'static [FormatOption] {
        &[KEY_TYPE, VALUE_TYPE]
    }

    fn with_options(&self, options: &Options) -> Result<Arc<dyn RecordFormat>> {
        let kind = |option| options.get(option).and_then(column_type);
        Ok(Arc::new(Self {
            key: kind(&KEY_TYPE),
            value: kind(&VALUE_TYPE),
        }))
    }

    fn configuration(&self) -> Vec<(&'static str, String)> {
        let option = |option: FormatOption, kind: Option<ColumnType>| {
            Some((option.name, type_name(kind?)?.to_owned()))
        };
        let types = [option(KEY_TYPE, self.key), option(VALUE_TYPE, self.value)];
        types.into_iter().flatten().collect()
    }

    fn fitted_to(&self, first: &dyn FileBytes) -> Option<Arc<dyn RecordFormat>> {
        // Errors of the file are reported when it is read.
        let header = Header::read(first).ok()?;
        let types = ColumnTypes::of(&header);
        Some(Arc::new(Self {
            key: self.key.or(Some(types.key)),
            value: self.value.or(Some(types.value)),
        }))
    }

    fn open(&self, request: ReadRequest) -> Result<Box<dyn RecordReader>, RecordError> {
        corpus_sequence_file::open(request, self.types())
    }
}

fn column_type(name: &str) -> Option<ColumnType> {
    let mut types = TYPES.iter().zip(columns::KINDS);
    let found = types.find(|(known, _)| **known == name);
    found.map(|(_, kind)| kind)
}

fn type_name(kind: ColumnType) -> Option<&'static str> {
    let mut types = TYPES.iter().zip(columns::KINDS);
    let found = types.find(|(_, known)| *known == kind);
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use corpus_bytes::memory::Memory;
    use corpus_sequence_file::writer::Layout;
    use corpus_sequence_file::{Class, Codec};

    fn types(format: &dyn RecordFormat) -> (ColumnType, ColumnType) {
        let columns = format.columns();
        (columns[columns::KEY].kind, columns[columns::VALUE].kind)
    }

    #[test]
    fn columns_fit_the_first_file() {
        let format = SequenceFileFormat::default();
        assert_eq!(types(&format), (ColumnType::Text, ColumnType::Bytes));
        let mut header = Vec::new();
        Layout::new(Class::VLong, Class::Float, Codec::Deflate).write_header(&mut header);
        let file = Memory(header.into());
        let fitted = format.fitted_to(&file).unwrap();
        assert_eq!(
            types(fitted.as_ref()),
            (ColumnType::Integer, ColumnType::Double)
        );
        assert!(format.fitted_to(&Memory([].into())).is_none());

        let configured = |name: &str, value: &str| {
            let options = HashMap::from([(name.to_owned(), value.to_owned())]);
            let options = Options::check(format.name(), format.options(), &options)?;
            format.with_options(&options)
        };
        let fitted = configured("key_type", "BYTES").unwrap().fitted_to(&file);
        assert_eq!(
            types(fitted.unwrap().as_ref()),
            (ColumnType::Bytes, ColumnType::Double)
        );
        assert!(configured("value_type", "map").is_err());
    }
}
