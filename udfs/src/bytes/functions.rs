//! DataFusion's text functions, extended to bytes and to the arguments of DuckDB.
//!
//! As in PostgreSQL, lengths and positions of binary data count bytes. Regular expressions match
//! on bytes read as UTF-8, so that no row fails. Text arguments go to DataFusion's function, after
//! negative numbers of `substr` and large numbers of `lpad` and `rpad` are dealt with.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, BooleanArray, Int64Array,
    LargeBinaryArray, LargeStringArray,
};
use datafusion::arrow::compute::{cast, min};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::types::{NativeType, logical_binary, logical_int64, logical_string};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::functions::{regex, string, unicode};
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ArrayFunctionArgument, ArrayFunctionSignature, Coercion, ColumnarValue, Documentation, Expr,
    ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature,
    TypeSignatureClass,
};
use memchr::memmem::Finder;

use super::lossy;
use super::octet_length::byte_lengths;
use crate::duckdb::len::lengths;

/// Returns DataFusion's text functions that also accept bytes. They replace the originals.
pub fn text_functions() -> Vec<ScalarUDF> {
    let functions = [
        (unicode::character_length(), Operation::Length),
        (unicode::substr(), Operation::Substr),
        (unicode::lpad(), Operation::Pad),
        (unicode::rpad(), Operation::Pad),
        (unicode::left(), Operation::Left),
        (unicode::right(), Operation::Right),
        (unicode::strpos(), Operation::Position),
        (string::starts_with(), Operation::StartsWith),
        (string::ends_with(), Operation::EndsWith),
        (regex::regexp_like(), Operation::Match(&[2, 3])),
        (regex::regexp_match(), Operation::Match(&[2, 3])),
        (regex::regexp_replace(), Operation::Match(&[3, 4])),
        (regex::regexp_count(), Operation::Search(&[0, 1, 2])),
        (regex::regexp_instr(), Operation::Search(&[0, 1, 2, 3, 4])),
    ];
    functions
        .into_iter()
        .map(|(inner, operation)| TextOrBytes::new(inner, operation).into())
        .collect()
}

/// Returns `substr`, for `SUBSTRING(value FROM 1 FOR 2)`.
pub fn substr() -> Arc<ScalarUDF> {
    Arc::new(TextOrBytes::new(unicode::substr(), Operation::Substr).into())
}

/// Returns `strpos`, for `POSITION(needle IN value)`.
pub fn strpos() -> Arc<ScalarUDF> {
    Arc::new(TextOrBytes::new(unicode::strpos(), Operation::Position).into())
}

/// Returns `contains` of texts and bytes.
pub fn contains() -> Arc<ScalarUDF> {
    Arc::new(TextOrBytes::new(string::contains(), Operation::Contains).into())
}

/// The operation of a function on bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Length,
    Substr,
    /// Of texts only.
    Pad,
    Left,
    Right,
    Position,
    StartsWith,
    EndsWith,
    Contains,
    /// Calls the text function, which takes one of these numbers of texts.
    Match(&'static [usize]),
    /// Calls the text function on the value and a pattern, then one of these numbers of further
    /// arguments: a start, an occurrence, flags and a group.
    Search(&'static [usize]),
}

impl Operation {
    /// The signatures for bytes.
    fn signatures(self, inner: &ScalarUDF) -> Vec<TypeSignature> {
        let bytes = || Coercion::new_exact(TypeSignatureClass::Native(logical_binary()));
        let text = || Coercion::new_exact(TypeSignatureClass::Native(logical_string()));
        let number = || {
            Coercion::new_implicit(
                TypeSignatureClass::Native(logical_int64()),
                vec![TypeSignatureClass::Integer],
                NativeType::Int64,
            )
        };
        let arguments = match self {
            Self::Length => vec![vec![bytes()]],
            Self::Substr => vec![vec![bytes(), number()], vec![bytes(), number(), number()]],
            Self::Left | Self::Right => vec![vec![bytes(), number()]],
            Self::Pad => Vec::new(),
            Self::Position | Self::StartsWith | Self::EndsWith | Self::Contains => {
                vec![vec![bytes(), text()], vec![bytes(), bytes()]]
            }
            Self::Match(counts) => {
                let texts = |count| (1..count).map(|_| text());
                let with_value =
                    |count: &usize| [bytes()].into_iter().chain(texts(*count)).collect();
                counts.iter().map(with_value).collect()
            }
            Self::Search(counts) => {
                // regexp_instr(value, pattern, start, occurrence, flags, group) has one number
                // more before its flags than regexp_count(value, pattern, start, flags).
                let numbers = if inner.name() == "regexp_instr" { 2 } else { 1 };
                let argument = |index| if index == numbers { text() } else { number() };
                let with_value = |count: &usize| {
                    let further = (0..*count).map(argument);
                    [bytes(), text()].into_iter().chain(further).collect()
                };
                counts.iter().map(with_value).collect()
            }
        };
        let mut signatures: Vec<TypeSignature> = arguments
            .into_iter()
            .map(TypeSignature::Coercible)
            .collect();
        if self == Self::Length {
            // DataFusion would cast a list to text, and count its characters.
            signatures.push(TypeSignature::ArraySignature(
                ArrayFunctionSignature::Array {
                    arguments: vec![ArrayFunctionArgument::Array],
                    array_coercion: None,
                },
            ));
        }
        signatures
    }

    /// Whether the result is a part of the value.
    fn is_slice(self) -> bool {
        matches!(self, Self::Substr | Self::Left | Self::Right)
    }
}

/// A text function that also accepts bytes as its first argument.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TextOrBytes {
    inner: Arc<ScalarUDF>,
    operation: Operation,
    signature: Signature,
}

impl TextOrBytes {
    fn new(inner: Arc<ScalarUDF>, operation: Operation) -> Self {
        let original = inner.signature();
        // DataFusion prefers the first signature that fits, and casts bytes to text if it can.
        let mut signatures = operation.signatures(&inner);
        signatures.push(original.type_signature.clone());
        Self {
            operation,
            signature: Signature::one_of(signatures, original.volatility),
            inner,
        }
    }

    /// Whether the function counts the items of a value of this type.
    fn counts_items(&self, kind: Option<&DataType>) -> bool {
        let is_counted = |kind: &DataType| {
            matches!(
                kind,
                DataType::List(_) | DataType::LargeList(_) | DataType::Null
            )
        };
        self.operation == Operation::Length && kind.is_some_and(is_counted)
    }

    /// The argument types that the text function sees.
    fn text_types(&self, types: &[DataType]) -> Option<Vec<DataType>> {
        let text = lossy::text_type(types.first()?)?;
        let as_text = |given: &DataType| match given {
            given if given.is_string() || given.is_binary() => text.clone(),
            other => other.clone(),
        };
        Some(types.iter().map(as_text).collect())
    }

    /// Calls the text function with arguments that it takes as DuckDB does.
    fn text(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match (self.operation, args.args.as_slice()) {
            (Operation::Substr, [_, numbers @ ..]) if !is_plain_substr(numbers) => {
                args.args = without_negatives(&args.args)?;
                args.arg_fields = with_types(
                    &args.arg_fields,
                    args.args.iter().map(ColumnarValue::data_type).collect(),
                );
            }
            (Operation::Pad, [_, lengths, ..]) => check_padded(self.name(), lengths)?,
            _ => {}
        }
        self.inner.invoke_with_args(args)
    }

    fn match_text(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let types: Vec<_> = args.args.iter().map(ColumnarValue::data_type).collect();
        let types = self.text_types(&types).unwrap_or(types);
        let mut values = Vec::with_capacity(args.args.len());
        for (value, text) in args.args.iter().zip(&types) {
            values.push(if value.data_type().is_binary() {
                lossy::value_to_text(value)?
            } else if value.data_type() == *text {
                value.clone()
            } else {
                value.cast_to(text, None)?
            });
        }
        args.args = values;
        args.arg_fields = with_types(&args.arg_fields, types);
        self.inner.invoke_with_args(args)
    }
}

fn with_types(fields: &[FieldRef], types: Vec<DataType>) -> Vec<FieldRef> {
    let fields = fields.iter().zip(types);
    fields
        .map(|(field, data_type)| Arc::new(field.as_ref().clone().with_data_type(data_type)))
        .collect()
}

impl ScalarUDFImpl for TextOrBytes {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        if self.counts_items(arg_types.first()) {
            return Ok(DataType::Int64);
        }
        match (self.text_types(arg_types), arg_types.first()) {
            (Some(_), Some(bytes)) if self.operation.is_slice() => Ok(bytes.clone()),
            (Some(texts), _) => self.inner.return_type(&texts),
            (None, _) => self.inner.return_type(arg_types),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<_> = args
            .arg_fields
            .iter()
            .map(|field| field.data_type().clone())
            .collect();
        if self.counts_items(types.first()) {
            return Ok(Arc::new(Field::new(self.name(), DataType::Int64, true)));
        }
        let Some(texts) = self.text_types(&types) else {
            return self.inner.return_field_from_args(args);
        };
        if self.operation.is_slice() {
            let data_type = self.return_type(&types)?;
            return Ok(Arc::new(Field::new(self.name(), data_type, true)));
        }
        let arg_fields = with_types(args.arg_fields, texts);
        self.inner.return_field_from_args(ReturnFieldArgs {
            arg_fields: &arg_fields,
            ..args
        })
    }

    fn is_strict(&self) -> bool {
        self.inner.is_strict()
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        match args.first() {
            Some(value) if info.get_data_type(value)?.is_binary() => {
                Ok(ExprSimplifyResult::Original(args))
            }
            _ => self.inner.simplify(args, info),
        }
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if self.name() == "regexp_replace"
            && let Some(replacement) = args.args.get_mut(2)
        {
            *replacement = escape_dollars(replacement)?;
        }
        let first = args.args.first().map(ColumnarValue::data_type);
        if self.counts_items(first.as_ref()) {
            let arrays = ColumnarValue::values_to_arrays(&args.args)?;
            return Ok(ColumnarValue::Array(Arc::new(lengths(&arrays[0])?)));
        }
        if !args
            .args
            .first()
            .is_some_and(|value| value.data_type().is_binary())
        {
            return self.text(args);
        }
        if matches!(self.operation, Operation::Match(_) | Operation::Search(_)) {
            return self.match_text(args);
        }
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let result = evaluate(self.operation, &arrays)?;
        let result_type = args.return_field.data_type();
        Ok(ColumnarValue::Array(match result.data_type() {
            same if same == result_type => result,
            _ => cast(&result, result_type)?,
        }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }
}

/// Doubles the dollar signs of a replacement: only `\1` is a group, as in DuckDB. DataFusion also
/// reads `$1`, and drops names of groups that do not exist.
fn escape_dollars(replacement: &ColumnarValue) -> Result<ColumnarValue> {
    let kind = replacement.data_type();
    if let ColumnarValue::Scalar(scalar) = replacement {
        return Ok(match scalar.try_as_str().flatten() {
            Some(text) if text.contains('$') => {
                let text = ScalarValue::from(text.replace('$', "$$"));
                ColumnarValue::Scalar(text.cast_to(&kind)?)
            }
            _ => replacement.clone(),
        });
    }
    if !kind.is_string() {
        return Ok(replacement.clone());
    }
    let texts = cast(&replacement.to_array(1)?, &DataType::LargeUtf8)?;
    let escaped = texts.as_string::<i64>().iter();
    let escaped: LargeStringArray = escaped
        .map(|text| text.map(|text| text.replace('$', "$$")))
        .collect();
    Ok(ColumnarValue::Array(cast(&escaped, &kind)?))
}

/// Runs an operation on arrays of bytes and its further arguments.
fn evaluate(operation: Operation, arrays: &[ArrayRef]) -> Result<ArrayRef> {
    match (operation, arrays) {
        (Operation::Length, [values]) => byte_lengths(values),
        (Operation::Left, [values, counts]) => slice(values, counts, None, |bytes, count, _| {
            &bytes[..from_front(bytes.len(), count)]
        }),
        (Operation::Right, [values, counts]) => slice(values, counts, None, |bytes, count, _| {
            &bytes[bytes.len() - from_front(bytes.len(), count)..]
        }),
        (Operation::Substr, [values, starts]) => slice(values, starts, None, substring),
        (Operation::Substr, [values, starts, counts]) => {
            slice(values, starts, Some(counts), substring)
        }
        (Operation::Position, [values, needles]) => {
            let mut search = Search::default();
            let positions = pairs(values, needles)?.map(|pair| {
                let (bytes, needle) = pair?;
                let found = search.find(bytes, needle);
                Some(found.map_or(0, |at| at as i64 + 1))
            });
            Ok(Arc::new(positions.collect::<Int64Array>()))
        }
        (Operation::Contains, [values, needles]) => {
            let mut search = Search::default();
            test(values, needles, |bytes, needle| {
                search.find(bytes, needle).is_some()
            })
        }
        (Operation::StartsWith, [values, needles]) => test(values, needles, <[u8]>::starts_with),
        (Operation::EndsWith, [values, needles]) => test(values, needles, <[u8]>::ends_with),
        _ => exec_err!("unexpected number of arguments: {}", arrays.len()),
    }
}

/// Searches for needles, which are usually the same in all rows.
#[derive(Default)]
struct Search<'a> {
    last: Option<(&'a [u8], Finder<'a>)>,
}

impl<'a> Search<'a> {
    fn find(&mut self, bytes: &[u8], needle: &'a [u8]) -> Option<usize> {
        match &self.last {
            Some((last, finder)) if *last == needle => finder.find(bytes),
            _ => {
                let (_, finder) = self.last.insert((needle, Finder::new(needle)));
                finder.find(bytes)
            }
        }
    }
}

/// Returns the number of bytes that `left` and `right` keep: `count`, or all but `-count`.
fn from_front(length: usize, count: i64) -> usize {
    let size = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    match count {
        0.. => size.min(length),
        _ => length.saturating_sub(size),
    }
}

/// Returns the range that `substr` takes of a value, as in DuckDB. A negative start counts from the
/// end, and a negative count takes what is before the start.
fn substr_range(length: impl FnOnce() -> i64, start: i64, count: Option<i64>) -> (i64, i64) {
    let first = if start < 0 {
        length().saturating_add(start)
    } else {
        start - 1
    };
    let end = count.map_or(i64::MAX, |count| first.saturating_add(count));
    (first.min(end).max(0), first.max(end).max(0))
}

/// Returns the bytes from a position, counted from 1.
fn substring(bytes: &[u8], start: i64, count: Option<i64>) -> &[u8] {
    let length = || i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let (from, to) = substr_range(length, start, count);
    let index = |at: i64| usize::try_from(at).map_or(bytes.len(), |at| at.min(bytes.len()));
    &bytes[index(from)..index(to)]
}

/// The maximum number of characters of the padded texts of a batch.
const MAX_PADDED_CHARACTERS: i64 = i32::MAX as i64;

/// Refuses lengths for which DataFusion's `lpad` and `rpad` would allocate too much memory.
fn check_padded(name: &str, lengths: &ColumnarValue) -> Result<()> {
    let total = match lengths {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(length))) => *length,
        ColumnarValue::Scalar(_) => 0,
        ColumnarValue::Array(lengths) => match lengths.as_primitive_opt::<Int64Type>() {
            Some(lengths) => {
                let positive = lengths.iter().flatten().filter(|length| *length > 0);
                positive.fold(0, i64::saturating_add)
            }
            None => 0,
        },
    };
    if total > MAX_PADDED_CHARACTERS {
        return exec_err!(
            "{name} makes {total} characters of a batch of rows, and {MAX_PADDED_CHARACTERS} at most: pad to a shorter length"
        );
    }
    Ok(())
}

/// Whether DataFusion's `substr` returns what DuckDB's does: no number is negative.
fn is_plain_substr(numbers: &[ColumnarValue]) -> bool {
    numbers.iter().all(|number| match number {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(number))) => *number >= 0,
        ColumnarValue::Scalar(number) => number.is_null(),
        ColumnarValue::Array(numbers) => numbers
            .as_primitive_opt::<Int64Type>()
            .is_some_and(|numbers| min(numbers).is_none_or(|least| least >= 0)),
    })
}

/// Returns the arguments of `substr` on texts without negative numbers.
fn without_negatives(args: &[ColumnarValue]) -> Result<Vec<ColumnarValue>> {
    let arrays = ColumnarValue::values_to_arrays(args)?;
    let characters = lengths(&arrays[0])?;
    let starts = cast(&arrays[1], &DataType::Int64)?;
    let counts = match arrays.get(2) {
        Some(counts) => Some(cast(counts, &DataType::Int64)?),
        None => None,
    };
    let counts = counts
        .as_ref()
        .map(|counts| counts.as_primitive::<Int64Type>());
    let (mut firsts, mut lengths) = (Vec::new(), Vec::new());
    for (row, start) in starts.as_primitive::<Int64Type>().iter().enumerate() {
        let count = match counts {
            Some(counts) => counts.is_valid(row).then(|| Some(counts.value(row))),
            None => Some(None),
        };
        let range = start
            .zip(count)
            .map(|(start, count)| substr_range(|| characters.value(row), start, count));
        firsts.push(range.map(|(from, _)| from.saturating_add(1)));
        lengths.push(range.map(|(from, to)| to - from));
    }
    let column = |numbers: Vec<Option<i64>>| {
        ColumnarValue::Array(Arc::new(Int64Array::from(numbers)) as ArrayRef)
    };
    Ok(vec![
        ColumnarValue::Array(Arc::clone(&arrays[0])),
        column(firsts),
        column(lengths),
    ])
}

/// Builds an array of parts of the values, of the same type.
fn slice(
    values: &ArrayRef,
    starts: &ArrayRef,
    counts: Option<&ArrayRef>,
    part: impl for<'a> Fn(&'a [u8], i64, Option<i64>) -> &'a [u8],
) -> Result<ArrayRef> {
    let starts = starts.as_primitive::<Int64Type>().iter();
    let counts = counts.map(|counts| counts.as_primitive::<Int64Type>());
    let mut parts = Vec::with_capacity(values.len());
    for (row, (bytes, start)) in iterate(values)?.zip(starts).enumerate() {
        let count = match counts {
            Some(counts) if counts.is_null(row) => {
                parts.push(None);
                continue;
            }
            counts => counts.map(|counts| counts.value(row)),
        };
        parts.push(match (bytes, start) {
            (Some(bytes), Some(start)) => Some(part(bytes, start, count)),
            _ => None,
        });
    }
    Ok(match values.data_type() {
        DataType::Binary => Arc::new(BinaryArray::from_iter(parts)),
        DataType::BinaryView => Arc::new(BinaryViewArray::from_iter(parts)),
        _ => Arc::new(LargeBinaryArray::from_iter(parts)),
    })
}

fn test<'a>(
    values: &'a ArrayRef,
    needles: &'a ArrayRef,
    mut condition: impl FnMut(&'a [u8], &'a [u8]) -> bool,
) -> Result<ArrayRef> {
    let results = pairs(values, needles)?.map(|pair| {
        let (bytes, needle) = pair?;
        Some(condition(bytes, needle))
    });
    Ok(Arc::new(results.collect::<BooleanArray>()))
}

/// The values and needles of each row, unless one of them is NULL.
fn pairs<'a>(
    values: &'a ArrayRef,
    needles: &'a ArrayRef,
) -> Result<impl Iterator<Item = Option<(&'a [u8], &'a [u8])>>> {
    let rows = iterate(values)?.zip(iterate(needles)?);
    Ok(rows.map(|(bytes, needle)| bytes.zip(needle)))
}

type Values<'a> = Box<dyn Iterator<Item = Option<&'a [u8]>> + 'a>;

/// The bytes of text or binary values.
fn iterate(values: &ArrayRef) -> Result<Values<'_>> {
    Ok(match values.data_type() {
        DataType::Binary => Box::new(values.as_binary::<i32>().iter()),
        DataType::LargeBinary => Box::new(values.as_binary::<i64>().iter()),
        DataType::BinaryView => Box::new(values.as_binary_view().iter()),
        DataType::Utf8 => Box::new(values.as_string::<i32>().iter().map(text_bytes)),
        DataType::LargeUtf8 => Box::new(values.as_string::<i64>().iter().map(text_bytes)),
        DataType::Utf8View => Box::new(values.as_string_view().iter().map(text_bytes)),
        other => return exec_err!("expected text or binary data, got {other}"),
    })
}

fn text_bytes(text: Option<&str>) -> Option<&[u8]> {
    text.map(str::as_bytes)
}
