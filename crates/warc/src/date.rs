//! Dates of WARC and ARC headers.

use chrono::NaiveDate;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// Parses a date to microseconds since the epoch: `2014-10-23T06:05:08Z`, with a fraction or an
/// offset, shortened as WARC 1.1 allows (`2014-10`), or the 14 digits of ARC.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim().as_bytes();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits >= 8 {
        return if digits == text.len() {
            parse_compact(text)
        } else {
            None
        };
    }
    let mut rest = text;
    let year = number(&mut rest, 4)?;
    let month = part(&mut rest, b'-', 1)?;
    let day = part(&mut rest, b'-', 1)?;
    if rest.is_empty() || rest == b"Z" {
        return micros(year, month, day, 0, 0, 0);
    }
    if !matches!(rest.first(), Some(b'T' | b't' | b' ')) {
        return None;
    }
    rest = &rest[1..];
    let hour = number(&mut rest, 2)?;
    let minute = part(&mut rest, b':', 0)?;
    let second = part(&mut rest, b':', 0)?;
    let fraction = fraction(&mut rest)?;
    let offset = zone(rest)?;
    let whole = micros(year, month, day, hour, minute, second)?;
    whole
        .checked_add(fraction)?
        .checked_sub(offset * 60 * MICROS_PER_SECOND)
}

fn parse_compact(mut rest: &[u8]) -> Option<i64> {
    let year = number(&mut rest, 4)?;
    let mut next = || {
        if rest.is_empty() {
            Some(0)
        } else {
            number(&mut rest, 2)
        }
    };
    let (month, day, hour, minute, second) = (next()?, next()?, next()?, next()?, next()?);
    // Some crawlers appended milliseconds to the 14 digits.
    let millis = match rest.len() {
        0 => 0,
        length => number(&mut rest, length.min(3))?,
    };
    Some(micros(year, month, day, hour, minute, second)? + millis * 1000)
}

fn number(rest: &mut &[u8], digits: usize) -> Option<i64> {
    let (number, after) = rest.split_at_checked(digits)?;
    *rest = after;
    number.iter().try_fold(0, |sum, b| {
        b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0'))
    })
}

/// Parses a separator and two digits. Without the separator, returns the default.
fn part(rest: &mut &[u8], separator: u8, default: i64) -> Option<i64> {
    if rest.first() != Some(&separator) {
        return Some(default);
    }
    *rest = &rest[1..];
    number(rest, 2)
}

fn fraction(rest: &mut &[u8]) -> Option<i64> {
    if !matches!(rest.first(), Some(b'.' | b',')) {
        return Some(0);
    }
    let digits = rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut micros = 0;
    for place in 0..6 {
        let digit = if place < digits {
            rest[1 + place] - b'0'
        } else {
            0
        };
        micros = micros * 10 + i64::from(digit);
    }
    *rest = &rest[1 + digits..];
    Some(micros)
}

/// Minutes east of Greenwich.
fn zone(mut rest: &[u8]) -> Option<i64> {
    let sign = match rest.first() {
        None => return Some(0),
        Some(b'Z' | b'z') => return (rest.len() == 1).then_some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    rest = &rest[1..];
    let hours = number(&mut rest, 2)?;
    if rest.first() == Some(&b':') {
        rest = &rest[1..];
    }
    let minutes = if rest.is_empty() {
        0
    } else {
        number(&mut rest, 2)?
    };
    (rest.is_empty() && hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

fn micros(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> Option<i64> {
    let [month, day, hour, minute, second] =
        [month, day, hour, minute, second].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?;
    // A leap second counts as the second after it.
    let is_leap = second == 60;
    let time = date.and_hms_opt(hour, minute, if is_leap { 59 } else { second })?;
    let seconds = time.and_utc().timestamp() + i64::from(is_leap);
    Some(seconds * MICROS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let second = 1_414_044_308_000_000;
        for (text, expected) in [
            ("2014-10-23T06:05:08Z", Some(second)),
            ("2014-10-23T06:05:08.25Z", Some(second + 250_000)),
            ("2014-10-23T06:05:08.123456789Z", Some(second + 123_456)),
            ("2014-10-23T08:05:08+02:00", Some(second)),
            (" 2014-10-23T06:05:08 ", Some(second)),
            ("20141023060508", Some(second)),
            ("20141023060508123", Some(second + 123_000)),
            ("2014-10-23T06:05Z", Some(second - 8_000_000)),
            ("2014-10-23T06:05:60Z", Some(second + 52_000_000)),
            ("2014-10-23T06:05:61Z", None),
            ("2014-10-23T24:05:08Z", None),
            ("0000-03-01", Some(-62_162_035_200_000_000)),
            ("1970-01", Some(0)),
            ("1970", Some(0)),
            ("1969-12-31T23:59:59Z", Some(-1_000_000)),
            ("2000-02-29", Some(951_782_400_000_000)),
            ("1900-02-29", None),
            ("2009-01-65T00:00:00Z", None),
            ("2014-13-01T00:00:00Z", None),
            ("yesterday", None),
            ("", None),
            ("20141023060508é", None),
            ("2014-10-23T06:05:08+99:00", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
