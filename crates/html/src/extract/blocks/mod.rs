//! The blocks of a page: headings, paragraphs, list items, tables, code, quotations, formulas and
//! figures, with marks for emphasis, code, links and scripts.
//!
//! The text follows the rules of the default text, but the elements determine its structure: a
//! table whose cells hold several blocks is still a table, unless it is a layout table.
//!
//! ```text
//! observer      observes the text and collects blocks
//! elements      the meaning of elements
//! roles         the meaning of attributes
//! word          the styles of Word and Google Docs
//! latexml       the classes of LaTeXML
//! context       the open elements around the next block
//! leaf          the block that is being written
//! ends          the ends of links, notes, labels and numbers
//! labels        labels of list items
//! notes         footnotes
//! code          languages and line numbers of code
//! line_numbers  removes the line numbers of code
//! addresses     addresses of links and pictures
//! ```

mod addresses;
mod code;
mod context;
mod elements;
mod ends;
mod labels;
mod latexml;
mod leaf;
mod line_numbers;
mod notes;
mod observer;
mod roles;
#[cfg(test)]
mod tests;
mod word;

use url::Url;

use super::flow::Flow;
use super::markers::Markers;
use crate::engine::Engine;
use crate::events::Options;
use corpus_blocks::Block;

use observer::BlockObserver;

/// The addresses of links and pictures to keep.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Addresses {
    /// None: links and pictures are not marked.
    #[default]
    None,
    /// As they are written in the page.
    AsWritten,
    /// Absolute, given the address of the page.
    Absolute(Url),
}

/// Returns the blocks of a page.
///
/// ```
/// use corpus_blocks::markdown::{self, markdown};
/// use corpus_html::extract::{Addresses, blocks};
/// use corpus_html::{Engine, Options};
///
/// let page = "<h2>Fruit</h2><ol start=3><li>apples<li><b>ripe</b> pears</ol>";
/// let blocks = blocks(Engine::Native, &Options::default(), page, &Addresses::None);
/// let text = markdown(&blocks, &markdown::Options::default());
/// assert_eq!(text, "## Fruit\n\n3. apples\n4. **ripe** pears");
/// ```
pub fn blocks(engine: Engine, options: &Options, page: &str, addresses: &Addresses) -> Vec<Block> {
    let observers = BlockObservers::new(engine, options, page, addresses);
    let flow = engine.read(page, options, || {
        Flow::with_observer(observers.start(), false, None)
    });
    flow.into_parts().1.finish()
}

/// Creates the observers for the passes over a page.
#[derive(Debug)]
pub struct BlockObservers<'a> {
    markers: Markers,
    addresses: &'a Addresses,
}

impl<'a> BlockObservers<'a> {
    pub fn new(engine: Engine, options: &Options, page: &str, addresses: &'a Addresses) -> Self {
        let markers = list_markers(engine, options, page);
        Self { markers, addresses }
    }

    pub fn start(&self) -> BlockObserver {
        BlockObserver::new(self.markers.clone(), self.addresses)
    }
}

/// The initial state of the numbers of list items. A reversed list counts down from its number of
/// items, which is only known at its end.
fn list_markers(engine: Engine, options: &Options, page: &str) -> Markers {
    let markers = Markers::default();
    if !Markers::need_totals(page) {
        return markers;
    }
    let counting = || Flow::<()>::keeping(false, Some(Box::new(markers.clone())));
    let counted = engine.read(page, options, counting).into_markers();
    counted.map_or(markers, |markers| markers.with_totals())
}
