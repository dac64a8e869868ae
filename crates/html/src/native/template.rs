//! Rules for templates, and the mode that follows from the open elements.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::classes::Classes;
use super::{Engine, Mode, Next};
use crate::streamed::is_place;

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn in_template(&self) -> bool {
        self.stack.may_have(Name::TEMPLATE)
    }

    pub(super) fn open_template(&mut self, tag: &Tag<'a>) {
        self.frameset_ok = false;
        // A late part belongs here.
        self.needs_tree |= E::MOVES_PARTS && is_place(tag);
        if self.insert(tag) {
            self.formatting.push_marker();
            self.mode = Mode::InTemplate;
            self.template_modes.push(Mode::InTemplate);
        }
    }

    pub(super) fn end_template(&mut self) {
        if self.in_template() {
            while self.stack.top_classes().any(Classes::THOROUGH_END) {
                self.pop();
            }
            self.close_template();
        }
    }

    /// Closes the innermost template.
    pub(super) fn close_template(&mut self) {
        self.pop_through(Name::TEMPLATE);
        self.formatting.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    fn set_template_mode(&mut self, mode: Mode) -> Next {
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        self.mode = mode;
        Next::Again
    }

    pub(super) fn start_in_template(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE => self.start_in_head(tag),
            Name::CAPTION | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD => {
                self.set_template_mode(Mode::InTable)
            }
            Name::COL => self.set_template_mode(Mode::InColumnGroup),
            Name::TR => self.set_template_mode(Mode::InTableBody),
            Name::TD | Name::TH => self.set_template_mode(Mode::InRow),
            _ => self.set_template_mode(Mode::InBody),
        }
    }

    pub(super) fn end_in_template(&mut self, tag: &Tag<'a>) -> Next {
        if tag.name == Name::TEMPLATE {
            self.end_template();
        }
        Next::Done
    }

    /// Resets the mode ("reset the insertion mode appropriately").
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.mode_of_stack();
    }

    fn mode_of_stack(&self) -> Mode {
        for (_, element) in self.stack.inner_first() {
            match element.name {
                name if !element.is(name) => {}
                Name::TD | Name::TH => return Mode::InCell,
                Name::TR => return Mode::InRow,
                Name::TBODY | Name::THEAD | Name::TFOOT => return Mode::InTableBody,
                Name::CAPTION => return Mode::InCaption,
                Name::COLGROUP => return Mode::InColumnGroup,
                Name::TABLE => return Mode::InTable,
                Name::TEMPLATE => {
                    return self.template_modes.last().copied().unwrap_or(Mode::InBody);
                }
                Name::HEAD => return Mode::InHead,
                Name::BODY => return Mode::InBody,
                Name::FRAMESET => return Mode::InFrameset,
                Name::HTML if self.had_head => return Mode::AfterHead,
                Name::HTML => return Mode::BeforeHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
