//! Parses dates in PDF's own format and in ISO 8601, which XMP uses.

const MICROS_PER_SECOND: i64 = 1_000_000;

/// Parses a date to microseconds since 1970, UTC. `None` if the text is not a valid date.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text.strip_prefix("D:").unwrap_or(text).trim_start();
    let mut reader = Reader { rest: text };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let year = match text.as_bytes() {
        // Some producers wrote "19" followed by the years since 1900.
        [b'1', b'9', b'1', ..] if digits % 2 == 1 => reader.number(2)? * 100 + reader.number(3)?,
        _ => reader.number(4)?,
    };
    let month = reader.part('-').unwrap_or(1);
    let day = reader.part('-').unwrap_or(1);
    reader.skip('T');
    reader.skip(' ');
    let hour = reader.part(':').unwrap_or(0);
    let minute = reader.part(':').unwrap_or(0);
    let second = reader.part(':').unwrap_or(0);
    if reader.rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let micros = reader.fraction();
    let offset = reader.offset()?;
    let is_possible = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_of(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        // A leap second.
        && second <= 60;
    let seconds = ((days_before(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    is_possible.then(|| (seconds - offset * 60) * MICROS_PER_SECOND + micros)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Reads a number with exactly this many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.rest.split_at_checked(digits)?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        number.parse().ok()
    }

    /// Reads two digits, optionally preceded by a separator.
    fn part(&mut self, separator: char) -> Option<i64> {
        let before = self.rest;
        self.skip(separator);
        let number = self.number(2);
        if number.is_none() {
            self.rest = before;
        }
        number
    }

    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads a fraction of a second after a point, in microseconds.
    fn fraction(&mut self) -> i64 {
        if !self.skip('.') {
            return 0;
        }
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (fraction, rest) = self.rest.split_at_checked(digits).unwrap_or_default();
        self.rest = rest;
        let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
        digits.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    }

    /// Reads the offset in minutes east of Greenwich: `+HH'mm'`, `+HHmm`, `+HH:mm`, `+HH`, `Z` or
    /// nothing. `None` if it is out of range.
    fn offset(&mut self) -> Option<i64> {
        self.skip(' ');
        let sign = if self.skip('+') {
            1
        } else if self.skip('-') {
            -1
        } else {
            return Some(0);
        };
        let hours = self.number(2).or_else(|| self.number(1)).unwrap_or(0);
        if !self.skip('\'') {
            self.skip(':');
        }
        let minutes = self.number(2).unwrap_or(0);
        (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
    }
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days since 1970 in the Gregorian calendar. Years are counted from March, so that leap days
/// come last.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Months alternate between 31 and 30 days, except for two of 31 in a row every five months.
    let days_of_months = (153 * month + 2) / 5;
    year * 365 + leap_days + days_of_months + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::{MICROS_PER_SECOND, parse};

    fn seconds(text: &str) -> Option<i64> {
        parse(text).map(|micros| micros.div_euclid(MICROS_PER_SECOND))
    }

    #[test]
    fn whole_dates() {
        assert_eq!(seconds("D:19700101000000Z"), Some(0));
        assert_eq!(seconds("D:20200229123456Z"), Some(1_582_979_696));
        assert_eq!(seconds("D:20200229123456+01'00'"), Some(1_582_976_096));
        assert_eq!(seconds("D:20200229123456-08'30'"), Some(1_583_010_296));
        assert_eq!(seconds("D:19691231235959Z"), Some(-1));
        assert_eq!(seconds("D:16000229000000"), Some(-11_670_998_400));
    }

    #[test]
    fn most_parts_are_optional() {
        assert_eq!(seconds("D:2020"), Some(1_577_836_800));
        assert_eq!(seconds("D:202002"), Some(1_580_515_200));
        assert_eq!(seconds("20200229"), Some(1_582_934_400));
        assert_eq!(seconds("D:2020022912"), Some(1_582_977_600));
        assert_eq!(seconds("D:202002291234"), Some(1_582_979_640));
        for offset in ["+01'00", "+0100", "+01:00", "+01'", "+01", "+1'00'"] {
            let date = format!("D:20200229123456{offset}");
            assert_eq!(seconds(&date), Some(1_582_976_096), "{offset}");
        }
        assert_eq!(seconds("D:20200229123456Z00'00'"), Some(1_582_979_696));
        assert_eq!(seconds("  D: 20200229123456 EST"), Some(1_582_979_696));
    }

    #[test]
    fn the_year_19100() {
        assert_eq!(seconds("D:191000229123456"), seconds("D:20000229123456"));
        assert_eq!(seconds("D:191010229"), None);
        assert_eq!(seconds("D:191010228"), seconds("D:20010228"));
        assert_eq!(seconds("D:19100228123456"), seconds("1910-02-28T12:34:56"));
    }

    #[test]
    fn iso_dates() {
        assert_eq!(
            parse("2020-02-29T12:34:56.25Z"),
            Some(1_582_979_696_250_000)
        );
        assert_eq!(seconds("2020-02-29T13:34:56+01:00"), Some(1_582_979_696));
        assert_eq!(seconds("2020-02-29T12:34Z"), Some(1_582_979_640));
        assert_eq!(seconds("2020-02"), Some(1_580_515_200));
        assert_eq!(seconds("2020-02-29 12:34:56"), Some(1_582_979_696));
    }

    #[test]
    fn impossible_dates() {
        for date in [
            "",
            "D:",
            "D:20",
            "today",
            "D:20201301",
            "D:20200001",
            "D:20190229",
            "D:20200230",
            "D:20200100",
            "D:20200101240000",
            "D:20200101006000",
            "D:20200101000061",
            "D:00000101",
            "D:20200101000000+24'00'",
            "2017124",
            "D:20200101000000123",
            "D:20200101000000+00'60'",
            "１９９９",
        ] {
            assert_eq!(parse(date), None, "{date}");
        }
    }
}
