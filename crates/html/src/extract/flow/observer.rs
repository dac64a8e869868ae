//! The interface of observers of the text.

use crate::events::Element;
use crate::extract::effect::Effect;
use crate::extract::tables::Indents;
use corpus_markup::Name;

/// Observes the text while it is written, in order to locate its paragraphs.
pub trait Observer {
    /// Whether a block has preformatted text, although its name does not say so.
    #[inline(always)]
    fn preformats(&self, _element: &Element<'_>) -> bool {
        false
    }
    /// A visible element opens. Void elements are not reported.
    fn open(&mut self, element: &Element<'_>, effect: Effect);
    /// An element closes.
    fn close(&mut self, name: Name);
    /// Another body tag: the body gets the attributes that it does not have yet.
    fn more_of_body(&mut self, element: &Element<'_>);
    /// A paragraph starts at the end of `text`. `has_blocks`: it is a further block of its cell or
    /// item.
    fn paragraph(&mut self, text: &str, has_blocks: bool);
    /// A further item, row or cell of the paragraph starts at the end of `text`.
    fn item(&mut self, text: &str);
    /// The last item becomes a separate paragraph, whose separator grew by this number of bytes.
    fn split(&mut self, growth: isize);
    /// Tabs were inserted into the last paragraph.
    fn indented(&mut self, indents: &Indents);
    /// Text was written from this position to the end of `text`.
    fn written(&mut self, from: usize, text: &str);
    /// The last words written are those of pictures in a link.
    fn pictures(&mut self, words: &str);
    /// The text from this position to the end of `text` was replaced.
    fn rewritten(&mut self, from: usize, text: &str);
    /// White space was trimmed from the end of `text`.
    fn trimmed(&mut self, text: &str);
    /// A script was rewritten in plain text: the text from this position to the end of `text`.
    fn script(&mut self, from: usize, text: &str) {
        self.rewritten(from, text);
    }
    /// A note number was written as a superscript: the text from this position to the end of
    /// `text`.
    fn reference(&mut self, from: usize, text: &str) {
        self.rewritten(from, text);
    }
    /// The mark at the end of a quotation or of deleted text was written, from this position to
    /// the end of `text`.
    fn end_mark(&mut self, from: usize, text: &str, _is_deleted: bool) {
        self.written(from, text);
    }
    /// Whether formulas without TeX are to be converted to TeX.
    fn wants_tex(&self) -> bool {
        false
    }
    /// The words of a formula follow. `tex` is the TeX of words that are not TeX, if it is wanted.
    fn open_formula(&mut self, _is_tex: bool, _tex: Option<&str>) {}
    /// The words of a formula were written.
    fn close_formula(&mut self) {}
    /// A picture that is not part of the text.
    fn picture(&mut self, _element: &Element<'_>) {}
    /// A control without content.
    fn control(&mut self, _element: &Element<'_>) {}
    /// The element with the base of the page's addresses.
    fn base(&mut self, _element: &Element<'_>) {}
    /// A list item that is hidden but counted.
    fn hidden_item(&mut self, _element: &Element<'_>) {}
}

impl Observer for () {
    fn open(&mut self, _: &Element<'_>, _: Effect) {}
    fn close(&mut self, _: Name) {}
    fn more_of_body(&mut self, _: &Element<'_>) {}
    fn paragraph(&mut self, _: &str, _: bool) {}
    fn item(&mut self, _: &str) {}
    fn split(&mut self, _: isize) {}
    fn indented(&mut self, _: &Indents) {}
    fn written(&mut self, _: usize, _: &str) {}
    fn pictures(&mut self, _: &str) {}
    fn rewritten(&mut self, _: usize, _: &str) {}
    fn trimmed(&mut self, _: &str) {}
}

/// Two observers of the same text.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline(always)]
    fn preformats(&self, element: &Element<'_>) -> bool {
        self.0.preformats(element) || self.1.preformats(element)
    }

    #[inline]
    fn open(&mut self, element: &Element<'_>, effect: Effect) {
        self.0.open(element, effect);
        self.1.open(element, effect);
    }

    #[inline]
    fn close(&mut self, name: Name) {
        self.0.close(name);
        self.1.close(name);
    }

    fn more_of_body(&mut self, element: &Element<'_>) {
        self.0.more_of_body(element);
        self.1.more_of_body(element);
    }

    fn paragraph(&mut self, text: &str, has_blocks: bool) {
        self.0.paragraph(text, has_blocks);
        self.1.paragraph(text, has_blocks);
    }

    fn item(&mut self, text: &str) {
        self.0.item(text);
        self.1.item(text);
    }

    fn split(&mut self, growth: isize) {
        self.0.split(growth);
        self.1.split(growth);
    }

    fn indented(&mut self, indents: &Indents) {
        self.0.indented(indents);
        self.1.indented(indents);
    }

    #[inline]
    fn written(&mut self, from: usize, text: &str) {
        self.0.written(from, text);
        self.1.written(from, text);
    }

    fn pictures(&mut self, words: &str) {
        self.0.pictures(words);
        self.1.pictures(words);
    }

    fn rewritten(&mut self, from: usize, text: &str) {
        self.0.rewritten(from, text);
        self.1.rewritten(from, text);
    }

    fn trimmed(&mut self, text: &str) {
        self.0.trimmed(text);
        self.1.trimmed(text);
    }

    fn script(&mut self, from: usize, text: &str) {
        self.0.script(from, text);
        self.1.script(from, text);
    }

    fn reference(&mut self, from: usize, text: &str) {
        self.0.reference(from, text);
        self.1.reference(from, text);
    }

    fn end_mark(&mut self, from: usize, text: &str, is_deleted: bool) {
        self.0.end_mark(from, text, is_deleted);
        self.1.end_mark(from, text, is_deleted);
    }

    fn wants_tex(&self) -> bool {
        self.0.wants_tex() || self.1.wants_tex()
    }

    fn open_formula(&mut self, is_tex: bool, tex: Option<&str>) {
        self.0.open_formula(is_tex, tex);
        self.1.open_formula(is_tex, tex);
    }

    fn close_formula(&mut self) {
        self.0.close_formula();
        self.1.close_formula();
    }

    fn picture(&mut self, element: &Element<'_>) {
        self.0.picture(element);
        self.1.picture(element);
    }

    fn control(&mut self, element: &Element<'_>) {
        self.0.control(element);
        self.1.control(element);
    }

    fn base(&mut self, element: &Element<'_>) {
        self.0.base(element);
        self.1.base(element);
    }

    fn hidden_item(&mut self, element: &Element<'_>) {
        self.0.hidden_item(element);
        self.1.hidden_item(element);
    }
}
