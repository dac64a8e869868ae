//! Paths of elements, such as `body>div.container>p#id`.

use std::fmt::Write;
use std::ops::Range;

use super::paragraph::Kind;
use crate::events::Element;

/// Stores properties of the elements around paragraphs.
pub trait Nodes {
    /// Adds an element that opens.
    fn add(&mut self, parent: Option<NodeId>, element: &Element<'_>) -> NodeId;
    /// Whether the text of a link counts as link text. `kind` is the kind of its paragraph.
    fn counts_link(&self, _link: &Element<'_>, _kind: Kind) -> bool {
        true
    }
    /// Another tag of the outermost element: adds the attributes that it does not have yet.
    fn add_to_first(&mut self, element: &Element<'_>);
    /// Keeps the node after its element closes.
    fn keep(&mut self, id: Option<NodeId>);
    /// An element closes. Its node is dropped if it is the last one and not kept.
    fn close(&mut self, id: NodeId);
}

/// Elements in the order they open, each with its parent. Elements without paragraphs are dropped.
#[derive(Debug, Default)]
pub struct Elements {
    nodes: Vec<Node>,
    segments: String,
    /// The segment of the first node, if it differs from its entry in `segments`.
    first: Option<String>,
}

#[derive(Debug)]
struct Node {
    parent: Option<NodeId>,
    /// The start of its segment, which ends at the start of the next node's segment.
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

/// Appends an id, which should be one word. Otherwise its words are joined with `_`.
fn push_id(segment: &mut String, element: &Element<'_>) {
    let Some(id) = element.attribute("id") else {
        return;
    };
    for (index, word) in id.split_ascii_whitespace().enumerate() {
        segment.push(if index == 0 { '#' } else { '_' });
        segment.push_str(word);
    }
}

/// Maximum length of a path. Longer ones lose their middle.
const MAX_PATH_BYTES: usize = 4096;

/// Maximum length of a path after the paths of a page have used up their budget.
const MAX_SHORT_PATH_BYTES: usize = 64;

/// Budget of all paths of a page, regardless of its size, ...
const BASE_BUDGET_BYTES: usize = 1 << 20;

/// ... and per byte of its segments and text. A path repeats the segments of all elements around
/// it, so the paths of deep pages with many paragraphs could reach a hundred times the size of the
/// page.
const BUDGET_PER_BYTE: usize = 16;

/// Writes paths within the budget.
#[derive(Debug)]
pub struct PathWriter<'a> {
    elements: &'a Elements,
    budget: usize,
    spent: usize,
    /// The last path, which neighbors often share.
    last: Option<NodeId>,
    last_range: Range<usize>,
    chain: Vec<NodeId>,
    pub paths: String,
}

impl<'a> PathWriter<'a> {
    /// A writer for the paths of a document of this many bytes.
    pub fn new(elements: &'a Elements, document: usize) -> Self {
        let own = elements.segments.len().saturating_add(document);
        Self {
            elements,
            budget: BASE_BUDGET_BYTES.saturating_add(own.saturating_mul(BUDGET_PER_BYTE)),
            spent: 0,
            last: None,
            last_range: 0..0,
            chain: Vec::new(),
            paths: String::new(),
        }
    }

    /// Writes the path of an element, and returns its range in `paths`.
    pub fn write(&mut self, node: Option<NodeId>) -> Range<usize> {
        let limit = if self.spent < self.budget {
            MAX_PATH_BYTES
        } else {
            MAX_SHORT_PATH_BYTES
        };
        if node == self.last && self.last_range.len() <= limit {
            // It counts again, because callers may copy each path.
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

    /// Collects the elements from the root down.
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

    /// Writes as many outer and inner elements as fit, each into half of the limit, and the number
    /// of omitted elements between them as `…12…`.
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
        let omitted = length - outer - inner;
        let arrow = if outer > 0 { ">" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(self.paths, "{arrow}…{omitted}…");
        self.write_chain(length - inner, length);
    }
}
