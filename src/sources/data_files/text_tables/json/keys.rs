//! The order of the keys in JSON records, which parsed records do not have.

use std::collections::HashMap;
use std::fmt;

use datafusion::arrow::datatypes::{Schema, SchemaRef};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// The keys of records, in the order in which they first appear.
#[derive(Default)]
pub struct KeyOrder(HashMap<String, usize>);

impl KeyOrder {
    /// Adds the keys of a record.
    pub fn add(&mut self, record: &[u8]) {
        let mut record = serde_json::Deserializer::from_slice(record);
        // Ignore errors here: the parser of the record reports them.
        let _ = record.deserialize_map(Keys(&mut self.0));
    }

    /// Returns the columns in the order of the keys.
    pub fn sorted(&self, schema: &Schema) -> SchemaRef {
        let mut fields = schema.fields().to_vec();
        fields.sort_by_key(|field| self.0.get(field.name()));
        Schema::new(fields).into()
    }
}

struct Keys<'a>(&'a mut HashMap<String, usize>);

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut record: A) -> Result<(), A::Error> {
        while let Some((key, IgnoredAny)) = record.next_entry::<String, _>()? {
            let place = self.0.len();
            self.0.entry(key).or_insert(place);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::{DataType, Field};

    use super::*;

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
}
