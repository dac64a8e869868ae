//! The html5ever engine: a page becomes a tree as a browser would build it, which can then be
//! walked, or searched by [`super::select`].
//!
//! html5ever takes quadratic time on pages that are made to be slow. [`input`] and [`filter`] are
//! what keeps it from that. All the rest here is linear in the page.

pub mod arena;
mod filter;
mod input;
mod names;
mod serialize;
mod sink;

#[cfg(test)]
mod tests;

use arena::{Content, Id, Step, Tree};
use filter::Filter;

use super::events::{Attributes, Element, Events, Options};
use crate::markup::Name;

pub use serialize::{html, text};

/// Bytes of a page behind this are not read: html5ever counts in 32 bits.
const MAX_PAGE: usize = 1 << 30;

pub struct Page {
    pub tree: Tree,
    /// The page is to be shown in quirks mode: classes and ids match in any case.
    pub is_quirky: bool,
}

pub fn parse(page: &str, options: &Options) -> Page {
    let page = page
        .get(..page.floor_char_boundary(MAX_PAGE))
        .unwrap_or(page);
    let filter = input::tokenize(page, Filter::new(page, options));
    let (tree, is_quirky) = filter.into_tree();
    Page { tree, is_quirky }
}

/// Tells of a page what html5ever makes of it.
pub fn read<E: Events>(page: &str, options: &Options, events: &mut E) {
    walk(&parse(page, options).tree, events);
}

fn walk<E: Events>(tree: &Tree, events: &mut E) {
    // Kept from element to element, so that its memory is.
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        match now {
            Step::Enter(id) => match &tree.node(id).content {
                Content::Document => {}
                Content::Text(text) => events.text(text),
                Content::Element(element) => {
                    attributes.clear();
                    let parsed = tree.attributes(element).iter();
                    attributes.extend(parsed.map(|a| (&*a.name, &*a.value)));
                    events.open(&Element {
                        name: Name::from_str(&element.name),
                        foreign: element.is_foreign(),
                        attributes: Attributes::Parsed(&attributes),
                    });
                }
            },
            Step::Leave(id) => {
                if let Some(element) = tree.element(id) {
                    events.close(Name::from_str(&element.name));
                }
            }
        }
        step = tree.step(Id::DOCUMENT, now);
    }
}
