//! The widths of codes and CIDs. Ranges of CIDs are stored as ranges, because a file may declare a
//! range of four billion CIDs.

use hayro_syntax::object::{Array, Dict, Object};

use super::missing_entry;

/// The widths of a CID font, in thousandths of an em.
#[derive(Debug)]
pub struct CidWidths {
    /// Ranges of CIDs with their widths, sorted by the first CID.
    ranges: Vec<(u32, u32, f32)>,
    default: f32,
    /// Whether the list has values that are not numbers.
    pub are_damaged: bool,
    /// The damage, if the font refers to a missing list.
    pub missing: Option<&'static str>,
}

impl CidWidths {
    /// Reads `W`, and `DW` for all other CIDs.
    pub fn horizontal(font: &Dict<'_>) -> Self {
        let default = font.get::<f32>(b"DW").unwrap_or(1000.0);
        Self::new(font, b"W", default, 1)
    }

    /// Reads the downward advances: `W2`, and `DW2` for all other CIDs.
    pub fn vertical(font: &Dict<'_>) -> Self {
        let default = font
            .get::<[f32; 2]>(b"DW2")
            .map_or(-1000.0, |[_, down]| down);
        // Each CID has two further numbers, the position of its origin.
        Self::new(font, b"W2", default, 3)
    }

    /// The widths of a font whose CIDs are codes: ASCII, which has the CID 0, is half as wide as
    /// the rest.
    pub fn half_for_ascii() -> Self {
        Self {
            ranges: vec![(0, 0, 500.0)],
            default: 1000.0,
            are_damaged: false,
            missing: None,
        }
    }

    fn new(font: &Dict<'_>, key: &[u8], default: f32, numbers_each: usize) -> Self {
        let array = font.get::<Array<'_>>(key);
        let missing = match &array {
            Some(_) => None,
            None => missing_entry(font, key),
        };
        let mut list = Ranges::new(numbers_each);
        let mut are_damaged = false;
        if let Some(array) = array
            && list.read_plain(array.data()).is_none()
        {
            list = Ranges::new(numbers_each);
            list.read_objects(&array);
            are_damaged = has_other_bytes(array.data());
        }
        let mut ranges = list.ranges;
        ranges.sort_by_key(|range| range.0);
        Self {
            ranges,
            default,
            are_damaged,
            missing,
        }
    }

    /// In ems.
    pub fn get(&self, cid: u32) -> f64 {
        let end = self.ranges.partition_point(|range| range.0 <= cid);
        let found = self.ranges[..end].last().filter(|range| cid <= range.1);
        f64::from(found.map_or(self.default, |range| range.2)) / 1000.0
    }
}

/// The entries of a list of widths.
struct Ranges {
    ranges: Vec<(u32, u32, f32)>,
    /// The numbers since the latest entry.
    pending: Vec<f32>,
    numbers_each: usize,
}

impl Ranges {
    fn new(numbers_each: usize) -> Self {
        Self {
            ranges: Vec::new(),
            pending: Vec::new(),
            numbers_each,
        }
    }

    /// Reads a list of numbers, and of lists of numbers. `None` if there is anything else in it.
    fn read_plain(&mut self, list: &[u8]) -> Option<()> {
        let mut parts = list.split(|byte| *byte == b'[');
        let before = plain_numbers(parts.next()?)?;
        before
            .into_iter()
            .for_each(|number| self.add_number(number));
        for part in parts {
            let (inner, after) = part.split_at(memchr::memchr(b']', part)?);
            self.add_list(plain_numbers(inner)?.into_iter());
            let after = plain_numbers(&after[1..])?;
            after.into_iter().for_each(|number| self.add_number(number));
        }
        Some(())
    }

    fn read_objects(&mut self, array: &Array<'_>) {
        for item in array.iter::<Object<'_>>() {
            match item {
                Object::Number(number) => self.add_number(number.as_f32()),
                Object::Array(list) => {
                    let numbers = list.iter::<Object<'_>>();
                    self.add_list(numbers.map(|item| item.into_f32().unwrap_or(0.0)));
                }
                _ => {}
            }
        }
    }

    fn add_number(&mut self, number: f32) {
        self.pending.push(number);
        if let (&[first, last, width, ..], true) =
            (&*self.pending, self.pending.len() == self.numbers_each + 2)
        {
            self.ranges.push((first as u32, last as u32, width));
            self.pending.clear();
        }
    }

    fn add_list(&mut self, numbers: impl Iterator<Item = f32>) {
        let first = self.pending.last().map_or(0, |&first| first as u32);
        let widths = numbers.step_by(self.numbers_each);
        let cids = (first..=u32::MAX).zip(widths);
        self.ranges
            .extend(cids.map(|(cid, width)| (cid, cid, width)));
        self.pending.clear();
    }
}

/// Whether an array contains anything but numbers, lists, references, `null` and comments. hayro
/// ends such arrays early.
pub fn has_other_bytes(array: &[u8]) -> bool {
    let is_usual = |byte: &u8| {
        byte.is_ascii_digit()
            || matches!(
                byte,
                0 | b'\t' | b'\n' | 12 | b'\r' | b' ' | b'+' | b'-' | b'.' | b'[' | b']' | b'R'
            )
            || b"null".contains(byte)
    };
    array
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(|line| line.split(|byte| *byte == b'%').next().unwrap_or_default())
        .any(|line| !line.iter().all(is_usual))
}

/// Parses an array of numbers in their usual form, several times faster than hayro's objects.
/// `None` for any other array.
pub fn plain_numbers(array: &[u8]) -> Option<Vec<f32>> {
    // Up to here, mantissas and powers of ten are exact.
    const MAX_BYTES: usize = 15;
    let is_space = |byte: &u8| matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ');
    let mut numbers = Vec::new();
    for token in array.split(is_space).filter(|token| !token.is_empty()) {
        let digits = token.strip_prefix(b"-").unwrap_or(token);
        if digits.len() > MAX_BYTES {
            return None;
        }
        let (mut mantissa, mut divisor) = (0_u64, 1_u64);
        let mut has_point = false;
        for byte in digits {
            match byte {
                b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
                b'.' if !has_point => {
                    has_point = true;
                    continue;
                }
                _ => return None,
            }
            divisor *= if has_point { 10 } else { 1 };
        }
        if digits.len() == usize::from(has_point) {
            return None;
        }
        let value = mantissa as f64 / divisor as f64;
        let is_negative = digits.len() < token.len();
        numbers.push(if is_negative { -value } else { value } as f32);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use hayro_syntax::object::FromBytes;

    use super::*;

    #[test]
    fn plain_lists_are_read_as_objects_are() {
        for (list, is_plain) in [
            ("", true),
            ("1 [500 600.5 -7] 10 12 .25", true),
            ("1[500 0 -0 ]10\n12\t1000 20 30", true),
            ("3 [1] [2 3] 4 [] 5 6 7.", true),
            ("1 [123456789012345 0.1 0.3333333333333]", true),
            ("1 [1234567890123456]", false),
            ("1 [+5 6]", false),
            ("1 [5 % six\n 7]", false),
            ("1 [5 6-7 - .]", false),
            ("1 [5 [6] 7] 8 9 10", false),
            ("1 2 (3 [4]) 5", false),
            ("1 [5 null 7 /Name]", false),
        ] {
            let written = format!("[{list}]");
            let array = Array::from_bytes(written.as_bytes()).unwrap();
            for numbers_each in [1, 3] {
                let (mut plain, mut whole) = (Ranges::new(numbers_each), Ranges::new(numbers_each));
                let read = plain.read_plain(array.data());
                assert_eq!(read.is_some(), is_plain, "{list}");
                whole.read_objects(&array);
                if is_plain {
                    assert_eq!(plain.ranges, whole.ranges, "{list}");
                }
            }
        }
    }

    #[test]
    fn long_numbers_do_not_overflow() {
        assert_eq!(plain_numbers("9".repeat(1000).as_bytes()), None);
        assert_eq!(plain_numbers(b"999999999999999"), Some(vec![1e15]));
        assert_eq!(plain_numbers(b"-.5 . 1"), None);
    }
}
