//! Rows: structs whose fields become columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, Fields};

use crate::cell::{Cell, ColumnBuilder};
use crate::info::{ColumnInfo, fields_of};

/// A struct that [`row!`](crate::row) has defined.
pub trait Row {
    type Columns: Columns;

    /// Appends each field to its column.
    fn append_to(self, columns: &mut Self::Columns);
}

/// The columns of a [`Row`], in the order of its fields.
pub trait Columns: Default {
    fn description() -> &'static Description;

    fn fields() -> &'static Fields {
        &Self::description().fields
    }

    fn append_nulls(&mut self);

    fn finish(&mut self) -> Result<Vec<ArrayRef>, ArrowError>;
}

/// The columns of a [`Row`], described once for all of its builders.
#[derive(Debug)]
pub struct Description {
    pub columns: Vec<ColumnInfo>,
    fields: Fields,
}

impl Description {
    #[doc(hidden)]
    pub fn new(columns: Vec<ColumnInfo>) -> Self {
        Self {
            fields: fields_of(&columns),
            columns,
        }
    }
}

/// A column of structs.
pub struct StructColumn<C> {
    pub columns: C,
    nulls: NullBufferBuilder,
}

/// The column of structs of a row type.
pub type StructOf<R> = StructColumn<<R as Row>::Columns>;

impl<C: Default> Default for StructColumn<C> {
    fn default() -> Self {
        Self {
            columns: C::default(),
            nulls: NullBufferBuilder::new(0),
        }
    }
}

impl<C: Columns> StructColumn<C> {
    #[inline]
    pub fn append<R: Row<Columns = C>>(&mut self, row: Option<R>) {
        self.nulls.append(row.is_some());
        match row {
            Some(row) => row.append_to(&mut self.columns),
            None => self.columns.append_nulls(),
        }
    }
}

impl<C: Columns> ColumnBuilder for StructColumn<C> {
    fn data_type() -> DataType {
        DataType::Struct(C::fields().clone())
    }

    fn nested() -> &'static [ColumnInfo] {
        &C::description().columns
    }

    fn append_null(&mut self) {
        self.nulls.append(false);
        self.columns.append_nulls();
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns = self.columns.finish()?;
        let structs = StructArray::try_new(C::fields().clone(), columns, self.nulls.finish())?;
        Ok(Arc::new(structs))
    }
}

/// Describes a column: the type is that of the cell, the comment its documentation.
#[doc(hidden)]
pub fn describe<T: Cell>(name: &'static str, comment: &'static str) -> ColumnInfo {
    let data_type = T::Column::data_type();
    ColumnInfo {
        name,
        is_short: data_type == DataType::Utf8,
        data_type,
        description: comment.trim(),
        columns: T::Column::nested(),
    }
}

/// Defines a struct whose fields are columns. The comment of a field is the description of its
/// column: one line or several, without a full stop. `#[short]` after it marks texts that are words
/// or names, so that a query can keep more of them in memory. The types of fields implement
/// [`Cell`]; the struct may have one lifetime. See the [crate's example](crate).
#[macro_export]
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident < $lifetime:lifetime > { $($fields:tt)+ }
    ) => {
        $crate::row! {
            @define [< $lifetime >] [< 'static >]
            $(#[$attribute])* $visibility struct $name { $($fields)+ }
        }
    };
    (
        @define [$($generics:tt)*] [$($static:tt)*]
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $(
                $(#[doc = $comment:literal])+
                $(#[short $($short:literal)?])?
                $field_visibility:vis $field:ident : $kind:ty
            ),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name $($generics)* {
            $($(#[doc = $comment])+ $field_visibility $field: $kind,)+
        }

        const _: () = {
            #[derive(Default)]
            pub struct Columns $($generics)* {
                $($field_visibility $field: <$kind as $crate::Cell>::Column,)+
            }

            impl $($generics)* $crate::Row for $name $($generics)* {
                type Columns = Columns $($static)*;

                #[inline]
                fn append_to(self, columns: &mut Self::Columns) {
                    $($crate::Cell::append_to(self.$field, &mut columns.$field);)+
                }
            }

            impl $($generics)* Columns $($generics)* {
                fn describe() -> Vec<$crate::ColumnInfo> {
                    vec![$(
                        $crate::private::describe::<$kind>(
                            stringify!($field),
                            concat!($($comment),+),
                        )
                        $(.short($($short)?))?
                    ),+]
                }
            }

            impl $($generics)* $crate::Columns for Columns $($generics)* {
                fn description() -> &'static $crate::Description {
                    static DESCRIPTION: $crate::private::LazyLock<$crate::Description> =
                        $crate::private::LazyLock::new(|| {
                            $crate::Description::new(<Columns $($static)*>::describe())
                        });
                    &DESCRIPTION
                }

                fn append_nulls(&mut self) {
                    $($crate::ColumnBuilder::append_null(&mut self.$field);)+
                }

                fn finish(
                    &mut self,
                ) -> Result<Vec<$crate::private::ArrayRef>, $crate::private::ArrowError> {
                    Ok(vec![$($crate::ColumnBuilder::finish(&mut self.$field)?),+])
                }
            }
        };
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident { $($fields:tt)+ }
    ) => {
        $crate::row! { @define [] [] $(#[$attribute])* $visibility struct $name { $($fields)+ } }
    };
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, TimestampMicrosecondType};
    use arrow_array::{Array, ListArray};
    use arrow_schema::{DataType, Field, Fields};

    use crate::{
        Cell, ColumnBuilder, ColumnInfo, ListColumn, ListOf, Pairs, Row, Short, StructOf, Texts,
        Timestamp, pairs_type, timestamp_type,
    };

    row! {
        struct Item {
            /// The depth
            level: u32,
        }
    }

    /// A value that becomes a list of rows.
    struct Levels(&'static [u32]);

    impl Cell for Levels {
        type Column = ListOf<Item>;

        fn append_to(self, column: &mut Self::Column) {
            column.append(self.0.iter().map(|level| Item { level: *level }));
        }
    }

    row! {
        /// A row with a column of every kind.
        #[derive(Default)]
        struct Everything<'a> {
            /// Larger numbers become
            /// the largest
            count: usize,
            /// A text
            text: Option<&'a str>,
            /// A short text
            short: Option<Short<'a>>,
            /// A time
            time: Option<Timestamp>,
            /// Words
            words: Option<Texts<std::str::Split<'a, char>>>,
            /// Headers
            pairs: Option<Pairs<'a, &'a str, String>>,
            /// The levels
            levels: Option<Levels>,
        }
    }

    row! {
        struct Link<'a> {
            /// The kind
            #[short]
            kind: &'a str,
            /// The charset
            charset: Short<'a>,
            /// The text
            text: &'a str,
        }
    }

    #[test]
    fn short_columns_are_marked_or_of_a_short_type() {
        let columns = StructOf::<Link>::nested().iter();
        let short = columns.filter(|column| column.is_short);
        let short: Vec<_> = short.map(|column| column.name).collect();
        assert_eq!(short, ["kind", "charset"]);
    }

    #[test]
    fn one_definition_gives_fields_and_documentation() {
        let columns = StructOf::<Everything>::nested();
        let item = Fields::from(vec![Field::new("level", DataType::Int32, true)]);
        let list = |item| DataType::List(Arc::new(Field::new("item", item, true)));
        let expected = [
            (
                "count",
                DataType::Int32,
                "Larger numbers become the largest",
            ),
            ("text", DataType::LargeUtf8, "A text"),
            ("short", DataType::Utf8, "A short text"),
            ("time", timestamp_type(), "A time"),
            ("words", list(DataType::Utf8), "Words"),
            ("pairs", pairs_type(), "Headers"),
            ("levels", list(DataType::Struct(item)), "The levels"),
        ];
        let found = columns.iter();
        let found = found.map(|c| (c.name, c.data_type.clone(), c.description));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let DataType::Struct(fields) = StructOf::<Everything>::data_type() else {
            panic!("not a struct");
        };
        for (field, (name, data_type, _)) in fields.iter().zip(expected) {
            assert_eq!(
                (field.name().as_str(), field.data_type()),
                (name, &data_type)
            );
            assert!(field.is_nullable());
        }
        assert_eq!(columns[6].columns[0].name, "level");
        assert_eq!(columns[4].sql_type(), "list of text");
        assert_eq!(
            ColumnInfo::sentence(&columns[3..]),
            "time (a time), words (words), pairs (headers: name, value) and levels (level)"
        );
    }

    #[test]
    fn a_struct_has_a_row_per_value_and_nulls() {
        let mut column = StructOf::<Everything>::default();
        let text = String::from("borrowed");
        let pairs = [("n", "1".to_owned()), ("n", "2".to_owned())];
        column.append(Some(Everything {
            count: usize::MAX,
            text: Some(&text),
            time: Some(Timestamp(7)),
            words: Some(Texts("a b".split(' '))),
            pairs: Some(Pairs(&pairs)),
            levels: Some(Levels(&[3, 4])),
            ..Default::default()
        }));
        column.append(None::<Everything>);
        column.append(Some(Everything::default()));
        let array = column.finish().unwrap();
        let array = array.as_struct();
        assert_eq!((array.len(), array.null_count()), (3, 1));
        assert!(array.is_null(1));
        let column = |at: usize| array.column(at);
        assert_eq!(column(0).as_primitive::<Int32Type>().value(0), i32::MAX);
        assert_eq!(column(1).as_string::<i64>().value(0), "borrowed");
        assert_eq!(column(2).null_count(), 3);
        let times = column(3).as_primitive::<TimestampMicrosecondType>();
        assert_eq!((times.value(0), times.null_count()), (7, 2));
        let items = |at: usize| column(at).as_list::<i32>().value(0);
        assert_eq!(items(4).as_string::<i32>().value(1), "b");
        let pairs = items(5);
        assert_eq!(pairs.as_struct().column(1).as_string::<i32>().value(1), "2");
        let levels = items(6);
        let levels = levels.as_struct().column(0).as_primitive::<Int32Type>();
        assert_eq!(levels.values(), &[3, 4]);
        assert!((4..7).all(|at| column(at).null_count() == 2));
    }

    fn lengths(lists: &ListArray) -> Vec<Option<usize>> {
        let lists = lists.iter();
        lists.map(|list| list.map(|list| list.len())).collect()
    }

    #[test]
    fn lists_are_pushed_or_appended() {
        let mut column = ListOf::<Item>::default();
        column.push(Item { level: 1 });
        column.push(Item { level: 2 });
        column.end_list();
        column.append_null();
        column.append([] as [Item; 0]);
        column.append([Item { level: 3 }]);
        let array = column.finish().unwrap();
        let lists = array.as_list::<i32>();
        assert_eq!(lengths(lists), [Some(2), None, Some(0), Some(1)]);
        assert_eq!(
            *array.data_type(),
            ListColumn::<<Item as Row>::Columns>::data_type()
        );
    }
}
