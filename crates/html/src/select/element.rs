//! Elements of a tree, adapted to the crate `selectors`.

use std::cell::Cell;
use std::fmt;

use html5ever::LocalName;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::{Element, OpaqueElement};

use super::selector::{Css, Link, NoPseudoElement, Word};
use crate::tree::arena::{self, Content, Id, Tree};

/// Counts the steps from node to node during a search.
#[derive(Debug)]
pub struct Steps {
    taken: Cell<usize>,
    pub limit: usize,
}

impl Steps {
    pub fn new(limit: usize) -> Self {
        Self {
            taken: Cell::new(0),
            limit,
        }
    }

    pub fn is_exhausted(&self) -> bool {
        self.taken.get() > self.limit
    }

    fn take(&self) {
        self.taken.set(self.taken.get().saturating_add(1));
    }
}

/// An element that a selector may match.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    tree: &'a Tree,
    id: Id,
    element: &'a arena::Element,
    steps: &'a Steps,
}

impl<'a> Candidate<'a> {
    pub fn new(tree: &'a Tree, id: Id, element: &'a arena::Element, steps: &'a Steps) -> Self {
        Self {
            tree,
            id,
            element,
            steps,
        }
    }

    /// The first element in a direction. `None` once the steps are exhausted, because a single
    /// match may visit all nodes of the page repeatedly.
    fn find_element(
        &self,
        first: Option<Id>,
        next_node: impl Fn(&'a Tree, Id) -> Option<Id>,
    ) -> Option<Self> {
        let mut next = first;
        while let Some(id) = next {
            self.steps.take();
            if self.steps.is_exhausted() {
                return None;
            }
            if let Some(element) = self.tree.element(id) {
                return Some(Self::new(self.tree, id, element, self.steps));
            }
            next = next_node(self.tree, id);
        }
        None
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tree.attribute(self.element, name)
    }
}

impl fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.id, self.element.name)
    }
}

impl Element for Candidate<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.element)
    }

    fn parent_element(&self) -> Option<Self> {
        self.find_element(self.tree.parent(self.id), |_, _| None)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.find_element(self.tree.previous(self.id), Tree::previous)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.find_element(self.tree.next(self.id), Tree::next)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.find_element(self.tree.first_child(self.id), Tree::next)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.element.is_foreign()
    }

    fn has_local_name(&self, name: &LocalName) -> bool {
        self.element.name == *name
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        **self.element.space.namespace() == *namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.element.name == other.element.name && self.element.space == other.element.space
    }

    /// Namespaces of attributes are ignored: attribute names are compared as written.
    fn attr_matches(
        &self,
        _namespace: &NamespaceConstraint<&Word>,
        name: &Word,
        operation: &AttrSelectorOperation<&Word>,
    ) -> bool {
        let value = self.attribute(&name.0);
        value.is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, _: &Link, _: &mut MatchingContext<Css>) -> bool {
        self.is_link()
    }

    fn match_pseudo_element(&self, never: &NoPseudoElement, _: &mut MatchingContext<Css>) -> bool {
        match *never {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(&*self.element.name, "a" | "area") && self.attribute("href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        let own = self.attribute("id");
        own.is_some_and(|own| case.eq(own.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Word, case: CaseSensitivity) -> bool {
        let classes = self.attribute("class").unwrap_or_default();
        classes
            .split_ascii_whitespace()
            .any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
    }

    fn has_custom_state(&self, _: &Word) -> bool {
        false
    }

    fn imported_part(&self, _: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        let mut next = self.tree.first_child(self.id);
        while let Some(id) = next {
            match &self.tree.node(id).content {
                Content::Text(text) if text.is_empty() => next = self.tree.next(id),
                _ => return false,
            }
        }
        true
    }

    fn is_root(&self) -> bool {
        self.tree.parent(self.id) == Some(Id::DOCUMENT)
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
