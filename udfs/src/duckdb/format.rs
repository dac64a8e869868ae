//! `format('{} pages', n)` and `printf('%d pages', n)`.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, LargeStringArray, LargeStringBuilder,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::ScalarUDF;

use super::SECTION;
use crate::any_typed::AnyTyped;
use crate::function::document;

/// The maximum width and precision, so that a format cannot exhaust the memory.
const MAX_WIDTH: usize = 10_000;

/// The syntax of a format.
#[derive(Clone, Copy)]
enum Syntax {
    /// `{:>5}`
    Braces,
    /// `%5s`
    Percent,
}

/// `format` and `printf`.
pub fn functions() -> Vec<ScalarUDF> {
    let braces = AnyTyped::new(
        "format",
        document(
            SECTION,
            "format(format, value, …)",
            "Puts values into a text: `{}` or `{0}`, with a width `{:>8}`, `{:<8}` and \
             `{:*^8}`, numbers as `{:05d}`, `{:.2f}`, `{:e}`, `{:g}`, `{:,}` and \
             `{:x}`. NULL if a value is.",
            "> SELECT format('{} has {:,} pages', 'It', 1234);\nIt has 1,234 pages",
            &[("format", "The text."), ("value", "A value.")],
        ),
        |given| Syntax::Braces.coerce(given),
        |_| Ok(DataType::LargeUtf8),
        |args| Syntax::Braces.texts(args),
    );
    let percent = AnyTyped::new(
        "printf",
        document(
            SECTION,
            "printf(format, value, …)",
            "Puts values into a text: `%s`, `%d`, `%.2f`, `%e`, `%g`, `%x`, `%c`, with a width as in \
             `%5d`, `%05d` and `%-5s`. NULL if a value is.",
            "> SELECT printf('%s has %05d pages', 'It', 42);\nIt has 00042 pages",
            &[("format", "The text."), ("value", "A value.")],
        ),
        |given| Syntax::Percent.coerce(given),
        |_| Ok(DataType::LargeUtf8),
        |args| Syntax::Percent.texts(args),
    );
    vec![braces.into(), percent.into()]
}

impl Syntax {
    fn name(self) -> &'static str {
        match self {
            Self::Braces => "format",
            Self::Percent => "printf",
        }
    }

    fn coerce(self, given: &[DataType]) -> Result<Vec<DataType>> {
        let Some((format, values)) = given.split_first() else {
            return plan_err!("{} needs a format", self.name());
        };
        if !format.is_string() && !format.is_null() {
            return plan_err!("the format of {} must be a text, not {format}", self.name());
        }
        let values = values.iter().map(|value| match value {
            value if value.is_integer() => DataType::Int64,
            value if value.is_numeric() => DataType::Float64,
            _ => DataType::LargeUtf8,
        });
        Ok(std::iter::once(DataType::LargeUtf8).chain(values).collect())
    }

    fn texts(self, args: &[ArrayRef]) -> Result<ArrayRef> {
        let formats = cast(&args[0], &DataType::LargeUtf8)?;
        let columns: Vec<Values> = args[1..].iter().map(Values::new).collect::<Result<_>>()?;
        let mut texts = LargeStringBuilder::new();
        for (row, format) in formats.as_string::<i64>().iter().enumerate() {
            let values: Option<Vec<Value>> = columns.iter().map(|it| it.get(row)).collect();
            texts.append_option(match (format, values) {
                (Some(format), Some(values)) => Some(self.fill(format, &values)?),
                _ => None,
            });
        }
        Ok(Arc::new(texts.finish()))
    }

    fn fill(self, format: &str, values: &[Value]) -> Result<String> {
        let mut text = String::with_capacity(format.len());
        let mut next = 0;
        let mut rest = format;
        let mark = match self {
            Syntax::Braces => ['{', '}'],
            Syntax::Percent => ['%', '%'],
        };
        while let Some(at) = rest.find(mark) {
            text.push_str(&rest[..at]);
            let first = &rest[at..=at];
            rest = &rest[at + 1..];
            // A doubled character represents a single one.
            if let Some(after) = rest.strip_prefix(first) {
                text.push_str(first);
                rest = after;
                continue;
            }
            let (position, spec) = match self {
                Syntax::Braces => {
                    let Some((inner, after)) = rest.split_once('}').filter(|_| first == "{") else {
                        return exec_err!("format: '{format}' has an unpaired brace");
                    };
                    rest = after;
                    let (number, spec) = inner.split_once(':').unwrap_or((inner, ""));
                    let number = match number {
                        "" => None,
                        number => match number.parse::<usize>() {
                            Ok(number) => Some(number),
                            Err(_) => return exec_err!("format: '{{{inner}}}' names no value"),
                        },
                    };
                    (number, Spec::parse(self.name(), spec)?)
                }
                Syntax::Percent => {
                    let is_end = |character: char| character.is_ascii_alphabetic();
                    let Some(end) = rest.find(is_end) else {
                        return exec_err!("printf: '{format}' ends in a format");
                    };
                    // Length modifiers of integers are ignored.
                    let (spec, mut after) = rest.split_at(end);
                    after = after.trim_start_matches(['l', 'h']);
                    let mut after = after.chars();
                    let kind = after.next().unwrap_or('s');
                    rest = after.as_str();
                    let spec = match spec.strip_prefix('-') {
                        Some(spec) => format!("<{spec}{kind}"),
                        None => format!(">{spec}{kind}"),
                    };
                    (None, Spec::parse(self.name(), &spec)?)
                }
            };
            let position = position.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            let Some(value) = values.get(position) else {
                return exec_err!(
                    "{}: '{format}' needs {} values, but the call has {}",
                    self.name(),
                    position + 1,
                    values.len()
                );
            };
            text.push_str(&spec.write(self.name(), *value)?);
        }
        text.push_str(rest);
        Ok(text)
    }
}

/// The values of an argument.
enum Values {
    Integers(Int64Array),
    Floats(Float64Array),
    Texts(LargeStringArray),
}

#[derive(Clone, Copy)]
enum Value<'a> {
    Integer(i64),
    Float(f64),
    Text(&'a str),
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Float(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

impl Values {
    fn new(array: &ArrayRef) -> Result<Self> {
        Ok(match array.data_type() {
            kind if kind.is_integer() => Self::Integers(
                cast(array, &DataType::Int64)?
                    .as_primitive::<Int64Type>()
                    .clone(),
            ),
            kind if kind.is_numeric() => {
                let floats = cast(array, &DataType::Float64)?;
                Self::Floats(floats.as_primitive::<Float64Type>().clone())
            }
            _ => Self::Texts(
                cast(array, &DataType::LargeUtf8)?
                    .as_string::<i64>()
                    .clone(),
            ),
        })
    }

    fn get(&self, row: usize) -> Option<Value<'_>> {
        match self {
            Self::Integers(values) => values
                .is_valid(row)
                .then(|| Value::Integer(values.value(row))),
            Self::Floats(values) => values
                .is_valid(row)
                .then(|| Value::Float(values.value(row))),
            Self::Texts(values) => values.is_valid(row).then(|| Value::Text(values.value(row))),
        }
    }
}

/// The format of a value.
#[derive(Debug, Default)]
struct Spec {
    /// The character before and after the value.
    fill: Option<char>,
    /// `<`, `>` or `^`
    align: Option<char>,
    /// The sign of numbers that are not negative: `+` or a space.
    plus: Option<char>,
    /// Whether numbers in another base have a prefix.
    prefix: bool,
    zero: bool,
    /// The character between thousands.
    comma: Option<char>,
    width: usize,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Spec {
    fn parse(function: &str, text: &str) -> Result<Self> {
        let mut spec = Self::default();
        let mut rest = text;
        let mut characters = rest.chars();
        match (characters.next(), characters.next()) {
            (Some(fill), Some(align)) if ['<', '>', '^'].contains(&align) => {
                (spec.fill, spec.align) = (Some(fill), Some(align));
                rest = characters.as_str();
            }
            (Some(align), _) if ['<', '>', '^'].contains(&align) => {
                spec.align = Some(align);
                rest = &rest[1..];
            }
            _ => {}
        }
        while let Some(flag) = rest.chars().next() {
            match flag {
                '+' | ' ' => spec.plus = Some(flag),
                '#' => spec.prefix = true,
                '0' => spec.zero = true,
                ',' | '_' | '\'' => spec.comma = Some(flag),
                _ => break,
            }
            rest = &rest[1..];
        }
        (spec.width, rest) = number(rest);
        if let Some(comma @ (',' | '_' | '\'')) = rest.chars().next() {
            spec.comma = Some(comma);
            rest = &rest[1..];
        }
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = number(after);
            spec.precision = Some(precision);
            rest = after;
        }
        let mut rest = rest.chars();
        spec.kind = rest.next();
        if rest.next().is_some()
            || spec.width > MAX_WIDTH
            || spec
                .precision
                .is_some_and(|precision| precision > MAX_WIDTH)
        {
            return exec_err!(
                "{function}: the format '{text}' is not supported: use concat and round"
            );
        }
        Ok(spec)
    }

    fn write(&self, function: &str, value: Value) -> Result<String> {
        let text = match (value, self.kind) {
            (Value::Text(text), None | Some('s'))
                if self.comma.is_none() && self.plus.is_none() =>
            {
                let length = self.precision.unwrap_or(usize::MAX);
                text.chars().take(length).collect()
            }
            (Value::Integer(number), None | Some('d' | 'i' | 'u')) if self.precision.is_none() => {
                self.signed(number < 0, number.unsigned_abs().to_string())
            }
            (Value::Integer(number), Some(base @ ('x' | 'X' | 'o' | 'b'))) => {
                let digits = number.unsigned_abs();
                let (prefix, digits) = match base {
                    'x' => ("0x", format!("{digits:x}")),
                    'X' => ("0X", format!("{digits:X}")),
                    'o' => ("0", format!("{digits:o}")),
                    _ => ("0b", format!("{digits:b}")),
                };
                let prefix = if self.prefix { prefix } else { "" };
                format!("{}{prefix}{digits}", self.sign(number < 0))
            }
            (Value::Integer(number), Some('c')) => {
                match u32::try_from(number).map(char::from_u32) {
                    Ok(Some(character)) => character.to_string(),
                    _ => return exec_err!("{function}: {number} is the number of no character"),
                }
            }
            (Value::Float(number), None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G'))
                if !number.is_finite() =>
            {
                let word = if number.is_nan() { "nan" } else { "inf" };
                let word = match self.kind {
                    Some('E' | 'F' | 'G') => word.to_uppercase(),
                    _ => word.to_owned(),
                };
                self.signed(number.is_sign_negative() && !number.is_nan(), word)
            }
            (Value::Float(number), Some(kind @ ('e' | 'E' | 'g' | 'G'))) => {
                let digits = match kind {
                    'e' | 'E' => exponential(number.abs(), self.precision.unwrap_or(6)),
                    _ => general(number.abs(), self.precision.unwrap_or(6).max(1)),
                };
                let digits = match kind {
                    'E' | 'G' => digits.to_uppercase(),
                    _ => digits,
                };
                self.signed(number.is_sign_negative(), digits)
            }
            (Value::Float(number), Some('f' | 'F')) => {
                let digits = format!("{:.*}", self.precision.unwrap_or(6), number.abs());
                self.signed(number.is_sign_negative(), digits)
            }
            (Value::Float(number), None) if self.precision.is_none() => {
                let size = number.abs();
                let digits = if size == 0.0 || (1e-4..1e16).contains(&size) {
                    let digits = size.to_string();
                    if digits.contains('.') {
                        digits
                    } else {
                        format!("{digits}.0")
                    }
                } else {
                    with_exponent(&format!("{size:e}"))
                };
                self.signed(number.is_sign_negative(), digits)
            }
            (value, kind) => {
                let kind = kind.map_or_else(String::new, |kind| format!(" as '{kind}'"));
                return exec_err!(
                    "{function} cannot write {value}{kind}: cast the value in SELECT, or use another \
                     format"
                );
            }
        };
        let missing = self.width.saturating_sub(text.chars().count());
        if missing == 0 {
            return Ok(text);
        }
        let is_number = !matches!(value, Value::Text(_)) && self.kind != Some('c');
        let align = self.align.unwrap_or(if is_number { '>' } else { '<' });
        if self.zero && is_number && align == '>' {
            let sign = text.len() - text.trim_start_matches(['-', '+', ' ']).len();
            let (sign, digits) = text.split_at(sign);
            return Ok(format!("{sign}{}{digits}", "0".repeat(missing)));
        }
        let (before, after) = match align {
            '<' => (0, missing),
            '^' => (missing / 2, missing - missing / 2),
            _ => (missing, 0),
        };
        let fill = self.fill.unwrap_or(' ').to_string();
        Ok(format!(
            "{}{text}{}",
            fill.repeat(before),
            fill.repeat(after)
        ))
    }

    fn sign(&self, is_negative: bool) -> String {
        let sign = if is_negative { Some('-') } else { self.plus };
        sign.map_or_else(String::new, String::from)
    }

    /// Adds the sign, and commas between thousands.
    fn signed(&self, is_negative: bool, digits: String) -> String {
        let sign = self.sign(is_negative);
        let Some(comma) = self.comma else {
            return format!("{sign}{digits}");
        };
        let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        let mut grouped = sign;
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(comma);
            }
            grouped.push(digit);
        }
        grouped.push_str(fraction);
        grouped
    }
}

/// Writes a number as `1.50e+00`.
fn exponential(number: f64, precision: usize) -> String {
    with_exponent(&format!("{number:.precision$e}"))
}

/// Writes the exponent of `1.5e0` with a sign and two digits.
pub fn with_exponent(number: &str) -> String {
    let (digits, exponent) = number.split_once('e').unwrap_or((number, "0"));
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}

/// Writes a number with this many significant digits, and with an exponent if it is very large or
/// small.
fn general(number: f64, precision: usize) -> String {
    let scientific = exponential(number, precision - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let places = precision as i64 - 1 - exponent;
    let without_zeros = |digits: &str| {
        let kept = if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.')
        } else {
            digits
        };
        kept.to_owned()
    };
    match usize::try_from(places) {
        Ok(places) if exponent >= -4 => without_zeros(&format!("{number:.places$}")),
        _ => with_exponent(&format!("{}e{exponent}", without_zeros(digits))),
    }
}

/// Returns the number at the start of a text, and the rest.
fn number(text: &str) -> (usize, &str) {
    let end = text
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = match digits {
        "" => 0,
        digits => digits.parse().unwrap_or(usize::MAX),
    };
    (number, rest)
}
