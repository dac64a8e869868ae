//! Renders the content of matching elements as HTML and as text.
//!
//! Both are written once, while the tree is walked. The HTML of an element inside another match is
//! a part of that match's HTML. So is its text, unless it is in an element such as script, whose
//! content does not belong to the text around it.

use std::ops::Range;

use super::{Content, Selected};
use crate::tree::arena::{self, Id, Tree};
use crate::tree::serialize::{Lines, breaks_line, is_skipped, push_end, push_start};

/// Offsets in Arrow's view arrays are signed 32-bit integers.
const MAX_OFFSET: usize = i32::MAX as usize;

pub struct Renderer<'a> {
    tree: &'a Tree,
    scripting: bool,
    /// The remaining bytes for the contents of further elements, each counted separately.
    bytes_left: usize,
    elements: Vec<Selected>,
    html: String,
    text: String,
    /// The matching elements around the current node.
    open: Vec<Open>,
    regions: Vec<Region>,
}

/// A matching element that has not ended.
struct Open {
    id: Id,
    /// Its index among all matches.
    index: usize,
    html: usize,
    /// The start of its text in its region, possibly followed by a separator.
    text: usize,
    /// The number of regions around its text.
    regions: usize,
}

/// The text of an outermost match, or of an element whose content does not belong to the text
/// around it.
struct Region {
    root: Id,
    lines: Lines,
    /// The matches that have ended, with their ranges in `lines`.
    ended: Vec<(usize, Range<usize>)>,
}

impl<'a> Renderer<'a> {
    pub fn new(tree: &'a Tree, scripting: bool, max_bytes: usize) -> Self {
        Self {
            tree,
            scripting,
            bytes_left: max_bytes,
            elements: Vec::new(),
            html: String::new(),
            text: String::new(),
            open: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Whether the current node is inside a match.
    pub fn is_rendering(&self) -> bool {
        !self.open.is_empty()
    }

    pub fn enter(&mut self, id: Id, is_match: bool) {
        if !is_match && !self.is_rendering() {
            return;
        }
        match &self.tree.node(id).content {
            arena::Content::Document => {}
            arena::Content::Text(text) => {
                // Scripts and the like inside a match are not rendered.
                let is_wanted = |open: &Open| open.regions == self.regions.len();
                if self.open.last().is_some_and(is_wanted)
                    && let Some(region) = self.regions.last_mut()
                {
                    region.lines.push(text);
                }
            }
            arena::Content::Element(element) => {
                if self.regions.is_empty() || is_skipped(element) {
                    self.regions.push(Region {
                        root: id,
                        lines: Lines::default(),
                        ended: Vec::new(),
                    });
                }
                if is_match {
                    self.open(id);
                }
                self.end_line(element);
            }
        }
        if self.html.len() <= MAX_OFFSET {
            push_start(&mut self.html, self.tree, id, self.scripting);
        }
    }

    pub fn leave(&mut self, id: Id) {
        let Some(element) = self.tree.element(id).filter(|_| self.is_rendering()) else {
            return;
        };
        if self.html.len() <= MAX_OFFSET {
            push_end(&mut self.html, element);
        }
        if let Some(open) = self.open.pop_if(|open| open.id == id) {
            self.close(&open);
        }
        if self.regions.last().is_some_and(|region| region.root == id) {
            self.close_region();
        } else {
            self.end_line(element);
        }
    }

    fn end_line(&mut self, element: &arena::Element) {
        if breaks_line(&element.name)
            && let Some(region) = self.regions.last_mut()
        {
            region.lines.end();
        }
    }

    fn open(&mut self, id: Id) {
        let region = self.regions.last();
        self.open.push(Open {
            id,
            index: self.elements.len(),
            html: self.html.len(),
            text: region.map_or(0, |region| region.lines.text.len()),
            regions: self.regions.len(),
        });
        self.elements.push(Selected { id, content: None });
    }

    fn close(&mut self, open: &Open) {
        let Some(region) = self.regions.last_mut() else {
            return;
        };
        let text = region.lines.text.get(open.text..).unwrap_or_default();
        // The separator before its first word is not part of its text.
        let separator = usize::from(text.starts_with([' ', '\n']));
        let text = open.text + separator..region.lines.text.len();
        let html = open.html..self.html.len();
        let bytes = html.len() + text.len();
        if bytes <= self.bytes_left
            && self.html.len() <= MAX_OFFSET
            && let Some(element) = self.elements.get_mut(open.index)
        {
            self.bytes_left -= bytes;
            region.ended.push((open.index, text.clone()));
            element.content = Some(Content { html, text });
        }
    }

    /// Appends the text of the innermost region to the whole text.
    fn close_region(&mut self) {
        let Some(region) = self.regions.pop() else {
            return;
        };
        if region.ended.is_empty() {
            return;
        }
        let start = self.text.len();
        let fits = start + region.lines.text.len() <= MAX_OFFSET;
        for (index, text) in region.ended {
            if let Some(element) = self.elements.get_mut(index) {
                element.content = element
                    .content
                    .take()
                    .filter(|_| fits)
                    .map(|content| Content {
                        text: start + text.start..start + text.end,
                        ..content
                    });
            }
        }
        if fits {
            self.text.push_str(&region.lines.text);
        }
    }

    pub fn finish(mut self) -> (Vec<Selected>, String, String) {
        self.html
            .truncate(self.html.floor_char_boundary(MAX_OFFSET));
        (self.elements, self.html, self.text)
    }
}
