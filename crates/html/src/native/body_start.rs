//! Rules for start tags in the body.

use crate::Events;
use corpus_markup::{Name, Tag};

use super::classes::Classes;
use super::stack::Vocabulary;
use super::{Engine, Next};

impl<'a, E: Events> Engine<'a, '_, E> {
    pub(super) fn start_in_body(&mut self, tag: &Tag<'a>) -> Next {
        match tag.name {
            Name::ADDRESS
            | Name::ARTICLE
            | Name::ASIDE
            | Name::BLOCKQUOTE
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
            | Name::MAIN
            | Name::MENU
            | Name::NAV
            | Name::OL
            | Name::P
            | Name::SEARCH
            | Name::SECTION
            | Name::SUMMARY
            | Name::UL => {
                self.close_p();
                self.insert(tag);
            }
            Name::A => {
                self.end_open_a();
                self.open_formatting(tag);
            }
            Name::B
            | Name::BIG
            | Name::CODE
            | Name::EM
            | Name::FONT
            | Name::I
            | Name::S
            | Name::SMALL
            | Name::STRIKE
            | Name::STRONG
            | Name::TT
            | Name::U => self.open_formatting(tag),
            Name::NOBR => {
                self.reopen_formatting();
                if self.stack.has_in_scope(Name::NOBR) {
                    self.adopt(tag.name);
                }
                self.open_formatting(tag);
            }
            Name::AREA | Name::BR | Name::EMBED | Name::IMG | Name::KEYGEN | Name::WBR => {
                self.reopen_formatting();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Name::IMAGE => return self.start_in_body(&tag.renamed(Name::IMG)),
            Name::LI | Name::DD | Name::DT => self.open_list_item(tag),
            Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 => {
                self.close_p();
                if self.stack.top_classes().any(Classes::HEADING) {
                    self.pop();
                }
                self.insert(tag);
            }
            Name::PRE | Name::LISTING => {
                self.close_p();
                self.insert(tag);
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            Name::HR => {
                self.close_p();
                if self.stack.has_in_scope(Name::SELECT) {
                    self.imply_ends();
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            Name::PARAM | Name::SOURCE | Name::TRACK => self.insert_void(tag),
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
            Name::TABLE => self.open_table(tag),
            Name::FORM => self.open_form(tag),
            Name::BUTTON
            | Name::INPUT
            | Name::SELECT
            | Name::OPTION
            | Name::OPTGROUP
            | Name::TEXTAREA => {
                self.open_control(tag);
            }
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                self.reopen_formatting();
                if self.insert(tag) {
                    self.formatting.push_marker();
                }
                self.frameset_ok = false;
            }
            Name::RB | Name::RTC | Name::RP | Name::RT => self.open_ruby_part(tag),
            Name::IFRAME | Name::NOEMBED | Name::XMP | Name::PLAINTEXT => self.open_plain(tag),
            Name::NOSCRIPT if self.scripting => self.insert_raw(tag),
            Name::SVG => self.enter_foreign(tag, Vocabulary::Svg),
            Name::MATH => self.enter_foreign(tag, Vocabulary::MathMl),
            Name::HTML | Name::BODY => self.repeat_html_or_body(tag),
            Name::FRAMESET => self.replace_body(),
            Name::CAPTION
            | Name::COL
            | Name::COLGROUP
            | Name::FRAME
            | Name::HEAD
            | Name::TBODY
            | Name::TD
            | Name::TFOOT
            | Name::TH
            | Name::THEAD
            | Name::TR => {}
            _ => {
                self.reopen_formatting();
                self.insert(tag);
            }
        }
        Next::Done
    }

    /// Ends an open link, because links cannot be nested.
    fn end_open_a(&mut self) {
        if let Some(open) = self.formatting.last_named(Name::A) {
            self.adopt(Name::A);
            self.formatting.remove(open.serial);
            if let Some(index) = self.stack.position(open.serial) {
                self.remove(index);
            }
        }
    }

    fn open_formatting(&mut self, tag: &Tag<'a>) {
        self.reopen_formatting();
        if self.insert(tag) {
            self.formatting.push(tag, self.last_serial);
        }
    }

    fn open_list_item(&mut self, tag: &Tag<'a>) {
        self.frameset_ok = false;
        let is_li = tag.name == Name::LI;
        let may_be_open = if is_li {
            self.stack.may_have(Name::LI)
        } else {
            self.stack.may_have(Name::DD) || self.stack.may_have(Name::DT)
        };
        if may_be_open && let Some(name) = self.open_sibling(is_li) {
            self.imply_ends_except(name);
            self.pop_through(name);
        }
        self.close_p();
        self.insert(tag);
    }

    /// The name of the previous item, if it is still open.
    fn open_sibling(&self, is_li: bool) -> Option<Name> {
        for (_, element) in self.stack.inner_first() {
            match element.name {
                name @ Name::LI if is_li && element.is(name) => return Some(name),
                name @ (Name::DD | Name::DT) if !is_li && element.is(name) => return Some(name),
                Name::ADDRESS | Name::DIV | Name::P => {}
                _ if element.classes.any(Classes::SPECIAL) => return None,
                _ => {}
            }
        }
        None
    }

    fn open_table(&mut self, tag: &Tag<'a>) {
        if !self.quirks {
            self.close_p();
        }
        if self.insert(tag) {
            self.mode = super::Mode::InTable;
        }
        self.frameset_ok = false;
    }

    fn open_form(&mut self, tag: &Tag<'a>) {
        let in_template = self.in_template();
        if self.form.is_some() && !in_template {
            return;
        }
        self.close_p();
        if self.insert(tag) && !in_template {
            self.form = Some(self.last_serial);
        }
    }

    fn open_control(&mut self, tag: &Tag<'a>) {
        match tag.name {
            Name::BUTTON => {
                if self.stack.has_in_scope(Name::BUTTON) {
                    self.imply_ends();
                    self.pop_through(Name::BUTTON);
                }
                self.reopen_formatting();
                self.insert(tag);
                self.frameset_ok = false;
            }
            Name::INPUT => {
                if self.stack.has_in_scope(Name::SELECT) {
                    self.pop_through(Name::SELECT);
                }
                self.reopen_formatting();
                self.insert_void(tag);
                if self.frameset_ok && !super::table::is_hidden_input(tag) {
                    self.frameset_ok = false;
                }
            }
            Name::SELECT => {
                if self.stack.has_in_scope(Name::SELECT) {
                    self.pop_through(Name::SELECT);
                } else {
                    self.reopen_formatting();
                    self.insert(tag);
                    self.frameset_ok = false;
                }
            }
            Name::OPTION | Name::OPTGROUP => {
                if !self.stack.has_in_scope(Name::SELECT) {
                    if self.stack.top_is(Name::OPTION) {
                        self.pop();
                    }
                } else if tag.name == Name::OPTION {
                    self.imply_ends_except(Name::OPTGROUP);
                } else {
                    self.imply_ends();
                }
                self.reopen_formatting();
                self.insert(tag);
            }
            _ => {
                self.frameset_ok = false;
                self.insert_raw(tag);
            }
        }
    }

    fn open_ruby_part(&mut self, tag: &Tag<'a>) {
        if self.stack.has_in_scope(Name::RUBY) {
            if matches!(tag.name, Name::RB | Name::RTC) {
                self.imply_ends();
            } else {
                self.imply_ends_except(Name::RTC);
            }
        }
        self.insert(tag);
    }

    fn open_plain(&mut self, tag: &Tag<'a>) {
        if matches!(tag.name, Name::XMP | Name::PLAINTEXT) {
            self.close_p();
        }
        match tag.name {
            Name::PLAINTEXT => return self.insert_plaintext(tag),
            Name::XMP => {
                self.reopen_formatting();
                self.frameset_ok = false;
            }
            Name::IFRAME => self.frameset_ok = false,
            _ => {}
        }
        self.insert_raw(tag);
    }

    fn repeat_html_or_body(&mut self, tag: &Tag<'a>) {
        if self.in_template() {
            return;
        }
        if tag.name == Name::BODY {
            if !self.stack.get(1).is_some_and(|body| body.is(Name::BODY)) {
                return;
            }
            self.frameset_ok = false;
        }
        self.emit_more_attributes(tag);
    }

    /// A frameset replaces a body that has no visible content.
    fn replace_body(&mut self) {
        if self.frameset_ok && self.stack.get(1).is_some_and(|body| body.is(Name::BODY)) {
            self.needs_tree = true;
        }
    }
}
