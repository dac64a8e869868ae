//! The widths of CIDs. Ranges are stored as such, since a file may declare one of four billion
//! CIDs.

use hayro_syntax::object::{Array, Dict, Object};

/// The widths of a CID font, in thousandths of an em.
#[derive(Debug)]
pub struct CidWidths {
    /// Ranges of CIDs with their widths, sorted by the first CID.
    ranges: Vec<(u32, u32, f32)>,
    default: f32,
}

impl CidWidths {
    /// Reads `W`, and `DW` for all other CIDs.
    pub fn horizontal(font: &Dict<'_>) -> Self {
        let default = font.get::<f32>(b"DW").unwrap_or(1000.0);
        Self::new(font.get::<Array<'_>>(b"W"), default, 1)
    }

    /// Reads the downward advances: `W2`, and `DW2` for all other CIDs.
    pub fn vertical(font: &Dict<'_>) -> Self {
        let default = font
            .get::<[f32; 2]>(b"DW2")
            .map_or(-1000.0, |[_, down]| down);
        // Each CID has two further numbers, the position of its origin.
        Self::new(font.get::<Array<'_>>(b"W2"), default, 3)
    }

    /// The widths if CIDs are codes: ASCII, whose CID is 0, is half as wide as the rest.
    pub fn half_for_ascii() -> Self {
        Self {
            ranges: vec![(0, 0, 500.0)],
            default: 1000.0,
        }
    }

    fn new(array: Option<Array<'_>>, default: f32, numbers_each: usize) -> Self {
        let mut ranges = Vec::new();
        let mut pending: Vec<f32> = Vec::new();
        for item in array.iter().flat_map(|array| array.iter::<Object<'_>>()) {
            match item {
                Object::Number(number) => {
                    pending.push(number.as_f32());
                    if let (&[first, last, width, ..], true) =
                        (&*pending, pending.len() == numbers_each + 2)
                    {
                        ranges.push((first as u32, last as u32, width));
                        pending.clear();
                    }
                }
                Object::Array(list) => {
                    let first = pending.last().map_or(0, |&first| first as u32);
                    let numbers = list
                        .iter::<Object<'_>>()
                        .map(|o| o.into_f32().unwrap_or(0.0));
                    for (cid, width) in (first..=u32::MAX).zip(numbers.step_by(numbers_each)) {
                        ranges.push((cid, cid, width));
                    }
                    pending.clear();
                }
                _ => {}
            }
        }
        ranges.sort_by_key(|range| range.0);
        Self { ranges, default }
    }

    /// In ems.
    pub fn get(&self, cid: u32) -> f64 {
        let end = self.ranges.partition_point(|range| range.0 <= cid);
        let found = self.ranges[..end].last().filter(|range| cid <= range.1);
        f64::from(found.map_or(self.default, |range| range.2)) / 1000.0
    }
}
