//! Paths of elements, as `body>div.container>p#id`.

use std::fmt::Write;
use std::ops::Range;

use crate::events::Element;

/// Remembers of elements what is to be known of those around the paragraphs.
pub trait Nodes {
    fn add(&mut self, parent: Option<NodeId>, element: &Element<'_>) -> NodeId;
    /// The outermost element gets those attributes that it does not have.
    fn add_to_first(&mut self, element: &Element<'_>);
    /// The node outlives its element.
    fn keep(&mut self, id: Option<NodeId>);
    /// The element closes: forgets it if it is the last one and nobody keeps it.
    fn close(&mut self, id: NodeId);
}

/// Elements as they open, each with the one around it. What no paragraph refers to is forgotten.
#[derive(Debug, Default)]
pub struct Elements {
    nodes: Vec<Node>,
    segments: String,
    /// The segment of the first node, if it is another than that in `segments`.
    first: Option<String>,
}

#[derive(Debug)]
struct Node {
    parent: Option<NodeId>,
    /// Where its segment begins. It ends where that of the next node begins.
    segment: usize,
    is_kept: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(pub usize);

impl Nodes for Elements {
    fn add(&mut self, parent: Option<NodeId>, element: &Element<'_>) -> NodeId {
        let segment = self.segments.len();
        self.nodes.push(Node {
            parent,
            segment,
            is_kept: false,
        });
        self.segments.push_str(&element.tag());
        if element.name.is_cut() {
            self.segments.push('…');
        }
        push_classes(&mut self.segments, element);
        push_id(&mut self.segments, element);
        NodeId(self.nodes.len() - 1)
    }

    fn add_to_first(&mut self, element: &Element<'_>) {
        let old = self.segment(NodeId(0));
        let (has_classes, has_id) = (old.contains('.'), old.contains('#'));
        let (classes, id) = old.split_at(old.find('#').unwrap_or(old.len()));
        let mut segment = classes.to_owned();
        if !has_classes {
            push_classes(&mut segment, element);
        }
        segment.push_str(id);
        if !has_id {
            push_id(&mut segment, element);
        }
        self.first = Some(segment);
    }

    fn keep(&mut self, id: Option<NodeId>) {
        if let Some(node) = id.and_then(|id| self.nodes.get_mut(id.0)) {
            node.is_kept = true;
        }
    }

    fn close(&mut self, id: NodeId) {
        if self.nodes.len() == id.0 + 1
            && let Some(node) = self.nodes.pop_if(|node| !node.is_kept)
        {
            self.segments.truncate(node.segment);
        }
    }
}

impl Elements {
    fn segment(&self, id: NodeId) -> &str {
        if let (0, Some(first)) = (id.0, &self.first) {
            return first;
        }
        let start = self.nodes.get(id.0).map_or(0, |node| node.segment);
        let end = self
            .nodes
            .get(id.0 + 1)
            .map_or(self.segments.len(), |next| next.segment);
        self.segments.get(start..end).unwrap_or_default()
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.0)?.parent
    }
}

fn push_classes(segment: &mut String, element: &Element<'_>) {
    let Some(classes) = element.attribute("class") else {
        return;
    };
    for class in classes.split_ascii_whitespace() {
        segment.push('.');
        segment.push_str(class);
    }
}

/// An id should be one word. If it is not, `_` stands between its words.
fn push_id(segment: &mut String, element: &Element<'_>) {
    let Some(id) = element.attribute("id") else {
        return;
    };
    for (index, word) in id.split_ascii_whitespace().enumerate() {
        segment.push(if index == 0 { '#' } else { '_' });
        segment.push_str(word);
    }
}

/// A path longer than this loses its middle.
const MAX_PATH: usize = 4096;

/// What paths may have when a page used up what all of its paths together may have.
const SHORT_PATH: usize = 64;

/// What all paths of a page may have together, whatever its size, ...
const FREE: usize = 1 << 20;

/// ... and for each byte of its segments and text. A path repeats those of all elements around it,
/// so deep pages of many paragraphs would have paths of a hundred times their own size.
const FACTOR: usize = 16;

/// Writes paths, within bounds.
#[derive(Debug)]
pub struct PathWriter<'a> {
    elements: &'a Elements,
    budget: usize,
    spent: usize,
    /// The last path: neighbours often share theirs.
    last: Option<NodeId>,
    last_range: Range<usize>,
    chain: Vec<NodeId>,
    pub paths: String,
}

impl<'a> PathWriter<'a> {
    /// For the paths of a document of that many bytes.
    pub fn new(elements: &'a Elements, document: usize) -> Self {
        let own = elements.segments.len().saturating_add(document);
        Self {
            elements,
            budget: FREE.saturating_add(own.saturating_mul(FACTOR)),
            spent: 0,
            last: None,
            last_range: 0..0,
            chain: Vec::new(),
            paths: String::new(),
        }
    }

    /// Where the path of an element is in `paths`.
    pub fn write(&mut self, node: Option<NodeId>) -> Range<usize> {
        let limit = if self.spent < self.budget {
            MAX_PATH
        } else {
            SHORT_PATH
        };
        if node == self.last && self.last_range.len() <= limit {
            // It counts again: who takes the paths may copy them.
            self.spent += self.last_range.len();
            return self.last_range.clone();
        }
        let start = self.paths.len();
        self.climb(node);
        let whole: usize = self
            .chain
            .iter()
            .map(|id| self.elements.segment(*id).len() + 1)
            .sum();
        if whole <= limit {
            self.write_chain(0, self.chain.len());
        } else {
            self.write_cut(limit);
        }
        self.last = node;
        self.last_range = start..self.paths.len();
        self.spent += self.last_range.len();
        self.last_range.clone()
    }

    /// The elements from the root down.
    fn climb(&mut self, node: Option<NodeId>) {
        self.chain.clear();
        let mut next = node;
        while let Some(id) = next {
            self.chain.push(id);
            next = self.elements.parent(id);
        }
        self.chain.reverse();
    }

    fn write_chain(&mut self, from: usize, to: usize) {
        for (index, id) in self.chain.iter().enumerate().take(to).skip(from) {
            if index > 0 {
                self.paths.push('>');
            }
            self.paths.push_str(self.elements.segment(*id));
        }
    }

    /// The outer and the inner elements, each as many as fit in half of the limit, and between
    /// them how many were left out, as `…12…`.
    fn write_cut(&mut self, limit: usize) {
        let fits = |ids: &mut dyn Iterator<Item = &NodeId>| {
            let mut left = limit / 2;
            ids.take_while(|id| {
                let length = self.elements.segment(**id).len() + 1;
                let fits = length <= left;
                left = left.saturating_sub(length);
                fits
            })
            .count()
        };
        let outer = fits(&mut self.chain.iter());
        let inner = fits(&mut self.chain.iter().rev());
        let length = self.chain.len();
        self.write_chain(0, outer);
        let left_out = length - outer - inner;
        let arrow = if outer > 0 { ">" } else { "" };
        // Writing to a string does not fail.
        let _ = write!(self.paths, "{arrow}…{left_out}…");
        self.write_chain(length - inner, length);
    }
}
