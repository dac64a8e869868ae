//! Matrices, rectangles, and the conversion from page coordinates to result coordinates.

use hayro_syntax::page::Rotation;

use crate::model::Rect;
use crate::pages::Page;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
    pub f: f64,
}

impl Matrix {
    pub const IDENTITY: Self = Self::new([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub const fn new([a, b, c, d, e, f]: [f64; 6]) -> Self {
        Self { a, b, c, d, e, f }
    }

    pub const fn translation(e: f64, f: f64) -> Self {
        Self::new([1.0, 0.0, 0.0, 1.0, e, f])
    }

    /// The product: applies this matrix first, then `next`.
    pub fn then(self, next: Self) -> Self {
        Self {
            a: self.a * next.a + self.b * next.c,
            b: self.a * next.b + self.b * next.d,
            c: self.c * next.a + self.d * next.c,
            d: self.c * next.b + self.d * next.d,
            e: self.e * next.a + self.f * next.c + next.e,
            f: self.e * next.b + self.f * next.d + next.f,
        }
    }

    /// Like `Matrix::translation(x, y).then(self)`.
    #[inline]
    pub fn translated(self, x: f64, y: f64) -> Self {
        let (e, f) = self.apply(x, y);
        Self { e, f, ..self }
    }

    #[inline]
    pub fn apply(self, x: f64, y: f64) -> (f64, f64) {
        (
            x * self.a + y * self.c + self.e,
            x * self.b + y * self.d + self.f,
        )
    }

    /// The bounding box of a transformed rectangle.
    pub fn bounds(self, [x1, y1, x2, y2]: [f64; 4]) -> [f64; 4] {
        let corners = [
            self.apply(x1, y1),
            self.apply(x2, y1),
            self.apply(x1, y2),
            self.apply(x2, y2),
        ];
        corners.iter().fold(
            [
                f64::INFINITY,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
            ],
            |b, &(x, y)| [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)],
        )
    }
}

/// The length of a vector. Most are horizontal, and `hypot` is slow.
pub fn length(x: f32, y: f32) -> f32 {
    if y == 0.0 { x.abs() } else { x.hypot(y) }
}

impl Rect {
    /// The bounding box of two rectangles.
    pub(crate) fn around(self, other: Self) -> Self {
        Self {
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
            x2: self.x2.max(other.x2),
            y2: self.y2.max(other.y2),
        }
    }

    pub(crate) fn center(self) -> (f32, f32) {
        ((self.x1 + self.x2) / 2.0, (self.y1 + self.y2) / 2.0)
    }

    /// Whether the center of another rectangle is in this one.
    pub(crate) fn has_center_of(self, other: Self) -> bool {
        let (x, y) = other.center();
        self.x1 <= x && x <= self.x2 && self.y1 <= y && y <= self.y2
    }
}

/// How a page is displayed: its size after rotation, and the matrix from its own coordinates to
/// points from the top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageBox {
    pub width: f64,
    pub height: f64,
    pub rotation: u16,
    pub to_top_left: Matrix,
}

impl PageBox {
    /// Takes the crop box, the media box or A4, whichever is usable first.
    pub fn new(page: &Page<'_>) -> Self {
        let usable = |r: hayro_syntax::object::Rect| {
            let edges = [r.x0, r.y0, r.x1, r.y1];
            (edges.iter().all(|e| e.is_finite()) && r.width() >= 1.0 && r.height() >= 1.0)
                .then_some(edges)
        };
        let [x1, y1, x2, y2] = usable(page.visible_box())
            .or_else(|| usable(page.media_box()))
            .unwrap_or([0.0, 0.0, 595.0, 842.0]);
        let (width, height) = (x2 - x1, y2 - y1);
        match page.rotation() {
            Rotation::None => Self {
                width,
                height,
                rotation: 0,
                to_top_left: Matrix::new([1.0, 0.0, 0.0, -1.0, -x1, y2]),
            },
            Rotation::Horizontal => Self {
                width: height,
                height: width,
                rotation: 90,
                to_top_left: Matrix::new([0.0, 1.0, 1.0, 0.0, -y1, -x1]),
            },
            Rotation::Flipped => Self {
                width,
                height,
                rotation: 180,
                to_top_left: Matrix::new([-1.0, 0.0, 0.0, 1.0, x2, -y1]),
            },
            Rotation::FlippedHorizontal => Self {
                width: height,
                height: width,
                rotation: 270,
                to_top_left: Matrix::new([0.0, -1.0, -1.0, 0.0, y2, x2]),
            },
        }
    }
}
