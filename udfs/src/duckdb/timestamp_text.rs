//! `timestamp_text`, `instant_text` and `date_text`, which write times and dates as casts of
//! DataFusion read them.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use chrono::NaiveDate;
use datafusion::arrow::array::{ArrayRef, AsArray, LargeStringBuilder};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;
use regex::Regex;

use super::TEXT;
use crate::any_typed::AnyTyped;
use crate::function::{INTERNAL, document};

/// A date, a time, a fraction of a second, and a zone.
static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = r"^\s*(\d{1,4})([-/])(\d{1,2})([-/])(\d{1,2})";
    let time = r"(?:(?:\s+|T)(\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d+)?)?)?";
    let zone = r"\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?\s*$";
    Regex::new(&format!("{date}{time}{zone}")).ok()
});

/// The function of casts to times with a zone.
pub fn instant_text() -> ScalarUDF {
    AnyTyped::new(
        "instant_text",
        document(
            INTERNAL,
            "instant_text(text)",
            "Writes a time such as `2024-1-5 7:30+09` in full. Other texts stay.",
            "> SELECT instant_text('2024-1-5 7:30+09');\n2024-01-05T07:30:00+09",
            &[("text", "A text.")],
        ),
        |_| Ok(vec![TEXT]),
        |_| Ok(TEXT),
        |args| in_full(args, true),
    )
    .into()
}

/// The function of casts to times without a zone. As in DuckDB, the zone in the text is ignored.
pub fn timestamp_text() -> ScalarUDF {
    AnyTyped::new(
        "timestamp_text",
        document(
            INTERNAL,
            "timestamp_text(text)",
            "Writes a time such as `2024-1-5 7:30` in full, without its zone. Other texts stay.",
            "> SELECT timestamp_text('2024-1-5 7:30+09');\n2024-01-05T07:30:00",
            &[("text", "A text.")],
        ),
        |_| Ok(vec![TEXT]),
        |_| Ok(TEXT),
        |args| in_full(args, false),
    )
    .into()
}

/// The function of casts to dates.
pub fn date_text() -> ScalarUDF {
    AnyTyped::new(
        "date_text",
        document(
            INTERNAL,
            "date_text(text)",
            "Writes the date in a text such as `2024/1/5 7:30` in full. Other texts stay.",
            "> SELECT date_text('2024/1/5 7:30');\n2024-01-05",
            &[("text", "A text.")],
        ),
        |_| Ok(vec![TEXT]),
        |_| Ok(TEXT),
        |args| {
            let mut dates = LargeStringBuilder::new();
            for text in args[0].as_string::<i64>() {
                dates.append_option(text.map(written_date));
            }
            Ok(Arc::new(dates.finish()))
        },
    )
    .into()
}

/// Writes the date in a text as casts of DataFusion read it. The date of a time with an offset is
/// that of its place.
pub fn written_date(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    // DataFusion takes eight digits for a date. A space after them makes them invalid.
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Cow::Owned(format!("{text} "));
    }
    match write_in_full(text, false) {
        Some(time) => Cow::Owned(time.split('T').next().unwrap_or_default().to_owned()),
        None if text.contains('/') => Cow::Owned(text.replace('/', "-")),
        None => Cow::Borrowed(text),
    }
}

fn in_full(args: &[ArrayRef], has_zone: bool) -> Result<ArrayRef> {
    let texts = args[0].as_string::<i64>();
    let mut results = LargeStringBuilder::new();
    for text in texts {
        let written = text.and_then(|text| write_in_full(text, has_zone));
        results.append_option(written.as_deref().or(text));
    }
    Ok(Arc::new(results.finish()))
}

/// Returns a time in full. `None` for other texts.
fn write_in_full(text: &str, has_zone: bool) -> Option<String> {
    if is_date(text.as_bytes()) {
        return None;
    }
    let parts = TIME.as_ref()?.captures(text)?;
    if parts[2] != parts[4] {
        return None;
    }
    let number = |index: usize| {
        parts
            .get(index)
            .map_or(Ok(0), |it| it.as_str().parse::<u32>())
    };
    let (year, month, day) = (number(1).ok()?, number(3).ok()?, number(5).ok()?);
    let (mut hour, minute, second) = (number(6).ok()?, number(7).ok()?, number(8).ok()?);
    let mut date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    // Midnight at the end of the day.
    if (hour, minute, second) == (24, 0, 0) {
        (date, hour) = (date.succ_opt()?, 0);
    }
    let fraction = parts.get(9).map_or("", |it| it.as_str());
    let zone = match parts.get(10).map_or("", |it| it.as_str()) {
        _ if !has_zone => "",
        "UTC" => "Z",
        zone => zone,
    };
    Some(format!(
        "{}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}",
        date.format("%Y-%m-%d")
    ))
}

/// Whether a text has the form `2024-01-31`, which needs no change.
fn is_date(text: &[u8]) -> bool {
    let is_fitting = |(place, byte): (usize, &u8)| match place {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.iter().enumerate().all(is_fitting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_text() {
        for (text, date) in [
            (" 2024/1/5 7:30 ", "2024-01-05"),
            ("2024-01-05T00:11:12+02:00", "2024-01-05"),
            ("2024-01-31", "2024-01-31"),
            ("20240105", "20240105 "),
            ("1/2/x", "1-2-x"),
        ] {
            assert_eq!(written_date(text), date);
        }
    }

    #[test]
    fn short_forms_are_written_in_full() {
        for (text, expected) in [
            ("2001-08-20 5:05:00", "2001-08-20T05:05:00"),
            ("2001-8-20 05:05", "2001-08-20T05:05:00"),
            (" 2024/01/01 10:00:01.5 ", "2024-01-01T10:00:01.5"),
            ("2024-12-31 24:00:00", "2025-01-01T00:00:00"),
            ("2024-1-01", "2024-01-01T00:00:00"),
            ("2024-01-01T10:00:00+09", "2024-01-01T10:00:00+09"),
            ("2024-01-01 10:00:00 UTC", "2024-01-01T10:00:00Z"),
        ] {
            assert_eq!(
                write_in_full(text, true).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        let local = write_in_full("2024-01-01T10:00:00.5+09:00", false);
        assert_eq!(local.as_deref(), Some("2024-01-01T10:00:00.5"));
        for text in [
            "2024-02-30",
            "2024-02-28",
            "2024-01/01",
            "x",
            "",
            "10:00",
            "2024-01-01 10",
        ] {
            assert_eq!(write_in_full(text, true), None, "{text}");
        }
    }
}
