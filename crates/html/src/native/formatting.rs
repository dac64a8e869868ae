//! The list of active formatting elements, which are reopened after a block closed them.

use corpus_bytes::step_counter::count_steps;
use corpus_markup::{Name, RawAttributes, Tag};

/// Maximum number of elements. Longer lists lose their first one; real pages stay far below.
const MAX_ELEMENTS: usize = 128;

/// Maximum number of entries including markers, because every search passes over them. A cell that
/// ends with an unclosed object leaves a marker.
const MAX_ENTRIES: usize = 1024;

/// An element in the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active<'a> {
    pub(super) name: Name,
    pub(super) attributes: RawAttributes<'a>,
    pub(super) serial: u32,
    /// Whether it is on the stack of open elements.
    pub(super) open: bool,
    /// The fingerprint of its attributes, computed on the first comparison.
    fingerprint: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Entry<'a> {
    /// The start of a cell, caption, object or template. Earlier elements are not reopened in it.
    Marker,
    Element(Active<'a>),
}

/// The list.
#[derive(Default)]
pub(super) struct Formatting<'a> {
    entries: Vec<Entry<'a>>,
}

impl<'a> Formatting<'a> {
    pub(super) fn push_marker(&mut self) {
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.drain(..MAX_ENTRIES / 2);
        }
        self.entries.push(Entry::Marker);
    }

    /// Removes the last marker and the elements after it.
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.entries.pop() {}
    }

    /// Removes all elements but keeps the markers.
    pub(super) fn clear_elements(&mut self) {
        self.entries.retain(|entry| matches!(entry, Entry::Marker));
    }

    /// Adds an element that was just opened. If there are more than three equal ones, the first is
    /// removed (the "Noah's Ark clause").
    pub(super) fn push(&mut self, tag: &Tag<'a>, serial: u32) {
        let mut active = Active {
            name: tag.name,
            attributes: tag.attributes(),
            serial,
            open: true,
            fingerprint: None,
        };
        self.keep_three(&mut active);
        count_steps(self.entries.len());
        if self.entries.len() >= MAX_ELEMENTS
            && let Some(first) = self
                .entries
                .iter()
                .position(|entry| matches!(entry, Entry::Element(_)))
        {
            self.entries.remove(first);
        }
        self.entries.push(Entry::Element(active));
    }

    fn keep_three(&mut self, active: &mut Active<'a>) {
        if self
            .after_marker()
            .filter(|(_, other)| other.name == active.name)
            .count()
            < 3
        {
            return;
        }
        let fingerprint = active.attributes.fingerprint();
        active.fingerprint = Some(fingerprint);
        let mut alike = 0;
        let mut first = None;
        for (index, entry) in self.entries.iter_mut().enumerate().rev() {
            let Entry::Element(other) = entry else {
                break;
            };
            if other.name == active.name
                && *other
                    .fingerprint
                    .get_or_insert_with(|| other.attributes.fingerprint())
                    == fingerprint
            {
                alike += 1;
                first = Some(index);
            }
        }
        if let Some(first) = first
            && alike >= 3
        {
            self.entries.remove(first);
        }
    }

    /// The elements after the last marker with their indexes, the last one first.
    fn after_marker(&self) -> impl Iterator<Item = (usize, &Active<'a>)> {
        self.entries
            .iter()
            .enumerate()
            .rev()
            .map_while(|(index, entry)| match entry {
                Entry::Marker => None,
                Entry::Element(active) => Some((index, active)),
            })
    }

    /// The last element with this name after the last marker.
    pub(super) fn last_named(&self, name: Name) -> Option<Active<'a>> {
        self.after_marker()
            .find(|(_, active)| active.name == name)
            .map(|(_, active)| *active)
    }

    fn position(&self, serial: u32) -> Option<usize> {
        count_steps(self.entries.len());
        self.entries.iter().rposition(|entry| match entry {
            Entry::Marker => false,
            Entry::Element(active) => active.serial == serial,
        })
    }

    /// Whether this is the last element.
    #[inline]
    pub(super) fn ends_with(&self, serial: u32) -> bool {
        matches!(self.entries.last(), Some(Entry::Element(active)) if active.serial == serial)
    }

    pub(super) fn contains(&self, serial: u32) -> bool {
        self.position(serial).is_some()
    }

    /// Removes the last entry.
    #[inline]
    pub(super) fn remove_last(&mut self) {
        self.entries.pop();
    }

    pub(super) fn remove(&mut self, serial: u32) {
        if let Some(index) = self.position(serial) {
            self.entries.remove(index);
        }
    }

    /// Moves an element to after another one.
    pub(super) fn move_after(&mut self, serial: u32, other: u32) {
        if let Some(from) = self.position(serial) {
            let entry = self.entries.remove(from);
            let to = self.position(other).map_or(from, |other| other + 1);
            self.entries.insert(to, entry);
        }
    }

    /// Records that an element is no longer on the stack.
    pub(super) fn closed(&mut self, serial: u32) {
        if let Some(index) = self.position(serial)
            && let Some(Entry::Element(active)) = self.entries.get_mut(index)
        {
            active.open = false;
        }
    }

    /// Whether elements have to be reopened before further content.
    #[inline]
    pub(super) fn needs_reopening(&self) -> bool {
        matches!(self.entries.last(), Some(Entry::Element(active)) if !active.open)
    }

    /// The index of the first element to reopen.
    pub(super) fn first_to_reopen(&self) -> usize {
        self.entries
            .iter()
            .rposition(|entry| match entry {
                Entry::Marker => true,
                Entry::Element(active) => active.open,
            })
            .map_or(0, |last_open| last_open + 1)
    }

    pub(super) fn get(&self, index: usize) -> Option<Active<'a>> {
        match self.entries.get(index) {
            Some(Entry::Element(active)) => Some(*active),
            _ => None,
        }
    }

    /// Records that an element was reopened.
    pub(super) fn reopened(&mut self, index: usize, serial: u32) {
        if let Some(Entry::Element(active)) = self.entries.get_mut(index) {
            active.serial = serial;
            active.open = true;
        }
    }
}
