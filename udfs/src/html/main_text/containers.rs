//! The elements around the paragraphs, and what they say of these.

use super::hints::Hint;
use crate::html::events::Element;
use crate::html::extract::{Effect, NodeId, Nodes};

/// An element. The first is the body; every other one has its parent before it.
#[derive(Debug)]
pub struct Container {
    pub parent: usize,
    /// What its name, class, id and role say of its content.
    pub hint: Hint,
    is_kept: bool,
}

impl Container {
    pub fn new(parent: usize, hint: Hint) -> Self {
        Self {
            parent,
            hint,
            is_kept: false,
        }
    }
}

/// The elements that hold paragraphs, and those around them.
#[derive(Debug, Default)]
pub struct Containers(pub Vec<Container>);

impl Nodes for Containers {
    fn add(&mut self, parent: Option<NodeId>, element: &Element<'_>) -> NodeId {
        // Inline elements say something of words, not of paragraphs.
        let hint = if Effect::of(element.name).is_block() {
            Hint::of(element)
        } else {
            Hint::Neutral
        };
        let parent = parent.map_or(0, |parent| parent.0);
        self.0.push(Container::new(parent, hint));
        NodeId(self.0.len() - 1)
    }

    /// The attributes of the body say nothing.
    fn add_to_first(&mut self, _: &Element<'_>) {}

    fn keep(&mut self, id: Option<NodeId>) {
        if let Some(container) = id.and_then(|id| self.0.get_mut(id.0)) {
            container.is_kept = true;
        }
    }

    fn close(&mut self, id: NodeId) {
        if self.0.len() == id.0 + 1 {
            self.0.pop_if(|container| !container.is_kept);
        }
    }
}
