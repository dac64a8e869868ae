//! Selects elements of a page with CSS selectors.
//!
//! ```text
//! selector  parses CSS selectors
//! element   elements of the tree, as the crate `selectors` needs them
//! render    elements as HTML and as text
//! ```

mod element;
mod render;
mod selector;

#[cfg(test)]
mod tests;

use std::ops::Range;

use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector_list;

use super::events::Options;
use super::tree::arena::{Id, Step, Tree};
use super::tree::{self, Page};
use element::{Candidate, Steps};
use render::Renderer;

pub use selector::{Selector, SelectorError};

/// Number of steps per node, in addition to [`Limits::steps`].
const STEPS_PER_NODE: usize = 40;

/// Limits of the cost of a search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum total length of all contents. Elements may be nested, so their contents may add up
    /// to far more than the page.
    pub content_bytes: usize,
    /// Maximum number of steps from node to node. Selectors such as `a ~ b` visit all siblings.
    pub steps: usize,
}

/// The matching elements of a page.
#[derive(Debug)]
#[non_exhaustive]
pub struct Selection {
    tree: Tree,
    /// The matching elements, in document order.
    pub elements: Vec<Selected>,
    /// The HTML of the outermost elements, one after the other.
    pub html: String,
    /// The text of the outermost elements, one after the other.
    pub text: String,
    /// Why elements may be missing.
    pub error: Option<String>,
}

/// A matching element of a [`Selection`].
#[derive(Debug)]
pub struct Selected {
    id: Id,
    /// `None` beyond the limit.
    content: Option<Content>,
}

impl Selected {
    /// The content, unless it exceeds the limit.
    pub fn content(&self) -> Option<&Content> {
        self.content.as_ref()
    }
}

/// The position of an element's content in a [`Selection`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The element with its tags, serialized by the rules of the HTML standard.
    pub html: Range<usize>,
    /// The text, with blocks on separate lines and collapsed white space.
    pub text: Range<usize>,
}

impl Selection {
    /// The name of an element.
    pub fn tag(&self, element: &Selected) -> &str {
        let element = self.tree.element(element.id);
        element.map_or("", |element| &element.name)
    }

    /// The names and values of an element's attributes.
    pub fn attributes(&self, element: &Selected) -> impl Iterator<Item = (&str, &str)> {
        let attributes = self
            .tree
            .element(element.id)
            .map_or(&[][..], |element| self.tree.attributes(element));
        attributes.iter().map(|a| (&*a.name, &*a.value))
    }
}

/// Returns the elements that match a selector. Elements beyond the limit have no content; outer
/// elements lose theirs first. The content of a template counts as its children.
///
/// ```
/// use corpus_html::Options;
/// use corpus_html::select::{Limits, Selector, select};
///
/// let selector = Selector::parse("li > a[href]")?;
/// let limits = Limits { content_bytes: 1 << 20, steps: 1 << 20 };
/// let found = select("<ul><li><a href=/x>X</a></ul>", &selector, &Options::default(), limits);
/// let link = &found.elements[0];
/// assert_eq!(found.attributes(link).collect::<Vec<_>>(), [("href", "/x")]);
/// assert_eq!(link.content().map(|content| &found.text[content.text.clone()]), Some("X"));
/// # Ok::<(), corpus_html::select::SelectorError>(())
/// ```
pub fn select(page: &str, selector: &Selector, options: &Options, limits: Limits) -> Selection {
    let Page {
        tree,
        is_quirky,
        losses,
    } = tree::parse(page, options);
    let quirks_mode = if is_quirky {
        QuirksMode::Quirks
    } else {
        QuirksMode::NoQuirks
    };
    let mut caches = SelectorCaches::default();
    let mut context = MatchingContext::new(
        MatchingMode::Normal,
        None,
        &mut caches,
        quirks_mode,
        NeedsSelectorFlags::No,
        MatchingForInvalidation::No,
    );
    let max_steps = tree.node_count().saturating_mul(STEPS_PER_NODE);
    let steps = Steps::new(max_steps.saturating_add(limits.steps));
    let mut renderer = Renderer::new(&tree, options.scripting, limits.content_bytes);
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        match now {
            Step::Enter(id) => {
                let is_match = !steps.is_exhausted()
                    && tree.element(id).is_some_and(|element| {
                        let candidate = Candidate::new(&tree, id, element, &steps);
                        matches_selector_list(selector.list(), &candidate, &mut context)
                    });
                // A match that exhausted the steps does not count.
                renderer.enter(id, is_match && !steps.is_exhausted());
            }
            Step::Leave(id) => renderer.leave(id),
        }
        if steps.is_exhausted() && !renderer.is_rendering() {
            break;
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    let out_of_steps = steps.is_exhausted().then(|| {
        format!(
            "elements are missing: the selector takes more than {} steps on this page; use a \
             simpler one",
            steps.limit
        )
    });
    let errors: Vec<String> = out_of_steps.into_iter().chain(losses.describe()).collect();
    let (elements, html, text) = renderer.finish();
    Selection {
        tree,
        elements,
        html,
        text,
        error: (!errors.is_empty()).then(|| errors.join("; ")),
    }
}
