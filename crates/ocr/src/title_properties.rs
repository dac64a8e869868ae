//! The values of the properties in a `title` attribute.

use super::element::{BBox, Baseline, Confidence, keep};
use super::numbers::{mean, parse_number};
use super::title::{Property, baseline, bbox, properties};

/// The properties of an element, parsed.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TitleProperties {
    pub bbox: Option<BBox>,
    pub confidence: Option<Confidence>,
    pub baseline: Option<Baseline>,
    pub angle: Option<f64>,
    pub page_number: Option<i64>,
    /// The first property that could not be parsed, and why.
    pub error: Option<String>,
}

/// Properties with a confidence, in order of preference.
const CONFIDENCES: [&str; 3] = ["x_wconf", "x_conf", "x_confs"];

impl TitleProperties {
    /// Parses a title with decoded references. The first of several properties with the same name
    /// is used.
    #[inline]
    pub fn parse(title: &str) -> Self {
        parse_common(title).unwrap_or_else(|| Self::parse_any(title))
    }

    fn parse_any(title: &str) -> Self {
        let mut parsed = Self::default();
        let mut confidences = [None; CONFIDENCES.len()];
        let mut seen = SeenProperties::default();
        for property in properties(title) {
            match property.name {
                "bbox" if seen.is_first(0) => {
                    parsed.bbox = parsed.keep(&property, bbox(property.raw))
                }
                "baseline" if seen.is_first(1) => {
                    parsed.baseline = parsed.keep(&property, baseline(property.raw));
                }
                "textangle" if seen.is_first(2) => {
                    parsed.angle = parsed.keep(&property, parse_number(property.value()));
                }
                "ppageno" if seen.is_first(3) => {
                    parsed.page_number = property.value().parse().ok();
                }
                name => {
                    let kind = CONFIDENCES.iter().position(|kind| *kind == name);
                    if let Some(index) = kind.filter(|index| seen.is_first(4 + index))
                        && let Some(slot) = confidences.get_mut(index)
                    {
                        *slot = parsed.keep(&property, mean(property.value()));
                    }
                }
            }
        }
        let mut kinds = CONFIDENCES.into_iter().zip(confidences);
        parsed.confidence =
            kinds.find_map(|(kind, value)| value.map(|value| Confidence { value, kind }));
        parsed
    }

    fn keep<T>(&mut self, property: &Property<'_>, value: Result<T, String>) -> Option<T> {
        keep(&mut self.error, property.name, value)
    }
}

/// Fast path for titles such as `bbox 1 2 3 4` and `bbox 1 2 3 4; x_wconf 5`, which nearly all
/// words have.
#[inline]
fn parse_common(title: &str) -> Option<TitleProperties> {
    let (x1, rest) = digits(title.as_bytes().strip_prefix(b"bbox ")?)?;
    let (y1, rest) = digits(rest.strip_prefix(b" ")?)?;
    let (x2, rest) = digits(rest.strip_prefix(b" ")?)?;
    let (y2, rest) = digits(rest.strip_prefix(b" ")?)?;
    let mut parsed = TitleProperties {
        bbox: Some(BBox { x1, y1, x2, y2 }),
        ..TitleProperties::default()
    };
    if !rest.is_empty() {
        let rest = rest.strip_prefix(b";")?;
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let (value, rest) = digits(rest.strip_prefix(b"x_wconf ")?)?;
        if !rest.is_empty() {
            return None;
        }
        let [kind, ..] = CONFIDENCES;
        parsed.confidence = Some(Confidence { value, kind });
    }
    Some(parsed)
}

/// Parses the number of one to nine digits at the start, and returns the rest.
#[inline]
fn digits(bytes: &[u8]) -> Option<(f64, &[u8])> {
    const MAX_DIGITS: usize = 9;
    let mut value = 0u32;
    let mut length = 0;
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        if length == MAX_DIGITS {
            return None;
        }
        value = value * 10 + u32::from(digit);
        length += 1;
    }
    (length > 0).then(|| (f64::from(value), bytes.get(length..).unwrap_or_default()))
}

/// The properties seen so far.
#[derive(Default)]
struct SeenProperties(u8);

impl SeenProperties {
    fn is_first(&mut self, number: usize) -> bool {
        let bit = 1 << number;
        let is_first = self.0 & bit == 0;
        self.0 |= bit;
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read_from_one_title() {
        let parsed = TitleProperties::parse(
            "bbox 1 2 3 4; baseline 0.01 -3; textangle 90; x_wconf 85; ppageno 7; x_size 42.5",
        );
        assert_eq!(parsed.bbox.map(|b| b.width()), Some(2.0));
        assert_eq!(parsed.baseline.and_then(|b| b.slope), Some(0.01));
        assert_eq!(parsed.angle, Some(90.0));
        assert_eq!(parsed.page_number, Some(7));
        assert_eq!(parsed.error, None);
    }

    #[test]
    fn confidences_have_an_order() {
        let of = |title| {
            TitleProperties::parse(title)
                .confidence
                .map(|c| (c.kind, c.value))
        };
        assert_eq!(
            of("x_confs 0.2 0.4; x_conf 9; x_wconf 85"),
            Some(("x_wconf", 85.0))
        );
        assert_eq!(of("x_conf 74.30"), Some(("x_conf", 74.3)));
        assert_eq!(of("x_confs 1 2 6"), Some(("x_confs", 3.0)));
        assert_eq!(of("x_wconf ?; x_conf 9"), Some(("x_conf", 9.0)));
        assert_eq!(of("bbox 1 2 3 4"), None);
    }

    #[test]
    fn a_damaged_property_affects_nothing_else() {
        let parsed = TitleProperties::parse("bbox 1 2; x_wconf 85; baseline x");
        assert_eq!(parsed.bbox, None);
        assert_eq!(parsed.confidence.map(|c| c.value), Some(85.0));
        assert_eq!(
            parsed.error.as_deref(),
            Some("bbox: expected 4 numbers, got 2")
        );
        let parsed = TitleProperties::parse("bbox 1 2 3 4; x_wconf high; ppageno iv");
        assert!(parsed.bbox.is_some());
        assert_eq!(parsed.page_number, None);
        assert_eq!(
            parsed.error.as_deref(),
            Some("x_wconf: expected a number, got high")
        );
    }

    #[test]
    fn the_first_property_of_one_name_counts() {
        let of = |title| TitleProperties::parse(title).bbox.map(|b| b.x1);
        assert_eq!(of("bbox 1 2 3 4; bbox 5 6 7 8"), Some(1.0));
        assert_eq!(of("bbox a; bbox 5 6 7 8"), None);
    }

    #[test]
    fn common_titles_are_parsed_like_all_others() {
        for (title, is_common) in [
            ("bbox 1 22 333 4444", true),
            ("bbox 0 0 999999999 000000001; x_wconf 85", true),
            ("bbox 1 2 3 4;x_wconf 0", true),
            ("bbox 1 2 3 4; x_wconf 85; baseline 0 0", false),
            ("bbox 1 2 3 1234567890", false),
            ("bbox 1 2 3 4 ; x_wconf 85", false),
            ("bbox 1 2 3 4, x_wconf 85", false),
            ("bbox 1 2 3 4; x_conf 85", false),
            ("bbox 1 2 3 4; x_wconf 85.5", false),
            ("bbox 1 2 3 4; x_wconf -1", false),
            ("bbox 1 2 3 4x", false),
            ("bbox 1 2 3 4 5", false),
            ("bbox -1 2 3 4", false),
            ("bbox 1.5 2 3 4", false),
            ("bbox 1 2 3", false),
            ("bbox 1 2 3 ", false),
            ("bbox  1 2 3 4", false),
            ("bbox 1 2 3 4;", false),
            ("", false),
        ] {
            assert_eq!(parse_common(title).is_some(), is_common, "{title}");
            assert_eq!(
                TitleProperties::parse(title),
                TitleProperties::parse_any(title),
                "{title}"
            );
        }
    }
}
