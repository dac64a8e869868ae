//! Colors of confidences.

use super::layout::{DrawnElement, Layout};

/// The colors of Okabe and Ito, which are suitable for color-blind people, each with the lowest
/// confidence in percent that it is used for.
pub(super) const COLORS: [(f64, &str); 5] = [
    (0.0, "#d55e00"),
    (50.0, "#e69f00"),
    (70.0, "#f0e442"),
    (85.0, "#56b4e9"),
    (95.0, "#0072b2"),
];
pub(super) const NO_CONFIDENCE: &str = "#999999";

/// The confidence of an element in percent, or else the mean of its words: many programs only
/// declare these.
pub(super) fn percent(layout: &Layout, drawn: &DrawnElement) -> Option<f64> {
    let confidence = drawn.confidence.or_else(|| drawn.words.value());
    confidence.map(|confidence| layout.scale.percent(confidence))
}

pub(super) fn color(percent: f64) -> &'static str {
    let reached = COLORS.iter().rev().find(|(from, _)| percent >= *from);
    // Negative confidences get the first color.
    reached.map_or(COLORS[0].1, |(_, color)| color)
}
