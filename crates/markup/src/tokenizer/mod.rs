//! A pull tokenizer for a whole page in memory, following the HTML standard or XML.

use std::fmt;

use memchr::{memchr, memmem};

use super::attributes::{self, NameFilter, RawAttributes};
use super::bytes::{find_far, find_near_markup};
use super::{Name, raw_text};
use corpus_bytes::step_counter::count_steps;

/// The rules to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// The HTML standard.
    Html,
    /// XML: CDATA sections and processing instructions are recognized everywhere. Errors are
    /// handled as in HTML.
    Xml,
}

/// A start tag or an end tag.
#[derive(Clone, Copy)]
pub struct Tag<'a> {
    /// The name in lower case.
    pub name: Name,
    /// The whole page. Most callers need no text of the tag, so it is sliced on request.
    page: &'a str,
    /// The position of the name.
    start: usize,
    /// The position of `>` or `/>`.
    end: usize,
    attribute_names: NameFilter,
    name_length: u32,
    closing: Closing,
}

/// How a tag ends. As a `u32`, it leaves no padding in `Tag`, which would slow down copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Closing {
    Bracket,
    SlashAndBracket,
}

impl<'a> Tag<'a> {
    /// The name as written.
    pub fn written(&self) -> &'a str {
        let name = self.start..self.name_end();
        self.page.get(name).unwrap_or_default()
    }

    #[inline]
    fn name_end(&self) -> usize {
        self.start + self.name_length as usize
    }

    /// Whether the tag ends with `/>`.
    #[inline]
    pub fn self_closing(&self) -> bool {
        self.closing == Closing::SlashAndBracket
    }

    /// The name as written, without a namespace prefix.
    pub fn local_name(&self) -> &'a str {
        let written = self.written();
        written.rsplit_once(':').map_or(written, |(_, local)| local)
    }

    /// The attributes, unparsed.
    #[inline]
    pub fn attributes(&self) -> RawAttributes<'a> {
        RawAttributes {
            source: self.page.get(self.name_end()..self.end).unwrap_or_default(),
            names: self.attribute_names,
        }
    }

    /// The same tag for another element.
    pub fn renamed(&self, name: Name) -> Self {
        Self { name, ..*self }
    }

    /// The same tag without attributes.
    pub fn without_attributes(&self) -> Self {
        Self {
            end: self.name_end(),
            attribute_names: NameFilter::default(),
            closing: Closing::Bracket,
            ..*self
        }
    }
}

impl fmt::Debug for Tag<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Tag")
            .field("written", &self.written())
            .field("attributes", &self.attributes().source)
            .field("self_closing", &self.self_closing())
            .finish()
    }
}

/// A piece of markup.
#[derive(Debug, Clone, Copy)]
pub enum Token<'a> {
    /// Text as written: references are not decoded, newlines not normalized.
    Text(&'a str),
    Start(Tag<'a>),
    End(Tag<'a>),
    /// A comment, or other markup that HTML treats as a comment.
    Comment(&'a str),
    /// The text of a CDATA section.
    CData(&'a str),
    /// The text between `<!doctype` and `>`. `complete` is whether there is a `>`.
    Doctype {
        content: &'a str,
        complete: bool,
    },
    /// The text between `<?` and `?>`, in XML.
    Instruction(&'a str),
}

/// A pull tokenizer. It is also an iterator over [`Token`]s.
pub struct Tokenizer<'a> {
    page: &'a str,
    at: usize,
    /// The position of the markup after the last text.
    markup_after_text: usize,
    syntax: Syntax,
    cdata: bool,
    is_plain: bool,
}

impl<'a> Tokenizer<'a> {
    /// A tokenizer at the start of a page. A byte order mark is skipped.
    pub fn new(page: &'a str, syntax: Syntax) -> Self {
        let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
        Self {
            page,
            at: 0,
            markup_after_text: usize::MAX,
            syntax,
            cdata: syntax == Syntax::Xml,
            is_plain: false,
        }
    }

    /// Whether the last token was certainly a text without `&`, carriage returns and NULs. Only
    /// short texts are examined, because their bytes are compared anyway.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Sets whether CDATA sections are allowed. In HTML this depends on the current element.
    #[inline]
    pub fn allow_cdata(&mut self, allowed: bool) {
        self.cdata = allowed;
    }

    /// The next token; `None` at the end. An incomplete tag at the end is dropped.
    ///
    /// (Always inlined, because passing a token through memory costs as much as parsing it.)
    #[inline(always)]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            count_steps(1);
            let start = self.at;
            // Markup after a text was already found with it. Markup after markup needs no search.
            let is_known = start == self.markup_after_text
                || (self.page.as_bytes().get(start) == Some(&b'<') && self.is_markup(start));
            let markup = if is_known {
                start
            } else {
                self.next_markup(start)
            };
            if markup > start {
                (self.at, self.markup_after_text) = (markup, markup);
                return Some(Token::Text(self.part(start, markup)));
            }
            let bytes = self.page.as_bytes();
            // An end tag without a name is ignored.
            if bytes.get(start + 2) != Some(&b'>') || bytes.get(start + 1) != Some(&b'/') {
                return self.markup(start);
            }
            self.at = start + 3;
        }
    }

    /// The end of the last token, in bytes after a byte order mark.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns the rest of the page as text, and skips it.
    pub fn rest(&mut self) -> &'a str {
        let start = self.at;
        self.at = self.page.len();
        self.part(start, self.at)
    }

    /// Returns the text up to the end tag of this name, and skips both.
    pub fn raw_text(&mut self, name: &str) -> &'a str {
        let end = raw_text::end_of_text(self.page.as_bytes(), self.at, name);
        self.text_up_to(end, name)
    }

    /// Returns the text of a script up to its end tag, and skips both.
    pub fn script(&mut self) -> &'a str {
        let end = raw_text::end_of_script(self.page.as_bytes(), self.at);
        self.text_up_to(end, "script")
    }

    fn text_up_to(&mut self, end: usize, name: &str) -> &'a str {
        let text = self.part(self.at, end);
        let after_name = (end + 2 + name.len()).min(self.page.len());
        self.at = match attributes::skip(self.page.as_bytes(), after_name) {
            Some(tag_end) => tag_end.at + 1,
            None => self.page.len(),
        };
        text
    }

    #[inline]
    fn part(&self, from: usize, to: usize) -> &'a str {
        self.page.get(from..to).unwrap_or_default()
    }

    /// Whether a name may start with this byte. XML allows more than HTML.
    #[inline]
    fn starts_name(&self, byte: u8) -> bool {
        byte.is_ascii_alphabetic()
            || (self.syntax == Syntax::Xml && (matches!(byte, b'_' | b':') || !byte.is_ascii()))
    }

    /// The position of the next markup. Sets `is_plain` for the text up to there.
    #[inline(always)]
    fn next_markup(&mut self, start: usize) -> usize {
        let bytes = self.page.as_bytes();
        if let Some(near) = bytes.get(start..).and_then(find_near_markup)
            && self.is_markup(start + near.at)
        {
            self.is_plain = near.is_plain;
            return start + near.at;
        }
        self.is_plain = false;
        self.next_far_markup(start)
    }

    /// The position of the next markup after a long text, or after one with a `<`.
    fn next_far_markup(&self, start: usize) -> usize {
        let bytes = self.page.as_bytes();
        let mut at = start;
        while let Some(skipped) = find_far(b'<', bytes.get(at..).unwrap_or_default()) {
            at += skipped;
            if self.is_markup(at) {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// Whether the `<` at this position starts markup. Otherwise it is text.
    #[inline]
    fn is_markup(&self, at: usize) -> bool {
        let bytes = self.page.as_bytes();
        match bytes.get(at + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => at + 2 < bytes.len(),
            Some(byte) => self.starts_name(*byte),
            None => false,
        }
    }

    /// The markup at this position, which has a `<`.
    #[inline(always)]
    fn markup(&mut self, start: usize) -> Option<Token<'a>> {
        match self.page.as_bytes().get(start + 1)? {
            b'/' if self.starts_name(*self.page.as_bytes().get(start + 2)?) => {
                self.tag(start + 2).map(Token::End)
            }
            b'/' => Some(self.bogus_comment(start + 2)),
            b'!' => Some(self.declaration(start)),
            b'?' if self.syntax == Syntax::Xml => {
                let content = self.up_to(start + 2, "?>");
                Some(Token::Instruction(content))
            }
            b'?' => Some(self.bogus_comment(start + 1)),
            _ => self.tag(start + 1).map(Token::Start),
        }
    }

    #[inline(always)]
    fn tag(&mut self, start: usize) -> Option<Tag<'a>> {
        let bytes = self.page.as_bytes();
        let (name, length) = Name::read(bytes.get(start..)?);
        let Some(end) = attributes::skip(bytes, start + length) else {
            self.at = bytes.len();
            return None;
        };
        self.at = end.at + 1;
        Some(Tag {
            name,
            page: self.page,
            start,
            end: end.at - usize::from(end.self_closing),
            attribute_names: end.names,
            // A name of 4 GiB is truncated.
            name_length: u32::try_from(length).unwrap_or(u32::MAX),
            closing: if end.self_closing {
                Closing::SlashAndBracket
            } else {
                Closing::Bracket
            },
        })
    }

    /// Markup that starts with `<!`.
    fn declaration(&mut self, start: usize) -> Token<'a> {
        let content = self.page.get(start + 2..).unwrap_or_default();
        if content.starts_with("--") {
            return Token::Comment(self.comment(start + 4));
        }
        if self.cdata && content.starts_with("[CDATA[") {
            return Token::CData(self.up_to(start + 9, "]]>"));
        }
        let is_doctype = content
            .get(..7)
            .is_some_and(|start| start.eq_ignore_ascii_case("doctype"));
        if is_doctype {
            return self.doctype(start + 9);
        }
        self.bogus_comment(start + 2)
    }

    fn doctype(&mut self, start: usize) -> Token<'a> {
        let rest = self.page.get(start..).unwrap_or_default();
        let mut end = memchr(b'>', rest.as_bytes());
        let before = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        // In XML, a doctype may contain declarations in brackets.
        if self.syntax == Syntax::Xml && before.contains('[') {
            end = memmem::find(rest.as_bytes(), b"]>").map(|bracket| bracket + 1);
        }
        let length = end.unwrap_or(rest.len());
        count_steps(length);
        self.at = (start + length + 1).min(self.page.len());
        Token::Doctype {
            content: rest.get(..length).unwrap_or_default(),
            complete: end.is_some(),
        }
    }

    fn bogus_comment(&mut self, start: usize) -> Token<'a> {
        Token::Comment(self.up_to(start, ">"))
    }

    /// Returns the text up to `end`, and skips both.
    fn up_to(&mut self, start: usize, end: &str) -> &'a str {
        let rest = self.page.get(start..).unwrap_or_default();
        let length = memmem::find(rest.as_bytes(), end.as_bytes());
        count_steps(length.unwrap_or(rest.len()));
        self.at = length.map_or(self.page.len(), |length| start + length + end.len());
        rest.get(..length.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// The content of a comment. It ends at `-->` or `--!>`, whose dashes must not belong to
    /// `<!--`. An immediate `>` or `->` also ends it.
    fn comment(&mut self, start: usize) -> &'a str {
        let rest = self.page.get(start..).unwrap_or_default();
        let bytes = rest.as_bytes();
        let mut at = 0;
        while let Some(skipped) = memchr(b'>', bytes.get(at..).unwrap_or_default()) {
            at += skipped;
            count_steps(skipped + 1);
            let before = rest.get(..at).unwrap_or_default();
            let content = before
                .strip_suffix("--")
                .or_else(|| before.strip_suffix("--!"))
                .or_else(|| matches!(before, "" | "-").then_some(""));
            at += 1;
            if let Some(content) = content {
                self.at = start + at;
                return content;
            }
        }
        self.at = self.page.len();
        count_steps(rest.len());
        rest
    }
}

impl<'a> Iterator for Tokenizer<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        self.next_token()
    }
}

#[cfg(test)]
mod tests;
