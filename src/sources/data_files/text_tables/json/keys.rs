//! The order of the keys in JSON records, which parsed records do not have.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The keys of records, in the order in which they first appear, each with those of the objects in
/// it.
#[derive(Default)]
pub struct KeyOrder(HashMap<String, (usize, Self)>);

impl KeyOrder {
    /// Adds the keys of a record.
    pub fn add(&mut self, record: &[u8]) {
        let mut record = serde_json::Deserializer::from_slice(record);
        // Ignore errors here: the parser of the record reports them.
        let _ = Keys(self).deserialize(&mut record);
    }

    /// Returns the columns, and the fields of structs, in the order of the keys.
    pub fn sorted(&self, schema: &Schema) -> SchemaRef {
        Schema::new(self.sorted_fields(schema.fields())).into()
    }

    fn sorted_fields(&self, fields: &Fields) -> Fields {
        let mut fields = fields.to_vec();
        fields.sort_by_key(|field| self.0.get(field.name()).map(|(place, _)| *place));
        let fields = fields
            .into_iter()
            .map(|field| match self.0.get(field.name()) {
                Some((_, inner)) => Arc::new(inner.sorted_field(&field)),
                None => field,
            });
        fields.collect()
    }

    /// Sorts the fields of a struct, or of those in a list.
    fn sorted_field(&self, field: &Field) -> Field {
        let kind = match field.data_type() {
            DataType::Struct(fields) => DataType::Struct(self.sorted_fields(fields)),
            DataType::List(item) => DataType::List(Arc::new(self.sorted_field(item))),
            other => other.clone(),
        };
        field.clone().with_data_type(kind)
    }
}

/// Methods of a visitor that does nothing with values without keys.
macro_rules! ignore_scalars {
    () => {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a value")
        }

        fn visit_unit<E>(self) -> Result<(), E> {
            Ok(())
        }

        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            Ok(())
        }

        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            Ok(())
        }

        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            Ok(())
        }

        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            Ok(())
        }

        fn visit_str<E>(self, _: &str) -> Result<(), E> {
            Ok(())
        }
    };
}

struct Keys<'a>(&'a mut KeyOrder);

impl<'de> DeserializeSeed<'de> for Keys<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    ignore_scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Keys(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            let place = self.0.0.len();
            let (_, inner) = self.0.0.entry(key).or_insert((place, KeyOrder::default()));
            object.next_value_seed(Keys(inner))?;
        }
        Ok(())
    }
}

/// Returns the first key that an object in a record has twice.
pub fn repeated(record: &[u8]) -> Option<String> {
    let mut found = None;
    let mut record = serde_json::Deserializer::from_slice(record);
    // Ignore errors here: the parser of the record reports them.
    let _ = Repeated(&mut found).deserialize(&mut record);
    found
}

struct Repeated<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for Repeated<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Repeated<'_> {
    ignore_scalars!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Repeated(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = object.next_key::<String>()? {
            if let Some(key) = keys.replace(key) {
                self.0.get_or_insert(key);
            }
            object.next_value_seed(Repeated(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_occur_twice_are_found() {
        for (record, expected) in [
            (
                r#"{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": "x"}]}"#,
                None,
            ),
            (r#"{"a": 1, "b": null, "\u0061": true}"#, Some("a")),
            (r#"{"a": [1.5, {"b": -1, "c": 2, "b": 3}]}"#, Some("b")),
            (r#"{"a": 1, "a":"#, Some("a")),
        ] {
            let found = repeated(record.as_bytes());
            assert_eq!(found.as_deref(), expected, "{record}");
        }
    }

    #[test]
    fn columns_are_in_the_order_of_their_first_records() {
        let mut keys = KeyOrder::default();
        keys.add(r#"{"url": {"z": 1}, "b\u0061": [1, {}], "url": 2}"#.as_bytes());
        keys.add(br#"{"c": null, "ba": 5, "a": "x"}"#);
        let fields = ["a", "ba", "c", "url"].map(|name| Field::new(name, DataType::Int64, true));
        let sorted = keys.sorted(&Schema::new(fields.to_vec()));
        let names: Vec<_> = sorted.fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, ["url", "ba", "c", "a"]);
    }

    #[test]
    fn fields_of_structs_are_in_the_order_of_their_keys() {
        let mut keys = KeyOrder::default();
        keys.add(br#"{"s": {"z": 1, "a": [{"y": 1, "x": 2}]}}"#);
        let pair = |names: [&str; 2], kinds: [DataType; 2]| {
            let fields = names.into_iter().zip(kinds);
            let fields = fields.map(|(name, kind)| Field::new(name, kind, true));
            DataType::Struct(fields.collect())
        };
        let (number, list) = (DataType::Int64, |item| DataType::new_list(item, true));
        let inner = list(pair(["x", "y"], [number.clone(), number.clone()]));
        let schema = Schema::new(vec![Field::new(
            "s",
            pair(["a", "z"], [inner, number.clone()]),
            true,
        )]);
        let inner = list(pair(["y", "x"], [number.clone(), number.clone()]));
        let expected = pair(["z", "a"], [number, inner]);
        assert_eq!(*keys.sorted(&schema).field(0).data_type(), expected);
    }
}
