//! Boxes, numbers and text in SVG syntax.

use crate::BBox;

/// The intersection of two boxes, if they touch.
pub(super) fn intersection(one: &BBox, other: &BBox) -> Option<BBox> {
    let intersection = BBox {
        x1: one.x1.max(other.x1),
        y1: one.y1.max(other.y1),
        x2: one.x2.min(other.x2),
        y2: one.y2.min(other.y2),
    };
    (intersection.width() >= 0.0 && intersection.height() >= 0.0).then_some(intersection)
}

pub(super) fn union(one: &BBox, other: &BBox) -> BBox {
    BBox {
        x1: one.x1.min(other.x1),
        y1: one.y1.min(other.y1),
        x2: one.x2.max(other.x2),
        y2: one.y2.max(other.y2),
    }
}

pub(super) fn place(bbox: &BBox) -> String {
    let [x, y, width, height] = [bbox.x1, bbox.y1, bbox.width(), bbox.height()].map(short);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// A number with as many decimals as a picture needs, even if the page is one unit wide.
pub(super) fn short(number: f64) -> String {
    let scale = if number.abs() < 10.0 { 1e4 } else { 100.0 };
    // Adding zero removes a negative zero.
    ((number * scale).round() / scale + 0.0).to_string()
}

/// A number for people.
pub(super) fn tenths(number: f64) -> String {
    ((number * 10.0).round() / 10.0 + 0.0).to_string()
}

/// Escapes text for XML, which cannot represent most control characters.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            _ => escaped.push(c),
        }
    }
    escaped
}
