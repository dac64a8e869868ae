//! A page as a tree. Its nodes are in one vector and refer to each other by index, so nothing here
//! recurses, however deep the page is, and the whole tree is freed in one step.

use std::cell::Cell;

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, ns};

use corpus_bytes::step_counter::count_steps;

/// The index of a node in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    pub const DOCUMENT: Id = Id(0);
    /// No node. Also used for comments, which are not stored.
    pub const NONE: Id = Id(u32::MAX);

    /// Maximum number of nodes. Further ones are not stored.
    const MAX_NODES: usize = u32::MAX as usize - 1;
}

#[derive(Debug)]
pub struct Node {
    parent: Id,
    first_child: Id,
    last_child: Id,
    previous: Id,
    next: Id,
    /// The number of the census (`sink.rs`) that last counted this node.
    pub counted: Cell<u32>,
    pub content: Content,
}

impl Node {
    fn new(content: Content) -> Self {
        Self {
            parent: Id::NONE,
            first_child: Id::NONE,
            last_child: Id::NONE,
            previous: Id::NONE,
            next: Id::NONE,
            counted: Cell::new(0),
            content,
        }
    }
}

#[derive(Debug)]
pub enum Content {
    Document,
    Element(Element),
    Text(StrTendril),
}

#[derive(Debug)]
pub struct Element {
    pub name: LocalName,
    pub space: Vocabulary,
    /// Whether this is an annotation-xml with HTML content.
    pub is_html_inside: bool,
    attributes: Range,
}

impl Element {
    /// Whether the element belongs to svg or math.
    pub fn is_foreign(&self) -> bool {
        self.space != Vocabulary::Html
    }
}

/// A namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    Html,
    Svg,
    MathMl,
}

impl Vocabulary {
    pub fn of(namespace: &Namespace) -> Self {
        match *namespace {
            ns!(svg) => Vocabulary::Svg,
            ns!(mathml) => Vocabulary::MathMl,
            _ => Vocabulary::Html,
        }
    }

    pub fn namespace(self) -> &'static Namespace {
        static HTML: Namespace = ns!(html);
        static SVG: Namespace = ns!(svg);
        static MATHML: Namespace = ns!(mathml);
        match self {
            Vocabulary::Html => &HTML,
            Vocabulary::Svg => &SVG,
            Vocabulary::MathMl => &MATHML,
        }
    }
}

#[derive(Debug)]
pub struct Attribute {
    /// The name as written, with its prefix (`xlink:href`).
    pub name: StrTendril,
    pub value: StrTendril,
}

#[derive(Debug, Clone, Copy, Default)]
struct Range {
    start: u32,
    length: u32,
}

#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The node that `Id::NONE` refers to.
    outside: Node,
    /// The attributes of all elements, in one allocation.
    attributes: Vec<Attribute>,
}

impl Tree {
    pub fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            outside: Node::new(Content::Document),
            attributes: Vec::new(),
        };
        tree.push(Content::Document);
        tree
    }

    /// The number of nodes, including those without a parent.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: Id) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&self.outside)
    }

    fn node_mut(&mut self, id: Id) -> &mut Node {
        let node = self.nodes.get_mut(id.0 as usize);
        node.unwrap_or(&mut self.outside)
    }

    fn push(&mut self, content: Content) -> Id {
        if self.nodes.len() >= Id::MAX_NODES {
            return Id::NONE;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(Node::new(content));
        id
    }

    pub fn parent(&self, id: Id) -> Option<Id> {
        some(self.node(id).parent)
    }

    pub fn first_child(&self, id: Id) -> Option<Id> {
        some(self.node(id).first_child)
    }

    pub fn last_child(&self, id: Id) -> Option<Id> {
        some(self.node(id).last_child)
    }

    pub fn previous(&self, id: Id) -> Option<Id> {
        some(self.node(id).previous)
    }

    pub fn next(&self, id: Id) -> Option<Id> {
        some(self.node(id).next)
    }

    pub fn element(&self, id: Id) -> Option<&Element> {
        match &self.node(id).content {
            Content::Element(element) => Some(element),
            _ => None,
        }
    }

    pub fn attributes(&self, element: &Element) -> &[Attribute] {
        let start = element.attributes.start as usize;
        let end = start + element.attributes.length as usize;
        self.attributes.get(start..end).unwrap_or_default()
    }

    pub fn attribute(&self, element: &Element, name: &str) -> Option<&str> {
        let attributes = self.attributes(element);
        let attribute = attributes.iter().find(|a| &*a.name == name)?;
        Some(&attribute.value)
    }

    pub fn add_element(
        &mut self,
        name: LocalName,
        space: Vocabulary,
        is_html_inside: bool,
        attributes: impl Iterator<Item = Attribute>,
    ) -> Id {
        let start = self.attributes.len();
        self.attributes.extend(attributes);
        let attributes = Range {
            start: start as u32,
            length: (self.attributes.len() - start) as u32,
        };
        self.push(Content::Element(Element {
            name,
            space,
            is_html_inside,
            attributes,
        }))
    }

    /// Adds the attributes that the element does not have yet, up to `limit` in total. Returns
    /// whether some were dropped because of the limit.
    pub fn add_attributes(
        &mut self,
        id: Id,
        added: impl Iterator<Item = Attribute>,
        limit: usize,
    ) -> bool {
        let Some(element) = self.element(id) else {
            return false;
        };
        let mut is_cut = false;
        let old = element.attributes;
        let mut range = old;
        let is_last = (old.start + old.length) as usize == self.attributes.len();
        for attribute in added {
            let start = range.start as usize;
            let known = self.attributes.get(start..).unwrap_or_default();
            let known = known.get(..range.length as usize).unwrap_or_default();
            if known.len() >= limit {
                is_cut = true;
                continue;
            }
            count_steps(known.len());
            if known.iter().any(|a| a.name == attribute.name) {
                continue;
            }
            let is_moved = is_last || range.start != old.start;
            if !is_moved {
                // Ranges cannot grow in the middle of the vector.
                let start = self.attributes.len();
                for i in old.start..old.start + old.length {
                    if let Some(Attribute { name, value }) = self.attributes.get(i as usize) {
                        let copy = Attribute {
                            name: name.clone(),
                            value: value.clone(),
                        };
                        self.attributes.push(copy);
                    }
                }
                range.start = start as u32;
            }
            self.attributes.push(attribute);
            range.length += 1;
        }
        if let Content::Element(element) = &mut self.node_mut(id).content {
            element.attributes = range;
        }
        is_cut
    }

    pub fn append(&mut self, parent: Id, child: Id) {
        if parent == Id::NONE || child == Id::NONE {
            return;
        }
        self.detach(child);
        let last = self.node(parent).last_child;
        self.put(child, parent, last, Id::NONE);
    }

    pub fn insert_before(&mut self, sibling: Id, child: Id) {
        if sibling == Id::NONE || child == Id::NONE || sibling == child {
            return;
        }
        self.detach(child);
        let &Node {
            parent, previous, ..
        } = self.node(sibling);
        if parent != Id::NONE {
            self.put(child, parent, previous, sibling);
        }
    }

    pub fn append_text(&mut self, parent: Id, text: StrTendril) {
        if parent == Id::NONE {
            return;
        }
        let last = self.node(parent).last_child;
        if let Some(text) = self.extend_text(last, text) {
            let id = self.push(Content::Text(text));
            self.append(parent, id);
        }
    }

    pub fn insert_text_before(&mut self, sibling: Id, text: StrTendril) {
        if sibling == Id::NONE {
            return;
        }
        let previous = self.node(sibling).previous;
        if let Some(text) = self.extend_text(previous, text) {
            let id = self.push(Content::Text(text));
            self.insert_before(sibling, id);
        }
    }

    /// Appends to a text node. Returns the text if the node is not a text node.
    fn extend_text(&mut self, id: Id, text: StrTendril) -> Option<StrTendril> {
        if id != Id::NONE
            && let Content::Text(known) = &mut self.node_mut(id).content
        {
            known.push_tendril(&text);
            return None;
        }
        Some(text)
    }

    pub fn detach(&mut self, id: Id) {
        if id == Id::NONE {
            return;
        }
        let &Node {
            parent,
            previous,
            next,
            ..
        } = self.node(id);
        if parent == Id::NONE {
            return;
        }
        match previous {
            Id::NONE => self.node_mut(parent).first_child = next,
            _ => self.node_mut(previous).next = next,
        }
        match next {
            Id::NONE => self.node_mut(parent).last_child = previous,
            _ => self.node_mut(next).previous = previous,
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (Id::NONE, Id::NONE, Id::NONE);
    }

    fn put(&mut self, id: Id, parent: Id, previous: Id, next: Id) {
        match previous {
            Id::NONE => self.node_mut(parent).first_child = id,
            _ => self.node_mut(previous).next = id,
        }
        match next {
            Id::NONE => self.node_mut(parent).last_child = id,
            _ => self.node_mut(next).previous = id,
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (parent, previous, next);
    }

    /// The next step of a walk through `root` in document order: from entering a node to its first
    /// child, and from leaving a node to its next sibling.
    pub fn step(&self, root: Id, step: Step) -> Option<Step> {
        let id = match step {
            Step::Enter(id) => match self.first_child(id) {
                Some(child) => return Some(Step::Enter(child)),
                None => return Some(Step::Leave(id)),
            },
            Step::Leave(id) => id,
        };
        if id == root {
            return None;
        }
        match self.next(id) {
            Some(next) => Some(Step::Enter(next)),
            None => self.parent(id).map(Step::Leave),
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

/// A step of a walk through a tree.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    Enter(Id),
    Leave(Id),
}

fn some(id: Id) -> Option<Id> {
    (id != Id::NONE).then_some(id)
}
