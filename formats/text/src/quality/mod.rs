//! The quality rules of published corpora: what they measure, and which rules a text breaks.
//!
//! Each rule set has its measures, and thresholds whose defaults are the published ones. A text is
//! kept if it breaks no rule; the names of broken rules say why it is not. Names, measures and
//! thresholds are those of datatrove, which made FineWeb.

mod c4;
mod fineweb;
mod gopher;
mod gopher_repetition;
mod marks;

pub use c4::{C4, C4Rules, c4};
pub use fineweb::{FineWeb, FineWebRules, fineweb};
pub use gopher::{Gopher, GopherRules, gopher};
pub use gopher_repetition::{GopherRepetition, GopherRepetitionRules, gopher_repetition};

/// The share of a number in another, 0 if both are 0.
fn share(part: u64, whole: u64) -> f64 {
    match (part, whole) {
        (0, _) => 0.0,
        (part, whole) => part as f64 / whole as f64,
    }
}

#[cfg(test)]
mod tests;
