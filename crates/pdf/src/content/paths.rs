//! Collects the straight lines and rectangles that a page draws.
//!
//! Clipping and dashes are ignored. A thin filled rectangle is a line, because many programs draw
//! lines that way. Curves are dropped, except for small shapes: many programs draw the bullets of
//! lists.

use super::lexer::Lexer;
use super::state::State;
use crate::drawing::{Drawing, DrawnBullet};
use crate::geometry::{Matrix, PageBox};
use crate::model::{DrawnArea, DrawnLine, Rect};

/// Maximum number of lines, and of areas, per page. Only maps and plots come close to it, never
/// pages with tables.
const MAX_DRAWN_PER_PAGE: usize = 100_000;
/// The maximum number of parts of a path before it is painted.
const MAX_PARTS: usize = 100_000;
/// Filled rectangles up to this width are lines, in points.
const MAX_LINE_WIDTH_POINTS: f32 = 3.0;
/// How far the corners of a rectangle may be off, in points.
const MAX_SKEW_POINTS: f32 = 0.5;
/// The sides of a bullet, in points, and the maximum ratio of its sides.
const BULLET_SIDE: std::ops::RangeInclusive<f32> = 1.0..=12.0;
const MAX_BULLET_RATIO: f32 = 1.3;
const WHITE: u32 = 0xff_ffff;

type Point = (f32, f32);

/// A part of the current path.
enum PathPart {
    Line(Point, Point),
    /// A rectangle parallel to the page.
    Rect(Rect),
    /// The box around a subpath with curves.
    Curve(Rect),
}

/// Whether content that ends after this operator leaves a path unfinished.
pub fn is_unfinished_after(operator: &[u8]) -> bool {
    matches!(operator, b"m" | b"l" | b"c" | b"v" | b"y" | b"h" | b"re")
}

/// How a path is painted.
#[derive(Clone, Copy)]
struct Paint {
    is_stroked: bool,
    is_filled: bool,
    is_closed: bool,
}

pub struct Paths {
    width: f32,
    height: f32,
    drawing: Drawing,
    path: Vec<PathPart>,
    /// The corners of the current subpath, as long as it may be a rectangle.
    corners: Vec<Point>,
    /// The box around the current subpath, if it has curves.
    curve: Option<Rect>,
    start: Point,
    current: Point,
}

impl Paths {
    pub fn new(page: PageBox) -> Self {
        Self {
            width: page.width as f32,
            height: page.height as f32,
            drawing: Drawing::default(),
            path: Vec::new(),
            corners: Vec::new(),
            curve: None,
            start: (0.0, 0.0),
            current: (0.0, 0.0),
        }
    }

    pub fn finish(self) -> Drawing {
        self.drawing
    }

    /// Executes an operator that builds or paints a path; others have no effect.
    pub fn operator(
        &mut self,
        operator: &[u8],
        lexer: &Lexer<'_>,
        state: &mut State<'_>,
        is_hidden: bool,
    ) {
        match operator {
            b"m" => {
                if let Some(to) = point(lexer, state.matrix) {
                    self.start_at(to);
                }
            }
            b"l" => {
                if let Some(to) = point(lexer, state.matrix) {
                    self.line_to(to);
                }
            }
            b"c" | b"v" | b"y" => {
                if let Some(to) = point(lexer, state.matrix) {
                    self.corners.clear();
                    let around = self
                        .curve
                        .unwrap_or_else(|| rect_of(self.current, self.current));
                    self.curve = Some(around.around(rect_of(to, to)));
                    self.current = to;
                }
            }
            b"h" => self.close(),
            b"re" => {
                if let Some([x, y, width, height]) = lexer.numbers() {
                    self.rect([x, y, x + width, y + height], state.matrix);
                }
            }
            b"w" => {
                if let Some([width]) = lexer.numbers() {
                    state.line_width = width;
                }
            }
            b"n" => self.clear(),
            _ => {
                if let Some(paint) = paint(operator) {
                    if !is_hidden {
                        self.paint(paint, state);
                    }
                    self.clear();
                }
            }
        }
    }

    /// Keeps a small shaded form, which may be a bullet, as in slides of LaTeX.
    pub fn shaded(&mut self, corners: [f64; 4], matrix: Matrix) {
        let [x1, y1, x2, y2] = matrix.bounds(corners).map(|edge| edge as f32);
        self.bullet(Rect { x1, y1, x2, y2 }, '•', None);
    }

    fn start_at(&mut self, to: Point) {
        self.end_subpath();
        self.corners.push(to);
        (self.start, self.current) = (to, to);
    }

    fn line_to(&mut self, to: Point) {
        self.add(PathPart::Line(self.current, to));
        // A fifth corner closes the rectangle; a sixth one means that it is something else.
        if (1..=5).contains(&self.corners.len()) {
            self.corners.push(to);
        }
        if let Some(curve) = &mut self.curve {
            *curve = curve.around(rect_of(to, to));
        }
        self.current = to;
    }

    fn close(&mut self) {
        if self.current != self.start {
            self.line_to(self.start);
        }
        self.end_subpath();
    }

    /// Replaces the lines of a subpath by a rectangle, if they form one.
    fn end_subpath(&mut self) {
        if let Some((rect, lines)) = rectangle(&self.corners) {
            self.path.truncate(self.path.len().saturating_sub(lines));
            self.add(PathPart::Rect(rect));
        }
        if let Some(curve) = self.curve.take() {
            self.add(PathPart::Curve(curve));
        }
        self.corners.clear();
    }

    fn rect(&mut self, corners: [f64; 4], matrix: Matrix) {
        self.end_subpath();
        let is_level = (matrix.b == 0.0 && matrix.c == 0.0) || (matrix.a == 0.0 && matrix.d == 0.0);
        if is_level {
            let [x1, y1, x2, y2] = matrix.bounds(corners).map(|edge| edge as f32);
            self.add(PathPart::Rect(Rect { x1, y1, x2, y2 }));
        }
    }

    fn add(&mut self, part: PathPart) {
        if self.path.len() < MAX_PARTS {
            self.path.push(part);
        } else {
            self.drawing.is_cut = true;
        }
    }

    fn clear(&mut self) {
        self.path.clear();
        self.corners.clear();
        self.curve = None;
    }

    fn paint(&mut self, paint: Paint, state: &State<'_>) {
        if paint.is_closed {
            self.close();
        }
        self.end_subpath();
        let scale = (state.matrix.a * state.matrix.d - state.matrix.b * state.matrix.c).abs();
        let width = (state.line_width.abs() * scale.sqrt()) as f32;
        for part in std::mem::take(&mut self.path) {
            match part {
                PathPart::Rect(rect) => {
                    if paint.is_stroked {
                        self.outline(rect, width);
                    }
                    if paint.is_filled {
                        self.fill(rect, state.color);
                        self.bullet(rect, '▪', state.color);
                    }
                }
                PathPart::Curve(rect) if paint.is_filled => self.bullet(rect, '•', state.color),
                PathPart::Curve(rect) => self.bullet(rect, '◦', None),
                PathPart::Line(from, to) if paint.is_stroked => self.line(from, to, width),
                PathPart::Line(..) => {}
            }
        }
    }

    /// Keeps a shape if it may be a bullet.
    fn bullet(&mut self, bbox: Rect, sign: char, color: Option<u32>) {
        let (width, height) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
        let is_small = BULLET_SIDE.contains(&width) && BULLET_SIDE.contains(&height);
        if is_small
            && width.max(height) <= MAX_BULLET_RATIO * width.min(height)
            && color != Some(WHITE)
            && self.drawing.bullets.len() < MAX_DRAWN_PER_PAGE
        {
            self.drawing.bullets.push(DrawnBullet { bbox, sign });
        }
    }

    fn outline(&mut self, rect: Rect, width: f32) {
        let Rect { x1, y1, x2, y2 } = rect;
        self.line((x1, y1), (x2, y1), width);
        self.line((x2, y1), (x2, y2), width);
        self.line((x1, y2), (x2, y2), width);
        self.line((x1, y1), (x1, y2), width);
    }

    fn fill(&mut self, rect: Rect, color: Option<u32>) {
        let Rect { x1, y1, x2, y2 } = rect;
        let (width, height) = (x2 - x1, y2 - y1);
        if width.min(height) > MAX_LINE_WIDTH_POINTS {
            self.area(rect, color);
        } else if color == Some(WHITE) {
            // Invisible on paper.
        } else if width >= height {
            let y = (y1 + y2) / 2.0;
            self.line((x1, y), (x2, y), height);
        } else {
            let x = (x1 + x2) / 2.0;
            self.line((x, y1), (x, y2), width);
        }
    }

    /// Keeps the part of a line that is on the page.
    fn line(&mut self, from: Point, to: Point, width: f32) {
        let values = [from.0, from.1, to.0, to.1, width];
        if values.iter().any(|value| !value.is_finite()) || !self.is_on_page(from, to) {
            return;
        }
        if self.drawing.lines.len() >= MAX_DRAWN_PER_PAGE {
            self.drawing.is_cut = true;
            return;
        }
        // Only lines parallel to the page keep their direction when they are clipped.
        let is_level =
            (from.0 - to.0).abs() <= MAX_SKEW_POINTS || (from.1 - to.1).abs() <= MAX_SKEW_POINTS;
        let [from, to] = [from, to].map(|point| if is_level { self.on_page(point) } else { point });
        self.drawing.lines.push(DrawnLine {
            x1: from.0,
            y1: from.1,
            x2: to.0,
            y2: to.1,
            width,
        });
    }

    fn area(&mut self, rect: Rect, color: Option<u32>) {
        let (from, to) = ((rect.x1, rect.y1), (rect.x2, rect.y2));
        let values = [from.0, from.1, to.0, to.1];
        if values.iter().any(|value| !value.is_finite()) || !self.is_on_page(from, to) {
            return;
        }
        if self.drawing.areas.len() >= MAX_DRAWN_PER_PAGE {
            self.drawing.is_cut = true;
            return;
        }
        let (from, to) = (self.on_page(from), self.on_page(to));
        self.drawing.areas.push(DrawnArea {
            bbox: Rect {
                x1: from.0,
                y1: from.1,
                x2: to.0,
                y2: to.1,
            },
            color,
        });
    }

    fn is_on_page(&self, from: Point, to: Point) -> bool {
        from.0.max(to.0) >= 0.0
            && from.1.max(to.1) >= 0.0
            && from.0.min(to.0) <= self.width
            && from.1.min(to.1) <= self.height
    }

    fn on_page(&self, point: Point) -> Point {
        (
            point.0.clamp(0.0, self.width),
            point.1.clamp(0.0, self.height),
        )
    }
}

fn rect_of(a: Point, b: Point) -> Rect {
    Rect {
        x1: a.0.min(b.0),
        y1: a.1.min(b.1),
        x2: a.0.max(b.0),
        y2: a.1.max(b.1),
    }
}

/// The last two operands, as a point on the page.
fn point(lexer: &Lexer<'_>, matrix: Matrix) -> Option<Point> {
    let [x, y] = lexer.numbers()?;
    let (x, y) = matrix.apply(x, y);
    Some((x as f32, y as f32))
}

fn paint(operator: &[u8]) -> Option<Paint> {
    let (is_stroked, is_filled, is_closed) = match operator {
        b"S" => (true, false, false),
        b"s" => (true, false, true),
        b"f" | b"F" | b"f*" => (false, true, false),
        b"B" | b"B*" => (true, true, false),
        b"b" | b"b*" => (true, true, true),
        _ => return None,
    };
    Some(Paint {
        is_stroked,
        is_filled,
        is_closed,
    })
}

/// The rectangle with these corners, drawn in sequence, and the number of lines between them.
fn rectangle(corners: &[Point]) -> Option<(Rect, usize)> {
    let (a, b, c, d) = match *corners {
        [a, b, c, d] => (a, b, c, d),
        [a, b, c, d, e] if is_near(a.0, e.0) && is_near(a.1, e.1) => (a, b, c, d),
        _ => return None,
    };
    let is_level = is_near(a.1, b.1) && is_near(b.0, c.0) && is_near(c.1, d.1) && is_near(d.0, a.0);
    let is_upright =
        is_near(a.0, b.0) && is_near(b.1, c.1) && is_near(c.0, d.0) && is_near(d.1, a.1);
    (is_level || is_upright).then(|| (rect_of(a, c), corners.len() - 1))
}

fn is_near(a: f32, b: f32) -> bool {
    (a - b).abs() <= MAX_SKEW_POINTS
}
