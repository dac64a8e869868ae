//! Elements of a page by CSS selector.

mod element;
mod selector;

#[cfg(test)]
mod tests;

use std::cell::Cell;

use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector_list;

use super::events::Options;
use super::tree::arena::{Element, Id, Step, Tree};
use super::tree::{self, Page};
use element::Candidate;

pub use selector::Selector;

/// How many steps from node to node a search may take: so many, and so many for each node.
/// Selectors like `a ~ b` look back at all siblings of each element.
const STEPS: usize = 20_000_000;
const STEPS_PER_NODE: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    pub tag: String,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// Blocks on lines of their own, white space collapsed.
    pub text: String,
    /// The element with its tags, by the rules of the HTML standard.
    pub html: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// In document order.
    pub elements: Vec<Selected>,
    /// Elements may be missing: a bound was reached.
    pub is_cut: bool,
}

/// The elements that the selector fits, up to `max_bytes` of what is told of them: elements may
/// lie in each other, and so come to far more than the page. Content of templates counts as
/// their children.
pub fn select(page: &str, selector: &Selector, options: &Options, max_bytes: usize) -> Selection {
    let Page { tree, is_quirky } = tree::parse(page, options);
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
    let max_steps = max_steps.saturating_add(STEPS);
    let steps = Cell::new(0);
    let mut selection = Selection::default();
    let mut bytes = 0;
    let mut step = Some(Step::Enter(Id::DOCUMENT));
    while let Some(now) = step {
        if steps.get() > max_steps {
            selection.is_cut = true;
            break;
        }
        if let Step::Enter(id) = now
            && let Some(element) = tree.element(id)
            && matches_selector_list(
                selector.list(),
                &Candidate::new(&tree, id, element, &steps),
                &mut context,
            )
        {
            let selected = selected(&tree, id, element, options.scripting);
            bytes += selected.bytes();
            if bytes > max_bytes {
                selection.is_cut = true;
                break;
            }
            selection.elements.push(selected);
        }
        step = tree.step(Id::DOCUMENT, now);
    }
    selection
}

fn selected(tree: &Tree, id: Id, element: &Element, scripting: bool) -> Selected {
    let attributes = tree.attributes(element).iter();
    Selected {
        tag: element.name.to_string(),
        attributes: attributes
            .map(|a| (a.name.to_string(), a.value.to_string()))
            .collect(),
        text: tree::text(tree, id),
        html: tree::html(tree, id, scripting),
    }
}

impl Selected {
    fn bytes(&self) -> usize {
        let attributes = self.attributes.iter();
        let attributes: usize = attributes
            .map(|(name, value)| size_of::<(String, String)>() + name.len() + value.len())
            .sum();
        size_of::<Self>() + attributes + self.text.len() + self.html.len()
    }
}
