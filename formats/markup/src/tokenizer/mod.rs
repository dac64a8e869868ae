//! A pull tokenizer over a whole page in memory, by the rules of the HTML standard, or of XML.

use memchr::{memchr, memmem};

use super::attributes::{self, RawAttributes};
use super::bytes::find_near;
use super::{Name, raw_text};
use corpus_bytes::work::count_steps;

/// Whose rules hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    Html,
    /// CDATA sections and processing instructions are told everywhere. Damage is read as HTML
    /// reads it.
    Xml,
}

/// A start tag or an end tag.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    /// The name in lower case.
    pub name: Name,
    /// The name as written.
    pub written: &'a str,
    pub attributes: RawAttributes<'a>,
    pub self_closing: bool,
}

impl<'a> Tag<'a> {
    /// The name as written, without a namespace prefix.
    pub fn local_name(&self) -> &'a str {
        self.written
            .rsplit_once(':')
            .map_or(self.written, |(_, local)| local)
    }
}

/// A piece of markup.
#[derive(Debug, Clone, Copy)]
pub enum Token<'a> {
    /// As written: references are not decoded, newlines not normalized.
    Text(&'a str),
    Start(Tag<'a>),
    End(Tag<'a>),
    /// Also what is read as a comment since it is nothing else.
    Comment(&'a str),
    /// The text of a CDATA section.
    CData(&'a str),
    /// What is between `<!doctype` and `>`; complete if there is a `>`.
    Doctype {
        content: &'a str,
        complete: bool,
    },
    /// What is between `<?` and `?>`, in XML.
    Instruction(&'a str),
}

pub struct Tokenizer<'a> {
    page: &'a str,
    at: usize,
    syntax: Syntax,
    cdata: bool,
}

impl<'a> Tokenizer<'a> {
    pub fn new(page: &'a str, syntax: Syntax) -> Self {
        let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
        Self {
            page,
            at: 0,
            syntax,
            cdata: syntax == Syntax::Xml,
        }
    }

    /// Are there CDATA sections here? In HTML that depends on the element they stand in.
    #[inline]
    pub fn allow_cdata(&mut self, allowed: bool) {
        self.cdata = allowed;
    }

    /// The next piece; none at the end. A tag that the end cuts off is dropped.
    ///
    /// (Always inlined, for a token that is handed on in memory costs as much as reading it.)
    #[inline(always)]
    pub fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            count_steps(1);
            let start = self.at;
            let markup = self.next_markup(start);
            if markup > start {
                self.at = markup;
                return Some(Token::Text(self.part(start, markup)));
            }
            // An end tag without a name is nothing at all.
            if !self.page.get(start..)?.starts_with("</>") {
                return self.markup(start);
            }
            self.at = start + 3;
        }
    }

    /// What is left, as text.
    pub fn rest(&mut self) -> &'a str {
        let start = self.at;
        self.at = self.page.len();
        self.part(start, self.at)
    }

    /// The text up to the end tag of that name, which is skipped.
    pub fn raw_text(&mut self, name: &str) -> &'a str {
        let end = raw_text::end_of_text(self.page.as_bytes(), self.at, name);
        self.text_up_to(end, name)
    }

    /// The text of a script up to its end tag, which is skipped.
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

    /// May a name begin with that? XML has more such letters.
    #[inline]
    fn begins_name(&self, byte: u8) -> bool {
        byte.is_ascii_alphabetic()
            || (self.syntax == Syntax::Xml && (matches!(byte, b'_' | b':') || !byte.is_ascii()))
    }

    /// Where the next markup begins. A `<` that begins none is text.
    #[inline]
    fn next_markup(&self, start: usize) -> usize {
        let bytes = self.page.as_bytes();
        let mut at = start;
        while let Some(skipped) = find_near(b'<', bytes.get(at..).unwrap_or_default()) {
            at += skipped;
            match bytes.get(at + 1) {
                Some(b'!' | b'?') => return at,
                Some(b'/') if at + 2 < bytes.len() => return at,
                Some(byte) if self.begins_name(*byte) => return at,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    /// The markup that begins there, with a `<`.
    #[inline(always)]
    fn markup(&mut self, start: usize) -> Option<Token<'a>> {
        match self.page.as_bytes().get(start + 1)? {
            b'/' if self.begins_name(*self.page.as_bytes().get(start + 2)?) => {
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
        let self_closing = usize::from(end.self_closing);
        Some(Tag {
            name,
            written: self.part(start, start + length),
            attributes: RawAttributes {
                source: self.part(start + length, end.at - self_closing),
                seen: end.seen,
            },
            self_closing: end.self_closing,
        })
    }

    /// What begins with `<!`.
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
        // XML may declare things between brackets.
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

    /// What stands from there to where `end` begins; goes on behind it.
    fn up_to(&mut self, start: usize, end: &str) -> &'a str {
        let rest = self.page.get(start..).unwrap_or_default();
        let length = memmem::find(rest.as_bytes(), end.as_bytes());
        count_steps(length.unwrap_or(rest.len()));
        self.at = length.map_or(self.page.len(), |length| start + length + end.len());
        rest.get(..length.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// The content of a comment. It ends at `-->` or `--!>`, whose dashes are not those of
    /// `<!--`, but also at once with `>` or `->`.
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
