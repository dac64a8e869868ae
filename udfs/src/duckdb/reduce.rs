//! `list_reduce`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, UInt32Array, UInt64Array, new_null_array,
};
use datafusion::arrow::compute::{cast, concat, take, take_arrays};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, HigherOrderFunctionArgs, HigherOrderReturnFieldArgs,
    HigherOrderSignature, HigherOrderUDFImpl, LambdaParametersProgress, ValueOrLambda, Volatility,
};

use super::SECTION;
use crate::function::document;

const HELP: &str = "list_reduce takes a list, a lambda function of two parameters, and a first value if \
                    there is one: list_reduce([1, 2], lambda sum, x: sum + x, 0)";

/// Combines the items of a list by a lambda function, which gets the value so far, the item, and
/// the number of the call.
#[derive(Debug)]
pub struct Reduce {
    signature: HigherOrderSignature,
    aliases: Vec<String>,
    documentation: Documentation,
}

impl Default for Reduce {
    fn default() -> Self {
        Self {
            signature: HigherOrderSignature::user_defined(Volatility::Immutable),
            aliases: ["array_reduce", "reduce"].map(str::to_owned).to_vec(),
            documentation: document(
                SECTION,
                "list_reduce(list, function [, start])",
                "Combines the items of a list, from the first on, by a lambda function of the value so far and the \
                 item. NULL for an empty list without a start.",
                "> SELECT list_reduce([1, 2, 3], lambda product, x: product * x, 10);\n60",
                &[
                    ("list", "A list of values of any type."),
                    (
                        "function",
                        "A lambda function of two parameters. A third one is the number of the item, from 1.",
                    ),
                    ("start", "The first value; the first item by default."),
                ],
            ),
        }
    }
}

/// Equal to every other one.
impl PartialEq for Reduce {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Reduce {}

impl std::hash::Hash for Reduce {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

/// The arguments: the list, the lambda function, and the first value.
fn parts<V, L>(arguments: &[ValueOrLambda<V, L>]) -> Result<(&V, &L, Option<&V>)> {
    match arguments {
        [ValueOrLambda::Value(list), ValueOrLambda::Lambda(lambda)] => Ok((list, lambda, None)),
        [
            ValueOrLambda::Value(list),
            ValueOrLambda::Lambda(lambda),
            ValueOrLambda::Value(start),
        ] => Ok((list, lambda, Some(start))),
        _ => plan_err!("{HELP}"),
    }
}

fn item(list: &DataType) -> Result<&FieldRef> {
    match list {
        DataType::List(item) => Ok(item),
        _ => plan_err!("{HELP}"),
    }
}

impl HigherOrderUDFImpl for Reduce {
    fn name(&self) -> &str {
        "list_reduce"
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &HigherOrderSignature {
        &self.signature
    }

    fn coerce_value_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let mut types = given.to_vec();
        let Some(list) = types.first_mut() else {
            return plan_err!("{HELP}");
        };
        *list = match &*list {
            DataType::List(_) => list.clone(),
            DataType::LargeList(item)
            | DataType::FixedSizeList(item, _)
            | DataType::ListView(item) => DataType::List(Arc::clone(item)),
            DataType::Null => DataType::new_list(DataType::Null, true),
            _ => return plan_err!("{HELP}"),
        };
        Ok(types)
    }

    fn lambda_parameters(
        &self,
        _step: usize,
        fields: &[ValueOrLambda<FieldRef, Option<FieldRef>>],
    ) -> Result<LambdaParametersProgress> {
        let (list, result, start) = parts(fields)?;
        let item = item(list.data_type())?;
        let first = start.map_or(item.data_type(), |start| start.data_type());
        // The result may be of a wider type than the first value.
        let value = result.as_ref().map_or(first, |result| result.data_type());
        let parameters = vec![
            Arc::new(Field::new("value", value.clone(), true)),
            Arc::new(Field::new("item", item.data_type().clone(), true)),
            Arc::new(Field::new("number", DataType::Int64, false)),
        ];
        Ok(match result {
            Some(_) => LambdaParametersProgress::Complete(vec![parameters]),
            None => LambdaParametersProgress::Partial(vec![Some(parameters)]),
        })
    }

    fn coerce_values_for_lambdas(
        &self,
        fields: &[ValueOrLambda<DataType, DataType>],
    ) -> Result<Option<Vec<DataType>>> {
        let (list, result, start) = parts(fields)?;
        let start = start.map(|_| result.clone());
        Ok(Some(std::iter::once(list.clone()).chain(start).collect()))
    }

    fn return_field_from_args(&self, args: HigherOrderReturnFieldArgs) -> Result<FieldRef> {
        let (_, result, _) = parts(args.arg_fields)?;
        Ok(Arc::new(Field::new("", result.data_type().clone(), true)))
    }

    fn invoke_with_args(&self, args: HigherOrderFunctionArgs) -> Result<ColumnarValue> {
        let (list, lambda, start) = parts(&args.args)?;
        let kind = args.return_type().clone();
        let list = list.to_array(args.number_rows)?;
        let Some(lists) = list.as_list_opt::<i32>() else {
            return exec_err!("{HELP}");
        };
        let length = |row: usize| {
            if lists.is_valid(row) {
                lists.value_length(row)
            } else {
                0
            }
        };
        // Rows with longer lists come first, so that the unfinished ones are always a prefix.
        let mut rows: Vec<u32> = (0..).take(lists.len()).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(length(*row as usize)));
        let number_with =
            |length_above: i32| rows.partition_point(|row| length(*row as usize) > length_above);
        let items = |count: usize, at: i32| -> Result<ArrayRef> {
            let places = rows.iter().take(count);
            let places = places.map(|row| {
                let start = lists.value_offsets()[*row as usize];
                u64::try_from(start + at).unwrap_or_default()
            });
            let places = UInt64Array::from_iter_values(places);
            Ok(take(lists.values(), &places, None)?)
        };
        let (mut value, mut at) = match start {
            Some(start) => {
                let start = cast(&start.to_array(args.number_rows)?, &kind)?;
                let rows = UInt32Array::from(rows.clone());
                (take(&start, &rows, None)?, 0)
            }
            None => {
                let count = number_with(0);
                let first = cast(&items(count, 0)?, &kind)?;
                let none = new_null_array(&kind, rows.len() - count);
                (concat(&[first.as_ref(), none.as_ref()])?, 1)
            }
        };
        // The values of rows whose lists have ended, the shortest ones first.
        let mut ended: Vec<ArrayRef> = Vec::new();
        loop {
            let count = number_with(at);
            if count < value.len() {
                ended.push(value.slice(count, value.len() - count));
                value = value.slice(0, count);
            }
            if count == 0 {
                break;
            }
            let number = i64::from(at) + 1;
            let item = items(count, at)?;
            let value_parameter = || Ok(Arc::clone(&value));
            let item_parameter = || Ok(Arc::clone(&item));
            let number_parameter =
                || Ok(Arc::new(Int64Array::from(vec![number; count])) as ArrayRef);
            let result = lambda.evaluate(
                &[&value_parameter, &item_parameter, &number_parameter],
                |captured| {
                    let rows = UInt32Array::from_iter_values(rows.iter().take(count).copied());
                    Ok(take_arrays(captured, &rows, None)?)
                },
            )?;
            value = cast(&result.into_array(count)?, &kind)?;
            at += 1;
        }
        ended.reverse();
        let ended: Vec<&dyn Array> = ended.iter().map(AsRef::as_ref).collect();
        if ended.is_empty() {
            return Ok(ColumnarValue::Array(new_null_array(&kind, lists.len())));
        }
        let values = concat(&ended)?;
        // The position of each row; `None` for NULL.
        let mut places: Vec<Option<u32>> = vec![None; lists.len()];
        for (place, row) in (0..).zip(&rows) {
            let row = *row as usize;
            places[row] = lists.is_valid(row).then_some(place);
        }
        let values = take(&values, &UInt32Array::from(places), None)?;
        Ok(ColumnarValue::Array(values))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
