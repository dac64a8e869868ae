//! Elements beyond the maximum depth. They are emitted as empty elements, followed by their
//! content.

use crate::Events;
use corpus_markup::{KNOWN, Name, Tag};

use super::Engine;

/// The dropped elements, counted so that their end tags do not close others.
pub(super) struct Dropped {
    counts: [u32; KNOWN],
    total: u32,
    /// The depth of the stack when the first one was dropped.
    level: usize,
}

impl Default for Dropped {
    fn default() -> Self {
        Self {
            counts: [0; KNOWN],
            total: 0,
            level: 0,
        }
    }
}

impl Dropped {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    fn add(&mut self, name: Name, level: usize) {
        if self.total == 0 {
            self.level = level;
        }
        if let Some(count) = self.counts.get_mut(name.index()) {
            *count = count.saturating_add(1);
            self.total = self.total.saturating_add(1);
        }
    }

    /// Whether an end tag belongs to a dropped element, which then ends.
    pub(super) fn ends(&mut self, name: Name) -> bool {
        match self.counts.get_mut(name.index()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                self.total = self.total.saturating_sub(1);
                true
            }
            _ => false,
        }
    }

    /// Forgets the dropped elements when the element around them has closed.
    #[inline]
    pub(super) fn update_depth(&mut self, depth: usize) {
        if self.total > 0 && depth < self.level {
            *self = Self::default();
        }
    }

    fn has(&self, name: Name) -> bool {
        self.counts
            .get(name.index())
            .is_some_and(|count| *count > 0)
    }
}

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Whether an element must be dropped. Rows and cells are dropped only with their table.
    #[inline]
    pub(super) fn is_too_deep(&self, name: Name) -> bool {
        self.stack.len() >= self.max_depth && !is_table_part(name)
    }

    pub(super) fn drop_element(&mut self, name: Name) {
        self.dropped.add(name, self.stack.len());
    }

    /// Drops the rows and cells of a dropped table.
    pub(super) fn drops_table_part(&mut self, tag: &Tag<'a>) -> bool {
        let drops = is_table_part(tag.name) && self.dropped.has(Name::TABLE);
        if drops {
            self.insert_void(tag);
            self.drop_element(tag.name);
        }
        drops
    }
}

fn is_table_part(name: Name) -> bool {
    matches!(
        name,
        Name::TR
            | Name::TD
            | Name::TH
            | Name::TBODY
            | Name::THEAD
            | Name::TFOOT
            | Name::CAPTION
            | Name::COLGROUP
    )
}
