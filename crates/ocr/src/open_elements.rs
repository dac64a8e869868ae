//! The open elements, which end tags close.

use corpus_bytes::step_counter::count_steps;
use corpus_markup::{KNOWN, Name};

/// The stack of open elements. Elements that matter have a note, the state that their format keeps
/// for them. A note applies to everything inside the element up to the next note.
///
/// Elements with the same slot are linked, so an end tag finds its element without a search. Every
/// element is closed once, so broken nesting costs no more than valid nesting.
pub(super) struct OpenElements<T> {
    elements: Vec<OpenElement>,
    notes: Vec<T>,
    /// The names of the elements without a separate slot.
    others: Vec<Name>,
    /// For every slot, the number of elements up to and including its innermost one.
    innermost: [u32; KNOWN],
    /// Like `innermost`, for walls: blocks that inline end tags cannot close anything outside of.
    wall: u32,
}

struct OpenElement {
    slot: u8,
    has_note: bool,
    /// The previous values of `innermost` of the slot, and of `wall`.
    before: u32,
    wall_before: u32,
}

/// The slot shared by all other names.
pub(super) const OTHER: u8 = 0;

/// The open elements that an end tag may close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CloseScope {
    Everywhere,
    /// Only elements inside the innermost wall.
    UpToWall,
}

impl<T> OpenElements<T> {
    pub fn new() -> Self {
        Self {
            elements: Vec::new(),
            notes: Vec::new(),
            others: Vec::new(),
            innermost: [0; KNOWN],
            wall: 0,
        }
    }

    /// The innermost note.
    #[inline]
    pub fn note(&self) -> Option<&T> {
        self.notes.last()
    }

    pub fn note_mut(&mut self) -> Option<&mut T> {
        self.notes.last_mut()
    }

    /// Whether the innermost wall is an element of this slot.
    #[inline]
    pub fn is_wall(&self, slot: u8) -> bool {
        self.wall != 0 && self.innermost.get(usize::from(slot)) == Some(&self.wall)
    }

    /// Opens an element.
    #[inline]
    pub fn push(&mut self, slot: u8, name: Name, is_wall: bool, note: Option<T>) {
        let number = self.elements.len() as u32 + 1;
        let before = match self.innermost.get_mut(usize::from(slot)) {
            Some(innermost) => std::mem::replace(innermost, number),
            None => 0,
        };
        self.elements.push(OpenElement {
            slot,
            has_note: note.is_some(),
            before,
            wall_before: self.wall,
        });
        self.notes.extend(note);
        if slot == OTHER {
            self.others.push(name);
        }
        if is_wall {
            self.wall = number;
        }
    }

    /// Closes the innermost element of a slot and all elements inside it. Emits their notes from
    /// the inside out. Of elements without a separate slot, only the innermost can be closed.
    #[inline]
    pub fn close(&mut self, slot: u8, name: Name, reach: CloseScope, emit: impl FnMut(T)) {
        let innermost = self.innermost.get(usize::from(slot)).copied();
        let number = innermost.unwrap_or(0);
        let is_out_of_reach = reach == CloseScope::UpToWall && number < self.wall;
        let is_another = slot == OTHER && self.others.last() != Some(&name);
        if number != 0 && !is_out_of_reach && !is_another {
            self.close_down_to(number as usize - 1, emit);
        }
    }

    /// Closes all elements.
    pub fn close_all(&mut self, emit: impl FnMut(T)) {
        self.close_down_to(0, emit);
    }

    #[inline]
    fn close_down_to(&mut self, kept: usize, mut emit: impl FnMut(T)) {
        while self.elements.len() > kept
            && let Some(entry) = self.elements.pop()
        {
            count_steps(1);
            if let Some(innermost) = self.innermost.get_mut(usize::from(entry.slot)) {
                *innermost = entry.before;
            }
            self.wall = entry.wall_before;
            if entry.slot == OTHER {
                self.others.pop();
            }
            if entry.has_note
                && let Some(note) = self.notes.pop()
            {
                emit(note);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: u8 = 1;
    const DIV: u8 = 2;

    fn closed(open: &mut OpenElements<u32>, slot: u8, name: Name, reach: CloseScope) -> Vec<u32> {
        let mut closed = Vec::new();
        open.close(slot, name, reach, |number| closed.push(number));
        closed
    }

    #[test]
    fn an_end_tag_closes_all_elements_inside_its_element() {
        let mut open = OpenElements::new();
        open.push(DIV, Name::DIV, true, Some(1));
        open.push(SPAN, Name::SPAN, false, Some(2));
        open.push(SPAN, Name::SPAN, false, None);
        assert_eq!(open.note(), Some(&2));
        open.push(SPAN, Name::SPAN, false, Some(3));
        assert_eq!(
            closed(&mut open, DIV, Name::DIV, CloseScope::Everywhere),
            [3, 2, 1]
        );
        assert_eq!(open.note(), None);
        assert_eq!(
            closed(&mut open, SPAN, Name::SPAN, CloseScope::Everywhere),
            [0u32; 0]
        );
    }

    #[test]
    fn a_wall_stops_inline_end_tags() {
        let mut open = OpenElements::new();
        open.push(SPAN, Name::SPAN, false, Some(1));
        open.push(DIV, Name::DIV, true, Some(2));
        assert!(open.is_wall(DIV) && !open.is_wall(SPAN));
        assert_eq!(
            closed(&mut open, SPAN, Name::SPAN, CloseScope::UpToWall),
            [0u32; 0]
        );
        assert_eq!(closed(&mut open, DIV, Name::DIV, CloseScope::UpToWall), [2]);
        assert_eq!(
            closed(&mut open, SPAN, Name::SPAN, CloseScope::UpToWall),
            [1]
        );
    }

    #[test]
    fn elements_without_a_slot_are_compared_by_name() {
        let (one, other) = (Name::from_str("x-one"), Name::from_str("x-other"));
        let mut open = OpenElements::new();
        open.push(OTHER, one, false, Some(1));
        open.push(OTHER, other, false, Some(2));
        assert_eq!(
            closed(&mut open, OTHER, one, CloseScope::Everywhere),
            [0u32; 0]
        );
        assert_eq!(closed(&mut open, OTHER, other, CloseScope::Everywhere), [2]);
        let mut all = Vec::new();
        open.close_all(|number| all.push(number));
        assert_eq!(all, [1]);
        assert!(!open.is_wall(OTHER));
    }
}
