//! What all functions have in common in SQL: a function is a name, the types of its arguments
//! and of its result, documentation, and a closure over Arrow arrays.

use std::hash::{Hash, Hasher};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, DocSection, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature, Volatility,
};

use crate::arguments::coerce;

/// A function of arguments of fixed types. Its result depends on nothing else.
#[derive(Debug)]
pub struct Function {
    name: &'static str,
    arguments: Vec<DataType>,
    returns: DataType,
    /// Called with arrays of the types of `arguments`, all of one length.
    invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    documentation: Documentation,
    signature: Signature,
    costly: bool,
}

impl Function {
    pub fn new(
        name: &'static str,
        arguments: Vec<DataType>,
        returns: DataType,
        documentation: Documentation,
        invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
    ) -> Self {
        Self {
            name,
            arguments,
            returns,
            invoke,
            documentation,
            signature: Signature::user_defined(Volatility::Immutable),
            costly: false,
        }
    }

    /// One that parses documents: to be called once per row, and not for rows that a filter drops.
    pub fn costly(self) -> Self {
        Self {
            costly: true,
            ..self
        }
    }
}

/// Whether a call of the function is worth being planned for.
pub fn is_costly(function: &ScalarUDF) -> bool {
    let function = function.inner().downcast_ref::<Function>();
    function.is_some_and(|function| function.costly)
}

/// Documentation as `SHOW FUNCTIONS` and the README show it. `example` is a statement after
/// `> ` that ends with a semicolon, then its result, a line per row, values separated by `, `:
/// the tests run it. `arguments` are names and descriptions.
pub fn document(
    section: &'static str,
    syntax: &str,
    description: &str,
    example: &str,
    arguments: &[(&str, &str)],
) -> Documentation {
    let section = DocSection {
        include: true,
        label: section,
        description: None,
    };
    let builder = Documentation::builder(section, description, syntax)
        .with_sql_example(format!("```sql\n{example}\n```"));
    arguments
        .iter()
        .fold(builder, |builder, (name, about)| {
            builder.with_argument(*name, *about)
        })
        .build()
}

/// There is one function of a name.
impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce(self.name, given, &self.arguments)
    }

    fn return_type(&self, _given: &[DataType]) -> Result<DataType> {
        Ok(self.returns.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        Ok(ColumnarValue::Array((self.invoke)(&arrays)?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
