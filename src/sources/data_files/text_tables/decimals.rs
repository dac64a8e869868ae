//! Texts of decimals with the digits that a type has.
//!
//! Arrow's readers cut further digits off. Casts and DuckDB round halves away from zero.

use std::borrow::Cow;

use datafusion::arrow::datatypes::DataType;

/// Beyond this, no decimal with an exponent has a place in a type.
const MAX_EXPONENT: i32 = 400;

/// Returns the text of a number without an exponent, and with the digits that a type of decimals
/// has. `None` for other types and texts.
pub fn rounded<'a>(text: &'a str, to: &DataType) -> Option<Cow<'a, str>> {
    let (DataType::Decimal32(_, scale)
    | DataType::Decimal64(_, scale)
    | DataType::Decimal128(_, scale)
    | DataType::Decimal256(_, scale)) = to
    else {
        return None;
    };
    let scale = usize::try_from(*scale).ok()?;
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent.parse::<i32>().ok()?)),
        None => (unsigned, None),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if exponent.is_none() && fraction.len() <= scale {
        return Some(Cow::Borrowed(text));
    }
    let exponent = exponent.unwrap_or(0);
    if exponent.abs() > MAX_EXPONENT {
        return None;
    }
    let point = isize::try_from(whole.len()).ok()? + isize::try_from(exponent).ok()?;
    // With zeros before it, the number has digits at all places of the type.
    let before = usize::try_from(1 - point.min(1)).ok()?;
    digits.insert_str(0, &"0".repeat(before));
    let kept = usize::try_from(point).unwrap_or(0).max(1) + scale;
    let is_up = digits.as_bytes().get(kept) >= Some(&b'5');
    let mut digits = format!("{digits:0<kept$}").into_bytes();
    digits.truncate(kept);
    if is_up {
        let nines = digits
            .iter()
            .rev()
            .take_while(|digit| **digit == b'9')
            .count();
        digits[kept - nines..].fill(b'0');
        match (kept - nines).checked_sub(1) {
            Some(place) => digits[place] += 1,
            None => digits.insert(0, b'1'),
        }
    }
    let digits = String::from_utf8(digits).ok()?;
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if scale == 0 { "" } else { "." };
    Some(Cow::Owned(format!("{sign}{whole}{point}{fraction}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (text, scale, expected) in [
            ("2.675", 2, Some("2.68")),
            ("2.674999", 2, Some("2.67")),
            ("-1.999", 2, Some("-2.00")),
            ("999.995", 2, Some("1000.00")),
            ("+0.5", 0, Some("1")),
            (".04", 1, Some("0.0")),
            (".05", 1, Some("0.1")),
            ("1.", 2, Some("1.")),
            ("007.1", 2, Some("007.1")),
            ("1.25e2", 1, Some("125.0")),
            ("1e3", 0, Some("1000")),
            ("125e-2", 1, Some("1.3")),
            ("5E-3", 2, Some("0.01")),
            ("5e-4", 2, Some("0.00")),
            ("99e-2", 1, Some("1.0")),
            ("0e400", 0, Some(&*format!("0{}", "0".repeat(400)))),
            ("1e999999999", 0, None),
            ("1e", 0, None),
            ("1.2.3", 1, None),
            ("1,5", 1, None),
            (".", 1, None),
            ("", 1, None),
        ] {
            let found = rounded(text, &DataType::Decimal128(38, scale));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert_eq!(rounded("1.5", &DataType::Float64), None);
    }
}
