//! Rules before the body: the doctype, html, and the head.

use crate::{Attributes, Element, Events};
use corpus_markup::{Name, RawAttributes, Tag};

use super::quirks::is_quirky;
use super::{Engine, Mode, Next};

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn doctype(&mut self, content: &str, complete: bool) {
        if self.mode == Mode::Initial {
            self.quirks = is_quirky(content, complete);
            self.mode = Mode::BeforeHtml;
        }
    }

    /// Takes one step towards an open body: opens or closes an element without a tag.
    pub(super) fn towards_body(&mut self) {
        match self.mode {
            Mode::Initial => {
                self.quirks = true;
                self.mode = Mode::BeforeHtml;
            }
            Mode::BeforeHtml => {
                self.insert_implied(Name::HTML);
                self.mode = Mode::BeforeHead;
            }
            Mode::BeforeHead => {
                self.insert_implied(Name::HEAD);
                self.had_head = true;
                self.mode = Mode::InHead;
            }
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => {
                self.pop();
                self.mode = Mode::InHead;
            }
            _ => {
                self.close_head();
                self.insert_implied(Name::BODY);
                self.mode = Mode::InBody;
            }
        }
    }

    fn towards_body_again(&mut self) -> Next {
        self.towards_body();
        Next::Again
    }

    /// Leaves the head. Tags before the body may still belong to it.
    fn leave_head(&mut self) {
        if self.stack.pop().is_some() {
            self.is_head_pending = true;
        }
        self.mode = Mode::AfterHead;
    }

    fn close_head(&mut self) {
        if std::mem::take(&mut self.is_head_pending) {
            self.events.close(Name::HEAD);
        }
    }

    pub(super) fn start_initial(&mut self) -> Next {
        self.towards_body_again()
    }

    pub(super) fn start_before_html(&mut self, tag: &Tag<'a>) -> Next {
        if tag.name != Name::HTML {
            return self.towards_body_again();
        }
        self.insert(tag);
        self.mode = Mode::BeforeHead;
        Next::Done
    }

    pub(super) fn end_before_html(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HEAD | Name::BODY | Name::HTML | Name::BR => self.towards_body_again(),
            _ => Next::Done,
        }
    }

    pub(super) fn start_before_head(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => self.start_in_body(tag),
            Name::HEAD => {
                self.insert(tag);
                self.had_head = true;
                self.mode = Mode::InHead;
                Next::Done
            }
            _ => self.towards_body_again(),
        }
    }

    pub(super) fn end_before_head(&mut self, tag: &Tag<'a>) -> Next {
        self.end_before_html(tag)
    }

    pub(super) fn start_in_head(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => return self.start_in_body(tag),
            Name::BASE | Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META => {
                self.insert_void(tag)
            }
            Name::TITLE | Name::NOFRAMES | Name::STYLE | Name::SCRIPT => self.insert_raw(tag),
            Name::NOSCRIPT if self.scripting => self.insert_raw(tag),
            Name::NOSCRIPT => {
                if self.insert(tag) {
                    self.mode = Mode::InHeadNoscript;
                }
            }
            Name::TEMPLATE => self.open_template(tag),
            Name::HEAD => {}
            _ => return self.towards_body_again(),
        }
        Next::Done
    }

    pub(super) fn end_in_head(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HEAD => {
                self.leave_head();
                Next::Done
            }
            Name::BODY | Name::HTML | Name::BR => self.towards_body_again(),
            Name::TEMPLATE => {
                self.end_template();
                Next::Done
            }
            _ => Next::Done,
        }
    }

    pub(super) fn start_in_head_noscript(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => self.start_in_body(tag),
            Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::STYLE => self.start_in_head(tag),
            Name::HEAD | Name::NOSCRIPT => Next::Done,
            _ => self.towards_body_again(),
        }
    }

    pub(super) fn end_in_head_noscript(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::NOSCRIPT => {
                self.pop();
                self.mode = Mode::InHead;
                Next::Done
            }
            Name::BR => self.towards_body_again(),
            _ => Next::Done,
        }
    }

    pub(super) fn start_after_head(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::HTML => return self.start_in_body(tag),
            Name::BODY => {
                self.close_head();
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
            }
            Name::FRAMESET => {
                self.close_head();
                self.insert(tag);
                self.mode = Mode::InFrameset;
            }
            // They belong to the head, which was not yet emitted as closed.
            Name::BASE
            | Name::BASEFONT
            | Name::BGSOUND
            | Name::LINK
            | Name::META
            | Name::NOFRAMES
            | Name::SCRIPT
            | Name::STYLE
            | Name::TEMPLATE
            | Name::TITLE => return self.start_in_head(tag),
            Name::HEAD => {}
            _ => return self.towards_body_again(),
        }
        Next::Done
    }

    pub(super) fn end_after_head(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::TEMPLATE => self.end_in_head(tag),
            Name::BODY | Name::HTML | Name::BR => self.towards_body_again(),
            _ => Next::Done,
        }
    }

    /// Emits another html or body tag, which adds its attributes.
    pub(super) fn emit_more_attributes(&mut self, tag: &Tag<'a>) {
        let RawAttributes { source, names } = tag.attributes();
        self.events.more_attributes(&Element {
            name: tag.name,
            foreign: false,
            attributes: Attributes::Raw { source, names },
        });
    }
}
