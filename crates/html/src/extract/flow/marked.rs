//! The marks of elements before their first word and after their last one.

use super::replaced::is_repeated_mark;
use super::{Flow, Observer, crossed};
use crate::events::Element;
use crate::extract::effect::Effect;
use crate::extract::end_effects::EndEffect;
use crate::extract::quotes::{self, marks_of};
use crate::hidden::Display;
use corpus_blocks::scripts::{self, Script};
use corpus_markup::Name;

/// Maximum number of digits of a note number.
const MAX_REFERENCE_DIGITS: usize = 3;
/// The mark before and after deleted text.
const DELETED: &str = "~~";

impl<M: Observer> Flow<M> {
    /// Opens an element that has a mark or a style, or is inside one that has. Returns its effect
    /// on paragraphs.
    #[cold]
    pub(super) fn open_marked(
        &mut self,
        element: &Element<'_>,
        effect: Effect,
        mark: EndEffect,
        display: Display,
    ) -> Effect {
        let is_inline = !effect.is_block()
            || matches!(effect, Effect::Void | Effect::VoidControl | Effect::Picture);
        let is_box = is_inline
            && (matches!(display, Display::Box | Display::InlineFlexible)
                || self.marks.separate_children());
        let is_block = is_inline && matches!(display, Display::Block | Display::Flexible);
        if is_block {
            self.crossed |= crossed::BLOCK;
            self.indent.clear();
        } else if is_box {
            self.crossed |= crossed::SPACE;
        }
        if effect.is_void() {
            return effect;
        }
        let of_style = match display {
            Display::Flexible => EndEffect::Flexible,
            Display::InlineFlexible => EndEffect::InlineFlexible,
            _ if is_block => EndEffect::Block,
            _ if is_box => EndEffect::Box,
            _ => EndEffect::None,
        };
        let mark = if mark == EndEffect::None {
            of_style
        } else {
            mark
        };
        let has_base = self.crossed & !crossed::MARK == 0 && !self.text.is_empty();
        self.marks.push(element.name, mark, has_base);
        if mark.has_start() {
            self.crossed |= crossed::MARK;
        }
        if is_block { Effect::Block } else { effect }
    }

    #[cold]
    pub(super) fn close_marked(&mut self, name: Name) {
        let Some(open) = self.marks.remove(name) else {
            return;
        };
        match (open.mark, open.at) {
            (EndEffect::Block | EndEffect::Flexible, _) => {
                self.crossed |= crossed::BLOCK;
                self.indent.clear();
            }
            (EndEffect::Box | EndEffect::InlineFlexible, _) => self.crossed |= crossed::SPACE,
            (EndEffect::Script(position), Some(at)) => {
                self.rewrite_script(at, position, open.has_base)
            }
            (EndEffect::Preformatted, _) => {
                self.preformatted = self.preformatted.saturating_sub(1);
            }
            (EndEffect::Note, Some(_)) => self.end_mark(")", false),
            (EndEffect::Deleted, Some(_)) => self.end_mark(DELETED, true),
            (EndEffect::Quotation(_, closing), Some(_)) => self.end_mark(closing, false),
            _ => {}
        }
    }

    /// Writes the marks of the elements whose first word comes next.
    #[cold]
    pub(super) fn start_marks(&mut self, next: char) {
        for open in self.marks.starting() {
            match &mut open.mark {
                EndEffect::Deleted => self.text.push_str(DELETED),
                EndEffect::Note => self.text.push('('),
                EndEffect::Quotation(opening, closing) => {
                    // The page may write the marks itself.
                    if quotes::is_mark(next) || self.text.ends_with(quotes::is_mark) {
                        (*opening, *closing) = ("", "");
                    }
                    self.text.push_str(opening);
                }
                _ => {}
            }
            open.at = Some(self.text.len());
        }
    }

    fn end_mark(&mut self, mark: &str, is_deleted: bool) {
        self.trim_end();
        let from = self.text.len();
        self.text.push_str(mark);
        self.observer.end_mark(from, &self.text, is_deleted);
    }

    /// Whether an element repeats the mark of the note around it.
    #[cold]
    pub(super) fn repeats_mark(&self, element: &Element<'_>) -> bool {
        self.marks.are_in_note() && is_repeated_mark(element)
    }

    /// Opens a link. One that directly follows a word may be a reference to a note.
    #[inline]
    pub(super) fn open_link(&mut self, element: &Element<'_>) {
        self.link.start(self.text.len());
        if self.crossed == 0 {
            self.link.is_reference = self.may_be_reference(element);
        }
    }

    #[cold]
    fn may_be_reference(&self, element: &Element<'_>) -> bool {
        let mut before = self.text.chars().rev();
        let follows_word = match before.next() {
            Some('.' | ',' | ';' | '!' | '?' | ')' | ']' | '%' | '”' | '"' | '\'' | '’' | '»') => {
                true
            }
            Some(last) => last.is_alphanumeric(),
            None => false,
        };
        let is_reference = |address: &str| {
            let fragment = address.split_once('#').map(|(_, fragment)| fragment);
            fragment.is_some_and(|fragment| !fragment.is_empty())
        };
        follows_word
            && self.preformatted == 0
            && !self.marks.are_in_script()
            && element
                .attribute("href")
                .is_some_and(|address| is_reference(&address))
    }

    /// Writes a note number as a superscript if it would otherwise join the previous word.
    #[cold]
    pub(super) fn raise_reference(&mut self, start: usize) {
        let Some((_, number)) = self.text.split_at_checked(start) else {
            return;
        };
        let is_number = (1..=MAX_REFERENCE_DIGITS).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(raised) = scripts::in_unicode(number, Script::Super).filter(|_| is_number) {
            self.text.truncate(start);
            self.text.push_str(&raised);
            self.observer.reference(start, &self.text);
        }
    }

    fn rewrite_script(&mut self, at: usize, position: Script, has_base: bool) {
        let Some((before, script)) = self.text.split_at_checked(at) else {
            return;
        };
        if let Some(written) = scripts::rewrite(before, script, position, has_base) {
            self.text.truncate(at);
            self.text.push_str(&written);
            self.observer.script(at, &self.text);
        }
    }

    /// Records the language of the page.
    pub(super) fn read_language(&mut self, element: &Element<'_>) {
        if self.language.is_empty()
            && let Some(language) = element.attribute("lang")
        {
            self.language = language.into_owned();
        }
    }

    /// The marks of a quotation, which depend on its language and the quotations around it.
    #[cold]
    pub(super) fn quotation(&mut self, element: &Element<'_>) -> EndEffect {
        let pairs = match element.attribute("lang") {
            Some(language) => marks_of(&language),
            None => *self
                .quotation_marks
                .get_or_insert_with(|| marks_of(&self.language)),
        };
        let [outer, inner] = pairs;
        let (opening, closing) = match self.marks.quotations() % 2 {
            0 => outer,
            _ => inner,
        };
        EndEffect::Quotation(opening, closing)
    }
}
