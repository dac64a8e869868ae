//! Optional parts of the text: hidden text and the markers of list items.

use super::flow::{Flow, Observer};
use super::markers::Markers;
use crate::engine::Engine;
use crate::events::{Events, Options};

/// The optional parts of the text to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keep {
    /// Keep text that is hidden by attributes and may be shown by scripts.
    pub hidden: bool,
    /// Keep the bullets and numbers of list items.
    pub bullets: bool,
}

impl Keep {
    /// Parses a page. `wrap` makes the listener from a flow with these options.
    pub fn read<M: Observer + Default, E: Events>(
        self,
        engine: Engine,
        page: &str,
        options: &Options,
        wrap: impl Fn(Flow<M>) -> E,
    ) -> E {
        let mut markers = self.bullets.then(Box::<Markers>::default);
        if self.bullets && Markers::need_totals(page) {
            // A reversed list counts down from its number of items, which is only known at its end.
            let counting = || Flow::<()>::keeping(self.hidden, markers.clone());
            let counted = engine.read(page, options, counting).into_markers();
            markers = counted.map(|markers| Box::new(markers.with_totals()));
        }
        engine.read(page, options, || {
            wrap(Flow::keeping(self.hidden, markers.clone()))
        })
    }
}
