//! Functions for operators that are wrong in DataFusion: sums, differences and products of whole
//! numbers wrap around there, and the remainder of a decimal divided by one is 0.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use datafusion::arrow::compute::kernels::numeric::{add, mul, neg, rem, sub};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::binary::BinaryTypeCoercer;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};
use datafusion::physical_expr_common::datum::apply;

use super::type_names::type_name;
use crate::function::{INTERNAL, compared_by, document};

/// The operators with such a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckedOperator {
    Add,
    Subtract,
    Multiply,
    Negate,
    Remainder,
}

impl CheckedOperator {
    pub const ALL: [Self; 5] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Negate,
        Self::Remainder,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Add => "checked_add",
            Self::Subtract => "checked_subtract",
            Self::Multiply => "checked_multiply",
            Self::Negate => "checked_negate",
            Self::Remainder => "checked_remainder",
        }
    }

    fn symbol(self) -> char {
        match self {
            Self::Add => '+',
            Self::Subtract | Self::Negate => '-',
            Self::Multiply => '*',
            Self::Remainder => '%',
        }
    }

    fn operands(self) -> usize {
        match self {
            Self::Negate => 1,
            _ => 2,
        }
    }

    fn documentation(self) -> Documentation {
        let (syntax, description, example) = match self {
            Self::Add => (
                "checked_add(number, other)",
                "Adds two whole numbers, as `+` does. A sum beyond the type is an error.",
                "> SELECT checked_add(1, 2);\n3",
            ),
            Self::Subtract => (
                "checked_subtract(number, other)",
                "Subtracts two whole numbers, as `-` does. A difference beyond the type is an error.",
                "> SELECT checked_subtract(1, 2);\n-1",
            ),
            Self::Multiply => (
                "checked_multiply(number, other)",
                "Multiplies two whole numbers, as `*` does. A product beyond the type is an error.",
                "> SELECT checked_multiply(2, 3);\n6",
            ),
            Self::Negate => (
                "checked_negate(number)",
                "Changes the sign of a whole number, as `-` does. A result beyond the type is an error.",
                "> SELECT checked_negate(2);\n-2",
            ),
            Self::Remainder => (
                "checked_remainder(number, other)",
                "Returns the remainder of a division of decimals or whole numbers, as `%` does.",
                "> SELECT checked_remainder(2.5::DECIMAL(2, 1), 1);\n0.5",
            ),
        };
        let kind = match self {
            Self::Remainder => "A decimal or a whole number.",
            _ => "A whole number.",
        };
        let arguments = [("number", kind), ("other", kind)];
        document(
            INTERNAL,
            syntax,
            description,
            example,
            &arguments[..self.operands()],
        )
    }
}

/// The function of an operator. Its columns have the names of the operator's columns.
#[derive(Debug)]
pub struct CheckedArithmetic {
    operator: CheckedOperator,
    signature: Signature,
    documentation: Documentation,
}

impl CheckedArithmetic {
    pub fn new(operator: CheckedOperator) -> Self {
        Self {
            operator,
            signature: Signature::user_defined(Volatility::Immutable),
            documentation: operator.documentation(),
        }
    }

    fn call_text(&self, operands: &[String]) -> String {
        let symbol = self.operator.symbol();
        match operands {
            [operand] => format!("({symbol} {operand})"),
            _ => operands.join(&format!(" {symbol} ")),
        }
    }

    /// Returns the error for an overflow, with the values of the first row, which Arrow reports.
    fn overflow(&self, error: DataFusionError, kind: &DataType) -> DataFusionError {
        let DataFusionError::ArrowError(arrow, _) = &error else {
            return error;
        };
        let ArrowError::ArithmeticOverflow(message) = arrow.as_ref() else {
            return error;
        };
        let values = message.rsplit(": ").next().unwrap_or(message);
        let values = values.replace("- -", "-(-");
        let closing = if values.contains('(') { ")" } else { "" };
        DataFusionError::Execution(format!(
            "{values}{closing} does not fit {}: {}",
            type_name(kind),
            advice(kind)
        ))
    }
}

/// The types to write for larger numbers.
pub(super) fn advice(kind: &DataType) -> &'static str {
    match kind {
        DataType::Int64 | DataType::UInt64 => "cast to DECIMAL(38, 0) or DOUBLE first",
        _ => "cast to BIGINT first",
    }
}

compared_by!(CheckedArithmetic, operator);

impl ScalarUDFImpl for CheckedArithmetic {
    fn name(&self) -> &str {
        self.operator.name()
    }

    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        let operands = args.iter().map(|arg| arg.schema_name().to_string());
        Ok(self.call_text(&operands.collect::<Vec<_>>()))
    }

    fn display_name(&self, args: &[Expr]) -> Result<String> {
        let operands = args.iter().map(|arg| match arg {
            Expr::ScalarFunction(inner) if inner.func.inner().is::<Self>() => format!("({arg})"),
            _ => arg.to_string(),
        });
        Ok(self.call_text(&operands.collect::<Vec<_>>()))
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        if given.len() != self.operator.operands() {
            let (name, operands) = (self.name(), self.operator.operands());
            return plan_err!("{name} takes {operands} whole numbers");
        }
        if let (CheckedOperator::Remainder, [left, right]) = (self.operator, given) {
            let (left, right) =
                BinaryTypeCoercer::new(left, &Operator::Modulo, right).get_input_types()?;
            return Ok(vec![left, right]);
        }
        let is_same = given.iter().all(|kind| *kind == given[0]);
        Ok(match &given[0] {
            kind if is_same && kind.is_integer() => given.to_vec(),
            _ => vec![DataType::Int64; given.len()],
        })
    }

    fn return_type(&self, given: &[DataType]) -> Result<DataType> {
        match given {
            [left, right] if self.operator == CheckedOperator::Remainder => {
                BinaryTypeCoercer::new(left, &Operator::Modulo, right).get_result_type()
            }
            [kind, ..] if kind.is_integer() => Ok(kind.clone()),
            _ => plan_err!("{} takes whole numbers", self.name()),
        }
    }

    /// Nullable only if an operand is, as the operators are: plans compare the schemas of both.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let kinds: Vec<_> = args
            .arg_fields
            .iter()
            .map(|it| it.data_type().clone())
            .collect();
        let is_nullable = args.arg_fields.iter().any(|it| it.is_nullable());
        let kind = self.return_type(&kinds)?;
        Ok(Arc::new(Field::new(self.name(), kind, is_nullable)))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let kind = args.return_type();
        let result = match (self.operator, args.args.as_slice()) {
            (CheckedOperator::Add, [left, right]) => match plus_constant(left, right, Some) {
                Some(sums) => Ok(sums),
                None => apply(left, right, add),
            },
            (CheckedOperator::Subtract, [left, right]) => {
                match plus_constant(left, right, i64::checked_neg) {
                    Some(differences) => Ok(differences),
                    None => apply(left, right, sub),
                }
            }
            (CheckedOperator::Multiply, [left, right]) => apply(left, right, mul),
            (CheckedOperator::Remainder, [left, right]) => apply(left, right, rem),
            (CheckedOperator::Negate, [value]) => negate(value),
            _ => exec_err!("{} takes whole numbers", self.name()),
        };
        result.map_err(|error| self.overflow(error, kind))
    }

    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        match (self.operator, inputs) {
            (CheckedOperator::Add, [left, right]) => left.add(*right),
            (CheckedOperator::Subtract, [left, right]) => left.sub(*right),
            (CheckedOperator::Multiply, [left, right]) => left.mul(*right),
            (CheckedOperator::Negate, [value]) => value.arithmetic_negate(),
            (CheckedOperator::Remainder, _) => Interval::make_unbounded(
                &self.return_type(&inputs.iter().map(|it| it.data_type()).collect::<Vec<_>>())?,
            ),
            _ => exec_err!("{} takes whole numbers", self.name()),
        }
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        Ok(match (self.operator, inputs) {
            (CheckedOperator::Add, [left, right]) => {
                left.sort_properties.add(&right.sort_properties)
            }
            (CheckedOperator::Subtract, [left, right]) => {
                left.sort_properties.sub(&right.sort_properties)
            }
            (CheckedOperator::Negate, [value]) => -value.sort_properties,
            (_, inputs) => {
                let is_constant =
                    |input: &ExprProperties| input.sort_properties == SortProperties::Singleton;
                if inputs.iter().all(is_constant) {
                    SortProperties::Singleton
                } else {
                    SortProperties::Unordered
                }
            }
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// Adds `added(right)` to each number with vector instructions, which the checked kernel of Arrow
/// does not use. `None` if a sum may overflow, and for other operands.
fn plus_constant(
    left: &ColumnarValue,
    right: &ColumnarValue,
    added: fn(i64) -> Option<i64>,
) -> Option<ColumnarValue> {
    let ColumnarValue::Array(numbers) = left else {
        return None;
    };
    let ColumnarValue::Scalar(ScalarValue::Int64(Some(right))) = right else {
        return None;
    };
    let numbers = numbers.as_primitive_opt::<Int64Type>()?;
    let added = added(*right)?;
    // The sign bit is set as soon as one sum has the wrong sign.
    let mut wrong_signs = 0;
    let values = numbers.values().iter();
    let sums: Vec<i64> = if added >= 0 {
        let sums = values.map(|number| {
            let sum = number.wrapping_add(added);
            wrong_signs |= sum & !number;
            sum
        });
        sums.collect()
    } else {
        let sums = values.map(|number| {
            let sum = number.wrapping_add(added);
            wrong_signs |= number & !sum;
            sum
        });
        sums.collect()
    };
    if wrong_signs < 0 {
        return None;
    }
    let sums = Int64Array::new(sums.into(), numbers.nulls().cloned());
    Some(ColumnarValue::Array(Arc::new(sums)))
}

fn negate(value: &ColumnarValue) -> Result<ColumnarValue> {
    let of_array = |array: &ArrayRef| neg(array.as_ref());
    Ok(match value {
        ColumnarValue::Array(array) => ColumnarValue::Array(of_array(array)?),
        ColumnarValue::Scalar(scalar) => {
            let array = of_array(&scalar.to_array()?)?;
            ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)
        }
    })
}

/// The function of an operator.
pub fn checked_function(operator: CheckedOperator) -> ScalarUDF {
    CheckedArithmetic::new(operator).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(numbers: Vec<Option<i64>>) -> ColumnarValue {
        ColumnarValue::Array(Arc::new(Int64Array::from(numbers)))
    }

    #[test]
    fn sums_with_a_constant_are_those_of_the_kernel_or_none() {
        let numbers = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        for number in numbers {
            for other in numbers {
                let left = column(vec![Some(5), None, Some(number)]);
                let right = ColumnarValue::Scalar(ScalarValue::Int64(Some(other)));
                let fits = number
                    .checked_add(other)
                    .filter(|_| 5_i64.checked_add(other).is_some());
                let sums = plus_constant(&left, &right, Some);
                assert_eq!(sums.is_some(), fits.is_some(), "{number} + {other}");
                if let (Some(ColumnarValue::Array(sums)), Some(sum)) = (sums, fits) {
                    let expected = Int64Array::from(vec![Some(5 + other), None, Some(sum)]);
                    assert_eq!(sums.as_primitive::<Int64Type>(), &expected);
                }
            }
        }
    }

    #[test]
    fn values_of_null_do_not_overflow() {
        let nulls = Some(vec![false, true].into());
        let numbers = Int64Array::new(vec![i64::MAX, 1].into(), nulls);
        let left = ColumnarValue::Array(Arc::new(numbers));
        let right = ColumnarValue::Scalar(ScalarValue::Int64(Some(1)));
        assert!(plus_constant(&left, &right, Some).is_none());
        assert!(apply(&left, &right, add).is_ok());
    }
}
