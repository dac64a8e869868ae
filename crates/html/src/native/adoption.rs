//! The adoption agency algorithm, for the end tag of a misnested formatting element.
//!
//! In a tree, it moves blocks out of the element and wraps their content in copies of it. In a
//! stream of events, the only effect is that the element closes later: here it moves on the stack
//! to where its copy would be. Text and blocks stay in place. Listeners would treat the blocks as
//! content of the element. Pages where this matters, because the element hides or marks its
//! content, need a tree.

use crate::Events;
use corpus_markup::Name;

use super::Engine;
use super::classes::Classes;
use super::stack::OpenElement;

/// Maximum number of times a block is searched for (the outer loop of the standard).
const MAX_ROUNDS: usize = 8;

/// Maximum number of formatting elements kept between the block and the element (the inner loop).
const MAX_KEPT_ELEMENTS: usize = 3;

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Ends a formatting element.
    pub(super) fn adopt(&mut self, name: Name) {
        if let Some(top) = self.stack.top()
            && top.is(name)
        {
            let serial = top.serial;
            if self.formatting.ends_with(serial) {
                // Nearly always, it is nested correctly.
                self.pop();
                return self.formatting.remove_last();
            }
            if !self.formatting.contains(serial) {
                self.pop();
                return;
            }
        }
        for _ in 0..MAX_ROUNDS {
            let Some(element) = self.formatting.last_named(name) else {
                return self.end_other(name);
            };
            let index = if element.open {
                self.stack.position(element.serial)
            } else {
                None
            };
            let Some(index) = index else {
                return self.formatting.remove(element.serial);
            };
            let inside = self.stack.inner(index);
            if inside.iter().any(|other| other.classes.any(Classes::SCOPE)) {
                return;
            }
            let block = inside
                .iter()
                .position(|other| other.classes.any(Classes::SPECIAL));
            let Some(block) = block else {
                self.pop_to(index);
                return self.formatting.remove(element.serial);
            };
            self.move_into_block(element.serial, index, index + block);
        }
    }

    /// Moves an element on the stack to directly inside a block that it contains. The nearest
    /// formatting elements between the two continue around the block.
    fn move_into_block(&mut self, serial: u32, index: usize, mut block: usize) {
        let inside = self.stack.inner(index);
        if inside
            .iter()
            .take(block - index)
            .any(OpenElement::changes_text)
        {
            self.needs_tree = true;
        }
        if index > 0 && self.stack.get(index - 1).is_some_and(|outer| outer.ghost) {
            // In a tree, the block would move out of the form.
            self.needs_tree = true;
        }
        let mut outermost_kept = None;
        let mut steps = 0;
        let mut between = block;
        while between > index + 1 {
            between -= 1;
            steps += 1;
            let Some(other) = self.stack.get(between).copied() else {
                return;
            };
            let active = self.formatting.contains(other.serial);
            if active && steps <= MAX_KEPT_ELEMENTS {
                outermost_kept.get_or_insert(other.serial);
                continue;
            }
            if active {
                self.formatting.remove(other.serial);
            } else if !other.classes.any(Classes::FORMATTING) {
                // In a tree, the block would be moved out of it.
                self.needs_tree = true;
            }
            self.remove(between);
            block -= 1;
        }
        if let Some(kept) = outermost_kept {
            self.formatting.move_after(serial, kept);
        }
        self.stack.move_inwards(index, block);
    }
}
