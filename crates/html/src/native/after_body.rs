//! Rules after the body, and for pages with frames.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::{Engine, Mode, Next};

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn start_after_body(&mut self, tag: &Tag<'a>) -> Next {
        if tag.name == Name::HTML {
            return self.start_in_body(tag);
        }
        self.mode = Mode::InBody;
        Next::Again
    }

    pub(super) fn end_after_body(&mut self, mode: Mode, tag: &Tag<'a>) -> Next {
        if mode == Mode::AfterBody && tag.name == Name::HTML {
            self.mode = Mode::AfterAfterBody;
            return Next::Done;
        }
        self.mode = Mode::InBody;
        Next::Again
    }

    pub(super) fn start_in_frameset(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => return self.start_in_body(tag),
            Name::FRAMESET => {
                self.insert(tag);
            }
            Name::FRAME => self.insert_void(tag),
            Name::NOFRAMES => return self.start_in_head(tag),
            _ => {}
        }
        Next::Done
    }

    pub(super) fn end_in_frameset(&mut self, tag: &Tag<'a>) -> Next {
        if tag.name == Name::FRAMESET && self.stack.len() > 1 {
            self.pop();
            if !self.stack.top_is(Name::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Next::Done
    }

    pub(super) fn start_after_frameset(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => self.start_in_body(tag),
            Name::NOFRAMES => self.start_in_head(tag),
            _ => Next::Done,
        }
    }

    pub(super) fn end_after_frameset(&mut self, tag: &Tag<'a>) -> Next {
        if tag.name == Name::HTML {
            self.mode = Mode::AfterAfterFrameset;
        }
        Next::Done
    }
}
