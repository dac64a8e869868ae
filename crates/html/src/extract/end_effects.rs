//! Elements that write or change something at their start or end: scripts, deleted text,
//! quotations, and elements that a style makes blocks.

use corpus_blocks::scripts::Script;
use corpus_markup::Name;

/// The effect of an element at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndEffect {
    None,
    /// A style makes the element a block.
    Block,
    /// A style makes the element a box that is separate from its neighbors.
    Box,
    /// A block whose children are such boxes.
    Flexible,
    /// The same, within a line.
    InlineFlexible,
    Script(Script),
    /// The element has preformatted text.
    Preformatted,
    /// A note inside the text, in parentheses.
    Note,
    /// Deleted text, between tildes.
    Deleted,
    /// A quotation, with its opening and closing marks.
    Quotation(&'static str, &'static str),
}

impl EndEffect {
    /// Whether something is written before the first word of the element.
    pub fn has_start(self) -> bool {
        matches!(
            self,
            EndEffect::Script(_)
                | EndEffect::Note
                | EndEffect::Deleted
                | EndEffect::Quotation(_, _)
        )
    }
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub struct Open {
    name: Name,
    pub mark: EndEffect,
    /// The position of its first word, once it has one.
    pub at: Option<usize>,
    /// Whether it follows the word before it without white space.
    pub has_base: bool,
}

/// The open elements, starting with the outermost one that has a mark. Usually empty.
#[derive(Debug, Default)]
pub struct EndEffects {
    open: Vec<Open>,
    /// The number of open elements with a mark but no word yet. These are the innermost.
    waiting: usize,
}

impl EndEffects {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn push(&mut self, name: Name, mark: EndEffect, has_base: bool) {
        self.waiting += usize::from(mark.has_start());
        self.open.push(Open {
            name,
            mark,
            at: None,
            has_base,
        });
    }

    /// Removes the innermost element with a name.
    pub fn remove(&mut self, name: Name) -> Option<Open> {
        let index = self.open.iter().rposition(|open| open.name == name)?;
        let open = self.open.remove(index);
        if open.mark.has_start() && open.at.is_none() {
            self.waiting -= 1;
        }
        Some(open)
    }

    /// Whether the next element is a box because of the style of its parent.
    pub fn separate_children(&self) -> bool {
        self.open.last().is_some_and(|open| {
            matches!(open.mark, EndEffect::Flexible | EndEffect::InlineFlexible)
        })
    }

    /// The number of open quotations with marks.
    pub fn quotations(&self) -> usize {
        let is_quotation = |open: &&Open| matches!(open.mark, EndEffect::Quotation(..));
        self.open.iter().filter(is_quotation).count()
    }

    /// Whether the current word is part of a script.
    pub fn are_in_script(&self) -> bool {
        let mut marks = self.open.iter().map(|open| open.mark);
        marks.any(|mark| matches!(mark, EndEffect::Script(_)))
    }

    /// Whether the current word is part of a note inside the text.
    pub fn are_in_note(&self) -> bool {
        self.open.iter().any(|open| open.mark == EndEffect::Note)
    }

    /// The elements whose first word comes next, the outermost first.
    pub fn starting(&mut self) -> impl Iterator<Item = &mut Open> {
        let mut count = std::mem::take(&mut self.waiting);
        let mut first = self.open.len();
        while count > 0
            && let Some(index) = first.checked_sub(1)
        {
            first = index;
            count -= usize::from(self.open.get(index).is_some_and(Open::is_waiting));
        }
        let inner = self.open.get_mut(first..).unwrap_or_default();
        inner.iter_mut().filter(|open| open.is_waiting())
    }

    /// Whether the next word is a script of the word before it.
    pub fn starts_script(&self) -> bool {
        let mut waiting = self.open.iter().rev().filter(|open| open.is_waiting());
        self.waiting > 0
            && waiting
                .next()
                .is_some_and(|open| open.has_base && matches!(open.mark, EndEffect::Script(_)))
    }

    /// Updates positions after text was moved. `moved` maps an old position to the new one.
    pub fn move_text(&mut self, moved: impl Fn(usize) -> usize) {
        for at in self.open.iter_mut().filter_map(|open| open.at.as_mut()) {
            *at = moved(*at);
        }
    }
}

impl Open {
    fn is_waiting(&self) -> bool {
        self.at.is_none() && self.mark.has_start()
    }
}
