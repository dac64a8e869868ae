//! Functions whose types depend on those of their arguments, unlike a
//! [`Function`](crate::function::Function).

use std::hash::{Hash, Hasher};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::SECTION;
use crate::function::document;

/// What such a function is made of.
#[derive(Debug)]
pub struct AnyTyped {
    pub name: &'static str,
    /// Returns the types that the arguments are cast to.
    pub coerce: fn(&[DataType]) -> Result<Vec<DataType>>,
    pub returns: fn(&[DataType]) -> Result<DataType>,
    pub invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    signature: Signature,
    documentation: Documentation,
}

impl AnyTyped {
    /// `documented` are the syntax, the description and the example, and `arguments` names with
    /// their descriptions.
    pub fn new(
        name: &'static str,
        documented: [&str; 3],
        arguments: &[(&str, &str)],
        coerce: fn(&[DataType]) -> Result<Vec<DataType>>,
        returns: fn(&[DataType]) -> Result<DataType>,
        invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    ) -> Self {
        let [syntax, description, example] = documented;
        Self {
            name,
            coerce,
            returns,
            invoke,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: document(SECTION, syntax, description, example, arguments),
        }
    }
}

/// Functions are equal if their names are.
impl PartialEq for AnyTyped {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for AnyTyped {}

impl Hash for AnyTyped {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for AnyTyped {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        (self.coerce)(given)
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        (self.returns)(arguments)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = args
            .args
            .iter()
            .map(|value| value.to_array(args.number_rows));
        let arrays = arrays.collect::<Result<Vec<_>>>()?;
        Ok(ColumnarValue::Array((self.invoke)(&arrays)?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
