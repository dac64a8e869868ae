//! Lists of points such as `10,20 500,20 500,300`, used by ALTO and PAGE XML.

use super::element::{BBox, Baseline};
use super::numbers::{parse_number, words};

const NO_POINTS: &str = "expected points, got none";
/// The smallest box that contains all points.
pub(super) fn enclosing_box(points: &str) -> Result<BBox, String> {
    let mut bbox = None;
    for_each_point(points, |x, y| bbox = Some(BBox::around(bbox, x, y)))?;
    bbox.ok_or_else(|| NO_POINTS.to_owned())
}

/// The line from the first point to the last, relative to a box.
pub(super) fn baseline(points: &str, bbox: Option<BBox>) -> Result<Baseline, String> {
    let mut first = None;
    let mut last = None;
    for_each_point(points, |x, y| {
        first = first.or(Some((x, y)));
        last = Some((x, y));
    })?;
    let (Some((x1, y1)), Some((x2, y2))) = (first, last) else {
        return Err(NO_POINTS.to_owned());
    };
    let slope = (x1 != x2).then(|| (y2 - y1) / (x2 - x1));
    Ok(Baseline {
        slope,
        offset: bbox.map(|bbox| y1 - bbox.y2),
    })
}

/// Calls `emit` with each point. Any separator between the two coordinates is accepted.
fn for_each_point(points: &str, mut emit: impl FnMut(f64, f64)) -> Result<(), String> {
    let mut words = words(points);
    while let Some(x) = words.next() {
        let y = words.next().ok_or("a point has only one coordinate")?;
        emit(parse_number(x)?, parse_number(y)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_encloses_all_points() {
        let expected = BBox {
            x1: 1.0,
            y1: -2.0,
            x2: 9.0,
            y2: 8.0,
        };
        assert_eq!(enclosing_box("5,8 1,3 9,-2"), Ok(expected));
        // ALTO before version 4 has only blanks.
        assert_eq!(enclosing_box(" 5 8 1 3 9 -2 "), Ok(expected));
        assert_eq!(enclosing_box("5,8 1,3, 9,-2"), Ok(expected));
    }

    #[test]
    fn damaged_points_have_no_box() {
        for points in ["", "1", "1,2 3", "1,2 x,3", "{{ page }},0"] {
            assert!(enclosing_box(points).is_err(), "{points}");
            assert!(baseline(points, None).is_err(), "{points}");
        }
    }

    #[test]
    fn a_baseline_goes_from_the_first_point_to_the_last() {
        let bbox = enclosing_box("0,0 100,50").ok();
        let line = baseline("0,45 50,99 100,55", bbox).unwrap();
        assert_eq!(line.slope, Some(0.1));
        assert_eq!(line.offset, Some(-5.0));
        let upright = baseline("7,1 7,9", None).unwrap();
        assert_eq!((upright.slope, upright.offset), (None, None));
    }
}
