//! Colours of confidences.

use super::layout::{Drawn, Layout};

/// The colours of Okabe and Ito, which people tell apart whatever colours they see: of confidences
/// from so many percent on.
pub(super) const COLOURS: [(f64, &str); 5] = [
    (0.0, "#d55e00"),
    (50.0, "#e69f00"),
    (70.0, "#f0e442"),
    (85.0, "#56b4e9"),
    (95.0, "#0072b2"),
];
pub(super) const NO_CONFIDENCE: &str = "#999999";

/// The confidence of an element, or that of its words, since many programs state no other.
pub(super) fn percent(layout: &Layout, drawn: &Drawn) -> Option<f64> {
    let confidence = drawn.confidence.or_else(|| drawn.words.value());
    confidence.map(|confidence| layout.scale.percent(confidence))
}

pub(super) fn colour(percent: f64) -> &'static str {
    let reached = COLOURS.iter().rev().find(|(from, _)| percent >= *from);
    // Nothing is less sure than what is stated as less than nothing.
    reached.map_or(COLOURS[0].1, |(_, colour)| colour)
}
