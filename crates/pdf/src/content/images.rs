//! Measures how much of a page its images cover.

use crate::geometry::Matrix;

/// The number of grid cells along each side of the page.
const CELLS: usize = 64;

/// A coarse grid over the page. A cell is covered if an image covers its centre.
#[derive(Clone, Debug)]
pub struct ImageCover {
    width: f64,
    height: f64,
    /// One bit per cell, one integer per row.
    rows: [u64; CELLS],
}

impl ImageCover {
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            rows: [0; CELLS],
        }
    }

    /// Adds an image, which `matrix` maps from the unit square. For a rotated image, its bounding
    /// box counts.
    pub fn add(&mut self, matrix: Matrix) {
        let [x1, y1, x2, y2] = matrix.bounds([0.0, 0.0, 1.0, 1.0]);
        let columns = cells_between(x1 / self.width, x2 / self.width);
        let rows = cells_between(y1 / self.height, y2 / self.height);
        let mask = columns.fold(0_u64, |mask, column| mask | 1 << column);
        for row in self.rows.iter_mut().take(rows.end).skip(rows.start) {
            *row |= mask;
        }
    }

    /// The covered share of the page, from 0 to 1.
    pub fn share(&self) -> f32 {
        let covered: u32 = self.rows.iter().map(|row| row.count_ones()).sum();
        covered as f32 / (CELLS * CELLS) as f32
    }
}

/// The cells whose centres lie between two positions, given as shares of a side. Empty for NaN,
/// which `as` converts to 0.
fn cells_between(from: f64, to: f64) -> std::ops::Range<usize> {
    let place = |share: f64| {
        (share * CELLS as f64 + 0.5)
            .floor()
            .clamp(0.0, CELLS as f64) as usize
    };
    place(from)..place(to)
}

#[cfg(test)]
mod tests {
    use super::{ImageCover, Matrix};

    #[test]
    fn overlaps_count_once_and_images_off_the_page_not_at_all() {
        let mut cover = ImageCover::new(200.0, 100.0);
        assert_eq!(cover.share(), 0.0);
        for _ in 0..2 {
            cover.add(Matrix::new([100.0, 0.0, 0.0, 100.0, 0.0, 0.0]));
        }
        assert_eq!(cover.share(), 0.5);
        cover.add(Matrix::new([100.0, 0.0, 0.0, 100.0, 500.0, 0.0]));
        cover.add(Matrix::new([f64::NAN; 6]));
        assert_eq!(cover.share(), 0.5);
        cover.add(Matrix::new([1e30, 0.0, 0.0, -1e30, -1e29, 1e29]));
        assert_eq!(cover.share(), 1.0);
    }
}
