//! What a document keeps beyond the default: hidden text, and the markers of list items.

use super::flow::{Flow, Marks};
use super::markers::Markers;
use crate::engine::Engine;
use crate::events::{Events, Options};

/// What a document keeps beyond the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keep {
    /// Text that attributes hide, which scripts may show.
    pub hidden: bool,
    /// The bullets and numbers of list items.
    pub bullets: bool,
}

impl Keep {
    /// Reads a page with a listener that `wrap` makes from a flow that keeps these.
    pub fn read<M: Marks + Default, E: Events>(
        self,
        engine: Engine,
        page: &str,
        options: &Options,
        wrap: impl Fn(Flow<M>) -> E,
    ) -> E {
        let mut markers = self.bullets.then(Box::<Markers>::default);
        if self.bullets && Markers::need_totals(page) {
            // A reversed list counts down from its number of items, known only at its end.
            let counting = || Flow::<()>::keeping(self.hidden, markers.clone());
            let counted = engine.read(page, options, counting).into_markers();
            markers = counted.map(|markers| Box::new(markers.with_totals()));
        }
        engine.read(page, options, || {
            wrap(Flow::keeping(self.hidden, markers.clone()))
        })
    }
}
