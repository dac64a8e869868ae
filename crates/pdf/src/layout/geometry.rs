//! Points and directions of glyphs, with numbers restricted to a safe range.

use std::borrow::Cow;

use crate::geometry;
use crate::glyphs::{Glyph, GlyphStyle};
use crate::model::Rect;

pub(super) type Point = (f32, f32);

/// The maximum coordinate. No page is larger, and beyond it, differences of `f32` are meaningless.
const MAX_COORDINATE: f32 = 1e6;
const MIN_SIZE: f32 = 1e-3;

/// Makes the numbers of glyphs safe for arithmetic: all finite, and sizes above zero.
pub(super) fn sanitize(glyphs: &[Glyph]) -> Cow<'_, [Glyph]> {
    if glyphs.iter().all(is_safe) {
        return Cow::Borrowed(glyphs);
    }
    Cow::Owned(glyphs.iter().map(sanitize_glyph).collect())
}

fn is_safe(glyph: &Glyph) -> bool {
    let near = |value: f32| value.abs() <= MAX_COORDINATE;
    // Without branches, these are fewer instructions.
    near(glyph.start.0)
        & near(glyph.start.1)
        & near(glyph.end.0)
        & near(glyph.end.1)
        & (glyph.size >= MIN_SIZE)
        & (glyph.size <= MAX_COORDINATE)
}

fn sanitize_glyph(glyph: &Glyph) -> Glyph {
    let number = |value: f32| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(-MAX_COORDINATE, MAX_COORDINATE)
        }
    };
    let point = |point: Point| (number(point.0), number(point.1));
    let (start, end) = (point(glyph.start), point(glyph.end));
    let mut size = number(glyph.size);
    if size < MIN_SIZE {
        size = length(minus(end, start)).clamp(MIN_SIZE, MAX_COORDINATE);
    }
    Glyph {
        start,
        end,
        size,
        ..glyph.clone()
    }
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

pub(super) fn length(vector: Point) -> f32 {
    geometry::length(vector.0, vector.1)
}

/// The length of a vector's projection on a direction.
pub(super) fn along(vector: Point, direction: Point) -> f32 {
    vector.0 * direction.0 + vector.1 * direction.1
}

/// The distance that a vector covers towards the next line: downwards, for a direction to the
/// right.
pub(super) fn across(vector: Point, direction: Point) -> f32 {
    vector.1 * direction.0 - vector.0 * direction.1
}

/// The direction of the baseline, if the glyph is wide enough to show one.
pub(super) fn direction(glyph: &Glyph) -> Option<Point> {
    let vector = minus(glyph.end, glyph.start);
    if vector.1 == 0.0 && vector.0 > 0.01 * glyph.size {
        return Some((1.0, 0.0));
    }
    let length = length(vector);
    (length > 0.01 * glyph.size).then(|| (vector.0 / length, vector.1 / length))
}

/// A direction in quarter turns clockwise from rightwards.
pub(super) fn quarter_turns(direction: Point) -> u8 {
    if direction.0.abs() >= direction.1.abs() {
        if direction.0 >= 0.0 { 0 } else { 2 }
    } else if direction.1 > 0.0 {
        1
    } else {
        3
    }
}

/// The space between two glyphs along the baseline of the first one.
pub(super) fn gap(before: &Glyph, after: &Glyph, fallback: Point) -> f32 {
    let direction = direction(before).unwrap_or(fallback);
    along(minus(after.start, before.end), direction)
}

/// The size that gaps are compared with: the smaller one, because a space next to a large initial
/// is as wide as in the text. But a footnote number, which is much smaller than the surrounding
/// text, counts only partly.
pub(super) fn em(before: &Glyph, after: &Glyph) -> f32 {
    let (smaller, larger) = if before.size < after.size {
        (before.size, after.size)
    } else {
        (after.size, before.size)
    };
    smaller.max(0.5 * larger)
}

/// The bounding box of a glyph.
pub(super) fn glyph_box(glyph: &Glyph, style: Option<&GlyphStyle>, fallback: Point) -> Rect {
    let direction = direction(glyph).unwrap_or(fallback);
    let (mut up, mut down) = (0.75, -0.25);
    if let Some(style) = style {
        if style.vertical {
            // In vertical writing, the baseline runs through the center of the characters.
            (up, down) = (0.5, -0.5);
        } else if style.ascent.abs() < 10.0
            && style.descent.abs() < 10.0
            && style.ascent > style.descent
        {
            (up, down) = (style.ascent, style.descent);
        }
    }
    let upwards = (direction.1 * glyph.size, -direction.0 * glyph.size);
    let corner =
        |point: Point, height: f32| (point.0 + upwards.0 * height, point.1 + upwards.1 * height);
    let [a, b, c, d] = [
        corner(glyph.start, up),
        corner(glyph.start, down),
        corner(glyph.end, up),
        corner(glyph.end, down),
    ];
    Rect {
        x1: a.0.min(b.0).min(c.0).min(d.0),
        y1: a.1.min(b.1).min(c.1).min(d.1),
        x2: a.0.max(b.0).max(c.0).max(d.0),
        y2: a.1.max(b.1).max(c.1).max(d.1),
    }
}
