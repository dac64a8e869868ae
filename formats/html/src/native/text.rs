//! Text: where it goes, and what of it is told.

use memchr::{memchr, memchr3};

use crate::Events;
use corpus_markup::references::{self, Place};

use super::classes::Classes;
use super::stack::Open;
use super::{Engine, Mode};

/// How a text is held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With references and all kinds of newlines.
    Written,
    Decoded,
}

/// What becomes of NUL characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nul {
    Dropped,
    Replaced,
}

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Text as written, between two pieces of markup.
    #[inline]
    pub(super) fn text(&mut self, written: &'a str, skip_newline: bool) {
        let text = if skip_newline {
            without_newline(written)
        } else {
            written
        };
        if text.is_empty() {
            return;
        }
        if self.is_foreign_text() {
            return self.foreign_text(text, Form::Written);
        }
        match self.mode {
            Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                self.body_text(text, Form::Written);
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.table_text(text, Form::Written),
            _ => {
                let mut decoded = String::with_capacity(text.len());
                references::decode(text, Place::Text, |piece| decoded.push_str(piece));
                self.text_around_body(&decoded);
            }
        }
    }

    /// The text of a CDATA section, which only svg and math have.
    pub(super) fn cdata(&mut self, written: &str) {
        let mut text = String::with_capacity(written.len());
        references::normalize_newlines(written, |piece| text.push_str(piece));
        if text.is_empty() {
            return;
        }
        if self.is_foreign_text() {
            self.foreign_text(&text, Form::Decoded);
        } else {
            self.text_around_body(&text);
        }
    }

    /// The content of an element that has no markup in it, but references.
    pub(super) fn tell_decoded(&mut self, text: &str) {
        self.tell(text, Form::Written, Nul::Replaced);
    }

    /// The content of an element that has nothing but text in it.
    pub(super) fn tell_raw(&mut self, text: &str) {
        let events = &mut *self.events;
        references::normalize_newlines(text, |piece| tell_piece(events, piece, Nul::Replaced));
    }

    fn foreign_text(&mut self, text: &str, form: Form) {
        if self.frameset_ok && !is_blank(text, form) {
            self.frameset_ok = false;
        }
        self.take_place();
        self.tell(text, form, Nul::Replaced);
    }

    #[inline]
    fn body_text(&mut self, text: &str, form: Form) {
        if self.formatting.waits() {
            // NULs are nothing, so nothing is opened for them.
            if text.bytes().all(|byte| byte == b'\0') {
                return;
            }
            self.reopen_formatting();
        }
        if self.frameset_ok && !is_blank(text, form) {
            self.frameset_ok = false;
        }
        // White space between the parts of a table that is late is not worth a tree.
        if self.is_late() && is_blank(text, form) {
            return;
        }
        self.take_place();
        self.tell(text, form, Nul::Dropped);
    }

    /// Text between the parts of a table goes before the table, unless it is white space.
    fn table_text(&mut self, text: &str, form: Form) {
        let in_part = self.stack.top_classes().any(Classes::TABLE_PART);
        if in_part && is_blank(text, form) {
            if !self.stack.top().is_some_and(Open::waits) {
                self.tell(text, form, Nul::Dropped);
            }
            return;
        }
        self.fostering = true;
        self.body_text(text, form);
        self.fostering = false;
    }

    /// Decoded text where there is no body yet, or not any more.
    fn text_around_body(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let other = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
            let space = rest.strip_suffix(other).unwrap_or_default();
            match self.mode {
                Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                    return self.body_text(rest, Form::Decoded);
                }
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    return self.table_text(rest, Form::Decoded);
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => return,
                Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead | Mode::AfterHead => {}
                Mode::InHead | Mode::InHeadNoscript => {
                    self.tell(space, Form::Decoded, Nul::Dropped)
                }
                Mode::InColumnGroup => {
                    if !self.stack.top().is_some_and(Open::waits) {
                        self.tell(space, Form::Decoded, Nul::Dropped);
                    }
                }
                Mode::AfterBody | Mode::AfterAfterBody => {
                    if !space.is_empty() {
                        self.body_text(space, Form::Decoded);
                    }
                }
            }
            rest = other;
            if rest.is_empty() {
                return;
            }
            match self.mode {
                Mode::InColumnGroup => {
                    if !self.leave_column_group() {
                        return;
                    }
                }
                Mode::AfterBody | Mode::AfterAfterBody => self.mode = Mode::InBody,
                _ => self.towards_body(),
            }
        }
    }

    #[inline]
    fn tell(&mut self, text: &str, form: Form, nul: Nul) {
        if text.is_empty() {
            return;
        }
        let events = &mut *self.events;
        if is_plain(text) {
            events.text(text);
        } else if form == Form::Decoded {
            tell_piece(events, text, nul);
        } else {
            references::decode(text, Place::Text, |piece| tell_piece(events, piece, nul));
        }
    }
}

/// Is text told as it is written? Short ones are looked at without a call.
#[inline]
fn is_plain(text: &str) -> bool {
    const SHORT: usize = 64;
    let special = |byte: u8| matches!(byte, b'&' | b'\r' | b'\0');
    if text.len() <= SHORT {
        !text.bytes().fold(false, |any, byte| any | special(byte))
    } else {
        memchr3(b'&', b'\r', b'\0', text.as_bytes()).is_none()
    }
}

fn tell_piece<E: Events>(events: &mut E, piece: &str, nul: Nul) {
    if memchr(b'\0', piece.as_bytes()).is_none() {
        return events.text(piece);
    }
    for (index, part) in piece.split('\0').enumerate() {
        if index > 0 && nul == Nul::Replaced {
            events.text("\u{FFFD}");
        }
        if !part.is_empty() {
            events.text(part);
        }
    }
}

/// Is there nothing but white space (and NULs, which are nothing)?
fn is_blank(text: &str, form: Form) -> bool {
    let mut blank = true;
    let mut look = |piece: &str| {
        blank = blank
            && piece
                .bytes()
                .all(|byte| byte == b'\0' || byte.is_ascii_whitespace());
    };
    match form {
        // Most texts show what they are before their first reference.
        Form::Written
            if text.starts_with(|c: char| c != '&' && c != '\0' && !c.is_ascii_whitespace()) =>
        {
            return false;
        }
        Form::Written => references::decode(text, Place::Text, look),
        Form::Decoded => look(text),
    }
    blank
}

/// A text without the newline that it begins with.
pub(super) fn without_newline(text: &str) -> &str {
    let length = match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [b'&', ..] => references::read(text, Place::Text)
            .filter(|reference| reference.first == '\n')
            .map_or(0, |reference| reference.length),
        _ => 0,
    };
    text.get(length..).unwrap_or_default()
}
