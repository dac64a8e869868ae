//! The list of active formatting elements: those that open again where a block cut them off.

use corpus_bytes::work::count_steps;
use corpus_markup::{Name, RawAttributes, Tag};

/// Longer lists are cut at their beginning. Real pages stay far below.
const LONGEST: usize = 128;

/// Maximum number of entries, markers included, since every search passes over them. Cells that
/// end with an unclosed object leave a marker each.
const MAX_ENTRIES: usize = 1024;

/// An element in the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active<'a> {
    pub(super) name: Name,
    pub(super) attributes: RawAttributes<'a>,
    pub(super) serial: u32,
    /// Is it on the stack of open elements?
    pub(super) open: bool,
    /// What its attributes are compared by, once somebody compared them.
    fingerprint: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Entry<'a> {
    /// A cell, a caption, an object or a template began: what came before does not go on in it.
    Marker,
    Element(Active<'a>),
}

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

    /// Forgets what came after the last marker, and the marker.
    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.entries.pop() {}
    }

    /// Forgets everything but the markers.
    pub(super) fn clear_elements(&mut self) {
        self.entries.retain(|entry| matches!(entry, Entry::Marker));
    }

    /// Adds an element that has just been opened. Of more than three that are alike, the first is
    /// forgotten ("Noah's Ark").
    pub(super) fn push(&mut self, tag: &Tag<'a>, serial: u32) {
        let mut active = Active {
            name: tag.name,
            attributes: tag.attributes,
            serial,
            open: true,
            fingerprint: None,
        };
        self.keep_three(&mut active);
        count_steps(self.entries.len());
        if self.entries.len() >= LONGEST
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

    /// The elements after the last marker, the last one first, with their positions.
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

    /// The last one of that name after the last marker.
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

    pub(super) fn contains(&self, serial: u32) -> bool {
        self.position(serial).is_some()
    }

    pub(super) fn remove(&mut self, serial: u32) {
        if let Some(index) = self.position(serial) {
            self.entries.remove(index);
        }
    }

    /// Moves an element to behind another one.
    pub(super) fn move_behind(&mut self, serial: u32, other: u32) {
        if let Some(from) = self.position(serial) {
            let entry = self.entries.remove(from);
            let to = self.position(other).map_or(from, |other| other + 1);
            self.entries.insert(to, entry);
        }
    }

    /// Notes that an element is not on the stack any more.
    pub(super) fn closed(&mut self, serial: u32) {
        if let Some(index) = self.position(serial)
            && let Some(Entry::Element(active)) = self.entries.get_mut(index)
        {
            active.open = false;
        }
    }

    /// Must something be opened again before content goes on?
    #[inline]
    pub(super) fn waits(&self) -> bool {
        matches!(self.entries.last(), Some(Entry::Element(active)) if !active.open)
    }

    /// Where those begin that are to be opened again.
    pub(super) fn first_waiting(&self) -> usize {
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

    /// Notes that an element was opened again.
    pub(super) fn reopened(&mut self, index: usize, serial: u32) {
        if let Some(Entry::Element(active)) = self.entries.get_mut(index) {
            active.serial = serial;
            active.open = true;
        }
    }
}
