//! What a `title` attribute states of an element.

use super::element::{BBox, Baseline, Confidence, keep};
use super::numbers::{checked, mean};
use super::title::{Property, baseline, bbox, properties};

#[derive(Debug, Default, PartialEq)]
pub(super) struct TitleProperties {
    pub bbox: Option<BBox>,
    pub confidence: Option<Confidence>,
    pub baseline: Option<Baseline>,
    pub angle: Option<f64>,
    pub page_number: Option<i64>,
    /// What could not be read first.
    pub error: Option<String>,
}

/// Properties that are a confidence. The first of these that is stated counts.
const CONFIDENCES: [&str; 3] = ["x_wconf", "x_conf", "x_confs"];

impl TitleProperties {
    /// Reads a title whose references are decoded. Of several properties of one name the first
    /// counts.
    #[inline]
    pub fn of(title: &str) -> Self {
        usual(title).unwrap_or_else(|| Self::of_any(title))
    }

    fn of_any(title: &str) -> Self {
        let mut stated = Self::default();
        let mut confidences = [None; CONFIDENCES.len()];
        let mut seen = Seen::default();
        for property in properties(title) {
            match property.name {
                "bbox" if seen.is_first(0) => {
                    stated.bbox = stated.keep(&property, bbox(property.raw))
                }
                "baseline" if seen.is_first(1) => {
                    stated.baseline = stated.keep(&property, baseline(property.raw));
                }
                "textangle" if seen.is_first(2) => {
                    stated.angle = stated.keep(&property, checked(property.value()));
                }
                "ppageno" if seen.is_first(3) => {
                    stated.page_number = property.value().parse().ok();
                }
                name => {
                    let kind = CONFIDENCES.iter().position(|kind| *kind == name);
                    if let Some(place) = kind.filter(|place| seen.is_first(4 + place))
                        && let Some(slot) = confidences.get_mut(place)
                    {
                        *slot = stated.keep(&property, mean(property.value()));
                    }
                }
            }
        }
        let mut kinds = CONFIDENCES.into_iter().zip(confidences);
        stated.confidence =
            kinds.find_map(|(kind, value)| value.map(|value| Confidence { value, kind }));
        stated
    }

    fn keep<T>(&mut self, property: &Property<'_>, value: Result<T, String>) -> Option<T> {
        keep(&mut self.error, property.name, value)
    }
}

/// Parses `bbox 1 2 3 4` and `bbox 1 2 3 4; x_wconf 5`, the titles of nearly all words, which takes
/// a fraction of the time of splitting properties.
#[inline]
fn usual(title: &str) -> Option<TitleProperties> {
    let (x1, rest) = digits(title.as_bytes().strip_prefix(b"bbox ")?)?;
    let (y1, rest) = digits(rest.strip_prefix(b" ")?)?;
    let (x2, rest) = digits(rest.strip_prefix(b" ")?)?;
    let (y2, rest) = digits(rest.strip_prefix(b" ")?)?;
    let mut stated = TitleProperties {
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
        stated.confidence = Some(Confidence { value, kind });
    }
    Some(stated)
}

/// The number at the start, of one to nine digits, and what follows it.
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

/// Which properties came already.
#[derive(Default)]
struct Seen(u8);

impl Seen {
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
        let stated = TitleProperties::of(
            "bbox 1 2 3 4; baseline 0.01 -3; textangle 90; x_wconf 85; ppageno 7; x_size 42.5",
        );
        assert_eq!(stated.bbox.map(|b| b.width()), Some(2.0));
        assert_eq!(stated.baseline.and_then(|b| b.slope), Some(0.01));
        assert_eq!(stated.angle, Some(90.0));
        assert_eq!(stated.page_number, Some(7));
        assert_eq!(stated.error, None);
    }

    #[test]
    fn confidences_have_an_order() {
        let of = |title| {
            TitleProperties::of(title)
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
    fn what_is_broken_costs_itself() {
        let stated = TitleProperties::of("bbox 1 2; x_wconf 85; baseline x");
        assert_eq!(stated.bbox, None);
        assert_eq!(stated.confidence.map(|c| c.value), Some(85.0));
        assert_eq!(stated.error.as_deref(), Some("bbox: 2 of 4 numbers"));
        let stated = TitleProperties::of("bbox 1 2 3 4; x_wconf high; ppageno iv");
        assert!(stated.bbox.is_some());
        assert_eq!(stated.page_number, None);
        assert_eq!(stated.error.as_deref(), Some("x_wconf: no number: high"));
    }

    #[test]
    fn the_first_property_of_one_name_counts() {
        let of = |title| TitleProperties::of(title).bbox.map(|b| b.x1);
        assert_eq!(of("bbox 1 2 3 4; bbox 5 6 7 8"), Some(1.0));
        assert_eq!(of("bbox a; bbox 5 6 7 8"), None);
    }

    #[test]
    fn usual_titles_are_parsed_like_all_others() {
        for (title, is_usual) in [
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
            assert_eq!(usual(title).is_some(), is_usual, "{title}");
            assert_eq!(
                TitleProperties::of(title),
                TitleProperties::of_any(title),
                "{title}"
            );
        }
    }
}
