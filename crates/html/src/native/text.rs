//! Rules for text: where it goes and how it is emitted.

use memchr::{memchr, memchr3};

use crate::Events;
use corpus_markup::references::{self, Context};

use super::classes::Classes;
use super::stack::OpenElement;
use super::{Engine, Mode};

/// The form of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With references and all kinds of newlines.
    Written,
    /// As written, and known to have neither references, carriage returns nor NULs.
    Plain,
    Decoded,
}

/// The treatment of NUL characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nul {
    Dropped,
    Replaced,
}

impl<'a, E: Events> Engine<'a, '_, E> {
    /// Handles text as written, between two pieces of markup.
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
        let form = if self.tokenizer.is_plain() {
            if self.takes_text() {
                return self.events.text(text);
            }
            Form::Plain
        } else {
            Form::Written
        };
        if self.is_foreign_text() {
            return self.foreign_text(text, form);
        }
        match self.mode {
            Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                self.body_text(text, form);
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.table_text(text, form),
            _ => {
                let mut decoded = String::with_capacity(text.len());
                references::decode(text, Context::Text, |piece| decoded.push_str(piece));
                self.text_around_body(&decoded);
            }
        }
    }

    /// Whether no rule applies to text here, as in most places of a body.
    #[inline]
    fn takes_text(&self) -> bool {
        matches!(self.mode, Mode::InBody | Mode::InCell)
            && !self.frameset_ok
            && !self.formatting.needs_reopening()
            && self.stack.top().is_some_and(OpenElement::takes_text)
    }

    /// Handles the text of a CDATA section, which only svg and math have.
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

    /// Emits the content of an element that contains references but no markup.
    pub(super) fn emit_decoded(&mut self, text: &str) {
        self.emit(text, Form::Written, Nul::Replaced);
    }

    /// Emits the content of an element that contains only text.
    pub(super) fn emit_raw(&mut self, text: &str) {
        let events = &mut *self.events;
        if !events.wants_text() {
            return;
        }
        references::normalize_newlines(text, |piece| emit_piece(events, piece, Nul::Replaced));
    }

    fn foreign_text(&mut self, text: &str, form: Form) {
        if self.frameset_ok && !is_blank(text, form) {
            self.frameset_ok = false;
        }
        self.begin_content();
        self.emit(text, form, Nul::Replaced);
    }

    #[inline]
    fn body_text(&mut self, text: &str, form: Form) {
        if self.formatting.needs_reopening() {
            // NULs are dropped, so nothing is reopened for them.
            if text.bytes().all(|byte| byte == b'\0') {
                return;
            }
            self.reopen_formatting();
        }
        if self.frameset_ok && !is_blank(text, form) {
            self.frameset_ok = false;
        }
        // White space between the parts of a late table does not justify a tree.
        if self.is_late() && is_blank(text, form) {
            return;
        }
        self.begin_content();
        self.emit(text, form, Nul::Dropped);
    }

    /// Text between the parts of a table goes before the table, unless it is white space.
    fn table_text(&mut self, text: &str, form: Form) {
        let in_part = self.stack.top_classes().any(Classes::TABLE_PART);
        if in_part && is_blank(text, form) {
            if !self.stack.top().is_some_and(OpenElement::is_pending) {
                self.emit(text, form, Nul::Dropped);
            }
            return;
        }
        self.fostering = true;
        self.body_text(text, form);
        self.fostering = false;
    }

    /// Handles decoded text before or after the body.
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
                    self.emit(space, Form::Decoded, Nul::Dropped)
                }
                Mode::InColumnGroup => {
                    if !self.stack.top().is_some_and(OpenElement::is_pending) {
                        self.emit(space, Form::Decoded, Nul::Dropped);
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
    fn emit(&mut self, text: &str, form: Form, nul: Nul) {
        if form == Form::Plain {
            self.events.text(text);
        } else {
            self.emit_unknown(text, form, nul);
        }
    }

    /// Emits text that may have to be decoded or cleaned.
    fn emit_unknown(&mut self, text: &str, form: Form, nul: Nul) {
        let events = &mut *self.events;
        if text.is_empty() || !events.wants_text() {
            return;
        }
        if memchr3(b'&', b'\r', b'\0', text.as_bytes()).is_none() {
            events.text(text);
        } else if form == Form::Decoded {
            emit_piece(events, text, nul);
        } else if memchr(b'\0', text.as_bytes()).is_some() {
            references::decode(text, Context::Text, |piece| emit_piece(events, piece, nul));
        } else {
            references::decode(text, Context::Text, |piece| events.text(piece));
        }
    }
}

fn emit_piece<E: Events>(events: &mut E, piece: &str, nul: Nul) {
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

/// Whether a text contains only white space (and NULs, which are dropped).
fn is_blank(text: &str, form: Form) -> bool {
    let mut blank = true;
    let mut check = |piece: &str| {
        blank = blank
            && piece
                .bytes()
                .all(|byte| byte == b'\0' || byte.is_ascii_whitespace());
    };
    match form {
        // Most texts are decided by their first character.
        Form::Written | Form::Plain
            if text.starts_with(|c: char| c != '&' && c != '\0' && !c.is_ascii_whitespace()) =>
        {
            return false;
        }
        Form::Written => references::decode(text, Context::Text, check),
        Form::Plain | Form::Decoded => check(text),
    }
    blank
}

/// A text without a newline at its start.
pub(super) fn without_newline(text: &str) -> &str {
    let length = match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [b'&', ..] => references::read(text, Context::Text)
            .filter(|reference| reference.first == '\n')
            .map_or(0, |reference| reference.length),
        _ => 0,
    };
    text.get(length..).unwrap_or_default()
}
