//! Points and directions of glyphs, and numbers that no file can spoil.

use std::borrow::Cow;

use crate::glyphs::{Glyph, GlyphStyle};
use crate::model::Rect;

pub(super) type Point = (f32, f32);

/// No page is larger; beyond it, differences of `f32` say nothing.
const FARTHEST: f32 = 1e6;
const SMALLEST: f32 = 1e-3;

/// Glyphs whose numbers can be calculated with: finite, of a size above zero.
pub(super) fn sane(glyphs: &[Glyph]) -> Cow<'_, [Glyph]> {
    if glyphs.iter().all(is_sane) {
        return Cow::Borrowed(glyphs);
    }
    Cow::Owned(glyphs.iter().map(made_sane).collect())
}

fn is_sane(glyph: &Glyph) -> bool {
    let near = |value: f32| value.abs() <= FARTHEST;
    near(glyph.start.0)
        && near(glyph.start.1)
        && near(glyph.end.0)
        && near(glyph.end.1)
        && glyph.size >= SMALLEST
        && glyph.size <= FARTHEST
}

fn made_sane(glyph: &Glyph) -> Glyph {
    let number = |value: f32| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(-FARTHEST, FARTHEST)
        }
    };
    let point = |point: Point| (number(point.0), number(point.1));
    let (start, end) = (point(glyph.start), point(glyph.end));
    let mut size = number(glyph.size);
    if size < SMALLEST {
        size = length(minus(end, start)).clamp(SMALLEST, FARTHEST);
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
    vector.0.hypot(vector.1)
}

/// How far a vector goes in a direction.
pub(super) fn along(vector: Point, direction: Point) -> f32 {
    vector.0 * direction.0 + vector.1 * direction.1
}

/// How far a vector goes to where the next line is: down, for a direction to the right.
pub(super) fn across(vector: Point, direction: Point) -> f32 {
    vector.1 * direction.0 - vector.0 * direction.1
}

/// The direction of the baseline, if the glyph has a width that tells it.
pub(super) fn direction(glyph: &Glyph) -> Option<Point> {
    let vector = minus(glyph.end, glyph.start);
    if vector.1 == 0.0 && vector.0 > 0.01 * glyph.size {
        return Some((1.0, 0.0));
    }
    let length = length(vector);
    (length > 0.01 * glyph.size).then(|| (vector.0 / length, vector.1 / length))
}

/// The space between two glyphs along the baseline of the first one.
pub(super) fn gap(before: &Glyph, after: &Glyph, otherwise: Point) -> f32 {
    let direction = direction(before).unwrap_or(otherwise);
    along(minus(after.start, before.end), direction)
}

/// What gaps are compared to. The smaller size counts, since a space next to a large initial is still as
/// wide as the text's; but not that of a footnote's number, which is much smaller than the text around.
pub(super) fn em(before: &Glyph, after: &Glyph) -> f32 {
    let (less, more) = if before.size < after.size {
        (before.size, after.size)
    } else {
        (after.size, before.size)
    };
    less.max(0.5 * more)
}

/// What a glyph covers.
pub(super) fn glyph_box(glyph: &Glyph, style: Option<&GlyphStyle>, otherwise: Point) -> Rect {
    let direction = direction(glyph).unwrap_or(otherwise);
    let (mut up, mut down) = (0.75, -0.25);
    if let Some(style) = style {
        if style.vertical {
            // The baseline of vertical writing goes through the middle of the signs.
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

/// The box around two boxes.
pub(super) fn around(a: Rect, b: Rect) -> Rect {
    Rect {
        x1: a.x1.min(b.x1),
        y1: a.y1.min(b.y1),
        x2: a.x2.max(b.x2),
        y2: a.y2.max(b.y2),
    }
}
