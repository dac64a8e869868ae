//! The properties in hOCR's `title` attributes: `bbox 1 2 3 4; x_wconf 85; image "a;b.tif"`.
//!
//! They are separated by semicolons outside quotes. Some programs write a comma after numbers:
//! `bbox 1 2 3 4, image a.tif`.

use memchr::memchr;

use super::element::{BBox, Baseline};
use super::numbers::{NO_NUMBERS, missing_numbers, parse_number, words};
use corpus_bytes::step_counter::count_steps;

/// A property, such as `x_wconf 85`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Property<'a> {
    /// The name of the property.
    pub name: &'a str,
    /// The text after the name, without surrounding blanks.
    pub raw: &'a str,
}

impl<'a> Property<'a> {
    fn of(text: &'a str) -> Self {
        let (name, raw) = text
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((text, ""));
        Self {
            name,
            raw: raw.trim_ascii(),
        }
    }

    /// The value without surrounding quotes.
    pub fn value(&self) -> &'a str {
        let inside = |quote: char| self.raw.strip_prefix(quote)?.strip_suffix(quote);
        inside('"').or_else(|| inside('\'')).unwrap_or(self.raw)
    }
}

/// The value of the first property with this name.
pub fn prop<'a>(title: &'a str, name: &str) -> Option<&'a str> {
    properties(title)
        .find(|property| property.name == name)
        .map(|property| property.value())
}

/// All properties of a title with decoded references.
///
/// ```
/// let title = "image \"a;b.tif\"; bbox 0 0 600 800";
/// let names: Vec<_> = corpus_ocr::properties(title).map(|property| property.name).collect();
/// assert_eq!(names, ["image", "bbox"]);
/// ```
pub fn properties(title: &str) -> impl Iterator<Item = Property<'_>> {
    let mut rest = title;
    std::iter::from_fn(move || {
        let separator = |c: char| c.is_ascii_whitespace() || c == ';' || c == ',';
        let before = rest.len();
        rest = rest.trim_start_matches(separator);
        count_steps(before - rest.len());
        if rest.is_empty() {
            return None;
        }
        let (property, after) = rest.split_at_checked(end(rest)).unwrap_or((rest, ""));
        rest = after;
        Some(Property::of(property))
    })
}

/// The end of the property at the start of a text.
fn end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = bytes
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b';')
        .unwrap_or(bytes.len());
    let mut is_numeric = true;
    let mut begins_word = false;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        match byte {
            b';' => return at,
            b',' if is_numeric && begins_name(rest) => return at,
            // A quote inside a word is an apostrophe, and an unclosed quote is an ordinary
            // character.
            b'"' | b'\'' if begins_word => {
                is_numeric = false;
                let closing = memchr(byte, rest);
                count_steps(closing.unwrap_or(rest.len()));
                at += closing.map_or(0, |length| length + 1);
            }
            b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E' | b',' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => is_numeric = false,
        }
        begins_word = byte.is_ascii_whitespace();
        count_steps(1);
        at += 1;
    }
    bytes.len()
}

fn begins_name(rest: &[u8]) -> bool {
    let next = rest.trim_ascii_start();
    count_steps(rest.len() - next.len());
    next.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Parses the box of a `bbox` property: four numbers. The rest is ignored.
pub(super) fn bbox(raw: &str) -> Result<BBox, String> {
    let mut corners = [0.0; 4];
    let mut words = words(raw);
    for (count, corner) in corners.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            return Err(missing_numbers(4, count));
        };
        *corner = parse_number(word)?;
    }
    let [x1, y1, x2, y2] = corners;
    Ok(BBox { x1, y1, x2, y2 })
}

/// Parses a `baseline` property: the coefficients of a polynomial. Only the last two are used.
pub(super) fn baseline(raw: &str) -> Result<Baseline, String> {
    let mut last_two = [None, None];
    for word in words(raw) {
        last_two = [last_two[1], Some(parse_number(word)?)];
    }
    let [slope, offset] = last_two;
    if offset.is_none() {
        return Err(NO_NUMBERS.to_owned());
    }
    Ok(Baseline { slope, offset })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(title: &str) -> Vec<(&str, &str)> {
        properties(title).map(|p| (p.name, p.value())).collect()
    }

    #[test]
    fn semicolons_separate_with_blanks_or_without() {
        for title in [
            "bbox 1 2 3 4;x_wconf 85",
            "bbox 1 2 3 4; x_wconf 85",
            "bbox 1 2 3 4 ; x_wconf 85",
            " ; bbox  1 2 3 4 ;\n\tx_wconf\t85;; ",
        ] {
            assert_eq!(all(title), [("bbox", "1 2 3 4"), ("x_wconf", "85")]);
        }
    }

    #[test]
    fn a_comma_after_numbers_separates() {
        assert_eq!(
            all("bbox 0 0 17 28, image x.tif"),
            [("bbox", "0 0 17 28"), ("image", "x.tif")]
        );
        assert_eq!(
            all("bbox 1 2 3 4, x_confs 0.3 5e-2"),
            [("bbox", "1 2 3 4"), ("x_confs", "0.3 5e-2")]
        );
        assert_eq!(
            all("cuts 0,0,11,0 11,0; image a, b.tif"),
            [("cuts", "0,0,11,0 11,0"), ("image", "a, b.tif")]
        );
    }

    #[test]
    fn separators_inside_quotes_are_ignored() {
        assert_eq!(
            all("image \"a;b, c.tif\"; ppageno 0"),
            [("image", "a;b, c.tif"), ("ppageno", "0")]
        );
        assert_eq!(all("image 'it;s'"), [("image", "it;s")]);
        assert_eq!(
            all("image it's.tif; ppageno 0"),
            [("image", "it's.tif"), ("ppageno", "0")]
        );
        assert_eq!(
            all("image \"open; ppageno 0"),
            [("image", "\"open"), ("ppageno", "0")]
        );
        assert_eq!(
            all("image '; ppageno 0"),
            [("image", "'"), ("ppageno", "0")]
        );
    }

    #[test]
    fn a_value_may_be_missing() {
        assert_eq!(all("x"), [("x", "")]);
        assert_eq!(all("x;y 1"), [("x", ""), ("y", "1")]);
        assert_eq!(all(""), []);
        assert_eq!(all(" ;, "), []);
    }

    #[test]
    fn the_first_of_several_values_counts() {
        assert_eq!(prop("a 1; b 2; a 3", "a"), Some("1"));
        assert_eq!(prop("a 1", "A"), None);
        assert_eq!(
            prop("x_source http://a/?b=1&c=2", "x_source"),
            Some("http://a/?b=1&c=2")
        );
    }

    #[test]
    fn a_box_has_four_numbers() {
        let numbers = |raw| bbox(raw).map(|b| [b.x1, b.y1, b.x2, b.y2]);
        assert_eq!(numbers("1 2 3 4"), Ok([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(numbers("1,2,3,4 rest"), Ok([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(numbers("-1.5 +2 1 0"), Ok([-1.5, 2.0, 1.0, 0.0]));
        assert_eq!(
            numbers("1 2 3"),
            Err("expected 4 numbers, got 3".to_owned())
        );
        assert_eq!(
            numbers("a b c d"),
            Err("expected a number, got a".to_owned())
        );
        assert_eq!(
            numbers("1 2 nan 4"),
            Err("expected a number, got nan".to_owned())
        );
    }

    #[test]
    fn a_baseline_has_a_slope_and_an_offset() {
        let both = |raw| baseline(raw).map(|b| (b.slope, b.offset));
        assert_eq!(both("-0.006 -3"), Ok((Some(-0.006), Some(-3.0))));
        assert_eq!(both("-3"), Ok((None, Some(-3.0))));
        assert_eq!(both("0.1 0.2 5"), Ok((Some(0.2), Some(5.0))));
        assert!(both("").is_err());
        assert!(both("x 1").is_err());
    }
}
