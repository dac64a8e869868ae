//! Receives the tree from html5ever. Its callbacks take `&self`, so the fields are cells.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::Tracer;
use html5ever::{LocalName, Namespace, QualName, local_name};

use super::arena::{Attribute, Element, Id, Tree, Vocabulary};
use super::names::{ElementRole, role};

/// Maximum number of attributes of an element. The rest is cut off.
pub const MAX_ATTRIBUTES: usize = 256;

#[derive(Default)]
pub struct Sink {
    pub tree: RefCell<Tree>,
    pub is_quirky: Cell<bool>,
    /// The number of times that open elements were counted.
    censuses: Cell<u32>,
    /// The number of elements that html5ever has created.
    pub created: Cell<usize>,
    /// The weight of the formatting elements among them: one each, and one per attribute.
    pub formatting_weight: Cell<usize>,
    /// The number of further html and body tags with cut attributes.
    pub cut_attributes: Cell<usize>,
}

/// The data that html5ever holds for a node. It requests the names of open elements frequently, so
/// they are stored here as well as in the tree.
#[derive(Debug, Clone)]
pub struct Handle {
    id: Id,
    space: Vocabulary,
    name: LocalName,
}

impl Handle {
    const DOCUMENT: Self = Self::nameless(Id::DOCUMENT);
    const COMMENT: Self = Self::nameless(Id::NONE);

    const fn nameless(id: Id) -> Self {
        Self {
            id,
            space: Vocabulary::Html,
            name: local_name!(""),
        }
    }
}

#[derive(Debug)]
pub struct NameOf<'a>(&'a Handle);

impl ElemName for NameOf<'_> {
    fn ns(&self) -> &Namespace {
        self.0.space.namespace()
    }

    fn local_name(&self) -> &LocalName {
        &self.0.name
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = NameOf<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> NameOf<'a> {
        NameOf(target)
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<html5ever::Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        self.created.set(self.created.get() + 1);
        if role(&name.local) == ElementRole::Formatting {
            let weight = self.formatting_weight.get() + 1 + attributes.len();
            self.formatting_weight.set(weight);
        }
        let space = Vocabulary::of(&name.ns);
        let id = self.tree.borrow_mut().add_element(
            name.local.clone(),
            space,
            flags.mathml_annotation_xml_integration_point,
            attributes.into_iter().map(attribute),
        );
        let name = name.local;
        Handle { id, space, name }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Handle::COMMENT
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        Handle::COMMENT
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.append(parent.id, child.id),
            NodeOrText::AppendText(text) => tree.append_text(parent.id, text),
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = self.tree.borrow().parent(element.id).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// The contents of a template are its children here, because it has no other children.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        a.id == b.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.is_quirky.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.insert_before(sibling.id, child.id),
            NodeOrText::AppendText(text) => tree.insert_text_before(sibling.id, text),
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<html5ever::Attribute>) {
        let added = attributes.into_iter().map(attribute);
        let mut tree = self.tree.borrow_mut();
        if tree.add_attributes(target.id, added, MAX_ATTRIBUTES) {
            self.cut_attributes.set(self.cut_attributes.get() + 1);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        while let Some(child) = tree.first_child(node.id) {
            tree.append(new_parent.id, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        let tree = self.tree.borrow();
        let is_html_inside = |element: &Element| element.is_html_inside;
        tree.element(target.id).is_some_and(is_html_inside)
    }
}

fn attribute(attribute: html5ever::Attribute) -> Attribute {
    let local = &*attribute.name.local;
    let name = match &attribute.name.prefix {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{local}").into(),
        _ => StrTendril::from_slice(local),
    };
    Attribute {
        name,
        value: attribute.value,
    }
}

/// Counts the elements that html5ever holds: open elements, and formatting elements that it will
/// reopen.
pub struct Census<'a> {
    tree: Ref<'a, Tree>,
    number: u32,
    /// Counts only formatting elements with this name.
    only: Option<&'a LocalName>,
    pub elements: Cell<usize>,
}

impl<'a> Census<'a> {
    pub fn new(sink: &'a Sink, only: Option<&'a LocalName>) -> Self {
        let number = sink.censuses.get().wrapping_add(1);
        sink.censuses.set(number);
        Self {
            tree: sink.tree.borrow(),
            number,
            only,
            elements: Cell::new(0),
        }
    }
}

impl Tracer for Census<'_> {
    type Handle = Handle;

    fn trace_handle(&self, handle: &Handle) {
        let is_included = self.only.is_none_or(|name| handle.name == *name);
        let counted = &self.tree.node(handle.id).counted;
        if is_included && counted.replace(self.number) != self.number {
            self.elements.set(self.elements.get() + 1);
        }
    }
}

/// Collects the names of the elements that html5ever holds, open elements in order first.
#[derive(Default)]
pub struct Names(pub RefCell<Vec<LocalName>>);

impl Tracer for Names {
    type Handle = Handle;

    fn trace_handle(&self, handle: &Handle) {
        self.0.borrow_mut().push(handle.name.clone());
    }
}
