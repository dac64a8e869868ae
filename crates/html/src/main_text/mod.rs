//! The main content of a page: its article, without menus, teasers, comments and boilerplate.
//!
//! The result is a part of the document (`html_document`): some of its paragraphs, unchanged. Here
//! these are called blocks. The container of a block is the innermost element around all of it. A
//! list or a table is one block, so it is kept or dropped as a whole.
//!
//! 1. The **headline** is the block that repeats a declared title of the page (`headline`). The
//!    article starts there.
//! 2. **Hints**: the names, classes and ids of elements distinguish content from its surroundings
//!    (`hints`). A word that would drop most of the page is not a hint there (`misleading`), nor is
//!    any hint for an element with most of the text.
//! 3. Blocks of running text raise the score of all containers around them; links and short lines
//!    lower it. The container with the highest score holds the main content.
//! 4. Inside it, link blocks, everything before the headline, and short lines around the running
//!    text are dropped (`page`).
//!
//! If little is left, the page has no article in the usual sense. The result is then all text next
//! to the headline. If that is little, too, the page consists of links, such as products or
//! threads: they are kept with everything below the headline, except menus and the like. The result
//! is empty only if the document is. If a page shows hardly any text, hidden elements are included
//! as well, because scripts may show them.
//!
//! The algorithm uses no words of any language, and its time is linear in the page.

mod block;
mod containers;
mod headline;
mod hints;
mod misleading;
mod page;
mod words;

#[cfg(test)]
mod tests;

use block::Block;
use containers::Containers;
use headline::Titles;
use page::Page;

use super::engine::Engine;
use super::events::{Attributes, Element, Events, Options};
use super::extract::{Flow, Positions, is_hidden};
use corpus_markup::Name;

/// With less running text, a page shows no article; it may be in a hidden element.
const MIN_SHOWN_WEIGHT: f32 = 250.0;
/// Hidden elements are included if the running text reaches this weight with them.
const MIN_HIDDEN_WEIGHT: f32 = 1000.0;

/// Returns the main content: paragraphs of the document, separated by blank lines.
pub fn main_text(engine: Engine, options: &Options, page: &str) -> String {
    let shown = engine.read(page, options, Collector::default).finish();
    if shown.running_weight >= MIN_SHOWN_WEIGHT {
        return shown.text;
    }
    let all = engine.read(page, options, Collector::with_hidden).finish();
    if all.running_weight >= MIN_HIDDEN_WEIGHT {
        return all.text;
    }
    shown.text
}

/// Collects the blocks of a page, the elements around them, and the titles of the page.
#[derive(Debug, Default)]
struct Collector {
    flow: Flow<Positions<Containers>>,
    titles: Titles,
    reads_hidden: bool,
}

struct MainText {
    text: String,
    running_weight: f32,
}

impl Collector {
    fn with_hidden() -> Self {
        Self {
            reads_hidden: true,
            ..Self::default()
        }
    }

    /// Opens a hidden element without the attributes that hide it.
    #[cold]
    fn open_hidden(&mut self, element: &Element<'_>) {
        let names = ["class", "id", "role", "href", "name"];
        let values = names.map(|name| element.attribute(name));
        let attributes: Vec<(&str, &str)> = names
            .iter()
            .zip(&values)
            .filter_map(|(name, value)| Some((*name, value.as_deref()?)))
            .collect();
        self.flow.open(&Element {
            attributes: Attributes::Parsed(&attributes),
            ..*element
        });
    }

    /// Selects the main content at the end of the page.
    fn finish(self) -> MainText {
        let (document, positions) = self.flow.into_parts();
        let (containers, places) = positions.finish(&document);
        // Pictures in links lead to other pages, but say nothing about the text around them.
        let (pictures, texts): (Vec<_>, Vec<_>) =
            places.partition(|place| place.is_pictures(&document));
        let places = if texts.is_empty() { pictures } else { texts };
        let blocks: Vec<Block<'_>> = places
            .into_iter()
            .map(|place| {
                let container = place.node.map_or(0, |node| node.0);
                let text = document.get(place.text).unwrap_or_default();
                Block::new(text, container, place.kind, place.link_characters)
            })
            .collect();
        let headline = self.titles.headline(&blocks);
        let main = Page::new(&containers, &blocks, headline).main_blocks();
        let texts: Vec<&str> = main.iter().map(|block| block.text).collect();
        MainText {
            text: texts.join("\n\n"),
            running_weight: main.iter().map(|block| block.running_weight()).sum(),
        }
    }
}

impl Events for Collector {
    #[inline]
    fn open(&mut self, element: &Element<'_>) {
        if self.reads_hidden && is_hidden(element) {
            self.open_hidden(element);
        } else {
            self.flow.open(element);
        }
        self.titles.open(element);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.flow.close(name);
        self.titles.close(name);
    }

    #[inline]
    fn text(&mut self, text: &str) {
        self.flow.text(text);
        self.titles.text(text);
    }

    fn more_attributes(&mut self, element: &Element<'_>) {
        self.flow.more_attributes(element);
    }
}
