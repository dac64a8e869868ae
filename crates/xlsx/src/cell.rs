//! The values of a sheet.

use crate::parts::{DATE_STYLE, HEADING_STYLE, QUOTED_STYLE, TIME_STYLE};
use crate::text;

/// The largest integer up to which Excel's numbers, which are doubles, are exact.
const MAX_INTEGER: u64 = 1 << 53;

/// The number of the day 1970-01-01 in Excel.
const UNIX_EPOCH_DAYS: i64 = 25_569;

/// The days 1900-03-01 and 9999-12-31. Excel treats 1900 as a leap year, so earlier days are wrong.
const DAYS: std::ops::RangeInclusive<i64> = 61..=2_958_465;

const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    Empty,
    Text(&'a str),
    /// The name of a column.
    Heading(&'a str),
    Number(f64),
    /// A number, or a text of digits if it is beyond 2^53.
    Integer(i64),
    Boolean(bool),
    /// Days since 1899-12-30, made by [`Cell::date`].
    Date(i64),
    /// Milliseconds since 1899-12-30, made by [`Cell::time`].
    Time(i64),
}

impl Cell<'_> {
    /// Returns a date, given as days since 1970-01-01. `None` if Excel has no such date.
    pub fn date(days: i64) -> Option<Self> {
        let days = days.checked_add(UNIX_EPOCH_DAYS)?;
        DAYS.contains(&days).then_some(Self::Date(days))
    }

    /// Returns a date with a time, given as milliseconds since 1970-01-01. `None` if Excel has no
    /// such date.
    pub fn time(milliseconds: i64) -> Option<Self> {
        let milliseconds = milliseconds.checked_add(UNIX_EPOCH_DAYS * MILLISECONDS_PER_DAY)?;
        let day = milliseconds.div_euclid(MILLISECONDS_PER_DAY);
        DAYS.contains(&day).then_some(Self::Time(milliseconds))
    }

    /// Appends the cell as XML. Returns whether a text was cut.
    pub(crate) fn write(self, out: &mut String) -> bool {
        match self {
            Self::Empty => out.push_str("<c/>"),
            Self::Text(value) => return push_text(out, value, quoted_style(value)),
            Self::Heading(value) => return push_text(out, value, Some(HEADING_STYLE)),
            Self::Integer(value) if value.unsigned_abs() > MAX_INTEGER => {
                return push_text(out, &value.to_string(), Some(QUOTED_STYLE));
            }
            Self::Integer(value) => out.push_str(&format!("<c><v>{value}</v></c>")),
            Self::Number(value) if !value.is_finite() => {
                return push_text(out, &value.to_string(), None);
            }
            Self::Number(value) => {
                // The largest and smallest numbers would need hundreds of plain digits.
                let is_plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
                let text = if is_plain {
                    value.to_string()
                } else {
                    format!("{value:e}")
                };
                out.push_str(&format!("<c><v>{text}</v></c>"));
            }
            Self::Boolean(value) => {
                out.push_str(&format!("<c t=\"b\"><v>{}</v></c>", u8::from(value)));
            }
            Self::Date(days) => {
                out.push_str(&format!("<c s=\"{DATE_STYLE}\"><v>{days}</v></c>"));
            }
            Self::Time(milliseconds) => {
                let days = milliseconds as f64 / MILLISECONDS_PER_DAY as f64;
                out.push_str(&format!("<c s=\"{TIME_STYLE}\"><v>{days}</v></c>"));
            }
        }
        false
    }
}

/// Returns the style for a text that would become a formula when somebody edits it.
fn quoted_style(text: &str) -> Option<u8> {
    text.starts_with('=').then_some(QUOTED_STYLE)
}

fn push_text(out: &mut String, value: &str, style: Option<u8>) -> bool {
    out.push_str("<c t=\"inlineStr\"");
    if let Some(style) = style {
        out.push_str(&format!(" s=\"{style}\""));
    }
    out.push_str("><is><t xml:space=\"preserve\">");
    let is_cut = text::push(out, value);
    out.push_str("</t></is></c>");
    is_cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xml(cell: Cell<'_>) -> String {
        let mut out = String::new();
        assert!(!cell.write(&mut out));
        out
    }

    #[test]
    fn numbers_that_excel_would_change_are_texts() {
        for (value, is_number) in [
            (1 << 53, true),
            ((1 << 53) + 1, false),
            (-(1 << 53) - 1, false),
            (i64::MIN, false),
        ] {
            let written = xml(Cell::Integer(value));
            assert_eq!(written.starts_with("<c><v>"), is_number, "{written}");
            assert!(written.contains(&format!(">{value}<")), "{written}");
        }
        assert_eq!(xml(Cell::Number(0.1)), "<c><v>0.1</v></c>");
        assert_eq!(xml(Cell::Number(-1.5e300)), "<c><v>-1.5e300</v></c>");
        assert!(xml(Cell::Number(f64::NAN)).contains(">NaN<"));
    }

    #[test]
    fn dates_are_excels_days() {
        // 2024-02-29, and noon of that day.
        assert_eq!(Cell::date(19_782), Some(Cell::Date(45_351)));
        let noon = Cell::time(19_782 * MILLISECONDS_PER_DAY + MILLISECONDS_PER_DAY / 2).unwrap();
        assert_eq!(xml(noon), "<c s=\"3\"><v>45351.5</v></c>");
        // 1900-02-28, and the year 10000.
        assert_eq!(Cell::date(-25_510), None);
        assert_eq!(Cell::date(2_932_897), None);
        assert_eq!(Cell::time(i64::MAX), None);
    }
}
