//! Functions whose types depend on those of their arguments, unlike a
//! [`Function`](crate::function::Function).

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use crate::function::compared_by;

/// A function of arguments of several types.
#[derive(Debug)]
pub struct AnyTyped {
    name: &'static str,
    coerce: fn(&[DataType]) -> Result<Vec<DataType>>,
    returns: fn(&[DataType]) -> Result<DataType>,
    invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    signature: Signature,
    documentation: Documentation,
}

impl AnyTyped {
    /// `coerce` returns the types that the arguments are cast to, `returns` that of the result.
    pub fn new(
        name: &'static str,
        documentation: Documentation,
        coerce: fn(&[DataType]) -> Result<Vec<DataType>>,
        returns: fn(&[DataType]) -> Result<DataType>,
        invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    ) -> Self {
        Self {
            name,
            coerce,
            returns,
            invoke,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation,
        }
    }

    pub fn with_volatility(mut self, volatility: Volatility) -> Self {
        self.signature.volatility = volatility;
        self
    }
}

compared_by!(AnyTyped, name);

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
