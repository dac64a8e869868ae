//! Elements of a page by CSS selector.

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

pub use selector::Selector;

/// Steps from node to node that each node adds to [`Limits::steps`].
const STEPS_PER_NODE: usize = 40;

/// What a search may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The bytes of the contents of all elements. Elements may be nested, so that their contents
    /// add up to far more than the page.
    pub content_bytes: usize,
    /// Steps from node to node. Selectors like `a ~ b` look back at all siblings of each element.
    pub steps: usize,
}

/// The matching elements of a page.
#[derive(Debug)]
pub struct Selection {
    tree: Tree,
    /// In document order.
    pub elements: Vec<Selected>,
    /// The HTML and the text of the outermost elements, one after the other.
    pub html: String,
    pub text: String,
    /// Why elements may be missing.
    pub error: Option<String>,
}

#[derive(Debug)]
pub struct Selected {
    id: Id,
    /// `None` beyond the limit.
    content: Option<Content>,
}

impl Selected {
    pub fn content(&self) -> Option<&Content> {
        self.content.as_ref()
    }
}

/// Where the content of an element is in a [`Selection`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The element with its tags, by the rules of the HTML standard.
    pub html: Range<usize>,
    /// Blocks on separate lines, white space collapsed.
    pub text: Range<usize>,
}

impl Selection {
    pub fn tag(&self, element: &Selected) -> &str {
        let element = self.tree.element(element.id);
        element.map_or("", |element| &element.name)
    }

    /// Names and values.
    pub fn attributes(&self, element: &Selected) -> impl Iterator<Item = (&str, &str)> {
        let attributes = self
            .tree
            .element(element.id)
            .map_or(&[][..], |element| self.tree.attributes(element));
        attributes.iter().map(|a| (&*a.name, &*a.value))
    }
}

/// Returns the elements that match the selector. Beyond the limit, elements come without content,
/// outer ones first. The content of templates counts as their children.
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
                let is_match = !steps.are_used_up()
                    && tree.element(id).is_some_and(|element| {
                        let candidate = Candidate::new(&tree, id, element, &steps);
                        matches_selector_list(selector.list(), &candidate, &mut context)
                    });
                // A match that ran out of steps is not one.
                renderer.enter(id, is_match && !steps.are_used_up());
            }
            Step::Leave(id) => renderer.leave(id),
        }
        if steps.are_used_up() && !renderer.is_rendering() {
            break;
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    let out_of_steps = steps.are_used_up().then(|| {
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
