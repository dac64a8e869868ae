//! The stack of open elements.

use super::classes::Classes;
use crate::hidden::{Display, display};
use crate::{Attributes, Element};
use corpus_markup::{KNOWN, Name, RawAttributes, Tag};

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vocabulary {
    Html,
    Svg,
    MathMl,
}

/// Whether an element of svg or math is an integration point with HTML inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integration {
    None,
    /// mi, mo, mn, ms, mtext.
    Text,
    /// foreignObject, desc, title, and annotation-xml declared as HTML.
    Html,
    /// Any other annotation-xml: only an svg inside it follows the rules of HTML.
    Annotation,
}

/// Whether the start of an element was emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emission {
    Emitted,
    /// It will be emitted later. Tables are pending, because misplaced content goes before them.
    Pending,
    /// It will not be emitted, because it is late and empty.
    Suppressed,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenElement<'a> {
    pub(super) name: Name,
    pub(super) attributes: RawAttributes<'a>,
    pub(super) classes: Classes,
    pub(super) space: Vocabulary,
    pub(super) integration: Integration,
    /// A unique number.
    pub(super) serial: u32,
    pub(super) emission: Emission,
    /// Whether it belongs before a table that was already emitted. It must not get any content.
    pub(super) late: bool,
    /// Whether it is a form whose end tag came while elements inside it were open. The rules ignore
    /// it, but it closes together with these elements.
    pub(super) ghost: bool,
}

impl<'a> OpenElement<'a> {
    pub(super) fn html(name: Name, attributes: RawAttributes<'a>) -> Self {
        Self {
            name,
            attributes,
            classes: Classes::of(name),
            space: Vocabulary::Html,
            integration: Integration::None,
            serial: 0,
            emission: Emission::Emitted,
            late: false,
            ghost: false,
        }
    }

    pub(super) fn foreign(tag: &Tag<'a>, space: Vocabulary) -> Self {
        let integration = integration(tag, space);
        let classes = match integration {
            Integration::None | Integration::Annotation => Classes::NONE,
            // The standard includes annotation-xml here, but html5ever does not.
            _ if tag.name == Name::ANNOTATION_XML => Classes::NONE,
            _ => Classes::SCOPE,
        };
        Self {
            classes,
            space,
            integration,
            ..Self::html(tag.name, tag.attributes())
        }
    }

    /// The element as passed to listeners.
    #[inline]
    pub(super) fn as_event(&self) -> Element<'a> {
        let RawAttributes { source, names } = self.attributes;
        Element {
            name: self.name,
            foreign: self.space != Vocabulary::Html,
            attributes: Attributes::Raw { source, names },
        }
    }

    /// Whether the extent of the element matters for the text: it is hidden, a box, or struck out.
    pub(super) fn changes_text(&self) -> bool {
        let is_struck = matches!(self.name, Name::S | Name::STRIKE);
        is_struck || display(&self.as_event()) != Display::Usual
    }

    /// Whether its content can be emitted where it is.
    #[inline]
    pub(super) fn takes_content(&self) -> bool {
        self.emission == Emission::Emitted && !self.late
    }

    /// Whether this is an HTML element that takes text where it is.
    #[inline]
    pub(super) fn takes_text(&self) -> bool {
        self.space == Vocabulary::Html && self.takes_content()
    }

    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.emission == Emission::Pending
    }

    /// Whether this is the HTML element with this name.
    #[inline]
    pub(super) fn is(&self, name: Name) -> bool {
        self.name == name && self.space == Vocabulary::Html && !self.ghost
    }
}

fn integration(tag: &Tag<'_>, space: Vocabulary) -> Integration {
    match (space, tag.name) {
        (Vocabulary::Svg, Name::FOREIGNOBJECT | Name::DESC | Name::TITLE) => Integration::Html,
        (Vocabulary::MathMl, Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT) => {
            Integration::Text
        }
        (Vocabulary::MathMl, Name::ANNOTATION_XML) => {
            let is_html = tag.attributes().value("encoding").is_some_and(|encoding| {
                encoding.eq_ignore_ascii_case("text/html")
                    || encoding.eq_ignore_ascii_case("application/xhtml+xml")
            });
            if is_html {
                Integration::Html
            } else {
                Integration::Annotation
            }
        }
        _ => Integration::None,
    }
}

/// Open elements, the innermost last. Counts them by name, so that most unsuccessful searches end
/// immediately.
pub(super) struct Stack<'a> {
    elements: Vec<OpenElement<'a>>,
    /// The numbers of HTML elements by name.
    counts: [u32; KNOWN],
    /// The numbers of svg and math elements by name.
    foreign_counts: [u32; KNOWN],
    /// The number of svg and math elements.
    foreign: u32,
}

impl<'a> Stack<'a> {
    pub(super) fn new() -> Self {
        Self {
            elements: Vec::with_capacity(64),
            counts: [0; KNOWN],
            foreign_counts: [0; KNOWN],
            foreign: 0,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    #[inline]
    pub(super) fn top(&self) -> Option<&OpenElement<'a>> {
        self.elements.last()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&OpenElement<'a>> {
        self.elements.get(index)
    }

    /// The element at an index and those inside it.
    pub(super) fn inner(&self, index: usize) -> &[OpenElement<'a>] {
        self.elements.get(index..).unwrap_or_default()
    }

    pub(super) fn inner_mut(&mut self, index: usize) -> &mut [OpenElement<'a>] {
        self.elements.get_mut(index..).unwrap_or_default()
    }

    /// The elements with their indexes, the innermost first.
    pub(super) fn inner_first(&self) -> impl Iterator<Item = (usize, &OpenElement<'a>)> {
        self.elements.iter().enumerate().rev()
    }

    #[inline]
    pub(super) fn push(&mut self, element: OpenElement<'a>) {
        self.count(element.space, element.name, 1);
        self.elements.push(element);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<OpenElement<'a>> {
        let element = self.elements.pop()?;
        self.forget(&element);
        Some(element)
    }

    pub(super) fn remove(&mut self, index: usize) -> Option<OpenElement<'a>> {
        if index >= self.elements.len() {
            return None;
        }
        let element = self.elements.remove(index);
        self.forget(&element);
        Some(element)
    }

    /// Moves an element inwards, to the position of another one.
    pub(super) fn move_inwards(&mut self, from: usize, to: usize) {
        if let Some(elements) = self.elements.get_mut(from..=to)
            && !elements.is_empty()
        {
            elements.rotate_left(1);
        }
    }

    /// Makes the rules ignore an element.
    pub(super) fn make_ghost(&mut self, index: usize) {
        if let Some(element) = self.elements.get_mut(index) {
            element.ghost = true;
            element.classes = Classes::NONE;
            let name = element.name;
            self.count(Vocabulary::Html, name, u32::MAX);
        }
    }

    #[inline]
    fn forget(&mut self, element: &OpenElement<'a>) {
        if !element.ghost {
            self.count(element.space, element.name, u32::MAX);
        }
    }

    /// Adds to a count; `u32::MAX` subtracts one.
    #[inline]
    fn count(&mut self, space: Vocabulary, name: Name, change: u32) {
        let counts = match space {
            Vocabulary::Html => &mut self.counts,
            Vocabulary::Svg | Vocabulary::MathMl => {
                self.foreign = self.foreign.wrapping_add(change);
                &mut self.foreign_counts
            }
        };
        if let Some(count) = counts.get_mut(name.index()) {
            *count = count.wrapping_add(change);
        }
    }

    /// The innermost element, if it belongs to svg or math.
    #[inline]
    pub(super) fn foreign_top(&self) -> Option<&OpenElement<'a>> {
        if self.foreign == 0 {
            return None;
        }
        self.top().filter(|top| top.space != Vocabulary::Html)
    }

    /// Whether an svg or math element with this name may be open.
    pub(super) fn may_have_foreign(&self, name: Name) -> bool {
        self.foreign_counts
            .get(name.index())
            .is_some_and(|count| *count > 0)
    }

    /// Whether an HTML element with this name may be open. Exact for names with a constant.
    #[inline]
    pub(super) fn may_have(&self, name: Name) -> bool {
        self.counts
            .get(name.index())
            .is_some_and(|count| *count > 0)
    }

    #[inline]
    pub(super) fn top_is(&self, name: Name) -> bool {
        self.top().is_some_and(|top| top.is(name))
    }

    #[inline]
    pub(super) fn top_classes(&self) -> Classes {
        self.top().map_or(Classes::NONE, |top| top.classes)
    }

    /// Whether an element with this name is open, without an element of these classes inside it.
    #[inline]
    pub(super) fn has_in(&self, bounds: Classes, name: Name) -> bool {
        self.may_have(name) && self.has_any_in(bounds, |element| element.is(name))
    }

    pub(super) fn has_any_in(
        &self,
        bounds: Classes,
        wanted: impl Fn(&OpenElement<'a>) -> bool,
    ) -> bool {
        for element in self.elements.iter().rev() {
            if wanted(element) {
                return true;
            }
            if element.classes.any(bounds) {
                return false;
            }
        }
        false
    }

    #[inline]
    pub(super) fn has_in_scope(&self, name: Name) -> bool {
        self.has_in(Classes::SCOPE, name)
    }

    pub(super) fn has_in_table_scope(&self, name: Name) -> bool {
        self.has_in(Classes::TABLE_SCOPE, name)
    }

    pub(super) fn position(&self, serial: u32) -> Option<usize> {
        self.elements
            .iter()
            .rposition(|element| element.serial == serial)
    }
}
