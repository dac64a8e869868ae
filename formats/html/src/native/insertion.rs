//! Opening and closing: what goes on the stack and what is told.

use crate::{Attributes, Element, Events};
use corpus_markup::{Name, RawAttributes, Tag};

use super::Engine;
use super::classes::Classes;
use super::stack::{Open, Space, Telling};
use super::text::without_newline;

/// What opening an element again costs at least, in bytes of markup.
const REOPENING: usize = 16;

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Opens an HTML element. Says whether it is on the stack: it may be too deep.
    #[inline]
    pub(super) fn insert(&mut self, tag: &Tag<'a>) -> bool {
        self.push(Open::html(tag.name, tag.attributes))
    }

    /// Opens an HTML element that has no tag.
    pub(super) fn insert_implied(&mut self, name: Name) {
        self.push(Open::html(name, RawAttributes::default()));
    }

    #[inline]
    pub(super) fn push(&mut self, mut element: Open<'a>) -> bool {
        if self.waits_with_table(&element) {
            element.telling = Telling::Waits;
        } else {
            self.make_place();
            element.late = self.is_late();
            element.telling = self.telling_of(&element);
        }
        if self.is_too_deep(element.name) {
            if element.telling != Telling::Silent {
                self.tell_open(&element);
                self.events.close(element.name);
            }
            self.drop_element(element.name);
            return false;
        }
        self.last_serial += 1;
        element.serial = self.last_serial;
        match element.telling {
            Telling::Told => self.tell_open(&element),
            Telling::Waits | Telling::Silent => {}
        }
        self.stack.push(element);
        true
    }

    /// A table waits. Formatting elements that are late are told where they stand: that is no
    /// harm. Others that are late are not told at all, as long as nothing is in them.
    #[inline]
    fn telling_of(&mut self, element: &Open<'a>) -> Telling {
        if element.is(Name::TABLE) {
            self.needs_tree |= element.late;
            Telling::Waits
        } else if element.late && !element.classes.any(Classes::FORMATTING) {
            Telling::Silent
        } else {
            Telling::Told
        }
    }

    /// The rows of a table that waits for its first cell wait with it.
    #[inline]
    fn waits_with_table(&self, element: &Open<'a>) -> bool {
        element.classes.any(Classes::TABLE_PART)
            && element.name != Name::TABLE
            && self.stack.top().is_some_and(Open::waits)
    }

    /// Tells an element that has no content, and is not put on the stack.
    #[inline]
    pub(super) fn insert_void(&mut self, tag: &Tag<'a>) {
        self.push_void(&Open::html(tag.name, tag.attributes));
    }

    #[inline]
    pub(super) fn push_void(&mut self, element: &Open<'a>) {
        self.take_place();
        self.tell_open(element);
        self.events.close(element.name);
    }

    /// Tells an element that has no markup in it, up to its end tag.
    pub(super) fn insert_raw(&mut self, tag: &Tag<'a>) {
        self.take_place();
        self.tell_open(&Open::html(tag.name, tag.attributes));
        let text = match tag.name {
            Name::SCRIPT => self.tokenizer.script(),
            _ => self.tokenizer.raw_text(&tag.name.text()),
        };
        match tag.name {
            Name::TITLE => self.tell_decoded(text),
            Name::TEXTAREA => self.tell_decoded(without_newline(text)),
            _ => self.tell_raw(text),
        }
        self.events.close(tag.name);
    }

    /// Tells an element that takes all the rest of the page. Nothing can end it.
    pub(super) fn insert_plaintext(&mut self, tag: &Tag<'a>) {
        self.insert(tag);
        let text = self.tokenizer.rest();
        if !text.is_empty() {
            self.reopen_formatting();
            self.take_place();
            self.tell_raw(text);
        }
    }

    /// Tells an element without content that has no tag, if it is not late for that.
    pub(super) fn insert_empty(&mut self, name: Name) {
        if !self.is_late() {
            self.push_void(&Open::html(name, RawAttributes::default()));
        }
    }

    #[inline]
    fn tell_open(&mut self, element: &Open<'a>) {
        let RawAttributes { source, names } = element.attributes;
        self.events.open(&Element {
            name: element.name,
            foreign: element.space != Space::Html,
            attributes: Attributes::Raw { source, names },
        });
    }

    /// Content follows that must be told here. If it is late for that, a tree is needed.
    #[inline]
    pub(super) fn take_place(&mut self) {
        self.make_place();
        if self.is_late() {
            self.needs_tree = true;
        }
    }

    /// Would what comes now belong before a table that was told already?
    #[inline]
    pub(super) fn is_late(&self) -> bool {
        self.stack.top().is_some_and(|top| {
            top.late || (self.fostering && !top.waits() && top.classes.any(Classes::TABLE_PART))
        })
    }

    /// What comes now is in the table that waits to be told, if it does not go before it.
    #[inline]
    fn make_place(&mut self) {
        if !self.fostering && self.stack.top().is_some_and(Open::waits) {
            self.tell_waiting();
        }
    }

    /// Tells the parts of a table that waited, which are the innermost elements.
    #[cold]
    fn tell_waiting(&mut self) {
        let mut first = self.stack.len();
        while first > 0 && self.stack.get(first - 1).is_some_and(Open::waits) {
            first -= 1;
        }
        for index in first..self.stack.len() {
            if let Some(element) = self.stack.get(index).copied() {
                self.tell_open(&element);
            }
        }
        for element in self.stack.inner_mut(first) {
            element.telling = Telling::Told;
        }
    }

    /// Closes the innermost element.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Name> {
        if self.stack.top()?.waits() {
            self.tell_waiting();
        }
        let element = self.stack.pop()?;
        self.closed(&element);
        while self.stack.top().is_some_and(|top| top.ghost)
            && let Some(ghost) = self.stack.pop()
        {
            self.closed(&ghost);
        }
        self.dropped.stack_is(self.stack.len());
        Some(element.name)
    }

    /// Closes an element that need not be the innermost one.
    pub(super) fn remove(&mut self, index: usize) {
        if let Some(element) = self.stack.remove(index) {
            // Who listens would take a link of svg in it for the one that closes.
            let inside = self.stack.inner(index);
            if inside
                .iter()
                .any(|other| other.name == element.name && other.space != Space::Html)
            {
                self.needs_tree = true;
            }
            self.closed(&element);
        }
    }

    #[inline]
    fn closed(&mut self, element: &Open<'a>) {
        if element.classes.any(Classes::FORMATTING) {
            self.formatting.closed(element.serial);
        }
        if element.telling != Telling::Silent {
            self.events.close(element.name);
        }
    }

    /// Closes elements until only so many are open.
    #[inline]
    pub(super) fn pop_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            self.pop();
        }
    }

    /// Closes elements up to the innermost one of that name, and that one. It is open.
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

    /// Closes elements up to the innermost one that has one of the classes, and that one.
    pub(super) fn pop_through_class(&mut self, classes: Classes) {
        while let Some(top) = self.stack.top() {
            let found = top.classes.any(classes);
            self.pop();
            if found {
                return;
            }
        }
    }

    /// Closes elements until the innermost one is one of those.
    pub(super) fn pop_until(&mut self, wanted: impl Fn(&Open<'a>) -> bool) {
        while self.stack.top().is_some_and(|top| !wanted(top)) {
            self.pop();
        }
    }

    /// Closes elements whose end tags may be left out.
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

    /// Closes the paragraph that is open, if there is one in button scope.
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

    /// Opens the formatting elements again that a block cut off.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if self.formatting.waits() {
            self.reopen_waiting();
        }
    }

    fn reopen_waiting(&mut self) {
        let mut index = self.formatting.first_waiting();
        while let Some(active) = self.formatting.get(index) {
            let cost = REOPENING + active.attributes.source.len();
            let left = self.reopening_budget.checked_sub(cost);
            let Some(left) = left.filter(|_| !self.is_too_deep(active.name)) else {
                // Where it ends hardly matters: no real page comes here.
                self.formatting.clear_elements();
                return;
            };
            self.reopening_budget = left;
            self.push(Open::html(active.name, active.attributes));
            self.formatting.reopened(index, self.last_serial);
            index += 1;
        }
    }
}
