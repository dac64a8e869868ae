//! Converts the texts of CSV files to the types of their columns. A text that does not fit is an
//! error.
//!
//! Arrow's own conversion drops the time of day of a date, the digits of a second beyond the unit,
//! those of a decimal beyond its scale, time zones, leading zeros and plus signs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use corpus_udfs::duckdb::time_in;
use datafusion::arrow::array::timezone::Tz;
use datafusion::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, StringArray, new_null_array,
};
use datafusion::arrow::compute::kernels::cast_utils::{Parser, parse_decimal, string_to_datetime};
use datafusion::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use datafusion::common::Result;

use super::super::decimals::rounded;
use super::read_options::ReadOptions;

/// The zone of timestamps without one.
const UTC: &str = "+00:00";

/// The length of a date such as `2020-01-31`. A time may follow.
const DATE_BYTES: usize = 10;

/// The length of a timestamp without seconds.
const MINUTE_BYTES: usize = 16;

const DAY_MILLISECONDS: i64 = 86_400_000;

/// The digits of a second that are kept.
const MAX_SECOND_DIGITS: usize = 9;

/// Converts the texts of one column.
pub struct Conversion {
    to: DataType,
    /// The zone in which local times are, for timestamps.
    zone: Tz,
    /// Whether the type is that of the first records, and nobody asked for it.
    is_inferred: bool,
    /// The format of dates and timestamps, unless it is that of ISO 8601.
    format: Option<String>,
    /// Whether numbers have a comma before their decimals.
    decimal_comma: bool,
}

/// A text that does not fit the type of its column.
#[derive(Debug)]
pub struct Misfit {
    pub row: usize,
    pub reason: &'static str,
}

impl Conversion {
    /// `None` if Arrow converts texts to this type without loss.
    pub fn new(to: &DataType, is_inferred: bool, read: &ReadOptions) -> Result<Option<Self>> {
        let zone = match to {
            DataType::Timestamp(_, Some(zone)) => zone.parse()?,
            DataType::Timestamp(_, None) | DataType::Date32 | DataType::Date64 => UTC.parse()?,
            DataType::Int64 | DataType::Float64 if is_inferred => UTC.parse()?,
            DataType::Float64 if read.decimal_comma => UTC.parse()?,
            to if to.is_integer() || to.is_decimal() => UTC.parse()?,
            _ => return Ok(None),
        };
        Ok(Some(Self {
            to: to.clone(),
            zone,
            is_inferred,
            format: read.format_of(to).map(str::to_owned),
            decimal_comma: read.decimal_comma,
        }))
    }

    /// Converts texts. Those that are NULL stay NULL.
    pub fn array(&self, texts: &StringArray) -> Result<ArrayRef, Misfit> {
        self.convert(texts, Err)
    }

    /// Converts the texts that fit, and adds the rows of the others to `misfits`.
    pub fn fitting(&self, texts: &StringArray, misfits: &mut BTreeSet<usize>) -> ArrayRef {
        let converted = self.convert(texts, |misfit| {
            misfits.insert(misfit.row);
            Ok(())
        });
        converted.unwrap_or_else(|_| new_null_array(&self.to, texts.len()))
    }

    fn convert(
        &self,
        texts: &StringArray,
        misfit: impl FnMut(Misfit) -> Result<(), Misfit>,
    ) -> Result<ArrayRef, Misfit> {
        match &self.to {
            DataType::Int64 if self.is_inferred => self.values::<Int64Type>(texts, integer, misfit),
            DataType::Int8 => self.values::<Int8Type>(texts, round, misfit),
            DataType::Int16 => self.values::<Int16Type>(texts, round, misfit),
            DataType::Int32 => self.values::<Int32Type>(texts, round, misfit),
            DataType::Int64 => self.values::<Int64Type>(texts, round, misfit),
            DataType::UInt8 => self.values::<UInt8Type>(texts, round, misfit),
            DataType::UInt16 => self.values::<UInt16Type>(texts, round, misfit),
            DataType::UInt32 => self.values::<UInt32Type>(texts, round, misfit),
            DataType::UInt64 => self.values::<UInt64Type>(texts, round, misfit),
            DataType::Float64 if self.decimal_comma => {
                self.values::<Float64Type>(texts, float_with_comma, misfit)
            }
            DataType::Float64 => self.values::<Float64Type>(texts, float, misfit),
            DataType::Decimal32(..) => self.decimals::<Decimal32Type>(texts, misfit),
            DataType::Decimal64(..) => self.decimals::<Decimal64Type>(texts, misfit),
            DataType::Decimal128(..) => self.decimals::<Decimal128Type>(texts, misfit),
            DataType::Decimal256(..) => self.decimals::<Decimal256Type>(texts, misfit),
            DataType::Date32 => {
                let date = |text: &str| match &self.format {
                    Some(format) => formatted_date(text, format),
                    None => date::<Date32Type>(text),
                };
                self.values::<Date32Type>(texts, date, misfit)
            }
            DataType::Date64 => {
                let date = |text: &str| match &self.format {
                    Some(format) => {
                        formatted_date(text, format).map(|days| i64::from(days) * DAY_MILLISECONDS)
                    }
                    None => date::<Date64Type>(text),
                };
                self.values::<Date64Type>(texts, date, misfit)
            }
            DataType::Timestamp(unit, _) => {
                let time = |text: &str| self.timestamp(text, *unit);
                match unit {
                    TimeUnit::Second => self.values::<TimestampSecondType>(texts, time, misfit),
                    TimeUnit::Millisecond => {
                        self.values::<TimestampMillisecondType>(texts, time, misfit)
                    }
                    TimeUnit::Microsecond => {
                        self.values::<TimestampMicrosecondType>(texts, time, misfit)
                    }
                    TimeUnit::Nanosecond => {
                        self.values::<TimestampNanosecondType>(texts, time, misfit)
                    }
                }
            }
            _ => Ok(Arc::new(texts.clone())),
        }
    }

    fn values<T: ArrowPrimitiveType>(
        &self,
        texts: &StringArray,
        value: impl Fn(&str) -> Result<T::Native, &'static str>,
        mut misfit: impl FnMut(Misfit) -> Result<(), Misfit>,
    ) -> Result<ArrayRef, Misfit> {
        let mut values = Vec::with_capacity(texts.len());
        for (row, text) in texts.iter().enumerate() {
            let value = text.map(|text| value(text.trim_ascii())).transpose();
            values.push(match value {
                Ok(value) => value,
                Err(reason) => {
                    misfit(Misfit { row, reason })?;
                    None
                }
            });
        }
        let array: PrimitiveArray<T> = values.into_iter().collect();
        Ok(Arc::new(array.with_data_type(self.to.clone())))
    }

    fn decimals<T: DecimalType>(
        &self,
        texts: &StringArray,
        misfit: impl FnMut(Misfit) -> Result<(), Misfit>,
    ) -> Result<ArrayRef, Misfit> {
        const OTHER: &str = "it is not a number of this type";
        let (DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale)) = self.to
        else {
            return Ok(Arc::new(texts.clone()));
        };
        let decimal = |text: &str| {
            let text = if self.decimal_comma && !text.contains('.') {
                Cow::Owned(text.replacen(',', ".", 1))
            } else {
                Cow::Borrowed(text)
            };
            let digits = rounded(&text, &self.to).ok_or(OTHER)?;
            parse_decimal::<T>(&digits, precision, scale).map_err(|_| OTHER)
        };
        self.values::<T>(texts, decimal, misfit)
    }

    fn timestamp(&self, text: &str, unit: TimeUnit) -> Result<i64, &'static str> {
        if self.is_inferred && matches!(self.to, DataType::Timestamp(_, None)) && has_zone(text) {
            return Err("it has a time zone");
        }
        let time = match &self.format {
            Some(format) => time_in(text, format).ok_or(OTHER_FORMAT)?.and_utc(),
            None => {
                let whole = is_to_the_minute(text).then(|| format!("{text}:00"));
                string_to_datetime(&self.zone, whole.as_deref().unwrap_or(text))
                    .map_err(|_| "it is not a timestamp")?
                    .to_utc()
            }
        };
        let (per_second, nanoseconds) = match unit {
            TimeUnit::Second => (1, 1_000_000_000),
            TimeUnit::Millisecond => (1_000, 1_000_000),
            TimeUnit::Microsecond => (1_000_000, 1_000),
            TimeUnit::Nanosecond => (1_000_000_000, 1),
        };
        let fraction = time.timestamp_subsec_nanos();
        // Second 60 is second 59 with a fraction above one.
        if fraction >= 1_000_000_000 {
            return Err("its second is 60");
        }
        if fraction % nanoseconds != 0 || (self.format.is_none() && has_more_digits(text)) {
            return Err("its second has more digits than those of the first records");
        }
        time.timestamp()
            .checked_mul(per_second)
            .and_then(|whole| whole.checked_add(i64::from(fraction / nanoseconds)))
            .ok_or("its year is out of range")
    }
}

/// Whether a timestamp has a time zone.
pub fn has_zone(text: &str) -> bool {
    let time = text.trim_ascii().as_bytes().get(DATE_BYTES + 1..);
    let is_local = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.');
    !time.unwrap_or_default().iter().all(is_local)
}

/// Whether a text is a timestamp without seconds, as spreadsheets write them: `2020-01-31 10:00`.
pub fn is_to_the_minute(text: &str) -> bool {
    let text = text.as_bytes();
    text.len() == MINUTE_BYTES && text[4] == b'-' && text[DATE_BYTES + 3] == b':'
}

/// Whether the second of a timestamp has digits beyond nanoseconds.
fn has_more_digits(text: &str) -> bool {
    let Some((_, fraction)) = text.split_once('.') else {
        return false;
    };
    let digits = fraction.bytes().take_while(u8::is_ascii_digit);
    digits.skip(MAX_SECOND_DIGITS).any(|digit| digit != b'0')
}

fn integer(text: &str) -> Result<i64, &'static str> {
    if is_padded(text) {
        return Err(PADDED);
    }
    Int64Type::parse(text).ok_or("it is not a whole number of 64 bits")
}

/// Reads a number for a column of whole numbers that the user has declared, as in DuckDB: halves
/// are rounded away from zero.
fn round<N: TryFrom<i128>>(text: &str) -> Result<N, &'static str> {
    const OTHER: &str = "it is not a whole number of this type";
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_plain = has_digit && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let number = match whole {
        "" | "-" | "+" if is_plain => Some(0),
        whole if is_plain => whole.parse().ok(),
        _ => None,
    };
    let number = match number {
        Some(number) if fraction.as_bytes().first() >= Some(&b'5') => {
            let step = if text.starts_with('-') { -1 } else { 1 };
            i128::checked_add(number, step)
        }
        Some(number) => Some(number),
        None => {
            let number = Float64Type::parse(text).filter(|_| has_digit);
            let number = number.map(f64::round).filter(|it| it.abs() < 1e19);
            number.map(|number| number as i128)
        }
    };
    number.and_then(|it| N::try_from(it).ok()).ok_or(OTHER)
}

fn float_with_comma(text: &str) -> Result<f64, &'static str> {
    if text.contains('.') {
        return Err("it has a point, and decimal_separator is a comma");
    }
    float(&text.replacen(',', ".", 1))
}

fn float(text: &str) -> Result<f64, &'static str> {
    if is_padded(text) {
        return Err(PADDED);
    }
    let value = Float64Type::parse(text).ok_or("it is not a number")?;
    if value.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err("it is out of range");
    }
    // A DOUBLE represents every integer of up to 15 digits.
    let is_short = text.len() < 16 || text.contains(['.', 'e', 'E']);
    if !is_short
        && text
            .parse::<i128>()
            .is_ok_and(|whole| value as i128 != whole)
    {
        return Err("it has more digits than a DOUBLE");
    }
    Ok(value)
}

const PADDED: &str = "a number would lose its leading zero or plus sign";

/// Whether a number begins with a plus sign, or with a zero before another digit, as codes do.
fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    match digits {
        [b'+', ..] => true,
        [b'0', next, ..] => next.is_ascii_digit(),
        _ => false,
    }
}

const OTHER_FORMAT: &str = "it does not have the given format";

/// The number of days of a date in a format, since 1970.
fn formatted_date(text: &str, format: &str) -> Result<i32, &'static str> {
    let time = time_in(text, format).ok_or(OTHER_FORMAT)?;
    let days = time
        .and_utc()
        .timestamp_millis()
        .div_euclid(DAY_MILLISECONDS);
    i32::try_from(days).map_err(|_| "its year is out of range")
}

fn date<T: ArrowPrimitiveType + Parser>(text: &str) -> Result<T::Native, &'static str> {
    let value = T::parse(text).ok_or("it is not a date")?;
    let is_date = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+');
    if !text.bytes().all(is_date) {
        return Err("it has a time of day");
    }
    // Arrow takes 20200105 for a date.
    if text.contains('-') {
        Ok(value)
    } else {
        Err("it is not a date")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(text: &str, to: &DataType, is_inferred: bool) -> Result<String, &'static str> {
        let conversion = Conversion::new(to, is_inferred, &ReadOptions::default())
            .unwrap()
            .unwrap();
        let texts = StringArray::from(vec![None, Some(text)]);
        let array = conversion.array(&texts).map_err(|misfit| {
            assert_eq!(misfit.row, 1);
            misfit.reason
        })?;
        assert!(array.is_null(0));
        assert_eq!(array.data_type(), to);
        let shown = datafusion::arrow::util::display::array_value_to_string(&array, 1);
        Ok(shown.unwrap())
    }

    #[test]
    fn numbers_keep_all_of_their_text() {
        for (text, expected) in [
            ("12", Ok("12")),
            (" -5 ", Ok("-5")),
            ("0", Ok("0")),
            ("00123", Err(PADDED)),
            ("-01", Err(PADDED)),
            ("+5", Err(PADDED)),
            ("1.5", Err("it is not a whole number of 64 bits")),
            ("1e3", Err("it is not a whole number of 64 bits")),
            (
                "9223372036854775808",
                Err("it is not a whole number of 64 bits"),
            ),
        ] {
            let found = convert(text, &DataType::Int64, true);
            assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
        }
        for (text, expected) in [
            ("1.50", Ok("1.5")),
            ("0.5", Ok("0.5")),
            ("-inf", Ok("-inf")),
            ("1e400", Err("it is out of range")),
            ("007.5", Err(PADDED)),
            ("9007199254740992", Ok("9007199254740992.0")),
            ("9007199254740993", Err("it has more digits than a DOUBLE")),
            ("0.12345678901234567890", Ok("0.12345678901234568")),
            ("0x10", Err("it is not a number")),
        ] {
            let found = convert(text, &DataType::Float64, true);
            assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
        }
    }

    #[test]
    fn dates_have_no_time_of_day() {
        for (text, expected) in [
            ("2020-01-05", Ok("2020-01-05")),
            ("2020-1-5", Ok("2020-01-05")),
            ("2020-01-05T12:34:56", Err("it has a time of day")),
            ("2020-01-05 12:34:56", Err("it has a time of day")),
            ("2020-02-31", Err("it is not a date")),
            ("20200105", Err("it is not a date")),
        ] {
            for is_inferred in [true, false] {
                let found = convert(text, &DataType::Date32, is_inferred);
                assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
            }
        }
    }

    #[test]
    fn timestamps_keep_their_digits_and_zones() {
        let digits = Err("its second has more digits than those of the first records");
        let to = |unit, zone: Option<&str>| DataType::Timestamp(unit, zone.map(Into::into));
        let (seconds, utc) = (
            to(TimeUnit::Second, None),
            to(TimeUnit::Second, Some("UTC")),
        );
        let nanoseconds = to(TimeUnit::Nanosecond, None);
        for (to, text, expected) in [
            (&seconds, "2020-01-01 00:00:01", Ok("2020-01-01T00:00:01")),
            (&seconds, "2020-01-02", Ok("2020-01-02T00:00:00")),
            (
                &seconds,
                "2020-01-01T00:00:01.000",
                Ok("2020-01-01T00:00:01"),
            ),
            (&seconds, "2020-01-01T00:00:01.5", digits),
            (&seconds, "2020-01-01T00:00:60", Err("its second is 60")),
            (&seconds, "2020-01-01T00:00:01Z", Err("it has a time zone")),
            (
                &seconds,
                "2020-01-01T00:00:01+05:00",
                Err("it has a time zone"),
            ),
            (
                &seconds,
                "2020-01-01T25:00:00",
                Err("it is not a timestamp"),
            ),
            (
                &utc,
                "2020-01-01T00:00:01+05:00",
                Ok("2019-12-31T19:00:01Z"),
            ),
            (&utc, "2020-01-01T00:00:01", Ok("2020-01-01T00:00:01Z")),
            (
                &nanoseconds,
                "2020-01-01T00:00:01.123456789",
                Ok("2020-01-01T00:00:01.123456789"),
            ),
            (&nanoseconds, "2020-01-01T00:00:01.1234567891", digits),
            (&nanoseconds, "9999-01-01", Err("its year is out of range")),
        ] {
            let found = convert(text, to, true);
            assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
        }
        let declared = convert("2020-01-01T00:00:01+05:00", &seconds, false);
        assert_eq!(declared.as_deref(), Ok("2019-12-31T19:00:01"));
    }

    #[test]
    fn declared_whole_numbers_are_rounded() {
        const OTHER: &str = "it is not a whole number of this type";
        for (text, expected) in [
            ("1.5", Ok("2")),
            ("2.5", Ok("3")),
            ("-2.5", Ok("-3")),
            ("-.5", Ok("-1")),
            ("1.49", Ok("1")),
            ("007", Ok("7")),
            ("+5", Ok("5")),
            ("1e3", Ok("1000")),
            ("9223372036854775806.5", Ok("9223372036854775807")),
            ("9223372036854775807.5", Err(OTHER)),
            ("1e300", Err(OTHER)),
            ("-", Err(OTHER)),
            (".", Err(OTHER)),
            ("1.x", Err(OTHER)),
            ("inf", Err(OTHER)),
            ("nan", Err(OTHER)),
        ] {
            let found = convert(text, &DataType::Int64, false);
            assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
        }
        assert_eq!(
            convert("127.5", &DataType::Int8, false).as_deref(),
            Err(&OTHER)
        );
    }

    #[test]
    fn other_declared_numbers_and_texts_are_left_to_arrow() {
        for to in [DataType::Boolean, DataType::Float64, DataType::Utf8] {
            assert!(
                Conversion::new(&to, false, &ReadOptions::default())
                    .unwrap()
                    .is_none()
            );
        }
    }
}
