//! Rules for svg and math.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::stack::{Integration, OpenElement, Vocabulary};
use super::{Engine, Mode, Next};

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Whether the innermost element belongs to svg or math.
    #[inline]
    pub(super) fn is_foreign(&self) -> bool {
        self.stack.foreign_top().is_some()
    }

    #[inline]
    pub(super) fn is_foreign_text(&self) -> bool {
        self.stack.foreign_top().is_some_and(|top| {
            matches!(top.integration, Integration::None | Integration::Annotation)
        })
    }

    /// Whether the rules of svg and math apply to a start tag with this name.
    #[inline]
    pub(super) fn is_foreign_start(&self, name: Name) -> bool {
        let foreign = self.stack.foreign_top();
        foreign.is_some_and(|top| match top.integration {
            Integration::None => true,
            Integration::Text => matches!(name, Name::MGLYPH | Name::MALIGNMARK),
            Integration::Html => false,
            Integration::Annotation => name != Name::SVG,
        })
    }

    /// Opens an svg or math element in HTML.
    pub(super) fn enter_foreign(&mut self, tag: &Tag<'a>, space: Vocabulary) {
        self.reopen_formatting();
        self.insert_foreign(tag, space);
    }

    fn insert_foreign(&mut self, tag: &Tag<'a>, space: Vocabulary) {
        let element = OpenElement::foreign(tag, space);
        if tag.self_closing() {
            self.push_void(&element);
        } else {
            self.push(element);
        }
    }

    pub(super) fn foreign_start(&mut self, tag: &Tag<'a>) -> Next {
        if breaks_out(tag) {
            return self.break_out(|engine, mode| engine.start_in(mode, tag));
        }
        let space = self.stack.top().map_or(Vocabulary::Svg, |top| top.space);
        self.insert_foreign(tag, space);
        Next::Done
    }

    /// Closes svg and math elements up to where HTML is allowed, and continues with its rules.
    fn break_out(&mut self, step: impl FnOnce(&mut Self, Mode) -> Next) -> Next {
        self.pop_until(|top| {
            top.space == Vocabulary::Html
                || match top.integration {
                    Integration::Text => true,
                    Integration::Html => top.space == Vocabulary::Svg,
                    Integration::None | Integration::Annotation => false,
                }
        });
        step(self, self.mode)
    }

    pub(super) fn foreign_end(&mut self, tag: &Tag<'a>) -> Next {
        if matches!(tag.name, Name::BR | Name::P) {
            return self.break_out(|engine, mode| engine.end_in(mode, tag));
        }
        if !self.stack.may_have_foreign(tag.name) {
            return self.end_in(self.mode, tag);
        }
        let top = self.stack.len().saturating_sub(1);
        let mut found = None;
        for (index, element) in self.stack.inner_first() {
            if index == 0 {
                return Next::Done;
            }
            if index != top && element.space == Vocabulary::Html && !element.ghost {
                break;
            }
            if element.name == tag.name && !element.ghost {
                found = Some(index);
                break;
            }
        }
        match found {
            Some(index) => {
                self.pop_to(index);
                Next::Done
            }
            None => self.end_in(self.mode, tag),
        }
    }
}

/// Whether a tag ends svg and math.
fn breaks_out(tag: &Tag<'_>) -> bool {
    match tag.name {
        Name::FONT => ["color", "face", "size"]
            .iter()
            .any(|name| tag.attributes().get(name).is_some()),
        Name::B
        | Name::BIG
        | Name::BLOCKQUOTE
        | Name::BODY
        | Name::BR
        | Name::CENTER
        | Name::CODE
        | Name::DD
        | Name::DIV
        | Name::DL
        | Name::DT
        | Name::EM
        | Name::EMBED
        | Name::H1
        | Name::H2
        | Name::H3
        | Name::H4
        | Name::H5
        | Name::H6
        | Name::HEAD
        | Name::HR
        | Name::I
        | Name::IMG
        | Name::LI
        | Name::LISTING
        | Name::MENU
        | Name::META
        | Name::NOBR
        | Name::OL
        | Name::P
        | Name::PRE
        | Name::RUBY
        | Name::S
        | Name::SMALL
        | Name::SPAN
        | Name::STRONG
        | Name::STRIKE
        | Name::SUB
        | Name::SUP
        | Name::TABLE
        | Name::TT
        | Name::U
        | Name::UL
        | Name::VAR => true,
        _ => false,
    }
}
