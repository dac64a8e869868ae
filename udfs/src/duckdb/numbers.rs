//! Functions of numbers.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, LargeStringArray, LargeStringBuilder,
};
use datafusion::arrow::compute::binary;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::type_names::type_name;
use super::{SECTION, TEXT};
use crate::any_typed::AnyTyped;
use crate::function::{Function, INTERNAL, Parameter, document, functions};
use crate::settings::CorpusSettings;

const NUMBER: Parameter = Parameter::integer("number", "A whole number.");

const NUMBERS: Parameter = Parameter::new("list", numbers, "A list of numbers.");

fn double() -> DataType {
    DataType::Float64
}

fn numbers() -> DataType {
    DataType::new_list(DataType::Float64, true)
}

/// The default width of a bar in characters.
const DEFAULT_BAR_WIDTH: f64 = 80.0;

const MAX_BAR_WIDTH: f64 = 1000.0;

/// Parts of a full block, in eighths.
const PARTIAL_BLOCKS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

const MAX_DIGITS: i64 = 64;

const SIZE: Parameter = Parameter::integer("number", "The size in bytes.");

/// The units of sizes in bytes.
const BINARY_UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

const DECIMAL_UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];

functions! {
    SECTION;

    /// Returns the number of set bits of a whole number.
    ///
    /// > SELECT bit_count(7);
    /// 3
    bit_count(NUMBER) -> DataType::Int64;

    /// Returns the median of a list of numbers. `median(value)` is the aggregate.
    ///
    /// > SELECT list_median([4, 1, 2, 3]);
    /// 2.5
    list_median(NUMBERS) -> DataType::Float64;

    /// Returns the median of the distances of a list of numbers from their median. `mad(value)` is
    /// the aggregate.
    ///
    /// > SELECT list_mad([1, 2, 3, 10]);
    /// 1.0
    list_mad(NUMBERS) -> DataType::Float64;

    /// Returns the binary digits of a whole number.
    ///
    /// > SELECT bin(5);
    /// 101
    bin(NUMBER) -> TEXT;

    /// Draws a number as a bar of blocks, which is full at the maximum.
    ///
    /// > SELECT bar(5, 0, 10, 4) || '|';
    /// ██  |
    bar(
        Parameter::new("value", double, "The number."),
        Parameter::new("minimum", double, "The number without a block."),
        Parameter::new("maximum", double, "The number with all blocks."),
        Parameter::new("width", double, "The number of characters; 80 by default.").optional()
    ) -> TEXT;

    /// Writes a whole number of at least 0 in another base.
    ///
    /// > SELECT to_base(255, 16), to_base(5, 2, 8);
    /// FF, 00000101
    to_base(
        NUMBER,
        Parameter::integer("base", "The base, from 2 to 36."),
        Parameter::integer("digits", "The minimum number of digits, at most 64.").optional()
    ) -> TEXT;

    /// Returns a size in bytes for people, in units of 1,024.
    ///
    /// > SELECT format_bytes(123456);
    /// 120.5 KiB
    format_bytes(SIZE) -> TEXT;

    /// Returns a size in bytes for people, in units of 1,000.
    ///
    /// > SELECT formatReadableDecimalSize(123456);
    /// 123.4 kB
    formatreadabledecimalsize(SIZE) -> TEXT;
}

fn bit_count(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let numbers = args[0].as_primitive::<Int64Type>().iter();
    let counts = numbers.map(|number| number.map(|number| i64::from(number.count_ones())));
    Ok(Arc::new(counts.collect::<Int64Array>()))
}

fn list_median(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(of_lists(args, median))
}

fn list_mad(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    Ok(of_lists(args, |numbers| {
        let middle = median(numbers)?;
        for number in numbers.iter_mut() {
            *number = (*number - middle).abs();
        }
        median(numbers)
    }))
}

/// Calls a function for the numbers of each list other than NULL.
fn of_lists(args: &[ArrayRef], value: fn(&mut [f64]) -> Option<f64>) -> ArrayRef {
    let lists = args[0].as_list::<i32>().iter();
    let values = lists.map(|list| {
        let list = list?;
        let numbers = list.as_primitive::<Float64Type>().iter();
        value(&mut numbers.flatten().collect::<Vec<f64>>())
    });
    Arc::new(values.collect::<Float64Array>())
}

/// Sorts the numbers.
fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let above = *numbers.get(numbers.len() / 2)?;
    let below = *numbers.get((numbers.len() - 1) / 2)?;
    Some(below + (above - below) / 2.0)
}

fn bin(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    texts(args, |number| format!("{number:b}"))
}

fn bar(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let [values, minima, maxima, widths] =
        [0, 1, 2, 3].map(|at| args[at].as_primitive::<Float64Type>());
    let mut bars = LargeStringBuilder::new();
    for row in 0..values.len() {
        if values.is_null(row) || minima.is_null(row) || maxima.is_null(row) {
            bars.append_null();
            continue;
        }
        let width = if widths.is_valid(row) {
            widths.value(row)
        } else {
            DEFAULT_BAR_WIDTH
        };
        if !(1.0..=MAX_BAR_WIDTH).contains(&width) {
            return exec_err!("the width of bar is from 1 to {MAX_BAR_WIDTH}, got {width}");
        }
        let (minimum, maximum) = (minima.value(row), maxima.value(row));
        bars.append_value(bar_text(values.value(row), minimum, maximum, width));
    }
    Ok(Arc::new(bars.finish()))
}

fn bar_text(value: f64, minimum: f64, maximum: f64, width: f64) -> String {
    let filled = if value >= maximum && value > minimum {
        width
    } else if value > minimum {
        width * (value - minimum) / (maximum - minimum)
    } else {
        0.0
    };
    let eighths = (filled * 8.0) as usize;
    let partial = PARTIAL_BLOCKS[eighths % 8];
    let used = eighths / 8 + usize::from(!partial.is_empty());
    let spaces = (width as usize).saturating_sub(used);
    format!("{}{partial}{}", "█".repeat(eighths / 8), " ".repeat(spaces))
}

fn to_base(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let [numbers, bases, minima] = [0, 1, 2].map(|at| args[at].as_primitive::<Int64Type>());
    let mut texts = LargeStringBuilder::new();
    for ((number, base), digits) in numbers.iter().zip(bases).zip(minima) {
        let (Some(number), Some(base)) = (number, base) else {
            texts.append_null();
            continue;
        };
        let digits = digits.unwrap_or_default();
        let (Ok(number), 2..=36, 0..=MAX_DIGITS) = (u64::try_from(number), base, digits) else {
            return exec_err!(
                "to_base takes a number from 0, a base from 2 to 36 and up to {MAX_DIGITS} digits, \
                 got {number}, {base} and {digits}"
            );
        };
        texts.append_value(digits_in_base(
            number,
            base.unsigned_abs(),
            digits.unsigned_abs(),
        ));
    }
    Ok(Arc::new(texts.finish()))
}

/// Writes a number with at least the given number of digits.
fn digits_in_base(mut number: u64, base: u64, digits: u64) -> String {
    const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut written = Vec::new();
    while number > 0 || written.is_empty() || (written.len() as u64) < digits {
        written.push(char::from(DIGITS[(number % base) as usize]));
        number /= base;
    }
    written.iter().rev().collect()
}

fn format_bytes(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    texts(args, |size| size_text(size, 1024, BINARY_UNITS))
}

fn formatreadabledecimalsize(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    texts(args, |size| size_text(size, 1000, DECIMAL_UNITS))
}

fn texts(args: &[ArrayRef], shown: fn(i64) -> String) -> Result<ArrayRef> {
    let numbers = args[0].as_primitive::<Int64Type>().iter();
    let texts = numbers.map(|number| number.map(shown));
    Ok(Arc::new(texts.collect::<LargeStringArray>()))
}

/// The size with one digit after the point, cut off as in DuckDB.
fn size_text(size: i64, step: u64, units: [&str; 6]) -> String {
    let sign = if size < 0 { "-" } else { "" };
    let size = size.unsigned_abs();
    if size < step {
        let unit = if size == 1 { "byte" } else { "bytes" };
        return format!("{sign}{size} {unit}");
    }
    let mut unit = 0;
    let mut whole = 1;
    // The last unit is larger than any size.
    while unit < units.len() && size / whole >= step {
        whole *= step;
        unit += 1;
    }
    let tenths = u128::from(size) * 10 / u128::from(whole);
    format!("{sign}{}.{} {}", tenths / 10, tenths % 10, units[unit - 1])
}

/// The function that writes hexadecimal digits.
pub fn hexadecimal() -> ScalarUDF {
    let function = AnyTyped::new(
        "hex",
        document(
            SECTION,
            "hex(value)",
            "Returns the hexadecimal digits of a whole number, of the bytes of a text, or of bytes.",
            "> SELECT hex(255), hex('é');\nFF, C3A9",
            &[("value", "A whole number, a text or bytes.")],
        ),
        |given| match given {
            [number] if number.is_integer() => Ok(vec![DataType::Int64]),
            [data] if data.is_string() || data.is_binary() || data.is_null() => {
                Ok(vec![DataType::LargeBinary])
            }
            [other] => plan_err!(
                "hex takes a whole number, a text or bytes, not {}",
                type_name(other)
            ),
            _ => plan_err!("hex takes 1 argument, not {}", given.len()),
        },
        |_| Ok(TEXT),
        hex,
    );
    function.into()
}

fn hex(args: &[ArrayRef]) -> Result<ArrayRef> {
    if args[0].data_type().is_integer() {
        return texts(args, |number| format!("{number:X}"));
    }
    let digits =
        |data: &[u8]| -> String { data.iter().map(|byte| format!("{byte:02X}")).collect() };
    let data = args[0].as_binary::<i64>().iter();
    let texts: LargeStringArray = data.map(|data| data.map(digits)).collect();
    Ok(Arc::new(texts))
}

/// The function that divides integers.
pub fn division() -> ScalarUDF {
    let double = || DataType::Float64;
    let function = Function::new(
        "quotient",
        INTERNAL,
        &[
            " Divides two numbers, as `/` does with integers and decimals. Division by zero is an error.",
            "",
            " > SELECT quotient(7, 2);",
            " 3.5",
        ],
        &[
            Parameter::new("number", double, "The number to divide."),
            Parameter::new("other", double, "The number to divide by."),
        ],
        DataType::Float64,
        quotient,
    );
    function.into()
}

fn quotient(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let (numbers, others) = (
        args[0].as_primitive::<Float64Type>(),
        args[1].as_primitive::<Float64Type>(),
    );
    let quotients = numbers.iter().zip(others).map(|pair| match pair {
        (Some(_), Some(0.0)) => Err(ArrowError::DivideByZero.into()),
        (Some(number), Some(other)) => Ok(Some(number / other)),
        _ => Ok(None),
    });
    Ok(Arc::new(quotients.collect::<Result<Float64Array>>()?))
}

/// The function of `^`, which is infinite where DataFusion's fails: `0 ^ -1`.
pub fn power() -> ScalarUDF {
    let number = |name, meaning| Parameter::new(name, || DataType::Float64, meaning);
    let function = Function::new(
        "power",
        SECTION,
        &[
            " Raises a number to a power. `2 ^ 10` and `2 ** 10` call it.",
            "",
            " > SELECT power(2, 10);",
            " 1024.0",
        ],
        &[
            number("base", "The number."),
            number("exponent", "The power."),
        ],
        DataType::Float64,
        |args, _| {
            let powers = binary(
                args[0].as_primitive::<Float64Type>(),
                args[1].as_primitive::<Float64Type>(),
                f64::powf,
            )?;
            Ok(Arc::new(powers as Float64Array))
        },
    );
    function.into()
}

/// The function that rounds numbers before casts to integers.
pub fn rounding() -> ScalarUDF {
    let function = Function::new(
        "round_even",
        SECTION,
        &[
            " Rounds a number, halves to the even one, as casts to integers do.",
            "",
            " > SELECT round_even(2.5), round_even(3.5);",
            " 2.0, 4.0",
        ],
        &[
            Parameter::new("number", || DataType::Float64, "The number."),
            Parameter::integer(
                "digits",
                "The number of digits after the point; 0 by default.",
            )
            .optional(),
        ],
        DataType::Float64,
        round_even,
    );
    function.into()
}

fn round_even(args: &[ArrayRef], _: &CorpusSettings) -> Result<ArrayRef> {
    let numbers = args[0].as_primitive::<Float64Type>();
    let digits = args[1].as_primitive::<Int64Type>();
    let rounded = (0..numbers.len()).map(|row| {
        let number = numbers.is_valid(row).then(|| numbers.value(row))?;
        let digits = if digits.is_valid(row) {
            digits.value(row)
        } else {
            0
        };
        if digits == 0 {
            return Some(number.round_ties_even());
        }
        let scale = 10_f64.powi(i32::try_from(digits.clamp(-300, 300)).unwrap_or_default());
        Some((number * scale).round_ties_even() / scale)
    });
    Ok(Arc::new(rounded.collect::<Float64Array>()))
}
