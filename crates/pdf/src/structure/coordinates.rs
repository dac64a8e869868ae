//! Positions on the displayed page.

use crate::geometry::{Matrix, PageBox};
use crate::model::Rect;
use crate::pages::Page;

/// Converts the coordinates of a page's content to points from the top left of the displayed page.
pub(super) struct Coordinates(Matrix);

impl Coordinates {
    pub(super) fn on(page: &Page<'_>) -> Self {
        Self(PageBox::new(page).to_top_left)
    }

    /// The bounding box of points, given as x, y, x, y, …; `None` if there are none, or the result
    /// is not finite.
    pub(super) fn around(&self, coordinates: &[f64]) -> Option<Rect> {
        let (points, _) = coordinates.as_chunks::<2>();
        let point = |&[x, y]: &[f64; 2]| {
            let (x, y) = self.0.apply(x, y);
            let (x, y) = (x as f32, y as f32);
            Rect {
                x1: x,
                y1: y,
                x2: x,
                y2: y,
            }
        };
        let rect = points.iter().map(point).reduce(Rect::around)?;
        let is_finite = [rect.x1, rect.y1, rect.x2, rect.y2]
            .iter()
            .all(|value| value.is_finite());
        is_finite.then_some(rect)
    }
}
