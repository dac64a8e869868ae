//! What a `title` attribute states of an element.

use super::element::{BBox, Baseline, Confidence, keep};
use super::numbers::{checked, mean};
use super::title::{Property, baseline, bbox, properties};

#[derive(Debug, Default)]
pub(super) struct Stated {
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

impl Stated {
    /// Reads a title whose references are decoded. Of several properties of one name the first
    /// counts.
    pub fn of(title: &str) -> Self {
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
        let stated = Stated::of(
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
        let of = |title| Stated::of(title).confidence.map(|c| (c.kind, c.value));
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
        let stated = Stated::of("bbox 1 2; x_wconf 85; baseline x");
        assert_eq!(stated.bbox, None);
        assert_eq!(stated.confidence.map(|c| c.value), Some(85.0));
        assert_eq!(stated.error.as_deref(), Some("bbox: 2 of 4 numbers"));
        let stated = Stated::of("bbox 1 2 3 4; x_wconf high; ppageno iv");
        assert!(stated.bbox.is_some());
        assert_eq!(stated.page_number, None);
        assert_eq!(stated.error.as_deref(), Some("x_wconf: no number: high"));
    }

    #[test]
    fn the_first_property_of_one_name_counts() {
        let of = |title| Stated::of(title).bbox.map(|b| b.x1);
        assert_eq!(of("bbox 1 2 3 4; bbox 5 6 7 8"), Some(1.0));
        assert_eq!(of("bbox a; bbox 5 6 7 8"), None);
    }
}
