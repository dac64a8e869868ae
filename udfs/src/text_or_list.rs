//! Functions of texts that take lists, too: `reverse` as in Spark, and `contains` as in DuckDB,
//! which looks up keys of maps.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::functions::unicode;
use datafusion::functions_nested::array_has::array_has_udf;
use datafusion::functions_nested::reverse::array_reverse_udf;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};

use crate::bytes::contains;

/// Two functions with one name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TextOrList {
    of_texts: Arc<ScalarUDF>,
    of_lists: Arc<ScalarUDF>,
    signature: Signature,
}

pub fn functions() -> [ScalarUDF; 2] {
    [
        (unicode::reverse(), array_reverse_udf()),
        (contains(), array_has_udf()),
    ]
    .map(|(of_texts, of_lists)| {
        let signature = Signature::user_defined(Volatility::Immutable);
        TextOrList {
            of_texts,
            of_lists,
            signature,
        }
        .into()
    })
}

impl TextOrList {
    fn of(&self, kinds: &[DataType]) -> &ScalarUDF {
        match kinds.first() {
            Some(kind) if kind.is_nested() => &self.of_lists,
            _ => &self.of_texts,
        }
    }
}

/// The type of the list that a function gets: of a map, its keys.
fn listed(kind: &DataType) -> DataType {
    match kind {
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => DataType::List(Arc::clone(&fields[0])),
            _ => kind.clone(),
        },
        other => other.clone(),
    }
}

fn keys(maps: &MapArray) -> Result<ListArray> {
    let (key, _) = maps.entries_fields();
    let offsets = maps.offsets().clone();
    let keys = Arc::clone(maps.keys());
    let nulls = maps.nulls().cloned();
    Ok(ListArray::try_new(
        Arc::new(key.clone()),
        offsets,
        keys,
        nulls,
    )?)
}

impl ScalarUDFImpl for TextOrList {
    fn name(&self) -> &str {
        self.of_texts.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.of_texts.documentation()
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let fields = given.iter().map(|kind| Field::new("", listed(kind), true));
        let fields: Vec<_> = fields.map(Arc::new).collect();
        let coerced = fields_with_udf(&fields, self.of(given))?;
        let mut kinds: Vec<_> = coerced.iter().map(|it| it.data_type().clone()).collect();
        if let ([map @ DataType::Map(..), ..], [first, ..]) = (given, kinds.as_mut_slice()) {
            *first = map.clone();
        }
        Ok(kinds)
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.of(given).return_type(given)
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kinds: Vec<_> = args.args.iter().map(ColumnarValue::data_type).collect();
        if let Some(DataType::Map(..)) = kinds.first() {
            let maps = args.args[0].to_array(args.number_rows)?;
            let keys: ArrayRef = Arc::new(keys(maps.as_map())?);
            args.arg_fields[0] = Arc::new(Field::new("", keys.data_type().clone(), true));
            args.args[0] = ColumnarValue::Array(keys);
        }
        self.of(&kinds).invoke_with_args(args)
    }
}
