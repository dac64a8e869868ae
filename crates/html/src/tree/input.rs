//! Feeds a page to html5ever's tokenizer. The tokenizer compares each attribute of a tag with all
//! others of the tag, so surplus attributes are cut out here.
//!
//! To locate tags, this follows the rules of HTML's tokenizer, and asks the tree builder where they
//! depend on the tree.

use std::ops::ControlFlow;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TokenSink, Tokenizer, TokenizerOpts};
use memchr::{memchr, memchr2, memmem};

use super::filter::{Filter, Raw};
use super::sink::MAX_ATTRIBUTES;

/// Approximate size of the pieces fed to the tokenizer. Pieces are freed once they are consumed.
const PIECE_BYTES: usize = 256 * 1024;

pub fn tokenize(page: &str, filter: Filter) -> Filter {
    // The tokenizer would drop a byte order mark at the start of every piece.
    let page = page.strip_prefix('\u{feff}').unwrap_or(page);
    let options = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let mut input = Input {
        page,
        at: 0,
        fed: 0,
        queue: BufferQueue::default(),
        tokenizer: Tokenizer::new(filter, options),
    };
    while input.advance().is_continue() {}
    input.feed_up_to(page.len());
    input.tokenizer.end();
    input.tokenizer.sink
}

struct Input<'a> {
    page: &'a str,
    /// The position in the page.
    at: usize,
    /// The position up to which the tokenizer has received the page, except for what was cut out.
    fed: usize,
    queue: BufferQueue,
    tokenizer: Tokenizer<Filter>,
}

/// Breaks when no markup is left.
type Flow = ControlFlow<()>;

impl<'a> Input<'a> {
    /// Skips the next markup.
    fn advance(&mut self) -> Flow {
        self.at = self.find(|rest| memchr(b'<', rest))?;
        if self.at - self.fed > PIECE_BYTES {
            self.feed_up_to(self.at);
        }
        match self.rest() {
            [b'<', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                self.at += 1;
                let name = self.skip_name();
                self.skip_attributes()?;
                if is_raw_text_possible(name) {
                    self.skip_content(name)?;
                }
                Flow::Continue(())
            }
            [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                self.at += 2;
                self.skip_name();
                self.skip_attributes()
            }
            [b'<', b'!', b'-', b'-', ..] => {
                self.at += "<!--".len();
                self.skip_comment()
            }
            [b'<', b'!', rest @ ..] if rest.starts_with(b"[CDATA[") => {
                self.feed_up_to(self.at);
                let builder = &self.tokenizer.sink;
                if builder.adjusted_current_node_present_but_not_in_html_namespace() {
                    self.skip(b"]]>")
                } else {
                    self.skip(b">")
                }
            }
            [b'<', b'!' | b'?' | b'/', ..] => self.skip(b">"),
            _ => {
                self.at += 1;
                Flow::Continue(())
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.page.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn find(&self, finder: impl Fn(&[u8]) -> Option<usize>) -> ControlFlow<(), usize> {
        match finder(self.rest()) {
            Some(found) => ControlFlow::Continue(self.at + found),
            None => ControlFlow::Break(()),
        }
    }

    /// Skips everything up to and including the next mark.
    fn skip(&mut self, mark: &[u8]) -> Flow {
        self.at = mark.len() + self.find(|rest| memmem::find(rest, mark))?;
        Flow::Continue(())
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|byte| !is_skipped(*byte));
        let (skipped, _) = rest.split_at(end.unwrap_or(rest.len()));
        self.at += skipped.len();
        skipped
    }

    fn skip_name(&mut self) -> &'a [u8] {
        self.skip_while(|byte| !ends_name(byte))
    }

    /// Skips attributes and the `>` after them, and cuts out surplus ones.
    fn skip_attributes(&mut self) -> Flow {
        let mut count = 0;
        let mut surplus = None;
        loop {
            self.skip_while(is_space);
            match self.rest() {
                [] => return Flow::Break(()),
                [b'>', ..] | [b'/', b'>', ..] => break,
                [b'/', ..] => self.at += 1,
                _ => {
                    count += 1;
                    if count == MAX_ATTRIBUTES + 1 {
                        surplus = Some(self.at);
                    }
                    self.skip_attribute()?;
                }
            }
        }
        if let Some(surplus) = surplus {
            self.feed_up_to(surplus);
            self.fed = self.at;
            self.tokenizer.sink.count_cut_attributes();
        }
        self.skip(b">")
    }

    fn skip_attribute(&mut self) -> Flow {
        // A name may start with `=`.
        self.at += 1;
        self.skip_while(|byte| !ends_name(byte) && byte != b'=');
        let end = self.at;
        self.skip_while(is_space);
        if self.rest().first() != Some(&b'=') {
            self.at = end;
            return Flow::Continue(());
        }
        self.at += 1;
        self.skip_while(is_space);
        match self.rest() {
            [quote @ (b'"' | b'\''), ..] => {
                self.at += 1;
                self.skip(&[*quote])?;
            }
            _ => {
                self.skip_while(|byte| !is_space(byte) && byte != b'>');
            }
        }
        Flow::Continue(())
    }

    fn skip_comment(&mut self) -> Flow {
        match self.rest() {
            [b'>', ..] | [b'-', b'>', ..] => return self.skip(b">"),
            _ => {}
        }
        loop {
            self.skip(b"--")?;
            self.skip_while(|byte| byte == b'-');
            match self.rest() {
                [b'>', ..] | [b'!', b'>', ..] => return self.skip(b">"),
                _ => {}
            }
        }
    }

    /// Skips the content of an element if it is text.
    fn skip_content(&mut self, name: &[u8]) -> Flow {
        self.feed_up_to(self.at);
        match self.tokenizer.sink.take_raw() {
            None => Flow::Continue(()),
            Some(Raw::Rest) => Flow::Break(()),
            Some(Raw::Script) => self.skip_script(),
            Some(Raw::Text) => loop {
                self.skip(b"</")?;
                if starts_with_name(self.rest(), name) {
                    self.at += name.len();
                    return self.skip_attributes();
                }
            },
        }
    }

    /// Skips a script, which may contain `<script>` inside something that looks like a comment.
    fn skip_script(&mut self) -> Flow {
        let name = b"script";
        let (mut is_comment, mut is_nested) = (false, false);
        loop {
            self.at = self.find(|rest| memchr2(b'<', b'-', rest))?;
            match self.rest() {
                // Its dashes may also belong to `-->`.
                [b'<', b'!', b'-', b'-', ..] if !is_comment => {
                    is_comment = true;
                    self.at += "<!".len();
                }
                [b'-', b'-', b'>', ..] => {
                    (is_comment, is_nested) = (false, false);
                    self.at += "-->".len();
                }
                [b'<', b'/', rest @ ..] if starts_with_name(rest, name) => {
                    self.at += "</".len() + name.len();
                    if !is_nested {
                        return self.skip_attributes();
                    }
                    is_nested = false;
                }
                [b'<', rest @ ..] if is_comment && starts_with_name(rest, name) => {
                    is_nested = true;
                    self.at += "<".len() + name.len();
                }
                _ => self.at += 1,
            }
        }
    }

    fn feed_up_to(&mut self, end: usize) {
        let piece = self.page.get(self.fed..end).unwrap_or_default();
        self.fed = self.fed.max(end);
        if piece.is_empty() {
            return;
        }
        self.queue.push_back(StrTendril::from_slice(piece));
        while !self.queue.is_empty() {
            // It only stops to run a script or change the encoding.
            let _ = self.tokenizer.feed(&self.queue);
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'>' | b'/')
}

fn starts_with_name(bytes: &[u8], name: &[u8]) -> bool {
    let (found, rest) = bytes.split_at(name.len().min(bytes.len()));
    found.eq_ignore_ascii_case(name) && rest.first().is_some_and(|byte| ends_name(*byte))
}

/// Whether the content may be text. The tree builder decides.
fn is_raw_text_possible(name: &[u8]) -> bool {
    const NAMES: [&str; 10] = [
        "script",
        "style",
        "title",
        "textarea",
        "noscript",
        "iframe",
        "noframes",
        "noembed",
        "xmp",
        "plaintext",
    ];
    matches!(name.len(), 3..=9)
        && NAMES
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}
