//! The columns of the table, in their order. The types of `key` and `value` suit the classes of
//! a file, so there is one list of columns per pair of types.

use crate::header::Header;
use crate::writable::Class;
use corpus_bytes::columns::{Column, ColumnType, ERROR_COLUMN, SOURCE_FILE_COLUMN};

/// The index of the file's name.
pub const SOURCE_FILE: usize = 0;
/// The index of the record's offset; in a block-compressed file, the offset of the sync mark before
/// its block.
pub const OFFSET: usize = 1;
/// The index of the key.
pub const KEY: usize = 2;
/// The index of the value.
pub const VALUE: usize = 3;
/// The index of the name of the key's class.
pub const KEY_CLASS: usize = 4;
/// The index of the name of the value's class.
pub const VALUE_CLASS: usize = 5;
/// The index of the compression: NONE, RECORD or BLOCK.
pub const COMPRESSION: usize = 6;
/// The index of the codec's class; NULL if the file is not compressed.
pub const CODEC: usize = 7;
/// The index of the file's metadata.
pub const METADATA: usize = 8;
/// The index of the column that indicates whether the value was truncated at the limit.
pub const VALUE_TRUNCATED: usize = 9;
/// The index of the error.
pub const ERROR: usize = 10;
const COUNT: usize = 11;

/// The types that `key` and `value` can have.
pub const KINDS: [ColumnType; 5] = [
    ColumnType::Text,
    ColumnType::Bytes,
    ColumnType::Integer,
    ColumnType::Double,
    ColumnType::Boolean,
];

const fn schema(key: ColumnType, value: ColumnType) -> [Column; COUNT] {
    [
        SOURCE_FILE_COLUMN,
        Column::early("offset", ColumnType::Integer)
            .about("The offset of the record, or of the sync mark before its block"),
        Column::early("key", key).about("The key, of the type of its class"),
        Column::payload("value", value).about("The value, of the type of its class"),
        Column::early("key_class", ColumnType::Text).about("The name of the key's class"),
        Column::early("value_class", ColumnType::Text).about("The name of the value's class"),
        Column::early("compression", ColumnType::Text)
            .about("The compression of the file: 'NONE', 'RECORD' or 'BLOCK'"),
        Column::early("codec", ColumnType::Text).about("The class of the codec"),
        Column::early("metadata", ColumnType::Pairs)
            .about("The metadata in the header of the file"),
        Column::payload("value_truncated", ColumnType::Boolean)
            .about("Whether `value` was cut at corpus.max_record_bytes"),
        ERROR_COLUMN,
    ]
}

static SCHEMAS: [[[Column; COUNT]; KINDS.len()]; KINDS.len()] = {
    let mut schemas = [[schema(ColumnType::Text, ColumnType::Bytes); KINDS.len()]; KINDS.len()];
    let mut key = 0;
    while key < KINDS.len() {
        let mut value = 0;
        while value < KINDS.len() {
            schemas[key][value] = schema(KINDS[key], KINDS[value]);
            value += 1;
        }
        key += 1;
    }
    schemas
};

/// The types of the columns `key` and `value`, each one of [`KINDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnTypes {
    pub key: ColumnType,
    pub value: ColumnType,
}

impl Default for ColumnTypes {
    fn default() -> Self {
        Self {
            key: ColumnType::Text,
            value: ColumnType::Bytes,
        }
    }
}

impl ColumnTypes {
    /// The types that suit the classes of a file.
    pub fn of(header: &Header) -> Self {
        Self {
            key: Class::of(&header.key_class).column_type(),
            value: Class::of(&header.value_class).column_type(),
        }
    }
}

/// The columns of a table in which `key` and `value` have these types.
pub fn of(types: ColumnTypes) -> &'static [Column] {
    let place = |kind| KINDS.iter().position(|known| *known == kind);
    let key = place(types.key).unwrap_or_default();
    &SCHEMAS[key][place(types.value).unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_types_has_its_schema() {
        for key in KINDS {
            for value in KINDS {
                let columns = of(ColumnTypes { key, value });
                assert_eq!((columns[KEY].kind, columns[VALUE].kind), (key, value));
            }
        }
        let columns = of(ColumnTypes::default());
        let named = [
            (OFFSET, "offset"),
            (KEY, "key"),
            (VALUE, "value"),
            (KEY_CLASS, "key_class"),
            (VALUE_CLASS, "value_class"),
            (COMPRESSION, "compression"),
            (CODEC, "codec"),
            (METADATA, "metadata"),
            (VALUE_TRUNCATED, "value_truncated"),
            (ERROR, "error"),
        ];
        for (index, name) in named {
            assert_eq!(columns[index].name, name);
        }
        assert_eq!(columns[SOURCE_FILE].name, "source_file");
        assert_eq!(columns.len(), named.len() + 1);
    }
}
