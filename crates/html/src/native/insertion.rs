//! Opens and closes elements: updates the stack and emits events.

use crate::Events;
use corpus_markup::{Name, RawAttributes, Tag};

use super::Engine;
use super::classes::Classes;
use super::stack::{Emission, OpenElement, Vocabulary};
use super::text::without_newline;

/// Minimum cost of reopening an element, in bytes of markup.
const REOPENING_COST_BYTES: usize = 16;

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Opens an HTML element. Returns whether it is on the stack, as opposed to too deep.
    pub(super) fn insert(&mut self, tag: &Tag<'a>) -> bool {
        self.push(OpenElement::html(tag.name, tag.attributes()))
    }

    /// Opens an HTML element that has no tag.
    pub(super) fn insert_implied(&mut self, name: Name) {
        self.push(OpenElement::html(name, RawAttributes::default()));
    }

    /// Opens an element. (Always inlined, and the usual element is never borrowed as a whole:
    /// passing it through memory takes longer than everything else here.)
    #[inline(always)]
    pub(super) fn push(&mut self, mut element: OpenElement<'a>) -> bool {
        let is_usual = !self.fostering
            && self.stack.len() < self.max_depth
            && element.name != Name::TABLE
            && self.stack.top().is_none_or(OpenElement::takes_content);
        if !is_usual {
            return self.push_unusual(OpenElement { ..element });
        }
        self.last_serial += 1;
        element.serial = self.last_serial;
        self.emit_open(&element);
        self.stack.push(element);
        true
    }

    /// Opens a table, an element in or before a table, or an element that is too deep.
    #[inline(never)]
    fn push_unusual(&mut self, mut element: OpenElement<'a>) -> bool {
        if self.is_pending_with_table(&element) {
            element.emission = Emission::Pending;
        } else {
            self.emit_pending_table();
            element.late = self.is_late();
            element.emission = self.emission_of(&element);
        }
        if self.is_too_deep(element.name) {
            if element.emission != Emission::Suppressed {
                self.emit_open(&element);
                self.events.close(element.name);
            }
            self.drop_element(element.name);
            return false;
        }
        self.last_serial += 1;
        element.serial = self.last_serial;
        match element.emission {
            Emission::Emitted => self.emit_open(&element),
            Emission::Pending | Emission::Suppressed => {}
        }
        self.stack.push(element);
        true
    }

    /// How to emit an element. Tables are pending first. Late formatting elements are emitted in
    /// place, which is harmless. Other late elements are not emitted unless they have content.
    #[inline]
    fn emission_of(&mut self, element: &OpenElement<'a>) -> Emission {
        if element.is(Name::TABLE) {
            self.needs_tree |= element.late;
            Emission::Pending
        } else if element.late && !element.classes.any(Classes::FORMATTING) {
            Emission::Suppressed
        } else {
            Emission::Emitted
        }
    }

    /// Rows of a pending table are pending until its first cell.
    #[inline]
    fn is_pending_with_table(&self, element: &OpenElement<'a>) -> bool {
        element.classes.any(Classes::TABLE_PART)
            && element.name != Name::TABLE
            && self.stack.top().is_some_and(OpenElement::is_pending)
    }

    /// Emits an element without content, which is not put on the stack.
    #[inline]
    pub(super) fn insert_void(&mut self, tag: &Tag<'a>) {
        self.push_void(&OpenElement::html(tag.name, tag.attributes()));
    }

    #[inline]
    pub(super) fn push_void(&mut self, element: &OpenElement<'a>) {
        self.begin_content();
        self.emit_open(element);
        self.events.close(element.name);
    }

    /// Emits an element that contains only text, up to its end tag.
    pub(super) fn insert_raw(&mut self, tag: &Tag<'a>) {
        self.begin_content();
        self.emit_open(&OpenElement::html(tag.name, tag.attributes()));
        let text = match tag.name {
            Name::SCRIPT => self.tokenizer.script(),
            _ => self.tokenizer.raw_text(&tag.name.text()),
        };
        match tag.name {
            Name::TITLE => self.emit_decoded(text),
            Name::TEXTAREA => self.emit_decoded(without_newline(text)),
            _ => self.emit_raw(text),
        }
        self.events.close(tag.name);
    }

    /// Emits an element that contains the rest of the page as text. Nothing can end it.
    pub(super) fn insert_plaintext(&mut self, tag: &Tag<'a>) {
        self.insert(tag);
        let text = self.tokenizer.rest();
        if !text.is_empty() {
            self.reopen_formatting();
            self.begin_content();
            self.emit_raw(text);
        }
    }

    /// Emits an empty element that has no start tag, unless it is late.
    pub(super) fn insert_empty(&mut self, name: Name) {
        if !self.is_late() {
            self.push_void(&OpenElement::html(name, RawAttributes::default()));
        }
    }

    #[inline]
    fn emit_open(&mut self, element: &OpenElement<'a>) {
        self.events.open(&element.as_event());
    }

    /// Prepares to emit content at this position. If it is late, the page needs a tree.
    #[inline]
    pub(super) fn begin_content(&mut self) {
        self.emit_pending_table();
        if self.is_late() {
            self.needs_tree = true;
        }
    }

    /// Whether further content belongs before a table that was already emitted.
    #[inline]
    pub(super) fn is_late(&self) -> bool {
        self.stack.top().is_some_and(|top| {
            top.late
                || (self.fostering && !top.is_pending() && top.classes.any(Classes::TABLE_PART))
        })
    }

    /// Emits a pending table, unless further content is moved before it.
    #[inline]
    fn emit_pending_table(&mut self) {
        if !self.fostering && self.stack.top().is_some_and(OpenElement::is_pending) {
            self.emit_pending();
        }
    }

    /// Emits the pending parts of a table, which are the innermost elements.
    #[cold]
    fn emit_pending(&mut self) {
        let mut first = self.stack.len();
        while first > 0
            && self
                .stack
                .get(first - 1)
                .is_some_and(OpenElement::is_pending)
        {
            first -= 1;
        }
        for index in first..self.stack.len() {
            if let Some(element) = self.stack.get(index).copied() {
                self.emit_open(&element);
            }
        }
        for element in self.stack.inner_mut(first) {
            element.emission = Emission::Emitted;
        }
    }

    /// Closes the innermost element.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.stack.top().is_some_and(OpenElement::is_pending) {
            self.emit_pending();
        }
        let Some(element) = self.stack.pop() else {
            return;
        };
        self.closed(&element);
        while self.stack.top().is_some_and(|top| top.ghost)
            && let Some(ghost) = self.stack.pop()
        {
            self.closed(&ghost);
        }
        self.dropped.update_depth(self.stack.len());
    }

    /// Closes an element that need not be the innermost one.
    pub(super) fn remove(&mut self, index: usize) {
        if let Some(element) = self.stack.remove(index) {
            // Listeners would confuse an element of svg inside it with the one that closes.
            let inside = self.stack.inner(index);
            if inside
                .iter()
                .any(|other| other.name == element.name && other.space != Vocabulary::Html)
            {
                self.needs_tree = true;
            }
            // In a tree, the content of the elements inside it stays hidden or marked.
            if !inside.is_empty() && element.changes_text() {
                self.needs_tree = true;
            }
            self.closed(&element);
        }
    }

    #[inline(always)]
    fn closed(&mut self, element: &OpenElement<'a>) {
        if element.classes.any(Classes::FORMATTING) {
            self.formatting.closed(element.serial);
        }
        if element.emission != Emission::Suppressed {
            self.events.close(element.name);
        }
    }

    /// Closes elements until only `depth` are open.
    #[inline]
    pub(super) fn pop_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            self.pop();
        }
    }

    /// Closes elements up to and including the innermost one with this name, which must be open.
    #[inline]
    pub(super) fn pop_through(&mut self, name: Name) {
        while let Some(top) = self.stack.top() {
            let found = top.is(name);
            self.pop();
            if found {
                return;
            }
        }
    }

    /// Closes elements up to and including the innermost one that has one of the classes.
    pub(super) fn pop_through_class(&mut self, classes: Classes) {
        while let Some(top) = self.stack.top() {
            let found = top.classes.any(classes);
            self.pop();
            if found {
                return;
            }
        }
    }

    /// Closes elements until the innermost one is wanted.
    pub(super) fn pop_until(&mut self, wanted: impl Fn(&OpenElement<'a>) -> bool) {
        while self.stack.top().is_some_and(|top| !wanted(top)) {
            self.pop();
        }
    }

    /// Closes elements with optional end tags.
    #[inline]
    pub(super) fn imply_ends(&mut self) {
        while self.stack.top_classes().any(Classes::IMPLIED_END) {
            self.pop();
        }
    }

    #[inline]
    pub(super) fn imply_ends_except(&mut self, name: Name) {
        while self.stack.top_classes().any(Classes::IMPLIED_END) && !self.stack.top_is(name) {
            self.pop();
        }
    }

    /// Closes the open paragraph in button scope, if any.
    #[inline]
    pub(super) fn close_p(&mut self) {
        if self
            .stack
            .has_in(Classes::SCOPE.with(Classes::BUTTON_SCOPE), Name::P)
        {
            self.imply_ends_except(Name::P);
            self.pop_through(Name::P);
        }
    }

    /// Reopens the formatting elements that a block closed.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if self.formatting.needs_reopening() {
            self.reopen_closed();
        }
    }

    fn reopen_closed(&mut self) {
        let mut index = self.formatting.first_to_reopen();
        while let Some(active) = self.formatting.get(index) {
            let cost = REOPENING_COST_BYTES + active.attributes.source.len();
            let left = self.reopening_budget.checked_sub(cost);
            let Some(left) = left.filter(|_| !self.is_too_deep(active.name)) else {
                // The exact limit hardly matters, because no real page reaches it.
                self.formatting.clear_elements();
                return;
            };
            self.reopening_budget = left;
            self.push(OpenElement::html(active.name, active.attributes));
            self.formatting.reopened(index, self.last_serial);
            index += 1;
        }
    }
}
