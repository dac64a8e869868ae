//! `reverse` of lists, as in Spark. DataFusion reverses their texts.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::functions::unicode::reverse;
use datafusion::functions_nested::reverse::array_reverse_udf;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};

/// Reverses a text or a list.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Reverse {
    of_texts: Arc<ScalarUDF>,
    of_lists: Arc<ScalarUDF>,
    signature: Signature,
}

pub fn function() -> ScalarUDF {
    Reverse {
        of_texts: reverse(),
        of_lists: array_reverse_udf(),
        signature: Signature::user_defined(Volatility::Immutable),
    }
    .into()
}

impl Reverse {
    fn of(&self, kind: &DataType) -> &ScalarUDF {
        if kind.is_nested() {
            &self.of_lists
        } else {
            &self.of_texts
        }
    }
}

impl ScalarUDFImpl for Reverse {
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
        let [value] = given else {
            return plan_err!("reverse takes 1 argument, not {}", given.len());
        };
        Ok(vec![match value {
            value if value.is_nested() || value.is_string() => value.clone(),
            _ => DataType::Utf8,
        }])
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        self.of(&given[0]).return_type(given)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.args[0].data_type();
        self.of(&kind).invoke_with_args(args)
    }
}
