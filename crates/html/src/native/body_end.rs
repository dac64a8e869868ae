//! Rules for end tags in the body.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::classes::Classes;
use super::{Engine, Mode, Next};

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn end_in_body(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
            | Name::BUTTON
            | Name::CENTER
            | Name::DETAILS
            | Name::DIALOG
            | Name::DIR
            | Name::DIV
            | Name::DL
            | Name::FIELDSET
            | Name::FIGCAPTION
            | Name::FIGURE
            | Name::FOOTER
            | Name::HEADER
            | Name::HGROUP
            | Name::LISTING
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::OL
            | Name::PRE
            | Name::SEARCH
            | Name::SECTION
            | Name::SELECT
            | Name::SUMMARY
            | Name::UL => {
                self.end_block(tag.name);
            }
            Name::P => {
                if !self
                    .stack
                    .has_in(Classes::SCOPE.with(Classes::BUTTON_SCOPE), Name::P)
                {
                    self.insert_empty(Name::P);
                } else {
                    self.imply_ends_except(Name::P);
                    self.pop_through(Name::P);
                }
            }
            Name::A
            | Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::NOBR
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U => {
                self.adopt(tag.name);
            }
            Name::LI => {
                if self
                    .stack
                    .has_in(Classes::SCOPE.with(Classes::LIST_SCOPE), Name::LI)
                {
                    self.imply_ends_except(Name::LI);
                    self.pop_through(Name::LI);
                }
            }
            Name::DD | Name::DT => {
                if self.stack.has_in_scope(tag.name) {
                    self.imply_ends_except(tag.name);
                    self.pop_through(tag.name);
                }
            }
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => self.end_heading(),
            Name::FORM => self.end_form(),
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                if self.end_block(tag.name) {
                    self.formatting.clear_to_marker();
                }
            }
            Name::BR => return self.start_in_body(&tag.without_attributes()),
            Name::BODY | Name::HTML => {
                if self.stack.has_in_scope(Name::BODY) {
                    self.mode = Mode::AfterBody;
                    if tag.name == Name::HTML {
                        return Next::Again;
                    }
                }
            }
            Name::TEMPLATE => self.end_template(),
            _ => self.end_other(tag.name),
        }
        Next::Done
    }

    /// Ends a block and returns whether it was open.
    fn end_block(&mut self, name: Name) -> bool {
        let open = self.stack.has_in_scope(name);
        if open {
            self.imply_ends();
            self.pop_through(name);
        }
        open
    }

    fn end_heading(&mut self) {
        let headings = [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6];
        let open = headings.iter().any(|name| self.stack.may_have(*name))
            && self.stack.has_any_in(Classes::SCOPE, |element| {
                element.classes.any(Classes::HEADING)
            });
        if open {
            self.imply_ends();
            self.pop_through_class(Classes::HEADING);
        }
    }

    fn end_form(&mut self) {
        if self.in_template() {
            self.end_block(Name::FORM);
            return;
        }
        let Some(serial) = self.form.take() else {
            return;
        };
        let in_scope = self.stack.may_have(Name::FORM)
            && self
                .stack
                .has_any_in(Classes::SCOPE, |element| element.serial == serial);
        if !in_scope {
            return;
        }
        self.imply_ends();
        if let Some(index) = self.stack.position(serial) {
            if index + 1 == self.stack.len() {
                self.pop();
            } else {
                self.stack.make_ghost(index);
            }
        }
    }

    /// Handles the end tag of an element without special rules.
    pub(super) fn end_other(&mut self, name: Name) {
        if !self.stack.may_have(name) {
            return;
        }
        let mut found = None;
        for (index, element) in self.stack.inner_first() {
            if element.is(name) {
                found = Some(index);
                break;
            }
            if element.classes.any(Classes::SPECIAL) {
                return;
            }
        }
        if let Some(index) = found {
            self.imply_ends_except(name);
            self.pop_to(index);
        }
    }
}
