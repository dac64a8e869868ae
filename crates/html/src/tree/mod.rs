//! The html5ever engine: builds the same tree as a browser, which is walked or searched by
//! [`super::select`].
//!
//! html5ever takes quadratic time on hostile pages. `input` and `filter` prevent that.
//! Everything else here is linear in the page.
//!
//! ```text
//! input      feeds a page to html5ever's tokenizer
//! filter     between the tokenizer and the tree builder
//! names      the tag names that the limits depend on
//! sink       receives the tree
//! arena      the tree
//! serialize  nodes as HTML and as text
//! ```

pub mod arena;
mod filter;
mod input;
mod names;
pub mod serialize;
mod sink;

#[cfg(test)]
mod tests;

use arena::{Content, Id, Step, Tree};
use filter::Filter;

use super::events::{Attributes, Element, Events, Options};
use corpus_markup::Name;

/// Maximum length of a page, because html5ever counts in 32 bits. Further bytes are ignored.
const MAX_PAGE_BYTES: usize = 1 << 30;

/// A parsed page.
pub struct Page {
    /// The tree.
    pub tree: Tree,
    /// Whether the page is in quirks mode: classes and ids match in any case.
    pub is_quirky: bool,
    /// The markup that is not in the tree.
    pub losses: Losses,
}

/// The markup that the limits kept out of the tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Losses {
    /// Trailing bytes of the page.
    pub bytes: usize,
    /// Start tags dropped, or closed immediately, because their elements are nested too deep.
    pub deep_tags: usize,
    /// Start tags dropped for other reasons.
    pub tags: usize,
    /// Start tags that lost some of their attributes.
    pub attributes: usize,
}

impl Losses {
    /// Describes the losses; `None` if there are none.
    pub fn describe(&self) -> Option<String> {
        let parts = [
            (self.bytes, "the last {} bytes"),
            (
                self.deep_tags,
                "{} start tags that are nested too deep (corpus.max_html_depth)",
            ),
            (
                self.tags,
                "{} start tags of repeated formatting, nested objects or unknown names",
            ),
            (self.attributes, "surplus attributes of {} start tags"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, part)| part.replace("{}", &count.to_string()))
            .collect();
        (!parts.is_empty()).then(|| {
            format!(
                "elements may be missing, empty or incomplete: the parser ignored {}",
                parts.join(", ")
            )
        })
    }
}

/// Parses a page.
pub fn parse(page: &str, options: &Options) -> Page {
    let whole = page.len();
    let page = page
        .get(..page.floor_char_boundary(MAX_PAGE_BYTES))
        .unwrap_or(page);
    let filter = input::tokenize(page, Filter::new(page, options));
    let mut losses = filter.losses();
    losses.bytes = whole - page.len();
    let (tree, is_quirky) = filter.into_tree();
    Page {
        tree,
        is_quirky,
        losses,
    }
}

/// Parses a page with html5ever and emits the events of its tree.
pub fn read<E: Events>(page: &str, options: &Options, events: &mut E) {
    walk(&parse(page, options).tree, events);
}

fn walk<E: Events>(tree: &Tree, events: &mut E) {
    // Reused from element to element to save allocations.
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
