//! Start tags that look alike.
//!
//! A program writes the tags of all words in the same way: `<span class='ocrx_word' id='…'
//! title='…'>`. After the first one, the others are recognized by the bytes that they share, which
//! takes a fraction of the time of parsing attributes. All other tags are parsed normally.

mod near;

use std::mem;
use std::num::NonZero;

use memchr::memchr;

use corpus_bytes::step_counter::count_steps;
use corpus_markup::{Name, Syntax, Tag, Token, Tokenizer, positions};
use near::{find_near, strip_near, strip_near_str};

/// A document split into pieces. `T` holds the properties of tags that look alike.
pub(super) struct Pieces<'a, T> {
    rest: &'a str,
    /// The text before the current piece, and the text of a leaf. Only used if text is not wanted.
    before: &'a str,
    inside: &'a str,
    /// The first and the last text of inert elements before the current piece.
    inert: Option<(&'a str, &'a str)>,
    has_cdata: bool,
    text: TextUse,
    shapes: Vec<Shape<'a, T>>,
    /// Indexes of shapes, the most recently used first.
    order: Vec<u8>,
    /// Indexes of the shapes of inert spans, if text is ignored. They are not in `order`.
    inert_spans: Vec<u8>,
    /// The number of skipped spans that are open, or were closed by the end of another element.
    opened: u32,
    /// The number of further tags that may be learned.
    remaining_attempts: u32,
}

/// The use of the text between tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextUse {
    Collected,
    /// Only the ends of texts are examined, to count divided words.
    Counted,
    Ignored,
}

/// A piece of a document.
pub(super) enum Piece<'a> {
    Token(Token<'a>),
    /// A start tag with the shape that [`Pieces::properties`] now returns.
    Known(Values<'a>),
    /// A tag of a span, together with its text and its end tag. Only if text is not wanted.
    Leaf(Values<'a>),
    /// `</span>`, which accounts for half of all tags.
    EndOfSpan,
}

/// The attributes in which tags of the same shape differ, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Values<'a> {
    pub id: Option<&'a str>,
    pub title: Option<&'a str>,
}

/// The parts that tags share: `<span class='ocrx_word' id='`, `' title='` and `'>`. All values are
/// quoted, so only a value can be between two parts.
struct Shape<'a, T> {
    begin: String,
    parts: Vec<Slot<'a>>,
    known: T,
    is_span: bool,
    is_inert: bool,
}

/// The result of matching a known shape.
enum Matched<'a> {
    Tag(Values<'a>),
    /// An element that contains only text.
    Leaf(Values<'a>),
    /// Inert elements that contain only text.
    Inert,
}

/// A value that differs between tags, and the shared bytes up to the next value.
struct Slot<'a> {
    kind: Kind,
    quote: u8,
    after: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Id,
    Title,
    Other,
}

/// Maximum number of shapes. Beyond this, comparing costs more than parsing.
const MAX_SHAPES: usize = 6;
/// Maximum number of tags that are tried as shapes.
const MAX_ATTEMPTS: u32 = 64;
/// Maximum number of attributes of a tag with a shape.
const MAX_ATTRIBUTES: usize = 16;
/// Maximum length of the shared parts, because every tag is compared with all of them.
const MAX_SHARED_BYTES: usize = 512;

impl<'a, T> Pieces<'a, T> {
    pub fn new(document: &'a str, has_cdata: bool, text: TextUse) -> Self {
        Self {
            rest: document,
            before: "",
            inside: "",
            inert: None,
            has_cdata,
            text,
            shapes: Vec::new(),
            order: Vec::new(),
            inert_spans: Vec::new(),
            opened: 0,
            remaining_attempts: MAX_ATTEMPTS,
        }
    }

    /// Disables shapes, so that every tag is parsed.
    #[cfg(test)]
    pub fn without_shapes(self) -> Self {
        Self {
            remaining_attempts: 0,
            ..self
        }
    }

    /// The properties of the last recognized tag.
    pub fn properties(&self) -> Option<&T> {
        let place = *self.order.first()?;
        self.shapes
            .get(usize::from(place))
            .map(|shape| &shape.known)
    }

    /// The text that was skipped before the current piece.
    #[inline]
    pub fn text_before(&self) -> &'a str {
        self.before
    }

    /// The first and the last text of the inert elements that were skipped since the last call.
    #[inline]
    pub fn take_inert_text(&mut self) -> Option<(&'a str, &'a str)> {
        // Nearly always there is no such text, and nothing is written.
        self.inert.is_some().then(|| self.inert.take())?
    }

    /// The text of the current leaf.
    #[inline]
    pub fn text_of_leaf(&self) -> &'a str {
        self.inside
    }

    /// The number of inert spans that were skipped before the current piece and are still open.
    #[inline]
    pub fn take_opened(&mut self) -> u32 {
        mem::take(&mut self.opened)
    }

    /// The next piece. If text is not wanted, it may be skipped, together with inert elements that
    /// contain only text. If it is ignored, all inert spans are skipped.
    #[inline]
    pub fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            if self.text != TextUse::Collected {
                if !self.inert_spans.is_empty() {
                    self.skip_inert_spans();
                }
                let text = find_near(b'<', self.rest.as_bytes())?;
                (self.before, self.rest) = self.rest.split_at_checked(text)?;
            }
            if let Some(rest) = strip_end_of_span(self.rest) {
                self.rest = rest;
                return Some(Piece::EndOfSpan);
            }
            match self.read_known() {
                Some(Matched::Inert) => {}
                Some(Matched::Leaf(values)) => return Some(Piece::Leaf(values)),
                Some(Matched::Tag(values)) => return Some(Piece::Known(values)),
                None => break,
            }
        }
        if let Some((text, rest)) = text_before_tag(self.rest) {
            self.rest = rest;
            return Some(Piece::Token(Token::Text(text)));
        }
        let mut tokenizer = self.tokenizer();
        let token = tokenizer.next_token();
        self.rest = tokenizer.rest();
        token.map(Piece::Token)
    }

    /// Skips text, tags of inert spans and their end tags, up to any other markup.
    fn skip_inert_spans(&mut self) {
        let shape = |place: &u8| self.shapes.get(usize::from(*place));
        let shapes = || self.inert_spans.iter().filter_map(shape);
        // The shapes of a word and of the line around words; the same at first.
        let (mut leaf, mut outer) = match shapes().next() {
            Some(shape) => (shape, shape),
            None => return,
        };
        let mut opened = self.opened;
        let mut rest = self.rest.as_bytes();
        while let Some(text) = find_near(b'<', rest) {
            rest = leaf.skip_leaves(rest.get(text..).unwrap_or_default());
            if is_end_of_span(rest) {
                if opened == 0 {
                    break;
                }
                opened -= 1;
                rest = rest.get(END_OF_SPAN.len()..).unwrap_or_default();
                // After a line, there usually is another one.
                let next = find_near(b'<', rest).and_then(|text| rest.get(text..));
                if let Some(after) = next.and_then(|tag| outer.skip(tag)) {
                    rest = after;
                    opened += 1;
                }
                continue;
            }
            if let Some(after) = leaf.skip(rest).or_else(|| outer.skip(rest)) {
                rest = after;
            } else if let Some((shape, after)) =
                shapes().find_map(|shape| Some((shape, shape.skip(rest)?)))
            {
                rest = after;
                if precedes_end_of_span(rest) {
                    leaf = shape;
                } else {
                    outer = shape;
                }
            } else {
                break;
            }
            opened += 1;
        }
        let skipped = self.rest.len() - rest.len();
        self.rest = self.rest.get(skipped..).unwrap_or_default();
        self.opened = opened;
    }

    /// Reads a tag of a known shape, and the content of its element if that is only text.
    #[inline]
    fn read_known(&mut self) -> Option<Matched<'a>> {
        for rank in 0..self.order.len() {
            let shape = self.shapes.get(usize::from(*self.order.get(rank)?))?;
            if let Some((values, rest)) = shape.read(self.rest) {
                let after = if shape.is_span && self.text != TextUse::Collected {
                    after_text_of_span(rest)
                } else {
                    None
                };
                let (reading, rest) = match after {
                    Some((text, after)) if shape.is_inert => {
                        let first = self.inert.map_or(text, |(first, _)| first);
                        let (last, after) = shape.skip_spans(text, after);
                        self.inert = Some((first, last));
                        (Matched::Inert, after)
                    }
                    Some((text, after)) => {
                        self.inside = text;
                        (Matched::Leaf(values), after)
                    }
                    None => (Matched::Tag(values), rest),
                };
                self.rest = rest;
                self.order.swap(0, rank);
                return Some(reading);
            }
        }
        None
    }

    fn tokenizer(&self) -> Tokenizer<'a> {
        let mut tokenizer = Tokenizer::new(self.rest, Syntax::Html);
        tokenizer.allow_cdata(self.has_cdata);
        tokenizer
    }

    /// Moves to the place at which the tokenizer stops.
    pub fn skip(&mut self, skip: impl FnOnce(&mut Tokenizer<'a>)) {
        let mut tokenizer = self.tokenizer();
        skip(&mut tokenizer);
        self.rest = tokenizer.rest();
    }

    /// Learns the shape of a tag that may recur, and the properties of all tags with this shape. A
    /// tag is inert if only its own end depends on it.
    pub fn learn(&mut self, tag: &Tag<'a>, is_inert: bool, known: impl FnOnce() -> T) {
        let may_recur = tag.attributes().names.may_have("class") && !tag.self_closing();
        if self.remaining_attempts == 0 || self.shapes.len() == MAX_SHAPES || !may_recur {
            return;
        }
        self.remaining_attempts -= 1;
        if let Some((begin, parts)) = shape_of(tag) {
            let is_span = tag.name == Name::SPAN;
            let order = if is_span && is_inert && self.text == TextUse::Ignored {
                &mut self.inert_spans
            } else {
                &mut self.order
            };
            order.push(self.shapes.len() as u8);
            self.shapes.push(Shape {
                begin,
                parts,
                known: known(),
                is_span,
                is_inert,
            });
        }
    }
}

impl<'a, T> Shape<'a, T> {
    /// The values of a tag of this shape at the start of a text, and the rest of the text.
    #[inline]
    fn read(&self, text: &'a str) -> Option<(Values<'a>, &'a str)> {
        let mut values = Values::default();
        let rest = self.read_values(text, |kind, value| match kind {
            Kind::Id => values.id = Some(value),
            Kind::Title => values.title = Some(value),
            Kind::Other => {}
        })?;
        Some((values, rest))
    }

    #[inline]
    fn read_values(&self, text: &'a str, mut emit: impl FnMut(Kind, &'a str)) -> Option<&'a str> {
        let mut rest = strip_near_str(text, &self.begin)?;
        for part in &self.parts {
            let (value, after) = rest.split_at_checked(find_near(part.quote, rest.as_bytes())?)?;
            emit(part.kind, value);
            rest = strip_near_str(after, part.after)?;
        }
        rest.strip_prefix('>')
    }

    /// The text after a tag of this shape, if there is one at the start of the text.
    #[inline(always)]
    fn skip<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let mut rest = strip_near(text, self.begin.as_bytes())?;
        for part in &self.parts {
            let quote = find_near(part.quote, rest)?;
            rest = match part.after.as_bytes() {
                [_quote] => rest.get(quote + 1..)?,
                after => strip_near(rest.get(quote..)?, after)?,
            };
        }
        match rest.split_first()? {
            (b'>', rest) => Some(rest),
            _ => None,
        }
    }

    /// Skips spans of this shape that contain only text, from a `<` up to another one. Spans that
    /// do not end with their only value or are unusually long are left to [`Self::skip`].
    #[inline(always)]
    fn skip_leaves<'t>(&self, mut text: &'t [u8]) -> &'t [u8] {
        let [part] = self.parts.as_slice() else {
            return text;
        };
        if part.after.len() == 1 {
            while let Some(rest) = strip_near(text, self.begin.as_bytes())
                && let Some(after) = skip_leaf(rest, part.quote)
            {
                text = after;
            }
        }
        text
    }

    /// Skips all following spans of this shape that contain only text. Returns the text of the last
    /// one, or `last`, and the text after them.
    #[inline]
    fn skip_spans(&self, mut last: &'a str, mut text: &'a str) -> (&'a str, &'a str) {
        let after_next = |text: &'a str| {
            let tag = text.get(find_near(b'<', text.as_bytes())?..)?;
            after_text_of_span(self.read_values(tag, |_, _| {})?)
        };
        while let Some((inside, after)) = after_next(text) {
            (last, text) = (inside, after);
        }
        (last, text)
    }
}

/// The next `<` after a span that contains only text. `span` starts with the last value of its tag,
/// after which only the quote and `>` may follow. A single search within 64 bytes finds the ends of
/// the value, of the text, and of the text after the span.
#[inline(always)]
fn skip_leaf(span: &[u8], quote: u8) -> Option<&[u8]> {
    let window = span.first_chunk()?;
    count_steps(window.len() / 8);
    let quote = NonZero::new(positions(quote, window))?.trailing_zeros();
    if span.get(quote as usize + 1) != Some(&b'>') {
        return None;
    }
    // A comparison, unlike a mask of the tags after the quote, delays nothing.
    let tags = positions(b'<', window);
    let end = tags.trailing_zeros();
    if end < quote {
        return None;
    }
    let end = span.get(end as usize..)?;
    if !is_end_of_span(end) {
        return None;
    }
    match NonZero::new(tags & tags.wrapping_sub(1)) {
        Some(next) => span.get(next.trailing_zeros() as usize..),
        None => {
            let after = end.get(END_OF_SPAN.len()..)?;
            after.get(find_near(b'<', after)?..)
        }
    }
}

const END_OF_SPAN: &[u8; 7] = b"</span>";

/// Whether a text starts with `</span>`, compared as one number where more follows.
#[inline(always)]
fn is_end_of_span(text: &[u8]) -> bool {
    const END: u64 = u64::from_be_bytes(*b"</span>\0") >> 8;
    match text.first_chunk() {
        Some(start) => u64::from_be_bytes(*start) >> 8 == END,
        None => text == END_OF_SPAN,
    }
}

#[inline]
fn strip_end_of_span(text: &str) -> Option<&str> {
    text.strip_prefix("</span>")
}

/// Whether the next `<` starts the end tag of a span.
fn precedes_end_of_span(text: &[u8]) -> bool {
    let end = find_near(b'<', text).and_then(|end| text.get(end..));
    end.is_some_and(is_end_of_span)
}

/// The text of a span and the text after its end, if the span contains only text.
#[inline]
fn after_text_of_span(text: &str) -> Option<(&str, &str)> {
    let (inside, end) = text.split_at_checked(find_near(b'<', text.as_bytes())?)?;
    Some((inside, strip_end_of_span(end)?))
}

/// The text before the next `<`, and the rest, if that clearly is a tag.
#[inline]
fn text_before_tag(rest: &str) -> Option<(&str, &str)> {
    let length = memchr(b'<', rest.as_bytes()).filter(|length| *length > 0)?;
    count_steps(length);
    let (text, tag) = rest.split_at_checked(length)?;
    match tag.as_bytes() {
        [_, b'/', letter, ..] | [_, letter, ..] if letter.is_ascii_alphabetic() => {
            Some((text, tag))
        }
        _ => None,
    }
}

/// The shared parts of a tag. `None` if an attribute is unquoted or not separated by a space, or if
/// attributes are unusually many or long.
fn shape_of<'a>(tag: &Tag<'a>) -> Option<(String, Vec<Slot<'a>>)> {
    let source = tag.attributes().source;
    let mut names: Vec<&str> = Vec::with_capacity(MAX_ATTRIBUTES);
    let mut parts: Vec<Slot<'a>> = Vec::new();
    // The end of the shared bytes before the first value, and the start of those after the last.
    let (mut end_of_begin, mut after_last) = (source.len(), 0);
    let mut rest = source;
    while !rest.trim_ascii_start().is_empty() {
        let (before, after_equals) = rest.split_at_checked(memchr(b'=', rest.as_bytes())?)?;
        let after_equals = after_equals.get(1..)?;
        let name = before.trim_ascii_start();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
        let is_apart = name.len() < before.len();
        let is_new = !names.iter().any(|other| other.eq_ignore_ascii_case(name));
        count_steps(before.len() + names.len());
        let is_usual = is_apart && is_new && names.len() < MAX_ATTRIBUTES;
        if name.is_empty() || !name.bytes().all(is_name) || !is_usual {
            return None;
        }
        names.push(name);
        let quote = after_equals.bytes().next();
        let quote = quote.filter(|quote| matches!(quote, b'"' | b'\''))?;
        let value = after_equals.get(1..)?;
        let length = memchr(quote, value.as_bytes())?;
        if let Some(kind) = Kind::of(name) {
            let start = source.len() - value.len();
            match parts.last_mut() {
                Some(last) => last.after = source.get(after_last..start)?,
                None => end_of_begin = start,
            }
            after_last = start + length;
            let after = source.get(after_last..)?;
            parts.push(Slot { kind, quote, after });
        }
        rest = value.get(length + 1..)?;
    }
    let begin = ["<", tag.written(), source.get(..end_of_begin)?].concat();
    let after: usize = parts.iter().map(|part| part.after.len()).sum();
    (begin.len() + after <= MAX_SHARED_BYTES).then_some((begin, parts))
}

impl Kind {
    /// The kind of value of an attribute. `None` if it is the same in all tags of a shape.
    fn of(name: &str) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("class") || is("lang") || is("xml:lang") {
            None
        } else if is("id") {
            Some(Self::Id)
        } else if is("title") {
            Some(Self::Title)
        } else {
            Some(Self::Other)
        }
    }
}

#[cfg(test)]
mod tests;
